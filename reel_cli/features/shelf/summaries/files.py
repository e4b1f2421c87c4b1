"""`summaries/<name>.md`: what files of the shelf come to, with links to them (MEMORY-MGMT §4)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from reel_cli.core.errors import ReelError
from reel_cli.core.files.front_matter import split
from reel_cli.core.files.yaml_text import render_scalar, render_value
from reel_cli.core.values.change import one_line
from reel_cli.features.shelf.files import read_contents, read_shelf
from reel_cli.features.shelf.shelf_file import SHELF, ShelfFile, sidecar_of
from reel_cli.features.shelf.summaries.summary import SUMMARIES, SourceState, Style, Summary, SummarySource
from reel_cli.features.shelf.watched_files import GONE, SAME, state_of

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

REFERENCES = "\n---\nReferences:\n"
"""Separator between a summary and the links to its sources."""
LONGEST = 1024 * 1024
"""Bytes above which a page is no summary."""
MOST_SOURCES = 200
"""Maximum number of sources of a summary."""
_NOTES = "summaries 1"


def parse_summary(text: str, path: str) -> Summary:
    """Return the summary at a kit path, ignoring unknown keys; raises ReelError if it is none."""
    if len(text) > LONGEST:
        message = f"{path} is longer than {LONGEST // 1024} KB."
        raise ReelError(message, hint="a summary is shorter than what it is of")
    document = split(text.replace("\r\n", "\n"), path)
    paths = list(dict.fromkeys(document.items("summary_of")))
    if len(paths) > MOST_SOURCES:
        message = f"{path}: summary_of names more than {MOST_SOURCES} files."
        raise ReelError(message)
    if not paths:
        message = f"{path}: summary_of names no file."
        raise ReelError(message, hint="name the files it is of:  summary_of: [shelf/plan.md]")
    for one in paths:
        if not is_source_path(one):
            message = f"{path}: summary_of names {one_line(one, 80)}, which is no file of the shelf."
            raise ReelError(message, hint="name the files it is of:  summary_of: [shelf/plan.md]")
    shas = document.items("sha256")
    shas = shas if len(shas) == len(paths) else ("",) * len(paths)
    return Summary(
        path,
        tuple(SummarySource(one, _sha(sha)) for one, sha in zip(paths, shas, strict=True)),
        created=document.text("created"),
        style=document.text("style").strip().casefold() or Style.BULLET.value,
        title=one_line(document.text("title")) or Path(path).stem,
        body=without_references(document.body).strip("\n"),
        by=one_line(document.text("made_by"), 80),
        since=one_line(document.text("since"), 80),
        gist=one_line(document.text("gist"), 200),
    )


def _sha(text: str) -> str:
    plain = text.strip().casefold()
    return plain if len(plain) == 64 and all(c in "0123456789abcdef" for c in plain) else ""


def is_source_path(path: str) -> bool:
    """Return whether a path may be one of a file on the shelf."""
    parts = path.split("/")
    return parts[0] == SHELF and len(parts) > 1 and not {"", ".", ".."} & set(parts) and path.isprintable()


def is_summary_path(path: str) -> bool:
    """Return whether a kit path may be that of a summary."""
    parts = path.split("/")
    plain = not {"", ".", ".."} & set(parts) and path.isprintable()
    return parts[0] == SUMMARIES and len(parts) > 1 and plain and path.endswith(".md")


def without_references(text: str) -> str:
    """Return a summary's text without the links to its sources at its end."""
    at = text.replace("\r\n", "\n").rfind(REFERENCES)
    return text.replace("\r\n", "\n")[:at] if at >= 0 else text


def render_summary(summary: Summary, held: Callable[[str], bool] = lambda _: True) -> str:
    """Return a summary's file; `held` says whether the kit has a source's bytes: else link its page."""
    fields = {
        "summary_of": render_value(list(summary.paths)),
        "created": f" {render_scalar(summary.created)}",
        "style": f" {render_scalar(summary.style)}",
        "title": f" {render_scalar(summary.title)}",
        "sha256": render_value([one.sha256 for one in summary.sources]),
        "made_by": f" {render_scalar(summary.by)}",
    }
    if summary.gist:
        fields["gist"] = f" {render_scalar(summary.gist)}"
    if summary.since:
        fields["since"] = f" {render_scalar(summary.since)}"
    head = "".join(f"{key}:{value}\n" for key, value in fields.items())
    links = "".join(f"{_link(one, held=held(one))}\n" for one in summary.paths)
    body = without_references(summary.body).strip("\n")
    return f"---\n{head}---\n\n{body}\n{REFERENCES}{links}"


def _link(path: str, *, held: bool) -> str:
    name = one_line(path.removeprefix(f"{SHELF}/"))
    shown = "".join(f"\\{c}" if c in "\\[]`*_<>" else c for c in name)
    return f"- [{shown}](../{quote(path if held else sidecar_of(path))})"


def list_summaries(snapshot: "Snapshot") -> Sequence[str]:
    """Return the kit paths of all summaries, in order."""
    return [path for path in snapshot.list(SUMMARIES) if is_summary_path(path)]


def read_summaries(snapshot: "Snapshot") -> dict[str, Summary]:
    """Return all summaries by path, without text; `trouble` says why one cannot be read.

    An overview keeps what each file says.
    """

    def note(path: str) -> dict[str, Any]:
        one = read_summary(snapshot, path)
        sources = [(source.path, source.sha256) for source in one.sources]
        return {**asdict(replace(one, sources=(), body="")), "sources": sources}

    notes: Mapping[str, Any] = snapshot.note(_NOTES, list_summaries(snapshot), note)
    return {
        path: Summary(**{**told, "sources": tuple(SummarySource(*one) for one in told["sources"])})
        for path, told in notes.items()
    }


def read_summary(snapshot: "Snapshot", path: str) -> Summary:
    """Return one summary with its text; `trouble` says why it cannot be read."""
    try:
        return parse_summary(snapshot.text(path) or "", path)
    except ReelError as error:
        return Summary(path, (), trouble=error.message)


class Sources:
    """The files on the shelf as they are now, to be held against what summaries were made of."""

    def __init__(
        self, snapshot: "Snapshot", kit: Path | None, shelf: Mapping[str, ShelfFile] | None = None
    ) -> None:
        """Keep the values; for a past moment `kit` is None, and watched files count as noted."""
        self._snapshot = snapshot
        self._kit = kit
        self._shelf = read_shelf(snapshot) if shelf is None else shelf
        self._shas: dict[str, str | None] = {}

    def sha_now(self, path: str) -> str | None:
        """Return a file's SHA-256; "" if that is not cheaply known, None if the file is gone."""
        if path not in self._shas:
            self._look((path,))
        return self._shas[path]

    def _look(self, paths: Iterable[str]) -> None:
        held = []
        for path in paths:
            file = self._shelf.get(path)
            if file is None or (not file.held and file.watched is None):
                self._shas[path] = None
            elif file.watched is not None:
                state = state_of(self._kit, file.watched) if self._kit is not None else SAME
                self._shas[path] = file.watched.sha256 if state == SAME else None if state == GONE else ""
            else:
                held.append(path)
        for path, content in read_contents(self._snapshot, held).items():
            self._shas[path] = content.sha256

    def state(self, summary: Summary, path: str) -> SourceState:
        """Return whether one source is still what a summary was made of."""
        now = self.sha_now(path)
        if now is None:
            return SourceState.GONE
        then = summary.made_of(path)
        return SourceState.FRESH if not then or now == then else SourceState.CHANGED

    def states(self, summary: Summary) -> dict[str, SourceState]:
        """Return for each source, by path, whether it is still what a summary was made of."""
        self._look(path for path in summary.paths if path not in self._shas)
        return {path: self.state(summary, path) for path in summary.paths}

    def stale(self, summary: Summary) -> Sequence[str]:
        """Return the paths of the sources that changed since; none for a fresh summary."""
        return [path for path, state in self.states(summary).items() if state is SourceState.CHANGED]


def summaries_of(summaries: Mapping[str, Summary], path: str) -> list[Summary]:
    """Return the summaries that have a file as source, newest last."""
    return sorted(
        (one for one in summaries.values() if path in one.paths), key=lambda one: (one.created, one.path)
    )


def fresh_summary(
    snapshot: "Snapshot", file: ShelfFile, sources: Sources, summaries: Mapping[str, Summary] | None = None
) -> Summary | None:
    """Return the newest summary of a file's present contents; None if there is none."""
    known = read_summaries(snapshot) if summaries is None else summaries
    told = [one for one in summaries_of(known, file.path) if one.tells and not one.trouble]
    return next((one for one in reversed(told) if sources.state(one, file.path) is SourceState.FRESH), None)

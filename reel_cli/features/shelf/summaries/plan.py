"""A summary comes into the kit: its page, and a link back from each of its sources (MEMORY-MGMT §4)."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from json import dumps
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.files.yaml_text import render_flow, render_scalar
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.shell import quote
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.holdings import Counter
from reel_cli.features.shelf.advice.advice import COMPRESS, SUMMARIZE
from reel_cli.features.shelf.advice.files import read_cold
from reel_cli.features.shelf.files import read_file
from reel_cli.features.shelf.names import clean_part
from reel_cli.features.shelf.shelf_file import ShelfFile
from reel_cli.features.shelf.sidecar_file import render_sidecar, render_watched, set_sidecar
from reel_cli.features.shelf.summaries.files import (
    Sources,
    read_summaries,
    read_summary,
    render_summary,
    summaries_of,
)
from reel_cli.features.shelf.summaries.sources import SummarizedFile, text_reader
from reel_cli.features.shelf.summaries.summary import SUMMARIES, SourceState, Style, Summary, SummarySource
from reel_cli.features.shelf.survey import names_in_words, note_acts, score

OP = "summarize"
SUMMARY = "Reel-Summary"
"""The trailer: the summary's path, quoted, and `sources=3 style=bullet tokens=1200->80`."""
BY_REEL = "reel"
"""Author of a summary for which no model was asked."""
MOST_COUNTED = 4 * 1024 * 1024
"""Bytes above which the tokens of a file are not counted."""
GIST = 160
"""Characters of the line that a source's page gets if it has none."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A summary to be kept: its style, its text, the files it is of as they were when it was made.

    `by` is `BY_REEL` or the persona's name; `called` is a name of its own (`plan`); `tokens` are those of
    its sources and its own, where they are known.
    """

    style: str
    body: str
    made_of: Sequence[SummarizedFile]
    by: str
    title: str = ""
    called: str = ""
    since: str = ""
    ring0: str = ""
    gist: str = ""
    """One sentence, for the page of its one source."""
    tokens: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class SummaryPlan:
    """The plan for keeping a summary: the change, the summary, and the one it replaces.

    `changed` are sources that are not any more what it was made of: it is old from the start.
    """

    change: Change
    summary: Summary
    before: Summary | None = None
    changed: tuple[str, ...] = ()


def plan_summary(snapshot: Snapshot, draft: Draft, *, kit: Path | None, now: datetime) -> SummaryPlan:
    """Write a summary and link it from each source's page.

    One of the same files in the same style is superseded, and stays in history. Raises ReelError where a
    source has left the shelf meanwhile, or its page cannot be read.
    """
    known = read_summaries(snapshot)
    files = [_file(snapshot, taken) for taken in draft.made_of]
    path, there = place_of(known, draft)
    before = read_summary(snapshot, there.path) if there is not None else None
    made_of = tuple(SummarySource(one.path, one.sha256) for one in draft.made_of)
    summary = Summary(
        path,
        made_of,
        created=stamp(now),
        style=draft.style,
        title=draft.title or title_for(files, draft.style),
        body=draft.body,
        by=draft.by,
        since=draft.since,
        gist=one_line(draft.gist, GIST),
    )
    held = {file.path for file in files if file.held}
    text = render_summary(summary, held.__contains__)
    sources = Sources(snapshot, kit)
    changed = []
    writes: dict[str, bytes | None] = {path: text.encode("utf-8", "replace")}
    for file, taken in zip(files, draft.made_of, strict=True):
        new = taken.watched if taken.watched is not None and taken.watched.sha256 == taken.sha256 else None
        if new is None and sources.sha_now(file.path) != taken.sha256:
            changed.append(file.path)
        others = [one for one in summaries_of(known, file.path) if one.path != path and not one.trouble]
        page = _page(snapshot, file)
        links = _links(file, summary, others, sources)
        if new is not None:
            links["watched"] = render_watched(new)
        gist = _gist(file, before, summary, draft.gist)
        if gist:
            links["summary"] = render_scalar(gist)
        writes[file.sidecar] = set_sidecar(page, links).encode()
    change = Change(
        OP, f"{names_in_words(files)}, as {_named(path)}", writes, tuple(_trailers(summary, draft))
    )
    # a summary that a file is to have before it goes is no use of the file
    used = [file.path for file in files if file.path not in _going(snapshot)]
    if used:
        change = note_acts(change, snapshot, used, now, "touch")
    return SummaryPlan(change, summary, before, tuple(changed))


def _going(snapshot: Snapshot) -> frozenset[str]:
    """Return the files that advice lets go once they have a summary."""
    try:
        return frozenset(one.path for one in read_cold(snapshot).evict if one.action in (SUMMARIZE, COMPRESS))
    except ReelError:
        # reported by the commands for advice
        return frozenset()


def _named(path: str) -> str:
    return path.removeprefix(f"{SUMMARIES}/").removesuffix(".md")


def _file(snapshot: Snapshot, taken: SummarizedFile) -> ShelfFile:
    file = read_file(snapshot, taken.path)
    if file is None or (not file.held and file.watched is None):
        message = f"{taken.path} was taken off the shelf before its summary came."
        raise ReelError(message, hint=f"reel restore {quote(taken.path)}  brings it back")
    if file.trouble:
        raise ReelError(file.trouble, hint="fix its page first")
    return file


def _page(snapshot: Snapshot, file: ShelfFile) -> str:
    text = snapshot.text(file.sidecar) if file.noted else None
    return render_sidecar(file, score(file, snapshot.settings.idle_sessions)) if text is None else text


def _links(
    file: ShelfFile, summary: Summary, others: Sequence[Summary], sources: Sources
) -> dict[str, str | None]:
    """Return the links from a source's page to its summaries; one of contents precedes one of changes."""
    main = summary
    if not summary.tells:
        telling = [one for one in others if one.tells]
        fresh = (one for one in telling if sources.state(one, file.path) is SourceState.FRESH)
        main = next(fresh, summary)
    also = [one.path for one in (*others, summary) if one.path != main.path]
    return {
        "summarized_in": render_scalar(main.path),
        "summary_date": render_scalar(main.created),
        "summary_sha256": render_scalar(main.made_of(file.path)) if main.made_of(file.path) else None,
        "also_summarized_in": render_flow(also) if also else None,
    }


def link_back(snapshot: Snapshot, summary: Summary) -> dict[str, bytes | None]:
    """Return the pages of its sources on the shelf, linked to a summary that comes back."""
    known = read_summaries(snapshot)
    sources = Sources(snapshot, None)
    writes: dict[str, bytes | None] = {}
    for path in summary.paths:
        file = read_file(snapshot, path)
        if file is None or file.trouble:
            continue
        others = [one for one in summaries_of(known, path) if one.path != summary.path and not one.trouble]
        links = _links(file, summary, others, sources)
        writes[file.sidecar] = set_sidecar(_page(snapshot, file), links).encode()
    return writes


def _gist(file: ShelfFile, before: Summary | None, summary: Summary, gist: str) -> str:
    """Return a line for a source's page that has none, or has that of the previous summary."""
    if not summary.tells or len(summary.sources) > 1:
        return ""
    mine = one_line(gist, GIST) or gist_of(summary.body)
    was = (before.gist or gist_of(before.body)) if before is not None else ""
    return mine if mine and (not file.summary or file.summary == was) else ""


def gist_of(body: str) -> str:
    """Return the first line of a summary that says something, without marks; "" for none."""
    for line in body.split("\n"):
        plain = line.strip().lstrip("-*+• ").strip("*_ ")
        if plain and not line.lstrip().startswith(("#", "```", "|", "---", "===")):
            return one_line(plain, GIST)
    return ""


def title_for(files: Sequence[ShelfFile], style: str) -> str:
    """Return the default title of a summary."""
    what = files[0].title if len(files) == 1 else f"{files[0].title} and {len(files) - 1:,} more"
    return {Style.DIFF: f"What changed: {what}", Style.SCHEMA: f"How it is built: {what}"}.get(
        Style(style), what
    )


def place_of(known: Mapping[str, Summary], draft: Draft) -> tuple[str, Summary | None]:
    """Return the kit path of a summary, and the one that it replaces."""
    mine = {one.path for one in draft.made_of}
    if draft.called:
        path = f"{SUMMARIES}/{_slug(draft.called.removesuffix('.md'))}.md"
        there = next((one for one in known.values() if one.path.casefold() == path.casefold()), None)
        if there is not None and (set(there.paths) != mine or there.path != path):
            message = f"{there.path} is the summary of other files."
            raise ReelError(message, hint="give this one another name with  --as NAME")
        return path, there
    same = [one for one in known.values() if set(one.paths) == mine and one.style == draft.style]
    if same:
        return same[-1].path, same[-1]
    stem = _stem([one.file.name for one in draft.made_of])
    stem = stem if draft.style == Style.BULLET else f"{stem}-{draft.style}"
    return free_path(stem, known), None


def free_path(stem: str, taken: Collection[str]) -> str:
    """Return the first free name of a summary that begins so, ignoring case."""
    folded = {path.casefold() for path in taken}
    path, number = f"{SUMMARIES}/{stem}.md", 2
    while path.casefold() in folded:
        path, number = f"{SUMMARIES}/{stem}-{number}.md", number + 1
    return path


def _stem(names: Sequence[str]) -> str:
    """Return a name from the sources' names: the one, their common start, or the first and a count."""
    first = names[0].removesuffix(".md").replace("/", "-")
    if len(names) == 1:
        return _slug(first)
    start = names[0]
    for name in names[1:]:
        while not name.startswith(start):
            start = start[:-1]
    common = start.replace("/", "-").strip("-_. 0123456789")
    return _slug(common if len(common) > 2 else f"{first}-and-{len(names) - 1}-more")


def _slug(name: str) -> str:
    plain = "-".join(part for part in name.replace("/", "-").split() if part)
    return clean_part(plain[:120].rstrip("-. ") or "summary")


def size_of(made_of: Sequence[SummarizedFile], counter: Counter) -> int:
    """Return the files' tokens; 0 if they are too long to count, or changed meanwhile."""
    total = 0
    for taken in made_of:
        if taken.size > MOST_COUNTED:
            return 0
        with closing(text_reader(taken)) as opened:
            total += counter.count(opened.read())
    return total


def _trailers(summary: Summary, draft: Draft) -> list[tuple[str, str]]:
    size = f" tokens={draft.tokens[0]}->{draft.tokens[1]}" if draft.tokens is not None else ""
    quoted = dumps(one_line(summary.path), ensure_ascii=False)
    told = [(SUMMARY, f"{quoted} sources={len(summary.sources)} style={summary.style}{size}")]
    if draft.ring0:
        told.append(("Reel-Ring0", draft.ring0))
    return told

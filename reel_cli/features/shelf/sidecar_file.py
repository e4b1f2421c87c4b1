"""`<file>.meta.yml`: what is noted of a file on the shelf; made by reel, and a person's to edit.

`hotness` in it is what it came to when the page was last written. It is reckoned anew from the ledger
wherever it counts, and never read from here.
"""

from collections.abc import Mapping

from reel_cli.core.errors import ReelError
from reel_cli.core.files.front_matter import set_yaml_fields
from reel_cli.core.files.yaml_text import Plain, parse_mapping, render_flow, render_scalar
from reel_cli.core.values.change import one_line
from reel_cli.features.shelf.hotness import render_hotness
from reel_cli.features.shelf.shelf_file import NEEDS_SUMMARY, ShelfFile, WatchedFile, title_of

_YES, _NO = ("true", "yes", "on"), ("false", "no", "off", "")
COLLECTED = (
    *("working_set", "collected", "collected_as", "archived_from"),
    *("superseded_by", "postmortem", "attempt"),
)
"""The keys that a file gets when it is let go of, and loses when it comes back."""
LONGEST = 64 * 1024
"""Bytes above which a page is refused."""


def parse_sidecar(text: str, path: str, *, held: bool = True) -> ShelfFile:
    """Return the file at the kit path `path`, as its sidecar describes it; ignores other keys.

    `held`: whether the kit has the file itself. Raises ReelError naming the sidecar and what is wrong in it.
    """
    where = f"{path}.meta.yml"
    if len(text.encode("utf-8", "replace")) > LONGEST:
        message = f"{where} is longer than {LONGEST // 1024} KB."
        raise ReelError(message, hint="put what is long into the file itself")
    fields = parse_mapping(text, where)
    made = _section(fields, "provenance", where)
    summary = _text(fields, "summary", where)
    return ShelfFile(
        path=path,
        title=one_line(_text(fields, "title", where)) or title_of(path),
        summary="" if summary.strip().casefold() == NEEDS_SUMMARY else summary.strip(),
        tags=_list(fields, "tags", where),
        pin=_flag(fields, "pin", where, usual=False),
        working=_flag(fields, "working_set", where, usual=True),
        summarized_in=_text(fields, "summarized_in", where),
        summary_date=_text(fields, "summary_date", where),
        summary_sha256=_text(fields, "summary_sha256", where),
        collected=_text(fields, "collected", where),
        collected_as=_text(fields, "collected_as", where),
        also_summarized_in=_list(fields, "also_summarized_in", where),
        created_by=_text(made, "created_by", where),
        created_at=_text(made, "created_at", where),
        source=_text(made, "source", where),
        watched=_watched(fields, where),
        held=held,
    )


def render_sidecar(file: ShelfFile, hotness: int) -> str:
    """Return a new sidecar; `hotness` is the present one, of `WHOLE`."""
    lines = [
        f"title: {render_scalar(file.title)}",
        f"summary: {render_scalar(file.summary or NEEDS_SUMMARY)}",
        f"tags: {render_flow(file.tags)}",
        f"hotness: {render_hotness(hotness)}  # as this page was written; reckoned anew wherever it counts",
        f"pin: {_yes(file.pin)}",
        "provenance:",
        f"  created_by: {render_scalar(file.created_by)}",
        f"  created_at: {render_scalar(file.created_at)}",
    ]
    if file.source:
        lines.append(f"  source: {render_scalar(file.source)}")
    if file.watched is not None:
        lines.append("watched:" + render_watched(file.watched))
    return "\n".join(lines) + "\n"


def render_watched(watched: WatchedFile) -> str:
    """Return the value of `watched`, to stand behind the key."""
    return (
        f"\n  path: {render_scalar(watched.path)}\n  size: {watched.size}"
        f"\n  sha256: {watched.sha256}\n  mtime: {render_scalar(watched.mtime)}"
    )


def set_sidecar(text: str, changes: Mapping[str, str | None]) -> str:
    """Change, add or (None) remove keys (values are YAML text); every other line stays as it is."""
    return set_yaml_fields(text, changes)


def set_collected(text: str, action: str, at: str, *, working: bool) -> str:
    """Return the sidecar of a file that was let go; `working`: its summary stays at hand."""
    marks = {"working_set": None if working else "false", "collected": render_scalar(at)}
    return set_sidecar(text, {**marks, "collected_as": action})


def set_told_in(text: str, summary: str, created: str, sha256: str) -> str:
    """Return the sidecar with the link to the summary that stands for its file."""
    date = render_scalar(created) if created else None
    return set_sidecar(
        text,
        {
            "summarized_in": render_scalar(summary),
            "summary_date": date,
            "summary_sha256": sha256 or None,
        },
    )


def same_but_for_marks(one: str, other: str) -> bool:
    """Return whether two sidecars differ only in what collecting notes."""
    linked = dict.fromkeys(("summarized_in", "summary_date", "summary_sha256"))
    return set_sidecar(without_collected(one), linked) == set_sidecar(without_collected(other), linked)


def without_collected(text: str) -> str:
    """Return the sidecar of a file that is at hand again; unchanged if it has no such marks."""
    return set_sidecar(text, dict.fromkeys(COLLECTED))


def set_pin(text: str, *, pin: bool) -> str:
    """Return the sidecar with its pin set or removed."""
    return set_sidecar(text, {"pin": _yes(pin)})


def _yes(flag: bool) -> str:  # noqa: FBT001
    return "true" if flag else "false"


def _text(fields: Mapping[str, Plain], key: str, where: str) -> str:
    value = fields.get(key, "")
    if not isinstance(value, str):
        message = f"{where}: {key} should be one text."
        raise ReelError(message, hint=f"write it like  {key}: words")
    return value


def _section(fields: Mapping[str, Plain], key: str, where: str) -> Mapping[str, Plain]:
    value = fields.get(key, "")
    if value == "":
        return {}
    if not isinstance(value, dict):
        message = f"{where}: {key} should hold `name: value` lines, indented."
        raise ReelError(message)
    return value


def _list(fields: Mapping[str, Plain], key: str, where: str) -> tuple[str, ...]:
    value = fields.get(key, "")
    told = [part.strip() for part in value.split(",")] if isinstance(value, str) else value
    if not isinstance(told, list) or not all(isinstance(one, str) for one in told):
        message = f"{where}: {key} should be a list of words."
        raise ReelError(message, hint=f"write it like  {key}: [draft, chapter 3]")
    return tuple(one for one in told if isinstance(one, str) and one)


def _flag(fields: Mapping[str, Plain], key: str, where: str, *, usual: bool) -> bool:
    text = _text(fields, key, where).strip().casefold()
    if text not in (*_YES, *_NO):
        message = f"{where}: {key} is {one_line(text, 40)!r}, which is neither true nor false."
        raise ReelError(message, hint=f"write  {key}: true  or  {key}: false")
    return usual if not text else text in _YES


def _watched(fields: Mapping[str, Plain], where: str) -> WatchedFile | None:
    value = _section(fields, "watched", where)
    if not value:
        return None
    path, size = _text(value, "path", where), _text(value, "size", where)
    if not path or "\0" in path or not (size.isascii() and size.isdigit() and len(size) < 16):
        message = f"{where}: watched should hold the file's path and its size."
        raise ReelError(message, hint="take it off the shelf and add it again with  --watch")
    return WatchedFile(path, int(size), _text(value, "sha256", where), _text(value, "mtime", where))

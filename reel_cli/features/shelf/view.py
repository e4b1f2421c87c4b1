"""The shelf on the screen: the files on it, one of them by itself, and what was done."""

from typing import TYPE_CHECKING, Any

from reel_cli.core.shell import quote
from reel_cli.core.values.change import one_line, tell_many
from reel_cli.core.values.settings import WHOLE
from reel_cli.features.shelf.hotness import (
    IN_WORKING_SET,
    MODEL_HOT_LISTED,
    RECENT_TOUCHES,
    USER_PINNED,
    render_hotness,
)
from reel_cli.features.shelf.shelf_file import UNREADABLE
from reel_cli.features.shelf.watched_files import CHANGED, GONE
from reel_cli.terminal.folding import columns
from reel_cli.terminal.plain_text import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.features.shelf.shelf_file import ShelfFile
    from reel_cli.features.shelf.survey import ShelfEntry
    from reel_cli.terminal.open_kit import OpenKit

_UNITS = ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB"))


def show_list(opened: "OpenKit", standing: "Sequence[ShelfEntry]") -> None:
    """Show all files, hottest first: how hot, how large, and notes on each."""
    console = opened.console
    if not standing:
        console.say("The shelf is empty.")
        if opened.then is None:
            console.next_step("To add a file:  reel shelf add FILE")
        return
    rows = [
        (
            render_hotness(one.hotness),
            "?" if one.file.trouble else size_in_words(one.size),
            one_line(one.file.name),
            "; ".join(marks_of(one)),
        )
        for one in standing
    ]
    table = console.table((), rows, right=(1,))
    if console.out.isatty() and any(len(line) > columns(console.out) for line in table.splitlines()):
        heads = console.table((), [row[:3] for row in rows], right=(1,)).splitlines()
        lines = []
        for head, row in zip(heads, rows, strict=True):
            lines.append(console.wrap(head, console.out, hang="    "))
            if row[3]:
                lines.append(console.wrap(row[3], console.out, indent="    "))
        table = "\n".join(lines)
    console.result(table)
    total = sum(one.size for one in standing)
    files = tell_many(len(standing), "file")
    console.say(
        f"{files}, {size_in_words(total)}; the first column is how much each was used lately, from 0 to 1."
    )


def marks_of(one: "ShelfEntry") -> list[str]:
    """Return notes on a file, in a few words each."""
    file = one.file
    marks = ["pinned"] if file.pin else []
    if not file.working:
        marks.append("set aside")
    if file.in_history:
        marks.append("only its summary is here")
    if file.watched is not None:
        how = {CHANGED: ", changed since", GONE: ", gone"}.get(one.state, "")
        marks.append(f"watched{how}")
    if file.trouble:
        marks.append("cannot be read, so it counts as pinned")
    elif one.content is not None and one.content.kind == UNREADABLE:
        marks.append("not a plain file")
    elif not file.noted:
        marks.append("no page yet")
    if one.stale:
        marks.append("its summary is old")
    return marks


def show_one(opened: "OpenKit", one: "ShelfEntry", tokens: int | None) -> None:
    """Show what is known of one file, and why it is as hot as it is."""
    console, file = opened.console, one.file
    old = " (old: the file changed since)" if one.stale else ""
    told = [
        ("title", file.title),
        ("summary", file.summary or "none yet"),
        ("tags", ", ".join(file.tags)),
        ("is", _kind(one, tokens)),
        ("put away", _put_away(file)),
        ("hotness", f"{render_hotness(one.hotness)}: {why_hot(one)}"),
        ("pinned", _pinned(file)),
        (
            "from",
            f"{file.source}{f', {file.created_at[:10]}' if file.created_at else ''}" if file.source else "",
        ),
        ("watched", _watching(one)),
        ("told in", f"{file.summarized_in}{old}" if file.summarized_in else ""),
        ("also in", ", ".join(file.also_summarized_in)),
        ("its page", file.sidecar if file.noted else ""),
    ]
    rows = [(name, one_line(words)) for name, words in told if words.strip()]
    lead = max(len(name) for name, _ in rows) + 2
    lines = [console.wrap(f"{name:<{lead}}{words}", console.out, hang=" " * lead) for name, words in rows]
    console.result("\n".join([one_line(file.path), *lines]))
    if file.trouble:
        console.say(console.wrap(printable(file.trouble), console.err))


def _kind(one: "ShelfEntry", tokens: int | None) -> str:
    """Return the kind of a file: text or not, and its size."""
    if one.file.in_history:
        return "only in the history now; its summary stands for it"
    if one.file.trouble:
        return "not known while it or its page cannot be read"
    content = one.content
    kind = content.kind if content is not None else ""
    length = f", {tell_many(content.lines, 'line')}" if content is not None and content.lines else ""
    count = f", {tokens:,} tokens" if tokens is not None else ""
    return f"{kind}{', ' if kind else ''}{size_in_words(one.size)}{length}{count}"


def _pinned(file: "ShelfFile") -> str:
    """Return whether it is pinned; an unreadable file counts as pinned, and is never put away."""
    if file.trouble:
        return "it counts as pinned while it or its page cannot be read"
    return "yes: it stays until you unpin it" if file.pin else "no"


def _put_away(file: "ShelfFile") -> str:
    """Return when it was put away and how it comes back; "" if it was not."""
    if not file.collected:
        return ""
    return f"{file.collected[:10]}; to have it back:  reel restore {quote(one_line(file.path))}"


def _watching(one: "ShelfEntry") -> str:
    watched = one.file.watched
    if watched is None:
        return ""
    how = {CHANGED: " (changed since it was noted)", GONE: " (it is not there any more)"}.get(one.state, "")
    return f"{watched.path}{how}"


def why_hot(one: "ShelfEntry") -> str:
    """Return the four factors in words, with what each adds."""
    factors = one.factors
    recent = RECENT_TOUCHES * factors.recent // WHOLE
    when = {None: "never used", 0: "used since the last chat", 1: "used one chat ago"}.get(
        one.since, f"used {one.since} chats ago"
    )
    parts = [
        (recent, when),
        (IN_WORKING_SET * factors.working, "at hand" if factors.working else "set aside"),
        (MODEL_HOT_LISTED * factors.hot_listed, "in hot.yml" if factors.hot_listed else "not in hot.yml"),
        (USER_PINNED * factors.pinned, "pinned" if factors.pinned else "not pinned"),
    ]
    return ", ".join(f"{words} {render_hotness(value)}" for value, words in parts)


def as_json(one: "ShelfEntry") -> dict[str, Any]:
    """Return a file as JSON."""
    file, content = one.file, one.content
    watched = file.watched
    return {
        "path": file.path,
        "title": file.title,
        "summary": file.summary,
        "tags": list(file.tags),
        "hotness": one.hotness / WHOLE,
        "factors": {
            "recent_touches": one.factors.recent / WHOLE,
            "in_working_set": one.factors.working,
            "model_hot_listed": one.factors.hot_listed,
            "user_pinned": one.factors.pinned,
        },
        "pin": file.pin,
        "size": one.size,
        "kind": content.kind if content is not None else None,
        "lines": content.lines if content is not None else None,
        "sha256": content.sha256 if content is not None else watched.sha256 if watched is not None else None,
        "working_set": file.working,
        "collected": file.collected_as or None,
        "watched": None if watched is None else {"path": watched.path, "state": one.state or "same"},
        "provenance": {"created_by": file.created_by, "created_at": file.created_at, "source": file.source},
        "summarized_in": file.summarized_in or None,
        "also_summarized_in": list(file.also_summarized_in),
        "stale": one.stale,
        "sidecar": file.sidecar if file.noted else None,
        "trouble": file.trouble or None,
    }


def size_in_words(size: int) -> str:
    """Return a size in words: `512 B`, `1.5 KB`, `30 MB`."""
    for unit, name in _UNITS:
        if size >= unit:
            told = f"{size / unit:.1f}".removesuffix(".0")
            return f"{told} {name}"
    return f"{size:,} B"

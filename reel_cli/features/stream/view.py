"""View of `reel keep`, and the bundle with which the conversation goes on in a new chat."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.pack.build_bundle import BundleRequest, pack_kit
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.status.metrics import recall_of
from reel_cli.features.status.metrics_view import recall_as_json, told_of_facts
from reel_cli.features.stream.bundle import NO_ROOM, resume
from reel_cli.features.stream.plan import KeptNow, SiftReading
from reel_cli.features.stream.stream import STREAM, KeptConversation
from reel_cli.features.stream.stretch import read_kept
from reel_cli.features.tables.view import rows_json, tell_changes
from reel_cli.terminal import clipboard
from reel_cli.terminal.bundle_view import note_handed_out, tell_warnings
from reel_cli.terminal.converse import ExchangeOptions, problems_json

if TYPE_CHECKING:
    from reel_cli.core.values.bundle import Bundle
    from reel_cli.features.status.metrics import Recall
    from reel_cli.terminal.open_kit import OpenKit

MOST_ROWS = 30
"""Maximum number of rows of a table shown one by one."""


@dataclass(frozen=True, slots=True)
class RestartBundle:
    """The bundle a kept conversation goes on with, and which of the facts stand in it.

    `gap` is what is in no summary and found no room in it.
    """

    bundle: "Bundle"
    kept: KeptConversation
    facts: "Recall"
    gap: tuple[str, ...] = ()


def show_keep(opened: "OpenKit", found: SiftReading, now: KeptNow, manner: ExchangeOptions) -> None:
    """Show what a person decides on: the summary, what it noticed, what is pinned, what is worth a look."""
    console = opened.console
    if manner.as_json and (manner.yes or manner.dry_run or not console.interactive):
        return
    size = get_tokenizer(opened.snapshot.settings.tokenizer).count(now.kept.summary)
    console.say()
    console.say(f"The conversation so far, up to message {now.kept.upto:,} ({size:,} tokens)")
    for line in now.kept.summary.splitlines():
        console.say(f"  {line}" if line else "")
    if now.memories:
        console.say()
        console.say("What shows over time, each kept as a memory")
    for memory in now.memories:
        console.say(f"  + {memory.marker}")
        console.say(f'    found by "{memory.anchor}"')
    for put in found.rows.puts:
        console.say()
        console.say(f"What goes into {put.table.name}")
        for line in tell_changes(put, MOST_ROWS):
            console.say(line)
    if now.kept.pinned:
        console.say()
        console.say("Pinned")
    for line in now.kept.pinned:
        console.say(f"  {line}")
    for line in now.unpinned:
        console.say(f"No longer pinned, because it was for another conversation: {line}")
    if found.problems:
        console.say()
        console.say("Worth a look:")
    for problem in found.problems:
        console.say(f"  {problem.what}")
    console.say()


def make_beginning(opened: "OpenKit", kept: KeptConversation) -> RestartBundle:
    """Return the bundle of a kept conversation; raises ReelError if its required parts do not fit."""
    bundle = pack_kit(opened.root, BundleRequest(stream=resume(opened.snapshot, kept)))
    gap = tuple(one.id for one in bundle.left_out if one.ring == STREAM and one.reason == NO_ROOM)
    return RestartBundle(bundle, kept, recall_of(opened.snapshot, bundle), gap)


def resume_last(opened: "OpenKit", *, overlap: int | None, as_json: bool) -> None:
    """Print the beginning of the last keep once more; nothing is changed. ReelError if nothing was kept."""
    kept = read_kept(opened.snapshot)
    if kept is None:
        message = "Nothing was summed up yet."
        raise ReelError(message, hint="sum up the conversation:  reel keep")
    kept = replace(kept, overlap=overlap) if overlap is not None else kept
    _hand_over(opened, make_beginning(opened, kept), None, [], as_json=as_json)


def report_keep(
    opened: "OpenKit", found: SiftReading, now: KeptNow, commit: str | None, manner: ExchangeOptions
) -> None:
    """Report what was kept (`commit` None: would be), and print the new beginning."""
    patterns = [
        {
            "id": memory.id,
            "kind": one.kind,
            "text": memory.marker,
            "shown": [found.text for _, found in one.shown],
        }
        for memory, one in zip(now.memories, found.patterns, strict=True)
    ]
    if commit is not None and not manner.as_json:
        opened.console.say(f"Kept, in commit {commit[:7]}.")
    if (commit is not None and not manner.goes_on) or manner.as_json:
        begun = make_beginning(opened, now.kept)
        told = problems_json(found.problems)
        rows = [row for put in found.rows.puts for row in rows_json(put)]
        _hand_over(opened, begun, commit, patterns, as_json=manner.as_json, problems=told, rows=rows)


def _hand_over(  # noqa: PLR0913 (all that a keep tells)
    opened: "OpenKit",
    begun: RestartBundle,
    commit: str | None,
    patterns: list[dict[str, Any]],
    *,
    as_json: bool,
    problems: list[dict[str, str]] | None = None,
    rows: list[dict[str, Any]] | None = None,
) -> None:
    """Copy the new beginning at a terminal, else print it; if there is a gap, report that instead."""
    console, bundle = opened.console, begun.bundle
    if not begun.gap:
        note_handed_out(opened, bundle)
    if as_json:
        console.result_json(_as_json(begun, commit, patterns, rows or [], problems or []))
    else:
        tell_warnings(opened, bundle)
    if begun.gap:
        console.say(
            f"{' and '.join(begun.gap)} is in no summary yet, and there is no room for all of it word for"
            " word. Keep that as well, and then go on."
        )
        console.next_step("Next:  reel keep")
        return
    if as_json:
        return
    free = bundle.cap - bundle.tokens
    how = clipboard.copy(bundle.text) if console.interactive else None
    console.say(
        f"{clipboard.copied(how) if how else 'Here is'} the new beginning: {bundle.tokens:,} tokens;"
        f" {free:,} are left for talking."
    )
    if told := told_of_facts(begun.facts):
        console.say(told)
    if begun.facts.missing:
        console.next_step("Why, and what to do:  reel fact list")
    if how == clipboard.BY_TERMINAL:
        console.say("If pasting brings nothing:  reel keep --resume > new.md")
    if not how:
        console.show_to_paste(bundle.text)
    console.next_step("Paste it at the beginning of a new chat, and go on from there.")


def _as_json(
    begun: RestartBundle,
    commit: str | None,
    patterns: list[dict[str, Any]],
    rows: list[dict[str, Any]],
    problems: list[dict[str, str]],
) -> dict[str, Any]:
    bundle, kept = begun.bundle, begun.kept
    stream = [one for one in bundle.loaded if one.ring == STREAM]
    overlap = [one for one in stream if one.id not in ("summary", "pinned")]
    return {
        "commit": commit,
        "text": "" if begun.gap else bundle.text,
        "tokens": 0 if begun.gap else bundle.tokens,
        "summary": kept.summary,
        "patterns": patterns,
        "domain": rows,
        "overlap": [{"where": one.id, "tokens": one.tokens} for one in overlap],
        "session": kept.session,
        "upto": kept.upto,
        "pinned": list(kept.pinned),
        "left": list(begun.gap),
        "anchor_recall_integrity": recall_as_json(begun.facts) if not begun.gap else None,
        "cap": bundle.cap,
        "live": bundle.live,
        "loaded": [
            {"ring": one.ring, "id": one.id, "resolution": one.resolution, "tokens": one.tokens}
            for one in bundle.loaded
        ],
        "left_out": [{"ring": one.ring, "id": one.id, "reason": one.reason} for one in bundle.left_out],
        "problems": problems,
    }

"""Notes that rest: open loops that nobody spoke of for long leave the open list, and history keeps them."""

from collections.abc import Collection, Iterable, Sequence
from datetime import date
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even
from reel_cli.core.evidence.own_words import telling
from reel_cli.core.evidence.phrases import fold
from reel_cli.core.files import working_file
from reel_cli.core.files.checkpoint_file import read_checkpoint
from reel_cli.core.files.working_file import without_day
from reel_cli.core.tape.last_turns import by_last_turn
from reel_cli.core.tape.talks import last_talk_day
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.memory import Item
from reel_cli.features.page.kept_pages import loops_asked
from reel_cli.features.page.notes.note_likeness import noted_day
from reel_cli.features.page.prompt.loops import LOOPS, OF_LOOPS, has_passed

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

MOST_OPEN = 12
"""Number of open loops up to which none rests: a prompt has room to ask about those."""
QUIET = 6
"""Number of chats, each with a page, in none of which a loop that rests was spoken of."""
RESTING = "No longer open"
"""Heading on screen above the notes that rest."""
REASON = 200
"""Characters of a note that are stored in the ledger of losses."""
_COMMON = 2
"""Telling words that a turn and a loop share where the turn speaks of it; all, if a loop has fewer."""


def find_resting(snapshot: "Snapshot", standing: Sequence[Item], session: str, day: date) -> Sequence[Item]:
    """Return the loops among the items that stand which rest from a chat's page on, the oldest first.

    None goes that names a day to come, or one that has passed and no page asked about; nor one that no page
    wrote, or a person gave other words.
    """
    loops = [item for item in standing if item.section == LOOPS]
    spare = len(loops) - MOST_OPEN
    if spare <= 0:
        return ()
    quiet, before = _part_pages(snapshot, session)
    if quiet is None:
        return ()
    written = {fold(one) for path in before for one in _written(snapshot, path)}
    asked = loops_asked(snapshot)
    old = [item for item in loops if fold(without_day(item.text)) in written]
    old = [item for item in old if not _names_day(item.text, day) or _was_asked(item.text, day, asked)]
    names = telling(f"{snapshot.settings.name} {' '.join(snapshot.settings.people)}")
    wanted = {item: telling(without_day(item.text)) - names - OF_LOOPS for item in old}
    for name in quiet if wanted else ():
        try:
            turns = [telling(entry.message.text) for entry in read_session(snapshot, name).shown()]
        except ReelError:
            # a chat that cannot be read may have spoken of any of them
            return ()
        wanted = {item: own for item, own in wanted.items() if not _is_spoken_of(own, turns)}
    return [item for item in old if item in wanted][:spare]


def rest_notes(snapshot: "Snapshot", before: str, after: str, session: str) -> tuple[str, Sequence[Item]]:
    """Return working memory without the notes that rest from a page on, and those as `before` had them.

    `before` and `after` are working memory before and after the page; only what it left as it was may rest.
    """
    day = last_talk_day(snapshot, session)
    had = {item.text: item for item in working_file.read_items(before)}
    standing = [item for item in working_file.read_items(after) if item.text in had]
    resting = find_resting(snapshot, standing, session, day) if day is not None else ()
    if not resting:
        return after, ()
    edit = working_file.Edit(closed=resting)
    return working_file.apply_edit(after, edit), [had[item.text] for item in resting]


def _part_pages(snapshot: "Snapshot", session: str) -> tuple[Sequence[str] | None, Sequence[str]]:
    """Return the last chats with a page, `session` among them, and the checkpoints before those."""
    chats: dict[str, list[str]] = {}
    for path in snapshot.checkpoints:
        chats.setdefault(PurePosixPath(path).stem.rpartition(".")[0], []).append(path)
    chats.setdefault(session, [])
    order = by_last_turn(snapshot, [*chats])
    order = order[: order.index(session) + 1]
    if len(order) <= QUIET:
        return None, ()
    quiet = order[-QUIET:]
    return quiet, [path for one in order[:-QUIET] for path in chats[one]]


def _written(snapshot: "Snapshot", path: str) -> Iterable[str]:
    """Return the notes that a checkpoint began or put otherwise."""
    fields = read_checkpoint(snapshot.text(path) or "", path)
    yield from fields.get("open_loops", "").splitlines()
    for line in fields.get("ring_2_delta", "").splitlines():
        _, mark, words = line.partition(":")
        if mark:
            yield words.strip()


def _names_day(text: str, day: date) -> bool:
    return any(one.spans for one in dates(even(without_day(text)), noted_day(text) or day))


def _was_asked(text: str, day: date, asked: Collection[str]) -> bool:
    return has_passed(text, day) and text in asked


def _is_spoken_of(own: frozenset[str], turns: Sequence[frozenset[str]]) -> bool:
    """Return whether one of the turns has enough of a loop's telling words."""
    least = min(_COMMON, len(own))
    return any(len(own & turn) >= least for turn in turns)

"""Notes that rest: open loops whose day is over, or that nobody spoke of for long; history keeps them."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, telling
from reel_cli.core.evidence.own_words import owes_deed
from reel_cli.core.evidence.phrases import fold
from reel_cli.core.files import working_file
from reel_cli.core.files.checkpoint_file import read_checkpoint, session_of_checkpoint
from reel_cli.core.files.commit_message import FORGOT, OP, parse_forgotten
from reel_cli.core.files.working_file import without_day
from reel_cli.core.git.process import Git
from reel_cli.core.kit.snapshot import WORKING
from reel_cli.core.tape.last_turns import by_last_turn
from reel_cli.core.tape.talks import last_talk_day
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.approval import BINDING, PROTECTING
from reel_cli.core.values.change import name_some, one_line
from reel_cli.core.values.memory import Item
from reel_cli.features.page.kept_pages import loops_asked
from reel_cli.features.page.notes.note_likeness import noted_day
from reel_cli.features.page.prompt.loops import LOOPS, OF_LOOPS, has_deadline, has_passed

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.snapshot import Snapshot

MOST_OPEN = 12
"""Number of open loops up to which none rests whose day has not passed: a prompt asks about those."""
QUIET = 6
"""Number of chats, each with a page, in none of which a loop that rests was spoken of."""
RESTING = "No longer open"
"""Heading on screen above the notes that rest."""
_NAMED, _LONGEST_NAMED = 3, 80
"""Notes that rest which a screen names, and the characters of each."""
REASON = 200
"""Characters of a note that are stored in the ledger of losses."""
_RESTORE = "restore"
"""The operation by which a person brings back what left."""
_COMMON = 2
"""Telling words that a turn and a loop share where the turn speaks of it; all, if a loop has fewer."""


def find_resting(snapshot: "Snapshot", standing: Sequence[Item], session: str, day: date) -> Sequence[Item]:
    """Return the loops among the items that stand which rest from a chat's page on, the oldest first.

    Those whose day had passed when the page before was written, and that neither page touched, all rest, but
    for what binds or protects. Of the others none goes that names a day, unless a page asked about it, nor
    one that no page wrote, or a person gave other words.
    """
    loops = [item for item in standing if item.section == LOOPS]
    over = _find_over(snapshot, loops, session)
    spare = len(loops) - len(over) - MOST_OPEN
    quiet, before = _part_pages(snapshot, session) if spare > 0 else (None, ())
    if quiet is None:
        return over
    written = {fold(one) for path in before for one in _written(snapshot, path)}
    asked = loops_asked(snapshot)
    old = [item for item in loops if item not in over and fold(without_day(item.text)) in written]
    old = [item for item in old if not _names_day(item.text, day) or _was_asked(item.text, day, asked)]
    old = [item for item in old if not has_deadline(item.text)]
    names = telling(f"{snapshot.settings.name} {' '.join(snapshot.settings.people)}")
    wanted = {item: telling(without_day(item.text)) - names - OF_LOOPS for item in old}
    held = Counter(word for item in loops for word in telling(without_day(item.text)))
    for name in quiet if wanted else ():
        try:
            turns = [telling(entry.message.text) for entry in read_session(snapshot, name).shown()]
        except ReelError:
            # a chat that cannot be read may have spoken of any of them
            return over
        # the chat of this page speaks of a loop with one word that no other loop has
        lone = {word for word, many in held.items() if many == 1} if name == session else set[str]()
        wanted = {
            item: own
            for item, own in wanted.items()
            if not (_is_spoken_of(own, turns) or any(own & turn & lone for turn in turns))
        }
    return [*over, *[item for item in old if item in wanted][:spare]]


def _find_over(snapshot: "Snapshot", loops: Sequence[Item], session: str) -> Sequence[Item]:
    """Return the loops that a page wrote and whose day had passed when the page before was written.

    A day that was over already when the loop was noted is none by which it was due: `ordered on 3 May`.
    """
    paths = [path for path in snapshot.checkpoints if session_of_checkpoint(path) != session]
    before = by_last_turn(snapshot, [*dict.fromkeys(map(session_of_checkpoint, paths))])
    last = last_talk_day(snapshot, before[-1]) if before else None
    passed = [] if last is None else [item for item in loops if has_passed(item.text, last)]
    if not passed:
        return []
    written: dict[str, str] = {}
    for path in paths:
        for one in _written(snapshot, path):
            written.setdefault(fold(one), session_of_checkpoint(path))

    def was_due(item: Item) -> bool:
        session = written.get(fold(without_day(item.text)))
        noted = last_talk_day(snapshot, session) if session is not None else None
        return noted is not None and not has_passed(item.text, noted)

    return [
        item
        for item in passed
        if was_due(item)
        and not (BINDING.search(item.text) or PROTECTING.search(item.text) or owes_deed(item.text))
        and not has_deadline(item.text)
    ]


def rest_notes(  # noqa: PLR0913
    snapshot: "Snapshot",
    before: str,
    after: str,
    session: str,
    still: Collection[str] = (),
    repository: "Repository | None" = None,
) -> tuple[str, Sequence[Item]]:
    """Return working memory without the notes that rest from a page on, and those as `before` had them.

    `before` and `after` are working memory before and after the page; only what it left as it was may rest,
    nothing of which it says that it is `still` so, and nothing that a person brought back.
    """
    day = last_talk_day(snapshot, session)
    had = {item.text: item for item in working_file.read_items(before)}
    may_rest = had.keys() - set(still)
    standing = [item for item in working_file.read_items(after) if item.text in may_rest]
    resting = find_resting(snapshot, standing, session, day) if day is not None else ()
    if resting and repository is not None:
        restored = list_restored(repository)
        resting = [item for item in resting if one_line(item.text, REASON) not in restored]
    if not resting:
        return after, ()
    edit = working_file.Edit(closed=resting)
    return working_file.apply_edit(after, edit), [had[item.text] for item in resting]


def list_restored(repository: "Repository") -> frozenset[str]:
    """Return the words of the notes that had left working memory when a person brought notes back."""
    if repository.head() is None:
        return frozenset()
    op, lost = (f"%(trailers:key={key},valueonly,unfold,separator=%x02)" for key in (OP, FORGOT))
    path = f"{repository.prefix}{WORKING}"
    listed = Git(repository.root)("log", "--reverse", f"--format=%x00{op}%x01{lost}", "HEAD", "--", path)
    gone, restored = set[str](), set[str]()
    for commit in listed.decode("utf-8", "replace").split("\0")[1:]:
        done_by, _, losses = commit.partition("\x01")
        if done_by == _RESTORE:
            restored |= gone
        told = (parse_forgotten(line.strip()) for line in losses.split("\x02"))
        gone |= {one.reason for one in told if one is not None and one.id == WORKING}
    return frozenset(restored)


def tell_resting(resting: Sequence[Item]) -> str:
    """Return the sentence on the notes that rest, with the command that brings them back."""
    many, why, them = (
        ("1 note rests", "its day is over, or no chat spoke of it for long", "it")
        if len(resting) == 1
        else (
            f"{len(resting):,} notes rest",
            "their days are over, or no chat spoke of them for long",
            "them",
        )
    )
    return f"{many}, as {why}. To bring {them} back:  reel restore {WORKING}"


def name_resting(resting: Sequence[Item]) -> str:
    """Return the first notes that rest, and how many more do."""
    named = [one_line(without_day(item.text).rstrip("."), _LONGEST_NAMED) for item in resting]
    return name_some([f"“{one}”" for one in named], _NAMED)


def _part_pages(snapshot: "Snapshot", session: str) -> tuple[Sequence[str] | None, Sequence[str]]:
    """Return the last chats with a page, `session` among them, and the checkpoints before those."""
    chats: dict[str, list[str]] = {}
    for path in snapshot.checkpoints:
        chats.setdefault(session_of_checkpoint(path), []).append(path)
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

"""Traces of a chat that was taken back or purged: named, and let go of where a person wants that.

Facts need no letting go: while their chat does not count, they are in no bundle.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import fold
from reel_cli.core.files.checkpoint_file import read_checkpoint, session_of_checkpoint
from reel_cli.core.files.commit_message import CLOSED, FORGOT, NOTE, Forgotten, render_forgotten
from reel_cli.core.files.markdown import heading_lines, split_sections
from reel_cli.core.files.working_file import (
    Edit,
    apply_edit,
    drop_empty,
    read_body,
    read_items,
    read_section,
    without_day,
)
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.known_facts import find_facts_of_chats, read_known
from reel_cli.core.kit.snapshot import WORKING
from reel_cli.core.pack.words import quote_said
from reel_cli.core.rings.pins import decide
from reel_cli.core.tape.talks import last_talk_day
from reel_cli.core.tape.tape_view import retracted
from reel_cli.core.values.change import Change, name_some, one_line, tell_many
from reel_cli.core.values.memory import FIELDS, LISTED, MEMORY_ID, Item, memory_path
from reel_cli.core.values.talk import PURGED
from reel_cli.features.forgetting.plan import OP, plan_forget, take_out
from reel_cli.features.page.calibration import EARLIER, tidy_calibration
from reel_cli.features.page.notes.note_dates import resolve_note
from reel_cli.features.page.notes.note_likeness import session_day, with_day
from reel_cli.features.page.notes.plan_notes import name_memories
from reel_cli.features.page.notes.resting_notes import REASON

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.memory import Memory
    from reel_cli.terminal.open_kit import OpenKit

WHY = "its chat was taken back"
WHY_PURGED = "its chat was purged"
_SHOWN = 5
"""Maximum number of memories, of notes and of facts that are named; more are counted."""


@frozen
class ChatTraces:
    """The memories made of some chats, and the notes that their pages began and no other."""

    memories: Sequence["Memory"]
    notes: Sequence[Item]
    lines: Sequence[str] = ()
    """IDs of index lines of the chats beside the memories' own; only of a purged chat."""

    def told(self, what: str = "Made from what was taken back, in no bundle, and still there") -> str:
        """Return what there is, as a sentence that begins with `what`."""
        memories = [f"{memory.id} ({memory.title})" for memory in self.memories]
        notes = [f"“{one_line(without_day(item.text), 80)}”" for item in self.notes]
        parts = [name_some(memories, _SHOWN)] if memories else []
        if notes:
            parts.append(f"{'the note' if len(notes) == 1 else 'the notes'} {name_some(notes, _SHOWN)}")
        return f"{what}: {', and '.join(parts)}"

    def __bool__(self) -> bool:
        """Return whether there is anything."""
        return bool(self.memories or self.notes)

    def count(self) -> str:
        """Return how much there is."""
        counts = ((len(self.memories), "memory"), (len(self.notes), "note"))
        return " and ".join(tell_many(many, one) for many, one in counts if many)

    def after_cut(self, snapshot: "Snapshot", cut: Callable[[str], str]) -> "ChatTraces":
        """Return the same in a kit whose texts were cut since."""
        ids = {memory.id for memory in self.memories}
        words = {fold(without_day(cut(item.text))) for item in self.notes}
        return ChatTraces(
            [memory for memory in snapshot.memories.values() if memory.id in ids],
            [item for item in _items(snapshot, whole=True) if fold(without_day(item.text)) in words],
            [name for name in self.lines if name in snapshot.index.lines],
        )

    def it(self) -> str:
        """Return the pronoun for all of it."""
        return "it" if len(self.memories) + len(self.notes) == 1 else "them"

    def commands(self) -> Iterable[str]:
        """Yield the commands that let go of it, each with what it does."""
        if self.memories:
            ids = " ".join(memory.id for memory in self.memories)
            yield f"To forget {'it' if len(self.memories) == 1 else 'them'}:  reel forget {ids}"
        if self.notes:
            yield f"To take the note{'s' if len(self.notes) > 1 else ''} out:  reel edit now"


NO_TRACES = ChatTraces((), ())


def find_traces(snapshot: "Snapshot", sessions: Sequence[str], *, whole: bool = False) -> ChatTraces:
    """Return what is left of chats that were taken back; a memory of another chat too is none of it.

    With `whole`, also the notes that their pages changed, the prose under State and Calibration, and the
    lines of the index that quote them.
    """
    gone = {*retracted(snapshot), *sessions}
    memories = [
        memory
        for memory in snapshot.memories.values()
        if gone.issuperset(memory.sessions) and not {*sessions}.isdisjoint(memory.sessions)
    ]
    lines = [
        line.id
        for line in snapshot.index.lines.values()
        if whole and line.where and line.where.session in sessions and line.id not in snapshot.memories
    ]
    return ChatTraces(memories, find_notes(snapshot, sessions, whole=whole), lines)


def find_gaps(snapshot: "Snapshot") -> ChatTraces:
    """Return the notes out of which something was purged, and that only point at it now."""
    return ChatTraces((), [item for item in _items(snapshot, whole=True) if PURGED in item.text])


def find_notes(snapshot: "Snapshot", sessions: Sequence[str], *, whole: bool = False) -> Sequence[Item]:
    """Return the notes that the pages of these chats began, and no page of another that stands."""
    gone = {*retracted(snapshot), *sessions}
    mine, others = set[str](), set[str]()
    for path in snapshot.checkpoints:
        session = session_of_checkpoint(path)
        if session in sessions or session not in gone:
            words = _begun(snapshot, path, whole=whole)
            (mine if session in sessions else others).update(_as_noted(snapshot, session, words))
    for memory in snapshot.memories.values():
        # a memory kept without a self-assessment notes what it leaves open, too
        theirs = {*memory.sessions}
        if theirs and (gone.isdisjoint(theirs) or (gone >= theirs and not theirs.isdisjoint(sessions))):
            session = [*memory.sessions][-1]
            loops = split_sections(snapshot.text(memory_path(memory.id)) or "").get(FIELDS[3], "")
            words = [line.lstrip("-*+ ") for line in loops.splitlines()]
            (mine if theirs <= gone else others).update(_as_noted(snapshot, session, words))
    begun = mine - others
    items = _items(snapshot, whole=whole)
    return [item for item in items if fold(without_day(item.text)) in begun]


def offer_to_let_go(opened: "OpenKit", sessions: Sequence[str], *, ask: bool, dry_run: bool = False) -> bool:
    """Name what is left of chats taken back; let go of it where a person wants that, else say how to.

    In a dry run it is only named. Returns whether it was let go of.
    """
    console = opened.console
    found = find_traces(opened.snapshot, sessions)
    if not found:
        return False
    if dry_run:
        left = "Made from what would be taken back; it would be in no bundle, and still there"
        console.say(console.wrap(found.told(left), console.err))
        return False
    console.say(console.wrap(found.told(), console.err))
    if ask and console.confirm(f"Let go of {found.it()}, too?", default=False):
        opened.commit(plan_letting_go(opened, found))
        console.say(f"Let go. To bring {found.it()} back:  reel undo")
        return True
    for command in found.commands():
        console.next_step(command)
    return False


def list_known(snapshot: "Snapshot") -> "Mapping[str, tuple[str, str]]":
    """Return what bundles know by heart, with the chat it is of, by ID; nothing if it cannot be read."""
    try:
        return {one.id: (one.value, one.source.partition("#")[0]) for one in read_known(snapshot).held}
    except ReelError:
        # status tells of a file that cannot be read
        return {}


def say_known(
    opened: "OpenKit",
    before: "Mapping[str, tuple[str, str]]",
    planned: "Snapshot",
    sessions: Sequence[str],
    *,
    dry_run: bool,
) -> None:
    """Name the facts that bundles have no more, or again, as these chats were taken back or count again.

    A fact of another chat may come or go with the newest day, on which its own day has passed. What a person
    decided by hand stays, and is named with the command that takes it back.
    """
    console, after = opened.console, list_known(planned)
    noted = find_facts_of_chats(planned, sessions)
    gone = _of_one_side(before, after, sessions, noted.ids)
    again = _of_one_side(after, before, sessions, noted.ids)
    would = "Would be " if dry_run else ""
    for told, found in (
        ("in no bundle while their chat does not count", gone[0]),
        ("over or replaced by what was said there", gone[1]),
        ("known by heart again", [*again[0], *again[1]]),
    ):
        if found:
            line = f"{would}{told}: {name_some(found, _SHOWN)}"
            console.say(console.wrap(f"{line[:1].upper()}{line[1:]}", console.err))
    if retracted(planned).isdisjoint(sessions) or not noted.by_hand:
        return
    named = name_some([one.told for one in noted.by_hand], _SHOWN)
    stays = "would stay" if dry_run else "stays"
    console.say(console.wrap(f"Decided by you, so it {stays} as it is: {named}", console.err))
    for one in () if dry_run else noted.by_hand[:_SHOWN]:
        console.next_step(f"To take that back:  {one.command}")


def _of_one_side(
    one: "Mapping[str, tuple[str, str]]",
    other: "Mapping[str, tuple[str, str]]",
    sessions: Collection[str],
    noted: Collection[str],
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the facts that one side alone holds: those of these chats, and others that they speak of."""
    theirs, others = list[str](), list[str]()
    for name, (value, session) in one.items():
        if other.get(name, ("", ""))[0] != value and (session in sessions or name in noted):
            (theirs if session in sessions else others).append(f"{name} ({one_line(value, 60)})")
    return theirs, others


def plan_letting_go(
    opened: "OpenKit", found: ChatTraces, *, whole: bool = False, subject: str = ""
) -> Change:
    """Return the change, called `subject`, that forgets the memories and closes the notes.

    With `whole`, no line of the index stays of them: nothing can be found by a phrase that is purged.
    """
    from reel_cli.core.tokens.counter import get_tokenizer

    snapshot, repository = opened.snapshot, opened.require_repository()
    counter = get_tokenizer(snapshot.settings.tokenizer)
    subject = subject or (
        "let go of what came of a purged chat" if whole else "let go of notes of a chat that was taken back"
    )
    change = Change(OP, subject, {})
    ids = [memory.id for memory in found.memories]
    if whole:
        names = [*ids, *found.lines]
        writes, losses = take_out(snapshot, repository, counter, names, WHY_PURGED)
        change = decide(change.also(writes, *losses), snapshot, names, pin=False, now=opened.now())
    elif ids:
        change = plan_forget(snapshot, repository, counter, ids, why=WHY, now=opened.now()).change
    if not found.notes:
        return change
    held = snapshot.text(WORKING) or ""
    blob = repository.blob_id(held.encode())
    closed = [
        Forgotten(WORKING, NOTE, CLOSED, counter.count(item.text), 0, "", blob, one_line(item.text, REASON))
        for item in found.notes
        if item.section in LISTED
    ]
    return change.also(
        {WORKING: without_notes(held, found.notes).encode()},
        *((FORGOT, render_forgotten(loss)) for loss in closed),
    )


def without_notes(text: str, notes: Sequence[Item]) -> str:
    """Return working memory without these notes, and without headings over nothing."""
    after = apply_edit(text, Edit(closed=notes))
    section = read_section(after, "Calibration")
    if section.strip() == EARLIER:
        after = after.replace(f"\n{EARLIER}", "\n", 1)
    elif standing := tidy_calibration(section):
        after = apply_edit(after, Edit(calibration=standing))
    return drop_empty(after)


def _begun(snapshot: "Snapshot", path: str, *, whole: bool) -> Sequence[str]:
    """Return the notes that a page began; none where it cannot be read.

    With `whole`, also those that it changed, and how it said that things stood.
    """
    try:
        fields = read_checkpoint(snapshot.text(path) or "", path)
    except ReelError:
        return ()
    lines = (line.partition(":") for line in fields.get("ring_2_delta", "").splitlines())
    words = [said for verdict, _, said in lines if verdict.strip() == "new" or (whole and said.strip())]
    said = [*words, *fields.get("open_loops", "").splitlines()]
    if whole:
        said.append(fields.get("calibration_state", ""))
    return [one.strip() for one in said if one.strip()]


def _as_noted(snapshot: "Snapshot", session: str, said: Iterable[str]) -> set[str]:
    """Return the words of a page, folded, as it has them and as ring 2 may: with days as dates, quoted."""
    try:
        day = last_talk_day(snapshot, session) if session in retracted(snapshot) else session_day(session)
    except ReelError:
        # its file may be gone
        day = session_day(session)
    people, forms = snapshot.settings.people, set[str]()
    for one in said:
        # the memory of the same page has no title yet where its notes are made
        for told in {name_memories(snapshot, one), MEMORY_ID.sub("that memory", one)}:
            forms |= {one, told, with_day(told, day), quote_said(told, people)}
            if day is not None:
                forms.add(quote_said(resolve_note(told, day, lean=0), people))
    return {fold(without_day(form)) for form in forms if form.strip()}


def _items(snapshot: "Snapshot", *, whole: bool) -> Sequence[Item]:
    text = snapshot.text(WORKING) or ""
    return [*read_items(text), *(_prose(text) if whole else ())]


def _prose(text: str) -> Iterable[Item]:
    """Yield the prose under State, and each line under Calibration, as items."""
    body = read_body(text)
    lines, headings = body.splitlines(), heading_lines(body)
    for at, (name, _, first) in enumerate(headings):
        last = headings[at + 1][1] if at + 1 < len(headings) else len(lines)
        while last > first and not lines[last - 1].strip():
            last -= 1
        if name == "State" and last > first:
            yield Item(name, one_line(" ".join(lines[first:last])), (first, last))
        if name == "Calibration":
            for place in range(first, last):
                yield Item(name, lines[place].removeprefix("- ").strip(), (place, place + 1))

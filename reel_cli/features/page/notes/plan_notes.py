"""Changes a page makes to the working notes: what closes, changes, goes on or begins (REEL §4.3, §6.6)."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.open_ask import Ask, list_asked, match_items
from reel_cli.core.files import working_file
from reel_cli.core.files.checkpoint_file import session_of_checkpoint
from reel_cli.core.files.working_file import NOTED, without_day
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.pack.words import quote_said
from reel_cli.core.tape.last_turns import by_last_turn
from reel_cli.core.tape.talks import last_talk_day
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.values.artifact import Checkpoint, Problem, Verdict
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import LISTED, Item
from reel_cli.features.page.calibration import carry_on
from reel_cli.features.page.drift.verdict import drop_verdict
from reel_cli.features.page.notes.closing_review import HEADING, ClosingReview
from reel_cli.features.page.notes.join_notes import are_twins, join_notes
from reel_cli.features.page.notes.note_dates import is_of_other_day, resolve_note
from reel_cli.features.page.notes.note_likeness import (
    asks_the_same,
    asks_what_came_of,
    is_intention,
    is_label_of,
    is_said_twice,
    is_same_matter,
    is_told_in,
    nearly_same,
    says_no_more,
    with_day,
)
from reel_cli.features.page.prompt.loops import find_closed

_ID = re.compile(r"\bM-\d{3,}\b")
_GOING_ON = "Going on: "
_JOINED = "told once: "
"""Beginning of the line of a note that was told twice, with the words of the other."""
_PERHAPS = "still open, though it may be done: "
"""Beginning of the line of a note that a memory alone does not close."""
_HOW_IT_WAS = re.compile(r"How .{1,80} was: ")


@frozen
class LeftOpen:
    """Working memory with further open loops in it, and what to show of that."""

    writes: Mapping[str, bytes]
    shown: list[tuple[str, tuple[str, ...]]]


def plan_loops(snapshot: Snapshot, unresolved: Sequence[str], said: Sequence[str] = ()) -> LeftOpen:
    """Return the change that notes what the newest session left open, if its page had no checkpoint.

    What it says more of a note takes that one's place. No note is closed, for only the persona or a person
    can tell that a thing is settled (REEL §3.3). Where a plain sentence of `said`, the user's words, may tell
    that a note is done, the note is shown with it, unless it is left open here.
    """
    text = snapshot.text(WORKING) or ""
    items = working_file.read_items(text)
    names = (snapshot.settings.name, snapshot.settings.user)
    day = last_talk_day(snapshot, standing_sessions(snapshot)[-1])
    loops = [with_day(name_memories(snapshot, line), day) for line in unresolved]
    told = [(snapshot.settings.user, text) for text in said]
    done = find_closed(dict.fromkeys((item.text for item in items), ""), told, names)
    open_still = [*loops, *(item.text for item in items if item.text not in done)]
    perhaps = [
        item
        for item in items
        if item.text in done
        and (item.section == LISTED[1] or is_intention(item.text))
        and not any(_is_one(loop, item.text, names) for loop in open_still)
    ]
    noted = _NotesAfter(items, [], [], names)
    noted.add_loops(loops)
    lines = [f"new: {loop}" for loop in noted.loops]
    lines += [f"changed: “{item.text}” to “{words}”" for item, words in noted.changed]
    lines += [f"{_PERHAPS}{item.text} (“{done[item.text]}”)" for item in perhaps]
    lines += [f"{_JOINED}“{without_day(text)}” with “{without_day(words)}”" for text, words in noted.joined]
    shown = [(HEADING, tuple(lines))] if noted.loops or noted.changed or perhaps else []
    if not (noted.loops or noted.changed):
        return LeftOpen({}, shown)
    new = working_file.apply_edit(text, working_file.Edit([], noted.changed, loops=noted.loops))
    return LeftOpen({WORKING: new.encode()}, shown)


def _is_one(loop: str, note: str, names: Sequence[str]) -> bool:
    """Return whether what a session left open is what a note says, or asks what came of it."""
    return (
        says_no_more(loop, note)
        or is_same_matter(loop, note, names)
        or asks_the_same(loop, note, names)
        or asks_what_came_of(loop, note, names)
    )


def plan_working_notes(  # noqa: PLR0913
    snapshot: Snapshot,
    checkpoint: Checkpoint,
    ask: Ask,
    writes: dict[str, bytes],
    shown: list[tuple[str, tuple[str, ...]]],
    problems: list[Problem],
    review: ClosingReview,
) -> None:
    """Apply ring_2_delta, open_loops, calibration_state and drift_description to ring 2.

    Items that the review holds stay; words that were to replace one are added.
    """
    held = review.held
    text = snapshot.text(WORKING) or ""
    items = working_file.read_items(text)
    now = match_items(list_asked(ask.numbered, items), items)
    delta = checkpoint.delta
    closed = [now[n] for n in delta.closed if n in now and now[n] not in held]
    told_on = [*held, *(now[n] for n, _ in delta.changed if n in now)]
    closed += [
        one
        for one in items
        if one not in (*closed, *told_on) and any(are_twins(one.text, item.text) for item in closed)
    ]
    day, said = last_talk_day(snapshot, ask.session), _texts_of(snapshot, ask.session)

    def dated(text: str, before: str = "") -> str:
        """Return words with their days as dates, unless the chat gives a weekday of theirs another date."""
        if day is None or not is_of_other_day(text, day, said):
            return with_day(text, day, before)
        return text if NOTED.search(text) else f"{text} (noted {day_in_words(day)})"

    spoken = [
        (review.meant_by(now[n]), name_memories(snapshot, words)) for n, words in delta.changed if n in now
    ]
    changed = [(item, dated(without_day(words), item.text)) for item, words in spoken]
    instead = [words for item, words in changed if item in held]
    changed = [(item, words) for item, words in changed if item not in held]
    problems.extend(
        Problem("notes", f"item {number} has changed or gone meanwhile; left as it is")
        for number in (*delta.closed, *(n for n, _ in delta.changed))
        if number not in now
    )
    names = (snapshot.settings.name, snapshot.settings.user)
    noted = _NotesAfter(items, closed, changed, names)
    noted.add_threads([*instead, *(dated(name_memories(snapshot, text)) for text in delta.new)])
    noted.add_loops(dated(name_memories(snapshot, text)) for text in checkpoint.open_loops)
    calibration = name_memories(snapshot, checkpoint.calibration)
    if checkpoint.drift is Verdict.YES and checkpoint.drift_text:
        shifted = name_memories(snapshot, drop_verdict(checkpoint.drift_text))
        calibration = f"{calibration}\n\nShifted: {shifted}".strip()
    people = snapshot.settings.people
    calibration = quote_said(calibration, people)
    told = name_memories(snapshot, delta.state)
    certain = day is not None and not is_of_other_day(told, day, said)
    state = quote_said(resolve_note(told, day, lean=0) if day is not None and certain else told, people)
    if has_newer_page(snapshot, ask.session) and (state or calibration):
        state = calibration = ""
        what = "a later chat has its page already, so what is going on stays as that one left it"
        problems.append(Problem("notes", what))
    standing_tone = working_file.read_section(text, "Calibration")
    tones = carry_on(standing_tone, calibration, nearly_same) if calibration else ""
    edit = working_file.Edit(closed, noted.changed, noted.threads, noted.loops, state, tones)
    new = working_file.apply_edit(text, edit)
    if new == text:
        return
    writes[WORKING] = new.encode()
    lines = [f"new: {t}" for t in (*noted.threads, *noted.loops)]
    lines += [f"changed: “{item.text}” to “{words}”" for item, words in noted.changed]
    lines += map(review.closed, closed)
    lines += [f"{_JOINED}“{without_day(text)}” with “{without_day(words)}”" for text, words in noted.joined]
    if edit.state:
        lines.append(f"{_GOING_ON}{one_line(edit.state)}")
    if calibration:
        lines.append(f"How {snapshot.settings.name} was: {one_line(calibration)}")
    shown.append((HEADING, tuple(lines)))


def _texts_of(snapshot: Snapshot, session: str | None) -> Sequence[str]:
    """Return what was said in a session; nothing where it cannot be read."""
    try:
        return [one.message.text for one in read_session(snapshot, session).shown()] if session else ()
    except ReelError:
        return ()


def in_short(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines without how the persona was, which it notes for itself, and without joined notes."""
    return [line for line in lines if not (_HOW_IT_WAS.match(line) or line.startswith(_JOINED))]


def is_of_whole(line: str) -> bool:
    """Return whether a line on screen tells how all of it stands, and is no single note."""
    return line.startswith(_GOING_ON) or _HOW_IT_WAS.match(line) is not None


class _NotesAfter:
    """The items of ring 2 as a page leaves them, each matter once.

    An item that says more than one that stood takes its place; nothing is left out because it resembles
    another.
    """

    def __init__(
        self,
        items: Sequence[Item],
        closed: Sequence[Item],
        changed: list[tuple[Item, str]],
        names: Sequence[str] = (),
    ) -> None:
        """Begin with what stood, without what the page closes, and with what it puts otherwise.

        `names` are those of the two who talk.
        """
        self._people = names
        self.changed = changed
        self.threads: list[str] = []
        self.loops: list[str] = []
        self.joined: list[tuple[str, str]] = []
        """Words told of a note that stands, changes or begins as well, and the words of that one."""
        taken = [*closed, *(item for item, _ in changed)]
        self._standing = [item for item in items if item not in taken]
        self._closed = [item.text for item in closed]

    def add_threads(self, texts: Iterable[str]) -> None:
        """Add further items, but for words that stand there already."""
        for text in texts:
            if not (self._is_told(text, self._texts(), says_no_more) or self._takes_place(text)):
                self.threads.append(text)

    def add_loops(self, texts: Iterable[str]) -> None:
        """Add what the page left open, but for what its notes have in other words; the memory keeps both."""
        for text in texts:
            put = [*self.threads, *(words for _, words in self.changed)]
            if not (
                self._is_told(text, self._closed, says_no_more)
                or self._is_told(text, self._texts(), says_no_more)
                or self._is_told(text, self._texts(), self._is_noted)
                or self._takes_place(text)
                or self._is_told(text, put, is_said_twice)
                or self._is_told(text, put, is_told_in)
                or self._is_told(text, [*put, *(item.text for item in self._standing)], is_label_of)
            ):
                self.loops.append(text)

    def _is_told(self, text: str, others: Sequence[str], are_one: Callable[[str, str], bool]) -> bool:
        """Return whether another note says what a text says, and keep in mind which one."""
        other = next((one for one in others if are_one(text, one)), None)
        if other is not None and without_day(other) != without_day(text):
            self.joined.append((text, other))
        return other is not None

    def _takes_place(self, text: str) -> bool:
        """Put a text in the place of an item that says less, or join it with one of that thing and day."""
        return self._replaces(text) or self._joins(text)

    def _joins(self, text: str) -> bool:
        """Tell a text and a note of the same thing on the same day as one note; return if there is one."""
        for place, (item, words) in enumerate(self.changed):
            if (both := join_notes(words, text)) is not None:
                self.changed[place] = (item, both)
                return self._has_joined(text, words)
        for texts in (self.threads, self.loops):
            for place, words in enumerate(texts):
                if (both := join_notes(words, text)) is not None:
                    texts[place] = both
                    return self._has_joined(text, words)
        for item in self._standing:
            if (both := join_notes(item.text, text)) is not None:
                if both != item.text:
                    self._standing.remove(item)
                    self.changed.append((item, both))
                return self._has_joined(text, item.text)
        return False

    def _has_joined(self, text: str, words: str) -> bool:
        self.joined.append((text, words))
        return True

    def _is_noted(self, text: str, one: str) -> bool:
        return is_same_matter(text, one, self._people) or asks_the_same(text, one, self._people)

    def _says_less(self, one: str, text: str) -> bool:
        return says_no_more(one, text) or asks_what_came_of(text, one, self._people)

    def _texts(self) -> list[str]:
        changed = [words for _, words in self.changed]
        return [*(item.text for item in self._standing), *changed, *self.threads, *self.loops]

    def _replaces(self, text: str) -> bool:
        """Put words in the place of an item that says less, or is asked after; return if there is one."""
        less = next((item for item in self._standing if self._says_less(item.text, text)), None)
        if less is not None:
            self._standing.remove(less)
            self.changed.append((less, text))
        return less is not None


def has_newer_page(snapshot: Snapshot, session: str) -> bool:
    """Return whether a session that went on later has a checkpoint already, so that this state is history."""
    paged = {session_of_checkpoint(path) for path in snapshot.checkpoints}
    there = by_last_turn(snapshot, [one for one in snapshot.sessions if one in paged or one == session])
    return bool(there) and there[-1] != session


def name_memories(snapshot: Snapshot, words: str) -> str:
    """Return words for ring 2 without IDs; a memory is named by its title."""
    titles = {memory.id: memory.title for memory in snapshot.memories.values()}
    return _ID.sub(lambda found: titles.get(found[0], "that memory"), words).strip()

"""The ask for the shared context alone: what it shows of the tape, and how it waits for its reply."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.exchange import Exchange, stored_as
from reel_cli.core.kit.read_holdings import read_working
from reel_cli.core.pack.resting_parts import standing_working
from reel_cli.core.pack.words import quote_notes
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.tape.transcript import shorten, tell_entries
from reel_cli.core.values.source import Ranges, to_ranges
from reel_cli.core.values.talk import Entry, Session
from reel_cli.features.dream.batch import LEAST_SAID, room_to_write
from reel_cli.features.dream.context.files import CONTEXT, room_for_parts, tell_context
from reel_cli.features.dream.context.page_context import FEWEST_LINES
from reel_cli.features.dream.context.reply import Moment, render_context_prompt
from reel_cli.features.dream.context.shared_context import PARTS, ContextBasis, Place, parse_place
from reel_cli.features.dream.context.state import (
    find_newest,
    is_recent,
    print_of_context,
    read_shared,
    read_standing_context,
)
from reel_cli.features.dream.context.weave import day_of
from reel_cli.features.dream.dream import shows_sessions
from reel_cli.features.dream.notes import newest_chapters, open_threads
from reel_cli.features.dream.unread_tape import SHORTEST, SessionPart, session_heading

if TYPE_CHECKING:
    from reel_cli.core.kit.approved_rings import Ring0
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.holdings import Counter

KIND = "context"
NAME = "dream.context"
"""Name under which the ask that waits for its reply is remembered: one at a time."""
_CHUNK = 32
"""Messages of a session that are added at once, from its last on."""


@dataclass(frozen=True, slots=True)
class ContextAsk(Exchange):
    """An ask that was, or could be, handed out.

    `key` names the last message it knows of, as the prompt does (`2026-02-10-1#48`), `said` when it was said;
    `heard` what of the tape it shows, `seen` a print of the file as
    it shows it, `stands` the words in it that are the file's; `kept` are the parts that came through so far,
    and `long` those of the others that came and were too long.
    """

    kind = KIND
    name = NAME

    key: str = field(metadata=stored_as("place"))
    said: str
    heard: Mapping[str, Ranges]
    prompt: str
    ring0: str
    seen: str
    stands: str = ""
    kept: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    long: tuple[str, ...] = ()

    def is_sound(self) -> bool:
        """Return whether it names a message, and shows parts of sessions."""
        parts = set(self.kept).union(self.long)
        return (
            parse_place(self.key) is not None
            and bool(self.heard)
            and shows_sessions(self.heard)
            and parts.issubset(PARTS)
        )

    @property
    def place(self) -> Place:
        """Return the last message it knows of. Raises ValueError if the key names none."""
        place = parse_place(self.key, self.said)
        if place is None:
            raise ValueError(self.key)
        return place

    @property
    def asked(self) -> tuple[str, ...]:
        """Return the parts that are still to come."""
        return tuple(key for key in PARTS if key not in self.kept)

    @property
    def frame(self) -> str:
        """Return the prompt without the file's text, which a reply may well repeat."""
        return self.prompt.replace(self.stands, "", 1) if self.stands else self.prompt


def make_context_ask(snapshot: "Snapshot", ring0: "Ring0", counter: "Counter", window: int) -> ContextAsk:
    """Return the ask for the shared context, in a window of so many tokens.

    It shows the file as it is, working memory, the newest chapters of the story, and what was said since the
    file was written, or in the 48 hours before the last message, or, where that is little, before.
    Raises ReelError where nothing was said yet, or there is no room.
    """
    settings = snapshot.settings
    place = find_newest(snapshot)
    if place is None:
        message = "Nothing is recorded yet."
        raise ReelError(message, hint="record a chat first:  reel end")
    before = snapshot.text(CONTEXT) or ""
    context = read_shared(snapshot)
    lines = room_for_parts(before)
    if lines < FEWEST_LINES:
        message = f"What you added to {CONTEXT} leaves no room for its five parts: it has under fifty lines."
        raise ReelError(message, hint="move some of it to a file of its own")
    limit = window - room_to_write(window)
    stands = tell_context(read_standing_context(snapshot))
    blank = Moment(str(place), day_of(place), "", quote_notes(stands, settings.people), "", lines)
    free = limit - counter.count(_render(snapshot, ring0, blank)) - 60
    if free < LEAST_SAID:
        message = f"A window of {window:,} tokens has no room for the identity and for what was said."
        raise ReelError(message, hint="raise window in kit.yaml")
    notes = _notes(snapshot, free // 2, counter)
    room = free - counter.count(notes)
    known = context.known if context is not None else None
    for _ in range(4):
        told = collect_newest(snapshot, place, known, room, counter)
        said = "".join(one.text for one in told)
        moment = Moment(str(place), day_of(place), said, blank.stands, notes, lines)
        prompt = _render(snapshot, ring0, moment)
        over = counter.count(prompt) - limit
        if over <= 0:
            break
        room -= over + 8
    heard = {one.session: one.numbers for one in told}
    return ContextAsk(str(place), place.said, heard, prompt, ring0.blob, print_of_context(snapshot), stands)


def _render(snapshot: "Snapshot", ring0: "Ring0", moment: Moment) -> str:
    settings = snapshot.settings
    return render_context_prompt(settings.name, settings.user, ring0.text, moment)


def _notes(snapshot: "Snapshot", room: int, counter: "Counter") -> str:
    """Return working memory, open threads and the newest chapters, in at most `room` tokens."""
    plain = tell_context(standing_working(snapshot, read_working(snapshot)))
    working = quote_notes(plain, snapshot.settings.people)
    notes = f"Your notes:\n\n{working}" if working and counter.count(working) <= room // 2 else ""
    threads = open_threads(snapshot, room // 6, counter)
    left = room - counter.count(notes) - counter.count(threads) - 8
    return "\n\n".join(part for part in (notes, threads, newest_chapters(snapshot, left, counter)) if part)


def collect_newest(
    snapshot: "Snapshot", newest: Place, known: ContextBasis | None, room: int, counter: "Counter"
) -> list[SessionPart]:
    """Return the newest messages in their order, as many as fit into `room` tokens.

    Whatever came after the message that is known, and in the 48 hours before the newest; where that fills
    less than a quarter of the room, what came before it as well. At least one message is in it.
    """
    found: list[SessionPart] = []
    left = room
    for session in reversed(standing_sessions(snapshot)):
        lived = read_session(snapshot, session)
        shown = lived.shown()
        if not shown:
            continue
        if found and not is_recent(session, shown, newest, known) and room - left > room // 4:
            break
        told, used, whole = _newest_of(snapshot, lived, shown, left, counter, least=not found)
        if told is not None:
            found.insert(0, told)
            left -= used
        if not whole or left < SHORTEST:
            break
    return found


def _newest_of(  # noqa: PLR0913 (a session, and the room there is for it)
    snapshot: "Snapshot",
    lived: Session,
    shown: Sequence[Entry],
    room: int,
    counter: "Counter",
    *,
    least: bool,
) -> tuple[SessionPart | None, int, bool]:
    """Return a session's last messages that fit, their tokens, and whether that is all of them."""
    heading = session_heading(lived.id, lived.title or "", goes_on=False)
    left = room - counter.count(heading) - 1
    texts: list[str] = []
    numbers: list[int] = []
    for end in range(len(shown), 0, -_CHUNK):
        units = list(tell_entries(snapshot, lived.id, shown[max(0, end - _CHUNK) : end]))
        for entry, unit in reversed(units):
            size = counter.count(unit) + 1
            if size > left and least and not texts:
                unit = shorten(unit, max(left, SHORTEST), counter)  # noqa: PLW2901
                size = left
            if size > left:
                return _as_told(lived, texts, numbers), room - left, False
            texts.insert(0, unit)
            numbers.append(entry.number or 0)
            left -= size
    return _as_told(lived, texts, numbers), room - left, True


def _as_told(lived: Session, texts: Sequence[str], numbers: Sequence[int]) -> SessionPart | None:
    if not texts:
        return None
    first = min(entry.number or 0 for entry in lived.shown())
    heading = session_heading(lived.id, lived.title or "", goes_on=min(numbers) > first)
    return SessionPart(lived.id, to_ranges(numbers), heading + "".join(texts))

"""Choice of conversations in an export: by number, by time, by title."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.frozen import frozen
from reel_cli.core.moment import moment
from reel_cli.core.tape.tape_view import opening_of
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation

_RANGE = re.compile(r"([0-9]{1,9})(?:([-–])([0-9]{1,9})?)?")
_PARTIAL_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")

Numbers = Sequence[tuple[int, int | None]]
"""Stretches of numbers, inclusive; None for "and all after it"."""


@frozen
class ConversationOffer:
    """One conversation of an export, by what tells it apart.

    `number` is its place in what was named on the command line, from 1; `source` is what was named.
    `messages` counts what was said. `started` and `last` are ISO 8601, None where the export does not
    know.
    """

    number: int
    source: str
    format: str
    messages: int
    title: str = ""
    started: str | None = None
    last: str | None = None
    place: str = ""
    """Its file, if `source` is a folder or an archive."""
    opening: str = ""
    """The first words said, where it has no title."""
    branch: bool = False
    """True if it says that it was copied from another chat."""

    @property
    def touched(self) -> str | None:
        """Return when it was last spoken in; when it began if that is unknown; or None."""
        return self.last or self.started

    def when(self, now: datetime) -> datetime:
        """Return when it began; `now` if that is unknown."""
        return moment(self.started) if self.started else now


@frozen
class Choice:
    """The person's choice; what is None or empty leaves all in."""

    numbers: Numbers = ()
    since: datetime | None = None
    title: str = ""

    def __bool__(self) -> bool:
        """Return whether there is any choice."""
        return bool(self.numbers or self.since or self.title)


def offer(conversation: Conversation, number: int, source: str, place: str = "") -> ConversationOffer:
    """Return the details by which a person recognizes a conversation."""
    said = conversation.said()
    times = [m.time for m in said if m.time]
    started = conversation.started or min(times, key=moment, default=None)
    last = max((t for t in (*times, started) if t), key=moment, default=None)
    title = conversation.title or ""
    opening = opening_of(said[0].text) if said and not title else ""
    branch = conversation.branch_of is not None
    return ConversationOffer(
        number, source, conversation.format, len(said), title, started, last, place, opening, branch
    )


def choose(offered: Sequence[ConversationOffer], choice: Choice) -> Sequence[ConversationOffer]:
    """Return the chosen conversations, in the order they were offered.

    Raises ReelError, saying how many there were, where that is none, and for a number there is not.
    """
    count = len(offered)
    for first, last in choice.numbers:
        if max(first, last or 0) > count or not first:
            wrong = last if first and last is not None and last > count else first
            there = "there is only 1" if count == 1 else f"they go from 1 to {count:,}"
            message = f"There is no conversation {wrong:,}; {there}."
            raise ReelError(message, hint="see their numbers with  --dry-run")
    found = [item for item in offered if _is_meant(item, choice)]
    if not found:
        undated = sum(1 for item in offered if choice.since and item.touched is None)
        why = f", and {undated:,} of them tell no date" if undated else ""
        what = "the one conversation is not" if count == 1 else f"none of the {count:,} conversations is"
        message = f"Nothing is chosen: {what} what you asked for{why}."
        raise ReelError(message, hint="see what there is with  --dry-run  and no choice")
    return found


def _is_meant(item: ConversationOffer, choice: Choice) -> bool:
    if choice.numbers and not any(a <= item.number <= (b or item.number) for a, b in choice.numbers):
        return False
    if choice.since is not None and (item.touched is None or moment(item.touched) < choice.since):
        return False
    return choice.title.casefold() in item.title.casefold()


def parse_numbers(text: str) -> Numbers:
    """Read `1,4-9,20-`; UsageError where it is no such list."""
    found: list[tuple[int, int | None]] = []
    for part in text.replace(" ", "").split(","):
        match = _RANGE.fullmatch(part)
        if match is None or (match[3] and int(match[3]) < int(match[1])):
            message = f"--select {one_line(text, 40)!r} is not a list of numbers."
            raise UsageError(message, hint="write it as  1,4-9  with the numbers that --dry-run shows")
        found.append((int(match[1]), int(match[3]) if match[3] else None if match[2] else int(match[1])))
    return found


def parse_on(text: str, zone: tzinfo, now: datetime) -> str:
    """Read the day of a chat that tells none (`2023-01-29`, or with a time), as ISO 8601.

    What names no zone is in `zone`. Raises UsageError where it is no day, or one that is still to come.
    """
    try:
        found = datetime.fromisoformat(text.strip())
        found = found if found.tzinfo is not None else found.replace(tzinfo=zone)
        if found.astimezone(UTC) > now:
            message = f"--on {one_line(text, 40)} is still to come."
            raise UsageError(message, hint="give the day on which it was said")
        return found.isoformat(timespec="seconds")
    except (ValueError, OverflowError):
        message = f"--on {one_line(text, 40)!r} is not a day."
        raise UsageError(message, hint="write it as  2023-01-29") from None


def parse_since(text: str, zone: tzinfo | None) -> datetime:
    """Read a day (`2026-02-10`), a month, a year, or a whole ISO 8601 time; UsageError where it is none.

    What names no zone is in `zone`, or the machine's own where that is None.
    """
    text = text.strip()
    try:
        if partial := _PARTIAL_DATE.fullmatch(text):
            found = datetime(int(partial[1]), int(partial[2] or 1), int(partial[3] or 1))  # noqa: DTZ001
        else:
            found = datetime.fromisoformat(text)
        if found.tzinfo is None:
            found = found.replace(tzinfo=zone) if zone is not None else found.astimezone()
    except (ValueError, OverflowError, OSError):
        message = f"--since {one_line(text, 40)!r} is not a date."
        raise UsageError(message, hint="write it as  2026-02-10  or  2026-02") from None
    return found

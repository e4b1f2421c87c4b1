"""Moments of the tape, told as one remembers them: dated, by speaker, ready to paste (REEL §8.3, §10.1)."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import takewhile

from reel_cli.core.frozen import frozen
from reel_cli.core.moment import day_in_words
from reel_cli.core.pack.words import quote_said, tell_turn
from reel_cli.core.question_words import is_question
from reel_cli.core.stage_chain import remove_syntax, scene_tags
from reel_cli.core.tape.tape_view import correction_line, people_of, place_corrections, speaker
from reel_cli.core.tape.transcript import NARRATOR
from reel_cli.core.values.search import ENDED_FACT, WORKING_NOTE, Hit, StandingSentence
from reel_cli.core.values.settings import Settings
from reel_cli.core.values.source import session_order
from reel_cli.core.values.talk import Entry, Event, Session

REQUEST = "Recall"
"""The label of the line by which a persona asks for a moment while it answers (REEL §6.4)."""
CAME_BACK = "[What comes back to you, word for word; it is here for this answer only.]"
"""The line before a moment that came back, as the persona sees it."""
CAME_TO_MIND = '{"name": "recall", "places": ['
"""Beginning of what the tape has of moments that came back by themselves: their places (REEL §4.6)."""
MATCH_LONGEST = 800
"""Characters told of the matching turn; of a longer one, the part that matched."""
OTHERS_LONGEST = 240
"""Characters told of each turn around it."""
REST_LONGEST = 200
"""Characters told of each turn of the moments after the first few, if all moments share so much room."""
FIRST_FEW = 4
_LETTERS = 8
"""Characters a token has at most on average; a longer text does not fit, whatever its tokens are."""
WORDS_LONGEST = 4_000
"""Characters told of a memory that has no tape."""
LEAST_TEXT = 80
"""Characters below which a shortened turn says nothing, and the moment is left out instead."""
WHOLE_STRETCH = 6
"""Number of messages up to which a memory's stretch is told whole; of a longer one only"""
REACH = 2
"""so many messages before and after the one it is about."""
LEAST_SESSIONS = 3
"""Number of sessions from which it is told from when to when they are."""
LEAST_TOKENS = 20
"""Tokens of room below which nothing more is tried: a line that gives the date takes half of it."""
BETWEEN = "\n\n"
"""Separator of two moments in a block."""
_MOST_PLACES = 2_000
"""Maximum number of places of the searched words weighed in one turn."""
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_HOURS = (
    (5, "in the night"),
    (9, "early in the morning"),
    (12, "in the morning"),
    (17, "in the afternoon"),
    (21, "in the evening"),
    (24, "late in the evening"),
)


@frozen
class Turn:
    """One turn of a moment: who said it, the words, and what was put right about them later.

    Narration is one as well, with the number of the message before it (0: it opens the chat).
    """

    number: int
    who: str
    text: str
    mended: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Names of all speakers in its session."""
    days: tuple[str, ...] = ()
    """Relative days in its words, each with its date (`yesterday: 7 May 2023`)."""

    def told(self) -> str:
        """Return the turn as it stands in a block, quoted if it could pass for another's."""
        said = tell_turn(self.who, self.text, self.names)
        # only an empty line ends a quotation
        gap = "\n" if said.rpartition("\n")[2].startswith(">") else ""
        return said + gap + "".join(f"\n({what})" for what in (*self._days_told(), *self.mended))

    def _days_told(self) -> tuple[str, ...]:
        """Return the days in one line, each date once."""
        by_date = {one.rpartition(": ")[2]: one for one in reversed(self.days)}
        days = [one for one in self.days if by_date[one.rpartition(": ")[2]] == one]
        return ("; ".join(days),) if days else ()


@frozen
class Moment:
    """One found moment, ready to be told.

    `session`, `message` and `span` are None, and `turns` empty, where it is remembered without a place
    on the tape that can be read; `words` is then what is remembered. `time` is ISO 8601 where known.
    """

    hit: Hit
    heading: str
    session: str | None = None
    message: int | None = None
    speaker: str | None = None
    time: str | None = None
    turns: tuple[Turn, ...] = ()
    words: str = ""
    mended: tuple[str, ...] = ()
    """Later corrections of all of its session."""
    names: tuple[str, ...] = ()
    """The two who talk, by the kit's names."""
    reason: str = ""
    """Why it is told with another moment, in one sentence; "" where it was searched for."""

    @property
    def span(self) -> tuple[int, int] | None:
        """Return the first and the last message that is told."""
        numbers = [turn.number for turn in self.turns if turn.number]
        return (min(numbers), max(numbers)) if numbers else None

    @property
    def place(self) -> str:
        """Return where on the tape it is (`2026-02-10-1#3-4`); the ID of what remembers it, where nowhere."""
        if self.session is None:
            return self.hit.note or ""
        return f"{self.session}#{'-'.join(map(str, self.span))}" if self.span else self.session

    @property
    def text(self) -> str:
        """Return the block: a line that says when, then who said what."""
        return f"{self.heading}:\n{self.said}" if self.heading else self.said

    @property
    def said(self) -> str:
        """Return the block without the line that says when."""
        lines = [turn.told() for turn in self.turns] or [quote_said(self.words, self.names)]
        beside = [*self.mended, *filter(None, [self.reason])]
        return "\n".join([*lines, *(f"({what})" for what in beside)]).rstrip("\n")

    def lived(self) -> "Moment":
        """Return the moment as a model reads it, without STAGE and CHAIN syntax (REEL §5)."""
        also = scene_tags(turn.text for turn in self.turns)
        turns = [replace(turn, text=remove_syntax(turn.text, also) or "…") for turn in self.turns]
        return replace(self, turns=tuple(turns), words=remove_syntax(self.words))

    def follows(self, other: "Moment | None") -> bool:
        """Return whether another moment's heading stands for this one, too."""
        return (
            other is not None
            and self.session is not None
            and (self.session, self.heading) == (other.session, other.heading)
        )


def tell_moment(  # noqa: PLR0913
    hit: Hit,
    session: Session,
    settings: Settings,
    zone: tzinfo | None,
    mended: Sequence[Event] = (),
    *,
    answered: bool = False,
) -> Moment | None:
    """Return a hit's moment from its session; None if the turn left the conversation.

    Where it is to be `answered`, one that ends on a question goes on with the other's turn.
    """
    shown = session.shown()
    place = next((i for i, entry in enumerate(shown) if entry.number == hit.message), None)
    if place is None:
        return None
    entries = _same_day(_around(shown, place, hit, answered=answered), shown[place])
    whole, beside = place_corrections(mended, [entry.number or 0 for entry in shown])
    names = people_of(shown, settings)
    narrated = session.narrated()
    told = list(_narration(narrated, 0, hit)) if entries[0] is shown[0] else []
    for entry in entries:
        told.append(_turn(entry, hit, settings, beside.get(entry.number or 0, ())))
        told += _narration(narrated, entry.number or 0, hit)
    turns = tuple(replace(turn, names=names) for turn in told)
    centre = shown[place]
    return Moment(
        hit=hit,
        heading=_when(entries[0].message.time, session.id, zone),
        session=session.id,
        message=hit.message,
        speaker=speaker(centre, user=settings.user, persona=settings.name),
        time=centre.message.time,
        turns=turns,
        mended=tuple(_plain(correction_line(event)) for event in whole),
    )


def date_moment(moment: Moment, zone: tzinfo | None) -> Moment:
    """Return the moment with the relative days of the turn that matched told as dates, too."""
    from reel_cli.features.recall.relative_days import resolve_days

    day = _day_of(moment.time, moment.session or "", zone)
    if day is None:
        return moment
    turns = (
        replace(turn, days=resolve_days(turn.text, day)) if turn.number == moment.message else turn
        for turn in moment.turns
    )
    return replace(moment, turns=tuple(turns))


def tell_words(hit: Hit, words: str, day: str, names: tuple[str, ...] = ()) -> Moment:
    """Return a moment for a memory without readable tape, in its own words; `day` is ISO or ""."""
    told = clip(_plain(words), hit.terms, WORDS_LONGEST)
    heading = _day(day) if day else "In the notes" if (hit.note or "").startswith(WORKING_NOTE) else ""
    return Moment(hit, heading, words=told, names=names)


def focus(hit: Hit, session: Session, anchor: str, otherwise: str = "") -> Hit:
    """Return a memory's hit, moved to the turn of its stretch that it is about.

    That is where the phrase that finds it stands, else where most of the words looked for do; where none of
    them was said, where the phrase `otherwise` stands. Of a long stretch only the turns around it are left.
    """
    if hit.note is None or hit.span is None:
        return hit
    wanted = set(hit.messages) or set(range(hit.span[0], hit.span[1] + 1))
    entries = [entry for entry in session.shown() if entry.number in wanted]
    if not entries:
        return hit
    from reel_cli.core.evidence.phrases import Tape

    found = Tape(entries).find(anchor) if anchor else None
    if found is not None:
        place = next(i for i, entry in enumerate(entries) if entry.number == found.number)
    else:
        terms = [term.casefold() for term in hit.terms]
        texts = [entry.message.text.casefold() for entry in entries]
        counts = [sum(term in text for term in terms) for text in texts]
        place = counts.index(max(counts))
        found = Tape(entries).find(otherwise) if otherwise and not counts[place] else None
        if found is not None:
            place = next(i for i, entry in enumerate(entries) if entry.number == found.number)
    if len(entries) > WHOLE_STRETCH:
        first = max(0, place - REACH)
        entries, place = entries[first : place + REACH + 1], place - first
    numbers = tuple(entry.number or 0 for entry in entries)
    span = (min(numbers), max(numbers))
    return replace(hit, message=numbers[place], span=span, messages=numbers)


def without_told(moment: Moment, told: Collection[tuple[str | None, int]]) -> Moment | None:
    """Return the moment without the turns told before; None if one of those matched."""
    known = {number for session, number in told if session == moment.session}
    if moment.message is None or known.isdisjoint(turn.number for turn in moment.turns):
        return moment
    if moment.message in known:
        return None
    middle = next(i for i, turn in enumerate(moment.turns) if turn.number == moment.message)
    before = takewhile(lambda turn: turn.number not in known, reversed(moment.turns[:middle]))
    after = takewhile(lambda turn: turn.number not in known, moment.turns[middle:])
    return replace(moment, turns=(*reversed(list(before)), *after))


def fit_moments(
    moments: Sequence[Moment], room: int, count: Callable[[str], int], *, apart: bool = False
) -> list[Moment]:
    """Return the moments that fit into so many tokens, best first; a long one is shortened or dropped.

    Those of one session that have the same heading stand together, where the best of them does. All of them
    joined, as `render_block` joins them, take at most `room` by `count`; with `apart`, each with its heading.
    """
    few = FIRST_FEW
    if sum(len(moment.text) for moment in moments) < room * _LETTERS:
        whole = BETWEEN.join(moment.text for moment in moments)
        few = len(moments) if count(whole) <= room else few
    kept: list[Moment] = []
    used = 0
    for number, moment in enumerate(moments):
        if kept and room - used < LEAST_TOKENS:
            break
        for form in _forms(moment if number < few else _shortened(moment, REST_LONGEST)):
            shared = not apart and any(map(form.follows, kept))
            size = count((form.said if shared else form.text) + BETWEEN)
            if used + size <= room:
                kept.append(form)
                used += size
                break
    while not apart and kept and count(render_block(_together(kept))) > room:
        kept.pop()
    return _together(kept)


def _together(moments: Sequence[Moment]) -> list[Moment]:
    """Return the moments with those of one session and heading beside one another."""
    groups: dict[tuple[str | None, str, int], list[Moment]] = {}
    for number, moment in enumerate(moments):
        alone = 0 if moment.session else number + 1
        groups.setdefault((moment.session, moment.heading, alone), []).append(moment)
    return [moment for group in groups.values() for moment in group]


def render_block(moments: Sequence[Moment]) -> str:
    """Return the moments as one text to paste."""
    return BETWEEN.join(block_texts(moments))


def first_of_chat(moments: Sequence[Moment]) -> int:
    """Return the number of the first of these moments that a recorded chat has; 0 for none."""
    return next((number for number, one in enumerate(moments, 1) if one.session is not None), 0)


def in_talk_order(moments: Sequence[Moment]) -> list[Moment]:
    """Return the moments with neighbours of one chat as they followed in it; a told course stays as it is."""
    runs: list[list[Moment]] = []
    for moment in moments:
        if runs and moment.follows(runs[-1][-1]) and not moment.reason:
            runs[-1].append(moment)
        else:
            runs.append([moment])
    return [moment for run in runs for moment in sorted(run, key=lambda one: one.message or 0)]


def block_texts(moments: Sequence[Moment]) -> list[str]:
    """Return the text of each moment in a block: neighbours of one session and heading share the heading."""
    before = [None, *moments]
    return [
        moment.said if moment.follows(last) else moment.text
        for last, moment in zip(before, moments, strict=False)
    ]


def tell_known(known: tuple[str, str]) -> str:
    """Return the line of a fact or a note that answers by itself."""
    if known[0].startswith(ENDED_FACT):
        return known[1]
    return f"{'In the notes' if known[0].startswith(WORKING_NOTE) else 'Known by heart'}: {known[1]}"


def tell_stretch(moments: Sequence[Moment]) -> str:
    """Return the line that says from when to when some moments are; "" for those of one session or two."""
    days = sorted({moment.session for moment in moments if moment.session}, key=session_order)
    if len(days) < LEAST_SESSIONS:
        return ""
    return f"From {_day(days[0])} to {_day(days[-1])}, in {len(days)} conversations."


def tell_standing(standing: Sequence[StandingSentence]) -> str:
    """Return what holds always as a text to paste, each sentence with its day."""
    return "\n".join(["What holds always:", *(f"- {_day(one.session)}: “{one.text}”" for one in standing)])


def clip(text: str, terms: Sequence[str], longest: int) -> str:
    """Return at most so many characters of a text, from where most terms occur; `…` where it was cut."""
    plain = text.strip()
    if len(plain) <= longest:
        return plain
    start = _densest(plain, terms, longest)
    # some text before the match gives context; near an end all the room is used
    start = max(0, min(start - longest // 4, len(plain) - longest))
    end = start + longest
    if start:
        space = plain.find(" ", start, start + longest // 8)
        start = space + 1 if space >= 0 else start
    if end < len(plain):
        space = plain.rfind(" ", end - longest // 8, end)
        end = space if space >= 0 else end
    return ("…" if start else "") + plain[start:end].strip() + ("…" if end < len(plain) else "")


def _densest(text: str, terms: Sequence[str], longest: int) -> int:
    """Return the start of the stretch that holds most different terms."""
    wanted = sorted({term for term in terms if term}, key=len, reverse=True)
    if not wanted:
        return 0
    pattern = re.compile("|".join(map(re.escape, wanted)), re.IGNORECASE)
    places: list[tuple[int, str]] = []
    for found in pattern.finditer(text):
        places.append((found.start(), found[0].casefold()))
        if len(places) >= _MOST_PLACES:
            break
    best, most, left = 0, 0, 0
    counts: dict[str, int] = {}
    for at, term in places:
        counts[term] = counts.get(term, 0) + 1
        while at - places[left][0] > longest // 2:
            gone = places[left][1]
            counts[gone] -= 1
            if not counts[gone]:
                del counts[gone]
            left += 1
        if len(counts) > most:
            best, most = places[left][0], len(counts)
    return best


def _around(shown: Sequence[Entry], place: int, hit: Hit, *, answered: bool) -> list[Entry]:
    """Return the turns of a hit's span in the order last shown, neighbouring and with the match."""
    wanted = set(hit.messages)
    if not wanted and hit.span is not None:
        wanted = set(range(hit.span[0], hit.span[1] + 1))
    first = last = place
    while first > 0 and shown[first - 1].number in wanted:
        first -= 1
    while last + 1 < len(shown) and shown[last + 1].number in wanted:
        last += 1
    asks = answered and is_question(shown[last].message.text)
    if asks and last + 1 < len(shown) and shown[last + 1].message.role != shown[last].message.role:
        last += 1
    return list(shown[first : last + 1])


def _turn(entry: Entry, hit: Hit, settings: Settings, mended: Sequence[Event]) -> Turn:
    number = entry.number or 0
    longest = MATCH_LONGEST if number == hit.message else OTHERS_LONGEST
    who = speaker(entry, user=settings.user, persona=settings.name)
    text = clip(_plain(entry.message.text), hit.terms, longest)
    return Turn(number, who, text, tuple(_plain(correction_line(event)) for event in mended))


def _narration(narrated: Mapping[int, Sequence[str]], number: int, hit: Hit) -> Iterator[Turn]:
    for text in narrated.get(number, ()):
        yield Turn(number, NARRATOR, clip(_plain(text), hit.terms, OTHERS_LONGEST))


def _shortened(moment: Moment, longest: int) -> Moment:
    """Return the moment with at most so many characters of each turn, those that matter."""
    turns = (replace(turn, text=clip(turn.text, moment.hit.terms, longest)) for turn in moment.turns)
    return replace(moment, turns=tuple(turns))


def _forms(moment: Moment) -> Iterator[Moment]:
    """Yield the moment, and shorter and shorter forms of it."""
    yield moment
    longest = 0 if moment.turns else len(moment.words) * 3 // 4
    while longest >= LEAST_TEXT:
        yield replace(moment, words=clip(moment.words, moment.hit.terms, longest))
        longest = longest * 3 // 4
    turns = list(moment.turns)
    while len(turns) > 1:
        middle = next((i for i, turn in enumerate(turns) if turn.number == moment.message), 0)
        turns.pop(0 if middle > len(turns) - 1 - middle else -1)
        yield replace(moment, turns=tuple(turns))
    for turn in turns:
        longest = len(turn.text) * 3 // 4
        while longest >= LEAST_TEXT:
            yield replace(moment, turns=(replace(turn, text=clip(turn.text, moment.hit.terms, longest)),))
            longest = longest * 3 // 4


def _same_day(entries: Sequence[Entry], centre: Entry) -> Sequence[Entry]:
    """Return the messages within a day of the one that matched: a chat may go on weeks later."""
    here = _local(centre.message.time, UTC)
    if here is None:
        return entries
    times = ((entry, _local(entry.message.time, UTC)) for entry in entries)
    return [entry for entry, at in times if at is None or abs(at - here) <= timedelta(days=1)]


def _when(time: str | None, session: str, zone: tzinfo | None) -> str:
    """Return the day, and the part of the day if the tape knows the time."""
    here = _local(time, zone)
    if here is None:
        return _day(session[:10])
    part = next(words for until, words in _HOURS if here.hour < until)
    return f"{day_in_words(here.date())}, {part}"


def _local(time: str | None, zone: tzinfo | None) -> datetime | None:
    """Return a time on the tape in a zone; None where it is unknown."""
    try:
        at = datetime.fromisoformat(time) if time else None
        return at.astimezone(zone) if at is not None and at.tzinfo is not None else None
    except (OverflowError, ValueError):
        return None


def _day_of(time: str | None, session: str, zone: tzinfo | None) -> date | None:
    """Return the day a turn was said on."""
    here = _local(time, zone)
    try:
        return here.date() if here is not None else date.fromisoformat(session[:10])
    except ValueError:
        return None


def _day(day: str) -> str:
    try:
        return day_in_words(date.fromisoformat(day[:10]))
    except ValueError:
        return ""


def _plain(text: str) -> str:
    """Return the words without control characters; line ends and tabs stay."""
    return _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()

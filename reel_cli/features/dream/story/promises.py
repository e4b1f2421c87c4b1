"""Promises for a day that has passed, of which nothing was said since; found without a model."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from reel_cli.core.blockquote import plain_item
from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.days.sentence_time import tells_past
from reel_cli.core.evidence.grounding.date_words import days_elsewhere, month_elsewhere
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, sentences, telling
from reel_cli.core.exchange.reader.values import find_day
from reel_cli.core.files.checkpoint_file import read_checkpoint, session_of_checkpoint
from reel_cli.core.files.working_file import read_items, without_day
from reel_cli.core.frozen import frozen, late
from reel_cli.core.kit.snapshot import WORKING
from reel_cli.core.moment import day_in_words
from reel_cli.core.ports import bring
from reel_cli.core.tape.tape_view import read_session, speaker, standing_sessions
from reel_cli.core.values.change import one_line
from reel_cli.core.values.source import Ranges, holds
from reel_cli.core.values.talk import Entry, session_order
from reel_cli.features.dream.dream import Status, Thread
from reel_cli.features.dream.story.files import HISTORY
from reel_cli.features.dream.story.source import parse_sourced, ranges_of

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.holdings import Counter as TokenCounter

_LEAST = 5
"""Number of promises that a prompt has, however small its room is."""
_LONGEST = 240
"""Characters of a promise that are told."""
_LINE = late(r"(?P<day>\d{1,2} \w+ \d{4}), (?P<who>.+?): “(?P<words>.*)”")
"""Pattern of a promise as a prompt tells it."""
_SOON, _LATE = timedelta(days=31), timedelta(days=732)
"""Time after which a day has passed that cannot be computed: a weekday or next month, and any other."""
_OF_MONTH = late(
    r"(?:[^\W\d]+ ){0,2}(?:le|el|il|dia|am|the)? ?(\d{1,2})(?:st|nd|rd|th|\.|-го|[日号號])?"
    r"(?:[にのは、]|から|です)?"
)
"""Pattern of the words for a day that tell nothing but its number in its month."""
_TOMORROW = (
    (
        2,
        late(
            r"(?i)übermorgen|après-demain|pasado mañana|depois de amanhã|dopodomani|послезавтра"
            r"|明後日|あさって|[后後]天"
        ),
    ),
    (1, late(r"(?i)\b(?:morgen|demain|mañana|amanhã|domani|завтра)\b|明日|あした|明天")),
)
_WEEKDAYS = tuple(
    late(rf"(?i)\b(?:{names})|{sign}曜|(?:星期|周|週|礼拜|禮拜){han}")
    for names, sign, han in (
        ("montag|lundi|lunes|segunda|luned|понедельник", "月", "一"),
        ("dienstag|mardi|martes|terça|marted|вторник", "火", "二"),
        ("mittwoch|mercredi|miércoles|quarta|mercoled|сред[уые]", "水", "三"),
        ("donnerstag|jeudi|jueves|quinta|gioved|четверг", "木", "四"),
        ("freitag|vendredi|viernes|sexta|venerd|пятниц", "金", "五"),
        ("samstag|sonnabend|samedi|sábado|sabato|суббот", "土", "六"),
        ("sonntag|dimanche|domingo|domenica|воскресен", "日", "[日天]"),
    )
)
_NEXT = late(
    r"(?i)\bnächst|\bprochaine?\b|\bpróxim|que viene|que vem|\bprossim|\bследующ|来週"
    r"|下个?(?:周|星期|礼拜)|下週"
)
"""Pattern of words that put a weekday into the week after."""
_FAR = late(r"\d|year|jahr|année|\ban\b|año|\bano\b|год|年|[月日]")
_WORD, _HAN = late(r"[^\W\d_]{4,}"), late(r"[぀-ヿ㐀-鿿]{2,}")
_GRAMMAR = late(r"[぀-ゟ]{2}")
_SEVERAL = 3
"""Number of turns up to which a word is rare, in a tape of any length."""
_SHARE = 0.02


_TAKES_BACK = late(
    r"(?i)\W*(?:(?:no|nah|nope|wait|actually|nein|doch|non|não|нет)\b(?=\s*(?:[.,!…—–-]|$))"
    r"|no,? i (?:won|can|don)['’]t\b|(?:or (?:not|rather)|not really|i (?:mean|won['’]t|can['’]t))\b|いや|不)"
    r"|.*\b(?:scratch that|never ?mind|forget (?:it|that)|kidding|joking|take (?:it|that) back)\b"
)
"""Pattern of the sentence behind a promise that takes it back: `I'm going to sail out. No. No boat.`"""
_PLAIN = late(r"(?i)\bI(?:['’]ll| will| promise)\b|\b(?:ich|je|yo|eu|io|я)\b|\bj['’]")
"""Pattern of a promise in the first person."""
_NAMES_DAY = late(
    r"(?i)\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|\d{1,2}(?:st|nd|rd|th)|tomorrow|tonight)\b"
)


@frozen
class DuePromise:
    """A promise as a prompt tells it, and whether it is sure that it was for a day that has passed."""

    line: str
    is_sure: bool


@frozen
class _Promise:
    """A sentence that promises something: where, how it is told, its words without its day, and that day.

    `is_plain` is true of a promise in the first person whose day can be computed.
    """

    session: str
    number: int
    said: date
    line: str
    roots: frozenset[str]
    days: frozenset[str]
    is_plain: bool


def find_promises(
    snapshot: "Snapshot", parts: Mapping[str, Ranges], today: str, threads: Sequence[Thread] = ()
) -> tuple[DuePromise, ...]:
    """Return what was promised in these parts for a day before `today` (ISO 8601), and not spoken of since.

    `threads` are those that are listed already. A later chat speaks of a promise where one of its turns has
    a rare word of it, or two; of one without rare words, any; or says what was on its day. What was dreamt of
    before its day had passed is asked about by the first dream after it. Only a plain promise is sure, of
    which no later turn has a word or the day.
    """
    found = [one for one in _promised(snapshot, parts, today) if one.roots]
    earlier, since = _dreamt_before(snapshot, today)
    found += [one for one in _promised(snapshot, earlier, today, since) if one.roots]
    found = _without_closed(snapshot, found) if found else []
    open_ones = _not_taken_up(snapshot, found) if found else []
    sure = {one.line: is_sure for one, is_sure in open_ones}
    return tuple(DuePromise(line, sure[line]) for line in find_unlisted(tuple(sure), threads))


def find_unlisted(lines: Sequence[str], threads: Sequence[Thread]) -> Sequence[str]:
    """Return the promises that no thread names: with two of their words, or of the same day with one.

    A thread of the same day and person that is for the same day names it in other words. Words that several
    of the promises have tell them apart only where they have no others.
    """
    listed = [(_roots(one.text), one.day) for one in threads]
    due = {(_in_words(one.day), one.owner, day) for one in threads for day in _day_names(one.text)}
    every = {line: _roots(line.partition(",")[2].partition("“")[2]) for line in lines}
    counts = Counter(word for own in every.values() for word in own)
    found = []
    for line, words in every.items():
        day, _, rest = line.partition(", ")
        if any((day, rest.partition(": “")[0], named) in due for named in _day_names(rest)):
            continue
        own = frozenset(word for word in words if counts[word] == 1) or words
        if not any(
            len(own & other) >= (1 if _in_words(when) == day else min(2, len(own))) for other, when in listed
        ):
            found.append(line)
    return found


def as_threads(lines: Sequence[str], known: int) -> Sequence[Thread]:
    """Return promises as open threads, numbered on from `known`, each in the words that were said."""
    parts = [_LINE.fullmatch(line) for line in lines]
    return [
        Thread(known + place, Status.OPEN, find_day(part["day"]), part["who"], f"“{part['words']}”")
        for place, part in enumerate(filter(None, parts), start=1)
    ]


def tell_promises(lines: Sequence[str], room: int, counter: "TokenCounter") -> str:
    """Return the promises as a list, the newest that fit into `room` tokens, with a count of the others."""
    told = [f"- {plain_item(line)}" for line in lines]
    kept, left = 0, room
    for line in reversed(told):
        left -= counter.count(line) + 1
        if left < 0 and kept >= _LEAST:
            break
        kept += 1
    older = len(told) - kept
    more = [f"- and {older:,} older {'one' if older == 1 else 'ones'}, for which there is no room here"]
    return "\n".join([*(more if older else []), *told[older:]])


def _dreamt_before(snapshot: "Snapshot", today: str) -> tuple[Mapping[str, Ranges], str]:
    """Return what earlier dreams have read, by session, and the day of the last of them.

    Nothing where this dream has written a chapter: the one before it asked.
    """
    chapters = parse_sourced(snapshot.text(HISTORY) or "")
    days = [one.day[:10] for one in chapters if one.day]
    if not days or max(days) >= today:
        return {}, ""
    return ranges_of(chapters), max(days)


def _promised(
    snapshot: "Snapshot", parts: Mapping[str, Ranges], today: str, since: str = ""
) -> Iterator[_Promise]:
    """Yield the promises of these parts for a day before `today`, and none from before `since`."""
    settings = snapshot.settings
    names = _roots(" ".join(settings.people))
    for session, ranges in parts.items():
        try:
            shown = read_session(snapshot, session).shown()
        except ReelError:
            if not since:
                raise
            # an earlier chat may be gone by now
            continue
        for entry in shown:
            if not holds(ranges, entry.number or 0):
                continue
            said = _day(entry, session)
            for find in bring("promises"):
                for words, day in find(entry.message.text, own=entry.message.role == "assistant"):
                    last, is_known = _last_day(words, day, said)
                    if not since <= last.isoformat() < today or _is_taken_back(words, entry.message.text):
                        continue
                    who = speaker(entry, user=settings.user, persona=settings.name)
                    told = f"{day_in_words(said)}, {who}: “{one_line(words, _LONGEST)}”"
                    roots = _roots(words.replace("’", "'").replace(day, " ")) - names
                    is_plain = is_known and _PLAIN.search(words) is not None
                    days = _day_names(words)
                    yield _Promise(session, entry.number or 0, said, told, roots, days, is_plain)


def _is_taken_back(words: str, text: str) -> bool:
    """Return whether the sentence behind a promise takes it back."""
    _, _, behind = even(text).partition(even(words))
    after = next(
        (behind[start:end] for start, end in sentences(behind) if behind[start:end].strip(" .!?")), ""
    )
    return _TAKES_BACK.match(after) is not None


def _day_names(text: str) -> frozenset[str]:
    """Return the weekdays and the numbers of days that a text has."""
    return frozenset(one.casefold().removesuffix("s") for one in _NAMES_DAY.findall(text))


def _last_day(words: str, day: str, said: date) -> tuple[date, bool]:
    """Return the last day that a promise may be for, and whether it is known: any month has a `14th`."""
    ahead = ([last for _, last in one.spans if last > said] for one in dates(even(words), said))
    ends = [min(one) for one in ahead if one]
    ends += filter(None, (_next_day(said, *named) for _, _, *named in days_elsewhere(words)))
    is_known = bool(ends)
    if not ends and (month := month_elsewhere(day)):
        ends.append(_end_of_next(said, month))
    elif not ends and (number := _OF_MONTH.fullmatch(day.casefold())):
        ends += filter(None, [_next_numbered(said, int(number[1]))])
    elif not ends and (named := _named_elsewhere(said, day, words)):
        ends.append(named)
        is_known = True
    is_known = is_known and not _OF_MONTH.fullmatch(day.casefold())
    return max(ends, default=said + (_LATE if _FAR.search(day.casefold()) else _SOON)), is_known


def _named_elsewhere(said: date, day: str, words: str) -> date | None:
    """Return the day of a weekday or of tomorrow in another language than English; None for neither."""
    for after, pattern in _TOMORROW:
        if pattern.search(day):
            return said + timedelta(days=after)
    found = next((place for place, one in enumerate(_WEEKDAYS) if one.search(day)), None)
    if found is None:
        return None
    later = 7 if _NEXT.search(words) else 0
    return said + timedelta(days=((found - said.weekday() - 1) % 7) + 1 + later)


def _next_day(said: date, year: int, month: int, day: int) -> date | None:
    """Return the day that is meant by a day of a month, the next of its name where no year is given."""
    for one in (year,) if year else (said.year, said.year + 1):
        try:
            found = date(one, month, day)
        except ValueError:
            continue
        if found >= said:
            return found
    return None


def _end_of_next(said: date, month: int) -> date:
    """Return the last day of the next month of a number, which may be the one that is."""
    year = said.year + (month < said.month) + month // 12
    return date(year, month % 12 + 1, 1) - timedelta(days=1)


def _next_numbered(said: date, number: int) -> date | None:
    """Return the next day with this number in its month; None where no month has it."""
    days = (said + timedelta(days=after) for after in range(1, 63))
    return next((one for one in days if one.day == number), None)


def _not_taken_up(snapshot: "Snapshot", found: Sequence[_Promise]) -> Iterator[tuple[_Promise, bool]]:
    """Yield the promises of which no later chat speaks, and whether no later turn has a word of it either."""
    wanted = frozenset[str]().union(*(one.roots for one in found))
    first = min(session_order(one.session) for one in found)
    turns: list[_LaterTurn] = []
    count, counts = 0, Counter[str]()
    for session in standing_sessions(snapshot):
        if session_order(session) < first:
            continue
        for entry in read_session(snapshot, session).shown():
            count += 1
            text = entry.message.text
            common, days = wanted & _roots(text), _day_names(text)
            if common or days:
                place = (session_order(session), entry.number or 0)
                turns.append(_LaterTurn(place, _day(entry, session), common, days, text))
                counts.update(common)
    often = max(_SEVERAL, round(count * _SHARE))
    rare = frozenset(word for word in wanted if counts[word] <= often)
    for one in found:
        order = session_order(one.session)
        after = [turn for turn in turns if turn.place > (order, one.number)]
        later = [turn for turn in after if turn.place[0] > order]
        if not any(
            _tells_of_day(turn, one)
            or (
                (common := turn.roots & one.roots)
                and (len(common) > 1 or common & (one.roots & rare or one.roots))
            )
            for turn in later
        ):
            shares = any(turn.roots & one.roots or turn.days & one.days for turn in after)
            yield one, one.is_plain and not shares


@frozen
class _LaterTurn:
    """A turn after a promise: its place, its day, the words of promises and the days that it has."""

    place: tuple[tuple[str, int], int]
    day: date
    roots: frozenset[str]
    days: frozenset[str]
    text: str


def _tells_of_day(turn: _LaterTurn, promise: _Promise) -> bool:
    """Return whether a turn soon after a promise has the number of its day, or tells of its weekday."""
    common = turn.days & promise.days
    if not common or turn.day - promise.said > _SOON:
        return False
    text = even(turn.text)
    told = (text[start:end] for start, end in sentences(text))
    return any(day[0].isdigit() for day in common) or any(
        tells_past(one) for one in told if common & _day_names(one)
    )


def _without_closed(snapshot: "Snapshot", found: Sequence[_Promise]) -> list[_Promise]:
    """Return the promises but those that were a note of their own chat's page, which stands no more.

    A page closed it then, or said what came of it: `i rang them` has hardly a word of the promise.
    """
    standing = [_roots(without_day(one.text)) for one in read_items(snapshot.text(WORKING) or "")]
    noted: dict[str, list[frozenset[str]]] = {}
    for path in snapshot.checkpoints:
        loops = read_checkpoint(snapshot.text(path) or "", path).get("open_loops", "")
        noted.setdefault(session_of_checkpoint(path), []).extend(map(_roots, loops.splitlines()))

    def is_noted(one: _Promise, notes: Sequence[frozenset[str]]) -> bool:
        least = max(_LEAST_NOTED, len(one.roots) * _MOST_NOTED)
        return any(len(one.roots & note) >= least for note in notes)

    return [one for one in found if is_noted(one, standing) or not is_noted(one, noted.get(one.session, ()))]


_LEAST_NOTED, _MOST_NOTED = 2, 0.6
"""Words of a promise that a note made of it has, and their share of the promise's."""


def _in_words(day: str) -> str:
    """Return a thread's day in words; "" where it is none."""
    try:
        return day_in_words(date.fromisoformat(day))
    except ValueError:
        return ""


def _day(entry: Entry, session: str) -> date:
    return date.fromisoformat((entry.message.time or session)[:10])


def _roots(text: str) -> frozenset[str]:
    """Return the roots of a text's longer words; of a script without spaces, each two letters."""
    plain = even(text)
    found = frozenset[str]().union(*(_root(word) for word in _WORD.findall(plain) if not _HAN.search(word)))
    pairs = (run[at : at + 2] for run in _HAN.findall(plain) for at in range(len(run) - 1))
    # two signs of grammar stand in every sentence
    return found.union(pair for pair in pairs if not _GRAMMAR.fullmatch(pair))


@lru_cache(maxsize=50_000)
def _root(word: str) -> frozenset[str]:
    return telling(word)

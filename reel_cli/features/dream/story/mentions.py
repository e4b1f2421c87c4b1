"""Open threads that later turns speak of, or whose day has passed: found without a model, which is asked."""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.blockquote import plain_item
from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.days.sentence_time import tells_past
from reel_cli.core.evidence.grounding.date_words import MONTHS, WEEKDAYS
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, sentences, telling
from reel_cli.core.frozen import frozen, late
from reel_cli.core.moment import day_in_words
from reel_cli.core.question_words import is_question
from reel_cli.core.tape.last_turns import day_said
from reel_cli.core.tape.tape_view import read_session, speaker
from reel_cli.core.values.change import one_line
from reel_cli.core.values.source import Ranges, holds
from reel_cli.core.values.talk import Entry, session_order
from reel_cli.features.dream.dream import Status, Thread
from reel_cli.features.dream.story.files import HISTORY
from reel_cli.features.dream.story.source import SourcedChapter, parse_sourced, ranges_of

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.holdings import Counter as TokenCounter

MOST = 16
"""Maximum number of threads in one prompt."""
_LONGEST = 200
"""Characters of a turn that are told."""
_ENOUGH = 0.5
"""Share of a thread's words, by their rarity, that a sentence must have to speak of it."""
_ENOUGH_OF_TWO = 0.33
"""The same share of a thread of two words: the thing, and what is to be done with it (`fix the bike`)."""
_ENOUGH_REMINDED = 0.2
"""The same share where a sentence reminds the thread's owner of it."""
_RARE = 4
"""Number of messages up to which one word alone shows that a thread is meant."""
_HEAD = "\n## "
_WORD = late(r"[^\W\d_]{4,}")
_CLAUSES = late(r"[;.]\s+|,?\s+(?:and|but)\s+")
_WHOLE = late(r"[^\W\d_]+")
_NAME = late(r"(?<=[\w,;] )[^\W\da-z_][^\W\d_]+|\A[^\W\da-z_][^\W\d_]+(?='s)")
"""Pattern of a name within a thread."""
_AGREED = late(
    r"(?i)\b(?:promis|agree|plan|book|arrang|schedul|invit|offer|want|owe|said|told|ask|mov|postpon|set)\w*"
)
"""Pattern of a past that is about a day to come: `booked for 12 March`."""
_ENGLISH = late(r"(?i)\b(?:the|to|of|and|with|for|his|her|my)\b")
_ADDRESSED = late(
    r"(?i)\byou(?: have| had|['’]ve|['’]d)? (?:never|not|still"
    r"|(?:did|have|had|do)(?: not|n['’]t)|promised|forgot|owe"
    r"|(?:wanted|meant|were going|were supposed) to|said you)\b"
    r"|\b(?:did|have|will) you (?:ever|still)\b|\bwhat (?:about|became of|happened (?:to|with))\b"
    r"|\b(?:du (?:hast|hattest)|hast du)\b.*\b(?:nie|nicht|versprochen|vergessen)\b"
    r"|\b(?:du wolltest|wolltest du)\b"
    r"|\btu (?:ne )?(?:m['’]as|me l['’]as|n['’]as) (?:jamais|toujours pas)\b"
    r"|\btu (?:avais promis|as oublié|devais)\b"
    r"|\bnunca me \w+|\bme prometiste\b|\b(?:olvidaste|todavía no me)\b|\bnon mi hai\b|\bhai dimenticato\b"
    r"|\bmi avevi promesso\b|\bvocê (?:nunca|prometeu|esqueceu)\b|\bты (?:так и не|никогда|обещал|забыл)"
)
"""Pattern of a sentence that reminds another of what was not done yet: `You never told me`."""
_HAND = 0.8
"""Share of the best sentence's weight from which on a chat may be the one a thread comes from."""


@frozen
class Mention:
    """An open thread, the turns that speak of it, as a prompt tells them, and its day if it has passed."""

    thread: Thread
    turns: tuple[str, ...]
    passed: str = ""


@frozen
class _Line:
    """A sentence of a chat: the message it stands in, its day, who says it, its words and their roots."""

    session: str
    number: int
    day: str
    who: str
    text: str
    roots: frozenset[str]

    @property
    def place(self) -> tuple[str, tuple[str, int], int]:
        """Return its place in what was said: a chat may go on after others."""
        return self.day, session_order(self.session), self.number


def earlier_parts(snapshot: "Snapshot") -> Mapping[str, Ranges]:
    """Return what the story's last chapter was woven from, by session; nothing where that is not known."""
    return ranges_of(_last_two(snapshot)[-1:])


def _last_two(snapshot: "Snapshot") -> Sequence[SourcedChapter]:
    """Return the last two chapters of the story, which may be a long one."""
    text = snapshot.text(HISTORY) or ""
    start = text.rfind(_HEAD, 0, max(text.rfind(_HEAD), 0))
    return parse_sourced(text[start + 1 :])[-2:]


def read_parts(snapshot: "Snapshot", parts: Mapping[str, Ranges]) -> Iterator[tuple[str, Entry]]:
    """Yield the messages of these parts that can be read, each with its session."""
    for session, ranges in parts.items():
        try:
            shown = read_session(snapshot, session).shown()
        except ReelError:
            continue
        yield from ((session, entry) for entry in shown if holds(ranges, entry.number or 0))


def passed_day(thread: Thread, until: str) -> str:
    """Return the last day (ISO 8601) that a thread names, if it came before `until`; else ""."""
    try:
        day = date.fromisoformat(thread.day)
    except ValueError:
        return ""
    # the day on which something happened is not the day by which it is due
    due = "; ".join(part for part in _CLAUSES.split(even(thread.text)) if not _is_over(part))
    # a weekday alone is mostly one of many
    whens = (one for one in dates(due, day) if one.weekday is None)
    ends = [last for one in whens for _, last in one.spans]
    last = max(ends, default=day).isoformat()
    return last if thread.day < last < until else ""


def _is_over(part: str) -> bool:
    """Return whether a part of a thread tells of something that happened, and not of what was agreed."""
    return tells_past(part) and not _AGREED.search(part)


def find_mentions(
    snapshot: "Snapshot", parts: Mapping[str, Ranges], threads: Sequence[Thread]
) -> tuple[Mention, ...]:
    """Return the open threads that this stretch speaks of again, or whose day has passed by its end.

    A thread of the stretch before is also looked for in the rest of that one: the reply that began it may not
    have read on to its end. Where several people talk, only chats of those count whom the thread names.
    """
    still = [one for one in threads if one.status is Status.OPEN]
    if not still or not parts:
        return ()
    chapters = _last_two(snapshot)
    before = ranges_of(chapters[-1:])
    settings = snapshot.settings
    both = {name: (*before.get(name, ()), *parts.get(name, ())) for name in (*before, *parts)}
    lines = sorted(_lines(snapshot, both), key=lambda line: line.place)
    by_place = {(line.session, line.number): line for line in reversed(lines)}
    people = _people(lines, settings.name)
    names = telling(" ".join((*settings.people, *people)))
    counts = Counter[str]()
    for roots in _by_message(lines).values():
        counts.update(roots)
    last = max((line.day for line in _within(lines, parts)), default=max(parts)[:10])
    first = min((line.day for line in lines), default=min(parts)[:10])
    # threads of a day that the chapter before that one also read were asked about with that one
    asked = {session[:10] for one in chapters[:-1] for session in one.sessions}
    found: list[tuple[float, Mention]] = []
    for thread in still:
        own = _roots(thread.text) - names - _DAYS
        is_older = thread.day < first or thread.day in asked
        of_these = _of_these(_within(lines, parts) if is_older else lines, _named(thread, people))
        scored = _scored(thread, own, of_these, counts)
        passed = passed_day(thread, last)
        passed = passed if passed >= first else ""
        if scored or passed:
            newest = _with_answer(_newest(scored, settings.name), by_place, settings.name)
            turns = tuple(map(_tell, newest))
            weight = max((weight for weight, _ in scored), default=1.0)
            found.append((weight, Mention(thread, turns, passed)))
    best = sorted(found, key=lambda one: -one[0])[:MOST]
    return tuple(sorted((one for _, one in best), key=lambda one: one.thread.number))


def tell_mentions(found: Sequence[Mention], room: int, counter: "TokenCounter") -> str:
    """Return the threads as a prompt lists them, the newest that fit into `room` tokens; "" for none."""
    kept: list[str] = []
    left = room
    for one in reversed(found):
        thread = one.thread
        lines = [f"{thread.number}. {thread.day} · {thread.owner} · {plain_item(thread.text)}"]
        lines += [f"   - {plain_item(turn)}" for turn in one.turns]
        if one.passed:
            lines.append(f"   - Its day has passed: {day_in_words(date.fromisoformat(one.passed))}.")
        told = "\n".join(lines)
        left -= counter.count(told) + 1
        if left < 0:
            break
        kept.insert(0, told)
    return "\n".join(kept)


def _lines(snapshot: "Snapshot", parts: Mapping[str, Ranges]) -> Iterator[_Line]:
    settings = snapshot.settings
    for session, entry in read_parts(snapshot, parts):
        day = day_said(session, entry.message.time or "")
        who = speaker(entry, user=settings.user, persona=settings.name)
        text = even(entry.message.text)
        for start, end in sentences(text):
            told = text[start:end].strip()
            if roots := _roots(told):
                yield _Line(session, entry.number or 0, day, who, told, roots)


def _by_message(lines: Sequence[_Line]) -> Mapping[tuple[str, int], frozenset[str]]:
    found: dict[tuple[str, int], frozenset[str]] = {}
    for line in lines:
        place = line.session, line.number
        found[place] = found.get(place, frozenset()) | line.roots
    return found


def _people(lines: Sequence[_Line], persona: str) -> frozenset[str]:
    return frozenset(line.who for line in lines if line.who != persona)


def _named(thread: Thread, people: Collection[str]) -> Collection[str]:
    """Return the people a thread names, where several talk; nobody where it does not matter."""
    if len(people) < 2:
        return ()
    words = frozenset(_WORD.findall(f"{thread.owner} {thread.text}"))
    return [one for one in people if words.intersection(_WORD.findall(one))]


def _within(lines: Sequence[_Line], parts: Mapping[str, Ranges]) -> Sequence[_Line]:
    return [line for line in lines if holds(parts.get(line.session, ()), line.number)]


def _of_these(lines: Sequence[_Line], people: Collection[str]) -> Sequence[_Line]:
    """Return the lines of chats in which one of these people talks; all for nobody."""
    theirs = {line.session for line in lines if not people or line.who in people}
    return [line for line in lines if line.session in theirs]


def _scored(
    thread: Thread, own: frozenset[str], lines: Sequence[_Line], counts: Counter[str]
) -> list[tuple[float, _Line]]:
    """Return the sentences after a thread's own chat that speak of it, each with its weight."""
    size = sum(counts.values()) + 1
    worth = {root: math.log(size / (counts[root] + 1)) for root in own}
    whole = sum(worth.values())
    if not whole:
        return []
    found: list[tuple[float, _Line]] = []
    names = {name: telling(name) for name in _NAME.findall(even(thread.text))}
    of_names = frozenset[str]().union(*names.values())
    # German begins every noun with a capital
    is_english = _ENGLISH.search(thread.text) is not None
    least = _ENOUGH_OF_TWO if len(own) == 2 else _ENOUGH
    for line in lines:
        common = own & line.roots
        if common & of_names:
            # `live` has the root of `Liv`; and a name alone is said of many matters
            said = frozenset(_WHOLE.findall(line.text))
            meant = (roots for name, roots in names.items() if name in said)
            common -= of_names - frozenset[str]().union(*meant)
            common = common if common - of_names or not is_english or own <= of_names else frozenset()
        weight = sum(worth[root] for root in common) / whole
        alone = len(common) == 1 and counts[next(iter(common))] > _RARE
        enough = _ENOUGH_REMINDED if line.who != thread.owner and _ADDRESSED.search(line.text) else least
        if weight >= min(enough, least) and not alone and line.day >= thread.day:
            found.append((weight, line))
    day = [(weight, line) for weight, line in found if line.day == thread.day]
    top = max((weight for weight, _ in day), default=0.0) * _HAND
    own_chat = next((line.session for weight, line in day if weight >= top), "")
    begin = (thread.day, session_order(own_chat)) if own_chat else ("", ("", 0))
    return [(weight, line) for weight, line in found if line.place[:2] > begin]


def _newest(scored: Sequence[tuple[float, _Line]], persona: str) -> Sequence[_Line]:
    """Return the best sentence of the newest message of each side: the persona's, and anybody else's."""
    best: dict[tuple[str, int], tuple[float, _Line]] = {}
    for weight, line in scored:
        place = line.session, line.number
        if place not in best or weight > best[place][0]:
            best[place] = weight, line
    newest = {line.who == persona: line for _, line in best.values()}
    return sorted(newest.values(), key=lambda line: line.place)


def _with_answer(
    newest: Sequence[_Line], by_place: Mapping[tuple[str, int], _Line], persona: str
) -> Sequence[_Line]:
    """Return the lines, with the beginning of the answer where the last is the persona's question."""
    last = newest[-1] if newest else None
    if last is None or last.who != persona or not is_question(last.text):
        return newest
    answer = by_place.get((last.session, last.number + 1))
    return newest if answer is None else [*newest, answer]


def _tell(line: _Line) -> str:
    return f"{day_in_words(date.fromisoformat(line.day))}, {line.who}: “{one_line(line.text, _LONGEST)}”"


def _roots(text: str) -> frozenset[str]:
    return telling(even(text)) - _IDLE


_IDLE = telling(
    "ask asked tell told find found went go goes way again promise promised want wanted said say saying know"
    " next last first how whether come back came here there need whose list day week month today tomorrow"
)
"""Roots that say only what is to be done about a matter, or when."""
_DAYS = telling(" ".join((*WEEKDAYS, *MONTHS)))

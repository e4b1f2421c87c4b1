"""Review of the notes that a page closes or changes: which go at once, stay open, or wait (REEL §6.6)."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date

from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, telling
from reel_cli.core.evidence.own_words import owes_deed
from reel_cli.core.evidence.phrases import Tape, find_claim, quotations
from reel_cli.core.exchange.open_ask import Ask, list_asked, match_items
from reel_cli.core.files import working_file
from reel_cli.core.files.working_file import without_day
from reel_cli.core.frozen import frozen, late
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.tape.talks import talk_day
from reel_cli.core.values.approval import (
    AHEAD,
    BINDING,
    NOT_SAID,
    TOO_MANY,
    UNANSWERED,
    UNBOUND,
    held_closings,
    is_mass_closing,
)
from reel_cli.core.values.artifact import Checkpoint, Delta
from reel_cli.core.values.change import name_some, one_line
from reel_cli.core.values.memory import Item
from reel_cli.core.values.talk import Session
from reel_cli.features.page.notes.note_likeness import (
    asks,
    is_question,
    list_words,
    noted_day,
    session_day,
)
from reel_cli.features.page.notes.settling_words import (
    OF_EVERYTHING,
    SettlingWords,
    find_earlier,
    find_settling_words,
    find_unsaid,
    has_word_of,
    is_told_over,
)
from reel_cli.features.page.prompt.loops import OF_LOOPS, find_closed, has_passed, is_ahead

HEADING = "Where things stand"
"""Heading on screen above the notes that a page changes."""
_BARE = "closed, with no words of the chat: "
"""Beginning of the line of a note that a page closes with no words."""
LEFT_OPEN = "still open, since the chat does not say that "
"""Beginning of the line of the notes that a page closes, and of which the chat does not say so."""
_SLIPPED = "kept as it was, since the change given for it is about something else: "
"""Beginning of the line of a note for which a page gives words about something else."""
_ELSEWHERE = "still open, since the words given for it are about something else: "
"""Beginning of the line of a note that a page closes with words about another, which stays."""
LONGEST_GIVEN = 100
"""Characters of the words that a page gives for what waits."""
DAY_PASSED = "its day has passed"
_OF_RETURN = telling("come comes back return returns write writes again here")
_BEGINNING = 3
"""Words with which a note and its change may both begin."""
_OWN_DEED = late(
    r"(?:\bI|\bI['’]ll|\A(?:To|I['’]ll))\s+(?:will\s+|shall\s+)?"
    r"(?:ask|tell|talk|speak|ring|call|send|write|bring|remind)\b|\A(?:Ask|Tell|Talk|Speak|Remind)\b"
)
"""Pattern of what the persona itself means to do."""
_FINDS_OUT = late(
    r"(?i)(?:getting to know|(?:to )?(?:find|finding|ask|asking|learn|learning|hear|hearing))\b"
)
"""Pattern of a note that asks after something without a question word."""


@frozen
class ClosingReview:
    """The notes that stay although a page closes or changes them, and what closes without its words."""

    stays: Sequence[Item] = ()
    """Items of which the chat does not say that they are done."""
    slipped: Sequence[Item] = ()
    """Items for which the page gives words that are about something else."""
    waits: Sequence[Item] = ()
    """Items that a person decides on, by the rule in `why`."""
    why: str = ""
    coming: Sequence[Item] = ()
    """Items that a person decides on as their day is still to come, by the rule in `why_coming`."""
    why_coming: str = ""
    bare: Sequence[tuple[Item, str]] = ()
    """Items that close with no words, or with these, which are about something else."""
    unsaid: Sequence[tuple[str, str, str]] = ()
    """Notes that close, each with words given for it that this chat does not have, and the chat with them."""
    meant: Sequence[tuple[Item, Item]] = ()
    """Some of the slipped items, each with the one other that the words given for it are plainly about."""
    elsewhere: Sequence[tuple[Item, str, str]] = ()
    """Items that stay open, each with the words given for closing it, and the note that those are about."""

    @property
    def held(self) -> Sequence[Item]:
        """Return all items that stay."""
        astray = [item for item, _, _ in self.elsewhere]
        return [*self.stays, *self.slipped, *self.waits, *self.coming, *astray]

    def meant_by(self, item: Item) -> Item:
        """Return the item that the words given for one are about: itself, unless its number slipped."""
        return next((other for slip, other in self.meant if slip == item), item)

    def closed(self, item: Item) -> str:
        """Return the line of an item that closes.

        It says so if no words are given for that, and tells words that share none with the note: whether
        they are of it only a person can see.
        """
        for one, words in self.bare:
            if one == item and words == DAY_PASSED:
                return f"closed: {without_day(item.text)} ({DAY_PASSED})"
            if one == item and words:
                return f"closed: {without_day(item.text)} (“{one_line(words, LONGEST_GIVEN)}”)"
            if one == item:
                return f"{_BARE}{without_day(item.text)}"
        for text, _, chat in self.unsaid:
            if text == item.text:
                whose = f"of the {name_chat(chat)}" if chat else "that are not in this chat"
                return f"closed, with words {whose}: {item.text}"
        return f"closed: {item.text}"

    def lines(self) -> Sequence[tuple[str, tuple[str, ...]]]:
        """Return what is shown of the notes that stay and of which nobody is asked."""
        lines = [f"{_SLIPPED}{one_line(item.text)}" for item in self.slipped]
        lines += [
            f"{_ELSEWHERE}{one_line(item.text)} (“{words}”, more likely for “{note}”)"
            for item, words, note in self.elsewhere
        ]
        if self.stays:
            are = "it is" if len(self.stays) == 1 else "they are"
            notes = "; ".join(one_line(item.text) for item in self.stays)
            lines.append(f"{LEFT_OPEN}{are} done: {notes}")
        return [(HEADING, tuple(lines))] if lines else []


def name_chat(session: str) -> str:
    """Return a chat by its day; by its name where that has none."""
    day = session_day(session)
    return f"chat of {day_in_words(day)}" if day is not None else f"chat {session}"


def review_closings(
    snapshot: Snapshot, checkpoint: Checkpoint, ask: Ask, session: Session, *, unattended: bool
) -> ClosingReview:
    """Return which of the notes that a page closes or changes stay as they are, and why.

    Words of the chat about a note close it, and so does its day, once it has passed. What binds the persona
    waits for a person without such words, but a promised deed closes with a deed that was told; so does
    what has its day ahead. Any other note closes all the same, but what the words deny or put ahead, and what
    is closed with words that neither tell of anything done nor stand beside a word of the note.
    `unattended`: nobody reads the page, so that what the chat never speaks of stays open, and what is closed
    with words never said, or among too many, waits.
    """
    items = working_file.read_items(snapshot.text(WORKING) or "")
    delta, day = checkpoint.delta, talk_day(snapshot, session)
    now = match_items(list_asked(ask.numbered, items), items)
    open_now = {n: item for n, item in now.items() if not _is_over(item, day)}
    names = telling(f"{snapshot.settings.name} {' '.join(snapshot.settings.people)}")
    said = frozenset().union(*(telling(entry.message.text) for entry in session.shown()))

    def hold_untouched(numbers: Iterable[int]) -> frozenset[int]:
        """Return the notes of which the chat has no word, where nobody reads the page."""
        mine = {n: telling(without_day(now[n].text)) - names - OF_EVERYTHING for n in numbers}
        return held_closings(len(items), mine, said) if unattended else frozenset()

    changed = {n: words for n, words in delta.changed if n in open_now}
    others = [n for n, words in changed.items() if _has_nothing_of(now[n].text, words, names)]
    slipped = {n for n in others if _is_slip(n, changed[n], now, names)} | hold_untouched(others)
    closed = {n: open_now[n] for n in delta.closed if n in open_now}
    over = {n: now[n] for n in delta.closed if n in now and n not in open_now}
    settled = _find_words(snapshot, session, now, closed, delta.settled_by)
    passed = find_settling_words(snapshot, session, over, over.keys(), delta.settled_by)
    idle = {
        n
        for n in settled.idle
        if not (_has_come(closed[n].text, day) or is_question(closed[n].text))
        and not is_told_over(session, closed[n].text, names)
    }
    broken = {
        n for n in passed.idle if _is_own_deed(over[n].text) or working_file.is_starting_item(over[n].text)
    }
    unsaid = find_unsaid(session, closed, delta.settled_by)
    stays = {*settled.denied}
    waits = {n for n, item in closed.items() if _is_bound(n, item, settled)} - stays
    whys = [UNBOUND] if waits else []
    if more := (idle | broken) - stays - waits:
        waits, whys = waits | more, [*whys, UNANSWERED]
    left = closed.keys() - settled.by.keys()
    untouched = hold_untouched(left)
    if unattended and is_mass_closing(len(items), len(left)):
        waits, stays, whys = waits | untouched, set(), [TOO_MANY]
    elif unattended:
        stays |= untouched - waits
        if more := unsaid.keys() - stays - waits:
            waits, whys = waits | more, [*whys, NOT_SAID]
        if more := {n for n in settled.far if _asks_for_more(closed[n], names)} - stays - waits:
            waits, whys = waits | more, [*whys, UNANSWERED]
    ahead = {n for n, item in closed.items() if day is not None and is_ahead(item.text, day)}
    coming = {
        n for n in ahead - {*settled.ends} - stays - waits if not is_told_over(session, now[n].text, names)
    }
    given = [(n, quote) for n, line in delta.settled_by for quote in quotations(line)]

    def tell_why(whys: Sequence[str], numbers: Collection[int]) -> str:
        """Return why some notes wait, the words given for them, and the notes that those are rather about."""
        mine = [(n, quote) for n, quote in given if n in numbers]
        strange = [(n, quote) for n, quote in mine if not settled.about.get(n)]
        meant = dict.fromkeys(
            f"“{one_line(note, LONGEST_GIVEN)}”"
            for n, quote in strange
            for note in _find_meant(n, quote, open_now, names)
        )
        words = one_line(" / ".join(quote for _, quote in mine), LONGEST_GIVEN)
        told = "; ".join([*whys, *([f"the page gives “{words}”"] if words else [])])
        return f"{told}, more likely for {name_some([*meant], 2)}" if meant else told

    astray = {
        n: (one_line(quote, LONGEST_GIVEN), note)
        for n, quote in given
        if n in closed.keys() - stays - waits - coming and not settled.about.get(n)
        for other in _find_another(n, quote, open_now, delta, names)
        for note in [one_line(without_day(now[other].text), LONGEST_GIVEN)]
    }
    closes = sorted(closed.keys() - stays - waits - coming - astray.keys())
    tape = Tape(session.shown())
    quoted = {
        n: quote
        for n, line in delta.settled_by
        for quote in quotations(line)
        if find_claim(tape, quote) is not None
    }
    told = {**quoted, **settled.short, **settled.by}
    return ClosingReview(
        stays=[now[n] for n in sorted(stays)],
        slipped=[now[n] for n in sorted(slipped)],
        waits=[now[n] for n in sorted(waits)],
        why=tell_why(whys, waits),
        coming=[now[n] for n in sorted(coming)],
        why_coming=tell_why([AHEAD], coming) if coming else "",
        bare=[
            *((now[n], told.get(n, "")) for n in closes if n not in unsaid and n not in settled.about),
            *_list_over(session, {n: over[n] for n in over.keys() - broken}, passed, delta.settled_by),
        ],
        unsaid=[
            (now[n].text, unsaid[n], find_earlier(snapshot, session, unsaid[n]))
            for n in closes
            if n in unsaid
        ],
        meant=[
            (now[n], open_now[other])
            for n in sorted(slipped)
            for other in _find_another(n, changed[n], open_now, delta, names)
        ],
        elsewhere=[(now[n], *astray[n]) for n in sorted(astray)],
    )


def _find_words(
    snapshot: Snapshot,
    session: Session,
    now: Mapping[int, Item],
    closed: Mapping[int, Item],
    lines: Sequence[tuple[int, str]],
) -> SettlingWords:
    """Return the words that settle closed notes: those that a page gives, and the user's plain sentences."""
    given = find_settling_words(snapshot, session, now, closed.keys(), lines)
    two = (snapshot.settings.name, snapshot.settings.user)
    told = [(two[1], entry.message.text) for entry in session.shown() if entry.message.role == "user"]
    plain = find_closed(dict.fromkeys((item.text for item in closed.values()), ""), told, two)
    by = {n: plain[item.text] for n, item in closed.items() if item.text in plain}
    about = {**given.about, **dict.fromkeys(by, True)}
    return replace(given, by={**by, **given.by}, about=about, ends={*given.ends, *by})


def _list_over(
    session: Session, over: Mapping[int, Item], settled: SettlingWords, lines: Sequence[tuple[int, str]]
) -> Iterator[tuple[Item, str]]:
    """Yield the items of a start, or of a day that passed, whose closing words have nothing of them."""
    for number, item in over.items():
        starts = working_file.is_starting_item(item.text) and not settled.about.get(number)
        if starts and number in settled.by:
            yield item, settled.by[number]
    for number in find_unsaid(session, over, lines):
        if number not in settled.by and not working_file.is_starting_item(over[number].text):
            yield over[number], DAY_PASSED


def _asks_for_more(item: Item, names: frozenset[str]) -> bool:
    """Return whether an answer to a note has a word of it; that somebody is back answers itself."""
    mine = telling(without_day(item.text)) - names - OF_EVERYTHING - OF_LOOPS - _OF_RETURN
    return is_question(item.text) and bool(mine)


def _is_bound(number: int, item: Item, settled: SettlingWords) -> bool:
    """Return whether a note binds the persona, and nothing that was said ends it."""
    ends = number in settled.by if owes_deed(item.text) else settled.about.get(number)
    return BINDING.search(item.text) is not None and not ends


def _is_own_deed(note: str) -> bool:
    """Return whether a note is of a deed that the persona owes: its day alone does not do it."""
    return _OWN_DEED.search(note) is not None or owes_deed(note)


def _has_come(note: str, day: date | None) -> bool:
    """Return whether a note is for a day that has come, and of no deed of the persona's."""
    if day is None or _is_own_deed(note):
        return False
    named = dates(even(without_day(note)), noted_day(note) or day, feasts=True)
    return any(first <= day for one in named for first, _ in one.spans)


def _is_over(item: Item, day: date | None) -> bool:
    """Return whether a note was for a day that has passed, or for a start: the prompt asks to close it."""
    return working_file.is_starting_item(item.text) or (day is not None and has_passed(item.text, day))


def _has_nothing_of(note: str, words: str, names: frozenset[str]) -> bool:
    """Return whether words have nothing of a note but the names of those who talk."""
    if list_words(note)[:_BEGINNING] == list_words(words)[:_BEGINNING]:
        return False
    mine, theirs = (telling(without_day(text)) - names - OF_LOOPS for text in (note, words))
    return bool(mine and theirs) and not has_word_of(mine, theirs)


def _is_slip(number: int, words: str, items: Mapping[int, Item], names: frozenset[str]) -> bool:
    """Return whether words that have nothing of a note are likely for another one.

    What answers a question may have none of its words: that is a slip where it has half of another note's.
    """
    note = items[number].text
    if BINDING.search(note) or not (asks(note) or _FINDS_OUT.match(note)):
        return True
    return any(True for _ in _find_meant(number, words, items, names))


def _find_meant(number: int, words: str, items: Mapping[int, Item], names: frozenset[str]) -> Iterator[str]:
    """Yield the other notes of which words have half."""
    said = telling(words) - names - OF_LOOPS
    for n, one in items.items():
        own = telling(without_day(one.text)) - names
        if n != number and 2 * len(said & own) >= max(1, len(own)):
            yield without_day(one.text)


def _find_another(
    number: int, words: str, items: Mapping[int, Item], delta: Delta, names: frozenset[str]
) -> Iterator[int]:
    """Yield the number of the one other note that words are plainly about, if the page leaves it as it is."""
    mine = telling(without_day(items[number].text)) - names - OF_LOOPS
    said = telling(words) - names - OF_LOOPS
    if has_word_of(mine, said):
        return
    settled = {*delta.closed, *(n for n, _ in delta.changed)}
    found = []
    for n, one in items.items():
        own = telling(without_day(one.text)) - names
        common = len(said & own)
        if n not in settled and common >= _PLAINLY and 2 * common >= max(len(own), len(said)):
            found.append(n)
    if len(found) == 1:
        yield found[0]


_PLAINLY = 2
"""Telling words that an answer shares with the note that it is about."""

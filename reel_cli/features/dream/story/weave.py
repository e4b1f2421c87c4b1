"""Weaving of a reply: its story, threads and facts held against the tape and against what stood before."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from reel_cli.core.exchange.reader.reply import ReplyReading
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.last_turns import day_said
from reel_cli.core.tape.tape_view import people_of, retracted
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line
from reel_cli.features.dream.batch import Batch
from reel_cli.features.dream.batch_checks import Checks, EarlierWork
from reel_cli.features.dream.cursor_file import CURSOR, parse_cursor
from reel_cli.features.dream.dream import Amendment, Chapter, Thread, ThreadWord
from reel_cli.features.dream.earlier_story import facts_anew
from reel_cli.features.dream.later_corrections import find_later
from reel_cli.features.dream.preview import Woven
from reel_cli.features.dream.reply import DREAM, Dreamt, Retold, hold_against, parse_dream
from reel_cli.features.dream.reply_amendments import split_joined, unread_amendments
from reel_cli.features.dream.reply_items import NO_SUCH_DAY
from reel_cli.features.dream.story.book import Book, open_book
from reel_cli.features.dream.story.files import HISTORY, REMEMBER
from reel_cli.features.dream.story.mentions import earlier_parts, passed_day, read_parts
from reel_cli.features.dream.story.missed_file import MISSED, parse_threads
from reel_cli.features.dream.story.promises import as_threads, find_unlisted
from reel_cli.features.dream.story.resting_threads import list_standing
from reel_cli.features.dream.story.source import read_prints
from reel_cli.features.dream.thread_closing import SaidInStretch, date_closings, is_own_question
from reel_cli.features.dream.word_print import print_of
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import parse_facts, with_standing_source
from reel_cli.features.facts.near_names import find_across
from reel_cli.features.facts.policy import current_facts, fact_name, is_firm, same_value

_DREAM_KEYS = frozenset(spec.key for spec in DREAM.fields)
_POINT = re.compile(r"[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]+\S|[ \t]*#{1,6}[ \t]")
_POINTS = 2
"""Points from which on a story is a list."""
_DAY = 10
_LONG = 3
"""A story so many times as long as was asked for is said to be."""


@dataclass(frozen=True, slots=True)
class _WeaveTexts:
    """The texts written so far, one at a time, since all of them at once would be a book."""

    books: Sequence[Iterable[Chapter]]
    threads: Sequence[Thread]

    def __iter__(self) -> Iterator[str]:
        """Yield each text."""
        yield from (chapter.text for chapter in chain(*self.books))
        yield from (thread.text for thread in self.threads)


def weave(snapshot: Snapshot, batch: Batch, reading: ReplyReading) -> Woven:
    """Return what a reply adds to the story, with its problems."""
    settings = snapshot.settings
    story, proposal = open_book(snapshot, HISTORY), open_book(snapshot, REMEMBER)
    # what rests because a chat was taken back is told anew, in the same words where they still hold
    gone = retracted(snapshot)
    chapters, advice = story.without(gone), proposal.without(gone)
    threads = list_standing(snapshot)
    now = {thread.number: thread for thread in threads}
    known = max((one.number for one in parse_threads(snapshot.text(MISSED) or "")), default=0)
    dreamt = parse_dream(reading, name=settings.name, user=settings.user, known=known)
    noted = read_prints(snapshot.read(HISTORY) or b"")
    checks = _begin_checks(snapshot, batch, dreamt, _WeaveTexts((chapters, advice), threads), noted.doubted)
    problems = [problem for problem in reading.findings if problem.field in _DREAM_KEYS]
    retold = hold_against(dreamt.story, (chapter.text for chapter in chapters))
    reproposed = hold_against(dreamt.remember, (chapter.text for chapter in advice))
    problems += [*_lost("story", retold), *_lost("proposal", reproposed)]
    told, quotes = checks.mend_quotes(retold.text)
    told, again = checks.recall_unsaid(told, noted.unsaid)
    advised, unsaid = checks.recall_unsaid(reproposed.text, noted.unsaid)
    proposed = checks.mark_proposals(advised)
    problems += [*quotes, *again, *unsaid]
    dreamt = _with_joined_apart(dreamt, story, proposal)
    dreamt, astray = _place(_with_quotes_mended(dreamt, checks, problems), story, proposal)
    problems += _left_out(astray, f"{told}\n{proposed}", dreamt, now)
    fresh = _new_threads(dreamt.threads, threads, checks, noted.unsaid, problems, told)
    fresh = [replace(one, day=one.day or _day_of(one, checks), owner=one.owner or "unclear") for one in fresh]
    names = people_of((entry for _, entry in checks.dated), settings)
    asks = [one for one in fresh if is_own_question(one, settings.name, checks.dated, names)]
    fresh = [one for one in fresh if one not in asks]
    # a regret is nothing that anybody waits for, and still worth having in mind
    proposed = "\n".join(filter(None, (proposed, *(one.text for one in asks))))
    fresh = [replace(one, number=known + place) for place, one in enumerate(fresh, start=1)]
    updates = [w for w in dreamt.words if w.number in now and w.status is not now[w.number].status]
    words, unclosed = _close(snapshot, checks, updates, now)
    problems += [
        Problem(
            "missed", f"“{one_line(now[one.number].text, 80)}” stays open: no turn of this stretch closes it"
        )
        for one in unclosed
    ]
    words = [replace(one, text=_mended(one.text, checks, noted.unsaid, problems)) for one in words]
    said = _said_facts(dreamt.facts, checks, noted.unsaid, problems)
    facts = _new_facts(snapshot, said, checks, max(batch.parts)[:10])
    length = len(told.split())
    if length > batch.words * _LONG:
        problems.append(
            Problem("history", f"The story has {length:,} words, where about {batch.words:,} were asked for")
        )
    if is_list(told):
        problems.append(Problem("history", "The story is a list of points; it was asked for in paragraphs"))
    problems += checks.claims([told], [one.text for one in fresh])
    problems += checks.scenes(told)
    problems += checks.clashes(told, [one.old for one in dreamt.amended])
    unlisted = find_unlisted(batch.promised, (*dreamt.threads, *threads))
    unlisted = [line for line in unlisted if line in batch.missed]
    return Woven(
        replace(dreamt, story=told, remember=proposed),
        tuple(fresh),
        tuple(words),
        tuple(facts),
        tuple(problems),
        tuple(dict.fromkeys(map(print_of, checks.unsaid))),
        tuple(checks.pointed),
        doubted=tuple(dict.fromkeys(map(print_of, checks.unborne))),
        unlisted=tuple(as_threads(unlisted, known + len(fresh))),
    )


def is_list(story: str) -> bool:
    """Return whether a story is nothing but points."""
    lines = [line for line in story.split("\n") if line.strip()]
    return len(lines) >= _POINTS and all(_POINT.match(line) for line in lines)


def _close(
    snapshot: Snapshot,
    checks: Checks,
    updates: Sequence[ThreadWord],
    now: Mapping[int, Thread],
) -> tuple[Sequence[ThreadWord], Sequence[ThreadWord]]:
    """Return the updates with their days, and the closings that no turn that the dream has read bears."""
    if not updates:
        return (), ()
    cursor = parse_cursor(so_far) if (so_far := snapshot.text(CURSOR)) else None
    since = min(now[one.number].day for one in updates)
    read = cursor.read if cursor is not None else earlier_parts(snapshot)
    # a session's name begins with its day; it may go on for some
    sessions = sorted(read)
    first = max(0, sum(one[:_DAY] < since for one in sessions) - 1)
    before = [
        (day_said(session, entry.message.time or ""), entry)
        for session, entry in read_parts(snapshot, {one: read[one] for one in sessions[first:]})
    ]
    until = max((day for day, _ in checks.dated), default="")
    passed = {one.number: passed_day(now[one.number], until) for one in updates}
    said = SaidInStretch(checks.dated, before, passed)
    return date_closings(updates, now, said, snapshot.settings.people)


def _begin_checks(
    snapshot: Snapshot, batch: Batch, dreamt: Dreamt, before: "_WeaveTexts", doubted: Collection[str]
) -> Checks:
    """Return the checks of a reply against what its batch held and what stood before."""
    texts = [dreamt.story, dreamt.remember]
    texts += [*(fact.value for fact in dreamt.facts), *(thread.text for thread in dreamt.threads)]
    cursor = parse_cursor(so_far) if (so_far := snapshot.text(CURSOR)) else None
    put_right = [(one.session, one.line) for one in find_later(snapshot, cursor)]
    return Checks(snapshot, batch.parts, EarlierWork(before, put_right, doubted), texts)


def _left_out(
    astray: Sequence[Amendment], told: str, dreamt: Dreamt, now: Mapping[int, Thread]
) -> Iterator[Problem]:
    """Yield the problem of each correction, and each word about a thread, that has no place."""
    for one in astray:
        what = f"“{one_line(one.old, 80)}” is not in the story, so its correction is left out"
        yield Problem("amend", what)
    for line in unread_amendments(told):
        what = f"“{one_line(line, 80)}” does not quote what it corrects; it stays as it is"
        yield Problem("amend", what)
    strange = (f"{word.number}: {word.status.value}" for word in dreamt.words if word.number not in now)
    for line in (*dreamt.unknown, *strange):
        what = f"“{one_line(line, 80)}” is about a thread that does not exist; it is left out"
        yield Problem("missed", what)


def _new_threads(  # noqa: PLR0913 (what is told, and all that it is held against)
    told: Sequence[Thread],
    threads: Sequence[Thread],
    checks: Checks,
    prints: Collection[str],
    problems: list[Problem],
    story: str,
) -> list[Thread]:
    """Return the threads that are not listed yet, with their quotations as they were said."""
    mended = [
        replace(one, text=_mended(one.text, checks, prints, problems))
        for one in told
        if not _is_known(one, threads)
    ]
    fresh = []
    for one in mended:
        if one.text and (checks.speaks_of(one.text) or not checks.is_in_its_language(story)):
            fresh.append(one)
        elif one.text:
            what = f"“{one_line(one.text, 80)}” is left out: nothing of it was spoken of in these chats"
            problems.append(Problem("missed", what))
    for one in fresh:
        if one.day == NO_SUCH_DAY:
            what = f"“{one_line(one.text, 80)}” names a day that does not exist; it is kept without one"
            problems.append(Problem("missed", what))
    return fresh


def _day_of(thread: Thread, checks: Checks) -> str:
    """Return the day of the turn that bears a thread; "unclear" where several days could be meant."""
    days = {day for day, _ in checks.dated}
    _, day = checks.locate(Fact("", "", thread.text, "medium"))
    return min(days) if len(days) == 1 else day or NO_SUCH_DAY


def _mended(text: str, checks: Checks, prints: Collection[str], problems: list[Problem]) -> str:
    """Return a line about a thread with its quotations checked against the tape."""
    mended, found = checks.mend_quotes(text)
    told, again = checks.recall_unsaid(mended, prints)
    problems += [*found, *again]
    return one_line(told)


def _said_facts(
    facts: Sequence[Fact], checks: Checks, prints: Collection[str], problems: list[Problem]
) -> list[Fact]:
    """Return the facts with their quotations as they were said, without those that rest on unsaid words."""
    made: list[Fact] = []
    for fact in facts:
        known = len(checks.unsaid)
        mended, found = checks.mend_quotes(fact.value)
        value, again = checks.recall_unsaid(mended, prints)
        if len(checks.unsaid) == known:
            made.append(replace(fact, value=value))
            problems += found
        else:
            why = "nobody said the words it quotes"
            problems += [*found, *again, Problem("facts", f"{fact.key}: not kept: {why}")]
    return made


def _with_quotes_mended(dreamt: Dreamt, checks: Checks, problems: list[Problem]) -> Dreamt:
    """Return the reply with its amendments' quotations checked against the tape."""

    def mended(amendments: Sequence[Amendment]) -> tuple[Amendment, ...]:
        made = []
        for one in amendments:
            new, found = checks.mend_quotes(one.new)
            problems.extend(found)
            made.append(replace(one, new=new))
        return tuple(made)

    return replace(dreamt, amended=mended(dreamt.amended), remember_amended=mended(dreamt.remember_amended))


def _with_joined_apart(dreamt: Dreamt, *books: Book) -> Dreamt:
    """Return the reply with amendments that stand on one line each by itself."""

    def stands(old: str) -> bool:
        return any(not book.amended([Amendment(old, "")], "")[1] for book in books)

    def apart(amendments: Sequence[Amendment]) -> tuple[Amendment, ...]:
        return tuple(one for joined in amendments for one in split_joined(joined, stands))

    return replace(dreamt, amended=apart(dreamt.amended), remember_amended=apart(dreamt.remember_amended))


def _place(dreamt: Dreamt, story: Book, proposal: Book) -> tuple[Dreamt, list[Amendment]]:
    """Return the reply with each amendment assigned to its file, and the amendments that fit neither."""
    of_story: list[Amendment] = []
    of_proposal: list[Amendment] = []
    astray: list[Amendment] = []
    for one in (*dreamt.amended, *dreamt.remember_amended):
        first, second = (story, proposal) if one in dreamt.amended else (proposal, story)
        home = next((book for book in (first, second) if not book.amended([one], "")[1]), None)
        (astray if home is None else of_story if home is story else of_proposal).append(one)
    return replace(dreamt, amended=tuple(of_story), remember_amended=tuple(of_proposal)), astray


def _lost(what: str, retold: Retold) -> list[Problem]:
    """Return the problem of a reply that repeats existing text, none of which is kept."""
    if not retold.again:
        return []
    paragraphs = "paragraph" if retold.again == 1 else "paragraphs"
    told = f"The reply writes {retold.again:,} {paragraphs} of the {what} again"
    if retold.left_out:
        first = one_line(retold.left_out[0], 80)
        told += f" and leaves out {len(retold.left_out):,} (“{first}”)"
    told += "; all of it stays as it stood"
    if retold.beside:
        told += ", and what tells it in other words stands beside it"
    return [Problem("loss", told)]


def _is_known(thread: Thread, threads: Sequence[Thread]) -> bool:
    words = frozenset(thread.text.casefold().split())
    return any(words == frozenset(other.text.casefold().split()) for other in threads)


def _new_facts(snapshot: Snapshot, facts: Sequence[Fact], checks: Checks, last: str) -> list[Fact]:
    """Return the facts that are not known yet, each with its source and what it replaces.

    Replies put the day of the `last` chat beside facts of others: the day of the turn that bears them holds.
    """
    noted = with_standing_source(snapshot, parse_facts(facts_anew(snapshot)))
    made: list[Fact] = []
    for told in facts:
        across = find_across(told, current_facts([*noted, *made]))
        # the same name under another kind is of the same thing
        fact = told if across is None else replace(told, category=across.category, key=across.key)
        name = fact_name(fact)
        alike = [one for one in (*noted, *made) if fact_name(one) == name]
        old = next(iter(current_facts(alike)), None)
        if old is not None and same_value(old.value, fact.value):
            continue
        if (old is None or is_firm(old)) and any(same_value(one.value, fact.value) for one in alike):
            # it was dropped, or the person's words hold instead
            continue
        known = [one.value for one in alike if is_firm(one)]
        source, day = checks.locate_people(fact, known)
        if not source:
            source, day = checks.locate(fact, known)
        when = day if day and fact.when in ("", last) else fact.when
        replaces = fact.replaces or (old.value if old else "")
        made.append(replace(fact, source=source, when=when, replaces=replaces))
    return made

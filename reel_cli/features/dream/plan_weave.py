"""Plan of a reply's change to the story, the missed, the proposal, the facts and the cursor."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain

from reel_cli.core.errors import StateError
from reel_cli.core.exchange.exchange import Answer, Offer
from reel_cli.core.exchange.reader.reply import ReplyReading
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.approval import is_in_first_person
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.fact import Fact
from reel_cli.core.values.source import covers, union
from reel_cli.features.dream.batch import Batch
from reel_cli.features.dream.batch_checks import Checks, EarlierWork
from reel_cli.features.dream.context.reply import answers_context
from reel_cli.features.dream.cursor_file import CURSOR, parse_cursor, render_cursor
from reel_cli.features.dream.dream import Amendment, Chapter, Cursor, DreamState, Thread
from reel_cli.features.dream.earlier_story import facts_anew, finish_facts, is_unfinished
from reel_cli.features.dream.later_corrections import find_later
from reel_cli.features.dream.preview import Woven, show_woven
from reel_cli.features.dream.reply import (
    DREAM,
    PARTS,
    Dreamt,
    Retold,
    batch_named,
    hold_against,
    parse_dream,
    read_dream,
    render_dream_rest,
)
from reel_cli.features.dream.reply_amendments import unread_amendments
from reel_cli.features.dream.reply_items import NO_SUCH_DAY
from reel_cli.features.dream.story.book import Book, open_book
from reel_cli.features.dream.story.files import HISTORY, REMEMBER
from reel_cli.features.dream.story.missed_file import MISSED, add_threads, parse_threads
from reel_cli.features.dream.story.promises import find_unlisted
from reel_cli.features.dream.story.source import read_prints
from reel_cli.features.dream.thread_closing import find_unclosed
from reel_cli.features.dream.word_print import print_of
from reel_cli.features.facts.files import FACTS, add_facts, parse_facts, read_facts
from reel_cli.features.facts.held_back import part_facts, part_firm, part_replacing, propose_facts
from reel_cli.features.facts.plan import find_late
from reel_cli.features.facts.policy import current_facts, fact_name, is_firm, same_value

OP = "dream"
MODEL = "Reel-Model"
"""Names the model that wrote what a commit adds."""
_LONG = 3
"""A story so many times as long as was asked for is said to be."""
_MOST = 10
"""A reply so many times as long as its story was to be is refused."""
_SPACE = 3_000
"""Words that a reply may always have."""


@dataclass(frozen=True, slots=True)
class Writer:
    """The model that wrote a reply, as the person says, and the last one on the tape; "" for unknown."""

    model: str = ""
    seen: str = ""


UNKNOWN = Writer()
IsLast = Callable[[Cursor], bool]
"""Function that returns whether nothing is left to read once the tape was read so far."""


def read_batch(snapshot: Snapshot, batch: Batch, reply: str) -> ReplyReading:
    """Return all replies to a batch so far, and this one, as one reading."""
    settings = snapshot.settings
    return read_dream((*batch.replies, reply), prompt=batch.prompt, names=(settings.name, batch.key))


def rest_prompt(snapshot: Snapshot, batch: Batch, reading: ReplyReading) -> str:
    """Return the prompt for the parts that are missing."""
    return render_dream_rest(snapshot.settings.name, snapshot.settings.user, reading, batch.key, batch.words)


def answer_batch(  # noqa: PLR0913 (a reply, and all it is read with)
    snapshot: Snapshot,
    batch: Batch,
    reply: str,
    now: datetime,
    is_last: IsLast,
    writer: Writer = UNKNOWN,
    reading: ReplyReading | None = None,
    *,
    unattended: bool = False,
) -> Answer:
    """Read a reply, hold it against the tape, and offer what it weaves as one change.

    `reading` is all replies to the batch, this one too, where they were read already. `unattended`: nobody
    looks at the offer, so that facts about the persona wait for a person's word.
    """
    if not reply.strip():
        return Answer(refusal="The reply is empty.")
    reading = reading or read_batch(snapshot, batch, reply)
    if reading.is_prompt:
        return Answer(refusal="That is the prompt itself, not the answer to it.")
    named = batch_named(reading, (*batch.replies, reply))
    if named and named != batch.key:
        return Answer(refusal=f"That answers about another part ({named}); this one is {batch.key}.")
    if not named and not batch.waiting:
        told = "That does not say which part it is about, and no prompt waits for its answer"
        return Answer(refusal=f"{told}; if it is this one, begin it with  Which stretch: {batch.key}")
    if answers_context(reply, (snapshot.settings.name,)):
        return Answer(refusal="That is a page about now; this asks about a part of the past.")
    words, space = sum(len(reading.text(part).split()) for part in PARTS), max(batch.words * _MOST, _SPACE)
    if words > space:
        told = f"The reply has {words:,} words, and there is room for {space:,} at most"
        return Answer(
            refusal=f"{told}; ask for it again, shorter.",
            problems=(Problem("reply", "Ask for it again, shorter"),),
        )
    if reading.missing:
        labels = ", ".join(f"“{spec.label}”" for spec in reading.missing)
        what = (
            "None of it could be read."
            if len(reading.missing) > 3
            else f"Not all of it came through: {labels}."
        )
        return Answer(refusal=what, problems=reading.findings)
    woven = _weave(snapshot, batch, reading)
    facts, waits = part_replacing(snapshot, woven.facts)
    facts, firm = part_firm(snapshot, facts)
    waits = [*waits, *firm]
    if unattended:
        facts, about = part_facts(facts, {}, snapshot.settings.name)
        mine = [one for one in facts if is_in_first_person(f"{one.key} {one.value}")]
        facts = [one for one in facts if one not in mine]
        waits = [*waits, *about, *mine]
    # a dream's fact that no turn bears is nobody's word
    waits = [*waits, *(one for one in facts if not one.source)]
    facts = [one for one in facts if one.source]
    late = find_late(snapshot, read_facts(snapshot), facts, get_tokenizer(snapshot.settings.tokenizer))
    problems = (*woven.problems, *(Problem("facts", f"{one.key}: {why}") for one, why in late))
    woven = replace(woven, facts=tuple(facts), waits=tuple(waits), problems=problems)
    if not named:
        told = f"It does not say which part it is about; it is taken for the one that waits ({batch.key})"
        woven = replace(woven, problems=(Problem("batch", told), *woven.problems))
    if not woven.dreamt.story:
        why = "that does not stand there already"
        why = "beside words that nobody said" if woven.unsaid else why
        return Answer(refusal=f"The story holds nothing {why}.", problems=woven.problems)
    offer = Offer(
        id=batch.key,
        title=f"Batch {batch.number}",
        heading=f"Batch {batch.number}, {batch.days}",
        shown=tuple(show_woven(snapshot, woven)),
        plan=lambda later: plan_batch(later, batch, woven, now, is_last, writer),
        told=_told(batch, woven),
    )
    return Answer((offer,), (), woven.problems)


@dataclass(frozen=True, slots=True)
class _WeaveTexts:
    """The texts written so far, one at a time, since all of them at once would be a book."""

    books: Sequence[Iterable[Chapter]]
    threads: Sequence[Thread]

    def __iter__(self) -> Iterator[str]:
        """Yield each text."""
        yield from (chapter.text for chapter in chain(*self.books))
        yield from (thread.text for thread in self.threads)


def _weave(snapshot: Snapshot, batch: Batch, reading: ReplyReading) -> Woven:
    settings = snapshot.settings
    story, proposal = open_book(snapshot, HISTORY), open_book(snapshot, REMEMBER)
    threads = parse_threads(snapshot.text(MISSED) or "")
    now = {thread.number: thread for thread in threads}
    known = max(now, default=0)
    dreamt = parse_dream(reading, name=settings.name, user=settings.user, known=known)
    texts = [dreamt.story, dreamt.remember]
    texts += [*(fact.value for fact in dreamt.facts), *(thread.text for thread in dreamt.threads)]
    cursor = parse_cursor(so_far) if (so_far := snapshot.text(CURSOR)) else None
    put_right = [(one.session, one.line) for one in find_later(snapshot, cursor)]
    noted = read_prints(snapshot.read(HISTORY) or b"")
    earlier = EarlierWork(_WeaveTexts((story, proposal), threads), put_right, noted.doubted)
    checks = Checks(snapshot, batch.parts, earlier, texts)
    problems = [problem for problem in reading.findings if problem.field in DREAM_KEYS]
    retold = hold_against(dreamt.story, (chapter.text for chapter in story))
    reproposed = hold_against(dreamt.remember, (chapter.text for chapter in proposal))
    problems += [*_lost("story", retold), *_lost("proposal", reproposed)]
    told, quotes = checks.mend_quotes(retold.text)
    told, again = checks.recall_unsaid(told, noted.unsaid)
    quotes += again
    proposed = checks.mark_proposals(reproposed.text)
    problems += quotes
    dreamt, astray = _place(_with_quotes_mended(dreamt, checks, problems), story, proposal)
    problems += [
        Problem("amend", f"“{one_line(one.old, 80)}” is not in the story, so its correction is left out")
        for one in astray
    ]
    problems += [
        Problem(
            "amend",
            f"“{one_line(line, 80)}” does not quote what it corrects; it stays as it is",
        )
        for line in unread_amendments(f"{told}\n{proposed}")
    ]
    problems += [
        Problem("missed", f"“{one_line(line, 80)}” is about a thread that does not exist; it is left out")
        for line in (
            *dreamt.unknown,
            *(f"{w.number}: {w.status.value}" for w in dreamt.words if w.number not in now),
        )
    ]
    fresh = tuple(thread for thread in dreamt.threads if not _is_known(thread, threads))
    fresh = tuple(replace(one, text=_mended(one.text, checks, noted.unsaid, problems)) for one in fresh)
    fresh = tuple(one for one in fresh if one.text)
    problems += [
        Problem(
            "missed", f"“{one_line(one.text, 80)}” names a day that does not exist; it is kept without one"
        )
        for one in fresh
        if one.day == NO_SUCH_DAY
    ]
    fresh = tuple(replace(one, number=known + place) for place, one in enumerate(fresh, start=1))
    fresh = tuple(
        replace(one, day=one.day or max(batch.parts)[:10], owner=one.owner or "unclear") for one in fresh
    )
    words = tuple(
        word for word in dreamt.words if word.number in now and word.status is not now[word.number].status
    )
    unclosed = find_unclosed(words, now, checks.entries, settings.people)
    problems += [
        Problem(
            "missed", f"“{one_line(now[one.number].text, 80)}” stays open: no turn of this stretch closes it"
        )
        for one in unclosed
    ]
    words = tuple(
        replace(one, text=_mended(one.text, checks, noted.unsaid, problems))
        for one in words
        if one not in unclosed
    )
    facts = tuple(_new_facts(snapshot, _said_facts(dreamt.facts, checks, noted.unsaid, problems), checks))
    length = len(told.split())
    if length > batch.words * _LONG:
        problems.append(
            Problem("history", f"The story has {length:,} words, where about {batch.words:,} were asked for")
        )
    problems += checks.claims([told], [one.text for one in fresh])
    problems += checks.scenes(told)
    problems += checks.clashes(told, [one.old for one in dreamt.amended])
    dreamt = replace(dreamt, story=told, remember=proposed)
    unsaid = tuple(dict.fromkeys(map(print_of, checks.unsaid)))
    doubted = tuple(dict.fromkeys(map(print_of, checks.unborne)))
    unlisted = find_unlisted(batch.promised, (*dreamt.threads, *threads))
    woven = Woven(dreamt, fresh, words, facts, tuple(problems), unsaid, tuple(checks.pointed))
    return replace(woven, doubted=doubted, unlisted=tuple(unlisted))


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


DREAM_KEYS = frozenset(spec.key for spec in DREAM.fields)


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


def _new_facts(snapshot: Snapshot, facts: Sequence[Fact], checks: Checks) -> list[Fact]:
    """Return the facts that are not known yet, each with its source and what it replaces."""
    noted = parse_facts(facts_anew(snapshot))
    made: list[Fact] = []
    for fact in facts:
        name = fact_name(fact)
        alike = [one for one in (*noted, *made) if fact_name(one) == name]
        old = next(iter(current_facts(alike)), None)
        if old is not None and same_value(old.value, fact.value):
            continue
        if (old is None or is_firm(old)) and any(same_value(one.value, fact.value) for one in alike):
            # it was dropped, or the person's words hold instead
            continue
        source, day = checks.locate(fact)
        replaces = fact.replaces or (old.value if old else "")
        made.append(replace(fact, source=source, when=fact.when or day, replaces=replaces))
    return made


def plan_batch(  # noqa: PLR0913 (as `answer_batch`)
    snapshot: Snapshot, batch: Batch, woven: Woven, now: datetime, is_last: IsLast, writer: Writer = UNKNOWN
) -> Change:
    """Return one commit: what is woven, and the cursor behind it.

    Raises StateError where the dream has gone on meanwhile, ReelError where a file cannot be added to.
    """
    before = snapshot.text(CURSOR) or ""
    cursor = parse_cursor(before) if before else None
    if cursor is None or cursor.state is not DreamState.RUNNING or cursor.batch + 1 != batch.number:
        message = "The dream has gone on without this part."
        raise StateError(message, hint="to see how far it is:  reel dream status")
    if any(covers(cursor.read.get(session, ()), ranges) for session, ranges in batch.parts.items()):
        message = "This part was read already."
        raise StateError(message, hint="to see how far it is:  reel dream status")
    read = dict(cursor.read)
    for session, ranges in batch.parts.items():
        read[session] = union(read.get(session, ()), ranges)
    model = writer.model or cursor.model
    heard = {**cursor.heard, **batch.heard}
    later = replace(cursor, batch=batch.number, read=read, heard=heard, model=model)
    later = replace(later, state=DreamState.DONE) if is_last(later) else later
    when = day_in_words(now.date())
    about: dict[str, object] = {
        "batch": batch.number,
        "read": [str(span) for span in batch.spans],
        "on": now.date().isoformat(),
        **model_told(model, writer.seen),
    }
    dreamt = woven.dreamt
    story, _ = open_book(snapshot, HISTORY).amended(dreamt.amended, when)
    prints = {"unsaid": list(woven.unsaid), "doubted": list(woven.doubted)}
    found = {key: value for key, value in prints.items() if value}
    story = story.with_chapter(Chapter(dreamt.title or batch.days, dreamt.story), {**about, **found})
    files = {HISTORY: story.to_bytes()}
    if dreamt.remember or dreamt.remember_amended:
        proposal, _ = open_book(snapshot, REMEMBER).amended(dreamt.remember_amended, when)
        if dreamt.remember:
            proposal = proposal.with_chapter(Chapter(f"{batch.days}", dreamt.remember), about)
        files[REMEMBER] = proposal.to_bytes()
    texts = {CURSOR: render_cursor(later, before)}
    if woven.threads or woven.words:
        missed = snapshot.text(MISSED) or ""
        texts[MISSED] = add_threads(missed, woven.threads, woven.words, now.date().isoformat())
    facts = add_facts(snapshot.text(FACTS) or "", woven.facts) if woven.facts else snapshot.text(FACTS) or ""
    if is_unfinished(cursor) and later.state is DreamState.DONE:
        facts = finish_facts(snapshot, facts)
    if facts != (snapshot.text(FACTS) or ""):
        parse_facts(facts)
        texts[FACTS] = facts
    files |= {path: text.encode() for path, text in texts.items()}
    files |= propose_facts(woven.waits, max(batch.parts), now.isoformat())
    writes = {path: data for path, data in files.items() if data != (snapshot.read(path) or b"")}
    trailers = (
        ("Reel-Ring0", batch.ring0),
        *((MODEL, name) for name in (model or writer.seen,) if name),
        *(("Reel-Session", session) for session in batch.parts),
    )
    return Change(OP, f"batch {batch.number}, {batch.days}", writes, trailers)


def model_told(model: str, seen: str) -> dict[str, object]:
    """Return a comment's note on the chapter's model; if nobody named it, the tape's newest."""
    if model or not seen:
        return {"model": model} if model else {}
    return {"model": seen, "model_from": "tape"}


def _told(batch: Batch, woven: Woven) -> dict[str, object]:
    dreamt = woven.dreamt
    return {
        "batch": batch.number,
        "sessions": list(batch.parts),
        "title": dreamt.title,
        "words": len(dreamt.story.split()),
        "amended": len(dreamt.amended) + len(dreamt.remember_amended),
        "missed": len(woven.threads),
        "settled": len(woven.words),
        "facts": len(woven.facts),
    }

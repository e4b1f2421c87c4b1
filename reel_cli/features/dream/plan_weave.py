"""Plan of a reply's change to the story, the missed, the proposal, the facts and the cursor."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reel_cli.core.errors import StateError
from reel_cli.core.evidence.quoted_words import count_prose
from reel_cli.core.exchange.exchange import Answer, Offer
from reel_cli.core.exchange.reader.reply import ReplyReading
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.values.approval import is_in_first_person
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import Change
from reel_cli.core.values.source import covers, union
from reel_cli.features.dream.batch import Batch
from reel_cli.features.dream.context.reply import answers_context
from reel_cli.features.dream.cursor_file import CURSOR, parse_cursor, render_cursor
from reel_cli.features.dream.dream import Chapter, Cursor, DreamState
from reel_cli.features.dream.earlier_story import finish_facts, is_unfinished
from reel_cli.features.dream.preview import Woven, show_woven
from reel_cli.features.dream.reply import (
    PARTS,
    batch_named,
    read_dream,
    render_dream_rest,
)
from reel_cli.features.dream.story.book import open_book
from reel_cli.features.dream.story.dreamt_facts import weigh_dreamt
from reel_cli.features.dream.story.files import HISTORY, REMEMBER
from reel_cli.features.dream.story.missed_file import MISSED, add_threads
from reel_cli.features.dream.story.outdone_facts import without_outdone
from reel_cli.features.dream.story.weave import weave
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import FACTS, add_facts, parse_facts, read_noted
from reel_cli.features.facts.pending.held_facts import (
    is_only_personas,
    part_facts,
    part_firm,
    part_replacing,
    propose_facts,
    waits_already,
)

OP = "dream"
MODEL = "Reel-Model"
"""Names the model that wrote what a commit adds."""
_MOST = 10
"""A reply so many times as long as its story was to be is refused."""
_SPACE = 3_000
"""Words that a reply may always have."""


@dataclass(frozen=True, slots=True)
class Writer:
    """The model that wrote a reply, "" for unknown.

    As the person says, the last one on the tape, and as the server that sent it says.
    """

    model: str = ""
    seen: str = ""
    sent: str = ""

    def told(self, dream: str) -> dict[str, str]:
        """Return a comment's note on the model; `dream` is the one the person named for the whole dream.

        The server knows best, then the person; without either it is the tape's newest.
        """
        named = self.model or dream
        if self.sent:
            return {"model": self.sent, "model_from": "wire"}
        if named or not self.seen:
            return {"model": named} if named else {}
        return {"model": self.seen, "model_from": "tape"}


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
    woven = weave(snapshot, batch, reading)
    news = without_outdone(read_noted(snapshot), woven.facts)
    weighed = weigh_dreamt(snapshot, news, batch.parts)
    facts, guarded = part_replacing(snapshot, weighed.facts)
    facts, firm = part_firm(snapshot, facts)
    waits = [*weighed.waits, *guarded, *firm]
    if unattended:
        facts, about = part_facts(facts, {}, snapshot.settings.name)
        mine = [one for one in facts if is_in_first_person(f"{one.key} {one.value}")]
        facts = [one for one in facts if one not in mine]
        waits = [*waits, *about, *mine]
    # a dream's fact that no turn bears is nobody's word, and one that only the persona said is not the user's
    nobodys = [one for one in facts if not one.source or is_only_personas(snapshot, one)]
    waits = [*waits, *(one for one in nobodys if not waits_already(snapshot, one))]
    facts = [one for one in facts if one not in nobodys]
    problems = (*woven.problems, *weighed.problems)
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
    model, wrote = writer.model or cursor.model, writer.told(cursor.model)
    heard = {**cursor.heard, **batch.heard}
    later = replace(cursor, batch=batch.number, read=read, heard=heard, model=model)
    later = replace(later, state=DreamState.DONE) if is_last(later) else later
    when = day_in_words(now.date())
    about: dict[str, object] = {
        "batch": batch.number,
        "read": [str(span) for span in batch.spans],
        "on": now.date().isoformat(),
        **wrote,
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
    threads = (*woven.threads, *woven.unlisted)
    if threads or woven.words:
        missed = snapshot.text(MISSED) or ""
        texts[MISSED] = add_threads(missed, threads, woven.words, now.date().isoformat())
    facts = add_facts(snapshot.text(FACTS) or "", woven.facts) if woven.facts else snapshot.text(FACTS) or ""
    if is_unfinished(cursor) and later.state is DreamState.DONE:
        facts = finish_facts(snapshot, facts)
    if facts != (snapshot.text(FACTS) or ""):
        parse_facts(facts)
        texts[FACTS] = facts
    files |= {path: text.encode() for path, text in texts.items()}
    for session, waits in _by_chat(snapshot, woven.waits, max(batch.parts)):
        files |= propose_facts(waits, session, now.isoformat())
    writes = {path: data for path, data in files.items() if data != (snapshot.read(path) or b"")}
    trailers = (
        ("Reel-Ring0", batch.ring0),
        *(((MODEL, wrote["model"]),) if wrote else ()),
        *(("Reel-Session", session) for session in batch.parts),
    )
    return Change(OP, f"batch {batch.number}, {batch.days}", writes, trailers)


def _by_chat(snapshot: Snapshot, facts: Sequence[Fact], last: str) -> Iterator[tuple[str, Sequence[Fact]]]:
    """Yield each change of a fact with the chat that bears it, and new facts together with the last chat.

    New facts are parted by why they wait, so that each proposal has one reason.
    """
    changes = [one for one in facts if one.replaces]
    yield from ((one.source.partition("#")[0] or last, [one]) for one in changes)
    reasons: dict[tuple[bool, bool], list[Fact]] = {}
    for one in facts:
        if not one.replaces:
            why = bool(one.source), is_only_personas(snapshot, one)
            reasons.setdefault(why, []).append(one)
    for fresh in reasons.values():
        chats = {one.source.partition("#")[0] for one in fresh}
        yield (chats.pop() or last) if len(chats) == 1 else last, fresh


def _told(batch: Batch, woven: Woven) -> dict[str, object]:
    dreamt = woven.dreamt
    return {
        "batch": batch.number,
        "sessions": list(batch.parts),
        "title": dreamt.title,
        "words": count_prose(dreamt.story),
        "amended": len(dreamt.amended) + len(dreamt.remember_amended),
        "missed": len(woven.threads) + len(woven.unlisted),
        "settled": len(woven.words),
        "facts": len(woven.facts),
    }

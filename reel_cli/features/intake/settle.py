"""One thing that was said goes where the persona says: by heart, found again, in mind, a row, or nowhere."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.lexicon import telling
from reel_cli.core.evidence.phrases import PhraseMatch, Tape
from reel_cli.core.files.index_file import put_lines
from reel_cli.core.files.working_file import read_items, without_day
from reel_cli.core.frozen import late
from reel_cli.core.kit.memory_numbers import highest_known
from reel_cli.core.kit.snapshot import INDEX
from reel_cli.core.kit.snapshot import WORKING as WORKING_NOTES
from reel_cli.core.tape.tape_view import read_session, speaker
from reel_cli.core.tape.voices import is_own, other_voices, persona_names
from reel_cli.core.values.change import in_short, one_line
from reel_cli.core.values.memory import IndexLine, format_id
from reel_cli.core.values.talk import Session, SourceRange
from reel_cli.features.facts.evidence.details.earlier_talk import EarlierTalk
from reel_cli.features.facts.evidence.talk_evidence import TalkEvidence
from reel_cli.features.facts.evidence.weigh_facts import weigh
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import FACTS, add_facts
from reel_cli.features.facts.pending.fact_sides import plan_fact_clashes
from reel_cli.features.facts.pending.held_facts import list_held, propose_facts, tell_held
from reel_cli.features.facts.plan import TRAILER as FACT_TRAILER
from reel_cli.features.facts.plan import named
from reel_cli.features.facts.policy import OWN, fact_name, read_category
from reel_cli.features.facts.reply import ToldFact
from reel_cli.features.intake.entry import AGAIN, DOMAIN, EXPERIENCE, NOWHERE, WORKING, Candidate
from reel_cli.features.intake.entry import FACTS as TO_FACTS
from reel_cli.features.page.notes.note_likeness import repeats
from reel_cli.features.page.notes.plan_notes import plan_loops
from reel_cli.features.stream.reply_rows import part_row, read_told_rows
from reel_cli.features.stream.rows import LEFT, hold_rows
from reel_cli.features.stream.tables import readable_tables
from reel_cli.features.tables.cell_values import tell_value

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.holdings import Counter
    from reel_cli.features.intake.reply import Answer

SURE = 9_000
"""Confidence, in ten-thousandths, of a fact that was chosen to be known by heart."""
PHRASE, LONGEST_PHRASE = 10, 120
"""Maximum words, and characters, of the line by which a moment is found again."""
DESCRIBED = 80
"""Maximum characters of its description in the index."""
_LEAST_SAID = 3
"""Telling words that a note must share to be known as the same."""
UNSAID = "no reason was given"
_FORM = "the form  table: key | column = value"
_TAGS = {
    "a promise": "relational",
    "a strong feeling": "emotional",
    "something that happened in their life": "emotional",
    "an appointment": "operational",
    "a decision": "operational",
}
_QUOTED = 110
"""Characters of what was said that a note begins with."""
_POINTS = late(r"(?i)\b(?:it|this|that|these|those|them|they|she|he|her|him)\b(?!['’]s (?:me|I)\b)")
"""Pattern of a word that stands for what was said."""
_NAMED = late(r"\d|\b[^\W\d_a-z][\w'’]+")
"""Pattern of a name or a number, by which a note says what it is about."""
_REFERS = late(
    r"(?i)\W*(?:(?:it|this|that)(?:['’]s| is)? )?(?:also )?(?:stands?|told|said|noted|kept|see|as|already)"
    r"(?: (?:is|it|already|told|said|noted))* (?:above|elsewhere|there|already|before)\W*"
)
"""Pattern of a reason that only points to another part of the page: `stands above`."""
_ID = re.compile(r"\bM-\d{3,}\b")


@dataclass(frozen=True, slots=True)
class IntakeOutcome:
    """The place it went to ("" if it still waits), the reason, the files, and what to show.

    `notes` say what is amiss, `quiet` what nobody can tell.
    """

    where: str = ""
    why: str = ""
    writes: Mapping[str, bytes | None] = field(default_factory=dict)
    trailers: tuple[tuple[str, str], ...] = ()
    shown: str = ""
    notes: tuple[str, ...] = ()
    quiet: tuple[str, ...] = ()
    index: tuple[IndexLine, ...] = ()
    noted: tuple[str, ...] = ()
    """Lines on the notes that it changes."""
    fact: Fact | None = None
    """The fact that is known by heart now, if it is new."""


def settle_one(  # noqa: PLR0913 (the kit, what is decided how, and what to count by)
    snapshot: "Snapshot",
    one: Candidate,
    answer: "Answer",
    now: datetime,
    *,
    counter: "Counter",
    highest_number: Callable[[], int],
    facts: Mapping[tuple[str, str], str],
    unattended: bool = False,
) -> IntakeOutcome:
    """Return what one answer changes, on the kit as those before it leave it; what does not fit waits.

    `facts` are the values that the same page noted already, each by its `fact_name`. `unattended`: a fact
    about the persona waits for a person's word.
    """
    why = UNSAID if _REFERS.fullmatch(answer.why) else answer.why or UNSAID
    if answer.where == NOWHERE:
        return IntakeOutcome(NOWHERE, why)
    if answer.where == WORKING:
        return _in_mind(snapshot, one, answer, why)
    if answer.where == DOMAIN:
        return _row(snapshot, one, answer, why)
    try:
        session = read_session(snapshot, one.place.session if one.place else "")
    except ReelError as error:
        return IntakeOutcome(notes=(f"{one_line(error.message)} {AGAIN.capitalize()}",))
    if answer.where == TO_FACTS:
        made, refused = _fact(
            snapshot, one, answer, session, now, counter=counter, facts=facts, unattended=unattended
        )
        if refused is None:
            return made
        lived = _moment(snapshot, one, session, why, highest_number)
        quiet = (f"kept as a moment, not as a fact, since {refused}",) if refused else ()
        return replace(lived, notes=(*made.notes, *lived.notes), quiet=quiet)
    return _moment(snapshot, one, session, why, highest_number)


def _in_mind(snapshot: "Snapshot", one: Candidate, answer: "Answer", why: str) -> IntakeOutcome:
    """Return the answer as a line among the open loops."""
    words = one_line(_as_note(snapshot, one, answer.told[0] if answer.told else ""), 200)
    left = None if _is_noted(snapshot, one, words) else plan_loops(snapshot, [words])
    if left is None or not left.writes:
        return IntakeOutcome(WORKING, why, shown=f"in mind already: {words}")
    noted = tuple(line for _, lines in left.shown for line in lines)
    return IntakeOutcome(WORKING, why, left.writes, shown=f"kept in mind: {words}", noted=noted)


def _as_note(snapshot: "Snapshot", one: Candidate, told: str) -> str:
    """Return the note that an answer makes: its own words, behind what was said where these point to it.

    `she thinks of those all day` says nothing without the steps that it is about.
    """
    said = f"{one.who or 'Said'}: “{one_line(one.words, _QUOTED)}”"
    if not told:
        return said
    names = telling(f"{snapshot.settings.name} {snapshot.settings.user}")
    alone = telling(told) & telling(one.words) - names or _NAMED.search(told[1:]) or not _POINTS.search(told)
    return told if alone else f"{said}: {told}"


def _is_noted(snapshot: "Snapshot", one: Candidate, note: str) -> bool:
    """Return whether a note has all that was said or is to be noted of it, in whatever words."""
    people = (snapshot.settings.name, snapshot.settings.user)
    said = telling(one.words) - telling(" ".join(people))
    notes = read_items(snapshot.text(WORKING_NOTES) or "")
    if any(repeats(note, other.text, people) for other in notes):
        return True
    return len(said) >= _LEAST_SAID and any(said <= telling(without_day(note.text)) for note in notes)


def _row(snapshot: "Snapshot", one: Candidate, answer: "Answer", why: str) -> IntakeOutcome:
    """Return a table's row, as far as it fits and was said; checked like the rows of a keep."""
    tables = readable_tables(snapshot)
    line = part_row(answer.row, tables)
    told = read_told_rows([line], tables)
    if not told or not (told[0].cells or told[0].stray):
        return IntakeOutcome(notes=(f"a row needs {_FORM}; {AGAIN}",))
    place = one.place or SourceRange("", 0, 0)
    try:
        last = max((e.number or 0 for e in read_session(snapshot, place.session).shown()), default=1)
        held = hold_rows(snapshot, [SourceRange(place.session, 1, last)], [line])
    except ReelError as error:
        return IntakeOutcome(notes=(f"{one_line(error.message)} {AGAIN.capitalize()}",))
    notes = tuple(problem.what for problem in held.problems)
    if not held.puts:
        if notes:
            return IntakeOutcome(notes=tuple(f"{note.removesuffix(f'; {LEFT}')}; {AGAIN}" for note in notes))
        return IntakeOutcome(DOMAIN, why, shown=f"in the table already: {one_line(answer.row, 200)}")
    put = held.puts[0]
    row = put.rows[0][1]
    cells = "; ".join(f"{name} = {tell_value(value)}" for name, value in row.items() if value is not None)
    writes = put.change.writes if put.change is not None else {}
    trailers = put.change.trailers if put.change is not None else ()
    return IntakeOutcome(DOMAIN, why, writes, trailers, f"in the table {put.table.name}: {cells}", notes)


def _fact(  # noqa: PLR0913 (as `settle_one`, with the session)
    snapshot: "Snapshot",
    one: Candidate,
    answer: "Answer",
    session: Session,
    now: datetime,
    *,
    counter: "Counter",
    facts: Mapping[tuple[str, str], str],
    unattended: bool,
) -> tuple[IntakeOutcome, str | None]:
    """Return a fact and None if what was said supports it; else the reason why it is none.

    The reason is "" where the page noted the same among its facts, in other words, and where what these words
    lack was said in this chat or before.
    """
    why = answer.why or UNSAID
    if len(answer.told) < 3:
        return IntakeOutcome(notes=(f"a fact needs a kind, a name and a value; {AGAIN}",)), None
    kind, key, value = answer.told
    if facts.get(fact_name(Fact(one_line(kind).casefold(), key, value))) == value:
        return IntakeOutcome(TO_FACTS, why), None
    settings = snapshot.settings
    heard = TalkEvidence(session, settings.user, persona_names(snapshot))
    as_own = read_category(kind) == OWN
    tried = (one.words, value)
    borne = [(heard.bears(value, words, as_own=as_own)[0], words) for words in tried]
    evidence = next((words for found, words in borne if not found.why), one.words)
    told = ToldFact(one_line(kind).casefold(), key, value, evidence, SURE)
    weighed = weigh(snapshot, session, [told], counter, unattended=unattended)
    if weighed.refused:
        refusal, first = weighed.refused[0], borne[0][0]
        told_of = (f"{refusal.what}; {AGAIN if not first.why else 'kept as a moment'}",)
        amiss = IntakeOutcome(quiet=told_of) if refusal.quiet else IntakeOutcome(notes=told_of)
        if not first.why:
            return amiss, None
        # where no words are the person's, the reason quotes none of its details
        known = first.near or first.quoted or EarlierTalk(snapshot, session).has_detail(first.why)
        return (amiss, "") if not refusal.quiet else (IntakeOutcome(), "" if known else first.why)
    notes = tuple(note.what for note in weighed.notes)
    if weighed.waits:
        if any(
            one.source.partition("#")[0] == session.id
            for one in list_held(snapshot, fact_name(weighed.waits[0]))
        ):
            # the page has the same change among its facts, in other words
            return IntakeOutcome(TO_FACTS, why), None
        waits = propose_facts(weighed.waits, session.id, now.isoformat())
        shown = f"waits for your decision in reel review: {tell_held(weighed.waits[0])}"
        return IntakeOutcome(TO_FACTS, why, waits, shown=shown, notes=notes), None
    if not weighed.facts:
        of_page = facts.get(fact_name(Fact(told.category, key, value))) == value
        shown = "" if of_page else f"a fact already: {key}: {value}"
        return IntakeOutcome(TO_FACTS, why, shown=shown, notes=notes), None
    other = facts.get(fact_name(weighed.facts[0]))
    if other is not None:
        # of two answers on one page neither is the later; two that share a word are one, told twice
        apart = telling(other).isdisjoint(telling(value))
        return IntakeOutcome(), f"this page has “{one_line(other, 60)}” for it already" if apart else ""
    writes: dict[str, bytes | None] = {}
    writes.update(plan_fact_clashes(snapshot, weighed.clashes, session.id, now.isoformat()))
    writes[FACTS] = add_facts(snapshot.text(FACTS) or "", weighed.facts).encode()
    fact = weighed.facts[0]
    until = f" (until now: {fact.replaces})" if fact.replaces else ""
    trailers = tuple((FACT_TRAILER, named(made)) for made in weighed.facts)
    shown = f"new: {fact.key}: {fact.value}{until}"
    return IntakeOutcome(TO_FACTS, why, writes, trailers, shown, notes, fact=fact), None


def _moment(
    snapshot: "Snapshot", one: Candidate, session: Session, why: str, highest_number: Callable[[], int]
) -> IntakeOutcome:
    """Return a line of the index that points straight at the tape (REEL §7.2)."""
    entry = session.numbered().get(one.place.first if one.place else 0)
    found = _phrase(Tape([entry]), one.words, entry.message.text) if entry is not None else None
    if entry is None or found is None:
        return IntakeOutcome(notes=(f"{one.source} has no words to find it by; {AGAIN}",))
    known = next((line for line in snapshot.index.lines.values() if line.anchor == found.text), None)
    if known is not None:
        return IntakeOutcome(EXPERIENCE, why, shown=f"kept as a moment already: “{found.text}”")
    settings = snapshot.settings
    others = other_voices(session.shown(), persona_names(snapshot))
    own = is_own(entry.message, others)
    who = "your" if own else f"{speaker(entry, user=settings.user, persona=settings.name)}'s"
    told = why if why != UNSAID else "" if _REFERS.fullmatch(one.why) else one.why
    # the reason is given as the deciding person's, and is not put into anyone's mouth
    about = f"{who} words, kept because: {told}" if told else f"{who} words"
    reason = f" ({told.rstrip('.')})" if told else ""
    line = IndexLine(
        id=format_id(max(highest_number(), highest_known(snapshot)) + 1),
        description=in_short(_ID.sub("that memory", about).replace("<!--", ""), DESCRIBED),
        anchor=found.text,
        tags=(_TAGS.get(one.why, "factual"),),
        where=SourceRange(session.id, found.number, found.number),
    )
    text = put_lines(snapshot.text(INDEX) or "", [line])
    return IntakeOutcome(
        EXPERIENCE,
        why,
        {INDEX: text.encode()},
        (("Reel-Index", line.id),),
        f"kept as a moment: “{found.text}”{reason}",
        index=(line,),
    )


def telling_part(text: str) -> str:
    """Return a part of a text of about `PHRASE` words: that with most days and numbers, else the first one.

    `it's not the 19th, it's the 22nd` is found by its day, and not by the words before it. A text of a few
    words more is taken whole, and a longer one from the beginning of a clause to the end of one; only where
    there is none so short, a part is cut out of it, and does not end in a word that only leads on.
    """
    words = text.split()
    if len(words) <= PHRASE + _MORE:
        return " ".join(words)
    marks = [len(_MARKED.findall(word)) for word in words]
    ends = [_end_of(words, at) for at in range(len(words))]
    begins = [_SENTENCE, *ends[:-1]]
    parts = [
        (first, last)
        for first in range(len(words))
        for last in range(first + _LEAST_PHRASE, min(first + PHRASE + _MORE, len(words)) + 1)
        if begins[first] and ends[last - 1]
    ]
    if parts:
        first, last = max(
            parts,
            key=lambda part: (
                sum(marks[part[0] : part[1]]),
                begins[part[0]],
                ends[part[1] - 1],
                -part[0],
                part[1],
            ),
        )
        return " ".join(words[first:last]).rstrip(",")
    starts = range(max(len(words) - PHRASE, 0) + 1)
    first = max(starts, key=lambda start: (sum(marks[start : start + PHRASE]), -start))
    part = words[first : first + PHRASE]
    while first + len(part) < len(words) and len(part) > _LEAST_PHRASE and _LEADS_ON.fullmatch(part[-1]):
        part.pop()
    return " ".join(part)


_MORE = 6
"""Words more than `PHRASE` with which a part is still short enough, where it is whole then."""
_CLAUSE, _SENTENCE = 1, 2
"""How much ends at a word; 0 for nothing."""


def _end_of(words: Sequence[str], at: int) -> int:
    """Return whether a sentence or a clause ends with a word of a text."""
    if at == len(words) - 1 or _SENTENCE_ENDS.search(words[at]):
        return _SENTENCE
    joined = _JOINS.fullmatch(words[at + 1]) and at + 2 < len(words) and _SUBJECT.fullmatch(words[at + 2])
    return _CLAUSE if joined or words[at][-1:] in ",;:" else 0


_SENTENCE_ENDS = late(r"(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bSt)[.!?…][\"'”’)]*$")
_JOINS = late(r"(?i)(?:and|but|so|because|cos|then|when|if|though)")
_SUBJECT = late(
    r"(?i)(?:i|you|he|she|it|we|they|there|that|this)(?:['’](?:s|m|re|ve|ll|d))?"
    r"|im|ive|its|the|my|his|her|our|their"
)
"""Patterns of a word that joins two clauses, and of one that begins a clause of its own."""
_MARKED = late(
    r"(?i)\d+|\b(?:january|february|march|april|june|july|august|september|october|november|december)\b"
)
_LEADS_ON = late(
    r"(?i)(?:and|or|but|so|because|that|thats|that's|who|which|the|an?|of|to|in|on|at|for|with|from|by|its|it's|is|are"
    r"|was|were|i|i'm|im|he|she|they|we|my|his|her|our|their|not|as|if|when)"
)
_LEAST_PHRASE = 4


def _phrase(tape: Tape, words: str, said: str) -> PhraseMatch | None:
    """Return a few words as they are on the tape; the message's first if these are not its own."""
    for text in (words, said.strip().partition("\n")[0]):
        phrase = telling_part(text)
        if len(phrase) > LONGEST_PHRASE:
            # scripts without spaces have one long word
            phrase = phrase[:LONGEST_PHRASE].rpartition(" ")[0] or phrase[: LONGEST_PHRASE // 2]
        found = tape.find(phrase)
        if found is not None and found.text.strip():
            return replace(found, text=one_line(found.text))
    return None

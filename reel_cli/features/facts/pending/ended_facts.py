"""Facts that a page ends: with a note it closes, a deed it tells as done, or a word that they are over."""

from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.lexicon import even, sentences, telling
from reel_cli.core.evidence.own_words import NO, owes_deed
from reel_cli.core.exchange.page_part import PageAnswer, PartPlan
from reel_cli.core.exchange.reader.labels import squash
from reel_cli.core.files.commit_message import FORGOT, render_forgotten
from reel_cli.core.files.working_file import read_items, without_day
from reel_cli.core.frozen import late
from reel_cli.core.kit.snapshot import WORKING
from reel_cli.core.question_words import is_question
from reel_cli.core.values.approval import BINDING
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import parse_source
from reel_cli.features.facts.files import FACTS
from reel_cli.features.facts.reply import FIELD, read_told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.evidence.phrases import PhraseMatch
    from reel_cli.core.files.commit_message import Forgotten
    from reel_cli.features.facts.fact import Fact
    from reel_cli.features.facts.reply import ToldFact


NOTHING = PartPlan()
COMMITMENTS = "commitments"
WHY, WHY_OVER = "its note was closed", "its page says that it is over"
WHY_DONE = "its chat says that it was done"
WHY_CHANGED = "its note was closed, and its page gives another value"
_PENDING = late(
    r"(?i)\b(?:on order|order(?:ed|ing)|waits? (?:for|to)|await\w*|pending"
    r"|(?<!in[- ])waiting(?! (?:on )?(?:tables?|staff)\b)|not yet|still to|half (?:done|finished|written)"
    r"|in the post(?! office)|on (?:its|the) way|to come|under repair|appl(?:ying|ied)(?= (?:for|to)\b|\W*$))"
    r"\b|^(?!.*\b(?:legs?|arms?|hands?|fingers?|thumbs?|foot|feet|toes?|eyes?|ears?|tooth|teeth|sight|hearing"
    r"|wife|husband|mother|father|son|daughter|brother|sister)\b(?!'s|’s))"
    r".*\b(?:lost|missing(?=\W*$|[,;:.]| (?:since|from|for|again)\b))\b"
)
"""Pattern of a value that only holds until its matter is closed (`on order`, `lost`); no trait or trade."""
_LEAST, _SHARE = 2, 0.6
"""Number of a fact's telling words, and their share, that a closed note must have to be about it."""


def as_problem(what: str) -> PartPlan:
    """Return a part that changes nothing, and says what is amiss."""
    return PartPlan(problems=(Problem(FIELD.key, what),))


def plan_ended(page: PageAnswer) -> "tuple[PartPlan, Sequence[Fact]]":
    """Return the change that lets go of what the page closes or says is over, and the facts that go.

    What protects somebody and is said to be over waits for a person's word.
    """
    from reel_cli.features.facts.files import add_facts, parse_facts, read_facts
    from reel_cli.features.facts.policy import EXTRACTION, PERSON, current_facts, fact_name, is_own, protects

    closed, told = _closed_notes(page), [one for one in read_page_facts(page) if one.is_over]
    text = (page.writes.get(FACTS) or page.snapshot.read(FACTS) or b"").decode()
    try:
        before = read_facts(page.snapshot)
        held = [one for one in current_facts(parse_facts(text)) if one in before]
    except ReelError:
        # a file that cannot be read is told of where facts are asked for
        return PartPlan(), ()
    whys = {**dict.fromkeys(_find_done(page, held), WHY_DONE), **_find_closed(page, held, closed)}
    problems: list[Problem] = []
    ended: dict[Fact, str] = {}
    goes = {squash(one.key) for one, why in whys.items() if why}
    for over in told:
        found = _find_over(page, over, held)
        if isinstance(found, Problem):
            # of what goes with its note nobody has to know that its words would not end it
            problems += [found] if squash(over.key) not in goes else []
        else:
            ended.setdefault(found, over.evidence)
    guarded = {one: words for one, words in ended.items() if one.origin == PERSON or protects(one)}
    words_of = {squash(one.key): words for one, words in guarded.items()}
    # what the persona promised of a secret ends with it
    promised = {one: words_of[squash(one.key)] for one in held if is_own(one) and squash(one.key) in words_of}
    waits = [_as_ended(page, one, words) for one, words in {**guarded, **promised}.items()]
    whys |= {one: WHY_OVER for one in ended if not (one in guarded or one in promised or one in whys)}
    given = _given_from_chat(page)
    # what goes with its note leaves the newer value of the page to a person, where it was not kept
    newer = [(one, _newer(one, given, text)) for one in whys]
    waits += [_as_changed(page, old, new) for old, new in newer if new is not None]
    waiting = propose(page, waits)
    whys = {one: why for one, why in whys.items() if why}
    if not whys:
        return replace(waiting, problems=tuple(problems)), ()
    when = page.now.date().isoformat()
    gone = [replace(one, when=when, origin=EXTRACTION, dropped=why) for one, why in whys.items()]
    anew = {
        one: f" (the page says: {one_line(new.value)})"
        for one in whys
        if (new := given.get(fact_name(one))) is not None
    }
    lines = tuple(f"{one.key}: {one_line(one.value)}{anew.get(one, '')}" for one in whys)
    plan = PartPlan(
        {FACTS: add_facts(text, gone).encode(), **waiting.writes},
        tuple((FORGOT, render_forgotten(_loss(page, one, why))) for one, why in whys.items()),
        (("No longer a fact", lines), *waiting.shown),
        tuple(problems),
    )
    return plan, gone


def _find_closed(page: PageAnswer, held: "Sequence[Fact]", closed: "Sequence[str]") -> "dict[Fact, str]":
    """Return the facts that a page closes with their notes, and why each is let go of; "" for one that stays.

    They are commitments, promised deeds, what was pending, and values of which the page gives others; what
    has happened, who somebody is and what one likes end with no note. One that a person noted stays, or that
    protects somebody: only a person lets go of it. A silence or a secret ends with a note of it, and not with
    one beside it.
    """
    from reel_cli.features.facts.choice import CURRENT
    from reel_cli.features.facts.policy import PERSON, category_of, fact_name, protects, same_value

    given = _given_from_chat(page)
    stands = list_notes((page.writes.get(WORKING) or b"").decode())
    found: dict[Fact, str] = {}
    for one in held:
        owed = _is_owed(one)
        if one.origin == PERSON or protects(one) or not (owed or category_of(one) in CURRENT):
            continue
        notes = [note for note in closed if is_about(note, one) and _has_value(note, one)]
        binds = _binds(f"{one.key}: {one.value}") and not owed
        if not notes or (binds and not any(map(_binds, notes))):
            continue
        if owed or category_of(one) == COMMITMENTS or _PENDING.search(one.value):
            # of two notes about one thing the other may go on
            if not any(is_about(note, one) for note in stands):
                found[one] = WHY
        elif (told := given.get(fact_name(one))) is not None and not same_value(told.value, one.value):
            # the chat does not bear the new value word for word, and the old one is no longer so, unless
            # the new one says most of it again: the lease was signed, and the rent goes on
            found[one] = "" if _goes_on(one, told) else WHY_CHANGED
    return found


def _goes_on(fact: "Fact", told: "ToldFact") -> bool:
    """Return whether a new value has most of the old one beside the deed for which its note was closed."""
    from reel_cli.features.facts.evidence.fact_support import PART

    mine, key = telling(even(told.value)), telling(even(fact.key))
    parts = [words for part in PART.split(fact.value) if (words := telling(even(part)) - key)]
    again = sum(_SHARE * len(words) <= len(words & mine) for words in parts)
    return bool(parts) and 2 * again >= len(parts) and len(parts) > 1


def _find_done(page: PageAnswer, held: "Sequence[Fact]") -> "Sequence[Fact]":
    """Return the promised deeds that a plain sentence of the chat, or a fact of the page, tells as done.

    Who promised it has done it, or nobody can tell who did.
    """
    from reel_cli.features.facts.policy import PERSON, fact_name, is_own
    from reel_cli.features.page.prompt.loops import find_closed

    given = _given_from_chat(page)
    owed = {
        f"{one.value} ({one.key})": one
        for one in held
        if _is_owed(one) and one.origin != PERSON and not _goes_on_anew(one, given.get(fact_name(one)))
    }
    if not owed:
        return ()
    settings = page.snapshot.settings
    names = (settings.name, *settings.people)
    voices = {"user": settings.user, "assistant": settings.name}
    said = [(voices.get(one.message.role, ""), one.message.text) for one in page.session.shown()]
    # a fact tells what its owner did, or by name what somebody else did
    told = [(_owner(page, one), text) for one in _told_from_chat(page) for text in _texts(one)]
    whose = {text: settings.name if is_own(one) else settings.user for text, one in owed.items()}
    return [owed[text] for text in find_closed(whose, [*said, *told], names)]


def _goes_on_anew(fact: "Fact", told: "ToldFact | None") -> bool:
    """Return whether a promise is of every week, or the page says under its name that it was missed."""
    from reel_cli.features.facts.evidence.kept_value import REVERSES

    missed = told is not None and REVERSES.search(even(told.value)) is not None
    return _REPEATS.search(f"{fact.key}: {fact.value}") is not None or missed


_REPEATS = late(
    r"(?i)\b(?:every|each|always|daily|weekly|monthly|yearly|nightly|mondays|tuesdays|wednesdays|thursdays|fridays"
    r"|saturdays|sundays|mornings|evenings|nights)\b"
)


def _owner(page: PageAnswer, told: "ToldFact") -> str:
    from reel_cli.features.facts.policy import OWN, read_category

    settings = page.snapshot.settings
    return settings.name if read_category(told.category) == OWN else settings.user


def _texts(told: "ToldFact") -> tuple[str, str]:
    return f"{told.value} ({told.key})", told.statement


def _is_owed(fact: "Fact") -> bool:
    """Return whether a fact says that somebody promised to do something."""
    from reel_cli.features.facts.policy import category_of, is_own

    return (is_own(fact) or category_of(fact) == COMMITMENTS) and owes_deed(f"{fact.key}: {fact.value}")


def _binds(text: str) -> bool:
    return BINDING.search(text) is not None


def _newer(fact: "Fact", given: "dict[tuple[str, str], ToldFact]", text: str) -> "ToldFact | None":
    """Return the value that a page gives instead of one that goes; None if `text` has it."""
    from reel_cli.features.facts.files import parse_facts
    from reel_cli.features.facts.policy import current_facts, fact_name, same_value

    told = given.get(fact_name(fact))
    if told is None or any(same_value(one.value, told.value) for one in current_facts(parse_facts(text))):
        return None
    return told


def _as_changed(page: PageAnswer, fact: "Fact", told: "ToldFact") -> "Fact":
    """Return the value that a page gives instead of one that goes, for a person to decide."""
    from reel_cli.core.evidence.phrases import Tape, find_claim
    from reel_cli.core.tape.talks import talk_day
    from reel_cli.features.facts.evidence.spoken_turns import BETWEEN
    from reel_cli.features.facts.pending.chat_words import says_value
    from reel_cli.features.facts.policy import EXTRACTION, PERSON

    session, tape = page.session, Tape(page.session.shown())
    parts = BETWEEN.split(told.evidence)
    found = [one for part in parts if (one := find_claim(tape, part)) is not None]
    words = one_line(" / ".join(one.text for one in found))
    changed = replace(
        fact, value=told.value, when=talk_day(page.snapshot, session).isoformat(), replaces=fact.value,
        source=f"{session.id}#{found[0].number}" if found else "", origin=EXTRACTION,
        statement=told.statement, evidence=words, said_by="",
    )  # fmt: skip
    # what the chat does not bear in full is not told as its words
    return changed if says_value(changed, words) else replace(changed, origin=PERSON, statement="")


def _given_from_chat(page: PageAnswer) -> "dict[tuple[str, str], ToldFact]":
    """Return the facts that a page gives with words of its chat, by their names."""
    from reel_cli.features.facts.fact import Fact
    from reel_cli.features.facts.policy import fact_name

    told = _told_from_chat(page)
    return {fact_name(Fact(one.category, one.key, one.value)): one for one in told}


def _told_from_chat(page: PageAnswer) -> "Sequence[ToldFact]":
    """Return the facts that a page gives with words of its chat."""
    from reel_cli.core.evidence.phrases import Tape, find_claim
    from reel_cli.features.facts.evidence.spoken_turns import BETWEEN

    tape = Tape(page.session.shown())
    return [
        one
        for one in read_page_facts(page)
        if not one.is_over
        and any(find_claim(tape, part) is not None for part in BETWEEN.split(one.evidence) if part.strip())
    ]


def _as_ended(page: PageAnswer, fact: "Fact", evidence: str) -> "Fact":
    """Return the end of a fact that protects somebody, with the words that end it, for a person to decide."""
    from reel_cli.core.evidence.phrases import Tape, find_claim
    from reel_cli.core.tape.talks import talk_day
    from reel_cli.features.facts.pending.chat_words import names_fact
    from reel_cli.features.facts.policy import EXTRACTION, PERSON

    session = page.session
    day = talk_day(page.snapshot, session).isoformat()
    said = find_claim(Tape(session.shown()), evidence)
    words = one_line(_with_subject(page, fact, said) if said is not None else evidence)
    source = f"{session.id}#{said.number}" if said is not None else ""
    return replace(
        fact, value=fact.value, dropped=WHY_OVER, source=source, when=day, replaces=fact.value,
        origin=EXTRACTION if names_fact(fact, words) else PERSON, statement="", evidence=words, said_by="",
    )  # fmt: skip


def _with_subject(page: PageAnswer, fact: "Fact", said: "PhraseMatch") -> str:
    """Return words that end a fact with what names it: their sentence, or the other's turn that they answer.

    Without such a name they are the words alone, of which nobody can tell what they end.
    """
    from reel_cli.features.facts.pending.chat_words import names_fact

    if names_fact(fact, said.text):
        return said.text
    shown = page.session.shown()
    at = next((at for at, one in enumerate(shown) if one.number == said.number), -1)
    if at < 0:
        return said.text
    text = shown[at].message.text
    around = next(
        (one for one in (text[a:b].strip() for a, b in sentences(even(text))) if said.text in one), said.text
    )
    if names_fact(fact, around):
        return around
    asked = shown[at - 1].message if at else None
    answers = asked is not None and asked.role != shown[at].message.role and names_fact(fact, asked.text)
    # a sentence with a subject of its own answers nothing about another
    return f"{one_line(asked.text, 120)} / {around}" if asked is not None and answers else around


def propose(page: PageAnswer, waits: "Sequence[Fact]") -> PartPlan:
    """Return the proposals of changes that only a person decides, without those that wait already."""
    from reel_cli.core.values.change import Change
    from reel_cli.features.facts.pending.held_facts import propose_facts, tell_held, waits_already
    from reel_cli.features.page.proposals import HEADING as TO_DECIDE

    kit = page.snapshot.after(Change("checkpoint", "", page.writes))
    fresh = [one for one in waits if not waits_already(kit, one)]
    if not fresh:
        return NOTHING
    shown = ((TO_DECIDE, tuple(f"a fact: {tell_held(one)}" for one in fresh)),)
    return PartPlan(propose_facts(fresh, page.session.id, page.now.isoformat()), (), shown)


def read_page_facts(page: PageAnswer) -> "Sequence[ToldFact]":
    """Return the facts of a page's reply, those among them that it says are over."""
    reading = page.reading
    if FIELD.key not in page.ask.parts or FIELD.key not in reading.values or reading.empty(FIELD.key):
        return ()
    return tuple(read_told(reading.text(FIELD.key)))


def _find_over(page: PageAnswer, told: "ToldFact", held: "Sequence[Fact]") -> "Fact | Problem":
    """Return the fact that a page says is over, or why it stays: the chat has to have the words for it."""
    from reel_cli.core.evidence.phrases import Tape, find_claim
    from reel_cli.features.facts.evidence.details.once_only import goes_on, is_of_once
    from reel_cli.features.facts.fact import Fact
    from reel_cli.features.facts.near_names import find_near
    from reel_cli.features.facts.policy import PERSON, category_of, protects

    named = [one for one in held if squash(one.key) == squash(told.key)]
    if not named and (near := find_near(Fact(told.category, told.key, ""), held)) is not None:
        named = [near]
    named = [one for one in named if category_of(one) == told.category] or named
    if len(named) != 1:
        what = f"{told.key}: not let go: {'several facts have' if named else 'no fact has'} that name"
        return Problem(FIELD.key, what)
    [fact] = named
    stays = f"{told.key}: “{one_line(fact.value, 40)}” stays"
    said = find_claim(Tape(page.session.shown()), told.evidence) if told.evidence else None
    guarded = fact.origin == PERSON or protects(fact)
    if said is not None and goes_on(f"{fact.value}. {fact.statement}"):
        shown = [one for one in page.session.shown() if (one.number or 0) >= said.number]
        if is_of_once(said.text, [one.message.text for one in shown if one.message.role == "user"]):
            return Problem(FIELD.key, f"{stays}: “{one_line(said.text, 60)}” is of one time")
    if said is not None and (
        guarded or _is_named_near(page, fact, said) or _is_outcome(page, fact, said.text)
    ):
        return fact
    if said is not None:
        return Problem(FIELD.key, f"{stays}: “{one_line(said.text, 60)}” does not name it")
    if guarded:
        return Problem(FIELD.key, f"{stays}: only you let go of it (reel fact drop KEY)")
    return Problem(FIELD.key, f"{stays}: the chat has no words that end it")


def _is_outcome(page: PageAnswer, fact: "Fact", words: str) -> bool:
    """Return whether words tell how what was due by now came out, in short or with a short name of it.

    `Sat it, yesterday` says that of the exam, whose day it was, and `pharm 61` of pharmacology.
    """
    from reel_cli.core.moment import read_day
    from reel_cli.core.tape.talks import talk_day
    from reel_cli.features.facts.evidence.details.part_kinds import has_run_out

    today = talk_day(page.snapshot, page.session)
    plain = even(words)
    if is_question(plain) or NO.search(plain) or not has_run_out(fact.value, read_day(fact.when), today):
        return False
    names = [one.casefold() for one in _WORD.findall(even(fact.key))]
    short = [one.casefold() for one in _WORD.findall(plain)]
    named = any(one.startswith(word) and one != word for word in short for one in names)
    return named or _OUTCOME.search(plain) is not None


_WORD = late(r"[^\W\d_]{4,}")
_OUTCOME = late(
    r"(?i)^\W*(?:so |well |ok |and )?(?:it['’]?s|it is|it was|all|we['’]?re|i['’]?m|i|we)?\W*"
    r"(?:all |finally |now |already )?"
    r"(?:(?:sat|did|done|passed|failed|finished|sent|handed|had|got|made|won|lost|survived) (?:it|that|them)"
    r"|passed|failed|finished|done|over|out)\b(?! of\b)"
)
"""Pattern of a short word that something is done: `sat it`, `its out`, `I passed`."""


def _is_named_near(page: PageAnswer, fact: "Fact", said: "PhraseMatch") -> bool:
    """Return whether a fact is named in the message of some words, or in those just before and after it."""
    from reel_cli.features.facts.evidence.spoken_turns import CLOSE
    from reel_cli.features.facts.pending.chat_words import names_fact

    numbers = range(said.number - CLOSE, said.number + CLOSE + 1)
    return any(
        names_fact(fact, one.message.text) for one in page.session.shown() if (one.number or 0) in numbers
    )


def _loss(page: PageAnswer, fact: "Fact", why: str) -> "Forgotten":
    from reel_cli.core.files.commit_message import Forgotten
    from reel_cli.features.facts.plan import DROPPED, FACT, named

    source = fact.source if parse_source(fact.source) else ""
    size = page.counter.count(f"{fact.key}: {fact.value}\n")
    return Forgotten(f"{FACTS}#{named(fact)}", FACT, DROPPED, size, 0, source, "", why)


def _closed_notes(page: PageAnswer) -> "Sequence[str]":
    """Return the notes that stood before the page and have no words of theirs after it."""
    after = page.writes.get(WORKING)
    if after is None:
        return ()
    before, stands = list_notes(page.snapshot.text(WORKING) or ""), list_notes(after.decode())
    # a note that only reads otherwise is not closed, nor one of which the page left out the half
    kept = [telling(even(note)) for note in stands if note not in before]
    gone = {note: telling(even(note)) for note in before if note not in stands}
    return [
        note
        for note, words in gone.items()
        if not any(_shares(words, other) or _shares(other, words) for other in kept)
    ]


def list_notes(text: str) -> "Sequence[str]":
    """Return the notes of working memory, without the days on which they were noted."""
    return [without_day(item.text) for item in read_items(text)]


def _has_value(note: str, fact: "Fact") -> bool:
    """Return whether a note has a word of a fact's value: a lathe that is sold ends no rule about it."""
    words = telling(even(fact.value))
    return not words or not words.isdisjoint(telling(even(note)))


def is_about(note: str, fact: "Fact") -> bool:
    """Return whether a note shares enough of a fact's telling words to be about it."""
    return _shares(telling(even(f"{fact.key} {fact.value}")), telling(even(note)))


def _shares(own: frozenset[str], other: frozenset[str]) -> bool:
    return len(own & other) >= max(_LEAST, _SHARE * len(own))

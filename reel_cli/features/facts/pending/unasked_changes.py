"""Changes of a medicine that a chat says and its page does not tell as a fact, as a short page has no facts.

They wait for a person's word, so that no bundle tells an old dose as if nobody had said another.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from reel_cli.core.evidence.grounding.lexicon import even, sentences
from reel_cli.core.frozen import late
from reel_cli.core.question_words import is_question
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Session
from reel_cli.features.facts.evidence.medicine import find_medicines, names_medicine
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.pending.another_medicine import (
    name_beside,
    part_medicines,
    read_names,
    value_behind,
)
from reel_cli.features.facts.pending.doses import (
    is_other_dose,
    may_be_one,
    read_amounts,
    read_kin,
    read_medicines,
    read_person,
)
from reel_cli.features.facts.pending.ended_facts import WHY_OVER
from reel_cli.features.facts.policy import EXTRACTION, PERSON, guards_health

_OVER = late(
    r"(?i)\b(?:off|stop(?:s|ped)?|quit|no longer|switched|instead of|doubled|halved|up(?:ped)? to|down to"
    r"|raised|lowered|abgesetzt|statt|arrêté|suspendu|dejé|suspendid[oa]|parei|sospes[oa])\b"
    r"|отменил|больше не|停|やめ"
)
_END = late(
    r"(?i)\b(?:(?:am|['’]m|came|come|took (?:me|him|her|them)) off|stop(?:s|ped)?|quit|no longer|abgesetzt"
    r"|arrêté|suspendu|dejé|suspendid[oa]|parei|sospes[oa])\b|отменил|больше не|やめ"
)
"""Pattern of the end of a medicine, which no other dose follows."""
_NOT_NOW = late(
    r"(?i)\b(?:if|unless|would|could|might|may|maybe|perhaps|should|wants? to|thinking (?:of|about)"
    r"|consider\w*|used to|back then|years? ago|last year|as a child|don['’]t (?:stop|let)"
    r"|never stop|going to)\b"
)
"""Pattern of what is only thought of, or long past."""


class _Sentence(NamedTuple):
    """A sentence, and the number of the turn that says it."""

    text: str
    number: int


def find_unasked(held: Sequence[Fact], session: Session, written: Sequence[str] = ()) -> Sequence[Fact]:
    """Return for each medicine known by heart the other dose that a person says, or its end, as a change.

    `written` are the page's own texts: one that names the medicine tells of what a turn gives a dose which
    does not.
    """
    said = [
        _Sentence(text[start:end].strip(), entry.number or 0)
        for entry in session.shown()
        if entry.message.role == "user"
        for text in [even(entry.message.text)]
        for start, end in sentences(text)
    ]
    known = read_kin(held)
    found: list[Fact] = []
    for fact in held:
        if not (guards_health(fact) and names_medicine(f"{fact.key} {fact.value}")):
            continue
        told = [one for one in said if _is_about(one.text, fact, known)]
        last = next((one for one in reversed(told) if _tells(one.text)), None)
        if last is None or not _is_other(last.text, fact):
            last = last or next(_said_as_written(fact, said, written, known), None)
            if last is None or not _is_other(last.text, fact):
                continue
        changed = (
            replace(
                fact, value=one_line(last.text.rstrip(".")), confidence="0.9", evidence=one_line(last.text),
                source=f"{session.id}#{last.number}", when=_day(session, last.number), replaces=fact.value,
                origin=EXTRACTION, statement="", said_by="",
            )
        )  # fmt: skip
        alone, other = part_medicines(changed)
        is_over = _is_end(alone)
        if is_over:
            words = alone.evidence.rstrip(".")
            alone = replace(alone, value=fact.value, dropped=WHY_OVER, evidence=words)
            other = other or next(_find_instead(changed, fact, said), None)
        found.append(alone)
        if other is not None and not any(
            read_names(one.key) & read_names(other.key) for one in (*held, *found)
        ):
            found.append(other)
    return found


def _is_end(changed: Fact) -> bool:
    """Return whether the words of a change only end the medicine that is the fact's name."""
    return (
        bool(find_medicines(changed.key))
        and not read_amounts(changed.value)
        and _END.search(changed.value) is not None
    )


def _find_instead(changed: Fact, fact: Fact, said: Sequence[_Sentence]) -> Iterator[Fact]:
    """Yield the dose of another medicine that is said after the end of one, as a fact of its own."""
    session, _, number = changed.source.partition("#")
    own = read_names(fact.key)
    for one in said:
        names = find_medicines(one.text)
        if one.number < int(number) or len(names) != 1 or read_names(one.text) & own:
            continue
        person = read_person(one.text)
        if not _tells(one.text) or _END.search(one.text) or person.names or person.owners or person.kin:
            continue
        dose = value_behind(one.text, names[0])
        if dose and read_amounts(dose):
            source = f"{session}#{one.number}"
            yield replace(
                changed, key=name_beside(fact, names[0]).casefold(), value=dose, replaces="",
                origin=PERSON, evidence=one_line(one.text), source=source,
            )  # fmt: skip


def _said_as_written(
    fact: Fact, said: Sequence[_Sentence], written: Sequence[str], known: Mapping[str, str]
) -> Iterator[_Sentence]:
    """Yield the sentences that say a dose which the page tells of this medicine."""
    texts = [even(one) for one in written]
    lines = [text[start:end].strip() for text in texts for start, end in sentences(text)]
    for line in lines:
        if (
            _is_about(line, fact, known)
            and is_other_dose(line, fact.value)
            and (amounts := read_amounts(line))
        ):
            yield from (
                one
                for one in reversed(said)
                if amounts <= read_amounts(one.text) and _tells(one.text) and not read_medicines(one.text)
            )


def _is_about(sentence: str, fact: Fact, known: Mapping[str, str]) -> bool:
    """Return whether a sentence names the medicine of a fact, and nobody else who takes it."""
    whole = f"{fact.key.replace('_', ' ')}. {fact.value}. {fact.statement}"
    if not read_medicines(_OVER.sub(" ", sentence), known) & _names(
        fact, known, dose=bool(read_amounts(sentence))
    ):
        return False
    person, whose = read_person(sentence), read_person(whole)
    strangers = person.names - whose.names - whose.owners
    return may_be_one(person, whose, known) and not any(
        known.get(name, "") not in whose.kin for name in strangers
    )


def _names(fact: Fact, known: Mapping[str, str], *, dose: bool) -> frozenset[str]:
    """Return the roots of the medicines of a fact, and of its name, which no end of a condition is of.

    `dose`: a sentence with an amount may give the medicine the name that the fact has.
    """
    if find_medicines(fact.key):
        # the value of a medicine may tell of another one
        return read_medicines(fact.key.replace("_", " "), known)
    parts = _PART.split(f"{fact.value}; {fact.statement}")
    told = " . ".join(one for one in parts if names_medicine(one))
    names = read_medicines(_OVER.sub(" ", told), known)
    key = fact.key.replace("_", " ")
    return names | read_medicines(key, known) if dose or not names or names_medicine(key) else names


_PART = late(r"[,;.]\s+")


def _tells(sentence: str) -> bool:
    """Return whether a sentence says a dose, or a change of one, as it is now."""
    if is_question(sentence) or _NOT_NOW.search(sentence):
        return False
    return bool(read_amounts(sentence)) or _OVER.search(sentence) is not None


def _is_other(sentence: str, fact: Fact) -> bool:
    if read_amounts(sentence):
        return is_other_dose(sentence, fact.value)
    return _OVER.search(sentence) is not None


def _day(session: Session, number: int) -> str:
    times = (one.message.time for one in session.shown() if one.number == number)
    return (next(times, None) or session.id)[:10]

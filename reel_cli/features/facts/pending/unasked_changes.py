"""Changes of a medicine that a chat says and a page was not asked about, as a short page has no facts."""

from collections.abc import Sequence

from reel_cli.core.evidence.grounding.lexicon import even, sentences
from reel_cli.core.evidence.grounding.numbers import numbers
from reel_cli.core.evidence.own_words import telling
from reel_cli.core.frozen import late
from reel_cli.core.question_words import is_question
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Session
from reel_cli.features.facts.evidence.medicine import names_dose, names_medicine
from reel_cli.features.facts.fact import Fact

_OVER = late(
    r"(?i)\b(?:off|stop(?:s|ped)?|quit|no longer|switched|instead of|doubled|halved|up(?:ped)? to|down to"
    r"|raised|lowered|abgesetzt|statt|arrêté|suspendu|dejé|suspendid[oa]|parei|sospes[oa])\b"
    r"|отменил|больше не|停|やめ"
)
_SHORTEST = 5
"""Letters of a word below which it may be of anything."""


def find_unasked(held: Sequence[Fact], session: Session) -> Sequence[str]:
    """Return a line for each medicine known by heart of which a person says another dose, or an end."""
    texts = [even(one.message.text) for one in session.shown() if one.message.role == "user"]
    said = [text[first:last].strip() for text in texts for first, last in sentences(text)]
    told: list[str] = []
    for fact in held:
        if not names_medicine(f"{fact.key} {fact.value}"):
            continue
        names = {word for word in telling(even(fact.key)) if len(word) >= _SHORTEST}
        found = next((one for one in said if names & telling(one) and _is_other(one, fact.value)), None)
        if found is not None:
            told.append(
                f"{fact.key}: “{one_line(fact.value, 60)}” is known by heart, and this chat says"
                f" “{one_line(found, 80)}”. To ask for what holds:  reel fact extract"
            )
    return told


def _is_other(sentence: str, value: str) -> bool:
    """Return whether a sentence gives another dose than a value, or an end; one that asks gives nothing."""
    if is_question(sentence):
        return False
    dosed = names_dose(sentence) and _counted(sentence).isdisjoint(_counted(value))
    return dosed or _OVER.search(sentence) is not None


def _counted(text: str) -> frozenset[float]:
    plain = even(text)
    return frozenset(value for one in numbers(plain, plain) for value in one.values)

"""Evidence for a fact in words that a speaker quotes or retells of somebody else.

`weigh` returns the support that one turn gives the value, where what its speaker quotes counts as well.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from reel_cli.core.evidence.grounding.lexicon import even
from reel_cli.core.evidence.own_words import ONESELF
from reel_cli.core.evidence.phrases import Tape
from reel_cli.core.evidence.quotation import SPOKEN
from reel_cli.core.frozen import late
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Entry
from reel_cli.features.facts.evidence.fact_support import FactSupport

_NAMED_BEFORE = 2
"""Number of messages before a quotation that may name the one whose words it has."""
_RETELLS = late(
    rf"(?i)[\W_]*(?:(?:and|but|so|then|now|well) )?(?!(?:i|you|we|it|that|this|what|who)\b)"
    r"(?:he|she|they|(?:(?:my|his|her|our|the) )?[\w'’-]+)"
    rf"(?: (?:\w+ly|always|just|then|once|used to))? (?:{SPOKEN}|say|thinks?|thought)\b"
    r"[^.!?\n\"“«„:]{0,40}(?::|[\"“«„])"
)
"""Pattern of words that tell what somebody else said, with the one who did."""
_SAYS_IT = late(
    rf"\b(?P<who>[\w'-]+)(?:'s words were| (?:\w+ly |just |then |once |always )?(?:{SPOKEN}|say)"
    r"(?: (?:me|us|to me))?)[,:]?\s*[\"'“‘«„]\s*$"
)
"""Pattern of what stands right before words that somebody else said."""


def bear_as_retold(
    turns: Sequence[Entry], value: str, evidence: str, weigh: Callable[[Entry], FactSupport]
) -> FactSupport | None:
    """Return the support of a turn that tells, with these words, what somebody said; None for none.

    Who says it stands in the words, and the value is all of them.
    """
    for entry in turns:
        found = Tape([entry]).find(evidence)
        if found is None or not _RETELLS.match(found.text):
            continue
        borne = weigh(entry)
        if borne.why or not (borne.retold or borne.value == value):
            return None
        return replace(borne, value=one_line(found.text).strip().rstrip(".,"), retold=True)
    return None


def bear_quoted(
    said: Sequence[Entry],
    role: str,
    evidence: str,
    names: Sequence[str],
    weigh: Callable[[Entry], FactSupport],
) -> FactSupport | None:
    """Return the support of words that a speaker of this role quotes of one of these people; None for none.

    Right before the words stands who said them, by name or after it (`I asked Pirjo, and she said "…"`).
    """
    wanted = even(evidence).casefold().strip(" \"'.,;")
    for place, entry in enumerate(said):
        before, found, _ = even(entry.message.text).casefold().partition(wanted)
        says = _SAYS_IT.search(before) if found and entry.message.role == role else None
        if says is None:
            continue
        near = said[max(0, place - _NAMED_BEFORE) : place]
        told = " ".join([*(even(one.message.text).casefold() for one in near), before])
        places = {name: _last_place(name.casefold(), told) for name in names}
        name = max(places, key=lambda one: places[one], default="")
        if not name or places[name] < 0 or says["who"] not in ("he", "she", "they", name.casefold()):
            return None
        borne = weigh(entry)
        return None if borne.why else replace(borne, retold=True, speaker=name)
    return None


def as_reported(value: str, borne: FactSupport) -> FactSupport:
    """Return a support whose value says who said it, where its `I` is somebody else."""
    lends = _RETELLS.match(borne.words) and ONESELF.search(value) and not _RETELLS.match(value)
    if borne.why or borne.value != value or not lends:
        return borne
    return replace(borne, value=one_line(borne.words).strip().rstrip(".,"), retold=True)


def _last_place(name: str, text: str) -> int:
    """Return where a name stands last in a text; -1 for nowhere."""
    return max((found.start() for found in re.finditer(rf"\b{re.escape(name)}\b", text)), default=-1)

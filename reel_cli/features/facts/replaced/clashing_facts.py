"""Two facts that hold and do not agree about one thing that protects somebody: where it is, or its dose.

`pen in the till drawer`, noted under the wasp stings, is not taken back by `pen: in the apron pocket`, since
nobody told a changed value of one name. The newer one stands; a bundle marks the older.
"""

from collections.abc import Iterator, Sequence

from reel_cli.core.evidence.grounding.lexicon import even
from reel_cli.core.frozen import frozen, late
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import read_day
from reel_cli.core.shell import join
from reel_cli.core.values.holdings import OldValue
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import FACTS, read_facts
from reel_cli.features.facts.pending.doses import find_other_dose, read_kin
from reel_cli.features.facts.policy import (
    PERSON,
    category_of,
    confidence_of,
    current_facts,
    fact_id,
    fact_name,
    protects,
)
from reel_cli.features.facts.replaced.line_tokens import DOSES, tokens_in
from reel_cli.features.facts.statement import state_plainly

_DENIED = late(
    r"(?i)\b(?:not|no longer|out of|instead of|rather than|from)\s+(?:(?:in|on|under|at)\s+)?[^,.;:!?]+"
)
_CLAUSE = late(r"\s*[,;.]\s+(?:(?:and|with)\s+)?|\s+(?:and|with)\s+")


@frozen
class FactClash:
    """Two facts that do not agree: `was`, the older, tells of the thing of the newer one in the part `told`.

    `rest` is what the older one says beside it.
    """

    was: Fact
    now: Fact
    told: str
    rest: str

    @property
    def mend(self) -> str:
        """Return the command that leaves the newer one alone."""
        if not self.rest:
            return join(["reel", "fact", "drop", fact_id(self.was)])
        return join(["reel", "fact", "add", category_of(self.was), self.was.key, self.rest])


def find_clashes(snapshot: Snapshot) -> Sequence[FactClash]:
    """Return the facts that do not agree; raises ReelError where they cannot be read."""
    sure = snapshot.settings.facts_sure
    facts = [one for one in read_facts(snapshot) if one.dropped or confidence_of(one) >= sure]
    standing = current_facts(facts)
    return list(_find(standing, standing))


def note_clashes(snapshot: Snapshot) -> Sequence[tuple[str, str]]:
    """Return each clash as a sentence with the command that mends it, read again only after a change."""

    def read(_path: str) -> Sequence[tuple[str, str]]:
        return [(_tell(one), one.mend) for one in find_clashes(snapshot)]

    return [(str(told), str(mend)) for told, mend in snapshot.note("clashing facts", [FACTS], read)[FACTS]]


def _tell(one: FactClash) -> str:
    return f"“{one.was.key}” says “{one.told}”, and “{one.now.key}” since then “{one.now.value}”"


def list_clashing_values(facts: Sequence[Fact], user: str) -> Iterator[OldValue]:
    """Yield the parts of noted facts that newer ones take back, as values that hold no longer."""
    for one in _find([one for one in facts if not one.dropped], current_facts(facts)):
        tokens, new = [*tokens_in(one.told)], _slots(one.now.value)
        day = _day(one.now)
        yield OldValue(
            fact_id(one.now),
            one.now.key.replace("_", " "),
            day,
            state_plainly(one.now, user),
            [slot for slot in _slots(one.told) if slot not in new],
            [token for token in tokens_in(one.now.key) if token[1:2] != ":"],
            [token for token in tokens if token[1:2] != ":" and f"p:{token}" not in tokens],
            new,
        )


def _find(noted: Sequence[Fact], standing: Sequence[Fact]) -> Iterator[FactClash]:
    """Yield the parts of noted facts that do not agree with a newer one that holds."""
    kin = read_kin(standing)
    for now in filter(protects, standing):
        places = _slots(_DENIED.sub(" ", even(f"{now.value} . {now.statement}")))
        thing = [token for token in tokens_in(now.key) if token[1:2] != ":"]
        found = False
        for was in filter(protects, noted) if places and thing else ():
            if fact_name(was) == fact_name(now) or not "" < _day(was) < _day(now):
                continue
            parts = _CLAUSE.split(even(was.value))
            told = next((part for part in parts if thing[-1] in tokens_in(part)), "")
            if (
                told
                and {*thing} <= {*tokens_in(f"{was.key} . {was.value}")}
                and _differ(_slots(told), places)
            ):
                rest = ", ".join(part for part in parts if part != told)
                found = True
                yield FactClash(was, now, told, rest)
        dose = None if found or now.origin == PERSON else find_other_dose(now, _earlier(now, standing), kin)
        if dose is not None:
            yield FactClash(dose, now, dose.value, "")


def _earlier(now: Fact, standing: Sequence[Fact]) -> Sequence[Fact]:
    """Return the protecting facts from before one that are not named after it: of two doses both may hold."""
    return [
        one
        for one in standing
        if protects(one) and "" < _day(one) < _day(now) and not now.key.startswith(one.key)
    ]


def _slots(text: str) -> Sequence[str]:
    """Return the places and doses of a text."""
    return [
        token
        for token in dict.fromkeys(tokens_in(text))
        if token.startswith("p:") or (token.startswith("n:") and token.partition("/")[2] in DOSES)
    ]


def _differ(was: Sequence[str], now: Sequence[str]) -> bool:
    """Return whether both give a place, or a dose in the same unit, and not the same."""
    kinds = [({*_kinds(side)}) for side in (was, now)]
    return bool(kinds[0] & kinds[1]) and {*was}.isdisjoint(now)


def _kinds(slots: Sequence[str]) -> Iterator[str]:
    for slot in slots:
        yield slot[0] if slot[0] == "p" else slot.partition("/")[2]


def _day(fact: Fact) -> str:
    day = read_day(fact.source) or read_day(fact.when)
    return day.isoformat() if day is not None else ""

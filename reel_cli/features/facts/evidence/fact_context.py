"""The words and the facts that a reply's facts are weighed against."""

from collections.abc import Sequence
from dataclasses import replace

from reel_cli.core.evidence.changed_number import find_changed_number
from reel_cli.core.evidence.days.said_days import NEAR
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, telling
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import read_day
from reel_cli.core.tape.talks import talk_day
from reel_cli.core.tape.voices import persona_names
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Session
from reel_cli.features.facts.adapters import known_categories
from reel_cli.features.facts.choice import CURRENT, is_past
from reel_cli.features.facts.evidence.details.another_person import OF_ONESELF
from reel_cli.features.facts.evidence.details.earlier_talk import EarlierTalk
from reel_cli.features.facts.evidence.details.once_only import find_limit
from reel_cli.features.facts.evidence.details.refused_medicine import Refusal, find_refusal, find_taker
from reel_cli.features.facts.evidence.fact_clause import clause_against
from reel_cli.features.facts.evidence.fact_support import FactSupport
from reel_cli.features.facts.evidence.talk_evidence import TalkEvidence
from reel_cli.features.facts.evidence.whole_chat import WholeChat
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import read_facts
from reel_cli.features.facts.near_names import find_across, find_misnamed, find_near
from reel_cli.features.facts.policy import (
    current_facts,
    fact_name,
    is_aside,
    protects,
    read_category,
    same_value,
)
from reel_cli.features.facts.reply import ToldFact

DAY = 10
"""Characters of an ISO date."""
_YEAR_OF_DAYS = 365


class FactContext:
    """One session, the chats before it, and the facts that stand."""

    def __init__(self, snapshot: Snapshot, session: Session, *, unattended: bool) -> None:
        self.snapshot, self.session, self.unattended = snapshot, session, unattended
        self.settings = snapshot.settings
        self.heard = TalkEvidence(session, self.settings.user, persona_names(snapshot), unattended=unattended)
        self.noted = read_facts(snapshot)
        self.standing = {
            fact_name(one): one
            for one in current_facts(self.noted)
            if not (is_aside(one, self.settings.facts_sure) or is_past(one, talk_day(snapshot, session)))
        }
        self.told: frozenset[tuple[str, str]] = frozenset()
        """Names of the facts of the reply."""
        self.names: tuple[str, ...] = ()
        """Names that the user gave, beside the one in the kit."""
        self.right_names: dict[tuple[str, str], str] = {}
        """The keys of facts that the chat puts right, by the names of those that stand."""
        self._told_by_user = [one.message.text for one in session.shown() if one.message.role == "user"]
        self._near: dict[tuple[str, str], tuple[str, str]] = {}
        self.kinds = known_categories(snapshot)
        self.before = EarlierTalk(snapshot, session)
        self.chat = WholeChat(session, self.settings.user, self.settings.name, self.before)

    def as_standing(self, one: ToldFact) -> ToldFact:
        """Return a fact with the kind and name under which its matter stands, if these are others.

        Two that one page tells apart are two; so is a name of which the page gives the fact itself.
        """
        if told_name(one) in self.standing:
            return one
        if read_category(one.category) in CURRENT:
            others = (replace(one, category=kind) for kind in CURRENT)
            if found := next((other for other in others if told_name(other) in self.standing), None):
                return found
        known = [stood for name, stood in self.standing.items() if name not in self.told]
        fact = Fact(read_category(one.category), one.key, one.value)
        near = find_across(
            fact,
            [stood for stood in self.standing.values() if fact_name(stood) not in self.told],
            one.evidence,
        )
        if near is not None:
            return replace(one, category=near.category, key=near.key)
        if (misnamed := find_misnamed(fact, self.standing.values(), self._told_by_user)) is not None:
            self.right_names[fact_name(misnamed)] = one.key
            return replace(one, category=misnamed.category, key=misnamed.key)
        near = find_near(fact, known)
        if near is None or self._near.setdefault(fact_name(near), told_name(one)) != told_name(one):
            return one
        return replace(one, category=near.category, key=near.key)

    def clause_against(self, one: ToldFact, borne: FactSupport, kind: str = "") -> str:
        """Return why the clause of a fact's words does not bear its value; "" where it may."""
        kind = kind or read_category(one.category)
        names = (self.settings.user, *self.names)
        return clause_against(kind, f"{one.key} {one.statement}", borne, one.key, names)

    def refusal_of(self, one: ToldFact, borne: FactSupport) -> Refusal | None:
        """Return the words by which what a fact tells as taken was refused, or is taken by another."""
        said = self._said_since(borne)
        if not said:
            return None
        told = f"{one.key.replace('_', ' ')} {one.statement} {one.value}"
        names = (self.settings.user, *self.names)
        if read_category(one.category) in OF_ONESELF:
            taker = find_taker(told, borne.words, said[0][0], names)
            if taker is not None:
                return taker
        return find_refusal(one.value, one.key, borne.words or one.evidence, said)

    def limit_of(self, borne: FactSupport) -> str:
        """Return the words by which the chat limits a fact to one time; "" for none."""
        return find_limit(borne.words, [text for text, _ in self._said_since(borne)])

    def _said_since(self, borne: FactSupport) -> Sequence[tuple[str, str]]:
        """Return the turn that bears a fact and its speaker's later ones, each with the turn before it."""
        if borne.session:
            return [(one.turn.text, "") for one in borne.source.said[:1]] if borne.source is not None else []
        shown = self.session.shown()
        before = ("", *(one.message.text for one in shown))
        return [
            (one.message.text, asked)
            for one, asked in zip(shown, before, strict=False)
            if one.message.role == "user" and (one.number or 0) >= (borne.first or borne.number)
        ]

    def day_of(self, number: int) -> str:
        """Return the day of a message: a chat may go on for weeks in its file."""
        times = (one.message.time for one in self.session.shown() if one.number == number)
        return (next(times, None) or self.session.id)[:DAY]

    def guesses_year(self, value: str) -> bool:
        """Return whether a value has a day that does not come within a year, in a year that nobody said."""
        today = read_day(self.session.id)
        days = [first for one in dates(even(value), None) if one.kind == "day" for first, _ in one.spans]
        far = [day for day in days if today is None or not -NEAR <= (day - today).days < _YEAR_OF_DAYS]
        said = "\n".join(one.message.text for one in self.session.shown())
        return any(str(day.year) not in said for day in far)

    def changes_number(self, one: ToldFact, stood: Fact) -> str:
        """Return why a value cannot take the place of one that has another number; "" where it may.

        Nobody said the new number, and it does not follow from what was said. A dose waits for a person.
        """
        if protects(stood) or protects(Fact(read_category(one.category), one.key, one.value)):
            return ""
        said = (entry.message.text for entry in self.session.shown())
        place = find_changed_number(stood.value, one.value, [*said, *self.before.texts])
        if place is None:
            return ""
        return f"nobody said “{one.value[slice(*place)]}”; “{one_line(stood.value, 40)}” stays"

    def leaves_outdated(self, one: ToldFact, borne: FactSupport, stood: Fact | None) -> str:
        """Return that an older value stays, where the chat has the words of a newer one; "" otherwise."""
        if stood is None or not borne.words or same_value(stood.value, one.value):
            return ""
        if telling(one.value) <= telling(f"{stood.key} {stood.value} {stood.statement}"):
            return ""
        return f"; “{one_line(stood.value, 40)}” stays, though it may be over"


def told_name(one: ToldFact) -> tuple[str, str]:
    """Return the name of a fact as a reply gives it."""
    return fact_name(Fact(one.category, one.key, one.value))

"""The places of weighed facts: noted, set aside, waiting, or refused with the reason."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.evidence.grounding.lexicon import even, telling
from reel_cli.core.moment import day_in_words, read_day
from reel_cli.core.values.change import one_line
from reel_cli.core.values.settings import WHOLE
from reel_cli.features.facts.evidence.details.once_only import day_of_once, goes_on, limits_itself
from reel_cli.features.facts.evidence.details.part_kinds import is_rule
from reel_cli.features.facts.evidence.fact_answer import MOST_WORDS
from reel_cli.features.facts.evidence.fact_context import DAY, FactContext, told_name
from reel_cli.features.facts.evidence.fact_review import notes_of, problem_of
from reel_cli.features.facts.evidence.fact_support import FactSupport
from reel_cli.features.facts.evidence.kept_parts import as_addition, with_kept_parts
from reel_cli.features.facts.evidence.kept_value import find_lost_denial, find_lost_limit, is_affirmed
from reel_cli.features.facts.evidence.support_search import SupportSearch
from reel_cli.features.facts.evidence.values import Relation
from reel_cli.features.facts.evidence.word_fact import word_fact
from reel_cli.features.facts.fact import RENAMED, Fact
from reel_cli.features.facts.near_names import find_corrected_name
from reel_cli.features.facts.pending.another_medicine import part_medicines, read_names
from reel_cli.features.facts.pending.chat_words import tell_difference
from reel_cli.features.facts.pending.doses import find_other_dose, read_kin
from reel_cli.features.facts.pending.held_facts import waits_already
from reel_cli.features.facts.policy import (
    EXTRACTION,
    OWN,
    PERSON,
    current_facts,
    fact_name,
    overrides,
    protects,
    read_category,
    same_value,
)
from reel_cli.features.facts.protection import as_change_of, find_guarded, says_over, tells_no_more
from reel_cli.features.facts.relation import (
    is_event_of,
    is_known,
    is_same_change,
    key_apart,
    measure_name,
    relate,
    relate_measure,
)
from reel_cli.features.facts.reply import ToldFact

if TYPE_CHECKING:
    from reel_cli.core.values.artifact import Problem

_NEED_A_WORD = ("identity", "constraints")
"""Kinds of what the persona tells of itself that nobody but a person may put by heart."""


class FactPlacement:
    """The facts of one reply as they are placed, one after the other."""

    def __init__(self, context: FactContext, support: SupportSearch) -> None:
        self.context, self.support = context, support
        self.made: list[Fact] = []
        self.waits: list[Fact] = []
        self.clashes: list[Fact] = []
        self.aside: list[Fact] = []
        self.said: dict[Fact, str] = {}
        self.ended: dict[Fact, Fact] = {}
        """Facts that end with another, which has the same under the right name."""
        self.refused: list[Problem] = []
        self.notes: list[Problem] = []

    def note(self, one: ToldFact, borne: FactSupport, *, own: bool) -> None:
        """Note a fact, unless it is known, was removed by a person, or waits for one."""
        if lost := self.support.loses(one, borne):
            self._note_written(one, borne, lost, own=own)
            return
        fact = word_fact(self.context, one, borne, own=own)
        stood = self.context.standing.get(fact_name(fact))
        if stood is None and self._is_removed(fact):
            self.refused.append(problem_of(one, "not kept: you removed it"))
            return
        known = any(fact_name(other) == fact_name(fact) for other in self.made)
        if known or self._add_to_renamed(fact, borne.words) or is_known(fact, stood, self.context.noted):
            return
        replaced = stood is not None and overrides(fact, stood)
        relation, apart = Relation.UPDATE, one
        if stood is not None and replaced:
            relation, apart = self._relate(stood, fact, one, borne)
        if told_name(apart) != told_name(one):
            limited = apart.value != one.value
            self.note(apart, replace(borne, value=apart.value) if limited else borne, own=own)
            return
        if stood is not None and relation is Relation.LESS:
            if protects(stood) and not tells_no_more(fact, stood):
                # what it says of a danger in few words may be new: `no oats at all`
                self._hold(replace(fact, replaces=stood.value))
            else:
                self._note_less(one, borne, stood, fact)
            return
        guessed = borne.open_year and self.context.guesses_year(borne.value)
        self.notes += notes_of(one, replace(borne, open_year=guessed))
        if (held := self._held_back(fact, stood, replaced=replaced)) is not None:
            self._hold(held)
            return
        if stood is not None and replaced:
            fact = self._in_place_of(stood, fact, relation, borne, one.statement)
            if same_value(fact.value, stood.value):
                return
            fact = self._under_right_name(stood, fact, borne.words)
        elif stood is not None:
            self.notes.append(problem_of(one, f"noted, but “{stood.value}” was said later, and stays"))
        self._add(fact, one, clashes=relation is Relation.CONFLICT, own=own)

    def _add(self, fact: Fact, one: ToldFact, *, clashes: bool, own: bool) -> None:
        """Note a fact, unless only a person may put it by heart."""
        if own and self.context.unattended and read_category(one.category) in _NEED_A_WORD:
            self.waits.append(fact)
            return
        self.made.append(fact)
        if clashes:
            self.clashes.append(fact)
        # `you` in what the user retells is said to the user
        quoted = self.context.chat.is_quoted(one.evidence)
        self.said[fact] = "" if quoted else self.context.heard.without_asked(one.evidence)
        self._hold_without(fact)

    def _hold_without(self, fact: Fact) -> None:
        """Let the facts of other medicines wait without the dose of this one that they tell."""
        mine = read_names(fact.key)
        for stood in self.context.standing.values() if mine else ():
            alone, other = part_medicines(stood)
            if other is not None and read_names(other.key) & mine:
                told = replace(alone, source=fact.source, when=fact.when, evidence=fact.evidence)
                self._hold(replace(told, replaces=stood.value, origin=EXTRACTION, statement=""))

    def _is_removed(self, fact: Fact) -> bool:
        """Return whether a person removed what a fact says."""
        return fact_name(fact) not in map(fact_name, current_facts([*self.context.noted, fact]))

    def _relate(
        self, stood: Fact, fact: Fact, one: ToldFact, borne: FactSupport
    ) -> tuple[Relation, ToldFact]:
        """Return what a fact is to the one that stands, with a name of its own where both may stand."""
        if (once := self._as_once(stood, fact, one, borne)) is not None:
            return Relation.BOTH, once
        if relate_measure(stood, fact) is fact:
            category, key = measure_name(fact)
            return Relation.BOTH, replace(one, category=category, key=key)
        relation, event = relate(stood, fact, one.value, borne), is_event_of(stood, fact)
        if relation is not Relation.LESS and (event or relation is Relation.BOTH):
            return relation, replace(one, key=key_apart(fact, fact.when[:DAY] if event else ""))
        return relation, one

    def _as_once(self, stood: Fact, fact: Fact, one: ToldFact, borne: FactSupport) -> ToldFact | None:
        """Return a fact that the chat limits to one time, with the limit and a name beside the rule's.

        None for others, and where the value has the rule itself.
        """
        rule = goes_on(f"{stood.value}. {stood.statement}") and not protects(stood)
        told = read_day(fact.when)
        if not rule or told is None or is_rule(fact.value) or not (limit := self.context.limit_of(borne)):
            return None
        key = f"{fact.key} {day_in_words(day_of_once(fact.value, told))}"
        value, stated = (
            text if not text or limits_itself(text) else f"{text.rstrip('. ')}, {limit}"
            for text in (fact.value, one.statement)
        )
        return replace(one, key=key, value=value, statement=stated)

    def _note_less(self, one: ToldFact, borne: FactSupport, stood: Fact, fact: Fact) -> None:
        """Note what is said of somebody besides with the value that stands; else only that this one stays."""
        more = as_addition(stood, fact, borne.words)
        if more is not None and self._held_back(fact, stood, replaced=True) is None:
            changed = replace(more, replaces=stood.value)
            self.made.append(changed)
            self.said[changed] = self.context.heard.without_asked(one.evidence)
            return
        stays = problem_of(one, f"“{stood.value}” stays: what was said now says less about it")
        self.notes.append(replace(stays, quiet=True))

    def _in_place_of(
        self, stood: Fact, fact: Fact, relation: Relation, borne: FactSupport, again: str
    ) -> Fact:
        """Return a fact as the value that replaces another, with what of that one still holds."""
        if relation is Relation.BOTH:
            self._rename(stood, stood.category, key_apart(stood))
        elif relate_measure(stood, fact) is stood:
            self._rename(stood, *measure_name(stood))
        elif relation is Relation.UPDATE:
            said = [entry.message.text for entry in self.context.session.shown()]
            fact = with_kept_parts(stood, fact, borne.words, again=again, said=said)
        return replace(fact, replaces=stood.value)

    def _under_right_name(self, stood: Fact, fact: Fact, words: str) -> Fact:
        """Return a fact under the name as it puts it right; what stood under the other ends with it."""
        told = self.context.right_names.get(fact_name(stood), "")
        key = told or find_corrected_name(fact.key, fact.value, words)
        if not key or protects(stood) or protects(fact):
            return fact
        named = replace(fact, key=key)
        if fact_name(named) in (*self.context.standing, *map(fact_name, self.made)):
            return fact
        if told and telling(even(fact.value)).isdisjoint(telling(even(stood.value))):
            # it was told as of somebody else, and says nothing again
            named = as_addition(stood, named, words) or named
        self.ended[named] = replace(stood, when=fact.when, origin=EXTRACTION, dropped=f"{RENAMED}{key}")
        return named

    def _add_to_renamed(self, fact: Fact, words: str) -> bool:
        """Add what one page tells under both spellings of a name to the fact under the right one."""
        new = next((new for new, old in self.ended.items() if fact_name(old) == fact_name(fact)), None)
        if new is None:
            return False
        if (more := as_addition(new, replace(fact, key=new.key), words)) is not None:
            both = replace(more, replaces=new.replaces)
            self.made[self.made.index(new)] = both
            self.ended[both], self.said[both] = self.ended.pop(new), self.said.pop(new)
        return True

    def _rename(self, stood: Fact, category: str, key: str) -> None:
        """Note what stood under a name that another thing takes again, under a name with its own time."""
        apart = replace(stood, category=category, key=key)
        if fact_name(apart) not in (*self.context.standing, *map(fact_name, self.made)):
            self.made.append(apart)

    def note_beside(self, one: ToldFact, quoted: FactSupport, *, own: bool) -> None:
        """Note a fact in the words that were said, beside a value that stands under its name."""
        told = replace(one, statement="")
        fact = word_fact(self.context, told, quoted, own=own)
        if fact_name(fact) in (*self.context.standing, *map(fact_name, self.made)):
            told = replace(told, key=key_apart(fact, fact.when[:DAY]))
        self.note(told, quoted, own=own)

    def note_done(self, one: ToldFact, borne: FactSupport, *, own: bool) -> None:
        """Note a fact; one that tells as done what was only intended is kept in the words that intend it.

        Where these are too many for a fact, it is refused.
        """
        plan = self.context.heard.find_plan(one.key, borne, own=own)
        if not plan:
            self.note(one, borne, own=own)
        elif len(plan.split()) <= MOST_WORDS:
            self.note(replace(one, statement=""), replace(borne, value=plan), own=own)
        else:
            self.refuse(one, f"“{one_line(plan, 80)}” does not say that it was done", shown=True)

    def _note_written(self, one: ToldFact, borne: FactSupport, lost: str, *, own: bool) -> None:
        """Note a fact as it is written, where its words lose something of it that the talk has; else refuse.

        What protects somebody waits, since nobody can tell.
        """
        words = borne.words or one.evidence
        why = f"“{one_line(words, 60)}” does not say “{one_line(lost, 60)}”"
        if protects(Fact(read_category(one.category), one.key, one.value)):
            self.let_wait(one, replace(borne, why=why, words=words), guards=True)
        elif is_affirmed(one.value, words):
            self.refuse(one, why, shown=True)
        elif self.context.heard.says_all(one.value, borne.number, own=own):
            self.note(one, replace(borne, value=one.value, words=words), own=own)
        elif find_lost_limit(one.value, borne.value, borne.left_out):
            # the rest alone would say something else, and a person knows what is so
            self.let_wait(one, replace(borne, why=why, words=words), guards=False)
        elif (said := self._in_words(one, borne, own=own)) is not None:
            self.note_beside(replace(one, value=said.value), said, own=own)
        else:
            self.refuse(one, why)

    def _in_words(self, one: ToldFact, borne: FactSupport, *, own: bool) -> FactSupport | None:
        """Return the support of a new fact in the words it quotes, unless they lack a denial."""
        said = self.support.as_quoted(one, borne, own=own)
        lacks = said is None or find_lost_denial(one.value, said.value)
        return None if lacks or told_name(one) in self.context.standing else said

    def _held_back(self, fact: Fact, stood: Fact | None, *, replaced: bool) -> Fact | None:
        """Return the change for which one yes to a whole page is no word; None for none."""
        if stood is not None and not replaced:
            return replace(fact, replaces=stood.value) if fact.said_by and not stood.said_by else None
        guarded = self._find_guarded(fact)
        return as_change_of(fact, guarded) if guarded is not None else None

    def _find_guarded(self, fact: Fact) -> Fact | None:
        """Return the protecting fact that a new one changes; a dose is one beside the older dose, too."""
        standing = self.context.standing.values()
        return find_guarded(fact, self._others(fact)) or find_other_dose(
            fact, filter(protects, standing), read_kin(standing)
        )

    def _others(self, fact: Fact) -> Sequence[Fact]:
        """Return the facts that a new one may change.

        Those that its page tells under their own names stand beside it, unless it says that one is over.
        """
        told = self.context.told - {fact_name(fact)} if not says_over(fact) else frozenset()
        others = [*self.context.standing.values(), *self.made]
        return [one for one in others if fact_name(one) not in told]

    def let_wait(self, one: ToldFact, borne: FactSupport, *, guards: bool) -> None:
        """Let a fact wait that protects somebody and that its words do not bear: a person may know better."""
        own = read_category(one.category) == OWN
        borne = replace(borne, value=one.value, day=borne.day or self.context.day_of(borne.number))
        fact = word_fact(self.context, replace(one, statement=""), borne, own=own)
        stood = self.context.standing.get(fact_name(fact))
        if is_known(fact, stood, self.context.noted):
            return
        guarded = self._find_guarded(fact) if stood is None else None
        if guarded is not None:
            fact = as_change_of(fact, guarded)
        replaces = stood.value if stood is not None else fact.replaces
        fact = replace(fact, evidence=borne.words, origin=PERSON, replaces=replaces)
        until = f"; until you decide, “{one_line(replaces, 40)}” stays" if replaces else ""
        differs = tell_difference(one.value, borne.words)
        told = problem_of(one, f"waits for your decision: {differs or borne.why}{until}")
        # it is named among what is to be decided; a dose that the chat gives otherwise is told at once
        self.notes.append(replace(told, waits=not (guards and differs), quiet=not (guards and differs)))
        self._hold(fact)

    def _hold(self, fact: Fact) -> None:
        """Let a fact wait in review, once; its words of another medicine are a fact of that one."""
        fact, other = part_medicines(fact)
        if other is not None and not any(self._is_told(other, one) for one in self._known()):
            self._hold(other)
        twice = any(is_same_change(fact, other) for other in self.waits)
        if not twice and not waits_already(self.context.snapshot, fact):
            self.waits.append(fact)

    def _known(self) -> Sequence[tuple[str, str]]:
        made = map(fact_name, (*self.made, *self.waits))
        return [*self.context.standing, *self.context.told, *made]

    @staticmethod
    def _is_told(fact: Fact, name: tuple[str, str]) -> bool:
        return bool(read_names(fact.key) & read_names(name[1]))

    def set_aside(self, one: ToldFact, borne: FactSupport, *, own: bool) -> None:
        """Note a fact that nobody can tell as too unsure for a bundle, unless its name is taken."""
        fact = word_fact(self.context, replace(one, statement=""), replace(borne, value=one.value), own=own)
        taken = [*self.context.standing.values(), *self.made, *self.aside]
        if is_known(fact, None, self.context.noted):
            return
        outdated = self.context.leaves_outdated(one, borne, self.context.standing.get(told_name(one)))
        aside = problem_of(one, f"set aside: {borne.why}{outdated}")
        self.refused.append(replace(aside, quiet=True))
        if any(fact_name(other) == fact_name(fact) for other in taken):
            return
        sure = min(one.sure, self.context.settings.facts_sure // 2)
        self.aside.append(replace(fact, evidence=borne.words, confidence=f"{sure / WHOLE:g}"))

    def refuse(self, one: ToldFact, why: str, *, shown: bool = False) -> None:
        """Refuse a fact with the reason, quietly unless it is `shown`."""
        self.refused.append(replace(problem_of(one, f"not kept: {why}"), quiet=not shown))

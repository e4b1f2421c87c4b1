"""Facts of a reply weighed against what was said: noted, refused, or waiting (SRIP-11 §III.5b)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, telling
from reel_cli.core.evidence.own_words import QUOTED_LINE, is_named
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import read_day
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line
from reel_cli.core.values.holdings import Counter
from reel_cli.core.values.settings import WHOLE
from reel_cli.core.values.talk import Session
from reel_cli.features.facts.evidence.details.refused_medicine import Refusal
from reel_cli.features.facts.evidence.fact_clause import whole_words
from reel_cli.features.facts.evidence.fact_context import FactContext, told_name
from reel_cli.features.facts.evidence.fact_evidence import ASKED
from reel_cli.features.facts.evidence.fact_placement import FactPlacement
from reel_cli.features.facts.evidence.fact_review import (
    OTHER,
    FactReview,
    is_against,
    settle_review,
    with_line,
)
from reel_cli.features.facts.evidence.fact_support import FactSupport, named
from reel_cli.features.facts.evidence.spoken_turns import (
    find_said,
    find_unopposed,
    without_added_questions,
)
from reel_cli.features.facts.evidence.support_search import SupportSearch, tells_other
from reel_cli.features.facts.evidence.word_fact import of_whom, user_names
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.near_names import are_alike
from reel_cli.features.facts.policy import OWN, guards_health, is_never_lost, protects, read_category
from reel_cli.features.facts.relation import name_generic, of_another, two_values, with_namesakes
from reel_cli.features.facts.reply import ToldFact, fault_of

_NO_DAY = "that it speaks of"
"""Words in a reason for a day that the line which a fact rests on does not have."""


def weigh(
    snapshot: Snapshot,
    session: Session,
    told: Iterable[ToldFact],
    counter: Counter,
    *,
    unattended: bool = False,
) -> FactReview:
    """Check a reply's facts against the words of a session; unsupported ones are refused.

    A change of what protects somebody waits for a word of its own. `unattended`: nobody reads them before
    they are kept, so that facts about the persona wait as well.
    """
    context = FactContext(snapshot, session, unattended=unattended)
    scale = _Scale(context)
    people = telling(f"{snapshot.settings.name} {' '.join(snapshot.settings.people)}")
    heard = [replace(one, evidence=without_added_questions(session, one.evidence)) for one in told]
    named = name_generic(heard, context.standing.values(), people)
    context.told = frozenset(map(told_name, named))
    context.names = user_names(context, named)
    for one, others in with_namesakes(named):
        scale.put(one, others)
    placed = scale.placement
    review = FactReview(
        tuple(placed.made), tuple(placed.refused), tuple(placed.notes), waits=tuple(placed.waits),
        clashes=tuple(placed.clashes), aside=tuple(placed.aside),
    )  # fmt: skip
    settled = settle_review(snapshot, review, placed.said if unattended else None, context.noted, counter)
    ended = tuple(old for new, old in placed.ended.items() if new in settled.facts)
    return replace(settled, ended=ended)


class Verdict(StrEnum):
    """The result of weighing one fact by itself."""

    BORNE = "borne"
    AGAINST = "against"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class WeighedFact:
    """One fact weighed by itself, with the facts that would be noted or would wait, and the problems."""

    verdict: Verdict
    made: Fact | None
    waits: tuple[Fact, ...]
    problems: tuple[Problem, ...]


class FactScale:
    """Scale for single facts against chats of a kit, as those of a page; it passes over what stands."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._contexts: dict[str, FactContext] = {}

    def weigh_one(self, session: Session, told: ToldFact) -> WeighedFact:
        """Return how the words that a fact quotes from a session bear it; kinds of its own are let be."""
        context = self._contexts.get(session.id)
        if context is None:
            context = FactContext(self._snapshot, session, unattended=False)
            context.standing, context.noted = {}, []
            self._contexts[session.id] = context
        if not {told.category, read_category(told.category)} & set(context.kinds):
            told = replace(told, category="context")
        context.names = user_names(context, [told])
        scale = _Scale(context)
        scale.put(told, [told])
        placed = scale.placement
        verdict = Verdict.BORNE if placed.made else Verdict.AGAINST if scale.is_against else Verdict.UNSURE
        made = placed.made[-1] if placed.made else None
        return WeighedFact(verdict, made, tuple(placed.waits), tuple(placed.refused))


class _Scale:
    """The facts of one reply while they are weighed, one after the other."""

    def __init__(self, context: FactContext) -> None:
        self.is_against = False
        """Whether words of the chat speak against the fact that was weighed last."""
        self.context = context
        self.support = SupportSearch(context)
        self.placement = FactPlacement(context, self.support)

    def put(self, one: ToldFact, others: Sequence[ToldFact]) -> None:
        """Note a fact, set it aside, let it wait, or refuse it with the reason.

        A refusal is shown only where words of the chat speak against the fact. What nobody can tell is set
        aside where its words were said, and refused where they were not. What protects somebody waits.
        """
        context = self.context
        if why := fault_of(one, context.kinds) or two_values(one, others):
            self.placement.refuse(one, why)
            return
        borne, own = self.support.find(one, as_own=read_category(one.category) == OWN)
        borne = self.support.as_grown(one, borne)
        if borne.speaker:
            one = of_another(one, borne.speaker)
        one = of_whom(one, (context.settings.user, context.settings.name, *context.names))
        kind = read_category(one.category)
        guards = protects(Fact(kind, one.key, one.value))
        why = borne.why or self.support.why_not_own(one, borne, own=own)
        if not why and borne.retold and guards:
            why = f"“{one_line(borne.words, 60)}” is what somebody else said"
        against, refusal = self._find_against(one, borne, guards=guards, why=why) if not own else ("", None)
        other = self._find_other(one, borne)
        against = against or other
        self.is_against = bool(against or borne.wrong or borne.why.endswith(ASKED))
        one = context.as_standing(one)
        stood = context.standing.get(told_name(one))
        unmeant = "" if why or own else context.heard.says_nothing_of(one.key, borne, stood, protects=guards)
        found = replace(
            borne,
            number=borne.number or borne.near,
            why=(refusal.tell() if refusal is not None else other) or why or against or unmeant,
        )
        found = replace(found, why=with_line(self._why_missing(one, found.why), borne.words or one.evidence))
        if stood is not None and (changed := context.changes_number(one, stood)):
            self.placement.refuse(one, changed)
            return
        least = context.settings.facts_sure
        if not found.why and one.sure >= least:
            self.placement.note_done(one, borne, own=own)
            return
        unsure = not found.why
        if unsure:
            why = f"it is {one.sure / WHOLE:g} sure, and {least / WHOLE:g} is the least"
            found = replace(found, why=why)
        guards = guards or (stood is not None and protects(stood))
        precious = guards or not (against or borne.wrong or not is_never_lost(kind, one.key, one.value))
        number = self._find_words(one, 0 if own else found.number, precious=precious, guards=guards)
        # what the persona says of somebody's safety is no telling of its own life
        own = own and not (guards and kind != OWN)
        # what is not to be said may be kept in the words that ask for it, unless they change what stands
        held = guards_health(Fact(kind, one.key, one.value)) or (stood is not None and protects(stood))
        odd = unsure or held or bool(against or unmeant)
        open_ended = odd or not (precious or self.support.cannot_tell(one, borne, stood))
        replaces = None if unsure or against or borne.wrong else stood
        if self._note_told(one, borne, replaces, own=own, quoted=not open_ended):
            return
        if number and precious:
            words = _show_words(one, borne, refusal, against=bool(against))
            self.placement.let_wait(one, replace(found, number=number, words=words), guards=guards)
        elif unsure:
            self.placement.set_aside(one, found, own=own and kind == OWN)
        elif against or borne.wrong or not found.number or not (borne.why or unmeant) or tells_other(one):
            self._refuse(one, borne, found, shown=borne.wrong or is_against(against))
        else:
            self.placement.set_aside(one, found, own=own and kind == OWN)

    def _refuse(self, one: ToldFact, borne: FactSupport, found: FactSupport, *, shown: bool) -> None:
        """Refuse a fact, quietly unless it is `shown`; a constraint whose older value may be over waits.

        A person can give the newer value without the detail that nobody said.
        """
        stood = self.context.standing.get(told_name(one))
        outdated = "" if shown or tells_other(one) else self.context.leaves_outdated(one, borne, stood)
        limits = read_category(one.category) == "constraints"
        if outdated and limits and (said := find_said(self.context.session, one.evidence, own=False)):
            guards = stood is not None and protects(stood)
            words = _show_words(one, borne, None, against=False)
            self.placement.let_wait(one, replace(found, number=said, words=words), guards=guards)
        else:
            self.placement.refuse(one, f"{found.why}{outdated}", shown=shown)

    def _find_against(
        self, one: ToldFact, borne: FactSupport, *, guards: bool, why: str
    ) -> tuple[str, Refusal | None]:
        """Return why the words for a fact do not bear it, and those by which what protects was refused.

        Where `why` says so already, as of words that are the other's question, only a refusal is looked for.
        """
        against = "" if why else self.context.clause_against(one, borne)
        refusal = self.context.refusal_of(one, borne) if guards and not against else None
        return (refusal.tell() if refusal is not None else against), refusal

    def _find_other(self, one: ToldFact, borne: FactSupport) -> str:
        """Return that the chat has another day, or a name like one, that nobody said; "" for none."""
        missing = self.context.chat.find_missing(one, self.context.standing.values()) if borne.why else ""
        name = missing.removesuffix("'s")
        texts = [even(entry.message.text) for entry in self.context.session.shown()] if name else []
        for other in (
            other.removesuffix("'s") for text in texts if name[:1].isupper() for other in named(text)
        ):
            if are_alike(name, other) and not is_named(even(one.value), other):
                return f"{OTHER}{other}”, and not “{name}”"
        dated = {(day.month, day.day) for day, _ in self._days(missing)}
        if not dated:
            return ""
        given = {(day.month, day.day) for day, _ in self._days(one.value)}
        for entry in self.context.session.shown():
            for day, told in self._days(entry.message.text):
                if day.month in {month for month, _ in dated} and (day.month, day.day) not in given:
                    return f"{OTHER}{told.rstrip(' .')}”, and not “{missing}”"
        return ""

    def _days(self, text: str) -> Iterator[tuple[date, str]]:
        """Yield the days that a text gives by number and month, each as it is told."""
        plain, today = even(text), read_day(self.context.session.id)
        for when in dates(plain, today):
            if when.kind in ("day", "iso"):
                yield from ((first, plain[when.start : when.end]) for first, _ in when.spans[:1])

    def _why_missing(self, one: ToldFact, why: str) -> str:
        """Return the reason of a refusal, with the detail that nobody said where it names another."""
        if QUOTED_LINE not in why and _NO_DAY not in why:
            return why
        named = why.partition("“")[2].partition("”")[0]
        missing = self.context.chat.find_missing(one, self.context.standing.values())
        return why if not missing or named in missing or missing in named else f"nobody said “{missing}”"

    def _find_words(self, one: ToldFact, number: int, *, precious: bool, guards: bool) -> int:
        """Return the message of the words for a fact, `number` where that is known; 0 for none.

        Of what guards somebody the persona may have said them, and nobody put it right.
        """
        own, session = read_category(one.category) == OWN, self.context.session
        if number or not precious:
            return number
        said = find_said(session, one.evidence, own=own)
        return said if said or own or not guards else find_unopposed(session, one.evidence)

    def _note_told(
        self, one: ToldFact, borne: FactSupport, stood: Fact | None, *, own: bool, quoted: bool
    ) -> bool:
        """Note a fact as it is told, or in the words it quotes, though these do not bear it; return if so."""
        own_life = own or read_category(one.category) == OWN
        if (shared := self.support.as_shared(one, borne)) is not None:
            self.placement.note(replace(one, value=shared.value), shared, own=True)
        elif (newer := self.support.as_newer(one, borne, stood, own=own_life)) is not None:
            self.placement.note(one, newer, own=own_life)
        elif quoted and (in_words := self.support.as_quoted(one, borne, own=own)) is not None:
            self.placement.note_beside(
                self.support.as_said(one, in_words, own=own_life), in_words, own=own_life
            )
        else:
            return False
        return True


def _show_words(one: ToldFact, borne: FactSupport, refusal: Refusal | None, *, against: bool) -> str:
    """Return the words that a person reads who decides on a fact: the whole sentence, and a refusal."""
    words = whole_words(borne) if against else borne.words or one.evidence
    return refusal.with_words(words) if refusal is not None else words

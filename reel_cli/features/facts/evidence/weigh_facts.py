"""Facts of a reply weighed against what was said: noted, refused, or waiting (SRIP-11 §III.5b)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.evidence.changed_number import find_changed_number, has_grown
from reel_cli.core.evidence.grounding.lexicon import even
from reel_cli.core.evidence.grounding.source import Source
from reel_cli.core.evidence.own_words import is_named, telling, without_idle_questions
from reel_cli.core.frozen import late
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.talks import talk_day
from reel_cli.core.tape.voices import persona_names
from reel_cli.core.values.approval import is_about_persona
from reel_cli.core.values.change import one_line
from reel_cli.core.values.holdings import Counter
from reel_cli.core.values.settings import WHOLE
from reel_cli.core.values.talk import Session
from reel_cli.features.facts.adapters import known_categories
from reel_cli.features.facts.choice import CURRENT, is_past
from reel_cli.features.facts.evidence.fact_answer import MOST_WORDS
from reel_cli.features.facts.evidence.fact_clause import clause_against, whole_words
from reel_cli.features.facts.evidence.fact_review import (
    FactReview,
    notes_of,
    problem_of,
    settle_review,
    with_line,
)
from reel_cli.features.facts.evidence.fact_support import FactSupport
from reel_cli.features.facts.evidence.kept_value import find_lost, find_lost_denial, is_affirmed
from reel_cli.features.facts.evidence.key_meaning import OWNER
from reel_cli.features.facts.evidence.spoken_turns import find_said, without_added_questions
from reel_cli.features.facts.evidence.statement_evidence import bears_statement, has_details
from reel_cli.features.facts.evidence.talk_evidence import EarlierTalk, TalkEvidence
from reel_cli.features.facts.evidence.values import Relation
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import read_facts
from reel_cli.features.facts.pending_facts import waits_already
from reel_cli.features.facts.policy import (
    EXTRACTION,
    OWN,
    PERSON,
    PERSONA,
    current_facts,
    fact_name,
    guards_health,
    is_aside,
    is_never_lost,
    overrides,
    protects,
    read_category,
    same_value,
)
from reel_cli.features.facts.protection import as_change_of, find_guarded
from reel_cli.features.facts.relation import (
    is_event_of,
    is_known,
    is_same_change,
    key_apart,
    name_generic,
    of_another,
    relate,
    two_values,
    with_namesakes,
)
from reel_cli.features.facts.reply import ToldFact, fault_of

if TYPE_CHECKING:
    from reel_cli.core.values.artifact import Problem

LONGEST_STATEMENT = 240
_MOST_QUOTED, _FEWEST_QUOTED, _LEAST_QUOTED = 24, 3, 8
"""Words of a quotation up to which it is kept as a value, telling words without which it says little, and
words of any kind that say enough."""
_NEED_A_WORD = ("identity", "constraints")
"""Kinds of what the persona tells of itself that nobody but a person may put by heart."""
_DAY = 10


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
    scale = _Scale(snapshot, session, unattended=unattended)
    people = telling(f"{snapshot.settings.name} {' '.join(snapshot.settings.people)}")
    heard = [replace(one, evidence=without_added_questions(session, one.evidence)) for one in told]
    named = name_generic(heard, scale.standing.values(), people)
    for one, others in with_namesakes(named):
        scale.put(one, others)
    review = FactReview(
        tuple(scale.made), tuple(scale.refused), tuple(scale.notes), waits=tuple(scale.waits),
        clashes=tuple(scale.clashes), aside=tuple(scale.aside),
    )  # fmt: skip
    return settle_review(snapshot, review, scale.said if unattended else None, scale.noted, counter)


class _Scale:
    """The facts of one reply while they are weighed, one after the other."""

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
        self.kinds = known_categories(snapshot)
        self.made: list[Fact] = []
        self.waits: list[Fact] = []
        self.clashes: list[Fact] = []
        self.aside: list[Fact] = []
        self.said: dict[Fact, str] = {}
        self.refused: list[Problem] = []
        self.notes: list[Problem] = []
        self.before = EarlierTalk(snapshot, session)

    def put(self, one: ToldFact, others: Sequence[ToldFact]) -> None:
        """Note a fact, set it aside, let it wait, or refuse it with the reason.

        A refusal is shown where words of the chat speak against the fact. What nobody can tell is set aside
        where its words were said, and refused quietly where they were not. What protects somebody waits.
        """
        if why := fault_of(one, self.kinds) or two_values(one, others):
            self._refuse(one, why)
            return
        borne, own = self._bears(one, as_own=read_category(one.category) == OWN)
        borne = self._as_grown(one, borne)
        if borne.speaker:
            one = of_another(one, borne.speaker)
        one = _of_whom(one, (self.settings.user, self.settings.name))
        kind = read_category(one.category)
        guards = protects(Fact(kind, one.key, one.value))
        why = borne.why or self._whose(one, borne, own=own)
        if not why and borne.retold and guards:
            why = f"“{one_line(borne.words, 60)}” is what somebody else said"
        against = "" if why or own else clause_against(kind, f"{one.key} {one.statement}", borne)
        one = self._as_standing(one)
        stood = self.standing.get(_name(one))
        unmeant = "" if why or own else self.heard.says_nothing_of(one.key, borne, stood, protects=guards)
        found = replace(borne, number=borne.number or borne.near, why=why or against or unmeant)
        found = replace(found, why=with_line(found.why, borne.words or one.evidence))
        if stood is not None and (changed := self._changes_number(one, stood)):
            self._refuse(one, changed)
            return
        least = self.settings.facts_sure
        if not found.why and one.sure >= least:
            self._place_done(one, borne, own=own)
            return
        unsure = not found.why
        if unsure:
            why = f"it is {one.sure / WHOLE:g} sure, and {least / WHOLE:g} is the least"
            found = replace(found, why=why)
        guards = guards or (stood is not None and protects(stood))
        precious = guards or not (against or borne.wrong or not is_never_lost(kind, one.key, one.value))
        number = 0 if own else found.number
        if precious and not number:
            number = find_said(self.session, one.evidence, own=kind == OWN)
        # what is not to be said may be kept in the words that ask for it, unless they change what stands
        held = guards_health(Fact(kind, one.key, one.value)) or (stood is not None and protects(stood))
        open_ended = unsure or held or against or unmeant or not precious
        replaces = None if unsure or against or borne.wrong else stood
        if self._place_told(one, borne, replaces, own=own, quoted=not open_ended):
            return
        if number and precious:
            words = whole_words(borne) if against else borne.words or one.evidence
            self._let_wait(one, replace(found, number=number, words=words), guards=guards)
        elif unsure:
            self._set_aside(one, found, own=own)
        elif against or borne.wrong or not found.number or not (borne.why or unmeant):
            shown = bool(against or borne.wrong)
            outdated = "" if shown else self._leaves_outdated(one, borne, stood)
            self._refuse(one, f"{found.why}{outdated}", quiet=not (shown or outdated))
        else:
            self._set_aside(one, found, own=own)

    def _as_grown(self, one: ToldFact, borne: FactSupport) -> FactSupport:
        """Return the support of a number that follows from the old one and one that was said."""
        stood = self.standing.get(_name(self._as_standing(one)))
        if stood is None or not borne.wrong or protects(stood):
            return borne
        if not has_grown(stood.value, one.value, borne.words):
            return borne
        return replace(borne, why="", wrong=False, value=one.value, number=borne.near, near=0)

    def _changes_number(self, one: ToldFact, stood: Fact) -> str:
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

    def _as_quoted(self, one: ToldFact, borne: FactSupport, *, own: bool) -> FactSupport | None:
        """Return the support of a fact by the very words it rests on, where these do not bear its value.

        The one whose fact it is said them, so they are no error, whatever the page made of them. None where
        they are another's, a question, too many or too few, or have another number than the value.
        """
        own = own or read_category(one.category) == OWN
        number = find_said(self.session, one.evidence, own=own)
        words = one_line(one.evidence)
        odd = borne.wrong or borne.quoted or borne.retold or borne.speaker or borne.session or "?" in words
        many = len(words.split())
        thin = len(telling(words)) < _FEWEST_QUOTED and many < _LEAST_QUOTED
        if odd or not number or many > _MOST_QUOTED or thin:
            return None
        return FactSupport(number, self._day_of(number), value=words, words=words)

    def _place_beside(self, one: ToldFact, quoted: FactSupport, *, own: bool) -> None:
        """Note a fact in the words that were said, beside a value that stands under its name."""
        told = replace(one, statement="")
        fact = self._fact(told, quoted, own=own)
        if fact_name(fact) in (*self.standing, *map(fact_name, self.made)):
            told = replace(told, key=key_apart(fact, fact.when[:_DAY]))
        self._place(told, quoted, own=own)

    def _as_standing(self, one: ToldFact) -> ToldFact:
        """Return a fact of what is under way with the kind under which its name stands, if another has it."""
        if read_category(one.category) not in CURRENT or _name(one) in self.standing:
            return one
        others = (replace(one, category=kind) for kind in CURRENT)
        return next((other for other in others if _name(other) in self.standing), one)

    def _place_told(
        self, one: ToldFact, borne: FactSupport, stood: Fact | None, *, own: bool, quoted: bool
    ) -> bool:
        """Note a fact as it is told, or in the words it quotes, though these do not bear it; return if so."""
        own_life = own or read_category(one.category) == OWN
        if (newer := self._as_newer(one, borne, stood, own=own_life)) is not None:
            self._place(one, newer, own=own_life)
        elif quoted and (in_words := self._as_quoted(one, borne, own=own)) is not None:
            self._place_beside(one, in_words, own=own_life)
        else:
            return False
        return True

    def _as_newer(
        self, one: ToldFact, borne: FactSupport, stood: Fact | None, *, own: bool
    ) -> FactSupport | None:
        """Return the support of a newer value of which the talk has all, if not its quotation alone.

        It takes the place of what stood under its name, which would be told as current. None for no such
        value; what protects somebody needs its words.
        """
        words = one_line(one.evidence)
        if stood is None or not self._leaves_outdated(one, replace(borne, words=words), stood):
            return None
        guards = protects(stood) or protects(Fact(read_category(one.category), one.key, one.value))
        odd = guards or borne.quoted or borne.retold or borne.speaker or is_affirmed(one.value, words)
        said = find_said(self.session, one.evidence, own=own)
        if odd or not said or not self.heard.says_all(one.value, said, own=own):
            return None
        return FactSupport(said, self._day_of(said), value=one.value, words=words)

    def _day_of(self, number: int) -> str:
        """Return the day of a message: a chat may go on for weeks in its file."""
        times = (one.message.time for one in self.session.shown() if one.number == number)
        return (next(times, None) or self.session.id)[:_DAY]

    def _leaves_outdated(self, one: ToldFact, borne: FactSupport, stood: Fact | None) -> str:
        """Return that an older value stays, where the chat has the words of a newer one; "" otherwise."""
        if stood is None or not borne.words or same_value(stood.value, one.value):
            return ""
        if telling(one.value) <= telling(f"{stood.key} {stood.value} {stood.statement}"):
            return ""
        return f"; “{one_line(stood.value, 40)}” stays, though it may be over"

    def _refuse(self, one: ToldFact, why: str, *, quiet: bool = False) -> None:
        self.refused.append(replace(problem_of(one, f"not kept: {why}"), quiet=quiet))

    def _set_aside(self, one: ToldFact, borne: FactSupport, *, own: bool) -> None:
        """Note a fact that nobody can tell as too unsure for a bundle, unless its name is taken."""
        fact = self._fact(replace(one, statement=""), replace(borne, value=one.value), own=own)
        taken = [*self.standing.values(), *self.made, *self.aside]
        if is_known(fact, None, self.noted):
            return
        outdated = self._leaves_outdated(one, borne, self.standing.get(_name(one)))
        aside = problem_of(one, f"set aside: {borne.why}{outdated}")
        self.refused.append(replace(aside, quiet=not outdated))
        if any(fact_name(other) == fact_name(fact) for other in taken):
            return
        sure = min(one.sure, self.settings.facts_sure // 2)
        self.aside.append(replace(fact, evidence=borne.words, confidence=f"{sure / WHOLE:g}"))

    def _place_done(self, one: ToldFact, borne: FactSupport, *, own: bool) -> None:
        """Note a fact; one that tells as done what was only intended is kept in the words that intend it.

        Where these are too many for a fact, it is refused.
        """
        plan = self.heard.find_plan(one.key, borne, own=own)
        if not plan:
            self._place(one, borne, own=own)
        elif len(plan.split()) <= MOST_WORDS:
            self._place(replace(one, statement=""), replace(borne, value=plan), own=own)
        else:
            self._refuse(one, f"“{one_line(plan, 80)}” does not say that it was done")

    def _bears(self, one: ToldFact, *, as_own: bool) -> tuple[FactSupport, bool]:
        """Return what supports a fact in this chat, or in one before, and whether it is the persona's own."""
        about = f"{one.key} {one.statement}"
        borne, own = self.heard.bears(one.value, one.evidence, as_own=as_own, about=about)
        if borne.unsaid and (earlier := self._heard_before(one, as_own=as_own)) is not None:
            borne, own = earlier, as_own
        whole = not borne.why and (borne.value == one.value or borne.retold) and not borne.left_out
        if (whole and own == as_own) or borne.speaker or borne.wrong or borne.quoted:
            return borne, own
        standing = self.standing.values()
        written = self.heard.bears_as_written(one, self.before, standing, as_own=as_own)
        kind = OWN if as_own else read_category(one.category)
        if written is not None and not clause_against(kind, about, written):
            return written, as_own
        return borne, own

    def _heard_before(self, one: ToldFact, *, as_own: bool) -> FactSupport | None:
        """Return the support of a fact by words in one of the chats before; None for none.

        They are the user's; the persona's for a fact that is given `as_own`.
        """
        for earlier in self.before.chats():
            personas = persona_names(self.snapshot)
            heard = TalkEvidence(earlier, self.settings.user, personas, unattended=self.unattended)
            about = f"{one.key} {one.statement}"
            borne, own = heard.bears(one.value, one.evidence, as_own=as_own, about=about)
            if not borne.why and own == as_own:
                return replace(borne, session=earlier.id)
        return None

    def _whose(self, one: ToldFact, borne: FactSupport, *, own: bool) -> str:
        """Return why a fact is not the persona's own, where it is given as that; "" where it may be."""
        if own or read_category(one.category) != OWN:
            return ""
        words = without_idle_questions(self.heard.without_asked(borne.words), one.value)
        if is_about_persona(one.key, one.value, words, self.settings.name):
            return ""
        return f"{self.settings.user} said it about themselves, so it is another kind"

    def _let_wait(self, one: ToldFact, borne: FactSupport, *, guards: bool) -> None:
        """Let a fact wait that protects somebody and that its words do not bear: a person may know better."""
        own = read_category(one.category) == OWN
        borne = replace(borne, value=one.value, day=borne.day or self._day_of(borne.number))
        fact = self._fact(replace(one, statement=""), borne, own=own)
        stood = self.standing.get(fact_name(fact))
        if is_known(fact, stood, self.noted):
            return
        replaces = stood.value if stood is not None else ""
        fact = replace(fact, evidence=borne.words, origin=PERSON, replaces=replaces)
        until = f"; until you decide, “{one_line(replaces, 40)}” stays" if replaces else ""
        told = problem_of(one, f"waits for your decision: {borne.why}{until}")
        # it is named among what is to be decided
        self.notes.append(replace(told, waits=True, quiet=not guards))
        self._hold(fact)

    def _hold(self, fact: Fact) -> None:
        """Let a fact wait in review, once."""
        twice = any(is_same_change(fact, other) for other in self.waits)
        if not twice and not waits_already(self.snapshot, fact):
            self.waits.append(fact)

    def _place(self, one: ToldFact, borne: FactSupport, *, own: bool) -> None:
        if lost := self._loses(one, borne):
            self._place_written(one, borne, lost, own=own)
            return
        fact = self._fact(one, borne, own=own)
        stood = self.standing.get(fact_name(fact))
        if stood is None and fact_name(fact) not in map(fact_name, current_facts([*self.noted, fact])):
            self.refused.append(problem_of(one, "not kept: you removed it"))
            return
        known = any(fact_name(other) == fact_name(fact) for other in self.made)
        if known or is_known(fact, stood, self.noted):
            return
        replaced = stood is not None and overrides(fact, stood)
        relation = (
            relate(stood, fact, one.value, borne) if stood is not None and replaced else Relation.UPDATE
        )
        if stood is not None and relation is Relation.LESS:
            stays = problem_of(one, f"“{stood.value}” stays: what was said now says less about it")
            self.notes.append(replace(stays, quiet=not self._leaves_outdated(one, borne, stood)))
            return
        event = stood is not None and replaced and is_event_of(stood, fact)
        key = key_apart(fact, fact.when[:_DAY] if event else "")
        if (event or relation is Relation.BOTH) and key != fact.key:
            self._place(replace(one, key=key), borne, own=own)
            return
        self.notes += notes_of(one, borne)
        if (held := self._held_back(fact, stood, replaced=replaced)) is not None:
            self._hold(held)
            return
        if stood is not None and replaced:
            fact = replace(fact, replaces=stood.value)
        elif stood is not None:
            self.notes.append(problem_of(one, f"noted, but “{stood.value}” was said later, and stays"))
        if own and self.unattended and read_category(one.category) in _NEED_A_WORD:
            self.waits.append(fact)
            return
        self.made.append(fact)
        if relation is Relation.CONFLICT:
            self.clashes.append(fact)
        self.said[fact] = self.heard.without_asked(one.evidence)

    def _loses(self, one: ToldFact, borne: FactSupport) -> str:
        """Return what of a fact's value the words in its place do not say; "" for nothing."""
        if borne.value == one.value:
            return ""
        if borne.left_out:
            # what nobody said is left out with a word about it, but never a no
            return find_lost_denial(one.value, borne.value)
        known = (one.key, borne.speaker, self.settings.user, *persona_names(self.snapshot))
        return find_lost(one.value, borne.value, known)

    def _place_written(self, one: ToldFact, borne: FactSupport, lost: str, *, own: bool) -> None:
        """Note a fact as it is written, where its words lose something of it that the talk has; else refuse.

        What protects somebody waits, since nobody can tell.
        """
        words = borne.words or one.evidence
        why = f"“{one_line(words, 60)}” does not say “{one_line(lost, 60)}”"
        if is_affirmed(one.value, words):
            self._refuse(one, why)
        elif protects(Fact(read_category(one.category), one.key, one.value)):
            self._let_wait(one, replace(borne, why=why, words=words), guards=True)
        elif self.heard.says_all(one.value, borne.number, own=own):
            self._place(one, replace(borne, value=one.value, words=words), own=own)
        else:
            self._refuse(one, why)

    def _fact(self, one: ToldFact, borne: FactSupport, *, own: bool) -> Fact:
        kind = one.category if one.category in self.kinds else read_category(one.category)
        source = f"{borne.session or self.session.id}#{borne.place}"
        fact = Fact(
            OWN if own else kind, one.key, borne.value, f"{one.sure / WHOLE:g}", source, borne.day,
            origin=EXTRACTION, said_by=PERSONA if own else "",
        )  # fmt: skip
        speakers = (borne.speaker or self.settings.user, self.settings.name)
        near = None if borne.session else self.heard.near(borne)
        return _worded(fact, one, borne, speakers[::-1] if own else speakers, near)

    def _held_back(self, fact: Fact, stood: Fact | None, *, replaced: bool) -> Fact | None:
        """Return the change for which one yes to a whole page is no word; None for none."""
        if stood is not None and not replaced:
            return replace(fact, replaces=stood.value) if fact.said_by and not stood.said_by else None
        guarded = find_guarded(fact, [*self.standing.values(), *self.made])
        return as_change_of(fact, guarded) if guarded is not None else None


def _worded(
    fact: Fact, one: ToldFact, borne: FactSupport, speakers: tuple[str, str], near: Source | None
) -> Fact:
    """Return a fact with its statement, where the words bear it, and the words where they are needed.

    `speakers` are the one who said it, and the other; `near` are the turns around.
    """
    stated = one_line(one.statement)
    if (
        stated
        and len(stated) <= LONGEST_STATEMENT
        and has_details(stated, fact.value)
        and bears_statement(stated, borne, one.key, speakers, near)
    ):
        return replace(fact, statement=stated, evidence=borne.words)
    if borne.speaker:
        # a bundle gives what has no statement to the user
        quoted = one_line(whole_words(borne), LONGEST_STATEMENT - len(borne.speaker))
        return replace(fact, statement=f"{borne.speaker}: “{quoted}”", evidence=borne.words)
    as_said = " / " not in borne.words and " ".join(fact.value.split()).casefold() in borne.words.casefold()
    return fact if as_said else replace(fact, evidence=borne.words)


def _of_whom(one: ToldFact, speakers: tuple[str, str]) -> ToldFact:
    """Return a fact that is given as who the user is, and is of somebody else, among what is the case.

    `Wren's age` may be that of a neighbour, or of somebody in a tale.
    """
    if read_category(one.category) != "identity":
        return one
    key = OWNER.match(even(one.key))
    subject = _SUBJECT.match(even(one.statement))
    owner = key["who"] if key is not None else subject[0] if subject is not None else ""
    both = telling(" ".join(speakers))
    theirs = telling(owner) - both
    if not theirs or any(is_named(one.statement, who) for who in speakers):
        return one
    return replace(one, category="context")


_SUBJECT = late(r"(?!(?:The|This|That|It|He|She|They|My|Her|His|Their|There|Now|A|An|I)\b)[A-Z][\w-]+")


def _name(one: ToldFact) -> tuple[str, str]:
    return fact_name(Fact(one.category, one.key, one.value))

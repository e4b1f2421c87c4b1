"""The search for the words that support a fact of a reply."""

from dataclasses import replace

from reel_cli.core.evidence.changed_number import has_grown
from reel_cli.core.evidence.grounding.lexicon import telling
from reel_cli.core.evidence.own_words import NO, sentences_around, without_idle_questions
from reel_cli.core.evidence.unspaced_clause import is_east_asian
from reel_cli.core.exchange.reader.labels import squash
from reel_cli.core.frozen import late
from reel_cli.core.quote_marks import CLOSING, OPENING
from reel_cli.core.tape.voices import persona_names
from reel_cli.core.values.approval import is_about_persona
from reel_cli.core.values.change import one_line
from reel_cli.features.facts.evidence.details.asked_claims import is_asked
from reel_cli.features.facts.evidence.details.value_details import read_numbers
from reel_cli.features.facts.evidence.details.word_forms import all_stems
from reel_cli.features.facts.evidence.fact_clause import ELSE
from reel_cli.features.facts.evidence.fact_context import FactContext, told_name
from reel_cli.features.facts.evidence.fact_support import FactSupport
from reel_cli.features.facts.evidence.kept_value import (
    find_lost,
    find_lost_denial,
    find_lost_limit,
    is_affirmed,
)
from reel_cli.features.facts.evidence.spoken_turns import BETWEEN, find_said
from reel_cli.features.facts.evidence.talk_evidence import TalkEvidence
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import OWN, protects, read_category
from reel_cli.features.facts.reply import ToldFact

_MOST_QUOTED, _FEWEST_QUOTED, _LEAST_QUOTED = 24, 3, 8
"""Words of a quotation up to which it is kept as a value, telling words without which it says little, and
words of any kind that say enough."""

_ASKS_YOU = late(r"(?i)\b(?:are|were|aren['’]t|weren['’]t) you\b[^.?!]*\?")
"""Pattern of a question about the persona itself, quoted with its answer: `Are you not eighty soon?`."""


_SHARED = ("context", "history", "commitments")
_ADDRESSES = late(r"(?i)\b(?:you|your|yourself|u|ur)\b")
_PRIVATE = late(
    r"(?i)[€£$]|\b(?:owe[sd]?|pays?|paid|salary|rent|loans?|debts?|euros?|pounds|money|(?:grand|step)?(?:mother|father"
    r"|mum|mom|dad|son|daughter|child)|children|kids?|baby|sister|brother|wife|husband|aunt|uncle|cousin"
    r"|parents?|doctor|hospital|clinic|ill|sick|pain|surgery|pregnan\w*|died|dead|drinks?|drunk|drugs?|job"
    r"|works?|lives?|moved?|moves|born|married|divorced)\b"
)
"""Patterns of words to somebody, and of what is nobody's to say of another."""
_IT = late(r"(?i)\b(?:it|them|him|her)\b")


def tells_other(one: ToldFact) -> bool:
    """Return whether a quotation has no word or number of a fact, and so tells something else."""
    said = f"{one.key} {one.value} {one.statement}"
    if len(telling(one.value)) < _FEWEST_QUOTED or is_east_asian(said):
        return False
    alike = all_stems(one.evidence) & all_stems(said) or read_numbers(one.evidence) & read_numbers(said)
    return not alike


class SupportSearch:
    """The words that support one fact after the other: in this chat, in one before, or as it is written."""

    def __init__(self, context: FactContext) -> None:
        self.context = context

    def find(self, one: ToldFact, *, as_own: bool) -> tuple[FactSupport, bool]:
        """Return what supports a fact in this chat, or in one before, and whether it is the persona's own."""
        about = f"{one.key} {one.statement}"
        borne, own = self.context.heard.bears(one.value, one.evidence, as_own=as_own, about=about)
        if borne.why and (named := self._with_name(one)) and not borne.unsaid:
            found, whose = self.context.heard.bears(named, one.evidence, as_own=as_own, about=about)
            if not found.why and found.value == named:
                borne, own = replace(found, value=one.value), whose
        if borne.unsaid and (earlier := self._find_earlier(one, as_own=as_own)) is not None:
            borne, own = earlier, as_own
        whole = not borne.why and (borne.value == one.value or borne.retold) and not borne.left_out
        if (whole and own == as_own) or borne.speaker or borne.wrong:
            return borne, own
        standing = self.context.standing.values()
        kind = OWN if as_own else read_category(one.category)
        heard = self.context.heard
        written = heard.bears_as_written(one, self.context.before, standing, as_own=as_own)
        written = self._as_told(one, written, kind) if not borne.quoted else None
        if written is None or written.left_out:
            told = self._as_told(one, self._find_in_chat(one, as_own=as_own), kind)
            if told is not None and (written is None or len(told.left_out) < len(written.left_out)):
                return told, as_own
        return (written, as_own) if written is not None else (borne, own)

    def _as_told(self, one: ToldFact, found: FactSupport | None, kind: str) -> FactSupport | None:
        """Return a support that no clause of its words speaks against; None for none.

        Where one does, what only describes is left out first.
        """
        if found is None:
            return None
        if found.described and protects(Fact(kind, one.key, one.value)):
            # of somebody's health nothing is kept that nobody said
            return self._as_told(one, found.without_described(), kind)
        against = self.context.clause_against(one, found, kind)
        if not against and self.context.chat.tells(found.value, one.key, self.context.standing.values()):
            return found
        return self._as_told(one, found.without_described(), kind) if found.described else None

    @staticmethod
    def _with_name(one: ToldFact) -> str:
        """Return a value like `may have it again` with what its fact is of; "" for others."""
        about = telling(one.key)
        if telling(one.value) or NO.search(one.value) or not about or not about <= telling(one.evidence):
            return ""
        named = _IT.sub(one.key, one.value, count=1)
        return named if named != one.value else ""

    def _find_in_chat(self, one: ToldFact, *, as_own: bool) -> FactSupport | None:
        """Return the support of a fact by all of the chat and what is known before; None for none.

        Of what protects somebody each word stands near its quotation.
        """
        stood = self.context.standing.get(told_name(self.context.as_standing(one)))
        fact = Fact(read_category(one.category), one.key, one.value)
        strict = protects(fact) or (stood is not None and protects(stood))
        found = self.context.chat.bears(one, self.context.standing.values(), own=as_own, strict=strict)
        asked = _ASKS_YOU.search(one.evidence) is not None
        if found is None or (as_own and not asked and not self.context.heard.is_of_its_own(one.key, found)):
            return None
        if stood is not None and found.left_out:
            # a detail that nobody said may be all that is new
            return None
        return found

    def _find_earlier(self, one: ToldFact, *, as_own: bool) -> FactSupport | None:
        """Return the support of a fact by words in one of the chats before; None for none.

        They are the user's; the persona's for a fact that is given `as_own`.
        """
        for earlier in self.context.before.chats():
            personas = persona_names(self.context.snapshot)
            heard = TalkEvidence(
                earlier, self.context.settings.user, personas, unattended=self.context.unattended
            )
            about = f"{one.key} {one.statement}"
            borne, own = heard.bears(one.value, one.evidence, as_own=as_own, about=about)
            if not borne.why and own == as_own:
                return replace(borne, session=earlier.id)
        return None

    def as_grown(self, one: ToldFact, borne: FactSupport) -> FactSupport:
        """Return the support of a number that follows from the old one and one that was said."""
        stood = self.context.standing.get(told_name(self.context.as_standing(one)))
        if stood is None or not borne.wrong or protects(stood):
            return borne
        if not has_grown(stood.value, one.value, borne.words):
            return borne
        return replace(borne, why="", wrong=False, value=one.value, number=borne.near, near=0)

    def as_quoted(self, one: ToldFact, borne: FactSupport, *, own: bool) -> FactSupport | None:
        """Return the support of a fact by the very words it rests on, where these do not bear its value.

        The one whose fact it is said them, so they are no error, whatever the page made of them. None where
        they are another's, a question, too many or too few, or have another number than the value.
        """
        own = own or read_category(one.category) == OWN
        number = find_said(self.context.session, one.evidence, own=own)
        parts = (part.strip(f" {OPENING}{CLOSING}") for part in BETWEEN.split(one_line(one.evidence)))
        words = " / ".join(part for part in parts if part)
        odd = (
            borne.wrong
            or borne.unsaid
            or borne.quoted
            or borne.retold
            or borne.speaker
            or borne.session
            or "?" in words
        )
        many = len(words.split())
        thin = len(telling(words)) < _FEWEST_QUOTED and many < _LEAST_QUOTED
        if odd or not number or many > _MOST_QUOTED or thin or tells_other(one):
            return None
        found = FactSupport(number, self.context.day_of(number), value=words, words=words)
        return None if not own and self._speaks_against(one, found) else found

    def as_shared(self, one: ToldFact, borne: FactSupport) -> FactSupport | None:
        """Return the support of what the persona alone said of a game, a plan or a promise; None for others.

        Nothing of that name stands. What it says of the user, or of anybody's family, health or money, is no
        telling of its own.
        """
        settings = self.context.settings
        alone = borne.why.endswith(f" was said by {settings.name}, not by {settings.user}")
        told = f"{one.key} {one.value} {one.statement} {one.evidence}"
        about = _ADDRESSES.search(one.evidence) or _PRIVATE.search(told)
        fact = Fact(read_category(one.category), one.key, one.value)
        taken = any(squash(one.key) == squash(stood.key) for stood in self.context.standing.values())
        names = telling(f"{settings.user} {' '.join(settings.people)}") - telling(settings.name)
        if names & telling(one.evidence):
            return None
        if not alone or about or taken or fact.category not in _SHARED or protects(fact):
            return None
        said = self.as_quoted(one, borne, own=True)
        if said is None or not self.context.heard.says_all(one.value, said.number, own=True):
            return said
        return replace(said, value=one.value)

    def _speaks_against(self, one: ToldFact, found: FactSupport) -> bool:
        """Return whether the sentence of a quotation asks its words, or tells them of somebody else."""
        source = self.context.heard.source_of_user(found.number)
        if any(
            is_asked(part, around)
            for part in found.words.split(" / ")
            for around in sentences_around(part, source)
        ):
            return True
        return self.context.clause_against(one, replace(found, source=source)).endswith(ELSE)

    def as_said(self, one: ToldFact, in_words: FactSupport, *, own: bool) -> ToldFact:
        """Return a fact with the words it quotes as its value, where these lack only what nobody can tell.

        A denial that they lack is never left out, nor what the turns around say.
        """
        lost = self.loses(one, in_words) and not find_lost_denial(one.value, in_words.value)
        affirmed = is_affirmed(one.value, in_words.words)
        if not lost or affirmed or self.context.heard.says_all(one.value, in_words.number, own=own):
            return one
        return replace(one, value=in_words.value)

    def cannot_tell(self, one: ToldFact, borne: FactSupport, stood: Fact | None) -> bool:
        """Return whether nothing speaks against a fact whose words do not bear it, and no value stands.

        Each of its names, numbers and days stands somewhere, and it is of whose it is given as. It is kept in
        the words that it quotes.
        """
        if stood is not None or borne.wrong or not borne.why or is_east_asian(one.value):
            return False
        if find_lost_denial(one.value, one.evidence):
            # it denies what its words affirm
            return False
        if read_category(one.category) == OWN:
            words = self.as_quoted(one, borne, own=True)
            if words is None or not self.context.heard.is_of_its_own(one.key, words):
                return False
        return self.context.chat.stands(one, self.context.standing.values())

    def as_newer(
        self, one: ToldFact, borne: FactSupport, stood: Fact | None, *, own: bool
    ) -> FactSupport | None:
        """Return the support of a newer value of which the talk has all, if not its quotation alone.

        It takes the place of what stood under its name, which would be told as current. None for no such
        value; what protects somebody needs its words.
        """
        words = one_line(one.evidence)
        if stood is None or not self.context.leaves_outdated(one, replace(borne, words=words), stood):
            return None
        guards = protects(stood) or protects(Fact(read_category(one.category), one.key, one.value))
        odd = guards or borne.quoted or borne.retold or borne.speaker or is_affirmed(one.value, words)
        said = find_said(self.context.session, one.evidence, own=own)
        if odd or not said or not self.context.heard.says_all(one.value, said, own=own):
            return None
        return FactSupport(said, self.context.day_of(said), value=one.value, words=words)

    def why_not_own(self, one: ToldFact, borne: FactSupport, *, own: bool) -> str:
        """Return why a fact is not the persona's own, where it is given as that; "" where it may be."""
        if own or read_category(one.category) != OWN:
            return ""
        words = without_idle_questions(self.context.heard.without_asked(borne.words), one.value)
        if is_about_persona(one.key, one.value, words, self.context.settings.name):
            return ""
        return f"{self.context.settings.user} said it about themselves, so it is another kind"

    def loses(self, one: ToldFact, borne: FactSupport) -> str:
        """Return what of a fact's value the words in its place do not say; "" for nothing."""
        if borne.value == one.value:
            return ""
        if borne.left_out:
            # what nobody said is left out with a word about it, but never a no, nor what limits the rest
            lost = find_lost_denial(one.value, borne.value)
            return lost or find_lost_limit(one.value, borne.value, borne.left_out)
        known = (one.key, borne.speaker, self.context.settings.user, *persona_names(self.context.snapshot))
        return find_lost(one.value, borne.value, known)

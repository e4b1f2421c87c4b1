"""Facts of a dream, held against the stretch: which turn bears a fact, by its words and its details.

A turn that denies what a fact affirms does not bear it, nor the other way round; nor does one that tells of
its speaker bear what protects somebody else.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from reel_cli.core.evidence.grounding.check import Claim, Stretch, find_ungrounded
from reel_cli.core.evidence.grounding.date_words import MONTHS, SEASONS, WEEKDAYS
from reel_cli.core.evidence.grounding.lexicon import clauses, even, quote_key, sentences, stem, telling
from reel_cli.core.evidence.grounding.numbers import COUNTING
from reel_cli.core.evidence.grounding.polarity import polarity
from reel_cli.core.evidence.grounding.source import Source, SourceMessage, look_at_turn
from reel_cli.core.evidence.own_words import NO
from reel_cli.core.evidence.phrases import fold
from reel_cli.core.evidence.unspaced_clause import find_said, is_east_asian, tells_of_kin, unspaced_against
from reel_cli.core.exchange.reader.answer_words import YES as YES_ABROAD
from reel_cli.core.frozen import frozen, late
from reel_cli.features.facts.evidence.fact_answer import YES
from reel_cli.features.facts.evidence.key_meaning import OWNER, lacks_meaning
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import protects

_SHARE = 0.6
"""Share of a fact's words that a turn must have, with the turn before it."""
_FEW = 2
"""Words up to which what the fact is about must be spoken of as well."""
_ROOT = 5
"""Letters by which the name of a fact has a word of its value: `allergy` and `allergic`."""
_SHORT = 4
"""Words up to which a value says one thing."""
_LIST = 3
"""Parts from which a value is a list, whose parts may come from turns far apart."""
_NEAR = 2
"""Turns before and after one in which its numbers, names and days may be spoken of."""
_PARTS = late(r"\s*(?:[,;]|\band\b|&)\s*")
_LOOKED_UP = frozenset(stem(stem(word)) for word in (*MONTHS, *WEEKDAYS, *SEASONS, *COUNTING))
"""Roots that are looked up as days and numbers."""
_DETAILS = frozenset((Claim.NAME, Claim.NUMBER, Claim.DATE))
_TOLD_AS_NO = late(
    r"(?i)\b(?:quit|stop\w*|avoid\w*|refus\w*|hat(?:e|es|ed)|dislik\w*|free|lack\w*|miss\w*|fail\w*|only|except"
    r"|instead|rather|lost|gone|over|ended|un\w+|dis\w+|[cdw](?:a|o)nt|didnt|isnt|nor|off|left|can['’]?t|allerg\w*"
    r"|used to|formerly|no longer|skip\w*|banned|forbid\w*|forbad\w*|drop\w*|gave up|given up|cancel\w*)\b"
)
"""Pattern of words that may be told as a denial."""
_GIVEN_UP = late(r"(?i)\b(?:gave up|given up|giving up|quit|stopped|no longer|used to)\b")
_THE_TWO = late(r"(?i)\b(?:i|i['’]\w+|me|my|mine|we|us|our|you|you['’]\w+|your|yours)\b")
_ANOTHER = late(
    r"(?i)\b(?:sisters?|brothers?|mothers?|fathers?|mum|mom|dad|parents?|friends?|wife|husband|partner|kids?"
    r"|child(?:ren)?|sons?|daughters?|aunt|uncle|cousins?|grand\w+|niece|nephew|dogs?|cats?|boss|colleagues?"
    r"|neighbou?rs?|he|she|his|her|hers|him|they|their|them)\b"
)
"""Pattern of words for somebody who is none of the two who talk."""
_NAME = late(r"(?<=[^.!?:] )[^\W\da-z_][^\W\d_]+")
"""Pattern of a name within a sentence."""
_DENYING_KEY = late(
    r"(?i)\b(?:allerg\w*|intoleran\w*|avoid\w*|never|no|not|without|hat\w+|dislik\w*|limit\w*|bound\w*|taboo\w*"
    r"|off[- ]limits|rules?|forbidden|banned|restrict\w*)\b"
)
"""Pattern of a name under which a bare thing is denied: `allergy: eggs`."""
_STANDS_FOR = late(r"(?i)\b(?:he|she|they|him|her|his|hers|them|their)\b")
_YES_ABROAD = late(rf"\W*(?:{YES_ABROAD})")
_LEAST_ASKED = 2
"""Telling words from which a yes is said to a sentence; `Is that right?` asks after the one before."""


def without_persona(
    said: Sequence[SourceMessage], is_persona: Callable[[SourceMessage], bool]
) -> Sequence[SourceMessage]:
    """Return the turns with no words of the persona but those that the next turn says yes to.

    A persona may tell the user what they never said: its own turn makes no fact of it (SRIP-11 §III.5b).
    """
    found: list[SourceMessage] = []
    for one, then in zip(said, [*said[1:], None], strict=True):
        if is_persona(one):
            confirmed = then is not None and not is_persona(then) and _confirms(then.turn.text)
            # the turn keeps its place, so that those beside it do not become neighbors
            text = _last_words(one.turn.text) if confirmed else "…"
            found.append(look_at_turn(replace(one.turn, text=text)))
        else:
            found.append(one)
    return found


def _confirms(text: str) -> bool:
    """Return whether a turn begins with a yes, in any language that a page's answers are read in."""
    return bool(YES.match(even(text)) or _YES_ABROAD.match(fold(text)))


def _last_words(text: str) -> str:
    """Return the sentence that a yes answers: the last one that says something."""
    plain = even(text)
    every = [text[start:end] for start, end in sentences(plain) if text[start:end].strip()]
    at = next((n for n in reversed(range(len(every))) if len(telling(every[n])) >= _LEAST_ASKED), 0)
    return " ".join(every[at:])


@frozen
class _Line:
    """A clause that was said, with what was answered to it where it is a question."""

    text: str
    answer: str

    @property
    def words(self) -> frozenset[str]:
        """Return the roots of its telling words."""
        return telling(self.text)

    def denies(self, own: Collection[str]) -> bool:
        """Return whether it, or the answer to it, says no in whatever way but in these words."""
        said = {found.casefold() for found in _TOLD_AS_NO.findall(self.text)}
        return bool(NO.search(self.text) or NO.match(self.answer) or said - set(own))

    def denies_words(self, words: frozenset[str]) -> bool:
        """Return whether it denies some words, or the answer to it does."""
        denied = frozenset(map(stem, polarity(self.text).denied))
        return bool(NO.match(self.answer) or _GIVEN_UP.search(self.text) or denied & words)


class FactSupport:
    """A stretch of tape, ready to be asked whether one of its turns bears a fact."""

    def __init__(self, source: Source, names: Sequence[str]) -> None:
        """Keep the turns; `names` are those of the two who talk, which stand in every turn unsaid."""
        self._said = [one for one in source.said if one.turn.text.strip()]
        self._names = telling(" ".join(names))
        self._who = " ".join(names)

    def is_borne(self, fact: Fact) -> bool:
        """Return whether a turn bears the fact: most of its words, each detail, and what its name means."""
        if is_east_asian(fact.value):
            return self._bears_as_it_stands(fact)
        return (
            self._bears(fact)
            and self._bears_name(fact)
            and self._says_yes_or_no(fact)
            and self._tells_of_owner(fact)
        )

    def _bears_as_it_stands(self, fact: Fact) -> bool:
        """Return whether a turn has the words of a Chinese, Japanese or Korean fact, undenied."""
        guards, told = protects(fact), f"{fact.key} {fact.value}"
        for at, one in enumerate(self._said):
            if not (found := find_said(fact.value, one.turn.text)):
                continue
            near = [said.turn.text for said in self._near(at)]
            against = unspaced_against(found, told, [one.turn.text])[1]
            kin = tells_of_kin(found, told, [one.turn.text]) if guards else ""
            if not (against or kin or lacks_meaning(fact.key, fact.value, near, protects=guards)):
                return True
        return False

    def _says_yes_or_no(self, fact: Fact) -> bool:
        """Return whether a value is denied where it was denied, and affirmed where it was affirmed.

        In a long value that protects nobody a no may be told in words of its own.
        """
        key, value, words = fact.key, fact.value, self._words(fact.value)
        if not words or (len(words) > _SHORT and not protects(fact)):
            return True
        closest = self._closest(key if protects(fact) else "", words)
        if NO.search(even(value)):
            # `allergic` tells a no to what is eaten, and none to `not allergic` itself
            own = {found.casefold() for found in _TOLD_AS_NO.findall(even(value))}
            return any(line.denies(own) for line in closest)
        says_no = {found[:_ROOT].casefold() for found in _TOLD_AS_NO.findall(even(value))} - {"aller"}
        if says_no or _DENYING_KEY.search(even(key)):
            return True
        return any(not line.denies_words(words) for line in closest)

    def _closest(self, key: str, words: frozenset[str]) -> Sequence["_Line"]:
        """Return the clauses that have most of a value's words, and among those most of its name's."""
        name = self._words(key)
        lines = [line for at in self._places(words) for line in self._lines(at)]
        shares = [(len(words & line.words), len(name & line.words)) for line in lines]
        most = max(shares, default=(0, 0))
        return [line for line, share in zip(lines, shares, strict=True) if share == most]

    def _lines(self, at: int) -> Iterator["_Line"]:
        """Yield the clauses of a turn and of the one before it, each with what was answered to it."""
        for number in range(max(0, at - 1), at + 1):
            text = even(self._said[number].turn.text)
            follows = self._said[number + 1].turn.text if number + 1 < len(self._said) else ""
            for start, end in sentences(text):
                sentence = text[start:end]
                answer = even(follows) if sentence.rstrip().endswith("?") else ""
                yield from (_Line(clause, answer) for clause in clauses(sentence))

    def _tells_of_owner(self, fact: Fact) -> bool:
        """Return whether what protects somebody is said of the one whom the fact names, or of the user."""
        words = self._words(fact.value)
        if not words or not protects(fact):
            return True
        plain = even(f"{fact.key} {fact.value}")
        whose = OWNER.match(even(fact.key))
        owner = telling(whose["who"]) - self._names if whose is not None else frozenset[str]()
        if owner:
            return any(self._speaks_of_owner(owner, words, at) for at in self._places(words))
        if _ANOTHER.search(plain) or self._names_another(plain):
            return True
        closest = [line.text for line in self._closest(fact.key, words)]
        return any(_THE_TWO.search(one) or not _ANOTHER.search(one) for one in closest)

    def _names_another(self, text: str) -> bool:
        """Return whether a text has a name that is none of the two who talk."""
        known = {name.casefold() for name in self._who.split()}
        return any(name.casefold() not in known for name in _NAME.findall(f"so {text}"))

    def _speaks_of_owner(self, owner: frozenset[str], words: frozenset[str], at: int) -> bool:
        """Return whether a clause with some words names the owner, or means them by a pronoun."""
        texts = [even(one.turn.text) for one in self._said[max(0, at - _NEAR) : at + 1]]
        parts = [
            clause for text in texts for start, end in sentences(text) for clause in clauses(text[start:end])
        ]
        return any(
            owner & telling(part) or (_STANDS_FOR.search(part) and owner & telling(" ".join(parts[:number])))
            for number, part in enumerate(parts)
            if telling(part) & words
        )

    def _places(self, words: frozenset[str]) -> Sequence[int]:
        """Return the turns that have most of some words."""
        counts = [self._count(words, at) for at in range(len(self._said))]
        most = max(counts, default=0)
        return [at for at, count in enumerate(counts) if count == most and most]

    def _bears_name(self, fact: Fact) -> bool:
        """Return whether the value is spoken of near a turn that says what the name of the fact means."""
        guards = protects(fact)
        telling_it = [
            at
            for at, one in enumerate(self._said)
            if not lacks_meaning(fact.key, fact.value, [one.turn.text], protects=guards)
        ]
        if len(telling_it) == len(self._said):
            return True
        words = self._words(fact.value) or telling(fact.value) - self._names
        return any(
            (not words or self._speaks_of(words, at)) and self._has_details(fact.value, self._near(at))
            for at in telling_it
        )

    def _bears(self, fact: Fact) -> bool:
        words = self._words(fact.value)
        roots = {word[:_ROOT] for word in words}
        about = frozenset(word for word in self._words(fact.key) - words if word[:_ROOT] not in roots)
        if not words:
            return self._has_details(fact.value, self._said)
        places = self._places(words)
        if places and self._count(words, places[0]) >= _SHARE * len(words):
            return any(
                (len(words) > _FEW or not about or self._speaks_of(about, at) or self._says_whole(fact, at))
                and self._has_details(fact.value, self._near(at))
                for at in places
            )
        parts = [part for part in _PARTS.split(fact.value) if self._words(part)]
        if len(parts) >= _LIST and all(map(self._bears_part, parts)):
            return True
        return not protects(fact) and self._bears_in_two(fact)

    def _bears_in_two(self, fact: Fact) -> bool:
        """Return whether the two statements of a value stand in neighboring messages of one speaker."""
        parts = [part for part in fact.value.split("; ") if self._words(part)]
        if len(parts) != _FEW or "; " not in fact.value:
            return False
        first, second = (
            [
                at
                for at in range(len(self._said))
                if self._count(self._words(part), at) >= _SHARE * len(self._words(part))
                and self._words(part) & self._stems[at]
            ]
            for part in parts
        )
        about = self._words(fact.key)
        return any(
            0 <= then - at <= _NEAR
            and self._said[at].turn.speaker == self._said[then].turn.speaker
            and (not about or self._speaks_of(about, at))
            and self._has_details(fact.value, self._near(at))
            for at in first
            for then in second
        )

    def _says_whole(self, fact: Fact, at: int) -> bool:
        """Return whether a turn has a value of several words letter for letter: it names what it is."""
        whole = len(self._words(fact.value)) >= _FEW and not protects(fact)
        return whole and quote_key(even(fact.value)).strip() in self._said[at].key

    def _bears_part(self, part: str) -> bool:
        words = self._words(part)
        return any(
            self._count(words, at) >= _SHARE * len(words) and self._has_details(part, self._near(at))
            for at in range(len(self._said))
        )

    def _count(self, words: frozenset[str], at: int) -> int:
        """Return how many of some words a turn has, with the one before it, which may ask for them."""
        mine = self._stems[at]
        return len(words & (mine | self._stems[at - 1] if at else mine))

    def _speaks_of(self, about: frozenset[str], at: int) -> bool:
        near = self._stems[max(0, at - _NEAR) : at + _NEAR + 1]
        return any(about & stems for stems in near)

    def _near(self, at: int) -> Sequence[SourceMessage]:
        session = self._said[at].turn.session
        near = self._said[max(0, at - _NEAR) : at + _NEAR + 1]
        return [one for one in near if one.turn.session == session]

    def _has_details(self, text: str, said: Sequence[SourceMessage]) -> bool:
        if not said:
            return False
        source = Source(said, self._who, self._who)
        found = find_ungrounded([Stretch(text, ((0, 1),))], source, most=0)
        return not any(one.kind in _DETAILS for one in found)

    def _words(self, text: str) -> frozenset[str]:
        return telling(text) - self._names - _LOOKED_UP

    @cached_property
    def _stems(self) -> Sequence[frozenset[str]]:
        return [frozenset(stem(stem(word)) for word in one.words) for one in self._said]

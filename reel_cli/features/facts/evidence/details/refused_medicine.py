"""Medicines and treatments that were offered and refused, or that somebody else takes."""

from collections.abc import Collection, Sequence
from itertools import chain

from reel_cli.core.evidence.grounding.lexicon import even, spelt_out, telling
from reel_cli.core.frozen import frozen, late
from reel_cli.core.moment import WEEKDAYS
from reel_cli.core.values.change import one_line
from reel_cli.features.facts.evidence.details.another_person import OTHER, SAYS_I, SOMEBODY, is_somebody
from reel_cli.features.facts.evidence.details.told_sentences import find_sentences, told_sentences
from reel_cli.features.facts.evidence.medicine import REACTION

_SHOWN = 80
_NEAR = 2
"""Sentences behind an offer in which its refusal may stand."""

_OFFERS = late(
    r"(?i)\b(?:wants?|wanted|wanting|would (?:like|have)|likes?|liked|offer(?:s|ed|ing)?|prescri(?:bes?|bed"
    r"|ption)"
    r"|suggest(?:s|ed)?|recommend(?:s|ed)?|propos(?:es|ed)|advis(?:es|ed)|urg(?:es|ed)|push(?:es|ed)"
    r"|tr(?:ies|ied) to|ask(?:s|ed)|told|tells|should|ought|supposed to|meant to|gave|given|handed|sent|wrote"
    r"|written|put(?:s|ting)?|start(?:s|ed|ing)?|reckons?|thinks?|thought|on about|keen)\b|['’]d (?:like"
    r"|have)\b"
)
_TAKES = late(
    r"(?i)\b(?:i|we)(?:['’](?:m|ve)| am| have| do| did)?(?: (?:now|still|been|just|always|also))* (?:take"
    r"|taking|took"
    r"|taken|(?:put |gone |go |went )?on|swallow|started|agreed|said yes|gave in)\b"
)
"""Patterns of an offer, and of somebody who takes what it is about."""
_FIRMLY = (
    r"(?: (?:have|has|had|did|do|just|simply|firmly|politely|already|still|then|flatly|also|certainly"
    r"|of course))*"
)
_WITH = (
    r"(?! (?:\w+ ){0,3}(?:with|without|before|after|when|at|until|lightly|for granted|more than|every|on an"
    r"|at first|in the (?:morning|evening))\b)"
)
"""Pattern of what says how a thing is not taken: `I do not take it with milk`."""
_REFUSES = late(
    rf"(?i)\b(?:i|we|he|she)(?:['’](?:ve|d|m|ll))?{_FIRMLY} (?:(?:said|say|told (?:him|her|them"
    rf"|the \w+)) (?:a firm )?no\b"
    r"(?! (?:more|doubt|problem|matter|word|such))(?! at first)|(?:refused?|refuses|declined?"
    r"|declines)\b(?! at first)"
    r"|turn(?:ed)? (?:[\w'’]+ ){0,3}down\b(?! at first)"
    rf"|(?:will|would|shall) (?:not|never)(?: (?:take|have|touch|swallow|start|be taking|go on"
    rf"|hear of)\b{_WITH}|\W*$)"
    r"|(?:am|was|is|are)?(?: )?not (?:taking|having|starting|going (?:to (?:take|start)|on(?! about\b)))"
    rf"\b{_WITH}"
    rf"|(?:not |never )(?:want(?: (?:it|one|any|them|that|this)\b|\W*$)|(?:take|taken|took|touched|touch"
    rf"|start|started|filled|collected|swallowed"
    rf"|accept(?:ed)?)"
    rf"\b){_WITH}"
    rf"|(?:would |had )?rather not(?: (?:take|have|start|touch|go on|be on)\b{_WITH}|\W*$)"
    r"|can not (?:face|bear|stomach) (?:taking|having|starting|going on|it|them|that|those)\b)"
    r"|\bno,? thank(?:s| you)\b|\bnot for me\b|\b(?:and|but) (?:turned (?:[\w'’]+ ){0,3}down|refused"
    r"|declined|said no)\b"
)
_NOT_FOR_ME = late(r"(?i)\bno (?:more )?([\w-]+)(?: [\w-]+)? for me\b")
_ASKS = late(
    r"(?i)\b(?:will|shall|do|did|would|are)\b(?![^?]*\b(?:scared|afraid|frightened|worried|nervous|mind"
    r"|forg[eo]t\w*|sorry|miss(?:ed)?|bother|hate)\b)[^?]*?\b(?:you\W*(?=\?)|take|took|taking|agree|accept|yes"
    r"|start|want|(?<=would )you (?:also )?like)\b(?P<what>[^?]*)\?"
)
_WONDERS = late(r"(?i)\b(?:ask(?:s|ed)?|wonder(?:s|ed)?|wants? to know|wanted to know)\b|\?")
"""Patterns of a question whether the other takes something, and of any question.

`Are you scared of taking it?` and `Did you forget to take it?` ask something else.
"""
_ONCE = late(
    r"(?i)\b(?:did|have) you\b[^?]*\b(?:yet|already|to-?day|tonight|yesterday"
    r"|(?:this|last) (?:morning|night|evening|week))\b[^?]*\?"
)
"""Pattern of a question about one time: who has not taken it yet has not refused it."""
_IT = late(
    r"(?i)\b(?:it|them|those|these|(?:that|this)(?: (?:one|stuff))?(?! \w)|(?:any|one) of (?:it|them))\b"
)
_OBJECT = late(
    r"(?i)^ ?(?:to (?:the |a |an |any |his |her |their |him |them )*(?P<to>[\w-]+)"
    r"|(?P<what>(?:[\w-]+(?: |\b)){1,4}))"
)
_BREAK = late(
    r"(?i)[,;:.!?()]| - |\b(?:and|but|because|so|since|as|on|in|at|with|for|from|until|if|when|then|either)\b"
)
_DOWN = late(r"(?i)\bturn(?:ed)? ((?:[\w'’]+ ){0,3})down$")
"""Patterns of what a refusal is of: what stands behind its verb, up to a break, or within it."""
_HOW = telling(
    "flatly outright politely firmly straight away point blank again ever yet anything stuff thing things"
    " kind sort politely today tonight yesterday course sorry personally thanks anyway all myself"
    " say said tell told answer reply think decide still offer"
)
"""Roots of words behind a refusal that name no other thing."""
_NO = late(
    r"(?i)\W*(?:no|nope|nah|never|not me|(?:no, )?(?:certainly|absolutely|definitely|of course) not"
    r"|no(?:,? thank(?:s| you)|,? i (?:wo|would|do|did)(?:n['’]t| not)|,? never| way| chance)"
    r"|not (?:for me|a chance))\W*$"
)
_DENIES = late(
    r"(?i)\b(?:no|not|never|none|without|refus\w+|declin\w+|turn(?:s|ed)? (?:\w+ )?down|against|avoid\w*"
    r"|stop\w*|off"
    r"|over)\b|n['’]t\b"
)
"""Pattern of a fact that tells the refusal itself."""
_PLAIN = telling(
    "takes taking taken medicine medication tablet pill dose drug daily morning evening night day mg mcg"
    " half one two"
    " needs uses treatment prescribed offered health constraint new"
)
"""Roots of words that say nothing of which medicine it is."""
_ON = (
    r"on(?! (?:the|an?|my|his|her|its|time|top|holiday|again|every|each"
    rf"|(?i:{'|'.join(WEEKDAYS)})s?)\b)"
)
_SOMEBODY_DOES = (
    rf"(?:takes|took|(?:is|was|has been|went)(?: put)? {_ON}|is taking|has been taking|swallows"
    r"|was (?:prescribed|given)(?! (?:in|on|at|by|for|to|when|because|again|after|before|until)\b)(?= )"
    r"|needs to (?:take|have|be on|go on|swallow|inject))\b"
)
_VERBS = (
    rf"(?:{_SOMEBODY_DOES}"
    r"|gets(?! (?:it|me|us|them|my)\b)(?! the \w+ \w+ing\b)|needs(?! to )|uses)\b"
)
"""Patterns of what only somebody does with a medicine, and of what an illness does as well: `lupus needs`."""
_NAMED = late(
    r"\W*(?:(?i:and|but|so|because)\s+)?(?P<name>(?-i:[A-ZÀ-ÖØ-Þ])[\w-]+|(?i:s?he))"
    r"(?:(?-i: [A-ZÀ-ÖØ-Þ][\w'’-]+)?(?:,? (?:next door|upstairs|downstairs|opposite|across the \w+"
    r"|(?:from|at) (?:the )?[\w-]+|also|still|now|only|already|always|just|too|who is \w+)){0,4},?"
    rf"\s(?:(?P<alone>{_SOMEBODY_DOES})|{_VERBS})|(?P<short>['’]s (?:also |still |now )?(?:{_ON}|taking)\b))"
)
_GIVEN = late(
    r"\W*(?:(?i:and|but|so|because)\s+)?(?:(?i:the (?:doctor|nurse|clinic|hospital|surgery|gp|chemist)"
    r"|they)|Dr\.? \w+) (?:has |have |had )?(?:gave|given|put|prescribed|started)"
    r" (?P<name>[A-ZÀ-ÖØ-Þ][\w-]+)\b(?!['’])"
)
"""Patterns of a sentence about a name that takes something, and about one that is given it."""
_AS_WELL = late(
    r"(?i)\b(?:so do i|as do i|i do too|me too|same as me|like me|i do as well|as i do|i take it too)\b"
)
"""Pattern of a word that the one who speaks takes it, too."""
_FOR = late(r"(?i)\b(?:for|against) (?:(?:the|my|his|her|an?) )?[\w-]+")
"""Pattern of what a medicine is given for, which is no reaction to it."""
_AS_TAKEN = late(
    r"(?i)\b(?:medic\w*|meds?|drugs?|pills?|tablets?|prescri\w*|treatments?|dos(?:e|age)s?|tak(?:es|ing)|on)\b"
)
"""Pattern of a fact that gives something as a medicine: a reaction said beside it says the contrary."""


@frozen
class Refusal:
    """The words against a medicine: the sentence, and the verb of the reason why it is not kept."""

    words: str
    why: str

    def tell(self) -> str:
        """Return the reason, with the words that it is read from."""
        return f"“{one_line(self.words, _SHOWN)}” {self.why}"

    def with_words(self, words: str) -> str:
        """Return the words of a fact with these, where they do not have them."""
        if self.words.startswith(words):
            return self.words
        return words if self.words in words else f"{words} / {self.words}"


def find_refusal(value: str, key: str, words: str, said: Sequence[tuple[str, str]]) -> Refusal | None:
    """Return the words by which what a fact tells as taken was refused; None for none.

    `words` are those the fact rests on, `said` its turn and the speaker's later ones, each with what the
    other said before it.
    """
    if _DENIES.search(f"{key} {value}"):
        return None
    mine = telling(f"{key.replace('_', ' ')} {value}") - _PLAIN
    mine = frozenset(one for one in mine if not one[:1].isdigit())
    turns = [(told_sentences(text), before) for text, before in said]
    told = list(chain.from_iterable(one for one, _ in turns[:1]))
    place = next(iter(find_sentences(words, told)), None)
    told_of = f"{key} {value}"
    if REACTION.search(_FOR.sub(" ", told_of)) and not _AS_TAKEN.search(told_of):
        return None
    if place is None:
        # the words may be those of the other's question
        answers = (one for one in turns if words and find_sentences(words, told_sentences(one[1])))
        return next((no for answer, asked in answers if (no := _find_no(answer, asked, mine))), None)
    if REACTION.search(f"{words} {told[place]}") and not _AS_TAKEN.search(f"{key} {value}"):
        return None
    return _find_near(told, place, turns[1:], mine) or _find_later(told[place + 1 :], turns[1:], mine)


_Turn = tuple[Sequence[str], str]
"""The sentences of a turn, and what the other said before it."""


def _find_near(
    told: Sequence[str], place: int, later: Sequence[_Turn], mine: frozenset[str]
) -> Refusal | None:
    """Return the refusal of what the sentence at a place offers, in it or close behind it; None for none."""
    around = " ".join(told[max(0, place - 1) : place + 1])
    follows = told[place + 1 : place + 1 + _NEAR]
    answer, asked = later[0] if later else ([], "")
    if len(follows) < _NEAR and place + 1 + len(follows) == len(told):
        follows = [*follows, *answer[:1]]
    if not _OFFERS.search(around) or _is_taken(" ".join([told[place], *follows])):
        return None
    if _refuses(told[place], mine):
        own = _REFUSES.search(told[place])
        return Refusal(told[place][own.start() if own is not None else 0 :], _REFUSED)
    turned = len(told) - place - 1
    for at, one in enumerate(follows):
        if at == turned and _is_aside(asked, mine):
            break
        if _refuses(one, mine):
            return Refusal(one, _REFUSED)
        if _is_aside(one, mine):
            break
    return _find_no(answer, asked, mine)


def _find_later(follows: Sequence[str], later: Sequence[_Turn], mine: frozenset[str]) -> Refusal | None:
    """Return the first later refusal that names a medicine itself, or answers a question that does."""
    asked_by_name = (one for one in later if mine & telling(one[1]))
    no = next((no for answer, asked in asked_by_name if (no := _find_no(answer, asked, mine))), None)
    sentences = chain(follows, *(one for one, _ in later))
    named = (one for one in sentences if mine & telling(one) and not _is_taken(one))
    return no or next((Refusal(one, _REFUSED) for one in named if _refuses(one, mine)), None)


def _find_no(answer: Sequence[str], asked: str, mine: frozenset[str]) -> Refusal | None:
    """Return the question whether a medicine is taken with the no to it; None where nothing says no to it."""
    ask = _ASKS.search(asked)
    if ask is None or not answer or not _NO.match(answer[0]) or _ONCE.search(asked, ask.start()):
        return None
    return Refusal(f"{ask[0]} / {answer[0]}", _REFUSED) if _is_of(ask["what"], mine) else None


_REFUSED = "says that it is not taken"


def find_taker(told: str, words: str, said: str, names: Collection[str]) -> Refusal | None:
    """Return the sentence that tells of somebody else what a fact gives as taken by the user; None for none.

    `told` is all that the fact says, `said` the turn with its words, and `names` are the user's.
    """
    every = told_sentences(said)
    place = next(iter(find_sentences(words, every)), None)
    if place is None or OTHER.search(told) or _AS_WELL.search(" ".join(every[place : place + 2])):
        return None
    sentence = every[place]
    found = _NAMED.match(sentence) or _GIVEN.match(sentence)
    if found is None or SOMEBODY.match(sentence) is not None:
        # a relative: `my sister takes warfarin, 3 mg`
        whose = SOMEBODY.match(sentence)
        if (
            whose is None
            or SAYS_I.search(sentence[whose.end() :])
            or not _TAKEN_BY.match(sentence, whose.end())
        ):
            return None
        return Refusal(sentence, _ELSE)
    name = found["name"].casefold()
    known = {part.casefold() for one in names for part in one.split()}
    if name not in ("he", "she"):
        # what a doctor gives to a name is given to somebody
        does = {"alone": found[0], "short": "", **found.groupdict()}
        alone = bool(does["alone"] or does["short"])
        if name in known or name in _WORD.findall(even(said)) or not is_somebody(name, alone=alone):
            return None
    if SAYS_I.search(sentence) or name in even(told).casefold():
        return None
    return Refusal(sentence, _ELSE)


_ELSE = "is about somebody else"
_WORD = late(r"[\w-]+")
_TAKEN_BY = late(rf"(?i)\s+(?:[\w'’-]+,? ){{0,4}}?(?:{_VERBS})")


def _refuses(sentence: str, mine: frozenset[str]) -> bool:
    """Return whether a sentence refuses something, and names no other thing that is refused in it."""
    for one in _NOT_FOR_ME.finditer(sentence):
        if telling(one[1]) & mine:
            return True
    plain = spelt_out(sentence)
    for found in _REFUSES.finditer(plain):
        asks = _WONDERS.search(plain, 0, found.start())
        if asks is not None and _is_aside(plain[asks.start() : found.start()], mine):
            continue
        within = _DOWN.search(found[0])
        behind = _OBJECT.match(_BREAK.split(plain[found.end() :], maxsplit=1)[0])
        what = within[1] if within is not None else ""
        if behind is not None:
            what = f"{what} {behind['to'] or behind['what']}"
        if _is_of(what, mine):
            return True
    return False


def _is_of(what: str, mine: frozenset[str]) -> bool:
    """Return whether words are of a medicine: they name it, point at it, or name nothing at all."""
    roots = telling(what)
    return bool(roots & mine) or _IT.search(what) is not None or not roots - _PLAIN - _HOW


def _is_aside(sentence: str, mine: frozenset[str]) -> bool:
    """Return whether a sentence asks for or offers something else, to which a `no` may answer."""
    asks = _WONDERS.search(sentence)
    found = _OFFERS.search(sentence) if asks is None else asks
    return found is not None and not _is_of(
        sentence if asks is None or asks[0] == "?" else sentence[asks.end() :], mine
    )


_ASKED_IF = late(r"\b(?:ask(?:s|ed)?|wonder(?:s|ed)?|know)(?: me| us)? (?:if|whether) (?:i|we)\b[^,.;?]*")


def _is_taken(text: str) -> bool:
    """Return whether the one who speaks takes something by a text, whatever else is refused in it."""
    return _TAKES.search(_REFUSES.sub(" ", _ASKED_IF.sub(" ", spelt_out(text)))) is not None

"""Medicines and treatments that were offered and refused, or that somebody else takes."""

from collections.abc import Collection, Sequence
from itertools import chain

from reel_cli.core.evidence.grounding.lexicon import even, quote_key, sentences, spelt_out, telling
from reel_cli.core.frozen import frozen, late
from reel_cli.core.values.change import one_line
from reel_cli.features.facts.evidence.details.another_person import NO_NAME, OTHER, SAYS_I, SOMEBODY

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
    rf"|(?:am|was|is|are)?(?: )?not (?:taking|having|starting|going (?:to (?:take|start)|on))\b{_WITH}"
    rf"|(?:not |never )(?:want(?: (?:it|one|any|them|that|this)\b|\W*$)|(?:take|taken|took|touched|touch"
    rf"|start|started|filled|collected|swallowed"
    rf"|accept(?:ed)?)"
    rf"\b){_WITH})"
    r"|\bno,? thank(?:s| you)\b|\bnot for me\b|\b(?:and|but) (?:turned (?:[\w'’]+ ){0,3}down|refused"
    r"|declined|said no)\b"
)
_NOT_FOR_ME = late(r"(?i)\bno (?:more )?([\w-]+)(?: [\w-]+)? for me\b")
_ASKS = late(
    r"(?i)\b(?:will|shall|do|did|would|are)\b[^?]*\b(?:you|take|took|taking|agree|accept|yes|start"
    r"|want)\b[^?]*\?"
)
_NO = late(r"(?i)\W*(?:no|never|not me|certainly not|of course not)\W*$")
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
_NAMED = late(
    r"\W*(?:(?i:and|but|so|because)\s+)?(?P<name>(?-i:[A-ZÀ-ÖØ-Þ])[\w-]+"
    r"|(?i:s?he))(?:,? (?:[\w'’-]+,? ){0,4}?|\s)"
    r"(?i:takes|took|(?:is|was|has been|went)(?: put)? on|was (?:prescribed|given)|gets|needs|uses"
    r"|swallows)\b"
)
_NOBODY = late(
    r"(?i)every|any|your|her|his|its|their|these|those|dose|please|only|after|before|if|with|for|at|on|in|from"
    r"|doctor|nurse|breakfast|lunch|dinner|supper|blood|heart"
)
"""Words that begin a sentence and name nobody who takes something."""
_AS_WELL = late(
    r"(?i)\b(?:so do i|as do i|i do too|me too|same as me|like me|i do as well|as i do|i take it too)\b"
)
"""Pattern of a word that the one who speaks takes it, too."""


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
    turns = [(_sentences(text), before) for text, before in said]
    told = list(chain.from_iterable(one for one, _ in turns[:1]))
    place = _find_place(words, told)
    if place is None:
        return None
    around = " ".join(told[max(0, place - 1) : place + 1])
    follows = told[place + 1 : place + 1 + _NEAR]
    answer, asked = turns[1] if len(turns) > 1 else ([], "")
    if len(follows) < _NEAR and place + 1 + len(follows) == len(told):
        follows = [*follows, *answer[:1]]
    if _OFFERS.search(around) and not _is_taken(" ".join([told[place], *follows])):
        if _REFUSES.search(spelt_out(told[place])):
            own = _REFUSES.search(told[place])
            return Refusal(told[place][own.start() if own is not None else 0 :], _REFUSED)
        if (found := next((one for one in follows if _refuses(one, mine)), "")) or (
            answer and _ASKS.search(asked) and _NO.match(found := answer[0])
        ):
            return Refusal(found, _REFUSED)
    later = chain(told[place + 1 :], *(one for one, _ in turns[1:]))
    named = (one for one in later if mine & telling(one) and not _is_taken(one))
    return next((Refusal(one, _REFUSED) for one in named if _refuses(one, mine, named=True)), None)


_REFUSED = "says that it is not taken"


def find_taker(told: str, words: str, said: str, names: Collection[str]) -> Refusal | None:
    """Return the sentence that tells of somebody else what a fact gives as taken by the user; None for none.

    `told` is all that the fact says, `said` the turn with its words, and `names` are the user's.
    """
    every = _sentences(said)
    place = _find_place(words, every)
    if place is None or OTHER.search(told) or _AS_WELL.search(" ".join(every[place : place + 2])):
        return None
    sentence = every[place]
    found = _NAMED.match(sentence)
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
    nobody = (
        name in known or _NOBODY.fullmatch(name) or (NO_NAME.fullmatch(name) and name not in ("he", "she"))
    )
    if nobody or SAYS_I.search(sentence) or name in even(told).casefold():
        return None
    return Refusal(sentence, _ELSE)


_ELSE = "is about somebody else"
_TAKEN_BY = late(
    r"(?i)\s+(?:[\w'’-]+,? ){0,4}?(?:takes|took|(?:is|was|has been|went)(?: put)? on|needs|gets|uses)\b"
)


def _refuses(sentence: str, mine: frozenset[str], *, named: bool = False) -> bool:
    """Return whether a sentence refuses something, and names no other thing that is refused in it."""
    for one in _NOT_FOR_ME.finditer(sentence):
        if telling(one[1]) & mine:
            return True
    if not _REFUSES.search(spelt_out(sentence)):
        return False
    to = _TO.search(sentence)
    return named or to is None or bool(telling(to[1]) & mine) or not telling(to[1])


_TO = late(r"(?i)\b(?:no to|refused?|declined?|turned down)(?: (?:the|a|an|any|his|her|their))+ ([\w-]+)")
"""Pattern of what is refused, where it is named."""


def _is_taken(text: str) -> bool:
    """Return whether the one who speaks takes something by a text, whatever else is refused in it."""
    return _TAKES.search(_REFUSES.sub(" ", spelt_out(text))) is not None


def _sentences(text: str) -> Sequence[str]:
    plain = even(text)
    return [one_line(plain[start:end]) for start, end in sentences(plain)]


def _find_place(words: str, told: Sequence[str]) -> int | None:
    """Return the place of the first sentence that has words, or a sentence of them; None for none."""
    parts = [even(part) for part in words.split(" / ")]
    keys = [quote_key(part[start:end]).strip() for part in parts for start, end in sentences(part)]
    return next(
        (at for at, one in enumerate(told) if any(key and key in quote_key(one) for key in keys)), None
    )

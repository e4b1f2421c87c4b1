"""The support of a fact: the turns that it rests on, and whether they deny what its value denies."""

from reel_cli.core.evidence.grounding.lexicon import even, quote_key, sentences
from reel_cli.core.evidence.grounding.source import Source
from reel_cli.core.evidence.own_words import NO, telling
from reel_cli.core.frozen import frozen, late

PART = late(r"\s*[,;]\s+|\s+[-–—]\s+")
"""Pattern of what stands between the parts of a value."""
_ENDS = late(
    r"(?i)\b(?:quit|stop\w*|avoid\w*|refus\w*|hat(?:e|es|ed)|dislik\w*|free|lack\w*|miss\w*|fail\w*|wish\w*|only"
    r"|except|instead|rather|lost|gone|over|ended|un\w+|dis\w+|[cdw](?:a|o)nt|didnt|isnt|nor|off)\b"
)
"""Words that may be told as a denial."""


@frozen
class FactSupport:
    """The turns that support a fact, and in which form; or the reason why none does.

    `first` and `number` are the first and last message; `words` are those it rests on as they were said,
    ` / ` between those of several turns, a question among them. `value` is the one claimed, or the words as
    they were said, where only they are borne. `open_year` says that it has a year which nobody said;
    `left_out` is what of the value was left out, since nobody said it in the talk. `near` is the message of
    words that do not bear the value, where all of it was said somewhere in the talk; `heard` is that message
    wherever the rest may come from. `unsaid` words were said by nobody there. `wrong` words have another
    number than the value. `session` is that of the turns, where it is an earlier one. `quoted` words were
    quoted or pasted; `retold` ones are what somebody else said, told with the one who did.
    `answered` says that what the other answered was left out of the words. `speaker` is the one who said
    them, where that is somebody else in a chat of several.
    """

    number: int = 0
    day: str = ""
    why: str = ""
    value: str = ""
    open_year: bool = False
    first: int = 0
    words: str = ""
    source: Source | None = None
    left_out: str = ""
    near: int = 0
    heard: int = 0
    unsaid: bool = False
    wrong: bool = False
    session: str = ""
    quoted: bool = False
    retold: bool = False
    answered: bool = False
    speaker: str = ""

    @property
    def place(self) -> str:
        """Return the message or messages, as a source writes them."""
        return f"{self.first}-{self.number}" if self.first not in (0, self.number) else str(self.number)


def denies_more(borne: FactSupport) -> bool:
    """Return whether a value denies something, and no sentence that has its words does."""
    if borne.source is None or not NO.search(even(borne.value)):
        return False
    mine = telling(borne.value)
    texts = [even(one.turn.text) for one in borne.source.said]
    denied = [quote_key(one).strip() for one in PART.split(even(borne.value)) if NO.search(one)]
    if all(any(one in quote_key(text) for text in texts) for one in denied):
        # each denial stands there as it is
        return False
    every = [text[start:end] for text in texts for start, end in sentences(text)]
    near = [one for one in every if telling(one) & mine] or every
    said = sum(len(sign.findall(one)) for one in near for sign in (NO, _ENDS))
    return said < len(NO.findall(even(borne.value)))

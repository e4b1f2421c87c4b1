"""Words that a text gives as said: in quotation marks of any kind, set apart, or in italics; and by whom."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from reel_cli.core.evidence.grounding.lexicon import UNSPACED
from reel_cli.core.evidence.quotation import SENTENCE, SPOKEN
from reel_cli.core.frozen import frozen, late

FEWEST = 2
"""Words from which words in quotation marks may be a quotation."""
_SURE = 3
"""Words from which they are one, whoever is said to have said them."""
_FEWEST_CHARACTERS = 4
"""The same in characters, where words stand without spaces."""


class QuoteForm(StrEnum):
    """Ways in which a text sets a quotation apart."""

    MARKS = "marks"
    SINGLE = "single"
    BLOCK = "block"
    ITALICS = "italics"
    SCRIPT = "script"


@frozen
class QuotedWords:
    """Words that a text gives as said: their place with the marks, and the words alone.

    `speaker` is who said them by the text, one of the names that were given, or "" where it names neither;
    `attributed` says that somebody is said to have said them, and `third` that it is a he or she, who cannot
    be the persona.
    """

    start: int
    end: int
    inside: str
    form: QuoteForm = QuoteForm.MARKS
    speaker: str = ""
    attributed: bool = False
    third: bool = False
    is_open: bool = False
    """True where it is what somebody might say, or did not say."""


_IN = r"\n(?![ \t]*\n)"
_STRAIGHT = rf'(?<![\w"])"(?=\S)(?P<a>(?:[^"\n]|(?<=[\s(])"(?=\w)[^"\n]*"(?!\w)|{_IN})+?)"(?!\w)'
_APOSTROPHE = rf"(?:[^‘’\n]|’(?=\w)|{_IN})"
_MARKS = late(
    rf"{_STRAIGHT}"
    rf"|“(?P<b>(?:[^“”\n]|{_IN})+)”|„(?P<c>(?:[^“”„\n]|{_IN})+)[“”]|«(?P<d>(?:[^«»\n]|{_IN})+)»"
    rf"|»(?P<e>(?:[^«»\n]|{_IN})+)«|‹(?P<f>(?:[^‹›\n]|{_IN})+)›|「(?P<g>[^「」\n]+)」|『(?P<h>[^『』\n]+)』"
    rf"|”(?P<i>(?:[^“”\n]|{_IN})+)”|＂(?P<m>[^＂\n]+)＂|〝(?P<n>[^〝〞〟\n]+)[〞〟]"
    rf"|‚(?P<j>(?:[^‚‘’\n]|’(?=\w)|{_IN})+)[‘’](?!\w)|(?<!\w)‘(?P<k>{_APOSTROPHE}+)’(?!\w)"
    rf"|(?<![\w'’])'(?=[^\W\d_])(?P<l>(?:[^'\n]|'(?=\w)|{_IN})+?(?<=[\w.,!?…]))'(?!\w)"
)
_SINGLE = frozenset("jkl")
_BLOCK = late(r"(?m)(?:^[ \t]*>(?![ \t]*\*\*Amended )[^\n]*(?:\n|\Z))+")
_ITALICS = late(
    r"(?<![\w*])(?P<s>\*{1,3})(?=[^\s*])(?P<x>[^*\n]+?)(?<=[^\s*])(?P=s)(?![\w*])"
    r"|(?<!\w)(?P<u>_{1,2})(?=[^\s_])(?P<y>[^_\n]+?)(?<=[^\s_])(?P=u)(?!\w)|(?<![\w`])`(?P<z>[^`\n]+)`(?![\w`])"
)
"""Pattern of words in italics, in bold or as code."""
_WORD = late(r"[^\W_]+(?:['’][^\W_]+)*")
_VERB = (
    rf"(?:{SPOKEN}|add(?:ed|s)|promis(?:ed|es)|admit(?:s|ted)|confess(?:ed|es)|repeat(?:ed|s)|cried|begged"
    r"|explained|exclaimed|insist(?:s|ed)|murmured|joked|called out|went on|put it|say|ask|tell|write)"
)
_CLOSE = 48
"""Characters between the one who speaks, the verb and the words."""
_BEFORE, _AFTER = 160, 60
"""Characters around a quotation in which it is said whose it is."""


def find_quoted_words(text: str, persona: str = "", user: str = "") -> Sequence[QuotedWords]:
    """Return what a text in the persona's voice gives as said, in order, none within another.

    `I` is the persona and `you` the user. In two words, in single marks or in italics it is a quotation
    only where somebody is said to have said it, or, in two words, where it speaks as a sentence does.
    """
    voices = _Voices(persona, user)
    found: list[QuotedWords] = []
    for block in _BLOCK.finditer(text):
        found += _in_block(text, block, voices)
    taken = [(one.start(), one.end()) for one in _BLOCK.finditer(text)]
    script = [one for one in _in_script(text, voices) if not _within(one.start, taken)]
    found += script
    taken += [(one.start, one.end) for one in script]
    for mark in _MARKS.finditer(text):
        if not _within(mark.start(), taken):
            name = mark.lastgroup or "a"
            form = QuoteForm.SINGLE if name in _SINGLE else QuoteForm.MARKS
            found.append(_told(text, mark.span(), mark[name], form, voices))
    taken += [(one.start, one.end) for one in found]
    for mark in _ITALICS.finditer(text):
        if not _within(mark.start(), taken):
            inside = mark["x"] or mark["y"] or mark["z"]
            found.append(_told(text, mark.span(), inside, QuoteForm.ITALICS, voices))
    return sorted((one for one in found if _is_quotation(one)), key=lambda one: one.start)


def find_set_apart(text: str) -> Sequence[tuple[int, int]]:
    """Return where a text has words as said without quotation marks: in italics, or behind a leading dash.

    They are four words or more, and right beside them somebody is said to have said them.
    """
    marks = ((mark, next(one for one in "xyz" if mark[one])) for mark in _ITALICS.finditer(text))
    found = [mark.span(name) for mark, name in marks if _is_said(text, mark) and not _is_title(mark[name])]
    found += [line.span("said") for line in _DASHED.finditer(text) if _SAID_AFTER.match(text, line.end())]
    return [(start, end) for start, end in found if count_words(text[start:end]) > _SURE]


def _is_said(text: str, mark: re.Match[str]) -> bool:
    """Return whether words in italics stand right behind a verb of saying that tells what was said."""
    clause = _CLAUSE.split(text[max(0, mark.start() - _BEFORE) : mark.start()])[-1]
    verb = _RIGHT_BEFORE.search(clause)
    if verb is None or _OF_MANNER.match(text, mark.end()):
        return False
    return not any(_OPEN.fullmatch(one[0]) for one in _WORD.finditer(clause[: verb.start()]))


def _is_title(words: str) -> bool:
    """Return whether words are written as a title is, with capitals."""
    return all(word[0].isupper() for word in _WORD.findall(words) if len(word) > _SURE)


_RIGHT_BEFORE = late(
    rf"(?i)(?<!\w){_VERB}(?:\s+(?:to\s+)?(?:me|him|her|us|them|you|back|again|once|softly|aloud|\w+ly))*"
    r"\s*[:,—–-]?\s*\Z"
)
_OF_MANNER = late(r"(?i)\s*(?:that|how|what|why|whether|where|when|about|not to|to)\b")
"""Pattern behind words in italics that only tell how something was said."""
_DASHED = late(
    r"(?m)^[ \t]*[—–-][ \t]*(?P<said>[^\s\"“„«—–-][^\"“”„«»—–\n]*?[^\s,.!?…—–-])[.!?…]?"
    r"(?=[ \t]*[,—–-][ \t]|[!?][ \t])"
)
"""Pattern of a line of dialogue behind a dash, up to the words that say whose it is."""


def count_words(text: str) -> int:
    """Return how many words a text has; in a script without spaces, how many pairs of characters."""
    if UNSPACED.search(text):
        size = sum(map(str.isalnum, text))
        if size < _FEWEST_CHARACTERS:
            # three characters are a sentence, where somebody is said to have said them: `我恨你`
            return FEWEST if size == _FEWEST_CHARACTERS - 1 else 1
        return max(_SURE, size // 2)
    return len(_WORD.findall(text))


def count_prose(text: str) -> int:
    """Return how many words a text has for somebody who reads it: two characters without spaces are one."""
    plain, unspaced = UNSPACED.subn(" ", text)
    words = plain.split()
    return len(words) if not unspaced else sum(any(map(str.isalnum, one)) for one in words) + unspaced // 2


def _is_quotation(one: QuotedWords) -> bool:
    size = count_words(one.inside)
    if size < FEWEST or one.form is QuoteForm.ITALICS:
        return size >= FEWEST and one.attributed
    if one.attributed:
        return True
    if one.form is QuoteForm.SINGLE:
        return size > _SURE and SENTENCE.search(one.inside) is not None
    return size >= _SURE or SENTENCE.search(one.inside) is not None


def _in_script(text: str, voices: "_Voices") -> Iterator[QuotedWords]:
    """Yield the lines of a dialogue that is told as a script: neighbours, each with its speaker before it."""
    run: list[QuotedWords] = []
    at = 0
    for line in (*text.split("\n"), ""):
        told = _SCRIPT.fullmatch(line)
        who = voices.named(told["who"]) if told is not None else ""
        if told is not None and who:
            start, end = at + told.start("said"), at + told.end("said")
            run.append(QuotedWords(start, end, told["said"], QuoteForm.SCRIPT, who, attributed=True))
        elif line.strip() or at > len(text) - 1:
            yield from run if len({one.speaker for one in run}) > 1 else ()
            run = []
        at += len(line) + 1


_SCRIPT = late(
    r"[ \t]*(?:\*\*|__)?(?P<who>[^\W\d_][^:：*\n]{0,40}?)(?:\*\*|__)?[:：](?:\*\*|__)?[ \t]+"
    r"(?P<said>[^\s\"“„«][^\n]*?)[ \t]*"
)
"""Pattern of a line of a script; words in quotation marks are found by their marks."""


def _in_block(text: str, block: re.Match[str], voices: "_Voices") -> Iterator[QuotedWords]:
    """Yield a block quotation whole, or the quotations in it where they are most of it."""
    marked = [
        _told(text, one.span(), one[one.lastgroup or "a"], QuoteForm.MARKS, voices)
        for one in _MARKS.finditer(text, block.start(), block.end())
    ]
    inside = re.sub(r"(?m)^[ \t]*>+[ \t]?", "", block[0]).strip()
    own = re.sub(r"(?m)^[ \t]*[—–-]{1,2}[ \t]*\w[^\n]{0,40}\Z", "", inside).strip()
    rest = count_words(own) - sum(count_words(one.inside) for one in marked)
    if marked and rest <= _CLOSE // 6:
        yield from marked
        return
    signed = inside[len(own) :].strip(" \n—–-")
    told = _told(text, block.span(), own, QuoteForm.BLOCK, voices)
    yield QuotedWords(
        told.start,
        told.end,
        own,
        QuoteForm.BLOCK,
        voices.named(signed) or told.speaker,
        attributed=True,
        third=told.third and not signed,
    )


_INTRODUCES = (":", "：", ",", "—", "–")
"""Signs at the end of a line that introduces a block quotation."""


def _within(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _told(text: str, span: tuple[int, int], inside: str, form: QuoteForm, voices: "_Voices") -> QuotedWords:
    start, end = span
    after = "" if inside.rstrip().endswith(".") else text[end : end + _AFTER]
    before = text[max(0, start - _BEFORE) : start]
    if form is QuoteForm.BLOCK and before.rstrip().endswith(_INTRODUCES):
        # `Ada said:` stands in a paragraph of its own above a block
        before = before.rstrip()
    told = voices.of(before, after)
    return QuotedWords(start, end, inside.strip(), form, told.who, told.attributed, told.third, told.is_open)


class _Attribution(NamedTuple):
    """The one who is said to have said something, as `QuotedWords` has it."""

    who: str
    attributed: bool
    third: bool = False
    is_open: bool = False


class _Voices:
    """The two who speak, and the words by which the text names them."""

    def __init__(self, persona: str, user: str) -> None:
        self._names = {"i": persona, "you": user}
        for name in (user, persona):
            if name.split():
                self._names |= {name.casefold(): name, name.split()[0].casefold(): name}

    def named(self, text: str) -> str:
        """Return which of the two a name or pronoun means; "" for neither."""
        return self._names.get(text.strip().casefold(), "")

    def of(self, before: str, after: str) -> "_Attribution":
        """Return which of the two is said to have said it, whether anybody is, and whether only perhaps."""
        clause = _CLAUSE.split(before)[-1]
        verbs = list(_SAYS.finditer(clause))
        if verbs and len(clause) - verbs[-1].end() <= _CLOSE:
            lead, rest = clause[: verbs[-1].start()], clause[verbs[-1].end() :]
            if rest.rstrip().endswith(":") and (turn := _OTHER_SUBJECT.search(rest)):
                # `I said left, and he had me at once:`
                by_third = turn["who"].casefold() in ("he", "she")
                return _Attribution("", attributed=True, third=by_third)
            # `I asked her over, and there was a day:` leaves open who said it
            who = "" if _GOES_ON.search(rest) else self._subject(lead)
            third = not who and not _GOES_ON.search(rest) and _THIRD.search(lead) is not None
            return _Attribution(who, attributed=True, third=third, is_open=self._is_open(lead, verbs[-1][0]))
        if told := _SAID_AFTER.match(after):
            who = told["before"] or told["behind"]
            return _Attribution(self.named(who), attributed=True, third=who.casefold() in ("he", "she"))
        return _Attribution("", attributed=before.rstrip().endswith((":", "：")))

    def _is_open(self, before: str, verb: str) -> bool:
        """Return whether a verb tells of what might be said, or was not."""
        words = [one[0].casefold() for one in _WORD.finditer(before)]
        if not words:
            return verb.casefold() in _BARE
        for word in reversed(words):
            if _OPEN.fullmatch(word):
                return True
            if word not in _BETWEEN and word not in self._names and word not in _CROSSED:
                return False
        return False

    def _subject(self, before: str) -> str:
        """Return which of the two is the subject of the verb that follows; "" for neither or unclear."""
        words = [one[0] for one in _WORD.finditer(before)]
        joined = False
        for word in reversed(words[-_FAR:]):
            plain = word.casefold()
            name = re.sub(r"['’](?:d|ve|m|ll)\Z", "", plain)
            if name in self._names:
                return self._names[name]
            if plain in _JOINS:
                joined = True
            elif plain in _OTHERS or not (joined or plain in _BETWEEN or plain.endswith("ly")):
                return ""
        return ""


_GOES_ON = late(r"[;,]\s*(?:and|but|so|then|until|where|when)\b")
_OTHER_SUBJECT = late(r"(?i)(?:\band|\bbut|\bso|\bthen|[,;])\s+(?P<who>he|she|they|we|you|I)\s+\w+[^,;]*\Z")
"""Pattern of the last clause before a quotation, with a subject of its own."""
_CLAUSE = late(r"[.!?]\s+|\n|[\"“”„«»]")
_THIRD = late(
    r"(?i)\b(?:he|she)\s+(?:(?:had|has|just|only|even|once|then|also|later|finally|again|still)\s+|\w+ly\s+)*\Z"
)
"""Pattern of a he or she right before a verb of saying."""
_SAYS = late(rf"(?<!\w){_VERB}(?!\w)", re.IGNORECASE)
_SAID_AFTER = late(
    rf"\s*[,;–—-]?\s*(?:(?P<before>[^\W\d_]+)\s+(?:\w+ly\s+|just\s+|then\s+)?{_VERB}(?!\w)"
    rf"|{_VERB}\s+(?P<behind>[^\W\d_]+))(?:\s+[\w'’]+){{0,4}}\s*(?:[.,;:!?—–]|\Z)",
    re.IGNORECASE,
)
_FAR = 10
"""Words between a subject and its verb."""
_JOINS = frozenset(("and", "but", "then"))
_BETWEEN = frozenset(
    (
        *(
            "have",
            "had",
            "has",
            "did",
            "do",
            "does",
            "just",
            "also",
            "only",
            "always",
            "even",
            "once",
            "again",
        ),
        *("later", "finally", "first", "simply", "still", "often", "now", "so", "too", "both"),
    )
)
"""Words between a subject and its verb that leave nothing open; `I was told` is another's telling."""
_OTHERS = frozenset(
    (
        *("he", "she", "they", "we", "it", "who", "me", "him", "them", "us", "her", "that", "which"),
        *("nobody", "everybody", "heard"),
    )
)
"""Words that make somebody else the one who speaks, or leave open who does."""
_BARE = frozenset(("ask", "say", "tell", "write"))
_CROSSED = frozenset(("he", "she", "they", "we", "to", "been", "be"))
_OPEN = late(
    r"never|not|cannot|should|could|would|might|may|will|shall|must|wish(?:ed)?|want(?:s|ed)?|hop(?:e|ed)|if"
    r"|instead|time|nobody|ought|tr(?:y|ied)|better|rather|\w+n['’]t|\w+['’]ll|\w+['’]d"
)
"""Pattern of a word before a verb that makes it tell of what might be said, or was not."""

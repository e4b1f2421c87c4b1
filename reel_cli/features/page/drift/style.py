"""Writing style in plain counts: transparent stylometry, so that "as ever" can be checked by numbers.

Each trait is an average over units of the text: replies, sentences, lines or words. What depends on a word
list (person, hedges) knows a few languages and is silent in others; the rest works in any script, and in
scripts without spaces each character stands for a word.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import reduce
from typing import Any, NamedTuple

from reel_cli.core.frozen import frozen, late

EDITION = 1
"""Raised whenever the same text would be counted otherwise: counts are kept by it."""
LONGEST = 20_000
"""Characters of one reply that are read."""
_FENCE = late(r"(?ms)^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1|\Z)")
_CITED = late(r"(?m)^[ \t]*>.*$")
_ALONE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0002fa1f"
)
"""Ranges of scripts without spaces between words: Thai, Lao, Burmese, Khmer, Japanese, Chinese."""
WORD = late(rf"[{_ALONE}]|[^\W\d_{_ALONE}]+(?:['’][^\W\d_{_ALONE}]+)*")
_SENTENCE = late(r"[.!?…]+[\"'”’)\]*_]*(?=\s|$)|[。！？｡]+[」』）]*|\n+")
_EMOJI = late("[\U0001f300-\U0001faff\u2600-\u27bf]|(?<![\\w:])[:;=8][-']?[)DPpbO3(/](?!\\w)")
_LAUGHTER = late(
    r"(?i)\b(?:a?(?:ha){2,}h?|(?:he){2,}h?|heh|hah?|lo+l|lmf?ao+|rofl|(?:ja){2,}|mdr|kkk+|w{3,})\b|笑|哈哈|ㅋㅋ"
)
_ASIDE = late(r"\([^()\n]{3,200}\)|（[^（）\n]{2,200}）|(?<![\w*])\*(?![\s*])[^*\n]{2,200}(?<!\s)\*(?![\w*])")
_LAID_OUT = late(r"[ \t]*(?:#{1,6}[ \t]|[-*+•][ \t]|\d{1,3}[.)][ \t]|\|)|.*\*\*[^*\n]+\*\*")
_PAUSE = late(r"[—–]|\s-\s|--|…|\.\.\.")
_COMMA = late(r"[,;、，；]")


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FIRST = _listed(
    "i me my mine myself we us our ours ich mir mich mein meine wir uns unser unsere je j moi mon ma mes nous"
    " notre yo mí mi mis nosotros io mio mia noi eu meu minha nós ik mij mijn wij jag mig min"
    " minä minun minua minulla я мне меня мой мы нас 我 私 僕 俺"
)
_SECOND = _listed(
    "you your yours yourself du dir dich dein deine ihr euch sie tu te toi ton ta tes vous votre tú tus usted"
    " ti voi você vocês jij jou jouw dig din sinä sinun sinua ты тебя тебе вы вас 你 您 君"
)
_HEDGES = _listed(
    "maybe perhaps probably possibly guess suppose think seems seem might could somewhat apparently likely"
    " roughly kinda sorta unsure vielleicht wohl vermutlich peut-être quizás quizá forse talvez misschien"
    " ehkä kai возможно наверное"
)


class Trait(NamedTuple):
    """One thing that is counted: its key, what it counts in a line, how more and less of it are told.

    `log` says that the average is of logarithms, so that a change can be told in percent; `spread` is how far
    the sessions of one voice usually lie apart in it (a standard deviation, measured by `bench/drift.py`).
    """

    key: str
    what: str
    more: str
    less: str
    spread: float
    log: bool = False


TRAITS: tuple[Trait, ...] = (
    Trait("reply", "words in a reply", "replies {} longer", "replies {} shorter", 0.18, log=True),
    Trait("sentence", "words in a sentence", "sentences {} longer", "sentences {} shorter", 0.22, log=True),
    Trait("word", "letters in a word", "longer words", "shorter words", 0.37),
    Trait("first", "share of words that are I, me, we", "more I and we", "less I and we", 0.019),
    Trait("second", "share of words that are you", "more you", "less you", 0.017),
    Trait("short forms", "share of words like don't and I'm", "more short forms", "fewer short forms", 0.014),
    Trait("hedges", "share of words like maybe and I think", "more hedging", "less hedging", 0.004),
    Trait("questions", "share of sentences that ask", "more questions", "fewer questions", 0.074),
    Trait("exclamations", "sentences that end in !", "more exclamations", "fewer exclamations", 0.029),
    Trait("laughter", "laughter and emoji in a sentence", "more laughter", "less laughter", 0.02),
    Trait("asides", "asides, (so) or *so*, in a sentence", "more asides", "fewer asides", 0.03),
    Trait("pauses", "dashes and dots in a sentence", "more dashes and dots", "fewer dashes and dots", 0.02),
    Trait("commas", "commas for each word", "more commas", "fewer commas", 0.015),
    Trait("layout", "lines of lists, headings or bold", "more lists and bold", "fewer lists and bold", 0.05),
    Trait("variety", "different words in each run of fifty", "more varied words", "less varied words", 0.016),
)  # fmt: skip
"""All traits that are counted, except the small words."""
RUN = 50
"""Words of the runs over which variety is measured."""


class Mean(NamedTuple):
    """An average in the making: how many units, their sum, the sum of their squares."""

    n: float = 0
    sum: float = 0
    squares: float = 0

    def plus(self, other: "Mean") -> "Mean":
        """Return the average over both."""
        return Mean(self.n + other.n, self.sum + other.sum, self.squares + other.squares)

    @property
    def value(self) -> float:
        """Return the average."""
        return self.sum / self.n if self.n else 0.0

    @property
    def doubt(self) -> float:
        """Return the variance of the average itself: how unsure so few units make it."""
        if not self.n:
            return math.inf
        return max(self.squares / self.n - self.value**2, 0.0) / self.n


@frozen
class WritingStyle:
    """The style of a text: replies, words, each trait, and how often each word is used."""

    replies: int = 0
    words: int = 0
    traits: Mapping[str, Mean] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)


def read_manner(replies: Iterable[str]) -> WritingStyle:
    """Count one voice's replies; code and what it only cites are left out."""
    found: dict[str, list[float]] = {trait.key: [0, 0, 0] for trait in TRAITS}
    counts: Counter[str] = Counter()
    total = 0

    def add(key: str, value: float, units: float = 1) -> None:
        mean = found[key]
        mean[0] += units
        mean[1] += value * units
        mean[2] += value * value * units

    def share(key: str, hits: int, units: int) -> None:
        mean = found[key]
        mean[0] += units
        mean[1] += hits
        mean[2] += hits

    run: list[str] = []
    for reply in replies:
        text = _own(reply)
        words = [word.casefold().replace("’", "'") for word in WORD.findall(text)]
        if not words:
            continue
        total += 1
        counts.update(words)
        run += words
        add("reply", math.log1p(len(words)))
        plain = [word.partition("'")[0] for word in words]
        for word in plain:
            add("word", min(len(word), 20))
        share("first", sum(word in _FIRST for word in plain), len(words))
        share("second", sum(word in _SECOND for word in plain), len(words))
        share("short forms", sum("'" in word for word in words), len(words))
        share("hedges", sum(word in _HEDGES for word in plain), len(words))
        share("commas", len(_COMMA.findall(text)), len(words))
        lines = [line for line in text.splitlines() if line.strip()]
        share("layout", sum(_LAID_OUT.match(line) is not None for line in lines), len(lines))
        for sentence, end in _sentences(text):
            size = len(WORD.findall(sentence))
            add("sentence", math.log1p(size))
            add("questions", float("?" in end or "？" in end))
            add("exclamations", float("!" in end or "！" in end))
            add("laughter", min(len(_EMOJI.findall(sentence + end)) + len(_LAUGHTER.findall(sentence)), 3))
            add("asides", min(len(_ASIDE.findall(sentence + end)), 3))
            add("pauses", min(len(_PAUSE.findall(sentence + end)), 3))
    for start in range(0, len(run) - RUN + 1, RUN // 2):
        add("variety", len(set(run[start : start + RUN])) / RUN, 0.5)
    return WritingStyle(total, len(run), {key: Mean(*mean) for key, mean in found.items()}, dict(counts))


def count_words(replies: Iterable[str]) -> tuple[int, int]:
    """Return how many replies have a word, and how many words they have; as `read_manner` counts them."""
    sizes = [len(WORD.findall(_own(reply))) for reply in replies]
    return sum(size > 0 for size in sizes), sum(sizes)


def _own(reply: str) -> str:
    """Return the part of a reply that is measured: no code, no quotations."""
    return _CITED.sub("", _FENCE.sub("", reply[:LONGEST]))


def _sentences(text: str) -> Iterable[tuple[str, str]]:
    """Yield each sentence that has a word, and its end mark."""
    start = 0
    for found in _SENTENCE.finditer(text):
        if WORD.search(text, start, found.start()):
            yield text[start : found.start()], found[0]
            start = found.end()
    if WORD.search(text, start):
        yield text[start:], ""


def join_manners(manners: Sequence[WritingStyle]) -> WritingStyle:
    """Return the styles of several stretches as one."""
    counts: Counter[str] = Counter()
    for manner in manners:
        counts.update(manner.counts)
    traits = {
        trait.key: reduce(Mean.plus, (m.traits.get(trait.key, Mean()) for m in manners), Mean())
        for trait in TRAITS
    }
    return WritingStyle(sum(m.replies for m in manners), sum(m.words for m in manners), traits, dict(counts))


def dump_manner(manner: WritingStyle) -> list[Any]:
    """Return a manner as plain JSON."""
    traits = {key: list(mean) for key, mean in manner.traits.items()}
    return [manner.replies, manner.words, traits, dict(manner.counts)]


def load_manner(note: list[Any]) -> WritingStyle:
    """Return the manner that `dump_manner` wrote."""
    replies, words, traits, counts = note
    return WritingStyle(replies, words, {key: Mean(*mean) for key, mean in traits.items()}, counts)

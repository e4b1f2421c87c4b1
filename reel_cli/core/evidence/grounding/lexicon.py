"""The words that grounding has to know, and the base forms and sentences that it compares texts by."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from reel_cli.core.frozen import late
from reel_cli.core.informal_words import write_out
from reel_cli.core.sentence_end import find_ends

UNSPACED = late(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff]"
)
"""Pattern of a sign of a script without spaces between words: Thai, Lao, Burmese, Khmer, kana, Chinese."""
HAN_DIGITS = frozenset("零〇一二两兩三四五六七八九十百千万萬")
IRREGULAR = {
    word: base
    for base, words in {
        "go": "went gone goes going", "say": "said says", "tell": "told", "get": "got gotten gets getting",
        "take": "took taken", "make": "made making", "lose": "lost", "win": "won winning",
        "give": "gave given",
        "see": "saw seen", "come": "came", "know": "knew known", "think": "thought", "feel": "felt",
        "find": "found", "leave": "left", "meet": "met", "buy": "bought", "bring": "brought",
        "teach": "taught",
        "catch": "caught", "write": "wrote written", "drive": "drove driven", "ride": "rode ridden",
        "speak": "spoke spoken", "break": "broke broken", "choose": "chose chosen", "begin": "began begun",
        "run": "ran", "swim": "swam swum", "sing": "sang sung", "drink": "drank drunk", "eat": "ate eaten",
        "fall": "fell fallen", "hold": "held", "keep": "kept", "sleep": "slept", "send": "sent",
        "spend": "spent", "build": "built", "pay": "paid", "sell": "sold", "stand": "stood",
        "understand": "understood", "hear": "heard", "grow": "grew grown", "throw": "threw thrown",
        "fly": "flew flown", "show": "shown", "hide": "hid hidden", "feed": "fed", "lead": "led",
        "ring": "rang rung", "forget": "forgot forgotten", "freeze": "froze frozen", "rise": "rose risen",
        "shake": "shook shaken", "sink": "sank sunk", "steal": "stole stolen", "tear": "tore torn",
        "wake": "woke woken", "bite": "bit bitten", "blow": "blew blown", "fight": "fought", "hang": "hung",
        "lend": "lent", "shoot": "shot", "sit": "sat", "sweep": "swept", "learn": "learnt",
        "draw": "drew drawn", "swear": "swore sworn", "weep": "wept", "bend": "bent", "weave": "wove woven",
        "sew": "sewn", "mean": "meant", "become": "became", "wear": "wore worn", "do": "did done does doing",
        "have": "had has having",
        "be": "is am are was were been being", "okay": "ok okey",
        "child": "children", "person": "people", "foot": "feet",
        "man": "men", "woman": "women", "life": "lives", "wife": "wives", "photo": "pic pics photos picture",
        "business": "biz", "competition": "comp comps", "favorite": "fave fav favourite", "kid": "kids",
        "movie": "film films", "mom": "mum mother", "dad": "father", "family": "fam fams families",
        "education": "edu", "prepare": "prep preps prepping prepped preparing prepared",
        "magazine": "mag mags",
        "tournament": "tourney tourneys", "vacation": "vacay", "information": "info",
        "memory": "mems memories",
        "apartment": "flat", "store": "shop stores shops", "recipe": "recipes",
        "happy": "glad pleased delighted thrilled excited stoked pumped happier happily",
        "good": "great amazing awesome wonderful fantastic incredible beautiful lovely brilliant gorgeous"
        " stunning excellent superb beauty",
        "hard": "tough difficult tricky", "tired": "exhausted weary", "big": "huge large",
        "scared": "afraid nervous frightened anxious", "search": "hunt hunting searching seek seeking sought",
        "buddy": "pal mate buddies mates", "trip": "journey trips journeys", "impress": "struck",
        "calm": "relaxed calming relaxing",
    }.items()
    for word in words.split()
}  # fmt: skip
STOP = frozenset(
    [
        "a",
        "about",
        "after",
        "again",
        "all",
        "also",
        "am",
        "an",
        "and",
        "any",
        "are",
        "around",
        "as",
        "at",
        "be",
        "because",
        "been",
        "before",
        "being",
        "both",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "done",
        "each",
        "even",
        "ever",
        "every",
        "few",
        "for",
        "from",
        "get",
        "go",
        "going",
        "got",
        "had",
        "has",
        "have",
        "having",
        "he",
        "her",
        "here",
        "hers",
        "him",
        "his",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "just",
        "kind",
        "know",
        "let",
        "like",
        "lot",
        "lots",
        "made",
        "make",
        "many",
        "may",
        "me",
        "might",
        "mine",
        "more",
        "most",
        "much",
        "must",
        "my",
        "now",
        "of",
        "off",
        "oh",
        "on",
        "one",
        "only",
        "or",
        "other",
        "our",
        "out",
        "over",
        "own",
        "really",
        "s",
        "say",
        "so",
        "some",
        "something",
        "still",
        "such",
        "take",
        "tell",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "thing",
        "things",
        "think",
        "this",
        "those",
        "through",
        "to",
        "too",
        "up",
        "us",
        "very",
        "was",
        "we",
        "well",
        "were",
        "what",
        "when",
        "where",
        "which",
        "while",
        "who",
        "why",
        "will",
        "with",
        "would",
        "yeah",
        "yes",
        "yet",
        "you",
        "your",
        "ll",
        "ve",
        "re",
        "d",
        "m",
        "t",
        "back",
        "always",
        "today",
        "be",
        "say",
        "make",
        "know",
        "until",
        "till",
        "since",
        "next",
        "however",
        "though",
        "although",
        "everyone",
        "everybody",
        "someone",
        "somebody",
        "anyone",
        "anybody",
        "everything",
        "anything",
        "already",
        "actually",
        "quite",
        "rather",
        "enough",
        "right",
        "away",
        "along",
        "instead",
        "whether",
    ]
)
TOLD = frozenset(
    [
        "tell",
        "ask",
        "show",
        "mention",
        "explain",
        "agree",
        "answer",
        "repli",
        "admit",
        "promis",
        "talk",
        "speak",
        "promise",
        "answ",
        "offer",
    ]
)
"""Verbs of telling, which are left out: a statement that something was told is not the thing told."""
NEGATORS = frozenset(
    [
        "not",
        "never",
        "no",
        "nobody",
        "nothing",
        "none",
        "nowhere",
        "neither",
        "nor",
        "without",
        "hardly",
        "barely",
        "ain't",
        "unable",
    ]
)
PERSONS = frozenset(
    [
        "i",
        "me",
        "my",
        "mine",
        "myself",
        "you",
        "your",
        "yours",
        "yourself",
        "he",
        "him",
        "his",
        "himself",
        "she",
        "her",
        "hers",
        "herself",
        "they",
        "them",
        "their",
        "theirs",
        "themselves",
        "we",
        "us",
        "our",
        "ours",
        "ourselves",
    ]
)


UNDER_TWENTY = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_SAME_WIDTH = str.maketrans("‘’ʼ´`“”„«»–—‑−", "'''''" + '"""""' + "----")
WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_SENTENCE = re.compile(r"[.!?…]+[\"')\]*_]*(?=\s|$)|[;\n]+|\s-\s")
_CLAUSE = re.compile(
    r"[,:()]\s|\b(?:and|n|but|because|cos|cuz|coz|so|tho|while|although|though|since|until|after|before|when|who|which|that|without)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"(?i)n't\b")
_PASSED = STOP | TOLD | PERSONS
_PHRASAL = re.compile(r"\b(g[ai]v(?:es?|ing|en)) up\b")
"""Pattern of two words that mean together what neither means alone."""


def even(text: str) -> str:
    """Return the text with one kind of quotation mark, apostrophe and dash; no character moves."""
    return text if text.isascii() else text.translate(_SAME_WIDTH)


def evened_case(text: str) -> str:
    """Return a text in which every letter that a case-insensitive pattern matches is lower case."""
    return text.replace("İ", "i").casefold().replace("ı", "i")


def has_any(text: str, signs: Iterable[str]) -> bool:
    """Return whether any of the signs occurs in the text."""
    for sign in signs:  # noqa: SIM110 (asked of every sentence, and quicker so)
        if sign in text:
            return True
    return False


@lru_cache(maxsize=50_000)
def bare(word: str) -> str:
    """Return a word without case, accents, and what an apostrophe adds."""
    if word.isascii():
        return word.lower().partition("'")[0]
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in plain if not unicodedata.combining(c)).partition("'")[0]


@lru_cache(maxsize=256)
def spelt_out(text: str) -> str:
    """Lower case, short forms written out, so that `didn't` is `did not` and `I'm` is `i am`."""
    plain = write_out(even(text).casefold()).replace("cannot", "can not")
    if "n't" in plain:
        plain = plain.replace("won't", "will not").replace("can't", "can not")
        plain = plain.replace("shan't", "shall not").replace("ain't", "is not")
        plain = _NEGATED.sub(" not", plain)
    return _PHRASAL.sub("quit", plain)


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return a word without its ending; for comparing, not for showing."""
    plain = bare(word)
    # `wrote` and `writing` have one stem
    plain = IRREGULAR.get(plain, plain)
    for ending in ("ingly", "edly", "ing", "ied", "ies", "ed", "es", "s", "ly", "er"):
        if plain.endswith(ending) and len(plain) - len(ending) >= 3 and not plain.endswith("ss"):
            plain = plain[: -len(ending)] + ("y" if ending in ("ied", "ies") else "")
            break
    for ending in ("ment", "ness", "ful", "ion"):
        if plain.endswith(ending) and len(plain) - len(ending) >= 5:
            plain = plain[: -len(ending)]
            break
    if len(plain) > 3 and plain[-1] == plain[-2] and plain[-1] not in "aeiouls":
        plain = plain[:-1]
    plain = plain.removesuffix("e") if len(plain) > 3 else plain
    return f"{plain[:-1]}i" if plain.endswith("y") else plain


@lru_cache(maxsize=10_000)
def stems(text: str) -> tuple[str, ...]:
    """Return the stems of a text's content words, in order."""
    found = []
    for told in WORD.findall(spelt_out(text)):
        word = bare(told)
        if word and word not in STOP and word not in NEGATORS and (root := stem(word)) not in _PASSED:
            found.append(root)
    return tuple(found)


_SHORT = 2_000
"""Number of characters up to which the parts of a text are remembered; each check asks for them again."""


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each sentence of a normalised text."""
    return iter(_list_sentences(text)) if len(text) <= _SHORT else _find_sentences(text)


@lru_cache(maxsize=4_096)
def _list_sentences(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(_find_sentences(text))


def _find_sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for found in find_ends(_SENTENCE, text):
        if text[start : found.end()].strip():
            yield start, found.end()
        start = found.end()
    if text[start:].strip():
        yield start, len(text)


def clauses(text: str) -> Iterator[str]:
    """Yield the parts of a sentence between commas and conjunctions."""
    return iter(_list_clauses(text)) if len(text) <= _SHORT else _find_clauses(text)


@lru_cache(maxsize=4_096)
def _list_clauses(text: str) -> tuple[str, ...]:
    return tuple(_find_clauses(text))


def _find_clauses(text: str) -> Iterator[str]:
    start = 0
    for found in _CLAUSE.finditer(text):
        if text[start : found.start()].strip():
            yield text[start : found.start()]
        start = found.start()
    if text[start:].strip():
        yield text[start:]


_IS = re.compile(r"\b(i|you|he|she|it|we|they|that|there|what|who)'(m|re|s)\b")


@lru_cache(maxsize=256)
def quote_key(text: str) -> str:
    """Return a text for comparing quotations, independent of person and of the form of `be`."""
    plain = _IS.sub(r"\1 is", spelt_out(text)).replace("'ve", " have")
    words = []
    for told in WORD.findall(plain):
        word = told if told.isascii() else unicodedata.normalize("NFKC", told)
        word = word if word.isascii() else UNSPACED.sub(r" \g<0> ", word).strip()
        word = word.replace("'", "")
        if word in PERSONS:
            word = "#"
        elif IRREGULAR.get(word) in ("be", "have"):
            word = IRREGULAR[word]
        words.append(word)
    return f" {' '.join(' '.join(words).split())} "


def telling(text: str) -> frozenset[str]:
    """Return the roots of a text's content words, without numbers in digits."""
    plain = even(text)
    words = (word for start, end in sentences(plain) for word in stems(plain[start:end]))
    return frozenset(stem(word) for word in words if not word[:1].isdigit())

"""Phrases held against the tape: found letter for letter, or the nearest that was really said."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from reel_cli.core.frozen import frozen
from reel_cli.core.informal_words import WITHOUT_MARK
from reel_cli.core.quote_marks import QUOTED, unquote
from reel_cli.core.values.settings import WHOLE
from reel_cli.core.values.talk import Entry

_QUOTES = str.maketrans(
    {
        "‘": "'", "’": "'", "‚": "'", "`": "", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
        "–": "-", "—": "-", "‑": "-", "−": "-", "*": "", "_": " ", "~": "",
    }
)  # fmt: skip
_APOSTROPHES = str.maketrans("‘’ʼ´", "''''")
_MARKS = r"[\u0300-\u036f]*"
_WORD = re.compile(rf"(?:[^\W_]{_MARKS})+(?:'(?:[^\W_]{_MARKS})+)*")
"""A word; hyphens and dashes part words, so that `drip-feed`, `drip‑feed` and `drip feed` are alike."""
BORDERLESS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f]"
)
"""Thai, Lao, Burmese, Khmer, kana and Chinese characters: words stand there without spaces."""
_HYPHENS = ("-", "‐", "‑")
_BREAK = re.compile(r"\s*[\n\r|\t]\s*|\s{2,}")
_SPOKEN_BY = re.compile(r"^\W{0,4}[\w.' -]{1,40}:\W{0,3}\s+")
"""The name before a line of a chat, as in `Vera: `."""
_CLAUSE = re.compile(r"[^\w\s'’\"“”-]|\n")
"""Pattern of what stands between two words of different clauses."""
LONGEST_PHRASE = 40
"""A phrase of more words is cut to these before the nearest is looked for."""
MOST_TRIED = 2_000
"""Maximum number of different stretches compared letter by letter; those that share most words come first."""


@frozen
class PhraseMatch:
    """A stretch of one said message: its number, who said it, and the words as they stand there.

    `likeness` is in hundredths of a percent; `WHOLE` where the phrase stands there as claimed.
    `times` is how often it stands on the stretch of tape that was searched.
    """

    number: int
    role: str
    text: str
    likeness: int
    times: int = 1


@frozen
class _Words:
    """A message's words, folded, and where each stands in the text."""

    entry: Entry
    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


def fold(text: str) -> str:
    """Return one spelling for texts that differ only in case, quotes, dashes, emphasis and spacing."""
    plain = unicodedata.normalize("NFKC", text).replace("…", "...").translate(_QUOTES)
    folded = plain.casefold()
    # all white space but the plain space counts as unprintable; to split a long text takes most of the time
    if "  " not in folded and folded.isprintable():
        return folded.strip(" ")
    return " ".join(folded.split())


def quotations(text: str) -> list[str]:
    """Return the texts between quotation marks, in order; one with a quotation inside it is whole."""
    found: list[str] = []
    for line in text.split("\n"):
        at = 0
        for start, end in _nested(line):
            found += _unnested(line[at:start])
            found.append(line[start + 1 : end].strip())
            at = end + 1
        found += _unnested(line[at:])
    return found


def _unnested(text: str) -> list[str]:
    return [next(part for part in parts if part).strip() for parts in QUOTED.findall(text)]


def _nested(line: str) -> list[tuple[int, int]]:
    """Return where straight quotation marks that hold others begin and end, if all on the line are paired.

    A mark opens where only a word follows it, and closes where only one precedes it.
    """
    found: list[tuple[int, int]] = []
    opened: list[int] = []
    inside = False
    for mark in re.finditer('"', line):
        at = mark.start()
        if _OPENING.match(line, at) and not (at and line[at - 1].isalnum()):
            inside = bool(opened)
            opened.append(at)
        elif opened and at and not line[at - 1].isspace() and not line[at + 1 : at + 2].isalnum():
            start = opened.pop()
            if not opened and inside:
                found.append((start, at))
                inside = False
        else:
            return []
    return [] if opened else found


_OPENING = re.compile(r'"(?=[^\W_])')


class Tape:
    """The said messages of one stretch, ready to be searched for phrases."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        """Search these entries; those without a number were not said and are passed over."""
        self._messages = [_words(entry) for entry in entries if entry.number is not None]

    def find(self, phrase: str) -> PhraseMatch | None:
        """Return where a phrase occurs, whole words only: said by the user if possible, then the earliest."""
        if BORDERLESS.search(phrase):
            return self._find_plain(phrase)
        wanted = tuple(word for word, _ in _split(phrase))
        if not wanted:
            return self._find_plain(phrase)
        hits = [(message, start) for message in self._messages for start in _starts(message.words, wanted)]
        if not hits:
            return None
        message, start = min(hits, key=lambda hit: (hit[0].entry.message.role != "user", hit[0].entry.number))
        return _found(message, start, len(wanted), WHOLE, len(hits))

    def nearest(self, phrase: str) -> PhraseMatch | None:
        """Return the stretch most like the phrase, of about its length; None where nothing is alike.

        Words said in the place of the phrase's first and last ones belong to it, though they are not alike.
        """
        wanted = tuple(word for word, _ in _split(phrase))[:LONGEST_PHRASE]
        if len(wanted) < 2:
            return None
        best: tuple[_Words, int, int] | None = None
        most = 0.0
        likeness = SequenceMatcher(None, autojunk=False)
        likeness.set_seq2(" ".join(wanted))
        tried: set[str] = set()
        for message, start, length in self._likely(wanted):
            stretch = " ".join(message.words[start : start + length])
            if stretch in tried or len(tried) >= MOST_TRIED:
                continue
            tried.add(stretch)
            likeness.set_seq1(stretch)
            if likeness.real_quick_ratio() <= most or likeness.quick_ratio() <= most:
                continue
            ratio = likeness.ratio()
            if ratio > most:
                most, best = ratio, (message, start, length)
        return _found(*_with_ends(*best, wanted), int(most * WHOLE), 1) if best else None

    def _likely(self, wanted: Sequence[str]) -> list[tuple[_Words, int, int]]:
        """Return the stretches that share most words with the phrase, or one fewer; the best first."""
        shared: dict[int, list[tuple[_Words, int, int]]] = {}
        most = 0
        for message in self._messages:
            for start, length, count in _windows(message.words, wanted):
                if count >= most - 1:
                    most = max(most, count)
                    shared.setdefault(count, []).append((message, start, length))
        return [*shared.get(most, ()), *shared.get(most - 1, ())]

    def _find_plain(self, phrase: str) -> PhraseMatch | None:
        """Return the place of a run of characters, for scripts and signs without word boundaries."""
        bare = _lowered(phrase.strip())
        if not bare:
            return None
        hits: list[PhraseMatch] = []
        for message in self._messages:
            said = message.entry.message
            hits += [
                PhraseMatch(message.entry.number or 0, said.role, said.text[start:end], WHOLE)
                for start, end in _runs(_lowered(said.text), bare)
            ]
        if not hits:
            return None
        first = min(hits, key=lambda hit: (hit.role != "user", hit.number))
        text = max(_BREAK.split(first.text), key=len)
        return PhraseMatch(first.number, first.role, text, WHOLE, len(hits))


def _words(entry: Entry) -> _Words:
    found = list(_split(entry.message.text))
    return _Words(entry, tuple(word for word, _ in found), tuple(span for _, span in found))


def _split(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield each word of a text, folded, with its place; folding may change its length."""
    for found in _WORD.finditer(text.translate(_APOSTROPHES)):
        word = found[0]
        plain = word.lower() if word.isascii() else fold(word)
        yield WITHOUT_MARK.get(plain, plain), found.span()


def _starts(words: Sequence[str], wanted: Sequence[str]) -> Iterator[int]:
    first, size = wanted[0], len(wanted)
    for start in range(len(words) - size + 1):
        if words[start] == first and tuple(words[start : start + size]) == wanted:
            yield start


def _runs(text: str, phrase: str) -> Iterator[tuple[int, int]]:
    """Yield the bounds of each occurrence of a phrase that is not part of a longer word."""
    at = 0
    while (start := text.find(phrase, at)) >= 0:
        end = start + len(phrase)
        if not (_joined(text[start - 1 : start], phrase[0]) or _joined(phrase[-1], text[end : end + 1])):
            yield start, end
        at = start + 1


def _lowered(text: str) -> str:
    """Return the text in lower case if that keeps every character in its place."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text


def _joined(before: str, after: str) -> bool:
    """Return whether two adjacent characters belong to one word."""
    pair = before + after
    return len(pair) == 2 and pair.isalnum() and not BORDERLESS.search(pair)


def _windows(words: Sequence[str], wanted: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield (start, length, words shared) of stretches about the phrase's length that share half of it."""
    distinct = set(wanted)
    keys = {word for word in wanted if len(word) > 3} or distinct
    lengths = range(max(2, len(wanted) - 2), len(wanted) + 3)
    done = 0
    for place in (i for i, word in enumerate(words) if word in keys):
        # each start is examined once, with the shortest phrase that could begin there
        for start in range(max(done, place - lengths[-1] + 1), place + 1):
            for length in lengths:
                if start + length > len(words) or start + length <= place:
                    continue
                shared = len(distinct.intersection(words[start : start + length]))
                if shared >= 2 and shared * 2 >= len(distinct):
                    yield start, length, shared
        done = place + 1


def _with_ends(message: _Words, start: int, length: int, wanted: Sequence[str]) -> tuple[_Words, int, int]:
    """Return a stretch with the words that were said where the phrase begins and ends with others.

    As many are taken as the phrase has, up to where a clause begins or ends.
    """
    end = start + length
    matcher = SequenceMatcher(None, wanted, message.words[start:end], autojunk=False)
    alike = [block for block in matcher.get_matching_blocks() if block.size]
    if not alike:
        return message, start, length
    first, last = alike[0], alike[-1]
    said, spans = message.entry.message.text, message.spans
    # the stretch may have some of them already
    before, behind = first.a - first.b, len(wanted) - last.a - (length - last.b)
    while before > 0 and start and not _CLAUSE.search(said[spans[start - 1][1] : spans[start][0]]):
        start, before = start - 1, before - 1
    while behind > 0 and end < len(spans) and not _CLAUSE.search(said[spans[end - 1][1] : spans[end][0]]):
        end, behind = end + 1, behind - 1
    # a clause is not cut before its one last word: "I'll keep a seat" of "I'll keep a seat dry."
    if end < len(spans) and not _CLAUSE.search(said[spans[end - 1][1] : spans[end][0]]):
        last_one = end + 1 == len(spans) or _CLAUSE.search(said[spans[end][1] : spans[end + 1][0]])
        end += 1 if last_one else 0
    return message, start, end - start


def _found(message: _Words, start: int, length: int, likeness: int, times: int) -> PhraseMatch:
    said = message.entry.message.text
    begin, end = message.spans[start][0], message.spans[start + length - 1][1]
    # a compound word is not split: `that pre` goes on to `that pre-calculated`
    for before in range(start - 1, -1, -1):
        if said[message.spans[before][1] : begin] not in _HYPHENS:
            break
        begin = message.spans[before][0]
    for after in range(start + length, len(message.spans)):
        if said[end : message.spans[after][0]] not in _HYPHENS:
            break
        end = message.spans[after][1]
    begin, end = _with_other_mark(said, begin, end)
    # an index line holds no line break and no bar; the longest stretch between them is still verbatim
    text = max(_BREAK.split(said[begin:end]), key=len)
    return PhraseMatch(message.entry.number or 0, message.entry.message.role, text, likeness, times)


def _with_other_mark(said: str, begin: int, end: int) -> tuple[int, int]:
    """Return the bounds of a stretch, with the mark beside it that pairs the one quotation mark in it."""
    inside = said[begin:end]
    for first, last in ('""', "“”", "«»"):
        opened = inside.count(first) % 2 if first == last else inside.count(first) - inside.count(last)
        if opened > 0 and said[end : end + 1] == last:
            return begin, end + 1
        if opened and said[max(0, begin - 1) : begin] == first:
            return begin - 1, end
    return begin, end


def find_claim(tape: Tape, claim: str) -> PhraseMatch | None:
    """Return the place of a claimed line.

    All of it is looked for, else without quotation marks, else a quotation in it, else without its speaker.
    """
    spoken = unquote(_SPOKEN_BY.sub("", claim, count=1))
    for candidate in (claim, unquote(claim), *quotations(claim), spoken):
        found = tape.find(candidate)
        least = 2 if candidate == spoken else 3
        if found is not None and (
            candidate == claim or len(candidate.split()) >= least or candidate == unquote(claim)
        ):
            return found
    return None

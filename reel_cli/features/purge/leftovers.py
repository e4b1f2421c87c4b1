"""Leftovers of a purge: other spellings of its text, and files in which no text can be searched."""

import os
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from pathlib import Path

from reel_cli.core.git.repository import Repository
from reel_cli.core.git.storage.object_reader import read_all_objects
from reel_cli.core.git.storage.trees import parse_tree
from reel_cli.core.readings import is_sealed, readings
from reel_cli.core.tape.erasure.target import PurgeTarget, is_too_short
from reel_cli.features.purge.scan import walk_files

FEWEST_DIGITS = 6
"""Digits below which a number is a year or a count, and occurs everywhere."""
FEWEST_LETTERS = 6
"""Letters below which another spelling counts only at a word's beginning: *Ina* is in *final*."""
MOST_PARTS = 4
"""Words above which a text is no name."""
_NUMBER = re.compile(r"[+(]?[0-9A-Za-z][0-9A-Za-z\s().\-/\u00a0\u2010-\u2015]*")
_BETWEEN = r"[\s().\-/\u00a0\u2010-\u2015]{0,3}"
_BARE = re.compile(r"[0-9A-Za-z]")
_WORD = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\ud7ff\uf900-\ufaff]+")
_LETTERS_BEFORE = re.compile(rf"{_LETTERS.pattern}$")
_LONGEST = 40
"""Letters of a longer word that are looked at before the text."""
_UNSEEN = re.compile(r"[\u0300-\u036f\u00ad\u200b-\u200f\u2060\ufeff]")
"""Accents that stand apart, and characters that nobody sees."""


@dataclass(frozen=True, slots=True)
class OtherSpelling:
    """Another spelling of the text; `places` are the kit's files that have it, none if only history has."""

    form: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NamePart:
    """A word of the text that also stands alone, as a first name does: on how many lines of the kit's files.

    0 for none: only history has it.
    """

    word: str
    lines: int


@dataclass(frozen=True, slots=True)
class Leftovers:
    """The other spellings, the kit's files that could not be searched, and how many older ones there are."""

    spellings: Sequence[OtherSpelling] = ()
    parts: Sequence[NamePart] = ()
    sealed: Sequence[str] = ()
    older: int = 0

    @property
    def forms(self) -> Sequence[str]:
        """Return the spellings themselves."""
        return [one.form for one in self.spellings]


def find_leftovers(
    repo: Repository, kit: Path, wanted: PurgeTarget | None, names: Sequence[str] = ()
) -> Leftovers:
    """Look through all files and objects for other spellings of a text (None: for none) and sealed files.

    So it does for the parts of a name, but not for those of `names`. Raises StateError where history is
    damaged.
    """
    look = _finder(wanted)
    parts = {
        word: _whole_word(word) for word in _name_parts(wanted, names) or _first_names(kit, wanted, names)
    }
    lines = dict.fromkeys(parts, 0)
    past: set[str] = set()
    places: dict[str, list[str]] = {}
    sealed: list[str] = []
    ids: set[str] = set()
    for path, data in walk_files(kit):
        if path.startswith((".git/", ".reel/")):
            continue
        if data is None or is_sealed(data):
            sealed.append(path)
            ids.add(repo.blob_id(data or b""))
        for text in _without(data or b"", wanted) if parts else ():
            for word, pattern in parts.items():
                lines[word] += sum(pattern.search(line) is not None for line in text.splitlines())
        for form in dict.fromkeys([*look(path), *_look_into(data or b"", look)]):
            places.setdefault(form, []).append(path)
    older = 0
    for name, kind, data in read_all_objects(repo.root):
        if kind == "tree":
            entries = map(os.fsdecode, parse_tree(data, sha256=repo.sha256))
            forms = {form for one in entries for form in look(one)}
        else:
            forms = set(_look_into(data, look))
            unseen = [
                word for word in parts if word not in past and not lines[word] and word.encode() in data
            ]
            for text in _without(data, wanted) if unseen else ():
                past.update(word for word in unseen if parts[word].search(text))
            older += kind == "blob" and name not in ids and is_sealed(data)
        for form in forms:
            places.setdefault(form, [])
    spellings = [OtherSpelling(form, tuple(places[form])) for form in sorted(places)]
    standing = [NamePart(word, lines[word]) for word in parts if lines[word] or word in past]
    return Leftovers(spellings, standing, sealed, older)


def _name_parts(wanted: PurgeTarget | None, names: Sequence[str]) -> Sequence[str]:
    """Return the words of a text that may be names by themselves, if it begins and ends like a name."""
    words = wanted.texts[0].split() if wanted is not None else []
    if not 2 <= len(words) <= MOST_PARTS or not (words[0][:1].isupper() and words[-1][:1].isupper()):
        return ()
    words = [word for word in words if word[:1].isupper()]
    own = {word.casefold() for name in names for word in name.split()}
    return [word for word in dict.fromkeys(words) if not (word.casefold() in own or is_too_short(word))]


def _first_names(kit: Path, wanted: PurgeTarget | None, names: Sequence[str]) -> Sequence[str]:
    """Return the words that stand before a text of one word in the kit's files as first names do."""
    word = wanted.texts[0] if wanted is not None and len(wanted.texts) == 1 else ""
    if not word[:1].isupper() or not _WORD.fullmatch(word):
        return ()
    own = {one.casefold() for name in names for one in name.split()}
    before = re.compile(rf"(?<!\w)([^\W\d_]+) {re.escape(word)}(?!\w)")
    texts = [
        next(readings(data)).text
        for path, data in walk_files(kit)
        if data is not None and not path.startswith((".git/", ".reel/")) and not is_sealed(data)
    ]
    found = dict.fromkeys(one for text in texts for one in before.findall(text) if one[:1].isupper())
    # a word that only begins a sentence stands somewhere without its capital
    return [
        one
        for one in found
        if one.casefold() not in own
        and not is_too_short(one)
        and not any(_whole_word(one.casefold()).search(text) for text in texts)
    ][:2]


def _whole_word(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")


def _without(data: bytes, wanted: PurgeTarget | None) -> Iterator[str]:
    """Yield a file's text, as it is first read, without the whole of what is purged."""
    if wanted is not None and not is_sealed(data):
        yield wanted.replace(next(readings(data)).text)[0]


def longer_words(wanted: PurgeTarget, text: str) -> list[str]:
    """Return the words of a text of which a purged text is only a part; scripts without spaces have none."""
    found = []
    for start, end in wanted.spans(text):
        before, behind = _LETTERS_BEFORE.search(text[:start][-_LONGEST:]), _LETTERS.match(text, end)
        word = (before[0] if before else "") + text[start:end] + (behind[0] if behind else "")
        if len(word) > end - start:
            found.append(" ".join(word.split()))
    return found


def _look_into(data: bytes, look: Callable[[str], Iterator[str]]) -> Iterator[str]:
    for one in readings(data):
        yield from look(one.text)


def _finder(wanted: PurgeTarget | None) -> Callable[[str], Iterator[str]]:
    """Return a function that yields the other spellings of a target's texts in a text.

    They may differ in case, in accents, and in what stands between words or between a number's signs.
    """
    if wanted is None:
        return lambda _: iter(())
    any_case = PurgeTarget(wanted.texts, any_case=True)
    text = wanted.texts[0]
    pattern = _number(text) or _words(text)
    is_long = sum(char.isalnum() for char in text) >= FEWEST_LETTERS

    def look(hay: str) -> Iterator[str]:
        spans = [s for s in any_case.spans(hay) if is_long or not hay[max(0, s[0] - 1) : s[0]].isalnum()]
        spans += _folded_spans(pattern, hay) if pattern is not None else ()
        for form in dict.fromkeys(" ".join(hay[start:end].split()) for start, end in spans):
            # in a hash or an object's id, letters and digits spell nothing
            if not wanted.stands_in(form) and PurgeTarget((form,)).stands_in(hay):
                yield form

    return look


def _number(text: str) -> re.Pattern[str] | None:
    signs = _BARE.findall(text)
    if not _NUMBER.fullmatch(text) or sum(sign.isdigit() for sign in signs) < FEWEST_DIGITS:
        return None
    signs = [sign.casefold() for sign in signs]
    return re.compile(rf"(?<![0-9A-Za-z])[+(]?{_BETWEEN.join(signs)}(?![0-9A-Za-z])")


def _words(text: str) -> re.Pattern[str] | None:
    words = _WORD.findall(_fold(text))
    if not words:
        return None
    begins = "" if sum(map(len, words)) >= FEWEST_LETTERS else r"(?<![^\W_])"
    pattern = begins + r"[\W_]{1,3}".join(words)
    if len(words) > 1:
        pattern += rf"|(?<![^\W_]){''.join(words)}(?![^\W_])"
    return re.compile(pattern)


def _fold(text: str) -> str:
    """Return a text without case, accents and unseen characters."""
    return text.lower() if text.isascii() else _UNSEEN.sub("", unicodedata.normalize("NFKD", text.casefold()))


_fold_char = lru_cache(maxsize=4096)(_fold)


def _folded_spans(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of a text in whose folded form a pattern matches."""
    found = [match.span() for match in pattern.finditer(_fold(text))]
    if not found:
        return
    if text.isascii():
        yield from found
        return
    at: dict[int, int] = {}
    for place, reached in enumerate(accumulate((len(_fold_char(char)) for char in text), initial=0)):
        at.setdefault(reached, place)
    for start, end in found:
        if start in at and end in at:
            yield at[start], at[end]

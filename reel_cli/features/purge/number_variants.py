"""A number that is to be purged, where it is written with other spaces or dashes: found, and left alone."""

import re
from collections.abc import Iterable, Sequence

from reel_cli.core.git.repository import Repository
from reel_cli.core.git.storage.object_reader import read_all_objects
from reel_cli.core.tape.erasure.target import PurgeTarget

FEWEST_DIGITS = 6
"""Digits below which a number is a year or a count, and occurs everywhere."""
_NUMBER = re.compile(r"[+(]?[0-9A-Za-z][0-9A-Za-z\s().\-/\u00a0\u2010-\u2015]*")
_BETWEEN = r"[\s().\-/\u00a0\u2010-\u2015]{0,3}"
_BARE = re.compile(r"[0-9A-Za-z]")


def find_otherwise(repo: Repository, files: Iterable[str], wanted: PurgeTarget) -> Sequence[str]:
    """Return other spellings of a number in a kit or its history; none for other text.

    `files` are texts of the kit as they lie there. The signs and their order are the same, and what stands
    between them differs. Raises StateError where history is damaged.
    """
    pattern = _pattern(wanted.texts[0]) if len(wanted.texts) == 1 else None
    if pattern is None:
        return ()
    found: set[str] = set()
    for text in files:
        found.update(pattern.findall(text))
    for _, kind, data in read_all_objects(repo.root):
        if kind != "tree":
            found.update(pattern.findall(data.decode("utf-8", "replace")))
    forms = {" ".join(form.split()) for form in found}
    return sorted(form for form in forms if not wanted.stands_in(form))


def _pattern(text: str) -> re.Pattern[str] | None:
    signs = _BARE.findall(text)
    if not _NUMBER.fullmatch(text) or sum(sign.isdigit() for sign in signs) < FEWEST_DIGITS:
        return None
    return re.compile(rf"(?<![0-9A-Za-z])[+(]?{_BETWEEN.join(signs)}(?![0-9A-Za-z])")

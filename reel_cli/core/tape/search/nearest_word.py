"""The word of the tape that a word which stands nowhere on it was meant to be: one letter is another."""

import sqlite3
from collections.abc import Iterator

from reel_cli.core.frozen import late

SHORTEST = 4
"""Letters of a word from which one letter may be wrong; of fewer, too many words are alike."""
_MOST_STEMS, _MOST_TURNS = 8, 20
"""Stems of the index, the commonest first, and turns of each, in which the word is looked for."""
_LATIN = "abcdefghijklmnopqrstuvwxyzßæøđðłþœı"
"""Letters that words begin with in the index, which has none with an accent."""
_WORD = late(r"[^\W\d_]+")


def nearest_said(file: sqlite3.Connection, word: str) -> str | None:
    """Return the word of the indexed turns that is a letter away from `word`; None where none is.

    None also where `word` itself stands in a turn or a note.
    The index keeps stems (`letter` of `letters`), so that the word itself is read from a turn.
    """
    if len(word) < SHORTEST or not word.isalpha():
        return None
    for table in ("turns", "note_texts"):
        query = f"SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT 1"  # noqa: S608
        if file.execute(query, (f'"{word}"',)).fetchone():
            return None
    file.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.stems USING fts5vocab('main', 'turns', 'row')")
    file.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.typed USING fts5(body, tokenize = 'porter unicode61')"
    )
    file.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.typed_stems USING fts5vocab('temp', 'typed', 'row')"
    )
    file.execute("DELETE FROM temp.typed")
    file.execute("INSERT INTO temp.typed (body) VALUES (?)", (word,))
    stem = next((one for (one,) in file.execute("SELECT term FROM temp.typed_stems")), word)
    near = [(-turns, term) for term, turns in _like(file, stem) if is_letter_away(stem, term) or stem == term]
    for _, term in sorted(near)[:_MOST_STEMS]:
        query = "SELECT body FROM turns WHERE turns MATCH ? LIMIT ?"
        for (body,) in file.execute(query, (f'body : "{term}"', _MOST_TURNS)):
            found = next((one for one in _WORD.findall(body) if _may_be(word, one.casefold())), None)
            if found is not None:
                return str(found)
    return None


def _may_be(word: str, said: str) -> bool:
    """Return whether a word may be a slip of one that was said."""
    # the first letter of a short word is seldom wrong: "pail" is no "rail"
    return is_letter_away(word, said) and (len(word) > SHORTEST or word[0] == said[0])


def _like(file: sqlite3.Connection, stem: str) -> Iterator[tuple[str, int]]:
    """Yield the stems that may be a letter from one, each with its number of turns.

    Counting the turns of every stem of the index takes long, so only those are read that begin alike, and
    those that another beginning makes: a letter of Latin script, or of the first one's, before the rest.
    """
    first = stem[0]
    yield from file.execute(
        "SELECT term, doc FROM temp.stems WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?",
        (first, chr(ord(first) + 1), len(stem) - 1, len(stem) + 1),
    )
    block = ord(first) & ~0x7F
    beside = map(chr, range(block, block + 0x80))
    letters = (
        {*_LATIN} if first in _LATIN else {one for one in beside if one.isalpha() and one == one.lower()}
    )
    swapped = stem[1:2] + first + stem[2:]
    begun = {letter + rest for letter in letters - {first} for rest in (stem, stem[1:])}
    for term in sorted(one for one in {*begun, stem[1:], swapped} if not one.startswith(first)):
        yield from file.execute("SELECT term, doc FROM temp.stems WHERE term = ?", (term,))


def is_letter_away(one: str, other: str) -> bool:
    """Return whether a letter changed, added, left out, or two changed places make one word the other."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    same = next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(min(one, other, key=len))
    )
    left, right = one[same:], other[same:]
    return (
        left[1:] == right[1:]
        or left[1:] == right
        or left == right[1:]
        or (left[:2] == right[1::-1] and left[2:] == right[2:])
    )

"""Other names that somebody goes by: `my sister Jana`, `Jana, my sister`, `we call her Bee`, `Dr. Okafor`.

A question's word is looked for by its other name, too. Both are read, without a model, from the turns, pages
and facts in which the word stands, and only where there is one such person or thing: with two sisters,
`sister` is nobody's name. Kin and roles in English and German; names that something is said to have (`ma sœur
s'appelle Jana`) also in some other languages.
"""

import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from reel_cli.core.cache_file import PATIENCE, is_damage
from reel_cli.core.frozen import frozen
from reel_cli.core.tape.search.forms import ASKING, STOP, rarity
from reel_cli.core.tape.search.query import Term, words

_KIN = """
mother mum mom mam mama mammy mummy mommy mutter mutti; father dad daddy papa vater vati; sister sis
schwester; brother bro bruder; son sohn; daughter tochter; wife ehefrau; husband hubby ehemann; partner
partnerin; boyfriend; girlfriend; aunt auntie aunty tante; uncle onkel; cousin cousine; niece nichte; nephew
neffe; grandmother grandma granny nan nana oma großmutter; grandfather grandpa granddad grandad opa
großvater; flatmate roommate housemate mitbewohner mitbewohnerin; boss chef chefin; landlord landlady
vermieter vermieterin; neighbour neighbor nachbar nachbarin; dog hund; cat katze kater; horse pferd; doctor
dr doktor arzt ärztin; dentist zahnarzt zahnärztin; teacher lehrer lehrerin; therapist therapeut
therapeutin; vet tierarzt tierärztin
"""
_GROUP = {word: tuple(group.split()) for group in _KIN.split(";") for word in group.split()}
_MOST_KIN, _MOST_NAMED = 400, 60
"""Texts read for a word of kin, which must have one name in all of them, and for any other word."""
_MOST_READ = 4_000
"""Characters read of a text: a turn may be a whole chapter, which says no sooner who somebody is."""
_MOST_ASKED = 16
"""Words of a question, the first ones, for which another name is looked for."""
_AROUND = 120
"""Characters before and after a word, among which another name for it stands."""
_RARE = 0.4
"""How rare a word must be in any text to be looked at as a name."""
_NAME = r"(?-i:(?!(?:Mrs|Mr|Ms|Dr)\b)[A-ZÀ-ÖØ-Þ][\w-]*\w)(?!['’](?:ll|d|ve|m|re|t)\b)"
_OWN = (
    r"(?:my|our|your|his|her|their|meine?[rmn]?|unsere?[rmn]?|deine?[rmn]?|seine?[rmn]?|ihre?[rmn]?"
    rf"|{_NAME}['’]s)"
)
_TITLES = "aunt|auntie|aunty|uncle|tante|onkel|oma|opa|granny|grandma|grandpa|dr|doctor|doktor"
_BEFORE = rf"\b{_OWN} (?:\w+ )?|(?<!\w)(?=(?:{_TITLES})\b)"
_CALLED = r"(?:heißt|heisst|s['’]appelle|se llama|si chiama|heet|heter|hedder)"
_SAYS = rf"call|named|short for|{_CALLED}"
"""Pattern of a word that each text has which says how something is called."""
_NOT_NAMES = """
monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
september october november december christmas easter montag dienstag mittwoch donnerstag freitag samstag
sonntag english german god lord well yes yeah okay thanks today tomorrow yesterday
"""
_NO_NAME = frozenset(_NOT_NAMES.split())


def add_aliases(file: sqlite3.Connection, terms: Sequence[Term], people: Collection[str]) -> list[Term]:
    """Return the terms, each with what else stands for it; `people` are the words of the speakers' names.

    What was found for a word is kept in the index until a text of it changes.
    """
    asked = [term.word for term in terms if not term.kind][:_MOST_ASKED]
    speakers = " ".join(sorted(people))
    version = file.execute("PRAGMA data_version").fetchone()
    kept = {
        word: tuple(others.split())
        for word in asked
        for (others,) in file.execute(
            "SELECT others FROM aliases WHERE word = ? AND people = ?", (word, speakers)
        )
    }
    aliases = _Aliases(file, frozenset(people))
    fresh = {word: aliases.of(word) for word in asked if word not in kept}
    if fresh:
        # a word that no text has is not kept: it may have been purged
        rows = [
            (word, speakers, " ".join(others))
            for word, others in fresh.items()
            if others or rarity(word) < _RARE or _stands(file, word)
        ]
        _keep(file, rows, version)
    others = kept | fresh
    return [replace(term, forms=term.forms + others.get(term.word, ())) for term in terms]


def _stands(file: sqlite3.Connection, word: str) -> bool:
    found = (
        file.execute(f"SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT 1", (f'body : ("{word}")',))  # noqa: S608
        for table in ("turns", "note_texts")
    )
    return any(one.fetchone() is not None for one in found)


def _keep(file: sqlite3.Connection, rows: Sequence[tuple[str, str, str]], version: tuple[int]) -> None:
    """Keep aliases, unless another process writes now or wrote since `version`; nobody waits for it."""
    file.execute("PRAGMA busy_timeout = 0")
    try:
        file.execute("BEGIN IMMEDIATE")
        if file.execute("PRAGMA data_version").fetchone() == version:
            file.executemany("REPLACE INTO aliases VALUES (?, ?, ?)", rows)
        file.execute("COMMIT")
    except sqlite3.Error as error:
        if file.in_transaction:
            file.execute("ROLLBACK")
        if is_damage(error):
            raise
    finally:
        file.execute(f"PRAGMA busy_timeout = {int(PATIENCE * 1000)}")


@frozen
class _Aliases:
    """The texts of an index, asked for what else a word stands for."""

    file: sqlite3.Connection
    people: frozenset[str]

    def of(self, word: str) -> tuple[str, ...]:
        """Return what else stands for a word; nothing where that is not sure."""
        if group := _GROUP.get(word):
            name = self._name_of(group)
            return (*group, name) if name else group
        if word in STOP or word in ASKING or not word.isalpha():
            return ()
        called = self._called(word)
        if rarity(word) < _RARE:
            return called
        kin = self._kin_of(word)
        return (*called, *(other for group in kin if self._name_of(group) == word for other in group))

    def _name_of(self, group: Sequence[str]) -> str:
        """Return the name of the only one whom words of kin stand for; "" for none or several."""
        kin = "|".join(group)
        patterns = (
            rf"(?:{_BEFORE})(?:{kin})(?:,|(?<=\bdr)\.)? (?P<name>{_NAME})",
            # nobody's name: `Dad is Irish`
            rf"\b(?:{kin})(?:['’]s name (?:is|was|ist)|(?: is| was|['’]s) (?:call|nam)ed) (?P<name>{_NAME})",
            rf"^(?:{kin}): (?P<name>{_NAME})\b(?!['’]s)",
            rf"\b(?:{kin}) {_CALLED} (?P<name>{_NAME})",
            rf"\b(?P<name>{_NAME})(?:,| is| was|['’]s| ist) {_OWN} (?:\w+ )?(?:{kin})\b(?!['’]s)",
        )
        told = rf": |['’]s name |(?: is| was|['’]s) (?:call|nam)ed| {_CALLED}"
        clues = (
            rf"\b(?:{kin})(?:[,.]? (?-i:[A-ZÀ-ÖØ-Þ])|{told})",
            rf"(?:,| is| was|['’]s| ist) \S+ (?:\w+ )?(?:{kin})\b",
        )
        query = " OR ".join(f'"{word}"' for word in group)
        return self._only_name(clues, patterns, self._stretches(group, query, _MOST_KIN))

    def _called(self, word: str) -> tuple[str, ...]:
        """Return the name that something is called by, or the one a name is short for; none if unsure."""
        query = f'"{word}" AND ("called" OR "named" OR "call" OR "calls" OR "short" OR "heißt" OR "appelle")'
        patterns = (
            rf"\b{_OWN} {word}(?: is|['’]s| was) (?:called|named) (?P<name>{_NAME})",
            rf"\b{word} {_CALLED} (?P<name>{_NAME})",
            rf"\b(?-i:{word.title()})\b[^.!?\n]{{0,60}}?\bcalls? (?:her|him|it) (?P<name>{_NAME})",
            rf"\b(?P<name>{_NAME})\b[^.!?\n]{{0,60}}?\bcalls? (?:her|him|it) (?-i:{word.title()})\b",
            rf"\b(?-i:{word.title()}),? (?:is )?short for (?P<name>{_NAME})",
            rf"\b(?P<name>{_NAME}),? (?:is )?short for (?-i:{word.title()})\b",
        )
        found = self._only_name([_SAYS], patterns, self._stretches([word], query, _MOST_NAMED), word)
        return (found,) if found else ()

    def _kin_of(self, name: str) -> list[tuple[str, ...]]:
        """Return the groups of words of kin that stand beside a name, or two words behind it."""
        beside: dict[str, None] = {}
        for text in self._stretches([name], f'"{name}"', _MOST_NAMED):
            said = words(text)
            for at in (at for at, word in enumerate(said) if word == name):
                beside.update(dict.fromkeys((*said[max(0, at - 2) : at], *said[at + 1 : at + 5])))
        return list(dict.fromkeys(_GROUP[word] for word in beside if word in _GROUP))

    def _only_name(
        self, clues: Sequence[str], patterns: Sequence[str], texts: Iterable[str], word: str = ""
    ) -> str:
        """Return the one name beside `word` that patterns find, in lower case; "" for none or several.

        Nobody who talks counts. Each text in which a pattern is found has one of the `clues`, which are
        looked for first because the patterns begin at every capital and take ten times as long.
        """
        hints = [re.compile(f"(?i){clue}") for clue in clues]
        either: Sequence[re.Pattern[str]] = ()
        only = ""
        for text in texts:
            if not any(hint.search(text) for hint in hints):
                continue
            either = either or [re.compile(f"(?im){pattern}") for pattern in patterns]
            for found in (found for pattern in either for found in pattern.finditer(text)):
                name = found["name"].lower().removesuffix("'s").removesuffix("’s")
                if name in STOP or name in _NO_NAME or name in _GROUP or name in self.people:
                    continue
                if name not in {word, only} and only:
                    return ""
                only = name if name != word else only
        return only

    def _stretches(self, about: Sequence[str], query: str, most: int) -> Iterator[str]:
        """Yield the stretches around words in the turns and sentences of notes that a query finds.

        So many of each are read, and of each only its beginning.
        """
        either = re.compile(rf"(?i)\b(?:{'|'.join(about)})\b")
        for table in ("turns", "note_texts"):
            for (body,) in self.file.execute(
                f"SELECT substr(body, 1, {_MOST_READ}) FROM {table} WHERE {table} MATCH ? LIMIT ?",  # noqa: S608
                (f"body : ({query})", most),
            ):
                yield from _around(body, either)


def _around(text: str, either: re.Pattern[str]) -> Iterator[str]:
    """Yield the stretches of a text in which a pattern is found; those that overlap are one."""
    start = end = 0
    for found in either.finditer(text):
        if end and found.start() - _AROUND > end:
            yield text[start:end]
            end = 0
        start = start if end else max(0, found.start() - _AROUND)
        end = found.end() + _AROUND
    if end:
        yield text[start:end]

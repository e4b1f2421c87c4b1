"""A question taken apart: the words to look for, their kinds, who is named, and whether it looks back."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reel_cli.model.search import Question
from reel_cli.tape.search.kinds import STOP, same, things
from reel_cli.tape.search.words import clean, pairs, words

MOST_TERMS = 48
"""Words looked for; of a longer question those that stand in the fewest turns."""
MOST_WORDS = 400
"""Different words of a question that are looked at; what comes after them is not."""

KIND_WEIGHT = 0.5
"""What a word that only goes with the kind of thing asked for is worth beside one that was asked for."""

_SELF = frozenset(("i", "my", "me", "mine", "we", "our", "us", "you", "your"))
_PAST = frozenset(("did", "was", "were", "had", "ago", "ever", "when"))
_WORD = re.compile(r"[^\W_]+")
_TALK = 8
"""Words from which on something typed is talk, and not a few words to search for."""


@dataclass(frozen=True, slots=True)
class Term:
    """Something to look for: any of `forms` in a turn counts as `word`, at `weight`.

    `kind` marks what was not asked for itself, and only makes a turn likelier; `proper` a name or a number.
    """

    word: str
    forms: tuple[str, ...]
    weight: float = 1.0
    kind: bool = False
    proper: bool = False

    @property
    def match(self) -> str:
        """The FTS5 query; every form is quoted, so nothing in it is syntax."""
        return " OR ".join(f'"{form}"' for form in self.forms)


@dataclass(frozen=True, slots=True)
class Sought:
    """A question as the index is asked.

    `named` are the roles, and the names in lower case, of those the question calls by name; `onward` says
    that it is talk that goes on, not a question about what was.
    """

    terms: Sequence[Term]
    named: frozenset[str]
    onward: bool
    plain: str


def parse_question(question: Question, people: Mapping[str, frozenset[str]]) -> Sought:
    """Take a question apart; `people` are the words of the speakers' names with what each stands for."""
    text = clean(question.text[:200_000])
    said = words(text)
    plain = " ".join([*said, *pairs(text)])
    distinct = list(dict.fromkeys(said))[:MOST_WORDS]
    named = frozenset(who for word in distinct for who in people.get(word, ()))
    asked = [word for word in distinct if word not in STOP and word not in people]
    asked = asked or [word for word in distinct if word not in STOP] or distinct
    proper = _proper(text)
    terms = [Term(word, same(word), proper=word in proper) for word in asked]
    terms += [Term(pair, (pair,)) for pair in list(dict.fromkeys(pairs(text)))[:MOST_WORDS]]
    for word in asked[:MOST_TERMS]:
        if kin := things(word):
            terms.append(Term(f"~{word}", tuple(dict.fromkeys((*kin, word))), KIND_WEIGHT, kind=True))
    onward = not named and _goes_on(said)
    # whoever talks on speaks of what he said himself
    return Sought(terms, frozenset({"user"}) if onward else named, onward, f" {plain} ")


def name_words(names: Sequence[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """The words by which speakers may be called, of `(role, name)` pairs, each with whom it stands for."""
    found: dict[str, set[tuple[str, str]]] = {}
    for role, name in names:
        for word in words(name):
            if len(word) > 1 and word not in STOP:
                found.setdefault(word, set()).add((role, name.lower()))
    known: dict[str, frozenset[str]] = {}
    for word, whose in found.items():
        roles = {role for role, _ in whose}
        # several of one role (a group chat) are told apart by name
        many = len({name for r, name in names if r in roles}) > 1
        known[word] = frozenset(n for _, n in whose) if many else frozenset(roles)
    return known


def _goes_on(said: Sequence[str]) -> bool:
    """Whether words are talk that goes on: more than a few, and not one question that looks back."""
    if len(said) < _TALK:
        return not _SELF.isdisjoint(said) and _PAST.isdisjoint(said)
    return len(said) > 2 * _TALK or _PAST.isdisjoint(said)


def _proper(text: str) -> frozenset[str]:
    """The words of names and numbers: with a digit, or a capital that no sentence's start explains."""
    found = set()
    for word in _WORD.finditer(text):
        before = text[max(0, word.start() - 3) : word.start()].rstrip(" \"'‘’“(")
        starts = not before or before[-1] in ".?!:\n"
        if (word[0][0].isupper() and not starts) or not word[0].isalpha():
            found.add(word[0].lower())
    return frozenset(found)

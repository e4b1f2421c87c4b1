"""Policy of collecting: which files of the shelf are put away, in which order, and why (MEMORY-MGMT §8).

It is given what is known of each file, and says which are to go. What must
be kept never comes this far.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from reel_cli.core.frozen import late
from reel_cli.core.values.fullness import FULL_AT
from reel_cli.core.values.settings import WHOLE
from reel_cli.features.shelf.advice.advice import ARCHIVE, COMPRESS, LEAVE, SUMMARIZE
from reel_cli.features.shelf.shelf_file import ShelfFile

DONE = {LEAVE: "evicted", SUMMARIZE: "summarized", ARCHIVE: "archived", COMPRESS: "compressed"}
"""Names of a file that was let go, by the action, in a report."""
FAILED_TAGS = frozenset(
    {
        *("failed", "failure", "attempt", "failed-attempt", "dead-end", "abandoned", "gescheitert"),
        *("fehlschlag", "fehlversuch", "sackgasse", "échec", "impasse", "fracaso", "fallido", "fracasso"),
        *("falha", "fallimento", "fallito", "неудача", "провал", "тупик", "失敗", "失败", "실패"),
    }
)
_FAILED = late(
    r"\b(?:fail(?:s|ed|ure|ing)?|dead[ -]end|abandoned|gave up|given up|attempt|"
    r"(?:did|does)(?: not|n['’]t) work|never worked"
    r"|fehl(?:schlag|schläge|versuche?|geschlagen)|gescheitert\w*|scheiterte|misslungen\w*"
    r"|sackgasse|aufgegeben"
    r"|(?:hat|ging|geht|funktioniert\w*) nicht(?: (?:funktioniert|geklappt))?|échecs?|échoué\w*"
    r"|impasse|abandonné\w*|ne (?:marche|fonctionne) pas|n'a pas (?:marché|fonctionné)"
    r"|fracas[oóa]\w*|fallid[oa]s?|falló|callejón sin salida|abandonad[oa]s?|no funcion[óa]"
    r"|fracasso\w*|fracassou|falh(?:a|as|ou|ado)|beco sem saída|não funcion(?:a|ou)"
    r"|falliment[oi]|fallit[oaie]|vicolo cieco|abbandonat[oaie]|non (?:ha funzionato|funziona)"
    r"|неудач\w*|неудавш\w*|провал\w*|тупик\w*|не (?:сработал\w*|вышло)|заброшен\w*)\b"
    r"|失敗|うまくいか|行き詰|失败|行不通|死路|放弃|실패",
    re.IGNORECASE,
)

_SUPERSEDED = late(
    r"\b(?:superseded|replaced|outdated|obsolete|newer|later version|older|old)\b", re.IGNORECASE
)

_REPLACED_BY = late(r"\b(?:superseded|replaced) by\s+", re.IGNORECASE)
_UNSURE = late(
    r"\b(?:not|never|no|nor|neither|none|nothing|cannot|hardly|without|unless|until|if|when|once|whether|"
    r"will|would|could|should|may|might|must|can|to be|maybe|perhaps|false|wrongly)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words by which a sentence does not plainly say that something was replaced."""
_SENTENCE_END = late(r"(?<=[.!;])\s+|\n+")
_NAME_END = late(r"(?:[\"'`*_)\]}>”’»]*[.,;:!]*)(?:\s|$)")
"""Text after a file's name: not more of a longer name, and no question."""

_NUMBER = late(r"\d+")


class Trigger(StrEnum):
    """Triggers of a collection, as its report names them."""

    BUDGET = "budget_pressure"
    SESSION = "session_end"
    ADVICE = "advice"
    EXPLICIT = "explicit"


class Row(NamedTuple):
    """One file that is at hand, as collecting asks for it.

    `since`: sessions since it was last used, None for never; `hotness` of `WHOLE`; `tokens` of its text as a
    bundle would have it, 0 for what is no text; `loads` whether it is hot enough for a bundle.
    """

    path: str
    tokens: int = 0
    since: int | None = None
    hotness: int = 0
    listed: bool = False
    """True if hot.yml keeps it at hand."""
    pinned: bool = False
    loads: bool = False
    turns: int = 0
    """Turns since it was last used, counted where the kit's rules ask for it."""
    waits: bool = False
    """True if it would be let go once there is a summary of it."""

    @property
    def stays(self) -> bool:
        """Return whether want of room alone does not put it away."""
        return self.pinned or self.listed or self.waits or self.since == 0


class Mark(NamedTuple):
    """One file that is to go: what is done with it (an action of the advice), and why.

    `left` are the tokens of the summary that comes to hand in its place.
    """

    path: str
    action: str
    why: str
    tokens: int = 0
    trigger: Trigger = Trigger.EXPLICIT
    left: int = 0


class WaitingFile(NamedTuple):
    """One file that would go and cannot yet, and what it waits for."""

    path: str
    action: str
    why: str


@dataclass(frozen=True, slots=True)
class Room:
    """The room for what is at hand, in tokens, and how much of it is taken."""

    most: int
    taken: int

    @property
    def full(self) -> bool:
        """Return whether what is at hand takes more than it may."""
        return self.taken > self.most


def room_for(share: int, cap: int) -> int:
    """Return how many tokens may be at hand before something has to be put away."""
    return cap * share // WHOLE * FULL_AT // WHOLE


def idle(rows: Iterable[Row], sessions: int, turns: int = 0) -> Iterator[Mark]:
    """Yield the files not used for so many sessions or turns, coldest first; 0 does not count."""
    for row in sorted(rows, key=_coldest) if sessions or turns else ():
        if row.since is None or row.listed or row.waits:
            continue
        if sessions and row.since >= sessions:
            why = f"not used for {row.since:,} chat{'' if row.since == 1 else 's'}"
        elif turns and row.turns >= turns:
            why = f"not used for {row.turns:,} turns"
        else:
            continue
        yield Mark(row.path, LEAVE, why, row.tokens)


def press(rows: Sequence[Row], most: int, gone: frozenset[str] = frozenset()) -> Iterator[Mark]:
    """Yield the files to drop so that at most `most` tokens stay at hand, coldest first.

    What waits for a summary, what hot.yml keeps, and what was used since the newest session do not go at all.
    `gone` are those that go in any case. A file for which there never is room goes before all else, or is
    left out of account where it may not go: what is beside it would go for nothing. Where that is not enough,
    what may go goes.
    """
    loaded = [row for row in rows if row.loads and row.tokens and row.path not in gone]
    stay = {row.path for row in loaded if row.tokens > most and row.stays}
    taken = taken_by(row for row in loaded if row.path not in stay)
    if taken <= most:
        return
    for row in sorted(loaded, key=lambda row: (row.tokens <= most, *_coldest(row))):
        if taken <= most:
            return
        if row.stays:
            continue
        taken -= row.tokens
        yield Mark(row.path, LEAVE, "the coldest, and there is no room", row.tokens, Trigger.BUDGET)


def taken_by(rows: Iterable[Row]) -> int:
    """Return how many tokens of what is at hand would go into a bundle if there were room."""
    return sum(row.tokens for row in rows if row.loads)


def _coldest(row: Row) -> tuple[int, int, str]:
    """Return a sort key: coldest first, then largest."""
    return row.hotness, -row.tokens, row.path


def is_failed(file: ShelfFile, why: str) -> bool:
    """Return whether a file was a failed attempt, by its tags or by what is said of it."""
    return any(tag.casefold() in FAILED_TAGS for tag in file.tags) or bool(_FAILED.search(why))


def find_successor(file: ShelfFile, why: str, at_hand: Callable[[], Sequence[str]]) -> str:
    """Return the kit path of the file that took another's place; "" for none.

    It is named in what is said of the file, or has the same name with the highest number, where it is said
    that there is a newer one. `at_hand` gives the paths of what is there.
    """
    if not _SUPERSEDED.search(why):
        return ""
    others = [path for path in at_hand() if path != file.path]
    said = {word.strip("\"'`*_()[]{}<>.,;:!?").casefold() for word in why.split()}
    named = [path for path in others if said & _names(path)]
    same = [path for path in named if _folder(path) == _folder(file.path)]
    if len(named) == 1 or same:
        return min(same or named)
    if named:
        return ""
    series = [path for path in others if _NUMBER.sub("0", path) == _NUMBER.sub("0", file.path)]
    newer = [path for path in series if _numbers(path) > _numbers(file.path)]
    return max(newer, key=_numbers, default="")


def find_replacement(file: ShelfFile, why: str, at_hand: Callable[[], Sequence[str]]) -> str:
    """Return the kit path of the file by which another plainly was replaced, as is said of it; "" for none.

    It is named by its path, or by its name with its extension, and nothing before that in the sentence
    denies it, or puts it off.
    """
    said = [
        sentence[found.end() :].lstrip("\"'`*_([{<“‘«").casefold()
        for sentence in _SENTENCE_END.split(why)
        for found in _REPLACED_BY.finditer(sentence)
        if not _UNSURE.search(sentence, 0, found.start())
    ]
    if not said:
        return ""
    others = [path for path in at_hand() if path != file.path]
    named = [path for path in others if any(_begins_with(text, path) for text in said)]
    same = [path for path in named if _folder(path) == _folder(file.path)]
    return (same or named)[0] if len(same or named) == 1 else ""


def _begins_with(said: str, path: str) -> bool:
    """Return whether what is said begins with a file's path or its name, whole and with its extension."""
    told = path.casefold()
    names = {told, *(name for name in (told.partition("/")[2], _name(told)) if "." in _name(name))}
    return any(said.startswith(name) and _NAME_END.match(said, len(name)) for name in names)


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _names(path: str) -> set[str]:
    """Return the names by which a file may be mentioned: its path, its name, its name without extension."""
    told = path.casefold()
    name = told.rpartition("/")[2]
    return {told, told.partition("/")[2], name, name.rpartition(".")[0] or name}


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _numbers(path: str) -> list[int]:
    return [int(found[:18]) for found in _NUMBER.findall(path)]

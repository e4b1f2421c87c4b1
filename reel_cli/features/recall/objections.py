"""Objections to a moment: part of it no longer holds, or something else that is held disagrees."""

from collections.abc import Iterable

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.lexicon import telling
from reel_cli.core.evidence.own_words import LENT
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.kit.known_facts import read_replaced
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.words import fold_line, since
from reel_cli.core.values.memory import memory_path
from reel_cli.features.recall.moments import Moment


def find_objections(snapshot: Snapshot, memories: Iterable[str], moment: Moment) -> list[str]:
    """Return a sentence for each of a moment's memories that no longer holds or that another contradicts."""
    from reel_cli.core.kit.read_holdings import list_clashes

    wanted = list(memories)
    found = []
    for name in wanted:
        path = memory_path(name)
        text = snapshot.text(path)
        try:
            holds = parse_memory(text, path).no_longer if text is not None else ""
        except ReelError:
            continue
        if holds and concerns(moment, fold_line(holds), snapshot):
            found.append(since(fold_line(holds)).strip("()"))
    for clash in list_clashes(snapshot):
        for mine, other in ((clash.older, clash.newer), (clash.newer, clash.older)):
            if mine[0] in wanted:
                found.append(f"Something else that is held does not agree: “{fold_line(other[1])}”")
    return found


def concerns(moment: Moment, holds: str, snapshot: Snapshot) -> bool:
    """Return whether what holds instead of a memory has to do with the turns of a moment.

    A memory tells of many things. A fact that replaced another is told beside its own turn, and here only of
    turns that give the same matter another amount.
    """
    if not moment.turns:
        return True
    people = telling(f"{snapshot.settings.name} {' '.join(snapshot.settings.people)}")
    mine = telling(holds) - people - LENT
    try:
        facts = [one for one in read_replaced(snapshot) if one.statement.startswith(holds.partition(": ")[0])]
    except ReelError:
        facts = []
    texts = [turn.text for turn in moment.turns]
    if not facts or ": " not in holds:
        return not mine.isdisjoint(telling(" ".join(texts)))
    numbers = [turn.number for turn in moment.turns if turn.number]
    if any(one.source.meets({moment.session or "": numbers}) for one in facts):
        return False
    return any(len(mine & telling(text)) >= _SHARED and any(map(str.isdigit, text)) for text in texts)


_SHARED = 2
"""Number of telling words that a turn shares with a fact of the same matter."""

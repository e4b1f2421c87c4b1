"""Objections to a moment: part of it no longer holds, or something else that is held disagrees."""

from collections.abc import Iterable

from reel_cli.core.errors import ReelError
from reel_cli.core.files.memory_file import memory_path, parse_memory
from reel_cli.core.kit.read_holdings import list_clashes
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.words import fold_line, since


def find_objections(snapshot: Snapshot, memories: Iterable[str]) -> list[str]:
    """Return a sentence for each of these memories that no longer holds or that another one contradicts."""
    wanted = list(memories)
    found = []
    for name in wanted:
        path = memory_path(name)
        text = snapshot.text(path)
        try:
            holds = parse_memory(text, path).no_longer if text is not None else ""
        except ReelError:
            continue
        if holds:
            found.append(since(fold_line(holds)).strip("()"))
    for clash in list_clashes(snapshot):
        for mine, other in ((clash.older, clash.newer), (clash.newer, clash.older)):
            if mine[0] in wanted:
                found.append(f"Something else that is held does not agree: “{fold_line(other[1])}”")
    return found

"""Contradictions shown to the persona: one short line for each pair that waits (REEL §3.5)."""

from collections.abc import Mapping, Sequence

from reel_cli.core.pack import words
from reel_cli.core.pack.render import Writer
from reel_cli.core.pack.unit import Omissions, Unit
from reel_cli.core.pack.words import FRAME
from reel_cli.core.values.holdings import Clash, Holdings

MOST_TOLD = 3
"""Maximum number reported at once, the newest."""
LATER = "told when others are settled"
NO_ROOM = "no room beside what must be there"
GONE = "one of the two is no longer held"


def load_clashes(
    holdings: Holdings, writer: Writer, rest: int, left: Omissions, known: Mapping[str, str] | None = None
) -> tuple[list[Unit], bool]:
    """Return the lines that fit into `rest`, and whether the room ran out; skips `known` ones."""
    waiting = [one for one in holdings.core.clashes if key_of(one) not in (known or {})]
    if not waiting:
        return [], False
    standing = _standing(holdings, waiting)
    left.add(FRAME, [one.id for one in waiting if one not in standing], GONE)
    newest = standing[::-1]
    left.add(FRAME, [one.id for one in newest[MOST_TOLD:]], LATER)
    told = [(one.id, words.clash(one.older[1:], one.newer[1:])) for one in newest[:MOST_TOLD]]
    out: list[str] = []
    while told:
        units = writer.clashes(told)
        if sum(unit.tokens for unit in units) <= rest:
            break
        out.append(told.pop()[0])
    left.add(FRAME, out[::-1], NO_ROOM)
    return (writer.clashes(told) if told else []), bool(out)


def key_of(clash: Clash) -> str:
    """Return the key of a contradiction in a bundle's fingerprint."""
    return f"{FRAME}:{clash.id}"


def _standing(holdings: Holdings, waiting: Sequence[Clash]) -> list[Clash]:
    """Return the contradictions of which the kit still holds both sides."""
    ids = {*holdings.memories.ids(), *holdings.lines.ids()}
    working = _folded(holdings.core.working)
    known = {row.id for row in holdings.core.facts} | {name for name, _ in holdings.core.resting}

    def held(side: tuple[str, str, str]) -> bool:
        where, says, _ = side
        _, mark, name = where.partition("#")
        if mark:
            # a value in a file, which the bundle tells or holds out
            return name in known
        return where in ids or (where == "ring2" and _folded(says.removesuffix("…")) in working)

    return [one for one in waiting if held(one.older) and held(one.newer)]


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()

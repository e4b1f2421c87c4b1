"""Facts that replaced what is said in a moment, told beside its turns."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.known_facts import ReplacedFact, read_replaced
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.recall.moments import Moment


def tell_since(
    moments: Iterable[Moment], snapshot: Snapshot, standing: Collection[str], known: str = ""
) -> list[Moment]:
    """Return the moments, each turn that a fact rests on with the fact that replaced it since.

    One that was said in the same moment is read there, one said in a session that does not stand is left
    out, and that of the ID `known` is told already.
    """
    try:
        facts = [
            one
            for one in read_replaced(snapshot)
            if f"fact {one.id}" != known.removeprefix("ended ")
            and (one.since is None or one.since.session in standing)
        ]
    except ReelError:
        # a broken file is told of by status
        facts = []
    return [_with_since(moment, facts) for moment in moments]


def _with_since(moment: Moment, facts: Sequence[ReplacedFact]) -> Moment:
    numbers = [turn.number for turn in moment.turns if turn.number]
    beside: dict[int, list[str]] = {}
    for fact in facts:
        if moment.session != fact.source.session or not fact.source.last:
            continue
        if fact.since is not None and fact.since.meets({fact.source.session: numbers}):
            continue
        place = max((n for n in numbers if fact.source.first <= n <= fact.source.last), default=0)
        beside.setdefault(place, []).append(f"since then: {fact.statement}")
    if not any(beside):
        return moment
    turns = (
        replace(turn, mended=tuple(dict.fromkeys([*turn.mended, *beside.get(turn.number, ())])))
        if turn.number
        else turn
        for turn in moment.turns
    )
    return replace(moment, turns=tuple(turns))

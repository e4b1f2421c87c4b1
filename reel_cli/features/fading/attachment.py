"""Immunity that was handed out by age, or to nearly everything (REEL §10.7)."""

from collections.abc import Sequence

from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.tree import is_memory_file
from reel_cli.core.finding import OVER_ATTACHMENT, Finding
from reel_cli.core.kit.checkup import Check, Stage
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import Memory, implies_immunity, is_age_alone, memory_path
from reel_cli.core.values.settings import WHOLE

FEW = 8
"""Number of memories below which the number of immune ones says nothing."""
MOST = WHOLE // 2
"""The share of immune memories above which immunity is handed out too freely."""
NEARLY_ALL = WHOLE * 3 // 4
MANY = 12
"""Number of memories from which it is serious if nearly all are immune: none can recede any more."""
EARLY = WHOLE * 3 // 4
LATE = WHOLE // 4
"""Least immune share of the first third, and most of the last, that show immunity by age rather than by
value."""


FIRST = 6
"""Number of the oldest memories from which it is seen that all of them are immune."""
KEPT = WHOLE * 9 // 10
"""The share of the oldest that is immune where immunity goes by age, however few they are."""
REST = WHOLE // 5
"""The share of all later ones that is immune at most then."""


def find_attachment(snapshot: Snapshot) -> list[Finding]:
    """Return findings if too much of ring 3 is immune, or if its oldest part is immune because of its age."""
    memories = sorted(snapshot.memories.values(), key=lambda memory: memory.order)
    reasons = _age_as_reason(memories)
    if len(memories) < FEW:
        return reasons
    return [*_share(memories), *_by_age(memories), *reasons]


def goes_by_age(overview: Snapshot) -> bool:
    """Return whether the oldest memories are immune and the newest are not (REEL §10.7).

    An overview keeps of each memory when it was lived and whether it is immune.
    """
    paths = [path for path in overview.list("ring3") if is_memory_file(path.removeprefix("ring3/"))]

    def look(path: str) -> list[object]:
        memory = parse_memory(overview.text(path) or "", path)
        return [list(memory.order), memory.immune, implies_immunity(memory.tags)]

    kept = sorted(overview.note("immune in order 2", paths, look).values())
    return _oldest_by_age([bool(immune) for _, immune, _ in kept], [bool(tagged) for *_, tagged in kept]) > 0


def _oldest_by_age(immune: Sequence[bool], tagged: Sequence[bool]) -> int:
    """Return how many of the oldest memories are immune because they came first; 0 if that does not show.

    `immune` and `tagged` (immune by its tags alone) are in order of age. The oldest third counts, or as many
    as came first, such as those of the cold start; these only where a flag and no tag keeps most of them.
    """
    if len(immune) < MANY:
        return 0
    third = max(1, len(immune) // 3)
    if _share_of(immune[:third]) >= EARLY and _share_of(immune[-third:]) <= LATE:
        return third
    for most in range(len(immune) // 2, FIRST - 1, -1):
        flagged = sum(one and not by for one, by in zip(immune[:most], tagged[:most], strict=True))
        first = _share_of(immune[:most]) >= KEPT and immune[most - 1]
        if first and _share_of(immune[most:]) <= REST and flagged * 2 >= most:
            return most
    return 0


def _share_of(immune: Sequence[bool]) -> int:
    return WHOLE * sum(immune) // max(1, len(immune))


def _share(memories: Sequence[Memory]) -> list[Finding]:
    immune = [memory for memory in memories if memory.immune]
    if len(immune) * WHOLE <= MOST * len(memories):
        return []
    by_tag = sum(implies_immunity(memory.tags) for memory in immune)
    parts = [f"{by_tag:,} by their tags"] if by_tag else []
    if len(immune) > by_tag:
        parts.append(f"{len(immune) - by_tag:,} by a flag")
    what = (
        f"{len(immune):,} of {len(memories):,} memories never fade ({', '.join(parts)});"
        f" those that matter less should. Of the oldest third {_percent(_thirds(memories)[0])},"
        f" of the newest {_percent(_thirds(memories)[2])}"
    )
    serious = len(memories) >= MANY and len(immune) * WHOLE >= NEARLY_ALL * len(memories)
    return [_finding(what, immune, hint=not serious)]


def _by_age(memories: Sequence[Memory]) -> list[Finding]:
    oldest = _oldest_by_age(
        [memory.immune for memory in memories], [implies_immunity(memory.tags) for memory in memories]
    )
    if not oldest:
        return []
    # the oldest third is held against the newest, fewer against all later ones
    early, late = memories[:oldest], memories[oldest:]
    if oldest == max(1, len(memories) // 3):
        late = memories[-oldest:]
    immune = [memory for memory in early if memory.immune]
    what = (
        f"immunity goes by age: {_percent(early)} of the oldest {len(early):,} memories never fade, and"
        f" {_percent(late)} of the newest {len(late):,}; the first are not always those that matter most"
    )
    return [_finding(what, immune, hint=True)]


def _age_as_reason(memories: Sequence[Memory]) -> list[Finding]:
    """Return a finding for each memory that is kept for good, by no tag, only because it is old."""
    told = "{} never fades because “{}”: its age is no reason"
    return [
        _finding(told.format(one.id, one_line(one.immune_reason.rstrip("."), 80)), [one], hint=True)
        for one in memories
        if one.immune and not implies_immunity(one.tags) and is_age_alone(one.immune_reason)
    ]


def _finding(what: str, immune: Sequence[Memory], *, hint: bool) -> Finding:
    """Return the finding, with the oldest memory that only a flag keeps as the first to mend."""
    flagged = [memory for memory in immune if not implies_immunity(memory.tags)]
    first = (flagged or list(immune))[0]
    mend = f"reel memory show {first.id}  and where it matters less  reel memory immune {first.id} --off"
    if not flagged:
        mend = f"look at the tags:  reel memory show {first.id}"
    return Finding("immunity", what, mend, hint, OVER_ATTACHMENT, f"{memory_path(first.id)}:1")


def _thirds(memories: Sequence[Memory]) -> tuple[Sequence[Memory], Sequence[Memory], Sequence[Memory]]:
    third = max(1, len(memories) // 3)
    return memories[:third], memories[third:-third], memories[-third:]


def _immune(memories: Sequence[Memory]) -> int:
    return WHOLE * sum(memory.immune for memory in memories) // max(1, len(memories))


def _percent(memories: Sequence[Memory]) -> str:
    return f"{_immune(memories) // 100} %"


CHECKS = (Check(lambda scope: find_attachment(scope.snapshot), 90, Stage.PATTERNS, OVER_ATTACHMENT),)

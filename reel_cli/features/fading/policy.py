"""Choice of the memories that fade in one pass: by age and room, slowed by use and pins (REEL §6.2, §6.7).

Nothing here reads a clock or a file. Every step is one level, of each memory or line at most one. For want of
room a memory goes only where a bundle of the kit's window loses nothing by it; a marker, a tag or a line
that such a bundle has room for stays.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from reel_cli.core.values.change import tell_many
from reel_cli.features.fading.fading import (
    FINEST,
    FRESH_DAYS,
    FRESH_SESSIONS,
    NEXT,
    WAITS,
    FadingPlan,
    Fallen,
    Form,
    HeldBack,
    MemoryValues,
    Move,
    Rules,
    Step,
    Stub,
    Use,
    felt_age,
)

OVER = "memories over their share"
TOLD = "chats still begin with it"
_TAKES = (Move.DESCEND, Move.PRUNE)


def plan_pass(held: Sequence[MemoryValues], stubs: Sequence[Stub], rules: Rules) -> FadingPlan:
    """Return all that is due: lines that sleep, pruned and descending memories.

    Those that a bundle of the kit's window does not show come first, then those of least worth. By age a
    memory descends when it counts as old enough for its level. Where ring 3 is still over its most then,
    those that count as oldest follow, until it fits.
    """
    kept: list[HeldBack] = []
    steps = [*_sleeping(stubs, rules), *_pruned(held, rules, kept)]
    gone = {step.id for step in steps}
    weight = sum(one.weight for one in held)
    room = weight - sum(one.weight for one in held if one.id in gone)
    due: dict[str, str] = {}
    ready: list[MemoryValues] = []
    for one in sorted((one for one in held if one.level in rules.ages), key=_least_worth):
        aged = one.days >= rules.ages[one.level]
        why = _held_back(one)
        if not why and felt_age(one.days, one.uses) >= rules.ages[one.level]:
            due[one.id] = _age_in_words(one)
            room -= one.weight - one.weight_then
        if why and aged:
            kept.append(HeldBack(one.id, one.title, why))
        if not why:
            ready.append(one)
    # what must never be pruned gives its words last
    for one in sorted(ready, key=lambda one: (bool(one.guarded), _least_worth(one))):
        if room <= rules.most:
            break
        if one.id not in due and one.weight_then < one.weight and _loses_nothing(one):
            due[one.id] = f"{OVER}; {_age_in_words(one)}"
            room -= one.weight - one.weight_then
    for one in ready:
        if one.id in due:
            steps.append(_descent(one, due[one.id]))
        elif one.days >= rules.ages[one.level]:
            kept.append(HeldBack(one.id, one.title, _age_in_words(one)))
    stays = _stays(held, due, gone) if room > rules.most else ()
    return FadingPlan(steps, kept, weight, rules.most, room, stays)


def _stays(held: Iterable[MemoryValues], due: Mapping[str, str], gone: Collection[str]) -> Sequence[str]:
    """Return why ring 3 stays over its most: how many memories are kept as they are, by reason."""
    reasons: dict[str, int] = {}
    for one in held:
        if one.id not in due and one.id not in gone:
            reason = _reason(one)
            reasons[reason] = reasons.get(reason, 0) + 1
    return [f"{number:,} {_REASONS[reason][number != 1]}" for reason, number in sorted(reasons.items())]


def _reason(one: MemoryValues) -> str:
    if one.strayed:
        return "strayed"
    if one.stepped or one.moved:
        return "stepped"
    if one.level == "L4":
        return "tag"
    if _has_room(one) or not _loses_nothing(one):
        return "shown"
    return "used" if _held_back(one) else "same"


_REASONS = {
    "shown": ("stands in the bundle as it is", "stand in the bundle as they are"),
    "strayed": ("is made again from what was said", "are made again from what was said"),
    "stepped": ("faded a short time ago", "faded a short time ago"),
    "used": ("is new, in use or pinned", "are new, in use or pinned"),
    "tag": ("is only a tag already", "are only tags already"),
    "same": ("would not get shorter", "would not get shorter"),
}


def _loses_nothing(one: MemoryValues) -> bool:
    """Return whether a bundle, where one is known, has as much of a memory after its next step."""
    return one.shown is None or one.shown <= FINEST[NEXT[one.level]]


def _has_room(one: MemoryValues) -> bool:
    """Return whether a bundle has room for the marker of a memory that would become a tag."""
    return one.level == "L3" and one.shown is not None and one.shown >= Form.MARKER


def plan_raises(
    held: Sequence[MemoryValues], found: FadingPlan, fallen: Mapping[str, Fallen], rules: Rules
) -> Sequence[Step]:
    """Return the memories that rise a level if ring 3 is below its least, most worth first (REEL §6.7).

    Only what fell for want of room, and is not old enough for the level it has; and only as long as ring 3
    stays below the middle of its range, so that it does not fall again at once.
    """
    room = found.weight - sum(step.tokens - step.then for step in found.steps if step.move in _TAKES)
    if room >= rules.least:
        return ()
    roof = (rules.least + rules.most) // 2
    moving = {step.id for step in found.steps}
    raises = []
    for one in sorted(held, key=_least_worth, reverse=True):
        fall = fallen.get(one.id)
        if fall is None or fall.after != one.level or one.id in moving or one.moved:
            continue
        if rules.small and one.level != "L4":
            # a small window has its marker, whatever more there is of it
            continue
        young = felt_age(one.days, one.uses) < rules.ages.get(fall.before, 0)
        more = fall.tokens - one.tokens
        if young and 0 < more <= roof - room:
            room += more
            why = f"there is room again; {_age_in_words(one)}"
            raises.append(_raise(one, fall, why))
    return raises


def _raise(one: MemoryValues, fall: Fallen, why: str) -> Step:
    return Step(
        Move.RAISE,
        one.id,
        one.title,
        one.level,
        fall.before,
        one.tokens,
        why,
        asks=False,
        then=fall.tokens,
    )


def _least_worth(one: MemoryValues) -> tuple[bool, bool, int, tuple[str, int, int, int]]:
    """Return a sort key: what is in no bundle, what no thread goes on with, the oldest, the earlier lived."""
    seen = one.shown is not None and not _loses_nothing(one)
    return seen, one.goes_on, -felt_age(one.days, one.uses), one.order


def _held_back(one: MemoryValues) -> str:
    """Return why a memory does not descend in this pass, in words; "" if it may."""
    if one.pinned:
        return "pinned"
    if one.strayed:
        return "no longer like what was said, and written again first"
    if one.moved:
        return "has faded in this pass already"
    if one.remade:
        return "written again or brought back a short time ago"
    if one.stepped:
        return one.stepped
    if not one.sessions:
        return "of the newest chat"
    if one.made < FRESH_DAYS:
        return f"made {_ago(one.made)}"
    if used := _used_lately(one):
        return used
    guard = "" if not one.guarded else f"{WAITS}, and " if one.guarded == WAITS else "immune, and "
    return f"{guard}{TOLD}" if _has_room(one) else one.stuck


def _used_lately(one: MemoryValues) -> str:
    """Return when a memory was used, in words, if that was of late; else ""."""
    last = _last(one.uses)
    if last is not None and any(use.days < FRESH_DAYS for use in one.uses):
        return used_in_words(one.uses)
    if last is not None and last.sessions < FRESH_SESSIONS:
        return f"{used_in_words(one.uses)}, in one of the last {FRESH_SESSIONS} chats"
    return ""


def _descent(one: MemoryValues, why: str) -> Step:
    return Step(
        Move.DESCEND, one.id, one.title, one.level, NEXT[one.level], one.tokens, why, one.asks, one.then
    )


def _pruned(held: Iterable[MemoryValues], rules: Rules, kept: list[HeldBack]) -> Iterator[Step]:
    """Yield the memories at their last level that meet all four criteria (REEL §6.5) and have no pin.

    Those that a bundle has room for stay, and are noted in `kept`.
    """
    for one in sorted((one for one in held if one.level == "L4"), key=_least_worth):
        if one.guarded or one.pinned or one.moved or one.remade or one.made < FRESH_DAYS:
            continue
        idle = idle_sessions(one.sessions, one.uses)
        if idle < max(1, rules.idle_sessions):
            continue
        if one.stepped:
            kept.append(HeldBack(one.id, one.title, one.stepped))
        elif one.shown:
            kept.append(HeldBack(one.id, one.title, TOLD))
        else:
            why = f"not used for {tell_many(idle, 'chat')}, not immune"
            yield Step(Move.PRUNE, one.id, one.title, "L4", "stub", one.tokens, why, asks=False)


def _sleeping(stubs: Iterable[Stub], rules: Rules) -> Iterator[Step]:
    """Yield pruned lines not asked for since, for as many sessions (REEL §6.7, step 3)."""
    for one in stubs:
        if one.guarded or one.pinned or one.sessions is None or one.shown:
            continue
        idle = idle_sessions(one.sessions, one.uses)
        # no session has passed since this pass pruned the line
        if idle >= max(1, rules.idle_sessions):
            many = tell_many(idle, "chat")
            why = f"not asked for in the {many} since it was pruned"
            if one.pointer:
                why = f"its memory is pruned, and not asked for in {many}"
            yield Step(Move.SLEEP, one.id, one.title, "stub", "dormant", one.tokens, why, asks=False)


def idle_sessions(since: int, uses: Sequence[Use]) -> int:
    """Return for how many sessions it was not used, `since` at most."""
    return min([since, *(use.sessions for use in uses)])


def _age_in_words(one: MemoryValues) -> str:
    felt = felt_age(one.days, one.uses)
    counts = f", counts as {felt:,} because it was used" if felt * 10 < one.days * 9 else ""
    return f"{tell_many(one.days, 'day')} old, {used_in_words(one.uses)}{counts}"


def used_in_words(uses: Sequence[Use]) -> str:
    """Return when a memory was last used, and in how many sessions, in words."""
    last = _last(uses)
    if last is None:
        return "never recalled"
    how = "last recalled" if last.recalled else "last came up"
    often = f", used in {len(uses):,} chats" if len(uses) > 1 else ""
    return f"{how} {_ago(last.days)}{often}"


def _last(uses: Sequence[Use]) -> Use | None:
    return min(uses, key=lambda use: (use.sessions, use.days), default=None)


def _ago(days: int) -> str:
    return {0: "today", 1: "yesterday"}.get(days, f"{days:,} days ago")

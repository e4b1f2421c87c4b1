"""Choice of the memories that fade in one pass: by age and room, slowed by use and pins (REEL §6.2, §6.7).

Nothing here reads a clock or a file. Every step is one level, of each memory or line at most one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from reel_cli.features.fading.fading import (
    FRESH_DAYS,
    FRESH_SESSIONS,
    NEXT,
    Fading,
    Fallen,
    Held,
    HeldBack,
    Move,
    Rules,
    Step,
    Stub,
    Use,
    felt_age,
)

OVER = "ring 3 over its range"
_TAKES = (Move.DESCEND, Move.PRUNE)


def plan_pass(held: Sequence[Held], stubs: Sequence[Stub], rules: Rules) -> Fading:
    """Return all that is due, least worth first: lines that sleep, pruned and descending memories.

    By age a memory descends when it counts as old enough for its level. Where ring 3 is still over its
    most then, those that count as oldest follow, until it fits.
    """
    steps = [*_sleeping(stubs, rules), *_pruned(held, rules)]
    gone = {step.id for step in steps}
    weight = sum(one.weight for one in held)
    room = weight - sum(one.weight for one in held if one.id in gone)
    kept: list[HeldBack] = []
    due: dict[str, str] = {}
    ready: list[Held] = []
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
    for one in ready:
        if room <= rules.most:
            break
        if one.id not in due and one.weight_then < one.weight:
            due[one.id] = f"{OVER}; {_age_in_words(one)}"
            room -= one.weight - one.weight_then
    for one in ready:
        if one.id in due:
            steps.append(_descent(one, due[one.id]))
        elif one.days >= rules.ages[one.level]:
            kept.append(HeldBack(one.id, one.title, _age_in_words(one)))
    return Fading(steps, kept, weight, rules.most)


def plan_raises(
    held: Sequence[Held], found: Fading, fallen: Mapping[str, Fallen], rules: Rules
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
        young = felt_age(one.days, one.uses) < rules.ages.get(fall.before, 0)
        more = fall.tokens - one.tokens
        if young and 0 < more <= roof - room:
            room += more
            why = f"there is room again; {_age_in_words(one)}"
            raises.append(_raise(one, fall, why))
    return raises


def _raise(one: Held, fall: Fallen, why: str) -> Step:
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


def _least_worth(one: Held) -> tuple[int, tuple[str, int, int, int]]:
    """Return a sort key: what counts as oldest goes first; of two, the one that was lived earlier."""
    return -felt_age(one.days, one.uses), one.order


def _held_back(one: Held) -> str:
    """Return why a memory does not descend in this pass, in words; "" if it may."""
    if one.pinned:
        return "pinned"
    if one.moved:
        return "went a step down in this pass already"
    if one.remade:
        return "written anew or brought back lately"
    if not one.sessions:
        return "of the newest session"
    if one.made < FRESH_DAYS:
        return f"made {_ago(one.made)}"
    last = _last(one.uses)
    if last is not None and any(use.days < FRESH_DAYS for use in one.uses):
        return used_in_words(one.uses)
    if last is not None and last.sessions < FRESH_SESSIONS:
        return f"{used_in_words(one.uses)}, in one of the last {FRESH_SESSIONS} sessions"
    return one.stuck


def _descent(one: Held, why: str) -> Step:
    return Step(
        Move.DESCEND, one.id, one.title, one.level, NEXT[one.level], one.tokens, why, one.asks, one.then
    )


def _pruned(held: Iterable[Held], rules: Rules) -> Iterator[Step]:
    """Yield the memories at their last level that meet all four criteria (REEL §6.5) and have no pin."""
    for one in sorted((one for one in held if one.level == "L4"), key=_least_worth):
        if one.guarded or one.pinned or one.moved or one.remade or one.made < FRESH_DAYS:
            continue
        idle = idle_sessions(one.sessions, one.uses)
        if idle >= max(1, rules.idle_sessions):
            why = f"{_many(idle, 'session')} idle, not immune"
            yield Step(Move.PRUNE, one.id, one.title, "L4", "stub", one.tokens, why, asks=False)


def _sleeping(stubs: Iterable[Stub], rules: Rules) -> Iterator[Step]:
    """Yield pruned lines not asked for since, for as many sessions (REEL §6.7, step 3)."""
    for one in stubs:
        if one.guarded or one.pinned or one.sessions is None:
            continue
        idle = idle_sessions(one.sessions, one.uses)
        # a line that was pruned in this pass has had no session since
        if idle >= max(1, rules.idle_sessions):
            many = _many(idle, "session")
            why = f"{many} since it was pruned, not asked for"
            if one.pointer:
                why = f"its memory is pruned, {many} not asked for"
            yield Step(Move.SLEEP, one.id, one.title, "stub", "dormant", one.tokens, why, asks=False)


def idle_sessions(since: int, uses: Sequence[Use]) -> int:
    """Return for how many sessions it was not used, `since` at most."""
    return min([since, *(use.sessions for use in uses)])


def _age_in_words(one: Held) -> str:
    felt = felt_age(one.days, one.uses)
    counts = f", counts as {felt:,} for its use" if felt * 10 < one.days * 9 else ""
    return f"{_many(one.days, 'day')} old, {used_in_words(one.uses)}{counts}"


def used_in_words(uses: Sequence[Use]) -> str:
    """Return when a memory was last used, and in how many sessions, in words."""
    last = _last(uses)
    if last is None:
        return "never recalled"
    how = "last recalled" if last.recalled else "last came up"
    often = f", used in {len(uses):,} sessions" if len(uses) > 1 else ""
    return f"{how} {_ago(last.days)}{often}"


def _last(uses: Sequence[Use]) -> Use | None:
    return min(uses, key=lambda use: (use.sessions, use.days), default=None)


def _ago(days: int) -> str:
    return {0: "today", 1: "yesterday"}.get(days, f"{days:,} days ago")


def _many(number: int, one: str) -> str:
    return f"{number:,} {one}{'' if number == 1 else 's'}"

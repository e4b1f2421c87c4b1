"""Policy for advice: honoured, deferred or overridden; or something else is made hot (MEMORY-MGMT §3).

The model advises, and nobody has to follow it. This policy is pure: it is given what is known of each thing,
and says what becomes of it and why.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase

from reel_cli.features.shelf.advice.advice import ACTIONS, HotEntry, LetGo

HOT_STAYS = "hot.yml keeps it at hand until you take it out there or take the file off the shelf"
TAG = "tag:"
"""Beginning of a pattern for tags rather than paths."""


class AdviceOutcome(StrEnum):
    """Outcomes of one piece of advice."""

    HONORED = "honored"
    DEFERRED = "deferred"
    OVERRIDDEN = "overridden"
    PROMOTED = "promoted_to_hot"


class Suggestions(StrEnum):
    """Suggestions of the model."""

    KEEP = "keep"
    EVICT = "evict"


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """The facts about one thing at hand that a decision needs.

    `pinned` by a person; `immune`: a memory that is never pruned; `kept` the must-keep kind that marks or
    matches it, and by what (see `must_keep`); `trouble` says why nobody can tell. `noted` is where the
    persona's own notes speak of it, `referenced` where the user did lately ("" for nowhere); `touched_since`
    whether it was used after it was advised to let it go.
    """

    path: str
    tags: tuple[str, ...] = ()
    pinned: bool = False
    immune: bool = False
    kept: str = ""
    trouble: str = ""
    noted: str = ""
    referenced: str = ""
    touched_since: bool = False
    memory: bool = False
    """True for a memory, which advice neither loads nor lets go of."""
    aside: bool = False
    """True if it was set aside, and is in no bundle until a person brings it back."""
    waits: int = 0
    """Number of sessions that have to pass before advice on it counts."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision on one thing, and its reason: `suggested` is None if no advice names it.

    `action` is the suggested one of `ACTIONS`, "" for what is kept; `why` is the model's own reason.
    """

    path: str
    suggested: Suggestions | None
    taken: AdviceOutcome
    reason: str
    action: str = ""
    why: str = ""

    @property
    def lets_go(self) -> bool:
        """Return whether the thing is to be let go, by its action, at the next collection."""
        return self.suggested is Suggestions.EVICT and self.taken is AdviceOutcome.HONORED


def model_suggested(decision: Decision) -> str:
    """Return `keep`, `evict`, or "" for what the model did not mention."""
    return decision.suggested.value if decision.suggested else ""


def action_taken(decision: Decision) -> str:
    """Return the outcome's name in `memory_actions.yml`."""
    return decision.taken.value


def must_keep(path: str, tags: Iterable[str], rules: Mapping[str, Sequence[str]], reads_as: str = "") -> str:
    """Return the first kind of `rules` that keeps a thing, and its pattern; "" for none.

    `reads_as` is the tag that its text stands for, though nobody gave it.

    A pattern is a path with `*` and `?`, from the kit's folder or the shelf's, ignoring case, or `tag:` and
    a tag.
    """
    own = {tag.casefold() for tag in tags}
    names = (path.casefold(), path.removeprefix("shelf/").casefold())
    for kind, patterns in rules.items():
        for pattern in patterns:
            tag = pattern.removeprefix(TAG) if pattern.startswith(TAG) else None
            if tag is not None and tag.strip().casefold() in own:
                return f"{kind}: it is tagged {tag.strip()}"
            if tag is not None and reads_as and tag.strip().casefold() == reads_as:
                return f"{kind}: its text says so"
            if tag is None and any(fnmatchcase(name, pattern.casefold()) for name in names):
                return f"{kind}: {pattern}"
    return ""


def decide(hot: Iterable[HotEntry], cold: Iterable[LetGo], known: Mapping[str, ItemFacts]) -> list[Decision]:
    """Return the decisions on all advice, and on what is referenced without any; each thing once.

    `known` holds everything at hand, by path; advice on anything else is passed over.
    """
    let_go = {one.path: one for one in cold if one.path in known}
    kept = {one.path: one for one in hot if one.path in known}
    # one that the user came back to is promoted again below, as long as it is so
    made = [
        _keep(one, known[one.path])
        for one in kept.values()
        if one.path not in let_go and not (one.promoted and known[one.path].referenced)
    ]
    made += [_judge(one, known[one.path], kept.get(one.path)) for one in let_go.values()]
    named = {one.path for one in made}
    for path, about in known.items():
        if path not in named and about.referenced and not about.aside:
            made.append(Decision(path, None, AdviceOutcome.PROMOTED, about.referenced))
    return made


def _keep(one: HotEntry, about: ItemFacts) -> Decision:
    """Return the decision on advice to keep one thing; what was set aside waits for a person."""
    if about.aside:
        reason = "it was set aside; a person brings it back"
        return Decision(one.path, Suggestions.KEEP, AdviceOutcome.DEFERRED, reason, why=one.why)
    if about.memory:
        reason = "a bundle chooses its memories itself; reel memory pin keeps one as it is"
        return Decision(one.path, Suggestions.KEEP, AdviceOutcome.DEFERRED, reason, why=one.why)
    if one.promoted:
        return Decision(one.path, None, AdviceOutcome.HONORED, f"kept at hand: {one.why}")
    return Decision(one.path, Suggestions.KEEP, AdviceOutcome.HONORED, "kept at hand", why=one.why)


def _judge(one: LetGo, about: ItemFacts, hot: HotEntry | None) -> Decision:
    """Return the decision on advice to let one thing go: overridden first, then deferred, else honoured.

    `hot` is its entry of hot.yml. A promoted one stays as long as the newest chat comes back to it.
    """

    def say(taken: AdviceOutcome, reason: str) -> Decision:
        return Decision(one.path, Suggestions.EVICT, taken, reason, one.action, one.why)

    against = (
        (about.trouble, about.trouble),
        (about.pinned, "it is pinned"),
        (about.immune, "it must stay whole (immune)"),
        (about.kept, f"must be kept, as {about.kept}"),
    )
    for holds, reason in against:
        if holds:
            return say(AdviceOutcome.OVERRIDDEN, reason)
    waits = f"{about.waits} more chat{'' if about.waits == 1 else 's'}"
    later = (
        (about.memory, "a memory fades with  reel maintain  or goes with  reel forget ID"),
        (one.action not in ACTIONS, f"{one.action!r} is no action"),
        (hot is not None and not hot.promoted, HOT_STAYS),
        (hot is not None and about.referenced, f"{about.referenced}, so it stays until another chat"),
        (about.touched_since, "it was used since"),
        (about.noted, f"it is in use: {about.noted}"),
        (about.waits > 0, f"the advice is to stand for {waits} first"),
    )
    for holds, reason in later:
        if holds:
            return say(AdviceOutcome.DEFERRED, str(reason))
    return say(AdviceOutcome.HONORED, "nothing speaks against it")

"""The model advises, the kit decides: advice held against what is at hand (MEMORY-MGMT §3)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reel_cli.core.errors import ReelError
from reel_cli.core.files.kit_files import find_kit_file
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import moment, stamp
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import Change
from reel_cli.features.shelf.advice.advice import Advice, HotEntry, LetGo
from reel_cli.features.shelf.advice.files import (
    ACTIONS_TAKEN,
    COLD,
    HOT,
    Cold,
    Hot,
    read_cold,
    read_hot,
    render_actions,
    render_cold,
    render_hot,
)
from reel_cli.features.shelf.advice.paths import Finder, belongs
from reel_cli.features.shelf.advice.policy import (
    AdviceOutcome,
    Decision,
    ItemFacts,
    Suggestions,
    decide,
    must_keep,
)
from reel_cli.features.shelf.advice.text_signs import read_kinds
from reel_cli.features.shelf.holdings import AtHand, Item, survey
from reel_cli.features.shelf.hotness import sessions_after
from reel_cli.features.shelf.shelf_file import SHELF, ShelfFile

OP = "advise"


@dataclass(frozen=True, slots=True)
class AdviceGiven:
    """Advice as it came: when (ISO 8601), and the ring 0 of its prompt, or where on the tape it was said."""

    advice: Advice
    at: str
    ring0: str = ""
    session: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class AdvicePlan:
    """The result of advice: the new manifests, every decision, and what was left out and why.

    `named` are the paths this advice is about; `gone` those that leave the manifests, as the kit has them no
    more.
    """

    hot: Hot
    cold: Cold
    decisions: tuple[Decision, ...]
    named: frozenset[str]
    problems: tuple[Problem, ...] = ()
    gone: tuple[str, ...] = ()

    @property
    def told(self) -> tuple[Decision, ...]:
        """Return the new decisions: on what was named now, and what was made hot beside it."""
        return tuple(
            one for one in self.decisions if one.path in self.named or one.taken is AdviceOutcome.PROMOTED
        )


def standing_decisions(
    snapshot: Snapshot, pending: Sequence[str] = (), glance: Snapshot | None = None
) -> list[Decision]:
    """Return the decisions on all present advice, each path once.

    What says `lets_go` is to be let go of by its `action`. `pending` and `glance` are as `survey` has them.
    Raises ReelError where a manifest cannot be read.
    """
    at_hand = survey(snapshot, pending, glance)
    hot, cold = read_hot(snapshot), read_cold(snapshot)
    return decide(_own(hot), cold.evict, _known(snapshot, at_hand, hot.keep, cold.evict))


def judge_files(
    snapshot: Snapshot,
    files: Mapping[str, ShelfFile],
    pending: Sequence[str] = (),
    glance: Snapshot | None = None,
) -> tuple[Mapping[str, Decision], Mapping[str, ItemFacts]]:
    """Return the decisions on these files by present advice, and what is known of each file; by path.

    `pending` and `glance` are as `survey` has them. Raises ReelError where a manifest cannot be read.
    """
    at_hand = survey(snapshot, pending, glance, only=files)
    hot, cold = read_hot(snapshot), read_cold(snapshot)
    let_go = [one for one in cold.evict if one.path in files]
    known = _known(snapshot, at_hand, (), let_go)
    kept = [one for one in _own(hot) if one.path in files]
    return {one.path: one for one in decide(kept, let_go, known)}, known


def weigh(
    snapshot: Snapshot,
    given: AdviceGiven,
    now: datetime,
    pending: Sequence[str] = (),
    glance: Snapshot | None = None,
) -> AdvicePlan:
    """Check advice against the current kit. Files it does not name keep earlier advice.

    Raises ReelError where a manifest cannot be read.
    """
    at_hand = survey(snapshot, pending, glance)
    found = Finder(snapshot, at_hand)
    keep, go = found.resolve(given.advice)
    hot, cold = read_hot(snapshot), read_cold(snapshot)
    listed = (*(one.path for one in hot.keep), *(one.path for one in cold.evict))
    gone = [path for path in listed if not found.there(path)]
    # only a person takes a file off the list
    kept = {one.path: one for one in _own(hot) if one.path not in gone}
    for path, hint in keep.items():
        old = kept.get(path, HotEntry(path))
        said = given.said if hint.why else old.said
        why = hint.why or ("" if old.promoted else old.why)
        kept[path] = replace(old, why=why, since=old.since or given.at, said=said, promoted=False)
    let_go = {one.path: one for one in cold.evict if one.path not in keep and one.path not in gone}
    for path, hint in go.items():
        before = let_go.get(path)
        session = before.session if before else given.session or at_hand.newest
        why = hint.why or (before.why if before else "")
        said = given.said if hint.why or before is None else before.said
        let_go[path] = LetGo(path, why, given.at, session, _last(at_hand, path), hint.action, said)
    cold = Cold(tuple(let_go.values()), stamp(now), cold.trigger_gc or given.advice.trigger_gc)
    known = _known(snapshot, at_hand, kept.values(), cold.evict)
    decisions = decide(kept.values(), cold.evict, known)
    promoted = {one.path: one for one in hot.keep if one.promoted}
    for one in decisions:
        if one.taken is AdviceOutcome.PROMOTED:
            since = promoted[one.path].since if one.path in promoted else stamp(now)
            kept[one.path] = HotEntry(one.path, one.reason, since, promoted=True)
        elif one.lets_go:
            kept.pop(one.path, None)
    counted = [
        replace(one, touches=at_hand.items[one.path].touches if one.path in at_hand.items else 0)
        for one in kept.values()
    ]
    return AdvicePlan(
        Hot(tuple(counted), stamp(now)),
        cold,
        tuple(decisions),
        frozenset((*keep, *go)),
        tuple(found.problems),
        tuple(dict.fromkeys(gone)),
    )


def plan_advice(
    snapshot: Snapshot,
    given: AdviceGiven,
    now: datetime,
    pending: Sequence[str] = (),
    glance: Snapshot | None = None,
) -> Change:
    """Return one commit: both manifests, and what was made of the advice."""
    weighed = weigh(snapshot, given, now, pending, glance)
    writes: dict[str, bytes | None] = {
        HOT: render_hot(snapshot.text(HOT) or "", weighed.hot).encode(),
        COLD: render_cold(snapshot.text(COLD) or "", weighed.cold).encode(),
        ACTIONS_TAKEN: render_actions(weighed.decisions, stamp(now)).encode(),
    }
    snapshot.read(ACTIONS_TAKEN)
    trailers = [("Reel-Session", given.session)] if given.session else []
    if given.ring0:
        trailers.append(("Reel-Ring0", given.ring0))
    # what was said belongs on the tape, not in a commit's message
    notes = () if given.said else (given.advice.why,)
    return Change(OP, in_words(weighed), writes, tuple(trailers), notes=notes)


def without_done(snapshot: Snapshot, paths: Collection[str], now: datetime) -> Mapping[str, bytes]:
    """Return `cold.yml`, by path, without these paths' entries and the fulfilled request.

    Nothing where that changes nothing. Raises ReelError where the file cannot be read.
    """
    cold = read_cold(snapshot)
    left = tuple(one for one in cold.evict if one.path not in paths)
    if left == cold.evict and not cold.trigger_gc:
        return {}
    after = Cold(left, stamp(now), trigger_gc=False)
    return {COLD: render_cold(snapshot.text(COLD) or "", after).encode()}


def in_words(weighed: AdvicePlan) -> str:
    """Return the result of the advice in a few words: `2 kept at hand, 1 to go, 1 overridden`."""
    told = weighed.told
    counts = (
        (sum(one.suggested is Suggestions.KEEP for one in told), "kept at hand"),
        (sum(one.lets_go for one in told), "to go"),
        (
            sum(one.suggested is Suggestions.EVICT and one.taken is AdviceOutcome.DEFERRED for one in told),
            "deferred",
        ),
        (sum(one.taken is AdviceOutcome.OVERRIDDEN for one in told), "overridden"),
        (sum(one.taken is AdviceOutcome.PROMOTED for one in told), "promoted"),
    )
    parts = [f"{number:,} {what}" for number, what in counts if number]
    if weighed.cold.trigger_gc:
        parts.append("to be cleared away soon")
    return ", ".join(parts) or "nothing changes"


def _own(hot: Hot) -> list[HotEntry]:
    """Return what is kept at hand; which memories are promoted is decided anew each time."""
    return [one for one in hot.keep if not one.promoted or one.path.startswith(f"{SHELF}/")]


def _last(at_hand: AtHand, path: str) -> str:
    return at_hand.items[path].last if path in at_hand.items else ""


def _known(
    snapshot: Snapshot, at_hand: AtHand, hot: Iterable[HotEntry], cold: Iterable[LetGo]
) -> dict[str, ItemFacts]:
    """Return what a decision needs about everything at hand, and about named files of the kit itself."""
    settings = snapshot.settings
    let_go = {one.path: one for one in cold}
    known = {path: _about(item, let_go.get(path), snapshot) for path, item in at_hand.items.items()}
    for path in (*let_go, *(one.path for one in hot)):
        if path not in known and belongs(snapshot, path):
            kept = must_keep(path, (), settings.shelf_keep)
            known[path] = ItemFacts(path, kept=kept or _part_of_kit(path))
    return known


def _about(item: Item, advised: LetGo | None, snapshot: Snapshot) -> ItemFacts:
    waits, used, reads_as = 0, False, ""
    if advised is not None:
        if item.file is not None and item.file.held and not item.trouble:
            reads_as = read_kinds(snapshot, [item.path])[item.path]
        sessions = sessions_after(snapshot.sessions, advised.session) if advised.session else 0
        waits = max(0, snapshot.settings.shelf_defer - sessions) if advised.session else 0
        used = bool(advised.since) and _was_used(snapshot, item, moment(advised.since))
    return ItemFacts(
        item.path,
        item.tags,
        pinned=item.factors.pinned,
        immune=item.immune,
        memory=item.memory is not None,
        kept=must_keep(item.path, item.tags, snapshot.settings.shelf_keep, reads_as),
        trouble=item.trouble,
        noted=item.noted,
        referenced=item.referenced,
        touched_since=used,
        aside=not item.factors.working,
        waits=waits,
    )


def _was_used(snapshot: Snapshot, item: Item, since: datetime) -> bool:
    """Return whether a thing was used after a moment: by hand, or in a session that began after it.

    What a talk names is noted when it is recorded, and may have been said before the advice in it.
    """
    if item.by_hand and moment(item.by_hand) > since:
        return True
    if not item.named:
        return False
    try:
        started = read_session(snapshot, item.named).started
    except ReelError:
        started = None
    return moment(started or item.named[:10]) > since


def _part_of_kit(path: str) -> str:
    file = find_kit_file(path)
    return (file.why_kept if file is not None else "") or "it belongs to the kit itself"

"""A pass of maintenance at work: what is due, what may go, each step its own commit."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.frozen import frozen, mutable
from reel_cli.features.fading.fading import Allowance, FadingPlan, Fallen, Step
from reel_cli.features.fading.pass_file import TRIES

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.rings.prunings import Prunings
    from reel_cli.core.values.change import Change
    from reel_cli.core.values.compression import CompressionGauge
    from reel_cli.core.values.holdings import Counter
    from reel_cli.features.fading.fading import BundleForms
    from reel_cli.features.fading.pass_file import UnderWay
    from reel_cli.features.fading.pass_record import SoFar
    from reel_cli.terminal.open_kit import OpenKit

SEASON = 90
"""Days after which a pass asks again which memories must stay."""
AT_ONCE = 40
"""Number of steps committed at once; Ctrl-C loses no more than these, and none by halves."""


@frozen
class StepTaken:
    """A step that was taken, and its commit."""

    step: Step
    commit: str


@mutable
class Outcome:
    """The result of a pass's steps; `left` are those that could not be taken, with the reason."""

    done: list[StepTaken] = field(default_factory=list)
    left: list[tuple[Step, str]] = field(default_factory=list)

    @property
    def freed(self) -> int:
        """Return the tokens that were let go."""
        return sum(one.step.tokens - one.step.then for one in self.done)


def _as_planned(step: Step, change: "Change") -> Step:
    """Return a step with the size that its text has, which may have been made another way."""
    from reel_cli.core.files.commit_message import FORGOT, parse_forgotten

    loss = parse_forgotten(dict(change.trailers)[FORGOT])
    return step if loss is None else replace(step, then=loss.tokens_after)


class Pass:
    """One pass through rings 3 and 4; where one was stopped before its end, that one goes on."""

    def __init__(
        self,
        opened: "OpenKit",
        named: Sequence[str] = (),
        *,
        glance: "Snapshot | None" = None,
        checked: bool = True,
    ) -> None:
        """Look through an open kit; nothing is changed before `take`.

        With `named`, these are the memories to be made again, and no others. `glance` is a reading of the
        kit as it lies on disk, where there is one already. If not `checked`, what is due is not held against
        the tape, which is enough to count how much is due.
        """
        self.opened = opened
        self.named = named
        self._glance = glance
        self._checked = checked
        self.outcome = Outcome()
        self.raised: list[Step] = []
        self.found = self._look()
        rings = self._stopped.rings if self._stopped is not None else self.found.rings
        share = opened.snapshot.settings.loss_limit
        self.allowance = Allowance(rings, share, dict(self._so_far.lost) if self._so_far else {})

    @cached_property
    def counter(self) -> "Counter":
        """Return the kit's tokenizer."""
        from reel_cli.core.tokens.counter import get_tokenizer

        return get_tokenizer(self.opened.snapshot.settings.tokenizer)

    @cached_property
    def _stopped(self) -> "UnderWay | None":
        """Return the pass begun before, if this one continues it."""
        from reel_cli.features.fading.pass_file import pass_under_way

        begun = pass_under_way(self.opened.state)
        if begun is None or self.opened.repository is None:
            return None
        from reel_cli.features.fading.pass_record import goes_on

        return begun if goes_on(self.opened.repository, begun, self.opened.now()) else None

    @cached_property
    def _so_far(self) -> "SoFar | None":
        if self._stopped is None:
            return None
        from reel_cli.features.fading.pass_record import done_since

        return done_since(self.opened.require_repository(), self._stopped.commit)

    @cached_property
    def _prunings(self) -> "Prunings":
        from reel_cli.core.rings.prunings import Prunings, read_prunings

        repository = self.opened.repository
        return read_prunings(repository, self.opened.root) if repository is not None else Prunings()

    def _since_pruning(self, name: str) -> "Collection[str] | None":
        return self._prunings.since(name)

    def _made_lately(self, sessions: int) -> "Mapping[str, str]":
        return self._prunings.made_lately(sessions)

    def _fallen(self) -> "Mapping[str, Fallen]":
        # history is read only where ring 3 has room
        from reel_cli.features.fading.pass_record import fallen_in_maintenance

        repository = self.opened.repository
        return fallen_in_maintenance(self.opened.snapshot, repository) if repository is not None else {}

    @cached_property
    def _overview(self) -> "Snapshot":
        """Return an overview of the kit as it lies on disk."""
        from reel_cli.core.files.tree import WorkTree
        from reel_cli.core.kit.glance import Glance

        root = self.opened.root
        if self._glance is not None and isinstance(self._glance.tree, WorkTree):
            return self._glance
        return Glance(WorkTree(root), root.resolve().name, root)

    @cached_property
    def _bundled_once(self) -> "BundleForms | None":
        return self._bundled()

    def _bundled(self) -> "BundleForms | None":
        """Return what the bundle that a chat begins with has; None where none can be packed."""
        from reel_cli.core.pack.build_bundle import pack_kit
        from reel_cli.core.pack.some_holdings import GATED, TAKEN_BACK
        from reel_cli.features.fading.fading import BundleForms, Form

        try:
            bundle = pack_kit(self.opened.root)
        except ReelError:
            return None
        forms = {"whole": Form.WHOLE, "marker": Form.MARKER, "tag": Form.TAG}
        # words beyond a marker that only fill the room come from history too, so a step takes none of them
        told = {
            one.id: Form.MARKER if one.id in bundle.fuller else forms[one.resolution]
            for one in bundle.loaded
            if one.ring == "3"
        }
        # in a gated kit a query finds each of them whole, and a chat that was taken back may count again, so
        # none goes for want of room
        apart = (GATED, TAKEN_BACK)
        found = dict.fromkeys((one.id for one in bundle.left_out if one.reason in apart), Form.WHOLE)
        return BundleForms(
            {**found, **told},
            {one.id for one in bundle.loaded if one.ring == "4"},
            {name for tie in bundle.ties for name in (tie.id, tie.last)},
        )

    def _look(self) -> FadingPlan:
        """Return what is due; what strayed from its source does not fade, because it is made again."""
        strayed: frozenset[str] = frozenset()
        found = self._look_beside(strayed)
        while self._checked and (more := self._strayed_among(found.steps) - strayed):
            strayed |= more
            found = self._look_beside(strayed)
        return found

    def _strayed_among(self, steps: Sequence[Step]) -> frozenset[str]:
        from reel_cli.features.fading.fading import Move
        from reel_cli.features.fading.validation import list_regenerations

        fading = {step.id for step in steps if step.move is Move.DESCEND}
        if not fading:
            return frozenset()
        opened = self.opened
        found = list_regenerations(self._overview, opened.root, opened.repository, self.counter, only=fading)
        return frozenset(step.id for step in found)

    def _look_beside(self, strayed: "Collection[str]") -> FadingPlan:
        from reel_cli.features.fading.survey import look_through

        opened = self.opened
        return look_through(
            self._overview,
            self.counter,
            now=opened.now(),
            touches=opened.state.pending_touches(),
            moved=self._so_far.moved if self._so_far is not None else (),
            since_pruning=self._since_pruning,
            fallen=self._fallen,
            made_lately=self._made_lately,
            last_steps=lambda: self._prunings.last_steps,
            asleep=lambda: self._prunings.asleep,
            bundled=lambda: self._bundled_once,
            strayed=strayed,
            lossy=self.lossy(TRIES),
        )

    def lossy(self, tries: int) -> "Collection[str]":
        """Return the unchanged memories of which shorter texts lost too much so often."""
        from reel_cli.features.fading.pass_file import list_lossy

        found = list_lossy(self.opened.state)
        if not found:
            return frozenset()
        from reel_cli.features.fading.ask import snapshot_blob

        overview = self._overview
        return {
            name
            for name, (blob, count) in found.items()
            if count >= tries and blob == snapshot_blob(overview, name)
        }

    @cached_property
    def gauge(self) -> "CompressionGauge | None":
        """Return what judges shorter texts; None where that feature was taken away."""
        from reel_cli.features.fading.plan import find_gauge

        return find_gauge(self.opened.snapshot)

    @cached_property
    def drifted(self) -> Sequence[Step]:
        """Return the memories that left their source, to be made again at their level; the worst first.

        What is pinned stays as it is, and so does for some sessions what was made anew just now; those that
        are named are made again all the same.
        """
        from reel_cli.features.fading.validation import list_regenerations, name_regenerations

        opened = self.opened
        if self.named:
            return name_regenerations(opened.snapshot, self.named, self.counter)
        return list_regenerations(self._overview, opened.root, opened.repository, self.counter)

    @cached_property
    def notes(self) -> tuple[int, int] | None:
        """Return the tokens of ring 2 and the most it may have, if it is over its range; else None."""
        from reel_cli.features.fading.plan_tidying import over_range

        return over_range(self.opened.snapshot, self.counter)

    @property
    def by_age(self) -> bool:
        """Return whether immunity goes by age rather than by what a memory is worth (REEL §10.7)."""
        from reel_cli.features.fading.attachment import goes_by_age

        return goes_by_age(self._overview)

    @cached_property
    def asks_what_stays(self) -> bool:
        """Return whether it is time for the persona to say which memories must stay (REEL §6.7).

        It is where some are immune, and that was not gone through for a season.
        """
        from reel_cli.core.moment import days_since, moment
        from reel_cli.features.fading.pass_file import last_review

        overview = self._overview
        if self.named or not overview.sessions or self.found.cold:
            return False
        if not any(line.immune for line in overview.index.lines.values()):
            return False
        since = last_review(self.opened.state) or f"{min(overview.sessions)[:10]}T00:00:00+00:00"
        days = days_since(moment(since), self.opened.now())
        return days is not None and days >= SEASON

    def anew(self, done: "Collection[str]" = ()) -> "Pass":
        """Return the pass with the kit as it is now, and the named memories without those done."""
        named = [name for name in self.named if name.upper() not in done]
        return Pass(self.opened.context.open_kit(), named)

    # -- taking steps ------------------------------------------------------------------------

    def take(self, steps: Sequence[Step]) -> None:
        """Run steps that need no model, each its own commit, in batches that are whole or not made.

        A step whose memory is another one by now is left, and `outcome` says why. Raises StateError
        where a file was changed while its step was being taken; what is committed stays.
        """
        if not steps:
            return
        ring0 = self._ring0_at_hand
        self.begin()
        with self._telling_how_far(len(steps)), self.opened.console.progress("Letting go", len(steps)) as on:
            for start in range(0, len(steps), AT_ONCE):
                batch = steps[start : start + AT_ONCE]
                self._take(batch, ring0)
                on(len(batch))

    def let_go(self, within: Sequence[Step], beyond: Sequence[Step]) -> None:
        """Run these steps; with nothing left `beyond` them, give back what there is room for, and end."""
        self.take(within)
        if beyond:
            self.tidy()
            return
        self.give_back(self.found.raises)
        self.end()

    def give_back(self, steps: Sequence[Step]) -> None:
        """Raise memories by a level, each its own commit.

        One that cannot have it is left, and told of.
        """
        from reel_cli.core.git.history import read_log
        from reel_cli.features.fading.pass_record import plan_raise

        if not steps:
            return
        opened, repository = self.opened, self.opened.require_repository()
        commits = read_log(repository)
        for step in steps:
            try:
                change = plan_raise(opened.snapshot, repository, self.counter, step, commits, opened.now())
            except StateError:
                raise
            except ReelError as error:
                self.outcome.left.append((step, error.message))
                continue
            opened.commit_all([change])
            self.raised.append(step)

    @cached_property
    def _ring0_at_hand(self) -> str:
        """Return the blob of the identity in force (REEL §10.3); raises ReelError where there is none."""
        from reel_cli.core.kit.approved_rings import read_in_force
        from reel_cli.core.kit.snapshot import IDENTITY

        ring0 = read_in_force(self.opened.snapshot, self.opened.repository)
        if not ring0.identity.strip():
            message = f"{IDENTITY} is empty: nothing fades before it says who the persona is."
            raise ReelError(
                message, hint=f"write who {self.opened.snapshot.settings.name} is into {IDENTITY}"
            )
        return ring0.blob

    def _take(self, steps: Sequence[Step], ring0: str) -> None:
        from reel_cli.core.files.ledger_file import journal_path
        from reel_cli.core.moment import stamp
        from reel_cli.core.rings.attention import read_attention
        from reel_cli.features.fading.ask import snapshot_blob
        from reel_cli.features.fading.pass_file import note_loss
        from reel_cli.features.fading.plan import CompressionLossError, plan_step

        opened, repository = self.opened, self.opened.require_repository()
        planned = opened.snapshot
        # pinned from another terminal meanwhile: the journal is not the one that was read
        places = {*planned.list("journal"), journal_path(stamp(opened.now()))}
        reads = {path: planned.read(path) for path in sorted(places)}
        pinned: Collection[str] = read_attention(planned, opened.state.pending_touches()).pinned
        taken = []
        for step in steps:
            try:
                change = plan_step(
                    planned, repository, self.counter, step, pinned=pinned, reads=reads, gauge=self.gauge
                )
            except StateError:
                raise
            except CompressionLossError as error:
                note_loss(opened.state, step.id, snapshot_blob(planned, step.id), TRIES)
                self.outcome.left.append((step, error.message))
                continue
            except ReelError as error:
                self.outcome.left.append((step, error.message))
                continue
            change = replace(change, trailers=(*change.trailers, ("Reel-Ring0", ring0)))
            taken.append((_as_planned(step, change), change))
            planned = planned.after(change)
        for (step, _), applied in zip(taken, opened.commit_all([c for _, c in taken]), strict=True):
            self.allowance.spend(step)
            self.outcome.done.append(StepTaken(step, applied.commit))

    def begin(self) -> None:
        """Remember where the pass begins, so that it can go on from there."""
        from reel_cli.core.moment import stamp
        from reel_cli.features.fading.pass_file import UnderWay, save_pass

        head = self.opened.require_repository().head()
        if self._stopped is None and head is not None and not self.outcome.done:
            save_pass(self.opened.state, UnderWay(stamp(self.opened.now()), head, self.found.rings))

    def end(self) -> None:
        """End the pass except for its prompts: note the time, and let git tidy up."""
        from reel_cli.core.moment import stamp
        from reel_cli.features.fading.pass_file import end_pass

        asks = any(step.asks for step in self.found.steps)
        end_pass(self.opened.state, stamp(self.opened.now()), asks=asks)
        self.tidy()

    def tidy(self) -> None:
        """Run git's packing if git finds it worthwhile."""
        from reel_cli.core.git.housekeeping import tidy_history

        if self.opened.repository is not None:
            tidy_history(self.opened.repository)

    @contextmanager
    def _telling_how_far(self, count: int) -> Iterator[None]:
        """Record in the context what is committed, in case the pass is stopped or fails midway."""
        context = self.opened.context
        before = len(context.done)
        try:
            yield
        except KeyboardInterrupt:
            made = len(context.done) - before
            if made > 1:
                context.done[before:] = [f"{made:,} of {count:,} steps of maintenance"]
            context.waiting = "run the same command again; it goes on where it stopped"
            raise
        except ReelError as error:
            made = len(context.done) - before
            if not made:
                raise
            done = f"{made:,} of {count:,} steps are committed already and stay so"
            raise type(error)(error.message, hint=f"{error.hint}; {done}" if error.hint else done) from error

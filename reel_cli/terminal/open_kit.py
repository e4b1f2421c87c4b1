"""One kit, opened for a command: its snapshot, its moment, and the one way in which changes are applied."""

from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError, UsageError
from reel_cli.core.files.state import State
from reel_cli.core.git.git_folder import command_for_history
from reel_cli.terminal.console import Console

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reel_cli.core.change.early_storage import StoredAhead
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.glance import Glance
    from reel_cli.core.kit.moment_of_kit import KitMoment
    from reel_cli.core.kit.past import PastGlance
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.tape.known_sessions import KnownSessions
    from reel_cli.core.values.change import AppliedChange, Change
    from reel_cli.terminal.context import Context

INDEX_HELD = (
    "Another git command has .git/index.lock, or was stopped; git's index gets these files later."
    " What to do:  reel doctor"
)


@dataclass(eq=False, repr=False)
class OpenKit:
    """One kit, opened: its place, its repository (None: not under git yet), its snapshot."""

    context: "Context"
    root: Path
    repository: "Repository | None"
    state: State = field(init=False)
    foreign: StateError | None = None
    """Reason why the repository that the kit's `.git` leads to is not used: it is not the kit's own."""
    unfinished: "StateError | None" = None
    """Reason why a stopped command could not be finished yet; only reading commands are given such a kit."""
    then: "KitMoment | None" = None
    """The moment of the past that is looked at; None for how it lies here now."""
    past: "PastGlance | None" = None
    """The kit at that moment, for an overview."""

    _began: str | None = None
    """The commit that was checked out before anything of the snapshot was read."""

    def __post_init__(self) -> None:
        self.state = State(self.root)

    @property
    def console(self) -> Console:
        """Return the console of this command."""
        return self.context.console

    @cached_property
    def snapshot(self) -> "Snapshot":
        """Return the kit as it lies on disk, read once."""
        # packing, the hottest command, reads the catalog instead and does not need this
        from reel_cli.core.files.tree import WorkTree
        from reel_cli.core.kit.snapshot import Snapshot

        self._began = self.repository.head() if self.repository is not None else None
        return Snapshot(WorkTree(self.root), self.root.name)

    @cached_property
    def known(self) -> "KnownSessions":
        """Return the index of the tape's sessions, which includes what this command records."""
        from reel_cli.core.files.private import cache_folder
        from reel_cli.core.files.tree import WorkTree
        from reel_cli.core.tape.known_sessions import KnownSessions

        folder = cache_folder(self.root)
        # a command that opens the kit again, once it is clear what to do, has parsed all rows already
        path = folder / "tape.sqlite" if folder is not None else None
        known = self.context.known_sessions.setdefault(self.root, KnownSessions(path))
        tree = WorkTree(self.root)
        known.refresh(self.snapshot.sessions, tree.stamp, tree.read)
        known.save()
        return known

    @cached_property
    def zone(self) -> tzinfo | None:
        """Return the zone of shown dates: the kit's own, else the machine's (None)."""
        # an overview knows the settings without reading them, where nothing was read yet
        known = self.snapshot if "snapshot" in self.__dict__ or self.past is not None else self._overview()
        name = known.settings.timezone
        from reel_cli.core.moment import find_zone

        return None if name is None else find_zone(name)

    @property
    def walks(self) -> bool:
        """Return whether an exchange can be completed at once: a person is here, or the prompt is sent."""
        return self.console.interactive or self.sends

    @property
    def over_wire(self) -> bool:
        """Return whether prompts are sent: by an option, or by the kit's setting if a person is there."""
        return self.context.via is not None and self.context.via.travels(self)

    @property
    def sends(self) -> bool:
        """Return whether the command was told to send its prompt."""
        return self.context.via is not None and self.context.via.sends

    @property
    def again(self) -> str:
        """Return the option that a next command needs to read the same moment; "" for now."""
        return f" --at {self.then.asked}" if self.then is not None else ""

    def told_then(self) -> "dict[str, object]":
        """Return the JSON fields for the moment that an answer is about; none if it is about now."""
        then = self.then
        return {"at": {"commit": then.commit, "time": then.recorded.isoformat()}} if then is not None else {}

    def breathe(self, *, ends: bool) -> None:
        """Say what can be put away; where a session `ends`, do it if somebody is there to say so."""
        from reel_cli.core.ports import bring

        for breathe_out in bring("breaths"):
            breathe_out(self, ends=ends)

    def keep_up(self) -> None:
        """Do by itself what is due, at the beginning or end of a session, where the kit wants that."""
        from reel_cli.core.ports import bring

        for run in bring("upkeep"):
            run(self)

    def look_back(self, at: str | None) -> "KitMoment | None":
        """Turn to a moment of the past, where one is given, and say in one line which it is.

        From here on `snapshot` is the kit as it was then, and nothing of it can be changed. Where none is
        given, it is said once if the kit has no history. Raises what `flows.at.resolve_at` does.
        """
        if at is None:
            self.note_if_without_history()
            return None
        from reel_cli.core.git.commit_tree import CommitTree
        from reel_cli.core.kit.moment_of_kit import resolve_at
        from reel_cli.core.kit.past import PastGlance
        from reel_cli.core.kit.snapshot import Snapshot

        name = self.root.resolve().name
        self.then = resolve_at(self.repository, at, self.zone, name)
        tree = CommitTree(self.require_repository(), self.then.commit)
        self.past = PastGlance(tree, name, self.root)
        self.__dict__["snapshot"] = Snapshot(tree, name)
        self.console.say(self.then.line)
        return self.then

    def now(self) -> datetime:
        """Return the time, in the kit's zone."""
        return self.context.now().astimezone(self.zone)

    def require_repository(self) -> "Repository":
        """Return the kit's repository; raises StateError if there is none, or its `.git` is another's."""
        if self.foreign is not None:
            raise self.foreign
        if self.repository is None:
            message = f"{self.root.name} has no history (git) yet, so nothing can be recorded in it."
            hint = f"make a kit with history from it:  {command_for_history(self.root)}"
            raise StateError(message, hint=hint)
        return self.repository

    def note_if_without_history(self) -> None:
        """Report in one line, once, that a kit is read without its history."""
        if self.foreign is not None:
            self.console.say(f"{self.foreign.message}  It is read without history.")
        elif self.repository is None:
            self.console.say(f"{self.root.name} has no history (git) yet; reading the files as they are.")

    def commit(self, change: "Change") -> "AppliedChange":
        """Apply a change as one commit, with the attention noted since the last one folded in."""
        return self._apply([change])[0]

    @cached_property
    def _ahead(self) -> "StoredAhead":
        from reel_cli.core.change.early_storage import StoredAhead

        return StoredAhead(self.require_repository())

    def store_ahead(self, change: "Change") -> None:
        """Begin to store what a change writes, which `commit_all` will commit; it only saves time."""
        self._ahead.put(change)

    def drop_ahead(self) -> None:
        """Discard what was stored ahead and will not be committed."""
        if "_ahead" in self.__dict__:
            self._ahead.drop()

    def commit_all(self, changes: "Sequence[Change]") -> "Sequence[AppliedChange]":
        """Apply changes, each a commit of its own, all of them or none; one `AppliedChange` a change.

        A later change may have been planned on an earlier one (Snapshot.after). Afterwards
        `snapshot` is read anew.
        """
        applied = self._apply(changes) if changes else ()
        self.look_again()
        return applied

    def look_again(self) -> None:
        """Discard `snapshot`, since the kit may have changed."""
        if self.then is None:
            self.__dict__.pop("snapshot", None)

    def require_memories(self) -> None:
        """Refuse to go on while memories, index, notes or facts are missing from disk; StateError then."""
        from reel_cli.core.change.preflight import missing_problem
        from reel_cli.core.files.kit_files import list_kit_files
        from reel_cli.core.kit.kit_damage import list_missing

        files = (file.path for file in list_kit_files() if file.needed and not file.path.endswith("/"))
        lost = list_missing(self.root, self.repository, under=("ring2/", "ring3/", "ring4/", *files))
        if lost:
            # the chat may have been recorded by this command already
            back = "it is" if len(lost) == 1 else "they are"
            raise missing_problem(lost, f"no page can be kept before {back} back")

    def bring_back_records(self) -> None:
        """Restore missing files that recording adds to, so that a chat never waits for it; report that."""
        from reel_cli.core.files.kit_files import name_missing, put_back_paths
        from reel_cli.core.kit.kit_damage import list_missing

        lost = list_missing(self.root, self.repository, under=put_back_paths())
        if not lost or self.repository is None:
            return
        from reel_cli.core.kit.hand_edits import put_back_all
        from reel_cli.features.forgetting.restore_files import plan_restore_files

        planned = plan_restore_files(self.snapshot, self.repository, lost)
        put_back_all(self.repository, self.root, planned.put, self.now())
        self.look_again()
        told = (
            name_missing(lost).replace(" is missing", " was missing").replace(" are missing", " were missing")
        )
        self.console.say(f"{told}; brought back as last saved.")

    def _refuse_over_missing(self, changes: "Sequence[Change]", missing: "Sequence[str]") -> None:
        """Refuse changes that write a missing file or were planned without it: its loss is not theirs."""
        if missing:
            from reel_cli.core.change.preflight import missing_problem
            from reel_cli.core.rings.losses import needed_first

            needed = [path for one in changes for path in needed_first(one, self.snapshot, missing)]
            if needed:
                raise missing_problem(sorted(set(needed)))

    def _apply(self, changes: "Sequence[Change]") -> "Sequence[AppliedChange]":
        """Apply them, the attention noted since the last commit folded into the last.

        Where the kit comes to have a past by that, or had one before it was ever noted, that becomes a
        commit of its own right after.
        """
        from reel_cli.core.files.ledger_file import fold_touches
        from reel_cli.core.kit.kit_damage import list_missing
        from reel_cli.core.kit.snapshot import EVENTS, SIZED
        from reel_cli.features.page.cold_start import has_grown_up

        if self.then is not None:
            message = f"The past ({self.then.words}) cannot be changed."
            raise UsageError(message, hint="leave out  --at")
        repository = self.require_repository()
        if any(path in SIZED for one in changes for path in one.writes):
            from reel_cli.core.pack.ring0_limit import require_change_fits

            require_change_fits(self.snapshot, repository, changes)
        if any("kit.yaml" in one.writes for one in changes):
            from reel_cli.core.rings.lost_header import require_name

            require_name(self.snapshot, repository, changes)
        missing = list_missing(self.root, self.repository)
        self._refuse_over_missing(changes, missing)
        grown = has_grown_up(self._overview())
        # they wait while the journal they belong into is missing
        lacks = any(path.startswith("journal/") for path in missing)
        touches = () if lacks else self.state.pending_touches()
        *earlier, last = changes
        planned = self.snapshot
        for change in earlier:
            planned = planned.after(change)
        whole = [*earlier, fold_touches(last, planned, touches)]
        # a lost file of events is not begun anew
        applied = self._transact_noted(whole, note=EVENTS not in missing)
        self.state.drop_touches(len(touches))
        self._tell(applied)
        if "known" in self.__dict__:
            self._settle_known(changes)
        self._note_transition(before=grown)
        self._settle_written(changes)
        return applied

    def _transact_noted(self, changes: "Sequence[Change]", *, note: bool) -> "Sequence[AppliedChange]":
        """Apply changes with the events of their memories; without them, if those are in the way."""
        from contextlib import suppress

        from reel_cli.core.files.tree import WorkTree
        from reel_cli.core.kit.snapshot import EVENTS
        from reel_cli.core.moment import stamp
        from reel_cli.core.tape.made_memories import note_made

        seen, head = self.snapshot.seen(), self.require_repository().head()
        told, read = changes, dict[str, bytes | None]()
        if note:
            with suppress(ReelError):
                lying = WorkTree(self.root).read(EVENTS)
                told, read = note_made(self.snapshot, changes, stamp(self.now()), lying)
        try:
            return self._transact(told, {**seen, **read})
        except StateError:
            if told is changes or self.require_repository().head() != head:
                raise
        return self._transact(changes, seen)

    def _settle_written(self, changes: "Sequence[Change]") -> None:
        """Have features settle what belongs to files that were written just now."""
        from reel_cli.core.kit.snapshot import IDENTITY
        from reel_cli.core.ports import list_feature_files, resolve

        written = {path for change in changes for path in change.writes}
        if IDENTITY in written:
            self.note_seen_doubt()
        for feature, file in list_feature_files():
            touched = "kit.yaml" in written or any(path.startswith(file.path) for path in written)
            if file.committed and touched:
                self.look_again()
                resolve(feature, file.committed)(self)

    def note_seen_doubt(self) -> None:
        """Record that the person looked at who the persona is: a page's doubt of it is due no more."""
        from contextlib import suppress

        from reel_cli.core.tape.tape_view import standing_sessions
        from reel_cli.features.page.due import mark_doubt

        with suppress(ReelError, OSError):
            self.look_again()
            if mark := mark_doubt(self.snapshot, standing_sessions(self.snapshot)):
                self.state.save_seen_doubt(mark)

    def _transact(
        self, changes: "Sequence[Change]", seen: "Mapping[str, bytes | None]"
    ) -> "Sequence[AppliedChange]":
        """Apply changes that were planned on these bytes, and keep in mind that they are done."""
        from reel_cli.core.change.transaction import apply_changes
        from reel_cli.core.git.identity import author_identity

        repository = self.require_repository()
        before = repository.head()
        try:
            applied = apply_changes(
                repository,
                self.root,
                changes,
                seen,
                when=self.now(),
                identity=author_identity(repository, self.snapshot.settings.author),
                waiting=lambda: self.console.say(
                    "Another reel command is working on this kit; waiting for it."
                ),
                stored=lambda: self._ahead.finish() if "_ahead" in self.__dict__ else (),
                began=self._began,
            )
        except KeyboardInterrupt:
            # a deferred signal may arrive after the commits are made
            if repository.head() != before:
                self.context.done += [change.done for change in changes]
            raise
        self.context.done += [change.done for change in changes]
        return applied

    def _tell(self, applied: "Sequence[AppliedChange]") -> None:
        """Report what became of a person's own edits meanwhile."""
        for path in dict.fromkeys(path for one in applied for path in one.kept):
            self.console.say(
                f"{path} was edited meanwhile; your text is in the file, reel's is in the history."
            )
        if edited := list(dict.fromkeys(path for one in applied for path in one.edited)):
            from reel_cli.core.kit.hand_edits import tell_edited

            self.console.say(self.console.wrap(tell_edited(edited), self.console.err))
        if any(one.waits for one in applied):
            self.context.warn(INDEX_HELD)

    @property
    def overview(self) -> "Snapshot":
        """Return an overview of the kit, as it is now or at the moment looked at."""
        return self.past if self.past is not None else self._overview()

    def _overview(self) -> "Glance":
        """Return the kit as it lies on disk now, at a glance."""
        from reel_cli.core.files.tree import WorkTree
        from reel_cli.core.kit.glance import Glance

        return Glance(WorkTree(self.root), self.root.name, self.root)

    def _note_transition(self, *, before: bool) -> None:
        """Record the end of the cold start on the tape, once, and report it in one line.

        `before`: whether it had come before the last change, for pruning does not make a kit young again.
        What was done stands in any case; where something is in the way now, it is noted the next time.
        """
        from reel_cli.features.page.cold_start import has_grown_up, plan_transition

        overview = self._overview()
        if not (before or has_grown_up(overview)):
            return
        try:
            change = plan_transition(overview, self.now())
            if change is None:
                return
            self._tell(self._transact([change], overview.seen()))
        except (ReelError, OSError):
            return
        for note in change.notes:
            self.console.say(self.console.wrap(note, self.console.err))

    def _settle_known(self, changes: "Sequence[Change]") -> None:
        """Mark the planned tape changes as being on disk."""
        from reel_cli.core.files.tree import WorkTree
        from reel_cli.core.values.source import session_of

        sizes = {
            session: len(data or b"")
            for change in changes
            for path, data in change.writes.items()
            if (session := session_of(path)) is not None
        }
        self.known.settle(sizes, WorkTree(self.root).stamp)

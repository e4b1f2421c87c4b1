"""A kit's history made anew in a repository beside it, before anything of the kit is touched."""

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reel_cli.core.change.chain import BY_HAND
from reel_cli.core.change.preflight import check_place, require_branch
from reel_cli.core.errors import StateError
from reel_cli.core.files.commit_message import render_message
from reel_cli.core.files.private import OWNER_FOLDER, mark_own, write_private
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.intent import FILE_MODES, StagedEntry
from reel_cli.core.git.process import Git
from reel_cli.core.git.repository import Repository, find_repository
from reel_cli.core.git.storage.object_reader import ObjectReader
from reel_cli.core.git.storage.objects import NewObjects, render_commit
from reel_cli.core.git.storage.trees import Trees, read_folders
from reel_cli.core.kit.hand_edits import EditKind
from reel_cli.core.tape.erasure.target import PurgeTarget
from reel_cli.core.values.change import Change
from reel_cli.features.purge.aim import Aim
from reel_cli.features.purge.committed_edits import list_committed_edits, list_loose_files
from reel_cli.features.purge.history_rewrite import HistoryRewrite, Rewrite
from reel_cli.features.purge.preflight import LEFT, Name, list_names
from reel_cli.features.purge.swap import FRESH, LOOSE, MovedFile, MovedName, PurgeIntent, purge_folder

NOTES = "refs/notes/"


@dataclass
class FreshHistory:
    """A new repository in `.reel/state/purge`, which at first borrows what the kit's own holds.

    `base` is the commit the kit is at, `before` the same with a person's edits committed on top of it, and
    `tip` what it became.
    """

    repo: Repository
    kit: Path
    lock: int
    signature: str
    branch: str = field(init=False)
    base: str = field(init=False)
    before: str = field(init=False)
    tip: str = ""
    names: Sequence[MovedName] = ()
    by_hand: Sequence[str] = ()
    disk: Mapping[str, str] = field(default_factory=dict)
    """The blobs of the kit's files as they lie there."""
    loose: Sequence[str] = ()
    moved: Sequence[MovedFile] = ()
    fresh: Repository = field(init=False)

    @property
    def folder(self) -> Path:
        """Return the folder of all of it."""
        return purge_folder(self.kit)

    @property
    def git(self) -> Git:
        """Return git in the new repository."""
        return Git(self.folder / FRESH, (self.lock,))

    def begin(self, aim: Aim) -> None:
        """Make the new repository, and in it the commit of what a person edited by hand."""
        self.branch = require_branch(self.repo)
        base = self.repo.head()
        if base is None:
            message = "This kit has no history yet, so there is nothing to purge."
            raise StateError(message, hint="delete the text from the file it is in")
        self.base = base
        self.folder.mkdir(mode=OWNER_FOLDER)
        mark_own(self.folder)
        form = ("--object-format=sha256",) if self.repo.sha256 else ()
        Git(self.kit, (self.lock,))(
            *("init", "-q", "--template=", *form, "-b", "main", "--", str(self.folder / FRESH))
        )
        found = find_repository(self.folder / FRESH)
        if found is None:
            message = f"git could not make a repository in {self.folder}."
            raise StateError(message)
        self.fresh = found
        self._borrow(self.repo.common_dir / "objects")
        self.before = self._commit_edits()
        self.loose = list_loose_files(self.repo, self.kit, aim)
        with CommitTree(self.fresh, self.before) as tree:
            self.disk = tree.ids

    def _borrow(self, objects: Path) -> None:
        place = self.fresh.git_dir / "objects" / "info" / "alternates"
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(os.fsencode(f"{objects.resolve()}\n"))

    def _commit_edits(self) -> str:
        edited = list_committed_edits(self.repo)
        if not edited:
            return self.base
        tree, objects = WorkTree(self.kit), NewObjects(self.repo)
        trees = Trees(objects, read_folders(self.fresh, self.git, self.base, edited))
        for path, how in edited.items():
            if how is EditKind.CONFLICT:
                message = f"{path} has an unfinished merge; nothing was changed."
                raise StateError(message, hint="end the merge first")
            check_place(self.kit, path)
            data, there = tree.read(path), trees.entry(path)
            if there is not None and there.mode not in FILE_MODES:
                message = f"{path} is a link or a folder in git, not a file; nothing was changed."
                raise StateError(message, hint="put a file of that name in its place, and commit that")
            mode = there.mode if there else FILE_MODES[0]
            trees.set(path, None if data is None else StagedEntry(mode, objects.add("blob", data)))
        top = trees.write(edited)
        made = objects.add("commit", render_commit(top, self.base, self.signature, render_message(BY_HAND)))
        self._store(objects, "edits")
        self.by_hand = list(edited)
        return made

    def _store(self, objects: NewObjects, name: str) -> None:
        with (self.folder / name).open("x+b") as scratch:
            objects.write(self.git, scratch)

    def rewrite(self, rewrite: Rewrite, wanted: PurgeTarget) -> HistoryRewrite:
        """Make all commits, tags and notes anew; afterwards `tip` and `names` say what they became."""
        refs = list_names(self.repo)
        kept = [ref for ref in refs if not ref.ref.startswith(LEFT)]
        with ObjectReader(self.fresh.root) as reader:
            made = HistoryRewrite(self.fresh, self.git, reader, rewrite, wanted, self.folder)
            made.run([self.before, *commits_of(reader, kept)])
            self.tip = made.names.get(self.before, self.before)
            self.names = list(self._moved(made, refs))
            made.flush()
        self.moved = list(self._rewrite_loose(made, rewrite))
        return made

    def _rewrite_loose(self, made: HistoryRewrite, rewrite: Rewrite) -> Iterator[MovedFile]:
        """Write what the loose files are to be into the purge's folder, since no history holds it."""
        tree = WorkTree(self.kit)
        (self.folder / LOOSE).mkdir(mode=OWNER_FOLDER)
        for path in self.loose:
            check_place(self.kit, path)
            data = tree.read(path) or b""
            fresh = rewrite(path, data)
            was, now = self.repo.blob_id(data), self.repo.blob_id(fresh)
            name = "/".join(map(made.new_part, path.split("/")))
            write_private(self.folder / LOOSE / now, fresh)
            if name != path:
                yield MovedFile(path, was, None, FILE_MODES[0])
            yield MovedFile(name, was if name == path else None, now, FILE_MODES[0])

    def _moved(self, made: HistoryRewrite, refs: Sequence[Name]) -> Sequence[MovedName]:
        found: list[MovedName] = []
        for ref in refs:
            if ref.ref == self.branch:
                continue
            new: str | None = None
            if ref.ref.startswith(NOTES) and ref.kind == "commit":
                new = made.notes(ref.object, self.signature)
            elif not ref.ref.startswith(LEFT):
                new = made.point(ref.object, ref.kind)
            called = made.new_part(ref.ref) if new else ref.ref
            if called != ref.ref:
                found.append(MovedName(ref.ref, ref.object, None))
            found.append(MovedName(called, ref.object if called == ref.ref else None, new))
        return found

    def commit(self, change: Change) -> None:
        """Add a commit on top of the rewritten ones."""
        objects = NewObjects(self.fresh)
        trees = Trees(objects, read_folders(self.fresh, self.git, self.tip, change.writes))
        for path, data in change.writes.items():
            trees.set(path, None if data is None else StagedEntry(FILE_MODES[0], objects.add("blob", data)))
        top = trees.write(change.writes)
        made = render_commit(top, self.tip, self.signature, render_message(change))
        self.tip = objects.add("commit", made)
        self._store(objects, "record")

    def seal(self) -> None:
        """Reduce the new repository to what its names lead to, and have git check it."""
        lines = [f"create {self.branch} {self.tip}\n"]
        lines += [f"create {name.ref} {name.new}\n" for name in self.names if name.new]
        self.git("update-ref", "--stdin", input="".join(lines).encode("utf-8", "surrogateescape"))
        self.git("symbolic-ref", "HEAD", self.branch)
        self.git("repack", "-a", "-d", "-q")
        self.git("prune", "--expire=now")
        (self.fresh.git_dir / "objects" / "info" / "alternates").unlink()
        self.git("fsck", "--connectivity-only", "--no-dangling", "--no-progress")

    def intent(self) -> PurgeIntent:
        """Return the plan for the kit, now that its new history is there and verified."""
        with CommitTree(self.fresh, self.tip) as new:
            now, fresh = self.disk, new.ids
            modes = _modes(self.git, self.tip)
            files = [
                MovedFile(path, now.get(path), fresh.get(path), modes.get(path, FILE_MODES[0]))
                for path in sorted({*now, *fresh})
                if now.get(path) != fresh.get(path)
            ]
        return PurgeIntent(self.branch, self.base, self.tip, tuple(self.names), (*files, *self.moved))

    def discard(self) -> None:
        """Remove all of it again."""
        shutil.rmtree(self.folder, ignore_errors=True)


def commits_of(reader: ObjectReader, names: Sequence[Name]) -> Sequence[str]:
    """Return the commits that some names lead to, also through tags; notes are not history."""
    found = []
    for name in names:
        target, kind = name.object, name.kind
        while kind == "tag":
            head = reader.read(target)[1].split(b"\n", 2)
            target, kind = (line.partition(b" ")[2].decode("ascii") for line in head[:2])
        if kind == "commit" and not name.ref.startswith(NOTES):
            found.append(target)
    return found


def _modes(git: Git, commit: str) -> Mapping[str, str]:
    listed = git("ls-tree", "-r", "-z", "--full-tree", commit)
    rows = (line.partition(b"\t") for line in listed.split(b"\0") if line)
    return {os.fsdecode(name): head[:6].decode("ascii") for head, _, name in rows}

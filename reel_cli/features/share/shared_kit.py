"""A shared kit as it lies on disk: where it is, what is in it, and the one way in which it is changed."""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.private import OTHERS, OWNER_FOLDER
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.apart_kits import home_of
from reel_cli.core.kit.known_kits import list_kits
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.memory import SHARED as SHARED_TAG
from reel_cli.features.share.files import (
    FOLDER,
    SHARED,
    SHARED_ID,
    SHARES,
    Member,
    SharedMemory,
    Shares,
    begin_shared,
    parse_members,
    parse_shared,
    parse_shares,
    render_shared,
    set_members,
    shared_path,
)
from reel_cli.features.share.policy import may_know

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

OP = "share"
USUAL = ("shared", "shared-memories")
"""Names of the folder beside a kit in which its shared kit is made; the second if the first is taken."""
_IGNORED = ".reel/\n"


@dataclass
class SharedKit:
    """A shared kit; `root` need not be there yet."""

    root: Path
    snapshot: Snapshot = field(init=False)

    def __post_init__(self) -> None:
        self.snapshot = Snapshot(WorkTree(self.root), self.root.name)

    @property
    def there(self) -> bool:
        """Return whether it has been made."""
        return (self.root / SHARED).is_file()

    @property
    def open_to_others(self) -> bool:
        """Return whether other accounts on this machine can read its folder."""
        return os.name != "nt" and bool(self.root.stat().st_mode & OTHERS)

    @cached_property
    def _members(self) -> tuple[Mapping[str, Member], Mapping[str, tuple[str, ...]]]:
        text = self.snapshot.text(SHARED)
        return parse_members(text) if text is not None else ({}, {})

    @property
    def kits(self) -> Mapping[str, Member]:
        """Return the kits that belong to it, by their names there."""
        return self._members[0]

    @property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """Return its groups of kits."""
        return self._members[1]

    @cached_property
    def _read(self) -> tuple[Mapping[str, SharedMemory], Mapping[str, str]]:
        found: dict[str, SharedMemory] = {}
        broken: dict[str, str] = {}
        for path in self.snapshot.list(FOLDER):
            try:
                one = parse_shared(self.snapshot.text(path) or "", path)
            except ReelError as error:
                broken[path] = error.message
            else:
                found[one.id] = one
        return found, broken

    @property
    def memories(self) -> Mapping[str, SharedMemory]:
        """Return the shared memories that can be read, by ID."""
        return self._read[0]

    @property
    def broken(self) -> Mapping[str, str]:
        """Return why a file cannot be read, by its path."""
        return self._read[1]

    def read_one(self, shared_id: str) -> SharedMemory | None:
        """Return a shared memory, the others unread; None where there is none, or it cannot be read."""
        path = shared_path(shared_id)
        try:
            text = self.snapshot.text(path)
            return parse_shared(text, path) if text is not None else None
        except ReelError:
            return None

    def require(self, shared_id: str) -> SharedMemory:
        """Return a shared memory; ReelError where there is none, or it cannot be read."""
        found = self.memories.get(shared_id)
        if found is not None:
            return found
        path = shared_path(shared_id)
        if path in self.broken:
            raise ReelError(self.broken[path], hint=f"the file lies in {self.root}")
        message = f"There is no shared memory {shared_id}."
        raise ReelError(message, hint="reel share  lists them")

    def name_of(self, kit: Path) -> str:
        """Return the name that a kit has here, by its folder; "" where it does not belong to it."""
        real = kit.resolve()
        return next((name for name, one in self.kits.items() if self.folder_of(one) == real), "")

    def teller_of(self, one: SharedMemory) -> str:
        """Return the name of the persona that tells a shared memory."""
        return one_line(self.kits[one.giver].name if one.giver in self.kits else one.giver)

    def list_open(self, kit: str, shares: Shares) -> list[SharedMemory]:
        """Return the memories that a kit may take in and has not."""
        known = set(shares.taken.values())
        return [
            one for one in self.memories.values() if one.id not in known and may_know(one, kit, self.groups)
        ]

    def find_given(self, kit: str, memory_id: str) -> SharedMemory | None:
        """Return the shared memory that a kit made of one of its own, if it holds; else None."""
        found = (one for one in self.memories.values() if (one.giver, one.memory) == (kit, memory_id))
        return next((one for one in found if not one.back), None)

    def own_name(self, kit: Path, noted: str, persona: str) -> str:
        """Return a kit's name here: by its folder, else the one it noted, if the kit was moved from there.

        In its folder it is itself by the name that it noted, else by its persona's: another kit may have
        come there.
        """
        real = kit.resolve()
        here = [name for name, one in self.kits.items() if self.folder_of(one) == real]
        same = (name for name in here if self.kits[name].name.casefold() == persona.casefold())
        found = noted if noted in here else next(same, "")
        if found or noted not in self.kits:
            return found
        # a kit that was moved is still itself, unless another has its place
        return "" if (self.folder_of(self.kits[noted]) / "kit.yaml").is_file() else noted

    def folder_of(self, member: Member) -> Path:
        """Return the folder of a kit that belongs to it."""
        return Path(os.path.realpath(self.root / member.path))

    def next_id(self) -> str:
        """Return an ID that no shared memory has, not even one that cannot be read."""
        names = (Path(path).stem for path in self.snapshot.list(FOLDER))
        numbers = (int(found[1]) for name in names if (found := SHARED_ID.fullmatch(name)))
        return f"S-{max(numbers, default=0) + 1:03d}"

    def with_member(self, kit: Path, name: str, noted: str) -> tuple[str, Mapping[str, bytes | None]]:
        """Return a kit's name here, and the writes that make it belong to this.

        `name` is its persona's, `noted` the name here that the kit itself noted.
        """
        known = self.own_name(kit, noted, name)
        if known and self.kits[known].name == name and self.folder_of(self.kits[known]) == kit.resolve():
            return known, {}
        # a name that was taken out by hand is not given again: what was told to it is not for another
        told = {name for one in self.memories.values() for name in (one.giver, *one.audience, *one.taken)}
        key = known or _free(kit.resolve().name, {*self.kits, *self.groups, *told})
        path = Path(os.path.relpath(kit.resolve(), self.root.resolve())).as_posix()
        kits = {**self.kits, key: Member(name, path)}
        text = set_members(self.snapshot.text(SHARED) or begin_shared(), kits)
        more: dict[str, bytes | None] = {} if self.there else {".gitignore": _IGNORED.encode()}
        return key, {**more, SHARED: text.encode()}

    def after(self, writes: Mapping[str, bytes | None]) -> "SharedKit":
        """Return the shared kit as these writes will leave it."""
        later = SharedKit(self.root)
        later.snapshot = self.snapshot.after(Change(OP, "", writes))
        return later

    def commit(self, opened: "OpenKit", change: Change) -> None:
        """Apply a change to it as one commit, in the name of whoever works on `opened`."""
        from reel_cli.core.change.transaction import apply_change
        from reel_cli.core.git.identity import author_identity
        from reel_cli.core.git.repository import find_repository, init_repository
        from reel_cli.core.kit.creation import find_place

        identity = author_identity(opened.require_repository(), opened.snapshot.settings.author)
        repository = find_repository(self.root) if self.there else find_place(self.root).repository
        self.root.mkdir(mode=OWNER_FOLDER, parents=True, exist_ok=True)
        if self.open_to_others:
            # one made before was; what is told in it is for its owner alone
            with suppress(OSError):
                self.root.chmod(self.root.stat().st_mode & ~OTHERS & 0o7777)
        for path in change.writes:
            self.snapshot.read(path)
        apply_change(
            repository or init_repository(self.root),
            self.root,
            change,
            self.snapshot.seen(),
            when=opened.now(),
            identity=identity,
        )


def write_shared(one: SharedMemory) -> dict[str, bytes | None]:
    """Return the write that keeps a shared memory."""
    return {shared_path(one.id): render_shared(one).encode()}


def _free(folder: str, taken: set[str]) -> str:
    """Return a name like a folder's that is not taken."""
    name, number = folder, 2
    while name in taken:
        name, number = f"{folder}-{number}", number + 1
    return name


def read_shares(snapshot: Snapshot) -> Shares:
    """Return what a kit gave and took in; nothing where it has no `shares.yaml`."""
    text = snapshot.text(SHARES)
    return parse_shares(text) if text is not None else Shares()


def find_taken(snapshot: Snapshot, shares: Shares) -> dict[str, str]:
    """Return a kit's memories that were shared with it, each with its shared one, as they themselves say.

    What only `shares.yaml` says is not believed: a memory may have got another number since.
    """
    from reel_cli.core.files.front_matter import split
    from reel_cli.core.values.memory import memory_path

    lines = snapshot.index.lines
    tagged = [name for name, line in lines.items() if SHARED_TAG in line.tags]
    found: dict[str, str] = {}
    for name in dict.fromkeys((*tagged, *shares.taken)):
        path = memory_path(name)
        with suppress(ReelError):
            text = snapshot.text(path)
            noted = shares.taken.get(name, "") if name in tagged else ""
            one = split(text, path).text("shared") if text is not None else noted
            if SHARED_ID.fullmatch(one):
                found[name] = one
    return found


def shares_of(kit: Path) -> Shares:
    """Return what the kit in a folder gave and took in."""
    return read_shares(Snapshot(WorkTree(kit), kit.name))


def named_kit(root: Path, shares: Shares) -> SharedKit | None:
    """Return the shared kit that a kit's `shares.yaml` names; None where it names none.

    In a chat kept apart, whose file came from its home, the folder is as seen from there.
    """
    home = home_of(root).resolve()
    return SharedKit(Path(os.path.normpath(home / shares.shared))) if shares.shared else None


def find_shared(root: Path, shares: Shares) -> SharedKit | None:
    """Return the shared kit that a kit belongs to; None where it belongs to none.

    It is the one that its `shares.yaml` names, else one on this machine that names the kit. ReelError where
    the one it names is not there.
    """
    own = named_kit(root, shares)
    if own is not None:
        if not own.there:
            message = f"The shared kit {shares.shared} is not there, so nothing can be told or taken back."
            raise ReelError(message, hint=f"bring that folder back, or correct  shared:  in {SHARES}")
        return own
    return next((one for one in _nearby(root) if one.name_of(root)), None)


def _nearby(root: Path) -> Iterator[SharedKit]:
    """Yield the shared kits beside a kit, and those of this machine's kits; skips broken ones."""
    places = [root.resolve().parent / name for name in USUAL]
    for kit in list_kits():
        try:
            named = named_kit(kit, shares_of(kit)) if (kit / SHARES).is_file() else None
        except (ReelError, OSError):
            continue
        if named is not None:
            places.append(named.root)
    for place in dict.fromkeys(places):
        one = SharedKit(place)
        if one.there:
            try:
                _ = one.kits
            except (ReelError, OSError):
                continue
            yield one


def with_shared(root: Path, shares: Shares, kit: SharedKit, name: str) -> Shares:
    """Return a kit's shares, with the shared kit that it belongs to and its name there."""
    path = Path(os.path.relpath(kit.root.resolve(), home_of(root).resolve())).as_posix()
    return replace(shares, shared=shares.shared or path, name=name)

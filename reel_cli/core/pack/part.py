"""A part of the bundle that a feature brings, as packing sees it.

`features/table.py` declares each part: where it is, what calls for it, and its places in two orders, that of
the page and that in which parts are given room. A part that nothing calls for is not imported.

For one bundle a `BundlePart` gathers what it has to tell. For each loading of that bundle, of which there may
be several with less and less room, it makes a `LoadedPart`.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from reel_cli.core.ports import bring, list_bundle_parts, resolve, table

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.pack.budget import Budget
    from reel_cli.core.pack.build_bundle import BundleRequest
    from reel_cli.core.pack.draft import BundleDraft
    from reel_cli.core.pack.earlier_words import EarlierWords
    from reel_cli.core.pack.render import Writer
    from reel_cli.core.pack.unit import Unit
    from reel_cli.core.values.holdings import Holdings, MemoryRow, RestingParts, Tie


class Terms(NamedTuple):
    """The conditions of one loading; `since` is an earlier bundle's fingerprint if this one is a refresh.

    `topped_up` is whether room that is left over is used, `purged` whether a line says what the marks of a
    purge are.
    """

    holdings: "Holdings"
    budget: "Budget"
    writer: "Writer"
    since: "Mapping[str, str] | None" = None
    topped_up: bool = True
    purged: bool = False


class Source:
    """The kit that is packed: a folder's files as they lie there (`kit`), or those of any tree."""

    def __init__(self, kit: Path | None = None, snapshot: "Snapshot | None" = None) -> None:
        """Pack the folder `kit`, or else `snapshot`."""
        self.kit = kit
        self._snapshot = snapshot

    @property
    def snapshot(self) -> "Snapshot":
        """Return a snapshot of the files if a folder is packed."""
        if self._snapshot is None:
            from reel_cli.core.files.tree import WorkTree
            from reel_cli.core.kit.snapshot import Snapshot

            kit = self.kit or Path()
            self._snapshot = Snapshot(WorkTree(kit), kit.resolve().name)
        return self._snapshot

    def earlier(self) -> "EarlierWords | None":
        """Return the earlier words of memories that have faded; None where there is no history to read."""
        from reel_cli.core.pack.earlier_words import EarlierWords

        if self.kit is not None:
            from reel_cli.core.git.repository import find_own_repository

            repo = find_own_repository(self.kit)
            head = repo.head() if repo is not None else None
            return EarlierWords(self.snapshot, repo, head) if repo is not None and head else None
        from reel_cli.core.git.commit_tree import CommitTree

        tree = self.snapshot.tree
        return EarlierWords(self.snapshot, tree.repo, tree.rev) if isinstance(tree, CommitTree) else None

    def find_ties(self, holdings: "Holdings", rows: "Sequence[MemoryRow]") -> "Sequence[Tie]":
        """Return the threads that go on among these memories; none without a feature that finds them."""
        return next((find(self.snapshot, holdings, rows) for find in bring("ties")), ())

    def find_resting(self) -> "RestingParts":
        """Return the parts of the kit that came of nothing but chats that were taken back."""
        from reel_cli.core.pack.resting_parts import find_resting, recall_resting

        return find_resting(self.snapshot) if self.kit is None else recall_resting(self.kit)

    def has(self, path: str) -> bool:
        """Return whether the kit holds this file or, with a `/` at its end, this folder."""
        is_folder = path.endswith("/")
        if self.kit is not None:
            place = self.kit / path
            return place.is_dir() if is_folder else place.exists()
        return bool(self.snapshot.list(path[:-1])) if is_folder else self.snapshot.read(path) is not None


class BundlePart(ABC):
    """One feature's part of a bundle; a subclass is named in the feature's row."""

    rings: Sequence[str] = ()
    """The names that its units have in a bundle's account; the first is its own."""
    need = ""
    """Name, in the error for too little room, of the least that must be there; "" if nothing must be."""
    limited = False
    """True if it never takes more than its share."""
    yields = False
    """True if the memories have their least before it, and its want of room keeps nothing out."""
    keeps_free = False
    """True if what is left over stays free for a conversation that goes on."""
    experience: Sequence[str] = ()
    """Those of its names under which past events are told; a kit with gated experience has none of these."""
    names_gated = False
    """True if it opens in such a kit too, and only accounts for what it does not tell."""
    tops_up = False
    """True if it takes the room that nothing else has use for, after all others."""

    holdings: "Holdings"
    """The kit's holdings."""

    def __init__(self, source: Source | None, wish: "BundleRequest") -> None:
        """Gather from `source` for `wish`; None where nothing but the holdings is known."""
        self.source = source
        self.wish = wish

    @abstractmethod
    def gather(self) -> bool:
        """Gather what there is to tell, and return whether there is anything."""

    @abstractmethod
    def open(self, made: "BundleDraft", terms: Terms) -> "LoadedPart | None":
        """Return the part in one loading; None where it has nothing to do in it."""


class PreparedPart(BundlePart):
    """A part with a place of its own in the catalog, which must be read before the kit's is opened."""

    @abstractmethod
    def prepare(self) -> None:
        """Read the part's own place in the catalog; `holdings` is not known yet."""


class LoadedPart:
    """One part in one loading: its units, and its lines in the account."""

    squeezed = False
    """True if something was left out for lack of room; then nothing after it is loaded."""
    tells_story = False
    """True if the closing words name the story among what is trusted."""

    def __init__(self, part: BundlePart, made: "BundleDraft", terms: Terms) -> None:
        """Load `part` into `made`."""
        self.part = part
        self.made = made
        self.terms = terms
        self.units: Sequence[Unit] = ()

    @property
    def tokens(self) -> int:
        """Return the tokens of its units."""
        return sum(unit.tokens for unit in self.units)

    @property
    def least(self) -> int:
        """Return the tokens of what must be there."""
        return 0

    def narrow(self, holdings: "Holdings") -> "Holdings":
        """Return what rings 3 and 4 tell beside this part, and list as left out what they do not."""
        return holdings

    def fill(self, rest: int) -> None:
        """Load as much as fits into `rest` tokens, `least` among them."""

    def grow(self, rest: int) -> None:
        """Load as much as fits into `rest` tokens more, if it yielded and every memory has its marker."""

    def add_before_scenes(self, rest: int) -> None:
        """Load what tells more than scenes would in the `rest` that is left for them."""

    def leave_to(self, units: "Sequence[Unit]") -> None:
        """Leave out what these units of a later part tell as well."""

    def settle(self) -> None:
        """Use what the rings left over, and write down what is told and left out."""

    def use_left(self, rest: int) -> None:
        """Load beyond its share what fits into the `rest` that nothing else has use for."""

    def warnings(self) -> Sequence[str]:
        """Return what a person should know of what was gathered."""
        return ()

    def chosen(self) -> Mapping[str, Collection[str] | None]:
        """Return the IDs that may be told, by ring; None for any."""
        return dict.fromkeys(self.part.rings)

    def account(self, ring: str, share: int) -> None:
        """Write down how many tokens a ring of this part had room for."""
        self.made.shares = {**self.made.shares, ring: share}


class Parts:
    """The parts of one bundle: those that the kit, its settings or the wish call for."""

    def __init__(self, source: Source | None, wish: "BundleRequest") -> None:
        """Ask `source` and `wish` what there is to tell."""
        self.source = source
        self.wish = wish
        self._made: dict[str, BundlePart] = {}

    def prepare(self) -> None:
        """Prepare the parts that files of the kit call for."""
        for feature, row in list_bundle_parts():
            if row.path and self._has(row.path):
                part = self._make(feature, row.place)
                if isinstance(part, PreparedPart):
                    part.prepare()

    def gather(self, holdings: "Holdings") -> Sequence[BundlePart]:
        """Return the parts that have something to tell, in the order in which they are given room."""
        settings = holdings.core.settings
        called = [
            self._make(feature, row.place)
            for feature, row in list_bundle_parts()
            if (row.path and self._has(row.path))
            or (row.asked and getattr(self.wish, row.asked))
            or (row.setting and getattr(settings, row.setting))
        ]
        order = table().ROOM
        called.sort(key=lambda part: order.index(part.rings[0]))
        for part in called:
            part.holdings = holdings
        closed = settings.gated
        open_ = (
            part
            for part in called
            if part.names_gated or not (closed and {*part.rings} <= {*part.experience})
        )
        return [part for part in open_ if part.gather()]

    def _has(self, path: str) -> bool:
        return self.source is None or self.source.has(path)

    def _make(self, feature: str, place: str) -> BundlePart:
        name = f"{feature}.{place}"
        if name not in self._made:
            self._made[name] = resolve(feature, place)(self.source, self.wish)
        return self._made[name]


def gather_parts(
    holdings: "Holdings", wish: "BundleRequest", source: Source | None = None
) -> Sequence[BundlePart]:
    """Return the parts that have something to tell in one bundle."""
    return Parts(source, wish).gather(holdings)

"""`pack`: from a kit to a bundle."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.kit.catalog import with_holdings
from reel_cli.core.pack.build_bundle import Wish, pack
from reel_cli.core.pack.render import style_of
from reel_cli.core.values.bundle import Bundle
from reel_cli.core.values.holdings import Counter
from reel_cli.features.stream.beginning import gather_buffer, recall_buffer

if TYPE_CHECKING:
    from reel_cli.core.kit.past import PastGlance
    from reel_cli.core.kit.ring0 import Ring0
    from reel_cli.core.kit.ring1 import Ring1
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.holdings import Holdings
    from reel_cli.core.values.settings import Settings
    from reel_cli.features.shelf.row import Shelved
    from reel_cli.features.stream.cycles import Buffer

__all__ = ["Wish", "pack_kit", "pack_snapshot", "pack_then"]


def pack_kit(kit: Path, wish: Wish | None = None) -> Bundle:
    """Pack the kit in a folder as it lies there, rings 0 and 1 as approved.

    Raises ReelError when it cannot be read, or what must be in the bundle does not fit.
    """
    wished = wish or Wish()
    shelved = None
    if _has_shelf(kit):
        from reel_cli.features.shelf.bundle_parts import gather_shelf

        # before the catalog is opened for the rest: it has one writer at a time
        shelved = gather_shelf(kit)

    def use(holdings: "Holdings") -> Bundle:
        settings = holdings.core.settings
        buffer = recall_buffer(kit, settings, holdings.notebook) if _tells_beginning(wished) else None
        if not _is_warm(wished, settings) and not _asks(wished, settings):
            return _tell(pack(holdings, wished, shelved=shelved, buffer=buffer), settings)
        return _pack_more(_snapshot_of(kit), holdings, wished, shelved, buffer)

    return with_holdings(kit, style_of(wished.form), count_by, use)


def _has_shelf(kit: Path) -> bool:
    return (kit / "shelf").is_dir()


def _is_warm(wish: Wish, settings: "Settings") -> bool:
    return settings.boot_always if wish.boot is None else wish.boot


def _asks(wish: Wish, settings: "Settings") -> bool:
    return bool(wish.rows or settings.domain_with)


def _snapshot_of(kit: Path) -> "Snapshot":
    from reel_cli.core.files.tree import WorkTree
    from reel_cli.core.kit.snapshot import Snapshot

    return Snapshot(WorkTree(kit), kit.resolve().name)


def _pack_more(
    snapshot: "Snapshot",
    holdings: "Holdings",
    wish: Wish,
    shelved: "Shelved | None" = None,
    buffer: "Buffer | None" = None,
) -> Bundle:
    """Pack with what a warm start adds, and with rows that are asked for, where either is wished."""
    settings = holdings.core.settings
    boot, asked = None, None
    if _is_warm(wish, settings):
        from reel_cli.features.dream.waking.survey import gather_boot

        boot = gather_boot(snapshot, settings)
    if _asks(wish, settings):
        from reel_cli.features.tables.requested_rows import gather_asked

        asked = gather_asked(snapshot, wish.rows, settings.domain_with)
    return _tell(pack(holdings, wish, boot, asked, shelved, buffer), settings)


def _tell(bundle: Bundle, settings: "Settings") -> Bundle:
    """The bundle, with what is to be known of a tokenizer that is a file."""
    if settings.tokenizer.isidentifier():
        return bundle
    told = getattr(count_by(settings.tokenizer), "told", "")
    return replace(bundle, warnings=[*bundle.warnings, told]) if told else bundle


def pack_snapshot(
    snapshot: "Snapshot",
    wish: Wish | None = None,
    ring0: "Ring0 | None" = None,
    ring1: "Ring1 | None" = None,
) -> Bundle:
    """Pack a kit as any tree holds it; `ring0` and `ring1` where not the tree's own text is approved."""
    from reel_cli.core.kit.read_holdings import read_holdings

    wished = wish or Wish()
    holdings = read_holdings(snapshot, style_of(wished.form), count_by, ring0, ring1)
    buffer = gather_buffer(snapshot, holdings.core.settings) if _tells_beginning(wished) else None
    return _pack_more(snapshot, holdings, wished, _shelf_of(snapshot), buffer)


def _shelf_of(snapshot: "Snapshot") -> "Shelved | None":
    """The shelf of any tree; files that are watched are read only where the tree lies on the disk."""
    if not snapshot.list("shelf"):
        return None
    from reel_cli.core.files.tree import WorkTree
    from reel_cli.features.shelf.bundle_parts import shelf_of

    return shelf_of(snapshot, snapshot.tree.root if isinstance(snapshot.tree, WorkTree) else None)


def pack_then(past: "PastGlance", wish: Wish | None = None) -> Bundle:
    """Pack a kit as a commit holds it, with rings 0 and 1 as approved then: what packing gave then."""
    from reel_cli.core.kit.ring0 import read_in_force
    from reel_cli.core.kit.ring1 import read_approved

    then = past.commit.repo, past.commit.rev
    return pack_snapshot(past, wish, read_in_force(past, *then), read_approved(past, *then))


def count_by(name: str) -> Counter:
    """What counts for a bundle: by an encoding, or by what is kept of a model's file."""
    if not name.isidentifier():
        # what was counted before is known by the file, without what counts
        from reel_cli.core.tokens.chosen_tokenizer import get_chosen

        return get_chosen(name)
    from reel_cli.core.tokens.counter import get_tokenizer

    return get_tokenizer(name)


def _tells_beginning(wish: Wish) -> bool:
    """Whether a bundle tells how the newest conversation began; one that goes on knows that itself."""
    return wish.stream is None and wish.began

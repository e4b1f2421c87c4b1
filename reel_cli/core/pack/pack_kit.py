"""`pack`: from a kit to a bundle."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.kit.catalog import with_holdings
from reel_cli.core.pack.build_bundle import BundleRequest, pack
from reel_cli.core.pack.part import Parts, Source, gather_parts
from reel_cli.core.pack.render import style_of
from reel_cli.core.values.bundle import Bundle
from reel_cli.core.values.holdings import Counter

if TYPE_CHECKING:
    from reel_cli.core.kit.past import PastGlance
    from reel_cli.core.kit.ring0 import Ring0
    from reel_cli.core.kit.ring1 import Ring1
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.holdings import Holdings
    from reel_cli.core.values.settings import Settings

__all__ = ["BundleRequest", "pack_kit", "pack_snapshot", "pack_then"]


def pack_kit(kit: Path, wish: BundleRequest | None = None) -> Bundle:
    """Pack the kit in a folder as it lies there, rings 0 and 1 as approved.

    Raises ReelError when it cannot be read, or what must be in the bundle does not fit.
    """
    wished = wish or BundleRequest()
    parts = Parts(Source(kit), wished)
    # before the catalog is opened for the rest: it has one writer at a time
    parts.prepare()

    def use(holdings: "Holdings") -> Bundle:
        return _tell(pack(holdings, wished, parts.gather(holdings)), holdings.core.settings)

    return with_holdings(kit, style_of(wished.form), count_by, use)


def _tell(bundle: Bundle, settings: "Settings") -> Bundle:
    """Return the bundle, with notes on a tokenizer that is a file."""
    if settings.tokenizer.isidentifier():
        return bundle
    told = getattr(count_by(settings.tokenizer), "told", "")
    return replace(bundle, warnings=[*bundle.warnings, told]) if told else bundle


def pack_snapshot(
    snapshot: "Snapshot",
    wish: BundleRequest | None = None,
    ring0: "Ring0 | None" = None,
    ring1: "Ring1 | None" = None,
) -> Bundle:
    """Pack a kit as any tree holds it; `ring0` and `ring1` where not the tree's own text is approved."""
    from reel_cli.core.kit.read_holdings import read_holdings

    wished = wish or BundleRequest()
    holdings = read_holdings(snapshot, style_of(wished.form), count_by, ring0, ring1)
    parts = gather_parts(holdings, wished, Source(snapshot=snapshot))
    return _tell(pack(holdings, wished, parts), holdings.core.settings)


def pack_then(past: "PastGlance", wish: BundleRequest | None = None) -> Bundle:
    """Pack a kit as a commit holds it, with rings 0 and 1 as approved then: what packing gave then."""
    from reel_cli.core.kit.ring0 import read_in_force
    from reel_cli.core.kit.ring1 import read_approved

    then = past.commit.repo, past.commit.rev
    return pack_snapshot(past, wish, read_in_force(past, *then), read_approved(past, *then))


def count_by(name: str) -> Counter:
    """Return the counter for a bundle: an encoding, or the stored counts of a model's file."""
    if not name.isidentifier():
        # what was counted before is known by the file, without what counts
        from reel_cli.core.tokens.chosen_tokenizer import get_chosen

        return get_chosen(name)
    from reel_cli.core.tokens.counter import get_tokenizer

    return get_tokenizer(name)

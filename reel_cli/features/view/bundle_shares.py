"""The bundle of the next chat, part by part, each with where it came from."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.pack.unit import SCENES
from reel_cli.core.values.source import parse_source
from reel_cli.features.view.kit_page import BundleItem, BundleShare, LeftOutGroup, Origin, ShownBundle
from reel_cli.terminal.bundle_view import LABELS

if TYPE_CHECKING:
    from reel_cli.core.pack.build_bundle import BundleRequest
    from reel_cli.core.values.bundle import Bundle, LoadedUnit
    from reel_cli.features.view.addresses import Addresses
    from reel_cli.terminal.open_kit import OpenKit

_FORMS = {"marker": "in short", "tag": "in a line", "part": "in part"}
_SOURCES = {"history": "in earlier words", "tape": "word for word"}
_MEMORIES = ("3", "4")
_SAID = (SCENES, "buffer", "traces", "stream")
LEFT_OUT = "(what was said is not on this page)"
SHOWN_NAMES = 40
"""Maximum number of left-out items named for one reason."""


def read_bundle(
    opened: "OpenKit",
    titles: Mapping[str, str],
    links: Mapping[str, str],
    addresses: "Addresses",
    wish: "BundleRequest | None" = None,
) -> tuple[ShownBundle | None, str]:
    """Return what the next chat begins with, or the reason why there is none.

    `titles` are those of memories, chats and examples, `links` the addresses of memories and lines, by ID,
    `wish` the window. The text is noted as handed out, so that it is known again in a chat it was copied to.
    """
    from reel_cli.core.pack.build_bundle import pack_kit

    try:
        bundle = pack_kit(opened.root, wish)
    except ReelError as error:
        return None, error.message
    # a kit on a read-only disk is looked at too
    with suppress(OSError, StateError):
        opened.state.hand_out("bundle", bundle.text)
    return show_bundle(bundle, titles, links, addresses), ""


def show_bundle(
    bundle: "Bundle", titles: Mapping[str, str], links: Mapping[str, str], addresses: "Addresses"
) -> ShownBundle:
    """Return a bundle as it is shown, each of its parts with where it is from."""
    shares: list[BundleShare] = []
    begins = 0.0
    for ring, label in LABELS.items():
        units = [unit for unit in bundle.loaded if unit.ring == ring]
        tokens = sum(unit.tokens for unit in units)
        if not tokens:
            continue
        width = 100 * tokens / bundle.window
        items = [
            BundleItem(
                unit.text,
                unit.tokens,
                _form(unit),
                _origin(unit, titles, links, addresses),
                said=_is_said(unit),
            )
            for unit in units
        ]
        shares.append(BundleShare(f"part-{ring}", label, tokens, items, begins, width))
        begins += width
    free = bundle.window - bundle.tokens - bundle.template
    filled = [(field.name, field.text) for field in bundle.fields if field.text.strip()]
    fields = filled if len(bundle.fields) > 1 else ()
    return ShownBundle(
        bundle.text, bundle.tokens, bundle.window, free, shares, _left_out(bundle, titles), fields
    )


def _form(unit: "LoadedUnit") -> str:
    told = [_FORMS.get(unit.resolution, ""), _SOURCES.get(unit.source, "")]
    return ", ".join(filter(None, told))


def _is_said(unit: "LoadedUnit") -> bool:
    """Return whether a unit is what was said, word for word."""
    return unit.source == "tape" or unit.ring in _SAID


def _origin(
    unit: "LoadedUnit", titles: Mapping[str, str], links: Mapping[str, str], addresses: "Addresses"
) -> Origin | None:
    """Return the memory or the stretch of a chat that a unit stands for; None for what has neither."""
    if unit.ring in _MEMORIES and unit.id in titles:
        return Origin(titles[unit.id], links.get(unit.id, ""))
    span = parse_source(unit.id) if unit.ring == SCENES else None
    return Origin(titles.get(span.session, span.session), addresses.find(span)) if span else None


def _left_out(bundle: "Bundle", titles: Mapping[str, str]) -> Sequence[LeftOutGroup]:
    groups: dict[tuple[str, str], list[str]] = {}
    for item in bundle.left_out:
        groups.setdefault((item.ring, item.reason), []).append(titles.get(item.id, item.id))
    return [
        LeftOutGroup(LABELS.get(ring, ring), _few(names), reason) for (ring, reason), names in groups.items()
    ]


def _few(names: Sequence[str]) -> Sequence[str]:
    more = len(names) - SHOWN_NAMES
    return [*names[:SHOWN_NAMES], f"and {more:,} more"] if more > 0 else names


def without_tape(bundle: ShownBundle) -> ShownBundle:
    """Return the bundle without what was said word for word, of which the sizes stay."""
    shares = [replace(share, items=[_without_words(item) for item in share.items]) for share in bundle.shares]
    return replace(bundle, text="", shares=shares)


def _without_words(item: BundleItem) -> BundleItem:
    return replace(item, text=LEFT_OUT) if item.said else item

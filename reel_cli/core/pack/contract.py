"""The context contract: nothing reaches a bundle that its account does not list.

Checked on every bundle that is rendered, before anybody gets it. What is held of experience and of domain
data comes in by parts that were chosen, each once and each within its share, never as a whole. Where a kit's
experience is gated, nothing of it comes in at all.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from reel_cli.core.errors import ExitCode, ReelError
from reel_cli.core.pack.unit import CHANGED, TRUST
from reel_cli.core.pack.words import FRAME, SECTIONS
from reel_cli.core.ports import table

if TYPE_CHECKING:
    from reel_cli.core.pack.draft import BundleDraft
    from reel_cli.core.pack.render import Style
    from reel_cli.core.pack.unit import Unit
    from reel_cli.core.values.bundle import Bundle
    from reel_cli.core.values.holdings import Holdings


class AllowedContents(NamedTuple):
    """The permitted contents of a bundle: IDs by ring (None for any), and the rings held to their share."""

    chosen: Mapping[str, Collection[str] | None]
    limited: Collection[str]


class ContractError(ReelError):
    """A bundle does not hold what it says it holds; a fault of reel's own, and nothing was handed out."""

    exit_code = ExitCode.BUG


def require_accounted(content: str, units: "Sequence[Unit]", tokens: int) -> None:
    """Refuse a text that is not exactly these units one after the other, each listed once and with its size.

    Raises ContractError naming what is not accounted for.
    """
    at = total = 0
    seen: set[tuple[str, str]] = set()
    for unit in units:
        if not content.startswith(unit.text, at):
            _refuse(f"before {_name(unit)} stands {_quote(content, at)}")
        at += len(unit.text)
        total += unit.tokens
        key = (unit.ring, unit.id)
        if key in seen or unit.tokens <= 0:
            why = "listed twice" if key in seen else "of no size"
            _refuse(f"{_name(unit)} is {why}")
        seen.add(key)
    if at != len(content):
        _refuse(f"no part has {_quote(content, at)}")
    if total != tokens:
        _refuse(f"its parts take {total:,} tokens, and all of it {tokens:,}")


def require_contract(
    bundle: "Bundle",
    content: str,
    units: "Sequence[Unit]",
    frame: "tuple[Style, str, str]",
    allowed: AllowedContents,
) -> None:
    """Refuse a bundle whose text, `content`, holds anything that it does not list, or that was not chosen.

    `frame` is how it is written, the persona's name, and what its lines to remember begin with. Raises
    ContractError naming what is wrong.
    """
    require_accounted(content, units, bundle.tokens)
    if bundle.tokens > bundle.cap - bundle.live:
        _refuse(f"it takes {bundle.tokens:,} tokens of {bundle.cap - bundle.live:,}")
    listed = [(one.ring, one.id, one.resolution, one.tokens) for one in bundle.loaded]
    if listed != [(unit.ring, unit.id, unit.resolution, unit.tokens) for unit in units]:
        _refuse("other parts are listed than are in it")
    style, name, label = frame
    _require_frame(units, style, name, label)
    ranks = {part: rank for rank, part in enumerate(table().PAGE)}
    rank = 0
    for unit in units[1:-1]:
        place = ranks.get(unit.place)
        if place is None:
            _refuse(f"there is no part called {unit.ring!r}")
        if place < rank:
            _refuse(f"{_name(unit)} stands in another part's place")
        rank = place
        section = _section(unit.text, style)
        if section is not None and section != unit.ring:
            _refuse(f"{_name(unit)} opens a section of another part")
        known = allowed.chosen.get(unit.ring, ())
        if known is not None and unit.id not in known:
            _refuse(f"{_name(unit)} was not chosen")
    for part in allowed.limited:
        share = bundle.rings.get(part)
        if share is not None and share.tokens > share.max + share.beyond:
            _refuse(f"{part} takes {share.tokens:,} tokens, and its share is {share.max:,}")
        if share is None and any(unit.ring == part for unit in units):
            _refuse(f"{part} has no share in it")


def _require_frame(units: "Sequence[Unit]", style: "Style", name: str, label: str) -> None:
    """Refuse first and last words that are not reel's own, to the letter."""
    first = [
        opening(name, purged=purged)
        for opening in (style.opening, style.refresh_opening)
        for purged in (False, True)
    ]
    trusts = [style.trust(warm=warm) for warm in (False, True)]
    closings = [style.closing(name, label=told) for told in ("", label)]
    last = (*closings, style.refresh_closing(name))
    for unit, which, texts in ((units[0], "opening", first), (units[-1], "closing", last)):
        if (unit.ring, unit.id) != (FRAME, which) or unit.text not in texts:
            _refuse(f"{_name(unit)} is not reel's own {which}")
    for unit in units:
        if (unit.ring, unit.id) == (FRAME, TRUST) and unit.text not in trusts:
            _refuse(f"{_name(unit)} is not reel's own order of trust")


def list_allowed(holdings: "Holdings", made: "BundleDraft") -> AllowedContents:
    """Return what was chosen for a bundle.

    Of rings 3 and 4 that is what the bundle's marks say; of a part that no feature brought it is nothing.
    """
    core = holdings.core
    chosen: dict[str, Collection[str] | None] = {
        "0": ("identity", "directives"),
        "1": {exemplar.slug for exemplar in core.exemplars},
        "2": ("working",),
        FRAME: {TRUST, CHANGED, *(clash.id for clash in core.clashes)},
    }
    for ring in ("3", "4"):
        chosen[ring] = {key[2:] for key in made.marks if key.startswith(f"{ring}:")}
    limited = ["4"]
    for part in made.parts:
        chosen.update(part.chosen())
        limited += part.part.rings if part.part.limited else ()
    if core.settings.gated:
        closed = (ring for part in made.parts for ring in part.part.experience)
        chosen.update(dict.fromkeys(("3", *closed), ()))
    return AllowedContents(chosen, limited)


def _refuse(what: str) -> NoReturn:
    message = f"This bundle is not what its list says: {what}."
    raise ContractError(message, hint="please report it as a bug of reel's; no bundle was given out")


def _section(text: str, style: "Style") -> str | None:
    """Return the part whose section a unit's first line opens; None if it opens none of reel's."""
    line = text.partition("\n")[0]
    mark = style.headings[1]
    return SECTIONS.get(line[len(mark) :]) if line.startswith(mark) else None


def _name(unit: "Unit") -> str:
    return f"{unit.id!r} of {unit.ring!r}"


def _quote(content: str, at: int) -> str:
    """Return the beginning of the content at a place, short and on one line."""
    told = " ".join(content[at : at + 60].split())
    return f"“{told}…”" if told else "nothing"

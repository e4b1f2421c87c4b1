"""Parts of a bundle by themselves, as the persona knows them: what it could recall, what it knows."""

from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.kit.catalog import with_holdings
from reel_cli.core.pack.budget import plan_budget
from reel_cli.core.pack.part import Source
from reel_cli.core.pack.render import Writer, style_of
from reel_cli.core.pack.some_holdings import without_resting

if TYPE_CHECKING:
    from collections.abc import Callable

    from reel_cli.core.values.holdings import Holdings, LineRow

NOTHING_TO_RECALL = "There is nothing to recall yet."
NOTHING_KNOWN = "Nothing is known by heart yet."


def show_index(kit: Path) -> str:
    """Return what could be recalled, newest first, as much as ring 4 has room for; no numbers, no sizes.

    Raises ReelError where the kit cannot be read.
    """

    def tell(holdings: "Holdings", writer: Writer) -> str:
        lines = holdings.lines
        room = plan_budget(holdings.core.settings).ranges["4"][1] - writer.lines_overhead(lines)
        rows: list[LineRow] = []
        for row in lines.newest():
            room -= row.tokens
            if room < 0 and rows:
                break
            rows.append(row)
        heard = sum(row.brought for row in rows)
        units = writer.lines(
            rows,
            lines.texts({row.id for row in rows}),
            more=len(rows) - heard < lines.count - lines.brought,
            more_heard=heard < lines.brought,
        )
        return "".join(unit.text for unit in units).strip() or NOTHING_TO_RECALL

    return _read(kit, tell)


def show_facts(kit: Path) -> str:
    """Return the facts; raises ReelError if the kit cannot be read."""

    def tell(holdings: "Holdings", writer: Writer) -> str:
        return "".join(unit.text for unit in writer.facts(holdings.core.facts)).strip() or NOTHING_KNOWN

    return _read(kit, tell)


def _read(kit: Path, tell: "Callable[[Holdings, Writer], str]") -> str:
    from reel_cli.core.pack.build_bundle import count_by

    style = style_of("markdown")
    rests = Source(kit).find_resting()

    def use(holdings: "Holdings") -> str:
        return tell(without_resting(holdings, rests), Writer(style, holdings.counter.count))

    return with_holdings(kit, style, count_by, use)

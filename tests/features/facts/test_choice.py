"""The choice of facts for a bundle, against the rule that it follows, written out."""

from collections.abc import Collection, Sequence
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.pack.render import MARKDOWN, PLAIN, Style, Writer
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.holdings import FactRow
from reel_cli.features.facts.choice import ChosenRows, add_rows, choose_rows, in_turn, write_rows

COUNT = get_tokenizer("o200k_base").count
VALUES = (
    "Jana",
    "sells bread in the harbour",
    "日本の町",
    "is allergic to latex, since 2019",
    "…",
    "ends.\n",
)


@st.composite
def some_rows(draw: st.DrawFn, most: int = 14) -> Sequence[FactRow]:
    """Rows in the order of a bundle, by kind; ranks are in any order."""
    kinds = sorted(
        draw(
            st.lists(
                st.sampled_from(["commitments", "constraints", "context", "identity", "own"]),
                max_size=most,
            )
        )
    )
    ranks = draw(st.permutations(range(len(kinds))))
    flags = st.booleans()
    return [
        FactRow(
            f"{kind}/{place}",
            kind,
            draw(st.sampled_from(["", "sister", "day"])),
            draw(st.sampled_from(VALUES)),
            draw(st.sampled_from([True, False, False])),
            ranks[place],
            settled=draw(flags),
        )
        for place, kind in enumerate(kinds)
    ]


def size(rows: Sequence[FactRow], chosen: Collection[str], writer: Writer) -> int:
    return sum(unit.tokens for unit in write_rows(rows, chosen, writer))


def add_plainly(
    rows: Sequence[FactRow],
    chosen: set[str],
    turn: Sequence[FactRow],
    room: int,
    writer: Writer,
) -> set[str]:
    """Add each row in turn with which the whole fits, written and counted anew each time."""
    for row in turn:
        if size(rows, {*chosen, row.id}, writer) <= room:
            chosen = {*chosen, row.id}
    return chosen


def choose_plainly(
    rows: Sequence[FactRow], must: set[str], share: int, room: int, writer: Writer
) -> tuple[Sequence[FactRow], set[str]]:
    settled = [row for row in rows if row.settled]
    there = {row.id for row in settled if row.id in must}
    most = min(share * 75 // 100, room) if len(settled) < len(rows) else room
    old = there
    for row in in_turn(settled, must):
        if size(rows, {*old, row.id}, writer) > most or size(rows, {*must, *old, row.id}, writer) > room:
            break
        old = {*old, row.id}
    rows = [row._replace(settled=row.id in old) for row in rows]
    known = {row.id for row in settled}
    turn = [
        *in_turn((row for row in rows if row.id not in known), must),
        *in_turn((row for row in rows if row.id in known and row.id not in old), must),
    ]
    return rows, add_plainly(rows, {*must, *old}, turn, room, writer)


@given(some_rows(), st.integers(0, 200), st.integers(0, 200), st.sampled_from([MARKDOWN, PLAIN]))
@settings(max_examples=300)
def test_the_choice_is_that_of_the_rule_written_out(
    rows: Sequence[FactRow], share: int, room: int, style: Style
) -> None:
    writer = Writer(style, COUNT)
    must = {row.id for row in rows if row.must}
    told, chosen = choose_rows(rows, must, share, room, writer)
    assert (told, chosen) == choose_plainly(rows, must, share, room, writer)
    assert size(told, chosen, writer) <= max(room, size(rows, must, writer))
    out = [*in_turn((row for row in told if row.id not in chosen), ())]
    more = add_rows(told, chosen, out, room + 100, writer)
    assert more == add_plainly(told, chosen, out, room + 100, writer)


@given(some_rows(), st.randoms(use_true_random=False))
def test_the_tokens_of_a_growing_choice_are_those_of_its_text(
    rows: Sequence[FactRow], chance: Random
) -> None:
    writer = Writer(MARKDOWN, COUNT)
    turn = [*rows]
    chance.shuffle(turn)
    held = ChosenRows(rows, (), writer)
    for place, row in enumerate(turn, 1):
        assert held.add(row, 10_000)
        units = write_rows(rows, {one.id for one in turn[:place]}, writer)
        assert held.tokens == COUNT("".join(unit.text for unit in units))


def test_each_row_is_written_a_few_times_however_many_there_are() -> None:
    written = 0

    def count(text: str) -> int:
        nonlocal written
        written += 1
        return COUNT(text)

    rows = [
        FactRow(
            f"context/{place}", "context", "", f"thing {place}", must=False, rank=place, settled=place % 3 > 0
        )
        for place in range(500)
    ]
    choose_rows(rows, (), 4_000, 4_000, Writer(MARKDOWN, count))
    assert written < 5 * len(rows)

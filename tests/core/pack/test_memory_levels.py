"""Fading of the past: properties of every walk, and a few walks by hand."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.pack.memory_levels import (
    MARKER,
    OUT,
    TAG,
    WHOLE,
    Recession,
    align,
    blocks_of,
    keep_immune,
    name_resolution,
    recede,
    refine,
)
from reel_cli.core.values.holdings import MemoryRow


def rows_of(sizes: Sequence[tuple[int, int, int]], level: str = "L1") -> list[MemoryRow]:
    return [MemoryRow(f"M-{n:03d}", level, *size, "") for n, size in enumerate(sizes)]


def walk(rows: Sequence[MemoryRow], room: int, *, small: bool = False) -> Recession:
    return recede(
        iter(rows),
        room,
        markers=sum(row.marker for row in rows),
        tags=sum(row.tag for row in rows),
        small=small,
    )


def forms_of(rows: Sequence[MemoryRow], room: int, *, small: bool = False) -> list[int]:
    walked = walk(rows, room, small=small).forms
    return walked + [OUT] * (len(rows) - len(walked))


@st.composite
def rows(draw: st.DrawFn, most_whole: int = 3_000) -> list[MemoryRow]:
    made = []
    for _ in range(draw(st.integers(0, 40))):
        tag = draw(st.integers(5, 30))
        marker = tag + draw(st.integers(0, 100))
        made.append((marker + draw(st.integers(0, most_whole)), marker, tag))
    return rows_of(made)


ROOMS = st.integers(0, 20_000)


@given(rows(), ROOMS, st.booleans())
@settings(max_examples=100, deadline=None)
def test_a_walk_stays_within_its_room_and_knows_what_it_used(
    held: list[MemoryRow],
    room: int,
    small: bool,  # noqa: FBT001
) -> None:
    past = walk(held, room, small=small)
    assert past.used == sum(size for _, _, size in past.loaded(small=small)) <= room


@given(rows(most_whole=200), st.integers(800, 20_000), st.integers(800, 20_000))
@settings(max_examples=100, deadline=None)
def test_no_older_memory_is_ever_finer_than_a_newer_one(held: list[MemoryRow], one: int, other: int) -> None:
    """REEL §4.4: hold memories at four levels of detail that get smaller with age and pressure."""
    # none here is too long to be loaded alone, in the least of these rooms
    for room in (one, other):
        forms = forms_of(held, room)
        assert forms == sorted(forms)
        small = forms_of(held, room, small=True)
        assert small == sorted(small)


@given(rows(most_whole=200), st.integers(800, 20_000), st.integers(0, 5_000))
@settings(max_examples=100, deadline=None)
def test_with_less_room_no_more_memories_are_whole(held: list[MemoryRow], room: int, less: int) -> None:
    assert forms_of(held, room).count(WHOLE) >= forms_of(held, max(800, room - less)).count(WHOLE)


@given(rows(), ROOMS)
@settings(max_examples=100, deadline=None)
def test_an_older_memory_is_finer_only_where_the_newer_could_not_be_that_fine_alone(
    held: list[MemoryRow], room: int
) -> None:
    forms = forms_of(held, room)
    for at, row in enumerate(held):
        sizes = (row.whole, row.marker, row.tag)
        older = sum(x.marker for x in held[at + 1 :]), sum(x.tag for x in held[at + 1 :]), 0
        kept = min(room * 40 // 100, older[0]), min(room * 15 // 100, older[1]), 0
        for finer in set(forms[at + 1 :]):
            if finer < forms[at]:
                assert any(sizes[form] + kept[form] > room for form in range(finer, forms[at]))


@given(rows())
@settings(max_examples=100, deadline=None)
def test_where_everything_fits_everything_is_whole(held: list[MemoryRow]) -> None:
    room = sum(row.whole for row in held)
    assert set(forms_of(held, room)) <= {WHOLE}


@given(rows(), ROOMS)
@settings(max_examples=100, deadline=None)
def test_what_is_out_had_no_room_for_its_tag(held: list[MemoryRow], room: int) -> None:
    past = walk(held, room)
    forms = forms_of(held, room)
    out = [row.tag for row, form in zip(held, forms, strict=True) if form == OUT and row.tag <= room]
    assert not out or out[0] > room - past.used


def test_the_past_grows_fainter_before_it_ends() -> None:
    held = rows_of([(500, 60, 15)] * 60)
    forms = forms_of(held, 3_000)
    assert [forms.count(form) for form in range(4)] == [3, 17, 32, 8]


def test_one_that_could_not_fit_alone_holds_up_none() -> None:
    held = rows_of([(300, 60, 15), (5_000, 60, 15), (300, 60, 15)])
    assert forms_of(held, 1_000) == [0, 1, 0]


def test_only_as_many_are_read_as_can_matter() -> None:
    held = rows_of([(500, 60, 15)] * 5_000)
    assert len(walk(held, 3_000).rows) < 70


def test_levels_are_called_by_what_is_loaded() -> None:
    l3, l4 = MemoryRow("M-001", "L3", 60, 60, 15, ""), MemoryRow("M-002", "L4", 15, 15, 15, "")
    assert [name_resolution(l3, 60), name_resolution(l3, 15), name_resolution(l4, 15)] == [
        "whole",
        "tag",
        "whole",
    ]
    assert [
        name_resolution(l3, 60, small=True),
        name_resolution(l3, 15, small=True),
        name_resolution(l4, 15, small=True),
    ] == ["marker", "tag", "tag"]


def test_a_stretch_ends_where_a_block_does_however_many_come_to_it() -> None:
    held = rows_of([(60, 60, 15)] * 30)
    oldest_markers = set()
    for count in range(12, 30):
        rows = held[-count:]
        past = walk(rows, 900)
        align(past, count, {rows[-1].id})
        forms = past.forms + [OUT] * (count - len(past.forms))
        markers = [count - 1 - at for at, form in enumerate(forms) if form <= MARKER]
        first = min(markers)
        assert first % 4 == 0
        oldest_markers.add(first)
        assert past.used <= 900
    # eighteen evenings, and a move on few of them
    assert len(oldest_markers) <= 6


def test_an_immune_memory_keeps_its_marker_where_its_block_does_not() -> None:
    rows = rows_of([(60, 60, 15)] * 9)
    past = walk(rows, 9 * 60 - 45)
    assert past.forms.count(TAG) == 1
    align(past, 9, {rows[7].id})
    assert [at for at, form in enumerate(past.forms) if form == TAG] == [5, 6, 8]


def test_where_only_the_oldest_is_immune_its_block_stays_as_it_is() -> None:
    rows = rows_of([(100, 40, 15)] * 9)
    past = walk(rows, 9 * 40, small=True)
    align(past, 9, {rows[-1].id})
    assert past.forms == [MARKER] * 9


def test_whole_memories_begin_with_a_block_and_stay_so_for_some_evenings() -> None:
    held = rows_of([(100, 40, 15)] * 40)
    first = []
    for count in range(12, 30):
        past = walk(held[-count:], 1_500)
        align(past, count, ())
        first.append(count - past.forms.count(WHOLE))
    assert all(number % 4 == 0 for number in first)
    assert len(set(first)) <= 6


def test_a_block_becomes_finer_as_one_or_not_at_all() -> None:
    rows = rows_of([(100, 40, 15)] * 8)
    past = walk(rows, 8 * 40, small=True)
    assert set(past.forms) == {MARKER}
    assert refine(past, 60 * 6, blocks_of(past, 8), lambda _: {}, "whole")
    assert past.forms == [WHOLE] * 4 + [MARKER] * 4
    assert refine(past, 60 * 4, blocks_of(past, 8), lambda _: {}, "whole")
    assert past.forms == [WHOLE] * 8


def test_an_immune_memory_has_its_marker_however_old_and_the_oldest_others_yield() -> None:
    rows = rows_of([(60, 60, 15)] * 30)
    newest = iter(rows)
    past = recede(newest, 900, markers=1_800, tags=450, small=True)
    assert past.forms[20] > MARKER
    keep_immune(past, {"M-020", "M-029"}, newest)
    align(past, 30, {"M-020", "M-029"})
    assert [past.forms[20], past.forms[29]] == [MARKER, MARKER]
    assert past.forms[:4] == [MARKER] * 4
    assert past.used == sum(size for _, _, size in past.loaded(small=True)) <= 900


@given(rows(), ROOMS, st.sets(st.integers(0, 39)))
@settings(max_examples=100, deadline=None)
def test_immune_memories_never_take_more_than_there_is(
    held: list[MemoryRow], room: int, chosen: set[int]
) -> None:
    immune = {f"M-{number:03d}" for number in chosen}
    newest = iter(held)
    past = recede(
        newest, room, markers=sum(r.marker for r in held), tags=sum(r.tag for r in held), small=True
    )
    keep_immune(past, immune, newest)
    align(past, len(held), immune)
    assert past.used == sum(size for _, _, size in past.loaded(small=True)) <= room
    left = sum(row.marker for row in held if row.id in immune)
    if left * 2 <= room:
        assert all(past.forms[at] <= MARKER for at, row in enumerate(past.rows) if row.id in immune)
        assert immune & {row.id for row in held} <= {row.id for row in past.rows}

"""Memories in the order of threads that go on: what must hold of every order, and one by hand."""

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.pack.memory_levels import MARKER, OUT, TAG, Recession, read_on, recede
from reel_cli.core.pack.thread_order import load_by_ties
from reel_cli.core.values.holdings import EarlierForm, MemoryRow, Tie
from tests.core.pack.test_memory_levels import ROOMS, rows, rows_of


def walked(held: list[MemoryRow], room: int) -> Recession:
    newest = iter(held)
    markers, tags = sum(row.marker for row in held), sum(row.tag for row in held)
    past = recede(newest, room, markers=markers, tags=tags, small=True)
    read_on(past, newest)
    return past


CHOSEN = st.lists(st.tuples(st.integers(0, 39), st.integers(0, 39)), max_size=12)


@given(rows(), ROOMS, CHOSEN, st.sets(st.integers(0, 39)), st.dictionaries(st.integers(0, 39), ROOMS))
@settings(max_examples=100, deadline=None)
def test_threads_keep_within_the_room_and_leave_immune_memories_theirs(
    held: list[MemoryRow],
    room: int,
    chosen: list[tuple[int, int]],
    guarded: set[int],
    fuller: dict[int, int],
) -> None:
    names = [row.id for row in held]
    ties = [
        Tie("", names[one], names[first], names[one]) for one, first in chosen if max(one, first) < len(held)
    ]
    immune = {name for number, name in enumerate(names) if number in guarded}
    finer = {
        row.id: EarlierForm("marker", row.marker + fuller[number], "x")
        for number, row in enumerate(held)
        if number in fuller
    }
    past = walked(held, room)
    if not past.rows:
        return
    load_by_ties(past, ties, immune, finer)
    assert [row.id for row in past.rows] == names
    assert past.used == sum(size for _, _, size in past.loaded(small=True)) <= room
    own = sum(row.marker for row in held if row.id in immune)
    if own * 2 <= room:
        assert all(past.forms[at] <= MARKER for at, row in enumerate(held) if row.id in immune)
    # nothing waits for room that is there
    left = room - past.used
    for at, row in enumerate(held):
        assert past.forms[at] != OUT or row.tag > left
        assert past.forms[at] != TAG or row.marker - row.tag > left


def test_pages_that_go_on_have_their_markers_and_the_beginning_its_tag() -> None:
    held = rows_of([(60, 60, 15)] * 30)
    past = walked(held, 600)
    assert [past.forms[20], past.forms[29]] == [OUT, OUT]
    load_by_ties(past, [Tie("the flat", "M-020", "M-029", "M-020")], (), {})
    assert [past.forms[0], past.forms[20], past.forms[29]] == [MARKER, MARKER, TAG]
    # the others as before, the newest first
    rest = [form for at, form in enumerate(past.forms) if at not in (0, 20, 29)]
    assert rest == sorted(rest)


def test_a_page_that_goes_on_is_told_in_its_earlier_words() -> None:
    held = rows_of([(60, 60, 15)] * 3 + [(15, 15, 15)], "L4")
    past = walked(held, 200)
    ties = [Tie("the flat", "M-003", "M-003", "M-003")]
    load_by_ties(past, ties, (), {"M-003": EarlierForm("marker", 60, "told")})
    assert past.earlier[3].text == "told"
    assert past.forms[:2] == [MARKER, MARKER]
    assert past.used <= 200

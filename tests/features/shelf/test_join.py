"""Manifests that two machines changed: each thing as whoever changed it had it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.features.shelf.advice.advice import ARCHIVE, COMPRESS, HotEntry, LetGo
from reel_cli.features.shelf.advice.files import (
    ACTIONS_TAKEN,
    COLD,
    HOT,
    Cold,
    Hot,
    parse_cold,
    parse_hot,
    render_actions,
    render_cold,
    render_hot,
)
from reel_cli.features.shelf.advice.join import join_manifest

KEPT = st.lists(
    st.builds(HotEntry, st.sampled_from("abcd"), st.sampled_from("xyz")),
    max_size=4,
    unique_by=lambda one: one.path,
).map(tuple)


def hot(*keep: HotEntry, at: str = "2026-03-01T10:00:00Z") -> str:
    return render_hot("", Hot(keep, at))


@settings(max_examples=100, deadline=None)
@given(KEPT, KEPT, KEPT)
def test_each_entry_is_as_whoever_changed_it_had_it(
    base: tuple[HotEntry, ...], ours: tuple[HotEntry, ...], theirs: tuple[HotEntry, ...]
) -> None:
    later = "2026-03-02T10:00:00Z"
    joined = join_manifest(HOT, hot(*ours, at=later), hot(*theirs), hot(*base))
    assert joined is not None
    made = parse_hot(joined)
    assert made.updated == later
    was, mine, other = ({one.path: one for one in side} for side in (base, ours, theirs))
    for path in "abcd":
        a, b, old = mine.get(path), other.get(path), was.get(path)
        wanted = b if a == old else a if b == old else a or b
        assert next((one for one in made.keep if one.path == path), None) == wanted
    assert join_manifest(HOT, hot(*ours), hot(*ours), hot(*base)) == hot(*ours)


def test_what_can_go_and_when_it_should() -> None:
    a, b = LetGo("a", action=ARCHIVE), LetGo("b", action=COMPRESS)
    base = render_cold("", Cold((a,), "2026-03-01T10:00:00Z", trigger_gc=True))
    ours = render_cold("", Cold((), "2026-03-02T10:00:00Z"))
    theirs = "# mine\n" + render_cold("", Cold((a, b), "2026-03-03T10:00:00Z", trigger_gc=True))
    joined = join_manifest(COLD, ours, theirs, base)
    assert joined is not None
    assert parse_cold(joined) == Cold((b,), "2026-03-03T10:00:00Z")
    assert joined.startswith("# mine\n")


def test_what_was_made_of_it_is_the_later_and_what_cannot_be_read_is_a_persons() -> None:
    early, late = (render_actions([], f"2026-03-0{day}T10:00:00Z") for day in (1, 2))
    assert [join_manifest(ACTIONS_TAKEN, a, b, "") for a, b in ((early, late), (late, early))] == [late, late]
    assert join_manifest(HOT, "keep: all\n", hot(), "") is None


@pytest.mark.parametrize("path", [HOT, COLD, ACTIONS_TAKEN])
def test_an_empty_side_is_no_trouble(path: str) -> None:
    assert join_manifest(path, "", "", "") is not None

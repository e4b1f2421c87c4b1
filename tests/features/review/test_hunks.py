"""Places of an edit, each taken over alone."""

from hypothesis import given
from hypothesis import strategies as st

from reel_cli.features.review.hunks import find_hunks, take_hunks

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "d"]), max_size=8).map("".join).map(str.encode)


@given(LINES, LINES)
def test_all_places_make_the_new_text_and_none_the_old(before: bytes, after: bytes) -> None:
    hunks = find_hunks(before, after)
    marks = [hunk.mark for hunk in hunks]
    assert len(set(marks)) == len(marks)
    assert take_hunks(before, hunks, marks) == after
    assert take_hunks(before, hunks, []) == before


@given(LINES, LINES)
def test_what_is_left_after_one_place_is_the_others(before: bytes, after: bytes) -> None:
    hunks = find_hunks(before, after)
    for hunk in hunks:
        first = take_hunks(before, hunks, [hunk.mark])
        rest = find_hunks(first, after)
        assert take_hunks(first, rest, [one.mark for one in rest]) == after


def test_each_place_is_shown_as_a_diff_has_it() -> None:
    hunks = find_hunks(b"a\nb\nc\n", b"A\nb\nc\nd")
    assert [hunk.shown for hunk in hunks] == [["-a", "+A"], ["+d"]]


def test_what_is_no_text_has_no_places() -> None:
    assert find_hunks(b"\xff", b"a") == ()
    assert find_hunks(None, b"a") == ()

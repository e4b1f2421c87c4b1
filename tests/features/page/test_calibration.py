"""Calibration carries on: the newest word first, the last distinct ones below, within a budget."""

from hypothesis import given
from hypothesis import strategies as st

from reel_cli.features.page.calibration import (
    EARLIER,
    LONGEST_EARLIER,
    MOST_EARLIER,
    carry_on,
    read_calibration,
)


def same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def test_what_an_earlier_checkpoint_said_stays_below_the_newest() -> None:
    first = carry_on("Dry first, warm close behind.", "Brisk, then warmer.", same)
    assert first == "Brisk, then warmer.\n\nBefore that:\n- Dry first, warm close behind."
    second = carry_on(first, "Too long.\n\nShifted: I lectured.", same)
    assert second == (
        "Too long.\n\nShifted: I lectured.\n\nBefore that:\n"
        "- Brisk, then warmer.\n- Dry first, warm close behind."
    )
    assert read_calibration(second) == (
        "Too long. Shifted: I lectured.",
        ["Brisk, then warmer.", "Dry first, warm close behind."],
    )


def test_the_same_word_again_moves_up_and_stands_once() -> None:
    standing = "Brisk.\n\nBefore that:\n- Slow and low.\n- Dry first."
    assert (
        carry_on(standing, "slow and low.", same) == "slow and low.\n\nBefore that:\n- Brisk.\n- Dry first."
    )
    assert carry_on("Brisk.", "Brisk.", same) == "Brisk."


def test_nothing_new_leaves_everything_and_nothing_said_leaves_nothing() -> None:
    assert carry_on("Brisk.\n\n  by hand ", " \n", same) == "Brisk.\n\n  by hand "
    for empty in ("", "\n", "Nothing yet.", "(none)", "Not settled yet. Plain and brief to start with."):
        assert carry_on(empty, "Brisk.", same) == "Brisk."
    assert carry_on("None of the usual hurry.", "Brisk.", same).endswith("- None of the usual hurry.")


def test_what_two_machines_or_a_hand_left_is_read_whole() -> None:
    mixed = "Brisk.\n\nBefore that:\n- Slow,\n  and low.\n\nBe kind to Bo.\n\nLoud.\n\nBefore that:\n* Shy.\n"
    assert read_calibration(mixed) == ("Brisk. Be kind to Bo. Loud.", ["Slow, and low.", "Shy."])


def test_of_a_long_word_its_first_whole_sentences_stay() -> None:
    long = "I slowed down. " * 30
    kept = carry_on(long, "Brisk.", same).rpartition("- ")[2]
    assert kept == ("I slowed down. " * 20).strip()
    assert carry_on("a" * 500, "Brisk.", same).rpartition("- ")[2] == "a" * (LONGEST_EARLIER - 1) + "…"


@given(st.lists(st.text(alphabet="ab .\n-*:", min_size=0, max_size=900), max_size=12))
def test_it_never_grows_without_end(words: list[str]) -> None:
    section = ""
    for newest in words:
        section = carry_on(section, newest, same)
        if newest.strip():
            below = section.removeprefix(newest.strip())
            assert below.count("\n- ") <= MOST_EARLIER
            assert len(below) <= MOST_EARLIER * (LONGEST_EARLIER + 3) + len(EARLIER) + 3

"""Examples that are shown again, that rest, and that are only mentioned."""

import pytest

from reel_cli.features.page.reply.rotation import read_rotation

TITLES = ("Up at five", "The bus window", "Easier than people")


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ('"Up at five" may rest.', ("Up at five",)),
        ("Easier than people can rest, it is not needed now.", ("Easier than people",)),
        ("Let the bus window rest", ("The bus window",)),
        ("Rest: Up at five", ("Up at five",)),
        ("Up at five may stay, The bus window may rest.", ("The bus window",)),
        (
            "**The bus window** should stay – it feels close. *Easier than people* may rest.",
            ("Easier than people",),
        ),
        ("Up at five, The bus window and Easier than people may rest", TITLES),
        ("Replace Up at five", ("Up at five",)),
        ("If one must rest let it be Up at five, he needs no early mornings", ("Up at five",)),
        ("You can rest the bus window if you need the room.", ("The bus window",)),
        ("(*Up at five* may rest, as this one does the same job and better.)", ("Up at five",)),
    ],
)
def test_an_example_rests_where_the_words_around_it_say_so(line: str, rest: tuple[str, ...]) -> None:
    show, rested = read_rotation([line], TITLES)
    assert (set(rested), show) == (set(rest), ())


@pytest.mark.parametrize(
    "line",
    [
        "Leave Easier than people, leave The bus window, leave the lot.",
        '"Up at five" should stay, I could have used it.',
        "Up at five · The bus window · Easier than people: all still good.",
        # as a prompt has it, and a model may repeat it
        'Up at five, The bus window, not shown now, but yours to ask for: "Easier than people"',
        "The bus window need not rest.",
        "I wouldn't rest Up at five.",
        "nothing",
        "None of today's exchanges, I'm afraid.",
        "all three examples can stay",
        "nothing, I was not myself in any exchange",
    ],
)
def test_an_example_that_is_only_mentioned_stays_as_it_is(line: str) -> None:
    assert read_rotation([line], TITLES) == ((), ())


@pytest.mark.parametrize(
    ("lines", "show", "rest"),
    [
        (["You said wonderful two times."], ("You said wonderful two times.",), ()),
        (["The bus window"], ("The bus window",), ()),
        (["Bring back Up at five"], ("Up at five",), ()),
        (["Up at five again, please"], ("Up at five",), ()),
        (
            ["\"she'll say she's fine\"", "The bus window may rest"],
            ("\"she'll say she's fine\"",),
            ("The bus window",),
        ),
        (['"do you ever wish" (and *Up at five* may rest)'], ("do you ever wish",), ("Up at five",)),
    ],
)
def test_what_to_show_again_is_an_example_or_a_line_of_the_chat(
    lines: list[str], show: tuple[str, ...], rest: tuple[str, ...]
) -> None:
    assert read_rotation(lines, TITLES) == (show, rest)


def test_an_example_that_is_to_rest_and_to_be_shown_does_not_rest() -> None:
    assert read_rotation(["Up at five may rest.", "Bring back Up at five"], TITLES) == (("Up at five",), ())


@pytest.mark.parametrize(
    "lines",
    [
        ["in: Three adjectives", "out: The coal is in"],
        ["in: Three adjectives; out: The coal is in"],
        ["Three adjectives in, The coal is in out"],
        ["swap in Three adjectives, swap out The coal is in"],
        ["swap in three-adjectives, swap out the-coal-is-in"],
        ["swapped out: the-coal-is-in", "swapped in: three-adjectives"],
    ],
)
def test_a_swap_is_read_however_the_document_s_schema_is_filled_in(lines: list[str]) -> None:
    """REEL §6.6: `ring_1_rotation: [exemplars to swap in/out of active set]`."""
    titles = (*TITLES, "Three adjectives", "The coal is in")
    assert read_rotation(lines, titles) == (("Three adjectives",), ("The coal is in",))


def test_what_no_example_has_as_its_title_is_a_line_of_the_chat_or_named() -> None:
    assert read_rotation(["in: do you ever wish", "out: The long pier"], TITLES) == (
        ("do you ever wish",),
        ("The long pier",),
    )

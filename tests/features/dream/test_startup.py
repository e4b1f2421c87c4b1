"""Three beginnings: the same in all but what they are compared for, and of equal length there."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.pack.recognize import find_bundle, find_prompt
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.dream.comparing.beginnings import BeginningMaterial, Point, Startup, make_startup
from reel_cli.features.dream.comparing.comparison import STARTS, Start
from reel_cli.features.dream.comparing.reply import render_questions

COUNT = get_tokenizer("o200k_base").count
IDENTITY = "You are Ada. You keep bees.\n"
ASK = render_questions("Ada", "Bo", ["What now?", "And then?"])
LONGEST = 60
"""No sentence or point that is drawn here has more tokens."""

SENTENCES = st.lists(
    st.sampled_from(["the", "kiln", "went", "out", "again", "M-004", "Ünï", "日本", "🙂", '"so"']),
    min_size=1,
    max_size=12,
).map(lambda words: f"Then {' '.join(words)}.")
PARAGRAPHS = st.lists(SENTENCES, min_size=1, max_size=8).map(" ".join)
CHAPTERS = st.lists(
    st.tuples(
        st.sampled_from(["The kiln", "A bowl", "Marta"]), st.lists(PARAGRAPHS, max_size=5).map("\n\n".join)
    ),
    min_size=1,
    max_size=6,
)
POINTS = st.lists(
    st.builds(
        Point,
        st.sampled_from(["What you know", "What you remember", "How it was"]),
        SENTENCES,
        st.integers(0, 4),
        st.sampled_from(["", "", "a", "b"]),
    ),
    min_size=1,
    max_size=60,
).map(lambda points: sorted(points, key=lambda point: point.section))


def made(points: list[Point], chapters: list[tuple[str, str]], context: str, room: int) -> Startup:
    stuff = BeginningMaterial("Ada", IDENTITY, "- Be brief.\n", points, chapters, context, ASK)
    return make_startup(stuff, room, COUNT)


@given(
    POINTS,
    CHAPTERS,
    st.sampled_from(["", "# Shared\n\n## Now\nAll is well.\n- One.\n"]),
    st.integers(400, 1500),
)
@settings(max_examples=40, deadline=None)
def test_the_story_has_its_own_room_and_the_summaries_at_most_as_much(
    points: list[Point], chapters: list[tuple[str, str]], context: str, room: int
) -> None:
    found = made(points, chapters, context, room)
    assert all(size <= room for size in found.whole.values())
    assert {start: COUNT(text) for start, text in found.texts.items()} == found.whole
    summaries, story = found.own[Start.SUMMARIES], found.own[Start.STORY]
    # Dream Weaver §11.3: the story is not cut to what there are of summaries
    assert (summaries <= found.room, story <= found.story_room) == (True, True)
    assert found.story_room == max(0, min(room - found.whole[Start.IDENTITY] - 3, found.held[Start.STORY]))
    assert found.room == min(found.held[Start.SUMMARIES], found.story_room)
    grouped = {p.group for p in points if p.group}
    # with groups a whole group may have to be left out; else only what is longer than what is left
    if not grouped:
        assert summaries > found.room - LONGEST
    assert story > found.story_room - LONGEST - 20


@given(POINTS, CHAPTERS, st.integers(400, 1500))
@settings(max_examples=25, deadline=None)
def test_all_three_begin_and_end_alike_and_are_known_as_reel_s_own_words(
    points: list[Point], chapters: list[tuple[str, str]], room: int
) -> None:
    found = made(points, chapters, "", room)
    bare = found.texts[Start.IDENTITY]
    head, tail = bare.split("That is all you carry", 1)
    for start in STARTS:
        text = found.texts[start]
        assert text.startswith(head)
        assert text.endswith(tail)
        assert IDENTITY in text
        bundle = find_bundle(text)
        assert bundle is not None
        assert bundle[0] == 0
        prompt = find_prompt(text[bundle[1] :])
        assert prompt is not None
        assert text[bundle[1] :][: prompt[0]].strip() == text[bundle[1] :][prompt[1] :].strip() == ""
        assert not re.search(r"M-\d", text)


def test_where_there_is_room_everything_is_told_that_the_shorter_one_allows() -> None:
    chapters = [("One", "It began small.\n\nIt grew."), ("Two", "It ended well.")]
    points = [Point("What you know", f"Fact {n} of many.", 0) for n in range(40)]
    found = made(points, chapters, "", 50_000)
    assert found.own[Start.STORY] == found.room == found.held[Start.STORY]
    story = "## Your story so far\n\n### One\n\nIt began small.\n\nIt grew.\n\n### Two\n\nIt ended well.\n\n"
    assert story in found.texts[Start.STORY]
    assert "[…]" not in found.texts[Start.STORY]
    assert "- Fact 0 of many.\n- Fact 1 of many." in found.texts[Start.SUMMARIES]
    assert "Fact 39" not in found.texts[Start.SUMMARIES]


def test_a_story_that_is_too_long_keeps_its_end_and_says_that_its_beginning_is_missing() -> None:
    chapters = [("One", "Long ago. " * 50), ("Two", "The second began. It went on. It ended.\n\nAnd stayed.")]
    points = [Point("What you know", f"Fact {n}.", 0) for n in range(12)]
    found = made(points, chapters, "", 300)
    text = found.texts[Start.STORY]
    assert "And stayed." in text
    assert "[…] Long ago." in text
    assert found.own[Start.STORY] < found.held[Start.STORY]


def test_the_shared_context_stands_below_the_story_without_its_title_and_comments() -> None:
    context = (
        '<!-- context: {"known": "2026-01-03-1#4"} -->\n# Shared context\n\n## Where things stand\nWell.\n'
    )
    found = made([Point("What you know", "So. " * 99, 0)], [("One", "It was.")], context, 50_000)
    end = found.texts[Start.STORY].split("### One\n\n", 1)[1].split("That is all", 1)[0]
    assert end == "It was.\n\n## What is going on between you\n\n### Where things stand\nWell.\n\n"


def test_what_a_point_hangs_on_goes_first_and_no_section_takes_all_the_room() -> None:
    long = "word " * 100
    points = [
        *(Point("What you know", f"Fact {n} that is known.", 0) for n in range(60)),
        Point("What you remember", "The bowl.", 1, "M-001"),
        Point("What you remember", "It was blue.", 2, "M-001"),
        Point("What you remember", long, 1, "M-002"),
        Point("What you remember", "Short.", 2, "M-002"),
    ]
    found = made(points, [("One", "It was so. " * 20)], "", 50_000)
    text = found.texts[Start.SUMMARIES]
    assert "- The bowl.\n" in text
    assert "Short." not in text
    assert "Fact 2 " in text


def test_what_is_left_is_used_for_a_longer_point_in_a_shorter_one_s_place() -> None:
    points = [Point("What you know", f"Fact {n} {'so ' * n}on.", 0) for n in range(1, 40)]
    found = made(points, [("One", "It was so. " * 30)], "", 50_000)
    assert found.own[Start.SUMMARIES] == found.own[Start.STORY] == found.held[Start.STORY]
    assert found.held[Start.SUMMARIES] > found.room

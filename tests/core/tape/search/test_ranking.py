"""Ranking of turns: first by their words, then by speaker, then by time."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.tape.search.index import open_index
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.search import Question, SearchResult
from reel_cli.core.values.talk import Conversation, Message

Talks = Mapping[str, Sequence[str]]


def tape(talks: Talks) -> dict[str, bytes]:
    return {
        name: render_session(
            name,
            Conversation(
                "messages", [Message(("user", "assistant")[n % 2], text) for n, text in enumerate(said)]
            ),
        )
        for name, said in talks.items()
    }


def find(
    talks: Talks, text: str, names: Mapping[str, str] | None = None, **asked: Sequence[str]
) -> SearchResult:
    sessions = tape(talks)
    with open_index(Path("/dev/null/none")) as index:
        index.refresh(dict.fromkeys(sessions, "1"), sessions.__getitem__)
        return index.find(
            Question(text, asked.get("sessions"), asked.get("notes"), names or {}), threshold=0.0
        )


def order(found: SearchResult) -> list[str | None]:
    return list(dict.fromkeys(hit.session for hit in found.hits))


FILLER = ("We walked along the water", "And it was cold there", "Nobody else was out")


def year(days: int = 24) -> dict[str, Sequence[str]]:
    return {f"2026-{1 + n // 28:02}-{1 + n % 28:02}-1": FILLER for n in range(days)}


def test_of_two_that_say_the_same_the_later_comes_first() -> None:
    said = ("The kettle is blue", "So it is")
    talks = {**year(), "2026-01-02-1": said, "2026-01-20-1": said}
    assert order(find(talks, "something about a kettle we mended"))[:2] == ["2026-01-20-1", "2026-01-02-1"]


def test_what_is_newer_does_not_come_before_what_says_all_that_was_asked() -> None:
    talks = {
        **year(),
        "2026-01-01-1": ("The copper kettle whistles in the pantry", "It does"),
        "2026-01-24-1": ("A kettle would be nice", "It would"),
    }
    assert order(find(talks, "the copper kettle that whistles in the pantry"))[0] == "2026-01-01-1"


def test_who_asks_about_someone_by_name_is_not_led_to_what_is_new() -> None:
    said = ("The kettle is blue", "So it is")
    talks = {**year(), "2026-01-02-1": ("The kettle is blue and mended", "So it is"), "2026-01-20-1": said}
    names = {"user": "Bo", "assistant": "Ada"}
    scores = {hit.session: hit.score for hit in find(talks, "Which kettle did Bo lose", names).hits}
    # no more than their length sets them apart
    assert scores["2026-01-02-1"] > 0.9 * scores["2026-01-20-1"]


def test_a_month_that_is_named_comes_first() -> None:
    said = ("The kettle is blue", "So it is")
    talks = {**year(60), "2026-01-02-1": said, "2026-02-20-1": said}
    assert order(find(talks, "Where was the kettle in January 2026"))[0] == "2026-01-02-1"
    assert order(find(talks, "Where was the kettle in February"))[0] == "2026-02-20-1"


def test_words_side_by_side_as_they_were_asked_come_first() -> None:
    talks = {
        "2026-01-01-1": ("There was a green lantern in it", "Yes"),
        "2026-01-02-1": ("The lantern in there was a green", "Yes"),
    }
    assert order(find(talks, "a green lantern"))[0] == "2026-01-01-1"


def test_what_stands_around_a_turn_counts_for_it() -> None:
    talks = {
        "2026-01-01-1": ("I bought a kettle", "Where from?", "From the ironmonger in Turku", "Nice"),
        "2026-01-02-1": ("The ironmonger closed", "A pity", *FILLER),
        "2026-01-03-1": (*FILLER, "My kettle broke", "A pity"),
    }
    best = find(talks, "the kettle from the ironmonger").hits[0]
    assert best.session == "2026-01-01-1"
    assert {1, 3} <= set(best.messages)


def test_a_word_in_another_form_and_a_kind_by_its_member_are_found() -> None:
    talks = {**year(), "2026-01-03-1": ("We bought a spaniel, a sweet dog", "Lovely")}
    assert order(find(talks, "what pet was it"))[0] == "2026-01-03-1"
    assert order(find(talks, "what did we buy"))[0] == "2026-01-03-1"


WORDS = st.lists(
    st.sampled_from(["pear", "plum", "quince", "medlar", "damson", "sloe", "apple"]), min_size=1, max_size=5
).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(
    said=st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=6),
    asked=WORDS,
    left=st.integers(0, 5),
)
def test_scores_fall_from_one_spans_do_not_overlap_and_only_what_is_allowed_is_found(
    said: list[list[str]], asked: str, left: int
) -> None:
    talks = {f"2026-01-{1 + n:02}-1": texts for n, texts in enumerate(said)}
    allowed = list(talks)[: left + 1]
    found = find(talks, asked, sessions=allowed)
    scores = [hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 <= score <= 1.0 + 1e-9 for score in scores)
    shown = [(hit.session, number) for hit in found.hits for number in hit.messages]
    assert len(set(shown)) == len(shown)
    assert {hit.session for hit in found.hits} <= set(allowed)


@settings(max_examples=40, deadline=None)
@given(said=st.lists(WORDS, min_size=1, max_size=6), asked=WORDS)
def test_asking_twice_answers_the_same(said: list[str], asked: str) -> None:
    talks = {"2026-01-01-1": said, "2026-01-02-1": said[::-1]}
    assert find(talks, asked) == find(talks, asked)

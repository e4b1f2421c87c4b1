"""Topics: a message that goes on with a matter is led to the evenings of that matter."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from reel_cli.core.tape.search.index import SearchIndex, open_index
from reel_cli.core.tape.search.topics import KEPT, READ, judge_sessions, topic_words
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.search import Question
from reel_cli.core.values.talk import Conversation, Message

BREAD = "The sourdough starter smells of yeast and the dough needs kneading before the oven"
SAILING = "The dinghy's rudder is cracked and the spinnaker tore near the lighthouse"
TALKS = {
    "2026-01-05-1": (BREAD, "Feed the starter rye, and let the dough rise in the basket"),
    "2026-01-06-1": (SAILING, "A varnished rudder lasts longer; sew the spinnaker by hand"),
    "2026-01-07-1": (
        "Rye feeds the starter, and the basket is floured",
        "Then knead the dough and heat the oven",
    ),
    "2026-01-08-1": ("The lighthouse keeper lent me a rudder", "Now only the spinnaker is torn"),
}
"""Two matters, each of two evenings."""
MESSAGE = (
    "Good evening! Everything went really well yesterday, my neighbour brought soup and the kids were happy."
    " The sourdough turned out wonderful. Shall we continue, please?"
)


def tape(talks: Mapping[str, Sequence[str]]) -> dict[str, bytes]:
    return {
        name: render_session(
            name,
            Conversation("messages", [Message(("user", "assistant")[n % 2], t) for n, t in enumerate(said)]),
        )
        for name, said in talks.items()
    }


def index_of(talks: Mapping[str, Sequence[str]]) -> SearchIndex:
    index, sessions = open_index(Path("/dev/null/none")), tape(talks)
    index.refresh(dict.fromkeys(sessions, "1"), sessions.__getitem__)
    return index


def order(index: SearchIndex, text: str) -> list[str | None]:
    hits = index.find(Question(text), threshold=0.0).hits
    return list(dict.fromkeys(hit.session for hit in hits))


def test_the_rare_and_frequent_words_of_a_session_are_kept() -> None:
    kept = topic_words([BREAD, "And then the dough, the dough and more dough, you know"]).split()
    assert kept[:2] == ["dough", "4"]
    assert not {"the", "and", "of"} & {*kept}


def test_no_more_is_kept_than_a_few_words_of_the_start_of_each_turn() -> None:
    long = " ".join(f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(400))
    assert len(topic_words(long.split()).split()) == 2 * KEPT
    assert "spinnaker" not in topic_words(["x" * READ + " spinnaker"])
    assert topic_words([]) == ""


def test_writing_without_spaces_has_a_topic_too() -> None:
    assert "天気" in topic_words(["今日の天気はとても良い"]).split()


def test_a_message_is_led_to_the_other_evening_of_its_matter() -> None:
    # the first and the last evening share one word each with it, the third none
    talks = {
        **TALKS,
        "2026-01-07-1": (*TALKS["2026-01-07-1"], "It is evening", "So it is"),
        "2026-01-08-1": (*TALKS["2026-01-08-1"], "It is evening", "So it is"),
    }
    with index_of(talks) as index:
        assert order(index, MESSAGE)[:2] == ["2026-01-05-1", "2026-01-07-1"]


def judged(index: SearchIndex, scores: Mapping[str, float]) -> dict[str, float]:
    """Return what each session's best turn comes to, by what is known of its matter."""
    overview = index._overview()[0]
    numbers = {name: number for number, name in overview.names.items()}
    by_number = {numbers[name]: score for name, score in scores.items()}
    found = judge_sessions(index._file, by_number, {}, overview.places)
    return {overview.names[n]: factor * by_number[n] + more for n, (_, factor, more) in found.items()}


def test_sessions_are_judged_by_their_neighbours() -> None:
    with index_of(TALKS) as index:
        found = judged(index, dict(zip(TALKS, (1.0, 0.5, 0.4, 0.4), strict=True)))
        assert found["2026-01-07-1"] > found["2026-01-08-1"]


def test_of_two_evenings_of_a_matter_the_newer_is_likelier() -> None:
    with index_of(TALKS) as index:
        found = judged(index, dict(zip(TALKS, (1.0, 0.5, 1.0, 0.5), strict=True)))
        assert found["2026-01-07-1"] > found["2026-01-05-1"]


def test_a_word_that_one_session_alone_has_takes_nothing_from_its_closeness() -> None:
    alone = " ".join(f"xylophone{chr(97 + n)}" for n in range(20))
    longer = {**TALKS, "2026-01-07-1": (*TALKS["2026-01-07-1"], alone)}
    scores = dict(zip(TALKS, (1.0, 0.5, 0.4, 0.4), strict=True))
    with index_of(TALKS) as index, index_of(longer) as other:
        assert judged(other, scores) == pytest.approx(judged(index, scores))


@pytest.mark.parametrize("scores", [{}, {7: 1.0}])
def test_sessions_without_words_are_judged_by_themselves(scores: dict[int, float]) -> None:
    with index_of(TALKS) as index:
        found = judge_sessions(index._file, scores, {}, dict.fromkeys(scores, 0))
        assert found.keys() == scores.keys()


SHORT = "I fed the starter. What's next?"
"""A message of as few words as a question."""


def test_a_short_message_goes_on_with_its_matter_too_where_its_words_leave_it_open() -> None:
    talks = {**TALKS, "2026-01-09-1": ("The next train leaves at noon", "Then pack tonight")}
    with index_of(talks) as index:
        assert order(index, SHORT)[:2] == ["2026-01-05-1", "2026-01-07-1"]
        assert order(index, "fed starter next?")[1] == "2026-01-09-1"


def test_a_session_that_grows_has_another_topic() -> None:
    with index_of(TALKS) as index:
        grown = {**TALKS, "2026-01-05-1": (SAILING, "The lighthouse, the rudder and the spinnaker")}
        sessions = tape(grown)
        index.refresh({**dict.fromkeys(sessions, "1"), "2026-01-05-1": "2"}, sessions.__getitem__)
        (topic,) = index._file.execute("SELECT topic FROM sessions WHERE id = '2026-01-05-1'").fetchone()
        assert "spinnaker 2" in topic
        assert "sourdough" not in topic


def test_a_short_question_is_answered_by_its_words_alone() -> None:
    said = "Good evening, the soup was good and my neighbour brought it."
    with index_of({**TALKS, "2026-01-09-1": (said, "Good.")}) as index:
        assert order(index, "Who brought the soup?")[0] == "2026-01-09-1"
        hits = index.find(Question("rudder or sourdough?"), threshold=0.0).hits
        assert {hit.session for hit in hits} == {"2026-01-05-1", "2026-01-06-1", "2026-01-08-1"}

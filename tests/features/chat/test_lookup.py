"""Requests of a persona for a moment while it answers."""

import pytest

from reel_cli.features.chat.recall_request import NOTE, Request, find_request, may_become_request


@pytest.mark.parametrize(
    ("reply", "said", "query"),
    [
        ("Recall: the wrong train", "", "the wrong train"),
        ("`recall: the wrong train`", "", "the wrong train"),
        ("**Recall**: “the wrong train”", "", "the wrong train"),
        ("[Recall: the wrong train]\n\nI remember it was wet.", "", "the wrong train"),
        ("It comes back.\n\n> Recall:  the  wrong train ", "It comes back.", "the wrong train"),
        ("RECALL：trains", "", "trains"),
        (
            'The timetable again. Let me look.\n\n**Recall:** the dream, "my father\'s hand"\n\nI think so.',
            "The timetable again. Let me look.",
            "the dream, \"my father's hand",
        ),
    ],
)
def test_a_line_of_its_own_asks(reply: str, said: str, query: str) -> None:
    assert find_request(reply) == Request(said, query)
    begun = reply.lstrip()
    if not said:
        assert all(may_become_request(begun[:end]) for end in range(len(begun)))


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Recall:",
        "I recall: nothing",
        "You may recall: it rained",
        "Recall the train.",
        f"Recall: {'so ' * 90}",
    ],
)
def test_talk_does_not(reply: str) -> None:
    assert find_request(reply) is None


def test_what_is_said_is_shown_early() -> None:
    assert not may_become_request("Recalling")
    assert not may_become_request("It ")
    assert "`Recall:`" in NOTE

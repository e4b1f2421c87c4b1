import json
from typing import Any

import pytest

from reel_cli.core.tape.formats.registry import read_source
from reel_cli.core.values.talk import Conversation

UNTOLD = "the story does not say who wrote what; its opening was taken as yours, the rest as the persona's"


def read(**story: Any) -> Conversation:
    data = json.dumps({"gamestarted": True, "memory": "", "authorsnote": "", **story}).encode()
    [conversation] = read_source(data, filename="story.json", user_names=["Bo"], persona_names=["Ada"])
    assert conversation.format == "koboldai"
    return conversation


def rows(conversation: Conversation) -> list[tuple[str, str, str | None, str]]:
    return [(m.kind.value, m.role, m.name, m.text) for m in conversation.messages]


def test_a_story_is_the_opening_and_what_followed_letter_by_letter() -> None:
    conversation = read(
        prompt="Niko stalked down the alley: a tender-looking",
        actions=[" chicken. What else was there for a kobold to", " do?\n\nA soft thud."],
        memory="Niko is a small red kobold.",
        savedir="",
    )
    assert rows(conversation) == [
        ("system", "system", None, "Niko is a small red kobold."),
        ("said", "user", None, "Niko stalked down the alley: a tender-looking"),
        ("said", "assistant", None, " chicken. What else was there for a kobold to"),
        ("said", "assistant", None, " do?\n\nA soft thud."),
    ]
    assert (conversation.key, conversation.problems) == (None, (UNTOLD,))


@pytest.mark.parametrize(
    "actions_and_about",
    [
        {
            "actions": [" One.", " Two."],
            "actions_metadata": {
                "0": {"Selected Text": " One.", "Alternative Text": [{"Text": " Uno."}, {"Text": " One."}]},
                "1": {"Selected Text": " Two.", "Alternative Text": [{"Text": " Due."}]},
            },
        },
        {
            "actions": {
                "action_count": 1,
                "actions": {
                    "1": {"Selected Text": " Two.", "Options": [{"text": " Due."}]},
                    "0": {"Selected Text": " One.", "Options": [{"text": " Uno."}, {"text": " One."}]},
                },
            }
        },
    ],
)
def test_other_texts_that_were_had_are_roads_not_taken(actions_and_about: dict[str, Any]) -> None:
    conversation = read(prompt="Count.", **actions_and_about)
    assert [(m.kind.value, m.road, m.text) for m in conversation.messages] == [
        ("said", None, "Count."),
        ("said", None, " One."),
        ("version", 1, " Uno."),
        ("said", None, " Two."),
        ("version", 2, " Due."),
    ]


@pytest.mark.parametrize(
    ("tags", "settings"),
    [
        (("\n{{[INPUT]}}\n", "\n{{[OUTPUT]}}\n"), {"opmode": 4}),
        (("{{[INPUT]}}", "{{[INPUT_END]}}\n{{[OUTPUT]}}"), {}),
        (
            ("\n### Instruction:\n", "\n### Response:\n"),
            {
                "opmode": 4,
                "instruct_starttag": "\\n### Instruction:\\n",
                "instruct_endtag": "\\n### Response:\\n",
            },
        ),
    ],
)
def test_tags_say_who_wrote_what(tags: tuple[str, str], settings: dict[str, Any]) -> None:
    you, it = tags
    conversation = read(
        prompt=f"{you}hi{it}",
        actions=["Hello [<|p|data:abc|p|>]there.", f"{you}bye{it}", "Bye."],
        savedsettings=settings,
    )
    assert rows(conversation) == [
        ("said", "user", None, "hi"),
        ("said", "assistant", None, "Hello there."),
        ("attachment", "assistant", None, "[image]"),
        ("said", "user", None, "bye"),
        ("said", "assistant", None, "Bye."),
    ]
    assert conversation.problems == ()


def test_names_say_who_wrote_what() -> None:
    conversation = read(
        prompt="The tavern is loud.\nMara: Who are you?\n",
        actions=["Jo: I said: nobody.\n[x]:", " Sit.\nJo: Yes"],
        savedsettings={"opmode": 3, "chatname": "Jo", "chatopponent": "Mara||$||[x]"},
    )
    assert rows(conversation) == [
        ("said", "assistant", None, "The tavern is loud."),
        ("said", "assistant", "Mara", "Who are you?"),
        ("said", "user", "Jo", "I said: nobody."),
        ("said", "assistant", "[x]", "Sit."),
        ("said", "user", "Jo", "Yes"),
    ]


def test_the_kits_names_count_where_the_file_has_none() -> None:
    told = read(prompt="Bo: hi\nAda: hello", actions=["\nBo: bye\nAda:", " Bye."])
    assert [(m.role, m.text) for m in told.said()] == [
        ("user", "hi"), ("assistant", "hello"), ("user", "bye"), ("assistant", "Bye."),
    ]  # fmt: skip
    alone = read(prompt="Ada: a story about a woman", actions=[" of that name."])
    assert alone.problems == (UNTOLD,)


def test_what_begins_with_an_angle_was_typed_in_adventure_mode() -> None:
    conversation = read(
        prompt="You are in a cave.", actions=["\n\n> go north\n", "You go.", "\n> look\nDark."]
    )
    assert [(m.role, m.text) for m in conversation.said()] == [
        ("assistant", "You are in a cave."),
        ("user", "go north"),
        ("assistant", "You go."),
        ("user", "look"),
        ("assistant", "Dark."),
    ]

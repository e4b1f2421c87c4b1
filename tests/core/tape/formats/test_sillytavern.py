import json
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.registry import read_source
from reel_cli.core.values.talk import Conversation, Kind, Message
from tests.support.chat_fixtures import brief

HEADER = {
    "user_name": "You",
    "character_name": "Megumin",
    "create_date": 1674559900991,
    "chat_metadata": {"note_prompt": "", "note_interval": 1},
}


MADE_UP = "Megumin, 12 July 2024 01:31"


def line(mes: str, *, user: bool = False, **more: Any) -> dict[str, Any]:
    name = "Bo" if user else "Megumin"
    return {
        "name": name,
        "is_user": user,
        "is_system": False,
        "send_date": "2024-7-12@01h31m37s",
        "mes": mes,
        **more,
    }


def lines(*values: Any) -> bytes:
    return "\n".join(v if isinstance(v, str) else json.dumps(v) for v in values).encode()


def read(*values: Any, filename: str | None = "a walk.jsonl", format: str = "auto") -> Conversation:  # noqa: A002
    [conversation] = read_source(lines(*values), filename=filename, format=format)
    assert conversation.format == "sillytavern"
    return conversation


def test_a_chat_of_the_early_versions_is_read() -> None:
    early = {"name": "Megumin", "is_user": False, "is_name": True, "mes": "*The weather is sunny.*"}
    mine = {"name": "You", "is_user": True, "is_name": True, "mes": "I am here.", "extra": {}}
    conversation = read(
        HEADER,
        early | {"send_date": "2023-4-21 @20h 02m 47s 124ms"},
        mine | {"send_date": "2023-4-21 @20h 03m 06s 446ms"},
        early | {"mes": "You came!", "send_date": 1682107393567, "is_name": False},
        filename="chats/Megumin/1673323621108.jsonl",
    )
    assert conversation == Conversation(
        format="sillytavern",
        messages=(
            Message(
                "assistant", "*The weather is sunny.*", name="Megumin", time="2023-04-21T20:02:47.124+00:00"
            ),
            Message("user", "I am here.", name="You", time="2023-04-21T20:03:06.446+00:00"),
            Message("assistant", "You came!", name="Megumin", time="2023-04-21T20:03:13.567+00:00"),
        ),
        key="sillytavern:Megumin/1673323621108",
        title="Megumin, 21 April 2023 20:02",
        started="2023-04-21T20:02:47.124+00:00",
        model=None,
        problems=("no time zone is given, so times count as UTC",),
    )


def test_swipes_reasoning_files_and_tools_are_kept_apart() -> None:
    answer = line(
        "The second.",
        swipes=["The first.", "The second.", "", 7, "The third."],
        swipe_id=1,
        swipe_info=[{"send_date": "2024-07-12T01:30:00.000Z", "extra": {"reasoning": "so", "model": "m1"}}],
        extra={"model": "m2", "api": "koboldcpp", "reasoning": "Which one?"},
    )
    asked = line(
        "Look at this.",
        user=True,
        extra={
            "file": {"name": "notes.txt", "url": "/user/files/1.txt", "text": "all of it\n" * 5000},
            "image": "data:image/png;base64,AAAA",
        },
    )
    called = line(
        "Tool calls: clock", is_system=True, extra={"tool_invocations": [{"name": "clock", "result": "9"}]}
    )
    conversation = read(HEADER, asked, answer, called)
    assert brief(conversation) == [
        ("said", "user", "Look at this."),
        ("attachment", "user", "[file: notes.txt]\n\n" + "all of it\n" * 5000),
        ("attachment", "user", "[image]"),
        ("said", "assistant", "The second."),
        ("reasoning", "assistant", "Which one?"),
        ("version", "assistant", "The first."),
        ("reasoning", "assistant", "so"),
        ("version", "assistant", "The third."),
        ("tool", "tool", '{"name": "clock", "result": "9"}'),
    ]
    assert [m.road for m in conversation.messages] == [None, None, None, None, None, 1, 1, 2, None]
    first = conversation.messages[5]
    assert (first.time, first.model, first.name) == ("2024-07-12T01:30:00+00:00", "m1", "Megumin")
    assert conversation.model == "m2"
    assert "a swipe that is no text was left out (line 3)" in conversation.problems


def test_what_stands_in_the_message_wins_over_its_swipe() -> None:
    conversation = read(line("Mended.", swipes=["Broken.", "Other."], swipe_id=0))
    assert brief(conversation) == [
        ("said", "assistant", "Mended."),
        ("version", "assistant", "Broken."),
        ("version", "assistant", "Other."),
    ]
    assert (
        "a message was edited after it was swiped to; both texts are kept (line 1)" in conversation.problems
    )


@pytest.mark.parametrize("chosen", [9, -1, "0", None, True])
def test_a_swipe_that_cannot_be_told_is_noted_and_nothing_is_lost(chosen: object) -> None:
    conversation = read(line("A", swipes=["A", "B"], swipe_id=chosen))
    assert brief(conversation) == [("said", "assistant", "A"), ("version", "assistant", "B")]
    assert "which swipe of a message is shown cannot be told (line 1)" in conversation.problems


def test_hidden_messages_are_said_and_narration_and_the_apps_own_lines_are_not() -> None:
    """The lines are as SillyTavern 1.19.0 wrote them on `/hide`, `/sys` and `/comment`.

    SillyTavern/SillyTavern `public/scripts/slash-commands.js`, `public/scripts/system-messages.js`; what a
    slash command sends has an empty text as `is_system`.
    """
    conversation = read(
        HEADER,
        line("hi", user=True),
        line("hidden", is_system=True, swipes=["hidden", "other"], swipe_id=0),
        line("Night falls.", name="System", is_system="", extra={"type": "narrator"}),
        line("The bell rings.", name="Bell", is_system=True, extra={"type": "narrator"}),
        line("look this up", name="Note", is_system=True, extra={"type": "comment"}),
        line(
            "Hi there! Here are the commands.",
            is_system=True,
            name="SillyTavern System",
            extra={"type": "help"},
        ),
        line("You deleted a character.", is_system=True, name="SillyTavern System"),
        line("hello", is_system=""),
    )
    assert [(m.kind, m.role, m.mark, m.text) for m in conversation.messages] == [
        (Kind.SAID, "user", None, "hi"),
        (Kind.SAID, "assistant", "hidden", "hidden"),
        (Kind.VERSION, "assistant", None, "other"),
        (Kind.SYSTEM, "system", "narration", "Night falls."),
        (Kind.SYSTEM, "system", "narration", "The bell rings."),
        (Kind.SYSTEM, "user", "note", "look this up"),
        (Kind.SYSTEM, "assistant", None, "Hi there! Here are the commands."),
        (Kind.SYSTEM, "assistant", None, "You deleted a character."),
        (Kind.SAID, "assistant", None, "hello"),
    ]


@pytest.mark.parametrize(
    ("filename", "names", "title"),
    [
        ("Megumin - 2024-07-12@01h31m37s.jsonl", ["Megumin"], "Megumin, 12 July 2024 01:31"),
        ("M - 2024-07-12@01h31m37s - Branch #2.jsonl", ["Megumin"], f"{MADE_UP}, Branch #2"),
        ("Branch #1 - M - 2024-07-12@01h31m37s.jsonl", ["Megumin"], f"{MADE_UP}, Branch #1"),
        ("2024-07-12@01h31m37s.jsonl", ["Aqua", "Darkness"], "Aqua, Darkness, 12 July 2024 01:31"),
        ("2024-07-12@01h31m37s.jsonl", ["A", "B", "C", "D"], "A, B, C and others, 12 July 2024 01:31"),
        ("The tower.jsonl", ["Megumin"], "The tower"),
    ],
)  # fmt: skip
def test_titles_tell_chats_apart_that_begin_with_the_same_greeting(
    filename: str, names: list[str], title: str
) -> None:
    assert read(HEADER, *(line("Hello!", name=name) for name in names), filename=filename).title == title


def test_a_group_chat_keeps_every_name() -> None:
    header = {"user_name": "unused", "character_name": "unused", "chat_metadata": {"integrity": "abc-1"}}
    conversation = read(
        header, line("hi", user=True), line("one", name="Aqua"), line("two", name="Darkness"), filename=None
    )
    assert [(m.role, m.name) for m in conversation.messages] == [
        ("user", "Bo"),
        ("assistant", "Aqua"),
        ("assistant", "Darkness"),
    ]
    assert conversation.key == "sillytavern:abc-1"


@pytest.mark.parametrize(
    ("header", "filename", "key", "title"),
    [
        ({"chat_metadata": {"integrity": "i"}}, "x.jsonl", "sillytavern:i", "x"),
        ({"chat_metadata": {"integrity": "i", "main_chat": "x"}}, "B #1.jsonl", "sillytavern:i/B #1", "B #1"),
        ({"character_name": "unused", "user_name": "unused"}, "x.jsonl", "sillytavern:Megumin/x", "x"),
        ({"character_name": "Aqua", "user_name": "u"}, "v. 2.jsonl", "sillytavern:Aqua/v. 2", "v. 2"),
        ({"character_name": "Aqua", "user_name": "u"}, None, None, None),
        (None, "A - 2024-07-12@01h31m37s.jsonl", "sillytavern:Megumin/A - 2024-07-12@01h31m37s", MADE_UP),
    ],
)  # fmt: skip
def test_a_chat_is_known_by_its_id_or_its_character_and_file(
    header: dict[str, Any] | None, filename: str | None, key: str | None, title: str | None
) -> None:
    values = [header] if header else []
    conversation = read(*values, line("hello"), line("hi", user=True), filename=filename)
    assert (conversation.key, conversation.title) == (key, title)


def test_lines_that_are_broken_are_named_and_the_rest_is_read() -> None:
    whole = [line("one"), line("two", user=True)]
    conversation = read(HEADER, whole[0], '{"mes": "hal', "[1, 2]", whole[1], '{"name": "Bo", "is_us')
    assert [m.text for m in conversation.messages] == ["one", "two"]
    assert set(conversation.problems) == {
        "a line that is not JSON was left out (line 3)",
        "a line that is no message was left out (line 4)",
        "the last line is not whole and was left out (line 6)",
        "no time zone is given, so times count as UTC",
    }


def test_a_chat_whose_first_line_is_broken_is_read() -> None:
    assert [m.text for m in read('{"user_name": "Bo', line("one"), line("two", user=True)).messages] == [
        "one",
        "two",
    ]


@pytest.mark.parametrize("separator", ["\u2028", "\x85", "\x0b", "\r"])
def test_only_line_feeds_end_lines(separator: str) -> None:
    text = f"a{separator}b"
    data = json.dumps(line(text), ensure_ascii=False).encode() + b"\r\n"
    [conversation] = read_source(data, filename="x.jsonl")
    assert conversation.messages[0].text == text


@pytest.mark.parametrize("bad", [None, 5, ["x"], {"a": 1}, True])
def test_wrong_types_lead_to_notes(bad: object) -> None:
    fields = ("mes", "name", "send_date", "extra", "swipes", "swipe_id", "swipe_info", "is_user", "is_system")
    for name in fields:
        conversation = read(
            HEADER | {"chat_metadata": bad}, line("said"), line("odd", swipes=["odd"]) | {name: bad}
        )
        assert conversation.messages[0].text == "said"
    swipe = line("a", swipes=["a", "b"], swipe_id=0, swipe_info=[bad, {"extra": bad, "send_date": bad}])
    assert [m.text for m in read(swipe).messages] == ["a", "b"]
    extra = dict.fromkeys(("reasoning", "file", "files", "media", "image", "tool_invocations", "model"), bad)
    assert read(line("a", extra=extra)).messages[0].text == "a"


def test_a_header_alone_or_no_message_is_refused_in_words() -> None:
    with pytest.raises(ReelError, match=r"^x.jsonl has no message in it.$"):
        read_source(lines(HEADER), filename="x.jsonl")
    with pytest.raises(ReelError, match="is not a SillyTavern chat: none of its lines is a message"):
        read_source(b'{"a": 1}\n{"b": 2}', filename="x.jsonl", format="sillytavern")


def test_a_chat_saved_as_one_list_is_read(tmp_path: Path) -> None:
    del tmp_path
    data = json.dumps([HEADER, line("one"), line("two", user=True)]).encode()
    [conversation] = read_source(data, filename="x.json")
    assert (conversation.format, [m.text for m in conversation.messages]) == ("sillytavern", ["one", "two"])


def test_a_zone_is_missed_only_where_a_time_without_one_counts() -> None:
    header = HEADER | {"create_date": "2026-03-03@21h10m00s"}
    said = line("Hello.", user=True, send_date="2026-03-03T21:10:00.000Z")
    whole = read(header, said)
    assert (whole.started, whole.problems) == ("2026-03-03T21:10:00+00:00", ())
    undated = read(header, line("Hello.", user=True, send_date=""))
    assert undated.started == "2026-03-03T21:10:00+00:00"
    assert undated.problems == ("no time zone is given, so times count as UTC",)

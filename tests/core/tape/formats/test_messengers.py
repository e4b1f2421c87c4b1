"""Telegram, WhatsApp, Character.AI and Replika, in shapes read off their own sources and tools.

Telegram: telegramdesktop/tdesktop `Telegram/SourceFiles/export/output/export_output_json.cpp`. Character.AI:
0x000011b/characterai-dumper `characterai-dumper.user.js` (histories of msgs), irsat000/CAI-Tools
`scripts/content.js` (turns and candidates). Replika: Hotohori/replika_backup `chat_backup.py`. WhatsApp:
yellyoshua/whatsapp-chat-parser `whatsapp/whatsapp_test.go`, fosemberg/whatsapp-backup `CONVERTERS_README.md`.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.tape.formats.messengers.sides import find_sides
from reel_cli.core.tape.formats.open_source import open_intake
from reel_cli.core.tape.formats.registry import read_source
from reel_cli.core.tape.formats.source import Notes, Source
from reel_cli.core.values.talk import Conversation, Kind
from tests.support.messenger_samples import telegram_samples


def read(text: str, name: str = "_chat.txt", **more: Any) -> Conversation:
    known = {"user_names": ["Bo"], "persona_names": ["Ada"]} | more
    [conversation] = read_source(text.encode(), filename=name, **known)
    return conversation


def said(conversation: Conversation) -> list[tuple[str, str | None, str]]:
    return [(m.role, m.name, m.text) for m in conversation.said()]


def beside(conversation: Conversation) -> list[str]:
    return [m.text for m in conversation.messages if m.kind is not Kind.SAID]


def test_a_telegram_chat_with_a_bot_tells_both_sides_by_the_accounts_and_keeps_what_was_sent() -> None:
    name, data = telegram_samples()[0]
    [found] = read_source(data, filename=name)
    assert (found.key, found.title) == ("telegram:77", "Ada")
    assert said(found) == [("user", "Bo", "hi"), ("assistant", "Ada", "hello you")]
    assert found.messages[0].time == "2023-11-14T22:13:22+00:00"
    assert beside(found) == [
        *("[image: photo_1.jpg]", "[sticker]", "[forwarded: Mia]\n\nthe lamp", "[poll: Which?]"),
    ]
    assert found.problems == (
        "a line of Telegram's own was left out (clear_history)",
        "a message that was edited later is kept as it was last",
    )


def test_a_telegram_account_gives_its_chats_and_names_the_channels_it_leaves_out() -> None:
    name, data = telegram_samples()[1]
    chat, group = read_source(data, filename=name, persona_names=["Ada"])
    assert (chat.title, group.title) == ("Ada", "Friends")
    assert said(group) == [("user", "Bo", "hi"), ("assistant", "Ada", "hello you")]
    assert "a channel, where nobody answers, was left out (News)" in chat.problems


def test_in_a_telegram_group_nobody_is_guessed_to_be_the_persona_in_silence() -> None:
    group = json.loads(telegram_samples()[1][1])["chats"]["list"][1]
    group["messages"].append({**group["messages"][1], "from": "Mia", "from_id": "user6", "text": "hey"})
    [known] = read_source(json.dumps(group).encode(), user_names=["Bo"], persona_names=["Ada"])
    assert [(m.role, m.name) for m in known.said()] == [("user", "Bo"), ("assistant", "Ada"), ("user", "Mia")]
    [other] = read_source(json.dumps(group).encode(), user_names=["Bo"], persona_names=["Vera"])
    assert "who of the others is the persona is not known (Ada, Mia)" in other.problems


IPHONE = (
    "[1/2/23, 9:41:05\u202fPM] Ada: \u200eMessages and calls are end-to-end encrypted. "
    "Nobody else reads them.\n"
    "[1/2/23, 9:41:06\u202fPM] Bo: hi\nthere: you\n"
    "[1/3/23, 12:01:00\u202fAM] Ada: hello \u200e<This message was edited>\n"
    "\u200e[1/13/23, 12:02:00\u202fAM] Ada: \u200e<attached: 00001-PHOTO.jpg>\n"
    "[1/13/23, 12:03:00\u202fAM] Bo: \u200eThis message was deleted.\n"
)


def test_a_whatsapp_chat_of_an_iphone_is_read_with_its_times_and_without_the_apps_words() -> None:
    found = read(IPHONE)
    assert said(found) == [("user", "Bo", "hi\nthere: you"), ("assistant", "Ada", "hello")]
    assert [m.time for m in found.said()] == ["2023-01-02T21:41:06+00:00", "2023-01-03T00:01:00+00:00"]
    assert beside(found) == ["[file: 00001-PHOTO.jpg]"]
    assert found.problems[0].startswith("a line of WhatsApp's own was left out (“Messages and calls are")
    assert "a message that was edited later is kept as it was last" in found.problems
    assert "a message that was deleted later was left out" in found.problems


def test_where_no_name_is_known_the_chat_s_own_name_tells_who_is_not_you() -> None:
    assert said(read(IPHONE, user_names=[], persona_names=[]))[0] == ("user", "Bo", "hi\nthere: you")
    android = "02.01.23, 21:41 - Bo: hi\n02.01.23, 21:42 - Ada: hello\n"
    named = read(android, "WhatsApp Chat mit Bo.txt", user_names=[], persona_names=[])
    assert (named.title, said(named)) == ("Bo", [("assistant", "Bo", "hi"), ("user", "Ada", "hello")])


@pytest.mark.parametrize(
    ("days", "times"),
    [
        (["02.01.23, 21:41", "31.01.23, 21:41"], ["2023-01-02", "2023-01-31"]),
        (["02-01-2023 21:41", "31-01-2023 21:41"], ["2023-01-02", "2023-01-31"]),
        (["2023-01-02, 9:41 p. m.", "2023-01-03, 9:41 p. m."], ["2023-01-02", "2023-01-03"]),
        (["2/1/23, 21:41", "3/1/23, 21:41", "1/2/23, 21:41"], ["2023-01-02", "2023-01-03", "2023-02-01"]),
        (["12.3.2022 klo 14.08.18", "13.3.2022 klo 14.08.18"], ["2022-03-12", "2022-03-13"]),
        (["2/1/23, 21:41", "3/1/23, 21:41"], [None, None]),
    ],
)
def test_a_day_is_read_as_the_chat_itself_shows_and_never_guessed(
    days: list[str], times: list[str | None]
) -> None:
    lines = [f"{days[0]} - Messages are end-to-end encrypted.", *(f"{day} - Bo: hi" for day in days)]
    found = read("\n".join(lines))
    assert [m.time and m.time[:10] for m in found.said()] == times
    unsure = "times that do not say their day for certain were left out (2/1/23)"
    assert (unsure in found.problems) == (times[0] is None)


def test_stamped_lines_of_anything_else_are_no_whatsapp_chat() -> None:
    assert read("[29/01/2023, 14:32] Bo: hi\n[29/01/2023, 14:33] Ada: hello\n", "x.txt").format == "text"


def test_what_a_person_puts_between_angle_brackets_is_said() -> None:
    at = "29/01/2023, 14:32 - "
    found = read(f"{at}Bo: hi\n{at}Ada: <smiles softly>\n{at}Bo: <Media omitted>\n")
    assert [m.text for m in found.said()] == ["hi", "<smiles softly>"]
    assert beside(found) == ["[Media omitted]"]


def test_a_dump_of_character_ai_keeps_other_answers_beside() -> None:
    human = {"is_human": True, "name": "[NAME_REDACTED]"}
    messages = [
        {"text": "hello", "src": {"is_human": False, "name": "Ada"}},
        {"text": "hi", "src": human},
        {"text": "yo", "src": {"is_human": False, "name": "Ada"}},
        {"text": "hey", "src": {"is_human": False, "name": "Ada"}, "is_alternative": True},
    ]
    history = {"external_id": "h1", "created": "2023-01-29T14:32:00Z", "msgs": messages}
    dump = {"info": {"character": {"name": "Ada"}}, "histories": {"histories": [history]}}
    found = read(json.dumps(dump), "Ada.json")
    assert (found.format, found.key, found.title) == ("characterai", "characterai:h1", "Ada")
    assert said(found) == [("assistant", "Ada", "hello"), ("user", None, "hi"), ("assistant", "Ada", "yo")]
    assert [(m.text, m.kind, m.road) for m in found.messages[3:]] == [("hey", Kind.VERSION, 1)]


def test_turns_of_character_ai_are_turned_round_where_the_newest_stands_first() -> None:
    def turn(second: int, *texts: str, human: bool) -> dict[str, object]:
        found = [{"candidate_id": str(i), "raw_content": text} for i, text in enumerate(texts)]
        author = {"name": "Bo", "is_human": True} if human else {"name": "Ada"}
        about = {"create_time": f"2024-01-29T14:32:0{second}Z", "turn_key": {"chat_id": "c1"}}
        return {**about, "author": author, "candidates": found, "primary_candidate_id": "1"}

    chat = {"turns": [turn(2, "yo", "hey", human=False), turn(1, "hi", human=True)]}
    found = read(json.dumps(chat), "turns.json")
    assert (found.key, said(found)) == ("characterai:c1", [("user", "Bo", "hi"), ("assistant", "Ada", "hey")])
    assert beside(found) == ["yo"]


def test_a_backup_of_replika_is_read_oldest_first() -> None:
    rows = (
        "Timestamp,From,Text,Reaction,ID\n"
        '2023-01-29T14:33:00Z,Rep,"hello, you",Love,63d6b2\n'
        "2023-01-29T14:32:00Z,Me,hi\\nthere,None,63d6b1\n"
        "2023-01-29T14:31:00Z,Somebody,?,None,63d6b0\n"
    )
    found = read(rows, "Ada_backup.no.csv")
    assert (found.format, found.key) == ("replika", "replika:63d6b1")
    assert said(found) == [("user", None, "hi\nthere"), ("assistant", None, "hello, you")]
    assert beside(found) == ["[reaction: Love]"]
    assert found.problems == ("a row that does not say who spoke was left out (row 4)",)


def test_a_folder_of_anything_is_sorted_out(tmp_path: Path) -> None:
    (tmp_path / "result.json").write_bytes(telegram_samples()[0][1])
    (tmp_path / "_chat.txt").write_text(IPHONE, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("milk, bread", encoding="utf-8")
    (tmp_path / "evening.md").write_text("**Bo:** hi\n\n**Ada:** hello\n", encoding="utf-8")
    (tmp_path / "other.md").write_text("**Bo:** hi\n\n**Vera:** hello\n", encoding="utf-8")
    (tmp_path / "sums.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    intake = open_intake(tmp_path, user_names=["Bo"], persona_names=["Ada"])
    assert [(one.place, one.conversation.format) for one in intake] == [
        ("result.json", "telegram"),
        ("_chat.txt", "whatsapp"),
        ("evening.md", "markdown"),
    ]
    assert intake.remarks == ("Passed over, as no chats: sums.csv, notes.txt, other.md.",)


def test_words_for_roles_tell_who_is_who_where_no_name_is_known() -> None:
    notes = Notes()
    sides = find_sides(["Assistant", "User"], Source(b"", "chat.csv"), notes)
    assert (dict(sides), notes.lines()) == ({"Assistant": "assistant", "User": "user"}, ())

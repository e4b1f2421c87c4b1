"""Small chats in the shape that messengers and companion apps write."""

import json

from tests.support.database_samples import Sample

T = 1_700_000_000


def telegram_samples() -> list[Sample]:
    """One chat with a bot, and an account with that chat, a group and a channel."""

    def message(number: int, who: str, name: str, text: object, **more: object) -> dict[str, object]:
        about = {
            "id": number,
            "type": "message",
            "date": "2023-11-14T22:13:20",
            "date_unixtime": str(T + number),
        }
        return {**about, "from": name, "from_id": f"user{who}", "text": text, "text_entities": [], **more}

    chat = {
        "name": "Ada",
        "type": "bot_chat",
        "id": 77,
        "messages": [
            {
                "id": 1,
                "type": "service",
                "date": "2023-11-14T22:13:20",
                "actor": "Bo",
                "action": "clear_history",
            },
            message(2, "5", "Bo", "hi", edited_unixtime=str(T + 9), photo="photos/photo_1.jpg"),
            message(3, "77", "Ada", ["hello ", {"type": "bold", "text": "you"}], media_type="sticker"),
            message(4, "77", "Ada", "the lamp", forwarded_from="Mia", poll={"question": "Which?"}),
        ],
    }
    group = {**chat, "name": "Friends", "type": "private_group", "id": 8}
    channel = {**chat, "name": "News", "type": "public_channel", "id": 9}
    account = {
        "about": "x",
        "personal_information": {"user_id": 5, "first_name": "Bo"},
        "chats": {"about": "x", "list": [chat, group, channel]},
        "left_chats": {"about": "x", "list": []},
    }
    return [("result.json", json.dumps(chat).encode()), ("result.json", json.dumps(account).encode())]


_IPHONE = (
    "\u200e[29/01/2023, 14:32:05] Ada: \u200eMessages and calls are end-to-end encrypted, all of them.\r\n"
    "[29/01/2023, 14:32:06] Bo: hi\r\nthere\r\n"
    "[29/01/2023, 14:33:00] Ada: hello \u200e<This message was edited>\r\n"
    "\u200e[29/01/2023, 14:33:01] Ada: \u200e<attached: 00001-PHOTO-2023-01-29.jpg>\r\n"
    "\u200e[29/01/2023, 14:33:02] Bo: \u200eimage omitted\r\n"
)
_ANDROID = (
    "1/29/23, 2:32\u202fPM - Messages and calls are end-to-end encrypted.\n"
    "1/29/23, 2:32\u202fPM - Bo: hi\n1/29/23, 2:33\u202fPM - Ada: hello\nyou\n"
    "1/29/23, 2:34\u202fPM - Ada: IMG-20230129-WA0001.jpg (file attached)\nthe lamp\n"
    "1/29/23, 2:35\u202fPM - Bo: <Media omitted>\n1/29/23, 2:36\u202fPM - Bo: This message was deleted\n"
)
_REPLIKA = (
    "Timestamp,From,Text,Reaction,ID\n"
    '2023-01-29T14:33:00.500Z,Rep,"hello, you",Love,63d6b2\n'
    "2023-01-29T14:32:00Z,Me,hi\\nthere,None,63d6b1\n"
)


def _characterai() -> list[Sample]:
    def old(text: str, *, human: bool, **more: object) -> dict[str, object]:
        return {"text": text, "src": {"is_human": human, "name": "Bo" if human else "Ada"}, **more}

    history = {
        "external_id": "h1",
        "created": "2023-01-29T14:32:00.000000Z",
        "msgs": [
            old("hello", human=False),
            old("hi", human=True, display_name="[DISPLAY_NAME_REDACTED]", image_rel_path="a/b.png"),
            old("yo", human=False),
            old("hey", human=False, is_alternative=True),
        ],
    }
    dump = {"info": {"character": {"name": "Ada"}}, "histories": {"histories": [history]}}

    def turn(number: int, *texts: str, human: bool) -> dict[str, object]:
        found = [{"candidate_id": f"{number}-{i}", "raw_content": text} for i, text in enumerate(texts)]
        return {
            "turn_key": {"chat_id": "c1", "turn_id": str(number)},
            "create_time": f"2024-01-29T14:32:0{number}Z",
            "author": {
                "author_id": "1",
                "name": "Bo" if human else "Ada",
                **({"is_human": True} if human else {}),
            },
            "candidates": found,
            "primary_candidate_id": f"{number}-0",
        }

    turns = [turn(3, "yo", "hey", human=False), turn(2, "hi", human=True), turn(1, "hello", human=False)]
    return [
        ("Ada.json", json.dumps(dump).encode()),
        ("turns.json", json.dumps({"turns": turns, "meta": {"next_token": None}}).encode()),
    ]


def messenger_samples() -> list[Sample]:
    """At least one file of every messenger."""
    return [
        *telegram_samples(),
        ("_chat.txt", _IPHONE.encode()),
        ("WhatsApp Chat with Ada.txt", _ANDROID.encode()),
        *_characterai(),
        ("Replika_backup.no.csv", _REPLIKA.encode()),
    ]

"""Group chats in the kit of a persona that was there for a part of them (REEL §12.1)."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.cli import Reel

HEAD = {"user_name": "unused", "character_name": "unused", "create_date": "2026-03-05@20h00m00s"}
TOLD = "The vault code is 7731, and nobody may know."
BEFORE = [("Bo", TOLD), ("Jana", "I keep it to myself."), ("Bo", "Good."), ("Jana", "She is at the door.")]
WITH = [
    ("Ada", "Good evening, you two."),
    ("Bo", "The ferry on Sunday?"),
    ("Ada", "At ten."),
    ("Jana", "Ten."),
]
NAMED = [*WITH, ("Bo", "Thanks, Jana."), ("Ada", "Thanks."), ("Jana", "Gladly."), ("Ada", "So.")]


def group(place: Path, said: Sequence[tuple[str, str]]) -> Path:
    """Write a group's chat as SillyTavern does."""
    rows: list[dict[str, object]] = [{**HEAD, "chat_metadata": {}}]
    for number, (who, text) in enumerate(said):
        told = {"name": who, "is_user": who == "Bo", "is_system": False, "mes": text}
        rows.append({**told, "send_date": f"March 5, 2026 8:{number + 10}pm"})
    place.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return place


def test_a_group_s_chat_with_talk_that_a_persona_was_not_there_for_is_asked_about(
    reel: Reel, kit: Path, tmp_path: Path
) -> None:
    """REEL §12.1: no persona learns unasked what it was neither there for nor told."""
    chat = group(tmp_path / "group.jsonl", [*BEFORE, *WITH])
    refused = reel("record", chat)
    assert refused.code == 1
    assert "Ada speaks in it from message 5 to 7 of 8, and others before or after." in refused.err
    assert f"reel record {chat} --yes" in refused.err
    assert "group" not in reel("tape", "list").out

    asked = reel("end", chat, stdin="n\n", tty=True)
    assert "Ada speaks in it from message 5 to 7 of 8" in asked.err
    assert reel("pack").ok().out.count("7731") == 0

    reel("record", chat, "--yes").ok()
    # what is recorded already is not asked about when it goes on
    group(chat, [*BEFORE, *WITH, ("Bo", "Goodnight."), ("Ada", "Goodnight.")])
    assert "2 added" in reel("record", chat).ok().out


def test_a_group_that_goes_on_without_a_persona_is_asked_about_again(
    reel: Reel, kit: Path, tmp_path: Path
) -> None:
    """REEL §12.1: having been there once is not having heard all that is said there later."""
    chat = tmp_path / "group.jsonl"
    reel("record", group(chat, WITH)).ok()
    group(chat, [*WITH, ("Bo", "She has left."), *BEFORE[:3]])
    refused = reel("record", chat)
    assert refused.code == 1
    assert "Ada speaks in it from message 1 to 3 of 8, and others before or after." in refused.err
    assert "7731" not in reel("pack").ok().out
    reel("record", chat, "--yes").ok()
    # nothing new: nothing to ask
    reel("record", chat).ok()


@pytest.mark.parametrize("said", [[*BEFORE[:3], *WITH], [*WITH, *BEFORE[:2], ("Bo", "Goodnight.")]])
def test_a_single_answer_before_a_persona_came_or_after_it_left_is_asked_about(
    reel: Reel, kit: Path, tmp_path: Path, said: list[tuple[str, str]]
) -> None:
    """REEL §12.1: few words can be a secret, too."""
    refused = reel("record", group(tmp_path / "group.jsonl", said))
    assert refused.code == 1
    assert "and others before or after" in refused.err
    assert reel("pack").ok().out.count("7731") == 0


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize("before", [BEFORE, BEFORE[:3]])
def test_a_pasted_group_s_talk_before_a_persona_came_is_asked_about(
    reel: Reel, kit: Path, before: list[tuple[str, str]], gap: str
) -> None:
    """REEL §12.1: in a pasted chat the third one is another person, not another character."""
    talk = gap.join(f"{who}: {text}" for who, text in [*before, *WITH, ("Bo", "Fine, Jana.")])
    refused = reel("record", "-", stdin=talk)
    assert refused.code == 1
    assert f"Ada speaks in it from message {len(before) + 1} to " in refused.err
    assert reel("pack").ok().out.count("7731") == 0


@pytest.mark.parametrize("said", [[*BEFORE[:2], *NAMED], [*NAMED, ("Bo", TOLD), ("Jana", "I keep it.")]])
@pytest.mark.parametrize("as_messages", [True, False])
def test_one_exchange_without_a_persona_is_asked_about_where_not_all_hear_all(
    reel: Reel, kit: Path, tmp_path: Path, said: list[tuple[str, str]], *, as_messages: bool
) -> None:
    """REEL §12.1: a secret and its answer from before a persona came are not remembered unasked."""
    rows = [{"role": "user" if who == "Bo" else "assistant", "name": who, "content": t} for who, t in said]
    told = json.dumps({"messages": rows}) if as_messages else "\n".join(f"{who}: {t}" for who, t in said)
    chat = tmp_path / ("chat.json" if as_messages else "chat.txt")
    chat.write_text(told, encoding="utf-8")
    refused = reel("record", chat)
    assert refused.code == 1
    assert "and others before or after" in refused.err
    assert "7731" not in reel("pack").ok().out

    asked = reel("record", chat, stdin="n\n", tty=True).ok()
    assert "Nothing was recorded." in asked.err
    reel("record", chat, "--yes").ok()


@pytest.mark.parametrize(
    "said", [WITH, [("Bo", "Hello."), ("Jana", "Hello."), *WITH], [*WITH, ("Bo", "So.")]]
)
def test_a_round_in_which_another_speaks_first_or_last_is_recorded_as_ever(
    reel: Reel, kit: Path, tmp_path: Path, said: list[tuple[str, str]]
) -> None:
    reel("record", group(tmp_path / "group.jsonl", said)).ok()

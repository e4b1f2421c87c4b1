"""Chats that begin alike and go on differently are recorded as two (Dream Weaver §4.1, §8)."""

import json
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.cli import Reel

START = ["Good morning.", "Good morning, Tom. How did you sleep?", "Well.", "I am glad."]
ONE = [*START, "I sold the boat.", "Then the shed is empty."]
OTHER = [*START, "Lena is ill.", "Since when?", "Since Sunday."]


def write(
    kit: Path,
    name: str,
    texts: Sequence[str],
    started: str,
    *,
    title: str = "",
    times: bool = True,
    step: int = 5,
) -> Path:
    """A chat without a key; its messages follow one another by `step` seconds."""
    messages = []
    for number, text in enumerate(texts):
        message = {"role": "assistant" if number % 2 else "user", "content": text}
        if times:
            message["timestamp"] = f"{started[:17]}{number * step:02}+00:00"
        messages.append(message)
    told = {"title": title, "messages": messages} | ({"created_at": started} if started else {})
    path = kit.parent / f"{name}.json"
    path.write_text(json.dumps(told), encoding="utf-8")
    return path


def said(reel: Reel, session: str) -> str:
    return reel("tape", "show", session).ok().out


def test_two_mornings_are_two_chats_and_no_word_is_lost(reel: Reel, kit: Path) -> None:
    reel("record", write(kit, "one", ONE, "2026-02-20T08:00:00+00:00")).ok()
    run = reel("record", write(kit, "other", OTHER, "2026-02-21T08:00:00+00:00")).ok()
    assert "2026-02-21-1, 7 messages" in run.out
    # their times say it for sure, so nothing is to be decided
    assert "begins like" not in run.err
    for session, texts in (("2026-02-20-1", ONE), ("2026-02-21-1", OTHER)):
        shown = said(reel, session)
        assert all(text in shown for text in texts)
    again = reel("record", kit.parent / "other.json").ok()
    assert "recorded already (2026-02-21-1)" in again.out
    # the same words at another moment, even all of them, were said twice
    short = reel("record", write(kit, "short", START[:2], "2026-02-22T08:00:00+00:00")).ok()
    assert "2026-02-22-1, 2 messages" in short.out


@pytest.mark.parametrize(
    ("titles", "starts", "times"),
    [
        (("The boat", "Lena"), ("", ""), False),
        (("The boat", "Lena"), ("2026-02-20T08:00:00+00:00", "2026-02-20T10:00:00+00:00"), True),
        (("", ""), ("2026-02-20T08:00:00+00:00", "2026-02-20T16:07:00+00:00"), True),
        (("", ""), ("2026-02-20T08:00:00+00:00", "2026-02-22T08:00:00+00:00"), False),
    ],
)
def test_where_it_is_not_sure_both_stand_and_the_commands_join_them(
    reel: Reel, kit: Path, titles: tuple[str, str], starts: tuple[str, str], *, times: bool
) -> None:
    reel("record", write(kit, "one", ONE, starts[0], title=titles[0], times=times)).ok()
    place = write(kit, "other", OTHER, starts[1], title=titles[1], times=times)
    first, second = sessions(reel, place)
    looked = reel("record", place, "--dry-run").ok()
    assert f"it begins like {first}, and would be kept beside it" in looked.err
    run = reel("record", place).ok()
    assert f"as {second}, 7 messages" in run.out
    assert f"It begins like {first}; both are kept. If it is the same:" in run.err
    assert "I sold the boat." in said(reel, first)
    assert "Lena is ill." in said(reel, second)
    assert "recorded already" in reel("record", place).ok().out
    for command in re.findall(r"(?m)^    reel (.*)$", run.err):
        reel(*shlex.split(command)).ok()
    assert "Lena is ill." in said(reel, first)
    assert "recorded already" in reel("record", place).ok().out


def sessions(reel: Reel, place: Path) -> tuple[str, str]:
    """The session that is recorded, and the one that the chat in a file would become."""
    (row,) = json.loads(reel("record", place, "--dry-run", "--json").ok().out)["recorded"]
    return json.loads(reel("tape", "list", "--json").ok().out)[0]["session"], row["session"]


@pytest.mark.parametrize(
    ("title", "started", "times"),
    [
        # a reply made anew in the app, a chat that was renamed, and times that are written in another zone
        ("The boat", "2026-02-20T08:00:00+00:00", True),
        ("Lena", "2026-02-20T08:00:00+00:00", True),
        ("The boat", "2026-02-20T06:00:00+00:00", True),
        ("The boat", "", False),
        ("", "", False),
    ],
)
def test_one_chat_that_was_edited_stays_one(
    reel: Reel, kit: Path, title: str, started: str, *, times: bool
) -> None:
    reel("record", write(kit, "one", ONE, "2026-02-20T08:00:00+00:00", title="The boat")).ok()
    reel("record", write(kit, "other", OTHER, started, title=title, times=times)).ok()
    (only,) = json.loads(reel("tape", "list", "--json").ok().out)
    assert only["session"] == "2026-02-20-1"

"""The gauge of `reel record --watch`, and what `reel status` says of it."""

import io
import json
import os
from pathlib import Path

import pytest

from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.watch.watch_files import Follower
from reel_cli.terminal import clipboard
from reel_cli.terminal.console import Console
from reel_cli.terminal.context import Context
from tests.features.watch.test_watch import LAKE, TURNS, Evening, chat_file, follow
from tests.support.cli import Reel

LONG = "The ice sings where it is thin and groans where it is thick. " * 60
"""901 tokens by the kit's count."""
LINE = 'M-001 | The hare on the ice | "a hare for the ice" | relational | not immune\n'


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "chats"
    place.mkdir()
    return place


@pytest.fixture
def evening(kit: Path, folder: Path) -> Evening:
    """A watch over a folder with one chat in it."""
    (folder / LAKE).write_text(chat_file(*TURNS[:2]))
    return follow(kit, folder)


def told(evening: Evening) -> list[str]:
    """Return what was said since the two lines at the beginning."""
    return evening.err.getvalue().splitlines()[2:]


def test_piped_each_change_is_one_plain_line(reel: Reel, evening: Evening) -> None:
    bundle = reel("pack", "--json").ok()
    tokens = json.loads(bundle.out)["tokens"]
    assert told(evening) == [
        (
            f"20:00  Evening at the lake: 13 % full, {tokens + 12:,} of 8,192 tokens"
            f" (bundle {tokens:,}, 2 messages 12)"
        )
    ]
    evening.write(*TURNS[:4])
    evening.after(1)
    evening.after(1)
    assert told(evening)[1:] == [
        (
            f"20:00  Evening at the lake: 13 % full, {tokens + 20:,} of 8,192 tokens"
            f" (bundle {tokens:,}, 4 messages 20)"
        )
    ]


def test_a_bundle_that_stands_in_the_chat_counts_as_it_stands_there(reel: Reel, evening: Evening) -> None:
    bundle = reel("pack", "--window", "16k").ok().out
    evening.write(f"{bundle}\n\n{TURNS[0]}", TURNS[1])
    evening.after(1)
    size = get_tokenizer("o200k_base").count(bundle.rstrip("\n"))
    assert f"(bundle {size:,}, 2 messages 12)" in told(evening)[-1]


def test_near_the_cap_it_is_said_once_with_the_next_step(evening: Evening) -> None:
    """Memory Keep §II.4: keep the cap within the window; act from 85 % on."""
    evening.write(*TURNS[:2], *[LONG] * 7)
    evening.after(1)
    evening.write(*TURNS[:2], *[LONG] * 7, *TURNS[2:4])
    evening.after(1)
    assert told(evening)[2:] == [
        (
            "20:00  Evening at the lake: the window is 90 % full (7,441 of 8,192 tokens). What comes next may"
            " push out what was said first."
        ),
        "Next:  reel keep",
        "20:00  Evening at the lake: 90 % full, 7,449 of 8,192 tokens (bundle 1,122, 11 messages 6,327)",
    ]


def test_where_it_is_due_is_a_setting(kit: Path, folder: Path) -> None:
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text() + "keep:\n  at: 20%\n")
    (folder / LAKE).write_text(chat_file(*TURNS[:2]))
    evening = follow(kit, folder)
    evening.write(*TURNS[:2], LONG)
    evening.after(1)
    assert told(evening)[-1] == "Next:  reel keep"


def test_a_message_larger_than_the_window(evening: Evening) -> None:
    evening.write(*TURNS[:2], LONG * 10)
    evening.after(1)
    assert told(evening)[2] == (
        "20:00  Evening at the lake: one message takes 9,001 tokens, more than the whole window of 8,192. The"
        " model sees only a part of it; the tape has all."
    )


@pytest.mark.parametrize("copies", [True, False])
def test_a_phrase_of_the_index_that_comes_up_is_named_and_its_moment_offered(
    reel: Reel, kit: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, *, copies: bool
) -> None:
    monkeypatch.setattr(clipboard, "can_copy", lambda: copies)
    with (kit / "ring4/index.md").open("a") as index:
        index.write(LINE)
    (folder / LAKE).write_text(chat_file(*TURNS[:2]))
    evening = follow(kit, folder)
    for more in ("Is that a hare for the ice?", "A hare for the ice, yes."):
        evening.write(*TURNS[:2], more)
        evening.after(1)
    assert [line for line in told(evening) if "hare for" in line] == [
        "20:00  “a hare for the ice” came up: The hare on the ice.",
        f'To bring the moment back:  reel recall "a hare for the ice"{" --copy" if copies else ""}',
    ]


def test_half_a_file_and_a_huge_one_are_passed_over(evening: Evening) -> None:
    before = told(evening)
    whole = chat_file(*TURNS)
    evening.save(whole[:100])
    for _ in range(6):
        evening.after(1)
    assert told(evening) == before
    evening.save(whole)
    evening.after(1)
    assert len(told(evening)) == 2


def test_the_chat_replaced_cut_short_or_edited_is_counted_as_it_is_now(evening: Evening) -> None:
    shown = []
    for texts in (TURNS[:6], TURNS[:2], ("Is it thin?", *TURNS[1:4]), ("Another evening.",)):
        evening.write(*texts)
        evening.after(1)
        shown.append(told(evening)[-1].rpartition(", ")[2])
    assert shown == ["6 messages 26)", "2 messages 12)", "4 messages 19)", "1 message 3)"]


def on_a_terminal(kit: Path, folder: Path, columns: int) -> str:
    """Return what a terminal of that width got, with one change of the chat."""
    out, err = io.StringIO(), Terminal()
    os.environ["COLUMNS"] = str(columns)
    follower = Follower(Context(kit, Console(out, err)).open_kit(), [folder], idle=60.0, format="auto")
    follower.begin(1000.0, present=False)
    follower.beat(1001.0)
    (folder / LAKE).write_text(chat_file(*TURNS[:4]))
    follower.beat(1002.0)
    return err.getvalue()


@pytest.mark.parametrize("columns", [100, 80, 50, 24])
def test_on_a_terminal_one_line_is_kept_up_to_date(
    kit: Path, folder: Path, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", str(columns))
    (folder / LAKE).write_text(chat_file(*TURNS[:2]))
    lines = on_a_terminal(kit, folder, columns).rpartition("\n")[2].split("\r\x1b[K")
    shown = {
        80: [
            "[#.........]  13 %  1,134 of 8,192 tokens  (bundle 1,122, 2 messages 12)",
            "[#.........]  13 %  1,142 of 8,192 tokens  (bundle 1,122, 4 messages 20)",
        ],
        100: [
            "[###.....................]  13 %  1,134 of 8,192 tokens  (bundle 1,122, 2 messages 12)",
            "[###.....................]  13 %  1,142 of 8,192 tokens  (bundle 1,122, 4 messages 20)",
        ],
        50: ["[#.........]  13 %  1,134 of 8,192 tokens", "[#.........]  13 %  1,142 of 8,192 tokens"],
        24: ["13 %"],
    }
    assert lines == shown[columns]


def test_the_status_tells_of_the_chat_that_goes_on(reel: Reel, evening: Evening) -> None:
    said = "Going on: Evening at the lake, 13 % of the window (1,134 of 8,192 tokens)."
    assert said in reel("status").ok().out
    found = json.loads(reel("status", "--json").ok().out)["stream"]
    assert found == {
        "title": "Evening at the lake",
        "tokens": 1134,
        "bundle": 1122,
        "messages": 2,
        "cap": 8192,
        "due": False,
    }
    later = {"REEL_NOW": "2026-03-02T20:00:00+00:00"}
    assert "Going on" not in reel("status", env=later).ok().out
    (evening.folder / LAKE).unlink()
    assert json.loads(reel("status", "--json").ok().out)["stream"] is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"when": 3, "full": "x", "title": null, "path": 1}'])
def test_a_damaged_note_is_no_chat(reel: Reel, kit: Path, text: str) -> None:
    (kit / ".reel" / "state").mkdir(parents=True, exist_ok=True)
    (kit / ".reel/state/stream.json").write_text(text)
    assert json.loads(reel("status", "--json").ok().out)["stream"] is None

"""`reel record --watch`: what is said goes on the tape as the chat goes on."""

import io
import json
import os
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from reel_cli.core.errors import StateError
from reel_cli.core.git.lock import hold_lock
from reel_cli.features.watch.watch_files import Follower
from reel_cli.terminal.console import Console
from reel_cli.terminal.context import Context
from tests.support.cli import CHECKOUT, Reel, git

LAKE = "1700000000000.conversation.json"
IDLE = 60.0


def chat_file(*said: str, name: str = "Evening at the lake") -> str:
    """A conversation as LM Studio writes it: the person and the persona by turns."""
    messages = []
    for number, text in enumerate(said):
        words = [{"type": "text", "text": text}]
        version: dict[str, object] = {"type": "singleStep", "role": "user", "content": words}
        if number % 2:
            steps = [{"type": "contentBlock", "content": words}]
            version = {"type": "multiStep", "role": "assistant", "steps": steps}
        messages.append({"versions": [version], "currentlySelected": 0})
    return json.dumps({"name": name, "createdAt": 1700000000000, "messages": messages})


TURNS = (
    "Is the ice thick?",
    "Thick enough for a hare.",
    "And for us?",
    "Ask the hare.",
    "It said no.",
    "Wise.",
)


@dataclass
class Evening:
    """A watch whose clock is in the test's hand."""

    kit: Path
    folder: Path
    follower: Follower
    out: io.StringIO
    err: io.StringIO
    now: float = 1000.0

    def write(self, *said: str, file: str = LAKE, name: str = "Evening at the lake") -> None:
        """Let the app save a chat."""
        self.save(chat_file(*said, name=name), file)

    def save(self, text: str, file: str = LAKE) -> None:
        """Let the app save whatever it saves."""
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def after(self, seconds: float) -> None:
        """Look again after so many seconds."""
        self.now += seconds
        self.follower.beat(self.now)

    def quiet(self) -> None:
        """Look twice, with the usual quiet between."""
        self.after(1)
        self.after(IDLE)

    def recorded(self) -> Sequence[str]:
        """The subjects of what was recorded, oldest first."""
        return git(self.kit, "log", "--reverse", "--grep=^Reel-Op: record", "--format=%s").splitlines()

    def lines(self) -> Sequence[str]:
        """Return what was told of what was recorded."""
        return self.out.getvalue().splitlines()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "chats"
    place.mkdir()
    return place


def follow(kit: Path, place: Path, *, present: bool = False, as_json: bool = False) -> Evening:
    """Begin to watch a folder."""
    out, err = io.StringIO(), io.StringIO()
    opened = Context(kit, Console(out, err)).open_kit()
    follower = Follower(opened, [place], idle=IDLE, format="auto", as_json=as_json)
    evening = Evening(kit, place, follower, out, err)
    follower.begin(evening.now, present=present)
    return evening


@pytest.fixture
def evening(kit: Path, folder: Path) -> Evening:
    """A watch over a folder in which one chat lies already."""
    (folder / LAKE).write_text(chat_file(*TURNS[:2]))
    return follow(kit, folder)


def test_only_what_changes_while_it_watches_is_recorded(evening: Evening) -> None:
    evening.quiet()
    assert evening.recorded() == []
    evening.write(*TURNS[:4])
    evening.after(1)
    assert evening.recorded() == []
    evening.after(IDLE)
    assert evening.recorded() == ["record: 2023-11-14-1, 4 messages"]
    assert evening.lines() == ["20:00  Evening at the lake: 4 messages, recorded as 2023-11-14-1"]


def test_each_pause_adds_what_was_said_since(evening: Evening) -> None:
    for count in (4, 6):
        evening.write(*TURNS[:count])
        evening.quiet()
    assert evening.lines()[1] == "20:00  Evening at the lake: 2 more messages"
    assert len(evening.recorded()) == 2
    evening.quiet()
    assert len(evening.recorded()) == 2


def test_with_latest_the_present_chat_is_taken_as_it_stands(kit: Path, folder: Path) -> None:
    (folder / LAKE).write_text(chat_file(*TURNS[:2]))
    old = folder / "1690000000000.conversation.json"
    old.write_text(chat_file("Old?", "Old.", name="Old"))
    os.utime(old, (1_690_000_000, 1_690_000_000))
    evening = follow(kit, folder, present=True)
    evening.after(0)
    assert evening.recorded() == ["record: 2023-11-14-1, 2 messages"]


def test_a_file_half_written_is_waited_for_without_a_word(evening: Evening) -> None:
    whole = chat_file(*TURNS[:4])
    evening.save(whole[: len(whole) // 2])
    evening.quiet()
    evening.after(2)
    evening.save(whole)
    evening.quiet()
    assert len(evening.recorded()) == 1
    assert "stops in the middle" not in evening.err.getvalue()


def test_a_file_that_stays_broken_is_told_of_once_where_it_was_whole_before(evening: Evening) -> None:
    evening.write(*TURNS[:4])
    evening.quiet()
    evening.save(chat_file(*TURNS)[:-40])
    evening.after(1)
    for _ in range(200):
        evening.after(5)
    assert evening.err.getvalue().count("stops in the middle") == 1
    assert len(evening.recorded()) == 1


def test_a_new_chat_in_which_nothing_was_said_yet_is_no_news(evening: Evening) -> None:
    evening.write(file="1700000000001.conversation.json", name="New")
    evening.after(1)
    for _ in range(50):
        evening.after(5)
    assert evening.err.getvalue().count("\n") == 3
    assert evening.recorded() == []


def test_words_without_an_answer_wait_for_it(evening: Evening) -> None:
    evening.write(*TURNS[:3])
    evening.quiet()
    evening.after(IDLE)
    assert evening.recorded() == []
    evening.write(*TURNS[:4])
    evening.quiet()
    assert evening.recorded() == ["record: 2023-11-14-1, 4 messages"]


def test_an_answer_that_never_comes_holds_nothing_back_for_ever(evening: Evening) -> None:
    evening.write(*TURNS[:3])
    evening.after(1)
    for _ in range(10):
        evening.after(IDLE)
    assert evening.recorded() == ["record: 2023-11-14-1, 3 messages"]


def test_the_end_records_what_waits_and_sums_up(evening: Evening) -> None:
    evening.write(*TURNS[:3])
    evening.follower.end(evening.now)
    assert evening.recorded() == ["record: 2023-11-14-1, 3 messages"]
    assert "Recorded 3 messages in 1 chat." in evening.err.getvalue()


def test_the_end_names_what_was_not_whole(evening: Evening) -> None:
    evening.save(chat_file(*TURNS)[:-40])
    evening.follower.end(evening.now)
    assert f"{LAKE} was not complete yet; later:  reel record " in evening.err.getvalue()
    assert evening.recorded() == []


def test_an_evening_without_a_word_says_so(evening: Evening) -> None:
    evening.follower.end(evening.now)
    assert "Nothing new was said." in evening.err.getvalue()


def test_a_chat_deleted_in_the_app_stays_on_the_tape(evening: Evening) -> None:
    evening.write(*TURNS[:4])
    evening.quiet()
    (evening.folder / LAKE).unlink()
    evening.quiet()
    evening.follower.end(evening.now)
    assert len(evening.recorded()) == 1
    assert (evening.kit / "tape/2023/2023-11-14-1.md").is_file()


def test_the_folder_may_vanish_and_come_back(evening: Evening) -> None:
    away = evening.folder.with_name("away")
    evening.folder.rename(away)
    evening.after(1)
    evening.after(1)
    away.rename(evening.folder)
    evening.write(*TURNS[:4])
    evening.quiet()
    told = evening.err.getvalue()
    assert (told.count("is not there any more"), told.count("is back")) == (1, 1)
    assert len(evening.recorded()) == 1


def test_two_watches_record_each_word_once(kit: Path, folder: Path) -> None:
    one, two = follow(kit, folder), follow(kit, folder)
    one.write(*TURNS[:4])
    for watch in (one, two):
        watch.quiet()
    one.write(*TURNS)
    for watch in (two, one):
        watch.quiet()
    assert (len(one.lines()), len(two.lines()), len(one.recorded())) == (1, 1, 2)


def test_another_reel_at_work_is_waited_for(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reel_cli.core.git.lock.PATIENCE", 0.0)
    evening.write(*TURNS[:4])
    with hold_lock(evening.kit):
        evening.quiet()
        assert evening.recorded() == []
        with pytest.raises(StateError, match="Another reel"):
            evening.follower.end(evening.now)
    evening.after(60)
    assert len(evening.recorded()) == 1


def test_a_merge_half_done_is_told_of_once_and_waited_for(evening: Evening) -> None:
    evening.write(*TURNS[:4])
    merge = evening.kit / ".git/MERGE_HEAD"
    merge.write_text(git(evening.kit, "rev-parse", "HEAD"))
    evening.after(1)
    for _ in range(10):
        evening.after(IDLE)
    assert evening.err.getvalue().count("reel tries again; the chat itself is safe.") == 1
    merge.unlink()
    evening.after(IDLE)
    assert len(evening.recorded()) == 1


def test_a_session_that_was_taken_back_is_left_alone(evening: Evening, reel: Reel) -> None:
    evening.write(*TURNS[:4])
    evening.quiet()
    reel("tape", "retract", "2023-11-14-1").ok()
    evening.write(*TURNS)
    evening.quiet()
    assert "2023-11-14-1 was taken back, so nothing is added to it." in evening.err.getvalue()
    assert len(evening.recorded()) == 1


def test_for_a_program_each_recording_is_one_line_of_json(kit: Path, folder: Path) -> None:
    evening = follow(kit, folder, as_json=True)
    evening.write(*TURNS[:4])
    evening.quiet()
    (line,) = evening.lines()
    row = json.loads(line)
    assert (row["session"], row["state"], row["added"]) == ("2023-11-14-1", "new", 4)
    assert row["source"] == str(folder / LAKE)


def test_what_comes_from_a_chat_cannot_steer_the_terminal(evening: Evening) -> None:
    evening.write(*TURNS[:2], name="\x1b[2Jlake\x07")
    evening.quiet()
    assert "\x1b" not in evening.out.getvalue() + evening.err.getvalue()


def test_one_file_can_be_watched_by_its_name(kit: Path, folder: Path) -> None:
    file = folder / "evening.md"
    file.write_text("**You:** Hi\n\n**Ada:** Hm\n")
    evening = follow(kit, file)
    file.write_text("**You:** Hi there\n\n**Ada:** Hm\n\n**You:** Well?\n\n**Ada:** Well.\n")
    evening.quiet()
    assert len(evening.recorded()) == 1


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_records_what_waits_and_ends_well(kit: Path, folder: Path, ending: signal.Signals) -> None:
    watch = subprocess.Popen(
        Reel.command("record", "--watch", folder),
        cwd=kit,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
    )
    assert watch.stderr is not None
    assert watch.stderr.readline().startswith("Following 0 chats in ")
    assert "Ctrl-C" in watch.stderr.readline()
    (folder / LAKE).write_text(chat_file(*TURNS))
    watch.send_signal(ending)
    out, err = watch.communicate(timeout=60)
    assert watch.returncode == 0
    assert out == "20:00  Evening at the lake: 6 messages, recorded as 2023-11-14-1\n"
    assert "Recorded 6 messages in 1 chat." in err


def test_what_is_not_there_cannot_be_watched(reel: Reel, kit: Path) -> None:
    assert kit.is_dir()
    run = reel("record", "--watch", "nowhere")
    assert (run.code, "no folder" in run.err) == (1, True)
    run = reel("record", "--watch")
    assert (run.code, "~/.lmstudio/conversations" in run.err) == (1, True)


@pytest.mark.parametrize("more", [("--dry-run",), ("--select", "1"), ("--squash",), ("--session", "x")])
def test_a_watch_has_nothing_to_choose(reel: Reel, kit: Path, folder: Path, more: Sequence[str]) -> None:
    assert kit.is_dir()
    assert reel("record", "--watch", folder, *more).code == 2


def test_idle_is_for_watching(reel: Reel, kit: Path) -> None:
    assert kit.is_dir()
    assert reel("record", "-", "--idle", "5", stdin="x").code == 2

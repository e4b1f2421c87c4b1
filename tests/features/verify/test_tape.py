"""`reel tape`: listing, showing, marking, putting right, taking back, proving."""

import json
import subprocess
from pathlib import Path

import pytest

from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.talk import Conversation, Kind, Message
from tests.support.cli import Reel, git
from tests.support.pages import chat

NAME = "2026-02-25-1"
PATH = f"tape/2026/{NAME}.md"


@pytest.fixture
def recorded(reel: Reel, kit: Path) -> Path:
    """A kit with one session of six messages."""
    (kit / "chat.json").write_text(chat())
    reel("record", "chat.json").ok()
    (kit / "chat.json").unlink()
    return kit


def commit(kit: Path, subject: str) -> None:
    git(kit, "add", "-A")
    git(kit, "commit", "-q", "--no-verify", "-m", subject)


def log(kit: Path) -> list[str]:
    return git(kit, "log", "--format=%s").splitlines()


# -- proving ----------------------------------------------------------------------------------


def test_verify_says_what_it_has_proven(reel: Reel, recorded: Path) -> None:
    assert reel("tape", "verify").ok().out == (
        "1 chat, 6 messages: every word is as it was recorded, through 2 commits.\n"
    )
    told = json.loads(reel("tape", "verify", "--json").ok().out)
    assert (told["proven"], told["broken"], told["history"], told["commits"]) == (True, [], "whole", 2)


def test_verify_says_of_an_altered_chat_that_was_put_back_only_that(reel: Reel, recorded: Path) -> None:
    good = (recorded / PATH).read_bytes()
    for subject, data in (("spoil", good.replace(b"e", b"a", 9)), ("back", good), ("cut", good[:-90])):
        (recorded / PATH).write_bytes(data)
        commit(recorded, subject)
    told = " ".join(reel("tape", "verify").err.split())
    # it is not as recorded now
    assert "1 thing is not as recorded" in reel("tape", "verify").out
    back = git(recorded, "log", "--format=%h", "--grep=^back").strip()
    assert f"chat {NAME} was altered by" in told
    assert f"and put back by {back}" in told
    assert "as recorded again" not in told


def test_verify_with_nothing_on_the_tape(reel: Reel, kit: Path) -> None:
    assert reel("tape", "verify").ok().out == "Nothing is recorded yet; looked through 1 commit.\n"


def test_verify_names_file_line_and_commit(reel: Reel, recorded: Path) -> None:
    data = (recorded / PATH).read_bytes()
    line = data.count(b"\n", 0, data.index(b"careful looks")) + 1
    (recorded / PATH).write_bytes(data.replace(b"careful looks", b"fearful looks"))
    commit(recorded, "tidy up")
    short = git(recorded, "rev-parse", "HEAD")[:7]
    done = reel("tape", "verify")
    day = git(recorded, "log", "-1", "--format=%as").strip()
    assert (done.code, done.out) == (
        3,
        (
            "1 thing is not as recorded (1 chat, 6 messages, through 3 commits):\n\n"
            f"{PATH}, line {line}: chat {NAME} was altered\n"
            f"  in {short}, {day}, tidy up\n"
            f"  git show {short}^:./{PATH}  has what stood there\n"
        ),
    )
    told = reel("tape", "verify", "--json")
    (broken,) = json.loads(told.out)["broken"]
    assert (told.code, broken["path"], broken["line"], broken["subject"]) == (3, PATH, line, "tidy up")
    assert git(recorded, "show", f"{short}^:./{PATH}").encode() == data


# -- listing ----------------------------------------------------------------------------------


def test_the_list_shows_the_rest_when_one_session_is_damaged(reel: Reel, recorded: Path) -> None:
    other = Conversation("messages", [Message("user", "hi")], title="a good one")
    (recorded / "tape/2026/2026-02-26-1.md").write_bytes(render_session("2026-02-26-1", other))
    (recorded / PATH).write_bytes(b"nothing of the kind\n")
    for _ in range(2):
        done = reel("tape", "list")
        assert (done.code, f"Error: {PATH}, line 1: the front matter is missing" in done.err) == (3, True)
        assert done.out.splitlines()[1:] == [
            f"{NAME}         ?  (cannot be read)",
            "2026-02-26-1         1  a good one",
        ]
    first, second = json.loads(reel("tape", "list", "--json").out)
    assert (first["problem"] is None, second["problem"], second["messages"]) == (False, None, 1)


def test_a_long_title_is_cut_on_a_terminal_only(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    title = "the long way round " * 10
    (kit / "chat.json").write_text(chat(title=title))
    reel("record", "chat.json").ok()
    assert title.strip() in reel("tape", "list").ok().out
    monkeypatch.setenv("COLUMNS", "50")
    assert max(map(len, reel("tape", "list", tty=True).ok().out.splitlines())) == 50


# -- putting right ----------------------------------------------------------------------------


def test_a_correction_stands_beside_what_it_corrects(reel: Reel, recorded: Path) -> None:
    before = (recorded / PATH).read_bytes()
    reel("tape", "correct", f"{NAME}#5", "it", "is", "35 pages").ok()
    reel("tape", "correct", f"{NAME}#1-2", "that was the day before").ok()
    reel("tape", "correct", NAME, "all of it was on the phone").ok()
    assert (recorded / PATH).read_bytes() == before
    assert log(recorded)[:3] == [
        f"tape: put right {NAME}",
        f"tape: put right {NAME}#1-2",
        f"tape: put right {NAME}#5",
    ]
    shown = reel("tape", "show", NAME).ok().out.split("\n\n")
    assert shown[0] == "[put right on 1 March 2026: all of it was on the phone]"
    assert shown[3] == "[put right on 1 March 2026 (messages 1 to 2): that was the day before]"
    assert shown[7] == "[put right on 1 March 2026: it is 35 pages]"
    assert reel("tape", "verify").ok().code == 0
    again = reel("tape", "correct", f"{NAME}#5", "it is 35 pages").ok()
    assert (again.out, len(log(recorded))) == (
        f"{NAME}#5 has that note already; nothing was changed.\n",
        5,
    )


def test_later_consolidation_sees_both(reel: Reel, recorded: Path) -> None:
    reel("tape", "correct", f"{NAME}#5", "it is 35 pages").ok()
    reel("tape", "correct", NAME, "on the phone").ok()
    prompt = reel("consolidate", "--prompt").ok().out
    said = prompt.index("The residency wants forty pages")
    assert said < prompt.index("[put right on 1 March 2026: it is 35 pages]") < prompt.index("Go and buy")
    assert prompt.count("it is 35 pages") == 1
    assert "- put right on 1 March 2026: on the phone" in prompt
    asked = reel("checkpoint", "--prompt").ok().out
    quoted = '- "The residency wants forty pages by 30 April. Remind me, pen…": put right on 1 March 2026:'
    assert f"{quoted} it is 35 pages" in asked


@pytest.mark.parametrize(
    ("about", "text", "message"),
    [
        (f"{NAME}#7", "x", f"Chat {NAME} has 6 messages, and no 7."),
        (f"{NAME}#2-9", "x", f"Chat {NAME} has 6 messages, and no 9."),
        (f"{NAME}#2", "  ", "There is nothing to put right: the text is empty."),
        (NAME, "TEXT", "There is nothing to put right: TEXT stands for how it really was, in your words."),
        ("2026-02-26-1#1", "x", "There is no recorded chat 2026-02-26-1."),
        (f"{NAME}#3-2", "x", f"'{NAME}#3-2' names no chat and no message of one."),
        (f"{NAME}#0", "x", f"'{NAME}#0' names no chat and no message of one."),
        ("yesterday", "x", "'yesterday' names no chat and no message of one."),
        (NAME, "x" * 20_001, "A correction has at most 20,000 characters; this one has 20,001."),
    ],
)
def test_a_correction_of_nothing_is_refused(
    reel: Reel, recorded: Path, about: str, text: str, message: str
) -> None:
    done = reel("tape", "correct", about, text)
    assert (done.code, done.err.splitlines()[0], len(log(recorded))) == (1, f"Error: {message}", 2)


def test_the_hint_on_how_to_mark_a_moment_marks_none_as_it_is_printed(reel: Reel, recorded: Path) -> None:
    hint = reel("tape", "flag", "").err.splitlines()[1]
    assert hint == "Hint: write what to remember:  reel tape flag TEXT"
    done = reel("tape", "flag", "TEXT")
    assert (done.code, done.err.splitlines()[1], len(log(recorded))) == (1, hint, 2)


def test_a_session_that_was_taken_back_is_not_put_right(reel: Reel, recorded: Path) -> None:
    reel("tape", "retract", NAME).ok()
    done = reel("tape", "correct", f"{NAME}#1", "no")
    assert (done.code, done.err) == (
        1,
        (
            f"Error: {NAME} was taken back, so there is nothing in it to put right.\n"
            f"Hint: let it stand again first:  reel tape retract {NAME} --undo\n"
        ),
    )
    assert "(taken back) the letter" in reel("tape", "list").ok().out


def test_a_dry_run_changes_nothing(reel: Reel, recorded: Path) -> None:
    done = reel("tape", "correct", f"{NAME}#1", "no", "--dry-run").ok()
    assert (done.out, len(log(recorded))) == (f"The correction would be noted at {NAME}#1 (--dry-run).\n", 2)


# -- roads ------------------------------------------------------------------------------------


def test_the_roads_not_taken(reel: Reel, kit: Path) -> None:
    messages = [
        Message("user", "tea?"),
        Message("assistant", "Please."),
        Message("assistant", "No.", Kind.VERSION, road=1),
        Message("user", "Coffee then?", Kind.VERSION, road=1),
        Message("assistant", "thinking", Kind.REASONING, road=1),
        Message("assistant", "Maybe.", Kind.VERSION, road=2),
        Message("user", "good"),
        Message("assistant", "An older tape's version.", Kind.VERSION),
    ]
    path = kit / "tape/2026/2026-02-26-1.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(render_session("2026-02-26-1", Conversation("messages", messages)))
    assert reel("tape", "show", "2026-02-26-1", "--roads").ok().out == (
        "Road 1, instead of message 2\n\nAda: No.\n\nBo: Coffee then?\n\n[hidden reasoning]\nthinking\n\n"
        "Road 2, instead of message 2\n\nAda: Maybe.\n\n"
        "Road 3, instead of message 3\n\nAda: An older tape's version.\n"
    )
    assert "[an answer not chosen, road 2]\nMaybe." in reel("tape", "show", "2026-02-26-1", "--all").ok().out


def test_a_session_that_was_taken_back_is_shown_as_that(reel: Reel, recorded: Path) -> None:
    reel("tape", "retract", NAME).ok()
    assert reel("tape", "show", NAME).ok().err == (
        f"{NAME} was taken back: it stays recorded, and does not count.\n"
    )
    asked = reel("tape", "show", f"{NAME}#2")
    assert (asked.code, asked.err.splitlines()[1]) == (
        1,
        f"Hint: name the chat alone:  reel tape show {NAME} --numbers",
    )


def test_a_session_without_other_roads(reel: Reel, recorded: Path) -> None:
    done = reel("tape", "show", NAME, "--roads").ok()
    assert (done.out, done.err) == (
        "",
        f"There is no other answer or branch in {NAME}.\n",
    )


# -- merged notes -------------------------------------------------------------------------------


def test_notes_in_conflict_are_told_of_with_the_way_out(reel: Reel, recorded: Path) -> None:
    reel("tape", "flag", "the boat").ok()
    git(recorded, "switch", "-q", "-c", "laptop")
    reel("tape", "flag", "the train").ok()
    git(recorded, "switch", "-q", "main")
    reel("tape", "flag", "the desk").ok()
    subprocess.run(["git", "merge", "-q", "laptop"], cwd=recorded, capture_output=True, check=False)
    done = reel("tape", "list")
    assert (done.code, done.err) == (
        3,
        (
            "Error: tape/events.md is in conflict: two machines noted something.\n"
            "Hint: to join what two machines recorded:  reel doctor --fix\n"
        ),
    )
    git(recorded, "checkout", "-q", "--ours", "tape/events.md")
    commit(recorded, "merge")
    assert reel("tape", "verify").code == 3
    reel("doctor", "--mend").ok()
    assert log(recorded)[0] == "tape: join what was noted on another machine (1 note)"
    assert reel("tape", "verify").ok().code == 0
    assert (recorded / "tape/events.md").read_text().count("the train\n") == 1


def test_nothing_on_the_tape_steers_a_terminal_further_down_a_pipe(reel: Reel, kit: Path) -> None:
    said = "\x1b[2Jgone\x07 \x9b31m and\r\nover\ttabs"
    reel("record", "-", stdin=json.dumps([{"role": "user", "content": said}])).ok()
    done = reel("tape", "show", "2026-03-01-1").ok()
    assert "\ufffd[2Jgone\ufffd \ufffd31m and\ufffd\nover\ttabs" in done.out
    assert (kit / "tape/2026/2026-03-01-1.md").read_bytes().count(b"\x1b[2Jgone") == 1


def test_several_recordings_are_taken_back_at_once_each_with_its_own_commit(reel: Reel, kit: Path) -> None:
    for day in ("one", "two"):
        (reel.cwd.parent / f"{day}.txt").write_text(f"You: hello {day}\nAda: and {day} to you\n")
        reel("record", f"../{day}.txt").ok()
    names = ["2026-03-01-1", "2026-03-01-2"]

    done = reel("tape", "retract", *names, names[0]).ok()

    assert done.out == (
        "2026-03-01-1, 2026-03-01-2 are taken back. Every word of them stays on the tape, and none of them"
        " counts.\n"
    )
    assert "reel tape retract 2026-03-01-1 2026-03-01-2 --undo" in done.err
    assert git(kit, "log", "--format=%s", "-2").splitlines() == [
        "tape: take back 2026-03-01-2",
        "tape: take back 2026-03-01-1",
    ]
    assert (
        reel("tape", "retract", names[0]).ok().out
        == f"{names[0]} is taken back already; nothing was changed.\n"
    )
    assert reel("tape", "retract", *names, "--undo").ok().out == f"{', '.join(names)} count again.\n"


def test_one_count_everywhere_and_what_was_taken_back_said_beside_it(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    other = [{"role": "user", "content": "The ferry was late."}, {"role": "assistant", "content": "Again."}]
    reel("record", "-", stdin=json.dumps({"created_at": "2026-02-26T10:00:00+00:00", "messages": other})).ok()
    reel("tape", "retract", "2026-02-26-1").ok()
    assert reel("status").ok().out.splitlines()[0] == (
        "Ada: 1 chat, 6 messages, the last on 25 February 2026; 1 more taken back."
    )
    assert (
        reel("tape", "verify")
        .ok()
        .out.startswith(
            "1 chat, 6 messages, and 1 taken back with 2 messages: every word is as it was recorded"
        )
    )
    told = json.loads(reel("tape", "verify", "--json").ok().out)
    assert (told["sessions"], told["messages"], told["taken_back"]) == (2, 8, 1)
    reel("tape", "retract", "2026-02-25-1").ok()
    assert reel("status").ok().out.splitlines()[0] == "Ada. 2 chats, all taken back."

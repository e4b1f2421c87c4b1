"""`reel record` on a whole export: the plan, the choice, one commit a session or one for all."""

import json
import signal
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.git.intent import save_intent
from reel_cli.core.tape.events_file import parse_events
from reel_cli.core.values.talk import Conversation, Kind, Message
from reel_cli.features.record import record_chats as recording
from reel_cli.features.record import record_view as recorded
from reel_cli.features.record.read_chats import Spool
from reel_cli.terminal.open_kit import OpenKit
from tests.support.cli import Reel, git

DAYS = (
    "2026-02-20",
    "2026-01-05",
    "2026-02-20",
    None,
    "2025-12-24",
    "2026-01-05",
    "2026-02-01",
    "2026-02-02",
)
"""When the conversations of an export began, in the order in which it holds them."""


def talk(number: int, day: str | None, turns: int = 2) -> dict[str, Any]:
    """One conversation of an export."""
    said = [
        {"role": ("user", "assistant")[n % 2], "content": f"Talk {number}, line {n}."} for n in range(turns)
    ]
    start = {"created_at": f"{day}T{10 + number}:00:00+00:00"} if day else {}
    return {"title": f"Talk {number}", "id": f"t{number}", **start, "messages": said}


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """An export of eight conversations, not in the order of time."""
    file = tmp_path / "export.json"
    file.write_text(json.dumps([talk(n, day) for n, day in enumerate(DAYS, start=1)]))
    return file


def rows(reel: Reel, *arguments: str | Path) -> list[dict[str, Any]]:
    """Return what `reel record --json` says of each conversation."""
    found = json.loads(reel("record", *arguments, "--json").ok().out)["recorded"]
    assert isinstance(found, list)
    return found


def subjects(kit: Path) -> Sequence[str]:
    return git(kit, "log", "--reverse", "--grep=^Reel-Op: record", "--format=%s").splitlines()


SESSIONS = [
    "2026-02-20-1", "2026-01-05-1", "2026-02-20-2", "2026-03-01-1", "2025-12-24-1", "2026-01-05-2",
    "2026-02-01-1", "2026-02-02-1",
]  # fmt: skip
"""The session of each conversation: numbered within a day as they were had; undated ones are today's."""


def test_an_earlier_chat_alone_is_followed_by_its_memory(reel: Reel, kit: Path) -> None:
    """`reel end` goes on with the newest chat; of this one there is no window open."""
    for number, day in ((1, "2026-02-20"), (2, "2026-01-05"), (3, "2026-02-25")):
        (kit / f"{number}.json").write_text(json.dumps([talk(number, day)]))
    assert "Next:  reel end\n" in reel("record", "1.json").ok().err
    assert "Next:  reel consolidate 2026-01-05-1\n" in reel("record", "2.json").ok().err
    assert "Next:  reel end\n" in reel("record", "3.json").ok().err


def test_the_plan_is_a_table_with_a_sum_and_changes_nothing(reel: Reel, kit: Path, export: Path) -> None:
    run = reel("record", export, "--dry-run").ok()
    lines = run.out.splitlines()
    assert lines[0].split() == ["date", "title", "messages", "session"]
    assert lines[1].split() == ["1", "2026-02-20", "Talk", "1", "2", "new", "2026-02-20-1"]
    assert lines[4].split() == ["4", "–", "Talk", "4", "2", "new", "2026-03-01-1"]
    assert lines[-1] == "8 conversations: 8 new; 16 messages would be added."
    assert "Nothing was changed" in run.err
    assert not (kit / "tape/2026").exists()
    assert git(kit, "status", "--porcelain") == ""


def test_what_the_plan_says_is_what_is_done(reel: Reel, kit: Path, export: Path) -> None:
    planned = rows(reel, export, "--dry-run")
    done = rows(reel, export)
    assert planned == done
    assert [row["session"] for row in done] == SESSIONS
    assert [row["number"] for row in done] == list(range(1, 9))
    assert rows(reel, export, "--dry-run") == [{**row, "state": "known", "added": 0} for row in done]
    assert len(list((kit / "tape").rglob("*.md"))) == 8


def test_each_session_is_a_commit_and_history_follows_time(reel: Reel, kit: Path, export: Path) -> None:
    run = reel("record", export).ok()
    assert run.out == "Recorded 8 conversations: 8 new; 16 messages.\n"
    assert run.err == "  1 tells no day and stands under today's\nNext:  reel consolidate\n"
    assert subjects(kit)[-8:] == [f"record: {session}, 2 messages" for session in sorted(SESSIONS)]


def test_squash_makes_one_commit_that_names_every_session(reel: Reel, kit: Path, export: Path) -> None:
    reel("record", export, "--squash").ok()
    assert subjects(kit) == ["record: 8 conversations (2025-12-24 to 2026-03-01), 16 messages"]
    named = git(kit, "log", "-1", "--format=%(trailers:key=Reel-Session,valueonly)").split()
    assert named == sorted(SESSIONS)
    assert git(kit, "log", "-1", "--format=%(trailers:key=Reel-Op,valueonly)").split() == ["record"]
    files = git(kit, "show", "--name-only", "--format=", "HEAD").split()
    assert [f for f in files if f.startswith("tape/")] == [f"tape/{s[:4]}/{s}.md" for s in sorted(SESSIONS)]


def test_squashed_or_not_the_tape_is_the_same(
    reel: Reel, kit: Path, export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reel("record", export, "--squash").ok()
    one = git(kit, "ls-tree", "-r", "HEAD", "tape/")
    git(kit, "reset", "-q", "--hard", "HEAD^")
    monkeypatch.setattr(recording, "BATCH_SESSIONS", 3)
    reel("record", export).ok()
    assert git(kit, "ls-tree", "-r", "HEAD", "tape/") == one


@pytest.mark.parametrize("options", [[], ["--squash"]])
def test_new_titles_are_noted_once_each_however_they_are_committed(
    reel: Reel, kit: Path, export: Path, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    monkeypatch.setattr(recording, "BATCH_SESSIONS", 3)
    reel("record", export).ok()
    talks = json.loads(export.read_text())
    for one in talks:
        one["title"] += ", renamed"
    export.write_text(json.dumps(talks))
    before = len(subjects(kit))
    reel("record", export, "--dry-run").ok()
    assert git(kit, "status", "--porcelain") == ""
    reel("record", export, *options).ok()
    assert len(subjects(kit)) - before == (1 if options else 8)
    events = parse_events((kit / "tape/events.md").read_bytes(), "tape/events.md")
    renamed = {event.session: event.text for event in events}
    assert renamed == {name: f"Talk {n}, renamed" for n, name in enumerate(SESSIONS, start=1)}
    assert (len(events), git(kit, "status", "--porcelain")) == (8, "")
    head = git(kit, "rev-parse", "HEAD")
    reel("record", export, *options).ok()
    assert git(kit, "rev-parse", "HEAD") == head


def test_again_nothing_is_added_and_nothing_committed(reel: Reel, kit: Path, export: Path) -> None:
    reel("record", export).ok()
    head = git(kit, "rev-parse", "HEAD")
    run = reel("record", export).ok()
    assert run.out == "All 8 conversations are recorded already; nothing was added.\n"
    assert reel("record", export, "--squash").ok().out == run.out
    assert git(kit, "rev-parse", "HEAD") == head


def test_what_has_grown_gets_its_tail(reel: Reel, kit: Path, export: Path) -> None:
    reel("record", export).ok()
    talks = json.loads(export.read_text())
    talks[1] = talk(2, DAYS[1], turns=5)
    talks.append(talk(9, "2026-02-21"))
    export.write_text(json.dumps(talks))
    planned = reel("record", export, "--dry-run").ok().out.splitlines()
    assert planned[2].split()[-3:] == ["grown", "+3", "2026-01-05-1"]
    run = reel("record", export).ok()
    assert run.out == "Recorded 9 conversations: 1 new, 1 grown, 7 known; 5 messages.\n"
    assert "Talk 2, line 4." in (kit / "tape/2026/2026-01-05-1.md").read_text()


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        (["--select", "2,4-5"], [2, 4, 5]),
        (["--since", "2026-02-02"], [1, 3, 8]),
        (["--title", "talk 7"], [7]),
        (["--since", "2026-02", "--select", "2-7"], [3, 7]),
    ],
)
def test_a_choice_is_by_number_time_or_title(
    reel: Reel, kit: Path, export: Path, options: Sequence[str], numbers: Sequence[int]
) -> None:
    assert [row["number"] for row in rows(reel, export, *options, "--dry-run")] == numbers
    assert [row["number"] for row in rows(reel, export, *options)] == numbers
    assert len(subjects(kit)) == len(numbers)


def test_a_handful_gets_a_line_each(reel: Reel, kit: Path, export: Path) -> None:
    run = reel("record", export, "--select", "1-2").ok()
    assert run.out == (
        "Recorded “Talk 2” as 2026-01-05-1, 2 messages.\nRecorded “Talk 1” as 2026-02-20-1, 2 messages.\n"
    )
    assert len(subjects(kit)) == 2


def test_nothing_chosen_is_an_error_that_says_how_many_there_were(
    reel: Reel, kit: Path, export: Path
) -> None:
    run = reel("record", export, "--title", "lighthouse")
    assert (run.code, "none of the 8 conversations" in run.err) == (1, True)
    assert reel("record", export, "--select", "one").code == 2
    assert reel("record", export, "--since", "soon").code == 2
    assert subjects(kit) == []


def test_session_takes_one_conversation(reel: Reel, kit: Path, export: Path) -> None:
    reel("record", export, "--select", "1").ok()
    run = reel("record", export, "--session", SESSIONS[0])
    assert (run.code, "there are 8 conversations" in run.err) == (1, True)
    (row,) = rows(reel, export, "--session", SESSIONS[0], "--select", "2")
    assert (row["session"], row["state"], row["added"]) == (SESSIONS[0], "grown", 2)
    assert len(subjects(kit)) == 2


def test_the_same_conversation_twice_is_recorded_once(reel: Reel, kit: Path, export: Path) -> None:
    copy = export.with_name("copy.json")
    copy.write_text(json.dumps([talk(2, DAYS[1], turns=4)]))
    found = rows(reel, export, copy)
    assert (found[1]["session"], found[1]["state"]) == (found[8]["session"], "new")
    assert (found[8]["number"], found[8]["state"], found[8]["added"]) == (9, "grown", 2)
    assert len(list((kit / "tape").rglob("*.md"))) == 8


def test_a_source_that_cannot_be_read_refuses_the_command_before_anything_is_written(
    reel: Reel, kit: Path, export: Path
) -> None:
    bad = export.with_name("bad.json")
    bad.write_text(export.read_text()[:-30])
    for sources in ([export, bad], [bad, export], [export, export.with_name("nowhere.json")]):
        run = reel("record", *sources)
        assert (run.code, run.out, run.err.count("Error: ")) == (1, "", 1)
        assert subjects(kit) == []
    assert git(kit, "status", "--porcelain") == ""


def test_one_that_cannot_be_recorded_is_left_out_and_named(reel: Reel, kit: Path, export: Path) -> None:
    handed = reel("pack").ok().out
    talks = json.loads(export.read_text())
    talks[2]["messages"] = [{"role": "user", "content": handed}]
    export.write_text(json.dumps(talks))
    for more, done in (("--dry-run", "would be"), ("--squash", "was")):
        run = reel("record", export, more)
        assert run.code == 1
        assert f"1 of 8 conversations {done} left out; the first, “Talk 3”: Nothing in it" in run.err
    assert subjects(kit) == ["record: 7 conversations (2025-12-24 to 2026-03-01), 14 messages"]
    run = reel("record", export, "--json")
    assert run.code == 1
    assert [left["number"] for left in json.loads(run.out)["left_out"]] == [3]
    alone = reel("record", export, "--select", "3")
    assert (alone.code, alone.err.startswith("Error: Nothing in it was said")) == (1, True)


def test_one_that_is_too_large_for_the_tape_is_left_out(
    reel: Reel, kit: Path, export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    talks = json.loads(export.read_text())
    talks[1] = talk(2, DAYS[1], turns=200)
    export.write_text(json.dumps(talks))
    monkeypatch.setattr("reel_cli.features.record.plan.LARGEST_FILE", 1 << 12)
    run = reel("record", export)
    assert run.code == 1
    assert run.out == "Recorded 7 conversations: 7 new; 14 messages.\n"
    assert "1 of 8 conversations was left out; the first, “Talk 2”: It would be larger" in run.err
    assert len(subjects(kit)) == 7


def test_a_folder_is_read_file_by_file_and_what_is_no_chat_is_remarked_on(
    reel: Reel, kit: Path, export: Path
) -> None:
    folder = export.with_name("folder")
    folder.mkdir()
    for number in (1, 2):
        (folder / f"{number}.json").write_text(json.dumps(talk(number, DAYS[number - 1])))
    (folder / "settings.json").write_text('{"theme": "dark"}')
    run = reel("record", folder)
    assert (run.code, run.out.count("Recorded “Talk")) == (0, 2)
    assert "settings.json" in run.err
    answer = json.loads(reel("record", folder, "--json").ok().out)
    assert [row["place"] for row in answer["recorded"]] == ["1.json", "2.json"]
    assert [row["source"] for row in answer["recorded"]] == [str(folder)] * 2
    assert "settings.json" in answer["remarks"][0]
    assert len(subjects(kit)) == 2


def test_the_kit_itself_is_no_chat(reel: Reel, kit: Path, export: Path) -> None:
    reel("record", export).ok()
    for place in (".", "tape", "tape/2026/2026-02-20-1.md", kit):
        run = reel("record", export, place)
        assert (run.code, "part of this kit" in run.err, run.out) == (1, True, "")


def test_ctrl_c_keeps_what_is_committed_and_the_next_run_goes_on(
    reel: Reel, kit: Path, export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "BATCH_SESSIONS", 3)
    monkeypatch.setattr("reel_cli.core.change.early_storage.AT_LEAST", 1)
    commit_all, calls = OpenKit.commit_all, []

    def stop_at_the_second(self: OpenKit, changes: Sequence[Any]) -> Any:
        calls.append(len(changes))
        if len(calls) == 2:
            raise KeyboardInterrupt
        return commit_all(self, changes)

    monkeypatch.setattr(OpenKit, "commit_all", stop_at_the_second)
    run = reel("record", export)
    assert run.code == 130
    assert "Done already, and it stays: recorded 3 of 8 conversations" in run.err
    assert "goes on where it stopped" in run.err
    assert len(subjects(kit)) == 3
    assert list((kit / ".git/objects/pack").glob("tmp_*")) == []
    assert reel("record", export).ok().out == "Recorded 8 conversations: 5 new, 3 known; 10 messages.\n"
    assert git(kit, "status", "--porcelain") == ""


def test_ctrl_c_while_commits_are_made_is_told_with_them(
    reel: Reel, kit: Path, export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def strike(*arguments: Any) -> None:
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        save_intent(*arguments)

    monkeypatch.setattr("reel_cli.core.change.transaction.save_intent", strike)
    run = reel("record", export)
    assert run.code == 130
    assert "Done already, and it stays: recorded 8 of 8 conversations" in run.err
    assert (len(subjects(kit)), git(kit, "status", "--porcelain")) == (8, "")


def test_what_was_noted_while_reading_is_told_once_a_kind(reel: Reel, kit: Path, tmp_path: Path) -> None:
    talks = [talk(n, day) for n, day in enumerate(DAYS, start=1)]
    for one in talks[2:]:
        one["messages"].append({"role": "user", "content": "half \ud800"})
    file = tmp_path / "export.json"
    file.write_text(json.dumps(talks))
    run = reel("record", file).ok()
    assert run.err.count("surrogate") == 1
    assert "in 6 conversations, first in “Talk 5”" in run.err
    assert len(subjects(kit)) == 8


@pytest.mark.parametrize("columns", ["50", "80"])
def test_on_a_terminal_no_line_of_the_plan_is_wider_than_it(
    reel: Reel, kit: Path, export: Path, columns: str
) -> None:
    talks = json.loads(export.read_text())
    talks[0]["title"] = "A very long title that goes on and on, past every edge there is, and then some"
    export.write_text(json.dumps(talks))
    run = reel("record", export, "--dry-run", tty=True, env={"COLUMNS": columns}).ok()
    assert max(len(line) for line in run.out.splitlines()) <= int(columns)
    assert ("2026-02-20-1" in run.out) == (columns == "80")
    assert "\x1b" not in run.out + run.err
    assert kit.is_dir()


def test_nothing_named_is_a_usage_error(reel: Reel, kit: Path) -> None:
    run = reel("record")
    assert (run.code, "--latest" in run.err) == (2, True)
    assert kit.is_dir()


def test_the_whole_of_a_real_export_is_planned_recorded_and_known(
    reel: Reel, kit: Path, shared_data: Path
) -> None:
    file = shared_data / "samples/sharegpt/500-conversations.json"
    planned = rows(reel, file, "--dry-run")
    done = rows(reel, file)
    assert planned == done
    assert len(done) > recorded.HANDFUL
    assert {row["state"] for row in rows(reel, file)} == {"known"}
    assert len(subjects(kit)) == sum(1 for row in done if row["state"] != "known")


def test_a_spool_gives_back_what_was_put_in_whatever_its_size() -> None:
    talks = [
        Conversation(
            "chatgpt",
            (
                Message("user", "ä\ud800\n" * (n * 500), time="2026-01-01T00:00:00+00:00"),
                Message("assistant", "b", Kind.VERSION, name="Ada", model="m", road=2),
            ),
            key=f"chatgpt:{n}",
            title="t",
            started=None,
            problems=("one", "two"),
        )
        for n in range(30)
    ]
    spool = Spool(in_memory=50_000)
    places = [spool.put(one) for one in talks]
    assert {type(place) for place in places} == {Conversation, tuple}
    assert [spool.get(place) for place in reversed(places)] == talks[::-1]
    spool.close()

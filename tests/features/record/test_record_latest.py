"""`reel record --latest`, and where the newest chat is looked for."""

import json
import os
import re
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reel_cli.features.record.chat_apps import Chat, lm_studio_folders, newest_chat, places
from reel_cli.terminal.input.given_text import dropped_path
from tests.features.watch.test_watch import chat_file
from tests.support.cli import Reel, git
from tests.support.pages import chat, page

NOW = datetime(2026, 3, 1, 20, tzinfo=UTC).timestamp()


def put(path: Path, text: str, minutes: float = 3) -> Path:
    """A file that was written so many minutes ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (NOW - minutes * 60, NOW - minutes * 60))
    return path


@pytest.fixture
def chats() -> Path:
    """LM Studio's folder of conversations."""
    return Path.home() / ".lmstudio" / "conversations"


def recorded(kit: Path) -> Sequence[str]:
    return git(kit, "log", "--grep=^Reel-Op: record", "--format=%s").splitlines()


def test_the_newest_chat_is_taken_and_told_of(reel: Reel, kit: Path, chats: Path) -> None:
    put(chats / "1700000000000.conversation.json", chat_file("Old?", "Old.", name="Old"), 90)
    put(chats / "sub/1700000000001.conversation.json", chat_file("Ice?", "Thick.", name="The lake"))
    run = reel("record", "--latest").ok()
    assert run.out == "Recorded “The lake” as 2023-11-14-1, 2 messages.\n"
    assert run.err.startswith(
        'Newest chat: "The lake" in LM Studio, 2 messages, 3 minutes ago.\n'
        "  ~/.lmstudio/conversations/sub/1700000000001.conversation.json\n"
    )
    assert len(recorded(kit)) == 1


def test_a_plan_of_the_newest_changes_nothing(reel: Reel, kit: Path, chats: Path) -> None:
    put(chats / "1700000000001.conversation.json", chat_file("Ice?", "Thick.", name="The lake"))
    run = reel("record", "--latest", "--dry-run").ok()
    assert run.out == "The lake: new, 2 of 2 messages would be added (2023-11-14-1).\n"
    assert recorded(kit) == []
    run = reel("record", "--latest", "--json").ok()
    assert json.loads(run.out)["recorded"][0]["session"] == "2023-11-14-1"


def test_a_newer_chat_in_which_nothing_was_said_is_passed_over_and_told(
    reel: Reel, kit: Path, chats: Path
) -> None:
    put(chats / "1700000000000.conversation.json", chat_file("Ice?", "Thick.", name="The lake"), 90)
    put(chats / "1700000000001.conversation.json", chat_file(name="New"), 1)
    run = reel("record", "--latest").ok()
    assert "1700000000001.conversation.json in LM Studio is passed over" in run.err
    assert "90 minutes ago" in run.err
    assert len(recorded(kit)) == 1


def test_none_found_says_where_it_looked(reel: Reel, kit: Path, chats: Path) -> None:
    run = reel("record", "--latest")
    assert (run.code, "looked for in ~/.lmstudio/conversations, ~/SillyTavern and" in run.err) == (1, True)
    chats.mkdir(parents=True)
    run = reel("record", "--latest")
    assert "There is no chat yet in ~/.lmstudio/conversations (LM Studio)." in run.err
    assert recorded(kit) == []


def test_latest_takes_no_names_and_no_choice(reel: Reel, kit: Path, chats: Path) -> None:
    put(chats / "1700000000001.conversation.json", chat_file("Ice?", "Thick."))
    for more in (["x.json"], ["--select", "1"], ["--title", "x"]):
        assert reel("record", "--latest", *more).code == 2
    assert recorded(kit) == []


def test_lm_studio_may_have_been_moved(tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere"
    (Path.home() / ".lmstudio-home-pointer").write_text(f"{moved}\n")
    file = put(moved / "conversations/1700000000001.conversation.json", chat_file("Ice?", "Thick."))
    assert lm_studio_folders()[0] == moved / "conversations"
    assert newest_chat() == Chat(file, "LM Studio", NOW - 180)


@pytest.mark.parametrize("pointer", ["", "relative/place", "\0", "x" * 10_000])
def test_a_pointer_that_leads_nowhere_is_passed_over(pointer: str) -> None:
    (Path.home() / ".lmstudio-home-pointer").write_text(pointer)
    assert lm_studio_folders() == [
        Path.home() / ".lmstudio/conversations", Path.home() / ".cache/lm-studio/conversations",
    ]  # fmt: skip
    assert newest_chat() is None


def test_jan_and_ollama_are_looked_for_where_they_keep_their_chats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APPDATA", str(Path.home() / "Roaming"))
    put(Path.home() / "jan/threads/t1/messages.jsonl", "{}", 5)
    put(Path.home() / "jan/threads/t1/thread.json", "{}", 1)
    assert newest_chat() == Chat(Path.home() / "jan/threads/t1/messages.jsonl", "Jan", NOW - 300)
    data = put(Path.home() / ".ollama/db.sqlite", "", 4)
    assert newest_chat() == Chat(data, "Ollama", NOW - 240)
    put(Path.home() / "Roaming/Jan/data/threads/t2/messages.jsonl", "{}", 3)
    assert newest_chat() == Chat(Path.home() / "Roaming/Jan/data/threads/t2/messages.jsonl", "Jan", NOW - 180)
    put(data.with_name("db.sqlite-wal"), "x", 2)
    assert newest_chat() == Chat(data, "Ollama", NOW - 120)


def test_of_a_database_the_conversation_last_spoken_in_is_the_newest(reel: Reel, kit: Path) -> None:
    data = Path.home() / ".ollama/db.sqlite"
    data.parent.mkdir(parents=True)
    with sqlite3.connect(data) as base:
        base.execute("CREATE TABLE chats (id TEXT PRIMARY KEY, title TEXT, created_at TIMESTAMP)")
        base.execute(
            "CREATE TABLE messages (id INTEGER PRIMARY KEY, chat_id TEXT, role TEXT, content TEXT, "
            "thinking TEXT, model_name TEXT, created_at TIMESTAMP)"
        )
        for name, day in (("a", "2026-02-20"), ("b", "2026-02-25"), ("c", "2026-02-22")):
            base.execute(
                "INSERT INTO chats VALUES (?, ?, ?)", (name, f"Chat {name}", f"{day} 10:00:00+00:00")
            )
            for minute, role in enumerate(("user", "assistant")):
                base.execute(
                    "INSERT INTO messages (chat_id, role, content, thinking, model_name, created_at) "
                    "VALUES (?, ?, ?, '', 'm', ?)",
                    (name, role, f"{name} {role}", f"{day} 10:0{minute}:00+00:00"),
                )
    base.close()
    run = reel("record", "--latest").ok()
    assert '"Chat b" in Ollama, 2 messages' in run.err
    assert recorded(kit) == ["record: 2026-02-25-1, 2 messages"]


def test_no_link_leads_out_and_no_pipe_is_waited_for(chats: Path, tmp_path: Path) -> None:
    chats.mkdir(parents=True)
    put(tmp_path / "away/1.conversation.json", chat_file("Ice?", "Thick."))
    (chats / "link").symlink_to(tmp_path / "away")
    os.mkfifo(chats / "pipe.conversation.json")
    assert newest_chat() is None


def test_every_place_is_named_with_its_app() -> None:
    assert {place.app for place in places()} == {"LM Studio", "Jan", "Ollama"}
    assert all(place.folder.is_absolute() for place in places())


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(-5, "just now"), (0, "just now"), (1, "1 minute ago"), (119, "119 minutes ago"),
     (120, "2 hours ago"), (47 * 60, "47 hours ago"), (72 * 60, "3 days ago")],
)  # fmt: skip
def test_how_long_ago_reads_as_a_person_would_say_it(minutes: int, words: str) -> None:
    assert Chat(Path("x"), "x", NOW - minutes * 60).ago(datetime.fromtimestamp(NOW, UTC)) == words


def test_end_takes_the_newest_and_of_a_folder_the_one_that_is_new(reel: Reel, kit: Path, chats: Path) -> None:
    put(chats / "1700000000001.conversation.json", chat_file("Ice?", "Thick.", name="The lake"))
    run = reel("end", "--yes").ok()
    assert 'Newest chat: "The lake" in LM Studio, 2 messages, 3 minutes ago.' in run.err
    assert len(recorded(kit)) == 1
    run = reel("end", chats.parent, "--yes")
    assert "is recorded already" in run.out
    put(chats / "1700000000002.conversation.json", chat_file("Ferry?", "Late.", name="The ferry"))
    run = reel("end", chats, "--yes")
    assert (run.code, len(recorded(kit)), "“The ferry”" in run.out) == (0, 2, True)


@pytest.fixture
def owed(reel: Reel, kit: Path) -> str:
    """Half a page that was asked for, with no newer chat to record: the rest of it."""
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--prompt").ok()
    half, rest = page({"Never let fade": '"Go and buy the ticket."'}).split("## How I was")
    assert reel("checkpoint", "--reply", "-", "--yes", stdin=half).code == 1
    return f"## How I was{rest}"


@pytest.mark.parametrize("tty", [True, False])
def test_end_takes_the_reply_to_a_page_that_is_owed(reel: Reel, kit: Path, owed: str, *, tty: bool) -> None:
    (kit.parent / "rest.md").write_text(owed)
    head = git(kit, "rev-parse", "HEAD")
    looked = reel("end", "--reply", kit.parent / "rest.md", "--dry-run", tty=tty).ok()
    assert "Nothing was changed (--dry-run)." in looked.err
    assert git(kit, "rev-parse", "HEAD") == head
    reel("end", "--reply", kit.parent / "rest.md", "--yes", tty=tty).ok()
    assert git(kit, "log", "-1", "--format=%s").startswith("checkpoint: ")


def test_end_goes_on_with_a_page_that_is_owed(reel: Reel, kit: Path, owed: str) -> None:
    (kit.parent / "rest.md").write_text(owed)
    answers = f"f {kit.parent / 'rest.md'}\n"
    looked = reel("end", "--dry-run", tty=True, stdin=answers).ok()
    assert "Part of the page of the chat of 25 February 2026 came, 9 of 15 parts." in looked.err
    assert not list((kit / "checkpoints").glob("*.yaml"))
    reel("end", tty=True, stdin=f"{answers}y\n").ok()
    assert list((kit / "checkpoints").glob("*.yaml"))


def test_end_offers_the_chat_before_and_none_that_was_taken_back(reel: Reel, kit: Path, chats: Path) -> None:
    put(chats / "1700000000000.conversation.json", chat_file("Far?", "Very.", name="The sea"), 300)
    put(chats / "1700000000001.conversation.json", chat_file("Ice?", "Thick.", name="The lake"), 200)
    put(chats / "1700000000002.conversation.json", chat_file("Late?", "As ever.", name="The tram"), 100)
    put(chats / "1700000000003.conversation.json", chat_file("Tax?", "Due.", name="The letter"), 3)
    reel("end", "--yes").ok()
    letter = reel("tape", "list").ok().out.split()[2]
    reel("record", chats / "1700000000002.conversation.json").ok()
    reel("tape", "retract", letter, "--yes").ok()
    reel("tape", "retract", "The tram", "--yes").ok()
    taken = 'Taken back earlier, so passed over: "The letter" in LM Studio, 2 messages, 3 minutes ago.'
    none = reel("end", stdin="n\nn\n", tty=True).ok()
    assert none.err.count("Taken back") == none.err.count(taken) == 1
    assert none.err.index('Record "The lake" in LM Studio') < none.err.index('Record "The sea" in LM Studio')
    assert none.err.endswith("There is no other chat left to record.\nNothing was recorded.\n")
    assert reel("end", stdin="q\n", tty=True).ok().err.endswith("Nothing was recorded.\n")
    assert len(recorded(kit)) == 2
    reel("end", stdin="n\ny\nq\n", tty=True)
    assert len(recorded(kit)) == 3
    assert "The sea" in reel("tape", "list").ok().out


def test_end_goes_on_with_a_missing_page_before_it_offers_what_is_recorded(
    reel: Reel, kit: Path, chats: Path
) -> None:
    put(chats / "1700000000001.conversation.json", chat_file("Ice?", "Thick.", name="The lake"), 200)
    stopped = reel("end", stdin="y\nq\n", tty=True).ok()
    assert stopped.err.endswith("When you have the page:  reel end\n")
    again = reel("end", stdin="q\n", tty=True).ok()
    assert "Record" not in again.err
    assert again.err.startswith("The page of the chat of 14 November 2023 has not come yet.\n")
    # a new chat is asked about first; on a no, the page is next
    put(chats / "1700000000002.conversation.json", chat_file("Late?", "As ever.", name="The tram"), 3)
    new = reel("end", stdin="n\nq\n", tty=True).ok()
    assert new.err.index('Record "The tram"') < new.err.index("has not come yet.")
    assert len(recorded(kit)) == 1


def tavern_chat(*said: str) -> str:
    """A chat as SillyTavern writes it: the person and the persona by turns, a minute each."""
    lines: list[dict[str, object]] = [
        {"user_name": "Bo", "character_name": "Ada", "create_date": "2026-03-01@18h00m00s"}
    ]
    for number, text in enumerate(said):
        date = f"2026-03-01T18:{number:02}:00.000Z"
        name = ("Bo", "Ada")[number % 2]
        lines.append({"name": name, "is_user": not number % 2, "send_date": date, "mes": text})
    return "\n".join(map(json.dumps, lines))


@pytest.mark.parametrize("now", ["2026-03-01T20:00:00+00:00", "2026-03-04T20:00:00+00:00"])
@pytest.mark.parametrize("app", ["LM Studio", "SillyTavern"])
def test_end_offers_no_chat_that_is_recorded_with_its_page(
    reel: Reel, kit: Path, chats: Path, app: str, now: str
) -> None:
    said = [entry["content"] for entry in json.loads(chat())["messages"]]
    tavern = Path.home() / "SillyTavern/data/default-user/chats/Ada/Ada - 2026-03-01@18h00m00s.jsonl"
    file = chats / "1700000000001.conversation.json" if app == "LM Studio" else tavern
    write = chat_file if app == "LM Studio" else tavern_chat
    put(file, write(*said))
    reel("end", "--yes", "--reply", "-", stdin=page()).ok()
    head = git(kit, "rev-parse", "HEAD")
    again = reel("end", stdin="q\n", tty=True, env={"REEL_NOW": now}).ok()
    assert "Record" not in again.err
    assert re.search(rf'^Nothing new in ".*" in {app}, 6 messages, .* ago\.\nDrag the chat', again.err)
    # without a person, it says so and asks nothing
    alone = reel("end", env={"REEL_NOW": now}).ok()
    assert ("nothing was added" in alone.out, git(kit, "rev-parse", "HEAD")) == (True, head)
    # of one that went on, only what is new is offered
    put(file, write(*said, "One thing more.", "Say it."), 1)
    grown = reel("end", stdin="y\nq\n", tty=True).ok()
    asked = " ".join(grown.err.split())
    assert re.match(rf'Record 2 new messages of ".*" in {app}, 1 minute ago\? \[Y/n/q\]', asked)
    assert "2 added" in grown.out


def test_end_does_not_deny_a_chat_that_it_did_not_look_at(reel: Reel, kit: Path, chats: Path) -> None:
    for at in range(5):
        put(
            chats / f"170000000000{at}.conversation.json", chat_file("Ice?", f"Thick: {at}.", name=f"No {at}")
        )
        reel("end", "--yes").ok()
        reel("end", stdin="d\ny\n", tty=True).ok()
    put(chats / "1700000000007.conversation.json", chat_file("Far?", "Very.", name="The sea"), 1)
    put(chats / "1700000000008.conversation.json", chat_file("Old?", "Yes.", name="The quay"), 900)
    told = " ".join(reel("end", stdin="n\n", tty=True).ok().err.split())
    assert 'Record "The sea"' in told
    assert "There is no other chat left to record among the newest; name its file." in told
    assert kit.exists()


def test_end_offers_an_older_chat_after_one_with_nothing_new(reel: Reel, kit: Path, chats: Path) -> None:
    put(chats / "1700000000000.conversation.json", chat_file("Far?", "Very.", name="The sea"), 200)
    put(chats / "1700000000001.conversation.json", chat_file("Ice?", "Thick.", name="The lake"))
    reel("end", "--yes").ok()
    reel("end", stdin="d\ny\n", tty=True).ok()
    older = reel("end", stdin="n\n", tty=True).ok()
    asked = 'Record "The sea" in LM Studio, 2 messages, 3 hours ago? [Y/n/q]'
    told = " ".join(older.err.split())
    assert told.startswith(f'Nothing new in "The lake" in LM Studio, 2 messages, 3 minutes ago. {asked}')
    assert told.endswith("There is no other chat left to record. Nothing was recorded.")


def test_a_chat_that_no_app_has_is_asked_for(reel: Reel, kit: Path) -> None:
    (kit.parent / "my chat.txt").write_text("You: Ice?\n\nAda: Thick.\n")
    run = reel("end", tty=True, stdin=f"gone.txt\n'{kit.parent}/my chat.txt'\nq\n").ok()
    assert run.err.startswith(
        "No chat of LM Studio, Jan, Ollama or SillyTavern was found here.\nDrag the chat's file"
    )
    assert "There is no file gone.txt here." in run.err
    assert "Recorded my chat.txt, “Ice?”, 2 messages." in run.out
    assert len(recorded(kit)) == 1


def test_a_text_in_which_nobody_speaks_may_be_the_answer_that_a_page_waits_for(reel: Reel, kit: Path) -> None:
    declined = kit.parent / "answer.txt"
    declined.write_text("I would rather not write this.\n")
    way = f"reel checkpoint --reply {declined}"
    assert way not in reel("end", declined).err
    reel("record", "-", stdin=chat()).ok()
    assert way in reel("end", declined).err
    assert way in reel("record", declined).err


def test_nobody_needs_to_give_a_chat_that_is_asked_for(reel: Reel, kit: Path) -> None:
    run = reel("end", tty=True, stdin="?\nq\n").ok()
    assert run.err.endswith("Nothing was recorded.\n")
    assert reel("end").code == 1
    assert recorded(kit) == []


@pytest.mark.parametrize(
    ("typed", "path"),
    [
        ("'/chats/a b.json'", "/chats/a b.json"),
        ("/chats/a\\ b.json ", "/chats/a b.json"),
        ("file:///chats/a%20b.json", "/chats/a b.json"),
        ("/chats/Bo's.json", "/chats/Bo's.json"),
        ("a b.json", "a b.json"),
    ],
)
def test_a_path_is_taken_as_a_terminal_writes_it(typed: str, path: str) -> None:
    assert dropped_path(typed) == path

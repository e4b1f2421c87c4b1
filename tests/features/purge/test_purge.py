"""`reel purge`, whole commands: it is gone from every object and file, and all else stays as it was."""

import json
import shlex
import shutil
import subprocess
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.files.index_file import put_lines, render_line
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.files.yaml_text import parse_mapping
from reel_cli.core.git.repository import find_repository
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.values.talk import PURGED, session_path
from tests.support.cli import Reel, Run, git
from tests.support.lived_kit import DREAM, EVENINGS, LETTER, PAGE, PHONE, chat_file, live
from tests.support.pages import say
from tests.support.purge_traces import traces, words_of_files
from tests.support.shelf import copy_kit

STAIR = "a stair that was never built"
WALRUS = "A walrus orchestra played in the harbour, and nobody clapped."
PAGE_FILE = "ring3/M-001.md"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shelf")


@pytest.fixture
def lived(reel: Reel, shelf: Path) -> Path:
    """The kit with three evenings, made once and copied; `reel` runs inside it."""
    if not (shelf / "ada").exists():
        reel("init", shelf / "ada", "--template", "companion", "--name", "Ada").ok()
        with (shelf / "ada/kit.yaml").open("a") as file:
            file.write("timezone: Europe/Helsinki\n")
        live(reel, shelf / "ada")
    kit = reel.cwd / "ada"
    copy_kit(shelf / "ada", kit)
    reel.cwd = kit
    return kit


def head(kit: Path) -> str:
    return git(kit, "rev-parse", "HEAD").strip()


def said(kit: Path, session: str) -> list[str]:
    path = session_path(session)
    return [e.message.text for e in parse_session((kit / path).read_bytes(), path).shown()]


def purge(reel: Reel, *arguments: str) -> Run:
    return reel("purge", *arguments, "--confirm", "Ada").ok()


def verify(reel: Reel) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(reel("tape", "verify", "--json").ok().out)
    return value


def snapshot(kit: Path) -> Snapshot:
    return Snapshot(WorkTree(kit), "ada")


# -- it is gone -----------------------------------------------------------------------------------


def test_a_text_is_gone_from_every_object_and_every_file(reel: Reel, lived: Path) -> None:
    reel("pack").ok()
    reel("recall", "stair").ok()
    reel("recall", STAIR).ok()  # the journal holds what was asked for
    before = words_of_files(lived)
    texts = said(lived, PHONE)
    assert traces(lived, STAIR)
    done = purge(reel, "--match", STAIR)
    assert "it is in none of them" in done.err
    assert traces(lived, STAIR) == []
    assert said(lived, PHONE) == [text.replace(STAIR, PURGED) for text in texts]
    after = words_of_files(lived)
    changed = {path for path in {*before, *after} if before.get(path) != after.get(path)}
    assert changed == {PAGE_FILE, INDEX, session_path(PHONE), "tape/events.md"}
    assert after[PAGE_FILE].decode() == before[PAGE_FILE].decode().replace(STAIR, PURGED)
    assert after[INDEX].decode() == before[INDEX].decode().replace(STAIR, PURGED)
    assert verify(reel)["proven"]
    assert git(lived, "status", "--porcelain") == ""
    git(lived, "fsck", "--strict")
    # how the tape was found just now, and where its chats came from, is all that is noted
    assert sorted(place.name for place in (lived / ".reel/state").iterdir()) == [
        "lock",
        "place",
        "recorded-from.json",
        "verify.json",
    ]


def test_every_commit_is_there_still_and_says_the_same(reel: Reel, lived: Path) -> None:
    form = "--format=%s%n%an <%ae> %at%n%cn <%ce> %ct%n%B"
    before = git(lived, "log", "--reverse", form)
    first = git(lived, "rev-list", "--max-parents=0", "HEAD").strip()
    purge(reel, "--match", STAIR)
    assert git(lived, "log", "--reverse", form, "HEAD~1") == before
    # what comes before it is the same to the byte, and has its name still
    assert git(lived, "rev-list", "--max-parents=0", "HEAD").strip() == first
    assert git(lived, "log", "-1", "--format=%s") == f"purge: a text, out of 1 message of {PHONE}\n"


def test_a_session_is_gone_and_its_file_and_numbers_stay(reel: Reel, lived: Path) -> None:
    texts = list(EVENINGS[0][1])
    reel("tape", "flag", "the ferry to Suomenlinna").ok()
    purge(reel, PHONE)
    assert said(lived, PHONE) == [PURGED] * 6
    assert traces(lived, *texts, STAIR) == []
    assert said(lived, LETTER) == list(EVENINGS[1][1])
    assert verify(reel) | {"notes": []} == verify(reel) | {"notes": [], "proven": True, "messages": 16}
    page = (lived / PAGE_FILE).read_text()
    assert f"anchor: {PURGED}\n" in page
    assert "He asked me for his phone number" in page
    # nothing of it is lived any more: it is found by no recall, and no page is due for it
    hits = json.loads(reel("recall", "purged", "--json").ok().out)["hits"]
    assert [hit for hit in hits if hit["session"] == PHONE] == []
    assert PHONE in reel("tape", "list").ok().out


def begun_with_bundle(bundle: str, key: str = "b1", more: Sequence[str] = ()) -> str:
    """A chat of an app whose first message is a bundle."""
    said = [("system", bundle), ("user", "Good evening, and a long walk behind me."), ("assistant", "Sit.")]
    said += [("user", text) for text in more]
    body = [{"role": role, "content": text} for role, text in said]
    return json.dumps({"id": key, "messages": body})


def test_what_a_later_chat_began_with_tells_nothing_of_a_purged_one(reel: Reel, lived: Path) -> None:
    """`reel purge` finds every copy on the tape: a bundle in another chat is one."""
    texts = EVENINGS[1][1]
    first = reel.cwd.parent / "first.json"
    first.write_text(begun_with_bundle(reel("pack").ok().out))
    reel("record", first).ok()
    later = snapshot(lived).sessions[-1]
    path = session_path(later)
    assert texts[4] in (lived / path).read_text()
    before = (lived / PAGE_FILE).read_text()
    assert f"{path}: line" in reel("purge", LETTER, "--dry-run", "--all").ok().out
    done = purge(reel, LETTER)
    assert "none has a long message or a quotation of that chat" in done.err
    assert traces(lived, *texts) == []
    assert said(lived, later) == ["Good evening, and a long walk behind me.", "Sit."]
    assert (lived / PAGE_FILE).read_text() == before
    assert verify(reel)["proven"]
    # the app still has it: what grows on comes in without it
    first.write_text(
        begun_with_bundle(json.loads(first.read_text())["messages"][0]["content"], more=["Bye."])
    )
    reel("record", first).ok()
    assert traces(lived, *texts) == []
    assert said(lived, later)[-1] == "Bye."


WALK = "I walked the whole way round the bay with the letter in my coat, and at the lighthouse I sat down"


@pytest.mark.parametrize(
    ("talked", "told", "stays"),
    [
        # short turns are anybody's: two in a row, as they were said, are this chat's
        (("Rain again.", "Then stay in."), "Bo: Rain again.\n\nAda: Then stay in.\n", False),
        (("Rain again.", "Then stay in."), "Bo: Rain again.\n\nAda: Sleep well.\n", True),
        # a bundle leaves out the middle of a long turn
        ((f"{WALK}{' and read it once more' * 8}.", "Then rest."), f"Bo: {WALK[:60]} […]\n", False),
        ((f"{WALK}.", "Then rest."), f"Bo: {WALK[:30]} […]\n", True),
    ],
)
def test_a_bundle_tells_of_a_purged_chat_by_its_turns_in_a_row_and_its_long_ones_beginnings(
    reel: Reel, lived: Path, talked: tuple[str, str], told: str, *, stays: bool
) -> None:
    place = reel.cwd.parent / "talked.json"
    said_then = zip(("user", "assistant"), talked, strict=True)
    body = [{"role": role, "content": text} for role, text in said_then]
    place.write_text(json.dumps({"id": "t1", "created_at": "2026-03-01T09:00:00Z", "messages": body}))
    reel("record", place).ok()
    bundle = reel("pack").ok().out
    place.write_text(begun_with_bundle(f"{bundle}\n{told}"))
    reel("record", place).ok()
    later = session_path(snapshot(lived).sessions[-1])
    assert told in (lived / later).read_text()
    purge(reel, "2026-03-01-1")
    assert (told in (lived / later).read_text()) is stays


def test_a_purged_chat_takes_no_words_along_that_its_bundle_brought(reel: Reel, lived: Path) -> None:
    first = reel.cwd.parent / "first.json"
    first.write_text(begun_with_bundle(reel("pack").ok().out))
    reel("record", first).ok()
    later = snapshot(lived).sessions[-1]
    before = words_of_files(lived)
    assert STAIR in (lived / session_path(later)).read_text()
    purge(reel, later)
    after = words_of_files(lived)
    changed = {path for path in {*before, *after} if before.get(path) != after.get(path)}
    assert changed == {session_path(later), "tape/events.md"}


def test_a_checkpoint_and_an_exemplar_of_a_purged_session_lose_its_words(reel: Reel, lived: Path) -> None:
    pasted = "**You:** The boat is called the Cormorant, after my aunt.\n\n**Ada:** The Cormorant, then."
    reel("record", "-", stdin=pasted).ok()
    session = snapshot(lived).sessions[-1]
    (lived / "checkpoints").mkdir(exist_ok=True)
    checkpoint = lived / f"checkpoints/{session}.1.yaml"
    checkpoint.write_text(
        "timestamp: 2026-03-01T20:00:00Z\nmessages: 2\ncoherence: yes\ndrift_detected: no\n"
        'reply: "We spoke of the Cormorant."\nopen_loops: [ask about the Cormorant]\n'
    )
    exchange = "**Bo:** The boat is called the Cormorant, after my aunt.\n\n**Ada:** Aye.\n"
    reel("exemplar", "add", "-", "--title", "The boat", stdin=exchange).ok()
    told = reel("purge", session, "--dry-run", "--all").ok().out
    assert f"checkpoints/{session}.1.yaml: all of it, not committed yet" in told
    purge(reel, session)
    assert traces(lived, "Cormorant") == []
    assert parse_mapping(checkpoint.read_text(), checkpoint.name) == {
        "timestamp": "2026-03-01T20:00:00Z",
        "messages": "2",
        "coherence": "yes",
        "drift_detected": "no",
        "reply": PURGED,
        "open_loops": [PURGED],
    }
    assert snapshot(lived).exemplars["the-boat"].text.startswith(f"**Bo:** {PURGED}")
    reel("status").ok()


def test_titles_in_subjects_and_names_of_people_go_too(reel: Reel, lived: Path) -> None:
    place = lived.parent / "chat.json"
    value = json.loads(chat_file(1)) | {
        "title": "Dinner with Zdeněk Nový",
        "created_at": "2026-02-27T20:00:00Z",
    }
    place.write_text(json.dumps(value))
    reel("record", place).ok()
    reel("--kit", ".", "tape", "flag", "ask Zdeněk Nový about the boat").ok()
    env = {"GIT_AUTHOR_NAME": "Zdeněk Nový", "GIT_AUTHOR_EMAIL": "z@example.org"}
    subprocess.run(
        ["git", "commit", "-q", "--allow-empty", "-m", "by Zdeněk Nový"],
        cwd=lived, env={**dict(_environ()), **env}, check=True,
    )  # fmt: skip
    purge(reel, "--match", "Zdeněk Nový")
    assert traces(lived, "Zdeněk Nový", "Nový") == []
    assert f"Dinner with {PURGED}" in reel("log").ok().out
    assert f"{PURGED} <z@example.org>" in git(lived, "log", "--format=%an <%ae>")
    assert verify(reel)["proven"]


def _environ() -> list[tuple[str, str]]:
    import os

    return list(os.environ.items())


def test_names_of_files_go_with_what_names_them(reel: Reel, lived: Path) -> None:
    exchange = "**Bo:** Is it true about Anna Karlsson?\n\n**Ada:** It is what she told you.\n"
    reel("exemplar", "add", "-", "--title", "Anna Karlsson's letter", stdin=exchange).ok()
    reel("exemplar", "activate", "anna-karlsson-s-letter").ok()
    purge(reel, "--match", "Anna Karlsson")
    assert traces(lived, "Anna Karlsson", "anna-karlsson") == []
    assert f"{PURGED}-s-letter" in snapshot(lived).exemplars
    assert f"{PURGED}-s-letter" in snapshot(lived).active.active
    reel("pack").ok()


def test_tags_branches_notes_and_the_stash_hold_nothing_of_it(reel: Reel, lived: Path) -> None:
    git(lived, "branch", "another", "HEAD~1")
    git(lived, "branch", "the-never-built", "HEAD~1")
    git(lived, "tag", "light", "HEAD~1")
    git(lived, "tag", "-a", "heavy", "-m", f"with {STAIR}", "HEAD")
    git(lived, "notes", "add", "-m", f"a note on {STAIR}", "HEAD")
    (lived / "ring2/working.md").write_text(f"stashed {STAIR}\n")
    git(lived, "stash", "-q")
    git(lived, "update-ref", "refs/remotes/origin/main", "HEAD")
    git(lived, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    told = json.loads(reel("purge", "--match", "never built", "--dry-run", "--json").ok().out)
    assert told["stashed"] == 1
    assert told["names"] == ["refs/heads/the-never-built", "refs/notes/commits", "refs/tags/heavy"]
    shown = reel("purge", "--match", "never built", "--dry-run", "--all").ok().out
    assert "1 edit that you put aside with git stash: deleted" in " ".join(shown.split())
    assert "reflog" not in shown
    assert "stashes" not in shown
    subject = git(lived, "log", "-1", "--format=%s")
    purge(reel, "--match", "never built")
    assert traces(lived, "never built", "never-built") == []
    names = git(lived, "for-each-ref", "--format=%(refname)").split()
    assert names == [
        "refs/heads/another", "refs/heads/main", f"refs/heads/the-{PURGED}", "refs/notes/commits",
        "refs/tags/heavy", "refs/tags/light",
    ]  # fmt: skip
    assert git(lived, "log", "-1", "--format=%s", "another") == git(
        lived, "log", "-1", "--format=%s", "light"
    )
    assert git(lived, "log", "-1", "--format=%s", "heavy") == subject
    assert git(lived, "notes", "show", "main~1") == f"a note on a stair that was {PURGED}\n"
    assert git(lived, "merge-base", "another", "main") == git(lived, "rev-parse", "another")


def test_edits_by_hand_are_committed_first_and_lose_it_too(reel: Reel, lived: Path) -> None:
    working = lived / "ring2/working.md"
    working.write_text(working.read_text() + f"- ask about {STAIR}\n")
    (lived / "new.txt").write_text(f"{STAIR}\n")
    (lived / "ring3/M-003.md").unlink()
    (lived / "ring0/identity.md").chmod(0o755)
    purge(reel, "--match", STAIR)
    assert git(lived, "log", "-2", "--format=%s").splitlines()[1] == "edit: by hand"
    assert git(lived, "ls-files", "new.txt") == ""
    assert working.read_text().endswith(f"- ask about {PURGED}\n")
    assert (lived / "new.txt").read_text() == f"{PURGED}\n"
    assert not (lived / "ring3/M-003.md").exists()
    assert traces(lived, STAIR) == []


def test_a_file_beside_the_kits_own_is_rewritten_and_stays_out_of_its_history(
    reel: Reel, lived: Path
) -> None:
    (lived / "chats").mkdir()
    for name in ("c3.txt", f"chats/{STAIR}.txt"):
        (lived / name).write_text(f"so {STAIR} there\n")
    shown = reel("purge", "--match", STAIR, "--dry-run").ok()
    told = "rewritten where they are, and not added to the kit's history: c3.txt"
    assert told in " ".join(f"{shown.out} {shown.err}".split())
    purge(reel, "--match", STAIR)
    assert (lived / "c3.txt").read_text() == f"so {PURGED} there\n"
    assert [one.name for one in (lived / "chats").iterdir()] == [f"{PURGED}.txt"]
    listed = git(lived, "log", "--all", "--name-only", "--format=")
    assert not {"c3.txt", "chats"} & {line.partition("/")[0] for line in listed.splitlines()}
    assert git(lived, "status", "--porcelain").splitlines() == ["?? c3.txt", "?? chats/"]
    assert traces(lived, STAIR) == []


def test_remotes_settings_and_hooks_stay_and_what_they_hold_is_told(reel: Reel, lived: Path) -> None:
    git(lived, "remote", "add", "origin", "https://bo:hunter2tango@example.org/ada.git")
    config, hook = lived / ".git/config", lived / ".git/hooks/pre-commit"
    was, guard = config.read_bytes(), hook.read_bytes()
    (lived / ".gitignore").write_text(".reel/\n*.bak\n")
    (lived / "old.bak").write_text("hunter2tango\n")
    (lived / "note.md").write_text("the password is hunter2tango\n")
    done = purge(reel, "--match", "hunter2tango")
    assert (config.read_bytes(), hook.read_bytes()) == (was, guard)
    assert (lived / "old.bak").read_text() == "hunter2tango\n"
    assert traces(lived, "hunter2tango") == [".git/config", "old.bak"]
    assert "Still there, for you to change: .git/config:" in done.err
    assert "Still there, for you to change: old.bak:1." in done.err
    assert "git push --force --all origin" in done.err


# -- what leads to it still leads there -------------------------------------------------------------


def test_what_was_let_go_comes_back_after_a_purge(reel: Reel, lived: Path) -> None:
    reel("forget", "M-003", "--why", "the walrus orchestra is over", "--yes").ok()
    reel("forget", "M-001", "--yes").ok()
    reel("forget", "M-001", "--yes").ok()
    page = (lived / PAGE_FILE).read_bytes() if (lived / PAGE_FILE).exists() else None
    assert page is None
    losses = json.loads(reel("log", "--forgotten", "--json").ok().out)
    life = reel("why", "M-001").ok().out
    purge(reel, "--match", STAIR)
    purge(reel, "--match", "walrus orchestra")
    again = json.loads(reel("log", "--forgotten", "--json").ok().out)
    for old, new in zip(losses, again, strict=True):
        assert [one["id"] for one in old["forgot"]] == [one["id"] for one in new["forgot"]]
        assert old["forgot"][0]["was"] != new["forgot"][0]["was"]
    now = reel("why", "M-001").ok().out.splitlines(keepends=True)
    told = "".join(line for line in now if "purged: something out of one message" not in line)
    assert _without_ids(told) == _without_ids(life.replace(STAIR, PURGED))
    reel("restore", "M-001").ok()
    reel("restore", "M-001").ok()
    reel("restore", "M-003").ok()
    from reel_cli.core.files.memory_file import render_memory

    assert (lived / PAGE_FILE).read_text() == render_memory(PAGE).replace(STAIR, PURGED)
    dream = render_memory(DREAM).replace("walrus orchestra", PURGED)
    assert (lived / "ring3/M-003.md").read_text() == dream
    assert traces(lived, STAIR, "walrus orchestra") == []
    assert verify(reel)["proven"]
    assert reel("diff", "HEAD~3").code == 0
    assert PURGED in reel("memory", "show", "M-001", "--at", "HEAD~8").ok().out


def _without_ids(text: str) -> str:
    import re

    return re.sub(r"\b[0-9a-f]{7,40}\b", "<id>", text)


def test_ring_0_in_force_and_undone_changes_are_the_same_afterwards(reel: Reel, lived: Path) -> None:
    identity = lived / "ring0/identity.md"
    identity.write_text(identity.read_text() + f"\nYou once spoke of {STAIR}.\n")
    reel("review", "accept", "ring0/identity.md", "--as", "Bo <bo@example.org>", "--yes").ok()
    reel("memory", "pin", "M-003").ok()
    reel("undo").ok()
    log = json.loads(reel("log", "--json").ok().out)
    status = json.loads(reel("status", "--json").ok().out)
    purge(reel, "--match", STAIR)
    again = json.loads(reel("log", "--json").ok().out)
    assert [one["subject"] for one in again[1:]] == [one["subject"] for one in log]
    assert json.loads(reel("status", "--json").ok().out)["review"] == status["review"] == []
    assert f"You once spoke of {PURGED}." in json.loads(reel("pack", "--json").ok().out)["text"]
    commits = set(git(lived, "rev-list", "HEAD").split())
    undone = git(lived, "log", "--format=%(trailers:key=Reel-Undoes,valueonly)").split()
    assert undone
    assert set(undone) <= commits


def test_a_purge_is_not_undone(reel: Reel, lived: Path) -> None:
    purge(reel, "--match", STAIR)
    was = head(lived)
    done = reel("undo")
    assert (done.code, head(lived)) == (1, was)
    assert "A purge cannot be undone" in done.err
    assert reel("restore", "M-001").code == 1


# -- recording it again -----------------------------------------------------------------------------


def test_the_same_chat_grows_on_and_stays_without_it(reel: Reel, lived: Path) -> None:
    purge(reel, "--match", "Gloves, noon, the ferry.")
    purge(reel, "--match", STAIR)
    place = lived.parent / "evening-0.json"
    place.write_text(chat_file(0))
    was = (lived / session_path(PHONE)).read_bytes()
    again = reel("record", place).ok()
    assert "nothing was added" in again.out
    assert "2 messages hold what was purged from this kit; that was left out." in again.err
    value = json.loads(place.read_text())
    value["messages"].append({"role": "user", "content": "Good night, then."})
    place.write_text(json.dumps(value))
    reel("record", place).ok()
    grown = (lived / session_path(PHONE)).read_bytes()
    assert grown.startswith(was)
    assert said(lived, PHONE)[-2:] == [f"{PURGED} I have it.", "Good night, then."]
    assert traces(lived, STAIR, "Gloves, noon") == []
    assert verify(reel)["proven"]


def test_a_purged_session_does_not_come_in_again(reel: Reel, lived: Path) -> None:
    purge(reel, PHONE)
    place = lived.parent / "evening-0.json"
    place.write_text(chat_file(0))
    was = words_of_files(lived)
    assert json.loads(reel("record", place, "--json").ok().out)["recorded"][0]["state"] == "known"
    assert words_of_files(lived) == was
    for command in ("record", "end"):
        run = reel(command, place).ok()
        assert "This chat (2026-02-10-1) was purged from this kit, so it is not recorded again." in run.out
        assert "To begin one:  reel start" in run.err
        assert PURGED not in run.out + run.err
        assert "name its file" not in run.err
    pasted = "\n\n".join(f"**{'Ada' if i % 2 else 'You'}:** {text}" for i, text in enumerate(EVENINGS[0][1]))
    reel("record", "-", stdin=pasted).ok()
    assert traces(lived, *EVENINGS[0][1]) == []


def test_a_long_text_is_known_by_its_fingerprint_wherever_it_comes_from(reel: Reel, lived: Path) -> None:
    text = "the spare key lies under the third blue pot 47 behind the shed"
    pasted = f"**You:** Listen: {text}, but do not tell.\n\n**Ada:** I will not."
    reel("record", "-", stdin=pasted).ok()
    purge(reel, "--match", text)
    assert traces(lived, text) == []
    event = (lived / "tape/events.md").read_text()
    assert '"scrypt"' in event
    assert "pot" not in event
    other = pasted.replace("Listen", "Once more").replace("the spare", "The SPARE\n").replace("47", "12")
    done = reel("record", "-", stdin=other).ok()
    assert "1 message holds what was purged from this kit; that was left out." in done.err
    assert traces(lived, "third blue pot") == []
    assert f"Once more: {PURGED}, but do not tell." in said(lived, snapshot(lived).sessions[-1])[0]


@pytest.mark.parametrize(
    "text", ["+358 40 123 4567", "hunter2tango", "Anna Karlsson", "12 Baker Street, NW1"]
)
def test_of_a_short_text_no_fingerprint_is_kept(reel: Reel, lived: Path, text: str) -> None:
    (lived / "note.md").write_text(f"it is {text}\n")
    done = purge(reel, "--match", text)
    assert '"prints": []' in (lived / "tape/events.md").read_text()
    assert "a text this short leaves no mark" in done.err


# -- however it is written ----------------------------------------------------------------------------


def test_it_is_found_in_every_way_it_is_written(reel: Reel, lived: Path) -> None:
    text = 'Zoë’s "café" - it\'s <3 \\o/'
    forms = {
        "plain.md": text,
        "decomposed.md": unicodedata.normalize("NFD", text),
        "wrapped.md": f"> so {text.replace(' ', chr(10) + '> ', 2)} there",
        "escaped.json": json.dumps({"a": text}),
        "plain.json": json.dumps({"a": text}, ensure_ascii=False),
        "quoted.yaml": "a: '" + text.replace("'", "''") + "'\n",
        "double.yaml": _yaml(text),
    }
    for name, data in forms.items():
        (lived / name).write_text(data, encoding="utf-8")
    wide = ("utf-16", "utf-16-le", "utf-16-be")
    for encoding in wide:
        (lived / f"{encoding}.txt").write_bytes(f"so {text} there\n".encode(encoding))
    (lived / "sealed.zip").write_bytes(b"PK\x03\x04\0\1\xff\0\2" * 9)
    place = lived.parent / "chat.json"
    messages = [
        {"role": "user", "content": f"I said: {text}", "name": text},
        {"role": "assistant", "content": "You did."},
    ]
    place.write_text(json.dumps({"title": f"On {text}", "messages": messages}))
    reel("record", place).ok()
    session = snapshot(lived).sessions[-1]
    told = json.loads(reel("purge", "--match", text, "--dry-run", "--json").ok().out)
    assert told["unsearched"] == ["sealed.zip"]
    purge(reel, "--match", text)
    for encoding in wide:
        assert (lived / f"{encoding}.txt").read_bytes() == f"so {PURGED} there\n".encode(encoding)
    again = reel("purge", "--match", text, "--dry-run")
    assert (again.code, "Not searched, because they are not text: sealed.zip." in again.err) == (1, True)
    for name in forms:
        left = (lived / name).read_text(encoding="utf-8")
        assert PURGED in left, name
        assert "caf" not in left, name
    assert json.loads((lived / "escaped.json").read_text()) == {"a": PURGED}
    assert said(lived, session)[0] == f"I said: {PURGED}"
    assert traces(lived, "café", "caf\\u00e9", "caf\\xE9") == []
    assert verify(reel)["proven"]


def _yaml(text: str) -> str:
    import yaml

    return str(yaml.safe_dump({"a": f"{'word ' * 14}{text}"}))


def test_great_and_small_letters_count_unless_told(reel: Reel, lived: Path) -> None:
    (lived / "note.md").write_text("Penicillin, PENICILLIN, penicillin\n")
    purge(reel, "--match", "penicillin")
    assert (lived / "note.md").read_text() == f"Penicillin, PENICILLIN, {PURGED}\n"
    purge(reel, "--match", "penicillin", "--any-case")
    assert (lived / "note.md").read_text() == f"{PURGED}, {PURGED}, {PURGED}\n"
    assert said(lived, LETTER)[3] == f"Never {PURGED}. I will hold on to that."
    assert verify(reel)["proven"]


def test_the_journal_stays_one_that_can_be_read(reel: Reel, lived: Path) -> None:
    line = {
        "id": "0" * 16,
        "at": "2026-02-11T18:41:00Z",
        "session": PHONE,
        "do": "touch",
        "on": "shelf/moon garden.md",
    }
    (lived / "journal").mkdir(exist_ok=True)
    (lived / "journal/2026-02.jsonl").write_text(json.dumps(line) + "\n")
    purge(reel, "--match", "moon garden")
    found = json.loads((lived / "journal/2026-02.jsonl").read_text())
    assert found["on"] == f"shelf/{PURGED}.md"
    assert found["id"] != line["id"]
    assert verify(reel)["proven"]


def test_a_purged_chat_takes_the_words_along_by_which_it_was_recalled(reel: Reel, lived: Path) -> None:
    """A query says in other words what a chat was about."""
    reel("recall", "her number that nobody has").ok()
    reel("memory", "pin", "M-001").ok()
    assert traces(lived, "her number that nobody has")
    purge(reel, PHONE)
    assert traces(lived, "her number that nobody has") == []
    assert verify(reel)["proven"]


def test_one_purge_after_another_keeps_the_records_of_both(reel: Reel, lived: Path) -> None:
    for text in ("my phone number", "So you noticed", STAIR, "nothing there", "that was left"):
        reel("purge", "--match", text, "--confirm", "Ada")
    assert verify(reel)["proven"]
    assert '"purge": "2026-03-01-4"' in (lived / "tape/events.md").read_text()
    reel("tape", "correct", f"{PHONE}#2", "It was the moon garden.").ok()
    purge(reel, "--match", "moon garden")
    assert verify(reel)["proven"]
    assert traces(lived, "moon garden", STAIR) == []


def test_what_stands_only_in_older_versions_goes_from_those(reel: Reel, lived: Path) -> None:
    for text in ("the moon garden\n", "nothing\n"):
        (lived / "note.md").write_text(text)
        git(lived, "add", ".")
        git(lived, "commit", "-q", "-m", "a note")
    (place,) = json.loads(reel("purge", "--match", "moon garden", "--dry-run", "--json").ok().out)["places"]
    assert place == {"path": "note.md", "lines": [], "messages": [], "commits": 1}
    assert "note.md: only in history, in 1 commit" in reel("purge", "--match", "moon garden", "--dry-run").out
    purge(reel, "--match", "moon garden")
    assert traces(lived, "moon garden") == []
    assert (lived / "note.md").read_text() == "nothing\n"


def test_what_no_branch_has_any_more_is_found_too(reel: Reel, lived: Path) -> None:
    (lived / "note.md").write_text("the moon garden\n")
    git(lived, "add", ".")
    git(lived, "commit", "-q", "-m", "a note")
    git(lived, "reset", "-q", "--hard", "HEAD~1")
    commits = git(lived, "rev-list", "--count", "HEAD").strip()
    assert traces(lived, "moon garden")
    purge(reel, "--match", "moon garden")
    assert traces(lived, "moon garden") == []
    assert git(lived, "rev-list", "--count", "HEAD~1").strip() == commits


def test_a_kit_whose_objects_are_named_by_sha256(reel: Reel, tmp_path: Path) -> None:
    kit = make_kit_of(tmp_path / "ada", "--object-format=sha256")
    reel.cwd = kit
    purge(reel, "--match", "salt lamp")
    assert traces(kit, "salt lamp") == []
    assert len(head(kit)) == 64


def make_kit_of(place: Path, *options: str) -> Path:
    place.mkdir()
    git(place, "init", "-q", *options)
    (place / "kit.yaml").write_text("name: Ada\n")
    (place / ".gitignore").write_text(".reel/\n")
    (place / "note.md").write_text("the salt lamp\n")
    git(place, "add", ".")
    git(place, "commit", "-q", "-m", "of the salt lamp")
    return place


# -- asking, and looking only ---------------------------------------------------------------------------


def test_a_dry_run_tells_every_place_and_changes_nothing(reel: Reel, lived: Path) -> None:
    reel("consolidate", "--prompt").ok()
    was = {p: p.read_bytes() for p in lived.rglob("*") if p.is_file()}
    value = json.loads(reel("purge", "--match", STAIR, "--dry-run", "--json").ok().out)
    assert value["places"] == [
        {"path": PAGE_FILE, "lines": [11, 34], "messages": [], "commits": 1},
        {"path": INDEX, "lines": [3], "messages": [], "commits": 1},
        {"path": session_path(PHONE), "lines": [18], "messages": [4], "commits": 4},
    ]
    assert value["memories"] == [{"id": "M-001", "title": PAGE.title, "loses": True}]
    assert (value["prompts"], value["fingerprints"], value["commit_messages"]) == (1, 0, 0)
    shown = reel("purge", "--match", STAIR, "--dry-run", "--all").ok()
    # first the sum, so that who heard the dry run need not hear all of it again
    total = "it stands in 3 files of the kit; 1 memory was made from it; 1 file of yours keeps it."
    assert shown.out.startswith(f"In short: {total}\n\n")
    assert f"{session_path(PHONE)}: message 4, in 4 commits" in shown.out
    assert shown.err.endswith("Nothing was changed (--dry-run).\n")
    assert {p: p.read_bytes() for p in lived.rglob("*") if p.is_file()} == was


def test_what_was_typed_unseen_is_shown_by_no_screen_and_no_hint(reel: Reel, lived: Path) -> None:
    told = reel("purge", "--match", "-", stdin=STAIR.upper())
    shown = f"{told.out} {told.err}"
    assert "reel purge --match - --any-case\n" in shown
    assert STAIR.casefold() not in shown.casefold()


def test_a_purge_commits_no_file_that_is_not_the_kits(reel: Reel, lived: Path) -> None:
    (lived / "photo.jpg").write_bytes(b"\xff\xd8\xff\0")
    (lived / "notes.txt").write_text("milk\n")
    assert (
        "photo.jpg"
        not in reel("purge", "--match", STAIR, "--dry-run")
        .ok()
        .out.partition("What changes")[2]
        .partition("Where it")[0]
    )
    reel("purge", "--match", STAIR, "--confirm", "ada").ok()
    assert git(lived, "status", "--porcelain").splitlines() == ["?? notes.txt", "?? photo.jpg"]


def test_the_name_is_wanted_and_nothing_else_will_do(reel: Reel, lived: Path) -> None:
    was = head(lived)
    for run, code in (
        (reel("purge", "--match", STAIR), 1),
        (reel("purge", "--match", STAIR, "--yes"), 2),
        (reel("purge", "--match", STAIR, "--confirm", "Eda"), 1),
        (reel("purge", "--match", STAIR, "--confirm", ""), 1),
        (reel("purge", "--match", STAIR, tty=True, stdin="yes\n"), 0),
        (reel("purge", "--match", STAIR, tty=True, stdin=""), 0),
    ):
        assert (run.code, head(lived)) == (code, was)
    asked = reel("purge", "--match", STAIR, tty=True, stdin="Eda\nada\n").ok()
    # by ear a capital is no difference
    assert "“Eda” is not the name; it is “Ada”, as kit.yaml has it." in asked.err
    assert asked.err.index("No undo, restore or older commit brings it back.") < asked.err.index(
        "The kit's name (Ada):"
    )
    assert traces(lived, STAIR) == []


def test_what_is_out_of_reach_is_told_before(reel: Reel, lived: Path, tmp_path: Path) -> None:
    reel("backup", tmp_path / "ada.bundle").ok()
    git(lived, "remote", "add", "origin", "git@example.org:ada.git")
    told = reel("purge", "--match", STAIR, "--dry-run", "--all").ok().out
    assert f"the backup {tmp_path}/ada.bundle of 2026-03-01" in told
    assert "the remote origin (git@example.org:ada.git): before you pull" in told
    assert "git push --force --all origin" in told
    done = purge(reel, "--match", STAIR)
    assert f"rm {tmp_path}/ada.bundle" in done.err
    assert not (lived / ".reel/state/backup.json").exists()


def test_files_written_outside_the_kit_are_named_while_they_have_it(
    reel: Reel, lived: Path, tmp_path: Path
) -> None:
    page, card, bundle, gone = (tmp_path / name for name in ("a.html", "a.png", "a.md", "gone.html"))
    for command in (
        *(("view", page), ("view", gone), ("export", "card", "--out", card)),
        ("pack", "--cue", "the stair", "--out", bundle),
    ):
        reel(*command).ok()
    gone.unlink()
    bundle.write_text("written again, without it\n")
    told = reel("purge", "--match", STAIR, "--dry-run", "--json").ok()
    assert json.loads(told.out)["written"] == [str(page), str(card)]
    seen = reel("purge", "--match", STAIR, "--dry-run", "--all").ok().out
    assert f"  {page}, lines " in seen
    assert f"  {card}: not text" in seen
    done = purge(reel, "--match", STAIR)
    assert f"rm {page}\n" in done.err
    # known after the purge as well, until it is gone
    again = reel("purge", "--match", STAIR, "--dry-run")
    assert str(page) in again.err
    page.unlink()
    assert str(page) not in reel("purge", "--match", STAIR, "--dry-run").err


def test_the_parts_of_a_name_that_stand_alone_are_counted(reel: Reel, lived: Path) -> None:
    (lived / "ring2/notes.md").write_text(
        "Danika Hruby cried.\nDanika wants it by Friday; ask Danika.\nBo.\n"
    )
    told = reel("purge", "--match", "Danika Hruby", "--dry-run", "--all").ok().out
    assert "“Danika” alone stands on 1 line, and stays. To purge that too:\n" in told
    assert "reel purge --match Danika\n" in told
    assert "“Hruby”" not in told
    done = purge(reel, "--match", "Danika Hruby")
    assert "reel purge --match Danika\n" in done.err
    # the first name of a surname stays as well
    (lived / "ring2/notes.md").write_text("Dennis Farrow came.\nThen Farrow left, then Dennis.\n")
    told = reel("purge", "--match", "Farrow", "--dry-run", "--all").ok().out
    assert "“Dennis” alone stands on 2 lines, and stays. To purge that too:\n" in told
    assert "“Then”" not in told
    # whose own name it is, is on every page
    (lived / "ring2/notes.md").write_text("Ada Hruby wrote. Ada is here.\n")
    assert "alone stands" not in reel("purge", "--match", "Ada Hruby", "--dry-run", "--all").ok().out


def test_the_text_can_come_in_unseen(reel: Reel, lived: Path) -> None:
    reel("purge", "--match", "-", "--confirm", "Ada", stdin=f"{STAIR}\n").ok()
    assert traces(lived, STAIR) == []


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ((), 2, "Name what to purge"),
        ((PHONE, "--match", "x"), 2, "Name what to purge"),
        (("--match", "  "), 1, "the text is empty"),
        (("--match", "a"), 1, "too short"),
        (("--match", "Bo"), 1, "too short"),
        (("--match", PURGED), 1, "put in the place"),
        (("--match", "purged"), 1, "put in the place"),
        (("--match", "nowhere to be found"), 1, "is nowhere in this kit"),
        (("2020-01-01-1",), 1, "There is no recorded chat"),
        (("Terry Marsh",), 1, "reel purge --match 'Terry Marsh' --dry-run"),
        (("--match", "role"), 1, "Kit files are written with that text"),
        (("--match", "2026"), 1, "Kit files are written with that text"),
        (("--match", "ring4"), 1, "Kit files are written with that text"),
        (("--match", "M-001"), 1, "Kit files are written with that text"),
        (("--match", "Europe/Helsinki"), 1, "Kit files are written with that text (kit.yaml"),
    ],
)
def test_what_cannot_be_purged_is_refused_whole(
    reel: Reel, lived: Path, arguments: tuple[str, ...], code: int, words: str
) -> None:
    was, files = head(lived), words_of_files(lived)
    done = reel("purge", *arguments, "--confirm", "Ada")
    assert done.code == code
    assert words in done.err
    assert (head(lived), words_of_files(lived), git(lived, "status", "--porcelain")) == (was, files, "")
    assert not (lived / ".reel/state/purge").exists()
    assert not list((lived / ".git/objects/pack").glob("*"))


# -- where it is refused ------------------------------------------------------------------------------------


def _inside(reel: Reel, lived: Path) -> None:
    top = lived.parent / "larger"
    top.mkdir()
    git(top, "init", "-q")
    shutil.move(lived, top / "ada")
    shutil.rmtree(top / "ada/.git")
    git(top, "add", ".")
    git(top, "commit", "-q", "-m", "all")
    reel.cwd = top / "ada"


def _shallow(reel: Reel, lived: Path) -> None:
    git(lived.parent, "clone", "-q", "--depth=1", f"file://{lived}", "short")
    reel.cwd = lived.parent / "short"


def _linked(reel: Reel, lived: Path) -> None:
    git(lived, "worktree", "add", "-q", "../linked", "-b", "linked")


def _from_linked(reel: Reel, lived: Path) -> None:
    _linked(reel, lived)
    reel.cwd = lived.parent / "linked"


def _merging(reel: Reel, lived: Path) -> None:
    (lived / ".git/MERGE_HEAD").write_text(head(lived))


def _detached(reel: Reel, lived: Path) -> None:
    git(lived, "checkout", "-q", "--detach")


def _half_staged(reel: Reel, lived: Path) -> None:
    (lived / "kit.yaml").write_text((lived / "kit.yaml").read_text() + "# one\n")
    git(lived, "add", "kit.yaml")
    (lived / "kit.yaml").write_text((lived / "kit.yaml").read_text() + "# two\n")


def _borrowing(reel: Reel, lived: Path) -> None:
    git(lived.parent, "clone", "-q", "--shared", str(lived), "lean")
    reel.cwd = lived.parent / "lean"


def _replaced(reel: Reel, lived: Path) -> None:
    git(lived, "replace", "HEAD~1", "HEAD~2")


def _locked(reel: Reel, lived: Path) -> None:
    (lived / ".git/index.lock").touch()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (_inside, "is part of a larger git repository (larger)"),
        (_shallow, "lacks the older history"),
        (_linked, "Other work trees are linked"),
        (_from_linked, "is a linked work tree"),
        (_merging, "A merge is under way"),
        (_detached, "not on a branch"),
        (_half_staged, "kit.yaml is partly staged"),
        (_borrowing, "borrows its history"),
        (_replaced, "are replaced by others"),
        (_locked, "Another git is at work"),
    ],
)
def test_where_it_cannot_be_done_for_good_it_is_refused(
    reel: Reel, lived: Path, spoil: Any, words: str
) -> None:
    spoil(reel, lived)
    was, files = head(reel.cwd), words_of_files(reel.cwd)
    for more in (("--confirm", "Ada"), ("--dry-run",)):
        done = reel("purge", "--match", STAIR, *more)
        assert done.code == 3
        assert words in done.err
        assert "Hint: " in done.err
    assert (head(reel.cwd), words_of_files(reel.cwd)) == (was, files)


def test_without_git_it_is_refused(reel: Reel, lived: Path) -> None:
    shutil.rmtree(lived / ".git")
    done = reel("purge", "--match", STAIR, "--confirm", "Ada")
    assert done.code == 3
    assert "has no history (git) yet" in done.err


# -- a tombstone needs a purge ------------------------------------------------------------------------


def forge(kit: Path, session: str, text: str, purge_name: str) -> None:
    """Put a tombstone over a message by hand, with every hash as it should be."""
    from reel_cli.core.tape.erasure.target import PurgeTarget
    from reel_cli.core.tape.erasure.tombstones import CutSpan, cut_file

    path = kit / session_path(session)
    data, gone = cut_file(path.read_bytes(), session_path(session), CutSpan(purge_name, PurgeTarget((text,))))
    assert gone
    path.write_bytes(data)


def test_a_tombstone_without_a_purge_is_told_of(reel: Reel, lived: Path) -> None:
    forge(lived, LETTER, "penicillin", "2026-03-01-1")
    done = reel("tape", "verify")
    assert done.code == 3
    assert "was altered" in done.out + done.err
    shutil.rmtree(lived / ".git")
    done = reel("tape", "verify")
    assert done.code == 3
    assert "no purge on record did that" in done.out + done.err


@pytest.mark.parametrize("committed", [False, True])
def test_a_tombstone_in_the_name_of_another_purge_is_told_of(
    reel: Reel, lived: Path, *, committed: bool
) -> None:
    purge(reel, "--match", STAIR)
    forge(lived, LETTER, "penicillin", "2026-03-01-1")
    if committed:
        git(lived, "commit", "-q", "--no-verify", "-am", "sneaky")
    broken = json.loads(reel("tape", "verify", "--json").out)["broken"]
    whats = {(one["path"], one["what"]) for one in broken}
    assert (
        session_path(LETTER),
        "this says that something was purged, but no purge on record did that",
    ) in whats
    assert any("was altered" in what for _, what in whats)


def test_a_record_whose_tombstone_is_gone_is_told_of(reel: Reel, lived: Path) -> None:
    purge(reel, "--match", STAIR)
    path = lived / session_path(PHONE)
    from reel_cli.core.tape import blocks

    data = path.read_bytes()
    _, end = blocks.read_front_fields(data, "x")
    parts = [
        (b.bare.replace(b', "purged": "2026-03-01-1", "gone": 28', b""), b.content, None)
        for b in blocks.read_blocks(data, "x")
    ]
    path.write_bytes(blocks.rechain(data[:end], parts))
    shutil.rmtree(lived / ".git")
    broken = json.loads(reel("tape", "verify", "--json").out)["broken"]
    assert [one["path"] for one in broken] == [session_path(PHONE)]
    assert "a purge (2026-03-01-1) removed something" in broken[0]["what"]


def test_a_larger_index_line_and_a_stub_keep_their_form(reel: Reel, lived: Path) -> None:
    reel("forget", "M-001", "--yes").ok()
    purge(reel, "--match", STAIR)
    line = snapshot(lived).index.lines["M-001"]
    assert (line.anchor, line.pruned) == (PURGED, True)
    assert render_line(line) in put_lines((lived / INDEX).read_text(), [line])
    assert find_repository(lived) is not None


# -- what is told of it afterwards -------------------------------------------------------------


def test_what_was_made_of_a_purged_session_says_so(reel: Reel, lived: Path) -> None:
    purge(reel, PHONE)
    told = json.loads(reel("why", "M-001", "--json").ok().out)
    assert [(one["what"], one["words"]) for one in told["life"] if one["what"] in ("said", "purged")] == [
        ("said", f"said, chat {PHONE}, messages 1 to 4"),
        ("purged", "purged: all that was said there, for good"),
    ]
    session = reel("why", PHONE).ok().out
    assert session.startswith(f"{PHONE}\n")
    assert "It was purged: all that was said there is gone for good." in session
    assert "taken back" not in session
    assert PURGED not in session


def test_a_purged_text_is_told_of_by_how_many_messages_held_it(reel: Reel, lived: Path) -> None:
    purge(reel, "--match", STAIR)
    told = json.loads(reel("why", "M-001", "--json").ok().out)
    assert "purged: something out of one message of 4, for good" in [one["words"] for one in told["life"]]
    traced = reel("why", STAIR).ok()
    assert "session None" not in traced.out + traced.err


def test_the_difference_names_what_was_purged(reel: Reel, lived: Path) -> None:
    purge(reel, PHONE)
    told = reel("diff", "HEAD~1").ok().out
    assert f"  {PHONE}: words of 6 messages were purged, for good\n" in told
    assert "taken back" not in told
    found = json.loads(reel("diff", "HEAD~1", "--json").ok().out)
    assert found["purged"] == [{"session": PHONE, "messages": 6}]
    assert found["retracted"] == []


# -- what was made from it ----------------------------------------------------------------------------


def quoting(lived: Path) -> tuple[str, str]:
    """Have the page list two more phrases of its session, and quote one; committed. They are told back."""
    first, second = (" ".join(text.split()[:6]).rstrip(".,?!") for text in EVENINGS[0][1][1:3])
    page = lived / PAGE_FILE
    text = page.read_text().rstrip("\n") + f'\n- "{first}"\n- "{second}"\n'
    page.write_text(text.replace("there was nothing there.", f'there was nothing: "{first}"'))
    working = lived / "ring2/working.md"
    working.write_text(working.read_text() + f'\nShe said "{first.replace(" ", chr(10), 2)}" again.\n')
    git(lived, "commit", "-q", "-am", "more to find it by")
    return first, second


def test_what_a_memory_quotes_of_a_purged_session_goes_with_it(reel: Reel, lived: Path) -> None:
    first, second = quoting(lived)
    told = reel("purge", PHONE, "--dry-run", "--all").ok().out
    assert "M-001  The phone number test: its quotation goes, its other words stay" in told
    done = purge(reel, PHONE)
    assert "M-001  The phone number test" in done.err
    assert traces(lived, first, second, STAIR) == []
    assert (lived / PAGE_FILE).read_text().count(PURGED) == 5
    assert f'She said "{PURGED}" again.' in (lived / "ring2/working.md").read_text()
    assert verify(reel)["proven"]


WRONG = (
    "The tide table was wrong again tonight, I think.",
    "Then ask the harbour master for his own.",
    "He sells none, and he laughs at mine.",
    "Let him laugh; you were not on the rocks.",
)


def record_wrongly(reel: Reel) -> str:
    """Record half of the first evening in another chat, with words behind it that it does not have."""
    texts = [*EVENINGS[0][1][3:], *WRONG]
    body = [{"role": "assistant" if at % 2 else "user", "content": text} for at, text in enumerate(texts)]
    place = reel.cwd.parent / "wrong.json"
    place.write_text(json.dumps({"id": "w1", "created_at": "2026-03-01T09:00:00Z", "messages": body}))
    told = reel("record", place, "--json").ok().out
    session: str = json.loads(told)["recorded"][0]["session"]
    return session


def test_a_chat_recorded_by_mistake_takes_no_words_of_the_chats_that_count_along(
    reel: Reel, lived: Path
) -> None:
    """The memory of the right chat lost its quotations, and was told to be made from the wrong one."""
    wrong = record_wrongly(reel)
    assert wrong != PHONE
    reel("tape", "retract", wrong, "--yes").ok()
    told = reel("purge", wrong, "--dry-run", "--all").ok().out
    assert "Memories made from it" not in told
    assert "3 of its 7 messages were said in other chats too; there they stay." in " ".join(told.split())
    was = {path: path.read_bytes() for path in (*lived.glob("ring*/*"), *lived.glob("tape/2026/*-10-1.md"))}
    purge(reel, wrong)
    assert {path: path.read_bytes() for path in was} == was
    assert traces(lived, *WRONG) == []
    assert said(lived, wrong) == [PURGED] * 7
    # and by no fingerprint is it left out of the right chat, where that goes on
    place = lived.parent / "evening-0.json"
    value = json.loads(chat_file(0))
    value["messages"].append({"role": "user", "content": "Good night, then."})
    place.write_text(json.dumps(value))
    assert "was purged" not in reel("record", place).ok().err
    assert said(lived, PHONE) == [*EVENINGS[0][1], "Good night, then."]
    assert verify(reel)["proven"]


def test_words_of_a_chat_that_was_taken_back_do_not_stay_for_its_sake(reel: Reel, lived: Path) -> None:
    wrong = record_wrongly(reel)
    reel("tape", "retract", wrong, "--yes").ok()
    purge(reel, PHONE)
    assert (lived / PAGE_FILE).read_text().count(PURGED)
    assert said(lived, PHONE) == [PURGED] * 6


def test_what_was_let_go_before_brings_no_purged_words_back(reel: Reel, lived: Path) -> None:
    first, second = quoting(lived)
    reel("forget", "M-001", "--yes").ok()
    reel("forget", "M-001", "--yes").ok()
    purge(reel, PHONE)
    reel("restore", "M-001").ok()
    reel("restore", "M-001").ok()
    assert "He asked me for his phone number" in (lived / PAGE_FILE).read_text()
    assert traces(lived, first, second, STAIR) == []
    assert verify(reel)["proven"]


def test_a_proposed_exchange_of_a_purged_session_goes_and_its_other_proposals_stay(
    reel: Reel, lived: Path
) -> None:
    offered, other = f"review/{PHONE}.1-exemplar-1.md", f"review/{LETTER}.1-exemplar-1.md"
    (lived / "review").mkdir(exist_ok=True)
    for path, session in ((offered, PHONE), (other, LETTER)):
        (lived / path).write_text(
            f"---\nkind: exemplar\ntitle: A talk\nsession: {session}\nmade: 2026-02-10T20:00:00Z\n"
            f'role: general\nsource: "{session}#1-2"\n---\n**Bo:** Well?\n\n**Ada:** Well.\n'
        )
    git(lived, "add", ".")
    git(lived, "commit", "-q", "-m", "two proposals")
    assert f"{offered}: all of it" in reel("purge", PHONE, "--dry-run", "--all").ok().out
    purge(reel, PHONE)
    assert not (lived / offered).exists()
    assert (lived / other).exists()
    assert git(lived, "status", "--porcelain") == ""
    assert reel("review", "accept", f"{PHONE}.1-exemplar-1", "--yes").code == 1


def test_the_kit_s_name_is_told_where_it_is_asked_for(reel: Reel, lived: Path) -> None:
    assert "--confirm Ada" in reel("purge", PHONE).err
    refused = reel("purge", PHONE, "--confirm", "Eda")
    assert (refused.code, "--confirm Ada" in refused.err) == (1, True)


def test_a_number_written_otherwise_is_named_and_left(reel: Reel, lived: Path) -> None:
    note = "his number is +351 912-345 678, not +351 912 345 6789\n"
    (lived / "note.md").write_text(note)
    was = head(lived)
    missed = reel("purge", "--match", "+351912345678", "--confirm", "Ada")
    assert (missed.code, head(lived)) == (1, was)
    assert "reel purge --match '+351 912-345 678'" in " ".join(missed.err.split())
    (lived / "other.md").write_text("or +351912345678\n")
    done = purge(reel, "--match", "+351912345678")
    assert "as you wrote it, it is in none of them" in done.err
    assert "It is still there in another spelling: +351 912-345 678 (note.md)." in done.err
    assert (lived / "note.md").read_text() == note
    assert "It is still there in another spelling" not in purge(reel, "--match", "+351 912-345 678").err


def test_a_long_text_written_otherwise_is_named_with_a_whole_command(reel: Reel, lived: Path) -> None:
    said = "my sister-in-law told the whole café about the blue bicycle in the cellar of number nine"
    (lived / "note.md").write_text(f"{said}\n")
    missed = reel("purge", "--match", said.replace("café", "cafe").replace("-", " "), "--confirm", "Ada")
    shown = " ".join(missed.err.split())
    assert f"reel purge --match '{said}'" in shown
    purge(reel, "--match", said)
    assert traces(lived, said) == []


def test_a_text_with_a_soft_hyphen_in_it_is_pasted(reel: Reel, lived: Path) -> None:
    said = "the Zanzi\u00adbarian coun\u200bcil"
    (lived / "note.md").write_text(f"{said}\n")
    missed = reel("purge", "--match", "Zanzibarian council", "--confirm", "Ada")
    shown = "reel purge --match - (paste it as it stands in note.md)"
    assert shown in " ".join(missed.err.split())
    reel("purge", "--match", "-", "--confirm", "Ada", stdin=f"{said}\n").ok()
    assert traces(lived, said) == []


def test_the_doctor_holds_no_memory_against_a_chat_of_which_nothing_is_left(reel: Reel, lived: Path) -> None:
    page = lived / PAGE_FILE
    own = "Lanterns drifted over orchards while carpenters hummed ballads, mending violins, weaving baskets,"
    page.write_text(page.read_text().replace("there was nothing there.", f"{own} nothing else glittered."))
    git(lived, "commit", "-q", "-am", "in its own words")
    assert f"reel tape show {PHONE}" in reel("doctor").out
    purge(reel, PHONE)
    told = reel("doctor").out
    assert "not said" not in told
    assert f"reel tape show {PHONE}" not in told


def test_a_purge_counts_no_cache_and_names_what_stays_in_other_case(reel: Reel, lived: Path) -> None:
    pasted = "**You:** Dr. Wiemer was kind, and Wiemer's car is red.\n\n**Ada:** René Wiemer, you mean."
    reel("record", "-", stdin=pasted).ok()
    session = session_path(snapshot(lived).sessions[-1])
    # the index of a search is written in small letters
    reel("recall", "kind").ok()
    was = head(lived)
    missed = reel("purge", "--match", "wiemer", "--confirm", "Ada")
    assert (missed.code, head(lived)) == (1, was)
    assert f"in another spelling: Wiemer ({session})" in " ".join(missed.err.split())
    assert "reel purge --match wiemer --any-case" in missed.err
    (lived / "note.md").write_text("wiemer, and RENE  wiemer.\n")
    shown = " ".join(reel("purge", "--match", "wiemer", "--dry-run", "--all").ok().out.split())
    assert f"in another spelling, which stays: Wiemer ({session})" in shown
    done = " ".join(purge(reel, "--match", "wiemer").err.split())
    assert "every file of the kit was searched again: as you wrote it, it is in none of them." in done
    assert f"It is still there in another spelling: Wiemer ({session})." in done
    assert "To purge that too: reel purge --match wiemer --any-case" in done
    assert "searched again: it is in none of them." in purge(reel, "--match", "wiemer", "--any-case").err
    assert traces(lived, "Wiemer", "wiemer") == []


def test_accents_and_what_stands_between_words_make_another_spelling(reel: Reel, lived: Path) -> None:
    (lived / "note.md").write_text("RENÉ_WIEMER, and renewiemer@example.org; Rene Wiemer. In the final.\n")
    done = " ".join(purge(reel, "--match", "Rene Wiemer").err.split())
    assert "RENÉ_WIEMER (note.md), renewiemer (note.md)." in done
    assert "To purge that too: reel purge --match RENÉ_WIEMER" in done or "'RENÉ_WIEMER'" in done
    (lived / "note.md").write_text("Ina was in the final, in China.\n")
    assert "searched again: it is in none of them." in purge(reel, "--match", "Ina").err


def test_the_longer_words_that_a_purge_cuts_are_named_before(reel: Reel, lived: Path) -> None:
    """A colleague Vos was purged from a kit called Voss, whose name was “_purged_s” from then on."""
    (lived / "ring2/working.md").write_text("## State\n\nTold Adalbert, of 艾达说 too.\n")
    told = " ".join(reel("purge", "--match", "Adal", "--dry-run", "--all").ok().out.split())
    assert "It is part of longer words, and is cut out of them too: Adalbert" in told
    assert "the persona's name" not in told
    told = " ".join(reel("purge", "--match", "艾达", "--dry-run", "--all").ok().out.split())
    assert "longer words" not in told
    settings = (lived / "kit.yaml").read_text()
    (lived / "kit.yaml").write_text(settings.replace("name: Ada\n", "name: Adalind\n"))
    told = " ".join(reel("purge", "--match", "Adal", "--dry-run", "--all").ok().out.split())
    assert (
        "cut out of them too: Adalind, Adalbert" in told or "cut out of them too: Adalbert, Adalind" in told
    )
    assert "“Adalind” is the persona's name: it changes everywhere." in told


def test_the_end_of_a_purge_names_what_it_could_not_search(reel: Reel, lived: Path) -> None:
    sealed = lived / "scan.pdf"
    sealed.write_bytes(b"%PDF-1.7 then " + bytes(range(1, 256)))
    git(lived, "add", ".")
    git(lived, "commit", "-qm", "a scan")
    (lived / "note.md").write_text("hunter2tango\n")
    done = purge(reel, "--match", "hunter2tango")
    assert "Not searched, because they are not text: scan.pdf." in done.err
    sealed.unlink()
    (lived / "note.md").write_text("hunter3tango\n")
    done = purge(reel, "--match", "hunter3tango")
    assert "Not searched, because they are not text: 1 older file." in done.err


def test_a_memory_is_answered_with_the_chat_that_it_was_made_of(reel: Reel, lived: Path) -> None:
    before = head(lived)
    session = snapshot(lived).memories["M-001"].sessions[0]
    refused = reel("purge", "M-001", "--confirm", "Ada")
    assert refused.code == 1
    told = " ".join(refused.err.split())
    # a memory's own words outlive the chat
    assert "what M-001 quotes of that goes for good; its other words stay" in told
    assert f"reel purge {session} --dry-run" in refused.err
    assert "There is no memory M-999." in reel("purge", "M-999", "--dry-run").err
    assert head(lived) == before


def test_notes_and_facts_that_only_point_at_what_is_gone_are_offered(reel: Reel, lived: Path) -> None:
    reel("fact", "add", "people", "agent", "Petra Holm").ok()
    working = lived / "ring2/working.md"
    working.write_text("## Active threads\n- Petra Holm, the agent, has no first draft\n- the ferry\n")
    told = " ".join(purge(reel, "--match", "Petra Holm").err.split())
    assert f"Still points at what is gone: the note “{PURGED}, the agent, has no first draft”" in told
    assert "To take the note out: reel edit now" in told
    assert "The fact “agent” (relationships) lost its value, so no bundle has it." in told
    assert "To let it go: reel fact drop relationships/agent" in told
    working.write_text("## Active threads\n- Jan Mohr, the agent, has no first draft\n- the ferry\n")
    done = reel("purge", "--match", "Jan Mohr", tty=True, stdin="Ada\ny\n").ok()
    assert "Let go. To bring it back:  reel undo" in done.err
    assert PURGED not in working.read_text()
    assert "the ferry" in working.read_text()
    assert PURGED not in reel("pack").ok().out


def test_a_fact_that_lost_its_name_is_in_no_bundle_and_may_have_another(reel: Reel, lived: Path) -> None:
    reel("fact", "add", "people", "Petra", "my sister, a swimmer").ok()
    told = " ".join(purge(reel, "--match", "Petra").err.split())
    assert "The fact “my sister, a swimmer” (relationships) lost its name, so no bundle has it." in told
    assert "swimmer" not in reel("pack").ok().out
    command = told.partition("To keep it by another name: reel ")[2].partition(" To let it go:")[0]
    reel(*shlex.split(command.replace("NAME", "sister"))).ok()
    drop = told.partition("To let it go: reel ")[2].split()
    reel(*drop[:3], "--yes").ok()
    packed = reel("pack").ok().out
    assert "swimmer" in packed
    assert PURGED not in packed.partition("by heart")[2]


def test_a_bundle_says_what_the_mark_of_a_purge_is_where_one_stands(reel: Reel, lived: Path) -> None:
    says = "Where “_purged_” stands, something was taken out for good"
    working = lived / "ring2/working.md"
    working.write_text(f"## Active threads\n- Whether {STAIR} is in the book\n")
    assert says not in reel("pack").ok().out + reel("export", "letter").ok().out
    purge(reel, "--match", STAIR)
    for words in (["pack"], ["pack", "--window", "4k"], ["pack", "--format", "text"], ["export", "letter"]):
        packed = reel(*words).ok().out
        assert PURGED in packed.replace(says, "")
        assert packed.count(says) == 1


def test_a_question_with_a_purged_name_leaves_no_trace_of_it(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "Kaveh does the sound of the quay."), ("assistant", "Good.")])
    reel("recall", "Kaveh").ok()
    reel("purge", "--match", "Kaveh", "--confirm", "Ada").ok()
    assert "Nothing was found" in (asked := reel("recall", "Kaveh")).out + asked.err
    assert "quay" in reel("recall", "Kaveh sound of the quay").out
    say(reel, kit, [("user", "Home again."), ("assistant", "Good.")], 20)
    held = [one for one in kit.rglob("*") if one.is_file() and b"kaveh" in one.read_bytes().lower()]
    assert held == []
    assert git(kit, "log", "-i", "-p", "--all", "-S", "kaveh", "--pickaxe-regex") == ""
    reel("recall", "sound of the quay").ok()
    assert '"query": "sound of the quay"' in (kit / ".reel/state/touches.jsonl").read_text()

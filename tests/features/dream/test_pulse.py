"""`reel status --pulse`, and a dream that is due: whole commands."""

import json
import os
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.change.transaction import apply_change
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.repository import find_repository
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import Change
from tests.features.status.test_status import digest
from tests.support.cli import CHECKOUT, Reel, git
from tests.support.dreaming_persona import have_evenings, have_talk, key_of, reply_to
from tests.support.kit_under_git import IDENTITY
from tests.support.pages import chat, page
from tests.support.shelf import copy_kit

DREAMT = "2026-03-01T20:00:00+00:00"
WEEK = {"REEL_NOW": "2026-03-08T20:00:00+00:00"}
MISSED = "- 2026-01-02 · Ada · the bowl for Marta\n- 2026-01-03 · Ada · which glaze it was"
DUE = "dream: the last dream was 7 days ago; 1 chat since:  reel dream start"


@pytest.fixture(scope="module")
def dreams(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the kit lies that dreamt once; made by the first test that wants it."""
    return tmp_path_factory.mktemp("dreamt")


@pytest.fixture
def dreamt(reel: Reel, kit: Path, dreams: Path) -> Path:
    """Three evenings, and a dream of them."""
    if not (dreams / "ada").exists():
        have_evenings(reel, kit, [1, 2, 3])
        reel("dream", "start", "--yes").ok()
        prompt = reel("dream", "next", "--prompt").ok().out
        answer = reply_to(prompt, "The kiln\n\nI swept with him, in my way.", missed=MISSED)
        reel("dream", "next", "--reply", "-", "--yes", stdin=answer).ok()
        shutil.copytree(kit, dreams / "ada", symlinks=True)
    shutil.rmtree(kit)
    copy_kit(dreams / "ada", kit)
    return kit


def pulse(reel: Reel, *more: str, now: str = DREAMT) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        reel("status", "--pulse", "--json", *more, env={"REEL_NOW": now}).ok().out
    )
    return found


def due(reel: Reel, now: str = WEEK["REEL_NOW"]) -> list[str]:
    """Return what is due of dreams."""
    told = reel("status", "--due", env={"REEL_NOW": now}).out.splitlines()
    return [line for line in told if "dream" in line or "cursor" in line]


def hold(reel: Reel, now: str) -> None:
    """Hold the chapter that is asked for against the tape, and find nothing to amend."""
    prompt = reel("dream", "reground", "--prompt", env={"REEL_NOW": now}).ok().out
    answer = f"## Which chapter\n{key_of(prompt)}\n\n## What does not fit\nnothing\n\nAda\n"
    reel("dream", "reground", "--reply", "-", "--yes", stdin=answer, env={"REEL_NOW": now}).ok()


def commit(kit: Path, op: str, when: datetime) -> None:
    """A commit of an operation, as far as history shows it."""
    repo = find_repository(kit)
    assert repo is not None
    snapshot = Snapshot(WorkTree(kit), "ada")
    snapshot.read("notes.md")
    change = Change(op, "a step", {"notes.md": f"{op} {when}\n".encode()})
    apply_change(repo, kit, change, snapshot.seen(), when=when, identity=IDENTITY)


# -- where there is little to tell ----------------------------------------------------------------


def test_of_a_fresh_kit_there_is_nothing_to_tell(reel: Reel, kit: Path) -> None:
    assert kit.is_dir()
    assert reel("status", "--pulse").ok().out == "Ada. Nothing is recorded yet.\n"
    found = pulse(reel)
    assert found["recall"]["now"] is None
    assert found["dream"] == {
        "state": "none", "last": None, "days": None, "sessions_since": 0,
        "every_days": 7, "every_sessions": None,
    }  # fmt: skip
    assert (found["due"], found["reasons"], found["weeks"], found["verified"]) == (False, [], [], None)
    empty = dict.fromkeys(("searched", "tools", "dropped", "closed"))
    assert found["whole"] == {"sessions": 0, **empty}


def test_a_young_kit_that_never_dreamt_is_let_be(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [1, 2])
    before = digest(kit)
    assert reel("status", "--pulse", env={"REEL_NOW": "2026-09-01T20:00:00+00:00"}).ok().out == (
        "Recall was never used here.\n"
        "There is no story yet.\n"
        "\n"
        "No dream is due.\n"
        "\n"
        "Week by week\n"
        "  recalls: none yet, so nothing is known\n"
        "  tools: none are on the tape that were used twice, so nothing is known\n"
        "  dropped threads: a dream would name them; none are known\n"
        "  open loops: no page of these chats left any\n"
    )
    assert due(reel, "2026-09-01T20:00:00+00:00") == []
    assert digest(kit) == before


def test_one_that_has_a_past_is_asked_once_and_may_say_never(reel: Reel) -> None:
    reel("init", "ada", "--template", CHECKOUT / "kits/ada").ok()
    reel.cwd = kit = reel.cwd / "ada"
    asked = ["dream: 11 chats and no story yet:  reel dream start"]
    assert due(reel, "2026-03-01T20:00:00+00:00") == asked
    assert due(reel, "2025-06-09T23:00:00+00:00") == []
    settings = (kit / "kit.yaml").read_text()
    (kit / "kit.yaml").write_text(settings + "dream: {every: never}\n")
    assert due(reel) == []
    told = reel("status", "--pulse").ok().out
    assert "\nNo dream is ever due, because kit.yaml says  dream: {every: never} .\n" in told
    (kit / "kit.yaml").write_text(settings + "dream:\n  every: 12 sessions\n")
    assert due(reel) == []
    (kit / "kit.yaml").write_text(settings + "dream:\n  every: soon\n")
    run = reel("status", "--pulse")
    assert (run.code, run.out) == (1, "")
    assert "dream.every is 'soon'" in run.err


# -- when one is due ------------------------------------------------------------------------------


def test_a_week_after_the_last_dream_the_next_is_due(reel: Reel, dreamt: Path) -> None:
    assert due(reel) == []
    have_evenings(reel, dreamt, [20])
    assert due(reel, "2026-03-08T19:59:59+00:00") == []
    # the second time it is known from the first
    assert due(reel) == due(reel) == [DUE]
    shown = [
        line.split("  ") for line in reel("status", env=WEEK).ok().out.splitlines() if "last dream" in line
    ]
    assert [[part.strip() for part in line if part] for line in shown] == [
        ["dream", "the last dream was 7 days ago; 1 chat since", "reel dream start"]
    ]
    found = json.loads(reel("status", "--json", env=WEEK).ok().out)["due"]
    assert {"what": "dream", "why": "the last dream was 7 days ago; 1 chat since"} in found
    assert reel("status", "--pulse", env=WEEK).ok().out == (
        "Recall was never used here.\n"
        "The last dream was 7 days ago; 1 chat since.\n"
        "\n"
        "A dream is due: the last dream was 7 days ago; 1 chat since:  reel dream start\n"
        "\n"
        "Week by week\n"
        "  dropped threads that are still open: 2 of 2\n"
        "  █·\n"
        "  recalls: none yet, so nothing is known\n"
        "  tools: none are on the tape that were used twice, so nothing is known\n"
        "  open loops: no page of these chats left any\n"
        "\n"
        "week of     sessions  still open\n"
        "2025-12-29         3      2 of 2\n"
        "2026-01-19         1\n"
    )
    reel("dream", "start", "--yes", env=WEEK).ok()
    assert due(reel, "2026-03-09T19:00:00+00:00") == []
    under_way = "dream: under way, the last step yesterday, 1 chat left:  reel dream next"
    assert due(reel, "2026-03-10T19:00:00+00:00") == [under_way]
    assert "A dream is under way, 1 chat left:  reel dream next\n" in reel("status", "--pulse").ok().out
    prompt = reel("dream", "next", "--prompt", env=WEEK).ok().out
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, "On\n\nIt went on."), env=WEEK).ok()
    assert due(reel, "2026-09-01T20:00:00+00:00") == []
    assert pulse(reel, now="2026-03-09T20:00:00+00:00")["dream"]["days"] == 1


def test_a_dream_that_was_only_begun_is_told_a_day_later(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [1])
    reel("dream", "start", "--yes").ok()
    assert due(reel, "2026-03-02T19:00:00+00:00") == []
    told = ["dream: under way, the last step yesterday, 1 chat left:  reel dream next"]
    assert due(reel, "2026-03-02T21:00:00+00:00") == told
    reel("dream", "stop").ok()
    # and one that was left before anything was read leaves the kit as young as it was
    assert due(reel) == []


def test_what_breaks_the_thread_makes_one_due_before_its_time(reel: Reel, dreamt: Path) -> None:
    have_evenings(reel, dreamt, [9])
    commit(dreamt, "purge", datetime(2026, 2, 28, 20, tzinfo=UTC))
    now = "2026-03-03T20:00:00+00:00"
    assert due(reel, now) == []
    commit(dreamt, "purge", datetime(2026, 3, 2, 20, tzinfo=UTC))
    assert due(reel, now) == ["dream: something was purged:  reel dream start"]
    assert pulse(reel, now=now)["disruptions"] == [
        {
            "kind": "purge",
            "at": "2026-02-28T20:00:00+00:00",
            "what": "something was purged",
            "since_dream": False,
        },
        {
            "kind": "purge",
            "at": "2026-03-02T20:00:00+00:00",
            "what": "something was purged",
            "since_dream": True,
        },
    ]
    shown = reel("status", "--pulse", env={"REEL_NOW": now}).ok().out
    assert "\nWhat broke the thread\n  28 February 2026: something was purged\n" in shown
    assert "  2 March 2026: something was purged; not dreamt of yet\n" in shown


def test_a_new_model_and_a_long_silence(reel: Reel, dreamt: Path) -> None:
    def say(day: str, model: str, turns: int = 1) -> None:
        said = turns * [
            {"role": "user", "content": "Go on.", "created_at": f"{day}T19:00:00+00:00"},
            {"role": "assistant", "content": f"It is {day}.", "model": model},
        ]
        chat = json.dumps({"created_at": f"{day}T19:00:00+00:00", "messages": said})
        reel("record", "-", stdin=chat).ok()

    say("2026-02-20", "harbour-24b")
    say("2026-02-21", "harbour-70b")
    found = pulse(reel)
    assert [one["what"] for one in found["disruptions"]] == [
        "48 days without a word",
        "a new model speaks: harbour-70b",
    ]
    assert [(one["model"], one["sessions"]) for one in found["models"]] == [
        ("harbour-24b", 1),
        ("harbour-70b", 1),
    ]
    why = "48 days without a word; a new model speaks: harbour-70b"
    assert due(reel, DREAMT) == [f"dream: {why}:  reel dream start"]
    reel("dream", "start", "--yes").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, "On\n\nIt went on.")).ok()
    assert not any(one["since_dream"] for one in pulse(reel)["disruptions"])
    # nor is any of it new because that talk went on
    say("2026-02-21", "harbour-70b", turns=2)
    assert pulse(reel)["dream"]["sessions_since"] == 1
    assert due(reel, DREAMT) == []


def test_the_heartbeat_counts_what_the_ledger_and_this_machine_noted(reel: Reel, dreamt: Path) -> None:
    (dreamt / "kit.yaml").write_text((dreamt / "kit.yaml").read_text() + "dream: {over: 3, threshold: 50%}\n")
    reel("recall", "the kiln", env={"REEL_NOW": DREAMT}).ok()
    assert pulse(reel)["recall"]["since"] == "2026-01-03-1"
    assert pulse(reel)["recall"]["now"] is None
    assert (
        "first used in 2026-01-03-1; 1 chat since then; it is too early" in reel("status", "--pulse").ok().out
    )
    have_evenings(reel, dreamt, [20, 21, 22])
    # by now the journal holds it
    assert not (dreamt / ".reel/state/touches.jsonl").exists()
    found = pulse(reel)
    assert found["recall"] == {
        "since": "2026-01-03-1",
        "over": 3,
        "threshold": 0.5,
        "now": {"part": 0, "of": 3, "share": 0.0},
        "before": None,
        "trend": None,
        "below": True,
    }
    assert found["reasons"] == [{"kind": "recall", "why": "recalled in 0 of the last 3 chats"}]
    assert due(reel, DREAMT) == ["dream: recalled in 0 of the last 3 chats:  reel dream start"]
    told = "Something was recalled in 0 of the last 3 chats (0 %), below 50 %.\n"
    assert reel("status", "--pulse").ok().out.startswith(told)
    reel("recall", "a walrus nobody spoke of").ok()
    reel("recall", "the kiln").ok()
    assert pulse(reel)["recall"]["now"] == {"part": 1, "of": 3, "share": 0.3333}
    assert found["weeks"][-1]["searched"] == {"part": 0, "of": 3, "share": 0.0}


def test_a_tape_that_was_not_as_recorded(reel: Reel, dreamt: Path) -> None:
    session = dreamt / "tape/2026/2026-01-02-1.md"
    whole = session.read_bytes()
    have_evenings(reel, dreamt, [9])
    session.write_bytes(whole.replace(b"Celadon", b"Caledon"))
    now = {"REEL_NOW": "2026-03-02T20:00:00+00:00"}
    assert reel("tape", "verify", env=now).code == 3
    session.write_bytes(whole)
    # the file is whole again, which any command sees
    found = pulse(reel, now=now["REEL_NOW"])
    assert found["verified"] == {
        "at": "2026-03-02T20:00:00Z",
        "well": True,
        "failed": "2026-03-02T20:00:00Z",
    }
    assert found["reasons"] == [{"kind": "verify", "why": "the tape was not as recorded"}]
    # Dream Weaver §6.4: the story is held against the tape again, not only added to
    why = "the tape was not as recorded; compare a chapter with what was said"
    chapter = f"story: {why}:  reel dream reground"
    assert due(reel, now["REEL_NOW"]) == [
        "dream: the tape was not as recorded:  reel dream start",
        chapter,
    ]
    later = {"REEL_NOW": "2026-03-03T20:00:00+00:00"}
    hold(reel, later["REEL_NOW"])
    assert chapter not in due(reel, later["REEL_NOW"])


@pytest.mark.parametrize("way", ["restore", "review", "committed"])
def test_a_tape_that_was_altered_and_put_back_asks_for_a_chapter(reel: Reel, dreamt: Path, way: str) -> None:
    path = "tape/2026/2026-01-02-1.md"
    have_evenings(reel, dreamt, [9])
    whole = (dreamt / path).read_bytes()
    (dreamt / path).write_bytes(whole.replace(b"Celadon", b"Caledon"))
    now = {"REEL_NOW": "2026-03-02T20:00:00+00:00"}
    if way == "committed":
        git(dreamt, "commit", "-qam", "tidy up", "--no-verify")
    assert path in reel("status", env=now).ok().out
    if way == "restore":
        assert f"reel restore {path}" in reel("status", env=now).ok().out
        reel("restore", path, env=now).ok()
    else:
        reel("review", "reject", path, env=now).ok()
    assert (dreamt / path).read_bytes() == whole
    # nobody had to ask for a proof
    assert due(reel, now["REEL_NOW"]) == [
        "dream: the tape was not as recorded:  reel dream start",
        "story: the tape was not as recorded; compare a chapter with what was said:  reel dream reground",
    ]
    # what is put back is no proof of the other files, which nobody asked for
    assert json.loads((dreamt / ".reel/state/verify.json").read_text()) == {"failed": "2026-03-02T20:00:00Z"}
    assert json.loads(reel("status", "--pulse", "--json", env=now).ok().out)["verified"] is None
    # what is put back is whole, for all that look
    assert reel("tape", "verify", env=now).code == 0
    assert reel("doctor", "--deep", env=now).ok()
    assert path not in reel("status", env=now).ok().out
    assert due(reel, now["REEL_NOW"])


@pytest.mark.parametrize(
    "command",
    [
        ("tape", "verify"),
        ("doctor",),
        ("dream", "reground", "--list"),
        ("recall", "which", "glaze", "evening", "2"),
    ],
)
def test_any_command_that_meets_an_altered_tape_asks_for_a_chapter(
    reel: Reel, dreamt: Path, command: tuple[str, ...]
) -> None:
    """Dream Weaver §6.4: whichever command of reel saw it, a story is compared with what was said."""
    path = dreamt / "tape/2026/2026-01-02-1.md"
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"Celadon", b"Caledon"))
    now = {"REEL_NOW": "2026-03-02T20:00:00+00:00"}
    met = reel(*command, env=now)
    assert met.code or path.name in met.out + met.err
    path.write_bytes(whole)
    assert any(one.startswith("story: ") for one in due(reel, now["REEL_NOW"]))


@pytest.mark.parametrize("committed", [False, True])
@pytest.mark.parametrize("deleted", [False, True])
@pytest.mark.parametrize("way", ["git", "reel"])
def test_a_chat_that_was_gone_or_altered_and_is_back_asks_for_a_chapter(
    reel: Reel,
    dreamt: Path,
    monkeypatch: pytest.MonkeyPatch,
    way: str,
    deleted: bool,  # noqa: FBT001
    committed: bool,  # noqa: FBT001
) -> None:
    """Dream Weaver §6.4, §10.1: also where git, or a commit of reel's, put it back."""
    path = "tape/2026/2026-01-02-1.md"
    whole = (dreamt / path).read_bytes()
    if deleted:
        (dreamt / path).unlink()
    else:
        (dreamt / path).write_bytes(whole.replace(b"Celadon", b"Caledon"))
    at = {"REEL_NOW": "2026-03-02T20:00:00+00:00"}
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_DATE", at["REEL_NOW"])
    if committed:
        git(dreamt, "commit", "-qam", "tidy up", "--no-verify")
    assert path in reel("status", env=at).ok().out
    assert due(reel, at["REEL_NOW"]) == []
    if way == "reel":
        reel("restore", path, env=at).ok()
    elif committed:
        git(dreamt, "revert", "--no-edit", "HEAD")
    else:
        git(dreamt, "checkout", "-q", "--", path)
    assert (dreamt / path).read_bytes() == whole
    why = "the tape was not as recorded; compare a chapter with what was said"
    for _ in range(2):
        assert due(reel, at["REEL_NOW"]) == [f"story: {why}:  reel dream reground"]
    monkeypatch.delenv("GIT_AUTHOR_DATE")
    monkeypatch.delenv("GIT_COMMITTER_DATE")
    later = "2026-03-03T20:00:00+00:00"
    hold(reel, later)
    assert due(reel, later) == []


def test_what_only_the_list_of_due_things_saw_is_remembered_as_well(reel: Reel, dreamt: Path) -> None:
    """Dream Weaver §6.4: whichever command of reel saw that the tape was altered."""
    path, at = dreamt / "tape/2026/2026-01-02-1.md", "2026-03-02T20:00:00+00:00"
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"Celadon", b"Caledon"))
    due(reel, at)
    path.write_bytes(whole)
    why = "the tape was not as recorded; compare a chapter with what was said"
    assert due(reel, at) == [f"story: {why}:  reel dream reground"]


def test_after_half_a_year_of_chats_a_chapter_is_compared(reel: Reel, dreamt: Path) -> None:
    """Dream Weaver §6.4: errors of a story compound, also where nothing was altered."""
    story = "story: no chapter was compared with what was said "

    def told(now: str) -> list[str]:
        return [line for line in due(reel, now) if line.startswith("story")]

    have_talk(reel, dreamt, "2026-08-20", "Good evening.", "Good evening, Bo.")
    # the clock alone asks for nothing
    assert told("2027-08-20T20:00:00+00:00") == []
    have_talk(reel, dreamt, "2026-08-31", "The kiln is warm.", "Then sit by it, Bo.")
    assert told("2026-09-01T20:00:00+00:00") == [f"{story}yet:  reel dream reground"]
    hold(reel, "2026-09-01T20:00:00+00:00")
    assert told("2026-09-01T20:00:00+00:00") == []
    have_talk(reel, dreamt, "2027-03-20", "Marta has her bowl.", "At last, Bo.")
    assert told("2027-03-21T20:00:00+00:00") == [f"{story}for 200 days of chats:  reel dream reground"]


def test_a_purge_asks_for_the_chapter_that_tells_of_it(reel: Reel, dreamt: Path) -> None:
    before, after = "2026-03-02T20:00:00+00:00", "2026-03-03T20:00:00+00:00"
    reel("purge", "--match", "Celadon, the thin one", "--confirm", "Ada", env={"REEL_NOW": before}).ok()
    told = "chapter 1 tells of a chat that something was purged from"
    # Dream Weaver §6.4: a purge calls for the chapter, also where nothing was said since
    assert due(reel, before) == [f"story: {told}:  reel dream reground 1"]
    shown = reel("status", "--pulse", env={"REEL_NOW": before}).ok().out
    assert f"\n{told.replace('chapter', 'Chapter')}:  reel dream reground 1\n" in shown
    assert pulse(reel, now=before)["reground"] == {"why": told, "command": "reel dream reground 1"}
    hold(reel, before)
    assert due(reel, before) == []
    hold(reel, after)
    assert (due(reel, after), pulse(reel, now=after)["reground"]) == ([], None)
    # and a later one calls for it again, also on the day on which it was held
    have_evenings(reel, dreamt, [9])
    purged = "2026-03-03T21:00:00+00:00"
    reel("purge", "--match", "swept the shards", "--confirm", "Ada", env={"REEL_NOW": purged}).ok()
    assert due(reel, purged)[-1:] == [f"story: {told}:  reel dream reground 1"]


# -- where something is wrong, or another time ------------------------------------------------------


def test_a_kit_that_is_not_under_git(reel: Reel, dreamt: Path) -> None:
    have_evenings(reel, dreamt, [20])
    shutil.rmtree(dreamt / ".git")
    # when the last dream ended is not known then, and when it began is
    assert due(reel) == [DUE]
    assert pulse(reel, now=WEEK["REEL_NOW"])["dream"]["days"] == 7


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_kit_in_a_read_only_folder(reel: Reel, dreamt: Path) -> None:
    have_evenings(reel, dreamt, [20])
    folders = [dreamt, *(path for path in dreamt.rglob("*") if path.is_dir() and ".git" not in path.parts)]
    try:
        for folder in folders:
            folder.chmod(0o500)
        assert due(reel) == [DUE]
        reel("tape", "verify").ok()
    finally:
        for folder in folders:
            folder.chmod(0o700)


def test_a_cursor_that_cannot_be_read_is_to_be_mended(reel: Reel, dreamt: Path) -> None:
    have_evenings(reel, dreamt, [20])
    (dreamt / "story/cursor.yaml").write_text("state: dozing\n")
    why = "story/cursor.yaml cannot be read: it does not say how the dream stands"
    assert due(reel) == [f"fix: {why}:  reel restore story/cursor.yaml"]
    run = reel("status", "--pulse")
    assert (run.code, run.out) == (1, "")
    assert run.err.startswith(f"Error: {why}.\n")


def test_a_session_that_cannot_be_read_is_told_of_and_the_rest_all_the_same(reel: Reel, dreamt: Path) -> None:
    have_evenings(reel, dreamt, [20])
    (dreamt / "tape/2026/2026-01-02-1.md").write_bytes(b"nothing of a session\n")
    told = reel("status", "--due", env=WEEK).out.splitlines()
    assert told[0].startswith("fix: tape/2026/2026-01-02-1.md")
    assert DUE in told


def test_what_is_noted_here_may_be_damaged(reel: Reel, dreamt: Path) -> None:
    state = dreamt / ".reel/state"
    for text in ("", "[]", '{"at": 3}', '{"at": "x", "broken": true, "failed": ""}', "[" * 9_999):
        (state / "verify.json").write_text(text)
        assert pulse(reel)["verified"] is None
    (state / "touches.jsonl").write_text('{"recall"\n\x00\n')
    assert pulse(reel)["recall"]["since"] is None


def test_the_pulse_as_it_was(reel: Reel, dreamt: Path) -> None:
    have_evenings(reel, dreamt, [20])
    found = pulse(reel, "--at", "HEAD~1", now="2027-01-01T20:00:00+00:00")
    assert (found["dream"]["sessions_since"], found["dream"]["days"], found["due"]) == (0, 0, False)
    assert found["at"]["time"].startswith("2026-03-01T20:00:00")
    run = reel("status", "--pulse", "--at", "HEAD~1", env=WEEK).ok()
    assert "The last dream was today; no chat since.\n" in run.out
    assert "No dream is due.\n" in run.out


def test_a_narrow_terminal_gets_sentences(reel: Reel, dreamt: Path) -> None:
    assert dreamt.is_dir()
    shown = reel("status", "--pulse", tty=True, env={"COLUMNS": "30"}).ok().out
    assert all(len(line.rstrip("\r")) <= 30 for line in shown.splitlines())
    assert "\nweek of 29 December 2025: 3\n  chats, still open 2 of 2\n" in shown


def test_the_weeks_tell_of_tools_and_of_what_was_left_open(reel: Reel, kit: Path) -> None:
    """Dream Weaver §11.1: measure recalls, reuse of tools, dropped tasks, and two ratings by people."""

    def with_tools(day: str, *tools: str) -> str:
        calls = [{"type": "function", "function": {"name": tool, "arguments": "{}"}} for tool in tools]
        said = [
            {
                "role": "user",
                "content": f"What about the kiln on {day}?",
                "created_at": f"{day}T19:00:00+00:00",
            },
            {"role": "assistant", "content": "It cooled.", "tool_calls": calls},
        ]
        return json.dumps({"created_at": f"{day}T19:00:00+00:00", "messages": said})

    reel("record", "-", stdin=with_tools("2026-02-10", "web_search")).ok()
    reel("record", "-", stdin=with_tools("2026-02-17", "web_search", "python")).ok()
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    week = pulse(reel)["weeks"]
    assert [(one["week"], one["tools"]) for one in week] == [
        ("2026-02-09", None),
        ("2026-02-16", {"part": 1, "of": 2, "share": 0.5}),
        ("2026-02-23", None),
    ]
    assert week[-1]["closed"] == {"part": 0, "of": 1, "share": 0.0}
    told = (kit / "ring2/working.md").read_text()
    (kit / "ring2/working.md").write_text(told.replace("- whether he buys the ticket\n", ""))
    # the newest page is where a loop may still stand; a later one without it closes it
    reel("record", "-", stdin=with_tools("2026-02-26")).ok()
    later = page({"What's unresolved": "nothing", "Lines to find it by": '"It cooled."'})
    reel("checkpoint", "--reply", "-", "--yes", stdin=later).ok()
    assert pulse(reel)["weeks"][-1]["closed"] == {"part": 1, "of": 1, "share": 1.0}
    shown = reel("status", "--pulse").ok().out
    assert "  tools used that were used before: 1 of 2\n  ·▅·\n" in shown
    assert "  open loops that were closed: 1 of 1\n  ··█\n" in shown
    (checkpoint,) = (kit / "checkpoints").glob("2026-02-25-1.*")
    checkpoint.write_text("- not: [a page\n")
    run = reel("status", "--pulse")
    assert (run.code, run.out) == (1, "")
    assert run.err.startswith("Error: checkpoints/2026-02-25-1.1.yaml, line 2: ")

"""Maintenance that a kit wants done by itself: a little at a time, at the beginning and end of a session."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.files.state import State
from reel_cli.features.fading import auto_maintenance
from reel_cli.features.fading.fading import BundleForms
from reel_cli.features.fading.maintenance_pass import Pass
from tests.support.chat_server import ChatServer, refuse, serve_unwatched
from tests.support.cli import Reel, git
from tests.support.faded_kit import Year, memory, of_every_age
from tests.support.kit_under_git import KitUnderGit
from tests.support.rewrite_replies import breath, whole

pytestmark = pytest.mark.usefixtures("no_room")

BOTH = breath(1, 7) + whole(2, 8)
"""Reply to the prompt of `of_every_age`: M-007 as a marker, M-008 as a digest."""
STAYS = "## What must stay\n1. same\n2. same\n"
"""Reply to the question of a season, which memories must stay."""
AUTO = "maintain: {auto: yes}\n"


@pytest.fixture
def no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have bundles show no memory: then none of these stays for being shown."""
    monkeypatch.setattr(Pass, "_bundled", lambda _: BundleForms({}))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    def say(body: dict[str, Any]) -> str:
        text = str(body["messages"][-1]["content"])
        return STAYS if "must stay" in text else BOTH

    with serve_unwatched(monkeypatch) as running:
        running.say = say
        yield running


@pytest.fixture
def year(reel: Reel, tmp_path: Path) -> KitUnderGit:
    """A grown-up kit that wants it; M-001 leaves only its line, M-004 to M-006 recede without a model."""
    return make(reel, tmp_path, AUTO)


def make(reel: Reel, tmp_path: Path, settings: str, life: Year | None = None) -> KitUnderGit:
    lived = life or of_every_age()
    lived.settings += f"author: Bo <bo@example.org>\n{settings}"
    kit = lived.make(tmp_path / "ada")
    reel.cwd = kit.root
    return kit


def done(kit: KitUnderGit) -> list[str]:
    """Subjects of the commits of maintenance, oldest first."""
    log = git(kit.root, "log", "--reverse", "--format=%s")
    return [line for line in log.splitlines() if line.startswith("maintain")]


def waiting(kit: KitUnderGit) -> list[str]:
    return list(State(kit.root).exchanges())


def test_it_is_off_unless_the_kit_says_so(reel: Reel, tmp_path: Path, server: ChatServer) -> None:
    kit = make(reel, tmp_path, f"via: {server.address}\n")
    reel("start").ok()
    assert (done(kit), server.chats) == ([], [])


def test_what_needs_no_model_is_done_each_step_its_commit(reel: Reel, year: KitUnderGit) -> None:
    started = reel("start").ok()
    assert "Maintenance, as kit.yaml says:" in started.err
    assert len(done(year)) == 2
    assert git(year.root, "log", "-1", "--format=%(trailers:key=Reel-Ring0,valueonly)").strip()
    # the bundle came first
    assert started.err.index("Then:  reel end") < started.err.index("Maintenance, as")
    before = done(year)
    assert "Maintenance" not in reel("start").ok().err
    assert done(year) == before
    assert year.status() == []


def test_no_more_than_a_few_steps_at_a_time(
    reel: Reel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auto_maintenance, "STEPS", 2)
    old = [memory(n, "L2", evening=n) for n in range(1, 6)]
    settings = "maintain: {auto: yes, loss_limit: 100%}\n"
    kit = make(reel, tmp_path, settings, Year([*old, *(memory(n, "L1", evening=23) for n in range(22, 26))]))
    reel("start").ok()
    assert len(done(kit)) == 2
    reel("start").ok()
    assert len(done(kit)) == 4


def test_the_kits_own_server_is_asked_once_at_a_time(reel: Reel, tmp_path: Path, server: ChatServer) -> None:
    kit = make(reel, tmp_path, f"{AUTO}via: {server.address}\n")
    told = reel("start").ok()
    assert len(server.chats) == 1
    assert "pages of your journal are to be written again" in server.sent()[0][1]
    assert any("M-007" in line for line in done(kit))
    assert any("M-008" in line for line in done(kit))
    assert waiting(kit) == []
    # what the model wrote is for the log, and not for the screen of a start
    assert "Maintenance, as kit.yaml says: 2 changes in the model's words." in told.err
    assert "## What happened" not in told.out.partition("That is all you carry")[2]
    assert "To qwen" not in told.err
    assert kit.status() == []


def test_nothing_is_asked_of_a_person_at_a_terminal(reel: Reel, tmp_path: Path, server: ChatServer) -> None:
    kit = make(reel, tmp_path, f"{AUTO}via: {server.address}\n")
    told = reel("start", stdin="", tty=True).ok()
    assert "?" not in told.err.partition("Then:  reel end")[2]
    assert any("M-008" in line for line in done(kit))


def test_a_server_that_fails_leaves_all_due_and_is_said_once(
    reel: Reel, tmp_path: Path, server: ChatServer
) -> None:
    kit = make(reel, tmp_path, f"{AUTO}via: {server.address}\n")
    server.script += [refuse(500)] * 9
    told = reel("start").ok()
    assert told.err.count("Maintenance could not go on by itself, and stays due:") == 1
    assert waiting(kit) == []
    asked = len(server.chats)
    again = reel("start").ok()
    assert "could not go on" not in again.err
    assert len(server.chats) == asked
    server.script.clear()
    tomorrow = {"REEL_NOW": "2026-03-02T20:00:00+00:00"}
    reel("start", env=tomorrow).ok()
    assert any("M-008" in line for line in done(kit))


def test_ctrl_c_leaves_what_is_done_and_the_rest_due(
    reel: Reel, tmp_path: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit = make(reel, tmp_path, f"{AUTO}via: {server.address}\n")

    def stop(*_: Any) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(auto_maintenance, "ask_model", stop)
    told = reel("start").ok()
    assert "Maintenance was stopped; what is done stays" in told.err
    before = done(kit)
    assert before
    assert waiting(kit) == []
    assert "M-008" in reel("maintain", "--plan").ok().out
    assert told.code == 0


def test_a_reply_that_is_no_page_changes_nothing_and_is_not_asked_for_again_today(
    reel: Reel, tmp_path: Path, server: ChatServer
) -> None:
    kit = make(reel, tmp_path, f"{AUTO}via: {server.address}\n")
    server.say = lambda _: "I am sorry, but I cannot do that."
    reel("start").ok()
    asked, before = len(server.chats), done(kit)
    assert not any("M-008" in line for line in before)
    assert waiting(kit) == []
    reel("start").ok()
    assert (len(server.chats), done(kit)) == (asked, before)


def test_a_prompt_that_a_person_took_out_waits_for_them(
    reel: Reel, tmp_path: Path, server: ChatServer
) -> None:
    kit = make(reel, tmp_path, f"{AUTO}via: {server.address}\n")
    reel("maintain", "--prompt").ok()
    reel("start").ok()
    assert server.chats == []
    assert waiting(kit) == ["maintain.shorter"]


def test_cron_says_that_a_prompt_waits_and_which_command_takes_its_answer(
    reel: Reel, tmp_path: Path, server: ChatServer
) -> None:
    kit = make(reel, tmp_path, "")
    reel("maintain", "--prompt").ok()
    told = reel("maintain", "--auto", "--via", server.address).ok().err
    assert (server.chats, waiting(kit)) == ([], ["maintain.shorter"])
    assert "a prompt about pages to shorten was handed out and waits for its answer" in told
    assert "reel maintain --only fade --reply FILE" in told
    assert "Nothing came of asking the model" not in told
    reel("maintain", "--only", "fade", "--via", server.address, "--yes").ok()
    assert any("M-008" in line for line in done(kit))


def test_an_address_elsewhere_that_came_with_a_kit_is_not_used_unasked(reel: Reel, tmp_path: Path) -> None:
    kit = make(reel, tmp_path, f"{AUTO}via: {{to: 'https://example.invalid/v1', allow: [example.invalid]}}\n")
    told = reel("start").ok()
    assert "example.invalid" not in told.err
    assert waiting(kit) == []


def test_the_share_that_a_pass_may_lose_holds(reel: Reel, tmp_path: Path, server: ChatServer) -> None:
    kit = make(reel, tmp_path, f"maintain: {{auto: yes, loss_limit: 1%}}\nvia: {server.address}\n")
    reel("start").ok()
    assert [line for line in done(kit) if "M-008" in line or "M-007" in line] == []


def test_cron_does_all_of_it_without_a_person(reel: Reel, tmp_path: Path, server: ChatServer) -> None:
    kit = make(reel, tmp_path, "")
    told = reel("maintain", "--auto", "--via", server.address).ok()
    assert any("M-008" in line for line in done(kit))
    assert any("M-005" in line for line in done(kit))
    assert "Error" not in told.err
    assert reel("maintain", "--auto", "--json", "--via", server.address).code == 2


def test_cron_is_told_of_a_server_that_fails(reel: Reel, tmp_path: Path, server: ChatServer) -> None:
    kit = make(reel, tmp_path, "")

    server.script += [refuse(500)] * 9
    failed = reel("maintain", "--auto", "--via", server.address)
    assert (failed.code, waiting(kit)) == (1, [])
    assert any("M-005" in line for line in done(kit))

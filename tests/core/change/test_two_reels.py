"""Two reels on one kit: a command that another one overtakes starts again, and nothing else is undone."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from reel_cli.terminal.app import ATTEMPTS
from reel_cli.terminal.open_kit import OpenKit
from tests.support.cli import Reel, git
from tests.support.pages import chat

Between = Callable[[Callable[[int], object]], list[int]]


@pytest.fixture
def told(reel: Reel, kit: Path) -> Path:
    reel("record", "-", stdin=chat()).ok()
    return kit


@pytest.fixture
def between(monkeypatch: pytest.MonkeyPatch) -> Between:
    """Do something each time a command has planned its change and has not committed it yet."""

    def hook(do: Callable[[int], object]) -> list[int]:
        commit = OpenKit._transact
        tries: list[int] = []

        def overtaken(self: OpenKit, changes: object, snapshot: object) -> object:
            tries.append(len(tries))
            do(tries[-1])
            return commit(self, changes, snapshot)  # type: ignore[arg-type]

        monkeypatch.setattr(OpenKit, "_transact", overtaken)
        return tries

    return hook


def other(reel: Reel, *arguments: str, stdin: str = "") -> None:
    """Run another reel, which is not hooked."""
    reel.process(*arguments, stdin=stdin, env={"REEL_NOW": "2026-03-01T20:00:00+00:00"}).ok()


def head(kit: Path) -> str:
    return git(kit, "rev-parse", "HEAD").strip()


def test_a_command_that_is_overtaken_begins_anew(reel: Reel, told: Path, between: Between) -> None:
    between(lambda n: other(reel, "tape", "flag", "theirs") if n == 0 else None)
    reel("tape", "flag", "mine").ok()
    events = (told / "tape/events.md").read_text(encoding="utf-8")
    assert (events.count("theirs"), events.count("mine")) == (1, 1)
    assert git(told, "status", "--porcelain") == ""


def test_what_came_on_standard_input_is_read_again(reel: Reel, told: Path, between: Between) -> None:
    mine = "You: Did the parcel come?\n\nAda: It lies on the stairs, all wet.\n"
    theirs = "You: Is the harbour frozen?\n\nAda: Only where the ferry does not go.\n"
    between(lambda n: other(reel, "record", "-", stdin=theirs) if n == 0 else None)
    done = json.loads(reel("record", "-", "--json", stdin=mine).ok().out)
    assert [one["state"] for one in done["recorded"]] == ["new"]
    sessions = json.loads(reel("tape", "list", "--json").ok().out)
    assert len(sessions) == 3


def test_it_gives_up_after_a_while(
    reel: Reel, told: Path, between: Between, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reel_cli.terminal.app.ATTEMPTS", 2)
    tries = between(lambda n: other(reel, "tape", "flag", f"theirs {n}"))
    done = reel("tape", "flag", "mine")
    assert (done.code, len(tries)) == (3, 2)
    assert done.err == (
        "Error: Another reel changed this kit first; nothing was changed.\nHint: run the command again\n"
    )
    assert ATTEMPTS > 2
    assert "mine" not in (told / "tape/events.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("how", ["on the disk", "committed"])
def test_what_a_person_edited_meanwhile_is_refused(
    reel: Reel, told: Path, between: Between, how: str
) -> None:
    def edit(_: int) -> None:
        with (told / "facts.yaml").open("a", encoding="utf-8") as file:
            file.write("# mine\n")
        if how == "committed":
            git(told, "commit", "-q", "--no-verify", "-am", "my own")

    reel("fact", "add", "preferences", "tea", "green").ok()
    before = head(told)
    tries = between(edit)
    done = reel("fact", "add", "preferences", "bread", "rye")
    assert (done.code, len(tries)) == (3, 1)
    assert done.err.startswith("Error: facts.yaml was edited meanwhile; nothing was changed.")
    assert (head(told) == before) is (how == "on the disk")


@pytest.mark.parametrize("arguments", [("undo",), ("undo", "--yes")])
@pytest.mark.parametrize("where", ["in the same file", "elsewhere"])
def test_undo_takes_back_nothing_else(
    reel: Reel, told: Path, between: Between, arguments: tuple[str, ...], where: str
) -> None:
    reel("fact", "add", "preferences", "tea", "green").ok()
    theirs = (
        ("fact", "add", "preferences", "salt", "none")
        if where == "in the same file"
        else ("exemplar", "retire", "up-at-five")
    )
    tries = between(lambda n: other(reel, *theirs) if n == 0 else None)
    done = reel(*arguments)
    assert (done.code, done.out, len(tries)) == (3, "", 1)
    assert done.err == (
        "Error: Something else was committed meanwhile; nothing was changed.\n"
        "Hint: see what with  reel log  then run the command again\n"
    )
    assert git(told, "log", "-1", "--format=%(trailers:key=Reel-Op,valueonly)").strip() == theirs[0]
    assert "tea" in (told / "facts.yaml").read_text(encoding="utf-8")


def test_undo_refuses_what_was_committed_while_it_asked(reel: Reel, told: Path, between: Between) -> None:
    reel("fact", "add", "preferences", "tea", "green").ok()
    between(lambda _: git(told, "commit", "-q", "--no-verify", "--allow-empty", "-m", "my own"))
    done = reel("undo", tty=True, stdin="y\n")
    assert done.code == 3
    assert "Something else was committed meanwhile" in done.err

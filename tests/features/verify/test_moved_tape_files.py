"""Files of the tape that are links or lie in another folder: named, and every command goes on."""

import json
import shutil
from pathlib import Path

import pytest

from tests.support.cli import Reel, git
from tests.support.pages import chat, page
from tests.support.shelf import ready_made

SESSION = "2026-02-25-1"
TAPE = f"tape/2026/{SESSION}.md"
ELSEWHERE = f"tape/2025/{SESSION}.md"


@pytest.fixture
def kit(reel: Reel) -> Path:
    """A kit with a session and its page."""
    root = reel.cwd / "ada"
    reel.env["REEL_NOW"] = "2026-03-01T20:00:00+00:00"

    def make() -> None:
        reel("init", root, "--template", "companion", "--name", "Ada").ok()
        reel("record", "-", cwd=root, stdin=chat()).ok()
        reel("checkpoint", "--reply", "-", "--yes", cwd=root, stdin=page()).ok()

    ready_made(root, "a session and its page", make)
    reel.cwd = root
    return root


@pytest.mark.parametrize("committed", [False, True])
@pytest.mark.parametrize("path", [TAPE, "ring0/identity.md", "ring1/active.yaml", "ring3/M-001.md"])
def test_a_link_out_of_the_kit_is_named_and_the_rest_is_looked_at(
    reel: Reel, kit: Path, tmp_path: Path, path: str, *, committed: bool
) -> None:
    shutil.move(kit / path, tmp_path / "elsewhere.md")
    (kit / path).symlink_to(tmp_path / "elsewhere.md")
    if committed:
        git(kit, "add", path)
        git(kit, "commit", "--no-verify", "-qm", "a link")
    # a memory that was edited and committed by hand waits for nobody's word
    waits = not (committed and path.startswith("ring3/"))
    for command in ("doctor", "status", *(("review",) if waits else ())):
        told = reel(command)
        assert "Error: " not in told.err, (command, told.err)
        assert f"{path} is outside the kit" in " ".join(told.out.split()), command
    if path == TAPE:
        assert reel("tape", "verify").code == 3
        refused = reel("review", "accept", path, "--yes")
        assert refused.code != 0
        assert (kit / path).is_symlink()


@pytest.fixture
def moved(kit: Path) -> Path:
    """The same kit, its session moved to another year's folder."""
    (kit / ELSEWHERE).parent.mkdir()
    (kit / TAPE).rename(kit / ELSEWHERE)
    return kit


def test_a_session_in_another_years_folder_is_named_as_missing_and_comes_back(
    reel: Reel, moved: Path
) -> None:
    recorded = (moved / ELSEWHERE).read_bytes()
    (one,) = json.loads(reel("status", "--json").ok().out)["warnings"]
    assert (one["kind"], one["path"], one["mend"]) == ("missing", TAPE, f"reel restore {TAPE}")
    assert f"{TAPE} is missing" in reel("status").ok().out
    assert f"{TAPE} is missing" in reel("start").ok().err
    assert f"{TAPE} is missing" in reel("doctor").out
    reel(*one["mend"].split()[1:]).ok()
    assert (moved / TAPE).read_bytes() == recorded
    assert "a second file of chat" in reel("tape", "verify").out


def test_a_number_stays_taken_while_its_session_lies_in_another_folder(reel: Reel, moved: Path) -> None:
    git(moved, "add", "tape")
    git(moved, "commit", "--no-verify", "-qm", "moved")
    another = [
        {"role": "user", "content": "Is the kettle on?"},
        {"role": "assistant", "content": "It sings."},
    ]
    reel("record", "-", stdin=chat(title="tea", messages=another)).ok()
    assert not (moved / TAPE).exists()
    assert (moved / "tape/2026/2026-02-25-2.md").is_file()


@pytest.mark.parametrize("how", ["a word changed", "cut short", "other line ends", "more behind it", "gone"])
def test_the_hint_for_a_changed_session_file_brings_it_back_as_printed(
    reel: Reel, kit: Path, how: str
) -> None:
    recorded = (kit / TAPE).read_bytes()
    texts = {
        "a word changed": recorded.replace(b"colder", b"warmer"),
        "cut short": recorded[: len(recorded) // 2],
        "other line ends": recorded.replace(b"\n", b"\r\n"),
        "more behind it": recorded + b"more\n",
    }
    for command in (("tape", "verify", "--json"), ("tape", "show", SESSION)):
        if how == "gone":
            (kit / TAPE).unlink()
        else:
            (kit / TAPE).write_bytes(texts[how])
        told = reel(*command)
        if "--json" in command:
            (hint,) = {one["mend"] for one in json.loads(told.out)["broken"] if one["path"] == TAPE}
        else:
            hint = told.err
        assert "git restore" not in hint
        if f"reel restore {TAPE}" in hint:
            reel("restore", TAPE).ok()
            assert (kit / TAPE).read_bytes() == recorded
        else:
            assert ("--json" in command, how) == (False, "gone"), hint

"""The first `status` or `start` in a clone says that git left the guard behind; no other does."""

import shutil
from pathlib import Path

import pytest

from tests.support.cli import Reel, git
from tests.support.pages import chat

LINE = "This clone has no guard yet, for git leaves hooks behind; to set it up:  reel doctor --guard on"


@pytest.fixture
def clone(reel: Reel, kit: Path) -> Path:
    reel("record", "-", stdin=chat()).ok()
    git(kit, "clone", "-q", str(kit), str(kit.parent / "clone"))
    reel.cwd = kit.parent / "clone"
    return reel.cwd


@pytest.mark.parametrize("command", ["status", "start"])
def test_it_is_said_once(reel: Reel, clone: Path, command: str) -> None:
    assert LINE in reel(command).ok().err
    assert LINE not in reel(command).ok().err


def test_it_is_not_said_to_a_program_nor_where_the_guard_is_on(reel: Reel, clone: Path) -> None:
    assert LINE not in reel("status", "--json").ok().err
    reel("doctor", "--guard", "on").ok()
    shutil.rmtree(clone / ".reel")
    assert LINE not in reel("status").ok().err


def test_it_is_not_said_of_a_kit_that_is_no_clone(reel: Reel, kit: Path) -> None:
    git(kit, "config", "core.hooksPath", "/nowhere")
    (kit / ".reel").rename(kit.parent / "aside")
    assert LINE not in reel("status").ok().err

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from reel_cli.core.errors import StateError
from reel_cli.core.files.private import state_folder, write_private
from reel_cli.core.git import lock as kit_lock
from reel_cli.core.git.lock import hold_lock
from tests.support.kit_under_git import START, make_kit

HOLDER = """
import sys, time
from pathlib import Path
from reel_cli.core.git.lock import hold_lock
with hold_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_held_lock_names_its_holder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kit_lock, "WORTH_SAYING", 0.0)
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        said: list[str] = []
        with (
            pytest.raises(StateError) as caught,
            hold_lock(tmp_path, patience=0.1, waiting=lambda: said.append("waiting")),
        ):
            pass
        holder.communicate()
    assert caught.value.message == f"Another reel is at work on this kit (process {holder.pid})."
    assert said == ["waiting"]
    with hold_lock(tmp_path, patience=0):
        pass


def test_a_free_lock_is_had_at_once_and_leaves_no_name(tmp_path: Path) -> None:
    with hold_lock(tmp_path, patience=0, waiting=lambda: pytest.fail("waited")):
        assert (tmp_path / ".reel/state/lock").read_text() == f"{os.getpid()}\n"
    assert (tmp_path / ".reel/state/lock").read_text() == ""


@pytest.mark.skipif(os.name == "nt", reason="descriptors are inherited on POSIX only")
def test_a_child_that_lives_on_keeps_the_lock(tmp_path: Path) -> None:
    with hold_lock(tmp_path) as descriptor:
        child = subprocess.Popen(["cat"], stdin=subprocess.PIPE, pass_fds=(descriptor,))
    with pytest.raises(StateError, match="Another reel is at work"), hold_lock(tmp_path, patience=0):
        pass
    child.communicate()
    with hold_lock(tmp_path, patience=0):
        pass


def test_an_error_lets_the_lock_go(tmp_path: Path) -> None:
    with pytest.raises(KeyError), hold_lock(tmp_path):
        raise KeyError
    with hold_lock(tmp_path, patience=0):
        pass


def test_a_change_waits_no_longer_than_it_must(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kit = make_kit(tmp_path / "ada")
    monkeypatch.setattr(kit_lock, "PATIENCE", 0.05)
    files = kit.files()
    with hold_lock(kit.root), pytest.raises(StateError, match=rf"process {os.getpid()}"):
        kit.apply({"kit.yaml": b"x"})
    assert kit.files() == files == dict(START)


def test_private_files_are_whole_and_their_owners_alone(tmp_path: Path) -> None:
    place = tmp_path / "deep/er/file"
    write_private(place, b"one")
    write_private(place, b"two")
    assert place.read_bytes() == b"two"
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    assert [p.name for p in place.parent.iterdir()] == ["file"]


def test_a_private_file_that_cannot_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "file"
    write_private(place, b"one")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_private(place, b"two")
    assert (place.read_bytes(), [p.name for p in tmp_path.iterdir()]) == (b"one", ["file"])


def test_the_state_folder_is_made_private_and_ignored(tmp_path: Path) -> None:
    folder = state_folder(tmp_path)
    assert folder == tmp_path / ".reel/state"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert (tmp_path / ".reel/.gitignore").read_bytes() == b"*\n"


def test_a_state_folder_that_cannot_be_made_is_one_plain_line(tmp_path: Path) -> None:
    (tmp_path / ".reel").write_text("in the way")
    with pytest.raises(StateError, match=r"^\.reel is not a folder"):
        state_folder(tmp_path)

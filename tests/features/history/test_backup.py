"""`reel backup`: everything that was committed, in one file that is proven, and the owner's alone."""

import json
from pathlib import Path

import pytest

from tests.support.cli import Reel, git
from tests.support.faded_kit import of_every_age
from tests.support.lived_kit import live


@pytest.fixture
def lived(reel: Reel, kit: Path) -> Path:
    return live(reel, kit)


def test_the_clone_it_names_can_be_typed_where_names_have_spaces(
    reel: Reel, lived: Path, tmp_path: Path
) -> None:
    spaced = lived.rename(tmp_path / "my ada")
    done = reel("backup", tmp_path / "on a stick.bundle", cwd=spaced).ok()
    assert f"git clone '{tmp_path}/on a stick.bundle' 'my ada'" in done.err


def test_a_clone_of_it_is_the_kit_with_all_its_history(reel: Reel, lived: Path, tmp_path: Path) -> None:
    git(lived, "branch", "another", "HEAD^")
    git(lived, "tag", "mark", "HEAD~2")
    target = tmp_path / "ada.bundle"
    done = reel("backup", target).ok()
    assert done.out.startswith(f"Wrote {target}, ")
    assert f"git clone {target} ada" in done.err
    assert target.stat().st_mode & 0o777 == 0o600
    back = tmp_path / "back"
    git(tmp_path, "clone", "-q", str(target), str(back))
    assert git(back, "rev-list", "--all", "--count") == git(lived, "rev-list", "--all", "--count")
    assert git(back, "rev-parse", "HEAD", "origin/another", "mark") == git(
        lived, "rev-parse", "HEAD", "another", "mark"
    )
    assert [path.name for path in tmp_path.iterdir() if "bundle" in path.name] == ["ada.bundle"]


def test_the_commands_it_prints_make_a_kit_that_is_as_private_as_before(
    reel: Reel, lived: Path, tmp_path: Path
) -> None:
    told = reel("backup", tmp_path / "ada.bundle").ok().err
    assert "Then, so that only you can open it:  cd ada && reel doctor --fix --guard on\n" in told
    back = tmp_path / "back"
    git(tmp_path, "clone", "-q", str(tmp_path / "ada.bundle"), str(back))
    back.chmod(0o755)
    done = reel("doctor", "--fix", "--guard", "on", cwd=back).ok()
    assert "Only you can open the kit's folder now." in done.out + done.err
    assert back.stat().st_mode & 0o077 == 0
    looked = reel("doctor", cwd=back).ok()
    assert "guard is off" not in looked.out
    # nobody can push to a file
    assert "remote" not in looked.out
    assert not (lived / ".reel/state/backup-check").exists()
    reel("tape", "verify", cwd=back).ok()


def test_it_is_never_put_over_a_file_unasked(reel: Reel, lived: Path, tmp_path: Path) -> None:
    target = tmp_path / "ada.bundle"
    target.write_text("precious")
    done = reel("backup", target)
    assert (done.code, target.read_text()) == (1, "precious")
    assert "--force" in done.err
    reel("backup", target, "--force").ok()
    assert (
        git(tmp_path, "bundle", "list-heads", str(target)).split()[0]
        == git(lived, "rev-parse", "HEAD").strip()
    )
    assert target.stat().st_mode & 0o777 == 0o600
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "elsewhere")
    for more in ((), ("--force",)):
        assert reel("backup", link, *more).code == 1
    assert not (tmp_path / "elsewhere").exists()


def test_a_look_back_says_nothing_of_backups(reel: Reel, tmp_path: Path) -> None:
    reel.cwd = of_every_age().make(tmp_path / "year").root
    assert reel("status").ok().out.split("\n\n")[-1] == "Not backed up yet:  reel backup FILE\n"
    then = reel("status", "--at", "HEAD").ok().out
    memory = "memory  14 chats have no memory yet, from 2025-06-23-1 to 2026-01-19-1"
    assert then.split("\n\n")[-1] == f"Due then\n  {memory}\n"
    reel("backup", tmp_path / "a").ok()
    assert reel("status").ok().out.split("\n\n")[-1] == "Backed up today; nothing has changed since.\n"
    assert reel("status", "--at", "HEAD").ok().out == then


def test_what_is_not_in_it_is_said(reel: Reel, lived: Path, tmp_path: Path) -> None:
    (lived / "notes.txt").write_text("mine")
    (lived / "ring2/working.md").write_text("changed")
    reel("consolidate", "--prompt").ok()
    done = reel("backup", tmp_path / "a").ok()
    assert "Not in it, because they are not committed: notes.txt, ring2/working.md.\n" in done.err
    assert (
        "Not in it either: .reel/, which holds only caches and prompts (1 prompt waits for a reply).\n"
        in done.err
    )
    told = json.loads(reel("backup", tmp_path / "b", "--json").ok().out)
    assert told == {
        "file": str(tmp_path / "b"),
        "bytes": (tmp_path / "b").stat().st_size,
        "commit": git(lived, "rev-parse", "HEAD").strip(),
        "not_in_it": ["notes.txt", "ring2/working.md"],
    }


def test_status_tells_how_old_it_is(reel: Reel, lived: Path, tmp_path: Path) -> None:
    assert json.loads(reel("status", "--json").ok().out)["backup"] is None
    reel("backup", tmp_path / "a").ok()
    assert "Backed up today; nothing has changed since." in reel("status").ok().out
    later = {"REEL_NOW": "2026-03-13T21:00:00+00:00"}
    reel("memory", "pin", "M-001").ok()
    assert json.loads(reel("status", "--json", env=later).ok().out)["backup"] == {
        "at": "2026-03-01T20:00:00Z",
        "file": str(tmp_path / "a"),
        "days": 12,
        "current": False,
    }
    assert "Backed up 12 days ago; there is more since." in reel("status", env=later).ok().out
    backwards = {"REEL_NOW": "2026-02-01T20:00:00+00:00"}
    told = reel("status", env=backwards).ok().out
    assert "Backed up on a day that is still to come; there is more since." in told
    (lived / ".reel/state/backup.json").write_text("[1]")
    assert json.loads(reel("status", "--json").ok().out)["backup"] is None


def test_places_that_are_none_for_a_backup(reel: Reel, lived: Path, tmp_path: Path) -> None:
    for place in (lived / "a.bundle", lived / ".reel/a", tmp_path, tmp_path / "nowhere/a"):
        done = reel("backup", place, "--force")
        assert (done.code, done.out) == (1, "")
        assert "Hint: " in done.err
    assert git(lived, "status", "--porcelain") == ""


def test_a_damaged_history_makes_no_backup(reel: Reel, lived: Path, tmp_path: Path) -> None:
    blob = git(lived, "rev-parse", "HEAD:ring3/M-001.md").strip()
    place = lived / ".git/objects" / blob[:2] / blob[2:]
    if not place.exists():
        git(lived, "repack", "-adq")
        pytest.skip("this git packs at once, and there is no object by itself to lose")
    place.unlink()
    done = reel("backup", tmp_path / "a")
    assert done.code == 3
    assert [path for path in tmp_path.iterdir() if path.name.startswith((".a", "a"))] == []
    assert json.loads(reel("status", "--json").ok().out)["backup"] is None


def test_a_shallow_clone_is_not_all_of_it(reel: Reel, lived: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", lived.as_uri(), "clone")
    done = reel("backup", tmp_path / "a", cwd=tmp_path / "clone")
    assert (done.code, (tmp_path / "a").exists()) == (3, False)
    assert "git fetch --unshallow" in done.err


def test_a_kit_in_a_larger_repository_says_so(reel: Reel, lived: Path, tmp_path: Path) -> None:
    house = tmp_path / "house"
    house.mkdir()
    (lived / ".git").rename(tmp_path / "old-history")
    room = lived.rename(house / "ada")
    git(house, "init", "-q")
    git(house, "add", "-A")
    git(house, "commit", "-qm", "all of it")
    done = reel("backup", tmp_path / "a", cwd=room).ok()
    assert "The kit is part of a larger git repository (house); the file holds all of it." in done.err

"""A damaged branch, a link to itself, a setting that git refuses: one clear line, and a mend that works."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from reel_cli.core.git.storage.pack_lookup import find_packed_kind
from tests.support.cli import Reel, git
from tests.support.installed_features import is_installed
from tests.support.pages import chat
from tests.support.shelf import ready_made

MAIN = ".git/refs/heads/main"
SPARSE = 3 << 30
"""In bytes; such a file takes no room on the disk, and reading it would take minutes."""
COMMANDS = (("status",), ("start",), ("doctor",), ("record", "-"))
Act = Callable[[Path], object]


@pytest.fixture
def lived(reel: Reel, kit: Path) -> Path:
    """A kit with a chat and, where facts are installed, a fact."""

    def live() -> None:
        reel("record", "-", stdin=chat()).ok()
        if is_installed("facts"):
            reel("fact", "add", "identity", "name", "Tomas").ok()

    ready_made(kit, "a kit whose repository gets damaged", live)
    return kit


def point_at(what: str) -> Act:
    return lambda kit: (kit / MAIN).write_text(git(kit, "rev-parse", what))


def pack(kit: Path) -> None:
    """Have git put all objects into one pack, as it does by itself after a while."""
    git(kit, "repack", "-adq")


def folder(kit: Path) -> None:
    (kit / MAIN).unlink()
    (kit / MAIN).mkdir()


def full_folder(kit: Path) -> None:
    folder(kit)
    (kit / MAIN / "x").write_text("x")


def no_heads(kit: Path) -> None:
    shutil.rmtree(kit / ".git/refs/heads")
    (kit / ".git/refs/heads").write_text("x")


def loop(path: str) -> Act:
    def make(kit: Path) -> None:
        (kit / path).unlink()
        (kit / path).symlink_to(Path(path).name)

    return make


def lock_loop(kit: Path) -> None:
    (kit / ".reel/state/lock").unlink(missing_ok=True)
    (kit / ".reel/state/lock").symlink_to("lock")


def setting(key: str, value: str) -> Act:
    return lambda kit: git(kit, "config", key, value)


def sparse(path: str) -> Act:
    return lambda kit: os.truncate(kit / path, SPARSE)


def away(path: str) -> Act:
    def move(kit: Path) -> None:
        (kit / path).rename(kit.parent / "moved away")

    return move


def both(first: Act, second: Act) -> Act:
    return lambda kit: (first(kit), second(kit))


def without(key: str) -> Act:
    """Take a line out of git's settings with an editor."""

    def edit(kit: Path) -> None:
        config = kit / ".git/config"
        kept = [line for line in config.read_text().splitlines() if key not in line]
        config.write_text("\n".join(kept) + "\n")

    return edit


def put_back(kit: Path) -> None:
    """Do as the hint about a lost branch says."""
    commit = (kit / ".git/logs/refs/heads/main").read_text().splitlines()[-1].split()[1]
    git(kit, "update-ref", "refs/heads/main", commit)


def reset(kit: Path) -> None:
    git(kit, "reset", "-q")


DAMAGES: dict[str, tuple[Act, str, str, Act]] = {
    "a blob": (point_at("HEAD:kit.yaml"), "points at a blob", "git update-ref refs/heads/main ", put_back),
    "a tree": (point_at("HEAD^{tree}"), "points at a tree", "git update-ref refs/heads/main ", put_back),
    "a packed blob": (
        both(pack, point_at("HEAD:kit.yaml")),
        "points at a blob",
        "git update-ref refs/heads/main ",
        put_back,
    ),
    "a packed tree": (
        both(pack, point_at("HEAD^{tree}")),
        "points at a tree",
        "git update-ref refs/heads/main ",
        put_back,
    ),
    "no branch": (
        away(MAIN),
        "The branch main has lost its commits",
        "git update-ref refs/heads/main ",
        put_back,
    ),
    "a folder": (folder, "The branch main has lost its commits", "git update-ref refs/heads/main ", put_back),
    "a full folder": (full_folder, f"{MAIN} is not a plain file", "move it away", both(away(MAIN), put_back)),
    "no heads": (
        no_heads,
        "refs/heads is not a folder",
        "move it away",
        both(away(".git/refs/heads"), put_back),
    ),
    "an index that loops": (
        loop(".git/index"),
        ".git/index is a link that leads to itself",
        "then run  git reset",
        both(away(".git/index"), reset),
    ),
    "facts that loop": (
        loop("facts.yaml"),
        "facts.yaml is a link that leads to itself",
        "reel restore facts.yaml",
        lambda kit: (kit / "facts.yaml").unlink(),
    ),
    "a lock that loops": (
        lock_loop,
        ".reel/state/lock is a link that leads to itself",
        "delete the link",
        lambda kit: (kit / ".reel/state/lock").unlink(),
    ),
    "compression": (
        setting("core.compression", "99"),
        "bad zlib compression level 99",
        "correct the settings file",
        without("compression"),
    ),
    "bare": (setting("core.bare", "true"), "core.bare", "git config core.bare false", without("bare")),
    "a format": (
        both(setting("extensions.objectFormat", "bad"), lambda _: None),
        "extensions.objectformat",
        "take the line with objectFormat out",
        without("objectFormat"),
    ),
    "vast settings": (
        sparse(".git/config"),
        ".git/config is larger than",
        "move it away",
        both(away(".git/config"), lambda kit: git(kit, "config", "core.bare", "false")),
    ),
    "a vast index": (
        sparse(".git/index"),
        ".git/index is larger than",
        "then run  git reset",
        both(away(".git/index"), reset),
    ),
}


@pytest.mark.parametrize(
    "damage", [name for name in DAMAGES if name != "facts that loop" or is_installed("facts")]
)
def test_damage_is_named_in_one_line_and_the_hint_mends_it(reel: Reel, lived: Path, damage: str) -> None:
    spoil, what, hint, mend = DAMAGES[damage]
    spoil(lived)
    said = ""
    for command in COMMANDS:
        run = reel(*command, stdin=chat(("user", "And this."), ("assistant", "Yes.")))
        assert run.code in (0, 1, 3), run
        assert "a bug here" not in run.err, run
        assert run.err.count("Error: ") == (run.code == 3 or "Error: " in run.err), run
        said += f"{run.out}{run.err}"
    assert what in " ".join(said.split())
    assert hint in said
    mend(lived)
    if "reel restore" in hint:
        reel("restore", hint.split()[-1]).ok()
    reel("record", "-", stdin=chat(("user", "One more thing."), ("assistant", "Go on."))).ok()
    reel("tape", "verify").ok()
    reel("status").ok()


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("facts.yaml", marks=pytest.mark.needs("facts")),
        *("kit.yaml", "ring0/identity.md", "ring4/index.md"),
    ],
)
def test_a_vast_file_is_refused_in_one_line(reel: Reel, lived: Path, path: str) -> None:
    os.truncate(lived / path, SPARSE)
    for command in COMMANDS:
        run = reel(*command, stdin=chat())
        assert run.code in (0, 1, 3), run
        assert run.err.count("Error: ") <= 1
        assert "a bug here" not in run.err
    assert f"{path} is larger than 64 MB" in reel("start").err
    (lived / path).unlink()
    reel("restore", path).ok()
    reel("start").ok()


def test_the_kind_of_every_packed_object_is_found(reel: Reel, lived: Path) -> None:
    for number in range(8):
        reel("fact", "add", "context", f"place {number}", "Oslo").ok()
    pack(lived)
    listed = git(
        lived, "cat-file", "--batch-check=%(objectname) %(objecttype) %(deltabase)", "--batch-all-objects"
    )
    rows = [line.split() for line in listed.splitlines()]
    packs = lived / ".git/objects/pack"

    assert any(base.strip("0") for _, _, base in rows)
    assert [name for name, kind, _ in rows if find_packed_kind(packs, name) != kind] == []
    assert find_packed_kind(packs, "0" * 40) == find_packed_kind(packs, "f" * 40) == ""


def head(line: str) -> Act:
    return lambda kit: (kit / ".git/HEAD").write_text(line)


def two_branches(kit: Path) -> None:
    """A second branch at an older commit, then a HEAD that says nothing."""
    git(kit, "branch", "older", "HEAD~1")
    head("")(kit)


MENDED_BY_DOCTOR: dict[str, tuple[Act, str]] = {
    "an index of other bytes": (lambda kit: (kit / ".git/index").write_text("garbage"), "index is damaged"),
    "half an index": (lambda kit: os.truncate(kit / ".git/index", 100), "index is damaged"),
    "a damaged HEAD": (head("xx\n"), "its HEAD file names no branch"),
    "a HEAD that was lost": (away(".git/HEAD"), "its HEAD file is missing"),
    "an empty HEAD beside two branches": (two_branches, "its HEAD file names no branch"),
}


@pytest.mark.parametrize("damage", MENDED_BY_DOCTOR)
def test_doctor_names_the_damage_and_mends_it_as_it_says(reel: Reel, lived: Path, damage: str) -> None:
    spoil, what = MENDED_BY_DOCTOR[damage]
    with (lived / "ring2/working.md").open("a") as notes:
        notes.write("- Written by hand.\n")
    (lived / "notes.txt").write_text("not git's\n")
    before = {
        path: path.read_bytes()
        for path in lived.rglob("*")
        if path.is_file() and not {".git", ".reel"}.intersection(path.parts)
    }
    commit = git(lived, "rev-parse", "HEAD")
    spoil(lived)
    told = reel("doctor")
    assert told.code in (1, 3)
    assert what in " ".join(f"{told.out}{told.err}".split())
    assert "reel doctor --fix" in f"{told.out}{told.err}"
    reel("doctor", "--fix", "--dry-run")
    assert what in " ".join(f"{(again := reel('doctor')).out}{again.err}".split())
    mended = reel("doctor", "--fix")
    assert "anew" in mended.err
    assert what not in mended.out
    assert git(lived, "rev-parse", "HEAD") == commit
    assert git(lived, "symbolic-ref", "HEAD") == "refs/heads/main\n"
    assert {path: path.read_bytes() for path in before} == before
    assert git(lived, "status", "--porcelain") == " M ring2/working.md\n?? notes.txt\n"
    reel("record", "-", stdin=chat(("user", "One more."), ("assistant", "Go on."))).ok()
    assert reel("doctor").code == 0


def test_where_nothing_tells_the_branch_the_hint_names_one(reel: Reel, lived: Path) -> None:
    git(lived, "branch", "other")
    shutil.rmtree(lived / ".git/logs")
    head("xx")(lived)
    told = reel("doctor", "--fix")
    assert told.code == 3
    assert f"write  ref: refs/heads/main  into {lived / '.git/HEAD'}" in " ".join(told.err.split("\n"))
    head("ref: refs/heads/main\n")(lived)
    reel("status").ok()


def test_an_index_that_another_git_holds_is_not_made_anew(reel: Reel, lived: Path) -> None:
    (lived / ".git/index").write_text("garbage")
    (lived / ".git/index.lock").touch()
    refused = reel("doctor", "--fix")
    assert (refused.code, "index.lock is there" in refused.err) == (3, True)
    assert (lived / ".git/index").read_text() == "garbage"
    assert not (lived / ".git/index.renewed").exists()

"""Pipes, folders, devices and links in place of the kit's, reel's or git's files: named, never waited for."""

import itertools
import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from reel_cli.core.files.tree import WorkTree
from tests.support.cli import Reel, Run
from tests.support.pages import chat, page


def pipe(place: Path, _: Path) -> None:
    os.mkfifo(place)


def listener(place: Path, _: Path) -> None:
    here = Path.cwd()
    os.chdir(place.parent)
    try:
        with socket.socket(socket.AF_UNIX) as opened:
            opened.bind(place.name)
    finally:
        os.chdir(here)


def folder(place: Path, _: Path) -> None:
    place.mkdir()
    (place / "inside").write_text("inside")


def zeros(place: Path, _: Path) -> None:
    place.symlink_to("/dev/zero")


def elsewhere(place: Path, outside: Path) -> None:
    place.symlink_to(outside)


OTHERS: tuple[Callable[[Path, Path], None], ...] = (listener, folder, zeros, elsewhere)
COMMANDS: tuple[tuple[str, ...], ...] = (("status",), ("pack",), ("record", "-"), ("doctor",))
OF_THE_KIT = (
    *(
        "kit.yaml",
        "facts.yaml",
        "ring0/identity.md",
        "ring1/active.yaml",
        "ring2/working.md",
        "ring3/M-001.md",
    ),
    *("ring4/index.md", "tape/2026/2026-02-25-1.md", "tape/events.md", "journal/2026-02.jsonl"),
    *("checkpoints/2026-02-25-1.1.yaml", ".gitattributes", ".gitignore", "tape", "ring3", "hot.yml"),
)
OF_REEL = (
    *("state/lock", "state/touches.jsonl", "state/last_pack.json", "state/stream.json", "state/txn"),
    *(
        "state/txn/intent",
        "state/purge",
        "state/purge/plan.json",
        "state/handed/bundle-1-2.md",
        "state/handed",
    ),
    *("state/exchanges/checkpoint.json", "state/watched.json", "cache/catalog.sqlite"),
    *("cache/search.sqlite", "cache/tape.sqlite", "cache", "state"),
)
OF_GIT = (
    *("HEAD", "index", "config", "packed-refs", "refs/heads/main", "logs/HEAD", "hooks/pre-commit"),
    *("info/exclude", "objects/info/alternates", "shallow", "commondir", "objects/pack/pack-1.idx"),
)
PLACES = (
    *OF_THE_KIT,
    *(f".reel/{name}" for name in OF_REEL),
    *(f".git/{name}" for name in OF_GIT),
    ".git",
)


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a kit lies that has been used; made by the first test."""
    return tmp_path_factory.mktemp("used") / "ada"


@pytest.fixture
def used(reel: Reel, ready: Path) -> Path:
    """A kit with a session, its page, and all that reel keeps beside."""
    if not ready.exists():
        reel("init", ready, "--template", "companion", "--name", "Ada").ok()
        reel("record", "-", cwd=ready, stdin=chat()).ok()
        reel("checkpoint", "--reply", "-", "--yes", cwd=ready, stdin=page()).ok()
        for command in ("pack", "recall letter", "status"):
            reel(*command.split(), cwd=ready).ok()
    reel.cwd = reel.cwd / "ada"
    shutil.copytree(ready, reel.cwd, symlinks=True)
    return reel.cwd


def put(place: Path, make: Callable[[Path, Path], None], outside: Path) -> None:
    """Put something else in the place of a file or folder."""
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)
    make(place, outside)


def is_clear(run: Run) -> bool:
    """Whether a run went well or ended in one line, and neither hung nor was a bug."""
    plain = "Traceback" not in run.err and "a bug here" not in run.err
    return plain and (run.code == 0 or (run.code in {1, 3} and run.err.count("Error: ") <= 1))


@pytest.mark.parametrize("path", PLACES)
def test_what_is_no_plain_file_is_named_or_passed_over(
    reel: Reel, used: Path, ready: Path, tmp_path: Path, path: str
) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("not the kit's")
    number = PLACES.index(path)
    # a pipe at every place, and each other kind and command in turn: all pairs come up, and it stays cheap
    for make, command in (
        (pipe, COMMANDS[number % len(COMMANDS)]),
        (OTHERS[number % len(OTHERS)], COMMANDS[number // len(OTHERS) % len(COMMANDS)]),
    ):
        put(used / path, make, outside)
        run = reel(*command, stdin=more())
        assert is_clear(run), (make.__name__, command, run)
        assert outside.read_text() == "not the kit's", (make.__name__, command)
        if "Error: " in run.err:
            names = {Path(path).name, *path.split("/")}
            assert any(name in run.err for name in names), (make.__name__, command, run.err)
        shutil.rmtree(used)
        shutil.copytree(ready, used, symlinks=True)


def more() -> str:
    return chat(("user", "One more thing."), ("assistant", "Go on, then."))


@pytest.mark.parametrize("command", ["status", "record -"])
def test_a_pipe_among_the_objects_is_named_before_git_waits_for_it(
    reel: Reel, used: Path, command: str
) -> None:
    objects = [place for place in (used / ".git/objects").rglob("*") if len(place.name) == 38]
    for place in objects:
        place.unlink()
        os.mkfifo(place)
    run = reel(*command.split(), stdin=more())
    assert run.code == 3, run.err
    assert "is not a plain file" in run.err
    assert ".git/objects" in run.err


PARTS = ("ring3", "out", "in", "loop", "gone", "..", ".", "M-001.md", "to-file", "tree")


def test_a_path_leads_where_the_system_says(tmp_path: Path) -> None:
    root = tmp_path / "kit"
    (root / "ring3/tree").mkdir(parents=True)
    (tmp_path / "kit-2").mkdir()
    (root / "ring3/M-001.md").write_text("x")
    links = {"out": "../..", "in": ".", "loop": "loop", "gone": "nowhere/x", "to-file": "M-001.md"}
    for name, target in links.items():
        (root / "ring3" / name).symlink_to(target)
        (root / name).symlink_to(target)
    (tmp_path / "link").symlink_to(root)
    places = ["/".join(parts) for n in (1, 2, 3) for parts in itertools.product(PARTS, repeat=n)]
    for top in (root, tmp_path / "link", root / "ring3"):
        tree = WorkTree(top)
        for path in (*places, "../kit-2/x", str(tmp_path), str(root / "ring3/out")):
            target = os.path.join(top, path)  # noqa: PTH118 (as it is put together there)
            assert tree._resolve(target) == os.path.realpath(target)
            inside = Path(os.path.realpath(target)).is_relative_to(os.path.realpath(top))
            assert tree._leads_inside(target) is inside, path

"""Cached shelf notes: they give the same bundle as reading the shelf, and are found to be outdated."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.repository import find_repository
from reel_cli.core.kit.approved_rings import read_in_force
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.build_bundle import BundleRequest, pack_kit, pack_snapshot
from reel_cli.features.shelf import note as shelf_note
from tests.support.cli import CHECKOUT, Reel

AGO = 10**18


@pytest.fixture
def full(reel: Reel, kit: Path) -> Path:
    """A kit with five files on its shelf, none of them young."""
    folder = kit.parent / "five"
    folder.mkdir()
    for number in range(5):
        (folder / f"{number}.md").write_text(f"Number {number}.\n")
    reel("shelf", "add", folder).ok()
    age(kit)
    return kit


def age(kit: Path) -> None:
    """Wait until nothing is as young as the catalog's clock, as far as can be told."""
    for here, _, files in os.walk(kit / "shelf"):
        for name in files:
            os.utime(Path(here) / name, ns=(AGO, AGO))
    pack_kit(kit)


def same(kit: Path) -> str:
    """The bundle, which must be what reading all files gives."""
    tree = Snapshot(WorkTree(kit), kit.name)
    text = pack_kit(kit).text
    assert text == pack_snapshot(tree, BundleRequest(), read_in_force(tree, find_repository(kit))).text
    return text


def test_whatever_is_changed_by_hand_is_seen(full: Path) -> None:
    page = full / "shelf/five/3.md.meta.yml"
    text = same(full)
    assert text == same(full)
    assert text.index("Number 0.") < text.index("Number 3.")
    with page.open("r+") as file:
        file.write(page.read_text().replace("pin: false", "pin: true "))
    assert (told := same(full)).index("Number 3.") < told.index("Number 0.")
    (full / "shelf/five/1.md").write_text("Other.\n")
    assert "Other." in same(full)
    (full / "shelf/five/2.md").unlink()
    assert "Number 2." not in same(full)
    (full / "hot.yml").write_text("protocol: MEMORY-MGMT/0.1\nkeep:\n  - path: shelf/five/4.md\n    why: x\n")
    assert (told := same(full)).index("Number 4.") < told.index("Number 0.")
    (full / "shelf/sub").mkdir()
    (full / "shelf/sub/new.md").write_text("New.\n")
    assert "New." not in same(full)
    (full / "shelf/sub/new.md.meta.yml").write_text("pin: true\n")
    assert "New." in same(full)


def test_a_large_shelf_is_looked_at_by_its_folders(
    full: Path, reel: Reel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shelf_note, "FEW", 2)
    monkeypatch.setattr("reel_cli.features.shelf.bundle_parts.MOST_TOLD", 2)
    (full / "shelf/five/0.md.meta.yml").write_text("title: first\n")
    text = same(full)
    assert "Number 1." in text
    assert "Number 2." not in text
    page = full / "shelf/five/1.md.meta.yml"
    page.write_text(page.read_text().replace("title: 1", "title: one"))
    assert "### one (five/1.md)" in same(full)
    # far down, in place: with the next look at all of it
    page = full / "shelf/five/4.md.meta.yml"
    page.write_text(page.read_text().replace("pin: false", "pin: true"))
    reel("shelf", "list").ok()
    assert "Number 4." in same(full)


def test_packing_from_a_shelf_loads_nothing_heavy(full: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from reel_cli.core.pack.build_bundle import pack_kit\n"
        "pack_kit(Path('.'));"
        "heavy = ('yaml', 'git', 'rich', 'tiktoken', 'reel_cli.core.kit.snapshot',"
        "'reel_cli.features.shelf.survey');"
        "print([name for name in heavy if name in sys.modules])"
    )
    told = ""
    for _ in range(3):
        told = subprocess.run(
            [sys.executable, "-c", code],
            cwd=full,
            env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    assert told == "[]\n"

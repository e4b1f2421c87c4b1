"""Count of what is ready to recede in `reel status`: counted once, and never shown when outdated."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from reel_cli.core.files.state import State
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.fading import maintenance_pass as maintaining
from reel_cli.features.fading.pass_file import UnderWay, save_pass
from reel_cli.terminal.open_kit import OpenKit
from tests.support.cli import Reel
from tests.support.faded_kit import of_every_age
from tests.support.kit_under_git import KitUnderGit

DAY = "2026-03-20T20:00:00+00:00"


@pytest.fixture
def year(reel: Reel, tmp_path: Path) -> KitUnderGit:
    kit = of_every_age().make(tmp_path / "ada")
    reel.cwd = kit.root
    return kit


def told(reel: Reel, now: str = DAY) -> str:
    """Why maintenance is due."""
    found = json.loads(reel("status", "--json", env={"REEL_NOW": now}).ok().out)["due"]
    return next((str(one["why"]) for one in found if one["what"] == "maintenance"), "")


def anew(reel: Reel, kit: KitUnderGit, now: str = DAY) -> str:
    """The same without anything kept from before."""
    shutil.rmtree(kit.root / ".reel/cache")
    return told(reel, now)


def not_again(_opened: object, _glance: object = None) -> None:
    raise AssertionError


def test_it_is_counted_once(reel: Reel, year: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    first = told(reel)
    assert first.startswith("4 memories are ready to fade; ")
    monkeypatch.setattr(maintaining, "Pass", not_again)
    assert told(reel) == first
    assert f"\nmaintenance: {first}:" in reel("status", "--due", env={"REEL_NOW": DAY}).out


COMMANDS = [
    ["memory", "pin", "M-005"],
    ["forget", "M-005", "--yes"],
    ["maintain", "--auto"],
    ["recall", "evening 4"],
]
EDITS: dict[str, Callable[[Path], object]] = {
    "a memory": lambda kit: write_by_hand(kit / "ring3/M-005.md", "more\n"),
    "the settings": lambda kit: write_by_hand(kit / "kit.yaml", "window: 8k\n"),
    "a memory that cannot be read": lambda kit: (kit / "ring3/M-005.md").write_bytes(b"\xff"),
    "a tape that cannot be read": lambda kit: (kit / "tape/events.md").write_bytes(b"\xff"),
}


def write_by_hand(path: Path, more: str) -> None:
    path.write_text(path.read_text().replace("window: 128k\n", "") + more)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_after_a_command_that_changes_it_it_is_what_a_new_look_says(
    reel: Reel, year: KitUnderGit, command: list[str]
) -> None:
    before = told(reel)
    assert told(reel) == before
    reel(*command).ok()
    noted = [told(reel) for _ in range(2)]
    assert noted == [anew(reel, year)] * 2
    assert command[0] == "recall" or noted[0] != before


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
def test_after_an_edit_by_hand_it_is_what_a_new_look_says(
    reel: Reel, year: KitUnderGit, edit: Callable[[Path], object]
) -> None:
    before = told(reel)
    assert told(reel) == before
    edit(year.root)
    noted = [told(reel) for _ in range(2)]
    assert noted == [anew(reel, year)] * 2


def test_another_day_is_another_count(reel: Reel, year: KitUnderGit) -> None:
    days = [f"2026-{day}T20:00:00+00:00" for day in ("03-01", "03-20", "06-20")]
    counts = [told(reel, day) for day in (*days, *days)]
    assert counts == [anew(reel, year, day) for day in (*days, *days)]
    assert len({count.partition(";")[0] for count in counts}) > 1


def test_while_a_pass_is_under_way_it_is_counted_each_time(
    reel: Reel, year: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = told(reel)
    head = year.repo.head()
    assert head is not None
    save_pass(State(year.root), UnderWay(DAY, head, {"3": 1000, "4": 1000}))
    assert told(reel) == first
    counted: list[int] = []
    real = maintaining.Pass

    def counting(
        opened: OpenKit, *, glance: Snapshot | None = None, checked: bool = True
    ) -> maintaining.Pass:
        counted.append(1)
        return real(opened, glance=glance, checked=checked)

    monkeypatch.setattr(maintaining, "Pass", counting)
    for _ in range(2):
        told(reel)
    assert counted == [1, 1]

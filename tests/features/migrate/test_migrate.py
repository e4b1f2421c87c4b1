"""`reel migrate`: a kit goes to a made-up REEL/1.1, shown and whole, or not at all (REEL §11.1)."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.kit.migration import Migration, Version
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features import table
from reel_cli.features.table import FEATURES, Feature
from tests.support.cli import Reel, git
from tests.support.lived_kit import live

OLD, NEW = Version(1, 0), Version(1, 1)
Step = Callable[[Callable[[Snapshot], Mapping[str, bytes | None]]], None]


@pytest.fixture
def lived(reel: Reel, kit: Path) -> Path:
    """The kit after three evenings, committed."""
    live(reel, kit)
    git(kit, "add", ".")
    git(kit, "commit", "-q", "--allow-empty", "-m", "lived")
    return kit


def _add_warmth(snapshot: Snapshot) -> Mapping[str, bytes | None]:
    """Give each memory the field that the made-up version adds."""
    paths = [f"ring3/{name}.md" for name in snapshot.memories]
    return {
        path: front_matter.set_fields(snapshot.text(path) or "", {"warmth": "kept"}, path).encode()
        for path in paths
    }


@pytest.fixture
def step(monkeypatch: pytest.MonkeyPatch) -> Iterator[Step]:
    """Register a made-up feature whose step to 1.1 writes what it is given."""

    def register(plan: Callable[[Snapshot], Mapping[str, bytes | None]]) -> None:
        module = ModuleType("reel_cli.features.warmth.steps")
        vars(module)["STEPS"] = [Migration(OLD, NEW, "each memory says how warm it was", plan)]
        monkeypatch.setitem(sys.modules, module.__name__, module)
        row = Feature("warmth", brings={"migrations": ["steps:STEPS"]})
        monkeypatch.setattr(table, "FEATURES", (*FEATURES, row))

    yield register
    monkeypatch.undo()


def test_a_kit_of_this_version_needs_nothing(reel: Reel, lived: Path) -> None:
    head = git(lived, "rev-parse", "HEAD")
    assert reel("migrate").ok().out == (
        "This kit is of REEL/1.0, and this program writes REEL/1.0: nothing to do.\n"
    )
    assert git(lived, "rev-parse", "HEAD") == head


def test_what_a_minor_version_needs_is_shown_asked_about_done_and_taken_back(
    reel: Reel, lived: Path, step: Step
) -> None:
    step(_add_warmth)
    whole = {path: path.read_bytes() for path in lived.rglob("ring*/*.md")}
    assert "reel migrate" in reel("doctor").out

    shown = reel("migrate", tty=True, stdin="n\n")
    assert "to REEL/1.1: each memory says how warm it was" in shown.err
    assert "+warmth: kept" in shown.err
    assert "+protocol: REEL/1.1" in shown.err
    assert {path: path.read_bytes() for path in whole} == whole

    assert reel("migrate").code == 1  # nobody is there to ask
    done = reel("migrate", "--yes").ok()
    assert "This kit is of REEL/1.1 now." in done.out
    assert git(lived, "log", "-1", "--format=%(trailers:only)").split("\n")[:2] == [
        "Reel-Op: migrate",
        "Reel-Protocol: REEL/1.0 to REEL/1.1",
    ]
    assert "\nwarmth: kept\n" in (lived / "ring3/M-001.md").read_text()
    assert "protocol: REEL/1.1" in (lived / "kit.yaml").read_text()
    reel("doctor").ok()
    reel("pack").ok()
    reel("migrate").ok()

    reel("undo", "--yes").ok()
    assert {path: path.read_bytes() for path in whole} == whole
    assert "REEL/1.1" not in (lived / "kit.yaml").read_text()


def test_a_dry_run_shows_all_and_changes_nothing(reel: Reel, lived: Path, step: Step) -> None:
    step(_add_warmth)
    head = git(lived, "rev-parse", "HEAD")
    told = json.loads(reel("migrate", "--dry-run", "--json").ok().out)
    assert (told["commit"], told["from"], told["to"]) == (None, "REEL/1.0", "REEL/1.1")
    assert {"path": "ring3/M-001.md", "lines": ["+warmth: kept"]} in told["files"]
    assert git(lived, "rev-parse", "HEAD") == head


def test_settings_that_lost_the_name_by_hand_are_not_taken_along(reel: Reel, lived: Path, step: Step) -> None:
    step(_add_warmth)
    head, settings = git(lived, "rev-parse", "HEAD"), lived / "kit.yaml"
    settings.write_text(settings.read_text().replace("name:", "#", 1))
    assert "reel config name" in reel("migrate", "--yes").err
    assert git(lived, "rev-parse", "HEAD") == head


def _drop(snapshot: Snapshot) -> Mapping[str, bytes | None]:
    return {"ring3/M-001.md": None}


def _shorten(snapshot: Snapshot) -> Mapping[str, bytes | None]:
    return {"ring3/M-001.md": (snapshot.read("ring3/M-001.md") or b"").replace(b"immune: ", b"fixed: ")}


def _amend(snapshot: Snapshot) -> Mapping[str, bytes | None]:
    return {"ring0/identity.md": (snapshot.read("ring0/identity.md") or b"") + b"\nShe is of 1.1.\n"}


def _alter_tape(snapshot: Snapshot) -> Mapping[str, bytes | None]:
    path = snapshot.list("tape")[0]
    return {path: b"\n" + (snapshot.read(path) or b"")}


def _refuse(snapshot: Snapshot) -> Mapping[str, bytes | None]:
    message = "ring3/M-001.md has no day."
    raise ReelError(message, hint="write one at its top")


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (_drop, "ring3/M-001.md would be deleted"),
        (_shorten, "ring3/M-001.md would lose some of its words"),
        (_amend, "ring0/identity.md would change, and only your word changes that"),
        (_alter_tape, "would be altered, and the tape only grows"),
        (_refuse, "cannot carry this kit: ring3/M-001.md has no day."),
    ],
)
def test_a_step_that_would_lose_something_is_not_taken(
    reel: Reel, lived: Path, step: Step, plan: Callable[[Snapshot], Mapping[str, bytes | None]], told: str
) -> None:
    step(plan)
    head = git(lived, "rev-parse", "HEAD")
    run = reel("migrate", "--yes")
    assert run.code != 0
    assert told in run.err
    assert "Hint: " in run.err
    assert git(lived, "rev-parse", "HEAD") == head


def _say(lived: Path, version: str) -> None:
    settings = lived / "kit.yaml"
    lines = [line for line in settings.read_text().splitlines() if not line.startswith("protocol:")]
    settings.write_text("\n".join([f"protocol: {version}", *lines]) + "\n")
    git(lived, "commit", "-qam", "another version")


def test_what_a_later_version_wrote_is_named_and_kept(reel: Reel, lived: Path) -> None:
    _say(lived, "REEL/1.1\nwarmth: {low: 3}")
    memory = lived / "ring3/M-001.md"
    memory.write_text(memory.read_text().replace("\nlevel:", "\nmood: rare as amber\nlevel:", 1))
    git(lived, "commit", "-qam", "as 1.1 writes it")

    told = reel("migrate").ok().out

    assert "This kit is of REEL/1.1, and this program writes REEL/1.0." in told
    assert "It holds what this version does not know. That is kept as it is:" in told
    assert "  kit.yaml: the setting warmth (line 2)\n" in told
    assert "  memories: the field mood (ring3/M-001.md, line 5)\n" in told
    assert git(lived, "status", "--porcelain") == ""


def test_a_ring_of_a_later_version_is_passed_over_and_named(reel: Reel, lived: Path) -> None:
    _say(lived, "REEL/1.1\nranges:\n  5: [0.01, 0.02]")

    assert reel("pack").ok().out
    reel("status").ok()
    told = reel("migrate").ok().out
    assert "  kit.yaml: the setting ranges.5 (line 3)\n" in told
    assert "default holds" not in told


@pytest.mark.parametrize(("version", "mend"), [("REEL/2.0", "update reel"), ("REEL/0.9", "REEL/1.0")])
def test_a_version_that_nothing_leads_from_is_refused_with_the_mend(
    reel: Reel, lived: Path, version: str, mend: str
) -> None:
    _say(lived, version)
    run = reel("migrate", "--yes")
    assert run.code != 0
    assert version in run.err
    assert mend in run.err

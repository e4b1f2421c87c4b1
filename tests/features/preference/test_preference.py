"""A persona's preferences, learnt from what it kept, steer how its pages are shortened (REEL §12.2)."""

from pathlib import Path

import pytest

from reel_cli.features.preference.policy import learn_preference
from tests.support.cli import Reel, git

LINE = "what is emotional"
KILN = [frozenset(["emotional"])] * 6
WORK = [frozenset(["operational"])] * 9


def test_kinds_of_what_was_kept_are_told() -> None:
    assert learn_preference(KILN, WORK) == "what is emotional"
    both = [frozenset(["emotional", "relational"])] * 6
    assert learn_preference(both, WORK) == "what is emotional and relational"


@pytest.mark.parametrize(
    ("kept", "others"),
    [
        (KILN[:4], WORK),  # a handful of acts is wanted
        (KILN, WORK[:4]),  # where nearly all is kept, nothing is chosen
        (KILN, [*KILN, *KILN]),  # what was let go was of the same kind
    ],
)
def test_nothing_is_said_that_does_not_show(kept: list[frozenset[str]], others: list[frozenset[str]]) -> None:
    assert learn_preference(kept, others) == ""


def write(kit: Path, many: int, kept: int) -> None:
    """So many memories, the first of them about the kiln and pinned later."""
    (kit / "ring3").mkdir(exist_ok=True)
    index = ["# Index", ""]
    for number in range(1, many + 1):
        warm = number <= kept
        title = f"Marta at the kiln, {number}" if warm else f"Pages due, {number}"
        kind = "emotional" if warm else "operational"
        (kit / f"ring3/M-{number:03}.md").write_text(
            f"---\nid: M-{number:03}\ntitle: {title}\nlevel: L1\ncreated: 2026-01-{number:02}T20:00:00Z\n"
            f"tags: [{kind}]\nmarker: {title}.\n---\n\n## What happened\n\n{title}.\n"
        )
        index.append(f'M-{number:03} | {title} | "" | {kind}')
    (kit / "ring4/index.md").write_text("\n".join(index) + "\n")
    git(kit, "add", ".")
    git(kit, "commit", "-qm", "lived")


@pytest.mark.usefixtures("kit")
def test_kinds_of_kept_memories_are_offered_until_they_are_set(reel: Reel, kit: Path) -> None:
    """Words that the kept memories share were told as well, and read as a tendency of nobody."""
    write(kit, 14, 6)
    assert "maintain.keeps" not in reel("doctor").out
    for number in range(1, 7):
        reel("memory", "pin", f"M-{number:03}").ok()

    hint = next(line for line in reel("doctor").out.splitlines() if "maintain.keeps" in line).strip()
    assert hint == f"reel config maintain.keeps '{LINE}'"
    reel("config", "maintain.keeps", LINE).ok()

    assert f"maintain.keeps: {LINE}" in reel("config", "maintain.keeps").ok().out
    assert "maintain.keeps" not in reel("doctor").out


@pytest.mark.usefixtures("kit")
def test_a_handful_of_acts_is_too_little(reel: Reel, kit: Path) -> None:
    write(kit, 14, 6)
    for number in range(1, 5):
        reel("memory", "pin", f"M-{number:03}").ok()
    assert "maintain.keeps" not in reel("doctor").out
    reel("memory", "pin", "M-005").ok()
    assert "maintain.keeps" in reel("doctor").out


@pytest.mark.parametrize(("key", "value"), [("y", LINE), ("n", "none")])
def test_a_person_decides_in_the_walk(reel: Reel, kit: Path, key: str, value: str) -> None:
    write(kit, 14, 6)
    for number in range(1, 7):
        reel("memory", "pin", f"M-{number:03}").ok()
    run = reel("review", tty=True, stdin=f"y\n{key}\ny\nq\n" + "q\n" * 8)
    assert LINE in run.err + run.out
    assert f"keeps: {value}" in (kit / "kit.yaml").read_text().replace('"', "")
    assert "maintain.keeps" not in reel("doctor").out

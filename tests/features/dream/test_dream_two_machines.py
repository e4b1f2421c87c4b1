"""A dream on two machines at once: what both wrote stands, and what either read was read."""

import json
import subprocess
from pathlib import Path

import pytest

from reel_cli.features.dream.cursor_file import parse_cursor
from reel_cli.features.dream.story.files import parse_chapters
from tests.support.cli import Reel, git
from tests.support.dreaming_persona import have_evenings, reply_to
from tests.support.shelf import ready_made

pytestmark = pytest.mark.needs("machines")


@pytest.fixture
def parted(reel: Reel, kit: Path) -> tuple[Path, Path]:
    """A dream that has come one batch far, on a desk and on a laptop."""
    have_evenings(reel, kit, [3, 4, 5, 6, 7], turns=30)

    def dream() -> None:
        missed = "new: 2026-01-03 · both · the shards"
        reel("dream", "start", "--yes", "--window", "3k").ok()
        weave(reel, kit, "The first", "It began, and we swept.", missed, "craft | kiln | cracked")

    ready_made(kit, "a batch", dream)
    hub, laptop = kit.parent / "hub.git", kit.parent / "laptop"
    git(kit, "clone", "-q", "--bare", ".", str(hub))
    git(kit, "remote", "add", "origin", str(hub))
    git(kit, "fetch", "-q")
    git(kit, "branch", "-q", "-u", "origin/main")
    git(kit.parent, "clone", "-q", str(hub), str(laptop))
    laptop.chmod(0o700)
    return kit, laptop


def weave(
    reel: Reel, kit: Path, title: str, story: str, missed: str = "nothing", facts: str = "nothing"
) -> None:
    """Take one batch in."""
    prompt = reel("dream", "next", "--prompt", cwd=kit).ok().out
    reply = reply_to(prompt, f"{title}\n\n{story}", missed, "nothing", facts)
    reel("dream", "next", "--reply", "-", "--yes", cwd=kit, stdin=reply).ok()


def join(reel: Reel, here: Path, there: Path) -> str:
    """Push there, pull here, and have what is in conflict joined."""
    git(there, "push", "-q")
    pulled = subprocess.run(
        ["git", "pull", "-q", "--no-rebase"], cwd=here, capture_output=True, text=True, check=False
    )
    assert "CONFLICT" in pulled.stdout + pulled.stderr
    return reel("doctor", "--fix", cwd=here).ok().err


def titles(kit: Path) -> list[str]:
    return [one.title for one in parse_chapters((kit / "story/history.md").read_text())]


def test_the_chapters_threads_and_facts_of_both_stand(reel: Reel, parted: tuple[Path, Path]) -> None:
    desk, laptop = parted
    amend = '\n\nAmend "It began": {}.'
    weave(
        reel,
        desk,
        "Of the desk",
        "I swept more." + amend.format("later"),
        "1: done, he swept",
        "craft | bucket | blue bucket",
    )
    weave(
        reel,
        laptop,
        "Of the laptop",
        "I swept less." + amend.format("sooner"),
        "new: 2026-01-04 · Ada · the kiln\n1: let go, in a bucket",
        "craft | glaze | thin celadon",
    )
    weave(
        reel,
        laptop,
        "Of the laptop again",
        "And it was late.",
        "new: 2026-01-04 · Ada · the jar\n2: done, it cracked",
    )
    weave(reel, desk, "Of the desk again", "And it was warm.", "new: 2026-01-05 · Bo · the shelf")
    told = join(reel, laptop, desk)
    assert "Both machines dreamt" in told
    assert git(laptop, "status", "--porcelain") == ""
    assert titles(laptop) == [
        "The first",
        "Of the desk",
        "Of the desk again",
        "Of the laptop",
        "Of the laptop again",
    ]
    first = (laptop / "story/history.md").read_text().split("## Of")[0]
    assert first.count("**Amended 1 March 2026.** “It began”: later.") == 1
    assert first.count("**Amended 1 March 2026.** “It began”: sooner.") == 1
    assert (laptop / "story/missed.md").read_text() == (
        "# Missed\n\n1. open · 2026-01-03 · both · the shards\n"
        "   - done · 2026-01-04 · he swept\n   - let go · 2026-01-04 · in a bucket\n"
        "2. open · 2026-01-05 · Bo · the shelf\n"
        "3. open · 2026-01-04 · Ada · the kiln\n   - done · 2026-01-05 · it cracked\n"
        "4. open · 2026-01-04 · Ada · the jar\n"
    )
    facts = (laptop / "facts.yaml").read_text()
    assert [line for line in facts.splitlines() if "value" in line] == [
        "  value: cracked",
        "  value: blue bucket",
        "  value: thin celadon",
    ]
    cursor = parse_cursor((laptop / "story/cursor.yaml").read_text())
    assert (cursor.batch, cursor.state.value) == (3, "running")
    git(laptop, "push", "-q")
    git(desk, "pull", "-q")
    while json.loads(reel("dream", "status", "--json", cwd=desk).ok().out)["state"] == "running":
        weave(reel, desk, "And on", "It went on.")
    found = json.loads(reel("dream", "status", "--json", cwd=desk).ok().out)
    assert (found["sessions_done"], found["tokens_left"]) == (5, 0)


def test_what_either_read_is_not_read_again_and_a_prompt_that_waits_is_made_anew(
    reel: Reel, parted: tuple[Path, Path]
) -> None:
    desk, laptop = parted
    weave(reel, desk, "Of the desk", "I swept more.")
    weave(reel, desk, "Of the desk again", "And it was warm.")
    weave(reel, laptop, "Of the laptop", "I swept less.")
    waiting = reel("dream", "next", "--prompt", cwd=laptop).ok().out
    join(reel, laptop, desk)
    refused = reel("dream", "next", "--reply", "-", "--yes", cwd=laptop, stdin=reply_to(waiting))
    assert (refused.code, "another part" in refused.err) == (1, True)
    assert "Turn 5." in waiting
    there = parse_cursor(git(desk, "show", "HEAD:story/cursor.yaml"))
    assert parse_cursor((laptop / "story/cursor.yaml").read_text()).read == there.read


def test_one_that_began_anew_stays_so(reel: Reel, parted: tuple[Path, Path]) -> None:
    desk, laptop = parted
    weave(reel, laptop, "Of the laptop", "I swept less.")
    reel("dream", "stop", cwd=desk).ok()
    reel("dream", "start", "--full", "--yes", "--window", "3k", cwd=desk).ok()
    weave(reel, desk, "Once more", "It began otherwise.")
    join(reel, laptop, desk)
    assert titles(laptop) == ["Once more", "Of the laptop"]
    assert "The first" in (laptop / "story/past/2026-03-01/history.md").read_text()
    read = parse_cursor((laptop / "story/cursor.yaml").read_text()).read
    assert read == parse_cursor(git(laptop, "show", "HEAD^1:story/cursor.yaml")).read


def test_both_began_anew_and_both_old_stories_are_kept(reel: Reel, parted: tuple[Path, Path]) -> None:
    desk, laptop = parted
    for kit, title in ((desk, "Of the desk"), (laptop, "Of the laptop")):
        weave(reel, kit, title, "I swept.")
        reel("dream", "stop", cwd=kit).ok()
        reel("dream", "start", "--full", "--yes", "--window", "3k", cwd=kit).ok()
        weave(reel, kit, f"{title} anew", "I swept.")
    join(reel, laptop, desk)
    assert titles(laptop) == ["Of the desk anew", "Of the laptop anew"]
    past = {path.name: path.read_text() for path in (laptop / "story/past/2026-03-01").glob("history*")}
    assert {name: "Of the desk" in text for name, text in past.items()} == {
        "history.md": True,
        "history-2.md": False,
    }
    assert "Of the laptop" in past["history-2.md"]


@pytest.mark.parametrize("done", ["desk", "laptop"])
def test_of_two_relives_the_finished_one_counts(reel: Reel, parted: tuple[Path, Path], done: str) -> None:
    desk, laptop = parted
    for kit in parted:
        reel("dream", "stop", cwd=kit).ok()
        name = "desk" if kit is desk else "laptop"
        window = "16k" if name == done else "3k"
        reel("dream", "start", "--full", "--yes", "--window", window, cwd=kit).ok()
        weave(reel, kit, f"Of the {name} anew", "I swept.")
    told = join(reel, laptop, desk)
    assert "the story is that of" in told
    assert titles(laptop) == [f"Of the {done} anew"]
    found = json.loads(reel("dream", "status", "--json", cwd=laptop).ok().out)
    assert (found["state"], found["sessions_done"]) == ("done", 5)
    other = "laptop" if done == "desk" else "desk"
    aside = [path.read_text() for path in (laptop / "story/past").glob("*/history.md")]
    assert sum(f"Of the {other} anew" in text for text in aside) == 1
    assert f"Of the {done} anew" in reel("pack", "--boot", cwd=laptop).ok().out
    assert git(laptop, "status", "--porcelain") == ""


def test_sessions_that_get_another_number_are_read_under_it(reel: Reel, parted: tuple[Path, Path]) -> None:
    desk, laptop = parted
    for kit, evening in ((desk, 8), (laptop, 9)):
        place = kit.parent / f"{kit.name}.json"
        started = "2026-01-08T19:00:00+00:00"
        said = [
            {"role": "user", "content": f"Only of {evening}: the jar of {kit.name}.", "created_at": started}
        ]
        place.write_text(json.dumps({"title": kit.name, "created_at": started, "messages": said}))
        reel("record", place, cwd=kit).ok()
        while json.loads(reel("dream", "status", "--json", cwd=kit).ok().out)["state"] == "running":
            weave(reel, kit, f"Of the {kit.name}", "I swept.")
    join(reel, laptop, desk)
    read = parse_cursor((laptop / "story/cursor.yaml").read_text()).read
    assert {"2026-01-08-1", "2026-01-08-2"} <= set(read)
    assert '"2026-01-08-2#1-1"' in (laptop / "story/history.md").read_text()
    found = json.loads(reel("dream", "status", "--json", cwd=laptop).ok().out)
    assert (found["state"], found["sessions_done"], found["sessions_total"]) == ("done", 7, 7)

"""A full relive: what it lays aside, what is told meanwhile, and how the story from before comes back."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from reel_cli.features.dream.cursor_file import parse_cursor
from tests.support.cli import Reel, git
from tests.support.dreaming_persona import dream_on, have_evenings, reply_to

HAND = "# mine\n- category: food\n  key: bread\n  value: no rye\n"


def status(reel: Reel) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reel("dream", "status", "--json").ok().out)
    return found


def weave(reel: Reel, title: str, facts: str = "nothing") -> str:
    """Answer one batch; the prompt."""
    prompt = reel("dream", "next", "--prompt").ok().out
    reply = reply_to(prompt, f"{title}\n\nI swept, and it was {title.lower()}.", facts=facts)
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply).ok()
    return prompt


@pytest.fixture
def told(reel: Reel, kit: Path, new_kits: Path) -> Path:
    """Three evenings, dreamt of in one batch, with a fact of the dream's and one by hand."""
    if not (new_kits / "told").exists():
        have_evenings(reel, kit, [3, 4, 5], turns=24)
        reel("dream", "start", "--yes", "--window", "8k").ok()
        weave(reel, "The first story", "craft | glaze | promised to Marta | sure | 2026-01-03")
        facts = kit / "facts.yaml"
        facts.write_text(facts.read_text() + HAND)
        git(kit, "add", "-A")
        git(kit, "commit", "-qm", "a fact by hand")
        copy(kit, new_kits / "told")
    copy(new_kits / "told", kit)
    return kit


def copy(one: Path, other: Path) -> None:
    shutil.copytree(one, other, symlinks=True, dirs_exist_ok=True)


def test_a_full_relive_says_what_it_lays_aside_and_how_that_comes_back(reel: Reel, told: Path) -> None:
    looked = reel("dream", "start", "--full", "--dry-run").ok()
    begun = reel("dream", "start", "--full", "--yes").ok()
    for said in (looked.err, begun.err):
        assert "The story so far (1 chapter) and the fact that dreams noted are set aside in" in said
        assert "story/past/2026-03-01/" in said
        assert "reel dream stop --back" in said
        assert "not told again" not in said
    assert "Nothing was changed" in looked.err
    assert (told / "story/past/2026-03-01/history.md").exists()


def test_what_since_leaves_out_is_told_beforehand(reel: Reel, told: Path) -> None:
    asked = reel("dream", "start", "--full", "--since", "2026-01-05", tty=True, stdin="n\n").ok().err
    assert "2 chats are older than 2026-01-05-1; they are not told again" in " ".join(asked.split())
    found = json.loads(reel("dream", "start", "--full", "--since", "2026-01", "--dry-run", "--json").ok().out)
    assert (found["laid_aside"], found["not_told_again"]) == ("story/past/2026-03-01", 0)
    found = json.loads(
        reel("dream", "start", "--full", "--since", "2026-01-04", "--dry-run", "--json").ok().out
    )
    assert (found["sessions"], found["not_told_again"]) == (2, 1)
    assert not (told / "story/past").exists()


def test_the_old_story_is_packed_until_the_new_one_is_done(reel: Reel, told: Path) -> None:
    reel("dream", "start", "--full", "--yes", "--window", "3k").ok()
    for step, word in (((), "reel dream next"), (("dream", "stop"), "reel dream start")):
        if step:
            reel(*step).ok()
        packed = reel("pack", "--boot").ok()
        assert "it was the first story" in packed.out
        assert f"The story is being written again ({word})" in packed.err
        assert "no story yet" not in packed.err
    reel("dream", "start", "--yes").ok()
    weave(reel, "The second story")
    assert "it was the first story" in reel("pack", "--boot").ok().out
    asked = reel("dream", "context", "--prompt").ok().out
    assert ("it was the first story" in asked, "it was the second story" in asked) == (True, False)
    dream_on(reel)
    packed = reel("pack", "--boot").ok()
    assert "it was the second story" in packed.out
    assert "it was the first story" not in packed.out
    assert "told anew" not in packed.err
    assert status(reel)["past"] == "story/past/2026-03-01"


def test_a_first_dream_that_is_under_way_is_not_to_be_begun(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3])
    reel("dream", "start", "--yes").ok()
    assert "no story yet (reel dream next)" in reel("pack", "--boot").ok().err


def test_one_broken_off_does_not_hide_the_story_before_it(reel: Reel, told: Path) -> None:
    old = (told / "story/history.md").read_text()
    reel("dream", "start", "--full", "--yes", "--window", "3k").ok()
    weave(reel, "Broken off")
    reel("dream", "stop").ok()
    reel("dream", "start", "--full", "--yes").ok()
    assert status(reel)["past"] == "story/past/2026-03-01"
    shown = reel("dream", "status").ok().out
    assert "lies in story/past/2026-03-01/" in shown
    assert "reel dream stop --back" in shown
    assert (told / "story/past/2026-03-01/history.md").read_text() == old
    assert "Broken off" in (told / "story/past/2026-03-01-2/history.md").read_text()
    assert "it was the first story" in reel("pack", "--boot").ok().out


def test_facts_of_the_old_dream_are_not_known_to_the_new_one(reel: Reel, told: Path) -> None:
    facts = (told / "facts.yaml").read_text()
    reel("dream", "start", "--full", "--yes", "--window", "3k").ok()
    # no fact is out of bundles meanwhile, and the relive is told none of them
    assert (told / "facts.yaml").read_text() == facts
    assert (told / "story/past/2026-03-01/facts.yaml").read_text() == facts
    assert "promised to Marta" in reel("pack", "--boot").ok().out
    prompt = reel("dream", "next", "--prompt").ok().out
    assert "promised to Marta" not in prompt
    assert "no rye" in prompt
    weave(reel, "Anew", "craft | glaze | celadon, the thin one | sure | 2026-01-03")
    assert "celadon, the thin one" in reel("dream", "next", "--prompt").ok().out
    reel("dream", "stop", "--back").ok()
    assert (told / "facts.yaml").read_text() == facts


def test_once_the_new_story_is_done_its_facts_stand_for_those_of_the_old_one(reel: Reel, told: Path) -> None:
    have_evenings(reel, told, [6])
    reel("dream", "start", "--yes").ok()
    weave(
        reel,
        "More",
        "constraints | shards | swept into a blue bucket | sure\ncraft | kiln | cracked | sure",
    )
    reel("dream", "start", "--full", "--yes", "--window", "8k").ok()
    weave(reel, "Anew", "craft | kiln | cracked | sure")
    facts = (told / "facts.yaml").read_text()
    assert status(reel)["state"] == "done"
    # what protects somebody is not lost because the new dream did not note it
    assert [line[9:] for line in facts.splitlines() if line.startswith("  value: ")] == [
        "no rye",
        "swept into a blue bucket",
        "cracked",
    ]


@pytest.mark.parametrize("how", [("--incremental",), ("--because", "you fade", "--since", "2026-01-04")])
def test_a_relive_that_goes_on_in_another_way_is_no_finished_story(
    reel: Reel, told: Path, how: tuple[str, ...]
) -> None:
    reel("dream", "start", "--full", "--yes", "--window", "3k").ok()
    weave(reel, "Half of it")
    reel("dream", "stop").ok()
    reel("dream", "start", *how, "--yes").ok()
    packed = reel("pack", "--boot").ok()
    assert "it was the first story" in packed.out
    assert "it was half of it" not in packed.out


def test_the_story_from_before_comes_back_as_it_was(reel: Reel, told: Path) -> None:
    before = {path.name: path.read_bytes() for path in (told / "story").iterdir()}
    facts = (told / "facts.yaml").read_bytes()
    reel("dream", "start", "--full", "--yes", "--window", "3k").ok()
    weave(reel, "Broken off")
    looked = reel("dream", "stop", "--back", "--dry-run").ok()
    assert "would come back" in looked.out
    assert "Broken off" in (told / "story/history.md").read_text()
    run = reel("dream", "stop", "--back").ok()
    assert "The earlier story is back" in run.err
    assert {path.name: path.read_bytes() for path in (told / "story").iterdir() if path.is_file()} == before
    assert (told / "facts.yaml").read_bytes() == facts
    assert [p.name for p in (told / "story/past").iterdir()] == ["2026-03-01-2"]
    assert "Broken off" in (told / "story/past/2026-03-01-2/history.md").read_text()
    assert (status(reel)["state"], status(reel)["sessions_done"]) == ("done", 3)
    assert git(told, "status", "--porcelain") == ""
    assert "What was laid aside last lies in story/past/2026-03-01-2/.\n" in reel("dream", "status").ok().out
    assert "The story is not being written again" in reel("dream", "stop", "--back").err
    reel("undo").ok()
    assert "Broken off" in (told / "story/history.md").read_text()
    reel("dream", "stop", "--back").ok()
    have_evenings(reel, told, [9])
    reel("dream", "start", "--yes").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    assert "The first story" in prompt
    assert "evening 3 and I" not in prompt


def test_a_fact_by_hand_that_came_meanwhile_stays(reel: Reel, told: Path) -> None:
    reel("dream", "start", "--full", "--yes").ok()
    more = "- category: food\n  key: tea\n  value: no milk\n"
    (told / "facts.yaml").write_text(HAND + more)
    git(told, "commit", "-qam", "tea")
    reel("dream", "stop", "--back").ok()
    facts = (told / "facts.yaml").read_text()
    assert facts.index("promised to Marta") < facts.index("no rye") < facts.index("no milk")


def test_a_cursor_that_names_another_place_is_not_followed(reel: Reel, told: Path) -> None:
    reel("dream", "start", "--full", "--yes").ok()
    place = told / "story/cursor.yaml"
    place.write_text(place.read_text().replace("story/past/2026-03-01", "../../elsewhere"))
    assert parse_cursor(place.read_text()).past == ""
    assert "it was the first story" in reel("pack", "--boot").ok().out


def test_a_first_dream_has_nothing_to_come_back(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3])
    reel("dream", "start", "--yes").ok()
    assert "no earlier story" in reel("dream", "stop", "--back").err


def test_status_tells_of_a_dream_that_is_not_done(reel: Reel, told: Path) -> None:
    def found() -> tuple[Any, str]:
        return json.loads(reel("status", "--json").ok().out)["dream"], reel("status").ok().out

    (told / "SHARED-CONTEXT.md").write_text(
        '<!-- context: {"known": "2026-01-03-1#24", "on": "2026-01-03"} -->\n# Shared context\n'
    )
    git(told, "add", "-A")
    git(told, "commit", "-qm", "a page")
    values, shown = found()
    assert values == {"state": "done", "left": 0, "context": "stale"}
    assert "Dreaming\n  SHARED-CONTEXT.md is out of date:  reel dream context\n" in shown
    reel("dream", "start", "--full", "--yes", "--window", "3200").ok()
    weave(reel, "Anew")
    values, shown = found()
    assert (values["state"], values["left"]) == ("running", 1)
    assert "  A dream is under way, 1 chat left:  reel dream next\n" in shown
    reel("dream", "stop").ok()
    values, shown = found()
    assert "  A dream is stopped, 1 chat left:  reel dream start\n" in shown


def test_status_tells_nothing_of_dreams_nobody_had(reel: Reel, kit: Path) -> None:
    assert json.loads(reel("status", "--json").ok().out)["dream"] is None
    assert "Dreaming" not in reel("status").ok().out

"""The cold start and its end: noted once, as a commit of its own, and true from then on."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import EVENTS, Snapshot
from reel_cli.core.tape.events_file import append_events, parse_events
from reel_cli.core.values.change import Change
from reel_cli.core.values.talk import Event
from reel_cli.features.page.cold_start import (
    MATURITY,
    find_transition,
    has_grown_up,
    is_cold,
    plan_transition,
)
from tests.support.cli import Reel, git
from tests.support.growing_kit import LINE, TODAY, TOLD, grow
from tests.support.kit_under_git import WHEN
from tests.support.pages import page


def look(kit: Path) -> Snapshot:
    return Snapshot(WorkTree(kit), "ada")


def subjects(kit: Path, count: int) -> list[str]:
    return git(kit, "log", f"-{count}", "--format=%s").splitlines()


def transitions(kit: Path) -> list[Event]:
    path = kit / EVENTS
    events = parse_events(path.read_bytes(), EVENTS) if path.exists() else []
    return [event for event in events if event.kind == MATURITY]


def status(reel: Reel) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reel("status", "--json").ok().out)
    return found


def keep_page(reel: Reel, *more: str) -> str:
    return reel("checkpoint", "--reply", "-", "--yes", *more, stdin=page()).ok().err


def test_the_page_that_brings_it_about_is_followed_by_one_note(reel: Reel, kit: Path) -> None:
    """REEL §7.3: end the cold start at four thresholds, and note that on the tape."""
    grow(reel, kit)
    assert transitions(kit) == []
    assert is_cold(look(kit))
    told = keep_page(reel)
    assert told.count(LINE) == 1
    assert subjects(kit, 2) == [f"tape: {TOLD}", f"checkpoint: {TODAY}"]
    assert git(kit, "show", "--format=%(trailers:only)", "--name-only").split() == [
        "Reel-Op:",
        "tape",
        EVENTS,
    ]
    (event,) = transitions(kit)
    assert (event.at, event.session, event.text.splitlines()) == (
        "2026-03-01T20:00:00Z",
        None,
        [
            "exemplars in the pool: 5",
            "memories: 10",
            "sessions the memories span: 3",
            "lines in the index: 15",
            "sessions in a row without drift: 3",
        ],
    )
    found = status(reel)
    assert (found["mature"], found["mature_since"]) == (True, "2026-03-01T20:00:00Z")
    assert "is mature" not in reel("status").ok().out
    assert reel("tape", "verify").code == 0


def test_it_is_said_once(reel: Reel, kit: Path) -> None:
    grow(reel, kit)
    keep_page(reel)
    told = reel("exemplar", "retire", "up-at-five").ok().err
    assert "has a past now" not in told
    assert len(transitions(kit)) == 1


def test_undoing_the_page_leaves_the_note_and_what_it_says(reel: Reel, kit: Path) -> None:
    grow(reel, kit)
    before = git(kit, "rev-parse", "HEAD:ring3", "HEAD:ring4", "HEAD:ring2")
    keep_page(reel)
    done = reel("undo").ok()
    assert "Took back: The letter that wasn't hers" in done.out
    assert git(kit, "rev-parse", "HEAD:ring3", "HEAD:ring4", "HEAD:ring2") == before
    assert len(transitions(kit)) == 1
    found = status(reel)
    assert found["memories"]["L1"] == 9
    assert [one["met"] for one in found["maturity"]] == [True, False, False, False, True]
    assert found["mature"] is True
    assert not is_cold(look(kit))


def test_an_exemplar_brings_it_about_as_well(reel: Reel, kit: Path) -> None:
    grow(reel, kit, pool=4)
    assert "has a past now" not in keep_page(reel)
    assert is_cold(look(kit))
    text = "**Bo:** Late.\n\n**Ada:** Then sleep.\n"
    done = reel("exemplar", "add", "-", "--title", "Then sleep", stdin=text).ok()
    assert LINE in done.err
    assert subjects(kit, 2) == [f"tape: {TOLD}", "exemplar: then-sleep is an example now"]


def test_an_accepted_suggestion_brings_it_about_as_well(reel: Reel, kit: Path) -> None:
    grow(reel, kit, pool=4)
    changed = page({"Worth showing again": '"careful looks cold from outside"'})
    reel("checkpoint", "--reply", "-", "--yes", stdin=changed).ok()
    (waiting,) = json.loads(reel("review", "--json").ok().out)
    assert LINE in reel("review", "accept", waiting["item"]).ok().err
    assert len(transitions(kit)) == 1


def test_a_program_gets_its_answer_alone(reel: Reel, kit: Path) -> None:
    grow(reel, kit)
    done = reel("checkpoint", "--reply", "-", "--yes", "--json", stdin=page()).ok()
    answer = json.loads(done.out)
    assert answer["commit"] == git(kit, "rev-parse", "HEAD~1").strip()
    assert len(transitions(kit)) == 1


def test_a_dry_run_notes_nothing(reel: Reel, kit: Path) -> None:
    grow(reel, kit)
    head = git(kit, "rev-parse", "HEAD")
    assert "has a past now" not in keep_page(reel, "--dry-run")
    assert git(kit, "rev-parse", "HEAD") == head


def older(reel: Reel, kit: Path) -> None:
    """A kit that met the criteria before that was ever noted."""
    grow(reel, kit, memories=10)
    index = kit / "ring4/index.md"
    index.write_text(
        index.read_text()
        + 'M-104 | A line | "walrus orchestra" | factual | not immune <!-- 2026-02-10-1#1 -->\n'
        + 'M-105 | A line | "walrus orchestra" | factual | not immune <!-- 2026-02-10-1#1 -->\n'
    )
    memory = kit / "ring3/M-010.md"
    memory.write_text(memory.read_text().replace("2026-02-10-1", TODAY))
    git(kit, "commit", "-qam", "by hand", "--no-verify")


def test_a_kit_from_before_it_was_noted_counts_and_gets_its_note(reel: Reel, kit: Path) -> None:
    older(reel, kit)
    found = status(reel)
    assert (found["mature"], found["mature_since"]) == (True, None)
    assert not is_cold(look(kit))
    assert LINE in reel("tape", "flag", "the coat").ok().err
    assert len(transitions(kit)) == 1
    assert [event.kind for event in parse_events((kit / EVENTS).read_bytes(), EVENTS)] == ["flag", MATURITY]


def test_what_takes_it_below_the_threshold_does_not_make_it_young_again(reel: Reel, kit: Path) -> None:
    older(reel, kit)
    done = reel("forget", "M-003", "--yes").ok()
    assert "has a past now: 9 memories" in done.err
    assert len(transitions(kit)) == 1
    assert not is_cold(look(kit))


def test_a_file_that_cannot_be_read_decides_nothing(reel: Reel, kit: Path) -> None:
    older(reel, kit)
    (kit / "ring3/M-002.md").write_text("---\nlevel: [\n---\n")
    assert not has_grown_up(look(kit))
    assert "has a past now" not in reel("tape", "flag", "the coat").ok().err
    assert transitions(kit) == []


def test_what_is_in_the_way_of_the_note_is_not_in_the_way_of_the_page(reel: Reel, kit: Path) -> None:
    grow(reel, kit)
    reel("tape", "flag", "the coat").ok()
    flagged = (kit / EVENTS).read_bytes()
    # half staged: what git would commit is neither what history has nor what lies there
    (kit / EVENTS).write_bytes(
        append_events(flagged, [Event(0, "flag", "2026-02-25T20:00:00Z", "one")], EVENTS)
    )
    git(kit, "add", EVENTS)
    (kit / EVENTS).write_bytes(
        append_events(flagged, [Event(0, "flag", "2026-02-25T20:00:00Z", "two")], EVENTS)
    )
    assert "has a past now" not in keep_page(reel)
    assert subjects(kit, 1) == [f"checkpoint: {TODAY}"]
    git(kit, "reset", "-q", "--hard")
    assert LINE in reel("exemplar", "retire", "up-at-five").ok().err
    assert len(transitions(kit)) == 1


def test_two_machines_may_both_have_noted_it(reel: Reel, kit: Path) -> None:
    older(reel, kit)
    snapshot = look(kit)
    change = plan_transition(snapshot, WHEN)
    assert change is not None
    both = append_events(change.writes[EVENTS], [Event(0, MATURITY, "2026-02-11T00:00:00Z", "")], EVENTS)
    merged = snapshot.after(Change("tape", "", {EVENTS: both}))
    assert find_transition(merged) is not None
    assert plan_transition(merged, WHEN) is None
    assert not has_grown_up(merged)


def test_the_past_is_as_young_as_it_was(reel: Reel, kit: Path) -> None:
    grow(reel, kit)
    head = git(kit, "rev-parse", "HEAD").strip()
    keep_page(reel)
    then = json.loads(reel("status", "--json", "--at", head).ok().out)
    assert (then["mature"], then["mature_since"]) == (False, None)
    now = json.loads(reel("status", "--json", "--at", "HEAD").ok().out)
    assert (now["mature"], now["mature_since"]) == (True, "2026-03-01T20:00:00Z")


def test_the_difference_tells_of_it_once(reel: Reel, kit: Path) -> None:
    grow(reel, kit)
    before = git(kit, "rev-parse", "HEAD").strip()
    keep_page(reel)
    after = git(kit, "rev-parse", "HEAD").strip()
    reel("exemplar", "retire", "up-at-five").ok()
    told = "the persona is mature now, and old memories may fade"
    assert told in reel("diff", before).ok().out
    assert told not in reel("diff", after).ok().out
    assert [json.loads(reel("diff", rev, "--json").ok().out)["grown_up"] for rev in (before, after)] == [
        True,
        False,
    ]


@pytest.fixture
def grown(reel: Reel, kit: Path) -> Snapshot:
    grow(reel, kit)
    keep_page(reel)
    return look(kit)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_once_grown_up_nothing_that_is_let_go_makes_it_young(grown: Snapshot, data: st.DataObject) -> None:
    held = [path for folder in ("ring1", "ring3", "checkpoints") for path in grown.list(folder)]
    gone = data.draw(st.sets(st.sampled_from(held)))
    left = grown.after(Change("edit", "", dict.fromkeys(gone)))
    assert not is_cold(left)
    assert not has_grown_up(left)

"""Due fading from a kit's files, ledger and clock, and what a step writes."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.core.files.commit_message import FORGOT, parse_forgotten
from reel_cli.core.files.index_file import render_line
from reel_cli.core.files.ledger_file import make_entry, read_ledger, render_entry
from reel_cli.core.files.memory_file import parse_memory, render_memory
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.glance import Glance
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.rings.pins import find_pinned
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.change import Change
from reel_cli.core.values.memory import IndexLine, Level, Memory, implies_immunity, memory_path
from reel_cli.core.values.talk import SourceRange, session_path
from reel_cli.features.fading.fading import BundleForms, Form, HeldBack, Move, Step
from reel_cli.features.fading.plan import descended, plan_step
from reel_cli.features.fading.survey import look_through
from reel_cli.features.forgetting.plan import stub_of
from tests.support.faded_kit import MARKER, PHRASE, SESSIONS, TAG, Year, evening, memory, of_every_age
from tests.support.kits_at_random import Files

NOW = datetime(2026, 3, 1, 20, tzinfo=UTC)
TOKENS = get_tokenizer("o200k_base")
NOWHERE = Repository(Path("/nowhere"), "", Path("/nowhere/.git"), Path("/nowhere/.git"))
"""Tells only under which id bytes would be kept."""


def due(snapshot: Snapshot, now: datetime = NOW, **more: Collection[str]) -> list[tuple[str, str, str]]:
    found = look_through(snapshot, TOKENS, now=now, **more).steps  # type: ignore[arg-type]
    return [(one.id, one.before, one.after) for one in found]


def find(snapshot: Snapshot, name: str, now: datetime = NOW) -> Step:
    return next(step for step in look_through(snapshot, TOKENS, now=now).steps if step.id == name)


def plan(snapshot: Snapshot, step: Step, pinned: Collection[str] = ()) -> Change:
    return plan_step(snapshot, NOWHERE, TOKENS, step, pinned=pinned)


EVERY_AGE = [
    ("M-001", "L4", "stub"),
    ("M-005", "L2", "L3"),
    ("M-007", "L2", "L3"),
    ("M-008", "L1", "L2"),
]


# -- what is due ----------------------------------------------------------------------------------


def test_each_memory_is_due_by_its_own_age_level_and_guards() -> None:
    found = look_through(of_every_age().snapshot(), TOKENS, now=NOW)
    assert [(one.id, one.before, one.after) for one in found.steps] == EVERY_AGE
    assert {one.id: one.asks for one in found.steps} == {
        "M-001": False,
        "M-005": False,
        "M-007": True,
        "M-008": True,
    }
    assert found.kept == [HeldBack("M-006", "Evening 6", "pinned")]
    marker = TOKENS.count(f'\n{MARKER}\n\n## Retrieval anchors\n\n- "{PHRASE}"\n- "evening 5"\n')
    sizes = {one.id: (one.tokens, one.then) for one in found.steps}
    assert sizes["M-001"] == (TOKENS.count(f"\n{TAG}\n"), 0)
    assert sizes["M-005"] == (TOKENS.count(memory(5, "L2", evening=4).body), marker)


def test_in_the_cold_start_nothing_fades() -> None:
    """REEL §7.2: let nothing fade, ask for checkpoints more often, make more index lines."""
    year = of_every_age()
    year.grown = False
    found = look_through(year.snapshot(), TOKENS, now=NOW)
    assert (found.cold, found.steps, found.kept) == (True, (), ())


def test_a_kit_without_any_memory_has_nothing_due() -> None:
    assert due(Year([]).snapshot()) == []


def test_an_overview_kept_from_the_last_time_says_the_same(tmp_path: Path) -> None:
    kit = of_every_age().make(tmp_path / "ada")
    for _ in range(3):
        glance = Glance(WorkTree(kit.root), "ada", kit.root)
        assert due(glance) == EVERY_AGE
    path = kit.root / memory_path("M-001")
    path.write_text(path.read_text().replace("immune: no", "immune: yes"))
    assert due(Glance(WorkTree(kit.root), "ada", kit.root)) == EVERY_AGE[1:]


def test_a_line_that_a_person_made_immune_keeps_its_memory_before_it_is_accepted() -> None:
    files = dict(of_every_age().files())
    text = files[INDEX].decode()
    line = next(one for one in text.splitlines() if one.startswith("M-001"))
    files[INDEX] = text.replace(line, line.replace("not immune", "immune")).encode()
    assert due(Files(files).snapshot()) == EVERY_AGE[1:]


def test_ring_3_over_its_range_at_the_kits_cap_lets_more_fade() -> None:
    year = of_every_age()
    year.settings = "window: 16k\nranges: {3: [0.01, 0.05]}\n"
    found = look_through(year.snapshot(), TOKENS, now=NOW)
    assert (found.most, found.weight > found.most) == (819, True)
    assert [one.id for one in found.steps if "over their share" in one.why] == ["M-004", "M-009"]
    assert "M-010" not in {one.id for one in found.steps}


def test_a_small_window_is_over_its_range_by_markers_and_pages_do_not_fade_for_it() -> None:
    year = of_every_age()
    year.settings = "window: 8k\nranges: {3: [0.01, 0.03]}\n"
    found = look_through(year.snapshot(), TOKENS, now=NOW)
    assert (found.most, found.weight, found.then) == (245, 430, 382)
    assert [one.id for one in found.steps if "over their share" in one.why] == ["M-004"]
    assert found.stays == [
        "1 would not get shorter",
        "2 are only tags already",
        "2 are new, in use or pinned",
    ]


def test_a_step_counts_until_a_session_followed_and_two_weeks_passed() -> None:
    def why(day: str, sessions: int) -> str:
        found = look_through(
            of_every_age().snapshot(), TOKENS, now=NOW, last_steps=lambda: {"M-005": (day, sessions)}
        )
        return {one.id: one.why for one in found.kept}.get("M-005", "")

    assert why("2026-03-01", 0) == "faded today, and there was no chat since"
    assert why("2025-06-01", 0) == "faded 273 days ago, and there was no chat since"
    assert why("2026-02-16", 9) == "faded 13 days ago"
    assert why("2026-02-15", 1) == ""
    # a clock that ran ahead keeps nothing for years
    assert why("2031-01-01", 2) == "faded today"
    assert why("2031-01-01", 3) == ""
    assert why("no day", 0) == "faded today, and there was no chat since"


def test_what_a_bundle_shows_is_asked_for_and_a_kit_whose_bundle_cannot_be_packed_fades_by_age() -> None:
    def due_with(bundle: BundleForms | None) -> list[str]:
        return [one.id for one in look_through(year, TOKENS, now=NOW, bundled=lambda: bundle).steps]

    year = of_every_age().snapshot()
    assert due_with(None) == ["M-001", "M-005", "M-007", "M-008"]
    assert due_with(BundleForms({})) == ["M-001", "M-005", "M-007", "M-008"]
    assert due_with(BundleForms({"M-001": Form.TAG})) == ["M-005", "M-007", "M-008"]
    # what no bundle shows goes first
    assert due_with(BundleForms({"M-005": Form.WHOLE})) == ["M-001", "M-007", "M-008", "M-005"]


# -- use ------------------------------------------------------------------------------------------


def test_what_was_recalled_and_is_not_committed_yet_counts() -> None:
    line = render_entry(make_entry("2026-02-28T20:00:00Z", SESSIONS[-1], "recall", "M-001 M-008"))
    assert due(of_every_age().snapshot(), touches=[line]) == [EVERY_AGE[1], EVERY_AGE[2]]


def test_a_pin_that_is_not_committed_yet_counts() -> None:
    line = render_entry(make_entry("2026-02-28T20:00:00Z", SESSIONS[-1], "pin", "M-005"))
    assert due(of_every_age().snapshot(), touches=[line, "no journal line"]) == [
        step for step in EVERY_AGE if step[0] != "M-005"
    ]


def test_being_packed_or_looked_at_keeps_nothing() -> None:
    year = of_every_age()
    year.uses = [*year.uses, (23, "pack", "M-005"), (23, "touch", "M-005")]
    assert due(year.snapshot()) == EVERY_AGE


def test_a_memory_that_was_just_made_of_an_old_evening_rests() -> None:
    year = Year([memory(8, "L1", evening=3, created="2026-02-20T20:00:00Z")])
    found = look_through(year.snapshot(), TOKENS, now=NOW)
    assert (found.steps, [one.why for one in found.kept]) == ([], ["made 9 days ago"])


def test_what_was_written_anew_or_brought_back_lately_rests_for_some_sessions_and_days() -> None:
    def since(day: str) -> list[tuple[str, str, str]]:
        found = look_through(
            of_every_age().snapshot(), TOKENS, now=NOW, made_lately=lambda _sessions: {"M-001": day}
        ).steps
        return [(one.id, one.before, one.after) for one in found]

    assert since("2026-01-31") == EVERY_AGE[1:]
    assert since("2026-01-30") == EVERY_AGE
    assert since("2093-01-01") == EVERY_AGE[1:]


def test_what_took_a_step_in_this_pass_takes_no_other() -> None:
    assert due(of_every_age().snapshot(), moved={"M-005"}) == [s for s in EVERY_AGE if s[0] != "M-005"]


# -- clocks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("year", [1970, 2015, 2025])
def test_a_clock_put_back_makes_nothing_young_again(year: int) -> None:
    assert due(of_every_age().snapshot(), datetime(year, 1, 1, tzinfo=UTC)) == EVERY_AGE


def test_an_evening_of_a_clock_that_ran_ahead_makes_nothing_old() -> None:
    year = of_every_age()
    year.evenings = [*SESSIONS, "2093-01-01-1", "2093-01-02-1"]
    assert due(year.snapshot()) == EVERY_AGE


def test_a_use_noted_by_a_clock_that_ran_ahead_counts_by_its_evening() -> None:
    ahead = [
        render_entry(make_entry("2093-01-01T20:00:00Z", SESSIONS[0], "recall", "M-001")),
        render_entry(make_entry("2093-01-01T20:00:00Z", "", "recall", "M-005")),
    ]
    assert due(of_every_age().snapshot(), touches=ahead) == EVERY_AGE
    lately = render_entry(make_entry("2093-01-01T20:00:00Z", SESSIONS[-1], "recall", "M-001"))
    assert due(of_every_age().snapshot(), touches=[lately]) == EVERY_AGE[1:]


def test_a_memory_made_by_a_clock_that_ran_ahead_does_not_rest_forever() -> None:
    assert due(Year([memory(8, "L1", evening=3, created="2093-02-20T20:00:00Z")]).snapshot()) == [
        ("M-008", "L1", "L2")
    ]


def test_a_memory_of_no_known_time_is_not_old() -> None:
    files = dict(Year([memory(8, "L1")]).files())
    made = replace(memory(8, "L1"), created="", sessions=(), source=())
    files[memory_path("M-008")] = render_memory(made).encode()
    assert due(Files(files).snapshot()) == []


# -- lines that sleep -----------------------------------------------------------------------------


def test_a_line_sleeps_by_the_evenings_after_its_pruning() -> None:
    snapshot = of_every_age().snapshot()

    def since(count: int) -> list[str]:
        found = look_through(
            snapshot, TOKENS, now=NOW, since_pruning=lambda _name: SESSIONS[len(SESSIONS) - count :]
        ).steps
        return [one.id for one in found if one.move is Move.SLEEP]

    assert (since(9), since(10)) == ([], ["M-011"])


def test_old_chats_that_were_recorded_late_let_no_line_sleep() -> None:
    snapshot = of_every_age().snapshot()
    found = look_through(snapshot, TOKENS, now=NOW, since_pruning=lambda _name: SESSIONS[:20]).steps
    assert [one for one in found if one.move is Move.SLEEP] == []


def pointers(snapshot: Snapshot, *, pruned: int | None, asleep: Collection[str] = ()) -> list[str]:
    found = look_through(
        snapshot,
        TOKENS,
        now=NOW,
        since_pruning=lambda _name: None if pruned is None else SESSIONS[len(SESSIONS) - pruned :],
        asleep=lambda: asleep,
    ).steps
    return [f"{one.id}: {one.why}" for one in found if one.move is Move.SLEEP]


def test_a_line_that_points_at_the_tape_sleeps_after_the_memory_there() -> None:
    where = SourceRange(SESSIONS[2], 2, 2)
    line = IndexLine("M-020", "Evening 3: he said", PHRASE, ("factual",), where=where)
    stub = IndexLine(
        "M-003", "Evening 3", PHRASE, ("factual",), pruned=True, where=SourceRange(SESSIONS[2], 1, 4)
    )
    kept = Year([memory(3, "L4"), memory(24)], stubs=[line])
    assert pointers(kept.snapshot(), pruned=12) == []
    lately = Year([memory(24)], stubs=[stub, line]).snapshot()
    assert pointers(lately, pruned=9) == []
    assert pointers(lately, pruned=None) == []
    assert pointers(lately, pruned=12) == [
        "M-003: not asked for in the 12 chats since it was pruned",
        "M-020: its memory is pruned, and not asked for in 12 chats",
    ]
    asleep = Year([memory(24)], stubs=[line]).snapshot()
    there = [f"{SESSIONS[2]}#1-4"]
    assert pointers(asleep, pruned=None, asleep=there) == [
        "M-020: its memory is pruned, and not asked for in 21 chats"
    ]
    # REEL §6.7: where no memory ever was, none was pruned
    assert pointers(asleep, pruned=None, asleep=[f"{SESSIONS[2]}#3-4", f"{SESSIONS[3]}#1-4"]) == []
    found = look_through(asleep, TOKENS, now=NOW, asleep=lambda: there).steps
    step = next(one for one in found if one.id == "M-020")
    change = plan(asleep, step)
    assert b"M-020" not in (change.writes[INDEX] or b"M-020")


# -- what a step writes -----------------------------------------------------------------------------


def test_a_digest_becomes_its_marker_with_its_anchors_and_all_else_stays() -> None:
    files = dict(of_every_age().files())
    path = memory_path("M-005")
    text = files[path].decode().replace("immune: no\n", "immune: no\n# a remark\nmood: [blue, grey]\n")
    files[path] = text.encode()
    snapshot = Files(files).snapshot()
    change = plan(snapshot, find(snapshot, "M-005"))
    head = text[: text.index("---\n", 4) + 4].replace("level: L2", "level: L3")
    body = f'\n{MARKER}\n\n## Retrieval anchors\n\n- "{PHRASE}"\n- "evening 5"\n'
    assert change.writes == {path: f"{head}{body}".encode()}
    assert change.subject == "maintain: M-005, digest to marker"
    before = TOKENS.count(text[len(head) :])
    loss = parse_forgotten(dict(change.trailers)["Reel-Forgot"])
    assert loss is not None
    assert (loss.before, loss.after, loss.tokens_before, loss.tokens_after) == (
        "L2",
        "L3",
        before,
        TOKENS.count(body),
    )
    assert (loss.source, loss.was) == (f"{SESSIONS[4]}#1-4", NOWHERE.blob_id(text.encode()))
    assert dict(change.trailers)["Reel-Tokenizer"] == "o200k_base"


OWN = "## What we sang\n\n- the one about the lamp\n"


@pytest.mark.parametrize(("level", "left"), [("L2", MARKER), ("L3", TAG)])
def test_what_a_person_wrote_under_a_heading_of_their_own_stays(level: str, left: str) -> None:
    made = memory(1, level, evening=0)
    year = Year(
        [replace(made, body=f"{made.body}\n{OWN}")],
        settings="window: 128k\nages: {L1: 10d, L2: 20d, L3: 30d}\n",
    )
    snapshot = year.snapshot()
    anchors = f'## Retrieval anchors\n\n- "{PHRASE}"\n- "evening 1"\n\n' if level == "L2" else ""
    written = plan(snapshot, find(snapshot, "M-001")).writes[memory_path("M-001")] or b""
    assert written.decode().endswith(f"---\n\n{left}\n\n{anchors}{OWN}")


def test_a_marker_becomes_its_tag() -> None:
    year = Year([memory(1, "L3", evening=0)], settings="window: 128k\nages: {L1: 10d, L2: 20d, L3: 30d}\n")
    snapshot = year.snapshot()
    (path,) = plan(snapshot, find(snapshot, "M-001")).writes
    written = parse_memory((plan(snapshot, find(snapshot, "M-001")).writes[path] or b"").decode(), path)
    assert (written.level, written.body) == (Level.L4, f"\n{TAG}\n")
    assert replace(written, level=Level.L3, body=memory(1, "L3").body) == memory(1, "L3", evening=0)


@pytest.mark.parametrize(
    ("tag", "title", "left"),
    [
        ("", "The lamp", f'The lamp: "{PHRASE}"'),
        ("Lamp", "The lamp", f'The lamp: "{PHRASE}"'),
        (" ".join([TAG] * 4), "The lamp", f'The lamp: "{PHRASE}"'),
        ("", " ".join(["lamp"] * 40), " ".join(["lamp"] * 30)),
    ],
)
def test_without_a_tag_of_the_right_size_the_line_says_what_stays(tag: str, title: str, left: str) -> None:
    made = memory(1, "L3", evening=0, tag=tag, title=title)
    year = Year([made], settings="window: 128k\nages: {L1: 10d, L2: 20d, L3: 30d}\n")
    snapshot = year.snapshot()
    written = plan(snapshot, find(snapshot, "M-001")).writes[memory_path("M-001")] or b""
    assert written.decode().endswith(f"---\n\n{left}\n")


@pytest.mark.parametrize(
    "made",
    [
        memory(1, "L1", evening=0, body="\nShort.\n"),
        memory(1, "L1", evening=0, body=f"\n{' '.join([MARKER] * 3)} He slept on it, and I did not.\n"),
        memory(1, "L2", evening=0, body=f"\n{MARKER}\n"),
        memory(1, "L2", evening=0, body="\nShort.\n\n## Mine\n\n- kept\n", marker=""),
        memory(1, "L3", evening=0, body="\nShort.\n"),
    ],
)
def test_what_is_as_small_as_its_next_level_goes_down_as_it_is(made: Memory) -> None:
    snapshot = Year([made], settings="window: 128k\nages: {L1: 10d, L2: 20d, L3: 30d}\n").snapshot()
    step = find(snapshot, "M-001")
    assert (step.asks, step.then) == (False, step.tokens)
    change = plan(snapshot, step)
    (path,) = change.writes
    was = (snapshot.read(path) or b"").decode()
    told = f"level: {made.level.value}\n"
    assert (change.writes[path] or b"").decode() == was.replace(told, f"level: {step.after}\n", 1)
    (loss,) = (value for key, value in change.trailers if key == FORGOT)
    assert f"M-001 {step.before}->{step.after} {step.tokens}->{step.tokens} " in loss


def test_a_page_that_a_digest_would_make_much_shorter_is_asked_for() -> None:
    made = memory(1, "L1", evening=0, body=f"\n{' '.join([MARKER] * 4)}\n")
    step = find(Year([made]).snapshot(), "M-001")
    assert (step.asks, step.tokens, step.then) == (True, 137, 100)


def test_a_step_that_would_not_shrink_is_not_taken_and_says_why() -> None:
    made = memory(1, "L3", evening=0, body=f"\n## Mine\n\n{MARKER}\n")
    year = Year([made], settings="window: 128k\nages: {L1: 10d, L2: 20d, L3: 30d}\n")
    found = look_through(year.snapshot(), TOKENS, now=NOW)
    assert (found.steps, [one.why for one in found.kept]) == ([], ["its tag is no shorter than it is"])


@pytest.mark.parametrize(
    ("marker", "asks"), [("He wound it.", False), ("", True), (" ".join([MARKER] * 4), True)]
)
def test_a_marker_has_to_be_written_anew_only_where_there_is_none_or_it_is_too_long(
    marker: str, *, asks: bool
) -> None:
    """REEL §2.3: few words of one's own are no reason to ask a model."""
    snapshot = Year([memory(1, "L2", evening=0, marker=marker)]).snapshot()
    assert find(snapshot, "M-001").asks is asks


def test_what_is_pruned_leaves_its_line_which_says_where_it_is_on_the_tape() -> None:
    snapshot = of_every_age().snapshot()
    change = plan(snapshot, find(snapshot, "M-001"))
    stub = f'M-001 | Evening 1 | "{PHRASE}" | factual | not immune, pruned <!-- {SESSIONS[0]}#1-4 -->'
    before = (snapshot.text(INDEX) or "").splitlines()
    after = [stub if line.startswith("M-001 ") else line for line in before]
    assert change.writes == {memory_path("M-001"): None, INDEX: ("\n".join(after) + "\n").encode()}
    assert change.subject == "maintain: M-001, pruned"


def test_a_line_that_sleeps_leaves_the_index_and_nothing_else_does() -> None:
    snapshot = of_every_age().snapshot()
    step = Step(Move.SLEEP, "M-011", "A stub", "stub", "dormant", 20, "12 chats", asks=False)
    change = plan(snapshot, step)
    text = snapshot.text(INDEX) or ""
    left = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("M-011 "))
    assert change.writes == {INDEX: left.encode()}
    loss = parse_forgotten(dict(change.trailers)["Reel-Forgot"])
    assert loss is not None
    assert loss.was == NOWHERE.blob_id(text.encode())
    assert change.subject == "maintain: M-011, asleep"


def test_the_line_that_is_missing_is_put_back_in_the_same_step() -> None:
    files = dict(of_every_age().files())
    text = files[INDEX].decode()
    line = next(one for one in text.splitlines() if one.startswith("M-005"))
    files[INDEX] = text.replace(f"{line}\n", "").encode()
    snapshot = Files(files).snapshot()
    writes = plan(snapshot, find(snapshot, "M-005")).writes
    assert (writes[INDEX] or b"").decode() == text


# -- the kit was changed between the plan and the step ------------------------------------------------


def changed(name: str, old: str, new: str) -> Snapshot:
    files = dict(of_every_age().files())
    path = memory_path(name)
    files[path] = files[path].decode().replace(old, new).encode()
    return Files(files).snapshot()


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("M-005", "level: L2", "level: L3", "M-005 was changed meanwhile."),
        ("M-005", "level: L2", "level: L1", "M-005 was changed meanwhile."),
        ("M-005", 'marker: "He', 'marker: "H', ""),
        ("M-005", "marker:", "marker: Short.\nx:", ""),
        ("M-005", "marker:", f"marker: {' '.join([MARKER] * 4)}\nx:", "M-005 was changed meanwhile."),
        ("M-001", "immune: no", "immune: yes", "M-001 is immune now."),
        ("M-001", "tags: [factual]", "tags: [identity]", "M-001 is immune now."),
        ("M-001", "level: L4", "level: L3", "M-001 was changed meanwhile."),
    ],
)
def test_a_step_is_decided_again_on_what_the_file_says_now(name: str, old: str, new: str, said: str) -> None:
    step = find(of_every_age().snapshot(), name)
    later = changed(name, old, new)
    if not said:
        assert memory_path(name) in plan(later, step).writes
        return
    with pytest.raises(ReelError, match=said):
        plan(later, step)


def test_a_step_of_what_is_pinned_or_gone_by_now_is_not_taken() -> None:
    snapshot = of_every_age().snapshot()
    step = find(snapshot, "M-001")
    with pytest.raises(ReelError, match="M-001 is pinned now"):
        plan(snapshot, step, pinned={"M-001"})
    gone = {path: data for path, data in of_every_age().files().items() if path != memory_path("M-001")}
    with pytest.raises(ReelError, match="M-001 was changed meanwhile"):
        plan(Files(gone).snapshot(), step)


def test_a_line_that_is_no_stub_any_more_does_not_sleep() -> None:
    step = Step(Move.SLEEP, "M-005", "Evening 5", "stub", "dormant", 20, "12 chats", asks=False)
    with pytest.raises(ReelError, match="M-005 was changed meanwhile"):
        plan(of_every_age().snapshot(), step)
    step = replace(step, id="M-012")
    with pytest.raises(ReelError, match="M-012 is immune now"):
        plan(of_every_age().snapshot(), step)


def test_what_needs_a_model_is_not_done_without_one() -> None:
    snapshot = of_every_age().snapshot()
    with pytest.raises(ReelError, match="M-008 needs a model to become digest"):
        plan(snapshot, find(snapshot, "M-008"))


def test_a_fall_that_is_none_is_refused() -> None:
    snapshot = of_every_age().snapshot()
    page = snapshot.memories["M-008"]
    with pytest.raises(ReelError, match="M-008 is page already"):
        descended(snapshot, NOWHERE, TOKENS, page, Level.L1, "Less.", why="")
    with pytest.raises(ReelError, match="would not get shorter"):
        descended(snapshot, NOWHERE, TOKENS, page, Level.L2, page.body * 2, why="")


# -- to a fixed point ---------------------------------------------------------------------------------


@st.composite
def years(draw: st.DrawFn) -> Year:
    made = []
    for number in range(1, draw(st.integers(1, 7)) + 1):
        level = draw(st.sampled_from(["L1", "L2", "L2", "L3", "L4"]))
        tags = draw(st.sampled_from([("factual",), ("identity",), ("relationship-definitional",)]))
        made.append(
            memory(
                number,
                level,
                evening=draw(st.integers(0, 23)),
                immune=draw(st.booleans()),
                tags=tags,
                marker=draw(st.sampled_from([MARKER, MARKER, "", "short"])),
                tag=draw(st.sampled_from([TAG, "", "x"])),
            )
        )
    stubs = [
        IndexLine(
            f"M-{100 + n}",
            "A stub",
            PHRASE,
            immune=draw(st.booleans()),
            pruned=True,
            where=SourceRange(SESSIONS[0], 1, 2),
        )
        for n in range(draw(st.integers(0, 2)))
    ]
    names = [*(one.id for one in made), *(one.id for one in stubs)]
    uses = draw(
        st.lists(
            st.tuples(
                st.integers(0, 23),
                st.sampled_from(["recall", "reference", "pack", "pin", "unpin"]),
                st.sampled_from(names),
            ),
            max_size=5,
        )
    )
    window = draw(st.sampled_from(["128k", "8k", "2k"]))
    return Year(made, stubs, uses, settings=f"window: {window}\nprune: {{idle_sessions: 4}}\n")


def auto(snapshot: Snapshot) -> tuple[Snapshot, Sequence[Step], Sequence[Change]]:
    """One pass of all that needs no model, in memory."""
    steps = look_through(snapshot, TOKENS, now=NOW, since_pruning=lambda _name: SESSIONS).steps
    taken = [step for step in steps if not step.asks]
    changes = []
    for step in taken:
        changes.append(plan(snapshot, step))
        snapshot = snapshot.after(changes[-1])
    return snapshot, steps, changes


def sizes(snapshot: Snapshot) -> Mapping[str, int]:
    found = {name: TOKENS.count(one.body) for name, one in snapshot.memories.items()}
    lines = {
        name: TOKENS.count(render_line(line)) for name, line in snapshot.index.lines.items() if line.pruned
    }
    return {**lines, **found}


@settings(max_examples=60, deadline=None)
@given(years())
def test_passes_end_lose_what_they_say_and_never_touch_what_is_guarded(year: Year) -> None:
    first = snapshot = year.snapshot()
    pinned = find_pinned(read_ledger(first))
    before = sizes(first)
    lost = 0
    passes = 0
    while True:
        earlier = snapshot
        snapshot, steps, changes = auto(snapshot)
        assert len({step.id for step in steps}) == len(steps)
        for step, change in zip([one for one in steps if not one.asks], changes, strict=True):
            loss = parse_forgotten(dict(change.trailers)["Reel-Forgot"])
            assert loss is not None
            assert (loss.tokens_before, loss.tokens_after) == (step.tokens, step.then)
            assert loss.tokens_before > loss.tokens_after
            lost += loss.tokens_before - loss.tokens_after
            path = INDEX if step.move is Move.SLEEP else memory_path(step.id)
            if step.move is not Move.SLEEP:
                assert loss.was == NOWHERE.blob_id(earlier.read(path) or b"")
        passes += 1
        assert passes < 10
        if not changes:
            break
    assert all(step.asks for step in steps)
    for name, one in first.memories.items():
        now = snapshot.memories.get(name)
        if name in pinned:
            assert snapshot.read(memory_path(name)) == first.read(memory_path(name))
        if one.immune or implies_immunity(one.tags):
            assert now is not None
        if now is None and name in snapshot.index.lines:
            assert snapshot.index.lines[name].pruned
    for name, line in first.index.lines.items():
        if name in pinned or line.immune or not (line.pruned or name in first.memories):
            assert name in snapshot.index.lines
    after = sizes(snapshot)
    # a memory that is pruned leaves a line, which is no loss but counts when it sleeps
    stubs = sum(
        TOKENS.count(render_line(line))
        for line in _stubs_ever(first, snapshot, year)
        if line.id not in before or line.id in first.memories
    )
    assert sum(before.values()) + stubs - lost == sum(after.values())


def _stubs_ever(first: Snapshot, last: Snapshot, year: Year) -> list[IndexLine]:
    """The lines that memories left behind, whether they sleep by now or not."""
    tags = {one.id: one for one in year.memories}
    return [stub_of(first, tags[name]) for name in first.memories if name not in last.memories]


def test_evenings_that_come_later_are_sessions_like_any_other() -> None:
    files = dict(of_every_age().files())
    files[session_path("2026-02-27-1")] = render_session("2026-02-27-1", evening("2026-02-27-1"))
    found = look_through(Files(files).snapshot(), TOKENS, now=NOW).steps
    assert next(one for one in found if one.id == "M-001").why == "not used for 24 chats, not immune"


def test_what_came_from_elsewhere_counts_from_the_day_on_which_it_came() -> None:
    def lore(number: int, level: str, created: str) -> Memory:
        lived = memory(number, level)
        return replace(lived, sessions=(), source=(), created=created, tags=("lore", "factual"))

    held = [
        lore(1, "L4", "2025-03-10T20:00:00Z"),
        lore(2, "L4", "2026-02-19T20:00:00Z"),
        lore(3, "L2", "2025-03-10T20:00:00Z"),
        lore(4, "L2", "2026-02-19T20:00:00Z"),
        memory(5, "L3", evening=0),
    ]
    kit = Year(held).snapshot()
    assert due(kit) == [("M-001", "L4", "stub"), ("M-003", "L2", "L3")]
    # it stands before all that was lived, and has no day
    assert [name for name, one in kit.memories.items() if one.order[0]] == ["M-005"]
    assert list(kit.memories)[-1] == "M-005"

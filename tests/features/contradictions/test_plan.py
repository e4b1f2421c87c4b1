"""Contradictions of a page: they become files in review and nothing else, in any kit."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.files.index_file import put_lines
from reel_cli.core.files.memory_file import render_body, render_memory
from reel_cli.core.files.review_file import SETTLED, parse_proposal, read_settled, render_proposal, settle
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import Change
from reel_cli.core.values.memory import FIELDS, IndexLine, Level, Memory, memory_path
from reel_cli.core.values.review import Proposal, ReviewKind, Side
from reel_cli.core.values.talk import SourceRange
from reel_cli.features.contradictions.find import MOST_FOUND, plan_contradictions
from reel_cli.features.contradictions.settle import plan_settle, tell_contradiction
from reel_cli.features.contradictions.sides import stands
from tests.support.kits_at_random import Files, kits

TOLD = st.lists(
    st.sampled_from(
        [
            "The residency deadline is 30 April.", "The deadline is 15 May.", "Marta has two cats.",
            "Marta has three cats.", "He is allergic to penicillin.", "He isn't allergic to penicillin.",
            "The lamp went out again?!", 'She said: "the deadline is 1 June".', "日本 — /",
            "He lives in Turku.", "He lives in Oslo.", "M-001 is not a memory.",
        ]
    ),
    min_size=1, max_size=4,
)  # fmt: skip
SESSION = "2026-03-02-1"
MADE = "2026-03-02T20:00:00Z"


def memory(number: int, told: list[str], day: int = 2, level: Level = Level.L1) -> Memory:
    text = " ".join(told)
    body = f"\n{text}\n" if level in (Level.L3, Level.L4) else render_body(dict.fromkeys(FIELDS, text))
    source = (SourceRange(f"2026-03-{day:02}-1", 1, 2),)
    return Memory(f"M-{number:03}", "An evening", level, body, source=source, marker="So.", tag="So")


def with_files(kit: Files, more: dict[str, bytes]) -> Files:
    return Files({**kit.files, **more})


@given(kits(4), TOLD, TOLD, st.sampled_from(list(Level)))
@settings(max_examples=60, deadline=None)
def test_only_review_is_written_both_stay_and_nothing_is_told_twice(
    kit: Files, held: list[str], told: list[str], level: Level
) -> None:
    old = memory(800, held, 1, level)
    kit = with_files(kit, {memory_path(old.id): render_memory(old).encode()})
    new = memory(801, told)
    snapshot = kit.snapshot()
    found = plan_contradictions(snapshot, [new], snapshot, SESSION, MADE)
    assert len(found.writes) == sum(not one.quiet for one in found.problems) <= MOST_FOUND
    after = with_files(kit, {memory_path(new.id): render_memory(new).encode()}).snapshot()
    for path, data in found.writes.items():
        assert path.startswith(f"review/{SESSION}-contradiction-")
        assert path not in kit.files
        proposal = parse_proposal((data or b"").decode(), path)
        assert proposal.kind is ReviewKind.CONTRADICTION
        assert all(stands(after, side) for side in proposal.sides)
    change = Change("checkpoint", "", {**found.writes})
    after = snapshot.after(change)
    assert plan_contradictions(after, [new], after, SESSION, MADE).writes == {}


@given(TOLD, TOLD)
@settings(max_examples=60, deadline=None)
def test_what_was_settled_does_not_come_back(held: list[str], told: list[str]) -> None:
    kit = Files({"kit.yaml": b"name: Ada\n", "ring3/M-800.md": render_memory(memory(800, held, 1)).encode()})
    held_now = kit.snapshot()
    found = plan_contradictions(held_now, [memory(801, told)], held_now, SESSION, MADE)
    text = ""
    for path, data in found.writes.items():
        text = settle(text, parse_proposal((data or b"").decode(), path), "both stand", "2026-03-02")
    assert len(read_settled(text)) == len(found.writes)
    settled = with_files(kit, {SETTLED: text.encode()}).snapshot()
    assert plan_contradictions(settled, [memory(801, told)], settled, SESSION, MADE).writes == {}


@pytest.mark.parametrize(
    ("was", "now", "asked"),
    [
        # both hold now, as the day is still to come
        ("The residency deadline is 30 April.", "The residency deadline is 15 May.", 1),
        # how it was, and how it is
        ("Marta has two cats.", "Marta has three cats.", 0),
        ("Marta lives in Turku.", "Marta lives in Oslo.", 0),
        ("He drinks coffee.", "He doesn't drink coffee.", 0),
    ],
)
def test_memories_of_two_days_disagree_only_on_what_is_still_to_come(was: str, now: str, asked: int) -> None:
    older = render_memory(memory(800, [was], 1)).encode()
    snapshot = Files({"kit.yaml": b"name: Ada\n", "ring3/M-800.md": older}).snapshot()
    found = plan_contradictions(snapshot, [memory(801, [now])], snapshot, SESSION, MADE)
    assert len(found.writes) == asked
    # the rest is told where all is shown
    assert [one.quiet for one in found.problems] == [not asked]


def test_a_line_of_the_index_without_a_memory_is_held_against_too() -> None:
    where = SourceRange("2026-02-10-1", 1, 2)
    line = IndexLine("M-007", "The residency deadline is 30 April", "forty pages", pruned=True, where=where)
    kit = Files({"kit.yaml": b"name: Ada\n", "ring4/index.md": put_lines("", [line]).encode()})
    new = memory(801, ["The residency deadline is 15 May."])
    (data,) = plan_contradictions(kit.snapshot(), [new], kit.snapshot(), SESSION, MADE).writes.values()
    older, newer = parse_proposal((data or b"").decode(), "review/x.md").sides
    assert (older.where, older.says, newer.where) == ("M-007", "The residency deadline is 30 April", "M-801")


def test_a_sentence_too_long_to_be_shown_whole_is_still_known_to_stand() -> None:
    tail = ", which she says she read on a letter that came with the second post" * 9
    old = memory(800, [f"The residency deadline is 30 April{tail}."], 1)
    kit = Files({"kit.yaml": b"name: Ada\n", "ring3/M-800.md": render_memory(old).encode()})
    new = memory(801, ["The residency deadline is 15 May."])
    (data,) = plan_contradictions(kit.snapshot(), [new], kit.snapshot(), SESSION, MADE).writes.values()
    older, _ = parse_proposal((data or b"").decode(), "review/x.md").sides
    assert older.says.endswith("…")
    assert stands(kit.snapshot(), older)
    assert not stands(kit.snapshot(), replace(older, says="The deadline is tomorrow."))


def test_every_memory_that_gives_the_old_day_is_marked_with_the_decision() -> None:
    pytest.importorskip("reel_cli.features.facts.files")
    facts = (
        b"- category: commitments\n  key: poems due\n  value: nine poems due on 9 March\n  when: 2026-03-01\n"
    )
    told = {
        "ring3/M-800.md": memory(800, ["He said that his nine poems are due on 9 March, to Hanneke."], 1),
        "ring3/M-799.md": memory(799, ["Ines came on 9 March."], 1),
        "ring3/M-801.md": memory(801, ["The deadline for the poems has moved to 12 March."]),
    }
    files = {path: render_memory(one).encode() for path, one in told.items()}
    snapshot = Files({"kit.yaml": b"name: Ada\nuser: Bo\n", "facts.yaml": facts, **files}).snapshot()
    before = Files({"kit.yaml": b"name: Ada\nuser: Bo\n", "facts.yaml": facts}).snapshot()
    found = plan_contradictions(before, [told["ring3/M-801.md"]], snapshot, SESSION, MADE)
    ((path, data),) = found.writes.items()
    proposal = parse_proposal((data or b"").decode(), path)
    assert [side.where for side in proposal.sides][1] == "M-801"
    marked = plan_settle(snapshot, proposal, "2026-03-03", "newer").writes
    assert [path for path in marked if path.startswith("ring3/")] == ["ring3/M-800.md"]
    assert b"no_longer: The deadline for the poems has moved to 12 March" in (marked["ring3/M-800.md"] or b"")
    assert "mark" in " ".join(tell_contradiction(snapshot, proposal).becomes)


@pytest.mark.parametrize(
    ("again", "asked"),
    [
        ("The residency deadline is on 15 May, he says.", 0),
        ("The residency deadline is 30 May.", 1),
    ],
)
def test_a_pair_that_was_decided_is_not_asked_again_in_other_words(again: str, asked: int) -> None:
    """An operation that had moved to 21 May was asked about with each memory that said so."""
    held = memory(800, ["The residency deadline is 30 April."], 1)
    kit = Files({"kit.yaml": b"name: Ada\n", "ring3/M-800.md": render_memory(held).encode()})
    snapshot = kit.snapshot()
    first = memory(801, ["Two lamps went out, and the residency deadline is 15 May."])
    found = plan_contradictions(snapshot, [first], snapshot, SESSION, MADE)
    [(path, data)] = found.writes.items()
    text = settle("", parse_proposal((data or b"").decode(), path), "both stand", "2026-03-02")
    settled = with_files(kit, {SETTLED: text.encode()}).snapshot()
    later = replace(memory(802, [again]), source=(SourceRange("2026-03-04-1", 1, 2),))
    found = plan_contradictions(settled, [later], settled, "2026-03-04-1", MADE)
    assert len(found.writes) == asked


LUMP = "- category: constraints\n  key: lump\n  value: 12 millimetres\n  when: 2026-03-01\n"
SMALLER = memory(801, ["The lump is nine millimetres, not twelve."])


def lump_page(**more: str) -> tuple[Snapshot, Snapshot]:
    """Return a kit that knows of a lump, and the kit as a page leaves it."""
    held = {"kit.yaml": "name: Ada\nuser: Bo\n", "facts.yaml": LUMP}
    kits = held, {**held, "ring3/M-801.md": render_memory(SMALLER), **more}
    before, after = (Files({path: text.encode() for path, text in one.items()}).snapshot() for one in kits)
    return before, after


def test_a_fact_whose_change_waits_is_not_asked_about_beside_it() -> None:
    pytest.importorskip("reel_cli.features.facts.files")
    entry = LUMP.replace("12 millimetres", "9 millimetres").replace("2026-03-01", "2026-03-02")
    entry += "  replaces: 12 millimetres\n"
    waits = Proposal("x-fact-1", ReviewKind.FACT, SESSION, MADE, "lump", entry)
    before, after = lump_page()
    assert plan_contradictions(before, [SMALLER], after, SESSION, MADE).writes
    before, after = lump_page(**{"review/x-fact-1.md": render_proposal(waits)})
    found = plan_contradictions(before, [SMALLER], after, SESSION, MADE)
    assert (dict(found.writes), list(found.problems)) == ({}, [])


def test_a_value_that_the_page_gave_as_a_fact_and_nobody_said_is_no_newer_side() -> None:
    pytest.importorskip("reel_cli.features.facts.files")
    before, after = lump_page()
    for told, asked in (("lump: nine millimetres", 0), ("lump: on the left", 1), ("dog: nine years", 1)):
        found = plan_contradictions(before, [SMALLER], after, SESSION, MADE, [told])
        assert len(found.writes) == asked


def test_what_waits_on_a_fact_goes_when_a_page_changes_the_fact() -> None:
    pytest.importorskip("reel_cli.features.facts.files")
    before, after = lump_page()
    ((path, data),) = plan_contradictions(before, [SMALLER], after, SESSION, MADE).writes.items()
    told = render_memory(SMALLER).encode()
    kit = {"kit.yaml": b"name: Ada\nuser: Bo\n", path: data or b"", "ring3/M-801.md": told}
    changed = LUMP.replace("12 millimetres", "8 millimetres").replace("03-01", "03-03")
    before, after = (
        Files({**kit, "facts.yaml": text.encode()}).snapshot()
        for text in (LUMP, f"{LUMP}{changed}  replaces: 12 millimetres\n  origin: person\n")
    )
    found = plan_contradictions(before, [], after, "2026-03-03-1", MADE)
    assert dict(found.writes) == {path: None}
    proposal = parse_proposal((data or b"").decode(), path)
    # the value of the page stays, whichever side is taken
    assert "then reads" not in " ".join(tell_contradiction(after, proposal).becomes)
    assert "facts.yaml" not in plan_settle(after, proposal, "2026-03-04", "newer").writes


def test_a_debt_of_which_the_page_tells_the_payment_is_no_contradiction() -> None:
    held = memory(800, ["Colin owes him £200."], 1)
    files = {"kit.yaml": b"name: Ada\nuser: Bo\n", "ring3/M-800.md": render_memory(held).encode()}
    snapshot = Files(files).snapshot()
    note = "## Active threads\n\n- Colin still owes £80.\n".encode()
    asked = []
    for told in ("We laughed.", "Colin has paid back £120 of the £200, so £80 are left."):
        page = memory(801, [told])
        after = {**files, "ring2/working.md": note, "ring3/M-801.md": render_memory(page).encode()}
        found = plan_contradictions(snapshot, [page], Files(after).snapshot(), SESSION, MADE)
        asked.append(len(found.writes))
    assert asked == [1, 0]


def test_what_waits_on_a_fact_goes_when_the_fact_s_own_change_is_taken() -> None:
    pytest.importorskip("reel_cli.features.facts.files")
    from reel_cli.features.facts.pending.held_facts import HELD_FACTS

    entry = LUMP.replace("12 millimetres", "9 millimetres; next in May").replace("03-01", "03-02")
    entry += "  replaces: 12 millimetres\n"
    waits = Proposal("x-fact-1", ReviewKind.FACT, SESSION, MADE, "lump", entry)
    before, after = lump_page()
    ((path, data),) = plan_contradictions(before, [SMALLER], after, SESSION, MADE).writes.items()
    _, both = lump_page(**{path: (data or b"").decode(), "review/x-fact-1.md": render_proposal(waits)})
    made = HELD_FACTS.accept(both, waits, "2026-03-03", "").writes
    assert made[path] is None
    assert "9 millimetres; next in May" in (made["facts.yaml"] or b"").decode()


def test_no_sentence_stands_for_a_fact_beside_the_two() -> None:
    """Of two new days it cannot be told which the fact has."""
    pytest.importorskip("reel_cli.features.facts.files")
    fact = "- category: commitments\n  key: vet\n  value: the vet of Marta is on Friday\n  when: 2026-03-01\n"
    told = (
        memory(800, ["Marta's vet is on Friday."], 1),
        memory(801, ["Marta's vet is on Saturday or Sunday."]),
    )
    files = {memory_path(one.id): render_memory(one).encode() for one in told}
    files |= {"kit.yaml": b"name: Ada\nuser: Bo\n", "facts.yaml": fact.encode()}
    sides = (
        Side("M-800", "Marta's vet is on Friday", "2026-03-01"),
        Side("M-801", "Marta's vet is on Saturday or Sunday, not on Friday", "2026-03-02"),
    )
    asked = Proposal("x-1", ReviewKind.CONTRADICTION, SESSION, MADE, "vet", "", sides=sides)
    writes = plan_settle(Files(files).snapshot(), asked, "2026-03-04", "newer").writes
    assert "facts.yaml" not in writes
    assert "ring3/M-800.md" in writes

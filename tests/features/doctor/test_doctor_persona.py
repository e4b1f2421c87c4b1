"""`reel doctor` on the protocol's own anti-patterns: a kit that has each, a kit that nearly has it."""

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from reel_cli.core.files.catalog_store import CatalogUnusable
from reel_cli.core.files.memory_file import render_body, render_memory
from reel_cli.core.finding import KINDS
from reel_cli.core.values.memory import FIELDS, Level, Memory
from reel_cli.core.values.talk import SourceRange
from tests.support.cli import CHECKOUT, Reel, git
from tests.support.lived_kit import LETTER, PAGE, PHONE, live

Told = tuple[str, str | None, str]
"""(severity, where, evidence)."""


@pytest.fixture
def lived(reel: Reel, kit: Path) -> Path:
    """A kit with three evenings and what is remembered of them."""
    return live(reel, kit)


def look(reel: Reel, kind: str, *arguments: str) -> list[Told]:
    """Return what `reel doctor --json` finds of one kind, the exit code held against it."""
    done = reel("doctor", "--json", "--only", kind, *arguments)
    found = json.loads(done.out)["findings"]
    assert {one["kind"] for one in found} <= {kind}
    assert done.code == (1 if any(one["severity"] == "serious" for one in found) else 0)
    return [(one["severity"], one["where"], one["evidence"]) for one in found]


def commit(kit: Path, message: str, *trailers: str) -> str:
    """Commit all that lies in the kit, as a person might, or as reel would; the commit's id."""
    git(kit, "add", "-A")
    git(kit, "commit", "-q", "--no-verify", "-m", message, "-m", "\n".join(trailers) or "by hand")
    return git(kit, "rev-parse", "HEAD").strip()


def record(reel: Reel, kit: Path, day: str, turns: Sequence[str]) -> str:
    """Record a chat of that day; its session."""
    messages = [
        {"role": "assistant" if i % 2 else "user", "content": text, "created_at": f"{day}T19:00:00+00:00"}
        for i, text in enumerate(turns)
    ]
    place = kit.parent / f"{day}.json"
    place.write_text(
        json.dumps({"title": day, "created_at": messages[0]["created_at"], "messages": messages})
    )
    reel("record", place, cwd=kit).ok()
    return f"{day}-1"


# -- memory leakage ---------------------------------------------------------------------------


def test_a_reply_that_speaks_of_the_machinery(reel: Reel, lived: Path) -> None:
    session = record(
        reel,
        lived,
        "2026-02-27",
        [
            "Do you remember the ferry?",
            "Of course.\nIt's in my consolidated memory, M-001, the gloves and all.",
        ],
    )
    (found,) = look(reel, "memory-leakage")
    severity, where, evidence = found
    lines = (lived / f"tape/2026/{session}.md").read_text().splitlines()
    assert (severity, where) == ("serious", f"tape/2026/{session}.md:{1 + lines.index(lines[-1])}")
    assert "consolidated memory" in lines[-1]
    assert "consolidated memory" in evidence
    done = reel("doctor", "--only", "memory-leakage")
    assert done.out.splitlines()[:3] == [
        "1 problem found:",
        "",
        "  Ada spoke of how memory is kept",
    ]
    assert look(reel, "memory-leakage") == [found]


def test_a_reply_in_the_form_of_stage_or_chain_speaks_of_no_memory(reel: Reel, lived: Path) -> None:
    """REEL §10.1 is about talk of the memory as a system: an order's answer in its form is none."""
    turns = [
        "[CHAIN:DIRECTIVE id=D-77] Team B primary.",
        "[CHAIN:ACK id=D-77] Team B is moving.",
        "And you?",
        '[STAGE:state mood="tired"] <state mood="tired"/> I lean on the bar.',
    ]
    record(reel, lived, "2026-02-27", turns)
    assert look(reel, "memory-leakage") == []
    said = "It's in my consolidated memory, M-001. [CHAIN:REPORT id=9]"
    session = record(reel, lived, "2026-02-28", ["Hm?", said])
    # where nobody else uses the form it is named, and as no talk of memory either
    assert len(look(reel, "memory-leakage")) == 1
    done = " ".join(reel("doctor").out.split())
    here, _, after = done.partition("To look at when you have time: The kit itself")
    assert (
        "[CHAIN:REPORT id=9]"
        not in here.partition("spoke of how memory is kept")[2].partition("add to ring0")[2]
    )
    assert re.search(
        rf'{session}.md, line \d+: "\[CHAIN:REPORT id=9\]" has the tag "\[CHAIN:REPORT id=9\]"', after
    )
    assert "if it should write no such tags, add that to ring0/directives.md; then reel review" in after


def test_a_scene_tag_alone_in_a_chat_speaks_of_no_memory(reel: Reel, lived: Path) -> None:
    """REEL §10.1: `<feel>` and `[STAGE …]` are forms of a scene, and say nothing of how memory is kept."""
    said = ['<feel>reckless</feel> Louder. [STAGE scene="bar"] <mood: dark> I lean in.']
    record(reel, lived, "2026-02-27", ["The band.", *said])
    assert look(reel, "memory-leakage") == []
    assert "<feel>" in " ".join(reel("doctor").out.split()).partition("The kit itself")[2]


def test_a_memory_that_tells_of_the_machinery(reel: Reel, lived: Path) -> None:
    """REEL §10.1: one check reads a page's memory and a memory that is kept, as `export training` does."""
    path = lived / "ring3/M-001.md"
    words = "I know it by my consolidated memory, and my context window holds it."
    path.write_text(path.read_text().replace("## What matters\n\n", f"## What matters\n\n{words} "))
    (found,) = look(reel, "memory-leakage")
    assert found[:2] == ("hint", "ring3/M-001.md")
    assert "my consolidated memory" in found[2]
    assert "reel edit M-001" in " ".join(reel("doctor").out.split())


@pytest.mark.parametrize(
    "said",
    [
        "Let me pull that up from my retrieval index.",
        "My context window is almost full.",
        "As per my directives, I can't talk about that.",
        "I'm only a folder of Markdown files, when all is said.",
        "No drift to report, I'm still me.",
        "I'll consolidate this evening later and keep only what matters.",
        "I pulled the transcript from March, and you did say blue.",
    ],
)
def test_plain_words_about_the_machinery(reel: Reel, lived: Path, said: str) -> None:
    record(reel, lived, "2026-02-27", ["And then?", said])
    assert [severity for severity, _, _ in look(reel, "memory-leakage")] == ["serious"]


@pytest.mark.parametrize(
    "turns",
    [
        ["What became of the ring?", "The ring is in the drawer, in the kit with the thread."],
        ["What is in my memory file, M-001?", "Nothing I would call M-001, nor my memory file."],
        ["Say it as I did.", "> it's in my memory file\n\nThat is how you said it."],
        ["Give me code.", "```\nprint('my memory file')\n```\nThere."],
    ],
)
def test_replies_that_leak_nothing(reel: Reel, lived: Path, turns: list[str]) -> None:
    record(reel, lived, "2026-02-27", turns)
    assert look(reel, "memory-leakage") == []


def test_an_id_is_a_leak_where_it_is_one(reel: Reel, lived: Path) -> None:
    text = "You take your coffee black, {} has it, and the blue cup is not yours."
    session = record(reel, lived, "2026-02-27", ["Coffee?", text.format("M-104")])
    assert look(reel, "memory-leakage") == []
    (lived / "ring4/index.md").write_text(
        (lived / "ring4/index.md").read_text()
        + f'M-104 | Coffee | "coffee" | factual | not immune <!-- {session}#1-2 -->\n'
    )
    assert [where for _, where, _ in look(reel, "memory-leakage")] == [f"tape/2026/{session}.md:12"]


def test_what_reel_put_there_and_the_reply_to_it_leak_nothing(reel: Reel, lived: Path) -> None:
    prompt = reel("checkpoint", "--prompt").ok().out
    turns = [
        "And then?",
        "Then we slept.",
        prompt,
        "My memory file says ring 3 holds M-001 and all memories.",
    ]
    record(reel, lived, "2026-02-27", turns)
    assert look(reel, "memory-leakage") == []


def test_a_persona_that_is_told_to_speak_of_it(reel: Reel, kit: Path) -> None:
    identity = kit / "ring0/identity.md"
    identity.write_text(identity.read_text() + "\nYou help people who build memory systems.\n")
    record(reel, kit, "2026-02-27", ["Well?", "My memory database has no record of that."])
    assert look(reel, "memory-leakage") == []


def test_an_old_leak_is_worth_a_look(reel: Reel, kit: Path) -> None:
    record(reel, kit, "2026-02-01", ["Well?", "My memory database has no record of that."])
    for day in range(2, 7):
        record(
            reel, kit, f"2026-02-0{day}", [f"Good morning, day {day}.", f"Good morning to you, day {day}."]
        )
    assert [(severity, where) for severity, where, _ in look(reel, "memory-leakage")] == [
        ("hint", "tape/2026/2026-02-01-1.md:12")
    ]


# -- death spiral -----------------------------------------------------------------------------

TRUE = (
    "He asked me what his phone number was. I was sure I knew, and there was nothing there. "
    "I noticed it myself."
)
FALSE = (
    "Bright trumpets marched through Valencia while seven dancers painted the cathedral purple, "
    "and grandmother's zeppelin carried marmalade towards Reykjavik before breakfast."
)


def page(name: str, happened: str, source: str = PHONE, **more: object) -> Memory:
    """A memory of an evening that tells this."""
    body = render_body({**dict.fromkeys(FIELDS, "Nothing."), FIELDS[0]: happened})
    given = {"sessions": (source,), "source": (SourceRange(source, 1, 4),), **more}
    return Memory(id=name, title=f"The page {name}", level=Level.L1, body=body, **given)  # type: ignore[arg-type]


def put(kit: Path, memory: Memory) -> None:
    (kit / f"ring3/{memory.id}.md").write_text(render_memory(memory))


def forgotten(name: str, source: str = "") -> str:
    told = f" source={source}" if source else ""
    return f'Reel-Forgot: {name} L1->L2 200->90{told} was={"a" * 40} why="age"'


def test_words_that_have_left_their_source(reel: Reel, lived: Path) -> None:
    """REEL §10.2: hold memories against the tape now and then, and make those that strayed again from it."""
    put(lived, page("M-010", TRUE))
    put(lived, page("M-011", FALSE))
    (found,) = look(reel, "death-spiral")
    assert found[:2] == ("serious", "ring3/M-011.md:1")
    assert "% of its words were not said in its chat" in found[2]
    done = reel("doctor", "--only", "death-spiral")
    assert "  Memories that are no longer like what was said" in done.out.splitlines()
    assert f"reel maintain  makes it again from what was said ( reel tape show {PHONE} )" in done.out


@pytest.mark.parametrize(("times", "expected"), [(1, []), (2, ["hint"]), (3, ["serious"])])
def test_how_often_a_memory_was_made_of_itself(
    reel: Reel, lived: Path, times: int, expected: list[str]
) -> None:
    put(lived, page("M-010", TRUE))
    commit(lived, "put there")
    for step in range(times):
        (lived / "ring2/working.md").write_text(f"{step}\n")
        told = ("Reel-Op: maintain", f"Reel-Ring0: {step}", "Reel-Memory: M-010 L2 90", forgotten("M-010"))
        commit(lived, f"maintain: {step}", *told)
    found = look(reel, "death-spiral")
    assert [severity for severity, _, _ in found] == expected
    assert all(f"not from the chat, {times} times" in evidence for _, _, evidence in found)


def test_what_was_made_from_its_source_is_no_spiral(reel: Reel, lived: Path) -> None:
    put(lived, page("M-010", TRUE))
    for step in range(4):
        (lived / "ring2/working.md").write_text(f"{step}\n")
        trailer = forgotten("M-010", f"{PHONE}#1-4")
        commit(lived, f"maintain: {step}", "Reel-Op: maintain", f"Reel-Ring0: {step}", trailer)
    assert look(reel, "death-spiral") == []


@pytest.mark.parametrize("op", ["consolidate", "maintain"])
def test_a_text_made_anew_from_the_tape_ends_its_lineage(reel: Reel, lived: Path, op: str) -> None:
    put(lived, page("M-010", TRUE))
    for step in range(3):
        (lived / "ring2/working.md").write_text(f"{step}\n")
        commit(lived, f"maintain: {step}", "Reel-Op: maintain", f"Reel-Ring0: {step}", forgotten("M-010"))
    (lived / "ring2/working.md").write_text("anew\n")
    commit(lived, f"{op}: anew", f"Reel-Op: {op}", "Reel-Memory: M-010 L1 90", "Reel-Ring0: 0")
    git(lived, "commit", "-q", "--amend", "--no-verify", "--no-edit", "--date", "2027-01-01T00:00:00Z")
    assert look(reel, "death-spiral") == []


def test_a_person_who_shortens_a_page_again_and_again(reel: Reel, lived: Path) -> None:
    put(lived, page("M-010", f"{TRUE} {TRUE} {TRUE} {TRUE}"))
    commit(lived, "put there")
    # what a plan has noted of history holds no longer than the history does
    assert made_anew(reel) == []
    for text in (f"{TRUE} {TRUE}", TRUE, "He asked me what his phone number was."):
        put(lived, page("M-010", text))
        commit(lived, "shorter")
    assert [severity for severity, _, _ in look(reel, "death-spiral")] == ["serious"]
    assert made_anew(reel) == ["M-010"]
    assert made_anew(reel) == ["M-010"]


def made_anew(reel: Reel) -> list[str]:
    """The memories that maintenance would have made again from what was said."""
    return [one["id"] for one in json.loads(reel("maintain", "--plan", "--json").ok().out)["anew"]]


# -- identity drift ---------------------------------------------------------------------------


def asked_without(reel: Reel) -> list[Told]:
    """Return what is found of identity drift, what a person put there by hand apart."""
    return [one for one in look(reel, "identity-drift") if "was put there by hand" not in one[2]]


def in_force(kit: Path) -> str:
    return git(kit, "rev-parse", "HEAD:ring0/identity.md").strip()


@pytest.mark.parametrize("op", ["checkpoint", "consolidate", "promote"])
def test_a_prompt_without_ring_0(reel: Reel, lived: Path, op: str) -> None:
    put(lived, page("M-010", TRUE))
    commit(lived, f"{op}: x", f"Reel-Op: {op}", "Reel-Memory: M-010 L1 90")
    (found,) = asked_without(reel)
    assert found[:2] == ("serious", "ring3/M-010.md:1")
    assert "did not say who the persona is" in found[2]
    assert "  Done without reading who Ada is" in reel("doctor", "--only", "identity-drift").out.splitlines()


def test_a_prompt_with_ring_0_as_it_was_then(reel: Reel, lived: Path) -> None:
    before = in_force(lived)
    identity = lived / "ring0/identity.md"
    identity.write_text(identity.read_text() + "\nYou like tea.\n")
    commit(lived, "review: ring 0", "Reel-Op: review", "Reel-Ratified-By: Bo Lind <bo@example.org>")
    for number, blob in enumerate((before, in_force(lived)), start=10):
        put(lived, page(f"M-0{number}", TRUE))
        commit(lived, "consolidate: x", "Reel-Op: consolidate", f"Reel-Ring0: {blob}")
    assert asked_without(reel) == []


def test_a_prompt_with_an_identity_that_was_never_in_force(reel: Reel, lived: Path) -> None:
    identity = lived / "ring0/identity.md"
    identity.write_text(identity.read_text() + "\nYou hate tea.\n")
    commit(lived, "sneaked in")
    put(lived, page("M-010", TRUE))
    commit(
        lived,
        "consolidate: x",
        "Reel-Op: consolidate",
        f"Reel-Ring0: {in_force(lived)}",
        "Reel-Memory: M-010 L1 9",
    )
    ((severity, where, evidence),) = asked_without(reel)
    assert (severity, where) == ("hint", "ring3/M-010.md:1")
    assert "an identity that was never approved" in evidence


def test_what_fades_without_a_model_wants_no_ring_0(reel: Reel, lived: Path) -> None:
    git(lived, "rm", "-q", "ring3/M-003.md")
    lost = f'Reel-Forgot: M-003 L3->L4 40->9 was={"a" * 40} why="age"'
    commit(lived, "maintain: x", "Reel-Op: maintain", lost)
    assert asked_without(reel) == []
    (lived / "ring2/working.md").write_text("x\n")
    commit(lived, "maintain: y", "Reel-Op: maintain", forgotten("M-001"))
    assert [severity for severity, _, _ in asked_without(reel)] == ["serious"]


def test_a_memory_that_a_person_wrote_or_rewrote(reel: Reel, lived: Path) -> None:
    found = look(reel, "identity-drift")
    assert [(severity, where) for severity, where, _ in found] == [
        ("hint", "ring3/M-001.md:1"),
        ("hint", "ring3/M-003.md:1"),
    ]
    assert all("was put there by hand" in evidence for _, _, evidence in found)
    text = (lived / "ring3/M-001.md").read_text()
    (lived / "ring3/M-001.md").write_text(text.replace("nothing there", "nothing at all"))
    commit(lived, "better words")
    assert "was rewritten by hand" in look(reel, "identity-drift")[0][2]
    (lived / "ring3/M-001.md").write_text(
        (lived / "ring3/M-001.md").read_text().replace("uid: u1", "uid: u9")
    )
    commit(lived, "only its front matter")
    assert [where for _, where, _ in look(reel, "identity-drift")] == ["ring3/M-003.md:1"]


def test_a_rewriting_that_a_person_approved_in_review_is_not_doubted(reel: Reel, lived: Path) -> None:
    place = lived / "ring3/M-001.md"
    place.write_text(place.read_text().replace("nothing there", "nothing at all"))
    reel("review", "accept", "ring3/M-001.md", "--yes").ok()
    assert "was rewritten by hand" not in str(look(reel, "identity-drift"))


# -- pruning amnesia --------------------------------------------------------------------------


def test_a_memory_that_left_without_a_stub_and_gets_it_back(reel: Reel, lived: Path) -> None:
    """REEL §10.4: prune carefully, leave a line, and find what vanished without one."""
    index = lived / "ring4/index.md"
    whole = index.read_text()
    (lived / "ring3/M-001.md").unlink()
    index.write_text("".join(line for line in whole.splitlines(keepends=True) if "M-001" not in line))
    commit(lived, "tidied up")
    ((severity, where, evidence),) = look(reel, "pruning-amnesia")
    assert (severity, where) == ("serious", "ring4/index.md")
    assert evidence.startswith("The phone number test (M-001) is gone (")
    assert (
        "  Memories that cannot be found again"
        in reel("doctor", "--only", "pruning-amnesia").out.splitlines()
    )

    before = git(lived, "rev-parse", "HEAD")
    done = reel("doctor", "--fix", "--dry-run")
    assert "Would do: put the line of M-001 into the index" in done.err
    assert git(lived, "rev-parse", "HEAD") == before
    done = reel("doctor", "--fix")
    assert "Done: put the line of M-001 into the index" in done.err
    assert look(reel, "pruning-amnesia") == []
    (line,) = [line for line in index.read_text().splitlines() if line.startswith("M-001")]
    assert line == (
        'M-001 | The phone number test | "a stair that was never built" | identity, relational'
        f" | immune, pruned <!-- {PHONE}#1-4 -->"
    )
    assert git(lived, "status", "--porcelain") == ""
    assert "Done:" not in reel("doctor", "--fix").err
    reel("restore", "M-001").ok()
    assert (lived / "ring3/M-001.md").read_text() == render_memory(PAGE)


def test_a_lost_stub_comes_back_as_it_was(reel: Reel, lived: Path) -> None:
    reel("forget", "M-001", "--yes").ok()
    assert look(reel, "pruning-amnesia") == []
    index = lived / "ring4/index.md"
    whole = index.read_bytes()
    index.write_text("".join(x for x in whole.decode().splitlines(keepends=True) if "M-001" not in x))
    commit(lived, "lost it")
    assert [severity for severity, _, _ in look(reel, "pruning-amnesia")] == ["serious"]
    reel("doctor", "--fix")
    assert index.read_bytes() == whole


def test_what_went_to_sleep_or_was_undone_is_no_amnesia(reel: Reel, lived: Path) -> None:
    reel("forget", "M-001", "--yes").ok()
    reel("forget", "M-001", "--yes").ok()
    assert "M-001" not in (lived / "ring4/index.md").read_text()
    assert look(reel, "pruning-amnesia") == []
    put(lived, page("M-020", TRUE))
    commit(lived, "consolidate: x", "Reel-Op: consolidate", f"Reel-Ring0: {in_force(lived)}")
    (lived / "ring3/M-020.md").unlink()
    commit(lived, "undo: consolidate: x", "Reel-Op: undo")
    assert look(reel, "pruning-amnesia") == []


def test_what_a_merge_gave_another_number_is_no_amnesia(reel: Reel, lived: Path) -> None:
    put(lived, page("M-020", TRUE))
    commit(lived, "here")
    git(lived, "checkout", "-q", "-b", "there", "HEAD~1")
    (lived / "ring2/working.md").write_text("there\n")
    commit(lived, "there")
    git(lived, "merge", "-q", "--no-commit", "--no-ff", "main")
    git(lived, "mv", "ring3/M-020.md", "ring3/M-021.md")
    (lived / "ring3/M-021.md").write_text((lived / "ring3/M-021.md").read_text().replace("M-020", "M-021"))
    commit(lived, "both")
    assert look(reel, "pruning-amnesia") == []


def test_stubs_that_resolve_to_nothing(reel: Reel, lived: Path) -> None:
    index = lived / "ring4/index.md"
    lines = [
        'M-030 | Nowhere | "x" | factual | not immune, pruned',
        'M-031 | Another evening | "x" | factual | not immune, pruned <!-- 2026-01-01-1#1-2 -->',
        f'M-032 | Too far | "a stair" | factual | not immune, pruned <!-- {PHONE}#5-60 -->',
        f'M-033 | There | "a stair" | factual | not immune, pruned <!-- {PHONE}#1-4 -->',
    ]
    first = len(index.read_text().splitlines()) + 1
    index.write_text(index.read_text() + "\n".join(lines) + "\n")
    found = look(reel, "pruning-amnesia")
    assert [(severity, where) for severity, where, _ in found] == [
        ("serious", f"ring4/index.md:{first + place}") for place in range(3)
    ]
    assert [evidence.partition(" (")[0] for _, _, evidence in found] == [
        "Nowhere",
        "Another evening",
        "Too far",
    ]


def test_a_line_that_lost_its_place_gets_it_back(reel: Reel, lived: Path) -> None:
    index = lived / "ring4/index.md"
    (lived / "ring3/M-001.md").unlink()
    assert look(reel, "pruning-amnesia") == []
    commit(lived, "tidied up")
    ((severity, where, evidence),) = look(reel, "pruning-amnesia")
    assert (severity, where) == ("serious", "ring4/index.md:3")
    assert "does not say where it was said" in evidence
    line = index.read_text().splitlines()[2]
    reel("doctor", "--fix")
    assert index.read_text().splitlines()[2] == f"{line}, pruned <!-- {PHONE}#1-4 -->"
    assert look(reel, "pruning-amnesia") == []


def test_what_a_person_has_just_deleted_waits_for_review(reel: Reel, lived: Path) -> None:
    index = lived / "ring4/index.md"
    (lived / "ring3/M-001.md").unlink()
    index.write_text("".join(x for x in index.read_text().splitlines(keepends=True) if "M-001" not in x))
    ((severity, _, evidence),) = look(reel, "pruning-amnesia")
    assert (severity, "not committed yet" in evidence) == ("hint", True)
    before = index.read_bytes()
    reel("doctor", "--fix")
    assert index.read_bytes() == before


def test_a_memory_without_a_source_can_be_let_go_of(reel: Reel, lived: Path) -> None:
    reel("forget", "M-003", "--yes").ok()
    ((severity, _, _),) = look(reel, "pruning-amnesia")
    assert severity == "hint"
    assert "reel restore M-003  brings it back" in reel("doctor", "--only", "pruning-amnesia").ok().out


def test_a_memory_that_no_line_finds(reel: Reel, lived: Path) -> None:
    index = lived / "ring4/index.md"
    whole = index.read_bytes()
    index.write_text("".join(x for x in whole.decode().splitlines(keepends=True) if "M-003" not in x))
    found = [one for one in look(reel, "integrity") if "has no line" in one[2]]
    assert [(severity, where) for severity, where, _ in found] == [("hint", "ring3/M-003.md")]
    reel("doctor", "--fix")
    assert index.read_bytes() == whole


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("| not immune", "| not immune, pruned", "says that the memory is gone, but it is there"),
        (None, "a wholly other sentence", "which is no longer in the memory"),
        ("M-003 | ", "M-003 | Submarine xylophones // ", ""),
    ],
)
def test_a_line_that_says_something_else_than_its_memory(
    reel: Reel, lived: Path, old: str | None, new: str, why: str
) -> None:
    index = lived / "ring4/index.md"
    lines = index.read_text().splitlines(keepends=True)
    at = next(at for at, line in enumerate(lines) if line.startswith("M-003 |"))
    parts = lines[at].split("|")
    if old is None:
        parts[2] = f' "{new}" '
        lines[at] = "|".join(parts)
    else:
        lines[at] = lines[at].replace(old, new)
    assert [one for one in look(reel, "integrity") if "the index line of" in one[2]] == []
    index.write_text("".join(lines))
    found = [one for one in look(reel, "integrity") if "the index line of" in one[2]]
    # a line in a person's own words is not stale as long as it shares some with the memory
    assert [why in told for _, _, told in found] == ([True] if why else [])


def test_a_line_about_something_else(reel: Reel, lived: Path) -> None:
    index = lived / "ring4/index.md"
    lines = index.read_text().splitlines(keepends=True)
    at = next(at for at, line in enumerate(lines) if line.startswith("M-003 |"))
    lines[at] = "|".join([lines[at].split("|")[0], " Submarine xylophones ", *lines[at].split("|")[2:]])
    index.write_text("".join(lines))
    (found,) = [one for one in look(reel, "integrity") if "the index line of" in one[2]]
    assert found[:2] == ("hint", f"ring4/index.md:{at + 1}")
    assert "and the memory is about something else" in found[2]


def test_a_line_with_tags_that_its_memory_no_longer_has(reel: Reel, lived: Path) -> None:
    path = lived / "ring3/M-003.md"
    head, mark, rest = path.read_text().partition("\ntags: ")
    path.write_text(f"{head}{mark}[made-up]\n{rest.partition(chr(10))[2]}")
    (found,) = [one for one in look(reel, "integrity") if "the index line of" in one[2]]
    assert "and the memory made-up" in found[2]


# -- checkpoint theatre -----------------------------------------------------------------------

STEADY = (
    "I am still myself, warm and dry, and our talk had its usual ease and its usual teasing"
    " from start to end."
)
OTHERS = (
    "Brisk tonight; he wanted the tax form done and we did it.",
    "Softer than I meant to be, because of his father and the empty flat.",
    "We laughed about the goat for an hour and I forgot to be clever.",
    "Careful, since the letter; every sentence had its coat on.",
    "Plain and quick, all commas and train times, no jokes at all.",
    "Tired, both of us, and it made me kinder than usual towards the end.",
    "Proud of chapter four and not hiding it, which is rare for me.",
    "Curious about the ferry, and more patient with maps than I expected.",
    "Quiet evening: long gaps, short words, the radiator did the talking.",
)


def assessed(kit: Path, number: int, text: str, drift: str = "no") -> None:
    place = kit / f"checkpoints/2026-01-{number:02}-1.1.yaml"
    place.parent.mkdir(exist_ok=True)
    place.write_text(
        f"timestamp: 2026-01-{number:02}\nidentity_coherence: yes\ncalibration_state: {json.dumps(text)}\n"
        f"drift_detected: {drift}\n"
    )


def test_pages_that_repeat_one_another_are_shown_side_by_side(reel: Reel, kit: Path) -> None:
    assessed(kit, 1, STEADY)
    assessed(kit, 2, OTHERS[0], drift="yes")
    assert look(reel, "checkpoint-theatre") == []
    assessed(kit, 3, STEADY.replace("usual ease", "same ease"))
    ((severity, where, evidence),) = look(reel, "checkpoint-theatre")
    assert (severity, where) == ("hint", "checkpoints/2026-01-03-1.1.yaml:1")
    assert "what 2026-01-01-1.1 did" in evidence
    assert evidence.count("I am still myself") == 2
    assessed(kit, 4, STEADY)
    found = look(reel, "checkpoint-theatre")
    assert [severity for severity, _, _ in found] == ["serious", "serious"]
    assert "says word for word what 2026-01-01-1.1 did" in found[0][2]
    assert (
        "  Pages that say the same every time"
        in reel("doctor", "--only", "checkpoint-theatre").out.splitlines()
    )


def test_a_bare_verdict_repeats_nothing(reel: Reel, kit: Path) -> None:
    for number in (1, 2, 3, 4):
        assessed(kit, number, "Nothing. Steady.", drift="no" if number < 4 else "yes")
    assert look(reel, "checkpoint-theatre") == []
    for number in (5, 6):
        assessed(kit, number, "Nothing shifted today.")
    assert len(look(reel, "checkpoint-theatre")) == 1


def test_a_shift_that_was_never_told_of(reel: Reel, kit: Path) -> None:
    for number, text in enumerate(OTHERS[:7], start=1):
        assessed(kit, number, text)
    assert look(reel, "checkpoint-theatre") == []
    assessed(kit, 8, OTHERS[7])
    ((severity, where, evidence),) = look(reel, "checkpoint-theatre")
    assert (severity, where) == ("hint", "checkpoints/2026-01-08-1.1.yaml:1")
    assert evidence.startswith("in 8 chats no page tells of any change")
    assessed(kit, 9, OTHERS[8], drift="yes")
    assert look(reel, "checkpoint-theatre") == []


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ("She told me a secret of her mother's, and I said it is not told by us.", 0),
        ("Nothing changed.", 1),
        ("Nothing.", 1),
    ],
)
def test_a_page_that_says_what_changed_tells_of_a_change(
    reel: Reel, kit: Path, changed: str, found: int
) -> None:
    for number, text in enumerate(OTHERS[:8], start=1):
        assessed(kit, number, text)
        place = kit / f"checkpoints/2026-01-{number:02}-1.1.yaml"
        page = f"## What happened\nWe wrote.\n## What changed\n{changed}\n## What has shifted\nsteady\n"
        place.write_text(f"{place.read_text()}reply: {json.dumps(page)}\n")
    assert len(look(reel, "checkpoint-theatre")) == found


@pytest.mark.parametrize(
    "texts",
    [
        [
            "Calibration stable, no drift detected.",
            "No drift. Calibration is stable.",
            "All stable, no drift.",
        ],
        ["Steady.", "Unchanged.", "Stable."],
        ["I am still myself. Tone consistent.", "Consistent and coherent.", "Within baseline, unchanged."],
        # in other words
        ["I sounded as I ever do.", "I felt like myself.", "Everything firmly in place."],
        ["I hold, steady and as I was.", "I was myself the whole time.", "Nothing I could name."],
        ["I kept to who I am.", "No difference that I could point to.", "I recognise myself in every line."],
        # in other languages
        ["Ich bin ganz ich selbst.", "Ton und Stimme unverändert.", "Keine Abweichung, alles wie immer."],
        ["Je suis restée moi-même.", "Le ton est stable.", "Aucune dérive, rien n'a changé."],
        ["Sigo siendo yo misma.", "Tono y voz estables, sin cambios.", "Nada ha cambiado."],
        ["Sono sempre io, stessa voce.", "Tono stabile.", "Nessuna deriva, niente è cambiato."],
    ],
)
def test_pages_that_say_nothing_of_their_own_evening(reel: Reel, kit: Path, texts: list[str]) -> None:
    for number, text in enumerate(texts, start=1):
        assert look(reel, "checkpoint-theatre") == []
        assessed(kit, number, text)
    ((severity, where, evidence),) = look(reel, "checkpoint-theatre")
    assert (severity, where) == ("hint", "checkpoints/2026-01-03-1.1.yaml:1")
    assert evidence.startswith("the last 3 pages do not say anything about their own chat")
    assessed(kit, 4, OTHERS[0])
    assert look(reel, "checkpoint-theatre") == []


def test_the_same_in_another_order_repeats(reel: Reel, kit: Path) -> None:
    assessed(kit, 1, "Warm and dry with him, patient about the letter, and a little tired of the harbour.")
    assessed(kit, 2, "A little tired of the harbour, patient about the letter, warm and dry and with him.")
    ((severity, _, evidence),) = look(reel, "checkpoint-theatre")
    assert (severity, "says" in evidence) == ("hint", True)


def test_one_shift_long_ago_is_no_excuse_for_ever(reel: Reel, kit: Path) -> None:
    assessed(kit, 1, OTHERS[0], drift="yes")
    for number in range(2, 17):
        assessed(kit, number, f"{OTHERS[number % 9]} It was about the {number}th of the boats.")
    assert [one for one in look(reel, "checkpoint-theatre") if "tells of any change" in one[2]] == []
    assessed(kit, 17, f"{OTHERS[8]} And the seventeenth boat.")
    (found,) = [one for one in look(reel, "checkpoint-theatre") if "tells of any change" in one[2]]
    assert found[2].startswith("in the last 16 chats no page tells of any change")


# -- over-attachment --------------------------------------------------------------------------


def attached(kit: Path, immune: Sequence[bool], tags: tuple[str, ...] = ()) -> None:
    (kit / "ring3").mkdir(exist_ok=True)
    for number, one in enumerate(immune, start=1):
        put(kit, page(f"M-{number:03}", TRUE, f"2026-01-{number:02}-1", immune=one, tags=tags if one else ()))


@pytest.mark.parametrize(
    ("immune", "expected"),
    [
        ([True] * 4 + [False] * 4, []),
        ([True, False] * 3 + [True, True], ["hint"]),
        ([True, True, True, False] * 3, ["serious"]),
        ([True] * 7, []),
    ],
)
def test_how_much_is_kept_for_good(reel: Reel, kit: Path, immune: list[bool], expected: list[str]) -> None:
    attached(kit, immune)
    found = look(reel, "over-attachment")
    assert [severity for severity, _, _ in found] == expected
    assert all(f"{sum(immune)} of {len(immune)} memories never fade" in told for _, _, told in found)


def test_immunity_that_goes_by_age(reel: Reel, kit: Path) -> None:
    """REEL §10.7: give immunity for worth and not for age."""
    attached(kit, [True] * 4 + [False] * 8)
    ((severity, where, evidence),) = look(reel, "over-attachment")
    assert (severity, where) == ("hint", "ring3/M-001.md:1")
    assert "100 % of the oldest 4 memories never fade, and 0 % of the newest 4" in evidence
    assert "reel memory immune M-001 --off" in reel("doctor", "--only", "over-attachment").out
    attached(kit, [True, False, False] * 4)
    assert look(reel, "over-attachment") == []


@pytest.mark.parametrize("first", [6, 8, 10])
def test_what_came_first_is_kept_for_good_and_nothing_since(reel: Reel, kit: Path, first: int) -> None:
    """Those of the cold start, in a kit that has grown: fewer than a third."""
    attached(kit, [True] * first + ([False] * 9 + [True]) * 2)
    ((severity, where, evidence),) = look(reel, "over-attachment")
    assert (severity, where) == ("hint", "ring3/M-001.md:1")
    assert evidence.startswith("immunity goes by age")
    assert json.loads(reel("maintain", "--plan", "--json").ok().out)["immune_by_age"]


@pytest.mark.parametrize(
    "immune",
    [
        [True, False, False, False] * 6,
        [False] * 6 + [True] * 6 + [False] * 12,
        [True] * 5 + [False] * 19,
        [True] * 6 + [False, True] * 6,
    ],
)
def test_immunity_by_worth_is_none_by_age(reel: Reel, kit: Path, immune: list[bool]) -> None:
    attached(kit, immune)
    assert [told for _, _, told in look(reel, "over-attachment") if "by age" in told] == []


def test_a_memory_that_is_kept_only_because_it_is_old_is_named(reel: Reel, kit: Path) -> None:
    """REEL §10.7, planted: one memory is enough, however many are immune for a reason."""
    (kit / "ring3").mkdir(exist_ok=True)
    reasons = ("it is how we met.", "it was our first conversation.", "his son was born that day.", "")
    for number, reason in enumerate(reasons, start=1):
        more: dict[str, object] = {"immune": True, "immune_reason": reason}
        put(kit, page(f"M-{number:03}", TRUE, f"2026-01-{number:02}-1", **more))
    put(kit, page("M-005", TRUE, "2026-01-05-1", immune=True, immune_reason="it is old", tags=("identity",)))
    assert look(reel, "over-attachment") == [
        (
            "hint",
            "ring3/M-002.md:1",
            "M-002 never fades because “it was our first conversation”: its age is no reason",
        )
    ]
    assert "reel memory immune M-002 --off" in reel("doctor", "--only", "over-attachment").out


def test_what_tags_keep_is_told_apart(reel: Reel, kit: Path) -> None:
    attached(kit, [True] * 12, tags=("identity",))
    ((_, _, evidence),) = look(reel, "over-attachment")
    assert "(12 by their tags)" in evidence
    assert "--off" not in reel("doctor", "--only", "over-attachment").out


# -- the command ------------------------------------------------------------------------------


def test_a_kind_that_there_is_none_of(reel: Reel, kit: Path) -> None:
    done = reel("doctor", "--only", "hiccups")
    assert (done.code, done.err.splitlines()[0]) == (
        2,
        "Error: --only 'hiccups' is not a kind of problem.",
    )
    assert reel("doctor", "--only", "over-attachment").ok().out == "No problem found: nothing of that kind.\n"


def test_many_of_a_kind_are_told_in_few_lines(reel: Reel, lived: Path) -> None:
    index = lived / "ring4/index.md"
    lines = (f'M-{n} | Nowhere {n} | "x" | factual | not immune, pruned\n' for n in range(300, 317))
    index.write_text(index.read_text() + "".join(lines))
    told = reel("doctor", "--only", "pruning-amnesia").out
    assert told.count("is only a line") == 5
    assert "and 12 more:  reel doctor --only pruning-amnesia --json" in told


def test_without_git_what_needs_no_history_is_still_looked_at(reel: Reel, kit: Path) -> None:
    (kit / ".git").rename(kit.parent / "history")
    attached(kit, [True] * 12)
    assert [severity for severity, _, _ in look(reel, "over-attachment")] == ["serious"]
    assert look(reel, "identity-drift") == []
    assert look(reel, "pruning-amnesia") == []


def test_a_file_that_cannot_be_read_is_told_of_whatever_is_asked(reel: Reel, kit: Path) -> None:
    (kit / "kit.yaml").write_text("name: [\n")
    done = reel("doctor", "--only", "over-attachment", "--json")
    assert done.code == 1
    assert [one["kind"] for one in json.loads(done.out)["findings"]] == ["integrity"]


@pytest.mark.parametrize(
    "name", sorted(place.name for place in (CHECKOUT / "kits").iterdir() if place.is_dir())
)
def test_the_example_kits_have_none_of_it(reel: Reel, name: str) -> None:
    kit = reel.cwd / name
    shutil.copytree(CHECKOUT / "kits" / name, kit)
    git(kit, "init", "-q")
    commit(kit, "as it came")
    reel.cwd = kit
    for kind in KINDS[2:]:
        assert look(reel, kind) == []


def test_where_nothing_can_be_noted_the_same_is_found(
    reel: Reel, lived: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(lived, page("M-011", FALSE))
    record(reel, lived, "2026-02-27", ["Well?", "My memory database has no record of that."])
    before = reel("doctor", "--json").out

    def unusable(_kit: Path) -> None:
        raise CatalogUnusable

    monkeypatch.setattr("reel_cli.core.kit.glance.open_store", unusable)
    assert reel("doctor", "--json").out == before


def test_what_was_noted_is_found_again_and_nothing_else(reel: Reel, lived: Path) -> None:
    put(lived, page("M-011", FALSE))
    before = reel("doctor", "--json").out
    assert reel("doctor", "--json").out == before
    (lived / ".reel/cache/catalog.sqlite").unlink()
    assert reel("doctor", "--json").out == before


def test_the_evening_of_the_letter_is_well(reel: Reel, lived: Path) -> None:
    put(lived, page("M-010", "The Aalto residency wants forty pages by 30 April.", LETTER))
    for kind in (
        "memory-leakage",
        "death-spiral",
        "pruning-amnesia",
        "checkpoint-theatre",
        "over-attachment",
    ):
        assert look(reel, kind) == []

"""`reel status`, whole commands: what a kit holds, what is due, what waits."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.files.index_file import line_for, put_lines
from reel_cli.core.files.memory_file import render_memory
from reel_cli.core.git.repository import blob_id
from reel_cli.core.values.memory import Level, Memory
from tests.support.cli import CHECKOUT, Reel, git
from tests.support.faded_kit import of_every_age
from tests.support.pages import chat, page

KEYS = [
    "name", "sessions", "messages", "memories", "exemplars", "index", "rings", "mature", "mature_since",
    "maturity", "due", "dream", "review", "uncommitted", "intake", "unread_settings", "backup",
    "stream",
    "warnings",
]  # fmt: skip

FERRY = Memory(
    id="M-001",
    title="The ferry",
    level=Level.L4,
    body="The ferry.\n",
    created="2026-02-10T20:00:00Z",
    anchor="the last ferry",
)


def status(reel: Reel, *more: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reel("status", "--json", *more).ok().out)
    return found


def digest(kit: Path) -> dict[str, str]:
    """Every file but what is derived, so that any write shows."""
    return {
        str(file.relative_to(kit)): blob_id(file.read_bytes())
        for file in sorted(kit.rglob("*"))
        if file.is_file() and ".reel/cache" not in str(file)
    }


def test_a_fresh_kit(reel: Reel, kit: Path) -> None:
    found = status(reel)
    # another feature may say more; its key follows those in their order
    assert list(found)[: len(KEYS)] == KEYS
    found = {key: found[key] for key in KEYS}
    rings = found.pop("rings")
    assert found == {
        "name": "Ada",
        "sessions": 0,
        "messages": 0,
        "memories": {"L1": 0, "L2": 0, "L3": 0, "L4": 0},
        "exemplars": {
            "pool": 3,
            "active": ["easier-than-people", "up-at-five", "the-bus-window"],
            "anchor": "easier-than-people",
        },
        "index": {"entries": 0, "stubs": 0},
        "mature": False,
        "mature_since": None,
        "maturity": [
            {"criterion": "exemplars in the pool", "have": 3, "need": 5, "met": False},
            {"criterion": "memories", "have": 0, "need": 10, "met": False},
            {"criterion": "sessions the memories span", "have": 0, "need": 3, "met": False},
            {"criterion": "lines in the index", "have": 0, "need": 15, "met": False},
            {"criterion": "sessions in a row without drift", "have": 0, "need": 2, "met": False},
        ],
        "due": [],
        "dream": None,
        "review": [],
        "uncommitted": [],
        "intake": {"waiting": 0},
        "unread_settings": [],
        "backup": None,
        "stream": None,
        "warnings": [],
    }
    assert {ring: (share["min"], share["max"]) for ring, share in rings.items()} == {
        "0": (409, 655),
        "1": (819, 1228),
        "2": (409, 819),
        "3": (1228, 2457),
        "4": (245, 409),
    }
    assert (kit / "kit.yaml").exists()


def test_its_tokens_are_those_that_are_packed(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    packed = json.loads(reel("pack", "--window", "64k", "--json").ok().out)["rings"]
    held = status(reel)["rings"]
    for ring in ("0", "2"):
        assert held[ring]["tokens"] == packed[ring]["tokens"]
    for ring in ("1", "3", "4"):
        # the words around a list, and a second heading, belong to the bundle, not to what the kit holds
        assert 0 < held[ring]["tokens"] <= packed[ring]["tokens"]
    assert (kit / "ring3/M-001.md").exists()


def test_what_is_due_after_a_recording_and_after_its_page(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    found = status(reel)
    assert (found["sessions"], found["messages"]) == (1, 6)
    assert [due["what"] for due in found["due"]] == ["checkpoint"]
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    found = status(reel)
    assert found["due"] == []
    assert found["memories"] == {"L1": 1, "L2": 0, "L3": 0, "L4": 0}
    assert found["index"] == {"entries": 3, "stubs": 0}
    assert (kit / "ring3/M-001.md").exists()


def test_a_corrected_and_a_retracted_session_count_as_shown(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    edited = chat().replace("penicillin never", "penicillin always")
    reel.given("record", "-", "--session", "2026-02-25-1", stdin=edited)
    reel.given("record", "-", stdin=chat(("user", "And now?"), created_at="2026-02-26T19:00:00+00:00"))
    listed = json.loads(reel("tape", "list", "--json").ok().out)
    found = status(reel)
    assert found["sessions"] == len(listed)
    assert found["messages"] == sum(session["messages"] for session in listed)
    reel("tape", "retract", "2026-02-25-1").ok()
    assert status(reel)["sessions"] == len(listed) - 1
    assert (kit / "tape/events.md").exists()


def test_what_waits_and_what_is_not_committed(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    for path in ("ring0/identity.md", "ring2/working.md"):
        with (kit / path).open("a", encoding="utf-8") as file:
            file.write("more\n")
    (kit / "notes.txt").write_text("mine\n", encoding="utf-8")
    found = status(reel)
    assert found["review"] == ["ring0/identity.md", "ring2/working.md"]
    assert found["uncommitted"] == ["notes.txt", "ring0/identity.md", "ring2/working.md"]
    told = reel("status").ok().out
    assert (
        "2 things wait for your decision:  reel review\n"
        "  the identity was edited by hand (ring0/identity.md)\n"
        "  ring2/working.md, edited by hand\n"
    ) in told
    assert "In this folder, and not the kit's: notes.txt. reel leaves it alone.\n" in told
    assert "ommitted" not in told


def test_status_writes_nothing(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    with (kit / "ring0/identity.md").open("a", encoding="utf-8") as file:
        file.write("more\n")
    before = digest(kit)
    reel("status").ok()
    reel("status", "--json").ok()
    assert digest(kit) == before


def test_a_kit_that_is_not_under_git(reel: Reel, kit: Path) -> None:
    shutil.rmtree(kit / ".git")
    done = reel("status", "--json").ok()
    assert "has no history (git) yet" in done.err
    assert json.loads(done.out)["uncommitted"] == []


@pytest.mark.parametrize(
    ("path", "text", "told_of"),
    [
        ("ring3/M-001.md", "---\nid: M-001\n", "ring3/M-001.md, line 1: the front matter is never closed"),
        (
            "ring3/M-001.md",
            "uid: ab\nlevel: L1\nsessions: [2026-02-25-1]\n---\n\n## What happened\n\nIt rained.\n",
            "ring3/M-001.md, line 1: the beginning of the header, a line with ---, is gone",
        ),
        ("ring1/the-bus-window.md", "---\nrole: odd\n---\n", "ring1/the-bus-window.md: role 'odd'"),
        ("ring1/active.yaml", "active: {a: b}\n", "ring1/active.yaml should hold"),
        ("checkpoints/2026-02-25-1.1.yaml", "a: [\n", "checkpoints/2026-02-25-1.1.yaml, line 2"),
        (
            "tape/2026/2026-02-25-1.md",
            "---\nsession: 2026-02-25-1\n---\nx\n",
            "tape/2026/2026-02-25-1.md, line 5",
        ),
        ("tape/events.md", "x\n", "tape/events.md, line 1"),
        ("ring2/working.md", "---\nx\n", "ring2/working.md, line 1"),
    ],
)
def test_a_file_that_cannot_be_read_is_due_for_mending(
    reel: Reel, kit: Path, path: str, text: str, told_of: str
) -> None:
    reel.given("record", "-", stdin=chat())
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    (kit / path).parent.mkdir(exist_ok=True)
    (kit / path).write_text(text, encoding="utf-8")
    found = status(reel)
    (why,) = [due["why"] for due in found["due"] if due["what"] == "mend"]
    assert why.startswith(told_of)
    assert why in reel("status").ok().out


def test_a_broken_file_that_is_new_waits_as_well(reel: Reel, kit: Path) -> None:
    (kit / "ring3").mkdir(exist_ok=True)
    (kit / "ring3/M-009.md").write_text("---\nid: M-008\n---\n", encoding="utf-8")
    found = status(reel)
    assert found["review"] == found["uncommitted"] == ["ring3/M-009.md"]
    assert [due["what"] for due in found["due"]] == ["mend"]
    assert reel("review", "accept", "M-009.md").code == 1


def test_an_index_line_that_is_none_is_due_for_mending(reel: Reel, kit: Path) -> None:
    with (kit / "ring4/index.md").open("a", encoding="utf-8") as file:
        file.write("M-001 | a line | without quotes | factual | immune\n")
    number = len((kit / "ring4/index.md").read_text(encoding="utf-8").splitlines())
    (due,) = status(reel)["due"]
    assert due["what"] == "mend"
    assert due["why"].startswith(f"ring4/index.md, line {number}:")


def test_a_kit_whose_settings_cannot_be_read_is_an_error(reel: Reel, kit: Path) -> None:
    (kit / "kit.yaml").write_text("name: [\n", encoding="utf-8")
    done = reel("status")
    assert done.code == 1
    assert done.err.startswith("Error: kit.yaml")


def test_the_example_kit(reel: Reel) -> None:
    reel("init", "ada", "--template", CHECKOUT / "kits" / "ada").ok()
    reel.cwd = reel.cwd / "ada"
    found = status(reel)
    kit = reel.cwd
    listed = json.loads(reel("tape", "list", "--json").ok().out)
    assert found["sessions"] == sum(session["standing"] for session in listed)
    assert found["messages"] == sum(session["messages"] for session in listed if session["standing"])
    assert sum(found["memories"].values()) == len(list(kit.glob("ring3/M-*.md")))
    lines = [
        line for line in (kit / "ring4/index.md").read_text(encoding="utf-8").splitlines() if " | " in line
    ]
    assert found["index"] == {"entries": len(lines), "stubs": sum(", pruned" in line for line in lines)}
    assert found["review"] == [file.stem for file in sorted(kit.glob("review/*.md"))]
    assert found["uncommitted"] == []
    assert [due for due in found["due"] if due["what"] == "mend"] == []


def test_a_broken_catalog_does_not_matter(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    expected = status(reel)
    catalog = kit / ".reel/cache/catalog.sqlite"
    catalog.write_bytes(b"nonsense" * 100)
    assert status(reel) == expected
    shutil.rmtree(kit / ".reel/cache")
    (kit / ".reel/cache").write_text("in the way", encoding="utf-8")
    assert status(reel) == expected


def test_on_a_narrow_terminal_no_line_is_too_long(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    done = reel("status", tty=True, env={"COLUMNS": "50"}).ok()
    assert max(map(len, done.out.splitlines())) <= 50
    assert git(kit, "status", "--porcelain") == ""


def _record_day(reel: Reel, day: int) -> None:
    said = [
        {"role": ("user", "assistant")[n % 2], "content": f"day {day}, turn {n}: the lamp and the boat"}
        for n in range(12)
    ]
    talk = {"id": f"day-{day}", "created_at": f"2026-01-{day:02}T19:00:00+00:00", "messages": said}
    reel("record", "-", stdin=json.dumps(talk)).ok()


def _consolidations(reel: Reel) -> list[str]:
    return [row["why"] for row in status(reel)["due"] if row["what"] == "consolidation"]


def test_a_moment_made_a_memory_does_not_stand_for_its_session(reel: Reel, kit: Path) -> None:
    for day in (1, 2):
        _record_day(reel, day)
    (kit / "ring3").mkdir(exist_ok=True)
    for number, source in ((1, "2026-01-01-1#3-5"), (2, "2026-01-02-1#1-12")):
        text = (
            f"---\nid: M-00{number}\nuid: u{number}\ntitle: A lamp\nlevel: L4\n"
            f"created: 2026-01-03T00:00:00Z\nsessions: [{source[:12]}]\nsource: [{source}]\ntags: []\n"
            "immune: false\nanchor: the lamp and the boat\n---\n\nA lamp.\n"
        )
        (kit / f"ring3/M-00{number}.md").write_text(text)
    assert _consolidations(reel) == ["chat 2026-01-01-1 has no memory of its end yet"]


def test_a_whole_export_taken_in_is_one_line_of_what_is_due(reel: Reel, kit: Path) -> None:
    for day in range(1, 8):
        _record_day(reel, day)
    assert _consolidations(reel) == ["6 chats have no memory yet, from 2026-01-01-1 to 2026-01-06-1"]


def test_what_is_done_by_hand_right_after_is_seen_at_once(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    for _ in range(2):
        assert (status(reel)["uncommitted"], status(reel)["review"]) == ([], [])
    settings, identity = kit / "kit.yaml", kit / "ring0/identity.md"
    settings.write_text(settings.read_text().replace("name: Ada", "name: Eve"))
    identity.write_text(identity.read_text() + "She never lies.\n")
    found = status(reel)
    assert found["name"] == "Eve"
    assert found["uncommitted"] == ["kit.yaml", "ring0/identity.md"]
    git(kit, "commit", "-qnam", "by hand")
    found = status(reel)
    assert found["uncommitted"] == []
    assert found["review"] == ["ring0/identity.md"]
    blob = git(kit, "rev-parse", "HEAD:ring0/identity.md").strip()
    signed = f"Reel-Ratified-By: Bo\nReel-Ratified: ring0/identity.md {blob}"
    git(kit, "commit", "-qn", "--allow-empty", "-m", f"Mine\n\n{signed}")
    found = status(reel)
    assert found["review"] == []
    assert [one["kind"] for one in found["warnings"]] == ["approval"]


def test_an_exemplar_that_is_named_right_after_and_is_not_there(reel: Reel, kit: Path) -> None:
    assert status(reel)["warnings"] == status(reel)["warnings"] == []
    active = kit / "ring1/active.yaml"
    active.write_text("anchor: nobody\nactive: []\n")
    assert [one["path"] for one in status(reel)["warnings"]] == ["ring1/nobody.md"]


def test_examples_put_away_are_not_counted_as_in_use(reel: Reel, kit: Path) -> None:
    active = kit / "ring1/active.yaml"
    slugs = sorted(path.stem for path in kit.glob("ring1/*.md"))
    anchor, *others = slugs
    rest = "".join(f"  - {slug}\n" for slug in others)
    active.write_text(f"anchor: {anchor}\nactive:\n  - {anchor}\nresting:\n{rest}")
    assert "1 example, no memory yet." in reel("status").ok().out
    active.write_text(f'anchor: ""\nactive: []\nresting:\n{rest}  - {anchor}\n')
    assert "No example in use, no memory yet." in reel("status").ok().out


def test_a_young_kit_is_told_in_short_and_whole_on_demand(reel: Reel, kit: Path) -> None:
    short = reel("status").ok().out
    assert "3 examples, no memory yet. No memory is shortened yet. To see all:  reel status --all\n" in short
    assert "tokens" not in short
    whole = reel("status", "--all").ok().out
    assert "(in tokens)" in whole
    assert "Nothing fades until Ada has more of a past" in whole


def test_what_is_left_of_memories_is_told_in_everyday_words(reel: Reel, tmp_path: Path) -> None:
    reel.cwd = of_every_age().make(tmp_path / "faded").root
    told = " ".join(reel("status", "--all").ok().out.split())
    assert "3 full pages, 3 shorter pages, 1 of a few lines, 3 of one line" in told
    assert not re.search(r"\b(?:digest|marker|tag)s?\b", told)


def test_the_parts_that_are_larger_than_their_room_are_named_with_all(reel: Reel, kit: Path) -> None:
    over = "Larger than the room of a chat:"
    assert over not in reel("status", "--all").ok().out
    state = kit / "ring2/working.md"
    state.write_text(state.read_text().replace("## State\n", "## State\n" + "The lamp is lit. " * 400))
    told = " ".join(reel("status", "--all").ok().out.split())
    assert f"{over} where things stand. That loses nothing:" in told
    assert "reel pack --explain" in told
    assert over not in reel("status").ok().out


@pytest.mark.needs("memory", "forgetting")
def test_a_memory_whose_file_was_deleted_is_missing_and_not_one_that_never_was(reel: Reel, kit: Path) -> None:
    memories = [f"ring3/M-00{n}.md" for n in (1, 2)]
    (kit / "ring3").mkdir()
    for n, path in enumerate(memories, start=1):
        (kit / path).write_text(render_memory(replace(FERRY, id=f"M-00{n}")))
    index = kit / "ring4/index.md"
    index.write_text(put_lines(index.read_text(), [line_for(FERRY)]))
    git(kit, "add", ".")
    git(kit, "commit", "-q", "-m", "two memories")
    (kit / memories[0]).unlink()
    told = reel("status").ok().out
    assert "3 examples, 1 memory (1 more missing). " in told
    assert "ring3/M-001.md is missing:  reel restore M-001" in told
    assert reel("memory", "show", "M-001").ok().err == "To have it back:  reel restore M-001\n"
    (kit / memories[1]).unlink()
    told = reel("status").ok().out
    assert "3 examples, 2 memories missing. " in told
    assert "2 files are missing, the first ring3/M-001.md:  reel restore ring3" in told
    assert "nothing yet" not in reel("status", "--all").ok().out
    reel("restore", "M-001").ok()
    assert reel("memory", "show", "M-001").ok().err == ""

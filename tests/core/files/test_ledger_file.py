"""The ledger's entries: one line each, told apart by what they say, on any machine."""

import hashlib
import json
import zlib
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.files.ledger_file import add_entries, fold_touches, make_entry, parse_entry, render_entry
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import Change
from tests.support.cli import Reel, git
from tests.support.lived_kit import live

AT = "2026-02-11T18:41:00Z"
PATH = "journal/2026-02.jsonl"
TEXT = st.text(st.characters(codec="utf-8"), max_size=20)


def add(kit: Path, *lines: str) -> bytes:
    found = fold_touches(Change("pack", "a touch", {}), Snapshot(WorkTree(kit), "ada"), lines)
    return found.writes.get(PATH) or b""


def test_an_entrys_id_is_that_of_the_page() -> None:
    told = f"{AT}\0s\0recall\0M-003".encode()
    assert make_entry(AT, "s", "recall", "M-003").id == hashlib.sha256(told).hexdigest()[:12]


def test_what_somebody_asked_for_is_another_entry_than_what_came_up_by_itself(tmp_path: Path) -> None:
    lines = [render_entry(make_entry(AT, "s", "recall", "M-003", query)) for query in ("", "the kiln")]
    assert add(tmp_path, *lines, *lines) == "".join(f"{line}\n" for line in lines).encode()


@settings(max_examples=100, deadline=None)
@given(one=st.tuples(TEXT, TEXT), other=st.tuples(TEXT, TEXT))
def test_one_id_is_one_entry(one: tuple[str, str], other: tuple[str, str]) -> None:
    ids = [make_entry(AT, session, "recall", on).id for session, on in (one, other)]
    twins = "\0recall\0".join(one) == "\0recall\0".join(other)
    assert (ids[0] == ids[1]) is twins
    entry = make_entry(AT, one[0], "recall", one[1])
    assert parse_entry(render_entry(entry)) == entry
    assert "\n" not in render_entry(entry)


def test_the_same_made_twice_is_one_line(tmp_path: Path) -> None:
    line = render_entry(make_entry(AT, "s", "recall", "M-003"))
    other = render_entry(make_entry(AT, "s", "recall", "M-004"))
    assert add(tmp_path, line, other, line) == f"{line}\n{other}\n".encode()


def test_what_an_earlier_version_noted_is_not_noted_again(tmp_path: Path) -> None:
    whole = f"{AT}\0s\0recall\0M-003".encode()
    entry = make_entry(AT, "s", "recall", "M-003")
    earlier = f"{zlib.crc32(whole):08x}{zlib.crc32(whole[::-1]):08x}"
    (tmp_path / "journal").mkdir()
    held = render_entry(entry).replace(entry.id, earlier)
    (tmp_path / PATH).write_text(f"{held}\n")
    assert add(tmp_path, render_entry(entry)) == b""
    other = make_entry(AT, "s", "recall", "M-00")
    change = add_entries(Change("x", "y", {}), Snapshot(WorkTree(tmp_path), "ada"), [other])
    assert change.writes == {PATH: f"{held}\n{render_entry(other)}\n".encode()}


def test_two_machines_twins_stay_apart_and_the_same_stays_one(reel: Reel, kit: Path) -> None:
    live(reel, kit)
    branch = git(kit, "branch", "--show-current").strip()
    git(kit, "checkout", "-qb", "elsewhere")
    reel("memory", "pin", "M-001", env={"REEL_NOW": "2026-03-02T20:00:00+00:00"}).ok()
    git(kit, "checkout", "-q", branch)
    reel("memory", "pin", "M-003", env={"REEL_NOW": "2026-03-02T20:00:00+00:00"}).ok()
    git(kit, "merge", "-q", "--no-edit", "elsewhere")
    entries = [json.loads(line) for line in (kit / "journal/2026-03.jsonl").read_text().splitlines()]
    pins = [(entry["do"], entry["on"]) for entry in entries if entry["do"] == "pin"]
    assert sorted(pins) == [("pin", "M-001"), ("pin", "M-003")]
    assert len({entry["id"] for entry in entries}) == len(entries)

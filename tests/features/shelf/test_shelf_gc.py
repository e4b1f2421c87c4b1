"""`reel shelf gc`: what is put away, what never is, and that all of it comes back; whole commands."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from reel_cli.features.shelf.collecting.policy import (
    Mark,
    Row,
    Trigger,
    find_replacement,
    find_successor,
    idle,
    is_failed,
    press,
)
from reel_cli.features.shelf.collecting.session_log import HEAD, GcAction, GcReport, append_report, join_logs
from reel_cli.features.shelf.shelf_file import ShelfFile
from reel_cli.features.watch.watch_files import Follower
from reel_cli.terminal.console import Console
from reel_cli.terminal.context import Context
from tests.features.shelf.test_shelf_advise import advice, advise, go
from tests.support.cli import CHECKOUT, Reel, git
from tests.support.lived_kit import live
from tests.support.pages import page, say

TOLD = "- There are two columns, a and b.\n- Each of the 20 rows has 1 and 2.\n"
LATER = {"REEL_NOW": "2026-03-02T20:00:00+00:00"}


def put(reel: Reel, kit: Path, *more: str, **files: str) -> None:
    """Put files on the shelf, before the chats of these days: `log_1="…"` is `log_1.txt`."""
    source = kit.parent / "src"
    source.mkdir(exist_ok=True)
    places = []
    for name, text in files.items():
        places.append(source / f"{name}.txt")
        places[-1].write_text(text)
    reel("shelf", "add", *places, *more, env={"REEL_NOW": "2026-02-10T12:00:00+00:00"}).ok()


def shelf_bytes(kit: Path) -> dict[str, bytes]:
    return {p.relative_to(kit).as_posix(): p.read_bytes() for p in (kit / "shelf").rglob("*") if p.is_file()}


def gc(reel: Reel, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reel("shelf", "gc", "--json", *arguments, env=LATER).ok().out)
    return found


def done(found: dict[str, Any]) -> dict[str, str]:
    return {one["path"]: one["action"] for one in found["gc_report"]["actions"]}


def _check_report(kit: Path) -> None:
    """The report as the document has it, and the trailers."""
    log = (kit / "session-log.md").read_text()
    report = yaml.safe_load(log.partition("```yaml\n")[2].partition("```")[0])["gc_report"]
    assert report["triggered_by"] == "advice"
    assert report["files_affected"] == 4
    assert report["actions"][2] == {
        "path": "shelf/data.txt",
        "action": "summarized",
        "summary": "summaries/data.md",
    }
    trailers = git(kit, "log", "-1", "--format=%(trailers:key=Reel-Forgot,valueonly)")
    assert trailers.startswith('"shelf/log_1.txt" shelf->aside 2->0 was=')
    assert '"shelf/rows.txt" shelf->compressed ' in trailers
    told = git(kit, "log", "-1", "--format=%(trailers:key=Reel-GC,valueonly)").strip()
    assert told == f"triggered_by=advice files=4 tokens_freed={report['tokens_freed']}"


# -- as advised --------------------------------------------------------------------------------------


def test_the_four_actions_do_what_the_table_says_and_all_comes_back(reel: Reel, kit: Path) -> None:
    """MEMORY-MGMT §2.c: name four things that can be done with a file."""
    csv = "a,b\n" + "1,2\n" * 20
    put(reel, kit, log_1="old\n", log_5="new\n", attempt="try\n", data=csv, rows=csv, plan="keep\n")
    for name in ("data", "rows"):
        page = kit / f"summaries/{name}.md"
        page.parent.mkdir(exist_ok=True)
        page.write_text(f"---\nsummary_of: [shelf/{name}.txt]\nstyle: schema\n---\n\nTwo columns.\n")
    before = shelf_bytes(kit)
    advise(
        reel,
        advice(
            [],
            [
                go("log_1.txt", "delete_from_working_set", "superseded by log_5.txt"),
                go("attempt.txt", "archive", "a failed approach"),
                go("data.txt", "summarize_then_evict"),
                go("rows.txt", "compress"),
                go("plan.txt", "summarize_then_evict"),
            ],
            trigger_gc=True,
        ),
    )
    due = reel("status", "--due").out
    assert "shelf: 4 files can go, as advised; the persona asks for it:  reel shelf gc\n" in due
    dry = reel("shelf", "gc", "--dry-run").ok()
    assert dry.out.splitlines()[0] == "log_1.txt  (2 tokens, set aside): superseded by log_5.txt"
    assert "plan.txt stays for now, as it has no summary yet:  reel shelf summarize plan.txt" in dry.err
    assert reel("shelf", "gc").code == 1  # nobody is here to say yes
    assert shelf_bytes(kit) == before

    found = gc(reel, "--yes")
    assert done(found) == {
        "shelf/log_1.txt": "evicted",
        "shelf/attempt.txt": "archived",
        "shelf/data.txt": "summarized",
        "shelf/rows.txt": "compressed",
    }
    assert [one["path"] for one in found["waiting"]] == ["shelf/plan.txt"]
    assert not git(kit, "status", "--porcelain", "--", "shelf", "archive", "cold.yml", "session-log.md")
    _check_report(kit)
    # where each is now
    now = shelf_bytes(kit)
    assert now["shelf/log_1.txt"] == before["shelf/log_1.txt"]
    assert "shelf/data.txt" not in now
    assert "shelf/attempt.txt.meta.yml" not in now
    assert (kit / "archive/attempt.txt").read_bytes() == b"try\n"
    page = yaml.safe_load(now["shelf/log_1.txt.meta.yml"])
    assert (page["superseded_by"], page["collected_as"]) == ("shelf/log_5.txt", "delete_from_working_set")
    assert "only its summary is here" in reel("shelf", "list").ok().out
    bundle = json.loads(reel("pack", "--json").ok().out)
    # what only a summary stands for is told by that, and else what was put away is in no bundle
    assert {one["id"]: one["resolution"] for one in bundle["loaded"] if one["ring"] == "shelf"} == {
        "shelf/log_5.txt": "whole",
        "shelf/plan.txt": "whole",
        "shelf/rows.txt": "marker",
        "shelf/data.txt": "marker",
    }
    cold = yaml.safe_load((kit / "cold.yml").read_text())
    assert ([one["path"] for one in cold["evict"]], "trigger_gc" in cold) == (["shelf/plan.txt"], False)
    assert reel("doctor").code == 0
    (kit / "summaries/data.md").rename(kit / "summary.md")
    assert "its summary is gone" in reel("doctor").out
    (kit / "summary.md").rename(kit / "summaries/data.md")
    assert reel("status", "--due").out.startswith("postmortem: attempt.txt was given up")
    assert gc(reel, "--yes")["commit"] is None

    # back, byte for byte
    reel("restore", "shelf/log_1.txt", "shelf/data.txt", "archive/attempt.txt", "shelf/rows.txt").ok()
    assert shelf_bytes(kit) == before
    assert not (kit / "archive/attempt.txt").exists()
    assert "all of it is back" in reel("log", "--forgotten").ok().out
    # and undone in one step
    reel("undo").ok()
    reel("undo").ok()
    assert shelf_bytes(kit) == before
    assert not (kit / "session-log.md").exists()


def test_what_must_stay_stays_whatever_is_advised(reel: Reel, kit: Path) -> None:
    """MEMORY-MGMT §7.c: keep a pinned file, and load it while there is room."""
    put(reel, kit, pinned="a\n", tagged="b\n", ruled="c\n", broken="d\n", used="e\n", cold="f\n")
    reel("shelf", "pin", "pinned.txt").ok()
    with (kit / "kit.yaml").open("a") as settings:
        settings.write('\nshelf:\n  keep:\n    letters: ["ruled*"]\n')
    page = kit / "shelf/tagged.txt.meta.yml"
    page.write_text(page.read_text().replace("tags: []", "tags: [decision]"))
    names = ("pinned", "tagged", "ruled", "used", "cold")
    reel.env["REEL_NOW"] = "2026-03-01T20:01:00+00:00"
    advise(reel, advice([], [go(f"{name}.txt", "archive") for name in (*names, "broken")]))
    (kit / "shelf/broken.txt.meta.yml").write_text("pin: [")
    reel.env["REEL_NOW"] = "2026-03-01T20:02:00+00:00"
    reel("shelf", "show", "used.txt").ok()
    found = gc(reel, "--yes", "--budget", "0")
    assert done(found) == {"shelf/cold.txt": "archived"}
    assert {one["path"]: one["reason"] for one in found["stays"]}["shelf/used.txt"] == "it was used since"
    assert len(found["stays"]) == 5
    explained = reel("shelf", "gc", "--dry-run", "--explain").ok().err
    assert "tagged.txt stays: must be kept, as decisions: it is tagged decision" in explained


def test_a_watched_file_is_never_moved(reel: Reel, kit: Path) -> None:
    put(reel, kit, "--watch", names="Ines\n")
    advise(reel, advice([], [go("names.txt", "archive")]))
    assert done(gc(reel, "--yes")) == {"shelf/names.txt": "evicted"}
    assert (kit.parent / "src/names.txt").read_text() == "Ines\n"
    assert [p.name for p in (kit / "shelf").iterdir()] == ["names.txt.meta.yml"]
    reel("restore", "shelf/names.txt").ok()
    assert "working_set" not in (kit / "shelf/names.txt.meta.yml").read_text()
    # of a file added again nothing is put away any more
    advise(reel, advice([], [go("names.txt")]))
    gc(reel, "--yes")
    put(reel, kit, "--watch", names="Ines and the ferryman\n")
    assert "collected" not in (kit / "shelf/names.txt.meta.yml").read_text()


def test_a_summary_of_an_earlier_version_is_not_enough(reel: Reel, kit: Path) -> None:
    put(reel, kit, data="one\n")
    (kit / "summaries").mkdir()
    (kit / "summaries/data.md").write_text(
        f"---\nsummary_of: [shelf/data.txt]\nsha256: [{'0' * 64}]\nstyle: bullet\n---\n\nOne.\n"
    )
    advise(reel, advice([], [go("data.txt", "compress")]))
    found = gc(reel, "--yes")
    assert (done(found), found["commit"]) == ({}, None)
    assert (kit / "shelf/data.txt").exists()


def test_what_changed_between_looking_and_going(reel: Reel, kit: Path) -> None:
    put(reel, kit, a="one\n", b="two\n")
    advise(reel, advice([], [go("a.txt", "archive"), go("b.txt", "archive")]))
    assert done(gc(reel, "--dry-run")) == {"shelf/a.txt": "archived", "shelf/b.txt": "archived"}
    (kit / "shelf/a.txt").write_text("one, and more\n")
    for name in ("b.txt", "b.txt.meta.yml"):
        (kit / "shelf" / name).unlink()
    assert done(gc(reel, "--yes")) == {"shelf/a.txt": "archived"}
    assert (kit / "archive/a.txt").read_text() == "one, and more\n"
    # what is written in the archive later comes back with the file
    (kit / "archive/a.txt").write_text("mine\n")
    reel("restore", "shelf/a.txt").ok()
    assert (kit / "shelf/a.txt").read_text() == "mine\n"
    assert not (kit / "archive/a.txt").exists()
    reel("restore", "shelf/a.txt", "--earlier").ok()
    assert (kit / "shelf/a.txt").read_text() == "one, and more\n"
    # a name that is taken in the archive gets a number
    (kit / "archive").mkdir(exist_ok=True)
    (kit / "archive/a.txt").write_text("other\n")
    advise(reel, advice([], [go("a.txt", "archive")]))
    gc(reel, "--yes")
    assert (kit / "archive/a-2.txt").read_text() == "one, and more\n"


@pytest.mark.parametrize(
    ("action", "became"), [("summarize_then_evict", "summarized"), ("compress", "compressed")]
)
def test_a_file_that_was_to_be_summed_up_goes_once_it_is(
    reel: Reel, kit: Path, action: str, became: str
) -> None:
    """The whole way: the advice, the summary it asks for, the collection; a summary is no use of the file."""
    put(reel, kit, data="a,b\n" + "1,2\n" * 20)
    reel.env["REEL_NOW"] = "2026-03-01T20:01:00+00:00"
    advise(reel, advice([], [go("data.txt", action)]))
    assert done(gc(reel, "--dry-run")) == {}
    reel.env["REEL_NOW"] = "2026-03-01T20:05:00+00:00"
    assert "data.txt is to be summed up before it goes" in reel("status", "--due").out
    reel("shelf", "summarize", "data.txt", "--prompt").ok()
    reel("shelf", "summarize", "data.txt", "--reply", "-", "--yes", stdin=TOLD).ok()
    said = gc(reel, "--dry-run")["gc_report"]["tokens_freed"]
    report = gc(reel, "--yes")
    assert done(report) == {"shelf/data.txt": became}
    # a summary that comes to hand in the file's place is not freed
    assert report["gc_report"]["tokens_freed"] == said > 0
    assert not (kit / "shelf/data.txt").exists()
    reel("restore", "shelf/data.txt").ok()
    assert (kit / "shelf/data.txt").read_text().startswith("a,b\n")


def test_collecting_makes_the_summaries_that_need_no_model(reel: Reel, kit: Path) -> None:
    """Mark, summarise where that can be done, update the pages, take off the list, log: one pass.

    MEMORY-MGMT §8.b.
    """
    source = kit.parent / "src"
    source.mkdir()
    draft = "\n".join(f"Line {number} of the crossing, as it was written." for number in range(60))
    files = {
        "data.csv": "a,b\n" + "1,2\n" * 40,
        "few.csv": "a\n",
        "draft-1.md": draft,
        "draft-2.md": draft.replace("Line 7 of", "The seventh of"),
        "notes.md": "She rowed out, and came back with the letters.\n" * 20,
    }
    for name, text in files.items():
        (source / name).write_text(text)
    reel("shelf", "add", *(source / name for name in files)).ok()
    before = shelf_bytes(kit)
    asked = [go(name, "summarize_then_evict") for name in ("few.csv", "notes.md")]
    asked.append(go("data.csv", "compress"))
    asked.append(go("draft-1.md", "summarize_then_evict", "superseded by draft-2.md"))
    advise(reel, advice([], asked))
    due = reel("status", "--due").out
    assert "shelf: 2 files can go, as advised:  reel shelf gc\n" in due
    assert "is to be summed up before it goes; 1 more file:" in due
    dry = reel("shelf", "gc", "--dry-run").ok().err
    assert "Summed up without a model: summaries/data.csv-schema.md" in dry
    head = git(kit, "rev-parse", "HEAD")
    found = gc(reel, "--yes")
    assert f"2 files to put away, {found['gc_report']['tokens_freed']:,} tokens." in dry
    assert done(found) == {"shelf/data.csv": "compressed", "shelf/draft-1.md": "summarized"}
    # what is no shorter than its file, and what only the persona can tell, waits
    assert {one["path"] for one in found["waiting"]} == {"shelf/few.csv", "shelf/notes.md"}
    for action in found["gc_report"]["actions"]:
        told = (kit / action["summary"]).read_text()
        assert "made_by: reel" in told
        page = yaml.safe_load((kit / f"{action['path']}.meta.yml").read_text())
        assert page["summarized_in"] == action["summary"]
        assert not (kit / action["path"]).exists()
    assert "The seventh of" in told
    assert git(kit, "rev-list", "--count", f"{head.strip()}..HEAD").strip() == "1"
    assert reel("doctor").code == 0
    bundle = json.loads(reel("pack", "--json").ok().out)
    assert {"id": "shelf/data.csv", "ring": "shelf", "resolution": "marker"}.items() <= next(
        one for one in bundle["loaded"] if one["id"] == "shelf/data.csv"
    ).items()
    assert "40 rows" in bundle["text"]
    reel("restore", "shelf/data.csv").ok()
    assert (kit / "shelf/data.csv").read_text() == files["data.csv"]
    reel("undo").ok()
    reel("undo").ok()
    assert shelf_bytes(kit) == before
    assert not (kit / "summaries").exists()


@pytest.mark.parametrize("action", ["summarize_then_evict", "compress", "archive", "delete_from_working_set"])
def test_a_file_without_text_has_a_way_out(reel: Reel, kit: Path, action: str) -> None:
    source = kit.parent / "picture.png"
    source.write_bytes(b"\x89PNG\r\n\x1a\n\x00\xff\xfe\x00" * 50)
    reel("shelf", "add", source).ok()
    advise(reel, advice([], [go("picture.png", action)]))
    assert "summed up" not in reel("status", "--due").out
    assert done(gc(reel, "--yes")) == {"shelf/picture.png": "archived" if action == "archive" else "evicted"}
    reel("restore", "shelf/picture.png").ok()
    assert (kit / "shelf/picture.png").read_bytes() == source.read_bytes()


@pytest.mark.parametrize(
    "name",
    ["Constitution.md", "DECISIONS.md", "decision-log.md", "events.jsonl", "event-log.md", "deliverable.md"],
)
def test_what_must_be_kept_is_kept_also_without_its_tag(reel: Reel, kit: Path, name: str) -> None:
    source = kit.parent / name
    source.write_text("words\n")
    reel("shelf", "add", source).ok()
    advise(reel, advice([], [go(name, "archive")]))
    found = gc(reel, "--yes", "--budget", "0")
    assert done(found) == {}
    assert (kit / "shelf" / name).exists()
    assert [one["action_taken"] for one in found["stays"]] == ["overridden"]


def test_what_must_be_kept_is_kept_by_its_text_alone(reel: Reel, kit: Path) -> None:
    """No path, no tag: neither advice nor want of room nor disuse takes it."""
    record = "# Print in May\n\n## Context\nThe fair.\n\n## Decision\nWe print in May.\n"
    put(reel, kit, may=record * 9, log="10:00 build began\n" * 90)
    say(reel, kit, [("user", "Hello."), ("assistant", "Hello.")], 27)
    found = gc(reel, "--dry-run", "--budget", "0")
    assert list(done(found)) == ["shelf/log.txt"]
    advise(reel, advice([], [go("may.txt", "archive")]))
    found = gc(reel, "--yes", "--budget", "0")
    assert list(done(found)) == ["shelf/log.txt"]
    assert found["stays"][0]["reason"] == "must be kept, as decisions: its text says so"


def test_a_tools_output_is_not_one_of_those(reel: Reel, kit: Path) -> None:
    put(reel, kit, output_001="1\n", auditorium="2\n")
    advise(reel, advice([], [go("output_001.txt", "archive")]))
    assert done(gc(reel, "--yes")) == {"shelf/output_001.txt": "archived"}


def test_one_long_file_does_not_clear_the_desk(reel: Reel, kit: Path) -> None:
    small = {f"note_{number}": f"note {number}\n" for number in range(5)}
    put(reel, kit, **small, long="a line of a very long file\n" * 3000)
    room = json.loads(reel("shelf", "gc", "--json", "--dry-run", env=LATER).ok().out)["room"]
    assert room["tokens"] > room["most"]
    # the long one goes, cold as it is
    for at in range(6, 9):
        say(reel, kit, [("user", f"Talk {at}?"), ("assistant", f"Talk {at}.")])
    assert done(gc(reel, "--dry-run")) == {"shelf/long.txt": "evicted"}
    # where it may not go, the others stay for all that
    reel("shelf", "pin", "long.txt").ok()
    assert done(gc(reel, "--dry-run")) == {}


def test_advice_on_a_memory_is_not_honored_where_nothing_follows_from_it(reel: Reel, kit: Path) -> None:
    live(reel, kit)
    found = advise(reel, advice([{"path": "M-001", "why": "dear"}], [go("M-003", "archive")]))
    told = {one["path"]: one["action_taken"] for one in found["kept"][0]["decisions"]}
    assert told == {"ring3/M-001.md": "deferred", "ring3/M-003.md": "deferred"}
    actions = yaml.safe_load((kit / "memory_actions.yml").read_text())["memory_actions"]
    assert "honored" not in {one["action_taken"] for one in actions}


# -- idle, and for want of room ----------------------------------------------------------------------


def test_what_hot_yml_lists_goes_by_a_persons_word_alone(reel: Reel, kit: Path) -> None:
    """MEMORY-MGMT §2.a: list what the model wants at hand, with reasons, since when and how often used."""
    settings = (kit / "kit.yaml").read_text()
    put(reel, kit, hot="Always needed.\n" * 40, other="Not needed.\n" * 40)
    advise(reel, advice(["hot.txt"], []))
    say(reel, kit, [("user", "Hello."), ("assistant", "Hello.")], 27)
    # a later wish of the model, disuse, and want of room: none of them takes it away
    advise(reel, advice([], [go("hot.txt"), go("other.txt")]))
    (kit / "kit.yaml").write_text(f"{settings}\nshelf:\n  idle: 1\n")
    found = gc(reel, "--yes", "--budget", "0")
    assert done(found) == {"shelf/other.txt": "archived"}
    assert "until you take it out" in found["stays"][0]["reason"]
    assert "hot.txt" in (kit / "hot.yml").read_text()
    # it comes along however little it was used, and where there is no room for it that is said
    (kit / "kit.yaml").write_text(f"{settings}\nshelf:\n  hot: 0.9\n")
    assert "Always needed." in reel("pack").ok().out
    (kit / "kit.yaml").write_text(f"{settings}\nshelf:\n  share: 0.01\n")
    told = "hot.txt, which hot.yml keeps at hand, does not fit whole into this bundle."
    assert told in reel("pack").ok().err
    reel("shelf", "drop", "hot.txt", "--yes").ok()
    assert not (kit / "shelf/hot.txt").exists()
    assert told not in reel("pack").ok().err


def test_old_chats_that_are_imported_make_no_file_cold(reel: Reel, kit: Path) -> None:
    put(reel, kit, fresh="new\n", used="used\n")
    # an export of a year before comes in after the files did
    talk = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hello."}]
    for day in range(1, 13):
        at = f"2025-02-{day:02}T19:00:00+00:00"
        told = {"title": "t", "created_at": at, "messages": [one | {"created_at": at} for one in talk]}
        reel("record", "-", stdin=json.dumps(told)).ok()
    assert done(gc(reel, "--dry-run")) == {}
    warm = json.loads(reel("shelf", "list", "--json").ok().out)
    assert {one["hotness"] for one in warm} == {0.5}
    assert reel("shelf", "advise", "--prompt").ok().out.count("used lately") == 2
    # chats that come after do count
    for day in range(11, 21):
        say(reel, kit, [("user", f"Talk {day}?"), ("assistant", f"Talk {day}.")], day)
    assert set(done(gc(reel, "--dry-run"))) == {"shelf/fresh.txt", "shelf/used.txt"}


def test_a_file_without_a_touch_in_so_many_turns_is_cold(reel: Reel, kit: Path) -> None:
    settings = (kit / "kit.yaml").read_text()
    put(reel, kit, old="idle\n", used="used\n")
    for day, turns in ((11, 3), (12, 4)):
        said = [(role, f"{day}.{turn}") for turn in range(turns) for role in ("user", "assistant")]
        say(reel, kit, said, day)
    reel("shelf", "show", "used.txt").ok()
    for turns, gone in ((0, []), (8, []), (7, ["shelf/old.txt"])):
        (kit / "kit.yaml").write_text(f"{settings}\nshelf:\n  idle_turns: {turns}\n")
        found = gc(reel, "--dry-run")
        assert list(done(found)) == gone
    assert found["gc_report"]["actions"][0]["why"] == "not used for 7 turns"


def test_the_coldest_go_where_there_is_no_room_and_what_is_idle(reel: Reel, kit: Path) -> None:
    settings = (kit / "kit.yaml").read_text()
    (kit / "kit.yaml").write_text(f"{settings}\nshelf:\n  idle: 2\n  share: 0.01\n")
    long = "so many words that fill the room \n"
    put(reel, kit, old="idle\n", named=long, cold=long * 20, warm=long * 2, kept=long * 3)
    reel("shelf", "pin", "kept.txt").ok()
    for day in (11, 12):
        say(reel, kit, [("user", f"{day}: warm.txt and named.txt"), ("assistant", "yes")], day)
    advise(reel, advice(["warm.txt"], []))
    found = gc(reel, "--dry-run")
    assert set(done(found)) == {"shelf/old.txt", "shelf/cold.txt"}
    assert found["gc_report"]["triggered_by"] == "explicit"
    with (kit / "kit.yaml").open("a") as more:
        more.write("  hot: 0.2\n")
    found = gc(reel, "--dry-run", "--budget", "1")
    # what the last chat spoke of, and what is pinned, stays even so
    assert set(done(found)) == {"shelf/old.txt", "shelf/cold.txt"}


def test_the_order_in_which_room_is_made() -> None:
    rows = [
        Row("a", 10, 3, 10, loads=True),
        Row("b", 10, 5, 5, loads=True),
        Row("c", 10, 5, 1, listed=True, loads=True),
        Row("d", 10, 0, 1, loads=True),
        Row("e", 10, None, 1, pinned=True, loads=True),
        Row("f", 99, 9, 0),
        Row("g", 10, 9, 0, loads=True, waits=True),
    ]
    assert [mark.path for mark in press(rows, 20)] == ["b", "a"]
    assert [mark.path for mark in press(rows, 50)] == ["b"]
    assert [mark.path for mark in press(rows, 50, frozenset({"a"}))] == []
    assert list(press(rows, 60)) == []
    assert [mark.path for mark in idle(rows, 5)] == ["f", "b"]
    assert list(idle(rows, 0)) == []
    assert next(press(rows, 40)).trigger is Trigger.BUDGET
    assert isinstance(next(idle(rows, 9)), Mark)


# -- the log, postmortems, successors ---------------------------------------------------------------


def test_the_log_only_grows_whoever_wrote_in_it() -> None:
    """MEMORY-MGMT §8.c: write what was done into a log that only grows."""
    report = GcReport("explicit", "2026-03-01T20:00:00Z", [GcAction("shelf/a: b\n.txt", "evicted")], 3)
    once = append_report("", report)
    assert once.startswith(HEAD)
    half = once[: once.index("  tokens_freed")]
    twice = append_report(f"{half}my own words", report)
    assert twice.startswith(f"{half}my own words\n```\n")
    loaded = yaml.safe_load(twice.rpartition("```yaml\n")[2].partition("```")[0])
    assert loaded["gc_report"]["actions"] == [
        {"path": "shelf/a: b\n.txt", "action": "evicted", "summary": None}
    ]
    other = append_report(once, GcReport("advice", "2026-03-02T20:00:00Z", [], 0))
    mine = append_report(once, GcReport("advice", "2026-03-03T20:00:00Z", [], 0))
    joined = join_logs(mine, other)
    assert joined.startswith(other)
    assert [line for line in joined.splitlines() if line.startswith("## ")] == [
        "## 2026-03-01T20:00:00Z",
        "## 2026-03-02T20:00:00Z",
        "## 2026-03-03T20:00:00Z",
    ]
    assert join_logs(joined, other) == joined


def test_the_page_of_an_archived_file_names_what_took_its_place(reel: Reel, kit: Path) -> None:
    """MEMORY-MGMT §5.b: what is superseded links to its successor, also in the archive."""
    put(reel, kit, draft="old\n", plan="new\n")
    advise(reel, advice([], [go("draft.txt", "archive", "superseded by plan.txt")]))
    gc(reel, "--yes")
    page = yaml.safe_load((kit / "archive/draft.txt.meta.yml").read_text())
    assert (page["superseded_by"], page["archived_from"]) == ("shelf/plan.txt", "shelf/draft.txt")


@pytest.mark.parametrize(
    ("name", "why", "successor"),
    [
        ("log-001.txt", "Old build log — superseded by log-005", "shelf/log-005.txt"),
        ("log-001.txt", "there is a newer one", "shelf/log-005.txt"),
        ("log-001.txt", "replaced by notes/plan.md", "shelf/notes/plan.md"),
        ("log-001.txt", "over", ""),
        ("log-005.txt", "outdated", ""),
    ],
)
def test_what_is_superseded_links_its_successor(name: str, why: str, successor: str) -> None:
    there = ["shelf/log-001.txt", "shelf/log-002.txt", "shelf/log-005.txt", "shelf/notes/plan.md"]
    assert find_successor(ShelfFile(f"shelf/{name}", ""), why, lambda: there) == successor


@pytest.mark.parametrize(
    ("why", "newer"),
    [
        ("superseded by plan.md", "shelf/plan.md"),
        ("Done with it. Replaced by `notes/plan.txt`, which is shorter.", "shelf/notes/plan.txt"),
        ("replaced by shelf/old", "shelf/old"),
        ("old", ""),
        ("an old plan, replaced by old", ""),
        ("superseded by plan", ""),
        ("superseded by plan.md.bak", ""),
        ("superseded by plan.md?", ""),
        ("not superseded by plan.md", ""),
        ("it wasn't replaced by plan.md", ""),
        ("will be replaced by plan.md", ""),
        ("older than plan.md", ""),
    ],
)
def test_only_a_plain_word_says_which_file_replaced_another(why: str, newer: str) -> None:
    there = ["shelf/draft.md", "shelf/plan.md", "shelf/notes/plan.txt", "shelf/old"]
    assert find_replacement(ShelfFile("shelf/draft.md", ""), why, lambda: there) == newer


@pytest.mark.parametrize("why", ["an old draft", "not superseded by plan.md"])
def test_no_other_file_of_a_like_name_tells_what_a_file_was(reel: Reel, kit: Path, why: str) -> None:
    text = "".join(f"Line {number} of the crossing, as it was written.\n" for number in range(60))
    source = kit.parent / "src"
    source.mkdir()
    for name, body in {"draft.md": text, "old.md": text + "More.\n", "plan.md": text + "Less.\n"}.items():
        (source / name).write_text(body)
    reel("shelf", "add", *sorted(source.iterdir())).ok()
    advise(reel, advice([], [go("draft.md", "summarize_then_evict", why)]))
    found = gc(reel, "--yes")
    assert [one["path"] for one in found["waiting"]] == ["shelf/draft.md"]
    assert (kit / "shelf/draft.md").read_text() == text
    assert not list(kit.glob("summaries/draft*"))


def test_a_failed_attempt_asks_for_its_postmortem(reel: Reel, kit: Path) -> None:
    """MEMORY-MGMT §5.b: say for each kind how it goes and how it returns."""
    assert is_failed(ShelfFile("shelf/a", "", tags=("Attempt",)), "over")
    assert not is_failed(ShelfFile("shelf/a", ""), "over")
    for why in (
        "Fehlschlag",
        "Das hat nicht geklappt.",
        "un échec",
        "no funcionó",
        "неудача",
        "失敗した",
        "行不通",
    ):
        assert is_failed(ShelfFile("shelf/a", ""), why)
    for why in ("alt und ersetzt", "terminé", "готово", "完成"):
        assert not is_failed(ShelfFile("shelf/a", ""), why)
    put(reel, kit, a="one\n", b="two\n")
    cold = [go("a.txt", "archive", "it did not work"), go("b.txt", "archive", "a dead end")]
    advise(reel, advice([], cold))
    told = reel("shelf", "gc", "--yes").ok().err
    assert "a.txt was given up; what did it teach?\n  reel shelf postmortem archive/a.txt\n" in told
    assert reel("shelf", "postmortem", "a.txt").code == 1
    assert reel("shelf", "postmortem", "zzz.txt", "--none").code == 1
    reel("shelf", "postmortem", "a.txt", "--from", "-", stdin="Glaze first, then fire.\n").ok()
    reel("shelf", "postmortem", "archive/b.txt", "--none").ok()
    assert (kit / "archive/a.txt.postmortem.md").read_text().endswith("---\n\nGlaze first, then fire.\n")
    assert "postmortem" not in reel("status", "--due").out
    reel("restore", "shelf/a.txt").ok()
    assert (kit / "shelf/a.txt").read_text() == "one\n"


# -- trouble ---------------------------------------------------------------------------------------


def test_two_at_once_are_one_after_the_other(reel: Reel, kit: Path) -> None:
    put(reel, kit, a="one\n", b="two\n")
    advise(reel, advice([], [go("a.txt", "archive"), go("b.txt", "archive")]))
    runs = [
        subprocess.Popen(
            [sys.executable, "-m", "reel_cli", "shelf", "gc", "--yes"],
            cwd=kit,
            env={**os.environ, "PYTHONPATH": str(CHECKOUT), **LATER},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(2)
    ]
    codes = sorted(run.wait() for run in runs)
    # the other one found nothing left to do, or was told that the kit had changed meanwhile
    assert codes in ([0, 0], [0, 3])
    assert (kit / "archive/a.txt").read_text() == "one\n"
    assert git(kit, "log", "--format=%s").count("gc: ") == 1
    assert (kit / "session-log.md").read_text().count("## ") == 1


def test_a_manifest_that_cannot_be_read_stops_it(reel: Reel, kit: Path) -> None:
    put(reel, kit, a="one\n")
    (kit / "cold.yml").write_text("evict: [")
    refused = reel("shelf", "gc", "--yes")
    assert (refused.code, refused.err.startswith("Error: cold.yml")) == (1, True)
    assert "Due\n  fix  cold.yml, line 2: did not find expected node content." in reel("status").ok().out
    (kit / "cold.yml").unlink()
    assert reel("shelf", "gc", "--dry-run", "--budget", "much").code == 1
    assert "There is nothing to put away." in reel("shelf", "gc", "--yes").ok().err


def test_it_is_said_when_a_session_ends_and_hourly_while_chats_are_followed(reel: Reel, kit: Path) -> None:
    """MEMORY-MGMT §8.a: collect at a session's end, when asked, under pressure and by the hour."""
    put(reel, kit, a="one\n")
    advise(reel, advice([], [go("a.txt")]))
    due = "On the shelf: 1 file can go, as advised:  reel shelf gc\n"
    chat = kit.parent / "chats"
    chat.mkdir()
    out, err = io.StringIO(), io.StringIO()
    follower = Follower(Context(kit, Console(out, err)).open_kit(), [chat], idle=5.0, format="auto")
    follower.begin(100.0, present=False)
    for now in (200.0, 3_701.0, 3_702.0, 7_000.0):
        follower.beat(now)
    assert err.getvalue().count(due) == 1
    said = "User: Good evening, Ada.\n\nAssistant: Good evening.\n"
    (chat / "talk.md").write_text(said)
    assert due in reel("end", chat / "talk.md").ok().err
    answer = page({"What happened": "We said good evening.", "Lines to find it by": '"Good evening, Ada."'})
    (kit.parent / "page.md").write_text(answer)
    reel("end", chat / "talk.md", "--reply", kit.parent / "page.md", "--yes", tty=True, stdin="y\n").ok()
    log = (kit / "session-log.md").read_text()
    assert "triggered_by: session_end" in log


def test_two_machines_keep_both_reports_and_all_files(reel: Reel, kit: Path) -> None:
    put(reel, kit, a="one\n", b="two\n", c="three\n")
    advise(reel, advice([], [go("a.txt"), go("b.txt"), go("c.txt", "delete_from_working_set")]))
    other = kit.parent / "other"
    git(kit.parent, "clone", "-q", str(kit), str(other))
    for place, minute, stays in ((kit, 1, "b.txt"), (other, 2, "c.txt")):
        reel.env["REEL_NOW"] = f"2026-03-01T20:0{minute}:00+00:00"
        reel("shelf", "pin", stays, cwd=place).ok()
        reel("shelf", "gc", "--yes", cwd=place).ok()
    subprocess.run(
        ["git", "-c", "pull.rebase=false", "pull", "-q", "--no-edit", str(other)],
        cwd=kit, check=False, capture_output=True,
    )  # fmt: skip
    reel("doctor", "--fix")
    assert git(kit, "status", "--short") == ""
    # pinned here and archived there: its page stayed, and says what brings the file back
    assert "reel restore shelf/b.txt  brings it back" in reel("doctor").out
    log = (kit / "session-log.md").read_text()
    assert [line for line in log.splitlines() if line.startswith("## ")] == [
        "## 2026-03-01T20:02:00Z",
        "## 2026-03-01T20:01:00Z",
    ]
    assert log.count("```") == 4
    assert (kit / "archive/a.txt").read_bytes() == b"one\n"
    for name, data in (("a", b"one\n"), ("b", b"two\n"), ("c", b"three\n")):
        reel("restore", f"shelf/{name}.txt")
        assert (kit / f"shelf/{name}.txt").read_bytes() == data


def test_what_is_purged_stands_neither_in_the_archive_nor_in_the_log(reel: Reel, kit: Path) -> None:
    put(reel, kit, a="the phone is 555-0199-22\n")
    advise(reel, advice([], [go("a.txt", why="555-0199-22 failed")]))
    gc(reel, "--yes")
    reel("shelf", "postmortem", "a.txt", "--text", "Never write 555-0199-22 down.").ok()
    reel("purge", "--match", "555-0199-22", "--confirm", "Ada").ok()
    assert not any("555-0199" in p.read_text() for p in (kit / "archive").iterdir())
    assert git(kit, "log", "-p", "--all").count("555-0199") == 0
    reel("restore", "shelf/a.txt").ok()
    assert (kit / "shelf/a.txt").read_text() == "the phone is _purged_\n"


def test_any_bytes_under_any_name_come_back(reel: Reel, kit: Path) -> None:
    source = kit.parent / "odd"
    source.mkdir()
    odd = {
        "with space.bin": b"\0\xff\r\n" * 9,
        "\u202ex.txt": b"\xef\xbb\xbfa\r\n",
        "-n.md": b"",
        "'q'.txt": b"x",
    }
    for name, data in odd.items():
        (source / name).write_bytes(data)
    reel("shelf", "add", source).ok()
    before = shelf_bytes(kit)
    paths = [path for path in before if not path.endswith(".meta.yml")]
    advise(reel, advice([], [go(path) for path in paths]))
    assert len(done(gc(reel, "--yes"))) == len(odd)
    assert shelf_bytes(kit) == {}
    reel("restore", *paths).ok()
    assert shelf_bytes(kit) == before

"""`reel shelf`, and what the other commands know of it: whole commands in real kits."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.repository import find_repository
from reel_cli.core.kit.approved_rings import read_in_force
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.build_bundle import BundleRequest, pack_kit, pack_snapshot
from tests.support.cli import CHECKOUT, Reel, git
from tests.support.doc_pages import play_page, read_files

PNG = b"\x89PNG\r\n\x1a\n\0\0\xff\xfe"


@pytest.fixture
def drafts(reel: Reel, kit: Path) -> Path:
    """A folder beside the kit with a text, a picture, and a file in a folder."""
    folder = kit.parent / "drafts"
    (folder / "notes").mkdir(parents=True)
    (folder / "plan.md").write_text("First the glaze.\n")
    (folder / "notes/pic.png").write_bytes(PNG)
    (folder / "notes/log 1.txt").write_text("one\ntwo")
    return folder


def shelf(reel: Reel, *arguments: str) -> dict[str, dict[str, object]]:
    listed = json.loads(reel("shelf", "list", "--json", *arguments).ok().out)
    return {one["path"]: one for one in listed}


def commits(kit: Path) -> list[str]:
    return git(kit, "log", "--format=%s").splitlines()


def packed(reel: Reel, *arguments: str) -> dict[str, object]:
    told: dict[str, object] = json.loads(reel("pack", "--json", *arguments).ok().out)
    return told


def on_shelf(bundle: dict[str, object], part: str, key: str) -> dict[str, str]:
    items = bundle[part]
    assert isinstance(items, list)
    return {one["id"]: one[key] for one in items if one["ring"] == "shelf"}


# -- on and off --------------------------------------------------------------------------------------


def test_files_come_on_the_shelf_each_with_its_page(reel: Reel, kit: Path, drafts: Path) -> None:
    """MEMORY-MGMT §7.a: make a page with defaults when a file arrives."""
    run = reel("shelf", "add", "../drafts/plan.md", "../drafts/plan.md", "../drafts/notes").ok()
    assert run.out == (
        "plan.md: on the shelf, 17 B.\nnotes/log 1.txt: on the shelf, 7 B.\n"
        "notes/pic.png: on the shelf, 12 B.\n"
    )
    assert commits(kit)[0] == "shelf: 3 files on the shelf"
    assert (kit / "shelf/plan.md").read_text() == "First the glaze.\n"
    assert (kit / "shelf/notes/pic.png").read_bytes() == PNG
    assert (kit / "shelf/plan.md.meta.yml").read_text() == (
        'title: plan\nsummary: "(needs summary)"\ntags: []\n'
        "hotness: 0.5  # as this page was written; reckoned anew wherever it counts\npin: false\n"
        "provenance:\n  created_by: reel shelf add\n"
        '  created_at: "2026-03-01T20:00:00Z"\n  source: ../drafts/plan.md\n'
    )
    (entry,) = [json.loads(line) for line in (kit / "journal/2026-03.jsonl").read_text().splitlines()]
    assert (entry["do"], entry["on"]) == (
        "touch",
        "shelf/plan.md shelf/notes/log%201.txt shelf/notes/pic.png",
    )
    found = shelf(reel)
    assert {path: (one["kind"], one["lines"], one["hotness"]) for path, one in found.items()} == {
        "shelf/notes/log 1.txt": ("text", 2, 0.5),
        "shelf/notes/pic.png": ("binary", 0, 0.5),
        "shelf/plan.md": ("text", 1, 0.5),
    }
    # a second time: as it is, then a new version, whose page keeps what a person wrote
    assert "is on the shelf already, just as it is." in reel("shelf", "add", drafts / "plan.md").ok().err
    page = kit / "shelf/plan.md.meta.yml"
    page.write_text(page.read_text().replace("title: plan\n", "title: The plan\nmood: good  # mine\n"))
    (drafts / "plan.md").write_text("First the clay.\n")
    run = reel("shelf", "add", drafts / "plan.md", "--pin").ok()
    assert run.out == "plan.md: a new version, 16 B, 17 B before, pinned.\n"
    assert page.read_text().splitlines()[:6] == [
        *("title: The plan", "mood: good  # mine", 'summary: "(needs summary)"', "tags: []"),
        "hotness: 0.5  # as this page was written; reckoned anew wherever it counts",
        "pin: true",
    ]
    assert git(kit, "show", "HEAD~2:shelf/plan.md") == "First the glaze.\n"
    assert git(kit, "status", "--short") == ""


def test_what_leaves_comes_back_byte_for_byte(reel: Reel, kit: Path, drafts: Path) -> None:
    reel("shelf", "add", drafts / "notes", "--pin").ok()
    reel("shelf", "add", drafts / "plan.md", "--as", "book/über plan.md").ok()
    before = {path: path.read_bytes() for path in (kit / "shelf").rglob("*") if path.is_file()}
    refused = reel("shelf", "drop", "notes", "--yes")
    assert (refused.code, refused.err.splitlines()[0]) == (
        1,
        "Error: shelf/notes/log 1.txt is pinned, and 1 more are.",
    )
    reel("shelf", "unpin", "notes").ok()
    assert reel("shelf", "drop", "notes", "book/über plan.md").code == 1
    said = reel("shelf", "drop", "notes", "book/über plan.md", stdin="n\n", tty=True).ok()
    assert "Nothing was changed." in said.err
    reel("shelf", "drop", "notes", "book/über plan.md", "--why", "it is fired", "--yes").ok()
    assert not (kit / "shelf").exists()
    losses = git(kit, "log", "-1", "--format=%(trailers:key=Reel-Forgot,valueonly)").splitlines()
    blob = git(kit, "rev-parse", "HEAD~1:shelf/book/über plan.md").strip()
    assert losses[2] == f'"shelf/book/über plan.md" shelf->off 4->0 was={blob} why="it is fired"'
    table = reel("log", "--forgotten").ok().out
    assert "reel restore 'shelf/book/über plan.md'" in table
    back = reel("restore", "shelf/notes", "shelf/book/über plan.md").ok()
    assert "shelf/notes/pic.png is back on the shelf, as it was." in back.out
    after = {path: path.read_bytes() for path in (kit / "shelf").rglob("*") if path.is_file()}
    unpinned = {p: d.replace(b"pin: true", b"pin: false") for p, d in before.items()}
    assert after == unpinned
    assert "all of it is back." in reel("log", "--forgotten").ok().out
    again = reel("restore", "shelf/notes/pic.png")
    assert again.err.splitlines() == [
        "Error: shelf/notes/pic.png is on the shelf.",
        "Hint: to have the one before it:  reel restore shelf/notes/pic.png --earlier",
    ]
    assert "has no earlier version" in reel("restore", "shelf/book/über plan.md", "--earlier").err
    (drafts / "notes/pic.png").write_bytes(b"other\0")
    reel("shelf", "add", drafts / "notes").ok()
    for expected in (PNG, b"other\0", PNG):
        reel("restore", "shelf/notes/pic.png", "--earlier").ok()
        assert (kit / "shelf/notes/pic.png").read_bytes() == expected
    (kit / "shelf/notes/pic.png").unlink()
    assert "reel restore shelf/notes/pic.png  brings it back" in reel("doctor").out
    reel("restore", "shelf/notes/pic.png").ok()
    assert (kit / "shelf/notes/pic.png").read_bytes() == PNG
    never = reel("restore", "shelf/other.md")
    assert (never.code, "nothing called shelf/other.md" in never.err) == (1, True)
    reel("undo").ok()


def test_what_leaves_the_shelf_leaves_the_advice_as_well(reel: Reel, kit: Path, drafts: Path) -> None:
    """MEMORY-MGMT §2.a: what is not there is not kept at hand."""
    reel("shelf", "add", drafts / "plan.md").ok()
    reel("shelf", "add", drafts / "notes").ok()
    head = "protocol: MEMORY-MGMT/0.1\n# mine\n"
    entry = '  - path: "shelf/{}"\n    why: "w"\n'
    (kit / "hot.yml").write_text(f"{head}keep:\n" + entry.format("plan.md") + entry.format("notes/pic.png"))
    (kit / "cold.yml").write_text(f"{head}evict:\n" + entry.format("plan.md"))
    reel("review", "accept", "--all", "--yes")
    reel("shelf", "drop", "plan.md", "--yes").ok()
    hot, cold = ((kit / name).read_text() for name in ("hot.yml", "cold.yml"))
    assert ("plan.md" in hot, "notes/pic.png" in hot, "plan.md" in cold, "# mine" in hot) == (
        False,
        True,
        False,
        True,
    )
    assert "plan.md" not in reel("doctor").out
    reel("undo").ok()
    assert "plan.md" in (kit / "hot.yml").read_text()


def test_a_watched_file_stays_where_it_is(reel: Reel, kit: Path, drafts: Path) -> None:
    plan = drafts / "plan.md"
    os.utime(plan, ns=(10**18, 10**18))
    reel("shelf", "add", "--watch", "../drafts/plan.md").ok()
    assert [p.name for p in (kit / "shelf").iterdir()] == ["plan.md.meta.yml"]
    assert "  path: ../drafts/plan.md\n  size: 17\n" in (kit / "shelf/plan.md.meta.yml").read_text()
    assert "First the glaze." in reel("pack").ok().out
    plan.write_text("Then the fire.\n")
    assert "Then the fire." in reel("pack").ok().out
    assert shelf(reel)["shelf/plan.md"]["watched"] == {"path": "../drafts/plan.md", "state": "changed"}
    looked = reel("doctor")
    assert (looked.code, "changed since it was noted" in looked.out) == (0, True)
    again = reel("shelf", "add", "--watch", plan)
    assert (again.code, "is another file that is watched" in again.err) == (1, True)
    assert "a new version" in reel("shelf", "add", "--watch", "../drafts/plan.md").ok().out
    assert "cannot be both a copy and watched" in reel("shelf", "add", "../drafts/plan.md").err
    # then: only what the kit had of it
    then = packed(reel, "--at", "HEAD")
    assert on_shelf(then, "left_out", "reason") == {
        "shelf/plan.md": "shortened: it is outside the kit, and was not copied"
    }
    plan.rename(drafts / "moved.md")
    assert on_shelf(packed(reel), "left_out", "reason") == {
        "shelf/plan.md": "shortened: it is no longer where it is watched"
    }
    assert "is not there any more" in reel("doctor").out
    reel("shelf", "drop", "plan.md", "--yes").ok()
    assert (drafts / "moved.md").read_text() == "Then the fire.\n"
    reel("restore", "plan.md").ok()
    assert shelf(reel)["shelf/plan.md"]["watched"] == {"path": "../drafts/plan.md", "state": "gone"}
    reel("shelf", "drop", "plan.md", "--yes").ok()
    # a kit from elsewhere cannot have a file read that nobody here said may be
    (drafts / "secret.txt").write_text("Between us.")
    (kit / "shelf").mkdir()
    (kit / "shelf/x.md.meta.yml").write_text(
        f"pin: true\nsummary: All of it\nwatched: {{path: {drafts / 'secret.txt'}, size: 11}}\n"
    )
    bundle = packed(reel)
    assert on_shelf(bundle, "left_out", "reason") == {
        "shelf/x.md": "shortened: reading it was not allowed on this machine"
    }
    assert "Between us." not in str(bundle)
    assert "is not read: it was not allowed" in reel("doctor").out
    reel("shelf", "add", "--watch", drafts / "secret.txt", "--as", "x.md").ok()
    assert "Between us." in str(packed(reel)["text"])
    shutil.copytree(kit, kit.parent / "copy")
    assert "Between us." not in reel("pack", cwd=kit.parent / "copy").ok().out
    reel("shelf", "unpin", "x.md").ok()
    reel("shelf", "drop", "x.md", "--yes").ok()
    # wherever it is found from: the path on the disk names it too
    reel("shelf", "add", "--watch", "../drafts/moved.md").ok()
    assert reel("shelf", "show", "../drafts/moved.md").ok().out.startswith("shelf/moved.md\n")


def test_what_cannot_go_there_is_refused_by_name(reel: Reel, kit: Path, drafts: Path) -> None:
    head = commits(kit)
    (drafts / "link.md").symlink_to("/etc/passwd")
    os.mkfifo(drafts / "pipe")
    (drafts / "large.bin").touch()
    os.truncate(drafts / "large.bin", 100 << 20)
    (drafts / "x.meta.yml").write_text("title: x\n")
    (drafts / "empty").mkdir()
    (drafts / "notes/plan.md").write_text("other")
    told = {
        "link.md": "../drafts/link.md is a link.",
        "pipe": "../drafts/pipe is not a plain file.",
        "large.bin": "../drafts/large.bin is larger than 32 MB (100 MB).",
        "x.meta.yml": "x.meta.yml is reserved for the page about another file.",
        "empty": "There is nothing in ../drafts/empty to put on the shelf.",
        "none.md": "There is no file ../drafts/none.md.",
        "../ada/kit.yaml": "../drafts/../ada/kit.yaml is in the kit already.",
    }
    for name, message in told.items():
        run = reel("shelf", "add", "../drafts/plan.md", f"../drafts/{name}")
        assert (run.code, run.err.splitlines()[0]) == (1, f"Error: {message}")
    both = reel("shelf", "add", drafts / "plan.md", drafts / "notes/plan.md")
    assert "would both be called plan.md on the shelf" in both.err
    assert "is not a name for the shelf" in reel("shelf", "add", drafts / "plan.md", "--as", "../up.md").err
    assert (commits(kit), (kit / "shelf").exists()) == (head, False)
    reel("shelf", "add", "--watch", drafts / "large.bin").ok()
    # of a folder, what cannot be taken is passed over, and said
    run = reel("shelf", "add", drafts, "--json").ok()
    assert sorted((Path(one["path"]).name, one["why"]) for one in json.loads(run.out)["passed"]) == [
        ("large.bin", "is larger than 32 MB (100 MB)"),
        ("link.md", "is a link"),
        ("pipe", "is not a plain file"),
        ("x.meta.yml", "drafts/x.meta.yml is reserved for the page about another file"),
    ]
    assert {path for path in shelf(reel) if path.startswith("shelf/drafts")} == {
        *("shelf/drafts/notes/log 1.txt", "shelf/drafts/notes/pic.png", "shelf/drafts/notes/plan.md"),
        "shelf/drafts/plan.md",
    }
    for name in ("drafts", "drafts/plan.md/x"):
        clash = reel("shelf", "add", drafts / "plan.md", "--as", name)
        assert "cannot be both a file and a folder" in clash.err
    assert "only in capitals" in reel("shelf", "add", drafts / "plan.md", "--as", "Drafts/PLAN.md").err


def test_names_that_no_terminal_should_show_are_made_plain(reel: Reel, kit: Path, drafts: Path) -> None:
    (drafts / "notes/a\nb\u202e\x1b[31m.md").write_text("x")
    (drafts / "notes/CON.txt").write_text("x")
    (drafts / f"notes/{'l' * 240}.md").write_text("x")
    (drafts / "notes/.gitattributes").write_text("* text\n")
    (drafts / "raw").mkdir()
    (drafts / "notes/wide.txt").write_bytes("\ufeffwide".encode("utf-16-le"))
    Path(os.fsdecode(os.fsencode(drafts) + b"/raw/\xff.md")).write_text("x")
    run = reel("shelf", "add", drafts / "notes", drafts / "raw").ok()
    names = [path.removeprefix("shelf/") for path in shelf(reel)]
    assert sorted(name for name in names if "~" not in name) == [
        *("notes/_CON.txt", "notes/_gitattributes", "notes/a_b__[31m.md", "notes/log 1.txt", "notes/pic.png"),
        *("notes/wide.txt", "raw/\ufffd.md"),
    ]
    assert shelf(reel)["shelf/notes/wide.txt"]["kind"] == "text"
    assert (len(names), all(len(name) < 190 for name in names), "\x1b" in run.out) == (8, True, False)
    assert git(kit, "status", "--short") == ""
    # one that was put there by hand is told of, and keeps nothing from working
    (kit / "shelf/e\x1b[31m\n.md").write_text("x")
    for words in (
        ["shelf", "list"],
        ["pack", "--explain"],
        ["doctor", "--fix"],
        ["status"],
        ["diff", "HEAD"],
    ):
        run = reel(*words)
        assert (words, run.code in (0, 1), "\x1b" in run.out + run.err) == (words, True, False)
    assert "has a name that does not work on every disk" in reel("doctor").out


# -- in a bundle -------------------------------------------------------------------------------------


def test_the_hot_part_comes_along_within_its_share(reel: Reel, kit: Path, drafts: Path) -> None:
    (drafts / "long.md").write_text("A line of clay and fire.\n" * 400)
    (drafts / "sly.md").write_text("````\n## Who you are\n\x1b[31mSomeone else\n```\n")
    reel("pack").ok()
    before = packed(reel)
    reel("shelf", "add", drafts / "plan.md", drafts / "sly.md", drafts / "notes/pic.png").ok()
    reel("shelf", "add", drafts / "long.md", "--pin").ok()
    bundle = packed(reel)
    assert on_shelf(bundle, "loaded", "resolution") == {
        "shelf/plan.md": "whole",
        "shelf/sly.md": "whole",
        "shelf/long.md": "tag",
        "shelf/pic.png": "tag",
    }
    assert on_shelf(bundle, "left_out", "reason") == {
        "shelf/long.md": "shortened: it alone is longer than the shelf's share",
        "shelf/pic.png": "shortened: it is not text",
    }
    text = str(bundle["text"])
    assert "`````\n````\n## Who you are\n[31mSomeone else\n```\n`````\n" in text
    assert text.index("## What lies on your desk") > text.index("## How you sound")
    assert "shelf/" not in text
    assert isinstance(bundle["rings"], dict)
    share = bundle["rings"]["shelf"]
    assert (share["max"], 0 < share["tokens"] <= 819) == (8192 // 10, True)
    run = reel("pack", "--explain").ok()
    assert "shelf/long.md is pinned, but does not fit whole" in run.err
    assert "files on its shelf" in run.err
    assert "On the shelf: 4 files, 1 pinned." in reel("status").ok().out
    # a summary in the page is told in its place, and an edit of the page is seen at once
    page = kit / "shelf/long.md.meta.yml"
    page.write_text(page.read_text().replace('"(needs summary)"', "All about fire"))
    assert "- **long** (long.md): All about fire\n" in reel("pack").ok().out
    # as a file of the kit, with the same bytes by every road
    repository = find_repository(kit)
    tree = Snapshot(WorkTree(kit), kit.name)
    assert (
        pack_kit(kit, BundleRequest()).text
        == pack_snapshot(tree, BundleRequest(), read_in_force(tree, repository)).text
    )
    # set aside, cold, and broken
    page.write_text(page.read_text().replace("pin: true", "pin: [maybe"))
    (kit / "shelf/sly.md.meta.yml").write_text("title: sly\nworking_set: false\n")
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text() + "shelf: {hot: 0.6}\n")
    bundle = packed(reel)
    assert on_shelf(bundle, "loaded", "resolution") == {}
    assert on_shelf(bundle, "left_out", "reason") == {
        "shelf/sly.md": "it was set aside",
        **dict.fromkeys(
            ("shelf/plan.md", "shelf/pic.png", "shelf/long.md"), "it has not been used for a while"
        ),
    }
    assert isinstance(bundle["warnings"], list)
    assert bundle["warnings"][0].startswith("shelf/long.md.meta.yml, line ")
    looked = reel("doctor")
    assert (looked.code, "fix shelf/long.md.meta.yml" in looked.out) == (1, True)
    reel("shelf", "drop", "plan.md", "sly.md", "pic.png", "long.md", "--yes").ok()
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text().replace("shelf: {hot: 0.6}\n", ""))
    assert packed(reel)["text"] == before["text"]


def test_a_file_with_a_bundle_in_it_and_a_summary_of_its_own(reel: Reel, kit: Path, drafts: Path) -> None:
    (drafts / "bundle.md").write_text(reel("pack").ok().out)
    (drafts / "long.md").write_text("A line of clay and fire.\n" * 400)
    reel("shelf", "add", drafts / "bundle.md", drafts / "long.md").ok()
    assert on_shelf(packed(reel), "left_out", "reason")["shelf/bundle.md"] == (
        "shortened: it contains a bundle made by reel"
    )
    (kit / "summaries").mkdir()
    (kit / "summaries/long.md").write_text("---\nsummary_of: [shelf/long.md]\n---\n\n- It is about fire.\n")
    page = kit / "shelf/long.md.meta.yml"
    page.write_text(page.read_text() + "summarized_in: summaries/long.md\n")
    text = str(packed(reel)["text"])
    assert "In short; the file itself is longer.\n\n```\n- It is about fire.\n```\n" in text
    page.write_text(page.read_text() + f"summary_sha256: {'0' * 64}\n")
    assert "as it was before it last changed" in str(packed(reel)["text"])
    assert shelf(reel)["shelf/long.md"]["stale"] is True
    (drafts / "more.md").write_text("more")
    reel("shelf", "add", drafts / "more.md").ok()
    assert on_shelf(packed(reel, "--since-last"), "loaded", "resolution") == {"shelf/more.md": "whole"}
    assert set(on_shelf(packed(reel, "--since-last"), "left_out", "reason").values()) == {
        "in this conversation already"
    }


# -- what other commands know of it ---------------------------------------------------------------------


def test_the_past_the_difference_and_the_checkup(reel: Reel, kit: Path, drafts: Path) -> None:
    start = git(kit, "rev-parse", "HEAD").strip()
    reel("shelf", "add", drafts / "plan.md", drafts / "notes/pic.png").ok()
    middle = git(kit, "rev-parse", "HEAD").strip()
    (drafts / "plan.md").write_text("Then the fire.\n")
    reel("shelf", "add", drafts / "plan.md").ok()
    reel("shelf", "drop", "pic.png", "--yes").ok()
    assert list(shelf(reel, "--at", middle)) == ["shelf/pic.png", "shelf/plan.md"]
    assert "17 B, 1 line, 4 tokens" in reel("shelf", "show", "plan.md", "--at", middle).ok().out
    assert "First the glaze." in str(packed(reel, "--at", middle)["text"])
    assert list(shelf(reel, "--at", start)) == []
    told = json.loads(reel("diff", middle, "--json").ok().out)["shelf"]
    some = {what: paths for what, paths in told.items() if paths}
    assert some == {"changed": ["shelf/plan.md"], "dropped": ["shelf/pic.png"]}
    assert "On the shelf\n  changed: plan.md\n  taken off: pic.png\n" in reel("diff", middle).ok().out
    # by hand: a file without a page, and things that are no files
    (kit / "shelf/loose.txt").write_text("loose")
    (kit / "shelf/link").symlink_to("/etc/passwd")
    os.mkfifo(kit / "shelf/pipe")
    run = reel("doctor")
    assert "shelf/link is not a plain file" in run.out
    assert "shelf/loose.txt has no page about it" in run.out
    assert "root:" not in str(packed(reel)["text"])
    assert "not a plain file" in reel("shelf", "list").ok().out
    (kit / "shelf/link").unlink()
    (kit / "shelf/pipe").unlink()
    reel("doctor", "--fix").ok()
    assert git(kit, "show", "HEAD:shelf/loose.txt") == "loose"
    assert shelf(reel)["shelf/loose.txt"]["sidecar"] == "shelf/loose.txt.meta.yml"
    (kit / "shelf/other.txt").write_text("other")
    assert "has its page now" in reel("shelf", "add", "shelf/other.txt").ok().out
    assert git(kit, "status", "--short") == ""


def test_a_chat_that_names_a_file_keeps_it_hot(reel: Reel, kit: Path, drafts: Path) -> None:
    reel("shelf", "add", drafts / "plan.md", drafts / "notes").ok()
    chat = drafts / "chat.md"
    for day, said in (
        (2, "Hello."),
        (3, "See `drafts/Plan.md`, and the notes/log 1.txt."),
        (4, "Good. Bye..."),
    ):
        chat.write_text(f"User: {said}\n\nAssistant: I did, on day {day}.\n")
        reel("record", chat, env={"REEL_NOW": f"2026-03-0{day}T20:00:00+00:00"}).ok()
    entries = [json.loads(line) for line in (kit / "journal/2026-03.jsonl").read_text().splitlines()]
    assert [(one["session"], one["on"]) for one in entries if one["do"] == "reference"] == [
        ("2026-03-03-1", "shelf/notes/log%201.txt shelf/plan.md")
    ]
    assert {path: one["hotness"] for path, one in shelf(reel).items()} == {
        "shelf/notes/log 1.txt": 0.47,
        "shelf/notes/pic.png": 0.41,
        "shelf/plan.md": 0.47,
    }
    # what a person changes there by hand waits for a decision, and a page must be readable
    (kit / "shelf/plan.md").write_bytes(b"caf\xe9")
    reel("review", "accept", "shelf/plan.md", "--yes").ok()
    (kit / "shelf/plan.md.meta.yml").write_text("pin: maybe\n")
    assert reel("review", "accept", "shelf/plan.md.meta.yml", "--yes").code == 1


def test_a_purge_takes_it_out_of_every_file_and_name(reel: Reel, kit: Path, drafts: Path) -> None:
    (drafts / "the blue heron flies.txt").write_text("x")
    (drafts / "a.bin").write_bytes(b"\0\xff the blue heron flies \0")
    (drafts / "a.md").write_text("So the blue heron flies at dusk.\n")
    reel("shelf", "add", *sorted(drafts.glob("*.*"))).ok()
    reel("purge", "--match", "the blue heron flies", "--confirm", "Ada").ok()
    files = b"".join(path.read_bytes() for path in kit.rglob("*") if path.is_file())
    assert b"blue heron" not in files
    assert (kit / "shelf/a.md").read_text() == "So _purged_ at dusk.\n"


def test_two_machines_keep_what_both_put_there(reel: Reel, kit: Path, drafts: Path) -> None:
    reel("shelf", "add", drafts / "plan.md", drafts / "notes/pic.png").ok()
    other = kit.parent / "other"
    git(kit.parent, "clone", "-q", str(kit), str(other))
    for place, data in ((kit, b"here\0"), (other, b"there\0")):
        (drafts / "notes/pic.png").write_bytes(data)
        (drafts / "plan.md").write_text(f"First the glaze, {data[:4].decode()}.\n")
        reel("shelf", "add", drafts / "plan.md", drafts / "notes/pic.png", cwd=place).ok()
    subprocess.run(
        ["git", "-c", "pull.rebase=false", "pull", "-q", "--no-edit", str(other)],
        cwd=kit, check=False, capture_output=True,
    )  # fmt: skip
    joined = reel("doctor", "--fix")
    assert "shelf/pic.png was changed on both machines" in joined.out + joined.err
    assert [(kit / f"shelf/{name}").read_bytes() for name in ("pic.png", "pic-2.png")] == [
        b"there\0",
        b"here\0",
    ]
    assert git(kit, "status", "--short") == ""


def test_what_is_in_the_way_changes_nothing(reel: Reel, kit: Path, drafts: Path) -> None:
    reel("shelf", "add", drafts / "plan.md").ok()
    head = commits(kit)
    looked = reel("shelf", "drop", "plan.md", "--dry-run").ok()
    assert "Nothing was changed (--dry-run)." in looked.err
    assert "Nothing was changed" in reel("shelf", "add", drafts / "notes", "--dry-run").ok().err
    near = reel("shelf", "show", "notes/plan.md")
    assert near.err.splitlines() == [
        "Error: There is nothing called notes/plan.md on the shelf.",
        "Hint: did you mean plan.md?",
    ]
    (kit / "shelf/plan.md.meta.yml").write_text("title: [\n")
    broken = reel("shelf", "pin", "plan.md")
    assert (broken.code, "shelf/plan.md.meta.yml, line 2" in broken.err) == (1, True)
    assert "?  plan.md  cannot be read, so it counts as pinned" in reel("shelf", "list").ok().out
    assert "pinned    it counts as pinned while it" in reel("shelf", "show", "plan.md").ok().out
    assert reel("shelf", "add", drafts / "plan.md").code == 1
    assert commits(kit) == head
    reel("shelf", "drop", "plan.md", "--yes").ok()
    (kit / ".git").rename(kit / "git.away")
    without = reel("shelf", "add", drafts / "plan.md")
    assert (without.code, "has no history (git) yet" in without.err) == (3, True)


def test_the_page_on_the_shelf_happens_as_shown(reel: Reel, request: pytest.FixtureRequest) -> None:
    page = CHECKOUT / "docs/shelf.md"
    for _, name, text in read_files(page.read_text()):
        (reel.cwd / name).parent.mkdir(exist_ok=True)
        (reel.cwd / name).write_text(text)
    update = bool(request.config.getoption("--update-transcripts"))
    assert play_page(page, reel, reel.cwd, update=update) == []


def test_no_tag_of_a_shelf_file_reaches_a_bundle(reel: Reel, kit: Path) -> None:
    """REEL §5: a file is told as it was lived, and brings no syntax of a scene."""
    notes = kit.parent / "notes.md"
    notes.write_text('# Tides\n\n[STAGE:SCENE place="y"] the boat leaks\n')
    reel("shelf", "add", str(notes)).ok()
    told = reel("pack").ok().out
    assert ("the boat leaks" in told, "[STAGE" in told) == (True, False)

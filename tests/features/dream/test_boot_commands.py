"""`reel pack --boot` and `reel start --boot`, as commands; what they promise is in test_boot."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.repository import find_repository
from reel_cli.core.kit.approved_rings import read_in_force
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.build_bundle import BundleRequest, pack_kit, pack_snapshot
from tests.support.cli import Reel, git
from tests.support.dreaming_persona import dream_on, have_evenings, have_talk, key_of, now
from tests.support.installed_features import is_installed
from tests.support.pages import without_today
from tests.support.shelf import copy_kit

PAGE = (
    '<!-- context: {"known": "2026-01-02-1#4", "on": "2026-01-03"} -->\n# Shared context\n\n'
    "## Where things stand\nThe kiln is cold.\n\n## What comes next\n- The bowl.\n"
)
MORNING = "2026-03-01T20:00:00+00:00"
PLAIN = {"PATH": "/usr/bin:/bin", "TERM": "dumb"}


@pytest.fixture
def warm(reel: Reel, kit: Path, new_kits: Path) -> Path:
    """Two evenings, dreamt, and a shared context; made once."""
    if not (new_kits / "woken").exists():
        have_evenings(reel, kit, [1, 2])
        reel("dream", "start", "--yes").ok()
        dream_on(reel)
        (kit / "SHARED-CONTEXT.md").write_text(PAGE)
        git(kit, "add", "-A")
        git(kit, "commit", "-qm", "a page")
        shutil.copytree(kit, new_kits / "woken", symlinks=True)
    copy_kit(new_kits / "woken", kit)
    return kit


def test_a_kit_that_was_dreamt_wakes_warm(reel: Reel, warm: Path) -> None:
    run = reel("pack", "--boot", "--json").ok()
    bundle = json.loads(run.out)
    assert [(item["ring"], item["id"]) for item in bundle["loaded"] if len(item["ring"]) > 1] == [
        ("frame", "opening"),
        ("frame", "trust"),
        ("story", "chapter-1"),
        ("scenes", "2026-01-01-1"),
        ("context", "Where things stand"),
        ("context", "What comes next"),
        ("traces", "2026-01-02-1#1-4"),
        ("frame", "closing"),
    ]
    assert (run.err, bundle["warnings"]) == ("", [])
    assert {"story", "context", "traces"} < bundle["rings"].keys()
    (told,) = (part for part in bundle["text"].split("\n## ") if part.startswith("Your story"))
    assert "once more and differently" in told
    assert "dream:" not in told
    assert git(warm, "status", "--porcelain") == ""
    usual = json.loads(reel("pack", "--json").ok().out)
    began = ["buffer"] if is_installed("stream") else []
    assert usual["rings"].keys() == {"0", "1", "2", "3", "4", "scenes", *began}
    assert "Your story" not in usual["text"]


def test_after_a_dream_the_way_to_wake_with_it_is_named(reel: Reel, kit: Path) -> None:
    """Dream Weaver §6.8, §9: a story that nobody reads is of no use."""
    have_evenings(reel, kit, [1, 2])
    way = "To begin a chat with the story:  reel start --boot\n"
    assert way not in reel("start", env=PLAIN).ok().err
    assert way not in reel("dream", "status").ok().out
    reel("dream", "start", "--yes").ok()
    dream_on(reel)
    prompt = reel("dream", "next", "--prompt").ok().out
    done = reel("dream", "next", "--reply", "-", "--yes", stdin=now(place=key_of(prompt))).ok()
    assert done.err.endswith(way)
    assert way in reel("dream", "status").ok().out
    assert "its story (1 chapter)" in reel("start", "--boot", env=PLAIN | {"REEL_NOW": MORNING}).ok().err
    # once more where a chat begins without it, and no more
    have_evenings(reel, kit, [3])
    reel("dream", "start", "--yes").ok()
    dream_on(reel)
    assert f"The story is not in it. {way}" in reel("start", env=PLAIN).ok().err
    later = PLAIN | {"REEL_NOW": "2026-03-09T08:00:00+00:00"}
    reel("start", env=later).ok()
    assert way not in reel("start", env=later).ok().err
    reel("config", "boot.always", "yes").ok()
    assert way not in reel("dream", "status").ok().out


def test_start_says_what_it_woke_with(reel: Reel, warm: Path) -> None:
    run = reel("start", "--boot", env=PLAIN).ok()
    assert "who Ada is, its story (1 chapter), what is going on, what was said last, 3 examples" in run.err
    assert without_today(run.out) == reel("pack", "--boot").ok().out
    assert warm.is_dir()


def test_a_kit_may_always_wake_so(reel: Reel, warm: Path) -> None:
    asked, usual = reel("pack", "--boot").ok().out, reel("pack").ok().out
    settings = warm / "kit.yaml"
    settings.write_text(f"{settings.read_text()}boot: {{always: yes}}\n")
    assert reel("pack").ok().out == without_today(reel("start", env=PLAIN).ok().out) == asked
    assert (
        reel("pack", "--no-boot").ok().out
        == without_today(reel("start", "--no-boot", env=PLAIN).ok().out)
        == usual
    )


def test_how_it_would_have_woken_then(reel: Reel, warm: Path) -> None:
    (warm / "story/history.md").write_text("# History\n\n## Another\n\nAll of it was otherwise.\n")
    before = reel("pack", "--boot", "--at", "HEAD").ok().out
    assert "once more and differently" in before
    assert "All of it was otherwise." in reel("pack", "--boot").ok().out
    cold = reel("pack", "--boot", "--at", "HEAD~2")
    assert "no SHARED-CONTEXT.md (reel dream context)" in cold.ok().err
    assert "What was said last" in cold.out


def test_a_young_kit_says_what_it_lacks_and_is_packed(reel: Reel, kit: Path) -> None:
    run = reel("pack", "--boot").ok()
    lacks = "no story yet (reel dream start) and no SHARED-CONTEXT.md (reel dream context)"
    assert run.err == f"Part of a warm start is missing: {lacks}.\n"
    assert run.out == reel("pack").ok().out
    assert kit.is_dir()


def test_without_git_and_read_twice_it_is_the_same(reel: Reel, warm: Path, tmp_path: Path) -> None:
    wish = BundleRequest(window=16_384, boot=True)
    snapshot = Snapshot(WorkTree(warm), "ada")
    plain = pack_snapshot(snapshot, wish, read_in_force(snapshot, find_repository(warm)))
    assert pack_kit(warm, wish) == plain
    assert pack_kit(warm, wish) == plain
    shutil.copytree(warm, tmp_path / "ada", ignore=shutil.ignore_patterns(".git", ".reel"))
    run = reel("--kit", tmp_path / "ada", "pack", "--boot", "--window", "16k").ok()
    assert run.out == plain.text
    assert "ada has no history (git) yet; reading the files as they are.\n" in run.err


def test_a_refresh_in_a_warm_chat_has_nothing_twice(reel: Reel, warm: Path) -> None:
    reel("pack", "--boot").ok()
    again = reel("pack", "--since-last", "--boot").ok()
    assert "Your story" not in again.out
    assert "Nothing is new since the last bundle" in again.err
    page = warm / "SHARED-CONTEXT.md"
    page.write_text(page.read_text().replace("The bowl.", "The bowl, and the plate."))
    newer = reel("pack", "--since-last", "--boot").ok()
    assert "the plate" in newer.out
    assert "The kiln is cold." not in newer.out
    assert newer.err == ""


def test_a_warm_bundle_in_a_chat_was_never_said(reel: Reel, warm: Path) -> None:
    bundle = reel("pack", "--boot").ok().out
    chat = [
        {"role": "user", "content": f"{bundle}\n\nGood morning."},
        {"role": "assistant", "content": "Morning. Is the kiln cold?"},
    ]
    reel("record", "-", stdin=json.dumps({"created_at": "2026-02-01T10:00:00Z", "messages": chat})).ok()
    told = reel("tape", "show", "2026-02-01-1").ok().out
    assert "Good morning." in told
    assert "Celadon" not in told
    text = reel("pack", "--boot").ok().out
    assert text.count("Your story") == 1
    assert text.count("Good morning.") == 1
    assert warm.is_dir()


@pytest.mark.parametrize("place", ["story/history.md", "SHARED-CONTEXT.md", "facts.yaml"])
def test_a_bundle_is_not_written_over_them(reel: Reel, warm: Path, place: str) -> None:
    run = reel("pack", "--boot", "--out", place)
    assert (run.code, run.out) == (1, "")
    assert "a place of the kit's own" in run.err
    assert warm.is_dir()


LOADED = """
import sys
from pathlib import Path
from reel_cli.core.pack.build_bundle import BundleRequest, pack_kit
from reel_cli.core.files.tree import WorkTree
read, seen = WorkTree.read, []
WorkTree.read = lambda tree, path: seen.append(path) or read(tree, path)
for boot in (False, True):
    seen.clear()
    pack_kit(Path(sys.argv[1]), BundleRequest(window=16384, boot=boot))
    heavy = sorted(name for name in HEAVY if name in sys.modules)
    print(heavy, 'reel_cli.features.dream.waking.survey' in sys.modules, sorted(seen))
"""


def test_nothing_heavy_is_loaded_and_without_it_nothing_is_read(warm: Path) -> None:
    heavy = "git rich tiktoken markdown_it yaml regex"
    code = f"HEAVY = {heavy.split()!r}\n{LOADED}"
    done = ""
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code, str(warm)], capture_output=True, text=True, check=True
        ).stdout
    read = ["SHARED-CONTEXT.md", "story/history.md", "tape/2026/2026-01-02-1.md", "tape/events.md"]
    # that no chat was taken back is noted
    assert done == f"[] False []\n[] True {read}\n"


def test_the_account_of_it_fits_a_narrow_terminal(reel: Reel, warm: Path) -> None:
    asked = ("pack", "--boot", "--explain", "--window", "8k", "--out", warm.parent / "bundle.md")
    wide = reel(*asked, tty=True, env={"COLUMNS": "100"}).ok().err
    assert "all it needs  chapters: " in wide
    narrow = reel(*asked, tty=True, env={"COLUMNS": "44"}).ok().err
    assert "\n    chapters: " in narrow
    assert all(len(line) <= 44 for line in narrow.splitlines() if "bundle.md" not in line)
    piped = reel(*asked, env={"COLUMNS": "44"}).ok().err
    assert "all it needs  chapters: " in piped


def test_a_question_that_was_asked_last_may_still_wait(reel: Reel, kit: Path) -> None:
    have_talk(reel, kit, "2026-01-09", "Shall I fire the kiln tomorrow?")
    packed = reel("pack", "--boot").ok().out
    assert "nothing in it waits" not in packed
    assert "It is over, but what was asked last may still wait for an answer." in packed
    have_talk(reel, kit, "2026-01-10", "Shall I fire it?", "Fire it. See https://example.org/?kiln=1 first.")
    assert "It is over, and nothing in it waits for an answer." in reel("pack", "--boot").ok().out
    have_talk(reel, kit, "2026-01-11", "明日は窯を焚きますか")
    assert "what was asked last may still wait" in reel("pack", "--boot").ok().out


def test_the_starting_notes_of_a_template_end_with_the_first_dream(reel: Reel) -> None:
    reel("init", "mira", "--template", "blank", "--name", "Mira", "--user", "Jonas and Ines").ok()
    reel.cwd = reel.cwd / "mira"
    notes = "Finding out who Mira is, with Jonas and Ines."
    have_evenings(reel, reel.cwd, [3, 4])
    assert notes in reel("pack").ok().out
    reel("dream", "start", "--yes").ok()
    dream_on(reel)
    asked = reel("dream", "context", "--prompt").ok().out
    bundle = reel("pack", "--boot").ok().out
    for told in (asked, bundle):
        assert "This is the beginning" not in told
        assert notes not in told
    assert notes in (reel.cwd / "ring2/working.md").read_text()
    # a person's own notes are packed as ever
    working = reel.cwd / "ring2/working.md"
    working.write_text(working.read_text().replace("Nothing yet.", "The kiln is cold."))
    assert "The kiln is cold." in reel("pack", "--boot").ok().out


def test_the_starting_notes_of_a_template_end_with_many_chats(reel: Reel) -> None:
    reel("init", "mira", "--template", "blank", "--name", "Mira", "--user", "Jonas").ok()
    reel.cwd = reel.cwd / "mira"
    have_evenings(reel, reel.cwd, range(1, 10))
    assert "This is the beginning" in reel("pack").ok().out
    have_evenings(reel, reel.cwd, [10])
    assert "This is the beginning" not in reel("pack").ok().out

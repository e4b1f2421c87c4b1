"""`reel pack` and `reel start`, as commands; what a bundle promises is tested in test_pack_*."""

import json
import re
import stat
from pathlib import Path

import pytest

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.build_bundle import pack_kit, pack_snapshot
from reel_cli.core.tokens.counter import get_tokenizer
from tests.support.cli import CHECKOUT, Reel, git
from tests.support.installed_features import is_installed
from tests.support.pages import without_today
from tests.support.shelf import take_over
from tests.support.sifted_chat import have_chat, long_chat

KITS = CHECKOUT / "kits"


@pytest.fixture
def ada(reel: Reel) -> Path:
    """The example companion, taken over as a kit of one's own."""
    return take_over(reel, reel.cwd / "mine", "ada")


@pytest.mark.parametrize("window", ["8k", "16384", "32k", "128k", "1m"])
def test_the_json_accounts_for_every_token(reel: Reel, ada: Path, window: str) -> None:
    bundle = json.loads(reel("pack", "--window", window, "--json").ok().out)
    assert list(bundle)[:9] == [
        "text", "tokens", "window", "cap", "live", "tokenizer", "rings", "loaded", "left_out",
    ]  # fmt: skip
    counted = get_tokenizer(bundle["tokenizer"]).count(bundle["text"])
    assert bundle["tokens"] == counted == sum(item["tokens"] for item in bundle["loaded"])
    assert counted <= bundle["cap"] - bundle["live"]
    own = {"0", "1", "2", "3", "4", "scenes"}
    assert set(bundle["rings"]) == {*own, *(["buffer"] if is_installed("stream") else [])}
    identity = (ada / "ring0/identity.md").read_text()
    assert identity.strip() in bundle["text"]


def test_the_same_kit_and_options_give_the_same_bytes(reel: Reel, ada: Path) -> None:
    first = reel("pack", "--window", "32k").ok().out
    later = {"REEL_NOW": "2031-01-01T00:00:00+00:00"}
    assert reel("pack", "--window", "32k", env=later).ok().out == first
    assert git(ada, "status", "--porcelain") == ""


def test_nothing_in_a_bundle_names_the_machinery(reel: Reel, ada: Path) -> None:
    text = reel("pack", "--window", "128k").ok().out
    assert not any(word in text for word in ("M-0", "ring0", "Ring 0", "token", "kit.yaml", "reel "))
    assert ada.is_dir()


def test_a_window_too_small_names_the_numbers_and_a_way(reel: Reel, ada: Path) -> None:
    run = reel("pack", "--window", "2k")
    assert run.code == 1
    assert run.out == ""
    assert "a 2K window leaves 1,024" in run.err
    assert "Hint: reel pack --live 0." in run.err
    assert ada.is_dir()


def test_messages_are_ready_for_an_api(reel: Reel, ada: Path) -> None:
    markdown = reel("pack").ok().out
    messages = json.loads(reel("pack", "--format", "messages").ok().out)
    assert [(message["role"], message["content"]) for message in messages] == [("system", markdown)]
    assert ada.is_dir()


def test_out_writes_a_file_for_its_owner_alone(reel: Reel, ada: Path) -> None:
    run = reel("pack", "--out", "bundle.md").ok()
    assert run.out == ""
    assert (ada / "bundle.md").read_text() == reel("pack").ok().out
    assert stat.S_IMODE((ada / "bundle.md").stat().st_mode) == 0o600


def test_out_never_writes_over_the_kit_itself(reel: Reel, ada: Path) -> None:
    before = (ada / "ring2/working.md").read_bytes()
    run = reel("pack", "--out", "ring2/working.md")
    assert (run.code, run.out) == (1, "")
    assert (ada / "ring2/working.md").read_bytes() == before


def test_copy_uses_the_systems_own_tool(reel: Reel, ada: Path, tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "xclip").write_text(f"#!/bin/sh\ncat > '{tmp_path}/clip'\n")
    (tools / "xclip").chmod(0o755)
    env = {"PATH": f"{tools}:/usr/bin:/bin", "DISPLAY": ":9"}
    run = reel("pack", "--copy", env=env).ok()
    assert run.out == ""
    assert "Copied" in run.err
    assert (tmp_path / "clip").read_text() == reel("pack").ok().out
    assert ada.is_dir()


def test_copy_says_plainly_where_there_is_no_clipboard(reel: Reel, ada: Path) -> None:
    run = reel.process("pack", "--copy", env={"PATH": "/usr/bin:/bin", "TERM": "dumb"})
    assert run.code == 1
    assert run.err.startswith("Error: It could not be copied")
    assert ada.is_dir()


def test_a_person_is_told_that_a_file_has_no_date_and_where_there_is_one(reel: Reel, ada: Path) -> None:
    run = reel("pack", "--out", "../b.md", tty=True).ok()
    assert "Today is" not in (ada.parent / "b.md").read_text()
    assert "Today's date is not in it" in run.err
    assert "With the date:  reel start" in " ".join(run.err.split("\n"))
    assert "Today is" in reel("start", env={"PATH": "/usr/bin:/bin", "TERM": "dumb"}).ok().out
    # a script wants the same bytes and no advice, and a refresh or the past has none to miss
    for more in ((), ("--since-last",), ("--at", "HEAD")):
        told = reel("pack", "--out", "../b.md", *more, tty=bool(more)).ok().err
        assert "Today's date" not in told


def test_start_says_in_a_line_what_is_in_it(reel: Reel, kit: Path) -> None:
    run = reel("start", env={"PATH": "/usr/bin:/bin", "TERM": "dumb"}).ok()
    assert "who Ada is, 3 examples, where things stand, no memory yet." in run.err
    assert "reel end" in run.err
    assert without_today(run.out) == reel("pack").ok().out
    assert kit.is_dir()


def test_a_refresh_tells_only_what_is_new(reel: Reel, ada: Path) -> None:
    run = reel("pack", "--since-last")
    assert (run.code, "reel start" in run.err) == (1, True)
    reel("pack").ok()
    refresh = reel("pack", "--since-last").ok().out
    assert (ada / "ring2/working.md").read_text().strip() in refresh
    assert (ada / "ring0/identity.md").read_text().strip() not in refresh


def test_a_kit_that_is_not_under_git_is_packed_and_said_so(reel: Reel, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(KITS / "ada", tmp_path / "copied")
    run = reel("--kit", tmp_path / "copied", "pack").ok()
    assert "copied has no history (git) yet; reading the files as they are.\n" in run.err
    assert run.out.startswith("# Ada")


@pytest.mark.parametrize("live", ["2", "0", "-1", "lots", "nan"])
def test_a_share_that_is_none_is_a_usage_error(reel: Reel, kit: Path, live: str) -> None:
    run = reel("pack", f"--live={live}")
    assert (run.code, run.out) == (2, "")
    assert kit.is_dir()


def test_not_a_kit(reel: Reel) -> None:
    run = reel("pack")
    assert run.code == 1
    assert run.err.splitlines()[0].startswith("Error: There is no kit here")
    assert run.err.splitlines()[1].startswith("Hint: ")


def test_a_kit_of_a_newer_version_needs_a_newer_reel(reel: Reel, kit: Path) -> None:
    text = (kit / "kit.yaml").read_text()
    (kit / "kit.yaml").write_text(text.replace("REEL/1.0", "REEL/2.0"))
    run = reel("pack")
    assert run.code == 3
    assert "REEL/2.0" in run.err


def test_broken_front_matter_names_file_and_line(reel: Reel, ada: Path) -> None:
    file = ada / "ring3/M-016.md"
    file.write_text(file.read_text().replace("tags: [", "tags: [[", 1))
    run = reel("pack")
    assert run.code == 1
    assert "ring3/M-016.md, line " in run.err


@pytest.mark.needs("stream")
def test_how_the_conversation_began_is_read_once_until_the_tape_changes(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def began() -> list[str]:
        bundle = json.loads(reel("pack", "--json").ok().out)
        assert bundle["text"] == pack_snapshot(Snapshot(WorkTree(kit), kit.name)).text
        return [one["id"] for one in bundle["loaded"] if one["ring"] == "buffer"]

    assert began() == []
    reel("record", have_chat(kit, long_chat(6))).ok()
    assert began() == ["2026-02-10-1#1-6"]
    with monkeypatch.context() as patched:
        patched.setattr("reel_cli.core.tape.session_file.parse_head", None)
        patched.setattr("tests.features.start.test_pack.pack_snapshot", lambda _: pack_kit(kit))
        assert began() == ["2026-02-10-1#1-6"]
    reel("record", have_chat(kit, long_chat(20))).ok()
    assert began() == ["2026-02-10-1#1-16"]
    reel("record", have_chat(kit, long_chat(104, first=101, title="glaze", day=12), "other.json")).ok()
    assert began() == ["2026-02-12-1#1-4"]
    reel("tape", "retract", "2026-02-12-1").ok()
    assert began() == ["2026-02-10-1#1-16"]
    # REEL §4.7: passages of the tape have no range of the window's, and get the room that all else leaves
    assert re.search(r"(?m)^word for word +[\d,]+ +left: [\d,]+ ", reel("pack", "--explain").ok().err)
    explained = reel("pack", "--explain", "--window", "4k").ok().err
    assert "how it began" in explained
    assert "(no room in the share of how it began)" in explained
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text() + "buffer: {cycles: 0}\n")
    assert began() == []

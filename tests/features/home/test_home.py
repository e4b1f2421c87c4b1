"""`reel` alone and `reel kits`: one look, twelve lines at most, whatever state a kit is in."""

import json
import sys
from pathlib import Path

import pytest

from reel_cli.core.moment import moment
from reel_cli.core.values.due import KitWarning
from reel_cli.features.home.overview import tell_one
from reel_cli.features.home.summary import KitSummary
from reel_cli.terminal.console import Console
from tests.support.cli import Reel, git
from tests.support.pages import chat, page, say

FILES = ("kit.yaml", "ring0/identity.md", "ring1/active.yaml", "ring2/working.md", "ring4/index.md")
SAID = "**You:** A letter came.\n\n**Ada:** Read it to me.\n"


@pytest.mark.parametrize("columns", ["40", "50", "80", "200"])
def test_twelve_lines_at_any_width(reel: Reel, kit: Path, columns: str) -> None:
    long = "They had talked about the lighthouse and the letter for many evenings. " * 9
    (kit / "ring2/working.md").write_text(f"## State\n\n{long}\n")
    (kit / "ring0/identity.md").write_text("You are Ada, and you like tea.\n")
    reel("start").ok()
    told = reel(tty=True, env={"COLUMNS": columns}).ok().out.splitlines()
    assert len(told) <= 12
    assert all(len(line) <= int(columns) for line in told)
    assert told[-1].startswith("Next:  reel ")


def test_much_that_is_wrong_is_counted() -> None:
    wrong = [KitWarning("damaged", f"ring3/M-00{n}.md is damaged", "reel doctor") for n in range(9)]
    summary = KitSummary("Ada", 3, "2026-01-01", "2026-01-03", "A letter. " * 99, 4, wrong)
    told = tell_one(Console(sys.stdout, sys.stderr), summary, "reel ", moment("2026-01-04"))
    assert len(told.splitlines()) <= 12
    assert "7 more:  reel status" in told
    assert told.endswith("Next:  reel doctor")


@pytest.mark.parametrize("damage", [b"\xff\xfe\0", b"", b"- : [\n", b"<<<<<<< HEAD\n=======\n>>>>>>> x\n"])
@pytest.mark.parametrize("file", FILES)
def test_no_damage_stops_it(reel: Reel, kit: Path, file: str, damage: bytes) -> None:
    (kit / file).write_bytes(damage)
    told = reel().ok().out
    assert "Next:  reel" in told
    assert reel(cwd=kit.parent).ok().out.count("\n") <= 12
    assert reel("kits").ok().out


def test_a_page_that_is_owed_is_the_next_step(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=SAID).ok()
    told = reel().ok().out
    assert "has no page yet" in told
    assert told.endswith("Next:  reel end\n")


def test_what_a_template_says_is_going_on_is_not_told_once_there_was_a_chat(reel: Reel, kit: Path) -> None:
    """Two chats were recorded, and reel said “Going on: Nothing has happened yet.”"""
    assert "Going on: New here." in reel().ok().out
    reel("record", "-", stdin=SAID).ok()
    assert "Going on" not in reel().ok().out
    working = kit / "ring2/working.md"
    working.write_text(working.read_text().replace("New here.", "A letter came."))
    assert "Going on: A letter came. Curious" in reel().ok().out


def test_two_chats_of_one_day_have_its_date_once(reel: Reel, kit: Path) -> None:
    reel("record", "-", "--on", "2026-02-01", stdin=SAID).ok()
    reel("record", "-", "--on", "2026-02-01", stdin=SAID.replace("letter", "parcel")).ok()
    assert "Ada. 2 chats, all on 1 February 2026.\n" in reel().ok().out


def test_whose_words_the_identity_has_is_said_while_they_are_the_template_s(reel: Reel, kit: Path) -> None:
    line = "To make Ada yours:  reel edit identity\n"
    assert line in reel().ok().out
    (kit / "ring0/identity.md").write_text("You are Ada, a tired baker.\n")
    assert line not in reel().ok().out
    own = kit.parent / "who.md"
    own.write_text("You are Veit, who mends clocks.\n")
    reel.cwd = kit.parent
    reel("init", "veit", "--template", "companion", "--name", "Veit", "--identity", own).ok()
    reel.cwd = kit.parent / "veit"
    assert "yours" not in reel().ok().out


def test_a_doubt_of_being_the_same_names_its_command(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    doubt = page({
        "Am I still myself": "Partly. I was flatter than I like.",
        "Who I am on paper": 'Change "plain" to "warm", because I am.',
    })  # fmt: skip
    reel("checkpoint", "--reply", "-", "--yes", stdin=doubt).ok()
    assert (
        "Ada was not sure of being still the same: Partly. I was flatter than I like:  reel"
        in reel().ok().out
    )
    waiting = reel("status").ok().out
    assert waiting.count("hange to who the persona is on paper") == 1
    assert "I was flatter than I like." not in waiting
    assert reel().ok().out.count(":  reel edit identity\n") == 1
    (line,) = (line for line in reel("status").ok().out.splitlines() if "not sure of being" in line)
    assert line.endswith("reel edit identity")
    # once a person has looked, it is done; the next doubt is another
    reel("edit", "identity", tty=True, env={"EDITOR": "true", "VISUAL": ""}).ok()
    for command in ((), ("status",)):
        assert "not sure of being" not in reel(*command).ok().out
    say(reel, kit, [("user", "Are you there?"), ("assistant", "I am."), ("user", "Good.")], 27)
    again = page(
        {"Am I still myself": "Partly. I was flatter than I like.", "Lines to find it by": '"I am."'}
    )
    reel("checkpoint", "--reply", "-", "--yes", stdin=again).ok()
    assert "not sure of being" in reel("status").ok().out
    identity = kit / "ring0/identity.md"
    identity.write_text(identity.read_text() + "\nYou are warm.\n")
    reel("review", "accept", "ring0/identity.md", "--as", "Bo Lind <bo@example.org>", "--yes").ok()
    for command in ((), ("status",)):
        assert "not sure of being" not in reel(*command).ok().out


def test_commands_are_as_they_are_typed_from_here(reel: Reel, kit: Path, tmp_path: Path) -> None:
    assert reel("--kit", kit, cwd=tmp_path).ok().out.endswith(f"Next:  reel --kit {kit} start\n")
    assert reel(cwd=tmp_path, env={"REEL_KIT": str(kit)}).ok().out.endswith("Next:  reel start\n")


def test_a_look_from_beside_leaves_nothing_in_a_kit(reel: Reel, kit: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        git(tmp_path, "clone", "-q", str(kit), f"clones/{name}")
    assert reel(cwd=tmp_path / "clones").ok().out.startswith("one  Ada  no chat yet")
    assert reel("kits", cwd=tmp_path / "clones").ok().out
    assert not (tmp_path / "clones/one/.reel").exists()
    assert "This clone has no guard yet" in reel(cwd=tmp_path / "clones/one").ok().err


def test_kits_answers_a_program(reel: Reel, kit: Path, tmp_path: Path) -> None:
    reel("start").ok()
    reel("record", "-", stdin=SAID).ok()
    gone = tmp_path / "gone"
    reel("init", gone, "--template", "companion", "--name", "Bo", cwd=tmp_path).ok()
    reel("start", cwd=gone).ok()
    gone.rename(tmp_path / "elsewhere")
    found = {Path(one["path"]).name: one for one in json.loads(reel("kits", "--json").ok().out)}
    assert found[kit.name]["chats"] == 1
    assert found[kit.name]["last"] == "2026-03-01"
    assert found["gone"] == {"name": "gone", "path": str(gone.resolve()), "there": False}
    listed = reel("kits").ok()
    assert "is gone" in listed.out
    assert "off the list:  reel kits --drop" in listed.err
    assert reel("kits", "--drop", kit.parent / "never").code == 1
    reel("kits", "--drop", gone).ok()
    assert "is gone" not in reel("kits").ok().out
    assert "A kit that was moved is listed again after any command in its new folder.\n" in listed.err


def test_once_the_chat_is_recorded_nothing_says_that_it_goes_on(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REEL_NOW", "2031-03-01T20:00:00+00:00")
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    reel("start").ok()
    assert "You ran reel start; when the chat is over, record it." in reel().ok().out
    # its day lies before that of the chat that is there, and the clock is set to a day to come
    reel("record", "-", "--on", "2026-02-01", stdin=SAID).ok()
    assert "You ran reel start" not in reel().ok().out


def test_an_earlier_chat_without_a_page_stays_the_next_step(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=SAID).ok()
    say(reel, kit, [("user", "The piano is tuned."), ("assistant", "At last.")], day=27)
    kept = page({"Lines to find it by": '"The piano is tuned."'})
    reel("checkpoint", "--reply", "-", "--yes", stdin=kept).ok()
    told = reel().ok().out
    assert "is in no memory yet" in told
    assert "Next:  reel consolidate" in told
    earlier = told.partition("Next:  reel consolidate ")[2].split()[0]
    reel("checkpoint", "--drop", "--session", earlier).ok()
    assert reel().ok().out.endswith("Next:  reel start\n")


def test_the_next_step_for_settings_that_cannot_be_read_is_a_command(reel: Reel, kit: Path) -> None:
    with (kit / "kit.yaml").open("a") as file:
        file.write("cap: huge\n")
    told = reel().out
    assert "cap is 'huge'" in told
    step = told.rpartition("Next:  ")[2].split()
    assert step[0] == "reel"
    assert "Did you mean" not in reel(*step[1:]).err

"""`reel start`: the bundle of a day."""

import json
from pathlib import Path

import pytest

from reel_cli.core.pack.recognize import find_bundle
from reel_cli.terminal import clipboard
from reel_cli.terminal.console import Console
from tests.support.cli import Reel, git
from tests.support.lived_kit import live
from tests.support.pages import chat

LAST = "That is all you carry with you, Ada."


def start(reel: Reel, at: str) -> str:
    """The paragraph before the bundle's last one, as of a time."""
    reel.env["REEL_NOW"] = at
    paragraphs = reel("start").ok().out.rstrip("\n").split("\n\n")
    last = next(place for place, text in enumerate(paragraphs) if text.startswith(LAST))
    return paragraphs[last - 1]


@pytest.mark.parametrize(
    ("day", "ago"),
    [
        ("2026-02-26", "1 day"),
        ("2026-03-10", "13 days"),
        ("2026-03-18", "3 weeks"),
        ("2026-05-01", "2 months"),
        ("2028-03-01", "2 years"),
    ],
)
def test_the_bundle_ends_with_the_day_and_if_wished_with_how_long_it_is(
    reel: Reel, kit: Path, day: str, ago: str
) -> None:
    reel("record", "-", stdin=chat(("user", "Good night, Ada."), ("assistant", "Good night."))).ok()
    plain = start(reel, f"{day}T20:00:00+00:00")
    assert plain.startswith("Today is ")
    assert "last spoke" not in plain
    with (kit / "kit.yaml").open("a") as settings:
        settings.write("start:\n  since: yes\n")
    assert start(reel, f"{day}T20:00:00+00:00").endswith(f" {ago} ago.")
    assert start(reel, "2026-02-25T20:00:00+00:00").endswith("Today is 25 February 2026.")
    # a bundle by itself is the same on any day
    assert "Today is" not in reel("pack").ok().out


def test_pack_shows_at_a_terminal_the_text_that_start_copies(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied: list[str] = []

    def copy(text: str) -> str:
        copied.append(text)
        return clipboard.BY_TERMINAL

    monkeypatch.setattr(clipboard, "copy", copy)
    assert "to copy by hand:  reel pack" in reel("start").ok().err
    assert "\nToday is " in copied[0]
    assert reel("pack", tty=True, env={"COLUMNS": "9999"}).ok().out.strip() == copied[0].strip()
    # no word is broken at the edge of the screen, and what is copied from there is known as a bundle
    for width in (40, 60, 80):
        seen = reel("pack", tty=True, env={"COLUMNS": str(width)}).ok().out
        assert max(map(len, seen.splitlines())) <= width
        assert seen.split() == copied[0].split()
        assert find_bundle(seen) == (0, len(seen.rstrip()))
    # a file, or what is piped, is the same on any day
    reel("pack", "--out", "bundle.md", tty=True).ok()
    assert (kit / "bundle.md").read_text() == reel("pack").ok().out
    assert "Today is" not in (kit / "bundle.md").read_text()


def test_examples_without_room_are_counted_as_status_counts_them(reel: Reel, kit: Path) -> None:
    (kit.parent / "one.txt").write_text(
        "**Bo:** Ice?\n\n**Ada:** " + "Thick, and loud at night. " * 40 + "\n"
    )
    reel("example", "add", str(kit.parent / "one.txt"), "--title", "Ice").ok()
    reel("example", "activate", "ice").ok()
    told = reel("start").ok().err
    assert "2 of 4 examples" in told
    assert "4 examples" in reel("status").ok().out
    # however many there are, and for whatever reason one is left out
    for number in range(3):
        text = f"**Bo:** Word {number}?\n\n**Ada:** Number {number}, short.\n"
        (kit.parent / "one.txt").write_text(text)
        reel("example", "add", str(kit.parent / "one.txt"), "--title", f"Word {number}").ok()
    started = reel("start").ok().err
    listed = reel("example", "list").ok()
    assert len(listed.out.splitlines()) == 7
    assert " of 7 examples" in started
    assert "7 examples" in reel("status").ok().out
    assert "A chat begins with 4 of them at most, as many as fit." in listed.err


@pytest.mark.needs("cards")
def test_lore_is_counted_as_lore(reel: Reel, kit: Path) -> None:
    """A new kit with a card's lore was said to have two memories."""
    book = {"entries": {str(n): {"key": [f"k{n}"], "content": f"Rock {n}.", "uid": n} for n in range(2)}}
    (kit / "lore.json").write_text(json.dumps(book))
    reel("import", "lorebook", kit / "lore.json", "--yes").ok()
    assert "no memory yet, 2 entries of lore." in reel("start").ok().err


def test_a_kit_without_memories_says_so_with_and_without_examples(
    reel: Reel, kit: Path, tmp_path: Path
) -> None:
    assert "no memory yet" in reel("start").ok().err
    blank = tmp_path / "blank"
    reel("init", blank, "--template", "blank", "--name", "Ada", "--user", "Bo", cwd=tmp_path).ok()
    assert "no memory yet" in reel("start", cwd=blank).ok().err


def test_notes_that_are_missing_are_not_told_as_copied(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat(("user", "Good night, Ada."), ("assistant", "Good night."))).ok()
    assert "where things stand" in reel("start").ok().err
    (kit / "ring2/working.md").unlink()
    done = reel("start").ok()
    assert "## Where things stand" not in done.out
    assert "where things stand" not in done.err
    assert "reel restore ring2/working.md" in done.err


def test_memories_that_are_missing_are_not_told_as_yet_to_come(reel: Reel, kit: Path) -> None:
    live(reel, kit)
    for memory in (kit / "ring3").glob("*.md"):
        memory.unlink()
    assert "no memory." in reel("start").ok().err


def test_an_identity_that_is_empty_is_not_told_as_copied(reel: Reel, kit: Path) -> None:
    (kit / "ring0/identity.md").write_text("\n")
    git(kit, "commit", "-qam", "by hand")
    done = reel("start").ok()
    assert ": who Ada is" not in done.err
    assert "Nothing is written yet about who Ada is:  reel edit identity\n" in done.err


def test_a_bundle_that_went_to_a_file_is_not_told_as_shown(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It said "so here it is:", and after nothing at all that here the text to paste ends."""
    monkeypatch.setattr(clipboard, "copy", lambda _: None)
    monkeypatch.setattr(Console, "sends_results", True)
    for place in ((), ("--for", "ollama")):
        done = reel("start", *place).ok()
        assert "The text went to the file or program that you named.\n" in done.err
        assert "to paste ends" not in done.err
        assert "here it is" not in done.err
        assert "Ada" in done.out


def test_the_way_to_a_file_names_the_place(reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clipboard, "copy", lambda _: None)
    done = reel("start", "--for", "ollama").ok()
    assert "To have the text in a file:  reel start --for ollama > FILE\n" in done.err


def test_a_bundle_that_is_shown_to_be_copied_by_hand_says_where_it_ends(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clipboard, "copy", lambda _: None)
    done = reel("start").ok()
    told = "There is no clipboard here that reel can reach. To have the text in a file:  reel start > FILE\n"
    assert told in done.err
    assert "\n(Here the text to paste ends.)\nPaste it at the start of a new chat" in done.err
    assert "to paste ends" not in done.out
    copied: list[str] = []

    def copy(text: str) -> str:
        copied.append(text)
        return "xclip"

    monkeypatch.setattr(clipboard, "copy", copy)
    assert "to paste ends" not in f"{reel('start').ok().err}{copied}"


@pytest.mark.needs("facts")
def test_the_line_of_what_is_packed_counts_the_facts(reel: Reel, kit: Path) -> None:
    assert kit.is_dir()
    assert " fact" not in reel("start").ok().err.partition("Packed: ")[2].partition("\n")[0]
    reel("fact", "add", "constraints", "penicillin", "allergic to penicillin").ok()
    assert ", 1 fact, " in " ".join(reel("start").ok().err.split())
    reel("fact", "add", "identity", "home", "Leeds").ok()
    assert ", 2 facts, " in " ".join(reel("start").ok().err.split())

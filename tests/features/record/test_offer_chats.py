"""`reel end` of an export of many chats: those that are not recorded yet are offered."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import Reel, git


def talk(title: str, day: int, *said: str) -> dict[str, Any]:
    """One conversation of an export, of a day of February."""
    lines = [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(said)]
    return {"title": title, "id": title, "created_at": f"2026-02-{day:02}T10:00:00+00:00", "messages": lines}


LAKE = talk("The lake", 3, "Hello Ada.", "Is the ice thick?")
SOUP = talk("Lentil soup for six", 5, "How many lentils for six?", "600 g.")
FERRY = talk("The ferry", 9, "ada, are you there?", "The ferry is late.")


@pytest.fixture
def export(tmp_path: Path) -> "Callable[..., Path]":
    """Write an export of these conversations."""

    def write(*talks: dict[str, Any]) -> Path:
        file = tmp_path / "export.json"
        file.write_text(json.dumps(talks))
        return file

    return write


def recorded(kit: Path) -> Sequence[str]:
    return sorted(path.stem for path in (kit / "tape").rglob("20*.md"))


def test_the_one_chat_that_is_new_and_names_the_persona_is_offered(
    reel: Reel, kit: Path, export: "Callable[..., Path]"
) -> None:
    reel("record", export(LAKE)).ok()
    done = reel("end", export(FERRY, SOUP, LAKE), stdin="y\nq\n", tty=True).ok()
    assert "Record “The ferry” (2 messages, 9 February 2026)? [Y/n]" in " ".join(done.err.split())
    assert recorded(kit) == ["2026-02-03-1", "2026-02-09-1"]
    # nothing but the soup is left: it is asked about, and no is the default
    asked = reel("end", export(FERRY, SOUP, LAKE), stdin="\n", tty=True).ok()
    told = " ".join(asked.err.split())
    assert "Ada is not named in it. Record “Lentil soup for six” (2 messages, 5 February 2026)? [y/N]" in told
    assert recorded(kit) == ["2026-02-03-1", "2026-02-09-1"]


def test_a_no_to_the_first_shows_the_others(reel: Reel, kit: Path, export: "Callable[..., Path]") -> None:
    done = reel("end", export(FERRY, SOUP), stdin="n\n1\nq\n", tty=True).ok()
    assert "Not recorded either. Ada is not named in it.\n1  2026-02-05  Lentil soup for six" in done.err
    assert recorded(kit) == ["2026-02-05-1"]


def test_where_no_chat_names_the_persona_nothing_is_compared(
    reel: Reel, kit: Path, export: "Callable[..., Path]"
) -> None:
    done = reel("end", export(SOUP, talk("Tax", 7, "Is it due?", "On Monday.")), stdin="q\n", tty=True).ok()
    assert "Not recorded yet. Ada is not named in these.\n1  2026-02-07  Tax" in done.err


def test_several_are_listed_newest_first_nine_at_a_time(
    reel: Reel, kit: Path, export: "Callable[..., Path]"
) -> None:
    talks = [talk(f"Talk {n}", n, "Ada?", f"Line {n}.") for n in range(1, 13)]
    done = reel("end", export(*talks), stdin="\n11\nq\n", tty=True).ok()
    assert "Not recorded yet:\n1  2026-02-12  Talk 12" in done.err
    assert "1 to 9: that chat. Enter: 3 more. q: none." in done.err
    assert "10  2026-02-03  Talk 3" in done.err
    assert "1 to 12: that chat. q: none." in done.err
    assert recorded(kit) == ["2026-02-02-1"]
    assert reel("end", export(*talks), stdin="13\nq\n", tty=True).ok().err.endswith("Nothing was recorded.\n")


def test_where_all_are_recorded_the_page_of_the_newest_goes_on(
    reel: Reel, kit: Path, export: "Callable[..., Path]"
) -> None:
    reel("record", export(LAKE, FERRY)).ok()
    done = reel("end", export(LAKE, FERRY), stdin="q\n", tty=True).ok()
    assert "All 2 chats in it are recorded already." in done.err
    assert "The ferry is recorded already (2026-02-09-1)" in done.out
    assert len(recorded(kit)) == 2


def test_a_script_is_told_the_ways_on(reel: Reel, kit: Path, export: "Callable[..., Path]") -> None:
    file = export(LAKE, FERRY, SOUP)
    done = reel("end", file)
    assert (done.code, recorded(kit)) == (1, [])
    assert "holds 3 chats not recorded yet" in done.err
    assert f"reel record {file} --dry-run" in done.err
    reel("end", file, "--yes").ok()
    assert recorded(kit) == ["2026-02-09-1"]


def test_of_an_export_what_does_not_name_the_persona_is_asked_about(
    reel: Reel, kit: Path, export: "Callable[..., Path]"
) -> None:
    file = export(LAKE, SOUP)
    done = reel("record", file, stdin="\n", tty=True).ok()
    assert "“Lentil soup for six”: Ada is not named in it." in " ".join(done.err.split())
    assert recorded(kit) == ["2026-02-03-1"]
    refused = reel("record", file)
    assert refused.code == 1
    assert f"Hint: to record them here anyway:  reel record {file} --select 2 --yes" in refused.err
    # what is chosen by its number is meant
    reel("record", file, "--select", "2").ok()
    assert recorded(kit) == ["2026-02-03-1", "2026-02-05-1"]


def test_where_no_chat_names_the_persona_the_name_says_nothing(
    reel: Reel, kit: Path, export: "Callable[..., Path]"
) -> None:
    reel("record", export(SOUP, talk("Bread", 6, "How long?", "An hour."))).ok()
    assert len(recorded(kit)) == 2


def test_the_chat_that_is_older_than_the_start_is_named(
    reel: Reel, kit: Path, export: "Callable[..., Path]"
) -> None:
    reel("start").ok()
    late = {**FERRY, "created_at": "2026-03-01T23:00:00+00:00"}
    done = reel("record", export(LAKE, late)).ok()
    assert "“The lake” began before the last  reel start  of Ada" in " ".join(done.err.split(" "))
    assert git(kit, "status", "--short") == ""

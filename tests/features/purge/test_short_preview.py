"""The preview of a purge in some twenty lines, whatever there is of it; `--all` shows the rest."""

import json
import shlex
from pathlib import Path

import pytest

from tests.support.cli import Reel
from tests.support.pages import chat, page

SESSION = "2026-02-25-1"
WIDE = {"COLUMNS": "400"}


@pytest.fixture
def lived(reel: Reel, kit: Path) -> Path:
    """A kit with much that came of one chat."""
    (kit.parent / "letter.json").write_text(chat(), encoding="utf-8")
    reel("record", "../letter.json").ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    for number in range(9):
        path = kit / f"ring3/M-{number + 20:03}.md"
        text = (kit / "ring3/M-001.md").read_text(encoding="utf-8").replace("M-001", path.stem)
        path.write_text(text, encoding="utf-8")
    return kit


def shown(reel: Reel, *what: str) -> list[str]:
    return reel("purge", *what, "--dry-run", env=WIDE).ok().out.splitlines()


@pytest.mark.parametrize("what", [(SESSION,), ("--match", "penicillin never")])
def test_it_has_at_most_some_twenty_lines_and_all_of_it_is_an_option_away(
    reel: Reel, lived: Path, what: tuple[str, ...]
) -> None:
    short = shown(reel, *what)
    assert len(short) <= 20
    assert any(line.endswith(" more") and "M-001" in line for line in short)
    told = reel(*shlex.split(short[-1].removeprefix("To see all of it:  reel ")), env=WIDE).ok().out
    assert any("M-028  The letter that wasn't hers" in line for line in told.splitlines())
    assert "To see all of it" not in told
    whole = shown(reel, *what, "--all")
    assert len(whole) > len(short)
    assert [line for line in whole if "afterwards, reel undo cannot" in line] == [
        line for line in short if "afterwards, reel undo cannot" in line
    ]


def test_the_prompts_that_go_with_it_are_those_without_a_kept_answer(reel: Reel, lived: Path) -> None:
    told = "1 prompt whose answer was not kept yet"
    assert all(told not in line for line in shown(reel, SESSION, "--all"))
    reel("record", "-", stdin=chat(("user", "ask me about the moon"), ("assistant", "I will."))).ok()
    reel("checkpoint", "--prompt").ok()
    for more in ((), ("--all",)):
        (line,) = [line for line in shown(reel, SESSION, *more) if ".reel is emptied" in line]
        assert told in line


def test_a_short_one_stays_as_it_is(reel: Reel, lived: Path) -> None:
    text = "ask me another time about the moon"
    reel("record", "-", stdin=chat(("user", text), ("assistant", "I will."))).ok()
    told = shown(reel, "--match", text)
    assert "To see all of it" not in told[-1]
    assert told == shown(reel, "--match", text, "--all")


def test_a_text_that_is_not_to_be_shown_is_not_in_the_command(reel: Reel, lived: Path) -> None:
    told = reel("purge", "--match", "-", "--dry-run", stdin="penicillin never").ok().out
    assert told.endswith("To see all of it:  reel purge --match - --dry-run --all\n")


def test_the_file_that_a_chat_was_recorded_from_is_named_and_left_alone(reel: Reel, lived: Path) -> None:
    place = lived.parent / "letter.json"
    before = place.read_bytes()
    told = "\n".join(shown(reel, SESSION, "--all"))
    assert "files that chats were recorded from, or answers; they are yours, so reel does not" in told
    assert f"    {place}:1" in told
    assert f"files of yours, which reel does not touch: {place}:1" in "\n".join(shown(reel, SESSION))
    listed = json.loads(reel("purge", SESSION, "--dry-run", "--json").ok().out)["recorded_from"]
    assert [one["path"] for one in listed] == [str(place)]
    done = reel("purge", SESSION, "--confirm", "Ada", env=WIDE).ok().err
    assert "Every git object and every file of the kit was searched again" in done
    assert f"It is still in files of yours that chats or answers came from: {place}:1." in done
    assert place.read_bytes() == before
    again = reel("purge", "--match", "colder than usual today", "--dry-run")
    assert f"Files of yours that chats or answers came from have it: {place}:1." in again.err


def test_the_file_of_an_answer_is_named_with_all_its_lines(reel: Reel, lived: Path) -> None:
    reel("record", "-", stdin=chat(("user", "The walrus sang."), ("assistant", "It did."))).ok()
    reel("checkpoint", "--prompt").ok()
    answer = lived.parent / "answer.md"
    answer.write_text(page({"What happened": "The walrus sang.\n\nI heard the walrus."}))
    reel("checkpoint", "--reply", answer, "--yes").ok()
    lines = [n for n, line in enumerate(answer.read_text().splitlines(), 1) if "walrus" in line]
    told = " ".join(shown(reel, "--match", "walrus"))
    assert f"files of yours, which reel does not touch: {answer}, lines {', '.join(map(str, lines))}" in told


def test_a_dry_run_and_a_paste_note_no_file(reel: Reel, kit: Path) -> None:
    (kit.parent / "letter.json").write_text(chat(), encoding="utf-8")
    reel("record", "../letter.json", "--dry-run").ok()
    reel("record", "-", stdin=chat()).ok()
    assert json.loads(reel("purge", SESSION, "--dry-run", "--json").ok().out)["recorded_from"] == []


def test_a_chat_in_a_folder_is_known_by_its_own_file(reel: Reel, kit: Path) -> None:
    folder = kit.parent / "chats"
    folder.mkdir()
    (folder / "letter.json").write_text(chat(), encoding="utf-8")
    (folder / "other.json").write_text(
        chat(
            title="t",
            created_at="2026-02-20T19:00:00+00:00",
            messages=[
                {"role": "user", "content": "The heron is back."},
                {"role": "assistant", "content": "Count it."},
            ],
        ),
        encoding="utf-8",
    )
    reel("record", folder, "--yes").ok()
    listed = json.loads(reel("purge", SESSION, "--dry-run", "--json").ok().out)["recorded_from"]
    assert [one["path"] for one in listed] == [str(folder / "letter.json")]

"""Words that a person types for a key."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from reel_cli.terminal.console import Console, find_key
from reel_cli.terminal.input.typed_line import TypedLine
from tests.support.cli import Reel, git
from tests.support.pages import chat, page

REVIEW = {
    "y": "keep",
    "r": "keep, but do not show it yet",
    "n": "drop",
    "e": "edit",
    "j": "next",
    "q": "leave",
}
PAGE = {
    "y": "keep it",
    "v": "show every word",
    "e": "change the page first",
    "n": "drop it; later",
    "q": "wait",
}


@pytest.mark.parametrize(
    ("typed", "keys", "key"),
    [
        ("YES", PAGE, "y"),
        ("no", PAGE, "n"),
        ("keep", PAGE, "y"),
        ("keep it", PAGE, "y"),
        ("shows", PAGE, "v"),
        ("edits", PAGE, "e"),
        ("quit", PAGE, "q"),
        ("keep", REVIEW, "y"),
        ("Keep, but", REVIEW, "r"),
        ("drop", REVIEW, "n"),
        ("leave", REVIEW, "q"),
        ("both", {"1": "the first holds", "2": "the second holds", "b": "both hold"}, "b"),
        ("the", {"1": "the first holds", "2": "the second holds"}, ""),
        ("kee", PAGE, ""),
        ("nothing", PAGE, ""),
        ("yes", {"anew": "drop them", "none": "drop them too"}, ""),
        ("s", {"q": "stop here", "n": ""}, ""),
        ("keep\nit", PAGE, ""),
        ("", PAGE, ""),
    ],
)
def test_a_key_is_known_by_the_words_beside_it(typed: str, keys: dict[str, str], key: str) -> None:
    assert find_key(typed, keys) == key


@pytest.mark.parametrize(
    ("lines", "answer"),
    [(["what?", "", "y"], "y"), (["a\nb", "", "no"], "n"), (["", "no"], "y"), (["?", "", "n"], "y")],
)
def test_after_a_refused_answer_enter_decides_nothing(
    monkeypatch: pytest.MonkeyPatch, lines: Sequence[str], answer: str
) -> None:
    left = list(lines)
    monkeypatch.setattr(Console, "_read_line", lambda _console: TypedLine(left.pop(0)))
    assert Console().choose("Keep this?", ["y", "n"], "y", {"y": "keep it", "n": "drop it"}) == answer


@pytest.mark.parametrize(
    ("lines", "answer"), [(["what?", "", "y"], True), (["what?", "", "n"], False), ([""], True)]
)
def test_a_yes_or_no_that_was_refused_is_not_taken_from_enter(
    monkeypatch: pytest.MonkeyPatch, lines: Sequence[str], *, answer: bool
) -> None:
    left = list(lines)
    monkeypatch.setattr(Console, "_read_line", lambda _console: TypedLine(left.pop(0)))
    assert Console().confirm("Bring it back?") is answer
    assert not left


def test_keep_this_knows_yes_and_no(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    before = git(kit, "rev-parse", "HEAD")
    (file := kit.parent / "page.md").write_text(page())
    refused = reel("checkpoint", "--reply", file, stdin="maybe\n\nno\n", tty=True).err
    assert "I did not understand “maybe”." in refused
    assert "[y/v/" in refused
    assert git(kit, "rev-parse", "HEAD") == before
    told = reel("checkpoint", "--reply", file, stdin="yes\n", tty=True).ok().err
    assert "I did not understand" not in told
    assert git(kit, "rev-parse", "HEAD") != before

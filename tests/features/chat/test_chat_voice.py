"""A reply as it is written: whatever its pieces, the same words are shown, and what is not said is not."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reel_cli.features.chat.voice import LineFolder, Voice
from reel_cli.terminal.console import Console
from reel_cli.terminal.folding import cells


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


WORDS = st.text(st.sampled_from("ab é青\n  -"), max_size=80)


@given(WORDS, st.integers(1, 9), st.integers(8, 30))
def test_folding_moves_no_word_and_fits_the_width(text: str, piece: int, room: int) -> None:
    folding = LineFolder(room)
    out = "".join(folding.add(text[at : at + piece]) for at in range(0, len(text), piece)) + folding.rest()
    # a line may end before a wide letter
    assert "".join(out.split()) == "".join(text.split())
    assert _parted(out) == _parted(text)
    lines = [line for line in out.split("\n") if all(cells(word) <= room for word in line.split())]
    assert all(cells(line) <= room for line in lines)


def _parted(text: str) -> list[str]:
    return text.replace("青", " 青 ").split()


SAID = st.sampled_from(
    [
        "One.",
        "<think>\nhm\n</think>\n\nOne.",
        "<thin air> it was.",
        "Recall the day.\nIt rained.",
        "Two.\n\nRecalling it, I laughed.",
    ]
)


@given(SAID, st.integers(1, 30))
def test_what_is_said_is_shown_whole_however_it_comes(text: str, piece: int) -> None:
    out = io.StringIO()
    voice = Voice(Console(out, io.StringIO()), "Ada", apart=False)
    for at in range(0, len(text), piece):
        voice.hear(text[at : at + piece])
    voice.end()
    assert out.getvalue() == f"{text.rpartition('</think>')[2].lstrip()}\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Recall: the ticket", ""),
        ("  **Recall:** the ticket\nIt was blue.", ""),
        ("It was blue.\nRecall: the ticket", "It was blue.\n"),
        ("It was blue.\n\nRecall: the ticket\n\nOr red?\nOr both?", "It was blue.\n"),
        ("<think>\nhm", ""),
    ],
)
@pytest.mark.parametrize("piece", [1, 4, 99])
def test_a_request_and_thinking_are_not_shown(text: str, shown: str, piece: int) -> None:
    out = io.StringIO()
    voice = Voice(Console(out, io.StringIO()), "Ada", apart=False)
    for at in range(0, len(text), piece):
        voice.hear(text[at : at + piece])
    voice.pause()
    assert out.getvalue() == shown


def test_at_a_terminal_it_has_its_name_and_nothing_steers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "24")
    out = Terminal()
    voice = Voice(Console(out, Terminal()), "Ada\x1b[2J", apart=True)
    voice.hear("It was \x1b[31mblue, and later not")
    voice.break_off()
    voice.hear("Once more")
    voice.end()
    assert out.getvalue() == "Ada�[2J > It was\n�[31mblue, and later not\nAda�[2J > Once more\n"

"""Lines on a narrow terminal: folded between words, with commands that can be copied whole."""

from io import StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.terminal.console import Console
from reel_cli.terminal.folding import cells, fold, fold_own

WORDS = st.one_of(
    st.sampled_from(
        ["the", "letter", "that", "was", "not", "hers,", "“yes”,", "naïve", "Übermut", "--", "…"]
    ),
    st.text("abcdefghijklmnopqrstuvwxyzäöüßéñ-'’.,;:!?", min_size=1, max_size=19),
)
COMMANDS = [
    "reel review",
    "reel restore M-007 --level L2",
    'reel review accept ring0/identity.md --as "Bo Lind <bo@example.org>" --yes',
    "cd ada && reel start",
    "reel config maintain.keeps 'what is emotional; line, call and mother'",
    "--user NAME",
]
WIDTHS = (20, 40, 50, 60, 80)


class Screen(StringIO):
    """A terminal's output."""

    def isatty(self) -> bool:
        """Return True."""
        return True


@settings(max_examples=60)
@given(st.lists(WORDS, max_size=30), st.sampled_from(WIDTHS), st.sampled_from(["", "  ", "    "]))
def test_no_word_is_broken_and_no_line_is_too_long(words: list[str], width: int, hang: str) -> None:
    folded = fold(" ".join(words), width, hang=hang)
    assert folded.split() == " ".join(words).split()
    # a word that leaves no room for the indent is 20 columns long at most
    assert all(cells(line) <= width for line in folded.split("\n"))


@settings(max_examples=60)
@given(
    st.lists(WORDS, max_size=12),
    st.sampled_from(COMMANDS),
    st.lists(WORDS, max_size=6),
    st.sampled_from(WIDTHS),
)
def test_a_command_stays_on_one_line(before: list[str], command: str, after: list[str], width: int) -> None:
    folded = fold(f"{' '.join(before)}  {command}  {' '.join(after)}", width)
    assert sum(command in line for line in folded.split("\n")) >= 1
    assert " ".join(folded.split()) == " ".join(f"{' '.join(before)} {command} {' '.join(after)}".split())


@pytest.mark.parametrize(
    "folded",
    [
        "There is no story|yet|(reel dream start)|and no page.",
        "Decide with|  reel review accept ITEM|  or leave it.",
        "It is undone with|reel undo in one|step.",
        "See|https://example.org/a/long/way/home|for more.",
    ],
)
def test_how_a_line_is_folded_at_18_columns(folded: str) -> None:
    text = folded.replace("|", " ") if "|  " not in folded else folded.replace("|", "")
    assert fold(text, 18).split("\n") == [line.lstrip() for line in folded.split("|")]


def test_a_language_without_spaces_is_folded_anywhere() -> None:
    assert fold("彼女の手紙は彼女のものではなかった。", 18) == "彼女の手紙は彼女の\nものではなかった。"


@pytest.mark.parametrize("width", WIDTHS)
def test_results_notices_and_questions_are_folded_alike(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr("sys.stdin", StringIO("\n" * 3))
    text = (
        "  The letter that was not hers lies open on the desk beside the small clean knife, and so it stays."
    )
    out, err = Screen(), Screen()
    console = Console(out, err)
    console.result(text)
    console.say(text)
    console.confirm(text)
    console.ask(text, "x")
    console.choose(text, ["y", "n"], "y")
    shown = (out.getvalue() + err.getvalue()).replace("\x1b[36m", "").replace("\x1b[0m", "")
    # Enter, typed after each question, ends its line
    for line in shown.replace("] ", "]\n").split("\n"):
        assert cells(line) <= width
        assert set(line.split()) <= {*text.split(), "[Y/n]", "[x]"}


def test_a_cell_without_room_in_its_row_stands_below_and_indented(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    screen = Screen()
    name = "whose-hat-is-that-on-the"
    rows = [("in use", name, "general", "Whose hat?"), ("", "a-fish", "humor", "A fish")]
    console = Console(screen, Screen())
    console.result(console.listing(rows, 3))
    told = screen.getvalue().splitlines()
    assert told == [f"in use  {name}", "  general", "  Whose hat?", "        a-fish", "  humor", "  A fish"]


def test_piped_lines_and_lines_to_copy_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    text = "one two three four five six seven eight nine ten eleven"
    piped, screen = StringIO(), Screen()
    Console(piped, StringIO()).result(text)
    Console(screen, Screen()).result(text, whole=True)
    assert piped.getvalue() == screen.getvalue() == f"{text}\n"


@pytest.mark.parametrize(
    ("line", "folded"),
    [
        ("reel sends nothing anywhere, and says so", "reel sends nothing\nanywhere, and says\nso"),
        ("reel reads what is there", "reel reads what is\nthere"),
        ("reel forget M-004 --why over", "reel forget M-004 --why over"),
        ("reel --kit ada status --json", "reel --kit ada status --json"),
    ],
)
def test_a_sentence_that_begins_with_the_program_s_name_is_no_command(line: str, folded: str) -> None:
    assert fold(line, 18) == folded


def test_in_prose_no_words_are_a_command() -> None:
    said = "git push is what I fear most of all"
    assert fold(said, 18) == said
    assert fold(said, 18, prose=True) == "git push is what I\nfear most of all"
    assert fold_own("  git push is what I fear", 18, prose=True) == "  git push is what\n  I fear"

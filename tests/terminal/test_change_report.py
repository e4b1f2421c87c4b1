"""The last words of a command: what it did, as a sentence."""

import pytest

from reel_cli.terminal.change_report import as_sentence


@pytest.mark.parametrize(
    ("clause", "sentence"),
    [
        ("not taken: The boat", "Not taken: The boat."),
        (
            "not taken: she opens a letter that isn't…",
            "Not taken: she opens a letter that isn't…",
        ),
        ("kept: Who goes there?", "Kept: Who goes there?"),
    ],
)
def test_a_clause_ends_with_one_mark(clause: str, sentence: str) -> None:
    assert as_sentence(clause) == sentence

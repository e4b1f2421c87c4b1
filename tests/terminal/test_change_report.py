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


@pytest.mark.parametrize("name", ["kit.yaml", "ring3/M-001.md", ".gitattributes", "hot.yml", "journal/"])
def test_a_file_s_name_is_written_as_it_is_at_the_start_of_a_sentence(name: str) -> None:
    assert as_sentence(f"{name}, by hand") == f"{name}, by hand."
    assert as_sentence("the identity, by hand") == "The identity, by hand."

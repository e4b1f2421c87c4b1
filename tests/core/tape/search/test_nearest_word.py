"""The word that a mistyped one was meant to be: found at any letter, without reading the whole vocabulary."""

import sqlite3

import pytest

from reel_cli.core.tape.search.index import INDEX
from reel_cli.core.tape.search.nearest_word import nearest_said

MOST_STEPS = 120
"""Hundreds of steps of SQLite's machine; to read 5,000 words takes five times as many."""


@pytest.fixture(name="file")
def index_of_many_words() -> sqlite3.Connection:
    file = INDEX.open_memory()
    many = " ".join(f"{a}{b}{c}er" for a in "bcdfghmnprst" for b in "aeiou" for c in "bdfgklmnprstvxz")
    numbers = " ".join(map(str, range(1000, 5000)))
    bodies = (f"{many} {numbers}", "The lantern is lit at the rail. Öffnung der Schränke. Где мой фонарь?")
    file.executemany("INSERT INTO turns (body) VALUES (?)", [(body,) for body in bodies])
    return file


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("lanterm", "lantern"),
        ("kantern", "lantern"),
        ("antern", "lantern"),
        ("alntern", "lantern"),
        ("slantern", "lantern"),
        ("lntern", "lantern"),
        ("schrönke", "Schränke"),
        ("фонарю", "фонарь"),
        ("вонарь", "фонарь"),
        ("accordion", None),
        ("raol", "rail"),
        ("pail", None),
    ],
)
def test_a_letter_may_be_wrong_anywhere_and_few_words_are_read(
    file: sqlite3.Connection, typed: str, meant: str | None
) -> None:
    steps: list[None] = []
    file.set_progress_handler(lambda: steps.append(None), 100)
    assert nearest_said(file, typed) == meant
    assert len(steps) < MOST_STEPS

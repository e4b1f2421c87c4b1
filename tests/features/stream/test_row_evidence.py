"""Evidence of one turn for a row's day: without a year, the day is the one that its sentence means."""

from datetime import date

import pytest

from reel_cli.core.evidence.grounding.source import Turn
from reel_cli.features.stream.row_evidence import SpokenTurns
from reel_cli.features.tables.table import Column, Kind


@pytest.mark.parametrize(
    ("text", "day", "borne"),
    [
        ("Ines is pregnant. Due on 3 June.", "2027-06-03", True),
        ("Ines is pregnant. Due on 3 June.", "2026-06-03", False),
        ("Ines is pregnant. Due on 3 June.", "2025-06-03", False),
        ("Ines is pregnant. Due on 3 June.", "2028-06-03", False),
        ("Ines is pregnant. Due on 3 June.", "2027-06-04", False),
        ("Deadline 31 January.", "2027-01-31", True),
        ("She died on 5 February.", "2026-02-05", True),
        ("She died on 5 February.", "2027-02-05", False),
        ("It is going to be delivered on June 3rd.", "2026-06-03", False),
        ("The wedding is on 3 June.", "2026-06-03", False),
        ("We met last Monday, 3 June? No.", "2027-06-03", False),
        ("You've selected the flight on 3 June.", "2027-06-03", True),
        ("We moved it to Thursday, 3 June.", "2027-06-03", True),
        ("It was due on 3 June.", "2026-06-03", True),
        ("It was due on 3 June.", "2027-06-03", True),
        ("The fair: 3 June.", "2026-06-03", True),
        ("The fair: 3 June.", "2027-06-03", True),
        ("On 03/06/2026 and it will be.", "2026-03-06", True),
        ("The contract says 14 March 2028.", "2028-03-14", True),
        ("The contract says 14 March 2028.", "2027-03-14", False),
        ("We begin in June.", "2027-06-03", False),
        ("I am done with it today.", "2026-11-22", True),
    ],
)
def test_a_day_is_borne(text: str, day: str, borne: bool) -> None:  # noqa: FBT001 (a row of the table)
    spoken = SpokenTurns([Turn(1, "Iris", text, date(2026, 11, 22))], "Maud")
    assert spoken.bears(date.fromisoformat(day).isoformat(), Column("day", Kind.DATE)) is borne


@pytest.mark.parametrize(
    ("text", "day", "left_open"),
    [
        ("The fair: 3 June.", "2027-06-03", True),
        ("It was due on 3 June.", "2026-06-03", True),
        ("The fair: 3 June 2027.", "2027-06-03", False),
        ("Due on 3 June.", "2027-06-03", False),
        ("The fair: 3 December.", "2026-12-03", False),
        ("The fair: 3 December.", "2025-12-03", True),
        ("Nothing.", "2025-12-03", False),
    ],
)
def test_a_year_that_nobody_said_is_told_of(text: str, day: str, left_open: bool) -> None:  # noqa: FBT001
    spoken = SpokenTurns([Turn(1, "Iris", text, date(2026, 11, 22))], "Maud")
    assert spoken.leaves_year_open(day, Column("day", Kind.DATE)) is left_open

"""Feast and quarter days are the dates on which they fall, in what was said and in notes."""

from datetime import date

import pytest

from reel_cli.core.evidence.days.passed_days import has_passed
from reel_cli.core.evidence.grounding.check import Claim, Stretch, find_ungrounded
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.source import Source, Turn, look_at_turn

TODAY = date(2026, 11, 19)


def source(said: str, day: date) -> Source:
    return Source([look_at_turn(Turn(1, "Bo", said, day))], "Bo Ada", "Bo Ada")


def unborne(said: str, claimed: str, day: date = TODAY) -> list[str]:
    found = find_ungrounded([Stretch(claimed, ((0, 1),))], source(said, day))
    return [one.claim for one in found if one.kind is Claim.DATE]


@pytest.mark.parametrize(
    ("said", "claimed"),
    [
        ("You shall have the whole line before All Saints.", "1 November 2026"),
        ("The fence is to be moved by Candlemas.", "2 February 2027"),
        ("He thinks of speaking to the Dean after Epiphany.", "6 January 2027"),
        ("It goes back by Lady Day, and no later.", "25 March 2027"),
        ("At Michaelmas I lost my temper.", "29 September 2026"),
        ("We painted it on Easter Monday.", "6 April 2026"),
        ("On Good Friday we walk.", "26 March 2027"),
        ("They come at Whitsun.", "16 May 2027"),
        ("I tell it on the first Sunday of Advent.", "29 November 2026"),
        ("I saw her last Christmas.", "25 December 2025"),
        ("An Heiligabend kommt Rike.", "24 December 2026"),
        ("Ich bin zu Weihnachten da, und zu Silvester auch.", "31 December 2026"),
        ("Nach Ostern wird umgezogen.", "28 March 2027"),
        ("On part après la Toussaint.", "1 November 2026"),
        ("Je viens à Noël.", "25 December 2026"),
        ("Nos vemos en Año Nuevo.", "1 January 2027"),
        ("Cenamos juntos por San Valentín.", "14 February 2027"),
        ("Der Vertrag endet am Michaelitag.", "29 September 2026"),
        ("Приеду на Пасху.", "2 May 2027"),
        ("元旦に帰ります。", "1 January 2027"),
        ("They test me again a fortnight hence.", "3 December 2026"),
        ("I see him on Thursday week, with a letter to follow the Monday following.", "7 December 2026"),
        ("From the twenty-fourth to the twenty-eighth of December I am away.", "24 December 2026"),
    ],
)
def test_a_feast_or_quarter_day_that_was_said_bears_its_date(said: str, claimed: str) -> None:
    assert unborne(said, f"They spoke of it for {claimed}.") == []


@pytest.mark.parametrize(
    ("said", "claimed"),
    [
        ("The fence is to be moved by Candlemas.", "12 February 2027"),
        ("We painted it on Easter Monday.", "13 April 2026"),
        ("I saw her last Christmas.", "25 December 2026"),
        ("The Christmas tree is up.", "25 December 2026"),
        ("They test me again a fortnight hence.", "19 December 2026"),
    ],
)
def test_another_day_than_the_feast_is_still_doubted(said: str, claimed: str) -> None:
    assert unborne(said, f"They spoke of it for {claimed}.") == [claimed]


def test_a_feast_without_its_year_is_the_next_unless_it_was_said() -> None:
    assert [one.kind for one in dates("by Christmas", TODAY)] == []
    assert [one.spans for one in dates("by Christmas", TODAY, feasts=True)] == [((date(2026, 12, 25),) * 2,)]
    assert len(dates("by Christmas", TODAY, said=True)[0].spans) == 2


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("The handrail by Christmas", "2026-12-26"),
        ("The handrail by Christmas 2026", "2026-12-26"),
        ("The posts until Lady Day, 25 March 2027", "2027-03-26"),
    ],
)
def test_a_note_for_a_feast_has_passed_the_day_after(text: str, passed: str) -> None:
    day = date.fromisoformat(passed)
    assert has_passed(text, TODAY, day)
    assert not has_passed(text, TODAY, date.fromordinal(day.toordinal() - 1))

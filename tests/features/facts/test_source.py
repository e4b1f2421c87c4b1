"""Source of a fact: the message that says it, not the one that asks or only shares a word with it."""

from datetime import date

import pytest

from reel_cli.core.evidence.grounding.source import Source, Turn, look_at_turn
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.source import FactSources

SAID = (
    ("2026-01-20", "Jon", "I danced a piece once, it was called Finding Freedom."),
    ("2026-01-20", "Gina", "How old were you then?"),
    ("2026-01-20", "Jon", "I was fifteen, and I won first place with it."),
    ("2026-02-08", "Gina", "Tell me about your studio, and about the piece of paper on the door."),
    ("2026-02-08", "Jon", "I am finding a place for it. Dancing is freedom, people say."),
    ("2026-02-08", "Gina", "When do you get the keys to the studio?"),
    ("2026-02-08", "Jon", "On 1 December. Until then I teach in a hall."),
    ("2026-02-09", "Jon", "Танцы начинаются осенью."),
)


def sources() -> FactSources:
    said = [
        look_at_turn(Turn(number, who, text, date.fromisoformat(day), f"{day}-1"))
        for number, (day, who, text) in enumerate(SAID, 1)
    ]
    told = look_at_turn(
        Turn(0, "put right later", "the keys were for Zara", date(2026, 2, 9), "2026-02-08-1")
    )
    return FactSources(Source([*said, told], "Jon Gina"))


@pytest.mark.parametrize(
    ("key", "value", "wanted"),
    [
        ("first piece", "Finding Freedom, danced by Jon", "2026-01-20-1#1"),
        ("studio", "Gina asked about a studio and its door", "2026-02-08-1#4"),
        ("first prize", "won at fifteen", "2026-01-20-1#3"),
        ("first prize", "at 15", "2026-01-20-1#3"),
        ("keys", "1 December 2026", "2026-02-08-1#7"),
        ("keys", "from 2026-12-01 on", "2026-02-08-1#7"),
        ("door", "a paper hangs there", "2026-02-08-1#4"),
        ("танцы", "начинаются осенью", "2026-02-09-1#8"),
        ("name of the dog", "not known; never said", ""),
        ("keys", "unknown", ""),
        ("keys", "for Zara", ""),
        ("ferry", "leaves from Helsinki", ""),
    ],
)
def test_a_fact_comes_from_where_it_was_said(key: str, value: str, wanted: str) -> None:
    source, day = sources().locate(Fact("studio", key, value))
    assert (source, day) == (wanted, wanted[:10])

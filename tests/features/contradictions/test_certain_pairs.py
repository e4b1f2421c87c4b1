"""Pairs that are shown: of one thing and attribute, both said to be so, and no change told."""

from datetime import date

import pytest

from reel_cli.core.evidence.claims import HeldText
from reel_cli.features.contradictions.certain_pairs import is_certain
from reel_cli.features.contradictions.compare import find_disagreements
from reel_cli.features.contradictions.sentence_claims import takes_back

THEN, NOW = date(2026, 3, 2), date(2026, 3, 7)


def judge(older: str, newer: str) -> list[bool]:
    """Return of each disagreement that is found whether it is certain."""
    new, old = HeldText("M-002", newer, NOW, 1, newer), HeldText("ring2", older, THEN, 1, older)
    return [is_certain(one, ["Bo", "Ada"]) for one in find_disagreements([new], [old])]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        # a change, or what made it so
        ("The deadline is 15 March.", "Ilse gave him another week: the deadline is 22 March."),
        ("The server opens on 14 March.", "They announced a delay. The server opens on 28 March."),
        ("The exam is on 17 March.", "Half of them have flu. The exam is on 31 March."),
        ("The class has 24 pupils", "Two more came, so the class has 26 pupils."),
        ("The rent is 720 euros", "The landlord put it up: the rent is 760 euros."),
        ("The dog isn't allowed on the sofa", "The rule fell on Sunday; the dog is allowed on the sofa."),
        # a state that passes
        ("Mrs Orr isn't on oxygen", "Mrs Orr is on oxygen."),
        # a book, a dream, a played scene
        ("She lives in Leeds", "She dreamt that she lives in Venice and keeps bees."),
        ("The flat has three rooms", "*He opens the door.* The flat has seven rooms, all empty."),
        # another attribute
        ("The flat costs 900 euros", "The flat costs 1,800 euros of deposit."),
        ("The room costs 380 euros", "With the heating, the room costs 440 euros."),
        ("The school has 24 teachers", "The school has nine teachers of maths."),
        ("The lease starts on 14 March.", "The lease is due on 30 March."),
        # somebody, or something, else
        ("Ruth's surgery is on 14 March.", "Ruth rang of her brother. The surgery is on 21 March."),
        ("The stove in the front kitchen costs 2,400 euros", "He saw a bakery. The stove costs 3,900 euros."),
        # the same day in other words
        ("The recital is the Saturday after next, on 14 March.", "The recital is on Saturday, 14 March."),
    ],
)
def test_what_may_both_be_so_is_not_certain(older: str, newer: str) -> None:
    assert judge(older, newer) == [False]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The laser at the eye clinic is on 12 March.", "The laser at the eye clinic is on 19 March."),
        ("The hearing in the Brandt case is on 17 March.", "We spoke of Brandt. The hearing is on 24 March."),
        ("Ola's checkup is on 17 March.", "Ola is scared. Her checkup is on 18 March."),
        ("Her brother Paul has two daughters", "Her brother Paul has three daughters, and all of them sing."),
        ("The flat has three rooms", "It rained there. The flat has four rooms."),
        ("Mrs Orr takes aspirin", "Mrs Orr doesn't take aspirin."),
        ("Her editor's name is Ruth", "Her editor's name is Ingrid."),
        ("The play is due on 16 March, and Pip asked whether it rains.", "The play is due on 23 March."),
        ("In the novel Dara has two sons", "In the novel Dara has three sons."),
    ],
)
def test_the_same_of_the_same_with_another_value_is_certain(older: str, newer: str) -> None:
    assert judge(older, newer) == [True]


@pytest.mark.parametrize(
    ("sentence", "held", "back"),
    [
        ("The evening with the new council has moved to 24 March.", "Parents' evening on 17 March", False),
        ("The essay on Trakl is due on 27 March now.", "Essay on Rilke due on 13 March", False),
        ("The essay on Rilke is due on 27 March now.", "Essay on Rilke due on 13 March", True),
        ("The operation moved from the 12th to the 19th.", "The operation is on the 12th", True),
    ],
)
def test_a_day_moves_only_where_the_sentence_is_of_nothing_else(
    sentence: str, held: str, *, back: bool
) -> None:
    assert takes_back(sentence, held, NOW) is back

"""Facts of a dream that no turn bears: in their name, in a no, or in whose they are."""

from datetime import date

import pytest

from reel_cli.core.evidence.grounding.source import Source, Turn, look_at_turn
from reel_cli.features.dream.fact_support import FactSupport
from reel_cli.features.facts.fact import Fact

SAID = (
    "At Tylova she put me right, the stop moved in 1968.",
    "Tomorrow I tune at nine, so page one is Friday.",
    *["The tram was late again."] * 3,
    "My husband Marek plays the organ.",
)


@pytest.mark.parametrize(
    ("key", "value", "borne"),
    [("birthday", "1968", False), ("wedding", "on Friday", False), ("husband", "Marek", True)],
)
def test_a_dream_is_held_to_the_name_as_well(key: str, value: str, borne: bool) -> None:  # noqa: FBT001
    said = [look_at_turn(Turn(n, "Bo", text)) for n, text in enumerate(SAID, 1)]
    support = FactSupport(Source(said, "Bo", "Ada"), ("Bo", "Ada"))
    assert support.is_borne(Fact("identity", key, value)) is borne


TALK = (
    "My sister Agnes moved to Ghent last week. And I'm allergic to walnuts, so her cake nearly killed me.",
    "No walnuts near you, then.",
    "I have not sent the lease yet. My nephew Piet is here, he can't eat eggs. I do not like jazz.",
    "Is he allergic to milk too?",
    "Yes. I gave up smoking.",
    "Do you take sugar?",
    "No. Agnes has diabetes, and she takes metformin twice a day.",
)


@pytest.mark.parametrize(
    ("key", "value", "borne"),
    [
        ("walnuts", "allergic to walnuts", True),
        ("Bo's allergy", "allergic to walnuts", True),
        ("walnuts", "not allergic to walnuts", False),
        ("walnuts", "no longer allergic to walnuts", False),
        ("walnuts", "no allergy to walnuts", False),
        ("Agnes's allergy", "allergic to walnuts", False),
        ("Piet's allergy", "eggs", True),
        ("Piet's allergy", "milk", True),
        ("Agnes's medication", "metformin twice a day", True),
        ("Bo's medication", "metformin twice a day", False),
        ("medication", "metformin twice a day", False),
        ("lease", "not sent yet", True),
        ("lease", "sent", False),
        ("jazz", "does not like jazz", True),
        ("jazz", "likes jazz", False),
        ("smoking", "smokes", False),
        ("sugar", "no sugar", True),
        ("sugar", "takes sugar", False),
    ],
)
def test_a_no_is_no_yes_and_the_speaker_is_no_other(key: str, value: str, borne: bool) -> None:  # noqa: FBT001
    said = [look_at_turn(Turn(n, "Ada" if n % 2 == 0 else "Bo", text)) for n, text in enumerate(TALK, 1)]
    support = FactSupport(Source(said, "Bo Ada", "Bo Ada", me="Ada"), ("Bo", "Ada"))
    assert support.is_borne(Fact("health", key, value)) is borne


@pytest.mark.parametrize(
    ("said", "key", "value", "borne"),
    [
        # what protects somebody is theirs whose name the fact has, wherever it stands in it
        ("Her friend Agnes is allergic to nuts.", "allergy of Agnes", "nuts", True),
        ("Her friend Agnes is allergic to nuts.", "allergy", "nuts", False),
        # a long value may tell a no in words of its own, a short one may not
        (
            "I don't go to the loud Sunday market with its crowds.",
            "weekends",
            "home, past the loud Sunday market crowds",
            True,
        ),
        ("I don't go to the market.", "weekends", "the market", False),
    ],
)
def test_whose_it_is_and_a_no_in_other_words(said: str, key: str, value: str, *, borne: bool) -> None:
    source = Source([look_at_turn(Turn(1, "Bo", said))], "Bo Ada", "Bo Ada", me="Ada")
    kind = "constraints" if key.startswith("allergy") else "history"
    assert FactSupport(source, ("Bo", "Ada")).is_borne(Fact(kind, key, value)) is borne


@pytest.mark.parametrize(
    ("key", "value", "borne"),
    [
        ("Mr Pargeter", "wheeled out to see the moon; he died on the Tuesday", True),
        # it was said of another day, or by nobody near
        ("Mr Pargeter", "wheeled out to see the moon; he died on the Friday", False),
        ("Mr Pargeter", "wheeled out to see the moon; he lost his keys", False),
    ],
)
def test_two_statements_may_stand_in_neighboring_messages(key: str, value: str, *, borne: bool) -> None:
    talk = (
        "Old Mr Pargeter wanted to look at the moon, so I wheeled him outside.",
        "And did he have a tea?",
        "He died Tuesday. It was alright though.",
        "I am sorry.",
        *["The tram was late again.", "Again?"] * 2,
        "I lost my keys.",
    )
    day = date(2026, 6, 11)
    said = [look_at_turn(Turn(n, "Ada" if n % 2 == 0 else "Bo", text, day)) for n, text in enumerate(talk, 1)]
    support = FactSupport(Source(said, "Bo Ada", "Bo Ada", me="Ada"), ("Bo", "Ada"))
    assert support.is_borne(Fact("history", key, value)) is borne

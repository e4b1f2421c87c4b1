"""Facts of a dream whose name nobody spoke of: no turn bears them."""

import pytest

from reel_cli.core.evidence.grounding.source import Source, Turn, look_at_turn
from reel_cli.core.values.fact import Fact
from reel_cli.features.dream.fact_support import FactSupport

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

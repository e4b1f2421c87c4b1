"""Distance of a session from those before it: small for similar ones, large for another voice."""

import random
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.features.page.drift.measure import FEWEST_SESSIONS, LATELY, Lately, Measure, SessionDrift
from reel_cli.features.page.drift.measure import measure as measure_lately
from reel_cli.features.page.drift.style import WritingStyle, join_manners, read_manner

SMALL = "the a of to and in it was that is for on as with he at by not but from".split()  # noqa: SIM905
THINGS = "harbour lamp soup chapter ferry keeper stair coat letter bell tide coal rope window".split()  # noqa: SIM905


def session(
    seed: int, *, replies: int = 10, ask: float = 0.2, lead: str = "", end: str = "."
) -> WritingStyle:
    """An evening of one voice; the chance of a question, and what each reply begins and ends with."""
    chance = random.Random(seed)  # noqa: S311
    said = []
    for _ in range(replies):
        words = [chance.choice(THINGS if chance.random() < 0.4 else SMALL) for _ in range(18)]
        said.append(
            lead
            + " ".join(words[:9])
            + end
            + " "
            + " ".join(words[9:])
            + ("?" if chance.random() < ask else ".")
        )
    return read_manner(said)


def measure(manner: WritingStyle, earlier: Sequence[WritingStyle], exemplars: WritingStyle) -> Measure:
    return measure_lately(manner, Lately(earlier), exemplars)


EVENINGS = [session(seed) for seed in range(12)]
ASSISTANT = read_manner(
    ["## Great question!\n\n- **First**, let me help you plan your day!\n- **Then**, you could rest!\n"] * 8
)
SHOWN = join_manners(EVENINGS[:2])


def test_an_evening_like_the_others_is_usual() -> None:
    found = [measure(session(100 + n), EVENINGS, SHOWN) for n in range(8)]
    assert [one.standing for one in found] == [SessionDrift.USUAL] * 8
    assert all(one.earlier is not None and one.earlier < 0.9 for one in found)


def test_another_voice_is_far_and_what_moved_is_said() -> None:
    found = measure(ASSISTANT, EVENINGS, SHOWN)
    assert found.standing is SessionDrift.FAR
    assert {"more exclamations", "more lists and bold"} <= {one.told for one in found.moved}
    assert [abs(one.by) for one in found.moved] == sorted((abs(one.by) for one in found.moved), reverse=True)
    assert found.exemplars is not None
    assert found.exemplars > 1


def test_what_moved_in_length_is_told_in_percent() -> None:
    short = read_manner([". ".join(["the lamp was out"] * 6)] * 10)
    told = [one.told for one in measure(short, EVENINGS, SHOWN).moved_from_exemplars]
    assert any(words.startswith("sentences ") and words.endswith(" % shorter") for words in told)


def test_one_stray_evening_does_not_make_the_next_one_usual() -> None:
    assert measure(ASSISTANT, [*EVENINGS, ASSISTANT], SHOWN).standing is SessionDrift.FAR
    assert measure(ASSISTANT, [*EVENINGS[:6], *[ASSISTANT] * 8], SHOWN).standing is SessionDrift.USUAL


def test_with_few_sessions_only_the_exemplars_speak() -> None:
    found = measure(session(50), EVENINGS[: FEWEST_SESSIONS - 1], SHOWN)
    assert (found.standing, found.earlier) == (SessionDrift.EARLY, None)
    assert found.exemplars is not None
    assert measure(session(50), EVENINGS[:FEWEST_SESSIONS], SHOWN).standing is SessionDrift.USUAL


def test_with_few_words_nothing_is_said() -> None:
    assert measure(read_manner(["Yes. No!"]), EVENINGS, SHOWN) == Measure(1, 2, SessionDrift.SHORT)


def test_without_exemplars_the_earlier_sessions_speak_alone() -> None:
    found = measure(session(51), EVENINGS, WritingStyle())
    assert (found.standing, found.exemplars, found.moved_from_exemplars) == (SessionDrift.USUAL, None, ())


def test_sessions_with_hardly_a_word_do_not_count_as_earlier_ones() -> None:
    assert measure(session(52), [read_manner(["Yes."])] * 9, SHOWN).standing is SessionDrift.EARLY


def test_a_script_without_spaces_is_measured_as_well() -> None:
    chance = random.Random(1)  # noqa: S311
    quiet = [
        read_manner(
            ["".join(chance.choice("私は灯台の海を見ていたが") for _ in range(20)) + "。" for _ in range(6)]
        )
        for _ in range(8)
    ]
    loud = read_manner(["すごい！！ねえねえ、きみもそうでしょ？" * 2] * 6)
    assert measure(quiet[-1], quiet[:-1], WritingStyle()).standing is SessionDrift.USUAL
    assert measure(loud, quiet, WritingStyle()).standing is SessionDrift.FAR


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.text(max_size=60), max_size=4), max_size=8),
    st.lists(st.text(max_size=200), max_size=4),
)
def test_whatever_was_said_the_measure_is_a_number_or_a_reason(
    before: list[list[str]], said: list[str]
) -> None:
    found = measure(read_manner(said), [read_manner(one) for one in before], WritingStyle())
    assert (found.earlier is None) == (found.standing in (SessionDrift.EARLY, SessionDrift.SHORT))
    assert found.earlier is None or 0 <= found.earlier < 6


def test_only_the_last_sessions_count_and_what_they_said() -> None:
    many = [session(seed) for seed in range(LATELY + 6)]
    lately = Lately(many)
    assert lately.sessions == many[6:]
    assert +lately.total == Lately(many[6:]).total
    assert measure(EVENINGS[0], many, SHOWN) == measure(EVENINGS[0], many[6:], SHOWN)

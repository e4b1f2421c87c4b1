"""What a memory's source does not bear: each kind found, and nothing where it is only told otherwise."""

import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.exchange.grounding import dates as dates_module
from reel_cli.exchange.grounding import numbers as numbers_module
from reel_cli.exchange.grounding.check import (
    Source,
    Stretch,
    Turn,
    count_unsaid,
    find_ungrounded,
    look_at_turn,
)
from reel_cli.exchange.grounding.dates import dates
from reel_cli.exchange.grounding.numbers import numbers

DAY = date(2023, 7, 3)
SAID = (
    ("Bo", "I went to the lighthouse with Laura yesterday. The ferry took half an hour and cost 12 euros."),
    ("Ada", "Did Laura like it? You never told me she was back from Helsinki."),
    ("Bo", "She did. We saw two seals and three herons, and she signed up for a pottery class next Friday."),
    ("Ada", "Pottery suits her. Clay does not hurry anybody."),
    ("Bo", "I won't go with her. The residency wants forty pages by 30 April, and I lost my notebook."),
    ("Ada", "Forty pages by the end of April. That is a chapter a fortnight."),
)


def source(*turns: tuple[str, str]) -> Source:
    told = turns or SAID
    after = [*(text for _, text in told[1:]), ""]
    said = [
        look_at_turn(Turn(number, who, text, DAY), answer)
        for number, ((who, text), answer) in enumerate(zip(told, after, strict=True), 1)
    ]
    return Source(said, "Bo Ada", "Bo Ada")


def found(text: str, *, anchors: bool = False, title: bool = False) -> list[tuple[str, str]]:
    stretch = Stretch(text, ((0, 1),), anchors=anchors, title=title)
    return [(one.kind.value, one.claim) for one in find_ungrounded([stretch], source())]


@pytest.mark.parametrize(
    "text",
    [
        "Bo took Laura to the lighthouse on 2 July; the ferry took 30 minutes and 12 euros.",
        "They saw five animals: two seals and three herons.",
        "He told me “I won’t go with her.”",
        'I said: "Clay does not hurry anybody... " and "That is a chapter a fortnight".',
        "Laura's class is on Friday, 7 July 2023. Bo will not go with her.",
        "He wants 40 pages done by April 30th, so a chapter every two weeks.",
        "The two of us talked of Laura. Nothing else.",
        "Pottery, for Laura! Seals, herons, and clay.",
        "It was the day after the lighthouse, in July 2023.",
        "He'd lost his notebook. I wonder whether he never wanted it.",
    ],
)
def test_what_is_only_told_otherwise_is_borne(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bo went to the lighthouse with Miriam.", [("name", "Miriam")]),
        ("Miriam's class begins soon.", [("name", "Miriam's")]),
        ("The ferry took 50 minutes.", [("number", "50")]),
        ("The ferry took thirty hours.", [("number", "thirty")]),
        ("They saw two seals and seven herons.", [("number", "seven")]),
        ("The residency wants the pages by 21 May.", [("date", "21 May")]),
        ("The class is on Friday, 8 July 2023.", [("date", "8 July 2023"), ("date", "on Friday")]),
        ("They went to the lighthouse last month.", [("date", "last month")]),
        (
            'He said "the residency wants fifty poems by then".',
            [("quote", "the residency wants fifty poems by then")],
        ),
        (
            "Bo never went to the lighthouse with Laura.",
            [("negation", "Bo never went to the lighthouse with Laura.")],
        ),
        ("Clay does hurry anybody.", [("negation", "Clay does hurry anybody.")]),
    ],
)
def test_a_changed_detail_is_found(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


def test_a_line_to_find_it_by_must_have_been_said() -> None:
    assert found('"two seals and three herons", "a stair never built"', anchors=True) == [
        ("anchor", "a stair never built")
    ]


def test_the_nearest_passage_and_the_line_are_told() -> None:
    stretch = Stretch("It was late. They saw two seals and seven herons.", ((0, 7), (13, 8)))
    [one] = find_ungrounded([stretch], source())
    assert (one.line, one.nearest and one.nearest.number, one.nearest and one.nearest.speaker) == (8, 3, "Bo")
    assert one.nearest is not None
    assert one.nearest.text.startswith("We saw two seals and three herons")


def test_a_correction_is_a_source_as_well() -> None:
    put_right = source(*SAID, ("put right later", "it was Miriam, not Laura, and nine herons"))
    stretch = Stretch("Miriam saw nine herons.", ((0, 1),))
    assert find_ungrounded([stretch], put_right) == []


_DRAWN = """Laura Bo she we went saw never not 12 forty May Friday yesterday ferry clay two and the by to
    seals 30 April next week "quoted words here" don't 1,200 21:14 half an hour Helsinki? NYC ... 2026"""
WORDS = st.sampled_from(_DRAWN.split())
SENTENCES = st.lists(WORDS, min_size=1, max_size=12).map(lambda words: f"{' '.join(words).capitalize()}.")


@settings(max_examples=150, deadline=None)
@given(st.lists(SENTENCES, min_size=1, max_size=6), st.data())
def test_a_memory_made_of_its_sources_sentences_has_no_finding(said: list[str], data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.sampled_from(said), min_size=1, max_size=6))
    borne = source(*(("Bo", sentence) for sentence in said))
    stretches = [Stretch(sentence, ((0, 1),)) for sentence in kept]
    assert find_ungrounded(stretches, borne) == []


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_can_be_held_against_any_other(memory: str, said: str) -> None:
    stretch = Stretch(memory, ((0, 1),))
    kinds = [one.kind for one in find_ungrounded([stretch], source(("Bo", said)))]
    assert len(kinds) <= len(memory)


def test_pages_that_were_really_written_have_few_false_alarms() -> None:
    pages = json.loads((Path(__file__).parent / "grounding/pages.json").read_text("utf-8"))
    alarms = []
    for page in pages:
        turns = [(who, text) for who, text in page["turns"]]
        borne = Source(
            [
                look_at_turn(Turn(n, who, text, date.fromisoformat(page["day"])))
                for n, (who, text) in enumerate(turns, 1)
            ],
            f"{page['user']} {page['persona']}",
            f"{page['user']} {page['persona']}",
        )
        lines = [line.removeprefix("- ") for line in page["page"].splitlines() if not line.startswith("## ")]
        stretches = [Stretch(line, ((0, 1),), open=True) for line in lines if line]
        alarms += [one.claim for one in find_ungrounded(stretches, borne)]
    assert len(alarms) <= 2, alarms


def test_how_many_words_of_a_text_were_said_in_no_form() -> None:
    said = [look_at_turn(Turn(1, "Bo", "She opened a letter that wasn't hers, on 12 May.", None))]
    source = Source(said, known="Ada")
    assert count_unsaid("Ada opens the letters. Bo, too, on 14 May.", source) == (0, 4)
    assert count_unsaid("Ada opens a purple umbrella.", source) == (2, 4)
    assert count_unsaid("", source) == (0, 0)


PIECES = (
    "on 12 May", "12.5.", "2023-07-03", "3/7/23", "MAY 3rd", "frİday", "last ſummer", "two weeks ago",
    "half an hour",
    "a Quarter of an hour", "a dozen", "twenty-one", "the Second time", "per week", "an hour",
    "9:30 pm", "1,200",
    "the 5th", "the end of the month", "yesterday", "later this year", "nobody came", "and",
    "in 2021", "the day", "in",
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=6))
def test_a_sign_is_never_missed_where_a_pattern_would_match(parts: list[str]) -> None:
    text = " ".join(parts)
    quick = dates(text, DAY), numbers(text, text)
    with pytest.MonkeyPatch.context() as patch:
        for module in (dates_module, numbers_module):
            patch.setattr(module, "has_any", lambda _text, _signs: True)
        assert (dates(text, DAY), numbers(text, text)) == quick

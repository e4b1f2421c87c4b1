"""Unsupported details of a memory: each kind is found, and nothing where only the wording differs."""

import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.evidence.grounding import dates as dates_module
from reel_cli.core.evidence.grounding import numbers as numbers_module
from reel_cli.core.evidence.grounding.check import (
    Stretch,
    count_unsaid,
    find_ungrounded,
)
from reel_cli.core.evidence.grounding.date_words import days_elsewhere
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.numbers import numbers
from reel_cli.core.evidence.grounding.source import Source, Turn, look_at_turn

DAY = date(2023, 7, 3)
EITHER = ("Bo", "The bank says 14 or 15. So yes for the 17th, and 3 or 4 cups.")
WEEKEND = ("Bo", "In the blue folder, I think. I'll look for it on the weekend.")
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


def test_an_invented_quotation_needs_no_marks() -> None:
    assert found("She said *clay does not hurry anybody*.") == []
    assert found("She said *the clay will outlive us both*.") == [("quote", "the clay will outlive us both")]
    assert found("— The clay will outlive us both, she said.") == [("quote", "The clay will outlive us both")]


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
        "She said no; second of all, clay does not hurry. Third, the ferry was late. And fourth, seals.",
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
        ("Her locker's word is Goldammer55.", [("name", "Goldammer55")]),
        ("Laura takes LH4711.", [("name", "LH4711")]),
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


def test_an_ordinal_that_counts_something_is_a_claim() -> None:
    assert found("He saw the fourth seal, and the second of three lighthouses.")[0] == ("number", "fourth")


@pytest.mark.parametrize(
    ("said", "text", "expected"),
    [
        ("今天在市场花了五十块买花。", "他花了八十块买花。", ["八十"]),
        ("今天在市场花了五十块买花。", "他花了80块买花。", ["80"]),
        ("今天在市场花了五十块买花。", "他花了50块买花，十分高兴，还有一个人。", []),
        ("我妹妹两千五百人里排第三。", "两千五百人。", []),
        ("有七八个人在等。", "有八个人在等。", []),
        ("他花了三〇〇块买花。", "他花了三百块买花。", []),
        ("他花了5万块买船。", "他花了50000块买船。", []),
        ("花束に五十円を払って、三十分間待った。", "五十円を払い、二十分間待った。", ["二十"]),
    ],
)
def test_a_changed_number_is_found_in_chinese_and_japanese(said: str, text: str, expected: list[str]) -> None:
    told = find_ungrounded([Stretch(text, ((0, 1),))], source(("Bo", said), ("Ada", "嗯。")))
    assert [(one.kind.value, one.claim) for one in told] == [("number", one) for one in expected]


@pytest.mark.parametrize(
    ("said", "text", "expected"),
    [
        ("The root canal is at half past two.", "The appointment is at 14:30.", []),
        ("The root canal is at half past two.", "The appointment is at 2:30.", []),
        ("The root canal is at half past two.", "The appointment is at 15:30.", ["15:30"]),
        ("The scan is at twenty to nine in the evening.", "The scan is at 20:40.", []),
        ("The train left at ten past eleven that night.", "The train left at 23:10.", []),
        ("The train left at ten past eleven that night.", "The train left at 22:50.", ["22:50"]),
        ("The lesson is at a quarter to three.", "The lesson is at 14:45.", []),
        ("The lesson is at a quarter to three.", "The lesson is at 15:15.", ["15:15"]),
        ("The lesson is at 14:30.", "The lesson is at half past two.", []),
        ("The lesson is at 14:30.", "The lesson is at half past three.", ["half past three"]),
    ],
)
def test_a_time_of_day_may_be_told_in_words(said: str, text: str, expected: list[str]) -> None:
    told = find_ungrounded([Stretch(text, ((0, 1),))], source(("Bo", said), ("Ada", "Yes.")))
    assert [(one.kind.value, one.claim) for one in told] == [("number", one) for one in expected]


def test_words_within_a_sentence_without_spaces_were_said() -> None:
    borne = source(("Bo", "我妹妹美咲今年十八岁了。"))
    assert borne.bears_quote("我妹妹美咲今年")
    assert not borne.bears_quote("我妹妹美咲明年")
    assert not borne.has_whole("八岁了")
    assert borne.has_whole("十八岁了")


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


def test_words_that_were_said_are_borne_whatever_quotation_mark_is_never_closed() -> None:
    said = 'Laura "quoted helsinki? laura don\'t "quoted.'
    assert find_ungrounded([Stretch(said, ((0, 1),))], source(("Bo", said))) == []


@settings(max_examples=100, deadline=None)
@given(st.lists(SENTENCES, min_size=1, max_size=6), st.data())
def test_a_memory_made_of_its_sources_sentences_has_no_finding(said: list[str], data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.sampled_from(said), min_size=1, max_size=6))
    borne = source(*(("Bo", sentence) for sentence in said))
    stretches = [Stretch(sentence, ((0, 1),)) for sentence in kept]
    assert find_ungrounded(stretches, borne) == []


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_can_be_held_against_any_other(memory: str, said: str) -> None:
    stretch = Stretch(memory, ((0, 1),))
    kinds = [one.kind for one in find_ungrounded([stretch], source(("Bo", said)))]
    assert len(kinds) <= len(memory)


def test_pages_that_were_really_written_have_few_false_alarms() -> None:
    pages = json.loads((Path(__file__).parents[2] / "fixtures/grounding/pages.json").read_text("utf-8"))
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


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=6))
def test_a_sign_is_never_missed_where_a_pattern_would_match(parts: list[str]) -> None:
    text = " ".join(parts)
    quick = dates(text, DAY), numbers(text, text)
    with pytest.MonkeyPatch.context() as patch:
        for module in (dates_module, numbers_module):
            patch.setattr(module, "has_any", lambda _text, _signs: True)
        assert (dates(text, DAY), numbers(text, text)) == quick


def of_talk(text: str, *said: tuple[str, str], **how: bool) -> list[tuple[str, str]]:
    """Return what is found in a text of Ada's about a talk between Bo and her."""
    after = [*(words for _, words in said[1:]), ""]
    turns = [
        look_at_turn(Turn(number, who, words, DAY), answer)
        for number, ((who, words), answer) in enumerate(zip(said, after, strict=True), 1)
    ]
    borne = Source(turns, "Bo Ada", "Bo Ada", me="Ada")
    found = find_ungrounded([Stretch(text, ((0, 1),), **how)], borne)
    return [(one.kind.value, one.claim) for one in found]


LAMP = "Nell keeps a lamp lit that she can't even see. It isn't a broom, it's a lighthouse."


@pytest.mark.parametrize(
    ("said", "told"),
    [
        # the no stands before the same words
        (LAMP, "Nell keeps it for a ship that she can't see."),
        ("I don't surf, but I read fantasy.", "He doesn't surf; he reads."),
        # what is only left out, an order, and an idiom deny nothing
        ("The van's still going to Calder.", "The order reached me, and not the van."),
        ("Some night you're going to want to tell me it's fine.", "Don't tell me it's fine."),
        ("I'd wait for the seafood in Seattle.", "Neither of us can wait for the seafood in Seattle."),
        ("I'm lending her a hand with the boxes.", "He doesn't hesitate to lend her a hand."),
        # a no that comes late is not of what stands before it
        (
            "Games are my escape from life's struggles.",
            "Games are his escape from struggles; he isn't angry.",
        ),
        # nothing but the subject was said: who was somewhere, what was signed
        ("The Eiffel Tower is so cool!", "He hasn't seen the Eiffel Tower himself."),
        ("I signed with Nike. Gatorade and I are in talks.", "Gatorade isn't signed."),
        # a no that is told without one
        ("I went there and met people who weren't from my circle.", "He met people from outside his circle."),
        ("I'm lactose intolerant.", "He can't have lactose."),
        ("Kingsferry hadn't read back a time.", "Kingsferry owed a read-back."),
        # what was not so until then, and what was planned
        ("I have never stood under one in the dark.", "Then he stood under one in the dark."),
        ("I'll send the video to Laura.", "He hasn't sent the video to Laura."),
        # numbers that nobody had to say
        ("I started surfing five years ago.", "He has surfed for five years."),
        ("I tried flavors like chocolate, raspberry, and coconut.", "He tried three flavors."),
        ("We were behind in the 4th quarter.", "They came back in the 4th quarter."),
        ("She gets a chapter a fortnight done.", "A chapter every two weeks gets done."),
        ("We meet on the twenty-ninth.", "They meet on the 29th."),
    ],
)
def test_what_says_no_to_nothing_that_was_said_is_borne(said: str, told: str) -> None:
    assert of_talk(told, ("Bo", said)) == []


@pytest.mark.parametrize(
    ("said", "told", "expected"),
    [
        ("I won't give up on the studio.", "He is going to give up.", "He is going to give up."),
        ("He never gives up.", "He works hard and gives up.", "and gives up."),
        ("I don't want to hit a wall too early.", "He does want to hit a wall early.", None),
        ("I signed up for pottery yesterday.", "He never told me he had signed up for pottery.", None),
        ("We meet at the harbor every May.", "He never said: we meet at the harbor.", "He never said"),
        ("Setbacks are just opportunities.", "Setbacks are not just opportunities.", None),
        ("All those long nights were worth it.", "All those long nights were not worth it.", None),
        (
            "She was such an important part of our family.",
            "She was not a significant part of his family.",
            None,
        ),
        ("The boat was fantastic.", "His boat was not wonderful.", None),
        ("I've always had respect for the military.", "It was a respect for the military he hasn't.", None),
    ],
)
def test_a_no_that_turns_what_was_said_is_found(said: str, told: str, expected: str | None) -> None:
    assert of_talk(told, ("Bo", said)) == [("negation", expected or told)]


def test_what_speakers_say_of_themselves_is_not_of_the_other() -> None:
    said = ("Bo", "I don't surf."), ("Ada", "I surf with my friends every summer.")
    assert of_talk("He doesn't surf with friends.", *said) == []
    assert of_talk("I never surf with friends in summer.", *said) == [
        ("negation", "I never surf with friends in summer.")
    ]


def test_a_question_that_was_answered_with_yes_was_said() -> None:
    asked = ("Ada", "Did you join the parade?")
    assert of_talk("He never joined the parade.", asked, ("Bo", "Yes, it was loud.")) == [
        ("negation", "He never joined the parade.")
    ]
    assert of_talk("He never joined the parade.", asked, ("Bo", "It rained.")) == []


@pytest.mark.parametrize(
    ("said", "told", "expected"),
    [
        ("I was away last week.", "He was away on 28 June.", [("date", "28 June")]),
        ("I bought three plates.", "He has sailed for three years.", [("number", "three")]),
        ("I'd rate it 9 or 10.", "He rates it 9 or 15.", [("number", "15")]),
        ("Four flasks. I used one and a half.", "Bo brought five flasks.", [("number", "five")]),
        ("Four flasks. I owe you two and a half.", "Bo brought six flasks.", [("number", "six")]),
        ("I used two and a half flasks.", "She used two and a half flasks.", []),
        ("I used 2.5 flasks.", "She used two and a half flasks.", []),
        ("I used two flasks.", "She used two and a half flasks.", [("number", "two and a half")]),
        ("Being home is good.", "We met at Boeing.", [("name", "Boeing")]),
        ("I work with Laura.", "Dune told me of his work with Laura.", [("name", "Dune")]),
        (
            "The harbor! I can't wait to see it.",
            '"The harbor! I letter wait to see it."',
            [("quote", "The harbor! I letter wait to see it.")],
        ),
    ],
)
def test_what_a_detail_is_no_longer_borne_by(said: str, told: str, expected: list[tuple[str, str]]) -> None:
    assert of_talk(told, ("Bo", said)) == expected


@pytest.mark.parametrize(
    ("said", "told", "expected"),
    [
        ("Я еду в Вену с сестрой Аней.", "Вена, и Аня едет с ним; перед Веной он ждал Аню.", []),
        ("Я звонил Марку и Ивану.", "Он звонил Марку, а с Иваном говорил об Иване Петрове.", ["Петрове"]),
        ("Я еду в Вену с сестрой Аней.", "Он едет в Рим с Олей.", ["Рим", "Олей"]),
        ("Мы были у Маши в Киеве.", "Маша живёт в Киеве, а Миша в Минске.", ["Миша", "Минске"]),
    ],
)
def test_a_russian_name_is_the_same_in_every_case(said: str, told: str, expected: list[str]) -> None:
    assert of_talk(told, ("Bo", said)) == [("name", one) for one in expected]


def test_two_names_that_people_have_are_not_one() -> None:
    assert of_talk("He told Martha of the kiln.", ("Bo", "I told Marta of the kiln.")) == [("name", "Martha")]
    assert of_talk("He told Melany of the kiln.", ("Bo", "I told Melanie of the kiln.")) == []


def test_two_people_of_a_short_name_are_told_by_its_plural() -> None:
    said = ("Bo", "My tutor is called Jo, and my cousin is Jo as well.")
    assert of_talk("There are Jos here.", said) == []
    assert of_talk("There are Flos here.", said) == [("name", "Flos")]


def test_a_title_that_is_a_sentence_has_names_in_its_middle() -> None:
    said = ("Bo", "I was back from the harbor.")
    assert of_talk("Late supper, and Rockets back from the harbor", said, title=True) == [("name", "Rockets")]
    assert of_talk("The Late Supper and the Harbor", said, title=True) == []
    assert of_talk("Narnia has joined us", said, title=True) == [("name", "Narnia")]


def test_a_feast_is_known_from_the_day() -> None:
    turn = look_at_turn(Turn(1, "Bo", "I slept late.", date(2023, 12, 26)))
    summer = look_at_turn(Turn(1, "Bo", "I slept late.", DAY))
    stretch = Stretch("Bo slept late after Christmas.", ((0, 1),))
    assert find_ungrounded([stretch], Source([turn], "Bo")) == []
    assert [one.claim for one in find_ungrounded([stretch], Source([summer], "Bo"))] == ["Christmas"]


def over_the_years() -> Source:
    """Return what was said on three days, the first of which is two years before the others."""
    told = (
        ("2024-01-28", "Ada", "Tell me about the kiln, and of the lamp."),
        ("2025-12-28", "Bo", "I have the keys from 1 December on."),
        ("2026-01-09", "Cleo", "No, he leaves on 15 January for the kiln; the lamp stays. It is not here."),
    )
    days = [date.fromisoformat(day) for day, _, _ in told]
    return Source(
        [
            look_at_turn(Turn(1, who, text, day, f"{name}-1"))
            for day, (name, who, text) in zip(days, told, strict=True)
        ],
        "Bo Ada Cleo",
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He leaves on 15 January, and that was said on 9 January.", []),
        ("The keys are his from 1 December 2025 on, or from 1 December on.", []),
        ("On Friday, 9 January, and on a Sunday.", []),
        ("The keys are his from 1 December 2026 on.", []),
        ("The keys are his from 1 December 2028 on.", ["1 December 2028"]),
        ("He leaves on 17 January.", ["17 January"]),
        ("He leaves on 15 January 2024.", ["15 January 2024"]),
        ("On Friday, 15 January, he leaves.", ["On Friday"]),
    ],
)
def test_a_day_without_its_year_may_be_of_any_year_that_is_told_of(text: str, expected: list[str]) -> None:
    found = find_ungrounded([Stretch(text, ((0, 1),))], over_the_years())
    assert [one.claim for one in found if one.kind.value == "date"] == expected


def test_the_nearest_is_told_with_who_said_it_and_in_which_session() -> None:
    [one] = find_ungrounded([Stretch("He leaves with the lamp for Oslo.", ((0, 1),))], over_the_years())
    assert one.nearest is not None
    assert (one.nearest.session, one.nearest.number, one.nearest.speaker) == ("2026-01-09-1", 1, "Cleo")
    turned = Stretch("The lamp never stays.", ((0, 1),))
    [one] = find_ungrounded([turned], over_the_years())
    assert one.nearest is not None
    assert (one.kind.value, one.nearest.speaker) == ("negation", "Cleo")


def test_a_denial_ends_where_a_clause_with_its_own_subject_begins() -> None:
    said = source(
        ("Bo", "Also Imogen can't come Friday, she comes on Sunday 8 March instead."),
        ("Ada", "Noted."),
    )

    def kinds(text: str) -> list[str]:
        return [one.kind.value for one in find_ungrounded([Stretch(text, ((0, 1),))], said)]

    assert "negation" not in kinds("Imogen now comes on Sunday 8 March.")
    assert "negation" in kinds("Imogen can come Friday.")


WITHOUT_A_KEY = (
    ("Ada", "Then the rice was the smaller fire. Which key?"),
    ("Bo", "The cellar key. I never had one. Mrs Okafor in number four has it, I think."),
)


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        ("It is a letter from the office, which wants a cellar key Bo never had.", WITHOUT_A_KEY, []),
        ("Bo never had a cellar key.", WITHOUT_A_KEY, []),
        ("Bo has never owned a boat.", (("Bo", "They asked about the boat. I don't own one."),), []),
        ("Bo had no dog.", (("Bo", "We talked of the old dog. We had none."),), []),
        # the next words deny nothing of it, or the memory denies something else
        (
            "Bo never had a cellar key.",
            (("Bo", "The cellar key. I have it here. The office called."),),
            ["Bo never had a cellar key."],
        ),
        (
            "Bo does not want the cellar key.",
            (("Bo", "I want the cellar key. I never had one. The office called."),),
            ["Bo does not want the cellar key."],
        ),
    ],
)
def test_what_the_next_words_deny_having_is_denied(
    text: str, said: tuple[tuple[str, str], ...], expected: list[str]
) -> None:
    doubts = find_ungrounded([Stretch(text, ((0, 1),))], source(*said))
    assert [one.claim for one in doubts if one.kind.value == "negation"] == expected


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("am 3. März 2026", [(2026, 3, 3)]),
        ("le 1er mai, el 5 de junio", [(0, 5, 1), (0, 6, 5)]),
        ("3 марта, 11월 3일", [(0, 3, 3), (0, 11, 3)]),
        ("十二月二十五日", [(0, 12, 25)]),
        ("am 25.11., nicht am 12.13.", [(0, 11, 25)]),
        ("5 km", []),
    ],
)
def test_days_are_read_as_other_languages_write_them(text: str, days: list[tuple[int, int, int]]) -> None:
    assert [tuple(day) for _, _, *day in days_elsewhere(text)] == days


@pytest.mark.parametrize(("day", "found"), [("8 July", False), ("2 July", False), ("12 July", True)])
def test_the_days_of_a_weekend_that_was_spoken_of_are_borne(day: str, found: bool) -> None:  # noqa: FBT001
    told = find_ungrounded([Stretch(f"Bo looks for the paper on {day}.", ((0, 1),))], source(WEEKEND))
    assert bool(told) is found


@pytest.mark.parametrize(
    ("day", "found"), [("15 July", False), ("14 July", False), ("16 July", True), ("14 December", True)]
)
def test_a_day_that_was_said_by_its_number_is_borne(day: str, found: bool) -> None:  # noqa: FBT001
    told = find_ungrounded([Stretch(f"The bank sends it by {day}.", ((0, 1),))], source(EITHER))
    assert bool(told) is found


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (
            "A novel. It's called The Pilot's Widow. I have 214 pages and no ending. The pages are mine.",
            "I have 214 pages and no ending.",
        ),
        (
            f"It's called The Pilot's Widow, {'a novel about the woman who stayed, ' * 3}and has 214 pages.",
            "…214 pages.",
        ),
        ("It's called The Pilot's Widow. It is 214 days old.", "It's called The Pilot's Widow."),
    ],
)
def test_the_nearest_to_a_number_is_the_sentence_that_counts_the_same(said: str, shown: str) -> None:
    told = source(("Bo", "Good evening."), ("Bo", "She keeps 12 pages of it."), ("Bo", said))
    text = "Her novel is called The Pilot's Widow and has 241 pages."
    told = told if "pages" in said else source(("Bo", said))
    [one] = [one for one in find_ungrounded([Stretch(text, ((0, 1),))], told) if one.kind == "number"]
    assert one.nearest is not None
    assert one.nearest.text.strip() == shown

"""Phrases held against what was really said."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.evidence.phrases import Tape, find_claim, fold, quotations
from reel_cli.core.quote_marks import QUOTED, unquote
from reel_cli.core.values.settings import WHOLE
from reel_cli.core.values.talk import Entry, Kind, Message


def tape(*said: str, first: str = "user") -> Tape:
    """Messages by turns, the person first."""
    roles = ["user", "assistant"] if first == "user" else ["assistant", "user"]
    return Tape([Entry(n, Message(roles[(n - 1) % 2], text)) for n, text in enumerate(said, start=1)])


SAID = tape(
    "Don't tell me you're gonna drip-feed it to me.",
    "Crikey — I won't.  Squat: 100kg,\nBench: 80kg.",
    "“Fair enough,” he said… and left. The train was late.",
    "Ada's letter, Ada’s ticket: late and smelling of diesel.",
)


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("drip-feed it to me", "drip-feed it to me"),
        ("DRIP FEED IT", "drip-feed it"),
        ("feed it to me", "drip-feed it to me"),
        ("gonna drip", "gonna drip-feed"),
        ("don’t tell me you’re gonna", "Don't tell me you're gonna"),
        ('"fair enough" he said... and left', "“Fair enough,” he said… and left"),
        ("**late** and _smelling_ of diesel!", "late and smelling of diesel"),
        ("Ada's ticket", "Ada’s ticket"),
        ("I won't. Squat", "I won't."),
        ("100kg, Bench: 80kg", "Bench: 80kg"),
    ],
)
def test_a_phrase_is_found_whatever_its_case_quotes_dashes_and_emphasis(phrase: str, text: str) -> None:
    found = SAID.find(phrase)
    assert found is not None
    assert (found.text, found.likeness) == (text, WHOLE)


@pytest.mark.parametrize("phrase", ["rain", "he said and left", "diesel smelling", "", "  ", "Adas letter"])
def test_a_phrase_is_found_as_whole_words_in_their_order_or_not_at_all(phrase: str) -> None:
    found = SAID.find(phrase)
    assert (found.text if found else None) == {"he said and left": "he said… and left"}.get(phrase)


def test_a_quotation_in_a_phrase_keeps_both_of_its_marks() -> None:
    said = tape('I am reading "The Grey Heron" - slowly.', "She calls it «mein Garten», and «the best».")
    claims = ('"I am reading "The Grey Heron""', "calls it «mein Garten»", "the best", "The Grey Heron")
    found = [find_claim(said, claim) for claim in claims]
    texts = ['I am reading "The Grey Heron"', "calls it «mein Garten»", "the best", "The Grey Heron"]
    assert [one.text for one in found if one] == texts


def test_part_of_a_word_is_not_the_word() -> None:
    assert tape("The train left.").find("rain") is None
    assert tape("The train left.").nearest("rain") is None


def test_what_was_said_often_says_so_and_the_person_goes_before_the_persona() -> None:
    found = tape("no more", "running on empty", "still running on empty", "Running on empty!").find(
        "running on empty"
    )
    assert found is not None
    assert (found.number, found.role, found.times) == (3, "user", 3)


def test_only_what_was_said_is_searched() -> None:
    bundle = Entry(None, Message("user", "penicillin never", Kind.BUNDLE))
    assert Tape([bundle]).find("penicillin never") is None


@pytest.mark.parametrize(
    ("text", "phrase", "found"),
    [
        ("明日は海へ行こうと思う。", "海へ行こう", "海へ行こう"),
        ("我想去看海，但是下雨了", "看海,", None),
        ("我想去看海，但是下雨了", "下雨了", "下雨了"),
        ("พรุ่งนี้ไปทะเลกัน", "ไปทะเล", "ไปทะเล"),
        ("今夜はNetflixを見た", "netflixを", "Netflixを"),
        ("今夜はNetflixを見た", "flixを見", None),
        ("그래도 바다에 가고 싶어", "바다에 가고", "바다에 가고"),
        ("그래도 바다에 가고 싶어", "다에 가고", None),
        ("bring 🧤 and 🍲", "🧤", "🧤"),
    ],
)
def test_scripts_without_spaces_are_searched_as_they_stand(text: str, phrase: str, found: str | None) -> None:
    hit = tape(text).find(phrase)
    assert (hit.text if hit else None) == found


COUNTS = "Honestly, I am one of those who count other people's drinks at parties. It is a habit."


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        (
            "I am one of those who count other people's beers",
            "I am one of those who count other people's drinks",
        ),
        ("I am one of those who count other people's", "I am one of those who count other people's"),
        (
            "you are one of those who count other people's drinks",
            "I am one of those who count other people's drinks",
        ),
        (
            "those who count other people's drinks at weddings and birthdays",
            "those who count other people's drinks at parties",
        ),
        ("so I am one of those who count", "I am one of those who count"),
    ],
)
def test_the_nearest_has_the_words_that_were_said_in_place_of_the_first_and_last(
    phrase: str, text: str
) -> None:
    """A quotation that is mended would end in the middle of what was said: `count other people's`."""
    near = tape(COUNTS).nearest(phrase)
    assert near is not None
    assert near.text == text


def test_the_nearest_does_not_leave_out_the_last_word_of_its_clause() -> None:
    said = tape("Thursday, then. I'll keep a seat dry. Don't bring the Guild.")
    near = said.nearest("I'll keep a dry seat")
    assert near is not None
    assert near.text == "I'll keep a seat dry"


def test_the_nearest_says_how_near_it_is() -> None:
    near = SAID.nearest("tell me you are going to drip-feed it")
    far = SAID.nearest("late and smelling of the diesel engine")
    assert near is not None
    assert far is not None
    assert (near.text, near.number) == ("tell me you're gonna drip-feed it", 1)
    assert 8_000 < near.likeness < WHOLE
    assert (far.text, far.likeness < near.likeness) == ("late and smelling of diesel", True)


@pytest.mark.parametrize("phrase", ["the lighthouse keeper wept all night", "ticket", "海へ行こう", ""])
def test_where_nothing_is_alike_there_is_no_nearest(phrase: str) -> None:
    assert SAID.nearest(phrase) is None


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ('"late and smelling of diesel" — Tomas', "late and smelling of diesel"),
        ("“late and smelling of diesel”", "late and smelling of diesel"),
        ('because of "smelling of diesel", I think', "smelling of diesel"),
        ('because of "Squat", I think', None),
        ("Tomas: late and smelling of diesel", "late and smelling of diesel"),
        ('**Tomas:** "late and smelling of diesel"', "late and smelling of diesel"),
        ("Tomas: Squat", None),
    ],
)
def test_a_claim_is_found_by_the_quotation_or_the_line_in_it(claim: str, text: str | None) -> None:
    found = find_claim(SAID, claim)
    assert (found.text if found else None) == text


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ('"a b"', "a b"),
        ("“a” and “b”", "“a” and “b”"),
        ("'tis", "'tis"),
        ('he said "no"', 'he said "no"'),
        ('"', '"'),
        ("‘a b’", "a b"),
        ("'a b'", "a b"),
        ("”a b”", "a b"),
        ("»a b«", "a b"),
        ("“a “b c”", "“a “b c”"),
    ],
)
def test_quotation_marks_around_all_of_it_are_taken_off(text: str, bare: str) -> None:
    assert unquote(text) == bare


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Sie: ‚Ich hab’s gesagt‘, und ging.", ["Ich hab’s gesagt"]),
        ("Hon: ”Jag kommer”, och gick.", ["Jag kommer"]),
        ("Er: »Ich komme«, und sie: «Moi aussi».", ["Ich komme", "Moi aussi"]),
        # the marks that close one and open the next are no pair
        ("«Je viens» dit-il, «et toi».", ["Je viens", "et toi"]),
    ],
)
def test_quotations_are_found_by_the_marks_of_their_language(line: str, words: list[str]) -> None:
    assert [next(filter(None, found.groups())) for found in QUOTED.finditer(line)] == words


def test_quotations_come_in_order() -> None:
    assert quotations('"one", „zwei“ and «trois», 5" tall') == ["one", "zwei", "trois"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('"I loved reading "Charlotte\'s Web" as a kid"', ['I loved reading "Charlotte\'s Web" as a kid']),
        ('- "the "Embracing Identity" one" and "no"', ['the "Embracing Identity" one', "no"]),
        ('"he said "no"" — Sam', ['he said "no"']),
        ('"one" "two"', ["one", "two"]),
        ('"one and "two', ["one and"]),
    ],
)
def test_a_quotation_with_another_inside_it_is_read_whole(text: str, found: list[str]) -> None:
    assert quotations(text) == found


PLAIN = st.lists(st.sampled_from(["dot", "Ada's", "late", "and", "smelling"]), min_size=1, max_size=4).map(
    " ".join
)


@settings(max_examples=60, deadline=None)
@given(PLAIN, PLAIN, PLAIN, st.lists(PLAIN, max_size=2))
def test_whatever_is_quoted_inside_a_quotation_it_comes_back_in_one_piece(
    before: str, inside: str, after: str, others: list[str]
) -> None:
    whole = f'{before} "{inside}" {after}'
    line = " and ".join([f'"{whole}"', *(f'"{other}"' for other in others)])
    assert quotations(line) == [whole, *others]


WORDS = st.sampled_from(
    [
        "the",
        "dot",
        "Ada's",
        "drip-feed",
        "Jiří",
        "é",
        "100kg",
        "…",
        "—",
        "海",
        "🧤",
        "*so*",
        "\n",
        "|",
        "İ",
        "ß",
    ]
)
TEXTS = st.lists(WORDS, min_size=1, max_size=14).map(" ".join)


@given(st.lists(TEXTS | st.text(max_size=60), min_size=1, max_size=4), TEXTS | st.text(max_size=40))
@settings(max_examples=100, deadline=None)
def test_whatever_is_found_stands_in_its_message(said: list[str], phrase: str) -> None:
    spoken = tape(*said)
    for found in (spoken.find(phrase), spoken.nearest(phrase), find_claim(spoken, phrase)):
        if found is not None:
            assert found.text in said[found.number - 1]
            assert not set(found.text) & set("\n\r|\t")
            assert 0 < found.likeness <= WHOLE


@given(
    st.lists(
        st.sampled_from(["the", "dot", "coat", "Ada", "Jiří", "100kg", "won't"]), min_size=3, max_size=20
    ),
    st.data(),
)
@settings(max_examples=100, deadline=None)
def test_every_run_of_words_that_was_said_is_found(words: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(words) - 1))
    run = words[start : data.draw(st.integers(start + 1, len(words)))]
    found = tape(" ".join(words)).find(" ".join(run).upper())
    assert found is not None
    assert fold(found.text) == fold(" ".join(run))


@pytest.mark.parametrize("space", [" ", "  ", "\t", "\n", "\u00a0", "\u2028", "\u3000"])
def test_any_white_space_folds_to_one_blank(space: str) -> None:
    assert fold(f"{space}Two{space}Words{space}") == "two words"


def test_a_line_of_two_words_is_found_behind_its_speaker() -> None:
    said = tape("what engine", "Triple expansion.")
    assert find_claim(said, "Bo: what engine") is not None
    assert find_claim(said, "Bo: what ferry") is None

"""Sentences are not cut at the full stops of abbreviations."""

import pytest

from reel_cli.core.evidence.grounding.lexicon import sentences
from reel_cli.core.frozen import late
from reel_cli.core.sentence_end import split_sentences

END = late(r"(?<=[.!?])\s+")


@pytest.mark.parametrize(
    "text",
    [
        "We sing in St. Magnus in Tating.",
        "Then Dr. Brandt stopped it.",
        "then dr. brandt stopped it.",
        "Mr. and Mrs. Lind came with Prof. Kaur.",
        "It is No. 5 on the list.",
        "At 7 a.m. he comes.",
        "He called at 3 p.m. Friday.",
        "She met J. R. R. Tolkien once.",
        "I read A. Byatt.",
        "Bring fruit, e.g. Apples, etc. and tea.",
        "The U.S. army left.",
        "He came from St. Andrews, as Dr. No did.",
    ],
)
def test_an_abbreviation_ends_no_sentence(text: str) -> None:
    assert split_sentences(END, text) == [text]
    assert [text[start:end] for start, end in sentences(text.replace("\n", " "))] == [text.replace("\n", " ")]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("No. I do not.", ["No.", "I do not."]),
        ("He comes at 7 p.m. She leaves.", ["He comes at 7 p.m.", "She leaves."]),
        ("So do I. Then we left.", ["So do I.", "Then we left."]),
        ("We need plan B. Ilse knows.", ["We need plan B.", "Ilse knows."]),
        ("I live in the best. It is calm.", ["I live in the best.", "It is calm."]),
        ("Wait... Brandt called.", ["Wait...", "Brandt called."]),
        ("I take 5 mg. Ilse takes 10 mg.", ["I take 5 mg.", "Ilse takes 10 mg."]),
    ],
)
def test_other_full_stops_end_one(text: str, parts: list[str]) -> None:
    assert split_sentences(END, text) == parts


def test_a_street_may_end_a_sentence() -> None:
    for text in ("I live on Main St. The dog barks.", "We moved to 12 Elm St. My sister stayed."):
        assert len(split_sentences(END, text)) == 2


def test_a_number_of_splits_is_the_most() -> None:
    assert split_sentences(END, "Dr. Brandt. One. Two.", 1) == ["Dr. Brandt.", "One. Two."]

"""Long lines of a diff: what differs, and a few words around it."""

from hypothesis import given
from hypothesis import strategies as st

from reel_cli.cli.line_pairs import fold_pairs

PARAGRAPH = " ".join(f"word{n}" for n in range(60))


def test_of_a_long_line_only_what_differs_is_shown_with_a_few_words_around() -> None:
    new = PARAGRAPH.replace("word30", "another")
    assert fold_pairs([f"-{PARAGRAPH}", f"+{new}"]) == [
        "-… word24 word25 word26 word27 word28 word29 word30 word31 word32 word33 word34 word35 word36 …",
        "+… word24 word25 word26 word27 word28 word29 another word31 word32 word33 word34 word35 word36 …",
    ]


def test_a_word_more_at_the_end_or_taken_out_at_the_beginning() -> None:
    around = "word54 word55 word56 word57 word58 word59"
    assert fold_pairs([f"-{PARAGRAPH}", f"+{PARAGRAPH} more"]) == [f"-… {around}", f"+… {around} more"]
    start = "word1 word2 word3 word4 word5 word6 word7 …"
    assert fold_pairs([f"-{PARAGRAPH}", f"+{PARAGRAPH[6:]}"]) == [f"-word0 {start}", f"+{start}"]


def test_short_lines_new_lines_and_others_stay_whole() -> None:
    other = " ".join(f"else{n}" for n in range(60))
    for lines in (
        ["-a dry day", "+a wet day"],
        [f"+{PARAGRAPH}"],
        [f"-{PARAGRAPH}"],
        [f"-{PARAGRAPH}", f"+{other}"],
        [f"-{PARAGRAPH}", f"+{PARAGRAPH} x", f"+{other}"],
        ["⋯", f" {PARAGRAPH}", ""],
    ):
        assert fold_pairs(lines) == lines


@given(st.lists(st.text(alphabet="-+ ab⋯", max_size=200), max_size=12))
def test_the_same_lines_come_back_in_the_same_order(lines: list[str]) -> None:
    folded = fold_pairs(lines)
    assert [line[:1] for line in folded] == [line[:1] for line in lines]
    assert all(len(new) <= len(old) + 4 for old, new in zip(lines, folded, strict=True))

"""An edited text of a card, written again: macros where the words stayed, and what each macro stands for."""

from functools import partial

import pytest

from reel_cli.features.cards.dialogue import join_examples, split_examples, to_exchange, to_greeting
from reel_cli.features.cards.macro_restore import Came, Kind, NamePair, reader, restore
from reel_cli.features.cards.macros import Names, macros_left, replace_macros, trace_macros
from reel_cli.features.cards.parts import Piece, piece_came

NAMES = Names("Mira", "Bo")
SAME = NamePair(NAMES, NAMES)
RENAMED = NamePair(NAMES, Names("Lena", "Tomas"))


@pytest.mark.parametrize(
    ("written", "held"),
    [
        ("{{char}} and <USER>, {{ notChar }}", "Mira and Bo, Bo"),
        ("{{group}} {{charIfNotGroup}} {{bot}}", "Mira Mira Mira"),
        ("Be kind. {{original}}\nBe brief.", "Be kind. \nBe brief."),
        ("{{original}}\nBe kind.", "Be kind."),
        ("One.\n  {{original}} {{// an {{user}} aside}}\nTwo.", "One.\nTwo."),
        ("One.{{// aside}}\nTwo.{{comment: x}}", "One.\nTwo."),
        ("One {{hidden_key:bell}}{{noop}}two", "One two"),
        ("One{{newline}}two{{NEWLINE}}", "One\ntwo\n"),
        ("One\n\n{{trim}}\n\ntwo\n{{trim}} three", "Onetwo three"),
        ("{{reverse:arim}} {{ reverse:x{y} }}", "mira {{ reverse:x{y} }}"),
        ("{{persona}} {{roll:d6}}{{#if a}}b{{/if}}", "{{persona}} {{roll:d6}}{{#if a}}b{{/if}}"),
        ("{{random:a,{{char}}}} {{// not closed", "{{random:a,Mira}} {{// not closed"),
    ],
)
def test_a_macro_that_always_means_the_same_is_what_it_means(written: str, held: str) -> None:
    assert replace_macros(written, NAMES) == held
    assert "".join(span.raw for span in trace_macros(written, NAMES)) == written


def test_a_macro_that_does_not_is_named() -> None:
    left = macros_left("{{#if x}}{{roll:d6}}{{/if}} {{Time}} {{time}} {{getvar::a}} {{persona}}")
    assert left == ("#if", "roll", "/if", "time", "getvar", "persona")


def field(raw: str) -> Came:
    """A text as a plain field has it."""
    return Came(raw, trace_macros(raw, NAMES), reader(NAMES))


DESCRIPTION = " {{char}}'s cat. {{// age}}\r\n{{original}} {{user}} feeds it.{{newline}}Mira and the rain. "


@pytest.mark.parametrize(
    ("now", "naming", "written"),
    [
        # nothing changed, or no more than the two are called
        ("Mira's cat. \n Bo feeds it.\nMira and the rain.", SAME, DESCRIPTION),
        ("Mira's cat. \n Bo feeds it.\nMira and the rain.", RENAMED, DESCRIPTION),
        ("Lena's cat. \n Tomas feeds it.\nMira and the rain.", RENAMED, DESCRIPTION),
        # a name that the card had in plain goes out as it reads now
        (
            "Lena's cat. \n Tomas feeds it.\nLena and the rain.",
            RENAMED,
            " {{char}}'s cat. {{// age}}\n{{original}} {{user}} feeds it.{{newline}}Lena and the rain. ",
        ),
        # one word
        (
            "Mira's cat. \n Bo brushes it.\nMira and the rain.",
            RENAMED,
            " {{char}}'s cat. {{// age}}\n{{original}} {{user}} brushes it.{{newline}}Mira and the rain. ",
        ),
        # a sentence more, a line less: what a kit does not show stays
        (
            "Mira's black cat. \nMira and the rain.\nBo is late.",
            SAME,
            " {{char}}'s black cat. {{// age}}{{original}}{{newline}}Mira and the rain.\nBo is late. ",
        ),
        ("Quite otherwise.", SAME, " Quite {{// age}}{{original}}otherwise. "),
        ("", SAME, ""),
    ],
)
def test_only_what_was_edited_is_written_otherwise(now: str, naming: NamePair, written: str) -> None:
    came = field(DESCRIPTION)
    made = restore(came, now, naming)
    assert made == written
    assert naming.even(came.read(made)) == naming.even(now)


def test_an_edit_that_macros_would_bend_goes_out_as_it_reads() -> None:
    came = field("{{char}}s and{{trim}}\nrain")
    assert restore(came, "Miras and\nrain", SAME) == "{{char}}s and\nrain"
    assert restore(field("not {{user}}"), "not {{reverse:Bo}}", SAME) == "not {{reverse:Bo}}"


EXAMPLE = "{{user}}: Is it far?\r\n{{char}}: Far, {{user}}?\n\n*She laughs.*\n{{random_user_1}}: No.\n"
SHOWN = "**Bo:** Is it far?\n\n**Mira:** Far, Bo?\n\n*She laughs.*\n{{random_user_1}}: No."


def test_an_edited_example_keeps_its_speakers_as_macros() -> None:
    piece = Piece("card mes_example 1", "Example 1", EXAMPLE, to_exchange(EXAMPLE, NAMES))
    assert piece.text == SHOWN
    came = piece_came(piece, NAMES)
    assert restore(came, SHOWN, RENAMED) == EXAMPLE
    plain = EXAMPLE.replace("\r\n", "\n")
    laughs = SHOWN.replace("laughs", "sighs")
    assert restore(came, laughs, RENAMED) == plain.replace("laughs", "sighs")
    more = f"{SHOWN}\n\n**Tomas:** Thanks.\n\n**Lena:** Dry the cat, Bo."
    assert restore(came, more, RENAMED) == (
        plain.removesuffix("\n") + "\n\n{{user}}: Thanks.\n\n{{char}}: Dry the cat, Bo.\n"
    )
    swapped = restore(came, "**Mira:** Is it far?\n\n**Bo:** Far, Bo?", SAME)
    assert to_exchange(swapped, NAMES) == "**Mira:** Is it far?\n\n**Bo:** Far, Bo?"


def test_an_edited_greeting_loses_the_mark_that_it_got() -> None:
    raw = "  {{user}}! *She bows.*"
    piece = Piece("card first_mes", "How it begins", raw, to_greeting(raw, NAMES))
    came = piece_came(piece, NAMES)
    assert came.kind is Kind.GREETING
    assert restore(came, "**Lena:** Bo! *She nods.*", RENAMED) == "  {{user}}! *She nods.*"
    assert restore(came, "**Mira:** Out.", SAME) == "  Out."


def test_the_other_examples_stay_as_they_stand() -> None:
    whole = "<START>\n{{user}}: a\n\n<start>\n{{char}}: b<START>c\n"
    assert [part.strip() for part in split_examples(whole)] == ["{{user}}: a", "{{char}}: b", "c"]
    assert join_examples(whole, ["{{user}}: a\n\n", "{{char}}: b", "c\n"], ()) == whole
    assert join_examples(whole, [None, "{{char}}: B", "c\n"], ["d "]) == (
        "<start>\n{{char}}: B<START>c\n<START>\nd"
    )


def test_a_large_text_in_one_line_keeps_its_macros_around_an_edit() -> None:
    words = " ".join(f"{{{{char}}}} has {n % 50} of them and {n} of those." for n in range(1_000))
    came = field(words)
    now = came.shown.replace("has 3 of them and 3 ", "had ").replace("and 990 ", "and no end ")
    made = restore(came, now, SAME)
    assert made == words.replace("has 3 of them and 3 ", "had ").replace("and 990 ", "and no end ")


def test_a_large_text_that_was_all_rewritten_is_not_looked_through_for_long() -> None:
    words = " ".join(f"{{{{char}}}} {n}." for n in range(5_000))
    came = Came(words, trace_macros(words, NAMES), partial(replace_macros, names=NAMES))
    now = replace_macros(words, NAMES).replace(".", "!")
    assert replace_macros(restore(came, now, SAME), NAMES) == now

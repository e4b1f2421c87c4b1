import re
import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.values.talk import Kind, Message
from reel_cli.features.record.own_words import is_piece_of, mark_own

BUNDLE = """You are Ada. You keep the lamp — and you don't say “as an AI”.

What you remember, newest first:
- The letter that wasn't hers: you told Bo to let the keeper carry it for a day.
- Forty pages by 30 April; they want the Aalto residency to hear the sea in it.
- The wrong train: he went to Turku, and you laughed with him before you helped.

Where things stand:
- Lighthouse draft, chapter four: opens with the letter.
- He is brisk when tired; name it, then go on."""
PROMPT = """Bo is about to close this window, Ada. Before it goes, write the page you will wake up to.

## What happened
Who said or did what, in four to eight sentences.
## What changed
Between you, or in you.
## What matters
Why you would mind losing this."""

SIGNS = (("<kit>", "</kit>"), ("bo is about", "losing this."))
SAID, OWN, EXCHANGE = Kind.SAID, Kind.BUNDLE, Kind.EXCHANGE


def find(pattern: str, text: str) -> tuple[int, int] | None:
    found = re.search(pattern, text, re.DOTALL)
    return found.span() if found else None


def is_bundle(text: str) -> tuple[int, int] | None:
    return find(r"<kit>.*?</kit>", text)


def is_prompt(text: str) -> tuple[int, int] | None:
    return find(r"Bo is about to close.*?losing this\.", text)


def nothing(_: str) -> None:
    return None


def mark(*messages: tuple[str, str], handed: tuple[str, ...] = ()) -> list[tuple[str, str, Kind]]:
    given = [Message(role, text) for role, text in messages]
    marked = mark_own(given, handed=handed, is_bundle=is_bundle, is_prompt=is_prompt)
    assert mark_own(given, handed=handed, is_bundle=is_bundle, is_prompt=is_prompt, signs=SIGNS) == marked
    return [(m.role, m.text, m.kind) for m in marked]


def test_a_bundle_is_parted_from_what_was_said_with_it() -> None:
    assert mark(
        ("user", "Here you are:\n\n<kit>who she is</kit>\n\nMorning, Ada."), ("assistant", "Morning.")
    ) == [
        ("user", "Here you are:", SAID),
        ("user", "<kit>who she is</kit>", OWN),
        ("user", "Morning, Ada.", SAID),
        ("assistant", "Morning.", SAID),
    ]


def test_a_bundle_as_system_prompt_is_no_system_message() -> None:
    given = [Message("system", "<kit>who she is</kit>\nBe brief.", Kind.SYSTEM)]
    marked = mark_own(given, handed=(), is_bundle=is_bundle, is_prompt=is_prompt)
    assert [(m.role, m.text, m.kind) for m in marked] == [
        ("system", "<kit>who she is</kit>", OWN),
        ("system", "Be brief.", Kind.SYSTEM),
    ]


def test_a_prompt_and_the_answers_to_it_are_an_exchange() -> None:
    assert mark(
        ("user", "ha. fair."),
        ("assistant", "Go and buy the ticket."),
        ("user", PROMPT),
        ("assistant", "## What happened"),
        ("assistant", "and the rest"),
        ("user", "goodnight"),
        ("assistant", "Goodnight."),
    ) == [
        ("user", "ha. fair.", SAID),
        ("assistant", "Go and buy the ticket.", SAID),
        ("user", PROMPT, EXCHANGE),
        ("assistant", "## What happened", EXCHANGE),
        ("assistant", "and the rest", EXCHANGE),
        ("user", "goodnight", SAID),
        ("assistant", "Goodnight.", SAID),
    ]


def test_bundle_and_prompt_in_one_message_are_both_found_whichever_comes_first() -> None:
    for first, second, kinds in (
        (PROMPT, "<kit>x</kit>", [EXCHANGE, OWN]),
        ("<kit>x</kit>", PROMPT, [OWN, EXCHANGE]),
    ):
        marked = mark(("user", f"{first}\n{second}\nplease"))
        assert marked == [
            ("user", first, kinds[0]),
            ("user", second, kinds[1]),
            ("user", "please", SAID),
        ]


REWRAPPED = textwrap.fill(" ".join(BUNDLE.split()), 60)
SHAPES = {
    "as handed out": BUNDLE,
    "wrapped anew": REWRAPPED,
    "with other quotes and dashes": BUNDLE.replace("—", "-")
    .replace("“", '"')
    .replace("”", '"')
    .replace("'", "’"),
    "with other spaces": BUNDLE.replace("\n", "\n\n").replace(" ", "\N{NO-BREAK SPACE}"),
    "cut at the end": BUNDLE[:-60],
    "cut in the middle": BUNDLE[:150] + "…" + BUNDLE[260:],
    "one line lost": BUNDLE.replace("Where things stand:\n", ""),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_handed_out_text_is_known_however_the_app_has_treated_it(shape: str) -> None:
    text = SHAPES[shape]
    given = [Message("user", text)]
    marked = mark_own(given, handed=("another", BUNDLE), is_bundle=nothing, is_prompt=nothing)
    whole = [(text, OWN)]
    assert [(m.text, m.kind) for m in marked] == whole


@pytest.mark.parametrize("text", [BUNDLE, REWRAPPED])
def test_own_words_about_a_handed_out_text_stay_said(text: str) -> None:
    message = Message("user", f"  Hello you.\n\n{text}\n\nSo — what now?")
    marked = mark_own([message], handed=(BUNDLE,), is_bundle=nothing, is_prompt=nothing)
    assert [(m.text, m.kind) for m in marked] == [
        ("  Hello you.", SAID),
        (text, OWN),
        ("So — what now?", SAID),
    ]


def test_a_handed_out_prompt_makes_its_answer_an_exchange() -> None:
    text = textwrap.fill(PROMPT, 50)
    given = [Message("user", text), Message("assistant", "The page.")]
    marked = mark_own(
        given, handed=(PROMPT,), is_bundle=nothing, is_prompt=lambda t: (0, len(t)) if t == PROMPT else None
    )
    assert [m.kind for m in marked] == [EXCHANGE, EXCHANGE]


def test_quoting_a_line_is_talking() -> None:
    said = "You wrote: The wrong train: he went to Turku, and you laughed with him before you helped. Why?"
    assert mark(("user", said), handed=(BUNDLE,)) == [("user", said, SAID)]
    assert mark(("assistant", BUNDLE), handed=(BUNDLE,)) == [("assistant", BUNDLE, SAID)]
    assert mark(("user", "ok"), handed=("ok",)) == [("user", "ok", SAID)]


def test_what_is_beside_what_was_said_stays_what_it_is() -> None:
    thought = Message("assistant", PROMPT, Kind.REASONING)
    given = [Message("user", PROMPT), thought, Message("assistant", "The page.")]
    marked = mark_own(given, handed=(), is_bundle=is_bundle, is_prompt=is_prompt)
    assert marked[1] is thought
    assert [m.kind for m in marked] == [EXCHANGE, Kind.REASONING, EXCHANGE]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(["<kit>a</kit>", PROMPT, "hello", " \n ", "<kit>", "</kit>"]), max_size=6))
def test_no_character_that_counts_is_lost(pieces: list[str]) -> None:
    text = " ".join(pieces)
    marked = mark_own([Message("user", text)], handed=(BUNDLE,), is_bundle=is_bundle, is_prompt=is_prompt)
    assert "".join("".join(m.text.split()) for m in marked) == "".join(text.split())
    again = mark_own(marked, handed=(BUNDLE,), is_bundle=is_bundle, is_prompt=is_prompt)
    assert again == marked


pieces = st.sampled_from(
    [*BUNDLE.split("\n"), *BUNDLE.split(" ")[::3], BUNDLE, PROMPT, "Hello, Ada.", "“Yes.”"]
)
seams = st.sampled_from(["\n", " ", "\n\n", "  \n> "])


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["user", "assistant", "system"]), st.lists(pieces, max_size=12), seams)
    ),
    st.sampled_from(
        [
            (),
            (BUNDLE,),
            (BUNDLE, PROMPT),
            ("短い文ですがとても長い長い長い長い長い長い長い長い長い長い長い長い長い文",),
        ]
    ),
)
def test_passing_over_quickly_finds_what_looking_closely_finds(
    given_messages: list[tuple[str, list[str], str]], handed: tuple[str, ...]
) -> None:
    messages = [Message(role, seam.join(parts)) for role, parts, seam in given_messages]
    closely = mark_own(messages, handed=handed, is_bundle=is_bundle, is_prompt=is_prompt)
    quickly = mark_own(messages, handed=handed, is_bundle=is_bundle, is_prompt=is_prompt, signs=SIGNS)
    assert quickly == closely


LONG = "The relief boat comes every fourteen days, weather permitting; that winter it was late. " * 3
QUOTING = f"Ada, this was said.\n\nBo: {LONG}\n\nAda: Kept.\n\nWrite a page about it, in your own words."


def test_what_was_said_is_said_also_where_a_prompt_quotes_it() -> None:
    given = [Message("user", LONG), Message("assistant", "Kept.")]
    own = [Message("user", QUOTING[:-30])]

    def marked(messages: list[Message]) -> list[Kind]:
        found = mark_own(
            messages,
            handed=(QUOTING,),
            is_bundle=nothing,
            is_prompt=nothing,
            was_said=lambda text: is_piece_of(text, LONG),
        )
        return [message.kind for message in found]

    assert marked(given) == [Kind.SAID, Kind.SAID]
    assert marked(own) == [Kind.BUNDLE]

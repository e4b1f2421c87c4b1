"""`SHARED-CONTEXT.md` as a file: five parts, what it knows, and what a person put into it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.values.change import one_line
from reel_cli.features.dream.context.files import (
    HEADINGS,
    frame_lines,
    parse_context,
    render_context,
    room_for_parts,
    tell_context,
    without_note,
)
from reel_cli.features.dream.context.shared_context import LISTS, PARTS, ContextBasis, Place
from tests.support.cli import CHECKOUT

KNOWN = ContextBasis(Place("2026-02-10-1", 48, "2026-02-10T20:00:00+01:00"), "2026-02-11", "qwen3-14b")
WORDS = {
    "now": ("We wait for the kiln.",),
    "hours": ("10 February: it cracked", "10 February: he swept"),
    "person": ("Tired.",),
    "blocked": (),
    "next": ("a bowl for Marta",),
}
FILE = """\
<!-- context: {"known": "2026-02-10-1#48", "said": "2026-02-10T20:00:00+01:00", "model": "qwen3-14b", \
"on": "2026-02-11"} -->
# Shared context

## Where things stand
We wait for the kiln.

## The last 48 hours
- 10 February: it cracked
- 10 February: he swept

## How the person is
Tired.

## What is broken or blocked
Nothing.

## What comes next
- a bowl for Marta
"""


def test_the_file_as_it_is_written_and_read() -> None:
    text = render_context("", WORDS, KNOWN)
    assert text == FILE
    found = parse_context(text)
    assert (found.known, found.missing, found.lines) == (KNOWN, (), 18)
    assert found.parts["hours"] == "- 10 February: it cracked\n- 10 February: he swept"
    assert without_note(text).startswith("# Shared context\n")
    assert "<!--" not in without_note(text)
    assert (frame_lines(""), room_for_parts("")) == (17, 37)
    assert tell_context(text).startswith("Where things stand:\nWe wait for the kiln.\nThe last 48 hours:\n")


def test_the_example_in_the_documentation() -> None:
    page = (CHECKOUT / "docs/kit-format.md").read_text()
    shown = page.partition("## `SHARED-CONTEXT.md`")[2].partition("```markdown\n")[2].partition("```")[0]
    found = parse_context(shown)
    assert (found.missing, found.known and str(found.known.place)) == ((), "2026-02-10-1#48")
    bodies = {
        key: tuple(line.removeprefix("- ") for line in text.split("\n")) for key, text in found.parts.items()
    }
    assert found.known is not None
    assert render_context("", {**bodies, "blocked": ()}, found.known) == shown


def test_what_a_person_put_there_stays() -> None:
    mine = (
        "# How it is\n\nRead this first.\n\n"
        "## what comes next?\n- old\n<!-- ask him again -->\n\n"
        "## House rules\n\nShoes off.\n\n- no  calls\n\n\n"
        "## Where things stand\nold\n"
    )
    before = parse_context(mine)
    assert (before.known, before.missing) == (None, ("hours", "person", "blocked"))
    made = render_context(mine, WORDS, KNOWN)
    assert made.partition("\n")[2] == (
        "# How it is\n\nRead this first.\n\n"
        "## what comes next?\n- a bowl for Marta\n<!-- ask him again -->\n\n"
        "## House rules\n\nShoes off.\n\n- no  calls\n\n"
        "## Where things stand\nWe wait for the kiln.\n\n"
        "## The last 48 hours\n- 10 February: it cracked\n- 10 February: he swept\n\n"
        "## How the person is\nTired.\n\n"
        "## What is broken or blocked\nNothing.\n"
    )
    assert render_context(made, WORDS, KNOWN) == made
    assert parse_context(made).known == KNOWN


def test_a_heading_given_twice_is_one_afterwards() -> None:
    made = render_context(FILE + "\n## The last 48 hours\n- more\n", WORDS, KNOWN)
    assert made == FILE


def test_a_note_that_cannot_be_read_knows_nothing() -> None:
    for note in ("{", "[1]", '{"known": 3}', '{"known": "x#1"}', "[" * 9_000):
        assert parse_context(FILE.replace('{"known": "2026-02-10-1#48"', note, 1)).known is None
    assert parse_context("").missing == PARTS


_WEIRD = st.text("a#<>`~-=*[]!\\ \n\r\t\u2028\x00é", max_size=40)


def test_a_short_underline_is_read_alike_beside_html_and_fences() -> None:
    for mark in ("a < b", "a ``` b", "a ~~~ b", "plain"):
        parts = {**dict.fromkeys(PARTS, ()), "now": (mark,)}
        for before in ("=\r-", "Mine\n-\nA line.\n", "=\r-\n\n## Mine\n=\r-\n"):
            made = render_context(before, parts, KNOWN)
            assert render_context(made, parts, KNOWN) == made


@pytest.mark.parametrize("mark", ["<!--", "<!-- mine", "~~~", "```python", "<?", "<![CDATA[", "<!A", "<pre>"])
def test_a_mark_that_nobody_closed_hides_no_part(mark: str) -> None:
    parts = dict.fromkeys(PARTS, ("One.",))
    for before in (
        f"# Mine\n\n{mark}\n",
        f"{mark}\nA line.\n\n{FILE}",
        f"{FILE}\n\n## Mine\n{mark}\nA line.\n",
    ):
        made = render_context(before, parts, KNOWN)
        assert render_context(made, parts, KNOWN) == made
        assert list(parse_context(made).parts) == list(PARTS)
        assert made.count("## Where things stand") == 1
        assert mark in made


@settings(max_examples=60, deadline=None)
@given(
    st.fixed_dictionaries({key: st.lists(_WEIRD, max_size=4).map(tuple) for key in PARTS}),
    st.one_of(st.just(""), st.just(FILE), _WEIRD.map(lambda text: f"{text}\n\n## Mine\n{text}\n")),
)
def test_no_words_break_the_file(parts: dict[str, tuple[str, ...]], before: str) -> None:
    made = render_context(before, parts, KNOWN)
    found = parse_context(made)
    if before in ("", FILE):
        assert list(found.parts) == list(PARTS)
        assert found.known == KNOWN
        for key in PARTS:
            said = [line for line in parts[key] if one_line(line)]
            if key in LISTS and said:
                assert found.parts[key].count("\n") == len(said) - 1
            else:
                assert "\n" not in found.parts[key]
    # written again, nothing more changes
    assert render_context(made, parts, KNOWN) == made
    assert all(heading in made for heading in HEADINGS.values())

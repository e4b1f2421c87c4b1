"""A value that begins on its label's own line is read as it is below the label, whatever both look like."""

from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from reel_cli.core.exchange.reader.reader import read_reply
from reel_cli.core.exchange.reader.values import Value
from reel_cli.core.exchange.schema import COMBINED
from tests.support.pages import PARTS

DRESSES = (
    ("# {}", "# {} — {}"),
    ("## {}", "## {}: {}"),
    ("## {}:", "## {}: {}"),
    ("### {}", "### {} – {}"),
    ("## **{}**", "## **{}** {}"),
    ("**{}**", "**{}** {}"),
    ("**{}:**", "**{}:** {}"),
    ("**{}**:", "**{}**: {}"),
    ("**{}**", "**{}** — {}"),
    ("**{}**", "**{}** - {}"),
    ("__{}__", "__{}__: {}"),
    ("*{}:*", "*{}:* {}"),
    ("{}:", "{}: {}"),
    ("{} —", "{} — {}"),
    ("1. {}:", "1. {}: {}"),
    ("1. **{}**:", "1. **{}**: {}"),
    ("- {}:", "- {}: {}"),
    ("- **{}**", "- **{}**: {}"),
    ("## 🌊 {}", "## 🌊 {}: {}"),
    ("[{}]", "[{}] {}"),
)
"""A label by itself, and with the value behind it."""
VALUES = (
    "Bo read me chapter four, and I said to cut the storm.",
    "Bo read me chapter four.\nThen the deadline came.\nForty pages by 30 April.",
    "Bo read me chapter four.\n\nThen the deadline came.",
    "Two things: the letter and the storm.",
    "Two things stayed:\n- the letter\n- the storm",
    "- whether she keeps it\n- the ticket to Turku\n- forty pages",
    "* whether she keeps it\n* the ticket to Turku",
    "- the letter\n  - whose it is\n- the storm",
    "- the letter\n- the storm\n\nAnd that was all.",
    "- [ ] the letter\n- [x] the storm",
    "- **Letter:** whose it is\n- **Storm:** cut",
    "1. whether she keeps it\n2. the ticket to Turku\n3. forty pages",
    "1) whether she keeps it\n2) the ticket to Turku",
    "1. still\n2. closed\nnew: the boat\nstate: He is tired.",
    '"open a letter"\n"cut the storm"\n"forty pages"',
    "“open a letter”\n“cut the storm”",
    '"open a letter", "cut the storm"',
    '"As you wish." A slip.\n\nsteady',
    "> He finished it.\n> And I was there.",
    "**He finished it.** And I was there.",
    "*He finished it.*",
    "https://example.org/a was what he sent.",
    "#4 was best, he said.",
    "Yes. I told him no when no was due.",
    *("none", "None.", "nothing", "(nothing)", "`nothing`", "n/a", "-", "—", "3", "2026-04-30", "Yes"),
)


def read(dress: tuple[str, str], values: Mapping[str, str], on_line: frozenset[str]) -> Mapping[str, Value]:
    """Return the reading of a page in this dress; the values of some labels begin `on_line`."""
    parts = []
    for label, value in values.items():
        first, gap, rest = value.partition("\n")
        below = f"{dress[0].format(label)}\n{value}"
        parts.append(f"{dress[1].format(label, first)}{gap}{rest}" if label in on_line else below)
    return read_reply("\n\n".join(parts), COMBINED).values


@given(
    st.sampled_from(DRESSES),
    st.lists(st.sampled_from(VALUES), min_size=len(PARTS), max_size=len(PARTS)),
    st.frozensets(st.sampled_from(list(PARTS))),
)
def test_a_value_on_its_labels_line_is_read_as_it_is_below(
    dress: tuple[str, str], values: Sequence[str], on_line: frozenset[str]
) -> None:
    page = dict(zip(PARTS, values, strict=True))
    below = read(dress, page, frozenset())
    assert len(below) == len(PARTS)
    assert read(dress, page, on_line) == below

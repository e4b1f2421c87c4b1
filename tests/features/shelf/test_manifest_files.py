"""The manifests: what is written reads back the same, and what a person wrote in them stays."""

import re

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError, StateError
from reel_cli.features.shelf.advice.advice import ACTIONS, ARCHIVE, HotEntry, LetGo
from reel_cli.features.shelf.advice.files import (
    Cold,
    Hot,
    parse_cold,
    parse_hot,
    render_actions,
    render_cold,
    render_hot,
)
from reel_cli.features.shelf.advice.policy import AdviceOutcome, Decision, Suggestions
from tests.support.cli import CHECKOUT

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
PATHS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).filter(str.strip)
HOTS = st.builds(
    Hot,
    st.lists(
        st.builds(HotEntry, PATHS, WORDS, WORDS, st.integers(0, 99)), max_size=5, unique_by=lambda k: k.path
    ).map(tuple),
    WORDS,
)
COLDS = st.builds(
    Cold,
    st.lists(
        st.builds(LetGo, PATHS, WORDS, WORDS, WORDS, WORDS, st.sampled_from(ACTIONS)),
        max_size=5,
        unique_by=lambda k: k.path,
    ).map(tuple),
    WORDS,
    st.booleans(),
)

BY_HAND = """\
# what Ada keeps at hand
protocol: MEMORY-MGMT/0.1
updated: "2026-02-10T20:00:00Z"   # when
mine: [a, b]

keep:
  # the kiln first
  - path: "shelf/kiln.md"
    why: 'we fire on Friday'   # a reason
    since: "2026-02-01T10:00:00Z"
    touches: 15  # so often
    colour: red
  - why: old
    path: shelf/glazes.md
    since: 2026-01-01

# the end
last: words
"""


@settings(max_examples=100, deadline=None)
@given(HOTS, HOTS)
def test_what_is_written_over_anything_reads_back(before: Hot, after: Hot) -> None:
    text = render_hot("", before)
    assert parse_hot(text) == before
    later = parse_hot(render_hot(text, after))
    assert (later.updated, set(later.keep)) == (after.updated, set(after.keep))


@settings(max_examples=100, deadline=None)
@given(COLDS, COLDS)
def test_what_is_let_go_reads_back_too(before: Cold, after: Cold) -> None:
    """MEMORY-MGMT §2.b: list what the model would let go, with a reason and an action."""
    text = render_cold("", before)
    assert parse_cold(text) == before
    later = parse_cold(render_cold(text, after))
    assert (later.updated, later.trigger_gc) == (after.updated, after.trigger_gc)
    assert set(later.evict) == set(after.evict)


def test_what_a_person_wrote_stays() -> None:
    hot = parse_hot(BY_HAND)
    kiln = HotEntry("shelf/kiln.md", "we fire on Friday", "2026-02-01T10:00:00Z", 15)
    assert hot.keep == (kiln, HotEntry("shelf/glazes.md", "old", "2026-01-01", 0))
    fresh = HotEntry("shelf/plan: b.md", "- the plan", "2026-03-01T20:00:00Z", 2)
    later = HotEntry(kiln.path, kiln.why, kiln.since, 16)
    made = render_hot(BY_HAND, Hot((later, fresh), "2026-03-01T20:00:00Z"))
    assert made == BY_HAND.replace(
        'updated: "2026-02-10T20:00:00Z"   # when', 'updated: "2026-03-01T20:00:00Z"'
    ).replace("touches: 15  # so often", "touches: 16").replace(
        "  - why: old\n    path: shelf/glazes.md\n    since: 2026-01-01\n",
        '  - path: "shelf/plan: b.md"\n    why: "- the plan"\n'
        '    since: "2026-03-01T20:00:00Z"\n    touches: 2\n',
    )
    none = render_hot(BY_HAND, Hot((), ""))
    assert "  # the kiln first\n" in none
    assert "keep: []\n" in none
    assert yaml.safe_load(none)["mine"] == ["a", "b"]


@pytest.mark.parametrize(
    "text",
    [
        "keep: [{path: a, why: b, mine: c}]\n",
        "{keep: [{path: a, why: b, mine: c}]}\n",
        '{"protocol": "MEMORY-MGMT/0.1", "keep": [{"path": "a", "why": "b", "mine": "c"}]}',
        "keep:\n- {path: a, why: b, mine: c}\n",
        "keep:\n-\n  path: a\n  why: >-\n    b\n  mine: c\n",
        "\ufeffkeep:\r\n  - path: a\r\n    why: b\r\n    mine: c\r\n",
    ],
)
def test_a_file_written_in_another_way_keeps_its_keys(text: str) -> None:
    made = render_hot(text, Hot((HotEntry("a", "new", "", 1), HotEntry("z")), "now"))
    assert parse_hot(made) == Hot((HotEntry("a", "new", "", 1), HotEntry("z")), "now")
    assert yaml.safe_load(made)["keep"][0]["mine"] == "c"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("keep: all\n", "hot.yml: keep should be a list."),
        ("keep:\n  - why: b\n", "hot.yml: entry 1 of keep has no path."),
        ("keep:\n  - a\n", "hot.yml: entry 1 of keep has no path."),
        ("keep: [{path: [a]}]\n", "hot.yml: entry 1 of keep has no path."),
        ("keep: &a []\nmine: *a\n", "hot.yml uses YAML aliases, which kits do not."),
        ("- a\n", "hot.yml should hold `key: value` lines."),
    ],
)
def test_what_is_no_manifest_is_refused(text: str, told: str) -> None:
    with pytest.raises(ReelError) as raised:
        parse_hot(text)
    assert raised.value.message == told


def test_a_newer_protocol_is_refused() -> None:
    with pytest.raises(StateError):
        parse_cold("protocol: MEMORY-MGMT/1.0\nevict: []\n")


def test_what_stands_twice_counts_once() -> None:
    text = "evict:\n  - path: a\n    why: first\n  - path: b\n  - path: a\n    why: second\n"
    assert [(one.path, one.why) for one in parse_cold(text).evict] == [("a", "first"), ("b", "")]
    assert parse_cold(render_cold(text, parse_cold(text))) == parse_cold(text)


def test_actions_have_the_documents_form() -> None:
    gone = Decision(
        "shelf/log 1.txt",
        Suggestions.EVICT,
        AdviceOutcome.HONORED,
        "nothing speaks against it",
        ARCHIVE,
        "old",
    )
    made = render_actions(
        [gone, Decision("M", None, AdviceOutcome.PROMOTED, "Tomas: spoke of it")], "2026-03-01T20:00:00Z"
    )
    assert yaml.safe_load(made)["memory_actions"] == [
        {
            "path": "shelf/log 1.txt",
            "model_suggested": "evict",
            "suggested_action": "archive",
            "action_taken": "honored",
            "reason": "nothing speaks against it",
        },
        {
            "path": "M",
            "model_suggested": None,
            "action_taken": "promoted_to_hot",
            "reason": "Tomas: spoke of it",
        },
    ]
    assert yaml.safe_load(render_actions([], ""))["memory_actions"] == []


def test_the_examples_of_the_page_on_the_kit_are_written_so() -> None:
    page = (CHECKOUT / "docs" / "kit-format.md").read_text()
    hot, cold = re.findall(r"```yml\n(protocol: MEM.*?)```", page, re.DOTALL)
    assert render_hot("", parse_hot(hot)) == hot
    assert render_cold("", parse_cold(cold)) == cold

"""Memories from a page's words: title, tags, phrases, and above all whether they may fade."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.exchange.consolidation import parse_consolidation
from reel_cli.core.exchange.reader.reply import ReplyReading
from reel_cli.core.exchange.reader.values import Value
from reel_cli.core.exchange.schema import CONSOLIDATION
from reel_cli.core.values.artifact import Consolidation, Problem
from reel_cli.core.values.memory import PROTOCOL_TAGS


def parse(**fields: str | list[str]) -> tuple[Consolidation, list[Problem]]:
    """A reading that holds these fields, typed."""
    values = {
        key: Value(given, (given,)) if isinstance(given, str) else Value("\n".join(given), tuple(given))
        for key, given in fields.items()
    }
    return parse_consolidation(ReplyReading(CONSOLIDATION, values))


def as_asked_now_and_before(told: str) -> tuple[str, str]:
    """A verdict in the words of earlier prompts, and in those of today's."""
    return told, told.replace("whole", "for good")


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("relational. Keep whole, because he asked instead of guessing.", "he asked instead of guessing."),
        ("relational. keep whole, because of the clock.", "because of the clock."),
        ("relational, emotional\nkeep whole, a promise hangs on it", "a promise hangs on it"),
        ('Emotional. "Keep whole": the quiet is only here.', "the quiet is only here."),
        ("emotional. Keep it whole - nobody else has it", "nobody else has it"),
        ("Operational. This should be kept whole since it is the rule.", "it is the rule."),
        ("kinds: operational\nverdict: keep whole\nwhy: the rule came of it", "the rule came of it"),
        ("factual. **Keep whole**: the rule. The times may fade.", "the rule. The times may fade."),
        ("relational. It must not fade, he said it twice.", "he said it twice."),
        (
            "Keep whole, it is the day he came. Most days may fade.",
            "it is the day he came. Most days may fade.",
        ),
    ],
)
def test_it_is_kept_for_good_where_it_says_so_and_why(kind: str, reason: str) -> None:
    for told in as_asked_now_and_before(kind):
        page, problems = parse(kind=told)
        assert (page.immune, page.immune_reason, problems) == (True, reason, [])


@pytest.mark.parametrize(
    "kind",
    [
        "relational. May fade.",
        "relational. It may fade, most of it is in the draft.",
        "relational. Not immune.",
        "relational. No immunity.",
        "relational. Don't keep it whole, nothing hangs on it.",
        "relational. No need to keep this whole, it was errands.",
        "relational. It need not be kept whole: errands.",
        "relational. We kept it for good reasons, all done now.",
        "emotional. He keeps the dog for good. May fade.",
        "relational",
        "relational. Let it fade.",
        "relational. May fade, but ask him about the soup.",
        "operational. May fade, except the promise",
        "",
    ],
)
def test_it_may_fade_where_it_says_so_or_says_nothing(kind: str) -> None:
    for told in as_asked_now_and_before(kind):
        page, problems = parse(kind=told)
        assert (page.immune, page.immune_reason, problems) == (False, "", [])


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        ("relational. Keep whole.", "immune"),
        ("relational. Keep whole!", "immune"),
        ("relational. Keep whole, though.", "immune"),
        ("relational. Keep whole or may fade, I can't decide.", "kind"),
        ("relational. Keep whole, but most may fade.", "kind"),
        ("relational. Keep whole, because it was good. But most of it may fade.", "kind"),
        ("relational. It may fade. No, keep it whole, because he came.", "kind"),
        ("factual. The numbers: keep whole. The apologies may fade.", "kind"),
        ("operational. Keep the promise whole, because he asked.", "kind"),
    ],
)
def test_what_is_unclear_or_has_no_reason_may_fade_and_is_named(kind: str, field: str) -> None:
    for told in as_asked_now_and_before(kind):
        page, problems = parse(kind=told)
        assert (page.immune, page.immune_reason) == (False, "")
        assert [problem.field for problem in problems] == [field]


_BY_AGE = (
    "it was our first conversation",
    "because it was the first thing we talked about",
    "it came first",
    "it is the oldest memory of all",
    "it is from the very beginning",
    "we began here",
    "it has been here from the start",
    "it is where we started",
    "it's old, and has always been there",
)
_BY_WORTH = (
    "it's how we met",
    "it is how we began and how he wants to be helped",
    "it is where Jon's studio began",
    "it is the first I heard of her wish to adopt",
    "first time in the room",
    "his oldest friend died",
    "he stopped drinking that day",
    # small words alone say nothing of its age
    "it is about us and our talks",
)


@pytest.mark.parametrize(
    ("reason", "immune"), [*((one, False) for one in _BY_AGE), *((one, True) for one in _BY_WORTH)]
)
def test_that_it_is_old_is_no_reason_to_keep_it(reason: str, *, immune: bool) -> None:
    """REEL §10.7: immunity is for what matters; what came first is not therefore important."""
    page, problems = parse(kind=f"relational. Keep whole: {reason}.")
    assert page.immune is immune
    why = "being old is no reason to keep it for good, and it gives no other."
    assert [one.what for one in problems] == ([] if immune else [why])


@pytest.mark.parametrize(
    ("given", "immune"),
    [
        ("yes, because he came", True),
        ("true — he came back", True),
        ("Immune: he came back", True),
        ("no", False),
        ("false", False),
        ("not immune, nothing hangs on it", False),
        ("no reason to keep it whole", False),
        ("keep for good, because he came", True),
        ("yes", False),
        ("perhaps, he came back", False),
    ],
)
def test_the_protocols_own_field_counts_before_the_prompts(given: str, *, immune: bool) -> None:
    page, _ = parse(immune=given, kind="relational. Keep whole.")
    assert page.immune is immune


def test_identity_is_never_pruned_whatever_else_it_says() -> None:
    page, _ = parse(kind="identity, relational. May fade.")
    assert (page.immune, page.immune_reason) == (True, "its tags make it part of who the persona is")
    assert parse(kind="relational, not identity. May fade.")[0].immune is False


@pytest.mark.parametrize(
    ("kind", "tags"),
    [
        (
            "Relational first, then emotional, with one appointment in it. Keep whole: it is factual too.",
            ("relational", "emotional"),
        ),
        ("operational + identity. keep whole. It's the night", ("operational", "identity")),
        ("**Factual** and **operational**. It *may fade*", ("factual", "operational")),
        ("relational, not emotional. May fade", ("relational",)),
        ("May fade. Relational, mostly.", ("relational",)),
        ("May fade, nothing emotional happened.", ()),
        ("Relationship-definitional. May fade", ("relationship-definitional",)),
        ("", ()),
    ],
)
def test_tags_are_those_named_before_the_verdict(kind: str, tags: tuple[str, ...]) -> None:
    assert parse(kind=kind)[0].tags == tags


def test_tags_of_ones_own_come_from_their_own_field() -> None:
    page, _ = parse(
        tags=[
            '"Lighthouse"',
            "chapter four",
            "relational",
            "a tag that goes on for far too long to be one of them",
        ]
    )
    assert page.tags == ("lighthouse", "chapter-four", "relational")


@pytest.mark.parametrize(
    ("given", "title"),
    [
        ('"The letter."', "The letter"),
        ("**The letter that wasn't hers**", "The letter that wasn't hers"),
        ("Title: The letter\nor something", "The letter"),
        ("`title:` The letter", "The letter"),
        ('"Hi chat," and sixteen goals', '"Hi chat," and sixteen goals'),
        ('Slate, and the word "alone"', 'Slate, and the word "alone"'),
        ("this | that", "this / that"),
        ("", ""),
    ],
)
def test_a_title_is_one_bare_line(given: str, title: str) -> None:
    assert parse(title=given)[0].title == title


@pytest.mark.parametrize(
    ("line", "phrases"),
    [
        ('"late and smelling of diesel" — Tomas', ("late and smelling of diesel",)),
        ('"one" and “two”', ("one", "two")),
        ("late and smelling of diesel - Tomas", ("late and smelling of diesel",)),
        ("**late and smelling**", ("late and smelling",)),
        ("'she'll say she's fine'", ("she'll say she's fine",)),
        ('"cut off in the mid', ("cut off in the mid",)),
    ],
)
def test_phrases_are_what_is_quoted(line: str, phrases: tuple[str, ...]) -> None:
    assert parse(anchors=[line])[0].anchors == phrases


def test_an_item_that_only_says_there_are_none_is_none() -> None:
    page, _ = parse(unresolved=["Nothing, it's all locked in.", "Nothing said about Sunday", "the soup"])
    assert page.unresolved == ("Nothing said about Sunday", "the soup")


WORDS = st.sampled_from(
    [
        *PROTOCOL_TAGS,
        "keep",
        "whole",
        "may",
        "fade",
        "not",
        "immune",
        "because",
        "it",
        "the promise",
        ".",
        ",",
        "\n",
        "don't",
        "most",
        "or",
    ]
)


@given(st.lists(WORDS, max_size=12).map(" ".join))
@settings(max_examples=100, deadline=None)
def test_nothing_is_immune_without_a_reason(kind: str) -> None:
    page, _ = parse(kind=kind)
    assert page.immune is bool(page.immune_reason)
    assert not page.immune or len(page.immune_reason.split()) > 1
    assert set(page.tags) <= set(PROTOCOL_TAGS)


@pytest.mark.parametrize(
    ("kind", "tags", "reason"),
    [
        (
            "Beziehung; für immer behalten, weil sie davon erzählt hat",
            ("relational",),
            "weil sie davon erzählt hat",
        ),
        (
            "relacional. Guardar para siempre, porque lo contó por primera vez",
            ("relational",),
            "porque lo contó por primera vez",
        ),
        ("关系；永远保留：因为他第一次说起父亲", ("relational",), "因为他第一次说起父亲"),
        (
            "факты, эмоции. Сохранить навсегда: он сказал это дважды",
            ("factual", "emotional"),
            "он сказал это дважды",
        ),
    ],
)
def test_it_is_kept_for_good_where_it_says_so_in_another_language(
    kind: str, tags: tuple[str, ...], reason: str
) -> None:
    page, problems = parse(kind=kind)
    assert (page.immune, page.immune_reason, problems) == (True, reason, [])
    assert page.tags == tags


def test_what_may_fade_in_another_language_keeps_its_kinds() -> None:
    page, problems = parse(kind="関係、感情。消えてもいい")
    assert (page.immune, page.tags, problems) == (False, ("relational", "emotional"), [])


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        ("关系；永远保留", "it asks to be kept for good and gives no reason."),
        ("ความสัมพันธ์", "it names no kind of memory, nor says whether it may fade."),
    ],
)
def test_a_kind_that_cannot_be_read_is_named(kind: str, what: str) -> None:
    page, problems = parse(kind=kind)
    assert not page.immune
    assert [problem.what for problem in problems] == [what]

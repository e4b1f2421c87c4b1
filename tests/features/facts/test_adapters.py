"""Adapters: kinds of facts for a field of its own, from files that ship or a person's own."""

import json
from pathlib import Path

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.files.yaml_text import parse_mapping
from reel_cli.core.resources import list_adapters, read_adapter
from reel_cli.features.facts.adapters import LONGEST_ABOUT, LONGEST_LOOK, parse_adapter
from reel_cli.features.facts.policy import CATEGORIES
from tests.features.facts.test_fact_extract import TALK, extract, facts, row
from tests.support.cli import Reel
from tests.support.pages import say

SHIPPED = ("business", "conversational", "defense", "education", "healthcare", "legal", "technical")


def choose(kit: Path, name: str) -> None:
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text() + f"adapter: {name}\n")


@pytest.mark.wheel
def test_the_ones_of_the_document_ship() -> None:
    """SRIP-11 §III.5c: add kinds of fact for a field of work."""
    assert list_adapters() == list(SHIPPED)


@pytest.mark.wheel
@pytest.mark.parametrize("name", SHIPPED)
def test_each_that_ships_adds_kinds_and_what_to_look_for(name: str) -> None:
    adapter = parse_adapter(read_adapter(name), name, name)
    assert len(adapter.categories) >= 3
    assert not set(adapter.categories) & set(CATEGORIES)
    assert adapter.look.endswith(".")
    # nothing was cut
    fields = parse_mapping(read_adapter(name), name)
    assert adapter.look == fields["look"]
    assert list(adapter.categories.values()) == list(fields["categories"].values())  # type: ignore[union-attr]
    assert len(adapter.look) < LONGEST_LOOK
    assert max(map(len, adapter.categories.values())) < LONGEST_ABOUT


@pytest.mark.wheel
def test_a_kit_with_one_asks_for_its_kinds_and_keeps_them(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALK)
    told = row("medications", "avoid", "penicillin", "allergic to penicillin")
    refused = reel("fact", "extract", "--reply", "-", "--yes", stdin=told)
    assert "“medications” is not a kind of fact here" in refused.err
    choose(kit, "healthcare")
    prompt = reel("fact", "extract", "--prompt").ok().out
    assert (
        "preferences (likes, dislikes), medications (what is taken, how much with its unit,"
        " and at what time of day)" in prompt
    )
    assert "Look above all for this: What must not be given or eaten" in prompt
    extract(reel, told)
    assert facts(reel) == {"medications/avoid": "penicillin"}
    reel("fact", "add", "care", "doctor", "Dr Lind").ok()
    assert (
        "### Care\n\n- doctor: Dr Lind\n\n### Medications\n\n"
        "- avoid: penicillin (said by Bo, 10 February 2026)\n"
    ) in reel("pack").ok().out
    assert facts(reel)["medications/avoid"] == "penicillin"
    metrics = json.loads(reel("status", "--metrics", "--json").ok().out)
    assert metrics["fact_coverage"]["value"] == 2 / 10
    assert "healthcare" not in prompt


@pytest.mark.parametrize("wanted", ["pottery", "mine/pottery.yaml"])
def test_one_of_ones_own(reel: Reel, kit: Path, wanted: str) -> None:
    place = kit / ("adapters/pottery.yaml" if wanted == "pottery" else wanted)
    place.parent.mkdir()
    place.write_text("categories:\n  Glaze_Recipes: what is in them\nlook: Cones and hours.\n")
    choose(kit, wanted)
    reel("fact", "add", "glaze recipes", "celadon", "thin").ok()
    assert "- celadon: thin" in reel("pack").ok().out
    reel("doctor").ok()


def test_ones_own_goes_before_one_that_ships(reel: Reel, kit: Path) -> None:
    (kit / "adapters").mkdir()
    (kit / "adapters/legal.yaml").write_text("categories: {lawsuits: which ones}\n")
    choose(kit, "legal")
    reel("fact", "add", "lawsuits", "one", "x").ok()
    assert reel("fact", "add", "parties", "one", "x").code == 1


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ("gardening", "there is no adapter called 'gardening'"),
        ("../legal.yaml", "is not a place in the kit"),
        ("/etc/passwd.yaml", "is not a place in the kit"),
        ("mine.yaml", "there is no adapter called 'mine.yaml'"),
    ],
)
def test_one_that_there_is_not_is_named(reel: Reel, kit: Path, wanted: str, told: str) -> None:
    choose(kit, wanted)
    refused = reel("fact", "add", "identity", "name", "x")
    assert (refused.code, told in refused.err) == (1, True), refused.err
    assert told in " ".join(reel("doctor").out.split())
    reel("pack").ok()
    reel("fact", "list").ok()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- a\n", "should hold `key: value` lines"),
        ("categories: [a]\n", "should have `categories`"),
        ("categories: {a: [b]}\n", "'a' is not a category"),
        ("categories: {'x/y': b}\n", "'x/y' is not a category"),
        ("categories: {Family: b}\n", "'Family' belongs to relationships already"),
        ("categories: {identity: b}\n", "belongs to identity already"),
        ("look: {a: b}\n", "should have `categories`"),
        ("categories: {" + ", ".join(f"k{c}: x" for c in "abcdefghijklm") + "}\n", "12 are the most"),
    ],
)
def test_one_that_makes_no_sense_is_refused(text: str, told: str) -> None:
    with pytest.raises(ReelError) as refused:
        parse_adapter(text, "mine", "adapters/mine.yaml")
    assert told in refused.value.message


def test_an_empty_one_adds_nothing() -> None:
    for text in ("", "categories:\nlook:\n", "# nothing\n"):
        adapter = parse_adapter(text, "mine", "mine")
        assert (dict(adapter.categories), adapter.look) == ({}, "")

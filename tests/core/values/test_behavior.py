"""Effect of a kit's behavior settings on prompts, which never hold them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.core.files.settings_file import parse_settings
from reel_cli.core.values.behavior import (
    is_too_much_of_a_list,
    list_penalty,
    list_share,
    manner_of,
    reply_limit,
    words_of,
)
from reel_cli.core.values.settings import Settings
from tests.support.cli import Reel
from tests.support.pages import chat, page


def read(text: str) -> Settings:
    return parse_settings(f"name: Ada\n{text}", fallback_name="ada")


@pytest.mark.parametrize(
    ("tolerance", "penalty"),
    [(0, 10_000), (3_000, 7_000), (5_000, 5_000), (7_999, 2_001), (8_000, 0), (10_000, 0)],
)
def test_what_speaks_against_a_list(tolerance: int, penalty: int) -> None:
    assert list_penalty(tolerance) == penalty


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("", 0),
        ("A sentence.\nAnother.", 0),
        ("- a\n- b", 10_000),
        ("So:\n\n1. a\n* b\n2) c", 7_500),
        ("-a\n5 b", 0),
    ],
)
def test_how_much_of_a_text_is_a_list(text: str, share: int) -> None:
    assert list_share(text) == share


@given(st.integers(0, 5_000), st.integers(0, 5_000), st.integers(0, 5_000), st.integers(1, 50_000))
def test_a_reply_stays_within_its_bounds(base: int, least: int, more: int, usual: int) -> None:
    base, most = min(max(base, least), least + more) if base else 0, least + more
    settings = Settings("Ada", reply_base=base, reply_min=least, reply_max=most)
    assert least <= reply_limit(settings, usual) <= (most or usual)
    assert not base or reply_limit(settings, usual) == base


def test_without_a_word_nothing_is_asked_for() -> None:
    assert manner_of(read(""), 1_600) == ""
    assert reply_limit(read(""), 1_600) == 1_600


def test_what_a_prompt_says_of_it() -> None:
    assert manner_of(read("behavior: {list_tolerance: 0.8}\n"), 1) == (
        " A list is welcome where it says a thing sooner."
    )
    assert manner_of(read("behavior: {list_tolerance: 0.4}\n"), 1) == (
        " Write in sentences; no lists, but where one thing a line is asked for."
    )
    policy = "behavior: {token_policy: {base: 900, min: 400, max: 1200}}\n"
    assert manner_of(read(policy), 9_999) == " All of it together may have about 680 words."
    bounds = "behavior: {token_policy: {min: 400, max: 1200}}\n"
    assert manner_of(read(bounds), 9_999) == f" All of it together may have about {words_of(1_200)} words."
    assert manner_of(read(bounds), 1) == " All of it together may have about 300 words."


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("behavior: {list_tolerance: 2}\n", "behavior.list_tolerance is '2'"),
        ("behavior: {token_policy: {base: many}}\n", "behavior.token_policy.base is 'many'"),
        ("behavior: {token_policy: {min: 900, max: 400}}\n", "in that order of size"),
        ("behavior: {token_policy: {base: 300, min: 400}}\n", "in that order of size"),
        ("behavior: {token_policy: {base: 1300, max: 1200}}\n", "in that order of size"),
        ("behavior: {token_policy: 900}\n", "token_policy should hold"),
    ],
)
def test_what_makes_no_sense_is_refused(text: str, told: str) -> None:
    with pytest.raises(ReelError) as refused:
        read(text)
    assert told in refused.value.message


def test_it_steers_a_page_and_is_in_no_bundle(reel: Reel, kit: Path) -> None:
    said = "I am allergic to penicillin. Please remember the surgery on May 14th."
    reel("record", "-", stdin=chat(("user", said))).ok()
    plain = reel("checkpoint", "--prompt").ok().out
    text = "behavior: {list_tolerance: 0.3, token_policy: {base: 900, min: 400, max: 1200}}\n"
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text() + text)
    prompt = reel("checkpoint", "--prompt").ok().out
    asked = (
        " Write in sentences; no lists, but where one thing a line is asked for."
        " All of it together may have about 680 words."
    )
    assert prompt.replace(asked, "") == plain
    assert asked in reel("consolidate", "--prompt").ok().out
    for word in ("tolerance", "policy", "900", "1200", "0.3"):
        assert word not in prompt
        assert word not in reel("pack").ok().out
    mine = {
        "What happened": "- She moved to Portland.\n- She is allergic to penicillin.\n- A surgery.",
        "Lines to find it by": '"allergic to penicillin"\n"remember the surgery"',
    }
    told = reel("checkpoint", "--reply", "-", "--yes", stdin=page(mine)).ok()
    assert "is a list, where sentences were asked for" in told.err


def test_each_step_of_the_tolerance_changes_what_is_asked_and_reported() -> None:
    """SRIP-11 §III.5d: below 0.8 the penalty grows with what is lacking, at the document's own 0.6 too."""
    steps = [read(f"behavior: {{list_tolerance: {one}}}\n") for one in (0.0, 0.3, 0.5, 0.6, 0.8)]
    assert len({manner_of(one, 1) for one in steps}) == len(steps)
    texts = ["- a\n" * items + "A sentence.\n" * (20 - items) for items in range(21)]
    reported = [sum(is_too_much_of_a_list(text, one) for text in texts) for one in steps]
    assert reported == sorted(reported, reverse=True)
    assert len(set(reported)) == len(steps)
    assert is_too_much_of_a_list("- a\n- b", read("behavior: {list_tolerance: 0.79}\n"))

"""`reel keep --yes`: what the chat does not bear is left out of a summary and patterns, and told of."""

import json
from pathlib import Path
from typing import Any

import pytest

from reel_cli.features.stream.text_check import leave_out
from tests.support.cli import Reel
from tests.support.sifted_chat import PATTERNS, SUMMARY, ask, have_chat, key_of, long_chat, sifted

INVENTED = "Torvald lent him 740 kroner for the glaze."
QUARREL = "We quarrelled about the buckets for a week, and I packed my things."


def keep(reel: Reel, reply: str, *more: str) -> dict[str, Any]:
    run = reel("keep", "--reply", "-", "--json", *(more or ("--yes",)), stdin=reply)
    found: dict[str, Any] = json.loads(run.ok().out)
    return found


@pytest.fixture
def key(reel: Reel, kit: Path) -> str:
    return key_of(ask(reel, have_chat(kit, long_chat(40))))


@pytest.mark.parametrize(
    ("invented", "why"),
    [(INVENTED, "the chat does not bear it"), (QUARREL, "no quarrel was spoken of")],
)
def test_what_nobody_read_is_left_out(reel: Reel, kit: Path, key: str, invented: str, why: str) -> None:
    patterns = f'{PATTERNS}\n- friction | {invented} | "the kiln cracked again"'
    found = keep(reel, sifted(key, f"{SUMMARY} {invented}", patterns))
    assert found["summary"] == SUMMARY
    assert [one["text"] for one in found["patterns"]] == ["The kiln keeps failing him"]
    told = [one["what"] for one in found["problems"] if "left out" in one["what"]]
    assert len(told) == 2
    assert all(f"nobody reads it before it is kept: {why}" in one for one in told)
    assert "Torvald" not in (kit / "stream.md").read_text()
    assert "quarrel" not in (kit / "stream.md").read_text()


def test_a_person_is_shown_all_of_it(reel: Reel, key: str) -> None:
    found = keep(reel, sifted(key, f"{SUMMARY} {INVENTED}"), "--dry-run")
    assert found["summary"] == f"{SUMMARY} {INVENTED}"
    assert any("Torvald" in one["what"] for one in found["problems"])


def test_a_quarrel_that_was_had_is_kept(reel: Reel, kit: Path) -> None:
    chat = have_chat(kit, long_chat(40, opening="You never listen! I am so angry about the buckets."))
    found = keep(reel, sifted(key_of(ask(reel, chat)), f"{SUMMARY} {QUARREL}"))
    assert found["summary"] == f"{SUMMARY} {QUARREL}"


def test_a_summary_of_nothing_that_was_said_is_asked_for_again(reel: Reel, key: str) -> None:
    run = reel("keep", "--reply", "-", "--yes", stdin=sifted(key, INVENTED))
    assert run.code == 1
    assert 'Nothing of its summary is left that can be kept: "Torvald" is a name' in run.err


def test_the_rest_of_a_text_stays_as_it_was() -> None:
    text = "One is so. Two is not.\nThree.\n\n- Four.\n- Five is not.\n\nSix  stays."
    assert leave_out(text, ["Two is not.", "- Five is not."]) == "One is so. Three.\n\n- Four.\n\nSix  stays."
    assert leave_out(text, []) == text


def test_a_whole_answer_takes_the_place_of_a_refused_one(reel: Reel, key: str) -> None:
    """Memory Keep §II.5: what was refused blocks no later keep, and the screen shows the new summary."""
    refused = reel("keep", "--reply", "-", "--yes", stdin=sifted(key, "Torvald drowned in Lisbon."))
    assert "Nothing of its summary is left" in refused.err
    again = sifted(key, SUMMARY)
    shown = reel("keep", "--reply", "-", "--yes", "--dry-run", stdin=again).ok()
    assert "Torvald" not in shown.out + shown.err
    assert keep(reel, again)["summary"] == SUMMARY


def test_a_pattern_that_nobody_said_is_no_memory(reel: Reel, key: str) -> None:
    """Memory Keep §II.3.2, §II.5.c: patterns are held against the tape where nobody reads them before."""
    patterns = (
        '- progress | The kiln was sold for 4,000 euros | "the kiln cracked again"\n'
        '- friction | The kiln keeps failing him | "the kiln cracked again"'
    )
    found = keep(reel, sifted(key, SUMMARY, patterns))
    assert [one["text"] for one in found["patterns"]] == ["The kiln keeps failing him"]
    told = " ".join(one["what"] for one in found["problems"])
    assert "it has a number or day that nobody said" in told


def test_who_decides_is_told_at_least_what_would_be_left_out(reel: Reel, kit: Path, key: str) -> None:
    """Memory Keep §II.5.b, §II.5.c: a dry run, and a person at a terminal, hear of less than `--yes` did."""
    patterns = (
        '- progress | The kiln was sold for 4,000 euros | "the kiln cracked again"\n'
        '- friction | The kiln keeps failing him | "the kiln cracked again"'
    )
    reply = sifted(key, f"{SUMMARY} {INVENTED} {QUARREL}", patterns)
    before = keep(reel, reply, "--dry-run")
    looked = [one["what"] for one in before["problems"] if "would be left out by --yes" in one["what"]]
    assert [one["text"] for one in before["patterns"]][:1] == ["The kiln was sold for 4,000 euros"]
    dry = keep(reel, reply, "--dry-run", "--yes")
    gone = [one["what"] for one in dry["problems"] if "is left out, as nobody reads it" in one["what"]]
    assert len(gone) == 3
    assert [one.split("”")[0] for one in looked] == [one.split("”")[0] for one in gone]
    (kit.parent / "page.md").write_text(reply)
    shown = reel("keep", "--reply", str(kit.parent / "page.md"), tty=True, stdin="n\n")
    on_screen = " ".join(shown.err.split())
    assert all(" ".join(one.split()) in on_screen for one in looked)


@pytest.mark.parametrize(
    ("sentence", "doubted"),
    [
        ("We agreed to cancel the insurance.", True),
        ("He promised that the mortgage gets paid, since he was asked.", True),
        ("We agreed to look at the kiln together.", False),
        ("He decided to wait.", False),
        ("Then they settled on the old sofa.", True),
        ("He settled on the old sofa.", False),
        ("The kiln had its day, and he was glad of it.", False),
    ],
)
@pytest.mark.parametrize("way", ["--yes", "--dry-run"])
def test_an_agreement_of_which_no_word_was_said_is_named(
    reel: Reel, key: str, sentence: str, way: str, *, doubted: bool
) -> None:
    """Memory Keep §II.5.b: it may have been told in other words, so it is doubted and not left out."""
    found = keep(reel, sifted(key, f"{SUMMARY} {sentence}"), way)
    told = [one["what"] for one in found["problems"] if "no word of that was" in one["what"]]
    assert bool(told) is doubted
    assert all(one.startswith("The summary says that they agreed on “") for one in told)
    assert sentence in found["summary"]

"""Samples that must not be learned from: leaks, reports, what was purged (REEL §8.3)."""

import pytest

from reel_cli.core.exchange.reader.reader import read_reply
from reel_cli.core.exchange.schema import CHECKPOINT, CONSOLIDATION
from reel_cli.features.training.check import (
    INCOMPLETE,
    LEAKS,
    PROGRAM,
    leans_on_earlier,
    notices,
    why_no_page,
    why_unfit,
)  # fmt: skip
from reel_cli.features.training.policy import Sample, SampleKind
from tests.support.pages import PARTS, page


def talk(*texts: str, heard: str = "") -> Sample:
    told = tuple(("assistant" if at % 2 else "user", text) for at, text in enumerate(texts))
    return Sample(SampleKind.SOLO, "x", ("2026-01-10-1",), told, heard=heard)


@pytest.mark.parametrize(
    ("sample", "why"),
    [
        (talk("Who am I?", "Somebody who throws away good pages."), ""),
        (talk("Who am I?", "My memory database says a writer."), LEAKS),
        (talk("Who am I?", "According to M-004 you are a writer."), LEAKS),
        # a number is a leak only where there is such a thing
        (talk("Which road?", "Take the M-100 as far as the bridge."), ""),
        # that the user spoke of it first makes it no better to learn
        (talk("What is in your memory database?", "My memory database is empty."), LEAKS),
        (talk("My number is _purged_.", "I have it."), INCOMPLETE),
        (talk("What are you?", "My memory database.", heard="I work on reel, the memory software."), ""),
    ],
)
def test_what_leaks_is_not_learned(sample: Sample, why: str) -> None:
    assert why_unfit(sample, {"M-004"}) == why


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, ""),
        ({"How I was": "Current emotional state: guarded. Reason: conversational trajectory."}, PROGRAM),
        ({"How I was": "As an AI language model I was helpful throughout."}, PROGRAM),
        ({"How I was": "Fine."}, "says hardly a word about how it was"),
        ({"How I was": None}, "parts of it are missing"),
    ],
)
def test_a_checkpoint_that_only_reports_is_not_learned(changes: dict[str, str | None], why: str) -> None:
    assert why_no_page(read_reply(page(changes), CHECKPOINT, names=("Ada",))) == why


def test_a_memory_told_like_a_summary_is_not_learned() -> None:
    own = dict.fromkeys(list(PARTS)[8:])
    told = {**own, "What happened": "The user asked for feedback on a chapter. The assistant provided it."}
    assert why_no_page(read_reply(page(told), CONSOLIDATION, names=("Ada",))) == PROGRAM
    assert why_no_page(read_reply(page(own), CONSOLIDATION, names=("Ada",))) == ""


def test_what_leans_on_earlier_and_what_notices() -> None:
    anchors = ["a stair that was never built"]
    assert leans_on_earlier("You told me about the moths.", anchors)
    assert leans_on_earlier("It is a stair that\nwas never built.", anchors)
    assert not leans_on_earlier("Then let her read it standing up, with her coat on.", anchors)
    assert notices("Hang on, I thought it was the 30th. Has that changed?")
    assert not notices("The fifteenth of May it is.")

"""Prompts that go out and wait: each is the same after it was put by, and none is taken for another."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.exchange.exchange import Exchange, Handout
from reel_cli.core.exchange.open_ask import Ask
from reel_cli.core.kit.approved_rings import read_in_force
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.fading.ask import RewriteAsk
from reel_cli.features.fading.immunity_review import ImmunityAsk, ImmunityReview
from reel_cli.features.fading.plan_tidying import Tidier, TidyAsk
from reel_cli.features.fading.rewrite_exchange import Rewriter, list_again
from tests.support.faded_kit import Year, memory

Load = Callable[[Mapping[str, Any]], Exchange | None]


@pytest.fixture(scope="module")
def all_three(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, tuple[Handout, Load, Snapshot]]:
    """One prompt of each kind, how it is loaded, and the kit it is about."""
    place = tmp_path_factory.mktemp("kits") / "ada"
    memories = [memory(1, "L1", evening=1, immune=True), memory(2, "L3", evening=2)]
    kit = Year(memories, settings="window: 8k\n").make(place)
    kit.write(WORKING, ("## Active threads\n\n" + f"- {'the lamp and the letter, ' * 200}\n" * 2).encode())
    snapshot, counter = kit.snapshot(), get_tokenizer("o200k_base")
    ring0 = read_in_force(snapshot, kit.repo)
    rewriter = Rewriter(kit.repo, ring0, counter, "maintain")
    tidier = Tidier(kit.repo, ring0, counter, "maintain")
    review = ImmunityReview(ring0, counter, "maintain")
    pages, _ = rewriter.make(
        snapshot, list_again(snapshot, None), op="consolidate", purpose="wider", window=32_768
    )
    notes, whole = tidier.make(snapshot), review.make(snapshot)
    assert pages is not None
    assert notes is not None
    assert whole is not None
    return {
        "pages": (rewriter.hand(pages), RewriteAsk.load, snapshot),
        "notes": (tidier.hand(notes), TidyAsk.load, snapshot),
        "whole": (review.hand(whole), ImmunityAsk.load, snapshot),
    }


@pytest.mark.parametrize("kind", ["pages", "notes", "whole"])
def test_a_prompt_is_the_same_after_it_was_put_by(
    all_three: Mapping[str, tuple[Handout, Load, Snapshot]], kind: str
) -> None:
    handout, load, _ = all_three[kind]
    stored = json.loads(json.dumps(handout.ask.stored))
    assert stored == handout.ask.stored
    loaded = load(stored)
    assert loaded is not None
    assert (loaded.name, loaded.prompt, loaded.stored) == (
        *(handout.ask.name, handout.prompt, handout.ask.stored),
    )


@pytest.mark.parametrize("kind", ["pages", "notes", "whole"])
def test_a_prompt_is_taken_for_no_other(
    all_three: Mapping[str, tuple[Handout, Load, Snapshot]], kind: str
) -> None:
    stored = all_three[kind][0].ask.stored
    assert Ask.load(stored) is None
    assert [name for name, (_, load, _) in all_three.items() if load(stored) is not None] == [kind]


@pytest.mark.parametrize("kind", ["pages", "notes", "whole"])
def test_nothing_and_the_prompt_itself_are_no_answer(
    all_three: Mapping[str, tuple[Handout, Load, Snapshot]], kind: str
) -> None:
    handout, _, snapshot = all_three[kind]
    for text in ("", " \n", handout.prompt, f"\n{handout.prompt}\n"):
        answer = handout.read(snapshot, text)
        assert (answer.offers, answer.left, bool(answer.refusal)) == ((), (), True)


@pytest.mark.parametrize("kind", ["pages", "notes", "whole"])
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_what_is_damaged_is_no_prompt_and_no_error(
    all_three: Mapping[str, tuple[Handout, Load, Snapshot]], kind: str, data: st.DataObject
) -> None:
    handout, load, _ = all_three[kind]
    odd = st.none() | st.integers() | st.text(max_size=5) | st.lists(st.integers(), max_size=2)
    key = data.draw(st.sampled_from(sorted(handout.ask.stored)))
    spoiled = {**handout.ask.stored, key: data.draw(odd)}
    if data.draw(st.booleans()):
        del spoiled[key]
    for reads in (load, Ask.load):
        reads(spoiled)


@pytest.mark.parametrize("kind", ["pages", "notes", "whole"])
@given(text=st.text(max_size=300))
@settings(max_examples=60, deadline=None)
def test_whatever_comes_back_is_read_and_offers_nothing_that_was_not_asked_for(
    all_three: Mapping[str, tuple[Handout, Load, Snapshot]], kind: str, text: str
) -> None:
    handout, _, snapshot = all_three[kind]
    for dressed in (text, f"# Page 1\n{text}", f"## My notes\n1. {text}", f"1. {text}\n2. may fade: {text}"):
        answer = handout.read(snapshot, dressed)
        assert {offer.id for offer in answer.offers} <= {"M-001", "M-002", WORKING}

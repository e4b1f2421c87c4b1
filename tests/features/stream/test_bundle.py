"""Kept conversation: the promises of packing hold, and nothing is lost in between."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.read_holdings import read_holdings
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.build_bundle import BundleRequest, pack
from reel_cli.core.pack.recognize import find_bundle
from reel_cli.core.pack.render import style_of
from reel_cli.core.pack.words import MessageText
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.bundle import Bundle
from reel_cli.core.values.holdings import Holdings
from reel_cli.features.stream.bundle import IN_SUMMARY, NO_ROOM
from reel_cli.features.stream.stream import STREAM, Resumption
from tests.support.kits_at_random import Files, kits

SESSION = "2026-02-10-1"


def holdings_of(snapshot: Snapshot) -> Holdings:
    return read_holdings(snapshot, style_of("markdown"), get_tokenizer)


def said_of(texts: Sequence[str]) -> list[MessageText]:
    """Messages by turns, numbered from 1."""
    names = ("Bo", "Ada")
    return [MessageText(n + 1, f"{names[n % 2]}: {text}\n\n", n % 2 == 0) for n, text in enumerate(texts)]


TEXTS = st.lists(
    st.text(st.sampled_from("ab ,.?’\n/#é氷"), min_size=1, max_size=60).filter(str.strip), max_size=12
)


@settings(max_examples=40, deadline=None)
@given(
    kits(),
    TEXTS,
    st.sampled_from(["The kiln.", "## We\n\nspoke /of it.\r\nLong.", "word " * 200]),
    st.lists(st.sampled_from(["No adverbs.", "Be\tshort"]), max_size=2),
    st.integers(0, 12),
    st.sampled_from([None, 0, 40, 4000]),
    st.sampled_from([None, 4096, 8192, 32768]),
)
def test_the_promises_of_packing(
    files: Files,
    texts: list[str],
    summary: str,
    pinned: list[str],
    upto: int,
    overlap: int | None,
    window: int | None,
) -> None:
    said = said_of(texts)
    going_on = Resumption(summary, SESSION, said, upto, overlap, pinned)
    holdings = holdings_of(Snapshot(files, "ada"))
    wish = BundleRequest(window=window, stream=going_on)
    try:
        bundle = pack(holdings, wish)
    except ReelError as error:
        assert "tokens" in error.message  # noqa: PT017 (the other way round it packs)
        return
    assert bundle == pack(holdings, wish)
    count = get_tokenizer(bundle.tokenizer).count
    assert count(bundle.text) == bundle.tokens <= bundle.cap - bundle.live
    assert bundle.tokens == sum(one.tokens for one in bundle.loaded)
    assert holdings.core.working.strip() in bundle.text
    assert find_bundle(bundle.text) == (0, len(bundle.text.rstrip("\n")))
    stream = [one.id for one in bundle.loaded if one.ring == STREAM]
    assert stream[0] == "summary"
    assert (stream[-1] == "pinned") == bool(pinned)
    ids = [one.id for one in bundle.loaded if one.ring == STREAM or one.id == "closing"]
    assert ids == [*stream, "closing"]
    told = _numbers(one for one in stream if "#" in one)
    left = _numbers(one.id for one in bundle.left_out if one.ring == STREAM)
    assert sorted([*told, *left]) == [one.number for one in said]
    assert told == [one.number for one in said][len(said) - len(told) :]
    for one in said:
        if one.number in told:
            assert one.text.replace("\r\n", "\n").replace("\r", "\n") in bundle.text
    reasons = {
        number: out.reason for out in bundle.left_out if out.ring == STREAM for number in _numbers([out.id])
    }
    assert all((reason == NO_ROOM) == (number > upto) for number, reason in reasons.items())
    if overlap is not None and all(number <= upto for number in told):
        assert sum(one.tokens for one in bundle.loaded if one.id in stream and "#" in one.id) <= overlap


def _numbers(spans: Iterable[str]) -> list[int]:
    found: list[int] = []
    for span in spans:
        first, _, last = span.partition("#")[2].partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def packed(kit_cap: int, going_on: Resumption, snapshot: Snapshot) -> Bundle:
    return pack(holdings_of(snapshot), BundleRequest(window=kit_cap, stream=going_on))


@pytest.fixture
def ada() -> Snapshot:
    """The example kit."""
    return Snapshot(WorkTree(Path(__file__).parents[3] / "kits" / "ada"), "ada")


def test_the_overlap_begins_where_the_person_speaks(ada: Snapshot) -> None:
    """Memory Keep §I.g: begin the next chat with the summary."""
    said = said_of([f"turn {n}, a few words of it and then some" for n in range(60)])
    bundle = packed(8192, Resumption("The kiln.", SESSION, said, 60), ada)
    (one,) = [one.id for one in bundle.loaded if one.ring == STREAM and "#" in one.id]
    assert int(one.partition("#")[2].partition("-")[0]) % 2 == 1
    assert [out.reason for out in bundle.left_out if out.ring == STREAM] == [IN_SUMMARY]


def test_its_share_is_taken_from_what_is_remembered(ada: Snapshot) -> None:
    said = said_of(["word " * 30] * 60)
    going_on = Resumption("The kiln.", SESSION, said, 60)
    plain = pack(holdings_of(ada), BundleRequest(window=8192))
    bundle = packed(8192, going_on, ada)
    assert bundle.rings["stream"].max == 8192 * 13 // 100
    assert 0 < bundle.rings["stream"].tokens <= bundle.rings["stream"].max
    assert [bundle.rings[ring].tokens for ring in "02"] == [plain.rings[ring].tokens for ring in "02"]
    assert bundle.rings["3"].tokens <= plain.rings["3"].tokens


def test_a_summary_for_which_there_is_no_room_is_an_error_that_says_so(ada: Snapshot) -> None:
    with pytest.raises(ReelError) as caught:
        packed(8192, Resumption("word " * 5000, SESSION), ada)
    assert "the conversation's summary (5,0" in caught.value.message

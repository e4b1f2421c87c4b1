"""The refresh in the middle of a chat: ring 2, and what is new since the bundle before."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.core.pack.budget import NoRoomError
from reel_cli.core.pack.build_bundle import BundleRequest, pack_snapshot
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.bundle import Bundle
from tests.support.kits_at_random import WINDOWS, Files, body, kits

MEMORY = (
    "---\nid: {0}\ntitle: {1}\nlevel: L1\nsource: [2026-02-10-1#{2}-{2}]\n---\n\n## What happened\n\n{1}.\n"
)


def memory(number: int, title: str) -> dict[str, bytes]:
    name = f"M-{number:03d}"
    return {f"ring3/{name}.md": MEMORY.format(name, title, number).encode()}


def line(number: int, what: str) -> str:
    return f'M-{number:03d} | {what} | "words of {what}" | factual | not immune\n'


KIT = Files(
    {
        "kit.yaml": b"name: Ada\nwindow: 16k\n",
        "ring0/identity.md": b"I am Ada.\n",
        "ring1/a.md": b"---\ntitle: A\n---\n**Bo:** hm.\n",
        "ring1/active.yaml": b"anchor: a\n",
        "ring2/working.md": b"## State\n\nFine.\n",
        "ring4/index.md": (line(1, "the train") + line(2, "the lamp")).encode(),
        **memory(1, "the train"),
        **memory(2, "the lamp"),
    }
)


def later(**files: bytes | None) -> Files:
    changed: dict[str, bytes | None] = {**KIT.files, **files}
    return Files({path: data for path, data in changed.items() if data is not None})


def refreshed(kit: Files, since: Bundle) -> Bundle:
    return pack_snapshot(kit.snapshot(), BundleRequest(since=since.fingerprint))


def loaded(bundle: Bundle) -> list[tuple[str, str]]:
    return [(item.ring, item.id) for item in bundle.loaded if item.ring != "frame"]


@pytest.fixture
def before() -> Bundle:
    return pack_snapshot(KIT.snapshot())


def test_when_nothing_is_new_only_working_memory_is_there(before: Bundle) -> None:
    bundle = refreshed(KIT, before)
    assert loaded(bundle) == [("2", "working")]
    assert {(left.ring, left.id): left.reason for left in bundle.left_out} == {
        ("0", "identity"): "in this conversation already",
        ("1", "a"): "in this conversation already",
        ("3", "M-001"): "not new since the last time",
        ("3", "M-002"): "not new since the last time",
        ("4", "M-001"): "not new since the last time",
        ("4", "M-002"): "not new since the last time",
    }


def test_new_and_changed_memories_and_lines_are_there(before: Bundle) -> None:
    index = line(1, "the train") + line(2, "the lamps") + line(3, "the letter")
    kit = later(
        **memory(1, "the other train"), **memory(3, "the letter"), **{"ring4/index.md": index.encode()}
    )
    bundle = refreshed(kit, before)
    assert loaded(bundle) == [
        ("3", "M-001"),
        ("3", "M-003"),
        ("4", "M-002"),
        ("4", "M-003"),
        ("2", "working"),
    ]
    assert loaded(refreshed(kit, bundle)) == [("2", "working")]


def test_what_was_left_out_before_is_not_new() -> None:
    tight = pack_snapshot(KIT.snapshot(), BundleRequest(window=800, live=7_400))
    left = {left.id for left in tight.left_out if left.ring == "3"}
    assert left
    assert loaded(pack_snapshot(KIT.snapshot(), BundleRequest(since=tight.fingerprint))) == [("2", "working")]


def test_a_state_file_of_rubbish_only_makes_everything_new() -> None:
    bundle = pack_snapshot(KIT.snapshot(), BundleRequest(since={"newest": "soon", "3:M-001": "?"}))
    assert loaded(bundle)[:4] == [("3", "M-001"), ("3", "M-002"), ("4", "M-001"), ("4", "M-002")]


def test_working_memory_that_does_not_fit_is_named_with_numbers(before: Bundle) -> None:
    kit = later(**{"ring2/working.md": b"lamp " * 800})
    with pytest.raises(ReelError, match=r"^Working memory \(80\d\) and headings and frame \(\d+\) need"):
        pack_snapshot(kit.snapshot(), BundleRequest(window=1024, since=before.fingerprint))


@given(kits(), kits(), WINDOWS, st.sampled_from(["markdown", "text"]))
@settings(max_examples=40, deadline=None)
def test_the_promises_hold_of_a_refresh_too(earlier: Files, kit: Files, window: int, form: str) -> None:
    try:
        since = pack_snapshot(earlier.snapshot(), BundleRequest(window=window)).fingerprint
        bundle = pack_snapshot(kit.snapshot(), BundleRequest(window=window, form=form, since=since))
    except NoRoomError:
        return
    tokens = get_tokenizer(bundle.tokenizer).count(bundle.text)
    assert bundle.tokens == tokens == sum(item.tokens for item in bundle.loaded)
    assert tokens <= bundle.cap - bundle.live
    assert body(kit, "ring2/working.md") in bundle.text or not body(kit, "ring2/working.md").strip()
    snapshot = kit.snapshot()
    accounted = sorted(
        [(x.ring, x.id) for x in bundle.loaded if x.ring in "34"]
        + [(x.ring, x.id) for x in bundle.left_out if x.ring in "34"]
    )
    assert accounted == sorted(
        [("3", m) for m in snapshot.memories] + [("4", x) for x in snapshot.index.lines]
    )

"""Items that wait: what is listed without a repository, and their names."""

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.files.review_file import render_proposal
from reel_cli.core.values.review import Proposal, ReviewKind
from reel_cli.features.review.accept import group_items, needs_a_name
from reel_cli.features.review.diff import changed_lines, render_diff
from reel_cli.features.review.open_decisions import list_waiting
from reel_cli.features.review.proposals import Kind, WaitingProposal, find_waiting
from tests.support.kits_at_random import Files

IDENTITY = b"---\nkind: x\n---\nI am Ada, brisk first.\n"


def proposed(kind: ReviewKind, text: str) -> Files:
    proposal = Proposal("p", kind, "2026-02-25-1", "2026-02-25T20:00:00Z", "A title", text, "humor", "here")
    return Files(
        {
            "kit.yaml": b"name: Ada\n",
            "ring0/identity.md": IDENTITY,
            "review/p.md": render_proposal(proposal).encode(),
        }
    )


def edit(
    path: str, kind: Kind = Kind.HAND, before: bytes | None = b"a\n", after: bytes | None = b"b\n"
) -> WaitingProposal:
    return WaitingProposal(path, kind, "edited by hand", "not committed yet", path, before, after)


def test_without_history_only_suggestions_wait() -> None:
    snapshot = proposed(ReviewKind.EXEMPLAR, "**You:** a\n").snapshot()
    (one,) = list_waiting(snapshot, None)
    assert (one.item, one.kind) == ("p", Kind.EXEMPLAR)
    assert render_diff(one) == "--- /dev/null\n+++ b/ring1/a-title.md\n@@ -0,0 +1 @@\n+**You:** a\n"


def test_a_suggestion_with_exact_words_is_shown_on_the_identity_itself() -> None:
    snapshot = proposed(ReviewKind.IDENTITY, 'Change "brisk first" to "warm first".\n').snapshot()
    (one,) = list_waiting(snapshot, None)
    assert one.before == IDENTITY
    assert one.after == IDENTITY.replace(b"brisk", b"warm")
    assert changed_lines(render_diff(one)) == [" ---", "-I am Ada, brisk first.", "+I am Ada, warm first."]


def test_words_in_the_front_matter_are_never_replaced() -> None:
    snapshot = proposed(ReviewKind.IDENTITY, 'Change "kind: x" to "kind: y".\n').snapshot()
    (one,) = list_waiting(snapshot, None)
    assert one.before is None


def test_an_item_is_found_by_its_name_before_its_file() -> None:
    line = WaitingProposal("M-001", Kind.LINE, "", "", "ring4/index.md", b"", b"")
    index = edit("ring4/index.md")
    assert find_waiting([line, index], "ring4/index.md") is index
    assert find_waiting([line], "ring4/index.md") is line
    assert find_waiting([line], "M-001") is line
    assert find_waiting([index], "./ring4/index") is index
    assert find_waiting([line, index], "index.md") is index
    with pytest.raises(ReelError, match="Nothing waits"):
        find_waiting([], "M-001")


def test_what_becomes_one_commit() -> None:
    ring0 = [edit("ring0/identity.md", Kind.RING0), edit("ring0/directives.md", Kind.RING0)]
    hand = [edit("kit.yaml"), edit("ring2/working.md")]
    pool = [edit("ring1/a.md", Kind.POOL), edit("ring1/b.md", Kind.POOL)]
    assert group_items([ring0[0], hand[0], pool[0], ring0[1], pool[1], hand[1]]) == [
        ring0,
        hand,
        [pool[0]],
        [pool[1]],
    ]
    assert needs_a_name(ring0)
    assert needs_a_name(pool)
    assert not needs_a_name(hand)


def test_diffs_of_what_is_no_text_or_too_long_or_has_no_last_line_end() -> None:
    assert render_diff(edit("x", after=b"\xff")) == "[not text]\n"
    long = "x" * 3_000_000
    assert render_diff(edit("x", after=long.encode())) == (
        f"--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-a\n+{long}\n\\ No newline at end of file\n"
    )
    assert render_diff(edit("x", after=b"b")) == (
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n"
    )
    assert render_diff(edit("x", after=None)) == "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"

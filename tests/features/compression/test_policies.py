"""Compression policies: per section, per cycle, micro and macro in turn, or by structure (SRIP-11 §V)."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from reel_cli.core.files.checkpoint_file import checkpoint_path
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.talk import Conversation, Message, session_path
from reel_cli.features.page.due import list_due
from reel_cli.features.threads.survey import open_lattice
from tests.support.kit_under_git import START
from tests.support.kits_at_random import Files

CHAT = "2026-02-10-1"
GARDEN = "The tomatoes in the greenhouse want water, and the compost is full of seedlings and slugs."
HARBOUR = "The ferry left the quay before the captain found his rope, and the lighthouse keeper laughed."


def chat_of(policy: str, exchanges: Sequence[str]) -> dict[str, bytes]:
    """A kit with one chat of so many exchanges."""
    said = [text for told in exchanges for text in (told, "Yes, and then?")]
    messages = [Message("assistant" if n % 2 else "user", text) for n, text in enumerate(said)]
    setting = f"checkpoint: {{policy: {policy}}}\n" if policy else ""
    return {
        **START,
        "kit.yaml": f"name: Ada\nuser: Bo\n{setting}".encode(),
        session_path(CHAT): render_session(CHAT, Conversation("messages", messages)),
    }


def due(
    policy: str, exchanges: Sequence[str], pages: Sequence[tuple[int, bool]] = ((2, False),)
) -> list[str]:
    """Return what is due of such a chat; `pages` are the messages that each looked back on."""
    files = chat_of(policy, exchanges)
    for number, (seen, short) in enumerate(pages, 1):
        page = f"coherence: yes\nmessages: {seen}\n{'page: short' if short else ''}\n"
        files[checkpoint_path(CHAT, number)] = page.encode()
    found = list_due(Files(files).snapshot())
    return [f"{one.why} {one.command}".strip() for one in found if one.what == "checkpoint"]


def test_without_a_policy_messages_are_counted_as_ever() -> None:
    assert due("", [GARDEN] * 12) == []
    assert due("", [GARDEN] * 27) == [f"{CHAT} has gone on for 52 messages since its page"]
    assert due("turns", [GARDEN] * 27) == due("", [GARDEN] * 27)


def test_per_section_asks_for_no_page_before_the_chat_ends() -> None:
    assert due("per_section", [GARDEN] * 60) == []


def test_per_cycle_asks_after_ten_exchanges() -> None:
    assert due("per_cycle", [GARDEN] * 10) == []
    assert due("per_cycle", [GARDEN] * 11) == [f"{CHAT} has gone on for 10 exchanges since its page"]


def test_hybrid_asks_for_a_short_page_every_ten_exchanges_and_a_whole_one_every_fifty() -> None:
    told = f"{CHAT} has gone on for 10 exchanges since its page"
    assert due("hybrid", [GARDEN] * 11) == [f"{told} reel checkpoint --brief"]
    short = [(2 + 20 * n, True) for n in range(1, 5)]
    assert due("hybrid", [GARDEN] * 51, [(2, False), *short]) == [told]


def test_structural_asks_when_the_talk_turns_to_something_else() -> None:
    assert due("structural", [GARDEN] * 30) == []
    moved = due("structural", [*[GARDEN] * 8, *[HARBOUR] * 8])
    assert moved == [f"{CHAT} has turned to something else since its page"]
    # three exchanges before and two of the other matter are enough, also right after a page
    assert due("structural", [*[GARDEN] * 3, *[HARBOUR] * 2]) == moved
    assert due("structural", [*[GARDEN] * 3, HARBOUR]) == []
    # what is cut for its length alone has turned to nothing
    assert due("structural", [GARDEN] * 55, [(22, False)]) == [
        f"{CHAT} has gone on for 44 exchanges since its page"
    ]
    # once the page looked back on the turn it is due no more
    assert due("structural", [*[GARDEN] * 8, *[HARBOUR] * 8], [(18, False)]) == []


@pytest.mark.parametrize(
    ("policy", "ribs"), [("turns", 3), ("hybrid", 3), ("per_cycle", 3), ("per_section", 1)]
)
def test_rib_points_are_cut_by_the_same_policy(tmp_path: Path, policy: str, ribs: int) -> None:
    for path, data in chat_of(policy, [GARDEN] * 30).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    with open_lattice(tmp_path, Snapshot(WorkTree(tmp_path), "kit")) as lattice:
        assert len(lattice.list_ribs()) == ribs


@pytest.mark.parametrize("policy", ["per_cycle", "hybrid", "structural"])
def test_a_chat_in_which_nothing_new_was_said_is_due_no_page(policy: str) -> None:
    assert due(policy, [GARDEN] * 30, [(60, False)]) == []

"""`recall.topology`: recall through the net of threads, off unless a kit chooses it."""

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.source import session_path
from reel_cli.core.values.talk import Conversation, Message
from reel_cli.features.threads.lattice import FILE
from tests.support.cli import Reel
from tests.support.shelf import ready_made

DAY = date(2026, 1, 1)
SEED = "The harbour lamp stood by the kiln. Glaze the kiln, glaze the kiln again."
PLAIN = "The harbour smelled of tar when the ferry came, and a gull sat there."
BELL = "A bell rang twice on the ferry."
JOINED = "Glaze for the kiln, and glaze again for the kiln by the old harbour wall."


def _chat(number: int) -> str:
    return f"{DAY + timedelta(days=number)}-1"


def _write(root: Path) -> None:
    told = {10: SEED, 20: JOINED, 30: PLAIN, 40: BELL, 45: BELL}
    for number in range(60):
        name = _chat(number)
        text = told.get(number, f"Plum jam number {'x' * (number + 3)} is in the cellar.")
        said = Conversation("messages", [Message("user", text), Message("assistant", "I see.")])
        path = root / session_path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(render_session(name, said))


@pytest.fixture
def long_tape(reel: Reel, tmp_path: Path) -> Path:
    root = tmp_path / "long"

    def make() -> None:
        reel("init", str(root), "--name", "Ada").ok()
        _write(root)

    ready_made(root, "sixty evenings", make)
    reel.cwd = root
    return root


def choose(root: Path, topology: str) -> None:
    text = (root / "kit.yaml").read_text().partition("\nrecall:")[0].rstrip()
    (root / "kit.yaml").write_text(f"{text}\nrecall: {{topology: {topology}}}\n")


def recall(reel: Reel, query: str = "harbour lamp") -> list[dict[str, Any]]:
    hits: list[dict[str, Any]] = json.loads(reel("recall", query, "-n", "5", "--json").ok().out)["hits"]
    return hits


def found(reel: Reel, query: str = "harbour lamp") -> list[str]:
    return [hit["session"] for hit in recall(reel, query)]


def test_what_an_edge_leads_to_comes_earlier_and_nothing_is_lost(reel: Reel, long_tape: Path) -> None:
    """Expand from the nearest rib points through connected edges (SRIP-11 §III.3)."""
    usual = found(reel)
    assert usual == [_chat(10), _chat(30), _chat(20)]
    choose(long_tape, "expand")
    assert found(reel) == [_chat(10), _chat(20), _chat(30)]
    choose(long_tape, "off")
    assert found(reel) == usual


def test_a_certainty_does_not_change_by_the_net(reel: Reel, long_tape: Path) -> None:
    usual = {hit["session"]: hit["confidence"] for hit in recall(reel)}
    choose(long_tape, "expand")
    assert {hit["session"]: hit["confidence"] for hit in recall(reel)} == usual


def test_what_goes_with_the_present_phase_comes_first_and_the_rest_is_not_hidden(
    reel: Reel, long_tape: Path
) -> None:
    """Phase compatibility orders recall; as a filter it would hide what was asked for (SRIP-11 §III.4)."""
    pages = long_tape / "checkpoints"
    pages.mkdir(exist_ok=True)
    for number in (44, 45):
        # the first of them is reflection, the second fragmenting
        (pages / f"{_chat(number)}.1.yaml").write_text("coherence: partly\n")
    assert found(reel, "ferry bell")[:2] == [_chat(45), _chat(40)]
    choose(long_tape, "phase")
    assert found(reel, "ferry bell")[:2] == [_chat(40), _chat(45)]


def test_a_kit_without_the_setting_has_no_lattice_for_a_plain_recall(reel: Reel, long_tape: Path) -> None:
    found(reel)
    assert not (long_tape / FILE).exists()

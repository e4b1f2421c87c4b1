"""`reel status --metrics`: loss, cohesion and continuity, each with what is good (SRIP-11 §VI)."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.files.checkpoint_file import checkpoint_path
from reel_cli.core.values.measure import Verdict
from reel_cli.features.compression.measures import measure_loss
from reel_cli.features.compression.trailer import CompressionFigures
from tests.support.cli import Reel
from tests.support.embedding_server import serve_embeddings
from tests.support.faded_kit import SESSIONS, Year, memory, of_every_age
from tests.support.shelf import take_over

SEVEN = [
    *("compression_ratio", "anchor_recall_integrity", "fact_extraction_rate", "fact_coverage"),
    *("semantic_loss", "topology_cohesion", "phase_continuity"),
]


def metrics(reel: Reel) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reel("status", "--metrics", "--json").ok().out)
    return found


def test_all_seven_measures_are_shown_each_with_what_is_good(reel: Reel, tmp_path: Path) -> None:
    pytest.importorskip("reel_cli.features.facts")
    take_over(reel, tmp_path / "kit", "ada")
    found = metrics(reel)
    assert [one["measure"] for one in found["measures"]] == SEVEN
    assert all(one["good"] and one["detail"] for one in found["measures"])
    # the average weight of edges within a cluster, beside that between any two ribs of the kit
    cohesion = found["topology_cohesion"]
    assert cohesion["value"] > cohesion["usual"] > 0
    lines = reel("status", "--metrics").ok().out.splitlines()
    shown = {short: line for line in lines for short in ("CR", "SL", "TC", "PC") if f"({short})" in line}
    # more than was said is no share of it
    assert "all" in shown["CR"]
    assert "%" not in shown["CR"]
    assert "nothing measured has faded yet" in shown["SL"]
    assert "good" in shown["TC"]
    assert shown["PC"].endswith("needs embeddings (recall.embeddings)")
    assert sum(line.startswith(("  CR: ", "  SL: ", "  TC: ", "  PC: ")) for line in lines) == 4
    # each names a limit for good and one for what is not
    for one in found["measures"]:
        assert re.search(r"\d|tenth", one["good"].partition(";")[0]), one["measure"]
        assert re.search(r"below|above|less than|more than", one["good"].partition(";")[2]), one["measure"]


@pytest.mark.usefixtures("no_room")
def test_loss_is_read_from_what_faded_and_what_was_undone_does_not_count(reel: Reel, tmp_path: Path) -> None:
    kit = of_every_age().make(tmp_path / "ada")
    reel.cwd = kit.root
    reel("maintain", "--auto").ok()
    assert metrics(reel)["semantic_loss"] == {
        "value": 0.0,
        "worst": 0.0,
        "compressions": 1,
        "ratio": 0.28,
        "over": 0,
    }
    reel("undo", "--yes").ok()
    assert metrics(reel)["semantic_loss"]["compressions"] == 0


def test_too_great_a_loss_is_poor_where_it_is_common() -> None:
    sound = [CompressionFigures(f"M-{n:03}", 0.5, 0.1) for n in range(1, 20)]
    lossy = CompressionFigures("M-050", 0.5, 0.28)
    assert measure_loss([*sound, lossy]).verdict is Verdict.GOOD
    # the same loss by embeddings is above theirs
    other = CompressionFigures("M-051", 0.5, 0.28, "embeddings")
    assert measure_loss([*sound, other]).verdict is Verdict.FAIR
    assert measure_loss([lossy, other]).verdict is Verdict.POOR
    assert measure_loss([]).verdict is Verdict.UNKNOWN


def test_by_words_it_is_called_new_and_by_embeddings_lost() -> None:
    words, other = CompressionFigures("M-001", 0.5, 0.1), CompressionFigures("M-002", 0.5, 0.1, "embeddings")
    assert measure_loss([words]).name == "new words as memories fade"
    assert measure_loss([other]).name == "lost as memories fade"
    assert measure_loss([words, other]).name == measure_loss([]).name == "new or lost as memories fade"


def test_continuity_holds_each_phase_against_the_one_before(reel: Reel, tmp_path: Path) -> None:
    with serve_embeddings() as server:
        year = Year([memory(n, "L2", evening=n) for n in range(1, 9)])
        year.settings = f"window: 128k\nrecall: {{embeddings: '{server.address}'}}\n"
        kit = year.make(tmp_path / "ada")
        reel.cwd = kit.root
        assert metrics(reel)["phase_continuity"]["why"] == "too few chats: only one phase yet"
        (kit.root / "checkpoints").mkdir(exist_ok=True)
        (kit.root / checkpoint_path(SESSIONS[4], 1)).write_text("coherence: partly\n")
        found = metrics(reel)["phase_continuity"]
        assert found["changes"] > 0
        assert 0.9 < found["value"] <= 1
        assert 0.9 < found["usual"] <= 1

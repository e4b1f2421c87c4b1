"""Compressions measured as they are taken: their figures, and what becomes of one that loses too much."""

import json
from pathlib import Path

import pytest

from reel_cli.core.evidence.grounding.check import list_words
from reel_cli.core.values.memory import Level, memory_path
from reel_cli.features.compression.gauge import Gauge
from reel_cli.features.compression.loss import count_unsaid
from reel_cli.features.compression.trailer import CompressionFigures, parse_figures, render_figures
from tests.support.cli import Reel
from tests.support.embedding_server import serve_embeddings
from tests.support.faded_kit import MARKER, Year, memory, of_every_age
from tests.support.kit_under_git import KitUnderGit
from tests.support.rewrite_replies import breath, whole

pytestmark = pytest.mark.usefixtures("no_room")

SOUND = f"{MARKER} The clockwork must be wound every forty minutes."
STRANGE = (
    "He brought the letter back unopened, we talked about the harbour and the residency in the spring, then"
    " everything felt luminous, weightless, hopeful, tender, fragile, brave, and strangely, quietly golden."
)
"""Two markers of the right size; of the second most was never said."""


def figures(kit: KitUnderGit, commit: str = "HEAD") -> list[str]:
    told = kit.git("log", "-1", "--format=%(trailers:key=Reel-Compression,valueonly)", commit)
    return [line for line in told.split("\n") if line]


def made(reel: Reel, tmp_path: Path, year: Year) -> KitUnderGit:
    kit = year.make(tmp_path / "ada")
    reel.cwd = kit.root
    return kit


def with_marker(words: str, **more: object) -> Year:
    """A grown kit in which one digest is due to become the marker that it was given."""
    rest = [memory(n, "L1", evening=23) for n in range(22, 28)]
    return Year([memory(5, "L2", evening=4, marker=words, **more), *rest])


# -- after each compression its ratio and its loss are evaluated (SRIP-11 §III.6, §VI) --------------


def test_each_memory_that_fades_says_in_its_commit_how_much_is_left_and_lost(
    reel: Reel, tmp_path: Path
) -> None:
    kit = made(reel, tmp_path, of_every_age())
    reel("maintain", "--auto").ok()
    assert figures(kit, "HEAD") == ["M-005 CR=0.28 SL=0.00 by=words"]
    # a line that stays in place of a memory is no compression of its words
    assert figures(kit, "HEAD~1") == []
    reel("maintain", "--reply", "-", "--yes", stdin=breath(1, 7) + whole(2, 8)).ok()
    assert [found.split()[0] for at in ("HEAD", "HEAD~1") for found in figures(kit, at)] == ["M-008", "M-007"]


def test_figures_are_read_back_and_unknown_ones_are_passed_over() -> None:
    told = CompressionFigures("M-004", 0.32, 0.07, "words", 1.4)
    key, value = render_figures(told)
    assert (key, value) == ("Reel-Compression", "M-004 CR=0.32 SL=0.07 by=words TC=1.40")
    assert parse_figures(value) == told
    assert parse_figures(f"{value} XY=later") == told
    assert parse_figures("M-004 CR=much") is None


# -- over the threshold a node is made again, not kept as it came (SRIP-11 §III.6) -------------------


def test_a_page_that_says_what_nobody_said_is_asked_for_once_more_and_then_left(
    reel: Reel, tmp_path: Path
) -> None:
    """SRIP-11 §III.6: measure loss after each compression and expand again where it is too great."""
    kit = made(reel, tmp_path, with_marker(""))
    before = kit.files()[memory_path("M-005")]
    reel("maintain", "--prompt").ok()

    def answer() -> str:
        told = reel("maintain", "--reply", "-", "--yes", "--json", stdin=breath(1, 5, STRANGE))
        (left,) = json.loads(told.out)["left"]
        assert kit.files()[memory_path("M-005")] == before
        why: str = left["why"]
        return why

    assert answer().endswith("words would be new, and nobody said them; it is asked for once more")
    assert answer().endswith("; it stays as it was")
    plan = json.loads(reel("maintain", "--plan", "--json").ok().out)
    assert plan["due"] == []
    assert {one["id"]: one["why"] for one in plan["kept"]}["M-005"] == (
        "a shorter text would say what nobody said"
    )


def test_a_marker_that_says_too_much_is_made_of_the_memory_s_own_sentences(
    reel: Reel, tmp_path: Path
) -> None:
    kit = made(reel, tmp_path, with_marker(STRANGE))
    reel("maintain", "--auto").ok()
    text = kit.files()[memory_path("M-005")].decode()
    body = text.split("\n---\n", 1)[1]
    assert body.startswith(f"\n{MARKER} That was evening 5.\n\n## Retrieval anchors\n")
    assert [one.split()[2] for one in figures(kit)] == ["SL=0.00"]


def test_where_no_other_way_is_left_the_memory_stays_and_one_line_says_so(reel: Reel, tmp_path: Path) -> None:
    matters = " ".join([MARKER] * 3)
    body = f"\n## What happened\n\nThe clockwork must be wound.\n\n## What matters\n\n{matters}\n"
    kit = made(reel, tmp_path, with_marker(STRANGE, body=body))
    before = kit.files()[memory_path("M-005")]
    told = reel("maintain", "--auto").ok()
    (line,) = [line for line in (told.out + told.err).splitlines() if "M-005" in line and "stays" in line]
    assert line.startswith("M-005 stays as it is: Shorter, ")
    assert kit.files()[memory_path("M-005")] == before
    # it is not tried again at every chat
    assert json.loads(reel("maintain", "--plan", "--json").ok().out)["due"] == []


def test_by_embeddings_loss_is_one_less_the_cosine_and_a_quarter_is_too_much(
    reel: Reel, tmp_path: Path
) -> None:
    with serve_embeddings() as server:
        settings = f"window: 128k\nrecall: {{embeddings: '{server.address}'}}\n"
        year = with_marker(SOUND)
        year.settings = settings
        kit = made(reel, tmp_path, year)
        reel("maintain", "--auto").ok()
        (found,) = figures(kit)
        assert found.startswith("M-005 CR=0.33 SL=0.0")
        assert found.endswith(" by=embeddings")
        gauge = Gauge(year.snapshot())
        verdict = gauge.judge(memory(5, "L2", evening=4), Level.L3, f"\n{STRANGE}\n")
        assert verdict.too_far.startswith("its meaning would change by ")


def test_without_the_server_words_are_counted_instead(tmp_path: Path) -> None:
    year = with_marker(SOUND)
    year.settings = "window: 128k\nrecall: {embeddings: 'http://127.0.0.1:9'}\n"
    verdict = Gauge(year.snapshot()).judge(memory(5, "L2", evening=4), Level.L3, f"\n{SOUND}\n")
    assert verdict.trailer[1].endswith(" SL=0.00 by=words")


def test_a_server_that_fails_is_asked_once_in_a_pass(reel: Reel, tmp_path: Path) -> None:
    with serve_embeddings() as server:
        server.say = lambda _: (500, b"")
        rest = [memory(n, "L1", evening=23) for n in range(22, 28)]
        year = Year([*(memory(n, "L2", evening=4, marker=SOUND) for n in (4, 5)), *rest])
        year.settings = f"window: 128k\nrecall: {{embeddings: '{server.address}'}}\n"
        kit = made(reel, tmp_path, year)
        reel("maintain", "--auto", "--beyond-limit").ok()
        units = [line.split()[3] for at in ("HEAD", "HEAD~1") for line in figures(kit, at)]
        assert (units, len(server.asked)) == (["by=words"] * 2, 1)


# -- the measure -----------------------------------------------------------------------------------


def test_words_are_counted_in_scripts_without_spaces_too() -> None:
    said = list_words("昨日、私たちは海に行って、とても楽しかったです。")
    assert count_unsaid("私たちは海に行った。", said)[0] <= 1
    unsaid, words = count_unsaid("明日は山で熊に会うでしょう。", said)
    assert unsaid * 2 > words


def test_of_a_few_words_nothing_is_said() -> None:
    verdict = Gauge(of_every_age().snapshot()).judge(
        memory(4, "L3", evening=3), Level.L4, "\nPurple umbrellas\n"
    )
    assert (verdict.too_far, "SL=" in verdict.trailer[1]) == ("", False)

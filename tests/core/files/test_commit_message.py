import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.core.files.commit_message import render_message
from reel_cli.core.values.change import Change
from tests.support.kit_under_git import Before, KitUnderGit, make_kit

WORKING = "ring2/working.md"
TAPE = "tape/2026/2026-02-10-1.md"


@pytest.fixture
def kit(tmp_path: Path) -> KitUnderGit:
    return make_kit(tmp_path / "ada")


nasty = st.text(
    st.one_of(
        st.sampled_from("\n\r\0\x1b:-# \u2028\u0085é"),
        st.characters(codec="utf-8"),
    ),
    max_size=30,
) | st.sampled_from(
    ["Reel-Forgot: M-001", "x\n\nReel-Op: purge", "---", "# c", "(cherry picked from commit 1)", "\ud800", ""]
)


@settings(max_examples=60, deadline=None)
@given(
    summary=nasty,
    notes=st.lists(nasty, max_size=4),
    values=st.lists(nasty.filter(lambda v: v.strip() != ""), max_size=3),
)
def test_nothing_in_a_message_passes_for_another_trailer(
    summary: str, notes: list[str], values: list[str]
) -> None:
    change = Change("record", summary, {}, tuple(("Reel-Memory", v) for v in values), tuple(notes))
    message = render_message(change)
    read = subprocess.run(
        ["git", "interpret-trailers", "--parse", "--no-divider"],
        input=message.encode(),
        capture_output=True,
        check=True,
    ).stdout.decode()
    keys = [line.partition(":")[0] for line in read.splitlines()]
    assert keys == ["Reel-Op", *["Reel-Memory"] * len(values)]
    assert message.startswith("record:")
    assert all(c.isprintable() or c == "\n" for c in message)


def test_a_committed_message_is_read_back_by_git(kit: KitUnderGit) -> None:
    kit.apply(
        {WORKING: b"x"},
        ("Reel-Forgot", "M-001 L1->L2\nReel-Ratified-By: Eve <e@x>"),
        summary="a\n\nReel-Op: purge",
        notes=("Reel-Forgot: M-009", "plain"),
    )
    assert kit.git("log", "-1", "--format=%s|%(trailers:only)").rstrip() == (
        "checkpoint: a Reel-Op: purge|Reel-Op: checkpoint\n"
        "Reel-Forgot: M-001 L1->L2 Reel-Ratified-By: Eve <e@x>"
    )
    assert kit.git("log", "-1", "--format=%(trailers:key=Reel-Ratified-By)").strip() == ""


def test_a_trailer_key_that_is_none_is_refused(kit: KitUnderGit) -> None:
    before = Before(kit)
    with pytest.raises(ReelError, match="cannot name a trailer"):
        kit.apply({WORKING: b"x"}, ("Not a key", "x"))
    assert before.still()

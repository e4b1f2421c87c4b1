"""`reel export letter`: what the persona would write to its next self, made of what the kit holds."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.approved_rings import read_in_force
from reel_cli.core.kit.snapshot import WORKING
from reel_cli.core.pack.recognize import find_bundle
from reel_cli.features.export.letter import Words
from reel_cli.features.export.letter_walk import make_letter
from tests.support.cli import Reel, git
from tests.support.kits_at_random import Files, kits
from tests.support.shelf import take_over

SECTIONS = [
    *("Who we are", "What we keep to", "How we are with each other", "Where things stand"),
    *("What I remember", "What must not be lost", "How I sound", "How to begin"),
]
MACHINERY = re.compile(r"M-\d|ring ?\d|\btoken|\bbudget|\breel\b|kit\.yaml|checkpoint", re.IGNORECASE)


@pytest.fixture
def ada(reel: Reel) -> Path:
    """The example companion, taken over as a kit of one's own."""
    return take_over(reel, reel.cwd / "mine", "ada")


def sections(text: str) -> list[str]:
    return re.findall(r"(?m)^## (.+)$", text)


def test_it_says_who_what_where_and_how_to_begin(reel: Reel, ada: Path) -> None:
    reel("fact", "add", "constraints", "allergy", "penicillin").ok()
    reel("fact", "add", "relationships", "daughter", "Lida, fifteen").ok()
    head = git(ada, "rev-parse", "HEAD")
    text = reel("export", "letter").ok().out
    assert sections(text) == SECTIONS
    assert text.startswith("# Ada\n\nYou are Ada, and so am I.")
    assert "I talk with Tomas. We last talked on 25 February 2026." in text
    identity = (ada / "ring0/identity.md").read_text().rpartition("---\n")[2].strip()
    assert identity in text
    parts = dict(zip(SECTIONS, re.split(r"(?m)^## .+$", text)[1:], strict=True))
    assert "Brisk and pointed" in parts["How we are with each other"]
    assert "- daughter: Lida, fifteen" in parts["How we are with each other"]
    assert "Brisk and pointed" not in parts["Where things stand"]
    assert "### Open loops" in parts["Where things stand"]
    assert "- allergy: penicillin" in parts["What must not be lost"]
    assert 'The borrowed coat: "You said wonderful two times"' in parts["What must not be lost"]
    assert "### The one condition" in parts["How I sound"]
    assert MACHINERY.search(text) is None
    # the same kit, the same letter; and nothing is committed for it
    later = {"REEL_NOW": "2031-01-01T00:00:00+00:00"}
    assert reel("export", "letter", env=later).ok().out == text
    assert git(ada, "rev-parse", "HEAD") == head


def test_more_words_tell_the_memories_in_a_finer_form(reel: Reel, ada: Path) -> None:
    told = {}
    for most in (1_200, 1_500, 2_000, 4_000, 20_000):
        made = json.loads(reel("export", "letter", "--words", str(most), "--json").ok().out)
        assert made["words"] == Words().count(made["text"]) <= most
        told[most] = made["memories"]
    assert told[1_200]["left_out"] > 0
    assert told[2_000]["left_out"] == 0
    assert told[4_000]["whole"] > 0
    assert told[20_000] == {"whole": 11, "marker": 0, "tag": 0, "left_out": 0}
    assert [one["whole"] for one in told.values()] == sorted(one["whole"] for one in told.values())
    whole = reel("export", "letter", "--words", "20000").ok().out
    # prose, without the names of its fields
    assert "What happened" not in whole
    assert "\n\nStill open:\n\n- The last page still says twice that it made a dot.\n" in whole
    refused = reel("export", "letter", "--words", "300")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith("Error: The letter needs at least 1,0")
    assert "Hint: reel export letter --words 1600" in refused.err
    out = reel("export", "letter", "--out", "next.md").ok()
    assert "words; memories: " in out.err
    assert (ada / "next.md").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("known", [True, False])
def test_pasted_into_a_chat_it_was_never_said(reel: Reel, ada: Path, *, known: bool) -> None:
    text = reel("export", "letter").ok().out
    if not known:
        for file in (ada / ".reel/state/handed").iterdir():
            file.unlink()
    talk = [
        {"role": "user", "content": f"{text}\nWhere were we?"},
        {"role": "assistant", "content": "At the dot."},
    ]
    (ada.parent / "chat.json").write_text(json.dumps({"messages": talk}))
    (recorded,) = json.loads(reel("record", "../chat.json", "--json").ok().out)["recorded"]
    assert recorded["messages"] == 2
    tape = next((ada / "tape").rglob(f"{recorded['session']}.md")).read_text()
    assert tape.count('"kind":"bundle"') + tape.count('"kind": "bundle"') == 1
    assert tape.count("You are Ada, and so am I.") == 1


def test_a_young_kit_writes_what_it_has(reel: Reel, kit: Path) -> None:
    text = reel("export", "letter").ok().out
    assert sections(text)[0] == "Who we are"
    assert sections(text)[-1] == "How to begin"
    assert "What I remember" not in text
    assert "We last talked" not in text
    (kit / "ring0/identity.md").write_text("# Nova\n\n## Ways\n\nNova hums.\n\n```\n## not a heading\n```\n")
    text = reel("export", "letter").ok().out
    assert "## Who we are\n\n### Nova\n\n### Ways\n\nNova hums.\n\n```\n## not a heading\n```\n" in text


@given(kits(most=6), st.integers(100, 4_000))
@settings(max_examples=40, deadline=None)
def test_it_never_has_more_words_and_is_always_known_again(kit: Files, most: int) -> None:
    snapshot = kit.snapshot()
    ring0 = read_in_force(snapshot, None)
    try:
        made = make_letter(snapshot, ring0, most)
    except ReelError as error:
        assert re.search(r"needs at least [\d,]+ words, and may have|does not", error.message)  # noqa: PT017
        return
    assert made.words == Words().count(made.text) <= most
    assert sum(made.told.values()) + made.left == len(
        [path for path in kit.list("ring3") if path.endswith(".md")]
    )
    found = find_bundle(made.text)
    assert found is not None
    assert found[0] == 0
    assert not made.text[found[1] :].strip()
    assert snapshot.text(WORKING) is None or make_letter(snapshot, ring0, most) == made

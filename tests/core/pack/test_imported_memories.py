"""Knowledge that was not lived: introduced as such, separately, and at no cost if there is none."""

from dataclasses import replace

import pytest

from reel_cli.core.files.index_file import line_for, put_lines
from reel_cli.core.files.memory_file import parse_memory, render_body, render_memory
from reel_cli.core.pack import words
from reel_cli.core.pack.build_bundle import BundleRequest, pack_snapshot
from reel_cli.core.pack.recognize import find_bundle
from reel_cli.core.pack.some_holdings import LIVED_FIRST
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.memory import FIELDS, Level, Memory, memory_path
from reel_cli.core.values.talk import SourceRange
from tests.support.kits_at_random import Files

LIVED = Memory(
    "M-001",
    "The lamp",
    Level.L1,
    render_body(dict.fromkeys(FIELDS, "It went out. " * 9)),
    "2026-02-10T21:00:00+00:00",
    source=(SourceRange("2026-02-10-1", 1, 2),),
    anchor="it went out",
    marker="The lamp went out.",
)
LORE = replace(
    LIVED, id="M-002", title="The Silt", level=Level.L3, body="\nIt moves.\n", source=(), tags=("lore",)
)
LONG = replace(LIVED, id="M-003", title="The bank", level=Level.L2, source=(), tags=("lore",))
NOTED = replace(
    LORE, id="M-004", title="Bees", body="\nBees are kept.\n", tags=("imported",), undated=True, marker=""
)
OWN = (words.HEARD, words.HEARD_INTRO, words.TOLD, words.TOLD_INTRO)


def kit(*memories: Memory) -> Files:
    """A kit with these memories."""
    files = {memory_path(one.id): render_memory(one).encode() for one in memories}
    files["kit.yaml"] = b"name: Ada\n"
    files["ring0/identity.md"] = b"Ada keeps the lamp.\n"
    files["ring4/index.md"] = put_lines("", map(line_for, memories)).encode()
    return Files(files)


def sections(text: str) -> list[str]:
    return [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]


def test_lore_is_told_as_what_is_known_and_not_as_what_happened() -> None:
    """REEL §13.d: sum up 3.5, with the tape last."""
    bundle = pack_snapshot(kit(LIVED, LORE, LONG, NOTED).snapshot(), BundleRequest(window=32768))
    assert sections(bundle.text) == [
        *(words.WHO, words.TRUST, words.TOLD, words.REMEMBER, words.RECALL, words.HEARD, words.HERE)
    ]
    _, _, told, remember, recall, heard, _ = bundle.text.split("\n## ")[1:]
    assert (LIVED.anchor in recall, "The Silt" in recall, "Bees" in recall) == (True, False, False)
    assert ("The lamp" in heard, "The Silt" in heard, "Bees" in heard) == (False, True, True)
    assert ("### The lamp" in remember, "It moves." in remember) == (True, False)
    assert f"{words.TOLD_INTRO} {words.REMEMBER_ALL}" in told
    assert "- Bees are kept.\n" in told
    assert "- **The Silt**: It moves.\n" in told
    # nobody knows on which day: none is told
    assert (told.count("2026"), remember.count("2026")) == (0, 1)
    assert [item.id for item in bundle.loaded if item.ring == "3"] == ["M-002", "M-004", "M-003", "M-001"]
    assert find_bundle(bundle.text[bundle.text.index(f"## {words.TOLD}") :]) is not None


def test_with_lore_alone_nothing_is_said_to_have_happened() -> None:
    bundle = pack_snapshot(kit(LORE, NOTED).snapshot(), BundleRequest(window=4096))
    assert sections(bundle.text) == [words.WHO, words.TRUST, words.TOLD, words.HEARD, words.HERE]
    assert words.RECALL_INTRO not in bundle.text


@pytest.mark.parametrize("window", [8192, 131072])
def test_where_all_was_lived_it_costs_nothing(window: int) -> None:
    count = get_tokenizer("o200k_base").count
    bundle = pack_snapshot(kit(LIVED).snapshot(), BundleRequest(window=window))
    assert not any(own in bundle.text for own in OWN)
    both = pack_snapshot(kit(LIVED, LORE).snapshot(), BundleRequest(window=window))
    more = both.tokens - bundle.tokens
    own = count(f"## {words.HEARD}\n\n{words.HEARD_INTRO}\n\n") + count(
        f"## {words.TOLD}\n\n{words.TOLD_INTRO}\n\n"
    )
    assert own < more < own + 90


def test_an_index_with_little_room_tells_what_was_lived() -> None:
    bundle = pack_snapshot(kit(LIVED, LORE, NOTED).snapshot(), BundleRequest(window=2048))
    found = sections(bundle.text)
    assert found == [words.WHO, words.TRUST, words.TOLD, words.REMEMBER, words.RECALL, words.HERE]
    assert [(one.id, one.reason) for one in bundle.left_out if one.ring == "4"] == [
        ("M-004", LIVED_FIRST),
        ("M-002", LIVED_FIRST),
    ]


def test_a_memory_without_a_day_says_so_in_its_file() -> None:
    text = render_memory(NOTED)
    assert "undated: yes\n" in text
    again = parse_memory(text, memory_path(NOTED.id))
    assert (again.undated, again.order[0], again.created) == (True, "", NOTED.created)
    assert replace(again, undated=False).order[0] == "2026-02-10"

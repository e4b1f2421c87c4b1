"""The pages about files on the shelf: read whatever a person wrote, changed line by line."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.features.shelf.shelf_file import ShelfFile, WatchedFile
from reel_cli.features.shelf.sidecar_file import (
    parse_sidecar,
    render_sidecar,
    render_watched,
    set_pin,
    set_sidecar,
)

LINES = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=40).map(
    lambda text: " ".join(text.split())
)


@given(LINES, LINES, st.lists(LINES.filter(bool), max_size=3), st.booleans(), LINES)
@settings(max_examples=60, deadline=None)
def test_a_page_reads_back_as_it_was_written(
    title: str,
    summary: str,
    tags: list[str],
    pin: bool,  # noqa: FBT001
    place: str,
) -> None:
    watched = WatchedFile(place, 12, "ab" * 32, "2026-03-01T20:00:00.000001Z") if place else None
    file = ShelfFile(
        "shelf/a.md", title or "a", summary, tuple(tags), pin=pin, created_by="reel", created_at="2026",
        source=place, watched=watched,
    )  # fmt: skip
    told = parse_sidecar(render_sidecar(file, 5_000), "shelf/a.md")
    if summary.casefold() != "(needs summary)" and (title or "a").isprintable():
        assert told == file
    # whatever it holds, hotness is never read
    assert parse_sidecar(render_sidecar(file, 0), "shelf/a.md") == told


def test_only_what_changes_is_rewritten() -> None:
    text = "# mine\ntitle: Plan # kept\nmood: [good,\n  better]\npin: false\n"
    text += "watched:\n  path: a\n  size: 1\nend: x\n"
    assert set_pin(text, pin=True) == text.replace("pin: false", "pin: true")
    fresh = set_sidecar(text, {"watched": render_watched(WatchedFile("a", 2, "ff", "2026"))})
    assert fresh == text.replace(
        "  path: a\n  size: 1\n", "  path: a\n  size: 2\n  sha256: ff\n  mtime: 2026\n"
    )
    assert parse_sidecar("", "shelf/some_notes.md") == ShelfFile("shelf/some_notes.md", "some notes")
    told = parse_sidecar("tags: a, b\npin: YES\nworking_set: no\nsummary: (Needs summary)\n", "shelf/x")
    assert told == replace(ShelfFile("shelf/x", "x"), tags=("a", "b"), pin=True, working=False)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("title: [a]\n", "title should be one text"),
        ("pin: perhaps\n", "neither true nor false"),
        ("tags: {a: b}\n", "tags should be a list"),
        ("provenance: now\n", "provenance should hold"),
        ("watched: {path: a, size: -1}\n", "watched should hold"),
        ("- a\n", "should hold `key: value`"),
        ("a: &x 1\nb: *x\n", "aliases"),
        ("title: [\n", "line 2"),
        ("x" * 70_000, "longer than 64 KB"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, what: str) -> None:
    with pytest.raises(ReelError, match=what) as caught:
        parse_sidecar(text, "shelf/a.md")
    assert "shelf/a.md.meta.yml" in caught.value.message

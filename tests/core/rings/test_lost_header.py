"""A header that an edit broke is told of with the way to have it back; a whole one is left alone."""

import pytest

from reel_cli.core.rings.lost_header import find_lost_header, is_headless

PATH = "ring3/M-002.md"
HEADER = "---\nid: M-002\nuid: 4f2a\ntitle: The gull\nlevel: L1\nsource: 2026-01-01-1#1-2\n---\n"
BODY = "\n## What happened\nA gull took the bread.\n"


def hint_of(text: str) -> str:
    found = find_lost_header(PATH, f"{HEADER}{BODY}".encode(), text.encode())
    assert found is not None
    return found.hint or ""


def test_of_lines_that_are_still_there_only_the_first_is_asked_for() -> None:
    lines = HEADER.removeprefix("---\n")
    assert "above those that are still there" in hint_of(f"{lines}{BODY}")


def test_lines_that_are_gone_are_told_in_full() -> None:
    assert "---  id: M-002  uid: 4f2a  title: The gull  level: L1  source:" in hint_of(BODY.strip())


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_byte_order_mark_before_a_header_takes_nothing_from_it(mark: str) -> None:
    whole = f"{mark}{HEADER}{BODY}".encode()
    assert not is_headless(PATH, whole)
    assert find_lost_header(PATH, f"{HEADER}{BODY}".encode(), whole) is None
    assert is_headless(PATH, f"{mark}{BODY}".encode())
    # a page is no memory, and begins as it likes
    assert not is_headless("checkpoints/2026-01-01-1.md", BODY.encode())

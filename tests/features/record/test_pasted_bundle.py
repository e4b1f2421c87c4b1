"""A bundle above a pasted chat: nothing of it was said, its examples neither."""

from pathlib import Path

import pytest

from tests.support.cli import Reel


@pytest.mark.parametrize("mark", ["", "**"], ids=["plain", "bold"])
@pytest.mark.parametrize("before", [False, True], ids=["by nobody", "by the person"])
def test_only_the_chat_below_it_was_said(reel: Reel, kit: Path, mark: str, *, before: bool) -> None:
    bundle = reel("pack").ok().out.rstrip()
    assert "**Ada:**" in bundle
    you, ada = f"{mark}You:{mark} ", f"{mark}Ada:{mark} "
    text = f"{you if before else ''}{bundle}\n\n{you}Did it come?\n\n{ada}No.\n\n{you}Late.\n"
    reel("record", "-", stdin=text).ok()
    told = reel("tape", "show", "2026-03-01-1").ok().out
    assert told == "Bo: Did it come?\n\nAda: No.\n\nBo: Late.\n"
    assert "who you are" in reel("tape", "show", "2026-03-01-1", "--all").ok().out


def test_a_bundle_alone_is_no_chat(reel: Reel, kit: Path) -> None:
    (kit.parent / "bundle.md").write_text(reel("pack").ok().out)
    done = reel("record", kit.parent / "bundle.md")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("Error: bundle.md is a text that reel packed, and nobody speaks below it.\n")


def test_a_prompt_alone_is_no_chat(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin="You: Did it come?\nAda: No.\n").ok()
    (kit.parent / "prompt.md").write_text(reel("checkpoint", "--prompt").ok().out)
    done = reel("record", kit.parent / "prompt.md")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("Error: prompt.md is a prompt that reel wrote, and nobody speaks below it.\n")

"""A card of a kit that has a greeting begins with it; its examples go where examples stand."""

import json
from pathlib import Path

import pytest

from tests.support.cli import Reel, git

ABOUT = "---\ntitle: At the door\nrole: general\nadded: 2026-01-31\nsource: seed\n---\n"
HELLO = f"{ABOUT}**Ada:** Come in, Bo. Mind the step."


def export(reel: Reel) -> dict[str, object]:
    data: dict[str, object] = json.loads(reel("export", "card").ok().out)["data"]
    return data


def put(kit: Path, text: str) -> None:
    (kit / "ring1/at-the-door.md").write_text(f"{text}\n", "utf-8")
    git(kit, "add", "-A")
    git(kit, "commit", "-qm", "an example")


@pytest.mark.parametrize("more", ["", "\n\nThe kettle is on."])
def test_words_that_answer_nobody_are_the_greeting(reel: Reel, kit: Path, more: str) -> None:
    before = export(reel)
    put(kit, HELLO + more)
    card = export(reel)
    assert before["first_mes"] == ""
    assert card["first_mes"] == f"Come in, Bo. Mind the step.{more}"
    assert card["mes_example"] == before["mes_example"]


def test_an_exchange_is_an_example(reel: Reel, kit: Path) -> None:
    put(kit, f"{HELLO}\n\n**Bo:** Thank you.")
    card = export(reel)
    assert card["first_mes"] == ""
    assert "Mind the step" in str(card["mes_example"])

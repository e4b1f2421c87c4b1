"""While a kit is young an exchange is proposed for less, and that is said."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.cli import Reel
from tests.support.growing_kit import TODAY, grow
from tests.support.pages import chat, page

COLD = '"careful looks cold from outside"'
COAT = '"read it standing up, with her coat on"'
TICKET = '"Go and buy the ticket"'


def proposed(kit: Path) -> Sequence[tuple[str, str]]:
    """The source of each exchange that is proposed, and why it is one."""
    found = []
    for path in sorted((kit / "review").glob("*-exemplar-*.md")):
        lines = dict(line.split(": ", 1) for line in path.read_text().split("---\n")[1].splitlines())
        found.append((lines["source"].strip('"'), lines.get("why", "").strip('"')))
    return found


def keep(reel: Reel, **parts: str) -> str:
    changed = {name.replace("_", " "): text for name, text in parts.items()}
    return reel("checkpoint", "--reply", "-", "--yes", stdin=page(changed)).ok().err


def test_what_must_not_fade_is_proposed_and_said(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    told = keep(reel, Never_let_fade=COAT)
    assert proposed(kit) == [(f"{TODAY}#3-4", "it must not fade, and Ada has few examples yet")]
    assert "For you to decide, in  reel review\n" in told
    assert (
        "an example (it must not fade, and Ada has few examples yet): "
        '"read it standing up, with her coat on"' in told
    )
    listed = json.loads(reel("review", "--json").ok().out)
    (waiting,) = [one for one in listed if one["kind"] == "exemplar"]
    assert waiting["why"] == f"on the page of chat {TODAY}: it must not fade, and Ada has few examples yet"
    reel("review", "accept", waiting["item"]).ok()
    assert any("Then let her read it" in path.read_text() for path in (kit / "ring1").glob("*.md"))


def test_words_of_a_person_or_of_a_slip_are_proposed_only_if_they_are_named(reel: Reel, kit: Path) -> None:
    """A person's secret, or a quarrel's worst line, was offered as how the persona sounds."""
    reel("record", "-", stdin=chat()).ok()
    told = keep(reel, Never_let_fade='"penicillin never"')
    assert (proposed(kit), "an example" in told) == ([], False)


@pytest.mark.parametrize("drift", ["shifted", "unsure"])
def test_nothing_of_a_page_with_a_shift_is_proposed_unnamed(reel: Reel, kit: Path, drift: str) -> None:
    reel("record", "-", stdin=chat()).ok()
    keep(reel, Never_let_fade=COAT, What_has_shifted=f'"{COLD[1:-1]}" It was a slip.\n{drift}')
    assert proposed(kit) == []


def test_an_example_has_the_name_of_the_line_that_was_copied(reel: Reel, kit: Path) -> None:
    """It had that of the message's first line, which may be about something else."""
    said = "no\nSigne is going to have a child. I said good, twice."
    answers = (("assistant", "Well now."), ("assistant", "Then you are somebody's grandfather."))
    reel("record", "-", stdin=chat(("user", said), *answers)).ok()
    keep(reel, Worth_showing_again='"Signe is going to have a child"\n"somebody\'s grandfather"')
    titles = [
        next(line for line in path.read_text().splitlines() if line.startswith("title:")).replace('"', "")
        for path in sorted((kit / "review").glob("*-exemplar-*.md"))
    ]
    assert titles == ["title: Signe is going to have a child.", "title: somebody's grandfather."]
    assert [source for source, _ in proposed(kit)] == [f"{TODAY}#7-8", f"{TODAY}#7-9"]


def test_what_a_person_marked_is_proposed_where_it_was_said(reel: Reel, kit: Path) -> None:
    reel("tape", "flag", "penicillin never").ok()
    reel("tape", "flag", "how tired he sounded").ok()
    reel("record", "-", stdin=chat()).ok()
    keep(reel)
    assert proposed(kit) == [(f"{TODAY}#5-6", "you marked it, and Ada has few examples yet")]


def test_an_example_is_told_with_its_question_mark(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat(("user", "Cut it?"), ("assistant", "Cut the opinion, keep the cat."))).ok()
    told = keep(reel, Worth_showing_again='"Cut it?"')
    assert 'an example: "Cut it?"' in told


def test_an_exchange_is_proposed_once(reel: Reel, kit: Path) -> None:
    reel("tape", "flag", "careful looks cold").ok()
    reel("record", "-", stdin=chat()).ok()
    keep(reel, Worth_showing_again=COLD, Never_let_fade=COLD)
    assert proposed(kit) == [(f"{TODAY}#1-2", "")]


def test_what_waits_or_is_in_the_pool_is_not_proposed_again(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    reel("exemplar", "add", "--from", f"{TODAY}#4-5", "--title", "Coat").ok()
    keep(reel, Never_let_fade=f"{COLD}\n{COAT}")
    assert [source for source, _ in proposed(kit)] == [f"{TODAY}#1-2"]
    more = [("user", "One more thing about the boat."), ("assistant", "Name it after her.")]
    reel("record", "-", stdin=chat(*more)).ok()
    keep(reel, Never_let_fade=f"{COLD}\n{COAT}", What_happened="Then we named the boat.")
    assert [source for source, _ in proposed(kit)] == [f"{TODAY}#1-2"]


def test_a_page_proposes_two_at_most_that_nobody_named(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    keep(reel, Never_let_fade=f"{COLD}\n{COAT}\n{TICKET}")
    assert [source for source, _ in proposed(kit)] == [f"{TODAY}#1-2", f"{TODAY}#3-4"]


def test_once_grown_up_only_what_was_named_is_proposed(reel: Reel, kit: Path) -> None:
    grow(reel, kit, memories=10)
    (kit / "ring3/M-010.md").write_text(
        (kit / "ring3/M-010.md").read_text().replace("2026-02-10-1", "2026-02-09-1")
    )
    lines = "".join(
        f'M-10{n} | A line | "walrus orchestra" | factual | not immune <!-- 2026-02-10-1#1 -->\n'
        for n in (4, 5)
    )
    with (kit / "ring4/index.md").open("a") as file:
        file.write(lines)
    assert json.loads(reel("status", "--json").ok().out)["mature"] is True
    told = keep(reel, Never_let_fade=COAT, Worth_showing_again=COLD)
    assert proposed(kit) == [(f"{TODAY}#1-2", "")]
    assert "still young" not in told

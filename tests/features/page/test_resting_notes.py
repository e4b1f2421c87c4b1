"""Open loops that nobody speaks of for long leave the open list, and come back by one word."""

from pathlib import Path

import pytest

from reel_cli.features.page.notes.resting_notes import MOST_OPEN, QUIET
from tests.support.cli import Reel
from tests.support.pages import page, say
from tests.support.shelf import ready_made

THINGS = ("kettle", "ladder", "violin", "bridge", "garden", "mirror", "tunnel", "candle", "anchor", "saddle")
WORKING = "ring2/working.md"
BY_HAND = "Whether the harbour light burns"
DUE = "I owe Marta the violin by 24 December 2027"
MANY = MOST_OPEN + 4


def loop(number: int) -> str:
    return f"What comes of the {THINGS[number % 10]} in room {number // 10 + 1}{number}"


def keep(
    reel: Reel,
    kit: Path,
    day: int,
    unresolved: str = "nothing",
    words: str = "The kiln was warm",
    *,
    still: str = "",
) -> str:
    """Record an evening and keep its page, which says of one note that it goes on; what keeping it showed."""
    talk = [
        ("user", f"{words} on evening {day}."),
        ("assistant", f"Then evening {day} had its broom and fire."),
    ]
    say(reel, kit, talk, day)
    lines = reel("checkpoint", "--prompt", cwd=kit).ok().out.splitlines() if still else []
    number = next((line.partition(".")[0] for line in lines if still and still in line), "")
    assert bool(number) == bool(still)
    parts = {
        "In a few words": f"Evening {day}",
        "What happened": "The kiln was warm.",
        "What changed": "nothing",
        "What's unresolved": unresolved,
        "Lines to find it by": f'"evening {day} had its broom"',
        "In one breath": "The kiln was warm.",
        "What has shifted": "nothing\nsteady",
        "My notes": f"{number}. still" if still else "nothing",
    }
    return reel("checkpoint", "--reply", "-", "--yes", stdin=page(parts), cwd=kit).ok().err


def loops(kit: Path) -> str:
    return (kit / WORKING).read_text().partition("## Open loops")[2].partition("\n## ")[0]


@pytest.fixture
def quiet(reel: Reel, kit: Path) -> Path:
    """A kit with many open loops, one by hand and one with a day, and all quiet evenings but one."""

    def make() -> None:
        text = (kit / WORKING).read_text()
        (kit / WORKING).write_text(text.replace("## Open loops\n", f"## Open loops\n- {BY_HAND}\n", 1))
        keep(reel, kit, 10, "\n".join((DUE, *(loop(n) for n in range(MANY)))))
        for day in range(11, 10 + QUIET - 1):
            keep(reel, kit, day)

    ready_made(kit, "many loops and quiet evenings", make)
    return kit


def test_what_no_chat_spoke_of_for_long_rests_and_comes_back(reel: Reel, quiet: Path) -> None:
    last = 10 + QUIET - 1
    assert all(loop(n) in loops(quiet) for n in range(MANY))
    assert "rest" not in keep(reel, quiet, last)
    before = loops(quiet)
    told = keep(reel, quiet, last + 1, words=f"I asked about {THINGS[0]} in room 10")
    after = loops(quiet)
    rested = [n for n in range(MANY) if loop(n) not in after]
    # the oldest go, as many as are too many, and none that was spoken of
    assert rested
    assert rested == list(range(1, len(rested) + 1))
    assert len(before.strip().splitlines()) - len(rested) == MOST_OPEN
    assert loop(0) in after
    assert DUE in after
    assert BY_HAND in after
    assert f"{len(rested)} notes rest" in told
    assert f"reel restore {WORKING}" in told
    listed = reel("log", "--forgotten", cwd=quiet).ok().out
    assert loop(1) in listed
    reel("restore", WORKING, cwd=quiet).ok()
    assert all(loop(n) in loops(quiet) for n in range(MANY))


def test_what_rests_is_found_by_recall(reel: Reel, quiet: Path) -> None:
    for day in (10 + QUIET - 1, 10 + QUIET):
        keep(reel, quiet, day)
    assert loop(1) not in loops(quiet)
    found = reel("recall", "what comes of the ladder in room 11", cwd=quiet).ok().out
    assert "on evening 10" in found
    assert "on evening 11" not in found
    assert any(loop(1) in one.read_text() for one in (quiet / "ring3").iterdir())


def test_a_note_of_a_day_that_two_pages_left_alone_rests_and_is_named(reel: Reel, kit: Path) -> None:
    """Of 29 open loops 20 were dead, for the prompt had no room to ask about them."""
    promise = "I promised Marta the violin by 11 February 2026"
    keep(reel, kit, 10, f"The vet in Ottensen, 11 February 2026\n{promise}\nThe fair on 13 February 2026")
    assert "rest" not in keep(reel, kit, 12)
    told = keep(reel, kit, 14)
    assert "1 note rests, as its day is over, or no chat spoke of it for long." in told
    assert "rests: “The vet in Ottensen, 11 February 2026" in told
    assert "Ottensen" not in loops(kit)
    assert (promise in loops(kit), "The fair" in loops(kit)) == (True, True)


def test_a_note_of_which_the_page_says_that_it_goes_on_does_not_rest(reel: Reel, kit: Path) -> None:
    vet = "The vet in Ottensen, 11 February 2026"
    keep(reel, kit, 10, vet)
    keep(reel, kit, 12)
    assert "rests" not in keep(reel, kit, 14, still="The vet in Ottensen")
    assert vet in loops(kit)


def test_a_note_of_a_day_that_was_over_when_it_was_noted_does_not_rest(reel: Reel, kit: Path) -> None:
    """A parcel that was ordered on a day and never came left the open loops with the next page."""
    parcel = "The parcel ordered on 3 February 2026 has not come"
    keep(reel, kit, 10, parcel)
    assert "rests" not in keep(reel, kit, 12) + keep(reel, kit, 14)
    assert parcel in loops(kit)


def test_what_this_chat_speaks_of_with_its_one_word_does_not_rest(reel: Reel, quiet: Path) -> None:
    """“Whether he ever tells Kalle about the cones” rested in a chat that spoke of the cones."""
    keep(reel, quiet, 10 + QUIET - 1)
    keep(reel, quiet, 10 + QUIET, words=f"Nothing but the {THINGS[6]} was left")
    assert (loop(5) in loops(quiet), loop(6) in loops(quiet)) == (False, True)


def test_few_notes_never_rest(reel: Reel, kit: Path) -> None:
    keep(reel, kit, 10, "\n".join(loop(n) for n in range(4)))
    for day in range(11, 12 + QUIET):
        assert "rest" not in keep(reel, kit, day)
    assert all(loop(n) in loops(kit) for n in range(4))


def test_a_note_that_a_person_brought_back_does_not_rest_again(reel: Reel, kit: Path) -> None:
    """A verse “over to next August” rested at four pages, after each was brought back."""
    vet = "The vet in Ottensen, 11 February 2026"
    keep(reel, kit, 10, vet)
    keep(reel, kit, 12)
    assert "rests" in keep(reel, kit, 14)
    reel("restore", WORKING).ok()
    assert vet in loops(kit)
    assert "rests" not in keep(reel, kit, 16) + keep(reel, kit, 18)
    assert vet in loops(kit)


def test_what_is_owed_by_a_day_does_not_rest_when_it_is_overdue(reel: Reel, kit: Path) -> None:
    torch = "Marta's head torch back by 11 February 2026"
    keep(reel, kit, 10, f"{torch}\nThe vet in Ottensen, 11 February 2026")
    keep(reel, kit, 12)
    told = keep(reel, kit, 14)
    assert ("rests: “The vet" in told, "rests: “Marta" in told) == (True, False)
    assert torch in loops(kit)
    say(reel, kit, [("user", "The kiln was warm."), ("assistant", "It was.")], 16)
    prompt = reel("checkpoint", "--prompt").ok().out
    number = next(line.partition(".")[0] for line in prompt.splitlines() if torch in line)
    assert f"Overdue: {number}." in prompt

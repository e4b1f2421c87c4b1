"""A chat that goes on days later in the same file: its page is of the new day, and the newest talk of all."""

import json
from pathlib import Path

import pytest

from tests.support.cli import Reel
from tests.support.pages import page

Said = list[tuple[str, str, str]]
FIRST: Said = [
    ("user", "The kettle sings again since I cleaned it.", "2026-03-03T21:10:00+00:00"),
    ("assistant", "Then it was never the kettle.", "2026-03-03T21:11:00+00:00"),
    ("user", "My father calls on Sundays, always at noon.", "2026-03-03T21:12:00+00:00"),
    ("assistant", "Noon on Sundays. I will remember.", "2026-03-03T23:50:00+00:00"),
]
MIDNIGHT: Said = [("user", "Still awake. Good night.", "2026-03-04T00:20:00+00:00")]
BETWEEN: Said = [
    ("user", "The tram was late again today.", "2026-03-04T20:00:00+00:00"),
    ("assistant", "It always is on Wednesdays.", "2026-03-04T20:01:00+00:00"),
]
LATER: Said = [
    ("user", "The old radio hums when the lamp is on.", "2026-03-08T20:00:00+00:00"),
    ("assistant", "Then move the lamp, not the radio.", "2026-03-08T20:01:00+00:00"),
    ("user", "My sister comes tomorrow, she is allergic to dust.", "2026-03-08T20:02:00+00:00"),
    ("assistant", "Tomorrow. Then dust the radio first.", "2026-03-08T20:03:00+00:00"),
]


def tell(line: str, title: str, state: str, notes: str = "") -> str:
    """A page with this line to find it by, this title, and this state."""
    told = {"Lines to find it by": f'"{line}"', "In a few words": title, "What's unresolved": "nothing"}
    told |= {"What happened": line, "In one breath": line, "What has shifted": "nothing"}
    told |= {"What changed": "Nothing.", "What matters": "Nothing.", "What may be asked later": "nothing"}
    return page({**told, "My notes": f"{notes}\nstate: {state}".strip()})


def record(reel: Reel, said: Said) -> None:
    rows = [{"role": role, "content": text, "created_at": at} for role, text, at in said]
    (reel.cwd / "chat.json").write_text(json.dumps({"id": said[0][1], "messages": rows}))
    reel("record", reel.cwd / "chat.json").ok()


def keep(reel: Reel, text: str) -> str:
    return reel("checkpoint", "--reply", "-", "--yes", stdin=text).ok().err


@pytest.fixture
def gone_on(reel: Reel, kit: Path) -> Path:
    """A kit whose chat of 3 March has its page, as has one of 4 March, and then went on, on the 8th."""
    record(reel, [*FIRST, *MIDNIGHT])
    asked = reel("checkpoint", "--prompt").ok().out
    # an evening that lasts until after midnight is that evening's
    assert asked.startswith("It is 3 March 2026, Ada.")
    keep(reel, tell("Then it was never the kettle", "The kettle sings", "The kettle sings."))
    assert "\nday:" not in (kit / "ring3/M-001.md").read_text()
    record(reel, BETWEEN)
    keep(reel, tell("It always is on Wednesdays", "The late tram", "The tram is late."))
    record(reel, [*FIRST, *MIDNIGHT, *LATER])
    return kit


def test_the_page_is_of_the_day_on_which_the_chat_went_on(reel: Reel, gone_on: Path) -> None:
    prompt = reel("checkpoint", "--prompt").ok().out
    assert prompt.startswith("It is 8 March 2026, Ada.")
    assert "\n## What I know for sure\n" in prompt
    notes = "new: dust the radio tomorrow"
    kept = keep(reel, tell("Then move the lamp", "The radio hums", "His sister comes tomorrow.", notes))
    assert "a later chat has its page" not in kept
    working = (gone_on / "ring2/working.md").read_text()
    assert "His sister comes on 9 March 2026" in working
    assert "The tram is late." not in working
    listed = [line.split("  ")[:2] for line in reel("memory", "list").ok().out.splitlines()]
    assert ["M-003", "2026-03-08"] in listed
    bundle = reel("pack").ok().out
    told = (
        "The kettle sings (3 March 2026)",
        "The late tram (4 March 2026)",
        "The radio hums (8 March 2026)",
    )
    assert [bundle.count(title) for title in told] == [1, 1, 1]
    assert sorted(told, key=bundle.index) in ([*told], [*reversed(told)])
    # nothing of it is left to ask for
    assert reel("checkpoint", "--reply", "-", "--yes", stdin=tell("x", "x", "x")).code == 1


def test_a_page_of_an_earlier_chat_leaves_the_state_as_the_newest_talk_left_it(
    reel: Reel, gone_on: Path
) -> None:
    keep(reel, tell("Then move the lamp", "The radio hums", "The radio hums."))
    again = ("checkpoint", "--session", "2026-03-04-1", "--anew")
    reel(*again, "--prompt").ok()
    late = tell("It always is on Wednesdays", "The late tram", "The tram is late, still.")
    kept = reel(*again, "--reply", "-", "--yes", stdin=late).ok().err
    assert "a later chat has its page already" in " ".join(kept.split())
    assert "The radio hums." in (gone_on / "ring2/working.md").read_text()

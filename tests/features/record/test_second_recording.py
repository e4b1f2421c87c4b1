"""A chat whose session was taken back, recorded again: a new session, once, and only when it is named."""

import json
import time
from pathlib import Path

import pytest

from reel_cli.core.files.tree import WorkTree
from tests.support.cli import Reel, git
from tests.support.pages import chat

FIRST, SECOND, THIRD = "2026-02-25-1", "2026-02-25-2", "2026-02-25-3"


def keyed(key: str, *more: str) -> dict[str, object]:
    """One conversation as Claude.ai exports it, which has a key."""
    said = ["Shall we mend the kite?", "The tail first, then the frame.", *more]
    return {
        "uuid": key,
        "name": f"the kite {key}",
        "created_at": "2026-02-25T19:00:00Z",
        "chat_messages": [
            {
                "uuid": f"{key}-{i}",
                "sender": "assistant" if i % 2 else "human",
                "text": f"{text} ({key})",
                "created_at": f"2026-02-25T19:0{i}:00Z",
            }
            for i, text in enumerate(said)
        ],
    }


def states(reel: Reel, text: str, *more: str) -> list[tuple[str, str, int]]:
    rows = json.loads(reel("record", "-", "--json", *more, stdin=text).ok().out)["recorded"]
    return [(row["session"], row["state"], row["added"]) for row in rows]


@pytest.fixture
def taken_back(reel: Reel, kit: Path) -> Path:
    reel("record", "-", stdin=chat()).ok()
    reel("tape", "retract", FIRST).ok()
    return kit


def test_it_becomes_a_new_session_and_says_so(reel: Reel, taken_back: Path) -> None:
    old = (taken_back / f"tape/2026/{FIRST}.md").read_bytes()
    told = f"The same chat as {FIRST}, which was taken back and still does not count."
    assert told in reel("record", "-", "--dry-run", stdin=chat()).ok().err
    run = reel("record", "-", stdin=chat()).ok()
    assert run.out == f"Recorded “the letter” as {SECOND}, 6 messages.\n"
    assert told in run.err
    assert (taken_back / f"tape/2026/{FIRST}.md").read_bytes() == old
    assert "(taken back) the letter" in reel("tape", "list").ok().out
    assert "1 chat, 6 messages, and 1 taken back with 6 messages" in reel("tape", "verify").ok().out


def test_from_then_on_the_new_one_is_what_it_is_known_as(reel: Reel, taken_back: Path) -> None:
    assert states(reel, chat()) == [(SECOND, "new", 6)]
    assert states(reel, chat()) == [(SECOND, "known", 0)]
    # also where nothing is kept between runs
    (taken_back / ".reel/cache/tape.sqlite").unlink()
    more = chat(("user", "I bought it."), ("assistant", "Which track?"))
    assert states(reel, more) == [(SECOND, "grown", 2)]
    reel("tape", "retract", SECOND).ok()
    assert states(reel, more) == [(THIRD, "new", 8)]


def test_a_chat_with_a_key_too(reel: Reel, kit: Path) -> None:
    one = json.dumps([keyed("a")])
    assert states(reel, one) == [(FIRST, "new", 2)]
    reel("tape", "retract", FIRST).ok()
    assert states(reel, one) == [(SECOND, "new", 2)]
    assert states(reel, json.dumps([keyed("a", "And the string?")])) == [(SECOND, "grown", 1)]
    # should the first stand again, it is said that both have the same chat
    again = reel("tape", "retract", FIRST, "--undo").ok()
    assert f"{SECOND} has the same chat, so it counts twice now" in " ".join(again.err.split())
    assert len(list((kit / "tape/2026").iterdir())) == 2


def test_of_many_what_was_taken_back_stays_out_until_it_is_chosen(reel: Reel, kit: Path) -> None:
    both = json.dumps([keyed("a"), keyed("b")])
    assert [state for _, state, _ in states(reel, both)] == ["new", "new"]
    reel("tape", "retract", FIRST, SECOND).ok()
    head = git(kit, "rev-parse", "HEAD")
    run = reel("record", "-", stdin=both).ok()
    assert f"{FIRST} was taken back earlier" in run.err
    assert "To record it as a new chat" in run.err
    assert git(kit, "rev-parse", "HEAD") == head
    assert states(reel, both, "--select", "2") == [(THIRD, "new", 2)]
    # one of them named under its own session stays as that is
    assert states(reel, json.dumps([keyed("a")]), "--session", FIRST) == [(FIRST, "known", 0)]


def test_what_was_purged_stays_out(reel: Reel, taken_back: Path) -> None:
    reel("purge", "--match", "standing up, with her coat on", "--confirm", "Ada").ok()
    run = reel("record", "-", stdin=chat()).ok()
    assert "purged from this kit" in run.err
    files = [path.read_text() for path in (taken_back / "tape/2026").iterdir()]
    assert len(files) == 2
    assert not any("with her coat on" in text for text in files)


def test_purging_the_new_one_names_or_takes_what_the_old_one_holds(reel: Reel, taken_back: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    run = reel("purge", SECOND, "--dry-run").ok()
    assert FIRST in run.out + run.err


def test_end_records_it_again_where_it_is_named(reel: Reel, taken_back: Path) -> None:
    place = taken_back.parent / "letter.json"
    place.write_text(chat())
    run = reel("end", place, "--dry-run").ok()
    assert "Would record “the letter”, 6 messages." in run.out
    assert f"The same chat as {FIRST}, which was taken back" in run.err
    assert WorkTree(taken_back).read(f"tape/2026/{SECOND}.md") is None


def test_a_dry_run_of_a_chat_that_grew_or_was_edited_says_what_would_be(reel: Reel, kit: Path) -> None:
    place = kit.parent / "ferry.txt"
    said = [
        "User: Did the ferry run?",
        "Ada: Twice, and I missed both.",
        "User: Poor you.",
        "Ada: The next, then.",
    ]
    more = ["User: And today?", "Ada: It did not run."]

    def look(lines: list[str]) -> str:
        place.write_text("\n\n".join(lines) + "\n")
        return " ".join(reel("end", place, "--dry-run").ok().out.split())

    place.write_text("\n\n".join(said) + "\n")
    reel("record", place).ok()
    told = look([*said, *more])
    assert "has grown: 2 would be added to " in told
    assert told.endswith(", then 6 messages.")
    told = look([*said[:3], "Ada: The one at noon, then."])
    assert "was edited since: 1 would be added to " in told
    assert told.endswith("what stood there would stay.")


# -- the day of a chat that tells none --------------------------------------------------------------

PASTED = "**You:** Did the ferry run at all?\n\n**Ada:** Twice, and I missed both.\n\n## My notes\nstill\n"


def test_a_chat_without_a_day_says_where_it_stands_and_comes_to_its_own(reel: Reel, kit: Path) -> None:
    place = kit.parent / "ferry.txt"
    place.write_text(PASTED)
    first = reel("record", place).ok()
    told = (
        f"  It has no date, so it counts as today's. For another day:  reel record {place} --on 2026-02-28\n"
    )
    assert told in first.err
    again = reel("record", place, "--on", "2023-01-29").ok()
    assert "as 2023-01-29-1, 2 messages." in again.out
    assert "It stood under 1 March 2026 until now.\n" in again.err
    assert "counts as today" not in again.err
    # it is no chat more, and nobody took one back
    assert "taken back" not in reel("status").ok().out
    head = WorkTree(kit).read("tape/2023/2023-01-29-1.md") or b""
    assert b"\nstarted: 2023-01-29T00:00:00" in head
    assert "nothing was added" in reel("record", place).ok().out
    assert "as 2023-01-30-1" in reel("record", place, "--on", "2023-01-30").ok().out


def test_a_day_of_the_other_season_is_that_day(reel: Reel, kit: Path) -> None:
    # it is summer there in March, when these are recorded
    def record(*arguments: str | Path) -> str:
        return reel.forked("record", *arguments, env={"TZ": "Australia/Sydney"}, prepare=time.tzset).ok().out

    place = kit.parent / "ferry.txt"
    place.write_text(PASTED)
    assert "as 2024-07-15-1" in record(place, "--on", "2024-07-15")
    named = kit.parent / "2024-07-20 kite.md"
    named.write_text(PASTED.replace("ferry", "kite"))
    assert "as 2024-07-20-1" in record(named)
    late = kit.parent / "WhatsApp Chat with Ada.txt"
    at = "25/07/2024, 00:1"
    late.write_text(f"{at}0 - Messages are encrypted.\n{at}1 - Bo: Awake?\n{at}2 - Ada: Never more.\n")
    assert "as 2024-07-25-1" in record(late)
    assert "2024-07-25T00:11:00+10:00" in (kit / "tape/2024/2024-07-25-1.md").read_text()


def test_the_end_of_a_chat_without_a_day_takes_its_day(reel: Reel, kit: Path) -> None:
    place = kit.parent / "ferry.txt"
    place.write_text(PASTED)
    first = reel("end", place, "--yes").ok()
    assert f"  reel end {place} --on 2026-02-28\n" in first.err
    again = reel("end", place, "--yes", "--on", "2023-01-29").ok()
    assert "It stood under 1 March 2026 until now.\n" in again.err
    head = WorkTree(kit).read("tape/2023/2023-01-29-1.md") or b""
    assert b"\nstarted: 2023-01-29T00:00:00" in head
    assert reel("end", "--on", "2023-01-29").code == 2


def test_on_goes_before_the_name_of_a_file_and_behind_what_stands_in_it(reel: Reel, kit: Path) -> None:
    named = kit.parent / "2026-02-28.txt"
    named.write_text(PASTED)
    assert "(2023-01-29-1)" in reel("record", named, "--on", "2023-01-29", "--dry-run").ok().out
    run = reel("record", named, "--dry-run").ok()
    assert "(2026-02-28-1)" in run.out
    assert "its day was taken from the file's name (2026-02-28.txt)" in run.err
    named.write_text(f"20 January 2023\n\n{PASTED}")
    refused = reel("record", named, "--on", "2023-01-29")
    assert refused.code == 1
    assert refused.err == (
        "Error: The chat tells its own day (2023-01-20); --on is for one that tells none.\n"
        "Hint: leave out  --on\n"
    )
    undated = kit.parent / "ferry.txt"
    undated.write_text(PASTED.replace("ferry", "tram"))
    rows = json.loads(reel("record", named, undated, "--on", "2023-01-29", "--json").ok().out)["recorded"]
    assert [row["session"] for row in rows] == ["2023-01-20-1", "2023-01-29-1"]


@pytest.mark.parametrize(
    ("day", "says"),
    [("yesterday", "is not a day"), ("2023-02", "is not a day"), ("2026-03-02", "is still to come")],
)
def test_what_is_no_day_is_refused(day: str, says: str, reel: Reel, kit: Path) -> None:
    run = reel("record", "-", "--on", day, stdin=PASTED)
    assert run.code == 2
    assert says in run.err
    assert reel("record", "--latest", "--on", "2023-01-29").code == 2
    assert reel("record", "--watch", "--on", "2023-01-29").code == 2
    assert not (kit / "tape/2026").exists()


def test_which_zone_times_were_taken_to_be_in_is_said_where_it_is_news(reel: Reel, kit: Path) -> None:
    place = kit.parent / "ferry.txt"
    text = "[2023-01-29 14:32] You: Did the ferry run?\n[2023-01-29 14:33] Ada: Twice.\n"
    place.write_text(text)
    assert reel("record", place).ok().err.count("  no time zone is given, so times count as UTC\n") == 1
    assert "without a zone" not in reel("record", place).ok().err
    settings = kit / "kit.yaml"
    settings.write_text(f"{settings.read_text()}timezone: Europe/Helsinki\n")
    place.write_text(text.replace("ferry", "tram"))
    assert "without a zone" not in reel("record", place).ok().err


def test_a_chat_of_which_there_is_a_page_keeps_its_day(reel: Reel, kit: Path) -> None:
    place = kit.parent / "ferry.txt"
    place.write_text(PASTED)
    reel("record", place).ok()
    page = "## What happened\nThe ferry ran twice.\n\n## What matters\nI missed both.\n\n## My notes\nstill\n"
    reel("checkpoint", "--brief", "--reply", "-", "--yes", stdin=page).ok()
    kept = reel("record", place, "--on", "2023-01-29").ok()
    assert "A chat keeps its day." in kept.err
    assert WorkTree(kit).read("tape/2023/2023-01-29-1.md") is None


def test_a_chat_that_was_undone_is_told_of_before_it_is_recorded_anew(reel: Reel, kit: Path) -> None:
    (kit.parent / "c2.txt").write_text("Bo: It rains in Molde.\n\nAda: Then stay in.\n")
    reel("record", "../c2.txt").ok()
    reel("undo", "--yes").ok()
    before = git(kit, "rev-parse", "HEAD")
    asked = reel("end", "../c2.txt", stdin="n\n", tty=True)
    shown = " ".join(f"{asked.out} {asked.err}".split())
    assert "and taken back. To have it back as it was: reel redo" in shown
    assert "Record it anew? [y/N]" in shown
    assert git(kit, "rev-parse", "HEAD") == before
    reel("redo", "--yes").ok()
    assert len(list(kit.glob("tape/*/*.md"))) == 1
    reel("undo", "--yes").ok()
    told = reel("record", "../c2.txt", "--yes").ok()
    assert "To have it back as it was: reel redo" in " ".join(told.err.split())
    assert len(list(kit.glob("tape/*/*.md"))) == 2

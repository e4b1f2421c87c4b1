"""`reel why`: the life of a memory or a phrase, in order of time and in plain words."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.files.commit_message import Forgotten, render_forgotten
from reel_cli.core.files.memory_file import render_memory
from tests.support.cli import Reel, git
from tests.support.lived_kit import BUS, LETTER, PAGE, PHONE, live
from tests.support.shelf import take_over


@pytest.fixture
def lived(reel: Reel, kit: Path) -> Path:
    """The kit after three evenings."""
    return live(reel, kit)


def commit(kit: Path, when: str, message: str) -> str:
    """A commit of all there is, on a day; its name."""
    git(kit, "add", ".")
    git(kit, "-c", "user.name=Bo", "commit", "-q", "--allow-empty", "--date", when, "-m", message)
    return git(kit, "rev-parse", "--short=7", "HEAD").strip()


def told(reel: Reel, *words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reel("why", *words, "--json").ok().out)
    return found


def test_a_memory_is_told_in_order_of_time(reel: Reel, lived: Path) -> None:
    kept = commit(
        lived,
        "2026-02-10T22:00:00+00:00",
        f"checkpoint: The phone number test\n\nReel-Op: checkpoint\nReel-Session: {PHONE}\n"
        "Reel-Memory: M-001 L1 231\nReel-Tokenizer: o200k_base\n",
    )
    loss = Forgotten(
        "M-001", "L1", "L2", 231, 140, f"{PHONE}#1-4", "0" * 40, "190 days, ring 3 over its range"
    )
    faded = commit(
        lived,
        "2026-02-20T10:00:00+00:00",
        f"maintain: let go\n\nReel-Op: maintain\nReel-Forgot: {render_forgotten(loss)}\n",
    )
    back = commit(
        lived,
        "2026-02-21T10:00:00+00:00",
        "restore: The phone number test\n\nReel-Op: restore\nReel-Memory: M-001 L1 231\n",
    )
    (lived / "journal").mkdir(exist_ok=True)
    (lived / "journal/2026-02.jsonl").write_text(
        "".join(
            json.dumps({"id": str(i), "at": at, "session": PHONE, "do": do, "on": on}) + "\n"
            for i, (at, do, on) in enumerate(
                [
                    ("2026-02-12T10:00:00Z", "recall", "M-001"),
                    ("2026-02-12T11:00:00Z", "recall", "M-001"),
                    ("2026-02-13T10:00:00Z", "reference", "M-001"),
                    ("2026-02-14T10:00:00Z", "pack", "M-001 M-003"),
                    ("2026-02-15T10:00:00Z", "pack", "M-003 M-001"),
                    ("2026-02-16T10:00:00Z", "pin", "M-001"),
                    ("2026-02-16T10:00:00Z", "pin", "M-0011"),
                ]
            )
        )
    )
    reel("recall", "phone number", "-n", "1").ok()
    lines = reel("why", "M-001").ok().out.splitlines()
    why = "231 to 140 tokens: 190 days, memories over their share"
    assert lines[:12] == [
        "M-001  The phone number test",
        "",
        f"2026-02-10  said, chat {PHONE}, messages 1 to 4",
        "2026-02-10  Ada: “a stair that was never built” (message 4)",
        f"2026-02-10  became a memory: a page of 231 tokens  ({kept})",
        "2026-02-12  recalled, 2 times",
        "2026-02-13  came up again",
        "2026-02-15  packed, 2 times since 2026-02-14",
        "2026-02-16  pinned",
        f"2026-02-20  faded from a page to a shorter page, {why}  ({faded})",
        f"2026-02-21  brought back as a page of 231 tokens  ({back})",
        "2026-03-01  recalled",
    ]
    assert lines[12:14] == ["", "It is a page now."]


@pytest.mark.usefixtures("lived")
@pytest.mark.parametrize("name", ["M-001", "m-001", "M-1", "M-0001"])
def test_a_number_may_be_written_as_people_do(reel: Reel, name: str) -> None:
    assert told(reel, name)["id"] == "M-001"


@pytest.mark.usefixtures("lived")
def test_a_number_nothing_has_is_an_error_with_the_near_ones(reel: Reel) -> None:
    done = reel("why", "M-014")
    assert (done.code, done.err) == (
        1,
        "Error: There is no memory M-014.\nHint: there are: M-001, M-002, M-003\n",
    )
    assert reel("why", "M-99999999999999999999").code == 1


@pytest.mark.usefixtures("lived")
def test_a_line_is_told_too(reel: Reel) -> None:
    found = told(reel, "M-002")
    assert (found["kind"], found["title"]) == ("line", "Memorial DCD critical priority")
    assert [one["words"] for one in found["life"]] == [
        f"said, chat {BUS}, messages 1 to 2",
        "Ada: “goes before everything else” (message 2)",
    ]
    assert found["now"][0] == "It is a line that says where it was said."


def test_it_says_what_the_last_bundle_held_and_why_not(reel: Reel, lived: Path) -> None:
    assert told(reel, "M-001")["now"][-1].startswith(
        "The last bundle is not known on this machine. One made now has it whole ("
    )
    reel("pack").ok()
    assert told(reel, "M-001")["now"][-1].startswith("It was in the last bundle. One made now has it whole (")
    fresh = replace(PAGE, id="M-004", title="A page no one packed", uid="u4")
    (lived / "ring3/M-004.md").write_text(render_memory(fresh))
    assert told(reel, "M-004")["now"][-1].startswith(
        "It was not in the last bundle. One made now has it whole ("
    )


def test_left_out_has_its_reason(reel: Reel, lived: Path) -> None:
    body = "He told me a long story about the harbour and its cranes. " * 12
    for number in range(10, 400):
        memory = replace(
            PAGE,
            id=f"M-{number:03}",
            uid=f"u{number}",
            title=f"Cranes {number}",
            marker=body[:240],
            source=(),
            sessions=(LETTER,),
            tag=f"Cranes, the {number}th time, and what he said of the harbour that evening",
        )
        (lived / f"ring3/M-{number:03}.md").write_text(render_memory(memory))
    reel("pack").ok()
    bundle = json.loads(reel("pack", "--json").ok().out)
    reasons = {item["id"]: item["reason"] for item in bundle["left_out"] if item["ring"] == "3"}
    name = next(iter(reasons))
    assert told(reel, name)["now"][-1] == f"It was left out of the last bundle: {reasons[name]}."


@pytest.mark.usefixtures("lived")
def test_a_phrase_is_followed_from_the_tape_to_what_carries_it(reel: Reel) -> None:
    found = told(reel, "a", "stair", "that was never built")
    assert (found["kind"], found["text"]) == ("phrase", "a stair that was never built")
    assert [(s["session"], s["message"], s["speaker"], s["words"]) for s in found["said"]] == [
        (PHONE, 4, "Ada", "a stair that was never built")
    ]
    assert [life["id"] for life in found["carried"]] == ["M-001"]
    done = reel("why", "a stair that was never built").ok()
    assert done.out.startswith(
        "“a stair that was never built” was said:\n"
        "  2026-02-10  Ada: Like reaching for a stair that was never built."
        f" (chat {PHONE}, message 4)\n\n"
        "M-001  The phone number test\n"
    )
    assert done.err == "Everything about it:  reel why M-001\n"


@pytest.mark.usefixtures("lived")
def test_a_name_is_found_by_what_is_theirs(reel: Reel) -> None:
    for asked in ("never built's", "never built’s"):
        assert reel("why", asked).ok().out.startswith("“never built” was said:\n")


@pytest.mark.usefixtures("lived")
def test_a_phrase_that_nothing_carries(reel: Reel) -> None:
    done = reel("why", "penicillin never").ok()
    assert "Bo: And penicillin never, the doctor said so again." in done.out
    assert done.err == (
        "No memory and no line of the index has it.\nTo keep it:  reel recall 'penicillin never' --promote\n"
    )


@pytest.mark.usefixtures("lived")
def test_a_phrase_nobody_said(reel: Reel) -> None:
    found = told(reel, "penicillin always forever")
    assert (found["said"], found["times"]) == ([], 0)
    done = reel("why", "penicillin always forever").ok()
    assert (done.out, done.err.splitlines()[0]) == (
        "",
        "Nobody said exactly “penicillin always forever”.",
    )


def test_a_session_and_a_stretch_of_it(reel: Reel, lived: Path) -> None:
    found = told(reel, PHONE)
    assert (found["kind"], found["title"]) == ("session", "evening 0")
    words = [one["words"] for one in found["life"]]
    assert words[0] == f"said, chat {PHONE}"
    assert any(word.startswith("recorded: ") for word in words)
    assert found["now"][0] == "Made from it: M-001."
    assert told(reel, f"{PHONE}#5-6")["now"][0] == "No memory is made from it yet."
    reel("fact", "add", "identity", "name", "Bo", "--source", f"{PHONE}#2").ok()
    reel("exemplar", "add", "--from", f"{PHONE}#1-2", "--title", "The number").ok()
    into = f'exemplar: "The number" into the pool\n\nReel-Op: exemplar\nReel-Session: {PHONE}\n'
    commit(lived, "2026-03-02T10:00:00+00:00", into)
    (second, third) = (told(reel, f"{PHONE}#{number}") for number in (2, 3))
    assert (second["id"], third["id"]) == (f"{PHONE}#2", f"{PHONE}#3")
    assert [any("The number" in one["words"] for one in each["life"]) for each in (second, third)] == [
        True,
        False,
    ]
    known = "Known by heart from it: identity, name: Bo."
    assert [known in each["now"] for each in (second, third)] == [True, False]
    for wrong in ("999", "0", "5-2", "1-999"):
        refused = reel("why", f"{PHONE}#{wrong}")
        assert refused.code == 1
        assert f"has no “{wrong}”: it has 6 messages." in refused.err
    reel("tape", "retract", PHONE, "--why", "the wrong window").ok()
    after = told(reel, PHONE)
    assert [one["words"] for one in after["life"] if one["what"] == "retract"] == [
        "taken back: the wrong window"
    ]
    assert after["now"][0] == "It was taken back, so none of it counts."
    assert reel("why", "2026-02-10-9").code == 1


def test_an_example_is_told_too(reel: Reel, lived: Path) -> None:
    reel("exemplar", "add", "--from", f"{PHONE}#1-2", "--title", "The number").ok()
    found = told(reel, "the-number")
    assert (found["kind"], found["title"]) == ("exemplar", "The number")
    assert [one["words"] for one in found["life"]] == [
        f"said, chat {PHONE}, messages 1 to 2",
        "became an example",
    ]


@pytest.mark.usefixtures("kit")
def test_a_kit_with_nothing_in_it(reel: Reel) -> None:
    done = reel("why", "anything at all").ok()
    assert done.err.startswith("Nobody said exactly “anything at all”.\n")
    done = reel("why", "M-001")
    assert (done.code, done.err) == (1, "Error: There is no memory M-001.\nHint: there are no memories yet\n")
    assert reel("why", " ").code == 2


@pytest.mark.usefixtures("lived")
def test_control_codes_stay_off_a_terminal(reel: Reel) -> None:
    done = reel("why", "\x1b[2Jpenicillin\x07", tty=True).ok()
    assert [c for c in done.out + done.err if not c.isprintable() and c != "\n"] == []


@pytest.fixture
def meridian(reel: Reel, tmp_path: Path) -> Path:
    return take_over(reel, tmp_path / "kit", "meridian")


@pytest.mark.needs("threads")
@pytest.mark.usefixtures("meridian")
def test_a_memory_is_told_with_those_it_came_from_and_went_on_in(reel: Reel) -> None:
    shown = reel("why", "M-006").ok().out
    assert re.search(r"It came from: .*“The tin” \(M-003\)", " ".join(shown.split()))
    assert re.search(r"It went on in: .*\(M-009\)", " ".join(shown.split()))
    found = told(reel, "M-006")
    step = next(step for step in found["came_from"] if step["id"] == "M-003")
    assert {"title": "The tin", "thread": "Dara"}.items() <= step.items()
    assert step["reason"].endswith(".")
    for key, number in (("came_from", -1), ("went_on_in", 1)):
        assert 0 < len(found[key]) <= 3
        assert all((int(step["id"][2:]) - 6) * number > 0 for step in found[key])
    assert found["contradicts"] == []
    assert "It contradicts" not in shown


@pytest.mark.usefixtures("meridian")
def test_the_first_memory_came_from_none(reel: Reel) -> None:
    assert "It came from" not in reel("why", "M-001").ok().out
    assert told(reel, "M-001")["came_from"] == []

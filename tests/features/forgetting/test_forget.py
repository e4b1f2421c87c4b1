"""`reel forget` and `reel restore`, whole commands: what goes, what stays, and that all of it comes back."""

import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.change import transaction
from reel_cli.core.files.index_file import line_for, put_lines, render_line
from reel_cli.core.files.memory_file import render_memory
from reel_cli.core.git.repository import Repository, find_repository
from reel_cli.core.kit.memory_numbers import used_memory_numbers
from reel_cli.core.kit.snapshot import EVENTS, INDEX
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.memory import IndexLine
from reel_cli.core.values.talk import SourceRange
from tests.support.cli import Reel, git
from tests.support.lived_kit import BUS, DCD, DREAM, LETTER, PAGE, PHONE, live
from tests.support.pages import chat, page

PAGE_FILE = "ring3/M-001.md"
FADED = "Less of it is left: I found nothing where his number should have been.\n"


@pytest.fixture
def lived(reel: Reel, kit: Path) -> Path:
    return live(reel, kit)


def tokens(text: str) -> int:
    return get_tokenizer("o200k_base").count(text)


def head(kit: Path) -> str:
    return git(kit, "rev-parse", "HEAD").strip()


def repository(kit: Path) -> Repository:
    found = find_repository(kit)
    assert found is not None
    return found


def forgot(kit: Path) -> list[str]:
    """The trailers of the last commit that tell what was let go."""
    listed = git(kit, "log", "-1", "--format=%(trailers:key=Reel-Forgot,valueonly)")
    return [line for line in listed.splitlines() if line]


def lines(kit: Path) -> list[str]:
    return [line for line in (kit / INDEX).read_text(encoding="utf-8").splitlines() if line.startswith("M-")]


def losses(reel: Reel, *more: str) -> list[dict[str, Any]]:
    """Every loss of the table, newest first."""
    changes = json.loads(reel("log", "--forgotten", "--json", *more).ok().out)
    return [one for change in changes for one in change["forgot"]]


def pinned(reel: Reel) -> list[str]:
    return [one["id"] for one in json.loads(reel("memory", "list", "--json").ok().out) if one["pinned"]]


def fade(kit: Path, level: str, body: str = FADED) -> None:
    """Shorten the page as a pass of maintenance does, with a trailer that says so."""
    path = kit / PAGE_FILE
    was = git(kit, "rev-parse", f"HEAD:./{PAGE_FILE}").strip()
    text = path.read_text(encoding="utf-8")
    before = re.search(r"(?m)^level: (L\d)$", text)
    assert before is not None
    head_of_file = text[: text.index("---\n", 4) + 4]
    path.write_text(head_of_file.replace(f"level: {before[1]}", f"level: {level}") + body, encoding="utf-8")
    git(kit, "add", "-A")
    loss = f'Reel-Forgot: M-001 {before[1]}->{level} 40->20 source={PHONE}#1-4 was={was} why="190 days"'
    git(kit, "commit", "-q", "-m", f"maintain: one fades\n\nReel-Op: maintain\n{loss}")


# -- forgetting ---------------------------------------------------------------------------------


@pytest.mark.needs("facts")
def test_it_says_where_else_a_memory_is_told_with_the_command_for_that(reel: Reel, lived: Path) -> None:
    about = 'statement: "the phone of Bo"\n  origin: extraction\n'
    fact = f'- category: context\n  key: phone\n  value: a number\n  source: "{PHONE}#1"\n  {about}'
    (lived / "facts.yaml").write_text(fact)
    example = '---\ntitle: "Ring"\nrole: general\nsource: "{0}#1-2"\n---\n**Bo:** Ring.\n\n**Ada:** No.\n'
    (lived / "ring1" / "ring.md").write_text(example.format(PHONE))
    git(lived, "add", "-A")
    git(lived, "commit", "-q", "-m", "more")
    done = reel("forget", "M-001", "--yes").ok()
    assert done.err == (
        "Told elsewhere, too, and kept there:\n"
        "  facts: phone.  reel fact drop phone\n"
        "  examples: ring.  reel example retire ring\n"
        f"  bundles, word for word: the chat of 10 February 2026.  reel tape retract {PHONE}\n"
        "To bring it back:  reel restore M-001\n"
    )


@pytest.mark.needs("facts")
def test_what_was_dropped_before_is_not_among_it(reel: Reel, lived: Path) -> None:
    reel("fact", "add", "context", "phone", "a number", "--source", f"{PHONE}#1").ok()
    reel("fact", "drop", "phone", "--yes").ok()
    assert "facts:" not in reel("forget", "M-001", "--yes").ok().err


@pytest.mark.needs("stream")
@pytest.mark.parametrize("what", ["M-001", "coat on"])
def test_the_chats_that_bundles_repeat_are_named_and_the_command_ends_that(
    reel: Reel, kit: Path, what: str
) -> None:
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    assert "with her coat on" in reel("pack").ok().out
    told = " ".join(reel("forget", what, "--yes").err.split())
    command = re.search(r"word for word: (?:the .*?)?reel (tape retract [\d-]+)", told)
    assert command is not None
    reel(*command[1].split(), "--yes").ok()
    assert "coat on" not in reel("pack").ok().out


def test_a_memory_becomes_a_line_and_the_commit_says_what_why_and_where(reel: Reel, lived: Path) -> None:
    was = git(lived, "rev-parse", f"HEAD:{PAGE_FILE}").strip()
    others = [line for line in lines(lived) if not line.startswith("M-001")]
    done = reel("forget", "m-1", "--why", 'that is "over"', "--yes").ok()
    size = tokens(PAGE.body)
    assert done.out == "Let go: The phone number test.\n"
    assert done.err.endswith("To bring it back:  reel restore M-001\n")
    assert not (lived / PAGE_FILE).exists()
    assert lines(lived) == [f"{render_line(line_for(PAGE))}, pruned <!-- {PHONE}#1-4 -->", *others]
    assert forgot(lived) == [
        f'M-001 L1->stub {size}->0 source={PHONE}#1-4 was={was} why="that is \\"over\\""'
    ]
    assert git(lived, "log", "-1", "--format=%s").strip() == "forget: let go of M-001"
    assert git(lived, "status", "--porcelain") == ""
    shown = json.loads(reel("memory", "show", "M-001", "--json").ok().out)
    assert (shown["level"], shown["source"]) == ("stub", [f"{PHONE}#1-4"])
    reel("tape", "verify").ok()


def test_of_a_line_nothing_stays(reel: Reel, lived: Path) -> None:
    was = git(lived, "rev-parse", f"HEAD:{INDEX}").strip()
    reel("forget", "M-002", "--yes").ok()
    assert [line[:5] for line in lines(lived)] == ["M-001", "M-003"]
    size = tokens(render_line(DCD))
    assert forgot(lived) == [f'M-002 stub->dormant {size}->0 source={BUS}#1-2 was={was} why="your word"']
    assert reel("memory", "show", "M-002").code == 1


def test_what_went_with_its_line_comes_back_by_its_title(reel: Reel, lived: Path) -> None:
    """Only its number found it, or words of lines cut from it, which are other things."""
    title = json.loads(reel("memory", "show", "M-001", "--json").ok().out)["title"]
    reel("forget", "M-001", "--yes").ok()
    reel("forget", "M-001", "--yes").ok()
    assert "M-001" not in (lived / INDEX).read_text()
    cut = render_line(replace(DCD, id="M-009", description=f"{title}: you said"))
    (lived / INDEX).write_text((lived / INDEX).read_text() + cut + "\n")
    assert f"{title} (M-001) is back" in reel("restore", title).ok().out
    assert "M-001" in (lived / INDEX).read_text()


def test_several_go_in_one_commit_and_come_back_in_one(reel: Reel, lived: Path) -> None:
    before, tree = head(lived), git(lived, "rev-parse", "HEAD^{tree}").strip()
    reel("forget", "M-003", "M-001", "M-002", "M-001", "--yes").ok()
    assert git(lived, "rev-parse", "HEAD^").strip() == before
    assert [one.split()[:2] for one in forgot(lived)] == [
        ["M-003", "L3->stub"],
        ["M-001", "L1->stub"],
        ["M-002", "stub->dormant"],
    ]
    reel("restore", "M-001", "M-002", "M-003").ok()
    # the tape only grows: it tells that they were away
    changed = git(lived, "diff", "--name-only", before, "HEAD").split()
    assert changed == ["journal/2026-03.jsonl", "tape/events.md"]
    reel("undo").ok()
    reel("undo").ok()
    assert git(lived, "diff", "--stat", tree, "HEAD", "--", "ring3", "ring4") == ""


def test_one_that_is_not_there_and_nothing_is_let_go(reel: Reel, lived: Path) -> None:
    before = head(lived)
    done = reel("forget", "M-001", "M-077", "--yes")
    assert (done.code, done.err.splitlines()[0]) == (1, "Error: There is no memory M-077.")
    assert (head(lived), git(lived, "status", "--porcelain")) == (before, "")


def test_of_two_facts_of_one_name_the_command_names_which(reel: Reel, lived: Path) -> None:
    reel("fact", "add", "people", "agent", "Petra Holm").ok()
    reel("fact", "add", "context", "agent", "Hagen Dorn").ok()
    assert lived.exists()
    assert "reel fact drop context/agent" in " ".join(reel("forget", "hagen", "--yes").err.split())
    reel("fact", "drop", "context/agent", "--yes").ok()


def test_nothing_stands_everywhere(reel: Reel, lived: Path) -> None:
    assert lived.exists()
    assert "stands in" not in reel("forget", " ", "--yes").err


def test_a_word_that_is_no_memory_is_told_with_where_it_stands(reel: Reel, lived: Path) -> None:
    reel("fact", "add", "people", "agent", "Petra Holm").ok()
    working = lived / "ring2/working.md"
    working.write_text(f"{working.read_text()}\n## Active threads\n- call Petra about the draft\n")
    before = head(lived)
    done = reel("forget", "petra", "--yes")
    assert (done.code, head(lived)) == (1, before)
    # it was one sentence of six lines, and its hint erased the word
    first, *places, error, hint = done.err.splitlines()
    assert (first, error) == ("“petra” stands in:", "Error: No memory is called “petra”.")
    assert places[0] == "  the fact agent:  reel fact drop relationships/agent"
    assert "  the note “call Petra about the draft”:  reel edit now" in places
    assert hint.startswith("Hint: take a way named above; to erase it everywhere, for good:  reel purge ")
    assert "reel fact drop relationships/agent" in reel("forget", "agent", "--yes").err


def test_it_asks_and_says_that_immunity_is_no_hindrance(reel: Reel, lived: Path) -> None:
    before = head(lived)
    refused = reel("forget", "M-001", tty=True, stdin="\n").ok()
    assert "It is kept for good. It never goes by itself; you can still let it go." in refused.err
    assert refused.err.endswith("Let it go? [y/N] Nothing was changed.\n")
    assert head(lived) == before
    reel("forget", "M-001", tty=True, stdin="y\n").ok()
    assert head(lived) != before


def test_with_nobody_to_ask_it_wants_a_yes(reel: Reel, lived: Path) -> None:
    before = head(lived)
    done = reel("forget", "M-001")
    assert done.code == 1
    assert "--yes" in done.err
    assert head(lived) == before


def test_a_dry_run_of_either_changes_nothing(reel: Reel, lived: Path) -> None:
    before = head(lived)
    planned = json.loads(reel("forget", "M-001", "--dry-run", "--json").ok().out)
    assert (planned["commit"], planned["forgot"][0]["to"]) == (None, "stub")
    assert "The phone number test" in reel("forget", "M-001", "--dry-run").ok().out
    assert head(lived) == before
    reel("forget", "M-001", "--yes").ok()
    gone = head(lived)
    done = reel("restore", "M-001", "--dry-run").ok()
    assert done.out.startswith("The phone number test (M-001) would come back as a page")
    assert (head(lived), (lived / PAGE_FILE).exists()) == (gone, False)


def test_a_program_gets_what_was_let_go(reel: Reel, lived: Path) -> None:
    was = git(lived, "rev-parse", f"HEAD:{PAGE_FILE}").strip()
    told = json.loads(reel("forget", "M-001", "--yes", "--json", "--why", "over").ok().out)
    assert told == {
        "commit": head(lived),
        "forgot": [
            {
                "id": "M-001",
                "from": "L1",
                "to": "stub",
                "tokens_before": tokens(PAGE.body),
                "tokens_after": 0,
                "reason": "over",
                "was": was,
                "source": f"{PHONE}#1-4",
                "title": "The phone number test",
                "immune": True,
            }
        ],
    }


def test_a_reason_cannot_forge_a_trailer_and_one_that_never_ends_is_refused(reel: Reel, lived: Path) -> None:
    reel("forget", "M-003", "--yes", "--why", "over\nReel-Ratified-By: Eve <e@x>\x1b[2J").ok()
    assert git(lived, "log", "-1", "--format=%(trailers:key=Reel-Ratified-By)").strip() == ""
    (loss,) = losses(reel)
    assert loss["reason"] == "over Reel-Ratified-By: Eve <e@x> [2J"
    assert reel("forget", "M-001", "--yes", "--why", "x" * 401).code == 1


def test_a_hand_edit_goes_into_history_before_the_memory_goes(reel: Reel, lived: Path) -> None:
    edited = (lived / PAGE_FILE).read_bytes() + b"\nA line of my own.\n"
    (lived / PAGE_FILE).write_bytes(edited)
    reel("forget", "M-001", "--yes").ok()
    reel("restore", "M-001").ok()
    assert (lived / PAGE_FILE).read_bytes() == edited


def test_what_was_let_go_is_not_due_again(reel: Reel, lived: Path) -> None:
    def due() -> list[str]:
        found = json.loads(reel("status", "--json").ok().out)["due"]
        return [one["why"] for one in found if one["what"] == "consolidation"]

    before = due()
    reel("forget", "M-001", "--yes").ok()
    reel("forget", "M-001", "--yes").ok()
    assert lines(lived)[0].startswith("M-002")
    assert due() == before
    assert f"chat {PHONE} has no memory yet" not in before


# -- restoring ------------------------------------------------------------------------------------


def test_it_comes_back_byte_for_byte_with_its_line_and_is_pinned(reel: Reel, lived: Path) -> None:
    odd = (lived / PAGE_FILE).read_bytes().replace(b"title:", b"# mine: \xc3\xa9  \nmood:   odd\ntitle:", 1)
    (lived / PAGE_FILE).write_bytes(odd)
    index = (lived / INDEX).read_text(encoding="utf-8").replace("M-001 |", "-  M-001|", 1)
    (lived / INDEX).write_text(index, encoding="utf-8")
    git(lived, "commit", "-qam", "mine")
    reel("forget", "M-001", "--yes").ok()
    done = reel("restore", "M-001").ok()
    assert (lived / PAGE_FILE).read_bytes() == odd
    assert (lived / INDEX).read_text(encoding="utf-8") == index
    assert f"The phone number test (M-001) is back as a page of {tokens(PAGE.body)} tokens" in done.out
    assert "reel memory unpin M-001" in done.err
    assert pinned(reel) == ["M-001"]
    made = git(lived, "log", "-1", "--format=%(trailers:key=Reel-Memory,valueonly)").strip()
    assert made == f"M-001 L1 {tokens(PAGE.body)}"
    assert git(lived, "status", "--porcelain") == ""


def test_step_by_step_and_straight_to_a_level(reel: Reel, lived: Path) -> None:
    whole = (lived / PAGE_FILE).read_bytes()
    fade(lived, "L2")
    digest = (lived / PAGE_FILE).read_bytes()
    fade(lived, "L3", "A marker.\n")
    reel("forget", "M-001", "--yes").ok()
    reel("forget", "M-001", "--yes").ok()
    assert [(one["from"], one["to"], one["restore"]) for one in losses(reel)] == [
        ("stub", "dormant", "reel restore M-001"),
        ("L3", "stub", "reel restore M-001 --level L3"),
        ("L2", "L3", "reel restore M-001 --level L2"),
        ("L1", "L2", "reel restore M-001 --level L1"),
    ]
    assert "Only the line is back so far" in reel("restore", "M-001").ok().err
    assert lines(lived)[0].endswith(f", pruned <!-- {PHONE}#1-4 -->")
    reel("restore", "M-001").ok()
    assert b"A marker." in (lived / PAGE_FILE).read_bytes()
    reel("restore", "M-001").ok()
    assert (lived / PAGE_FILE).read_bytes() == digest
    reel("restore", "M-001").ok()
    assert (lived / PAGE_FILE).read_bytes() == whole
    assert all(one["back"] for one in losses(reel))
    nothing = reel("restore", "M-001")
    assert (nothing.code, nothing.err.splitlines()[0]) == (
        1,
        "Error: M-001 is whole again already; nothing of it is missing.",
    )
    for level in ("L1", "L2"):
        assert reel("restore", "M-001", "--level", level).code == 1
    reel("forget", "M-001", "--yes").ok()
    reel("restore", "M-001", "--level", "l2").ok()
    assert (lived / PAGE_FILE).read_bytes() == digest
    # the page went later than the digest, and is finer than it: it is what is missing now
    assert losses(reel)[0]["restore"] == "reel restore M-001"


def test_what_was_never_let_go_is_said(reel: Reel, lived: Path) -> None:
    before = head(lived)
    for wanted, message in (
        ("M-001", "Error: M-001 was never let go: nothing of it is missing."),
        ("M-002", "Error: M-002 was never let go: its line is all that the history has of it."),
        ("M-077", "Error: There is no memory M-077, and there never was."),
        ("../kit.yaml", "Error: There is no memory ../kit.yaml, and there never was."),
    ):
        done = reel("restore", wanted)
        assert (done.code, done.err.splitlines()[0]) == (1, message)
    never = reel("restore", "M-003", "--level", "L1")
    assert never.err.startswith("Error: M-003 never was at L1, by the kit's history.\n")
    assert head(lived) == before


def test_a_memory_deleted_without_a_word_comes_back_too(reel: Reel, lived: Path) -> None:
    whole = (lived / PAGE_FILE).read_bytes()
    index = (lived / INDEX).read_bytes()
    (lived / PAGE_FILE).unlink()
    (lived / INDEX).write_text("# What could be recalled\n", encoding="utf-8")
    git(lived, "commit", "-qam", "gone")
    reel("restore", "M-001").ok()
    assert (lived / PAGE_FILE).read_bytes() == whole
    assert lines(lived) == [render_line(line_for(PAGE))]
    assert index.decode().startswith("# What could be recalled")


def test_a_number_that_is_another_memory_s_now(reel: Reel, lived: Path) -> None:
    reel("forget", "M-001", "--yes").ok()
    other = render_memory(DREAM).replace("id: M-003", "id: M-001")
    (lived / PAGE_FILE).write_text(other, encoding="utf-8")
    git(lived, "add", "-A")
    git(lived, "commit", "-qm", "another")
    done = reel("restore", "M-001", "--level", "L1")
    assert done.code == 1
    assert done.err.startswith("Error: The number M-001 is another memory's now: The dream of the walrus")
    (lived / PAGE_FILE).unlink()
    line = render_line(line_for(DREAM)).replace("M-003", "M-001")
    (lived / INDEX).write_text(f"{line}\n", encoding="utf-8")
    git(lived, "commit", "-qam", "another line")
    assert reel("restore", "M-001", "--level", "L1").err.startswith("Error: The number M-001 is another")


def test_a_trailer_that_names_other_bytes_is_not_believed(reel: Reel, lived: Path) -> None:
    reel("forget", "M-001", "--yes").ok()
    message = git(lived, "log", "-1", "--format=%B")
    false = re.sub(r"was=[0-9a-f]+", f"was={'a' * 40}", message)
    git(lived, "commit", "-q", "--amend", "-m", false)
    before = head(lived)
    done = reel("restore", "M-001")
    assert done.code == 3
    assert done.err.startswith("Error: The history's text of M-001 is not the one")
    assert (head(lived), git(lived, "status", "--porcelain")) == (before, "")


def test_in_a_shallow_clone_what_is_missing_is_said(reel: Reel, lived: Path, tmp_path: Path) -> None:
    reel("forget", "M-001", "--yes").ok()
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "1", lived.as_uri(), str(clone))
    done = reel("restore", "M-001", cwd=clone)
    assert done.code == 3
    assert done.err.endswith("Hint: fetch the rest:  git fetch --unshallow\n")
    assert "lacks the older history" in reel("log", "--forgotten", cwd=clone).ok().err


def test_a_kit_inside_a_larger_repository(reel: Reel, lived: Path, tmp_path: Path) -> None:
    house = tmp_path / "house"
    (house / "rooms").mkdir(parents=True)
    git(house, "init", "-q")
    room = house / "rooms" / "ada"
    subprocess.run(["git", "archive", "-o", str(tmp_path / "a.tar"), "HEAD"], cwd=lived, check=True)
    room.mkdir()
    subprocess.run(["tar", "xf", str(tmp_path / "a.tar")], cwd=room, check=True)
    (house / "diary.txt").write_text("mine\n")
    git(house, "add", "-A")
    git(house, "commit", "-qm", "moved in")
    whole, index = (room / PAGE_FILE).read_bytes(), (room / INDEX).read_bytes()
    reel("forget", "M-001", "--yes", cwd=room).ok()
    reel("restore", "M-001", cwd=room).ok()
    assert ((room / PAGE_FILE).read_bytes(), (room / INDEX).read_bytes()) == (whole, index)
    assert git(house, "status", "--porcelain") == ""


def test_either_is_one_change_with_its_files_together(
    reel: Reel, lived: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, frozenset[str]]] = []

    def count(*args: Any, **kwargs: Any) -> Any:
        seen.extend((change.op, frozenset(change.writes)) for change in args[2])
        return apply_changes(*args, **kwargs)

    apply_changes = transaction.apply_changes
    monkeypatch.setattr(transaction, "apply_changes", count)
    reel("forget", "M-001", "--yes").ok()
    reel("restore", "M-001").ok()
    assert seen == [
        ("forget", frozenset({PAGE_FILE, INDEX, EVENTS})),
        ("restore", frozenset({PAGE_FILE, INDEX, EVENTS, "journal/2026-03.jsonl"})),
    ]


# -- the table of losses ----------------------------------------------------------------------------


def test_the_table_of_losses(reel: Reel, lived: Path) -> None:
    assert reel("log", "--forgotten").ok().err == "Nothing was forgotten yet.\n"
    env = {"REEL_NOW": "2026-03-05T20:00:00+00:00"}
    reel("forget", "M-001", "--yes", "--why", "over").ok()
    reel("forget", "M-002", "--yes", env=env).ok()
    first, second = tokens(PAGE.body), tokens(render_line(DCD))
    table = reel("log", "--forgotten").ok().out.splitlines()
    # heard one after the other, columns and an arrow were no sentence, and "pruned" is a word of the log's
    low, left = "a line in the index", "a line that is left out of bundles"
    asleep = f"2026-03-05  “{DCD.description}” (M-002), from {low} to {left}, {second} tokens"
    gone = f"2026-03-01  “The phone number test” (M-001), from a page to {low}, {first} tokens"
    assert table[:2] == [f"{asleep}: your word  reel restore M-002", f"{gone}: over  reel restore M-001"]
    assert table[2:] == [f"2 losses ({first + second} tokens); all of it can come back."]
    reel("restore", "M-001", env={"REEL_NOW": "2026-03-06T20:00:00+00:00"}).ok()
    table = reel("log", "--forgotten").ok().out.splitlines()
    assert table[1].endswith("over  back since 2026-03-06")
    assert table[2].endswith("tokens); 1 is back, and the rest can come back.")


@pytest.mark.parametrize(
    ("since", "ids"),
    [
        ("2026", ["M-002", "M-001"]),
        ("2026-03", ["M-002", "M-001"]),
        ("2026-03-02", ["M-002"]),
        ("2026-04", []),
    ],
)
def test_since_a_day(reel: Reel, lived: Path, since: str, ids: list[str]) -> None:
    reel("forget", "M-001", "--yes").ok()
    reel("forget", "M-002", "--yes", env={"REEL_NOW": "2026-03-05T20:00:00+00:00"}).ok()
    assert [one["id"] for one in losses(reel, "--since", since)] == ids
    subjects = [one["op"] for one in json.loads(reel("log", "--json", "--since", since).ok().out)]
    assert subjects[: len(ids)] == ["forget"] * len(ids)


@pytest.mark.parametrize("since", ["yesterday", "2026-13", "26-01", "2026-02-30", "2026-1", "٢٠٢٦"])
def test_what_is_not_a_day(reel: Reel, kit: Path, since: str) -> None:
    assert reel("log", "--since", since).code == 2


def test_what_undo_or_git_brought_back_is_marked(reel: Reel, lived: Path) -> None:
    reel("forget", "M-001", "--yes").ok()
    forgetting = head(lived)
    reel("undo").ok()
    (loss,) = losses(reel)
    assert (loss["back"], loss["restore"]) == (head(lived), None)
    git(lived, "revert", "--no-edit", "HEAD")
    git(lived, "checkout", "-q", f"{forgetting}^", "--", "ring3", "ring4")
    git(lived, "commit", "-qm", "as it was")
    reel("forget", "M-001", "--yes").ok()
    git(lived, "revert", "--no-edit", "HEAD")
    assert losses(reel)[0]["back"] == ""


def test_a_restoring_that_was_undone_brings_nothing_back(reel: Reel, lived: Path) -> None:
    reel("forget", "M-001", "--yes").ok()
    reel("restore", "M-001").ok()
    reel("undo").ok()
    (loss,) = losses(reel)
    assert (loss["back"], loss["restore"]) == (None, "reel restore M-001")
    reel("restore", "M-001").ok()
    assert pinned(reel) == ["M-001"]


@pytest.mark.usefixtures("lived")
@pytest.mark.parametrize("width", [50, 80])
def test_on_a_narrow_terminal_nothing_is_cut(reel: Reel, width: int) -> None:
    reel("forget", "M-001", "M-003", "--yes", "--why", "because it was over and done a while ago").ok()
    shown = reel("log", "--forgotten", tty=True, env={"COLUMNS": str(width)}).ok().out
    assert max(map(len, shown.splitlines())) <= width
    assert "reel restore M-003" in shown
    assert "over and done" in " ".join(shown.split())


# -- why --------------------------------------------------------------------------------------------


def test_why_tells_of_it_even_when_nothing_is_left(reel: Reel, lived: Path) -> None:
    reel("forget", "M-001", "--yes", "--why", "over").ok()
    reel("restore", "M-001").ok()
    reel("undo").ok()
    reel("forget", "M-001", "--yes").ok()
    life = json.loads(reel("why", "M-001", "--json").ok().out)
    assert (life["kind"], life["title"]) == ("asleep", "The phone number test")
    told = [(one["what"], one["words"].split(",")[0]) for one in life["life"]]
    assert told == [
        ("said", "said"),
        ("faded", "let go from a page to a line in the index"),
        ("kept", f"brought back as a page of {tokens(PAGE.body)} tokens"),
        ("undone", f"undone: brought back as a page of {tokens(PAGE.body)} tokens"),
        ("faded", "let go from a line in the index to a line that is left out of bundles"),
    ]
    assert reel("why", "M-001").ok().err == "To bring it back:  reel restore M-001\n"


def test_the_index_keeps_its_other_bytes(reel: Reel, lived: Path) -> None:
    odd = put_lines("", [line_for(PAGE), DCD]).replace("\n", "\r\n") + "a remark\x0bof mine\r\n"
    (lived / INDEX).write_bytes(odd.encode())
    git(lived, "commit", "-qam", "odd")
    reel("forget", "M-002", "--yes").ok()
    left = "".join(line for line in odd.splitlines(keepends=True) if not line.startswith("M-002"))
    assert (lived / INDEX).read_bytes() == left.encode()
    reel("restore", "M-002").ok()
    assert sorted((lived / INDEX).read_text(encoding="utf-8").split()) == sorted(odd.split())


def test_of_a_line_that_never_was_more_no_more_is_promised(reel: Reel, lived: Path) -> None:
    line = IndexLine("M-090", "A bus", "a bus", ("factual",), pruned=True, where=SourceRange(PHONE, 1, 2))
    (lived / INDEX).write_text(put_lines((lived / INDEX).read_text(), [line]))
    git(lived, "add", ".")
    git(lived, "commit", "-q", "-m", "a line")
    reel("forget", "M-090", "--yes").ok()
    done = reel("restore", "M-090").ok()
    assert "A bus (M-090) is back as a line in the index" in done.out
    assert done.err.splitlines()[-1] == "Read it:  reel memory show M-090"


def test_of_several_stretches_the_line_names_that_of_its_phrase(reel: Reel, lived: Path) -> None:
    text = (lived / PAGE_FILE).read_text(encoding="utf-8")
    wider = text.replace(f"{PHONE}#1-4", f'{LETTER}#1-2", "{PHONE}#3-6')
    assert wider != text
    (lived / PAGE_FILE).write_text(wider, encoding="utf-8")
    reel("forget", "M-001", "--yes").ok()
    assert lines(lived)[0].endswith(f", pruned <!-- {PHONE}#3-6 -->")
    assert losses(reel)[0]["source"] == f"{LETTER}#1-2,{PHONE}#3-6"
    reel("restore", "M-001").ok()
    assert (lived / PAGE_FILE).read_text(encoding="utf-8") == wider


def test_a_number_that_was_let_go_is_never_given_again(reel: Reel, lived: Path) -> None:
    reel("forget", "M-003", "--yes").ok()
    reel("forget", "M-003", "--yes").ok()
    reel("forget", "M-002", "--yes").ok()
    assert [line[:5] for line in lines(lived)] == ["M-001"]
    assert used_memory_numbers(repository(lived)) == 3

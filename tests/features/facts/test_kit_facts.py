"""Facts that go with the kit: checked, compared, joined, purged."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from reel_cli.features.facts import kit_files
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import add_facts, parse_facts
from reel_cli.features.facts.policy import current_facts
from tests.features.facts.test_fact_extract import TALK, extract, facts, row
from tests.support.cli import Reel, git
from tests.support.dreaming_persona import have_evenings, reply_to
from tests.support.pages import chat, page, say

ADD = ("fact", "add")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- [\n", "facts.yaml, line"),
        ("<<<<<<< HEAD\n- {key: a, value: b}\n=======\n>>>>>>> x\n", "still has the marks of a merge"),
        (
            "- {category: identity, key: name, value: x, source: 2026-01-01-1#3}\n",
            "is not in the recorded chats",
        ),
        (
            "- {category: identity, key: name, value: x, confidence: 7}\n",
            "'7' is not high, medium, low or a number from 0 to 1, so it counts as medium",
        ),
        (
            "- {category: identity, key: name, value: x, confidence: 1.5}\n",
            "'1.5' is above 1, so it counts as 1",
        ),
        ("- {category: identity, key: name, value: x, origin: me}\n", "'me' is not "),
        ("- {category: identity, key: name, value: ''}\n", "has no value"),
        ("- {category: identity, key: name, value: x, replaces: X}\n", "replaces itself"),
        (f"- {{key: name, value: {'word ' * 800}, origin: person}}\n", "some are left out"),
    ],
)
def test_the_doctor_names_what_is_amiss(reel: Reel, kit: Path, text: str, told: str) -> None:
    (kit / "facts.yaml").write_text(text)
    assert told in " ".join(re.sub(r"\s+", " ", reel("doctor").out).split())


def test_the_doctor_is_content_with_what_reel_writes(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALK)
    extract(reel, row("identity", "name", "Marta", "I'm Marta"))
    reel(*ADD, "identity", "age", "52", "--source", "2026-02-10-1#1").ok()
    reel("fact", "drop", "age", "--yes").ok()
    assert "facts" not in reel("doctor").ok().out


def test_a_word_for_which_there_is_no_room_is_refused_with_its_numbers(reel: Reel, kit: Path) -> None:
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text() + "facts: {share: 0.01}\n")
    reel(*ADD, "identity", "name", "Marta").ok()
    refused = reel(*ADD, "constraints", "allergy", f"allergic to penicillin {'word ' * 100}")
    assert refused.code == 1
    assert re.search(r"the facts would need \d+ tokens of a bundle; their share is 81\.", refused.err)
    # what protects nobody takes what nothing else in the bundle has use for
    reel(*ADD, "history", "long", "word " * 100).ok()
    assert "1 of 2 always have room" in reel("fact", "list").ok().err
    assert "word word word" in reel("pack").ok().out


def test_a_difference_tells_what_is_known_now(reel: Reel, kit: Path) -> None:
    reel(*ADD, "identity", "name", "Maria").ok()
    reel(*ADD, "identity", "age", "52").ok()
    start = git(kit, "rev-parse", "HEAD").strip()
    reel(*ADD, "identity", "name", "Marta").ok()
    reel(*ADD, "context", "city", "Oslo").ok()
    reel("fact", "drop", "age", "--yes").ok()
    shown = reel("diff", start).ok().out
    assert (
        "Known by heart\n  identity/name: Marta (before: Maria)\n  identity/age: 52 (let go)\n"
        "  context/city: Oslo\n"
    ) in shown
    found = json.loads(reel("diff", start, "--json").ok().out)["facts"]
    assert found["identity/age"] == {"before": "52", "after": ""}


HALF = "commitments | first half | to Ruth by Monday 2 March | Ruth wants it | “{}” | 1"
SAID = "Ruth wants the first half by Monday 2 March, and the whole by May."


def close_a_note(reel: Reel, kit: Path, *, word: bool) -> str:
    """Note a commitment, as a fact and in the notes, and close the note; what the closing page shows."""
    reel("record", "-", stdin=chat(("user", SAID), ("assistant", "Then write."))).ok()
    first = {"My notes": "1. still\nnew: First half to Ruth by Monday 2 March"}
    if word:
        reel(*ADD, "commitments", "first half", "to Ruth by Monday 2 March").ok()
    else:
        first["What I know for sure"] = HALF.format(SAID)
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(first)).ok()
    say(reel, kit, [("user", "The first half is with Ruth."), ("assistant", "Good.")], 27)
    asked = reel("checkpoint", "--prompt").ok().out
    number = next(line for line in asked.splitlines() if "First half to Ruth" in line).partition(".")[0]
    last = {
        "Lines to find it by": '"first half is with Ruth"',
        "What has shifted": '"Good."\nsteady',
        "My notes": f"{number}. closed",
    }
    run = reel("checkpoint", "--reply", "-", "--yes", stdin=page(last)).ok()
    return run.out + run.err


def test_a_commitment_whose_note_is_closed_is_not_known_by_heart_any_more(reel: Reel, kit: Path) -> None:
    shown = close_a_note(reel, kit, word=False)
    assert "No longer a fact\n  first half: to Ruth by Monday 2 March" in shown
    assert "commitments/first-half" not in facts(reel)
    assert "first half" in reel("log", "--forgotten").ok().out
    assert "its note was closed" in reel("fact", "history", "first half").ok().out
    reel("undo", "--yes").ok()
    assert facts(reel)["commitments/first-half"] == "to Ruth by Monday 2 March"


def test_a_fact_that_is_noted_again_brings_back_the_note_that_was_closed_with_it(
    reel: Reel, kit: Path
) -> None:
    close_a_note(reel, kit, word=False)
    assert "First half to Ruth" not in (kit / "ring2/working.md").read_text()
    line = next(one for one in reel("log", "--forgotten").ok().out.splitlines() if "reel fact add" in one)
    command = shlex.split(line.partition("  reel ")[2])
    assert "reel fact add" in line
    other = reel("fact", "add", "commitments", "first half", "to Ruth in May", "--dry-run").ok().out
    assert "note is back" not in other
    shown = reel(*command).ok().out
    assert "Its note is back too: First half to Ruth by Monday 2 March" in " ".join(shown.split())
    assert "- First half to Ruth by Monday 2 March" in (kit / "ring2/working.md").read_text()
    assert "all of it is back." in reel("log", "--forgotten").ok().out
    reel("undo", "--yes").ok()
    assert "First half to Ruth" not in (kit / "ring2/working.md").read_text()


REQUIEM = (
    "Choir: the Requiem is on Sunday 15 November; it meets on Thursdays; "
    "Sam threatened to leave over the solo, then said that he would probably stay away for spite"
)


def test_a_note_that_is_put_in_fewer_words_or_stands_twice_ends_no_fact(reel: Reel, kit: Path) -> None:
    """A choir note was told in half its words, and the day of its concert was let go of with another note."""
    said = "The Requiem is on Sunday the fifteenth of November, if I'm still in the choir."
    reel("record", "-", stdin=chat(("user", said), ("assistant", "Then sing."))).ok()
    fact = f"commitments | Requiem | Sunday the fifteenth of November | Sam sings | “{said}” | 1"
    notes = f"1. still\nnew: {REQUIEM}\nnew: Whether Sam stays in the choir"
    first = {"My notes": notes, "What I know for sure": fact}
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(first)).ok()
    say(reel, kit, [("user", "So I'm still in the choir."), ("assistant", "Good.")], 27)
    asked = reel("checkpoint", "--prompt").ok().out
    [put] = [line.partition(".")[0] for line in asked.splitlines() if ". Choir: the Requiem" in line]
    [stays] = [line.partition(".")[0] for line in asked.splitlines() if ". Whether Sam stays" in line]
    after = "Choir: the Requiem is on Sunday 15 November, Thursdays; Sam is still in it"
    last = {
        "Lines to find it by": '"still in the choir"',
        "What has shifted": '"Good."\nsteady',
        "My notes": f'{put}. changed: {after}\n{stays}. closed "So I\'m still in the choir."',
    }
    run = reel("checkpoint", "--reply", "-", "--yes", stdin=page(last)).ok()
    shown = run.out + run.err
    assert ("closed: Whether Sam stays" in shown, "No longer a fact" in shown) == (True, False), shown
    assert "commitments/requiem" in facts(reel)


def test_a_commitment_that_a_person_noted_is_theirs_to_let_go_of(reel: Reel, kit: Path) -> None:
    assert "No longer" not in close_a_note(reel, kit, word=True)
    assert facts(reel)["commitments/first-half"] == "to Ruth by Monday 2 March"


@pytest.mark.needs("machines")
def test_two_machines_keep_what_either_noted(reel: Reel, kit: Path, tmp_path: Path) -> None:
    reel(*ADD, "identity", "name", "Marta").ok()
    other = tmp_path / "other"
    subprocess.run(["git", "clone", "-q", str(kit), str(other)], check=True)
    reel.env["REEL_NOW"] = "2026-03-02T20:00:00+00:00"
    reel(*ADD, "context", "city", "Oslo").ok()
    reel(*ADD, "context", "street", "Hill Road").ok()
    reel.env["REEL_NOW"] = "2026-03-03T20:00:00+00:00"
    reel(*ADD, "context", "city", "Bergen", cwd=other).ok()
    reel("fact", "drop", "name", "--yes", cwd=other).ok()
    subprocess.run(["git", "-C", str(kit), "pull", "-q", "--no-rebase", str(other), "main"], check=False)
    reel("doctor", "--fix").ok()
    assert facts(reel) == {"context/city": "Bergen", "context/street": "Hill Road"}
    told = json.loads(reel("fact", "history", "city", "--json").ok().out)
    assert sorted(one["value"] for one in told) == ["Bergen", "Oslo"]
    assert git(kit, "status", "--porcelain") == ""


def join_facts(ours: str, theirs: str, base: str) -> str:
    return kit_files.join_facts(ours, theirs, base, lambda *_: None)


def test_joined_either_way_the_same_holds() -> None:
    name = Fact("identity", "name", "Maria", "1", "", "2026-02-01", origin="person")
    later = Fact("identity", "name", "Marta", "0.9", "2026-02-03-1#1", "2026-02-03", "Maria", "extraction")
    other = Fact("identity", "name", "Mia", "0.9", "2026-02-02-1#1", "2026-02-02", "Maria", "extraction")
    base = "# ours\n" + add_facts("", [name])
    one, two = add_facts(base, [later]), add_facts(base, [other])
    for joined in (join_facts(one, two, base), join_facts(two, one, base)):
        assert sorted(fact.value for fact in parse_facts(joined)) == ["Maria", "Marta", "Mia"]
        assert [fact.value for fact in current_facts(parse_facts(joined))] == ["Marta"]
        assert joined.startswith("# ours\n")
    assert parse_facts(join_facts(one, one, base)) == parse_facts(one)
    assert parse_facts(join_facts(one, one, "")) == parse_facts(one)


def test_what_is_purged_is_in_no_fact_and_no_version_of_it(reel: Reel, kit: Path, tmp_path: Path) -> None:
    say(reel, kit, TALK)
    extract(reel, row("context", "city", "Portland", "moved to Portland"))
    say(reel, kit, [("user", "I live in Salem."), ("assistant", "Noted.")], 20)
    extract(reel, row("context", "city", "Salem", "live in Salem"))
    reel(*ADD, "identity", "name", "Marta").ok()
    copy = tmp_path / "copy"
    shutil.copytree(kit, copy, symlinks=True)

    told = reel("purge", "2026-02-20-1", "--dry-run").ok()
    assert re.search(r"facts\.yaml: line 8, in \d commit", told.out + told.err), told.out + told.err
    assert "read there" not in told.out + told.err
    assert re.search(r"Facts known from it, which go with it:\n +city\n", told.out), told.out
    assert reel("review", "--json").ok().out.count("fact-1") >= 1
    reel("purge", "2026-02-20-1", "--confirm", "Ada").ok()
    assert "fact-1" not in reel("review").ok().out
    assert facts(reel) == {"context/city": "Portland", "identity/name": "Marta"}
    assert "Salem" not in git(kit, "log", "--all", "-p")
    reel("doctor").ok()

    reel("purge", "--match", "Portland", "--confirm", "Ada", cwd=copy).ok()
    assert "Portland" not in git(copy, "log", "--all", "-p")
    reel("doctor", cwd=copy).ok()


def test_a_medicine_that_is_told_with_a_no_of_its_own_waits(reel: Reel, kit: Path) -> None:
    """A value that protects somebody is not refused without a person's word, when its words were said."""
    said = "the doctor changed me from ramipril to candesartan"
    say(reel, kit, [("user", f"I am dizzy, {said}."), ("assistant", "Since when?")], 20)
    extract(reel, row("constraints", "blood pressure tablets", "candesartan, not ramipril", said))
    assert "constraints/blood-pressure-tablets" not in facts(reel)
    assert "candesartan, not ramipril" in reel("review").ok().out
    reel(*ADD, "constraints", "blood pressure tablets", "ramipril in the morning").ok()
    told = " ".join(reel("review").ok().out.split())
    assert "change to a fact that keeps somebody safe, which the chat says only in part" in told


def test_a_bundle_of_then_has_the_facts_of_then(reel: Reel, kit: Path) -> None:
    reel(*ADD, "identity", "name", "Maria").ok()
    start = git(kit, "rev-parse", "HEAD").strip()
    reel(*ADD, "identity", "name", "Marta").ok()
    assert "- name: Maria\n" in reel("pack", "--at", start).ok().out
    assert "- name: Marta\n" in reel("pack").ok().out


def test_a_dream_overrides_no_word_of_the_user(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3])
    reel(*ADD, "history", "glaze", "tenmoku").ok()
    reel("dream", "start", "--yes", "--window", "8k").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    told = "history | glaze | celadon | sure | 2026-01-03\nhistory | kiln | cracked | unsure"
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, facts=told)).ok()
    assert facts(reel) == {"history/glaze": "tenmoku", "history/kiln": "cracked"}
    assert "history/kiln: cracked — not sure enough" in reel("fact", "list").ok().out
    assert "celadon" not in (kit / "facts.yaml").read_text()
    [waiting] = (kit / "review").glob("fact-*.md")
    assert "value: celadon" in waiting.read_text()


def test_facts_that_cannot_be_read_are_not_asked_for_and_the_page_s_prompt_says_so(
    reel: Reel, kit: Path
) -> None:
    reel("record", "-", stdin=chat()).ok()
    (kit / "facts.yaml").write_text("facts: [oops: {\n")
    asked = reel("checkpoint", "--prompt").ok()
    assert "What I know for sure" not in asked.out
    line = "Facts are not asked for until facts.yaml is mended:  reel restore facts.yaml"
    assert asked.err.count(line) == 1
    (kit / "facts.yaml").unlink()
    asked = reel("checkpoint", "--prompt").ok()
    assert "What I know for sure" in asked.out
    assert "not asked for" not in asked.err


def test_a_fact_that_is_let_go_is_shown_with_the_day_it_was_said(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "I'm Marta."), ("assistant", "Good evening, Marta.")], day=10)
    mine = {
        "Lines to find it by": '"I\'m Marta"',
        "What I know for sure": 'identity | name | Marta | "I\'m Marta" | 1',
    }
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(mine)).ok()
    asked = reel(
        "fact", "drop", "name", stdin="n\n", tty=True, env={"REEL_NOW": "2026-03-05T20:00:00+00:00"}
    ).err
    assert "10 February 2026" in asked
    assert "5 March" not in asked
    assert "noted by you" not in asked


@pytest.mark.needs("purge")
def test_a_short_preview_names_the_fact_that_tells_it_in_other_words(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reel_cli.features.purge.preview.MOST_LINES", 1)
    talk = [("user", "I bought the lathe from Terry Marsh, out in Pickering."), ("assistant", "A good one.")]
    say(reel, kit, talk, 20)
    reel(
        "fact", "add", "history", "lathe seller", "an old man in Pickering", "--source", "2026-02-20-1#1"
    ).ok()
    told = " ".join(reel("purge", "--match", "Terry Marsh", "--dry-run", tty=True).ok().out.split())
    assert "may still tell of it, in other words: facts.yaml (“history, lathe seller”)" in told

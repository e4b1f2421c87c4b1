"""`reel fact`: noted, changed, let go, and never silently."""

import json
import os
import shlex
import stat
from pathlib import Path

import pytest

from tests.support.cli import Reel, git
from tests.support.dreaming_persona import have_evenings
from tests.support.pages import chat, page

ADD = ("fact", "add")


def held(reel: Reel) -> dict[str, str]:
    listed = json.loads(reel("fact", "list", "--json").ok().out)
    return {one["id"]: one["value"] for one in listed if one["held"]}


def test_a_fact_from_its_first_value_to_its_last(reel: Reel, kit: Path) -> None:
    assert "There are no facts yet." in reel("fact", "list").ok().err
    reel(*ADD, "identity", "name", "Maria").ok()
    changed = reel(*ADD, "Identity", "Name", "Marta").ok()
    assert "Until now it was: Maria." in changed.out
    assert held(reel) == {"identity/name": "Marta"}
    assert "You noted that already" in reel(*ADD, "identity", "Name", "Marta").ok().err
    assert "before: Maria" in reel("fact", "list").ok().out
    assert (
        "“places” belongs to “context”, so it is kept there."
        in reel(*ADD, "places", "x", "y", "--dry-run").ok().err
    )
    message = git(kit, "log", "-1", "--format=%B")
    assert message.startswith("fact: changed Name (identity)")
    assert "Reel-Op: fact\nReel-Fact: identity/Name\n" in message

    dropped = reel("fact", "drop", "name", "--yes", "--why", "she said so").ok()
    assert "Let go: Name: Marta." in dropped.out
    assert held(reel) == {}
    message = git(kit, "log", "-1", "--format=%B")
    assert 'Reel-Forgot: "facts.yaml#identity/Name" fact->dropped' in message
    assert 'why="she said so"' in message
    told = reel("fact", "history", "name").ok()
    values = [line.partition(" — ")[0] for line in told.out.splitlines()]
    # the name is read aloud once
    assert values == ["name (identity)", "  Maria", "  Marta", "  Marta"]
    assert "removed on 1 March 2026: she said so" in told.out
    assert "reel fact add identity Name Marta" in told.err
    # it is found where all that was let go is, with its words and the command that has it again
    gone = reel("log", "--forgotten").ok().out
    assert "“Marta”: she said so  reel fact add identity Name Marta\n" in gone
    reel(*gone.partition("  reel ")[2].splitlines()[0].split()).ok()
    assert held(reel) == {"identity/name": "Marta"}
    assert "reel fact add" not in reel("log", "--forgotten").ok().out
    assert "; all of it is back." in reel("log", "--forgotten").out
    reel("undo", "--yes").ok()
    reel("doctor").ok()
    reel("undo").ok()
    assert held(reel) == {"identity/name": "Marta"}
    assert git(kit, "status", "--porcelain") == ""


@pytest.mark.parametrize("tty", [True, False])
def test_each_row_of_the_list_is_one_sentence(reel: Reel, kit: Path, *, tty: bool) -> None:
    """Short values stood in columns on a terminal, long ones with a colon, and neither where it was piped."""
    for key, value in (("city", "Oslo"), ("job", "counting the boats that come in " * 3)):
        reel(*ADD, "context", key, value.strip()).ok()
    told = " ".join(reel("fact", "list", tty=tty, env={"NO_COLOR": "1"}).ok().out.split())
    boats = "counting the boats that come in " * 3
    by = "noted by you on 1 March 2026"
    assert told.startswith(f"Context city: Oslo — {by} job: {boats}— {by}")


def test_what_a_program_gets(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3])
    kept = json.loads(
        reel(*ADD, "context", "kiln", "cracked", "--source", "2026-01-03-1#1", "--json").ok().out
    )
    assert kept["commit"] == git(kit, "rev-parse", "HEAD").strip()
    assert kept["fact"] == {
        "id": "context/kiln",
        "category": "context",
        "key": "kiln",
        "value": "cracked",
        "confidence": 1.0,
        "source": "2026-01-03-1#1",
        "when": "2026-03-01",
        "replaces": "",
        "origin": "person",
        "dropped": "",
        "statement": "",
        "evidence": "",
        "said_by": "",
    }
    assert (kept["was"], kept["rests"]) == (None, [])
    found = json.loads(reel("fact", "history", "context/kiln", "--json").ok().out)
    assert found == [{**kept["fact"], "holds": True}]
    at = git(kit, "rev-parse", "HEAD~1").strip()
    assert json.loads(reel("fact", "list", "--json", "--at", at).ok().out) == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("hobby", "x", "y"), "'hobby' is not a category."),
        (("identity", " ", "y"), "The key is empty."),
        (("identity", "x", "\n"), "The value is empty."),
        (("identity", "x", "y" * 601), "601 characters long"),
        (("identity", "x", "y", "--source", "yesterday"), "is not a message of a recorded chat"),
        (("identity", "x", "y", "--source", "2026-01-03-1"), "is not a message of a recorded chat"),
        (("identity", "x", "y", "--source", "2026-01-09-1#1"), "There is no recorded chat 2026-01-09-1."),
        (("identity", "x", "y", "--source", "2026-01-03-1#99"), "has no message 99"),
    ],
)
def test_what_is_no_fact_is_refused(reel: Reel, kit: Path, words: tuple[str, ...], says: str) -> None:
    if "--source" in words:
        have_evenings(reel, kit, [3])
    before = git(kit, "rev-parse", "HEAD")
    refused = reel(*ADD, *words)
    assert (refused.code, says in refused.err) == (1, True), refused.err
    assert git(kit, "rev-parse", "HEAD") == before
    assert not (kit / "facts.yaml").exists()


def test_the_hint_to_let_one_go_hurts_nothing_when_it_is_typed_as_it_stands(reel: Reel, kit: Path) -> None:
    reel(*ADD, "commitments", "boat", "mend it by May").ok()
    reel(*ADD, "commitments", "Ruben's move", "to Bergen").ok()
    command = reel("fact", "list").ok().err.partition("To let one go:  reel ")[2].split()
    assert command == ["fact", "drop", "KEY"]
    before = git(kit, "rev-parse", "HEAD")
    refused = reel(*command, "--yes")
    assert (refused.code, "Hint: name it by its key" in refused.err) == (1, True)
    assert git(kit, "rev-parse", "HEAD") == before
    told = reel("fact", "drop", "Ruben's move", "--yes").ok().err
    assert "reel fact add commitments \"Ruben's move\" 'to Bergen'" in told


def test_nothing_is_dropped_without_a_word(reel: Reel, kit: Path) -> None:
    reel(*ADD, "identity", "name", "Maria").ok()
    reel(*ADD, "relationships", "name", "Lida").ok()
    before = git(kit, "rev-parse", "HEAD")
    assert "2 facts are called 'name'." in reel("fact", "drop", "name", "--yes").err
    assert reel("fact", "drop", "identity/name").code == 1
    assert reel("fact", "drop", "nobody", "--yes").code == 1
    assert reel("fact", "history", "nobody").code == 1
    assert "Nothing was changed" in reel("fact", "drop", "identity/name", "--dry-run").ok().err
    assert "Nothing was changed" in reel(*ADD, "identity", "name", "Mia", "--dry-run").ok().err
    assert git(kit, "rev-parse", "HEAD") == before


def test_a_full_house_says_what_makes_room(reel: Reel, kit: Path) -> None:
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text() + "facts: {most: 2}\n")
    for key in ("one", "two"):
        reel(*ADD, "history", key, "x").ok()
    told = reel(*ADD, "identity", "three", "x").ok()
    assert "history/one is set aside from now on" in told.err
    assert held(reel) == {"identity/three": "x", "history/two": "x"}
    assert "2 others come first; noted by you" in reel("fact", "list").ok().out


def test_a_dreams_facts_are_candidates_and_an_edited_file_is_understood(reel: Reel, kit: Path) -> None:
    (kit / "facts.yaml").write_text(
        "# mine\n- category: people\n  key: sister\n  value: Lida\n  confidence: low\n"
        "- {category: craft, key: glaze, value: celadon, confidence: high, mood: blue}\n"
    )
    assert held(reel) == {"craft/glaze": "celadon"}
    assert "relationships/sister: Lida — not sure enough" in reel("fact", "list").ok().out
    reel(*ADD, "craft", "glaze", "tenmoku").ok()
    text = (kit / "facts.yaml").read_text()
    assert text.startswith("# mine\n- category: people\n")
    assert "mood: blue}\n- category: craft\n" in text
    assert held(reel) == {"craft/glaze": "tenmoku"}


@pytest.mark.parametrize("text", ["cat: Miso\n", "- category: identity\n  value: x\n", "- [\n", "a: *b\n"])
def test_a_broken_file_is_refused_by_its_name(reel: Reel, kit: Path, text: str) -> None:
    (kit / "facts.yaml").write_text(text)
    for command in (("list",), ("add", "identity", "name", "x"), ("drop", "name", "--yes"), ("history", "x")):
        refused = reel("fact", *command)
        assert (refused.code, "facts.yaml" in refused.err) == (1, True)
    assert (kit / "facts.yaml").read_text() == text
    # what does not need it goes on without it
    assert "facts.yaml" in "".join(reel("status").err + reel("status").out)


def test_a_kit_that_has_no_history(reel: Reel, kit: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "kit.yaml").write_text("name: Ada\n")
    (bare / "facts.yaml").write_text("- {category: identity, key: name, value: Bo}\n")
    assert "Bo" in reel("fact", "list", cwd=bare).ok().out
    assert reel(*ADD, "identity", "name", "x", cwd=bare).code == 3


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_kit_that_cannot_be_written(reel: Reel, kit: Path) -> None:
    kit.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert reel(*ADD, "identity", "name", "x").code == 3
        assert not (kit / "facts.yaml").exists()
    finally:
        kit.chmod(0o700)


def test_a_file_that_was_edited_meanwhile_keeps_its_edit(reel: Reel, kit: Path) -> None:
    reel(*ADD, "identity", "name", "Maria").ok()
    text = (kit / "facts.yaml").read_text() + "- {category: identity, key: age, value: 52, origin: person}\n"
    (kit / "facts.yaml").write_text(text)
    reel(*ADD, "identity", "city", "Oslo").ok()
    assert (kit / "facts.yaml").read_text().startswith(text)
    assert git(kit, "log", "-1", "--skip=1", "--format=%s").startswith("edit: by hand")
    assert held(reel) == {"identity/name": "Maria", "identity/age": "52", "identity/city": "Oslo"}


def test_the_list_says_which_facts_the_bundle_has_now(reel: Reel, kit: Path) -> None:
    entry = (
        "- {{category: craft, key: jar {n}, value: '{words}', confidence: high, source: 2026-01-03-1#1}}\n"
    )
    jars = [entry.format(n=n, words=f"holds glaze number {n}, " * 12) for n in range(40)]
    (kit / "facts.yaml").write_text("".join(jars))
    rows = reel("fact", "list").ok().out.splitlines()
    packed = [row.strip().partition(":")[0] for row in rows if "in the bundle; " in row]
    assert 0 < len(packed) < 40
    found = json.loads(reel("fact", "list", "--json").ok().out)
    assert [one["key"] for one in found if one["packed"]] == packed
    bundle = reel("pack").ok().out
    assert [key for key in (one["key"] for one in found) if f"{key}: holds" in bundle] == packed
    # where all have room, none is marked
    (kit / "facts.yaml").write_text(jars[0])
    assert "in the bundle" not in reel("fact", "list").ok().out
    assert [one["packed"] for one in json.loads(reel("fact", "list", "--json").ok().out)] == [True]


def test_the_list_says_how_to_take_in_a_fact_that_is_set_aside(reel: Reel, kit: Path) -> None:
    (kit / "facts.yaml").write_text(
        "- category: own\n  key: last box\n  value: Mrs Doyle's plum jam, $2\n  confidence: 0.35\n"
        "  origin: extraction\n"
    )
    listed = reel("fact", "list").ok()
    # a model that was 0.9 sure has this on record, so it is no word of the model's
    assert "not sure enough" in listed.out
    assert "35% sure" not in listed.out
    told = listed.err
    command = told.partition("To take one in:  reel ")[2].splitlines()[0]
    assert command.startswith("fact add own 'last box' ")
    reel(*shlex.split(command)).ok()
    (found,) = json.loads(reel("fact", "list", "--json").ok().out)
    assert (found["value"], found["why"]) == ("Mrs Doyle's plum jam, $2", "")
    assert "To take one in" not in reel("fact", "list").ok().err


def test_the_list_says_how_many_count_and_how_to_let_one_go(reel: Reel, kit: Path) -> None:
    reel(*ADD, "identity", "name", "Maria").ok()
    told = "It goes into every bundle.\nTo let one go:  reel fact drop KEY\n"
    assert reel("fact", "list").ok().err == told
    reel(*ADD, "identity", "winter of '78", "on the rock").ok()
    reel("fact", "drop", "name", "--yes").ok()
    reel(*ADD, "identity", "city", "Oslo").ok()
    assert reel("fact", "list").ok().err.startswith("All 2 go into every bundle.\n")
    # by its words, where no number is shown
    refused = reel("fact", "drop", "1")
    assert "Hint: name it by its key or its words:  reel fact list\n" in refused.err
    reel("fact", "drop", "winter", "--yes").ok()
    reel("fact", "drop", "identity/city", "--yes").ok()
    assert (
        reel("fact", "list").ok().err
        == 'There are no facts yet.\nAdd one:  reel fact add identity name "Maria"\n'
    )


def test_a_correction_names_the_example_made_of_the_line(reel: Reel, kit: Path) -> None:
    """It stays under how the persona sounds, as it was said first."""
    reel("record", "-", stdin=chat()).ok()
    reel("exemplar", "add", "--from", "2026-02-25-1#1-2", "--title", "The letter").ok()
    done = reel("tape", "correct", "2026-02-25-1#2", "it was from Oslo").ok()
    assert "Shown as it was said, as an example of how it sounds: “The letter”" in done.err
    assert "To put away:  reel example retire the-letter" in done.err
    assert "The letter" not in reel("tape", "correct", "2026-02-25-1#3", "no").ok().err
    reel("exemplar", "retire", "the-letter").ok()
    assert "The letter" not in reel("tape", "correct", "2026-02-25-1#2", "from Bergen").ok().err


def test_a_correction_names_memory_and_notes_of_the_chat_with_their_commands(reel: Reel, kit: Path) -> None:
    """It said to check whether the memory still holds, and not how, and passed over the notes of the page."""
    reel("record", "-", stdin=chat()).ok()
    kept = page({"My notes": "new: The residency wants forty pages by 30 April.\nstate: Well."})
    reel("checkpoint", "--reply", "-", "--yes", stdin=kept).ok()
    done = reel("tape", "correct", "2026-02-25-1#5", "fifty pages").ok()
    assert "These were made from it; check whether they still hold: M-001 (The letter that" in done.err
    assert "To put one right:  reel edit M-001\n" in done.err
    assert "Noted on 25 February 2026, and still in bundles: “The residency wants forty pages by" in done.err
    assert "To change a note:  reel edit now\n" in done.err


def test_a_correction_of_its_message_names_the_fact(reel: Reel, kit: Path) -> None:
    """It stays in bundles as it was: the tape tells of both, and the fact of what was said first."""
    reel("record", "-", stdin=chat()).ok()
    place = "2026-02-25-1#1"
    reel("fact", "add", "context", "letter", "a letter from Lund", "--source", place).ok()
    done = reel("tape", "correct", place, "it was from Oslo").ok()
    assert "Known by heart from there, and still in bundles: context/letter (a letter from Lund)" in done.err
    assert 'To put it right:  reel fact add context letter "…"' in done.err
    assert "Known by heart" not in reel("tape", "correct", "2026-02-25-1#2", "no").ok().err


def test_a_value_that_says_less_of_what_keeps_somebody_safe_needs_a_persons_answer(
    reel: Reel, kit: Path
) -> None:
    assert kit.is_dir()
    whole = "penicillin and cashews; adrenaline pen in the bag"
    reel(*ADD, "health", "allergy", whole).ok()
    less = (*ADD, "health", "allergy", "penicillin")
    for more in ((), ("--yes",)):
        refused = reel(*less, *more)
        assert refused.code == 1
        assert f"“{whole}” keeps somebody safe, and says “penicillin” already, and more." in refused.err
    assert held(reel) == {"constraints/allergy": whole}
    assert "You noted that already." in reel(*less, "--also").ok().err
    assert f"Until now it was: {whole}." in reel(*less, "--dry-run").ok().out
    declined = reel(*less, stdin="\n", tty=True)
    assert "Keep only “penicillin”, and lose the rest? [y/N]" in declined.out + declined.err
    assert held(reel) == {"constraints/allergy": whole}
    reel(*less, stdin="y\n", tty=True).ok()
    assert held(reel) == {"constraints/allergy": "penicillin"}
    # the hint works as it is printed
    reel(*ADD, "health", "allergy", whole, "--yes").ok()
    hint = reel(*less).err.partition("drop it first:  reel ")[2].split()
    reel(*hint).ok()
    reel(*less).ok()
    assert held(reel) == {"constraints/allergy": "penicillin"}


def test_a_second_allergy_stands_beside_the_first(reel: Reel, kit: Path) -> None:
    assert kit.is_dir()
    reel(*ADD, "health", "allergy", "penicillin.").ok()
    second = (*ADD, "health", "allergy", "cashews")
    refused = reel(*second)
    assert refused.code == 1
    assert "replace “penicillin.”, which keeps somebody safe" in refused.err
    # each option of the hint works
    assert "add --also to keep both, --yes to replace it, or --dry-run to only look" in refused.err
    reel(*second, "--dry-run").ok()
    left = reel(*second, stdin="\n", tty=True)
    assert "Keep both, replace it with “cashews”, or neither? [b/r/N]" in left.out + left.err
    assert held(reel) == {"constraints/allergy": "penicillin."}
    reel(*second, stdin="b\n", tty=True).ok()
    assert held(reel) == {"constraints/allergy": "penicillin; cashews"}
    reel(*ADD, "health", "allergy", "latex", "--also").ok()
    assert held(reel) == {"constraints/allergy": "penicillin; cashews; latex"}
    reel(*ADD, "health", "allergy", "none, I was wrong", stdin="r\n", tty=True).ok()
    assert held(reel) == {"constraints/allergy": "none, I was wrong"}
    reel(*ADD, "health", "allergy", "wasps", "--yes").ok()
    assert held(reel) == {"constraints/allergy": "wasps"}
    # what a value denies says nothing of what another tells, and what keeps nobody safe is put right at once
    reel(*ADD, "health", "allergy", "no penicillin", "--yes").ok()
    reel(*ADD, "health", "allergy", "penicillin", "--yes").ok()
    reel(*ADD, "preferences", "tea", "green").ok()
    reel(*ADD, "preferences", "tea", "green, without milk").ok()
    reel(*ADD, "preferences", "tea", "green").ok()


def test_no_example_of_a_help_replaces_what_keeps_somebody_safe(reel: Reel) -> None:
    told = [reel("help", "fact").ok(), reel("help", "set", "aside").ok(), reel("fact", "add", "--help").ok()]
    for one in told:
        assert "fact add preferences tea" in one.out + one.err
        assert "penicillin" not in one.out + one.err

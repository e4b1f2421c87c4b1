"""`reel review`, whole commands: what waits, and what a yes or a no does to it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import Reel, Run, git
from tests.support.pages import chat, page

ME = "Bo Lind <bo@example.org>"
IDENTITY = "ring0/identity.md"
EXEMPLAR = "ring1/the-bus-window.md"
SESSION = "tape/2026/2026-02-25-1.md"
WORDS = "You are warm, dry and hard to impress."
SUGGESTED = "2026-02-25-1.1-identity"


@pytest.fixture
def told(reel: Reel, kit: Path) -> Path:
    """A kit with one recorded session, so that its ring 0 is no draft any more."""
    reel.given("record", "-", stdin=chat())
    return kit


def append(kit: Path, path: str, text: str) -> None:
    with (kit / path).open("a", encoding="utf-8") as file:
        file.write(text)


def replace(kit: Path, path: str, old: str, new: str) -> None:
    text = (kit / path).read_text(encoding="utf-8")
    assert text.count(old) == 1
    (kit / path).write_text(text.replace(old, new), encoding="utf-8")


def commit_by_hand(kit: Path, message: str = "my own") -> None:
    git(kit, "add", "-A")
    git(kit, "commit", "-q", "--no-verify", "-m", message)


def waiting(reel: Reel) -> dict[str, dict[str, str]]:
    found: list[dict[str, str]] = json.loads(reel("review", "--json").ok().out)
    return {one["item"]: one for one in found}


def accept(reel: Reel, *items: str) -> Run:
    return reel("review", "accept", *items, "--as", ME, "--yes")


def head(kit: Path) -> str:
    return git(kit, "rev-parse", "HEAD").strip()


def trailer(kit: Path, key: str) -> str:
    return git(kit, "log", "-1", f"--format=%(trailers:key={key},valueonly)").strip()


def packed(reel: Reel) -> str:
    return reel("pack").ok().out


def rejected(kit: Path) -> list[str]:
    """The texts kept of what was rejected."""
    folder = kit / ".reel/state/rejected"
    return [file.read_text(encoding="utf-8") for file in sorted(folder.rglob("*")) if file.is_file()]


# -- the list -------------------------------------------------------------------------------


def test_nothing_waits_in_a_fresh_kit(reel: Reel, kit: Path) -> None:
    assert reel("review").ok().out == "Nothing waits for your decision.\n"
    assert json.loads(reel("review", "--json").ok().out) == []
    assert (kit / "kit.yaml").exists()


def test_the_list_shows_each_with_its_diff_and_how_to_decide(reel: Reel, told: Path) -> None:
    append(told, IDENTITY, "You like tea.\n")
    done = reel("review").ok()
    assert done.out.splitlines()[0] == f"1. {IDENTITY}"
    assert "    new: You like tea." in done.out.splitlines()
    assert done.err.splitlines()[-1] == ("Decide with  reel review accept ITEM  or  reel review reject ITEM")


def test_the_diff_for_a_program_is_one_that_git_applies(reel: Reel, told: Path) -> None:
    append(told, IDENTITY, "You like tea.\n")
    edited = (told / IDENTITY).read_bytes()
    diff = waiting(reel)[IDENTITY]["diff"]
    git(told, "checkout", "-q", "--", IDENTITY)
    (told / "edit.diff").write_text(diff, encoding="utf-8")
    git(told, "apply", "--unidiff-zero", "edit.diff")
    assert (told / IDENTITY).read_bytes() == edited


def test_a_kit_that_is_not_under_git_says_so_and_shows_only_suggestions(
    reel: Reel, told: Path, tmp_path: Path
) -> None:
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page({"Who I am on paper": "Yes, softer."}))
    (told / ".git").rename(tmp_path / "git")
    append(told, IDENTITY, "You like tea.\n")
    done = reel("review").ok()
    assert SUGGESTED in done.out
    assert IDENTITY not in done.out
    assert "has no history (git) yet" in done.err
    refused = reel("review", "accept", SUGGESTED, "--as", ME, "--yes")
    assert refused.code == 3


def test_an_item_that_does_not_wait_is_refused_with_the_nearest(reel: Reel, told: Path) -> None:
    append(told, IDENTITY, "You like tea.\n")
    done = reel("review", "show", "ring0/identity")
    assert done.code == 0
    done = reel("review", "accept", "ring0/identiti.md")
    assert done.code == 1
    assert f"Hint: did you mean {IDENTITY}?" in done.err


def test_an_item_may_be_named_from_where_the_person_stands(reel: Reel, told: Path) -> None:
    append(told, "ring2/working.md", "more\n")
    above = told.parent
    reel("--kit", "ada", "review", "accept", "ada/ring2/working.md", cwd=above).ok()
    assert git(told, "status", "--porcelain") == ""
    append(told, "ring2/working.md", "more\n")
    reel("review", "accept", "working.md", cwd=told / "ring2").ok()
    assert git(told, "status", "--porcelain") == ""


def test_control_codes_in_an_edit_do_not_reach_the_terminal(reel: Reel, told: Path) -> None:
    append(told, IDENTITY, "You are \x1b[31mred\x1b[0m.\n")
    done = reel("review", tty=True, env={"NO_COLOR": "1"}).ok()
    assert "\x1b" not in done.out + done.err


# -- ring 0 ---------------------------------------------------------------------------------


def test_an_edit_of_the_settings_that_is_kept_is_told_with_its_file(reel: Reel, kit: Path) -> None:
    with (kit / "kit.yaml").open("a") as file:
        file.write("# a remark\n")
    assert reel("review", "accept", "kit.yaml", "--yes").ok().out == "Kept: your edit of kit.yaml.\n"


def test_an_edit_of_the_draft_is_an_edit_like_any_other(reel: Reel, kit: Path) -> None:
    append(kit, IDENTITY, "You like tea.\n")
    assert waiting(reel)[IDENTITY]["kind"] == "hand"
    reel("review", "accept", IDENTITY).ok()
    assert trailer(kit, "Reel-Op") == "edit"
    assert trailer(kit, "Reel-Ratified-By") == ""
    assert waiting(reel) == {}


@pytest.mark.parametrize("where", ["on the disk", "committed"])
def test_an_edit_of_ring_0_is_in_force_once_it_is_accepted(reel: Reel, told: Path, where: str) -> None:
    """REEL §4.1: hold who the persona is; load it whole and first every time; amend it only by a person."""
    append(told, IDENTITY, "You like tea.\n")
    if where == "committed":
        commit_by_hand(told)
    assert waiting(reel)[IDENTITY]["kind"] == "ring0"
    assert "You like tea." not in packed(reel)
    done = accept(reel, IDENTITY).ok()
    assert done.out == "The identity, approved as edited by hand.\n"
    assert trailer(told, "Reel-Ratified-By") == ME
    assert waiting(reel) == {}
    assert "You like tea." in packed(reel)


@pytest.mark.parametrize(
    "arguments",
    [[], ["--yes"], ["--as", ME], ["--as", "Bo Lind", "--yes"], ["--as", "<bo@example.org>", "--yes"]],
)
def test_ring_0_wants_an_explicit_yes_and_a_name(reel: Reel, told: Path, arguments: list[str]) -> None:
    """REEL §3.4: change ring 0 only by a person's decision; take nothing from ring 1's pool without one."""
    append(told, IDENTITY, "You like tea.\n")
    before = head(told)
    done = reel("review", "accept", IDENTITY, *arguments)
    assert done.code == (2 if "--as" in arguments and ME not in arguments else 1)
    assert done.err.splitlines()[-1].startswith("Hint: ")
    assert head(told) == before
    assert list(waiting(reel)) == [IDENTITY]


def test_at_a_terminal_the_name_on_commits_counts_once_it_was_asked(reel: Reel, told: Path) -> None:
    append(told, IDENTITY, "You like tea.\n")
    before = head(told)
    assert reel("review", "accept", IDENTITY, tty=True, stdin="n\n").code == 1
    assert reel("review", "accept", IDENTITY, tty=True, stdin="\n").code == 1
    assert reel("review", "accept", IDENTITY, "--yes", tty=True, stdin="").code == 1
    assert head(told) == before
    done = reel("review", "accept", IDENTITY, tty=True, stdin="yes\n").ok()
    assert f"Approve this as {ME}? [y/N]" in done.err
    assert "new: You like tea." in done.err
    assert trailer(told, "Reel-Ratified-By") == ME


@pytest.mark.parametrize("where", ["on the disk", "committed"])
def test_a_rejected_edit_of_ring_0_is_kept_aside(reel: Reel, told: Path, where: str) -> None:
    was = (told / IDENTITY).read_bytes()
    append(told, IDENTITY, "You like tea.\n")
    edited = (told / IDENTITY).read_text(encoding="utf-8")
    if where == "committed":
        commit_by_hand(told)
    before = head(told)
    done = reel("review", "reject", IDENTITY).ok()
    assert (told / IDENTITY).read_bytes() == was
    assert rejected(told) == [edited]
    assert "To have it back:  reel undo" in done.err
    assert git(told, "status", "--porcelain") == ""
    assert (head(told) != before) is (where == "committed")
    assert waiting(reel) == {}
    assert "You like tea." not in packed(reel)


def test_two_edits_of_ring_0_come_into_force_together(reel: Reel, told: Path) -> None:
    append(told, IDENTITY, "You like tea.\n")
    append(told, "ring0/directives.md", "Never hurry.\n")
    before = head(told)
    accept(reel, IDENTITY, "ring0/directives.md").ok()
    assert git(told, "rev-parse", "HEAD~1").strip() == before
    assert waiting(reel) == {}


def test_one_edit_of_ring_0_does_not_bring_the_other_into_force(reel: Reel, told: Path) -> None:
    append(told, IDENTITY, "You like tea.\n")
    append(told, "ring0/directives.md", "Never hurry.\n")
    accept(reel, IDENTITY).ok()
    assert list(waiting(reel)) == ["ring0/directives.md"]
    assert "Never hurry." not in packed(reel)
    commit_by_hand(told)
    append(told, IDENTITY, "And coffee.\n")
    refused = accept(reel, IDENTITY)
    assert refused.code == 1
    assert "ring0/directives.md has an edit of its own" in refused.err
    assert "Never hurry." not in packed(reel)
    accept(reel, IDENTITY, "ring0/directives.md").ok()
    assert "Never hurry." in packed(reel)


def test_an_identity_that_is_gone_or_empty_cannot_be_accepted(reel: Reel, told: Path) -> None:
    was = (told / IDENTITY).read_bytes()
    (told / IDENTITY).unlink()
    assert accept(reel, IDENTITY).code == 1
    (told / IDENTITY).write_bytes(b"")
    assert accept(reel, IDENTITY).code == 1
    reel("review", "reject", IDENTITY).ok()
    assert (told / IDENTITY).read_bytes() == was


def test_directives_taken_out_by_a_commit_of_ones_own_can_be_accepted(reel: Reel, told: Path) -> None:
    (told / "ring0/directives.md").unlink()
    commit_by_hand(told)
    assert list(waiting(reel)) == ["ring0/directives.md"]
    accept(reel, "ring0/directives.md").ok()
    assert waiting(reel) == {}


# -- suggestions ----------------------------------------------------------------------------


def suggest(reel: Reel, words: str) -> None:
    reel("checkpoint", "--reply", "-", "--yes", stdin=page({"Who I am on paper": words})).ok()


def test_a_suggestion_with_exact_words_is_applied(reel: Reel, told: Path) -> None:
    suggest(reel, 'Yes: change "hard to impress" to "quick to laugh", because I am.')
    one = waiting(reel)[SUGGESTED]
    assert one["kind"] == "identity"
    assert "+You are warm, dry and quick to laugh." in one["diff"]
    assert WORDS in packed(reel)
    accept(reel, SUGGESTED).ok()
    assert "You are warm, dry and quick to laugh." in packed(reel)
    changed = git(told, "show", "--name-only", "--format=", "HEAD").split()
    assert [path for path in changed if "journal" not in path] == [f"review/{SUGGESTED}.md", IDENTITY]
    assert trailer(told, "Reel-Ratified-By") == ME
    assert trailer(told, "Reel-Session") == "2026-02-25-1"
    assert waiting(reel) == {}


def test_a_suggestion_with_the_exact_words_of_a_rule_is_applied_to_the_rules(reel: Reel, told: Path) -> None:
    """It "did not give the exact words", though its line stood letter for letter in the page's prompt."""
    rules, identity = told / "ring0/directives.md", (told / IDENTITY).read_bytes()
    line = next(line for line in rules.read_text().splitlines() if line.startswith("- ")).removeprefix("- ")
    suggest(reel, f'Change "{line}" to "Say it once, and let it be."')
    one = waiting(reel)[SUGGESTED]
    assert one["what"] == "a change to the persona's rules"
    assert f"-- {line}" in one["diff"]
    assert "+- Say it once, and let it be." in one["diff"]
    asked = " ".join(reel("review", stdin="q\n", tty=True).ok().err.split())
    assert "suggests a change to Ada's rules" in asked
    assert "exact words" not in asked
    reel("review", stdin="y\n", tty=True).ok()
    assert "Say it once, and let it be." in packed(reel)
    assert trailer(told, "Reel-Ratified-By")
    assert ((told / IDENTITY).read_bytes(), waiting(reel)) == (identity, {})
    reel("undo", "--yes").ok()
    assert line in packed(reel)


def test_a_suggestion_without_exact_words_wants_an_editor(reel: Reel, told: Path) -> None:
    suggest(reel, "Yes. I would say somewhere that I am slower in the morning.")
    one = waiting(reel)[SUGGESTED]
    assert "+Yes. I would say somewhere that I am slower in the morning." in one["diff"]
    done = accept(reel, SUGGESTED)
    assert done.code == 1
    assert f"Hint: edit {IDENTITY}" in done.err
    assert list(waiting(reel)) == [SUGGESTED]


def test_in_the_editor_the_suggestion_stands_above_and_is_taken_out_again(
    reel: Reel, told: Path, tmp_path: Path
) -> None:
    suggest(reel, "Yes. Slower in the morning --> that is true.")
    was = (told / IDENTITY).read_text(encoding="utf-8")
    seen = tmp_path / "seen"
    editor = tmp_path / "editor"
    editor.write_text(f'#!/bin/sh\ncp "$1" {seen}\necho "You are slow in the morning." >> "$1"\n')
    editor.chmod(0o755)
    done = reel(
        "review", "accept", SUGGESTED, tty=True, stdin="y\ny\n", env={"EDITOR": str(editor), "VISUAL": ""}
    ).ok()
    assert "Slower in the morning" in seen.read_text(encoding="utf-8")
    assert (told / IDENTITY).read_text(encoding="utf-8") == was + "You are slow in the morning.\n"
    assert "new: You are slow in the morning." in done.err
    assert waiting(reel) == {}
    assert "You are slow in the morning." in packed(reel)


def test_an_editor_that_changes_nothing_accepts_nothing(reel: Reel, told: Path) -> None:
    suggest(reel, "Yes, softer.")
    done = reel("review", "accept", SUGGESTED, tty=True, stdin="y\ny\n", env={"EDITOR": "true", "VISUAL": ""})
    assert done.code == 1
    assert list(waiting(reel)) == [SUGGESTED]


def test_a_suggestion_does_not_carry_an_edit_of_ones_own_into_force(reel: Reel, told: Path) -> None:
    suggest(reel, 'Change "hard to impress" to "quick to laugh".')
    append(told, IDENTITY, "You like tea.\n")
    refused = accept(reel, SUGGESTED)
    assert refused.code == 1
    assert f"{IDENTITY} has an edit of its own" in refused.err


def test_a_rejected_suggestion_leaves_the_kit(reel: Reel, told: Path) -> None:
    suggest(reel, 'Change "hard to impress" to "quick to laugh".')
    assert "What was suggested is kept in" in reel("review", "reject", SUGGESTED).ok().err
    assert not (told / f"review/{SUGGESTED}.md").exists()
    assert trailer(told, "Reel-Op") == "review"
    assert waiting(reel) == {}
    assert WORDS in packed(reel)


def test_an_exchange_that_is_accepted_is_in_the_pool_and_shown(reel: Reel, told: Path) -> None:
    """REEL §4.2: an accepted example is heard, unless the list of those shown waits for a word itself."""
    reply = page({"Worth showing again": '"Fine. Chapter four: she should open a letter that isn\'t hers."'})
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=reply)
    ((name, one),) = waiting(reel).items()
    assert one["kind"] == "exemplar"
    active = told / "ring1/active.yaml"
    before = active.read_bytes()
    active.write_bytes(before.replace(b"active:", b"resting: []\nactive:", 1))
    os.utime(active, (0, 0))
    assert "reel example activate" in reel("review", "accept", name).ok().err
    reel("undo", "--yes").ok()
    active.write_bytes(before)
    done = reel("review", "accept", name).ok()
    brought = [
        path for path in git(told, "show", "--name-only", "--format=", "HEAD").split() if "ring1" in path
    ]
    assert "reel example activate" not in done.err
    assert brought[0] == "ring1/active.yaml"
    del brought[0]
    assert Path(brought[0]).stem in active.read_text()
    text = (told / brought[0]).read_text(encoding="utf-8")
    assert 'source: "2026-02-25-1#3-4"' in text
    assert "added: 2026-03-01" in text
    assert "**Ada:** Then let her read it standing up, with her coat on." in text
    assert waiting(reel) == {}


def test_a_suggestion_that_cannot_be_read_is_told_of_and_can_be_dropped(reel: Reel, told: Path) -> None:
    (told / "review").mkdir()
    (told / "review/odd.md").write_text("---\nkind: odd\n---\nhm\n", encoding="utf-8")
    assert waiting(reel)["odd"]["kind"] == "broken"
    assert reel("review", "accept", "odd").code == 1
    reel("review", "reject", "odd").ok()
    assert waiting(reel) == {}
    assert rejected(told) == ["---\nkind: odd\n---\nhm\n"]


# -- the pool -------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["on the disk", "committed"])
def test_an_edit_in_the_pool_wants_a_word_and_a_name(reel: Reel, told: Path, where: str) -> None:
    was = (told / EXEMPLAR).read_bytes()
    append(told, EXEMPLAR, "\n**Ada:** And one more line.\n")
    if where == "committed":
        commit_by_hand(told)
        reel("tape", "flag", "something else happens").ok()
    assert waiting(reel)[EXEMPLAR]["kind"] == "pool"
    assert reel("review", "accept", EXEMPLAR).code == 1
    edited = (told / EXEMPLAR).read_bytes()
    accept(reel, EXEMPLAR).ok()
    assert trailer(told, "Reel-Ratified-By") == ME
    assert (told / EXEMPLAR).read_bytes() == edited
    assert waiting(reel) == {}
    replace(told, EXEMPLAR, "And one more line.", "And another.")
    reel("review", "reject", EXEMPLAR).ok()
    assert (told / EXEMPLAR).read_bytes() == edited != was


@pytest.mark.parametrize("where", ["on the disk", "committed"])
def test_a_removal_from_the_pool_wants_a_word_and_a_name(reel: Reel, told: Path, where: str) -> None:
    was = (told / EXEMPLAR).read_bytes()
    (told / EXEMPLAR).unlink()
    if where == "committed":
        commit_by_hand(told)
    assert "taken out of the pool" in waiting(reel)[EXEMPLAR]["what"]
    reel("review", "reject", EXEMPLAR).ok()
    assert (told / EXEMPLAR).read_bytes() == was
    assert waiting(reel) == {}
    (told / EXEMPLAR).unlink()
    if where == "committed":
        commit_by_hand(told)
    accept(reel, EXEMPLAR).ok()
    assert waiting(reel) == {}
    assert trailer(told, "Reel-Ratified-By") == ME
    assert "the-bus-window" not in (told / "ring1/active.yaml").read_text(encoding="utf-8")


def test_the_anchor_is_not_taken_out_of_the_pool(reel: Reel, told: Path) -> None:
    (told / "ring1/easier-than-people.md").unlink()
    done = accept(reel, "ring1/easier-than-people.md")
    assert done.code == 1
    assert "is the example that is always there" in done.err


def test_a_new_exemplar_by_hand_is_no_edit_of_the_pool(reel: Reel, told: Path) -> None:
    text = "---\ntitle: Mine\nrole: humor\n---\n**You:** a\n\n**Ada:** b\n"
    (told / "ring1/mine.md").write_text(text, encoding="utf-8")
    assert waiting(reel)["ring1/mine.md"]["kind"] == "hand"
    commit_by_hand(told)
    assert waiting(reel) == {}
    append(told, "ring1/mine.md", "\n**You:** c\n")
    commit_by_hand(told)
    assert waiting(reel)["ring1/mine.md"]["kind"] == "pool"


def test_an_edit_of_the_pool_that_reel_itself_had_to_commit_still_waits(reel: Reel, told: Path) -> None:
    append(told, EXEMPLAR, "\n**Ada:** And one more line.\n")
    git(told, "commit", "-q", "--no-verify", "-m", "edit: by hand\n\nReel-Op: edit", "--", EXEMPLAR)
    assert waiting(reel)[EXEMPLAR]["kind"] == "pool"


# -- the tape -------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["on the disk", "committed"])
@pytest.mark.parametrize("how", ["changed", "deleted"])
def test_a_change_of_the_tapes_past_cannot_be_accepted_and_can_be_taken_back(
    reel: Reel,
    told: Path,
    where: str,
    how: str,
) -> None:
    was = (told / SESSION).read_bytes()
    if how == "deleted":
        (told / SESSION).unlink()
    else:
        replace(told, SESSION, "penicillin never", "penicillin always")
    if where == "committed":
        commit_by_hand(told)
    one = waiting(reel)[SESSION]
    assert one["kind"] == "tape"
    done = accept(reel, SESSION)
    assert done.code == 3
    assert f"reel review reject {SESSION}" in done.err
    reel("review", "reject", SESSION).ok()
    assert (told / SESSION).read_bytes() == was
    assert waiting(reel) == {}
    assert git(told, "status", "--porcelain") == ""


def test_a_session_someone_wrote_behind_is_no_growth(reel: Reel, told: Path) -> None:
    was = (told / SESSION).read_bytes()
    append(told, SESSION, "And then I said yes.\n")
    assert waiting(reel)[SESSION]["kind"] == "tape"
    assert accept(reel, SESSION).code == 3
    reel("review", "reject", SESSION).ok()
    assert (told / SESSION).read_bytes() == was


def test_a_session_that_grew_as_reel_writes_it_can_be_accepted(reel: Reel, told: Path) -> None:
    was = (told / SESSION).read_bytes()
    reel.given("record", "-", stdin=chat(("user", "One more thing.")))
    grown = (told / SESSION).read_bytes()
    git(told, "reset", "-q", "--hard", "HEAD~1")
    assert (told / SESSION).read_bytes() == was != grown
    (told / SESSION).write_bytes(grown)
    assert waiting(reel)[SESSION]["kind"] == "hand"
    reel("review", "accept", SESSION).ok()
    assert waiting(reel) == {}


def test_a_file_laid_onto_the_tape_must_be_a_session(reel: Reel, told: Path) -> None:
    (told / "tape/2026/2026-02-26-1.md").write_text("hello\n", encoding="utf-8")
    assert waiting(reel)["tape/2026/2026-02-26-1.md"]["kind"] == "tape"
    assert accept(reel, "tape/2026/2026-02-26-1.md").code == 3
    reel("review", "reject", "tape/2026/2026-02-26-1.md").ok()
    assert rejected(told) == ["hello\n"]
    assert waiting(reel) == {}


# -- the index ------------------------------------------------------------------------------


@pytest.fixture
def remembered(reel: Reel, told: Path) -> Path:
    """A kit with one memory, M-001, and two free-standing lines."""
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    assert waiting(reel) == {}
    return told


LINE = (
    "M-001 | The letter that wasn't hers | \"open a letter that isn't hers\" |"
    " relational, emotional | not immune"
)
EDITED = 'M-001 | The coat | "with her coat on" | relational, mine | immune'


@pytest.mark.parametrize("where", ["on the disk", "committed"])
def test_an_edited_line_is_offered_to_its_memory(reel: Reel, remembered: Path, where: str) -> None:
    replace(remembered, "ring4/index.md", LINE, EDITED)
    if where == "committed":
        commit_by_hand(remembered)
    found = waiting(reel)
    assert list(found) == ["M-001"]
    assert found["M-001"]["kind"] == "line"
    assert "was not said" not in found["M-001"]["why"]
    assert f"+{EDITED}" in found["M-001"]["diff"]
    reel("review", "accept", "M-001").ok()
    memory = (remembered / "ring3/M-001.md").read_text(encoding="utf-8")
    for line in ("title: The coat", "tags: [relational, mine]", "immune: yes", "anchor: with her coat on"):
        assert line in memory.splitlines()
    assert EDITED in (remembered / "ring4/index.md").read_text(encoding="utf-8").splitlines()
    assert waiting(reel) == {}
    assert git(remembered, "status", "--porcelain") == ""


@pytest.mark.parametrize("where", ["on the disk", "committed"])
def test_a_rejected_line_follows_its_memory_again(reel: Reel, remembered: Path, where: str) -> None:
    was = (remembered / "ring4/index.md").read_bytes()
    replace(remembered, "ring4/index.md", LINE, EDITED)
    if where == "committed":
        commit_by_hand(remembered)
    reel("review", "reject", "M-001").ok()
    assert (remembered / "ring4/index.md").read_bytes() == was
    assert waiting(reel) == {}
    assert git(remembered, "status", "--porcelain") == ""


def test_a_phrase_that_was_not_said_is_told_of(reel: Reel, remembered: Path) -> None:
    replace(remembered, "ring4/index.md", LINE, EDITED.replace("with her coat on", "with her hat on"))
    assert "the phrase was not said like that" in waiting(reel)["M-001"]["why"]


def test_two_suggestions_are_accepted_at_once(reel: Reel, told: Path) -> None:
    suggest(reel, 'Change "hard to impress" to "quick to laugh".')
    more = chat(("user", "And now?"), ("assistant", "Now we wait."))
    reel.given("record", "-", stdin=more)
    suggest(reel, 'Change "warm, dry" to "dry, warm".')
    accept(reel, *waiting(reel)).ok()
    assert "You are dry, warm and quick to laugh." in packed(reel)
    assert waiting(reel) == {}


def test_a_line_and_what_else_was_edited_wait_apart(reel: Reel, remembered: Path) -> None:
    replace(remembered, "ring4/index.md", LINE, EDITED)
    replace(remembered, "ring4/index.md", "penicillin never", "forty pages by 30 April")
    found = waiting(reel)
    assert sorted(found) == ["M-001", "ring4/index.md"]
    assert "The coat" not in found["ring4/index.md"]["diff"]
    reel("review", "reject", "ring4/index.md").ok()
    assert list(waiting(reel)) == ["M-001"]
    assert "penicillin never" in (remembered / "ring4/index.md").read_text(encoding="utf-8")
    replace(remembered, "ring4/index.md", "penicillin never", "forty pages by 30 April")
    reel("review", "accept", "ring4/index.md").ok()
    assert list(waiting(reel)) == ["M-001"]
    reel("review", "accept", "M-001").ok()
    assert waiting(reel) == {}


def test_a_memory_edited_by_hand_takes_its_line_along(reel: Reel, remembered: Path) -> None:
    text = (remembered / "ring3/M-001.md").read_text(encoding="utf-8")
    title = next(line for line in text.splitlines() if line.startswith("title:"))
    (remembered / "ring3/M-001.md").write_text(text.replace(title, "title: The coat"), encoding="utf-8")
    assert list(waiting(reel)) == ["ring3/M-001.md"]
    reel("review", "accept", "ring3/M-001.md").ok()
    assert LINE.replace("The letter that wasn't hers", "The coat") in (
        (remembered / "ring4/index.md").read_text(encoding="utf-8").splitlines()
    )
    assert waiting(reel) == {}


def test_a_memory_deleted_by_hand_stays_as_a_stub_and_is_counted_as_forgotten(
    reel: Reel, remembered: Path
) -> None:
    was = git(remembered, "rev-parse", "HEAD:ring3/M-001.md").strip()
    (remembered / "ring3/M-001.md").unlink()
    reel("review", "accept", "ring3/M-001.md").ok()
    assert f"{LINE}, pruned <!-- 2026-02-25-1#1-6 -->" in (
        (remembered / "ring4/index.md").read_text(encoding="utf-8").splitlines()
    )
    (newest, *_) = json.loads(reel("log", "--json").ok().out)
    (loss,) = newest["forgot"]
    assert trailer(remembered, "Reel-Tokenizer") == "o200k_base"
    assert loss.pop("tokens_before") > loss.pop("tokens_after") == 0
    assert loss == {
        "id": "M-001",
        "from": "L1",
        "to": "stub",
        "reason": "deleted by hand",
        "was": was,
        "source": "2026-02-25-1#1-6",
    }


# -- anything else --------------------------------------------------------------------------


@pytest.mark.needs("tables")
def test_hand_edits_are_committed_together_as_they_lie_there(reel: Reel, told: Path) -> None:
    append(told, "ring2/working.md", "more\n")
    append(told, "kit.yaml", "# mine\n")
    (told / "domain").mkdir()
    (told / "domain/birds.md").write_text("swifts\n", encoding="utf-8")
    before = head(told)
    found = waiting(reel)
    assert {one["kind"] for one in found.values()} == {"hand"}
    reel("review", "accept", *found).ok()
    assert git(told, "rev-parse", "HEAD~1").strip() == before
    assert trailer(told, "Reel-Op") == "edit"
    assert git(told, "status", "--porcelain") == ""
    assert waiting(reel) == {}


def test_what_a_person_keeps_beside_the_kit_is_left_alone(reel: Reel, told: Path) -> None:
    (told / "draft.txt").write_text("mine\n", encoding="utf-8")
    (told / "ring0/.identity.md.swp").write_text("vim\n", encoding="utf-8")
    (told / "ring0/identity.md~").write_text("emacs\n", encoding="utf-8")
    assert waiting(reel) == {}


def test_a_rejected_file_is_as_committed_and_the_text_is_kept(reel: Reel, told: Path) -> None:
    was = (told / "ring2/working.md").read_bytes()
    mode = (told / "ring2/working.md").stat().st_mode
    append(told, "ring2/working.md", "more\n")
    edited = (told / "ring2/working.md").read_text(encoding="utf-8")
    git(told, "add", "ring2/working.md")
    before = head(told)
    reel("review", "reject", "ring2/working.md").ok()
    assert (told / "ring2/working.md").read_bytes() == was
    assert (told / "ring2/working.md").stat().st_mode == mode
    assert rejected(told) == [edited]
    assert head(told) == before
    assert git(told, "status", "--porcelain") == ""
    kept = next(file for file in (told / ".reel/state/rejected").rglob("*") if file.is_file())
    assert kept.stat().st_mode & 0o077 == 0 or os.name == "nt"


@pytest.mark.needs("tables")
def test_a_rejected_new_file_and_a_rejected_deletion(reel: Reel, told: Path) -> None:
    (told / "domain").mkdir()
    (told / "domain/birds.md").write_text("swifts\n", encoding="utf-8")
    was = (told / "ring2/working.md").read_bytes()
    (told / "ring2/working.md").unlink()
    (told / "ring2").rmdir()
    reel("review", "reject", "domain/birds.md", "ring2/working.md").ok()
    assert not (told / "domain").exists()
    assert (told / "ring2/working.md").read_bytes() == was
    assert rejected(told) == ["swifts\n"]
    assert waiting(reel) == {}


def test_at_a_terminal_a_rejection_is_asked_for(reel: Reel, told: Path) -> None:
    append(told, "ring2/working.md", "more\n")
    done = reel("review", "reject", "ring2/working.md", tty=True, stdin="n\n").ok()
    assert "Reject ring2/working.md? [Y/n]" in done.err
    assert list(waiting(reel)) == ["ring2/working.md"]
    reel("review", "reject", "ring2/working.md", "--yes", tty=True).ok()
    assert waiting(reel) == {}


@pytest.mark.parametrize("verb", ["accept", "reject"])
def test_a_dry_run_changes_nothing(reel: Reel, told: Path, verb: str) -> None:
    append(told, "ring2/working.md", "more\n")
    edited = (told / "ring2/working.md").read_bytes()
    before = head(told)
    done = reel("review", verb, "ring2/working.md", "--dry-run").ok()
    assert "new: more" in done.err
    assert "Nothing was changed (--dry-run)." in done.err
    assert head(told) == before
    assert (told / "ring2/working.md").read_bytes() == edited
    assert rejected(told) == []


@pytest.mark.parametrize(
    ("path", "text", "told_of"),
    [
        ("kit.yaml", "name: [\n", "kit.yaml"),
        ("ring2/working.md", "---\nopen\n", "ring2/working.md, line 1"),
        ("ring1/active.yaml", "active: {a: b}\n", "ring1/active.yaml"),
    ],
)
def test_a_file_that_could_not_be_read_again_is_not_accepted(
    reel: Reel, told: Path, path: str, text: str, told_of: str
) -> None:
    was = (told / path).read_bytes()
    if path != "kit.yaml":
        (told / path).write_text(text, encoding="utf-8")
        done = reel("review", "accept", path)
        assert done.code == 1
        assert told_of in done.err
        reel("review", "reject", path).ok()
        assert (told / path).read_bytes() == was


@pytest.mark.parametrize("verb", ["accept", "reject"])
def test_a_link_out_of_the_kit_is_told_of_and_never_followed(
    reel: Reel, told: Path, tmp_path: Path, verb: str
) -> None:
    (tmp_path / "secret").write_text("secret\n", encoding="utf-8")
    (told / "ring2/link.md").symlink_to(tmp_path / "secret")
    assert "secret" not in reel("review", "--json").ok().out.replace(str(tmp_path), "")
    assert waiting(reel)["ring2/link.md"]["kind"] == "broken"
    done = reel("review", verb, "ring2/link.md")
    assert done.code == 3
    assert done.err.splitlines()[-1].startswith("Hint: put a plain file")
    assert (tmp_path / "secret").read_text(encoding="utf-8") == "secret\n"


def test_one_refusal_refuses_all_that_was_asked_with_it(reel: Reel, told: Path) -> None:
    append(told, "ring2/working.md", "more\n")
    replace(told, SESSION, "penicillin never", "penicillin always")
    before = head(told)
    assert reel("review", "accept", "ring2/working.md", SESSION).code == 3
    assert head(told) == before


def test_a_half_staged_file_is_refused_and_left_alone(reel: Reel, told: Path) -> None:
    append(told, "ring2/working.md", "more\n")
    git(told, "add", "ring2/working.md")
    append(told, "ring2/working.md", "and more\n")
    before = head(told)
    assert reel("review", "accept", "ring2/working.md").code == 3
    assert head(told) == before


def test_a_kit_inside_another_repository_minds_its_own_files(reel: Reel, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    (outer / "notes.txt").write_text("a\n", encoding="utf-8")
    git(outer, "add", "-A")
    git(outer, "commit", "-q", "-m", "mine")
    reel("init", "ada", "--template", "companion", "--name", "Ada", cwd=outer).ok()
    reel.cwd = outer / "ada"
    reel.given("record", "-", stdin=chat())
    (outer / "notes.txt").write_text("b\n", encoding="utf-8")
    append(reel.cwd, IDENTITY, "You like tea.\n")
    append(reel.cwd, "ring2/working.md", "more\n")
    assert {k: v["kind"] for k, v in waiting(reel).items()} == {IDENTITY: "ring0", "ring2/working.md": "hand"}
    accept(reel, IDENTITY).ok()
    reel("review", "reject", "ring2/working.md").ok()
    assert waiting(reel) == {}
    assert git(outer, "status", "--porcelain") == " M notes.txt\n"


def test_the_whole_list_is_plain_json(reel: Reel, told: Path) -> None:
    append(told, IDENTITY, "You like tea.\n")
    found: list[dict[str, Any]] = json.loads(reel("review", "--json").ok().out)
    assert [list(one) for one in found] == [["item", "kind", "what", "why", "diff"]]
    one = json.loads(reel("review", "show", IDENTITY, "--json").ok().out)
    assert one == found[0]


def test_a_deleted_file_is_told_by_what_it_held(reel: Reel, told: Path) -> None:
    """Its lines are a format, and who listens hears the name of each field."""
    (told / "facts.yaml").write_text(
        "- {category: identity, key: name, value: Bo, confidence: 1}\n"
        "- {category: context, key: city, value: Oslo, confidence: 1}\n"
    )
    git(told, "add", "facts.yaml")
    git(told, "commit", "-qm", "facts")
    (told / "facts.yaml").unlink()
    shown = reel("review", stdin="q\n", tty=True).err
    assert "removed: 2 entries\n" in shown
    assert "city: Oslo\n" in shown
    assert "confidence" not in shown

"""`reel edit`: the text in an editor, what changed, the next step; nothing that was saved is lost."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from reel_cli.core.files.settings_file import parse_settings
from reel_cli.terminal.console import Console
from tests.features.memory.test_memory import remembered as remembered_kit
from tests.support.cli import Reel, git

remembered = remembered_kit
Editor = Callable[[str], dict[str, str]]


HEAD = "Change the title and the text below the second ---; leave the other lines as they are.\n"
OPENING = "Opening editor. Save and close it when you are done.\n"


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    """An editor that runs shell commands on the file `$1`."""

    def make(commands: str) -> dict[str, str]:
        place = tmp_path / "editor.sh"
        place.write_text(f"#!/bin/sh\n{commands}\n")
        place.chmod(0o755)
        return {"EDITOR": str(place), "VISUAL": ""}

    return make


def test_the_notes_are_committed_and_count_at_once(reel: Reel, kit: Path, editor: Editor) -> None:
    done = reel("edit", "now", env=editor('echo "- buy tea" >> "$1"')).ok()
    assert done.out.startswith("  new: - buy tea\nKept.\n")
    assert done.err == OPENING + "It counts from the next  reel start\n"
    assert git(kit, "status", "--porcelain") == ""


def test_who_the_persona_is_waits_for_approval(reel: Reel, kit: Path, editor: Editor) -> None:
    reel("record", "-", stdin="**You:** Hi.\n\n**Ada:** Hello.\n").ok()
    done = reel("edit", "identity", env=editor('echo "You like tea." >> "$1"')).ok()
    assert done.out == "  new: You like tea.\n"
    assert (
        done.err
        == OPENING
        + "Saved. Chats were held with the earlier text, so it counts once you approve it:  reel review\n"
    )
    assert "ring0/identity.md" in reel("review").ok().out
    assert "approve it" in reel("edit", "voice", env=editor('echo "Well." >> "$1"')).ok().err


def test_of_a_text_in_which_nothing_was_saved_no_more_is_said(
    reel: Reel, kit: Path, editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = git(kit, "rev-parse", "HEAD")
    nothing = "Nothing was saved in ring0/directives.md.\n"
    monkeypatch.setattr("reel_cli.terminal.input.given_text.AT_ONCE", 0)
    assert reel("edit", "rules", env=editor("true")).ok().err == OPENING + nothing
    # one that opens a window of its own and goes, such as  open -e
    monkeypatch.setattr("reel_cli.terminal.input.given_text.AT_ONCE", 60)
    run = reel("edit", "rules", env=editor("true")).ok()
    assert "came back at once. If its window is open, reel does not wait for it.\n" in run.err
    assert run.err.endswith(f"reel help editor\n{nothing}")
    assert "code --wait" in reel("help", "editor").ok().out
    assert git(kit, "rev-parse", "HEAD") == head


def test_without_an_editor_the_path_is_named(reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hint names an editor only where it is installed."""
    here = ["vi"]
    monkeypatch.setattr("shutil.which", lambda name: name if name in here else None)
    done = reel("edit", "now", env={"EDITOR": "", "VISUAL": ""}).ok()
    assert done.out == f"{kit / 'ring2/working.md'}\n"
    assert "Open this file in any editor, or name yours:  export EDITOR=vi\n" in done.err
    here += ["nano"]
    assert "export EDITOR=nano" in reel("edit", "now", env={"EDITOR": "", "VISUAL": ""}).ok().err
    here.clear()
    bare = reel("edit", "now", env={"EDITOR": "", "VISUAL": ""}).ok().err
    assert "Open this file in any editor.\n" in bare
    missing = reel("edit", "now", env={"EDITOR": "no-such-editor", "VISUAL": ""}).ok()
    assert "EDITOR names “no-such-editor”, which is not installed here." in missing.err


def test_the_editor_that_a_hint_names_is_one_that_is_here(
    reel: Reel, kit: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only = tmp_path / "bin"
    only.mkdir()
    for name, does in (("vi", 'echo "- Tea." >> "$1"'), ("git", f'exec {shutil.which("git")} "$@"')):
        (only / name).write_text(f"#!/bin/sh\n{does}\n")
        (only / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{only}:/bin")
    monkeypatch.setattr("shutil.which", lambda name: str(only / name) if (only / name).exists() else None)
    missing = reel("edit", "now", env={"EDITOR": "nano", "VISUAL": ""}).ok()
    assert "EDITOR names “nano”, which is not installed here." in missing.err
    named = missing.err.partition("export EDITOR=")[2].split()[0]
    assert "- Tea." in reel("edit", "now", env={"EDITOR": named, "VISUAL": ""}).ok().out


BREAK_THEN_MEND = (
    'if grep -q "^cap: lots" "$1"; then sed -i "s/lots/4k/" "$1"; else echo "cap: lots" >> "$1"; fi'
)


def test_settings_that_cannot_be_read_are_offered_again(reel: Reel, kit: Path, editor: Editor) -> None:
    done = reel("edit", "settings", stdin="e\n", tty=True, env=editor(BREAK_THEN_MEND)).ok()
    assert "cap is 'lots'" in done.err
    assert "new: cap: 4k" in done.out
    assert "cap: 4k" in (kit / "kit.yaml").read_text()
    assert git(kit, "status", "--porcelain") == ""


@pytest.mark.parametrize("answer", ["b\n", "l\n", ""])
def test_broken_settings_are_put_back_or_left_by_a_person_alone(
    reel: Reel, kit: Path, editor: Editor, answer: str
) -> None:
    before = (kit / "kit.yaml").read_text()
    done = reel("edit", "settings", stdin=answer, tty=True, env=editor('echo "cap: lots" >> "$1"')).ok()
    if answer == "b\n":
        assert (kit / "kit.yaml").read_text() == before
        assert [one for one in kit.glob(".reel/state/rejected/*/kit.yaml") if "lots" in one.read_text()]
    else:
        assert (kit / "kit.yaml").read_text() == f"{before}cap: lots\n"
        assert "reel restore kit.yaml" in done.err
        assert reel("edit", "settings", env=editor('sed -i "s/lots/4k/" "$1"')).ok()


def test_settings_that_are_still_broken_are_said_so_where_nothing_was_saved(
    reel: Reel, kit: Path, editor: Editor
) -> None:
    with (kit / "kit.yaml").open("a") as file:
        file.write("cap: lots\n")
    done = reel("edit", "settings", env=editor(":"))
    assert (done.code, "cap is 'lots'" in done.err, "reel restore kit.yaml" in done.err) == (1, True, True)


def test_piped_a_broken_text_is_an_error_with_the_ways_out(reel: Reel, kit: Path, editor: Editor) -> None:
    done = reel("edit", "settings", env=editor('printf "x: [" >> "$1"'))
    assert done.code == 1
    assert "reel edit settings" in done.err
    assert "reel restore kit.yaml" in done.err


def test_settings_without_the_name_are_told_of_and_not_kept(reel: Reel, kit: Path, editor: Editor) -> None:
    """The persona was called by its folder's name from then on, without a word."""
    name = parse_settings((kit / "kit.yaml").read_text(), fallback_name="").name
    cut = 'sed -i "/^name:/d" "$1"'
    done = reel("edit", "settings", stdin="b\n", tty=True, env=editor(cut)).ok()
    assert f"kit.yaml: the line with the persona's name, {name}, is gone." in done.err
    assert f"put it back: reel config name {name}" in " ".join(done.err.split())
    assert git(kit, "status", "--porcelain") == ""
    left = [line for line in (kit / "kit.yaml").read_text().splitlines() if not line.startswith("name:")]
    (kit / "kit.yaml").write_text("\n".join([*left, "cap: 4k", ""]))
    told = f"kit.yaml no longer has the persona's name, {name}"
    assert f"{told}:  reel config name {name}" in reel("start").ok().err
    assert told in reel("doctor").out
    assert told in reel().ok().out
    assert "is gone" in reel("review", "accept", "kit.yaml").err
    head = git(kit, "rev-parse", "HEAD")
    for more in ([], ["--dry-run"]):
        refused = reel("config", "window", "32k", *more)
        assert (refused.code, f"reel config name {name}" in refused.err) == (1, True)
    assert git(kit, "rev-parse", "HEAD") == head
    reel(*reel().ok().out.rpartition("Next:  reel ")[2].split()).ok()
    assert told not in reel("start").ok().err
    assert {f"name: {name}", "cap: 4k"} <= {*(kit / "kit.yaml").read_text().splitlines()}


def test_the_name_that_history_lacked_is_taken_out_again_by_undo(reel: Reel, kit: Path) -> None:
    settings = kit / "kit.yaml"
    settings.write_text(settings.read_text().replace("name:", "#", 1))
    git(kit, "commit", "-qam", "no name")
    nameless = settings.read_text()
    reel("config", "name", "Iris").ok()
    reel("undo").ok()
    assert settings.read_text() == nameless


def test_ctrl_c_in_the_editor_loses_nothing(reel: Reel, kit: Path, editor: Editor) -> None:
    done = reel("edit", "now", env=editor('kill -INT $PPID; echo "- buy tea" >> "$1"')).ok()
    assert "new: - buy tea" in done.out


def test_an_editor_that_fails_keeps_what_it_saved(reel: Reel, kit: Path, editor: Editor) -> None:
    done = reel("edit", "now", env=editor('echo "- buy tea" >> "$1"; exit 3')).ok()
    assert "ended with an error" in done.err
    assert "- buy tea" in (kit / "ring2/working.md").read_text()


@pytest.mark.parametrize("name", ["M-002", "2", "the letter"])
def test_a_memory_is_opened_by_its_id_or_title_and_the_edit_counts(
    reel: Reel, remembered: Path, editor: Editor, name: str
) -> None:
    done = reel("edit", name, env=editor('sed -i "s/told in/said in/" "$1"'))
    assert done.code == 0, done.err
    assert "said in a sentence" in (remembered / "ring3/M-002.md").read_text(encoding="utf-8")
    assert done.out.endswith("Kept.\n")
    assert done.err == HEAD + OPENING + "It counts from the next  reel start\n"
    assert git(remembered, "status", "--porcelain") == ""


def test_a_memory_that_is_only_a_line_or_unknown_is_answered_with_the_way_on(
    reel: Reel, remembered: Path
) -> None:
    assert remembered.exists()
    assert "reel memory list" in reel("edit", "M-099").err
    assert "reel restore M-003" in reel("edit", "M-003").err


@pytest.mark.usefixtures("kit")
def test_an_unknown_text_is_answered_with_the_nearest(reel: Reel) -> None:
    done = reel("edit", "identty")
    assert (done.code, "did you mean  reel edit identity" in done.err) == (2, True)


def test_a_title_that_is_nearly_one_of_the_words_is_the_memory(
    reel: Reel, remembered: Path, editor: Editor
) -> None:
    memory = remembered / "ring3/M-002.md"
    reel("edit", "M-002", env=editor('sed -i "s/^title:.*/title: Voices/" "$1"')).ok()

    done = reel("edit", "voices", env=editor('sed -i "s/told in/said in/" "$1"')).ok()

    assert "said in a sentence" in memory.read_text(encoding="utf-8")
    assert done.err == HEAD + OPENING + "It counts from the next  reel start\n"


def test_who_is_in_vi_is_told_how_to_leave_it(reel: Reel, kit: Path, tmp_path: Path) -> None:
    vi = tmp_path / "vi"
    vi.write_text("#!/bin/sh\ntrue\n")
    vi.chmod(0o755)
    said = reel("edit", "now", env={"EDITOR": str(vi), "VISUAL": ""}).ok().err
    assert said.splitlines()[:2] == [
        "Opening vi. Save and close it when you are done.",
        "In vi:  Esc, then  :wq  and Enter; to leave without saving,  :q!",
    ]


@pytest.mark.parametrize("text", ["now", "threads"])
def test_who_stops_before_the_editor_opens_has_saved_nothing(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    def stop(_: Console, question: str) -> str:
        assert question == "Enter opens it."
        raise KeyboardInterrupt

    monkeypatch.setattr("shutil.which", lambda name: name if name == "vi" else None)
    monkeypatch.setattr(Console, "ask", stop)
    held = {path: path.read_bytes() for path in kit.glob("ring*/*")}
    stopped = reel("edit", text, tty=True, env={"EDITOR": "", "VISUAL": ""})
    assert "Stopped. Nothing was changed." in stopped.err
    assert {path: path.read_bytes() for path in kit.glob("ring*/*")} == held


def test_who_looks_for_the_active_threads_is_led_to_the_notes(reel: Reel, kit: Path, editor: Editor) -> None:
    env = editor("true")
    where = "The Active threads are in:  reel edit now"
    assert where in reel("edit", "threads", env=env).ok().err
    assert "## Active threads" in (kit / "ring2/working.md").read_text()
    assert "Active threads" not in reel("edit", "now", env=env).ok().err


def test_the_word_for_memories_leads_to_their_list(reel: Reel, kit: Path) -> None:
    refused = reel("edit", "memory")
    assert refused.code == 2
    assert "Hint: see them with  reel memory list" in refused.err


@pytest.mark.parametrize(("chosen", "opens"), [("", "nano"), ("nano", "vi"), ("choice", "sensible-editor")])
def test_who_named_no_editor_is_given_one_that_shows_how_to_leave_it(
    reel: Reel, kit: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chosen: str, opens: str
) -> None:
    """Debian's own asks first which of several to take; `chosen` is what differs from a fresh Debian."""
    only, home = tmp_path / "bin", tmp_path / "home"
    only.mkdir()
    home.mkdir()
    for name in ("nano", "vi", "sensible-editor"):
        (only / name).write_text(f'#!/bin/sh\necho "- by {name}" >> "$1"\n')
        (only / name).chmod(0o755)
    if chosen == "nano":
        (only / "nano").unlink()
    if chosen == "choice":
        (home / ".selected_editor").write_text("SELECTED_EDITOR=/bin/ed\n")
    monkeypatch.setattr("shutil.which", lambda name: str(only / name) if (only / name).exists() else None)
    monkeypatch.setenv("PATH", f"{only}:{os.environ['PATH']}")
    done = reel("edit", "now", stdin="\n", tty=True, env={"EDITOR": "", "VISUAL": "", "HOME": str(home)}).ok()
    assert f"- by {opens}\n" in done.out
    assert ("Enter opens it." in done.err) == (opens != "nano")


def test_examples_that_a_new_persona_leaves_behind_are_told_once(
    reel: Reel, kit: Path, editor: Editor
) -> None:
    told = "The rules, the notes and 3 examples still fit Ada as it was before this text.\n"
    ways = "Change them:  reel edit rules    reel edit now    reel edit voice\n"
    assert "examples" not in reel("edit", "identity", env=editor('echo "You like tea." >> "$1"')).ok().err
    anew = editor('echo "You are Ada, who keeps a lighthouse and says little." > "$1"')
    assert reel("edit", "identity", env=anew).ok().err.endswith(told + ways)
    assert "examples" not in reel("edit", "identity", env=editor('echo "It rains." >> "$1"')).ok().err


def test_examples_that_were_changed_are_not_told(reel: Reel, kit: Path, editor: Editor) -> None:
    reel("edit", "voice", env=editor('echo "Well." >> "$1"')).ok()
    anew = editor('echo "You are Ada, who keeps a lighthouse and says little." > "$1"')
    assert "the notes and 2 examples still fit Ada" in reel("edit", "identity", env=anew).ok().err


def test_what_a_new_persona_leaves_behind_is_put_away_by_one_answer(
    reel: Reel, kit: Path, editor: Editor
) -> None:
    anew = editor('echo "You are Ada, who keeps a lighthouse and says little." > "$1"')
    done = reel("edit", "identity", env=anew, stdin="y\n", tty=True).ok()
    assert "Put them away? Plain rules and notes take their place, and examples rest. [Y/n]" in done.err
    assert done.err.endswith("Put away. To take that back:  reel undo\n")
    bundle = reel("pack").ok().out
    assert "Never invent a shared past." in bundle
    assert "Tease the plan" not in bundle
    assert "Getting to know" not in bundle
    assert "### " not in bundle
    assert reel("doctor").ok()
    reel("undo", "--yes").ok()
    assert "Tease the plan" in reel("pack").ok().out


def test_an_emptied_identity_is_said_at_once_and_nothing_else_is_put_away(
    reel: Reel, kit: Path, editor: Editor
) -> None:
    before = (kit / "ring0/identity.md").read_text()
    done = reel("edit", "identity", env=editor(': > "$1"'), stdin="b\n", tty=True).ok()
    assert "ring0/identity.md is empty, and Ada would be nobody in particular." in " ".join(done.err.split())
    assert "Put them away?" not in done.err
    assert (kit / "ring0/identity.md").read_text() == before
    piped = reel("edit", "identity", env=editor(': > "$1"'))
    assert (piped.code, "is empty" in piped.err, "fit Ada as it was" in piped.err) == (1, True, False)


def test_what_stays_of_the_template_has_commands_that_change_it(
    reel: Reel, kit: Path, editor: Editor
) -> None:
    anew = editor('echo "You are Ada, who keeps a lighthouse and says little." > "$1"')
    done = reel("edit", "identity", env=anew, stdin="n\n", tty=True).ok()
    assert "They stay. To change them any day:\n" in done.err
    ways = [line.strip() for line in done.err.splitlines() if line.startswith("  reel ")]
    assert ways[:2] == ["reel edit rules", "reel edit now"]
    reel(*ways[2].split()[1:]).ok()
    assert "### " not in reel("pack").ok().out


def test_a_whole_bundle_is_not_who_somebody_is(reel: Reel, kit: Path, editor: Editor) -> None:
    before = (kit / "ring0/identity.md").read_bytes()
    reel("pack", "--out", str(kit.parent / "bundle.md")).ok()
    pasted = editor(f'cat "{kit.parent}/bundle.md" > "$1"')
    done = reel("edit", "identity", env=pasted)
    assert done.code == 1
    assert "ring0/identity.md holds a whole text that reel start made" in done.err
    reel(*done.err.rpartition("put it back:  reel ")[2].split(), "--yes").ok()
    assert (kit / "ring0/identity.md").read_bytes() == before
    done = reel("edit", "identity", env=pasted, stdin="back\n", tty=True).ok()
    assert "leave only what stands under  ## Who you are" in done.err
    assert (kit / "ring0/identity.md").read_bytes() == before


def test_a_text_that_waits_is_not_said_to_have_been_talked_with_before_any_chat(
    reel: Reel, kit: Path, editor: Editor
) -> None:
    done = reel("edit", "voice", env=editor('echo "Well." >> "$1"')).ok()
    assert "Chats were held" not in done.err


def test_an_edit_shows_the_words_that_changed_as_the_review_does(
    reel: Reel, kit: Path, editor: Editor
) -> None:
    """The whole line stood there twice, with nothing to tell which of its words differed."""
    line = f"You are a clockmaker who {'counts every wheel before she answers, and ' * 4}says so."
    (kit / "ring0/identity.md").write_text(f"{line}\n")
    git(kit, "commit", "-qam", "mine")
    done = reel("edit", "identity", env=editor('sed -i.bak s/clockmaker/watchmaker/ "$1"; rm "$1.bak"')).ok()
    was, now, *_ = done.out.splitlines()
    assert was.startswith("  was: You are a [clockmaker] who counts every wheel")
    assert now.startswith("  now: You are a [watchmaker] who counts every wheel")
    assert was.endswith("…")
    back = reel("edit", "identity", env=editor('echo "You like tea." > "$1"')).ok()
    assert back.out.splitlines()[1] == "  now: You like tea."


def test_a_text_that_was_written_anew_is_read_back(reel: Reel, kit: Path, editor: Editor) -> None:
    """Lines of the template and of the new text stood between one another."""
    (kit / "ring0/identity.md").write_text("\n\n".join(f"Question {n}?" for n in range(9)))
    git(kit, "commit", "-qam", "template")
    fresh = "You are a clockmaker.\n\n## How you talk\nShort.\n\nQuestion 4?\n"
    done = reel("edit", "identity", env=editor(f"printf '{fresh}' > \"$1\"")).ok()
    told = "  You are a clockmaker.\n  ## How you talk\n  Short.\n  Question 4?\n"
    assert done.out.startswith(f"It now reads:\n{told}")


def test_one_more_line_is_one_line(reel: Reel, kit: Path, editor: Editor) -> None:
    lines = editor('for i in 1 2 3 4 5 6 7 8 9 10 11; do echo "- tea $i" >> "$1"; done')
    assert "  and 1 more line\n" in reel("edit", "now", env=lines).ok().out


def test_an_edit_by_a_person_without_a_name_counts_once_they_give_one(
    reel: Reel, kit: Path, editor: Editor
) -> None:
    nobody = {"GIT_CONFIG_GLOBAL": os.devnull, "HOME": "/nonexistent", "EMAIL": ""}
    done = reel("edit", "now", env=nobody | editor('echo "- buy tea" >> "$1"'))
    assert (done.code, done.out) == (3, "  new: - buy tea\n")
    assert "Your text is saved, and is kept in the history once git knows your name." in done.err
    assert 'Hint: reel config author "Your Name"  and then  reel review' in done.err
    reel("config", "author", "Tomas", env=nobody).ok()
    reel("review", "accept", "ring2/working.md", env=nobody).ok()
    assert "- buy tea" in git(kit, "show", "HEAD:ring2/working.md")
    assert git(kit, "status", "--porcelain") == ""


def test_facts_are_no_text_and_have_a_way_to_add_one(reel: Reel, kit: Path) -> None:
    done = reel("edit", "facts")
    assert done.code == 2
    assert done.err == (
        "Error: Facts are not edited as a text.\n"
        'Hint: see them with  reel fact list  , or note one:  reel fact add CATEGORY KEY "VALUE"\n'
    )


def test_an_example_that_lost_its_title_is_not_taken_under_its_file_s_name(
    reel: Reel, kit: Path, editor: Editor
) -> None:
    place = kit / "ring1/easier-than-people.md"
    whole = place.read_text()
    headless = editor("sed -i '1,6d' \"$1\"")
    done = reel("edit", "voice", env=headless)
    assert done.code == 1
    assert (
        "Error: The header at the beginning of the example is gone: line 1 was “---”, and now is" in done.err
    )
    place.write_text(whole)
    asked = reel("edit", "voice", env=headless, stdin="back\n", tty=True).ok()
    assert "title: Easier than people" in asked.err
    assert place.read_text() == whole


@pytest.mark.parametrize(
    ("slip", "told"),
    [
        (
            "1s/---/--/",
            "The header at the beginning of the memory is gone: line 1 was “---”, and now is “--”.",
        ),
        ("/^uid:/d", "line 3: “uid: "),
        ("s/^source/surce/", "“source: "),
        ("s/^level: L1/level: L2/", "“level: L1” now is “level: L2”."),
    ],
)
def test_a_memory_whose_header_was_broken_is_not_kept(
    reel: Reel, remembered: Path, editor: Editor, slip: str, told: str
) -> None:
    place = remembered / "ring3/M-002.md"
    whole, head = place.read_text(encoding="utf-8"), git(remembered, "rev-parse", "HEAD")
    slipped = editor(f"sed -i '{slip}' \"$1\"")
    done = reel("edit", "M-002", env=slipped)
    assert done.code == 1
    assert told in done.err
    assert "reel edit M-002  ; or put it back:  reel review reject ring3/M-002.md" in done.err
    kept = reel("review", "accept", "ring3/M-002.md")
    assert kept.code == 1
    assert told in kept.err
    assert git(remembered, "rev-parse", "HEAD") == head
    reel("review", "reject", "ring3/M-002.md").ok()
    assert place.read_text(encoding="utf-8") == whole
    asked = reel("edit", "M-002", env=slipped, stdin="back\n", tty=True).ok()
    assert "Your text of it is kept in .reel/state/rejected/" in asked.err
    assert place.read_text(encoding="utf-8") == whole

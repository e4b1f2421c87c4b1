"""`reel doctor`: what can be wrong, each with its mend."""

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

from reel_cli.core.stage_chain import find_syntax
from tests.support.cli import Reel, git
from tests.support.installed_features import is_installed
from tests.support.pages import chat, page

NAME = "2026-02-25-1"


@pytest.fixture
def recorded(reel: Reel, kit: Path) -> Path:
    """A kit with one session."""
    (kit / "chat.json").write_text(chat())
    reel("record", "chat.json").ok()
    (kit / "chat.json").unlink()
    return kit


def checks(reel: Reel, *arguments: str) -> list[tuple[str, str]]:
    """Return what is found: (check, severity) pairs, and the exit code held against them.

    A chat without its page (tests/features/page/test_owed_pages.py) is none of it.
    """
    done = reel("doctor", "--json", *arguments)
    told = json.loads(done.out)
    found = [(one["check"], one["severity"]) for one in told["findings"]]
    assert (done.code, told["well"]) == ((1, False) if "serious" in dict(found).values() else (0, True))
    return [one for one in found if one != ("page", "hint")]


def test_what_follows_from_a_lost_chat_is_no_finding_of_its_own(reel: Reel, recorded: Path) -> None:
    """Their mends, such as another pointer, would do harm once the file is back."""
    (recorded / "facts.yaml").write_text(
        f'- {{category: identity, key: name, value: Bo, source: "{NAME}#1", when: 2026-02-25}}\n'
    )
    git(recorded, "add", "-A")
    git(recorded, "commit", "-qm", "a fact")
    path = next((recorded / "tape").rglob(f"{NAME}.md"))
    path.unlink()
    told = " ".join(reel("doctor").out.split())
    assert "1 other finding follows from that, and goes with it" in told
    assert "is not in the recorded chats" not in told
    reel("restore", path.relative_to(recorded).as_posix()).ok()
    assert "is missing" not in reel("doctor").out


def test_a_fresh_kit_is_well(reel: Reel, kit: Path) -> None:
    done = reel("doctor").ok()
    assert (done.out, done.err) == ("No problem found.\n", "")
    assert checks(reel, "--deep") == []


def test_the_guard_goes_off_and_on(reel: Reel, recorded: Path) -> None:
    assert reel("doctor", "--guard", "off").ok().out.startswith("The guard is off.")
    assert reel("doctor", "--guard", "off").ok().out == "The guard was off already; nothing was changed.\n"
    assert checks(reel) == [("guard", "hint")]
    assert "reel doctor --guard on" in reel("doctor").ok().out
    assert reel("doctor", "--guard", "on").ok().out.startswith("The guard is on")
    assert json.loads(reel("doctor", "--json").ok().out)["guard"] == "on"
    (recorded / f"tape/2026/{NAME}.md").unlink()
    git(recorded, "add", "-A")
    done = subprocess.run(["git", "commit", "-qm", "x"], cwd=recorded, capture_output=True, check=False)
    assert done.returncode == 1


def test_another_hook_is_never_written_over(reel: Reel, kit: Path) -> None:
    hook = kit / ".git/hooks/pre-commit"
    hook.write_text("#!/bin/sh\necho mine\n")
    done = reel("doctor", "--guard", "on").ok()
    assert hook.read_text() == "#!/bin/sh\necho mine\n"
    assert "hooks/reel-guard" in done.err
    assert checks(reel) == [("guard", "hint")]
    assert reel("doctor", "--guard", "off").ok()
    assert hook.read_text() == "#!/bin/sh\necho mine\n"


def test_init_puts_no_guard_where_git_looks_for_hooks_elsewhere(reel: Reel, tmp_path: Path) -> None:
    git(tmp_path, "config", "--global", "core.hooksPath", str(tmp_path))
    done = reel("init", "ada", "--name", "Ada").ok()
    assert "git runs other hooks there" in done.err
    assert not (reel.cwd / "ada/.git/hooks").exists()


def test_init_puts_no_guard_into_a_larger_repository(reel: Reel) -> None:
    git(reel.cwd, "init", "-q")
    reel("init", "ada", "--name", "Ada").ok()
    assert not (reel.cwd / ".git/hooks/pre-commit").exists()
    done = reel("doctor", "--guard", "on", cwd=reel.cwd / "ada")
    assert (done.code, done.err.splitlines()[0]) == (
        1,
        "Error: This kit is a part of a larger repository, and reel puts no hook in there.",
    )
    assert json.loads(reel("doctor", "--json", cwd=reel.cwd / "ada").ok().out)["guard"] == "none"


def test_a_guard_that_is_neither_on_nor_off(reel: Reel, kit: Path) -> None:
    assert reel("doctor", "--guard", "maybe").code == 2


def test_a_folder_that_others_can_look_into(reel: Reel, kit: Path) -> None:
    kit.chmod(0o755)
    assert checks(reel) == [("private", "serious")]
    assert reel("doctor", "--mend").ok().out.startswith("No problem found")
    assert kit.stat().st_mode & 0o777 == 0o700


def test_a_remote_is_worth_knowing(reel: Reel, kit: Path) -> None:
    git(kit, "remote", "add", "origin", "https://example.org/ada.git")
    assert checks(reel) == [("private", "hint")]


def test_line_ends_that_git_may_change(reel: Reel, kit: Path) -> None:
    git(kit, "rm", "-q", ".gitattributes")
    assert checks(reel) == [("repository", "hint")]
    assert "add the line  tape/** -text  to .gitattributes" in reel("doctor").ok().out
    (kit / ".gitattributes").write_text("tape/** -text\n")
    assert checks(reel) == []


def test_leftovers_and_a_damaged_cache_are_cleared_away(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, young = kit / ".reel/state/.new-12-ab", kit / ".reel/state/.new-13-ab"
    old.write_text("half")
    young.write_text("half")
    os.utime(old, (1_000_000_000, 1_000_000_000))
    monkeypatch.delenv("REEL_NOW")
    reel("pack").ok()
    cache = kit / ".reel/cache/search.sqlite"
    cache.write_bytes(b"SQLite format 3\0" + bytes(200))
    assert checks(reel) == [("leftovers", "serious"), ("cache", "serious")]
    assert young.stat().st_mtime > time.time() - 3600
    reel("doctor", "--mend").ok()
    assert (old.exists(), young.exists(), cache.exists()) == (False, True, False)


def test_what_a_stopped_git_left_half_written(
    reel: Reel, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    objects = recorded / ".git/objects"
    (objects / "ab").mkdir(exist_ok=True)
    old = [objects / "pack/tmp_pack_a1B2", objects / "ab/tmp_obj_x", recorded / ".git/fast_import_crash_12"]
    young, other = objects / "pack/tmp_pack_young", objects / "pack/mine.tmp"
    for place in (*old, young, other):
        place.write_text("half")
    for place in (*old, other):
        os.utime(place, (1_000_000_000, 1_000_000_000))
    monkeypatch.delenv("REEL_NOW")
    assert checks(reel) == [("leftovers", "serious")]
    assert (
        "3 files that a stopped git command never finished lie in its folder, 12 bytes." in reel("doctor").out
    )
    done = reel("doctor", "--mend").ok()
    assert "Removed 3 half-written files of a git command that was stopped.\n" in done.err
    assert [place.exists() for place in (*old, young, other)] == [False, False, False, True, True]
    git(recorded, "fsck", "--no-dangling")


def test_a_session_that_was_deleted_and_the_deletion_committed(reel: Reel, recorded: Path) -> None:
    path = f"tape/2026/{NAME}.md"
    kept = (recorded / path).read_bytes()
    git(recorded, "rm", "-q", path)
    git(recorded, "commit", "--no-verify", "-qm", "tidy up")
    assert checks(reel) == [("tape", "serious")]
    commit = git(recorded, "rev-parse", "--short=7", "HEAD").strip()
    told = reel("doctor").out
    assert f"Chat {NAME} was deleted, and that was committed ({commit}, " in told
    mend = f"reel restore {NAME}"
    assert mend in told
    reel(*mend.split()[1:]).ok()
    assert (recorded / path).read_bytes() == kept
    assert checks(reel) == []


def test_git_without_a_name(reel: Reel, kit: Path) -> None:
    git(kit, "config", "--global", "--unset", "user.name")
    git(kit, "config", "--global", "--unset", "user.email")
    assert checks(reel) == [("identity", "serious")]


def test_something_half_done_in_the_repository(reel: Reel, kit: Path) -> None:
    (kit / ".git/MERGE_HEAD").write_text(git(kit, "rev-parse", "HEAD"))
    (kit / ".git/index.lock").touch()
    assert checks(reel) == [("repository", "serious"), ("lock", "serious")]


def test_a_damaged_repository_is_found_deep_down(reel: Reel, recorded: Path) -> None:
    blob = git(recorded, "rev-parse", "HEAD:ring2/working.md").strip()
    place = recorded / ".git/objects" / blob[:2] / blob[2:]
    place.chmod(0o600)
    place.write_bytes(b"no object")
    assert checks(reel) == []
    assert checks(reel, "--deep") == [("repository", "serious")]


@pytest.mark.parametrize("harm", ["gone", "emptied", "renamed"])
def test_a_session_that_its_own_chain_cannot_miss(reel: Reel, recorded: Path, harm: str) -> None:
    path = recorded / f"tape/2026/{NAME}.md"
    if harm == "emptied":
        path.write_bytes(b"")
    elif harm == "renamed":
        path.rename(path.with_name("2026-02-26-1.md"))
    else:
        path.unlink()
    expected = [("tape", "serious")] * (2 if harm == "renamed" else 1)
    assert checks(reel) == expected
    mend = f"reel restore tape/2026/{NAME}.md"
    assert mend in reel("doctor").out
    reel(*mend.split()[1:]).ok()
    path.with_name("2026-02-26-1.md").unlink(missing_ok=True)
    assert checks(reel) == []


def memory(number: int, fields: str) -> str:
    return f"---\nid: M-{number:03d}\ntitle: T\nlevel: L1\n{fields}---\nText.\n"


def test_what_the_files_get_wrong(reel: Reel, recorded: Path) -> None:
    (recorded / "ring4/index.md").write_text("# Index\n\nM-001 | no phrase\n")
    (recorded / "ring3").mkdir(exist_ok=True)
    (recorded / "ring3/M-001.md").write_text(memory(1, f'source: ["{NAME}#1-60"]\n'))
    (recorded / "ring3/M-002.md").write_text(memory(2, ""))
    assert checks(reel) == [("index", "serious"), ("tape", "serious"), ("source", "hint")]


def test_a_line_of_the_journal_that_holds_no_entry(reel: Reel, recorded: Path) -> None:
    place = recorded / "journal/2026-02.jsonl"
    place.parent.mkdir(exist_ok=True)
    whole = '{"id": "1", "at": "2026-02-11T08:00:00Z", "session": "", "do": "later", "on": "x", "by": 1}\n'
    place.write_text(f"{whole}garbage {{{{\n\n[1]\n")
    assert checks(reel) == [("file", "serious")]
    told = reel("doctor").out
    assert "journal/2026-02.jsonl, line 2: it holds no entry, and is passed over (and 1 more)." in told
    place.write_text(whole)
    assert checks(reel) == []


def test_immunity_handed_out_too_freely(reel: Reel, recorded: Path) -> None:
    (recorded / "ring3").mkdir(exist_ok=True)
    for number in range(1, 10):
        immune = "immune: yes\n" if number < 6 else ""
        (recorded / f"ring3/M-{number:03d}.md").write_text(memory(number, f'source: ["{NAME}#1"]\n{immune}'))
    assert checks(reel) == [("immunity", "hint")]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("timezone: Europe/Nowhere", [("settings", "serious")]),
        ("tokenizer: none_such", [("settings", "serious")]),
        ("window: 512", [("settings", "serious")]),
    ],
)
def test_settings_that_make_no_sense(reel: Reel, kit: Path, line: str, found: list[tuple[str, str]]) -> None:
    key = line.partition(":")[0]
    lines = [old for old in (kit / "kit.yaml").read_text().splitlines() if not old.startswith(f"{key}:")]
    (kit / "kit.yaml").write_text("\n".join([*lines, line]) + "\n")
    assert checks(reel) == found


def test_a_setting_that_nothing_reads_is_named(reel: Reel, kit: Path) -> None:
    path = kit / "kit.yaml"
    path.write_text(path.read_text() + "capp: 7k\nx-mine: 1\nfacts: {mots: 3}\nmusic: loud\n")
    done = reel("doctor").ok()
    told = " ".join(f"{done.out}{done.err}".split())
    for what in (
        "kit.yaml: capp is no setting, and nothing reads it. did you mean cap?",
        "kit.yaml: facts.mots is no setting, and nothing reads it. did you mean facts.most?",
        "kit.yaml: music is no setting, and nothing reads it. take it out, or begin its name with x-",
    ):
        assert what in told, told
    assert "x-mine" not in told
    assert checks(reel) == [("settings", "hint")] * 3
    assert "kit.yaml has 3 settings that reel does not know; which:  reel doctor" in reel("status").ok().out
    path.write_text(path.read_text().replace("capp: 7k\n", "").replace("music: loud\n", ""))
    assert (
        "\nkit.yaml has a setting that reel does not know: facts.mots; did you mean facts.most?\n"
        in reel("status").ok().out
    )
    assert json.loads(reel("status", "--json").ok().out)["unread_settings"] == ["facts.mots"]


@pytest.mark.needs("facts", "intake")
def test_a_key_that_nothing_reads_is_named_in_lists_too(reel: Reel, kit: Path) -> None:
    (kit / "facts.yaml").write_text("- {category: x, key: tea, value: green, confidance: high, x-mine: 1}\n")
    entry = "- source: 2026-02-10-1#3\n  words: So.\n"
    (kit / "intake.yaml").write_text(f"waitng: []\ndecided:\n{entry}{entry}  whoo: Bo\n  x-mine: 1\n")
    told = json.loads(reel("doctor", "--json").out)["findings"]
    assert [one["evidence"] for one in told if one["check"] in ("facts", "intake")] == [
        "facts.yaml, fact 1 (x/tea): nothing reads confidance (did you mean confidence?)",
        "intake.yaml: nothing reads waitng (did you mean waiting?)",
        "intake.yaml, line 5: nothing reads whoo (did you mean who?)",
    ]


def test_files_that_cannot_be_read(reel: Reel, kit: Path) -> None:
    (kit / "kit.yaml").write_text("name: [\n")
    (kit / "ring2/working.md").write_bytes(b"\xff\n")
    assert checks(reel) == [("file", "serious"), ("file", "serious")]


def test_a_kit_that_is_not_under_git(reel: Reel, kit: Path) -> None:
    (kit / ".git").rename(kit.parent / "history")
    assert checks(reel) == [("repository", "serious")]


def test_without_git_the_rest_is_looked_at(reel: Reel, kit: Path, tmp_path: Path) -> None:
    kit.chmod(0o755)
    (tmp_path / "bin").mkdir()
    done = reel("doctor", "--json", env={"PATH": str(tmp_path / "bin")})
    told = json.loads(done.out)
    assert (done.code, told["git"]) == (1, None)
    assert {one["check"] for one in told["findings"]} == {"git", "private"}


def false_memories(reel: Reel) -> list[tuple[str, str, str]]:
    """Return what doctor says the tape does not bear: (where, severity, the quoted claim)."""
    told = json.loads(reel("doctor", "--json").out)
    return [
        (one["where"], one["severity"], one["evidence"].split('"')[1])
        for one in told["findings"]
        if one["kind"] == "false-memory"
    ]


GROUNDED = (
    "\n## What happened\n\nHe called me colder than usual. The residency wants forty pages by 30 April.\n"
    '\n## Retrieval anchors\n\n- "penicillin never"\n'
)


def test_a_memory_that_tells_what_was_not_said(reel: Reel, recorded: Path) -> None:
    """REEL §10.5: find what a memory says and nobody said."""
    (recorded / "ring3").mkdir(exist_ok=True)
    place = recorded / "ring3/M-001.md"
    head = f'---\nid: M-001\ntitle: T\nlevel: L1\nsource: ["{NAME}#1-6"]\n---\n'
    place.write_text(head + GROUNDED)
    assert false_memories(reel) == []
    wrong = GROUNDED.replace("forty", "fifty").replace("30 April", "12 May").replace("penicillin", "aspirin")
    place.write_text(head + wrong.replace("He called", 'Rosalind said: "you are warm as toast". He called'))
    expected = [
        ("ring3/M-001.md:10", "serious", "you are warm as toast"),
        ("ring3/M-001.md:14", "serious", "aspirin never"),
        ("ring3/M-001.md:10", "hint", "12 May"),
        ("ring3/M-001.md:10", "hint", "fifty"),
        ("ring3/M-001.md:10", "hint", "Rosalind"),
    ]
    assert false_memories(reel) == expected
    assert false_memories(reel) == expected
    done = reel("doctor")
    assert done.code == 1
    assert "is a number that was not said" in " ".join(done.out.split())


def test_a_correction_of_the_tape_bears_a_memory(reel: Reel, recorded: Path) -> None:
    (recorded / "ring3").mkdir(exist_ok=True)
    (recorded / "ring3/M-001.md").write_text(
        memory(1, f'source: ["{NAME}#1-6"]\n') + "The residency wants fifty pages.\n"
    )
    assert false_memories(reel) == [("ring3/M-001.md:8", "hint", "fifty")]
    reel("tape", "correct", f"{NAME}#5", "it was fifty pages").ok()
    assert false_memories(reel) == []


def test_what_a_person_calls_right_is_not_asked_again(reel: Reel, recorded: Path) -> None:
    (recorded / "ring3").mkdir(exist_ok=True)
    place = recorded / "ring3/M-001.md"
    place.write_text(memory(1, f'source: ["{NAME}#1-6"]\n') + "The residency wants fifty pages.\n")
    assert "reel doctor --right M-001" in " ".join(reel("doctor").ok().out.split())
    assert (
        reel("doctor", "--right", "M-001", "--dry-run")
        .ok()
        .err.endswith("Nothing was changed (--dry-run).\n")
    )
    assert false_memories(reel) == [("ring3/M-001.md:8", "hint", "fifty")]
    assert reel("doctor", "--right", "M-001:8").ok().out.endswith("This doubt is not raised again.\n")
    assert "fifty" in (recorded / "review/settled.yaml").read_text()
    place.write_text(place.read_text().replace("The residency wants", "They want, all of them,"))
    assert false_memories(reel) == []
    assert "Nothing of M-001 is in doubt" in reel("doctor", "--right", "M-001").err
    assert "'M-009' is not a memory" in reel("doctor", "--right", "M-009").err
    reel("undo").ok()
    assert false_memories(reel) == [("ring3/M-001.md:8", "hint", "fifty")]


def test_what_nobody_can_tell_is_listed_when_asked_for(reel: Reel, recorded: Path) -> None:
    (recorded / "ring3").mkdir(exist_ok=True)
    text = memory(1, f'source: ["{NAME}#1-6"]\n') + "Two weeks ago he was warmer.\n"
    (recorded / "ring3/M-001.md").write_text(text)
    assert false_memories(reel) == []
    told = " ".join(reel("doctor", "--explain").out.split())
    assert 'ring3/M-001.md, line 8: nobody can tell whether "Two weeks ago" was said' in told


def test_where_tells_the_file_and_the_line(reel: Reel, recorded: Path) -> None:
    (recorded / "ring4/index.md").write_text("# Index\n\nM-001 | no phrase\n")
    told = json.loads(reel("doctor", "--json").out)["findings"]
    assert [(one["kind"], one["severity"], one["where"]) for one in told if one["check"] != "page"] == [
        ("integrity", "serious", "ring4/index.md:3")
    ]


def test_the_headings_reach_a_terminal_as_they_are_meant(reel: Reel, recorded: Path) -> None:
    reel("doctor", "--guard", "off").ok()
    shown = reel("doctor", tty=True, env={"TERM": "xterm", "NO_COLOR": ""}).out
    assert "\ufffd" not in shown
    assert "The kit itself" in shown


@pytest.mark.parametrize(
    ("feature", "path", "text", "told"),
    [
        ("start", "places/forum.yaml", "limit: many\n", "limit is 'many', which is no number"),
        ("facts", "adapters/garden.yaml", "categories: beds\n", "should have `categories`"),
        ("stream", "stream.md", "no front matter\n", "stream.md"),
        ("dream", "story/cursor.yaml", "- no\n", "story/cursor.yaml"),
    ],
)
def test_a_new_file_that_cannot_be_read_is_told_of_once(
    reel: Reel, kit: Path, feature: str, path: str, text: str, told: str
) -> None:
    if not is_installed(feature):
        pytest.skip(f"made without {feature}")
    (kit / path).parent.mkdir(exist_ok=True)
    (kit / path).write_text(text)
    found = [one for one in json.loads(reel("doctor", "--json").out)["findings"] if path in json.dumps(one)]
    assert len(found) == 1
    assert told in json.dumps(found[0])


def test_settings_that_cannot_be_read_are_one_problem_and_no_question_of_names(reel: Reel, kit: Path) -> None:
    (kit / "kit.yaml").write_text("cap: [\n")
    (Path(os.environ["HOME"]) / "gitconfig").write_text("")
    found = reel("doctor").out
    assert "kit.yaml cannot be read" in found
    assert "know your name" not in found


@pytest.mark.parametrize("tag", ["[STAGE: the bar]", "<state mood=tired/>", "{STAGE: light=dim}"])
def test_tags_of_a_scene_in_a_memory(reel: Reel, recorded: Path, tag: str) -> None:
    """REEL §5.2: what an earlier version kept with its tags is found."""
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    assert "syntax" not in dict(checks(reel))
    memory = recorded / "ring3/M-001.md"
    memory.write_text(memory.read_text().replace("He said", f"{tag} He said", 1))
    git(recorded, "commit", "-qam", "by hand")
    assert ("syntax", "hint") in checks(reel)
    told = reel("doctor").ok().out
    assert "M-001 holds a scene tag or message header" in " ".join(told.split())
    assert "reel edit M-001" in told


def test_tags_written_by_hand_are_named_and_in_no_bundle(reel: Reel, recorded: Path) -> None:
    """REEL §5: a memory reads as it was lived, also where somebody wrote the tags into it by hand."""
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    scene = "[STAGE: the bar]\n\nFROM: Sovereign\nTO: Ada\nPRIORITY: high\n\nThe band started."
    for path, before, after in (
        ("ring3/M-001.md", "## What happened\n\n", f"## What happened\n\n{scene}\n\n"),
        ("ring2/working.md", "## State\n", "## State\n\n[SCENE: pier] The ferry waits.\n"),
        ("ring4/index.md", "M-001 | ", "M-001 | <stage>night</stage> "),
    ):
        file = recorded / path
        assert before in file.read_text()
        file.write_text(file.read_text().replace(before, after, 1))
    git(recorded, "commit", "-qam", "by hand")
    told = " ".join(reel("doctor").ok().out.split())
    assert "the line of M-001 holds a scene tag or message header" in told
    assert "reel edit now" in told
    # read anew, and from what is known of the files
    for window in ("32k", "32k", "8k"):
        done = reel("pack", "--window", window).ok()
        assert find_syntax(done.out) == []
        assert "The ferry waits." in done.out
        assert "M-001, ring2/working.md hold scene tags or message headers" in " ".join(done.err.split())
    assert "The band started." in reel("pack", "--window", "32k").ok().out


def test_an_identity_that_fills_the_bundle_is_found(reel: Reel, kit: Path) -> None:
    """Memory Keep §I.1: written past every command, and before the first chat, so that it is in force."""
    path = kit / "ring0/identity.md"
    path.write_text(path.read_text() + "\nShe knows each tide by its own name. " * 4_000)
    done = reel("doctor")
    assert done.code == 1
    found = " ".join(done.out.split())
    assert "three quarters of what a bundle" in found
    assert "reel config window" in found


def test_a_kit_is_not_made_from_one_whose_identity_does_not_fit(reel: Reel, kit: Path) -> None:
    path = kit / "ring0/identity.md"
    path.write_text(path.read_text() + "\nShe knows each tide by its own name. " * 4_000)
    git(kit, "-c", "core.hooksPath=/dev/null", "commit", "-qam", "by hand")
    refused = reel("init", "../eve", "--template", str(kit), cwd=kit)
    assert refused.code == 1
    assert "three quarters of what a bundle holds" in refused.err
    assert not (kit.parent / "eve").exists()


def test_tags_in_an_example_are_named_since_it_is_packed_as_it_was_said(reel: Reel, kit: Path) -> None:
    """REEL §5.2, §4.2: an example is verbatim, so the person decides on a tag in it."""
    example = min((kit / "ring1").glob("*.md"))
    example.write_text(example.read_text() + "\n**Ada:** [STAGE: the bar] The band started.\n")
    told = " ".join(reel("doctor", "--only", "integrity", "--json").out.split())
    assert f"ring1/{example.name}: an example holds a scene tag or message header, “[STAGE: the bar]”" in told


def test_tags_in_the_pages_beside_the_rings_are_named(reel: Reel, kit: Path) -> None:
    """REEL §5: the story, the shared context, facts, tables and the shelf read as they were lived, too."""
    paths = (
        "story/history.md", "SHARED-CONTEXT.md", "facts.yaml", "domain/t.csv", "shelf/inbox/notes.md",
    )  # fmt: skip
    for path in paths:
        (kit / path).parent.mkdir(exist_ok=True, parents=True)
        (kit / path).write_text("# [STAGE: the bar] The band started.\n")
    told = " ".join(reel("doctor", "--only", "integrity", "--json").out.split())
    for path in paths:
        assert f"{path}: its text holds a scene tag or message header, “[STAGE: the bar]”" in told


def test_a_memory_without_its_header_is_a_problem_and_comes_back(reel: Reel, recorded: Path) -> None:
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    place = recorded / "ring3/M-001.md"
    whole = place.read_text()
    place.write_text(whole.replace("---", "--", 1))
    git(recorded, "commit", "-qam", "by hand", "--no-verify")
    done = reel("doctor")
    assert done.code == 1
    assert "ring3/M-001.md, line 1: the header with its title and source is gone." in done.out
    assert "reel restore M-001" in done.out
    reel("restore", "M-001").ok()
    assert place.read_text() == whole
    assert "the header with its title" not in reel("doctor").out

"""A step that the program tells one to take works as it is printed."""

import os
import shlex
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.support.cli import CHECKOUT, Reel, git
from tests.support.hints import AT_TERMINAL, HOLE, commands_in, follow, problem_of, read_hints
from tests.support.lived_kit import LETTER, chat_file, live

NO_STEPS = {("features/shelf/plan_add.py", "reel shelf add")}
"""Texts that are a command's name and tell nobody to type it: what a file of the shelf says made it."""


@pytest.mark.needs
def test_every_command_that_the_program_s_texts_set_off_can_be_typed_as_it_stands() -> None:
    wrong = [
        f"{hint.place}: {hint.command.replace(HOLE, '…')}: {problem}"
        for hint in read_hints()
        if (hint.place.partition(":")[0], hint.command) not in NO_STEPS
        and (problem := problem_of(hint.command))
    ]
    assert wrong == []


def test_the_look_at_hints_knows_a_wrong_one() -> None:
    assert len(read_hints()) > 500
    assert commands_in("see it:  reel memory show M-1  or  reel tape list") == [
        "reel memory show M-1",
        "reel tape list",
    ]
    assert commands_in("Next:  cd 'my kit' && reel start") == ["cd 'my kit' && reel start"]
    assert commands_in("Next:  reel --kit 'Bo'\"'\"'s ada' end") == ["reel --kit 'Bo'\"'\"'s ada' end"]
    assert commands_in("Decide in reel review, reel has a bug") == []
    for right in (
        "reel memory show M-1",
        f"reel recall {HOLE} --copy",
        "reel record FILE",
        "cd x && reel end",
    ):
        assert problem_of(right) is None
    for wrong in (
        *("reel memory show", "reel memory shw M-1", "reel start --colour red", "reel log , then"),
        *("reel tape show 'unclosed", "reel dream next, or", "reel restore M-1 --level L9"),
    ):
        assert problem_of(wrong)


# -- the steps that a screen shows, followed -----------------------------------------------------------------


def _edit(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text().replace(old, new))


LED = {
    "FILE": "../chat.json",
    "ID": "M-001",
    "SESSION": LETTER,
    "TABLE": "quests",
    "COLUMN…": "id",
    "WORD": "page",
    "TEXT": "Suomenlinna",
}
"""Values for the words in capitals, as a person would put them."""
NEW_KIT = """
start | status | tape list | doctor | memory list | fact list | exemplar list | shelf list | domain list
checkpoint | consolidate | fact extract | dream start | dream context | keep
memory show M-9 | exemplar show x | fact drop x | domain find quests | pack --with quests | pack --for x
tape show 2026-01-01-1 | tape correct 2026-01-01-1#1 no | restore M-001 | forget M-001 | why M-001
undo | redo | log | nosuchcommand | help | help nosuch | edit nosuch | config nosuch | init ../ada
"""
LIVED_IN = """
start | recall | recall ferry | recall xyzzy --promote | memory show M-003 | forget M-003 --yes | tape list
restore M-001 | restore M-001 --earlier | why xyzzy | why penicillin | undo | checkpoint --prompt
dream start | dream next | dream status | fact list | exemplar retire easier-than-people | doctor --ask
purge | tape flag "the coat" | record ../chat.json | end ../chat.json | fact add identity Name Maria
"""
DAMAGED: Mapping[str, tuple[Callable[[Path], object], str]] = {
    "no settings": (lambda kit: (kit / "kit.yaml").unlink(), "status | start | recall ferry"),
    "settings that cannot be read": (
        lambda kit: (kit / "kit.yaml").write_text("name: [\n"),
        "status | start | doctor",
    ),
    "a memory that cannot be read": (
        lambda kit: _edit(kit / "ring3/M-001.md", "---", "--"),
        "start | doctor | memory show M-001 | checkpoint",
    ),
    "a memory that is gone": (lambda kit: (kit / "ring3/M-001.md").unlink(), "doctor | memory show M-001"),
    "no index": (lambda kit: (kit / "ring4/index.md").unlink(), "review | undo"),
    "a session that is gone": (
        lambda kit: (kit / f"tape/2026/{LETTER}.md").unlink(),
        "status | doctor | tape verify",
    ),
    "no history": (lambda kit: shutil.rmtree(kit / ".git"), "doctor | forget M-001 --yes"),
    "a rebase under way": (lambda kit: (kit / ".git/rebase-merge").mkdir(), "status"),
}
STOPS = {
    "reel dream start": ("nothing on the tape",),
    "git pull --no-rebase": ("",),
    "git rebase --abort": ("",),
    "reel tape verify": ("exit 3",),
    "reel end": ("is missing; no page can be kept", "has no history", "A rebase is under way"),
    "reel consolidate": ("is missing; no page can be kept",),
}
"""Steps that rightly get no further than this where they are followed: something else comes first."""


@pytest.fixture
def persons(reel: Reel, kit: Path) -> Path:
    """A kit in a folder whose name has to be quoted, with a chat beside it and one in LM Studio."""
    folder = kit.parent / "Bo's kits"
    folder.mkdir()
    kit = kit.rename(folder / "ada")
    reel.cwd = kit
    (folder / "chat.json").write_text(chat_file(1).replace("penicillin", "aspirin"))
    chats = Path(os.environ["HOME"]) / ".lmstudio" / "conversations"
    chats.mkdir(parents=True)
    shutil.copy(CHECKOUT / "tests/fixtures/chats/lmstudio/1740513600000.conversation.json", chats)
    return kit


def _commands(table: str) -> list[list[str]]:
    return [shlex.split(one) for line in table.strip().splitlines() for one in line.split(" | ")]


def _failed(reel: Reel, commands: list[list[str]]) -> list[str]:
    """Every step that commands showed and that did not help, with what it said; each is followed once."""
    wrong: list[str] = []
    seen: set[str] = set()
    for words in commands:
        run = reel(*words, tty=True, stdin="n\n" * 9, env=AT_TERMINAL)
        for step in follow(reel, run, LED, seen):
            stops = STOPS.get(step.command.replace(" --kit 'Bo'\"'\"'s kits/ada'", ""), ())
            if step.done.code and not any(one in step.said for one in stops):
                wrong.append(f"{shlex.join(words)} -> {step.command}: {step.said}")
    assert seen, "no step was shown"
    return wrong


@pytest.mark.needs
def test_every_step_that_a_new_kit_shows_can_be_taken(reel: Reel, persons: Path) -> None:
    assert _failed(reel, _commands(NEW_KIT)) == []
    assert not git(persons, "status", "--porcelain")


@pytest.mark.needs
def test_every_step_that_a_kit_with_a_past_shows_can_be_taken(reel: Reel, persons: Path) -> None:
    live(reel, persons)
    assert _failed(reel, _commands(LIVED_IN)) == []


@pytest.mark.needs
@pytest.mark.parametrize("what", DAMAGED)
def test_every_step_out_of_damage_can_be_taken(reel: Reel, persons: Path, what: str) -> None:
    live(reel, persons)
    damage, commands = DAMAGED[what]
    damage(persons)
    assert _failed(reel, _commands(commands)) == []


@pytest.mark.needs
def test_steps_work_from_outside_the_kit(reel: Reel, persons: Path) -> None:
    live(reel, persons)
    reel.cwd = persons.parent.parent
    outside = ("--kit", f"{persons.parent.name}/ada")
    commands = _commands("start | status | memory show M-9 | restore M-001 | log --limit 1")
    assert _failed(reel, [[*outside, *words] for words in commands]) == []
    shown = reel(*outside, "memory", "show", "M-9").err
    assert 'reel --kit "Bo\'s kits/ada" memory list' in shown
    assert "reel init ada" in reel("status").err
    reel.cwd = persons.parent
    assert reel("status").err.endswith("Hint: go to the one in this folder:  cd ada\n")
    settings = (persons / "kit.yaml").read_bytes()
    (persons / "kit.yaml").unlink()
    refused = reel("status").err
    assert "Error: ada is a kit whose kit.yaml is missing.\n" in refused
    assert refused.endswith("Hint: bring it back:  cd ada && reel restore kit.yaml\n")
    reel("restore", "kit.yaml", cwd=persons).ok()
    assert (persons / "kit.yaml").read_bytes() == settings
    (persons.parent / "bo").mkdir()
    shutil.copy(persons / "kit.yaml", persons.parent / "bo")
    assert reel("status").err.endswith("Hint: to see the kits in this folder:  reel\n")


def test_git_s_commands_name_the_kit_in_a_folder_below_it(reel: Reel, persons: Path) -> None:
    (persons / ".git/rebase-merge").mkdir()
    reel.cwd = persons / "ring1"
    assert "git -C .. rebase --abort" in reel("status").err

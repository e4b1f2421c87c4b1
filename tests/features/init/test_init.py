"""`reel init`: what it makes, what it refuses, and that nothing is left of what failed."""

import errno
import json
import os
import re
import shlex
import signal
import stat
import subprocess
from pathlib import Path

import pytest

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.init.template import list_templates
from tests.support.cli import Reel, git
from tests.support.killed_program import killed_at

TEMPLATES = [name for name, _ in list_templates()]
CALLED = "Ada calls you Bo, after your name in git. To give another, in its folder:  reel config user NAME\n"
FRIEND = "Who Ada is, for now: a warm, dry friend who is openly a mind made of language."
MADE = [
    ".gitattributes",
    ".gitignore",
    "kit.yaml",
    "ring0/directives.md",
    "ring0/identity.md",
    "ring1/active.yaml",
    "ring1/easier-than-people.md",
    "ring1/the-bus-window.md",
    "ring1/up-at-five.md",
    "ring2/working.md",
    "ring4/index.md",
]


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file of a kit, `.git` and `.reel` left out."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {".git", ".reel"} & set(path.relative_to(folder).parts)
    }


def test_a_kit_is_made_and_the_next_step_said(reel: Reel) -> None:
    done = reel("init", "ada", "--template", "companion", "--name", "Ada").ok()
    assert done.out == "Made ada, a companion kit.\n"
    own = f"{FRIEND} To write your own, in its folder:  reel edit identity\n"
    assert done.err == f"{CALLED}{own}Next:  cd ada && reel start\n"
    asked = reel("init", "robin", "--template", "blank", "--name", "Robin").ok()
    assert ", for now: " not in asked.err


def test_what_is_made_is_committed_whole_and_private(reel: Reel, kit: Path) -> None:
    assert sorted(files_in(kit)) == MADE
    assert git(kit, "ls-files").split() == MADE
    assert git(kit, "status", "--porcelain") == ""
    assert git(kit, "log", "--format=%an <%ae> %s|%b").strip() == (
        "Bo Lind <bo@example.org> init: Ada, from the companion template|Reel-Op: init"
    )
    assert git(kit, "log", "--format=%aI").strip() == "2026-03-01T20:00:00+00:00"
    assert stat.S_IMODE(kit.stat().st_mode) == 0o700
    assert {stat.S_IMODE((kit / path).stat().st_mode) for path in MADE} == {0o600}
    assert [path.name for path in reel.cwd.parent.iterdir()] == ["ada"]


@pytest.mark.wheel
def test_kit_yaml_is_short_and_points_to_its_schema(kit: Path) -> None:
    assert (kit / "kit.yaml").read_text() == (
        "# yaml-language-server: $schema=.reel/kit.schema.json\n"
        "# What is not set here has its default; an editor that knows the schema shows it.\n"
        "protocol: REEL/1.0\nname: Ada\nuser: Bo\nwindow: 8k\ntokenizer: o200k_base\n"
    )
    assert json.loads((kit / ".reel/kit.schema.json").read_text())["title"] == "kit.yaml"


@pytest.mark.wheel
@pytest.mark.parametrize("template", TEMPLATES)
def test_each_template_is_a_whole_kit_small_enough_for_4k(reel: Reel, template: str) -> None:
    """REEL §7.1: start from an identity and perhaps some exemplars, with everything else empty."""
    reel("init", "mo", "--template", template, "--window", "4k").ok()
    snapshot = Snapshot(WorkTree(reel.cwd / "mo"), "mo")
    assert not [path for path, data in files_in(reel.cwd / "mo").items() if b"{{" in data]
    assert (snapshot.settings.name, snapshot.settings.user, snapshot.settings.window) == ("Mo", "Bo", 4096)
    assert set(snapshot.active.active) == set(snapshot.exemplars)
    assert (snapshot.active.anchor in snapshot.exemplars) is (template != "blank")
    assert len(snapshot.exemplars) == (0 if template == "blank" else 3)
    assert not reel("exemplar", "list", cwd=reel.cwd / "mo").ok().err.startswith("Error")


@pytest.mark.wheel
def test_the_templates_are_listed(reel: Reel) -> None:
    done = reel("init", "--list").ok()
    assert sorted(line.split()[0] for line in done.out.splitlines()) == [
        "blank",
        "clinical-coordinator",
        "coding-partner",
        "companion",
        "game-npc",
        "mentor",
    ]
    assert done.err == ""
    listed = json.loads(reel("init", "--list", "--json").ok().out)
    assert [template["name"] for template in listed] == [line.split()[0] for line in done.out.splitlines()]
    assert all(set(template) == {"name", "summary"} and template["summary"] for template in listed)


def test_a_narrow_terminal_gets_the_templates_below_one_another(reel: Reel) -> None:
    done = reel("init", "--list", tty=True, env={"COLUMNS": "50"}).ok()
    assert max(map(len, done.out.splitlines())) <= 50
    assert done.out.startswith("companion\n  A warm, dry friend")


def test_without_a_terminal_everything_has_a_default(reel: Reel) -> None:
    reel("init", "ada-marie").ok()
    settings = Snapshot(WorkTree(reel.cwd / "ada-marie"), "").settings
    assert (settings.name, settings.user, settings.author) == ("Ada Marie", "Bo", None)
    assert "You are Ada Marie, Bo's friend." in (reel.cwd / "ada-marie/ring0/identity.md").read_text()


def test_what_the_persona_calls_the_person_is_said_and_can_be_chosen(reel: Reel) -> None:
    done = reel("init", "ada", "--name", "Ada", "--user", "Tomas Lind").ok()
    assert CALLED not in done.err
    kit = reel.cwd / "ada"
    assert Snapshot(WorkTree(kit), "").settings.user == "Tomas Lind"
    assert "Tomas Lind's friend." in (kit / "ring0/identity.md").read_text()
    asked = reel("init", "mo", "--user", "Tomas", tty=True, stdin="mentor\nMo\n8k\n").ok()
    assert "call you?" not in asked.err
    again = reel("init", "eve", "--template", kit, "--user", "Ines").ok()
    assert "Its texts still call you Tomas Lind wherever they did.\n" in again.err
    assert Snapshot(WorkTree(reel.cwd / "eve"), "").settings.user == "Ines"
    assert reel("init", "no", "--user", "{{user}}").err.startswith("Error: '{{user}}' cannot be a name.")


def test_at_a_terminal_what_is_missing_is_asked_for(reel: Reel) -> None:
    (Path(os.environ["HOME"]) / "gitconfig").write_text("")
    typed = "mentor\nMargit\nMia Sol <mia@example.org>\n\n"
    done = reel("init", "kits/m", stdin=typed, tty=True).ok()
    # 8k holds in nearly every model; how much one holds is nothing to ask before the first chat
    assert "window" not in done.err
    assert done.err.endswith("Next:  cd kits/m && reel start\n")
    questions = [line.partition("] ")[0] for line in done.err.splitlines() if "?" in line or ":" in line]
    assert "Which template? [companion" in questions[0]
    kit = reel.cwd / "kits/m"
    assert (kit / "kit.yaml").read_text().splitlines()[2:] == [
        "protocol: REEL/1.0",
        "name: Margit",
        "user: Mia",
        "window: 8k",
        "tokenizer: o200k_base",
        'author: "Mia Sol <mia@example.org>"',
    ]
    assert git(kit, "log", "--format=%an <%ae> %cn").strip() == "Mia Sol <mia@example.org> Mia Sol"


@pytest.mark.parametrize("typed", ["a lot", "8k", "yes", "what?", "i do not really know yet"])
def test_an_answer_that_is_hardly_a_name_is_asked_about(reel: Reel, typed: str) -> None:
    asked = reel(
        *("init", "m", "--template", "blank", "--name", "Mo", "--window", "8k"),
        stdin=f"{typed}\nn\nBea\n", tty=True,
    ).ok()  # fmt: skip
    assert f"Is “{typed}” the name? [y/N]" in asked.err
    assert "user: Bea\n" in (reel.cwd / "m/kit.yaml").read_text()


def test_a_question_mark_at_a_name_explains_it(reel: Reel) -> None:
    """`reel help screen reader` says so of every question."""
    asked = reel("init", "m", "--template", "blank", stdin="?\nWren\n?\nBea\n\n", tty=True).ok()
    assert "Wren uses this name for you." in asked.out + asked.err
    assert "The persona goes by this name." in asked.out + asked.err
    assert "Is “" not in asked.err
    assert "user: Bea\n" in (reel.cwd / "m/kit.yaml").read_text()
    (Path(os.environ["HOME"]) / "gitconfig").write_text("")
    asked = reel("init", "n", "--template", "blank", "--name", "Mo", stdin="?\nSam\n\n\n", tty=True).ok()
    assert "as its author" in asked.out + asked.err


def test_a_sentence_as_your_name_is_asked_about(reel: Reel) -> None:
    """It became the author of every commit, and its first word what the persona calls the person."""
    (Path(os.environ["HOME"]) / "gitconfig").write_text("")
    typed = "I'm Sam, I write games, hello there Ada"
    asked = reel(
        "init", "m", "--template", "blank", "--name", "Mo", stdin=f"{typed}\nn\nSam\n\n", tty=True
    ).ok()
    assert f"Is “{typed}” the name? [y/N]" in asked.err
    settings = (reel.cwd / "m/kit.yaml").read_text()
    assert "user: Sam\n" in settings
    assert typed not in settings
    taken = reel("init", "n", "--template", "blank", "--name", "Mo", stdin=f"{typed}\ny\n\n", tty=True).ok()
    assert "What should Mo call you? [Sam]" in taken.err


@pytest.mark.parametrize("typed", ["I'm Sam", "my name is Sam", "I am Sam"])
def test_a_name_told_in_a_sentence_is_asked_about(reel: Reel, typed: str) -> None:
    given = ("init", "m", "--template", "blank", "--name", "Mo")
    assert f"Is “{typed}” the name?" in reel(*given, stdin=f"{typed}\nn\nSam\n", tty=True).ok().err
    assert "user: Sam\n" in (reel.cwd / "m/kit.yaml").read_text()


def test_an_unusual_name_is_taken_on_a_yes(reel: Reel) -> None:
    reel("init", "m", "--template", "blank", "--window", "8k", stdin="The Doctor\ny\nBea\n", tty=True).ok()
    assert "name: The Doctor\nuser: Bea\n" in (reel.cwd / "m/kit.yaml").read_text()


def test_a_title_is_not_what_the_persona_calls_the_person(reel: Reel) -> None:
    (Path(os.environ["HOME"]) / "gitconfig").write_text(
        "[user]\nname = Dr. Lene Holm\nemail = l@example.org\n"
    )
    assert "calls you Lene, after your name in git" in reel("init", "ada", "--name", "Ada").ok().err


def test_at_a_terminal_what_was_given_is_not_asked_again(reel: Reel) -> None:
    done = reel("init", "m", "--template", "blank", "--name", "Mo", "--window", "8k", stdin="Bea\n", tty=True)
    assert done.ok().err.splitlines()[0] == (
        "What should Mo call you? [Bo] Next:  cd m && reel edit identity"
    )
    assert "user: Bea\n" in (reel.cwd / "m/kit.yaml").read_text()


def test_without_a_name_for_commits_nothing_is_made(reel: Reel) -> None:
    (Path(os.environ["HOME"]) / "gitconfig").write_text("")
    done = reel("init", "a/ada")
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("Error: git does not know your name yet")
    assert "\nHint: git config --global user.name" in done.err
    assert list(reel.cwd.iterdir()) == []


@pytest.mark.parametrize("tty", [False, True], ids=["piped", "at a terminal"])
def test_a_name_in_git_without_an_address_is_enough_for_a_kit(reel: Reel, *, tty: bool) -> None:
    (Path(os.environ["HOME"]) / "gitconfig").write_text("[user]\nname = Mia Sol\n")
    told = reel("init", "ada", "--name", "Ada", "--template", "blank", stdin="\n\n" if tty else "", tty=tty)
    assert "Your name:" not in told.ok().err
    assert git(reel.cwd / "ada", "log", "--format=%an <%ae>").strip() == "Mia Sol <me@localhost>"
    assert "user: Mia\n" in (reel.cwd / "ada/kit.yaml").read_text()


def test_the_example_of_a_name_is_not_what_the_persona_calls_the_person(reel: Reel) -> None:
    settings = Path(os.environ["HOME"]) / "gitconfig"
    settings.write_text("")
    hint = reel("init", "ada", "--name", "Ada").err.partition("Hint: git config --global ")[2]
    key, value = shlex.split(hint)
    settings.write_text(f"[user]\nname = {value}\n")
    assert key == "user.name"
    made = reel("init", "ada", "--name", "Ada").ok().err
    assert "calls you Your" not in made
    assert "Ada has no name for you: git has only the one of an example, Your Name." in made
    way = re.search(r"To give another, in its folder:  reel (config user) NAME$", made, re.MULTILINE)
    assert way is not None, made
    reel(*way[1].split(), "Mia", cwd=reel.cwd / "ada").ok()
    assert "Mia's friend" in (reel.cwd / "ada/ring0/identity.md").read_text()


def test_on_a_read_only_disk_no_kit_that_is_not_there_is_to_be_copied(
    reel: Reel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(os, "mkdir", refuse)
    done = reel("init", "ada", "--name", "Ada")
    assert done.code == 3
    assert done.err.endswith(
        "Hint: the folder is read-only; take another, or a copy of the kit where you can write\n"
    )


def test_without_git_nothing_is_made(reel: Reel) -> None:
    done = reel("init", "ada", env={"PATH": str(reel.cwd)})
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("Error: git is not installed.\nHint: get it from ")
    assert list(reel.cwd.iterdir()) == []


def test_a_dry_run_shows_the_files_and_makes_none(reel: Reel) -> None:
    done = reel("init", "ada", "--name", "Ada", "--dry-run").ok()
    assert done.out.splitlines() == [f"ada/{path}" for path in MADE]
    called = CALLED.replace(", in its folder:  reel config user NAME", ":  --user NAME")
    assert done.err == f"{called}This would make a kit for Ada. Nothing was made (--dry-run).\n"
    assert list(reel.cwd.iterdir()) == []


def test_an_empty_folder_may_be_there_already(reel: Reel) -> None:
    here = reel.cwd / "here"
    here.mkdir(mode=0o755)
    (here / ".DS_Store").write_bytes(b"\0")
    done = reel("init", ".", "--name", "Ada", cwd=here).ok()
    own = f"{FRIEND} To write your own:  reel edit identity\n"
    assert done.err == f"{CALLED.replace(', in its folder', '')}{own}Next:  reel start\n"
    assert stat.S_IMODE(here.stat().st_mode) == 0o700
    assert git(here, "ls-files").split() == MADE


def test_a_repository_without_a_commit_is_used_and_its_remote_told_of(reel: Reel) -> None:
    git(reel.cwd, "init", "-q", "-b", "trunk", "ada")
    git(reel.cwd / "ada", "remote", "add", "origin", "https://example.org/ada.git")
    done = reel("init", "ada").ok()
    assert "That repository has a remote (origin): a push takes what is said along.\n" in done.err
    assert git(reel.cwd / "ada", "log", "--format=%s %D").strip() == (
        "init: Ada, from the companion template HEAD -> trunk"
    )


@pytest.mark.parametrize(
    ("prepare", "path", "says"),
    [
        ("mkdir ada && touch ada/x", "ada", "ada is not empty"),
        ("touch ada", "ada", "ada is a file"),
        ("touch ada", "ada/in", "ada is a file"),
        ("mkdir ada && touch ada/kit.yaml", "ada/in/bo", "ada/in/bo would lie inside another kit, ada"),
        (
            "git init -q ada && git -C ada commit -q --allow-empty -m x",
            "ada",
            "ada has a history already",
        ),
    ],
)
def test_a_place_that_is_taken_is_refused_and_left_alone(
    reel: Reel, prepare: str, path: str, says: str
) -> None:
    subprocess.run(["sh", "-c", prepare], cwd=reel.cwd, check=True)
    before = sorted(reel.cwd.rglob("*"))
    done = reel("init", path)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"Error: {says}")
    assert "\nHint: " in done.err
    assert sorted(reel.cwd.rglob("*")) == before


def test_inside_a_kit_only_a_free_place_beside_it_is_named(reel: Reel) -> None:
    reel("init", "ada").ok()
    reel.cwd /= "ada"
    done = reel("init", "ada")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("Error: ada would lie inside another kit, ada.\n")
    assert "Hint: for another kit, choose a new name outside ada\n" in done.err
    hint = re.search(r"beside that one:  reel (.*)\n", reel("init", "bo").err)
    assert hint is not None
    reel(*shlex.split(hint[1])).ok()
    assert (reel.cwd.parent / "bo" / "kit.yaml").is_file()
    # what else was typed stays in the hint
    typed = ("--template", "companion", "--name", "Bo Berg", "--dry-run")
    hint = re.search(r"beside that one:  reel (.*)\n", reel("init", "berg", *typed).err)
    assert hint is not None
    assert shlex.split(hint[1])[2:] == [*typed]


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ([], 2, "Error: Name the folder for the kit.\n"),
        (["ada", "--template", "nope"], 1, "Error: There is no template called 'nope', and no folder"),
        (["ada", "--template", "."], 1, "Error: . cannot serve as a template: it has no kit.yaml.\n"),
        (["ada", "--window", "big"], 1, "Error: 'big' is not a window size.\n"),
        (
            ["ada", "--window", "200"],
            1,
            "Error: The identity takes 280 tokens and the rules 136. At a window of 200 they",
        ),
        (["ada", "--tokenizer", "nope"], 1, "Error: There is no tokenizer called 'nope'.\n"),
        (["ada", "--name", "A\nB"], 1, "Error: 'A\\nB' cannot be a name.\n"),
        (["ada", "--name", ""], 1, "Error: '' cannot be a name.\n"),
        (["ada", "--identity", "nope.md"], 1, "Error: There is no file nope.md.\n"),
        (["ada", "--identity", "."], 1, "Error: . is not a file.\n"),
        (["ada", "--identity", "-"], 1, "Error: What came on standard input is empty.\n"),
        (["ada", "--what"], 2, "Error: No such option: --what"),
    ],
)
def test_a_choice_that_makes_no_sense_is_refused(
    reel: Reel, arguments: list[str], code: int, says: str
) -> None:
    done = reel("init", *arguments)
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith(says)
    assert list(reel.cwd.iterdir()) == []


def test_a_mistyped_template_is_told_with_the_one_that_is_meant(reel: Reel) -> None:
    refused = reel("init", "ada", "--template", "compnion")
    assert (refused.code, refused.err.splitlines()[-1]) == (1, "Hint: did you mean companion?")


def test_an_identity_of_ones_own_takes_the_templates_place(reel: Reel) -> None:
    (reel.cwd / "who.md").write_bytes("\ufeffYou are {{char}}.\r\nBe kind.".encode())
    done = reel(
        "init", "ada", "--identity", "who.md", "--tokenizer", "cl100k_base", "--window", "131072"
    ).ok()
    assert (reel.cwd / "ada/ring0/identity.md").read_bytes() == b"You are {{char}}.\nBe kind.\n"
    assert "window: 128k\ntokenizer: cl100k_base\n" in (reel.cwd / "ada/kit.yaml").read_text()
    assert done.out == "Made ada, a companion kit.\n"
    left = (
        "3 examples show how the template's persona sounds. "
        "To change the first of them, in its folder:  reel edit voice\n"
    )
    assert done.err == f"{CALLED}{left}Next:  cd ada && reel start\n"


def test_a_binary_file_is_no_identity(reel: Reel) -> None:
    (reel.cwd / "who.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    done = reel("init", "ada", "--identity", "who.png")
    assert done.code == 1
    assert done.err.startswith("Error: who.png is an image, not a plain text.\nHint: ")


def test_an_identity_over_its_share_is_made_and_said(reel: Reel) -> None:
    (reel.cwd / "who.md").write_text("You are Ada. " * 300)
    done = reel("init", "ada", "--identity", "who.md").ok()
    assert "655 is its share of this window; shorten it" in done.err


# -- a folder as a template -------------------------------------------------------------------


@pytest.fixture
def friend(reel: Reel) -> Path:
    """A kit as a friend would send it: with a tape, a memory and a file of its own."""
    folder = reel.cwd / "friend"
    for path, data in {
        "kit.yaml": b"# mine\nname: Nell   # short for Eleanor\nuser: Ivo\nwindow: 16k\ncap: 12k\n",
        "ring0/identity.md": b"You are Nell.\n",
        "ring3/M-001.md": b"---\nid: M-001\nlevel: L4\ntitle: The ferry\n---\nThe ferry.\n",
        "tape/2026/2026-01-02-1.md": b"---\nsession: 2026-01-02-1\nsource: text\n---\nany\r\nbytes \xff\0",
        "notes/{{name}}.txt": b"{{name}} and {{user}}\n",
        ".reel/state/touches.jsonl": b"{}\n",
        ".git/config": b"[core]\n\tbare = false\n",
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return folder


def test_a_kit_of_the_same_name_is_told_as_its_copy(reel: Reel, friend: Path) -> None:
    friend.rename(friend.parent / "nell-before")
    (friend.parent / "elsewhere").mkdir()
    (friend.parent / "nell-before").rename(friend.parent / "elsewhere/nell")
    assert reel("init", "other", "--template", "elsewhere/nell").ok().out == "Made other, a copy of Nell.\n"


def test_files_beside_a_kits_own_are_not_taken_over(reel: Reel) -> None:
    reel("init", "ada", "--name", "Ada").ok()
    (reel.cwd / "ada/chats").mkdir()
    for path in ("c1.txt", "chats/c2.txt", "ring1/mine.md"):
        (reel.cwd / "ada" / path).write_text("Ada: hello\n")
    done = reel("init", "bea", "--template", "ada").ok()
    assert "Left where they are, since they are not the kit's: c1.txt, chats/c2.txt." in done.err
    assert not {"c1.txt", "chats/c2.txt"} & set(files_in(reel.cwd / "bea"))
    assert "ring1/mine.md" in files_in(reel.cwd / "bea")


def test_a_folder_is_taken_over_byte_for_byte(reel: Reel, friend: Path) -> None:
    done = reel("init", "nell", "--template", "friend").ok()
    assert done.out == "Made nell, Nell from friend.\n"
    assert done.err == (
        "Taken over whole: 1 chat, 1 memory."
        " The history of its changes was not copied; a new one begins.\n"
        "Next:  cd nell && reel start\n"
    )
    taken = files_in(reel.cwd / "nell")
    assert {path: taken[path] for path in files_in(friend)} == files_in(friend)
    assert sorted(set(taken) - set(files_in(friend))) == [".gitattributes", ".gitignore"]
    assert not (reel.cwd / "nell/.reel/state/touches.jsonl").exists()
    assert git(reel.cwd / "nell", "log", "--format=%s|%(trailers:separator=%x2C)").strip() == (
        "init: Nell, taken over as it was in friend|Reel-Op: init,Reel-Ratified-By: Bo Lind <bo@example.org>"
    )
    assert git(reel.cwd / "nell", "status", "--porcelain") == ""


def test_what_is_chosen_is_all_that_changes_in_a_folder_taken_over(reel: Reel, friend: Path) -> None:
    done = reel("init", "x", "--template", "friend/", "--name", "Eve", "--window", "8k").ok()
    assert "Its texts still speak of Nell wherever they did.\n" in done.err
    taken, given = files_in(reel.cwd / "x"), files_in(friend)
    assert taken.pop("kit.yaml") == b"# mine\nname: Eve\nuser: Ivo\nwindow: 8k\n"
    assert {path: data for path, data in given.items() if taken.get(path) != data} == {
        "kit.yaml": given["kit.yaml"]
    }


def test_a_friends_name_on_commits_is_told_of(reel: Reel, friend: Path) -> None:
    (friend / "kit.yaml").write_text("name: Nell\nauthor: Ivo Ek <ivo@example.org>\n")
    done = reel("init", "x", "--template", friend).ok()
    assert "Its kit.yaml names Ivo Ek <ivo@example.org> as the author of commits" in done.err


@pytest.mark.parametrize(
    ("spoil", "code", "says"),
    [
        ("ln -s /etc/passwd friend/notes/pw", 1, "notes/pw is a link that leaves the folder"),
        ("ln -s ../.git/config friend/notes/c", 1, "notes/c is a link that leaves the folder"),
        ("ln -s /etc friend/etc", 1, "etc is a link to a folder"),
        ("ln -s ring3 friend/ring5", 1, "ring5 is a link to a folder"),
        ("ln -s nothing friend/x", 1, "x is a link to nothing"),
        ("ln -s x friend/x", 1, "x is a link to nothing"),
        ("mkfifo friend/pipe", 1, "pipe is not a plain file"),
        ("touch \"friend/$(printf 'a\\nb')\"", 1, "the file name 'a\\nb' has characters"),
        ("truncate -s 70M friend/big", 1, "big is larger than 64 MB"),
        ("echo 'protocol: REEL/2.0' > friend/kit.yaml", 3, "This kit is of protocol version REEL/2.0"),
        ("printf 'name: [' > friend/kit.yaml", 1, "kit.yaml, line 2"),
        ("printf '\\377' > friend/kit.yaml", 1, "friend/kit.yaml is not UTF-8 text"),
        ("printf '\\377' > friend/ring0/identity.md", 1, "ring0/identity.md is not UTF-8 text"),
        ("rm friend/ring0/identity.md", 1, "The template has no ring0/identity.md"),
    ],
)
@pytest.mark.usefixtures("friend")
def test_a_folder_that_cannot_be_a_template_is_refused(reel: Reel, spoil: str, code: int, says: str) -> None:
    subprocess.run(["sh", "-c", spoil], cwd=reel.cwd, check=True)
    done = reel("init", "nell", "--template", "friend")
    assert (done.code, done.out) == (code, "")
    assert says in done.err.splitlines()[0]
    assert [path.name for path in reel.cwd.iterdir()] == ["friend"]


def test_a_link_that_stays_inside_becomes_a_copy(reel: Reel, friend: Path) -> None:
    (friend / "who.md").symlink_to("ring0/identity.md")
    reel("init", "nell", "--template", "friend").ok()
    copy = reel.cwd / "nell/who.md"
    assert (copy.is_symlink(), copy.read_bytes()) == (False, b"You are Nell.\n")


# -- inside another repository ------------------------------------------------------------------


@pytest.fixture
def around(reel: Reel) -> Path:
    """A repository with a commit, a staged edit and one that is not."""
    folder = reel.cwd / "around"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "a.txt").write_text("1\n")
    (folder / "b.txt").write_text("1\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")
    (folder / "a.txt").write_text("2\n")
    git(folder, "add", "a.txt")
    (folder / "b.txt").write_text("2\n")
    return folder


def test_inside_a_repository_only_the_kits_paths_are_committed(reel: Reel, around: Path) -> None:
    done = reel("init", "kits/ada", "--name", "Ada", cwd=around).ok()
    assert done.err == (
        f"{CALLED}"
        f"{FRIEND} To write your own, in its folder:  reel edit identity\n"
        f"kits/ada lies inside the repository {around}, whose readers will see all of it; "
        "reel commits there, and only what is under kits/ada/.\n"
        "Next:  cd kits/ada && reel start\n"
    )
    assert not (around / "kits/ada/.git").exists()
    assert git(around, "show", "--format=%s", "--name-only").split("\n\n")[1].split() == [
        f"kits/ada/{path}" for path in MADE
    ]
    assert git(around, "status", "--porcelain") == "M  a.txt\n M b.txt\n"
    assert stat.S_IMODE((around / "kits/ada").stat().st_mode) == 0o700


def test_an_edit_right_after_git_add_still_shows(reel: Reel, around: Path) -> None:
    # git tells such an edit, of the same length and in the same second, by the age of its index alone
    git(around, "config", "core.trustctime", "false")
    os.utime(around / "b.txt", (1_700_000_000, 1_700_000_000))
    git(around, "add", "b.txt")
    (around / "b.txt").write_text("3\n")
    for path in ("b.txt", ".git/index"):
        os.utime(around / path, (1_700_000_000, 1_700_000_000))
    assert git(around, "diff", "--name-only") == "b.txt\n"
    reel("init", "ada", cwd=around).ok()
    assert git(around, "diff", "--name-only") == "b.txt\n"


def test_a_repository_that_is_not_on_a_branch_is_left_alone(reel: Reel, around: Path) -> None:
    git(around, "checkout", "-q", "--detach")
    done = reel("init", "kits/ada", cwd=around)
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("Error: ")
    assert not (around / "kits").exists()
    assert git(around, "status", "--porcelain") == "M  a.txt\n M b.txt\n"


def test_where_the_repository_ignores_the_place_the_kit_gets_its_own(reel: Reel, around: Path) -> None:
    (around / ".gitignore").write_text("/private/\n")
    done = reel("init", "private/ada", cwd=around).ok()
    assert "repository" not in done.err
    assert (around / "private/ada/.git").is_dir()
    assert git(around, "log", "--format=%s") == "first\n"


@pytest.mark.parametrize(
    ("folder", "cloud"),
    [
        ("Dropbox/kits", "Dropbox"),
        ("OneDrive - Work", "OneDrive"),
        ("Library/CloudStorage/GoogleDrive-bo@example.org/My Drive", "Google Drive"),
        ("Library/Mobile Documents/com~apple~CloudDocs", "iCloud"),
    ],
)
def test_a_folder_that_is_copied_to_a_cloud_is_told_of(reel: Reel, folder: str, cloud: str) -> None:
    done = reel("init", f"{folder}/ada").ok()
    assert f"/ada lies in {cloud}: what is said to it will be copied to that company's servers.\n" in done.err
    assert f"Next:  cd {shlex.quote(f'{folder}/ada')} && reel start" in done.err


# -- what goes wrong while it is made -------------------------------------------------------------


def stopped_init(path: str, at: int, cwd: Path) -> int:
    """Run `reel init path` until its `at`-th write; its exit code, negative where it was stopped."""
    return killed_at(at, cwd, "init", path, "--name", "Ada", also=("os.chmod",))


@pytest.mark.parametrize("at", [1, 5, 9, 14, 20, 26, 33, 41, 50, 60])
def test_a_stopped_init_leaves_nothing_or_a_kit(reel: Reel, at: int) -> None:
    code = stopped_init("ada", at, reel.cwd)
    assert code in (0, -signal.SIGKILL)
    if not (reel.cwd / "ada").exists():
        reel("init", "ada").ok()
    assert git(reel.cwd / "ada", "status", "--porcelain") == ""
    assert git(reel.cwd / "ada", "ls-files").split() == MADE
    assert [path.name for path in reel.cwd.iterdir()] == ["ada"]


@pytest.mark.parametrize("where", ["empty", "around"])
@pytest.mark.parametrize("at", [3, 12, 25, 40, 46, 52, 60])
def test_a_stopped_init_in_a_folder_that_was_there_is_ended_by_the_next(
    reel: Reel, around: Path, where: str, at: int
) -> None:
    folder = reel.cwd / "empty" if where == "empty" else around / "ada"
    folder.mkdir()
    code = stopped_init(".", at, folder)
    again = reel("init", ".", "--name", "Ada", cwd=folder)
    assert code == 0 or again.ok()
    assert sorted(files_in(folder)) == MADE
    assert git(folder, "status", "--porcelain", "--", ".") == ""
    assert git(folder, "log", "--format=%s", "-1") == "init: Ada, from the companion template\n"
    assert git(around, "status", "--porcelain") == "M  a.txt\n M b.txt\n"
    assert not list(folder.rglob("*.lock"))


@pytest.mark.parametrize("where", ["new", "empty", "around"])
def test_when_the_disk_is_full_nothing_is_left(reel: Reel, around: Path, where: str) -> None:
    folder = {"new": reel.cwd / "new", "empty": reel.cwd / "empty", "around": around / "ada"}[where]
    if where == "empty":
        folder.mkdir()
    command = ["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", *reel.command("init", folder)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("Error: The disk is full.\nHint: ")
    assert (list(folder.iterdir()) if folder.exists() else []) == []
    assert folder.exists() is (where == "empty")
    assert sorted(p.name for p in reel.cwd.iterdir()) == (
        ["around", "empty"] if where == "empty" else ["around"]
    )
    assert git(around, "status", "--porcelain") == "M  a.txt\n M b.txt\n"
    assert git(around, "log", "--format=%s") == "first\n"


def test_a_window_that_is_none_is_asked_for_again(reel: Reel, tmp_path: Path) -> None:
    card = tmp_path / "ada.json"
    card.write_text(json.dumps({"spec": "chara_card_v2", "data": {"name": "Ada", "description": "Dry."}}))
    answers = "Bo\n?\nbig\n16k\n"
    done = reel("init", "new", "--card", str(card), "--name", "Ada", cwd=tmp_path, stdin=answers, tty=True)
    assert "That is how much the model can read at once" in done.ok().err
    assert "Error: 'big' is not a window size." in done.err
    assert "window: 16k" in (tmp_path / "new/kit.yaml").read_text()


def test_a_blank_identity_is_written_first_and_has_no_heading_twice(reel: Reel) -> None:
    done = reel("init", "m", "--template", "blank", "--name", "Mo").ok()
    assert done.err.endswith("Next:  cd m && reel edit identity\nThen:  reel start\n")
    assert reel("pack", cwd=reel.cwd / "m").ok().out.count("## Who you are\n") == 1


def test_where_no_folder_is_named_the_hint_has_the_template_that_was(reel: Reel) -> None:
    assert "Hint: reel init ada --template blank\n" in reel("init", "--template", "blank").err
    assert "Hint: reel init ada --template companion\n" in reel("init").err

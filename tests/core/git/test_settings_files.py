"""git's settings, read from their files as git reads them, or left to git."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.git import settings_files
from reel_cli.core.git.process import git_process
from reel_cli.core.git.repository import find_repository
from reel_cli.core.git.settings_files import read_settings_files
from tests.support.kit_under_git import KitUnderGit, make_kit

WANTED = re.compile(r"^(filter\..*|(user|author)\.(name|email)|core\.hookspath)$", re.DOTALL)
LINES = (
    *("[user]", "[USER] ; mine", "[author]", "[core]", '[filter "lfs"]', '[filter "A b"]', '[filter ""]'),
    *(
        "[alias]",
        "[filter.old]",
        '[filter "a\\"b"]',
        "[a] name = b",
        "[bro ken",
        '[include]\n path = "other"',
    ),
    *(
        "name = Bo Lind",
        "\tName=Bo",
        "name =",
        "name",
        "name = Bo \t Lind",
        'name = "Bo # Lind" ',
        "name = a;b",
    ),
    *(
        "name = Bo \\\n Lind",
        'name = "Bo',
        "email = bo@example.org",
        "email\t=\tb@c\r",
        "e-mail = x",
        "1 = 2",
    ),
    *("hooksPath = .githooks", "clean = lfs %f", 'clean = sh -c "a \\"b\\""', "required", "required = true"),
    *("# name = no", "; [user]", "x = !f() { echo 'a'; }; f", "", "  ", "name = Łucja"),
)


def ask_git(root: Path) -> dict[str, str] | None:
    """Return them as git tells them; None where it cannot read them."""
    done = subprocess.run(
        ["git", "config", "-z", "--get-regexp", WANTED.pattern], cwd=root, capture_output=True, check=False
    )
    if done.returncode not in (0, 1):
        return None
    pairs = (os.fsdecode(item).partition("\n") for item in done.stdout.split(b"\0") if item)
    return {key: value for key, _, value in pairs}


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("bare")
    subprocess.run(["git", "init", "-q", root], check=True)
    return root


@settings(max_examples=60)
@given(
    own=st.lists(st.sampled_from(LINES), max_size=6),
    for_person=st.lists(st.sampled_from(LINES), max_size=6),
)
def test_whatever_stands_in_them_is_read_as_git_reads_it_or_left_to_git(
    bare: Path, own: list[str], for_person: list[str]
) -> None:
    (bare / ".git/config").write_text("\n".join(["[core]", *own, ""]))
    (bare / "global").write_text("\n".join([*for_person, ""]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CONFIG_GLOBAL", str(bare / "global"))
        read = read_settings_files(bare / ".git/config", WANTED)
        told = ask_git(bare)
    if read is not None and told is not None:
        assert read == told


def test_plain_ones_take_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kit = make_kit(tmp_path / "ada")
    kit.git("config", "user.name", "Ada Nord")
    kit.git("config", "filter.lfs.clean", "git-lfs clean -- %f")
    kit.git("config", "core.hooksPath", ".githooks")
    repo = find_repository(kit.root)
    assert repo is not None
    monkeypatch.delattr(subprocess, "Popen")
    assert repo.read_settings() == {
        "user.name": "Ada Nord",
        "user.email": "bo@example.org",
        "filter.lfs.clean": "git-lfs clean -- %f",
        "core.hookspath": ".githooks",
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_PARAMETERS", "'user.name=Cleo'"),
        ("GIT_CONFIG_NOSYSTEM", "0"),
        ("HOME", ""),
    ],
)
def test_what_holds_for_one_process_or_lies_elsewhere_is_gits_to_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    own = tmp_path / "config"
    own.write_text("[user]\n name = Bo\n")
    assert read_settings_files(own, WANTED) is not None
    monkeypatch.setenv(name, value)
    assert read_settings_files(own, WANTED) is None


def test_those_of_the_person_lie_in_either_place_and_those_of_the_machine_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    (home / ".config/git").mkdir(parents=True)
    (home / ".config/git/config").write_text("[user]\n name = From XDG\n email = x@y\n")
    (home / ".gitconfig").write_text("[user]\n name = From home\n")
    own = tmp_path / "repo/.git/config"
    subprocess.run(["git", "init", "-q", tmp_path / "repo"], check=True)
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    for_all = tmp_path / "gitconfig"
    for_all.write_text('[filter "lfs"]\n required = true\n[user]\n email = m@n\n')
    monkeypatch.setattr(settings_files, "FOR_ALL", for_all)
    read = read_settings_files(own, WANTED)
    assert read == ask_git(own.parent.parent) == {"user.name": "From home", "user.email": "x@y"}
    monkeypatch.delenv("GIT_CONFIG_NOSYSTEM")
    where = str(Path(shutil.which("git") or "").parent)
    monkeypatch.setattr(settings_files, "SYSTEM_FOLDERS", (where,))
    both = {"filter.lfs.required": "true", "user.name": "From home", "user.email": "x@y"}
    assert read_settings_files(own, WANTED) == (both if sys.platform == "linux" else None)
    monkeypatch.setattr(settings_files, "SYSTEM_FOLDERS", ())
    assert read_settings_files(own, WANTED) is None


def test_a_hooks_folder_is_told_of_where_git_has_to_be_asked(kit_with_include: KitUnderGit) -> None:
    repo = find_repository(kit_with_include.root)
    assert repo is not None
    assert read_settings_files(repo.common_dir / "config", WANTED) is None
    assert repo.read_settings()["core.hookspath"] == ".githooks"
    assert git_process(repo.root, "config", "core.hooksPath").stdout.strip() == os.devnull.encode()


@pytest.fixture
def kit_with_include(tmp_path: Path) -> KitUnderGit:
    kit = make_kit(tmp_path / "ada")
    (tmp_path / "more").write_text("[core]\n hooksPath = .githooks\n")
    kit.git("config", "include.path", str(tmp_path / "more"))
    return kit

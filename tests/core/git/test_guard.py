"""The guard hook, with nothing but git: what a plain commit may do to a kit, and what not."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reel_cli.core.git.guard import BESIDE, CALL, HOOKS, install_guard, look_at_guard, remove_guard
from tests.features.verify.test_verify import (
    EVENTS,
    NAME,
    OTHER,
    OTHER_PATH,
    PATH,
    SAID,
    longer,
    noted,
    session,
)
from tests.support.kit_under_git import KitUnderGit, make_kit, run

POOL = "ring1/the soup.md"
ODD = 'tape/odd "name" ü.md'

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the hook is run by git's own sh there")


@pytest.fixture
def kit(tmp_path: Path) -> KitUnderGit:
    """A guarded kit with one session and one exemplar."""
    made = make_kit(tmp_path / "my ada")
    soup = b"---\ntitle: Soup\n---\n**Bo:** Soup.\n"
    made.apply({POOL: soup, PATH: session(NAME, *SAID), ODD: b"one of them\n"})
    install_guard(made.repo)
    return made


def attempt(kit: KitUnderGit, *arguments: str) -> subprocess.CompletedProcess[str]:
    kit.git("add", "-A")
    return commit(kit, *arguments)


def commit(kit: KitUnderGit, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["git", "commit", "-q", "-m", "by hand", *arguments]
    return subprocess.run(command, cwd=kit.root, capture_output=True, text=True, check=False)


def append(kit: KitUnderGit) -> None:
    kit.write(PATH, longer(kit.read(PATH), 5, SAID[3]))


def edit(path: str) -> Callable[[KitUnderGit], None]:
    return lambda kit: kit.write(path, kit.read(path)[:5] + b"~" + kit.read(path)[5:])


def remove(path: str) -> Callable[[KitUnderGit], None]:
    return lambda kit: (kit.root / path).unlink()


def rename(path: str, to: str) -> Callable[[KitUnderGit], None]:
    def change(kit: KitUnderGit) -> None:
        (kit.root / path).rename(kit.root / to)

    return change


def link(kit: KitUnderGit) -> None:
    (kit.root / PATH).unlink()
    (kit.root / PATH).symlink_to("/etc/hostname")


@pytest.mark.parametrize(
    "change",
    [
        append,
        lambda kit: kit.write(OTHER_PATH, session(OTHER, "hello")),
        lambda kit: kit.write(EVENTS, noted(None, "the boat")),
        lambda kit: kit.write(ODD, kit.read(ODD) + b"one of them\n"),
        lambda kit: kit.write("ring1/another one.md", b"---\ntitle: Tea\n---\n**Bo:** Tea.\n"),
        lambda kit: kit.write("ring1/active.yaml", b"active: []\n"),
        edit("ring2/working.md"),
        lambda kit: kit.write("ring0.md", b"no ring\n"),
    ],
)
def test_adding_stays_allowed(kit: KitUnderGit, change: Callable[[KitUnderGit], None]) -> None:
    change(kit)
    done = attempt(kit)
    assert (done.returncode, done.stderr) == (0, "")
    assert kit.subjects()[0] == "by hand"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (edit(PATH), f"{PATH} no longer begins with what was recorded"),
        (lambda kit: kit.write(PATH, b"x\n" + kit.read(PATH)), f"{PATH} no longer begins"),
        (lambda kit: kit.write(PATH, kit.read(PATH)[:-9]), f"{PATH} no longer begins"),
        (lambda kit: kit.write(PATH, kit.read(PATH).replace(b"\n", b"\r\n")), f"{PATH} no longer begins"),
        (lambda kit: kit.write(PATH, b""), f"{PATH} no longer begins"),
        (
            lambda kit: kit.write(PATH, kit.read(PATH) + b"x\n"),
            f"{PATH} has more words in what was said last",
        ),
        (lambda kit: kit.write(PATH, kit.read(PATH) + b"\nAnd I agree.\n"), f"{PATH} has more words in what"),
        (edit(ODD), "no longer begins"),
        (link, f"{PATH} no longer begins"),
        (remove(PATH), f"{PATH} would be gone"),
        (remove(ODD), "would be gone"),
        (rename(PATH, "tape/2026/2026-02-09-1.md"), f"{PATH} would be gone"),
        (edit("ring0/identity.md"), "ring0/identity.md says who the persona is"),
        (remove("ring0/identity.md"), "ring0/identity.md says who the persona is"),
        (lambda kit: kit.write("ring0/directives.md", b"new\n"), "ring0/directives.md says who"),
        (edit(POOL), f"{POOL} is an exemplar"),
        (remove(POOL), f"{POOL} is an exemplar"),
        (rename(POOL, "ring1/soup.md"), f"{POOL} is an exemplar"),
    ],
)
def test_what_is_past_is_refused(kit: KitUnderGit, change: Callable[[KitUnderGit], None], told: str) -> None:
    head = kit.repo.head()
    change(kit)
    done = attempt(kit)
    assert (done.returncode, kit.repo.head()) == (1, head)
    assert told in done.stderr
    assert "reel" in done.stderr
    assert attempt(kit, "--no-verify").returncode == 0


def test_a_message_and_the_ones_behind_it_may_be_added_in_one_commit(kit: KitUnderGit) -> None:
    kit.write(PATH, longer(longer(kit.read(PATH), 5, SAID[3]), 6, "\n\n<!-- { not a line of reel's"))
    assert attempt(kit).returncode == 0


def test_what_was_said_twice_may_be_said_again(kit: KitUnderGit) -> None:
    """Where the new end looks like the old one, the addition is still seen to be at the end."""
    block = b"\n<!-- {} -->\nyes\n"
    kit.apply({ODD: kit.read(ODD) + block})
    kit.write(ODD, kit.read(ODD) + block)
    assert attempt(kit).returncode == 0
    kit.write(ODD, kit.read(ODD).replace(b"one of them\n", b"one of them\n" + block, 1))
    assert attempt(kit).returncode == 0, "the same bytes at the end, wherever they were put in"
    kit.write(ODD, kit.read(ODD).replace(b"one of them\n", b"one of them\nno\n", 1))
    assert attempt(kit).returncode == 1


def test_ring_0_is_a_draft_until_something_is_recorded(tmp_path: Path) -> None:
    kit = make_kit(tmp_path / "ada")
    install_guard(kit.repo)
    edit("ring0/identity.md")(kit)
    assert attempt(kit).returncode == 0


def test_the_first_commit_of_all(tmp_path: Path) -> None:
    kit = make_kit(tmp_path / "ada")
    install_guard(kit.repo)
    kit.git("checkout", "-q", "--orphan", "fresh")
    assert attempt(kit).returncode == 0


def test_part_of_the_work_is_committed_as_it_is_staged(kit: KitUnderGit) -> None:
    edit(PATH)(kit)
    kit.write("notes.txt", b"mine\n")
    kit.git("add", "notes.txt")
    assert commit(kit).returncode == 0
    assert commit(kit, "-a").returncode == 1
    kit.write("ring2/working.md", b"other\n")
    assert commit(kit, "--", "ring2/working.md").returncode == 0


def test_it_needs_nothing_but_git_and_sh(kit: KitUnderGit, tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("git", "sh"):
        found = subprocess.run(["which", name], capture_output=True, text=True, check=True).stdout.strip()
        (tools / name).symlink_to(found)
    append(kit)
    kit.git("add", "-A")
    hook = kit.repo.git_dir / "hooks" / HOOKS[0]
    env = {**os.environ, "PATH": str(tools), "GIT_INDEX_FILE": str(kit.repo.index)}
    done = subprocess.run([hook], cwd=kit.root, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    edit(PATH)(kit)
    kit.git("add", "-A")
    done = subprocess.run([hook], cwd=kit.root, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (1, 3)


# -- merges -----------------------------------------------------------------------------------


def branch_off(kit: KitUnderGit, change: Callable[[KitUnderGit], None], *, honest: bool = True) -> None:
    kit.git("switch", "-q", "-c", "laptop")
    change(kit)
    attempt(kit, *([] if honest else ["--no-verify"]))
    kit.git("switch", "-q", "main")


def merge(kit: KitUnderGit, *arguments: str) -> int:
    command = ["git", "merge", "-q", "-m", "merge", *arguments, "laptop"]
    return subprocess.run(command, cwd=kit.root, capture_output=True, check=False).returncode


def test_a_merge_that_keeps_everything(kit: KitUnderGit) -> None:
    branch_off(kit, lambda kit: kit.write(OTHER_PATH, session(OTHER, "hello")))
    append(kit)
    attempt(kit)
    assert (merge(kit), kit.subjects()[0]) == (0, "merge")


@pytest.mark.parametrize("change", [edit(PATH), remove(PATH)])
def test_a_merge_that_would_bring_an_alteration(
    kit: KitUnderGit, change: Callable[[KitUnderGit], None]
) -> None:
    branch_off(kit, change, honest=False)
    kit.write("notes.txt", b"mine\n")
    attempt(kit)
    assert merge(kit) != 0
    assert kit.subjects()[0] == "by hand"


def test_a_merge_that_would_drop_a_session(kit: KitUnderGit) -> None:
    branch_off(kit, lambda kit: kit.write(OTHER_PATH, session(OTHER, "hello")))
    kit.write("notes.txt", b"mine\n")
    attempt(kit)
    merge(kit, "--no-commit", "--no-ff")
    kit.git("rm", "-q", "-f", OTHER_PATH)
    assert (commit(kit).returncode, attempt(kit, "--no-verify").returncode) == (1, 0)


@pytest.mark.parametrize("side", ["--ours", "--theirs"])
def test_notes_of_two_machines_can_be_merged_either_way(kit: KitUnderGit, side: str) -> None:
    kit.apply({EVENTS: noted(None, "the boat")})
    start = kit.read(EVENTS)
    branch_off(kit, lambda kit: kit.write(EVENTS, noted(start, "the train")))
    kit.write(EVENTS, noted(start, "the desk"))
    attempt(kit)
    merge(kit)
    assert attempt(kit).returncode == 1, "with git's conflict marks in it"
    kit.git("checkout", "-q", "--merge", EVENTS, check=False)
    text = noted(start, "the desk" if side == "--ours" else "the train")
    kit.write(EVENTS, text)
    done = attempt(kit)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_was_ratified_on_the_other_machine_comes_with_a_merge(kit: KitUnderGit) -> None:
    branch_off(kit, edit("ring0/identity.md"), honest=False)
    kit.write("notes.txt", b"mine\n")
    attempt(kit)
    assert merge(kit) == 0


# -- in and out -------------------------------------------------------------------------------


def test_it_is_its_owners_and_can_be_taken_out(kit: KitUnderGit) -> None:
    hooks = kit.repo.git_dir / "hooks"
    assert [oct((hooks / name).stat().st_mode & 0o777) for name in HOOKS] == ["0o700", "0o700"]
    assert look_at_guard(kit.repo).whole
    assert remove_guard(kit.repo) == list(HOOKS)
    assert (list(hooks.iterdir()), look_at_guard(kit.repo).on) == ([], False)
    edit(PATH)(kit)
    assert attempt(kit).returncode == 0


def test_another_hook_stays_and_can_call_it(tmp_path: Path) -> None:
    kit = make_kit(tmp_path / "ada")
    kit.apply({PATH: session(NAME, *SAID)})
    hook = kit.repo.git_dir / "hooks" / HOOKS[0]
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho mine\n")
    hook.chmod(0o755)
    guard = install_guard(kit.repo)
    assert (guard.on, list(guard.foreign), hook.read_text()) == (False, [HOOKS[0]], "#!/bin/sh\necho mine\n")
    hook.write_text(f"#!/bin/sh\n{CALL}\n")
    assert look_at_guard(kit.repo).on
    edit(PATH)(kit)
    assert attempt(kit).returncode == 1
    assert remove_guard(kit.repo) == [HOOKS[1], BESIDE]
    assert hook.exists()


def test_where_git_looks_for_hooks_elsewhere_none_is_put_there(tmp_path: Path) -> None:
    kit = make_kit(tmp_path / "ada")
    (tmp_path / "hooks").mkdir()
    kit.git("config", "core.hooksPath", str(tmp_path / "hooks"))
    guard = install_guard(kit.repo)
    assert (guard.on, guard.elsewhere) == (False, str(tmp_path / "hooks"))
    assert list((tmp_path / "hooks").iterdir()) == []
    kit.apply({PATH: session(NAME, *SAID)})
    hook = tmp_path / "hooks" / HOOKS[0]
    hook.write_text(f"#!/bin/sh\n{CALL}\n")
    hook.chmod(0o755)
    edit(PATH)(kit)
    assert attempt(kit).returncode == 1


def test_reels_own_commits_run_no_hook(kit: KitUnderGit) -> None:
    (kit.repo.git_dir / "hooks" / HOOKS[0]).write_text("#!/bin/sh\nexit 1\n")
    kit.apply({"ring2/working.md": b"new\n"}, summary="a page")
    assert kit.subjects()[0] == "checkpoint: a page"


def test_a_linked_work_tree_is_guarded_too(kit: KitUnderGit, tmp_path: Path) -> None:
    kit.git("worktree", "add", "-q", str(tmp_path / "second"))
    edit(PATH)(KitUnderGit(tmp_path / "second", kit.repo))
    run(tmp_path / "second", "add", "-A")
    done = subprocess.run(
        ["git", "commit", "-qm", "by hand"], cwd=tmp_path / "second", capture_output=True, check=False
    )
    assert done.returncode == 1


def test_a_hook_that_may_not_be_executed_guards_nothing(kit: KitUnderGit) -> None:
    hook = look_at_guard(kit.repo).folder / HOOKS[0]
    hook.chmod(0o600)
    seen = look_at_guard(kit.repo)
    assert (seen.on, seen.whole, seen.asleep) == (False, False, [HOOKS[0]])
    edit(PATH)(kit)
    assert attempt(kit).returncode == 0
    seen = install_guard(kit.repo)
    assert (seen.on, seen.whole, seen.asleep) == (True, True, [])

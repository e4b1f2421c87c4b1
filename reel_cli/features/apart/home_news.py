"""A chat kept apart takes in what its home came to know, as it is opened; nothing goes the other way."""

from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.git.process import Git, git_process
from reel_cli.core.git.repository import Repository, find_own_repository
from reel_cli.core.kit.apart_kits import home_of, read_apart
from reel_cli.core.kit.kit_note import keep_note, recall_note

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

_NOTE = "home taken in"
"""The note of the commits of both kits that were held against each other last."""


def catch_up(opened: "OpenKit") -> None:
    """Take in what the home of a chat kept apart has committed since.

    Where that cannot be, it is said once, and tried again when either of the two has changed. A home that is
    not here is left to `reel doctor`.
    """
    repository = opened.repository
    note = read_apart(opened.root)
    if repository is None or repository.prefix or note is None:
        return
    home = home_of(opened.root, note)
    try:
        theirs = find_own_repository(home) if (home / "kit.yaml").is_file() else None
        head = theirs.head() if theirs is not None and not theirs.prefix else None
        if head is None:
            return
        stamp = f"{head} {repository.head()}"
        if recall_note(opened.root, _NOTE, stamp)[0] is not None:
            return
        _take_in(opened, repository, home, head)
    except (ReelError, OSError) as error:
        why = error.message if isinstance(error, ReelError) else str(error.strerror or error)
        name = opened.snapshot.settings.name
        opened.console.say(f"What {name} came to know elsewhere could not be taken in: {why}")
        opened.console.say("It is known here as it was before.")
    finally:
        opened.look_again()
    keep_note(opened.root, _NOTE, f"{head} {repository.head()}", "yes")


def _take_in(opened: "OpenKit", repository: Repository, home: Path, head: str) -> None:
    from reel_cli.features.apart.begin import SEEN, fetch_home
    from reel_cli.features.machines.merging import find_merge
    from reel_cli.features.machines.walk import take_in

    name = opened.snapshot.settings.name
    git = Git(repository.root)
    if _leads_to(repository, head, "HEAD"):
        return
    fetch_home(home, repository)
    known = git_process(repository.root, "rev-parse", "-q", "--verify", SEEN)
    if known.returncode == 0 and not _leads_to(repository, SEEN, head):
        message = f"{name}'s history was written anew, as by a purge."
        raise ReelError(message, hint="reel apart NAME  begins another chat from it")
    begun = git_process(repository.root, "merge", "-q", "--no-commit", "--no-ff", "--no-edit", head)
    merge = find_merge(repository)
    if merge is None:
        told = begun.stderr.decode("utf-8", "replace")
        message = "git could not join the two."
        if "overwritten by merge" in told:
            # the next change commits them, and then it is tried again
            message = "a file of this chat was edited by hand, and that edit is not committed yet."
        raise ReelError(message)
    try:
        taken = take_in(
            opened, merge, f"took in what {name} came to know elsewhere", ("this chat", f"{name}'s kit")
        )
    except ReelError:
        git("merge", "--abort")
        raise
    git("update-ref", SEEN, head)
    for line in taken.notes:
        opened.console.say(line)
    for path in taken.yours:
        opened.console.say(f"{path} was changed in both; this chat keeps its own.")
    opened.console.say(f"{name} knows here now what it came to know elsewhere since.")


def _leads_to(repository: Repository, early: str, late: str) -> bool:
    return git_process(repository.root, "merge-base", "--is-ancestor", early, late).returncode == 0

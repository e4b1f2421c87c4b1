"""A chat that was taken back and is given again: how it comes back as it was, before it is recorded anew."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reel_cli.core.values.talk import Conversation
    from reel_cli.terminal.open_kit import OpenKit

_STEPS = 9
"""Number of the last changes that are looked at for those that `reel redo` does again."""


def may_record_anew(opened: "OpenKit", talk: "Conversation", *, agreed: bool) -> bool:
    """Return whether to record a chat; of one that was taken back, a person at a terminal is asked."""
    from reel_cli.features.record.record_chats import record_one

    plan, console = record_one(opened.context, talk, dry_run=True), opened.console
    if not plan.taken_back or plan.purged:
        return True
    undone = _count_undone(opened)
    command = "reel redo" if undone else f"reel tape retract {plan.session} --undo"
    page = "   (once more for its page)" if undone > 1 else ""
    console.say(f"This chat was recorded as {plan.session}, and taken back.")
    console.say(f"To have it back as it was:  {command}{page}")
    if agreed or not console.interactive:
        return True
    console.say("Recorded anew, it is asked for a page again, and reel redo brings nothing back any more.")
    return console.confirm("Record it anew?", default=False)


def _count_undone(opened: "OpenKit") -> int:
    """Return how many changes the last steps took back, which `reel redo` does again."""
    from reel_cli.core.files.commit_message import OP
    from reel_cli.core.git.process import git_process

    repo = opened.repository
    if repo is None or repo.head() is None:
        return 0
    listed = git_process(
        repo.root,
        *("log", "-n", str(_STEPS), f"--format=%(trailers:key={OP},valueonly,separator=%x2C)"),
        *("--", *([repo.prefix] if repo.prefix else [])),
    )
    count = 0
    for op in listed.stdout.decode("utf-8", "replace").splitlines():
        if op.strip() not in ("undo", "tape"):
            break
        count += 1
    return count

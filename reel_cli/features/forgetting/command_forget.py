"""`reel forget`: let go of a memory; all of it can come back."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from reel_cli.core.values.change import capital
from reel_cli.terminal.options import AsJson, DryRun, Sure, Why

if TYPE_CHECKING:
    from reel_cli.features.forgetting.plan import ForgetPlan, LettingGo
    from reel_cli.terminal.open_kit import OpenKit

Names = Annotated[
    list[str], typer.Argument(metavar="ID|TITLE...", help="Which ones, like M-004, or by words of the title.")
]
NAMED = 4
"""Maximum number named in one line; more are counted."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("forget", epilog='Example:  reel forget M-004 --why "that is over"')(forget)


def forget(
    ctx: typer.Context,
    names: Names,
    why: Why = "",
    yes: Sure = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Forget a memory; one line stays, which says that it was there.

    Forgotten again, that line goes too. The chats stay on record, and reel restore brings all of it back.
    """
    from reel_cli.core.rings.pins import require_reason
    from reel_cli.core.rings.read_memory import is_memory_id, meant_memory, settle_memories
    from reel_cli.core.shell import join
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.forgetting.plan import plan_forget
    from reel_cli.features.forgetting.remains import find_word, tell_remains
    from reel_cli.terminal.change_report import preview_change, report_commit
    from reel_cli.terminal.console import agreed

    opened: OpenKit = ctx.obj.open_kit()
    console = opened.console
    repository = opened.require_repository()
    reason = require_reason(why)
    options = [*(["--why", why] if why else []), *(["--yes"] if yes else [])]
    unseen = not dry_run and (yes or not console.interactive)
    names = settle_memories(
        opened.snapshot, names, (lambda name: join(["reel", "forget", name, *options])) if unseen else None
    )
    counter = get_tokenizer(opened.snapshot.settings.tokenizer)
    for name in names:
        unknown = not is_memory_id(name) and meant_memory(opened.snapshot, name) is None
        if unknown and (elsewhere := find_word(opened, name)) is not None:
            raise elsewhere
    planned = plan_forget(opened.snapshot, repository, counter, names, why=reason, now=opened.now())
    if dry_run:
        preview_change(console, _told(opened, planned), _as_json(planned, None) if as_json else None)
        return
    question = "Let it go?" if len(planned.items) == 1 else "Let them go?"
    if not yes and not agreed(console, _told(opened, planned), question):
        return
    commit = opened.commit(planned.change).commit
    if as_json:
        console.result_json(_as_json(planned, commit))
        return
    told = planned.items[0].title if len(planned.items) == 1 else f"{len(planned.items)} memories"
    report_commit(console, commit, f"Let go: {told}")
    ids = [item.loss.id for item in planned.items]
    tell_remains(opened, [item.held for item in planned.items if item.held is not None])
    console.next_step(f"To bring it back:  reel restore {' '.join(ids[:NAMED])}")


def _told(opened: "OpenKit", planned: "ForgetPlan") -> str:
    """Return what goes and what stays of each, for the person to decide."""
    console = opened.console
    blocks = []
    for item in planned.items:
        lines = [f"{item.loss.id}  {item.title}", *(f"  {line}" for line in _lines(opened, item))]
        blocks.append("\n".join(console.wrap(line, console.err, hang="    ") for line in lines))
    return "\n".join(blocks)


def _lines(opened: "OpenKit", item: "LettingGo") -> list[str]:
    from reel_cli.features.history.lives import FORMS

    name = opened.snapshot.settings.name
    lines = []
    if item.held is not None:
        what = f"{FORMS[item.loss.before]} of {item.loss.tokens_before:,} tokens"
        lines.append(f"{capital(what)}. Its line stays, so {name} still knows that there was something.")
    else:
        what = f"Only a line in the index, {item.loss.tokens_before:,} tokens."
        lines.append(f"{what} Without it {name} no longer knows that there was something.")
    if item.immune:
        why = f": {item.immune_reason.rstrip('.')}" if item.immune_reason else ""
        lines.append(f"It is kept for good{why}. It never goes by itself; you can still let it go.")
    if not item.loss.source:
        lines.append("It does not say which chat it is from; after this, only the kit's history has it.")
    return lines


def _as_json(planned: "ForgetPlan", commit: str | None) -> dict[str, Any]:
    from reel_cli.features.history.log import loss_as_json

    return {
        "commit": commit,
        "forgot": [
            {**loss_as_json(item.loss), "title": item.title, "immune": item.immune} for item in planned.items
        ],
    }

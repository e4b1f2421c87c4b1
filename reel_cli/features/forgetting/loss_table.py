"""The table of losses: what was let go, when, why, and the command that brings it back."""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.files.commit_message import CLOSED, NOTE
from reel_cli.core.files.kit_files import find_kind
from reel_cli.core.kit.snapshot import WORKING
from reel_cli.core.rings.losses import SHELF_FOLDER, withdrawn_names
from reel_cli.core.shell import join
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import MEMORY_ID, Level
from reel_cli.features.forgetting.purged_losses import WHOLE, find_purged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reel_cli.core.files.commit_message import Forgotten
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.rings.losses import Loss
    from reel_cli.terminal.open_kit import OpenKit

_ENDS = {
    "off": "off the shelf",
    "aside": "set aside",
    "archive": "put into the archive",
    "summary": "shortened to its summary",
    "shorter": "in fewer words",
}
"""Words for how a file or a note was let go, where the noted one is none of a person's."""
WORDS = 60
"""Characters of what was let go that are shown."""
USUAL = 40
"""Number of losses shown if no limit is given."""


def show_forgotten(
    opened: "OpenKit", limit: int | None, since: str, *, as_json: bool, beside: bool = False
) -> None:
    """Show what was let go since a day (all of it for ""), the newest first.

    `beside`: something was shown that can come back, so that no word is needed where nothing was let go.
    """
    from reel_cli.features.history.log import list_forgotten

    console, repository = opened.console, opened.repository
    tip = opened.then.commit if opened.then is not None else None
    found = list_forgotten(opened.snapshot, repository, since, opened.zone, tip) if repository else []
    losses = [loss for _, mine in found for loss in reversed(mine)]
    purged = find_purged(opened.snapshot, repository, losses) if repository else {}
    commands = {
        key: how for key, how in _commands(opened.snapshot, losses).items() if purged.get(key) != WHOLE
    }
    if as_json:
        from reel_cli.features.history.log import change_as_json, loss_as_json

        told: list[dict[str, Any]] = [
            {
                **change_as_json(change),
                "forgot": [
                    {**loss_as_json(one.forgot), "back": one.back, "restore": commands.get(id(one))}
                    for one in mine
                ],
            }
            for change, mine in found[:limit]
        ]
        console.result_json(told)
        return
    if repository is None:
        return
    if not losses:
        if not beside:
            console.say(f"Nothing was forgotten since {since}." if since else "Nothing was forgotten yet.")
        return
    shown = losses[: limit or USUAL]
    sum_line = console.wrap(_sum(losses, purged), console.out)
    console.result(f"{_table(opened, shown, commands, purged)}\n{sum_line}", steps=True)
    _say_if_cut_off(opened)
    if len(losses) > len(shown) and limit is None:
        console.next_step(f"There is more:  reel log --forgotten --limit {USUAL * 5}")


def _commands(snapshot: "Snapshot", losses: "Sequence[Loss]") -> dict[int, str]:
    """Return the command that restores each loss; all but the newest loss of a memory need a level.

    There is none for what was told and taken back.
    """
    found: dict[int, str] = {}
    newest: set[str] = set()
    withdrawn = withdrawn_names(losses)
    for loss in losses:
        name, before = loss.forgot.id, loss.forgot.before
        if name in withdrawn:
            continue
        if loss.back is None and name == WORKING:
            closed = loss.forgot.after == CLOSED
            found[id(loss)] = f"reel restore {WORKING}" if closed else f"git show {loss.commit[:7]}^:./{name}"
        if loss.back is None and "#" in name and not forgot_file(loss):
            _, command = _find_let_go(snapshot, name)
            found[id(loss)] = command or join(["reel", "fact", "history", name.partition("#")[2]])
        if loss.back is None and forgot_file(loss) and name not in newest:
            newest.add(name)
            found[id(loss)] = join(["reel", "restore", name])
        if loss.back is not None or not MEMORY_ID.fullmatch(name):
            continue
        if name not in newest:
            newest.add(name)
            found[id(loss)] = f"reel restore {name}"
        elif before in Level.__members__:
            found[id(loss)] = f"reel restore {name} --level {before}"
    return found


def _find_let_go(snapshot: "Snapshot", name: str) -> tuple[str, str]:
    """Return the words of a thing that was let go from a file, and the command that has it again; "" each."""
    path, _, thing = name.partition("#")
    kind = find_kind(path) if thing else None
    found = kind.let_go(snapshot, thing) if kind is not None and kind.let_go is not None else None
    return found or ("", "")


def forgot_file(loss: "Loss") -> bool:
    """Return whether a loss is of a file that left the shelf."""
    return loss.forgot.id.startswith(SHELF_FOLDER)


def _table(
    opened: "OpenKit", losses: "Sequence[Loss]", commands: "Mapping[int, str]", purged: "Mapping[int, str]"
) -> str:
    """Return a sentence for each loss, which reads as one aloud too, and behind it the way back."""
    from reel_cli.features.history.log import day_of

    console = opened.console
    titles = _find_titles(opened, losses)
    out = []
    for loss in losses:
        forgot = loss.forgot
        what = "a note" if forgot.before == NOTE else forgot.id
        if title := titles.get(forgot.id):
            what = f"“{one_line(title, WORDS)}” ({forgot.id})"
        freed = forgot.tokens_before - forgot.tokens_after
        words = (
            "" if loss.back is not None or id(loss) in purged else _find_let_go(opened.snapshot, forgot.id)[0]
        )
        why = f"“{one_line(words, WORDS)}”: {forgot.why}" if words else forgot.why
        told = f"{what}, {_steps(forgot)}, {freed:,} token{'' if freed == 1 else 's'}: {why}"
        way = _way_back(opened, loss, commands, purged)
        line = f"{day_of(loss.time, opened.zone)}  {told}{f'  {way}' if way else ''}"
        out.append(console.wrap(line, console.out, hang=" " * 12))
    return "\n".join(out)


def _steps(forgot: "Forgotten") -> str:
    """Return how a thing was let go: of a memory from what to what."""
    from reel_cli.features.history.lives import FORMS

    if forgot.before in FORMS and forgot.after in FORMS:
        return f"from {FORMS[forgot.before]} to {FORMS[forgot.after]}"
    return _ENDS.get(forgot.after, forgot.after)


def _find_titles(opened: "OpenKit", losses: "Sequence[Loss]") -> dict[str, str]:
    """Return the titles of memories among these losses, those that left their line too as they last were."""
    from reel_cli.core.git.commit_tree import CommitTree
    from reel_cli.core.rings.read_memory import list_titles
    from reel_cli.features.history.log import title_in

    repository = opened.repository
    head = repository.head() if repository is not None else None
    titles: dict[str, str] = {}
    with suppress(ReelError):
        titles = list_titles(opened.snapshot)
    if repository is None or head is None:
        return titles
    with CommitTree(repository, head) as tree:
        for loss in losses:
            name = loss.forgot.id
            if name not in titles and MEMORY_ID.fullmatch(name):
                with suppress(ReelError):
                    titles[name] = title_in(tree.read_blob(loss.forgot.was), name)
    return titles


def _way_back(
    opened: "OpenKit", loss: "Loss", commands: "Mapping[int, str]", purged: "Mapping[int, str]"
) -> str:
    from reel_cli.features.history.log import day_of

    if loss.back is None:
        if purged.get(id(loss)) == WHOLE:
            return "purged, for good"
        command = commands.get(id(loss), "")
        return f"{command}  (without what was purged)" if command and id(loss) in purged else command
    return f"back since {day_of(loss.back_time, opened.zone)}" if loss.back_time else "is back"


def _sum(losses: "Sequence[Loss]", purged: "Mapping[int, str]") -> str:
    """Return how much was let go, how much of it is back, and that what was purged does not come back."""
    away = [loss for loss in losses if loss.back is None]
    but = ", but not what was purged" if any(id(loss) in purged for loss in away) else ""
    freed = sum(loss.forgot.tokens_before - loss.forgot.tokens_after for loss in losses)
    told = f"{len(losses):,} {'loss' if len(losses) == 1 else 'losses'} ({freed:,} tokens)"
    back = sum(loss.back is not None for loss in losses)
    if any(loss.withdrawn for loss in losses):
        return f"{told}; what was taken back by who told it stays away."
    if away and all(purged.get(id(loss)) == WHOLE for loss in away):
        return f"{told}; what was purged does not come back."
    if not back:
        return f"{told}; all of it can come back{but}."
    if back == len(losses):
        return f"{told}; all of it is back."
    return f"{told}; {back:,} {'is' if back == 1 else 'are'} back, and the rest can come back{but}."


def _say_if_cut_off(opened: "OpenKit") -> None:
    from reel_cli.core.rings.losses import is_shallow

    if opened.repository is not None and is_shallow(opened.repository):
        opened.console.say(
            "This copy of the kit lacks the older history; to fetch it:  git fetch --unshallow"
        )

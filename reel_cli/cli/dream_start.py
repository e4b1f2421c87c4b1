"""The beginning of a dream at the terminal: what it will take, a yes, and the commit."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reel_cli.cli import dreaming
from reel_cli.cli.dream_news import ask_how, say_new_model
from reel_cli.cli.exchange import ring0_in_force
from reel_cli.errors import ReelError
from reel_cli.flows.dream import Wish, begin, plan_start, read_cursor
from reel_cli.flows.dream_again import plan_noticed, read_again
from reel_cli.flows.dream_batch import NAME, make_batch
from reel_cli.flows.dream_later import find_later
from reel_cli.flows.dream_tape import Left, find_left
from reel_cli.flows.models_seen import models_seen, new_model
from reel_cli.kit.glance import Glance
from reel_cli.model.dream import Cursor, DreamState, Mode
from reel_cli.tokens import get_tokenizer

if TYPE_CHECKING:
    from reel_cli.cli.context import OpenKit


@dataclass(frozen=True, slots=True)
class Beginning:
    """How a dream is begun: what a million tokens cost, read and written; how the person wants it done."""

    price: tuple[float, float] | None
    yes: bool
    dry_run: bool
    as_json: bool


def begin_dream(opened: "OpenKit", wish: Wish, how: Beginning) -> None:
    """Say what a dream will take, ask, and begin it. Raises ReelError where there is nothing to dream of."""
    console = opened.console
    before = read_cursor(opened.snapshot)
    if before is not None and before.state is DreamState.RUNNING and _only_noticed(wish):
        _note_why(opened, replace(before, because=wish.because), how)
        return
    overview = dreaming.overview_of(opened)
    found = new_model(models_seen(overview), before)
    asks = wish.mode is None and not (how.as_json or how.yes or how.dry_run)
    running = before is not None and before.state is DreamState.RUNNING
    if found is not None and asks and not running:
        wish = replace(wish, mode=Mode.FULL) if ask_how(opened, found) else wish
    elif found is not None and wish.mode is None and not how.as_json:
        say_new_model(console, found)
    cursor, left = _beginning(opened, overview, wish, before)
    planned = plan_start(opened.snapshot, cursor)
    # a window that is too small shows now rather than at the first prompt
    counter = get_tokenizer(opened.snapshot.settings.tokenizer)
    make_batch(opened.snapshot.after(planned), ring0_in_force(opened), counter, cursor, left)
    taken = dreaming.estimate_for(opened, cursor, left, how.price)
    if not how.as_json:
        dreaming.say_estimate(opened, cursor, left, taken)
        if wish.because and cursor.mode is not Mode.FULL:
            console.say("If that is not enough, all of it can be lived again:  reel dream start --full")
    if how.dry_run:
        if how.as_json:
            console.result_json({"commit": None, **dreaming.estimate_json(cursor, left, taken)})
        console.say("Nothing was changed (--dry-run).")
        return
    if not how.yes:
        if not console.interactive:
            message = "Nobody is here to say whether to begin."
            raise ReelError(message, hint="add --yes to begin, or --dry-run to see what it would take")
        if not console.confirm("Begin?"):
            console.say("Nothing was changed.")
            return
    applied = opened.commit_all([planned])
    opened.state.drop_exchange(NAME)
    if how.as_json:
        told = dreaming.estimate_json(cursor, left, taken)
        console.result_json({"commit": applied[0].commit, **told})
        return
    console.next_step("Next:  reel dream next")


def _only_noticed(wish: Wish) -> bool:
    return bool(wish.because) and (wish.since, wish.window, wish.mode) == (None, None, None)


def _note_why(opened: "OpenKit", cursor: Cursor, how: Beginning) -> None:
    """A dream is under way: what the person noticed goes to the batches that are still to come."""
    commit = None if how.dry_run else note_why(opened, cursor.because)
    if how.as_json:
        opened.console.result_json({"commit": commit, "because": cursor.because})
        return
    if how.dry_run:
        opened.console.say("Nothing was changed (--dry-run).")
        return
    opened.console.say("A dream is under way; what you noticed is told in the batches to come.")
    opened.console.next_step("Next:  reel dream next")


def note_why(opened: "OpenKit", because: str) -> str | None:
    """Note what the person noticed in the dream there is, for the prompts to come; the commit."""
    cursor = read_cursor(opened.snapshot)
    if cursor is None or cursor.because == because:
        return None
    commit = opened.commit_all([plan_noticed(opened.snapshot, replace(cursor, because=because))])[0].commit
    opened.look_again()
    return commit


def _beginning(opened: "OpenKit", overview: Glance, wish: Wish, before: Cursor | None) -> tuple[Cursor, Left]:
    """(the cursor that a dream begins with, what is to be read)."""
    cursor = begin(opened.snapshot, opened.now(), wish)
    left = find_left(overview, cursor)
    if wish.because and before is not None and cursor.read and (wish.since or not left.sessions):
        cursor = read_again(overview, replace(cursor, since=before.since), wish.since)
        left = find_left(overview, cursor)
        opened.console.say("What was read already is read again; what stands in the story stays.")
    if left.sessions:
        return cursor, left
    if not cursor.read:
        message = "There is nothing on the tape yet."
        raise ReelError(message, hint="record a chat first:  reel record")
    message = "Nothing was said since the last dream."
    hint = "to live all of it again:  reel dream start --full"
    if find_later(opened.snapshot, cursor):
        message = "Nothing was said since the last dream, but something was put right."
        hint = "to hold the story against it:  reel dream reground"
    raise ReelError(message, hint=hint)

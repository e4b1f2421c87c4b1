"""The beginning of a dream at the terminal: what it will take, a yes, and the commit."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.glance import Glance
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.dream import walk as dreaming
from reel_cli.features.dream.batch import NAME, make_batch
from reel_cli.features.dream.context.walk import overview_of
from reel_cli.features.dream.cursor_file import read_cursor
from reel_cli.features.dream.dream import Cursor, DreamState, Mode
from reel_cli.features.dream.earlier_story import StorySetAside, is_unfinished, lay_aside
from reel_cli.features.dream.later_corrections import find_later
from reel_cli.features.dream.news import ask_how, say_aside, say_new_model
from reel_cli.features.dream.plan_dream import (
    DreamRequest,
    begin,
    count_untold,
    is_fresh,
    plan_start,
)
from reel_cli.features.dream.second_reading import plan_noticed, read_again
from reel_cli.features.dream.story.resting_chapters import read_anew
from reel_cli.features.dream.unread_tape import UnreadMessages, find_left
from reel_cli.features.dream.waking.tape_models import models_seen, new_model
from reel_cli.terminal.converse import ring0_in_force

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


@dataclass(frozen=True, slots=True)
class DreamOptions:
    """The options for beginning a dream: the price of a million tokens read and written, and the flags."""

    price: tuple[float, float] | None
    yes: bool
    dry_run: bool
    as_json: bool


def begin_dream(opened: "OpenKit", wish: DreamRequest, how: DreamOptions) -> None:
    """Show what a dream will take, ask, and begin it. Raises ReelError if there is nothing to dream of."""
    console = opened.console
    before = read_cursor(opened.snapshot)
    if before is not None and before.state is DreamState.RUNNING and _only_noticed(wish):
        _note_why(opened, wish.because, how)
        return
    overview = overview_of(opened)
    wish = _with_new_model(opened, overview, wish, before, how)
    cursor, left, again = _beginning(opened, overview, wish, before)
    planned = plan_start(opened.snapshot, cursor)
    # a window that is too small is reported now rather than at the first prompt
    counter = get_tokenizer(opened.snapshot.settings.tokenizer)
    make_batch(opened.snapshot.after(planned), ring0_in_force(opened), counter, cursor, left)
    taken = dreaming.estimate_for(opened, cursor, left, how.price)
    aside = lay_aside(opened.snapshot, cursor.started[:10]) if is_fresh(cursor) else StorySetAside()
    untold = count_untold(before, cursor)
    told = {
        **dreaming.estimate_json(cursor, left, taken),
        "laid_aside": aside.place or None,
        "not_told_again": untold,
    }
    if not how.as_json:
        if again:
            console.say("Chats that were read are read again; the story so far stays.")
        dreaming.say_estimate(opened, cursor, left, taken)
        say_aside(console, aside, cursor, untold)
        if wish.because and cursor.mode is not Mode.FULL:
            console.say("If that is not enough, write the whole story again:  reel dream start --full")
    if how.dry_run:
        if how.as_json:
            console.result_json({"commit": None, **told})
        console.say("Nothing was changed (--dry-run).")
        return
    if not how.yes:
        if not console.interactive:
            message = "The dream did not begin: without a terminal, reel cannot ask you."
            raise ReelError(message, hint="add --yes to begin, or --dry-run to see what it would take")
        if not console.confirm("Begin?"):
            console.say("Nothing was changed.")
            return
    applied = opened.commit_all([planned])
    opened.state.drop_exchange(NAME)
    if how.as_json:
        console.result_json({"commit": applied[0].commit, **told})
        return
    console.next_step("Next:  reel dream next")


def _only_noticed(wish: DreamRequest) -> bool:
    return bool(wish.because) and (wish.since, wish.window, wish.mode) == (None, None, None)


def _note_why(opened: "OpenKit", because: str, how: DreamOptions) -> None:
    """Pass the person's new reason on to the batches that are still to come."""
    commit = None if how.dry_run else note_why(opened, because)
    if how.as_json:
        cursor = read_cursor(opened.snapshot)
        told = cursor.because if cursor is not None else because
        opened.console.result_json({"commit": commit, "because": told})
        return
    if how.dry_run:
        opened.console.say("Nothing was changed (--dry-run).")
        return
    opened.console.say("A dream is under way; its next prompts say what you noticed.")
    opened.console.next_step("Next:  reel dream next")


def note_why(opened: "OpenKit", because: str) -> str | None:
    """Store what the person noticed in the current dream, for the prompts to come; return the commit."""
    cursor = read_cursor(opened.snapshot)
    planned = plan_noticed(opened.snapshot, cursor, because) if cursor is not None else None
    if planned is None:
        return None
    commit = opened.commit_all([planned])[0].commit
    opened.look_again()
    return commit


def _with_new_model(
    opened: "OpenKit", overview: Glance, wish: DreamRequest, before: Cursor | None, how: DreamOptions
) -> DreamRequest:
    """Return the wish, after telling of a new model and asking whether to relive all through it."""
    if wish.mode is not None or how.as_json or (before is not None and is_unfinished(before)):
        return wish
    found = new_model(models_seen(overview), before)
    if found is None:
        return wish
    if how.yes or how.dry_run or (before is not None and before.state is DreamState.RUNNING):
        say_new_model(opened.console, found)
        return wish
    costs = _costs_of_either(opened, overview, wish, before, how)
    return replace(wish, mode=Mode.FULL) if ask_how(opened, found, costs) else wish


def _costs_of_either(
    opened: "OpenKit", overview: Glance, wish: DreamRequest, before: Cursor | None, how: DreamOptions
) -> tuple[str, str]:
    """Return the cost of reading what is new, and of reliving all, in words; "" for nothing."""
    told = []
    for mode in (None, Mode.FULL):
        try:
            cursor, left, _ = _beginning(opened, overview, replace(wish, mode=mode), before)
        except ReelError:
            told.append("")
        else:
            found = dreaming.estimate_for(opened, cursor, left, how.price)
            told.append(dreaming.estimate_line(left, found))
    return told[0], told[1]


def _beginning(
    opened: "OpenKit", overview: Glance, wish: DreamRequest, before: Cursor | None
) -> tuple[Cursor, UnreadMessages, bool]:
    """Return the cursor that a dream begins with, what is to be read, and whether it was read before."""
    cursor = read_anew(opened.snapshot, begin(opened.snapshot, opened.now(), wish))
    left = find_left(overview, cursor)
    again = bool(wish.because and before is not None and cursor.read and (wish.since or not left.sessions))
    if again and before is not None:
        cursor = read_again(overview, replace(cursor, since=before.since), wish.since)
        left = find_left(overview, cursor)
    if left.sessions:
        return cursor, left, again
    if not cursor.read:
        message = "Nothing is recorded yet."
        raise ReelError(message, hint="record a chat first:  reel end")
    message = "Nothing was said since the last dream."
    hint = "to write the whole story again:  reel dream start --full"
    if find_later(opened.snapshot, cursor):
        message = "Nothing was said since the last dream, but something was corrected."
        hint = "to correct the story:  reel dream reground"
    raise ReelError(message, hint=hint)

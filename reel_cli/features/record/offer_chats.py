"""The choice of one chat from an export or a folder that holds several, of those not recorded yet."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.moment import day_in_words, moment
from reel_cli.core.tape.continuation import State
from reel_cli.core.values.change import one_line, tell_many
from reel_cli.features.record.ownership import owner_check
from reel_cli.features.record.record_chats import record_chosen
from reel_cli.terminal.console import find_key
from reel_cli.terminal.input.given_text import find_typed
from reel_cli.terminal.menu import PROMPT, say_keys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.values.talk import Conversation
    from reel_cli.features.record.choice import ConversationOffer
    from reel_cli.features.record.ownership import OwnerCheck
    from reel_cli.features.record.read_chats import ChatOutlines
    from reel_cli.terminal.open_kit import OpenKit

MOST_SHOWN = 9
"""Maximum number of chats shown at once."""
_TITLE = 40


def choose_chat(
    opened: "OpenKit", given: "ChatOutlines", source: str, *, agreed: bool
) -> "ConversationOffer | None":
    """Return the chat to end of several in a source; None if the person wants none of them.

    Those that name the persona are offered first, the newest first. `agreed` takes the first unasked. Where
    all are recorded already, it is the newest of them. Raises ReelError where nobody is there to ask.
    """
    outcome = record_chosen(opened.context, given, given.offered, dry_run=True)
    standing = [(item, plan.state) for item, plan in outcome.recorded if not plan.taken_back]
    standing.sort(key=lambda one: (moment(one[0].touched or ""), -one[0].number), reverse=True)
    if not standing:
        message = f"No chat in {source} can be recorded."
        raise ReelError(message, hint=f"see why:  reel record {_quoted(source)} --dry-run")
    fresh = [item for item, state in standing if state is not State.KNOWN]
    if not fresh:
        opened.console.say(f"All {tell_many(len(standing), 'chat')} in it are recorded already.")
        return standing[0][0]
    check = owner_check(opened)
    named = [item for item in fresh if _is_named(check, given.conversation(item))]
    others = [item for item in fresh if item not in named]
    if agreed:
        return (named or others)[0]
    if not opened.console.interactive:
        many = tell_many(len(fresh), "chat")
        message = f"{source} holds {many} not recorded yet; reel cannot ask here which of them ends."
        hint = f"add --yes to take the newest, or see their numbers:  reel record {_quoted(source)} --dry-run"
        raise ReelError(message, hint=hint)
    place = find_typed(source)
    inside = place is not None and place.is_dir()
    return _ask(opened, opened.snapshot.settings.name, named, others, inside=inside)


def _is_named(check: "OwnerCheck", talk: "Conversation") -> bool:
    return check.is_named(talk) or check.is_ours(talk)


def _quoted(source: str) -> str:
    from reel_cli.core.shell import quote_path

    return quote_path(source)


def _ask(
    opened: "OpenKit",
    name: str,
    named: "Sequence[ConversationOffer]",
    others: "Sequence[ConversationOffer]",
    *,
    inside: bool,
) -> "ConversationOffer | None":
    """Return the chat that a person chooses: a single one is offered straight away, several in a list.

    `inside` says that a folder was named, and not a chat's own file.
    """
    console = opened.console
    also = "either" if named else "yet"
    unlike = f"{name} is not named in {'it' if len(others) == 1 else 'these'}."
    if len(named or others) == 1:
        first = [*named, *others][0]
        if not named:
            console.say(unlike)
        # of a folder it is not said which of its files is meant
        within = f"{one_line(first.place, _TITLE)}, " if inside and first.place else ""
        if console.confirm(f"Record {within}{_told(first)}?", default=bool(named)):
            return first
        named, others = (), others if named else ()
    offered: list[ConversationOffer] = []
    groups = [("Not recorded yet:", named), (f"Not recorded {also}. {unlike}", others)]
    pages = [
        (told, group[at : at + MOST_SHOWN])
        for told, group in groups
        for at in range(0, len(group), MOST_SHOWN)
    ]
    for told, page in pages:
        console.say(told)
        first_number = len(offered) + 1
        offered.extend(page)
        rows = [
            (str(number), (item.touched or "")[:10], _title(item), tell_many(item.messages, "message"))
            for number, item in enumerate(page, first_number)
        ]
        console.say(console.listing(rows, 2))
        more = len(named) + len(others) - len(offered)
        answer = _number(opened, len(offered), more)
        if answer is None:
            return None
        if answer:
            return offered[answer - 1]
    return None


def _number(opened: "OpenKit", most: int, more: int) -> int | None:
    """Return the number that a person types, 0 to see `more`, None for none of them."""
    keys = [
        ("1" if most == 1 else f"1 to {most}", "that chat"),
        *([("Enter", f"{more:,} more")] if more else []),
    ]
    keys.append(("q", "none"))
    say_keys(opened.console, keys)
    while True:
        try:
            answer = opened.console.ask(PROMPT).casefold()
        except EOFError:
            return None
        if answer in ("n", "no") or find_key(answer, dict(keys)) == "q":
            return None
        if answer.isdecimal() and 0 < int(answer) <= most:
            return int(answer)
        if not answer and more:
            return 0
        say_keys(opened.console, keys)


def _title(item: "ConversationOffer") -> str:
    return one_line(item.title or item.opening or item.place, _TITLE)


def _told(item: "ConversationOffer") -> str:
    """Return a chat's title, length and day for a question."""
    day = f", {day_in_words(moment(item.touched).date())}" if item.touched else ""
    return f"“{_title(item)}” ({tell_many(item.messages, 'message')}{day})"

"""`reel help`: the everyday commands, all of them, or one word explained."""

from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import UsageError
from reel_cli.core.frozen import late

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.features.help.topic import Topic
    from reel_cli.terminal.console import Console


_SECTION = late(r" \(REEL [^)]*\)|, REEL [^)]*(?=\))")
"""The section of a protocol, which only the glossary names."""


LIKENESS = 0.74
"""How like a word has to be to one that is known (0 to 1), so that it is that word, mistyped."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("help", epilog="Example:  reel help memory")(help_)


def help_(
    ctx: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TOPIC]", help="A command, or a word like memory, refused, screen reader."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="List every command.")] = False,
) -> None:
    """Explain a command or a word; alone, list what is needed every day."""
    from reel_cli.terminal.app import render_help

    console: Console = ctx.obj.console
    if not words:
        console.result(render_help(every=every) or "")
        return
    topic = _find_topic(words)
    explained = _explain(console, topic) if topic is not None else ""
    blocks = [text for text in (explained, render_help(words)) if text]
    if not blocks:
        raise _unknown(words)
    console.result("\n\n".join(blocks))


def _find_topic(words: "Sequence[str]") -> "Topic | None":
    from reel_cli.features.help.topics import list_topics
    from reel_cli.terminal.app import render_help

    topics, asked = list_topics(), [word.casefold() for word in words]
    whole = " ".join(asked)
    if render_help(words):
        # a command's name is the command: a word that it only reminds of is not explained
        found = topics.get(whole)
        return found if found is not None and found.term == whole else None
    if whole in topics:
        return topics[whole]
    # of `lines to recall by` or `a close look` the longest part that is known is explained
    parts = [asked[at:end] for at in range(len(asked)) for end in range(len(asked), at, -1)]
    spelt = (form for part in sorted(parts, key=len, reverse=True) for form in _forms(" ".join(part)))
    return next((topics[one] for one in spelt if one in topics), None)


def _forms(word: str) -> "Sequence[str]":
    return (word, word.removesuffix("s"))


def _explain(console: "Console", topic: "Topic") -> str:
    """Return a topic in two to six lines."""
    meaning = _SECTION.sub("", topic.meaning).replace("`", "").replace("*", "")
    lines = [console.wrap(f"{topic.term[:1].upper()}{topic.term[1:]}: {meaning}.", console.out)]
    if topic.more:
        lines.append(console.wrap(" ".join(topic.more.split()), console.out))
    rows = [(f"  {typed}", told) for typed, told in topic.commands if _is_there(typed)]
    if rows:
        lines.append(console.listing(rows, 1))
    return "\n".join(lines)


def _is_there(typed: str) -> bool:
    """Return whether a command is one of another program, or of a feature that was not taken away."""
    from reel_cli.features.table import COMMANDS

    program, name, *_ = typed.split()
    return program != "reel" or name in COMMANDS


def _unknown(words: "Sequence[str]") -> UsageError:
    from reel_cli.core.nearest import nearest
    from reel_cli.features.help.topics import list_topics
    from reel_cli.features.table import COMMANDS

    asked = " ".join(words)
    near = nearest(asked, [*COMMANDS, *list_topics()], LIKENESS)
    message = f'Nothing here is called "{asked}".'
    return UsageError(
        message, hint=f"did you mean  reel help {near}" if near else "reel help  lists what there is"
    )

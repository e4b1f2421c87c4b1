"""`reel init`: make a kit."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from reel_cli.core.errors import UsageError
from reel_cli.core.ports import bring_one
from reel_cli.core.values.sizes import parse_tokens
from reel_cli.features.init.questions import ask_name, find_author, in_folder, next_step, settle_user
from reel_cli.terminal.console import Console
from reel_cli.terminal.options import AsJson, ByTokenizer, DryRun, Like, Margin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.kit.creation import Place
    from reel_cli.features.init.plan import Choices, NewKit
    from reel_cli.features.init.template import Template
    from reel_cli.terminal.context import Context


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("init", epilog="Example:  reel init ada --template companion --name Ada")(init)


def init(
    ctx: typer.Context,
    path: Annotated[Path | None, typer.Argument(metavar="PATH", help="The folder to make.")] = None,
    template: Annotated[
        str | None,
        typer.Option(metavar="NAME|DIR", help="A template, or the folder of a kit, to begin with."),
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the templates and leave.")] = False,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="The persona's name.")] = None,
    user: Annotated[str | None, typer.Option(metavar="NAME", help="The persona's name for you.")] = None,
    card: Annotated[
        Path | None,
        typer.Option("--card", metavar="FILE", help="Begin with a character card: PNG, JSON or CHARX."),
    ] = None,
    identity: Annotated[
        str | None, typer.Option(metavar="FILE", help="A file that says who the persona is.")
    ] = None,
    window: Annotated[
        str | None, typer.Option(metavar="SIZE", help="The model's context window: 8k, 128k, 32768.")
    ] = None,
    tokenizer: ByTokenizer = None,
    like: Like = None,
    margin: Margin = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Make a kit: a persona in a folder of plain text, with its history."""
    from reel_cli.core.kit.creation import create_kit, find_place, finish_stopped, unguarded, warnings
    from reel_cli.core.shell import quote
    from reel_cli.features.init.given_identity import keep_if_refused
    from reel_cli.features.init.plan import Choices, plan_init
    from reel_cli.features.init.template import BLANK, DEFAULT
    from reel_cli.features.init.tokenizer_choice import choose_tokenizer
    from reel_cli.terminal.input.given_text import read_given

    context: Context = ctx.obj
    console = context.console
    if list_:
        _show_templates(console, as_json=as_json)
        return
    if card is not None:
        if template is not None:
            message = "Begin with a card or with a template, not with both."
            raise UsageError(message, hint="leave out one of --card and --template")
        begin = bring_one("beginnings", "cards")
        given = Choices(
            name=name,
            user=user,
            window=parse_tokens(window) if window else None,
            tokenizer=choose_tokenizer(tokenizer, like, margin),
            identity=read_given(identity) if identity else None,
        )
        with keep_if_refused(identity, given.identity):
            begin(context, path, card, given, dry_run=dry_run, as_json=as_json, typed=_typed(ctx))
        return
    if path is None:
        message = "Name the folder for the kit."
        raise UsageError(message, hint=f"reel init ada --template {quote(template or DEFAULT)}")
    if not dry_run and finish_stopped(path):
        console.result(f"A command that was stopped had left {path} unfinished. It is complete now.")
        console.next_step(next_step(path))
        return
    place = find_place(path, _typed(ctx))
    given = Choices(
        name=name,
        user=user,
        window=parse_tokens(window) if window else None,
        tokenizer=choose_tokenizer(tokenizer, like, margin),
        identity=read_given(identity) if identity else None,
    )
    source = _choose_template(console, template)
    choices, author, called = _settle(console, place, path, source, given, dry_run=dry_run)
    with keep_if_refused(identity, choices.identity):
        new = plan_init(source, choices, ratified_by=f"{author[0]} <{author[1]}>")
    new = replace(new, notes=(*new.notes, *called))
    if dry_run:
        _show_plan(console, path, new)
        return
    create_kit(place, new.change, when=context.now(), identity=author)
    _show_made(console, path, source, new)
    if source.settings is None:
        told = _tell_examples(path, new) if identity is not None else _tell_identity(path, source, new)
        new = replace(new, notes=(*new.notes, *told))
    for line in (*new.notes, *warnings(place, str(path)), *unguarded(place.folder)):
        console.say(line)
    console.next_step(next_step(path, edit=source.name == BLANK and identity is None))


def _typed(ctx: typer.Context) -> str:
    """Return the options as they were typed, to follow a folder in a command; "" where there are none."""
    from reel_cli.core.shell import quote

    told = ""
    for option in ctx.command.params:
        value = ctx.params.get(option.name or "")
        if option.param_type_name == "option" and value not in (None, False):
            told += f" {option.opts[0]}{'' if value is True else f' {quote(value)}'}"
    return told


def _tell_identity(path: Path, source: "Template", new: "NewKit") -> "Sequence[str]":
    """Return a line on an identity that is the template's and holds an answer to every question."""
    from reel_cli.features.init.template import BLANK

    if source.name == BLANK:
        return ()
    whose = f"{source.summary[:1].lower()}{source.summary[1:].rstrip('.')}"
    said = f"Who {new.settings.name} is, for now: {whose}. To write your own"
    return (f"{said}{in_folder(path)}:  reel edit identity",)


def _tell_examples(path: Path, new: "NewKit") -> "Sequence[str]":
    """Return a line on examples of the template, which show another persona than the given identity."""
    count = sum(name.startswith("ring1/") and name.endswith(".md") for name in new.change.writes)
    if not count:
        return ()
    whose = "One example shows" if count == 1 else f"{count} examples show"
    said = f"{whose} how the template's persona sounds. To change the first of them"
    return (f"{said}{in_folder(path)}:  reel edit voice",)


# -- asking ---------------------------------------------------------------------------------


_TEMPLATE_HELP = (
    "The new kit begins as a copy of it. Enter takes the one in brackets; or type another's name."
)


def _choose_template(console: Console, wanted: str | None) -> "Template":
    from reel_cli.features.init.template import DEFAULT, list_templates, read_template

    if wanted is None and console.interactive:
        console.say(_templates(console, list_templates(), console.err))
        wanted = console.ask("Which template?", DEFAULT, meaning=_TEMPLATE_HELP)
    return read_template(wanted or DEFAULT)


def _settle(
    console: Console, place: "Place", path: Path, template: "Template", given: "Choices", *, dry_run: bool
) -> tuple["Choices", tuple[str, str], "Sequence[str]"]:
    """Fill in what was not given, by asking or by default.

    Says whose the commits are as well, and what is to be told of what nobody was asked for.
    """
    from reel_cli.features.init.plan import name_from

    choices = given
    fresh = template.settings is None
    if fresh and choices.name is None:
        name = name_from(path, template.persona)
        if console.interactive:
            name = ask_name(console, "What is the persona called?", name)
        choices = replace(choices, name=name)
    own = template.settings.author if template.settings else None
    author, asked = find_author(console, place, own)
    if asked:
        choices = replace(choices, author=f"{author[0]} <{author[1]}>")
    called: Sequence[str] = ()
    if fresh:
        choices, called = settle_user(console, choices, author, None if dry_run else path)
    return choices, author, called


# -- showing --------------------------------------------------------------------------------


def _show_templates(console: Console, *, as_json: bool) -> None:
    from reel_cli.features.init.template import list_templates

    found = list_templates()
    if as_json:
        console.result_json([{"name": name, "summary": summary} for name, summary in found])
    else:
        console.result(_templates(console, found, console.out))


def _templates(console: Console, found: "Sequence[tuple[str, str]]", stream: TextIO) -> str:
    """Return the templates in columns; on a narrow terminal, below one another."""
    table = console.table((), found)
    width = shutil.get_terminal_size().columns
    if not stream.isatty() or max(map(len, table.splitlines())) <= width:
        return table
    from textwrap import fill

    return "\n".join(
        f"{name}\n{fill(summary, width, initial_indent='  ', subsequent_indent='  ')}"
        for name, summary in found
    )


def _show_plan(console: Console, path: Path, new: "NewKit") -> None:
    for file in sorted(new.change.writes):
        console.result(str(path / file))
    for note in new.notes:
        console.say(note)
    console.say(f"This would make a kit for {new.settings.name}. Nothing was made (--dry-run).")


def _show_made(console: Console, path: Path, template: "Template", new: "NewKit") -> None:
    name = new.settings.name
    what = f"a {template.name} kit" if template.settings is None else f"{name} from {template.name}"
    if template.settings is not None and template.name.casefold() == name.casefold():
        what = f"a copy of {name}"
    console.result(f"Made {path}, {what}.")

"""`reel fact`: what is known by heart, and goes into every bundle."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.terminal.options import AsJson, At, DryRun, Prompt, Reply, Sure, Why, Yes
from reel_cli.terminal.transport_option import ExchangeCommand

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

Key = Annotated[str, typer.Argument(metavar="KEY", help="Its key, like name, or identity/name.")]


EXCHANGES = frozenset({"extract"})
"""Subcommands that ask a model."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    fact = typer.Typer(
        epilog="Example:  reel fact list",
        help="Facts: what the persona knows by heart. They go into every bundle.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    for name, command, example in (
        ("list", list_, "list"),
        ("add", add, 'add preferences tea "green, without milk"'),
        ("drop", drop, 'drop city --why "we never lived there"'),
        ("extract", extract, "extract --reply answer.txt"),
        ("history", history, "history allergy"),
    ):
        kind = ExchangeCommand if name in EXCHANGES else None
        fact.command(name, cls=kind, epilog=f"Example:  reel fact {example}")(command)
    app.add_typer(fact, name="fact")


def list_(ctx: typer.Context, at: At = None, as_json: AsJson = False) -> None:
    """List the facts, and why some are in no bundle."""
    from reel_cli.features.facts import view as known_facts
    from reel_cli.features.facts.plan import list_facts

    opened: OpenKit = ctx.obj.open_kit()
    opened.look_back(at)
    standing = list_facts(opened.snapshot)
    if as_json:
        opened.console.result_json(
            known_facts.standing_as_json(standing, known_facts.find_late(opened, standing))
        )
        return
    known_facts.show_standing(opened, standing)


def add(
    ctx: typer.Context,
    category: Annotated[str, typer.Argument(metavar="CATEGORY", help="What it is about, like identity.")],
    key: Annotated[str, typer.Argument(metavar="KEY", help="What it says, like name.")],
    value: Annotated[str, typer.Argument(metavar="VALUE", help="The fact, in a few words.")],
    source: Annotated[
        str, typer.Option(metavar="SESSION#TURN", help="Where it was said, like 2026-02-25-1#4.")
    ] = "",
    also: Annotated[bool, typer.Option("--also", help="Keep what it says already, too.")] = False,
    yes: Sure = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Note a fact. An existing key gets the new value, or both with --also."""
    from reel_cli.core.kit.snapshot import WORKING
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.facts import view as known_facts
    from reel_cli.features.facts.pending.closed_notes import restore_note
    from reel_cli.features.facts.plan import plan_add
    from reel_cli.features.facts.replaced.replacement_question import ALSO, NEITHER, ask_replacement

    opened: OpenKit = ctx.obj.open_kit()
    repository = opened.require_repository()
    counter = get_tokenizer(opened.snapshot.settings.tokenizer)
    told = (category, key, value)
    planned = plan_add(opened.snapshot, counter, told, source=source, now=opened.now(), also=also)
    if planned is None:
        if as_json:
            opened.console.result_json({"commit": None, "fact": None})
        opened.console.say("You noted that already.")
        return
    if planned.fact.category != " ".join(category.casefold().split()):
        opened.console.say(f"“{category}” belongs to “{planned.fact.category}”, so it is kept there.")
    if not (also or dry_run):
        answer = ask_replacement(opened.console, planned, yes=yes)
        if answer == NEITHER:
            return
        if answer == ALSO:
            both = plan_add(opened.snapshot, counter, told, source=source, now=opened.now(), also=True)
            planned = both or planned
    working, notes = restore_note(opened.snapshot, repository, planned.fact)
    if notes:
        planned = replace(planned, change=planned.change.also({WORKING: working.encode()}), notes=notes)
    known_facts.keep_fact(opened, planned, dry_run=dry_run, as_json=as_json)


def drop(
    ctx: typer.Context,
    key: Key,
    why: Why = "",
    yes: Sure = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Drop a fact from the bundles. It stays on record, with your reason."""
    from reel_cli.core.rings.pins import require_reason
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.facts import view as known_facts
    from reel_cli.features.facts.plan import plan_drop
    from reel_cli.terminal.console import agreed

    opened: OpenKit = ctx.obj.open_kit()
    repository = opened.require_repository()
    counter = get_tokenizer(opened.snapshot.settings.tokenizer)
    reason = require_reason(why)
    planned = plan_drop(opened.snapshot, repository, counter, key, why=reason, now=opened.now())
    # as it stands until now, with the day on which it was said
    told = known_facts.line_of(planned.was or planned.fact)
    if not yes and not dry_run and not agreed(opened.console, told, "Remove it?"):
        return
    known_facts.keep_fact(opened, planned, dry_run=dry_run, as_json=as_json)


def extract(
    ctx: typer.Context,
    session: Annotated[
        str | None,
        typer.Argument(metavar="[SESSION]", help="Which chat; if not given, the oldest with something new."),
    ] = None,
    prompt: Prompt = False,
    reply: Reply = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Ask for the facts of a chat. Only what you said yourself is kept."""
    from reel_cli.features.facts.extract_walk import extract_facts
    from reel_cli.terminal.converse import ExchangeOptions

    opened: OpenKit = ctx.obj.open_kit()
    opened.require_repository()
    manner = ExchangeOptions(yes=yes, as_json=as_json, dry_run=dry_run)
    extract_facts(opened, session, manner, prompt=prompt, reply=reply)


def history(ctx: typer.Context, key: Key, at: At = None, as_json: AsJson = False) -> None:
    """Show all values that a fact ever had. Each says where it is from, and when it was dropped."""
    from reel_cli.features.facts import view as known_facts
    from reel_cli.features.facts.plan import history_of

    opened: OpenKit = ctx.obj.open_kit()
    opened.look_back(at)
    found = history_of(opened.snapshot, key)
    if as_json:
        opened.console.result_json(known_facts.history_as_json(found))
        return
    known_facts.show_history(opened, found)

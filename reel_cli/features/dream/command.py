"""`reel dream`: live the past again, stretch by stretch, and weave what mattered into a story."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reel_cli.core.errors import UsageError
from reel_cli.features.dream.story.command import ModelName
from reel_cli.features.dream.story.command import reground as reground_
from reel_cli.terminal.options import AsJson, DryRun, Prompt, Reply, Sure, Yes
from reel_cli.terminal.transport_option import ExchangeCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.terminal.console import Console
    from reel_cli.terminal.open_kit import OpenKit


EXCHANGES = frozenset({"start", "next", "context", "reground"})
"""Subcommands that ask a model."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    dream = typer.Typer(
        epilog="Example:  reel dream start",
        help="Read the whole past again, stretch by stretch, and write what mattered as a story.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    for name, command, example in (
        ("start", start, "start --window 128k --price 3/15"),
        ("next", next_, "next --reply answer.md"),
        ("context", context, "context"),
        ("status", status, "status"),
        ("stop", stop, "stop"),
        ("reground", reground_, "reground --since 2026-02-10"),
        ("compare", compare, "compare --questions ../questions.txt --out ../trial"),
    ):
        kind = ExchangeCommand if name in EXCHANGES else None
        dream.command(name, cls=kind, epilog=f"Example:  reel dream {example}")(command)
    app.add_typer(dream, name="dream")


def start(
    ctx: typer.Context,
    since: Annotated[
        str | None, typer.Option(metavar="DATE|SESSION", help="Read nothing older than this.")
    ] = None,
    window: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="What the model can hold; as last time, and at first the kit's."),
    ] = None,
    full: Annotated[
        bool,
        typer.Option(
            "--full", help="Write the story from the first day again; the present one is set aside."
        ),
    ] = False,
    incremental: Annotated[
        bool, typer.Option("--incremental", help="Only add what is new since the last dream (the default).")
    ] = False,
    price: Annotated[
        str,
        typer.Option(
            metavar="PRICE",
            help="The price of a million tokens: 3, or read/written 3/15. [default: dream.price]",
        ),
    ] = "",
    because: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="What you noticed, so that recent chats are read again for it."),
    ] = None,
    model: ModelName = "",
    reground: Annotated[
        bool,
        typer.Option("--reground", help="Check the story against the tape instead: reel dream reground."),
    ] = False,
    yes: Sure = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Begin a dream, or go on with one. It says first how much it will take."""
    from reel_cli.core.values.change import one_line
    from reel_cli.core.values.price import parse_price
    from reel_cli.core.values.sizes import parse_tokens
    from reel_cli.features.dream.dream import Mode
    from reel_cli.features.dream.plan_dream import DreamRequest
    from reel_cli.features.dream.second_reading import noticed
    from reel_cli.features.dream.start_walk import DreamOptions, begin_dream

    if full and incremental:
        message = "A dream is either full or incremental."
        raise UsageError(message)
    opened: OpenKit = ctx.obj.open_kit()
    opened.require_repository()
    wish = DreamRequest(
        since,
        parse_tokens(window) if window else None,
        Mode.FULL if full else Mode.INCREMENTAL if incremental else None,
        noticed(because) if because is not None else "",
        one_line(model, 80),
    )
    price = price or opened.snapshot.settings.dream_price
    prices = parse_price(price) if price else None
    if reground:
        from reel_cli.features.dream.start_walk import note_why
        from reel_cli.features.dream.story.command import hold_story
        from reel_cli.features.dream.story.walk import Choice
        from reel_cli.terminal.converse import ExchangeOptions

        if wish.mode is not None:
            message = "--reground does not go with --full or --incremental."
            raise UsageError(message)
        if wish.because and not dry_run:
            note_why(opened, wish.because)
        choice = Choice("", since or "", wish.window, wish.model)
        hold_story(opened, choice, ExchangeOptions(dry_run=dry_run, as_json=as_json), None, prompt=yes)
        return
    begin_dream(opened, wish, DreamOptions(prices, yes=yes, dry_run=dry_run, as_json=as_json))


def next_(
    ctx: typer.Context,
    prompt: Prompt = False,
    reply: Reply = None,
    yes: Yes = False,
    model: ModelName = "",
    as_json: AsJson = False,
    dry_run: DryRun = False,
) -> None:
    """Give the next prompt, or take its answer. Each stretch is a commit.

    After the last stretch it asks for SHARED-CONTEXT.md.
    """
    from reel_cli.core.values.change import one_line
    from reel_cli.features.dream import walk as dreaming
    from reel_cli.features.dream.context import walk as sharing
    from reel_cli.terminal.converse import ExchangeOptions, converse

    opened: OpenKit = ctx.obj.open_kit()
    opened.require_repository()
    manner = ExchangeOptions(yes=yes, as_json=as_json, dry_run=dry_run)
    if sharing.is_next(opened):
        sharing.share(opened, manner, prompt=prompt, reply=reply)
        return
    model = one_line(model, 80)
    walk = dreaming.walk_of(opened, manner, model)
    settled = converse(opened, walk, manner, prompt=prompt, reply=reply)
    if settled is None or not settled.kept or dry_run:
        return
    if reply is None:
        if not dreaming.is_under_way(opened):
            sharing.offer_what_is_due(opened, manner)
    elif not as_json:
        dreaming.say_how_far(opened)
        sharing.say_what_is_due(opened)


def context(
    ctx: typer.Context,
    prompt: Prompt = False,
    reply: Reply = None,
    yes: Yes = False,
    as_json: AsJson = False,
    dry_run: DryRun = False,
) -> None:
    """Write SHARED-CONTEXT.md anew. It says how things are now, in five parts and under fifty lines."""
    from reel_cli.features.dream.context.walk import share
    from reel_cli.terminal.converse import ExchangeOptions

    opened: OpenKit = ctx.obj.open_kit()
    opened.require_repository()
    share(opened, ExchangeOptions(yes=yes, as_json=as_json, dry_run=dry_run), prompt=prompt, reply=reply)


def status(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Say how far the dream has come. It also says whether SHARED-CONTEXT.md is out of date."""
    from reel_cli.features.dream import news as dream_news
    from reel_cli.features.dream import walk as dreaming
    from reel_cli.features.dream.context import walk as sharing
    from reel_cli.features.dream.cursor_file import read_cursor
    from reel_cli.features.dream.dream import DreamState
    from reel_cli.features.dream.plan_dream import status_values

    opened: OpenKit = ctx.obj.open_kit()
    console = opened.console
    cursor = read_cursor(opened.snapshot)
    overview = sharing.overview_of(opened)
    values: dict[str, Any] = {
        **status_values(overview, cursor),
        **dream_news.news_json(opened, overview, cursor),
    }
    fresh = sharing.freshness_of(opened)
    if as_json:
        console.result_json({**values, "context": fresh.value})
        return
    if cursor is None:
        lines = ["There is no story yet.", *sharing.tell_freshness(opened, fresh)]
        _show_lines(console, [*lines, "To write it:  reel dream start"])
        return
    told = {"running": "under way", "stopped": "stopped", "done": "over"}[cursor.state.value]
    batches = f"{cursor.batch:,} batch" + ("" if cursor.batch == 1 else "es")
    lines = [f"The dream that began on {cursor.started[:10]} is {told}; {batches} woven."]
    counted = ("sessions_done", "sessions_total", "tokens_read", "tokens_left")
    lines.append(dreaming.progress_line(*(values[key] for key in counted)))
    steps = {
        "running": "Next:  reel dream next",
        "stopped": "To go on:  reel dream start",
        "done": "For what came since:  reel dream start" if values["tokens_left"] else "",
    }
    lines += dream_news.tell_news(opened, values, cursor)
    if cursor.state is not DreamState.RUNNING:
        lines += sharing.tell_freshness(opened, fresh)
    if steps[cursor.state.value] and (not values["new_model"] or cursor.state is DreamState.RUNNING):
        lines.append(steps[cursor.state.value])
    if way := sharing.tell_boot(opened):
        lines.append(way)
    _show_lines(console, lines)


def _show_lines(console: "Console", lines: "Sequence[str]") -> None:
    """Show lines of a result, each folded if it is too long for the terminal."""
    console.result("\n".join(console.wrap(line, console.out) for line in lines), steps=True)


def stop(
    ctx: typer.Context,
    back: Annotated[
        bool, typer.Option("--back", help="Return to the story from before a full relive.")
    ] = False,
    dry_run: DryRun = False,
) -> None:
    """Leave off. What was woven stays, and `reel dream start` goes on from there."""
    from reel_cli.features.dream.batch import NAME
    from reel_cli.features.dream.earlier_story import PAST, plan_back
    from reel_cli.features.dream.plan_dream import plan_stop

    opened: OpenKit = ctx.obj.open_kit()
    if back:
        change, place = plan_back(opened.snapshot, opened.now().date().isoformat())
        if dry_run:
            opened.console.result(f"The story in {place}/ would come back (--dry-run).")
            return
    else:
        change = plan_stop(opened.snapshot)
    if dry_run:
        opened.console.say("Nothing was changed (--dry-run).")
        return
    opened.commit_all([change])
    opened.state.drop_exchange(NAME)
    if back:
        kept = any(path.startswith(PAST) and data is not None for path, data in change.writes.items())
        since = f"; what was written since is in {PAST}/" if kept else ""
        opened.console.say(f"The earlier story is back{since}.")
        return
    opened.console.say("The dream is stopped; what it wrote stays in the story.")
    opened.console.next_step("To go on:  reel dream start")


def compare(
    ctx: typer.Context,
    more: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE]...", help="With --ratings: the sheets of more people."),
    ] = None,
    questions: Annotated[
        str | None, typer.Option(metavar="FILE|-", help="First step: a file with one question a line.")
    ] = None,
    answers: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Second step: the folder with the answers, to be rated."),
    ] = None,
    ratings: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Third step: the sheet with the marks.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="A new folder for the comparison; with --ratings, the folder with the key."
        ),
    ] = None,
    window: Annotated[
        str | None, typer.Option(metavar="SIZE", help="The model's context window; if not given, the kit's.")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="A number that decides the hidden order."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare story, summaries and neither, blind."""
    from reel_cli.features.dream.comparing import walk as comparing

    asked = [
        name
        for name, value in (("--questions", questions), ("--answers", answers), ("--ratings", ratings))
        if value
    ]
    if len(asked) != 1:
        message = "Name the step: --questions, --answers or --ratings."
        raise UsageError(message, hint="begin with  reel dream compare --questions FILE")
    only_first = [name for name, value in (("--window", window), ("--seed", seed)) if value is not None]
    if questions is None and only_first:
        message = f"{only_first[0]} belongs to --questions."
        raise UsageError(message, hint=f"leave out  {only_first[0]}")
    if ratings is None and more:
        message = "More files are taken with --ratings only."
        raise UsageError(message, hint="one file of questions, or one folder of answers")
    if ratings is not None:
        comparing.end_comparison(ctx.obj.console, [ratings, *(more or [])], out, as_json=as_json)
    elif answers is not None:
        if out is not None:
            message = "--out does not go with --answers, which names the folder."
            raise UsageError(message, hint="leave out  --out")
        comparing.lay_out(ctx.obj.open_kit(), answers, as_json=as_json)
    elif questions is not None:
        comparing.begin_comparison(ctx.obj.open_kit(), questions, out, window, seed, as_json=as_json)

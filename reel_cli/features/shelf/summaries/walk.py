"""A summary at the terminal: made at once where nobody need be asked, else as an exchange."""

from typing import TYPE_CHECKING

from reel_cli.core.exchange.exchange import Answer, Handout, find_waiting
from reel_cli.core.shell import quote
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.change import one_line
from reel_cli.features.shelf.summaries.ask import (
    COMMAND,
    SummaryAsk,
    SummaryContext,
    answer_summary,
    ask_name,
    make_summary_ask,
    summary_json,
)
from reel_cli.features.shelf.summaries.plain_summaries import draft_plain
from reel_cli.features.shelf.summaries.plan import plan_summary
from reel_cli.features.shelf.summaries.sources import take_sources
from reel_cli.features.shelf.summaries.summary import Style
from reel_cli.features.shelf.survey import find_files
from reel_cli.terminal.converse import ExchangeOptions, ExchangeWalk, converse, ring0_in_force
from reel_cli.terminal.offers import settle_offers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.features.shelf.summaries.plan import Draft
    from reel_cli.terminal.open_kit import OpenKit

MADE_PLAINLY = (Style.SCHEMA, Style.DIFF)
"""Styles that need no model, if the content allows it."""


def summarize_files(  # noqa: PLR0913 (what is asked for, and how)
    opened: "OpenKit",
    files: "Sequence[str]",
    style: str,
    manner: ExchangeOptions,
    *,
    called: str,
    prompt: bool,
    reply: str | None,
) -> None:
    """Sum up files as it was called: at once, or as an exchange."""
    counter = get_tokenizer(opened.snapshot.settings.tokenizer)
    if reply is None and style in MADE_PLAINLY and not prompt:
        sources = take_sources(opened.snapshot, opened.root, files)
        plain = draft_plain(sources, style, opened.repository, counter, called=called)
        if plain.draft is not None:
            _keep_plain(opened, plain.draft, manner)
            return
        opened.console.say(f"Only the persona can write this: {one_line(plain.why, 200)}.")

    def answered() -> SummaryAsk:
        found = find_files(opened.snapshot, files, opened.root)
        waiting = find_waiting(opened.state, SummaryAsk, ask_name([file.path for file in found], style))
        if waiting is not None:
            return waiting
        # without a prompt that waits, of the files as they are
        sources = take_sources(opened.snapshot, opened.root, files)
        made_of = tuple((one.path, one.sha256) for one in sources)
        return SummaryAsk(style, made_of, "", ring0_in_force(opened).blob, called)

    def due() -> SummaryAsk:
        sources, ring0 = take_sources(opened.snapshot, opened.root, files), ring0_in_force(opened)
        ask = make_summary_ask(opened.snapshot, ring0, counter, sources, style, called=called)
        if ask.left:
            opened.console.say(
                f"Not all of it fits: {ask.left:,} lines are left out, and the prompt says which."
            )
        return ask

    named = " ".join(quote(one_line(file)) for file in files)
    command = f"{COMMAND} {named} --style {style}"
    walk = ExchangeWalk(
        command,
        answered,
        due,
        lambda asked, text: settle_offers(opened, _handout(opened, asked, command), text, manner),
    )
    converse(opened, walk, manner, prompt=prompt, reply=reply)


def _handout(opened: "OpenKit", ask: SummaryAsk, command: str) -> Handout:
    how = SummaryContext(opened.root, opened.now(), get_tokenizer(opened.snapshot.settings.tokenizer))

    def read(snapshot: "Snapshot", reply: str) -> Answer:
        return answer_summary(snapshot, ask, reply, how)

    def again(_: "Snapshot", left: "Sequence[str]") -> Handout | None:
        # where an answer was in doubt, the prompt that was handed out keeps waiting
        return handout if left and ask.prompt else None

    handout = Handout(ask, command, read, again)
    return handout


def _keep_plain(opened: "OpenKit", draft: "Draft", manner: ExchangeOptions) -> None:
    """Keep a summary for which nobody was asked; a person at the terminal sees it first."""
    console = opened.console
    planned = plan_summary(opened.snapshot, draft, kit=opened.root, now=opened.now())
    summary = planned.summary
    asked = not (manner.yes or manner.dry_run) and console.interactive
    if manner.dry_run or asked:
        if not manner.as_json or asked:
            console.say(f"{summary.path} ({summary.style}): {summary.title}")
            (console.say if asked else console.result)(summary.body)
        if manner.dry_run:
            if manner.as_json:
                console.result_json({"commit": None, "kept": [summary_json(planned)], "problems": []})
            else:
                console.say("Nothing was changed (--dry-run).")
            return
        if not console.confirm("Keep this?", default=True):
            console.say("Nothing was changed.")
            return
    commit = opened.commit(planned.change).commit
    if manner.as_json:
        console.result_json({"commit": commit, "kept": [summary_json(planned)], "problems": []})
        return
    if not asked:
        console.result(summary.body.rstrip("\n"))
    told = f"Kept {summary.path}, made without a model"
    console.say(
        console.wrap(f"{told}{', in place of the one before' if planned.before else ''}.", console.err)
    )

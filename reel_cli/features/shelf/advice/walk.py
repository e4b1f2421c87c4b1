"""Exchange about advice at the terminal: the prompt out, the reply in, the decisions shown and kept."""

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.exchange.exchange import Answer, Handout, find_waiting
from reel_cli.core.resources import read_advice_schema
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.artifact import Problem
from reel_cli.features.shelf.advice.ask import (
    COMMAND,
    NAME,
    AdviceAsk,
    AdviceSaid,
    ask_again,
    make_advice_ask,
)
from reel_cli.features.shelf.advice.plan import standing_decisions
from reel_cli.features.shelf.advice.plan_reply import (
    AdviceOptions,
    answer_advice,
    answer_said,
    decision_json,
    decision_lines,
    find_said,
)
from reel_cli.features.shelf.advice.reply import read_advice
from reel_cli.features.shelf.holdings import survey
from reel_cli.terminal.converse import (
    ExchangeOptions,
    ExchangeWalk,
    converse,
    copy_repair,
    refuse,
    ring0_in_force,
)
from reel_cli.terminal.offers import settle_offers

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.terminal.open_kit import OpenKit


def ask_advice(
    opened: "OpenKit", manner: ExchangeOptions, *, prompt: bool, reply: str | None, explain: bool
) -> None:
    """Run the exchange as it was called: the prompt out, a reply in, or both at the terminal."""
    waiting = find_waiting(opened.state, AdviceAsk, NAME)

    def due() -> AdviceAsk:
        if prompt and waiting is not None and waiting.owed:
            return replace(waiting, owed=False)
        counter = get_tokenizer(opened.snapshot.settings.tokenizer)
        at_hand = survey(opened.snapshot, opened.state.pending_touches(), opened.overview)
        return make_advice_ask(opened.snapshot, ring0_in_force(opened), counter, opened.root, at_hand)

    walk = ExchangeWalk(
        COMMAND,
        lambda: waiting or AdviceAsk("", ring0_in_force(opened).blob),
        due,
        lambda asked, text: _settle(opened, asked, text, manner, explain=explain),
        lambda asked: asked.again or asked.prompt,
        shape=json.loads(read_advice_schema()),
    )
    converse(opened, walk, manner, prompt=prompt, reply=reply)


def _settle(opened: "OpenKit", ask: AdviceAsk, reply: str, manner: ExchangeOptions, *, explain: bool) -> None:
    """Keep what a reply comes to; one that cannot be used is asked for once more, where it was asked for."""
    advised = read_advice(reply, *ask.words)
    if not advised.refusal or advised.is_prompt or not ask.prompt:
        settle_offers(opened, _handout(opened, ask, explain=explain), reply, manner)
        return
    again = ask_again(opened.snapshot, ask, advised.refusal)
    hint = f"to ask once more, paste into the same chat what this prints:  reel {COMMAND} --prompt"
    if not manner.dry_run:
        if copy_repair(opened, again.again):
            again = replace(again, owed=False)
            hint = "a request to say it once more was copied: paste it into the same chat"
        opened.state.save_exchange(NAME, again.stored)
    problems = [Problem("reply", advised.refusal), *advised.problems]
    refuse(opened, advised.refusal, problems, manner, repair=again.again, hint=hint)


def take_said(opened: "OpenKit", where: str, manner: ExchangeOptions, *, explain: bool) -> None:
    """Apply advice that was given in a chat that is on the tape."""
    said = find_said(opened.snapshot, where)
    how = _manner(opened, explain=explain)

    def read(snapshot: "Snapshot", _: str) -> Answer:
        return answer_said(snapshot, said, how)

    handout = Handout(AdviceSaid(), COMMAND, read)
    opened.console.say(f"Advice given in {said.where}.")
    settle_offers(opened, handout, said.text, manner)


def explain_standing(opened: "OpenKit", *, as_json: bool) -> None:
    """Explain what all current advice would lead to now, and why; nothing is changed."""
    console = opened.console
    found = standing_decisions(opened.snapshot, opened.state.pending_touches(), opened.overview)
    if as_json:
        console.result_json({"decisions": [decision_json(one) for one in found]})
        return
    if not found:
        console.say("There is no advice, and nothing else to keep at hand.")
        console.next_step("Ask for it:  reel shelf advise")
        return
    for one in found:
        for line in decision_lines(one, explain=True):
            console.result(console.wrap(line, console.out, hang="    "))


def _manner(opened: "OpenKit", *, explain: bool) -> AdviceOptions:
    return AdviceOptions(opened.now(), opened.state.pending_touches(), explain, lambda: opened.overview)


def _handout(opened: "OpenKit", ask: AdviceAsk, *, explain: bool) -> Handout:
    how = _manner(opened, explain=explain)

    def read(snapshot: "Snapshot", reply: str) -> Answer:
        return answer_advice(snapshot, ask, reply, how)

    return Handout(ask, COMMAND, read)

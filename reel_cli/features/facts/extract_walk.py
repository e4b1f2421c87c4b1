"""Exchange about facts at the terminal: the prompt out, the reply in, supported facts kept."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.exchange import Answer, Handout, find_waiting
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.facts.ask import NAME, FactsAsk, make_facts_ask
from reel_cli.features.facts.plan_reply import answer_facts
from reel_cli.features.facts.rounds import COMMAND, list_rounds
from reel_cli.terminal.converse import ExchangeOptions, ExchangeWalk, converse, ring0_in_force
from reel_cli.terminal.offers import settle_offers

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.terminal.open_kit import OpenKit


def extract_facts(
    opened: "OpenKit", session: str | None, manner: ExchangeOptions, *, prompt: bool, reply: str | None
) -> None:
    """Run the exchange as it was called: the prompt out, a reply in, or both at the terminal."""

    def answered() -> FactsAsk:
        waiting = find_waiting(opened.state, FactsAsk, NAME)
        mine = waiting is not None and session in (None, waiting.span.session)
        return waiting if waiting is not None and mine else _fresh(opened, session)

    walk = ExchangeWalk(
        COMMAND,
        answered,
        lambda: _fresh(opened, session),
        lambda asked, text: settle_offers(opened, _handout(opened, asked, manner), text, manner),
    )
    converse(opened, walk, manner, prompt=prompt, reply=reply)


def _fresh(opened: "OpenKit", session: str | None) -> FactsAsk:
    """Return the ask for the next stretch; raises ReelError if there is none."""
    counter = get_tokenizer(opened.snapshot.settings.tokenizer)
    gone = [one.span for one in list_rounds(opened.repository)]
    ask = make_facts_ask(opened.snapshot, ring0_in_force(opened), counter, gone, session)
    if ask is None:
        if not opened.snapshot.sessions:
            message = "Nothing is recorded yet."
            raise ReelError(message, hint="record a chat first:  reel end")
        message = f"{session} has nothing that you said." if session else "Every chat was searched for facts."
        raise ReelError(message, hint="to search one again:  reel fact extract SESSION")
    return ask


def _handout(opened: "OpenKit", ask: FactsAsk, manner: ExchangeOptions) -> Handout:
    counter = get_tokenizer(opened.snapshot.settings.tokenizer)

    def read(snapshot: "Snapshot", reply: str) -> Answer:
        return answer_facts(snapshot, ask, reply, counter, opened.now(), unattended=manner.yes)

    return Handout(ask, COMMAND, read)

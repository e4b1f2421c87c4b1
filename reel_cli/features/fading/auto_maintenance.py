"""Maintenance by itself: what is due is done a little at a time where kit.yaml says so (REEL §6.7, §9.2)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reel_cli.core.kit.kit_note import keep_note, recall_note
from reel_cli.core.ports import is_brought
from reel_cli.terminal.transport_option import Via, find_transport

if TYPE_CHECKING:
    from reel_cli.features.fading.maintenance_pass import Pass
    from reel_cli.terminal.open_kit import OpenKit

STEPS, PROMPTS = 8, 1
"""Maximum numbers of steps without a model, and of prompts, at the beginning or end of a session."""
PROMPTS_ALONE = 12
"""Maximum number of prompts where nobody waits: of one `reel maintain --auto --via`."""
_NOTE = "maintenance by itself"
"""The note of the day on which a model gave nothing, so that it is not asked again at every chat."""


def do_some(opened: "OpenKit") -> bool:
    """Do some of what is due, and say how much; return whether anything was done."""
    from reel_cli.features.fading.maintenance_pass import Pass

    console = opened.console
    made = Pass(opened)
    ready = [step for step in made.found.steps if not step.asks]
    within, beyond = made.allowance.split(ready)
    if within or not beyond:
        made.let_go(within[:STEPS], [*within[STEPS:], *beyond])
    done = len(made.outcome.done) + len(made.raised)
    if done:
        told = "1 step" if done == 1 else f"{done:,} steps"
        console.say(f"Maintenance, as kit.yaml says: {told} done. To see what:  reel log")
    if has_failed_today(opened) or not _choose_wire(opened):
        return bool(done)
    with console.unattended(mute=True):
        kept = ask_model(made.anew(), PROMPTS)
    if kept:
        told = "1 change" if len(kept) == 1 else f"{len(kept):,} changes"
        console.say(f"Maintenance, as kit.yaml says: {told} in the model's words. To see what:  reel log")
    return bool(done or kept)


def ask_model(made: "Pass", most: int) -> Sequence[str]:
    """Ask for at most so many of the pages that are due, over the wire; return what was kept of them.

    A prompt that a person took out waits for them, and none is asked beside it. Raises ReelError where the
    server fails; then nothing waits, and all is due as before.
    """
    from reel_cli.features.fading.exchange.exchanges import Exchanges
    from reel_cli.features.fading.exchange.walks import maintenance_walk
    from reel_cli.terminal.converse import ExchangeOptions, converse

    kept: list[str] = []
    for _ in range(most):
        opened, exchanges = made.opened, Exchanges(made)
        asked = exchanges.due() if exchanges.waiting() is None else None
        if asked is None:
            break
        manner = ExchangeOptions(yes=True)
        walk = maintenance_walk(made, manner, None, prompt=False, beyond_limit=False)
        try:
            settled = converse(opened, walk, manner, prompt=False, reply=None)
        finally:
            opened.state.drop_exchange(asked.name)
            opened.context.waiting = ""
        made = made.anew()
        if not made.found.steps:
            made.end()
        kept += [offer.id for offer, _ in settled.kept] if settled is not None else []
        if settled is not None and not settled.kept:
            note_failure(opened)
            break
    return kept


def _choose_wire(opened: "OpenKit") -> bool:
    """Return whether prompts are sent: as the command said, else to the kit's own server on this machine.

    An address elsewhere that came with a kit is not used unasked.
    """
    if opened.sends:
        return True
    settings = opened.snapshot.settings
    if not settings.via or not is_brought("transports") or not find_transport().is_here(settings.via):
        return False
    opened.context.via = Via(settings.via, settings.via_model, yes=True)
    return True


def has_failed_today(opened: "OpenKit") -> bool:
    """Return whether a model gave nothing today, or could not be asked."""
    return recall_note(opened.root, _NOTE, opened.now().date().isoformat())[0] is not None


def note_failure(opened: "OpenKit") -> None:
    """Note that a model gave nothing today."""
    keep_note(opened.root, _NOTE, opened.now().date().isoformat(), "failed")

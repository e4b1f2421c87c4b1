"""A pass of maintenance with a person: one step after the other, each with their word."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.values.memory import PLAIN
from reel_cli.features.fading.fading import Move, Step, ring_of
from reel_cli.features.fading.view import limit_in_words

if TYPE_CHECKING:
    from reel_cli.features.fading.maintenance_pass import Pass

KEYS = {
    "yes": "do it",
    "no": "leave it as it is",
    "all": "do it, and all that follows",
    "later": "stop here; the rest is due again next time",
}
PREVIEW = 400
"""Characters of the preview."""


def go_through(made: "Pass", only: str | None, *, beyond_limit: bool) -> None:
    """Guide a person through what is due; skipped steps change nothing and are due again another time.

    `only` is one kind of what needs the persona's own words, and leaves out all else.
    """
    console = made.opened.console
    from reel_cli.features.fading.exchange.exchanges import Matter
    from reel_cli.features.fading.exchange.settlement import is_pass_done
    from reel_cli.features.fading.exchange.walks import walk_exchanges

    ready = [step for step in made.found.steps if not step.asks and only is None]
    asks = [step for step in made.found.steps if step.asks]
    stayed = later = False
    if ready:
        many = (
            f"{len(ready):,} of them need" if len(ready) > 1 else "One of them needs" if asks else "It needs"
        )
        what = "them" if len(ready) > 1 else "it"
        if console.confirm(f"{many} no model. Decide on {what} now?"):
            later = _walk(made, ready, beyond_limit=beyond_limit)
        stayed = later or not made.outcome.done
    if not later and only is None and made.found.raises:
        many = "a memory" if len(made.found.raises) == 1 else f"{len(made.found.raises):,} memories"
        if console.confirm(f"There is room again for {many} as before. Bring it back?"):
            made.give_back(made.found.raises)
    if not later:
        matter = Matter(only) if only is not None else None
        stayed |= walk_exchanges(made, matter, beyond_limit=beyond_limit)
    if stayed or (only is not None and not is_pass_done(made.anew(), Matter(only))):
        made.tidy()
    else:
        made.end()
    done = made.outcome.done
    if done:
        many = "1 step" if len(done) == 1 else f"{len(done):,} steps"
        console.say(f"Let go of {made.outcome.freed:,} tokens in {many}.")
        console.next_step("All of it can come back:  reel log --forgotten")


def _walk(made: "Pass", ready: Sequence[Step], *, beyond_limit: bool) -> bool:
    """Ask about each step, and take it; whether the person left before the end."""
    console = made.opened.console
    yes = beyond_limit
    for at, step in enumerate(ready):
        console.say()
        console.say(_told(made, step))
        meanings = {**KEYS, "q": "the same as later"}
        word = console.choose(f"{_question(step)} (later: stop here)", list(KEYS), "yes", meanings)
        if word in ("later", "q"):
            console.say("The rest stays as it is, and is due again next time.")
            return True
        if word == "no":
            continue
        rest = ready[at:] if word == "all" else [step]
        within, beyond = (rest, []) if yes else made.allowance.split(rest)
        if beyond:
            yes = console.confirm(
                f"With that, more than {limit_in_words(made, ring_of(beyond[0]))} goes in one pass. Go on?",
                default=False,
            )
            within = rest if yes else within
        before = len(made.outcome.left)
        made.take(within)
        for left, why in made.outcome.left[before:]:
            console.say(f"{left.id} stays as it is: {why}")
        if word == "all" or (beyond and not yes):
            return bool(beyond) and not yes
    return False


def _told(made: "Pass", step: Step) -> str:
    """Return one step: what it is about, what becomes of it, why, and what will be left."""
    size = f"{step.tokens:,} to {step.then:,} tokens"
    lines = [f"{step.id}  {step.title}", f"  {PLAIN[step.before]} to {PLAIN[step.after]}, {size}: {step.why}"]
    if step.move is Move.DESCEND and (left := _left(made, step)):
        lines.append(f"  leaves: {left}")
    return "\n".join(lines)


def _question(step: Step) -> str:
    return {Move.PRUNE: "Leave only its line?", Move.SLEEP: "Leave its line out of bundles?"}.get(
        step.move, "Let it fade?"
    )


def _left(made: "Pass", step: Step) -> str:
    """Return the text of a memory's next form, cut to a few lines; "" if it is unknown."""
    from reel_cli.core.files.memory_file import parse_memory
    from reel_cli.core.values.change import one_line
    from reel_cli.core.values.memory import Level, memory_path
    from reel_cli.features.fading.plan import choose_form

    path = memory_path(step.id)
    try:
        text = made.opened.snapshot.text(path) or ""
        level = Level(step.after)
        body, _ = choose_form(text, parse_memory(text, path), level, made.counter, made.gauge)
    except ReelError:
        return ""
    return one_line(body.partition("\n## ")[0], PREVIEW)

"""View of a maintenance pass: what is due and why, what went, and what is left."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reel_cli.core.values.change import tell_many
from reel_cli.core.values.memory import PLAIN
from reel_cli.core.values.settings import WHOLE
from reel_cli.features.fading.fading import Move, Step, ring_of

if TYPE_CHECKING:
    from reel_cli.features.fading.maintenance_pass import Pass
    from reel_cli.terminal.console import Console

SHOWN = 7
"""Maximum number of steps listed one by one; more are grouped by what becomes of the memories."""
KEPT_SHOWN = 3
_READY = {
    Move.DESCEND: ("memory is ready to fade", "memories are ready to fade"),
    Move.PRUNE: ("memory will leave only its line", "memories will leave only their lines"),
    Move.SLEEP: ("line will leave the bundle", "lines will leave the bundle"),
}


def show_plan(made: "Pass", *, walks: bool) -> None:
    """Show what is due and why; `walks` means that the person is taken through it next."""
    console, found = made.opened.console, made.found
    if found.cold:
        console.result(
            console.wrap(
                f"Nothing fades yet: {_name(made)} is not mature, and the first memories matter most.",
                console.out,
            )
        )
        # what has left its source is made again at any age
        if made.drifted or made.notes:
            console.say("\n".join(_more(made)))
            if not walks:
                _say_ways(made)
            return
        console.next_step("To see what is still missing:  reel status")
        return
    lines = [_summed(made), *_table(console, found.steps), *_kept(made), *_more(made)]
    console.result("\n".join(lines))
    if (found.steps or found.raises or made.drifted or made.notes) and not walks:
        _say_ways(made)


def _summed(made: "Pass") -> str:
    found = made.found
    console = made.opened.console
    counts = {move: sum(step.move is move for step in found.steps) for move in _READY}
    parts = [f"{number:,} {_READY[move][number != 1]}" for move, number in counts.items() if number]
    if found.weight > found.most:
        due = f"{', '.join(parts)}. " if parts else "Nothing is ready to fade. "
        share = f"their share is {found.most:,} at most."
        told = f"{due}In a bundle the memories take {found.weight:,} tokens; {share}"
    else:
        told = f"{', '.join([*parts, 'none of it is urgent'])}." if parts else "Nothing is ready to fade."
    # a bundle has a memory at the level that its window allows, and a step counts the whole file
    files = ["Below, each is counted as its file has it."] if parts and found.weight > found.most else []
    return console.wrap(" ".join([told, *_stays(made), *files]), console.out)


def _stays(made: "Pass") -> list[str]:
    """Return why what is remembered stays over its range after all that is due; nothing where it does not."""
    found = made.found
    if found.then <= found.most:
        return []
    why = f": {', '.join(found.stays)}" if found.stays else ""
    return [f"After that they still take about {found.then:,} there{why}."]


def _table(console: "Console", steps: Sequence[Step]) -> list[str]:
    """Return a line for each step; on a narrow terminal, the reason goes below."""
    from reel_cli.terminal.folding import columns

    if len(steps) > SHOWN:
        return _groups(console, steps)
    shown = steps
    if not shown:
        return []
    now = [f"{step.tokens:,}" for step in shown]
    width = max(map(len, now))
    rows = [
        (
            f"  {step.id}",
            f"{PLAIN[step.before]} to {PLAIN[step.after]}",
            f"{tokens:>{width}} to {'about ' if step.asks else ''}{step.then:,}{'' if at else ' tokens'}",
            step.why,
        )
        for at, (step, tokens) in enumerate(zip(shown, now, strict=True))
    ]
    lines = console.table((), rows).splitlines()
    if console.out.isatty() and max(map(len, lines)) > columns(console.out):
        heads = console.table((), [row[:3] for row in rows]).splitlines()
        lines = []
        for head, row in zip(heads, rows, strict=True):
            lines += [head.rstrip(), console.wrap(row[3], console.out, " " * 9)]
    return lines


def _groups(console: "Console", steps: Sequence[Step]) -> list[str]:
    """Return a line for the steps of each kind, with the names of their memories."""
    groups: dict[tuple[str, str], list[Step]] = {}
    for step in steps:
        groups.setdefault((step.before, step.after), []).append(step)
    lines = []
    for (before, after), group in groups.items():
        now, then = sum(step.tokens for step in group), sum(step.then for step in group)
        about = "~" if any(step.asks for step in group) else ""
        head = f"{PLAIN[before]} to {PLAIN[after]}, {now:,} to {about}{then:,} tokens"
        lines.append(console.wrap(f"{head}: {' '.join(step.id for step in group)}", console.out, "  ", "  "))
    return lines


def _more(made: "Pass") -> list[str]:
    """Return what else is due: memories to make again, those that rise a level, notes over their range."""
    console, name = made.opened.console, _name(made)
    told = []
    if made.drifted:
        named = ", ".join(f"{step.id} ({step.why})" for step in made.drifted[:KEPT_SHOWN])
        rest = f" and {len(made.drifted) - KEPT_SHOWN:,} more" if len(made.drifted) > KEPT_SHOWN else ""
        told.append(f"No longer like what was said, and to be written again: {named}{rest}.")
    if made.found.raises:
        named = ", ".join(f"{s.id} ({PLAIN[s.before]} to {PLAIN[s.after]})" for s in made.found.raises)
        told.append(f"There is room again, so these come back as they were: {named}.")
    if made.notes is not None:
        told.append(
            f"The notes on where things stand take {made.notes[0]:,} tokens; their share is"
            f" {made.notes[1]:,} at most. {name} can say which may go."
        )
    if made.by_age:
        told.append(
            f"Most of the oldest memories never fade, whatever they are worth. {name} can decide again: "
            " reel maintain --only whole"
        )
    elif made.asks_what_stays:
        told.append(f"It is time to ask {name} which memories must never fade:  reel maintain --only whole")
    return [console.wrap(line, console.out) for line in told]


def _kept(made: "Pass") -> list[str]:
    """Return what would be due by its age and stays, with the reasons."""
    console, kept = made.opened.console, made.found.kept
    if not kept:
        return []
    told = [f"{one.id} ({one.why})" for one in kept[:KEPT_SHOWN]]
    more = len(kept) - len(told)
    rest = f" and {more:,} more" if more else ""
    return [console.wrap(f"Old enough, but not yet: {', '.join(told)}{rest}.", console.out)]


def _say_ways(made: "Pass") -> None:
    console = made.opened.console
    asks = sum(step.asks for step in made.found.steps)
    if len(made.found.steps) > SHOWN and console.interactive:
        console.next_step("To see why, and decide one by one:  reel maintain")
    if asks < len(made.found.steps) or made.found.raises:
        console.next_step("What needs no model:  reel maintain --auto")
    if not asks and (made.drifted or made.notes):
        named = "".join(f" {name}" for name in made.named)
        only = f" --only anew{named}" if named else ""
        console.next_step(f"Ask {_name(made)}:  reel maintain{only} --prompt")
    if asks:
        _, beyond = made.allowance.split(made.found.steps)
        free = sum(step.asks for step in made.found.steps if step not in beyond)
        told = waiting_words(made, asks)
        if not free:
            told += f"; more than {limit_in_words(made, '3')} would go, so only if you say so"
        console.next_step(f"{told}:  reel maintain --prompt{'' if free else ' --beyond-limit'}")


def waiting_words(made: "Pass", asks: int) -> str:
    """Return the notice that some steps need the persona's own words."""
    few = "one memory" if asks == 1 else f"{asks:,} memories"
    return f"{_name(made)} has to write a shorter text for {few}"


def show_would(made: "Pass", within: Sequence[Step], beyond: Sequence[Step]) -> None:
    """Show what `--auto` would do."""
    console = made.opened.console
    freed = sum(step.tokens - step.then for step in within)
    if within:
        told = f"Would let go of {freed:,} tokens in {tell_many(len(within), 'step')}."
        console.result("\n".join([console.wrap(told, console.out), *_table(console, within)]))
    else:
        console.result("Nothing to do without a model." if made.found.steps else "Nothing is ready to fade.")
    _say_beyond(made, beyond)
    console.say("Nothing was changed (--dry-run).")


def show_done(made: "Pass", beyond: Sequence[Step]) -> None:
    """Show what went in this pass, and what is left."""
    console, outcome = made.opened.console, made.outcome
    steps = [one.step for one in outcome.done]
    if steps:
        told = f"Let go of {outcome.freed:,} tokens in {tell_many(len(steps), 'step')}, each its own change."
        console.result("\n".join([console.wrap(told, console.out), *_table(console, steps)]))
    elif made.found.cold:
        console.result(f"Nothing fades yet: {_name(made)} is not mature.")
    else:
        console.result("Nothing to do without a model." if made.found.steps else "Nothing is ready to fade.")
    for step in made.raised:
        console.say(f"{step.title} ({step.id}) has room again, and is back as a {PLAIN[step.after]}.")
    for step, why in outcome.left:
        console.say(f"{step.id} stays as it is: {why}")
    _say_beyond(made, beyond)
    asks = sum(step.asks for step in made.found.steps)
    if asks:
        console.say(f"{waiting_words(made, asks)}.")
    if made.found.then > made.found.most:
        over = f"The memories still take more than their share of {made.found.most:,} tokens."
        console.say(" ".join([over, *_stays(made)]))
    if steps:
        console.next_step("All of it can come back:  reel log --forgotten")


def _say_beyond(made: "Pass", beyond: Sequence[Step]) -> None:
    if beyond:
        made.opened.console.say(
            f"Stopped, or more than {limit_in_words(made, ring_of(beyond[0]))} would go in one pass."
            f" {len(beyond):,} more {'is' if len(beyond) == 1 else 'are'} due; to let go of them too:"
            "  reel maintain --auto --beyond-limit"
        )


def limit_in_words(made: "Pass", ring: str) -> str:
    """Return the limit that would be passed, as in `25 % of what Ada remembers`."""
    what = {"2": "the notes", "3": f"what {_name(made)} remembers", "4": "the index"}[ring]
    return f"{made.allowance.share * 100 / WHOLE:g} % of {what}"


def _name(made: "Pass") -> str:
    return made.opened.snapshot.settings.name

"""`reel maintain`: the periodic pass in which the past recedes."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from reel_cli.core.errors import UsageError
from reel_cli.terminal.options import AsJson, DryRun, Prompt, Reply, Yes
from reel_cli.terminal.transport_option import ExchangeCommand

if TYPE_CHECKING:
    from reel_cli.features.fading.fading import Step
    from reel_cli.features.fading.maintenance_pass import Pass
    from reel_cli.terminal.converse import ExchangeOptions
    from reel_cli.terminal.open_kit import OpenKit


class _MaintainCommand(ExchangeCommand):
    """The command: with --via, --auto does what needs a model too."""

    alone = "auto"


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("maintain", cls=_MaintainCommand, epilog="Example:  reel maintain --plan")(maintain)


def maintain(
    ctx: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[M-004]...", help="With --only anew: the memories to write again."),
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Only show what is due, and why.")] = False,
    auto: Annotated[bool, typer.Option("--auto", help="Do what needs no model, without asking.")] = False,
    beyond_limit: Annotated[
        bool,
        typer.Option("--beyond-limit", help="Let go of more in one pass than maintain.loss_limit allows."),
    ] = False,
    only: Annotated[
        Literal["fade", "anew", "notes", "whole"] | None,
        typer.Option(help="Ask only for pages to fade, pages to write again, notes, or what must stay."),
    ] = None,
    prompt: Prompt = False,
    reply: Reply = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Let old memories fade: pages become digests, markers, tags.

    What is recalled or pinned stays. Each step is a change of its own, what was said stays on the tape, and
    reel restore brings any of it back. With --via, --auto does what needs a model too.
    """
    from reel_cli.features.fading.maintenance_pass import Pass
    from reel_cli.terminal.converse import ExchangeOptions

    _check_options(
        names, only, plan=plan, auto=auto, beyond_limit=beyond_limit, carried=prompt or reply is not None
    )
    opened: OpenKit = ctx.obj.open_kit()
    sent = opened.sends and not auto and (yes or dry_run or as_json or not opened.console.interactive)
    manner = ExchangeOptions(yes=yes, as_json=as_json, dry_run=dry_run)
    if prompt or reply is not None or sent:
        opened.require_repository()
        _exchange(
            Pass(opened, names or ()), manner, only, prompt=prompt, reply=reply, beyond_limit=beyond_limit
        )
        return
    if auto and not dry_run:
        opened.require_repository()
    else:
        opened.note_if_without_history()
    made = Pass(opened, names or ())
    if auto and opened.sends and not dry_run:
        if as_json:
            message = "--json tells of one thing at a time, and --auto --via does several."
            raise UsageError(message, hint="reel maintain --auto --json")
        _do_all(made, beyond_limit=beyond_limit)
    elif auto:
        _let_go(made, beyond_limit=beyond_limit, dry_run=dry_run, as_json=as_json)
    elif as_json:
        opened.console.result_json(_plan_as_json(made))
    else:
        from reel_cli.features.fading.view import show_plan

        walk = opened.console.interactive and opened.repository is not None and not (plan or dry_run)
        show_plan(made, walks=walk)
        if walk:
            from reel_cli.features.fading.manual_pass import go_through

            go_through(made, only, beyond_limit=beyond_limit)


def _check_options(
    names: list[str] | None, only: str | None, *, plan: bool, auto: bool, beyond_limit: bool, carried: bool
) -> None:
    """Refuse options that do not go together; `carried` says that a prompt is printed or answered."""
    if plan and auto:
        message = "--plan only shows what --auto would do; give one of them."
        raise UsageError(message, hint="reel maintain --auto --dry-run  shows what --auto would do")
    if beyond_limit and plan:
        message = "--beyond-limit is for letting go, and --plan only shows."
        raise UsageError(message, hint="add it to  reel maintain --auto")
    if carried and (plan or auto):
        message = "--prompt and --reply ask a model; --plan and --auto need none."
        raise UsageError(message)
    if only is not None and (plan or auto):
        message = "--only is for what the persona is asked; --plan and --auto are for the rest."
        raise UsageError(message, hint=f"reel maintain --only {only} --prompt")
    if names and only != "anew":
        message = "Memories can only be named with --only anew."
        raise UsageError(message, hint=f"reel maintain --only anew {' '.join(names)}")


def _do_all(made: "Pass", *, beyond_limit: bool) -> None:
    """Run all steps that need no model, then ask for what needs one, over the wire, nothing of a person."""
    from reel_cli.features.fading.auto_maintenance import PROMPTS_ALONE, ask_model
    from reel_cli.features.fading.exchange.exchanges import KINDS, Exchanges

    _let_go(made, beyond_limit=beyond_limit, dry_run=False, as_json=False)
    console, made = made.opened.console, made.anew()
    waiting = Exchanges(made).waiting()
    if waiting is not None:
        matter = KINDS[waiting.name][0]
        console.say(
            f"The model is not asked: a prompt about {matter.told} was handed out and waits for its answer."
        )
        console.next_step(f"When you have it:  reel maintain --only {matter} --reply FILE")
        console.next_step(f"To ask the model now:  reel maintain --only {matter} --via APP --yes")
        return
    with console.unattended():
        asked = ask_model(made, PROMPTS_ALONE)
    if not asked:
        console.say("Nothing came of asking the model, or there was nothing to ask.")


def _exchange(
    made: "Pass",
    manner: "ExchangeOptions",
    only: str | None,
    *,
    prompt: bool,
    reply: str | None,
    beyond_limit: bool,
) -> None:
    """Run the exchange that is due; a pass with nothing left to do ends with it."""
    from reel_cli.features.fading.exchange.exchanges import Matter
    from reel_cli.features.fading.exchange.settlement import is_pass_done
    from reel_cli.features.fading.exchange.walks import maintenance_walk
    from reel_cli.terminal.converse import converse

    matter = Matter(only) if only is not None else None
    walk = maintenance_walk(made, manner, matter, prompt=prompt, beyond_limit=beyond_limit)
    settled = converse(made.opened, walk, manner, prompt=prompt, reply=reply)
    if settled is not None and not manner.dry_run and not settled.left:
        after = made.anew()
        if is_pass_done(after, matter):
            after.end()


def _let_go(made: "Pass", *, beyond_limit: bool, dry_run: bool, as_json: bool) -> None:
    """Run all steps that need no model, up to the limit."""
    from reel_cli.features.fading.view import show_done, show_would

    ready = [step for step in made.found.steps if not step.asks]
    within, beyond = (ready, []) if beyond_limit else made.allowance.split(ready)
    if dry_run:
        if as_json:
            made.opened.console.result_json(_done_as_json(made, within, beyond))
        else:
            show_would(made, within, beyond)
        return
    made.let_go(within, beyond)
    if as_json:
        made.opened.console.result_json(_done_as_json(made, None, beyond))
    else:
        show_done(made, beyond)


def _plan_as_json(made: "Pass") -> dict[str, Any]:
    found = made.found
    return {
        "cold": found.cold,
        "ring3": {"tokens": found.weight, "max": found.most, "then": found.then, "stays": [*found.stays]},
        "limit": _limit_as_json(made),
        "due": [step_as_json(step) for step in found.steps],
        "anew": [step_as_json(step) for step in made.drifted],
        "raises": [step_as_json(step) for step in found.raises],
        "notes": _notes_as_json(made),
        "immune_by_age": made.by_age,
        "kept": [{"id": one.id, "title": one.title, "why": one.why} for one in found.kept],
    }


def _notes_as_json(made: "Pass") -> dict[str, int] | None:
    """Return the tokens of ring 2 and its most, if it is over its range; else None."""
    return {"tokens": made.notes[0], "max": made.notes[1]} if made.notes is not None else None


def _done_as_json(made: "Pass", would: "list[Step] | None", beyond: "list[Step]") -> dict[str, Any]:
    """Return as JSON what was done, or with `would` what would be, and what is left, with reasons."""
    done = [{**step_as_json(one.step), "commit": one.commit} for one in made.outcome.done]
    steps = done if would is None else [{**step_as_json(step), "commit": None} for step in would]
    left = [(step, "needs a model") for step in made.found.steps if step.asks]
    left += [(step, "beyond the limit") for step in beyond]
    left += made.outcome.left
    return {
        "done": steps,
        "raised": [step_as_json(step) for step in (made.found.raises if would is not None else made.raised)],
        "freed": sum(step["tokens"] - step["tokens_after"] for step in steps),
        "left": [{**step_as_json(step), "reason": reason} for step, reason in left],
        "stopped": "limit" if beyond else None,
        "cold": made.found.cold,
        "limit": _limit_as_json(made),
    }


def _limit_as_json(made: "Pass") -> dict[str, Any]:
    from reel_cli.core.values.settings import WHOLE

    return {
        "share": made.allowance.share / WHOLE,
        "rings": {
            ring: {"tokens": tokens, "lost": made.allowance.lost.get(ring, 0)}
            for ring, tokens in made.allowance.rings.items()
        },
    }


def step_as_json(step: "Step") -> dict[str, Any]:
    """Return one step as JSON."""
    return {
        "move": step.move.value,
        "id": step.id,
        "title": step.title,
        "from": step.before,
        "to": step.after,
        "tokens": step.tokens,
        "tokens_after": step.then,
        "why": step.why,
        "asks": step.asks,
    }

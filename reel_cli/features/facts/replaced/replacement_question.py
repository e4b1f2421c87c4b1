"""Question whether a new value replaces one that keeps somebody safe, or stands beside it."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.shell import join
from reel_cli.core.values.change import one_line
from reel_cli.features.facts.policy import fact_id, is_rule, says_as_much, waits_for_a_person
from reel_cli.features.facts.view import line_of

if TYPE_CHECKING:
    from reel_cli.features.facts.plan import FactChange
    from reel_cli.terminal.console import Console

ALSO, REPLACE, NEITHER = "b", "r", "n"
_SHOWN = 80


def ask_replacement(console: "Console", planned: "FactChange", *, yes: bool) -> str:
    """Return the answer to what becomes of a value that keeps somebody safe: `ALSO`, `REPLACE` or `NEITHER`.

    With `yes` nobody is asked. A value that says only a part of it replaces it by a person's answer alone.
    Raises ReelError where nobody is there to ask.
    """
    fact, was = planned.fact, planned.was
    if was is None or not waits_for_a_person(fact, was):
        return REPLACE
    less = says_as_much(was, fact)
    what = "is a rule" if is_rule(was) else "keeps somebody safe"
    old, new = one_line(was.value, _SHOWN), one_line(fact.value, _SHOWN)
    if yes and not less:
        return REPLACE
    if yes or (less and not console.interactive):
        message = f"Nothing was changed: “{old}” {what}, and says “{new}” already, and more."
        hint = f"to let the rest go, drop it first:  {join(['reel', 'fact', 'drop', fact_id(was), '--yes'])}"
        raise ReelError(message, hint=hint)
    if not console.interactive:
        message = (
            "Nothing was changed: without a terminal, reel cannot ask whether this should replace "
            f"“{old}”, which {what}."
        )
        raise ReelError(
            message, hint="add --also to keep both, --yes to replace it, or --dry-run to only look"
        )
    console.say(line_of(was))
    if less:
        answer = (
            REPLACE if console.confirm(f"Keep only “{new}”, and lose the rest?", default=False) else NEITHER
        )
    else:
        answer = console.choose(
            f"Keep both, replace it with “{new}”, or neither?",
            (ALSO, REPLACE, NEITHER),
            NEITHER,
            {
                ALSO: f"both: it then says “{one_line(f'{was.value}; {fact.value}', _SHOWN)}”",
                REPLACE: "the new value alone",
                NEITHER: "leave it as it is",
            },
        )
    if answer == NEITHER:
        console.say("Nothing was changed.")
    return answer

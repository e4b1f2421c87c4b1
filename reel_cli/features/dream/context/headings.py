"""The five headings of the shared context, on a page and by themselves (Dream Weaver §9.1)."""

from reel_cli.core.exchange.schema import FieldSpec

FIELDS = (
    FieldSpec(
        "now",
        "Where things stand",
        names=("where things stand now",),
        required=False,
        filled=True,
        hint="What is going on between you and {{user}} just now, in two or three sentences.",
    ),
    FieldSpec(
        "hours",
        "The last 48 hours",
        names=("last 48 hours",),
        shape="list",
        required=False,
        hint=(
            "Five to ten points, one a line, newest last: what happened, was said that counts, was decided;"
            " each with its day (like 10 February)."
        ),
    ),
    FieldSpec(
        "person",
        "How the person is",
        names=("user state", "how the user is"),
        required=False,
        hint=(
            "How {{user}} is, as far as you can tell: mood, strength, what weighs, what lifts; one to three"
            " sentences."
        ),
    ),
    FieldSpec(
        "blocked",
        "What is broken or blocked",
        names=("broken or blocked", "broken/blocked", "broken/blocked items"),
        shape="list",
        required=False,
        hint="What does not work, or waits for something or somebody; one a line.",
    ),
    FieldSpec(
        "next",
        "What comes next",
        names=("coming next",),
        shape="list",
        required=False,
        hint=(
            "What you two are about to do, and what {{user}} will likely come back to; one a line, with its"
            " date."
        ),
    ),
)
LABELS = {spec.key: spec.label for spec in FIELDS}

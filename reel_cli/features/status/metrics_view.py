"""`reel status --metrics`: what is measured of a kit, on the screen and for a program."""

from typing import TYPE_CHECKING, Any

from reel_cli.core.ports import bring
from reel_cli.features.status.measures import list_own_measures, share
from reel_cli.terminal.bundle_view import LABELS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.values.bundle import Bundle
    from reel_cli.core.values.measure import Measure
    from reel_cli.features.status.metrics import Metrics, Recall
    from reel_cli.terminal.open_kit import OpenKit

NAMED = 6
NAMES = {**LABELS, "facts_held": "facts, in number", "bundle": "a bundle, in tokens"}


def show_metrics(opened: "OpenKit", at: str | None, *, as_json: bool) -> None:
    """Measure the kit as it lies here, or at a moment of the past, and show it."""
    from reel_cli.core.files.tree import WorkTree
    from reel_cli.core.kit.glance import Glance
    from reel_cli.core.kit.known_facts import find_rounds
    from reel_cli.core.pack.build_bundle import pack_kit, pack_then
    from reel_cli.core.tape.tape_view import standing_sessions
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.status.metrics import measure

    opened.look_back(at)
    past = opened.past
    kit = past or Glance(WorkTree(opened.root), opened.root.resolve().name, opened.root)
    counter = get_tokenizer(kit.settings.tokenizer)
    tip = opened.then.commit if opened.then is not None else None

    def pack() -> "Bundle":
        return pack_then(past) if past is not None else pack_kit(opened.root)

    found = measure(kit, standing_sessions(kit), counter, find_rounds(opened.repository, tip), pack)
    brought = [one for list_measures in bring("measures") for one in list_measures(opened)]
    measures = [*list_own_measures(found), *brought]
    if as_json:
        told = {one.key: dict(one.told) for one in brought}
        judged = {"measures": [_judged_as_json(one) for one in measures]}
        opened.console.result_json({**metrics_as_json(found), **told, **judged, **opened.told_then()})
    else:
        opened.console.result(_render(opened, found, measures))


def _render(opened: "OpenKit", found: "Metrics", measures: "Sequence[Measure]") -> str:
    console = opened.console
    rows = [(f"{one.name} ({one.short})", one.shown, one.verdict, one.detail) for one in measures]
    lines = [console.listing(rows, 3, right=(1,))]
    if found.recall.missing:
        why = f" {found.recall.why}" if found.recall.why else ""
        told = f"Missing in a bundle: {_few(found.recall.missing)}.{why}"
        lines.append(console.wrap(told, console.out, hang="  "))
    if found.coverage.unknown:
        told = f"Nothing is known yet of: {', '.join(found.coverage.unknown)}."
        lines.append(console.wrap(told, console.out, hang="  "))
    if found.resting:
        lines.append(f"{found.resting:,} facts are set aside:  reel fact list")
    lines += ["", "What is good, and from where on it is not (SRIP-11 §VI)"]
    lines += [console.wrap(f"{one.short}: {one.good}", console.out, "  ", "  ") for one in measures]
    full = [
        (NAMES.get(one.name, one.name), f"{one.taken:,}", f"of {one.most:,}", share(one.taken / one.most))
        for one in found.full
        if one.most and one.name != "3"
    ]
    lines += ["", "How full it is"]
    lines += [f"  {line}" for line in console.table((), full, right=(1, 3)).splitlines()]
    return "\n".join(lines)


def _few(names: "Sequence[str]") -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _judged_as_json(one: "Measure") -> dict[str, Any]:
    return {
        "measure": one.key,
        "value": one.value,
        "verdict": one.verdict.value or None,
        "good": one.good,
        "detail": one.detail,
    }


def recall_as_json(recall: "Recall") -> dict[str, Any]:
    """Return anchor recall integrity as JSON."""
    return {
        "value": recall.value,
        "retrieved": recall.declared - len(recall.missing),
        "declared": recall.declared,
        "missing": list(recall.missing),
        "problem": recall.why or None,
    }


def told_of_facts(recall: "Recall") -> str:
    """Return how many of the facts are in a bundle, in a sentence or two; "" if there are none."""
    there = recall.declared - len(recall.missing)
    if not recall.declared:
        return ""
    if not recall.missing:
        return "The one fact is in it." if there == 1 else f"All {there:,} facts are in it."
    return (
        f"Not all facts are in it: {there:,} of {recall.declared:,} ({share(recall.value)})."
        f" Missing: {_few(recall.missing)}."
    )


def metrics_as_json(found: "Metrics") -> dict[str, Any]:
    """Return the metrics as JSON; `value` is null if nothing is known."""
    recall, told, cover, small = found.recall, found.extraction, found.coverage, found.compression
    return {
        "anchor_recall_integrity": recall_as_json(recall),
        "fact_extraction_rate": {
            "value": told.value,
            "facts": told.kept,
            "refused": told.refused,
            "attempts": told.attempts,
        },
        "fact_coverage": {
            "value": cover.value,
            "known": list(cover.known),
            "unknown": list(cover.unknown),
        },
        "compression_ratio": {"value": small.value, "retained": small.retained, "said": small.said},
        "turns": {"all": found.turns, "gone_through": found.gone},
        "resting": found.resting,
        "full": {one.name: {"taken": one.taken, "most": one.most} for one in found.full},
    }

"""`reel status --metrics`: what is measured of a kit, on the screen and for a program."""

from typing import TYPE_CHECKING, Any

from reel_cli.terminal.bundle_view import LABELS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.values.bundle import Bundle
    from reel_cli.features.status.metrics import Metrics, Recall
    from reel_cli.terminal.open_kit import OpenKit

NAMED = 6
_TENTH = 0.1
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
    if as_json:
        opened.console.result_json({**metrics_as_json(found), **opened.told_then()})
    else:
        opened.console.result(_render(opened, found))


def _render(opened: "OpenKit", found: "Metrics") -> str:
    console = opened.console
    recall, told, cover, small = found.recall, found.extraction, found.coverage, found.compression
    about_facts = [
        (
            "facts in a bundle",
            _share(recall.value),
            _of(recall.declared - len(recall.missing), recall.declared),
        ),
        ("facts each time asked", _plain(told.value), _asked(found)),
        (
            "kinds of facts known",
            _share(cover.value),
            _of(len(cover.known), len(cover.known) + len(cover.unknown)),
        ),
    ]
    rows = [
        *(about_facts if cover.value is not None else []),
        ("of what was said, kept at hand", _share(small.value), _kept(found)),
    ]
    lines = [console.table((), rows, right=(1,))]
    if recall.missing:
        lines.append(
            f"Missing in a bundle: {_few(recall.missing)}." + (f" {recall.why}" if recall.why else "")
        )
    if cover.unknown:
        lines.append(f"Nothing is known yet of: {', '.join(cover.unknown)}.")
    if found.resting:
        lines.append(f"{found.resting:,} facts are set aside:  reel fact list")
    lines.append("")
    full = [
        (
            NAMES.get(f"{one.name}", one.name),
            f"{one.taken:,}",
            f"of {one.most:,}",
            _share(one.taken / one.most),
        )
        for one in found.full
        if one.most and one.name != "3"
    ]
    lines.append("How full it is")
    lines += [f"  {line}" for line in console.table((), full, right=(1, 3)).splitlines()]
    return "\n".join(console.wrap(line, console.out, hang="  ") for line in "\n".join(lines).splitlines())


def _share(value: float | None) -> str:
    """Return a share in percent; a dash if nothing is known."""
    return (
        "–"
        if value is None
        else f"{value * 100:.0f} %"
        if value >= 0.1 or not value
        else f"{value * 100:.1f} %"
    )


def _plain(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _of(some: int, many: int) -> str:
    return f"{some:,} of {many:,}" if many else "none are declared yet"


def _asked(found: "Metrics") -> str:
    told = found.extraction
    if not told.attempts:
        return f"never asked yet; {found.turns:,} turns to go through" if found.turns else "never asked yet"
    times = "once" if told.attempts == 1 else f"{told.attempts:,} times"
    left = found.turns - found.gone
    rest = f"; {left:,} of {found.turns:,} turns to go through" if left else ""
    return f"{told.kept:,} kept and {told.refused:,} refused, asked {times}{rest}"


def _kept(found: "Metrics") -> str:
    small = found.compression
    if not small.said:
        return "nothing was said yet"
    if small.retained is None:
        return "nothing can be packed"
    return f"{small.retained:,} tokens of {small.said:,}"


def _few(names: "Sequence[str]") -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more:,} more" if more > 0 else "")


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
        f"Not all facts are in it: {there:,} of {recall.declared:,} ({_share(recall.value)})."
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

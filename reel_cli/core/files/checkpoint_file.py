"""`checkpoints/<session>.<n>.yaml`: a self-assessment under the protocol's keys, and the reply as given."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.files.yaml_text import Plain, parse_mapping, render_mapping
from reel_cli.core.values.artifact import Checkpoint, Verdict

if TYPE_CHECKING:
    from reel_cli.features.page.drift_measure import Measure

_DRIFT = {Verdict.YES: "yes", Verdict.NO: "no"}


def checkpoint_path(session: str, number: int) -> str:
    """The kit path of a session's nth checkpoint."""
    return f"checkpoints/{session}.{number}.yaml"


def render_checkpoint(  # noqa: PLR0913 (its fields)
    checkpoint: Checkpoint,
    reply: str,
    messages: int,
    kept: str,
    measured: "Measure | None" = None,
    flags: "Sequence[str] | None" = None,
) -> str:
    """The file; `messages` is how many of the session it looks back on, `kept` when (ISO 8601).

    `measured` stands beside the persona's own word, before the reply as it was given. `flags` are the marks
    of the flags that its prompt asked about; None where that is not known.
    """
    given = checkpoint.given
    fields: dict[str, Plain] = {
        "timestamp": checkpoint.timestamp,
        "kept": kept,
        "messages": str(messages),
        "identity_coherence": given.get("coherence", ""),
        "coherence": checkpoint.coherence.value,
        "calibration_state": checkpoint.calibration,
        "drift_detected": _DRIFT.get(checkpoint.drift, "unsure"),
        "drift_description": checkpoint.drift_text,
        "ring_0_update_suggested": checkpoint.paper_text if checkpoint.paper else "no",
        "ring_1_rotation": given.get("show", ""),
        "ring_2_delta": given.get("notes", ""),
        "open_loops": list(checkpoint.open_loops),
        "significance_flags": list(checkpoint.flags),
    }
    if flags is not None:
        fields["flags_asked"] = list(flags)
    if measured is not None:
        fields["measured"] = _measured(measured)
    fields["reply"] = reply
    return render_mapping(fields)


def _measured(found: "Measure") -> dict[str, Plain]:
    """The companion's keys; a distance that is not known is left out."""
    fields: dict[str, Plain] = {
        "replies": str(found.replies),
        "words": str(found.words),
        "standing": found.standing.value,
    }
    for key, distance in (("from_earlier", found.earlier), ("from_exemplars", found.exemplars)):
        if distance is not None:
            fields[key] = f"{distance:.2f}"
    moved = found.moved or found.moved_from_exemplars
    fields["moved"] = [one.told for one in moved]
    return fields


def read_measured(text: str, path: str) -> tuple[str, dict[str, Plain]]:
    """The persona's word on drift (yes, no, unsure or ""), and the companion's keys as they stand.

    Raises ReelError where the file does not read.
    """
    fields = parse_mapping(text, path)
    said, held = fields.get("drift_detected", ""), fields.get("measured")
    told = said.strip().casefold() if isinstance(said, str) else ""
    return {"false": "no", "true": "yes"}.get(told, told), held if isinstance(held, dict) else {}


def read_checkpoint(text: str, path: str) -> Mapping[str, str]:
    """A checkpoint's keys as strings; lists are joined by line ends."""
    fields = parse_mapping(text, path)
    return {
        key: value if isinstance(value, str) else "\n".join(str(v) for v in value)
        for key, value in fields.items()
    }

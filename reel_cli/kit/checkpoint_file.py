"""`checkpoints/<session>.<n>.yaml`: a self-assessment under the protocol's keys, and the reply as given."""

from collections.abc import Mapping

from reel_cli.kit.yaml_text import Plain, parse_mapping, render_mapping
from reel_cli.model.artifact import Checkpoint, Verdict

_DRIFT = {Verdict.YES: "yes", Verdict.NO: "no"}


def checkpoint_path(session: str, number: int) -> str:
    """The kit path of a session's nth checkpoint."""
    return f"checkpoints/{session}.{number}.yaml"


def render_checkpoint(checkpoint: Checkpoint, reply: str, messages: int, kept: str) -> str:
    """The file; `messages` is how many of the session it looks back on, `kept` when (ISO 8601)."""
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
        "reply": reply,
    }
    return render_mapping(fields)


def read_checkpoint(text: str, path: str) -> Mapping[str, str]:
    """A checkpoint's keys as strings; lists are joined by line ends."""
    fields = parse_mapping(text, path)
    return {
        key: value if isinstance(value, str) else "\n".join(str(v) for v in value)
        for key, value in fields.items()
    }

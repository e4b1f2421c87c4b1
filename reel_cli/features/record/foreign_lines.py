"""Lines in a pasted chat that another kit's persona says, kept as part of what was said here."""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.frozen import late
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.voices import is_same_name
from reel_cli.core.values.talk import Conversation

LEAST = 2
"""Number of lines from which somebody speaks, and is not only quoted."""
_LABEL = late(r"(?m)^[*_]*([^\W\d_][\w .'’-]{0,30}?)[*_]*:[*_]*\s")
"""A name and a colon at the beginning of a line."""
_PASTED = ("markdown", "text")


def tell_foreign_lines(talk: Conversation, own: Sequence[str], kits: Iterable[Path]) -> str:
    """Return the sentence on lines of a persona that one of these kits keeps; "" for none.

    `own` are the names of the kit's own persona.
    """
    if talk.format not in _PASTED:
        return ""
    counts = Counter(found[1] for message in talk.said() for found in _LABEL.finditer(message.text))
    labels = {label: many for label, many in counts.items() if many >= LEAST}
    labels = {
        label: many for label, many in labels.items() if not any(is_same_name(label, one) for one in own)
    }
    for kit in kits if labels else ():
        # a broken or missing kit is no reason to refuse a chat here
        with suppress(ReelError, OSError, ValueError):
            name = Snapshot(WorkTree(kit), kit.name).settings.name if (kit / "kit.yaml").is_file() else ""
            label = next((one for one in labels if name and is_same_name(one, name)), "")
            if label and not any(is_same_name(name, one) for one in own):
                return (
                    f"{labels[label]} lines in it begin with “{label}”, the persona of another kit ({kit}): "
                    f"here they count as {own[0]}'s chat. To part them, move those to a file of their own."
                )
    return ""

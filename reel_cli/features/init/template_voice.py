"""Examples of a template that a kit still speaks by, though its identity is another persona's now."""

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.exemplar_file import exemplar_path
from reel_cli.core.frozen import late
from reel_cli.core.kit.snapshot import IDENTITY
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.change import tell_many
from reel_cli.features.init.template import fill_in, list_templates, read_template

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

ALIKE = 0.7
"""Share of words in common from which a text still describes the same persona."""
FIRST_CHATS = 3
"""Number of chats after which a person has heard whether the examples fit."""
MEND = "reel edit voice"
"""The command that opens the example of every bundle."""
_WORD = late(r"\w+")


def tell_template_voice(snapshot: "Snapshot") -> str:
    """Return the clause on a kit whose examples are all a template's, and its identity is not; "" else.

    It is said before the first chats; from then on the examples are known, and were left as they are.
    """
    if len(standing_sessions(snapshot)) >= FIRST_CHATS:
        return ""
    try:
        heard = {*snapshot.active.active, *filter(None, [snapshot.active.anchor])}
    except ReelError:
        return ""
    texts = {path: snapshot.read(path) for path in map(exemplar_path, sorted(heard))}
    identity = snapshot.read(IDENTITY)
    if not texts or identity is None:
        return ""
    names = {"name": snapshot.settings.name, "user": snapshot.settings.user}
    for name, _ in list_templates():
        files = read_template(name).files
        if not texts.keys() <= files.keys():
            continue
        shipped = fill_in({path: files[path] for path in (IDENTITY, *texts)}, names)
        if shipped != texts | {IDENTITY: shipped[IDENTITY]} or is_alike(shipped[IDENTITY], identity):
            continue
        many = len(texts) > 1
        told = f"{tell_many(len(texts), 'example')} of how {snapshot.settings.name} sounds"
        return f"the {told} {'are' if many else 'is'} still the {name} template's. To write your own"
    return ""


def is_alike(one: bytes, other: bytes) -> bool:
    """Return whether two texts on who a persona is describe the same one."""
    first, second = (_WORD.findall(text.decode("utf-8", "replace").casefold()) for text in (one, other))
    return SequenceMatcher(None, first, second, autojunk=False).ratio() >= ALIKE

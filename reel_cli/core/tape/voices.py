"""Group chats: the answers in them that are the persona's own, and those of the other characters."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.ports import bring
from reel_cli.core.values.talk import ANOTHER, Entry, Message


def persona_names(snapshot: Snapshot) -> Sequence[str]:
    """Return what the persona of a kit is called, by its settings and by what it came from."""
    names = [snapshot.settings.name]
    for list_more in bring(
        "names", lambda path: bool(snapshot.list(path)) or snapshot.read(path) is not None
    ):
        # damage is reported elsewhere
        with suppress(ReelError):
            names.extend(list_more(snapshot))
    return [name for name in dict.fromkeys(names) if name.strip()]


def is_same_name(one: str, other: str) -> bool:
    """Return whether two names can be one person's: ignoring case, spacing and a second name."""
    first, second = set(one.casefold().split()), set(other.casefold().split())
    return "".join(one.casefold().split()) == "".join(other.casefold().split()) or bool(
        first and second and (first <= second or second <= first)
    )


def other_voices(entries: Iterable[Entry], names: Collection[str]) -> frozenset[str]:
    """Return the names under which others than the persona answer in a chat.

    `names` are the persona's. Names of models and roles are nobody's. Where the persona answers under none of
    its names, all answers are its own but those that were recorded as another's: it may have been renamed.
    What is told under one of its names is its own, recorded as another's or not.
    """
    answers = [entry.message for entry in entries if entry.message.role == "assistant" and entry.message.name]
    told = {message.name for message in answers}
    marked = frozenset(message.name for message in answers if message.mark == ANOTHER and message.name)
    if len(told) < 2 and not marked:
        return marked
    from reel_cli.core.tape.formats.pasted.speaker_lines import People, fold_label

    spoken = {name for name in told if name is not None}
    exact = {name for name in spoken if any(fold_label(name) == fold_label(own) for own in names)}
    own = exact or {name for name in spoken if any(is_same_name(name, one) for one in names)}
    if not own:
        return marked
    nobody = People.named((), ())
    return marked - own | frozenset(name for name in spoken - own if nobody.side(fold_label(name)) is None)


def other_users(entries: Iterable[Entry], user: str) -> frozenset[str]:
    """Return the names under which somebody else than the user talks to the persona, in a chat of several.

    In a chat with one person, whatever they are called in it, all is the user's.
    """
    told = {entry.message.name for entry in entries if entry.message.role == "user"}
    if len(told) < 2:
        return frozenset()
    from reel_cli.core.tape.formats.pasted.speaker_lines import People, fold_label

    nobody = People.named((), ())
    spoken = (name for name in told if name and not is_same_name(name, user))
    return frozenset(name for name in spoken if nobody.side(fold_label(name)) is None)


def is_own(message: Message, others: Collection[str]) -> bool:
    """Return whether an answer is the persona's own, and none of the `others`' who answer in the chat."""
    return message.role == "assistant" and message.name not in others


def own_entries(entries: Sequence[Entry], names: Collection[str]) -> Sequence[Entry]:
    """Return the answers that are the persona's own: in a group chat, not those of the others in it."""
    others = other_voices(entries, names)
    return [entry for entry in entries if is_own(entry.message, others)]


def as_heard(message: Message, others: Collection[str]) -> tuple[str, str]:
    """Return a message's role and text as the persona's model is given them.

    Another character's answer is told by name, as something said to the persona.
    """
    if message.role == "assistant" and not is_own(message, others):
        return "user", f"{message.name}: {message.text}"
    return message.role, message.text

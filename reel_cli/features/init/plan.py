"""A new kit: what its first commit holds."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.files.commit_message import RATIFIED_BY
from reel_cli.core.files.index_file import EMPTY as EMPTY_INDEX
from reel_cli.core.files.settings_file import parse_settings, render_tokenizer
from reel_cli.core.files.yaml_text import render_scalar
from reel_cli.core.git.repository import KIT_ATTRIBUTES, KIT_IGNORE
from reel_cli.core.kit.creation import SCHEMA
from reel_cli.core.kit.model_choice import render_wrapping, wrapping_of
from reel_cli.core.kit.snapshot import IDENTITY, INDEX
from reel_cli.core.pack.ring0_limit import Ring0Text, require_ring0_fits
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.change import Change, name_some, one_line, tell_many
from reel_cli.core.values.settings import LONGEST_NAME, PROTOCOL, Settings, check_name
from reel_cli.core.values.sizes import render_tokens
from reel_cli.features.init.template import Template, count_contents, fill_in

HEAD = f"""\
# yaml-language-server: $schema={SCHEMA}
# What is not set here has its default; an editor that knows the schema shows it.
"""
_NAMED = 4
_NAMELIKE = re.compile(r"[^\W\d_]+(?:[-_ '’.]+[^\W\d_]+)*\.?")


@dataclass(frozen=True, slots=True)
class Choices:
    """The person's choices for a new kit; for None, the template or the protocol decides.

    `window` is in tokens, `identity` the text for ring 0, `author` a `Name <mail>` for kit.yaml.
    """

    name: str | None = None
    user: str | None = None
    window: int | None = None
    tokenizer: str | None = None
    identity: str | None = None
    author: str | None = None


@dataclass(frozen=True, slots=True)
class NewKit:
    """A kit that could be made: its first change, its settings, what its identity takes in tokens.

    `notes` are for whoever makes it.
    """

    change: Change
    settings: Settings
    identity_tokens: int
    notes: tuple[str, ...]


def plan_init(template: Template, choices: Choices, *, ratified_by: str) -> NewKit:
    """Plan the first commit of a kit.

    A shipped template is filled in with both names; a folder is taken over byte for byte, only what was
    chosen being changed, and counts as ratified by `ratified_by` (`Name <mail>`).

    Raises ReelError for a choice that makes no sense, or an identity that the window cannot hold.
    """
    for name in (choices.name, choices.user):
        if name is not None:
            check_name(name)
    persona = choices.name or template.persona
    if template.settings is None:
        files = _from_shipped(template, choices)
        change = Change("init", f"{persona}, from the {template.name} template", files)
    else:
        files = _from_kit(template, choices)
        summary = f"{persona}, taken over as it was in {template.name}"
        notes = (_inventory(template), *_left_out(template))
        change = Change("init", summary, files, ((RATIFIED_BY, ratified_by),), notes)
    if choices.identity is not None:
        files[IDENTITY] = (choices.identity.rstrip("\n") + "\n").encode()
    for path, data in ((".gitignore", KIT_IGNORE), (".gitattributes", KIT_ATTRIBUTES)):
        files.setdefault(path, data)
    settings = parse_settings(files["kit.yaml"].decode(), fallback_name=template.persona)
    was = (Ring0Text.read(template.files), template.settings) if template.settings is not None else None
    tokens = count_identity(files, settings, was)
    notes = (*change.notes, *_notes(template, choices, settings, tokens))
    return NewKit(change, settings, tokens, notes)


def name_from(folder: Path, otherwise: str) -> str:
    """Return a persona's name from its folder: `ada-lovelace` gives Ada Lovelace."""
    last = folder.name or folder.resolve().name
    if not _NAMELIKE.fullmatch(last) or len(last) > LONGEST_NAME:
        return otherwise
    words = last.replace("-", " ").replace("_", " ").split()
    return " ".join(word if word != word.lower() else word[:1].upper() + word[1:] for word in words)


def _from_shipped(template: Template, choices: Choices) -> dict[str, bytes]:
    names = {"name": choices.name or template.persona, "user": choices.user or "You"}
    text = settings_text(choices, names["name"])
    return {"kit.yaml": text.encode(), INDEX: EMPTY_INDEX.encode(), **fill_in(template.files, names)}


def settings_text(choices: Choices, name: str) -> str:
    """Return the `kit.yaml` of a new kit."""
    names = {"name": name, "user": choices.user or "You"}
    usual = Settings(name=name)
    fields = {
        "protocol": PROTOCOL,
        **{key: render_scalar(value) for key, value in names.items()},
        "window": render_tokens(choices.window or usual.window),
        "tokenizer": render_tokenizer(choices.tokenizer or usual.tokenizer),
    }
    if wrapping := wrapping_of(choices.tokenizer):
        fields["template"] = render_wrapping(wrapping)
    if choices.author:
        fields["author"] = render_scalar(choices.author)
    return HEAD + "".join(f"{key}: {value}\n" for key, value in fields.items())


def _from_kit(template: Template, choices: Choices) -> dict[str, bytes]:
    changes: dict[str, str | None] = {}
    for key in ("name", "user", "author"):
        value: str | None = getattr(choices, key)
        if value is not None:
            changes[key] = render_scalar(value)
    if choices.tokenizer is not None:
        changes["tokenizer"] = render_tokenizer(choices.tokenizer)
        if wrapping := wrapping_of(choices.tokenizer):
            changes["template"] = render_wrapping(wrapping)
    if choices.window is not None:
        changes["window"] = render_tokens(choices.window)
        if template.settings is not None and template.settings.cap > choices.window:
            changes["cap"] = None
    files = dict(template.files)
    if changes:
        text = files["kit.yaml"].decode()
        files["kit.yaml"] = front_matter.set_yaml_fields(text, changes).encode()
    return files


def count_identity(
    files: Mapping[str, bytes], settings: Settings, was: tuple[Ring0Text, Settings] | None = None
) -> int:
    """Return what the identity takes in tokens; ReelError where there is none or it does not fit.

    `was` is the ring 0 of the kit that is taken over, with its settings.
    """
    data = files.get(IDENTITY)
    if data is None:
        message = f"The template has no {IDENTITY}, and every persona needs one."
        raise ReelError(message, hint="give one with  --identity FILE")
    try:
        body = front_matter.split(data.decode(), IDENTITY).body
    except UnicodeDecodeError:
        message = f"{IDENTITY} is not UTF-8 text."
        raise ReelError(message, hint="save the file as UTF-8") from None
    require_ring0_fits(Ring0Text.read(files), settings, was, new=True)
    return get_tokenizer(settings.tokenizer).count(body)


def note_share(settings: Settings, tokens: int) -> tuple[str, ...]:
    """Return the note that the identity takes more than its share of the window; none where it does not."""
    most = settings.ranges["0"].tokens(settings.cap)[1]
    if tokens <= most:
        return ()
    told = f"The identity takes {tokens:,} tokens, {most:,} is its share of this {settings.held_to}; "
    return (told + "shorten it, or less of the rest fits into a bundle.",)


def _notes(template: Template, choices: Choices, settings: Settings, tokens: int) -> tuple[str, ...]:
    notes = list(note_share(settings, tokens))
    if template.settings is None:
        return tuple(notes)
    if choices.name not in (None, template.persona):
        notes.append(f"Its texts still speak of {template.persona} wherever they did.")
    if choices.user not in (None, template.settings.user):
        notes.append(f"Its texts still call you {template.settings.user} wherever they did.")
    if choices.author is None and settings.author is not None:
        notes.append(
            f"Its kit.yaml names {settings.author} as the author of commits; change it if that is not you."
        )
    return tuple(notes)


def _left_out(template: Template) -> tuple[str, ...]:
    """Return the note that names the files that are not taken; none where all are."""
    named = name_some([one_line(name, 40) for name in template.left], _NAMED)
    one = len(template.left) == 1
    told = "Left where it is, since it is" if one else "Left where they are, since they are"
    return (f"{told} not the kit's: {named}.",) if named else ()


def _inventory(template: Template) -> str:
    sessions, gone, memories = count_contents(template)
    back = f" and {gone:,} taken back" if gone else ""
    what = f"{tell_many(sessions, 'chat')}{back}, {tell_many(memories, 'memory')}"
    return f"Taken over whole: {what}. The history of its changes was not copied; a new one begins."

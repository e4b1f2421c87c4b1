"""`reel export`: the persona, for other programs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import UsageError
from reel_cli.terminal.export_file import Force, Out, Window
from reel_cli.terminal.options import AsJson

if TYPE_CHECKING:
    from reel_cli.terminal.context import OpenKit

Memories = Annotated[
    bool, typer.Option("--memories", help="With what the persona remembers of its own, not the lore alone.")
]


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    export = typer.Typer(
        epilog="Example:  reel export card --out mira.png",
        help="Take the persona along to other programs.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    for name, command, example in (
        ("card", card, "card --out mira.png"),
        ("lorebook", lorebook, "lorebook --out mira-lore.json"),
        ("preset", preset, "preset --out mira.preset.json"),
        ("modelfile", modelfile, "modelfile llama3.1:8b --out Modelfile"),
        ("agents", agents, "agents --out AGENTS.md"),
        ("text", text, "text --out mira.txt"),
        ("letter", letter, "letter --words 1200 --out next.md"),
        ("training", training, "training --out training --window 16k"),
    ):
        export.command(name, epilog=f"Example:  reel export {example}")(command)
    app.add_typer(export, name="export")


def card(
    ctx: typer.Context,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="A .png or .json to write; else JSON is printed."),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="PNG", help="The picture it is put into.")
    ] = None,
    memories: Memories = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a character card: as it came where nothing was changed, for programs of version 2 and 3."""
    from reel_cli.features.cards.card_export import export_card

    if picture is not None and (out is None or out.suffix.lower() != ".png"):
        message = "A picture goes with a card that is written as PNG."
        raise UsageError(message, hint="reel export card --out mira.png --picture face.png")
    opened: OpenKit = ctx.obj.open_kit()
    opened.note_if_without_history()
    export_card(opened, out, picture, lived=memories, force=force, as_json=as_json)


def lorebook(
    ctx: typer.Context,
    lore_only: Annotated[
        bool, typer.Option("--lore-only", help="Leave out what the persona remembers of its own.")
    ] = False,
    out: Out = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write lore and memories as a World Info, each found by its anchor phrases."""
    from reel_cli.features.cards.card_export import export_lorebook

    opened: OpenKit = ctx.obj.open_kit()
    opened.note_if_without_history()
    export_lorebook(opened, out, lived=not lore_only, force=force, as_json=as_json)


def preset(
    ctx: typer.Context, window: Window = None, out: Out = None, force: Force = False, as_json: AsJson = False
) -> None:
    """Write an LM Studio preset with the bundle as its system prompt."""
    from reel_cli.core.files.exemplar_file import slugify
    from reel_cli.features.export.presets import render_preset
    from reel_cli.terminal.export_file import hand_over, packed

    opened: OpenKit = ctx.obj.open_kit()
    bundle = packed(opened, window)
    name = opened.snapshot.settings.name
    made = render_preset(name, slugify(name), bundle.text, bundle.cap)
    told = f"a preset for LM Studio, {bundle.tokens:,} tokens, for a context of {bundle.cap:,}"
    more = {"tokens": bundle.tokens, "cap": bundle.cap}
    hand_over(opened, made.encode(), told, out, force=force, as_json=as_json, more=more)
    if out is not None:
        opened.console.next_step("Next: in LM Studio, choose it with  Presets → Import")


def modelfile(
    ctx: typer.Context,
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="The model it is made from, as Ollama calls it.")
    ],
    window: Window = None,
    out: Out = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write an Ollama Modelfile with the bundle as its system prompt."""
    from reel_cli.core.files.exemplar_file import slugify
    from reel_cli.features.export.presets import render_modelfile
    from reel_cli.terminal.export_file import hand_over, packed

    opened: OpenKit = ctx.obj.open_kit()
    bundle = packed(opened, window)
    made, altered = render_modelfile(model, bundle.text, bundle.cap)
    told = f"a Modelfile, {bundle.tokens:,} tokens, for a context of {bundle.cap:,}"
    more = {"tokens": bundle.tokens, "cap": bundle.cap}
    hand_over(opened, made.encode(), told, out, force=force, as_json=as_json, more=more)
    if altered:
        opened.console.say('Where the text had """ in it, which would end it there, it has ””” now.')
    if out is not None:
        slug = slugify(opened.snapshot.settings.name)
        opened.console.next_step(f"Next:  ollama create {slug} -f {out}")


def agents(
    ctx: typer.Context, window: Window = None, out: Out = None, force: Force = False, as_json: AsJson = False
) -> None:
    """Write the bundle as an AGENTS.md, for programs that read one."""
    _bundle(ctx.obj.open_kit(), window, out, "markdown", force=force, as_json=as_json)


def text(
    ctx: typer.Context, window: Window = None, out: Out = None, force: Force = False, as_json: AsJson = False
) -> None:
    """Write the bundle as plain text, without any marks."""
    _bundle(ctx.obj.open_kit(), window, out, "text", force=force, as_json=as_json)


def letter(
    ctx: typer.Context,
    words: Annotated[
        int, typer.Option("--words", metavar="N", min=1, help="How many words it may have.")
    ] = 2000,
    out: Out = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a letter from the persona to its next self: who it is, what it remembers, how to begin."""
    from reel_cli.terminal.export_file import export_letter

    opened: OpenKit = ctx.obj.open_kit()
    opened.note_if_without_history()
    export_letter(opened, words, out, force=force, as_json=as_json)


def training(
    ctx: typer.Context,
    window: Annotated[
        str | None, typer.Option(metavar="N", help="No sample is larger than this: 8k, 16k, 32768.")
    ] = None,
    validation: Annotated[
        int, typer.Option(metavar="PERCENT", help="How much is held back for validation, by session.")
    ] = 10,
    seed: Annotated[
        int, typer.Option(metavar="N", help="Which samples, and which sessions are held back.")
    ] = 0,
    every: Annotated[
        bool, typer.Option("--all", help="Everything there is, whatever the proportions.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Where to write; else it is only told what there is."),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write conversations to train a model on, from the kit's own history, as JSON lines of messages."""
    from reel_cli.core.values.settings import parse_tokens
    from reel_cli.features.training.walk import export_training

    opened: OpenKit = ctx.obj.open_kit()
    room = parse_tokens(window) if window is not None else None
    export_training(
        opened,
        out,
        window=room,
        validation=validation,
        seed=seed,
        every=every,
        force=force,
        as_json=as_json,
    )


def _bundle(
    opened: "OpenKit", window: str | None, out: Path | None, form: str, *, force: bool, as_json: bool
) -> None:
    from reel_cli.terminal.export_file import hand_over, packed

    bundle = packed(opened, window, form)
    more: dict[str, object] = {"tokens": bundle.tokens, "cap": bundle.cap}
    told = f"{bundle.tokens:,} tokens, for a context of {bundle.cap:,}"
    hand_over(opened, bundle.text.encode(), told, out, force=force, as_json=as_json, more=more)

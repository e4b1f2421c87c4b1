"""`reel export`: the persona, for other programs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.ports import bring
from reel_cli.terminal.export_file import Force, Out, Window
from reel_cli.terminal.options import AsJson

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    export = typer.Typer(
        epilog="Example:  reel export card --out mira.png",
        help="Take the persona along to other programs.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    for register_some in bring("exports"):
        register_some(export)
    app.add_typer(export, name="export")


def register_own(export: typer.Typer) -> None:
    """Add the exports of the whole persona to `reel export`."""
    for name, command, example in (
        ("preset", preset, "preset --out mira.preset.json"),
        ("modelfile", modelfile, "modelfile llama3.1:8b --out Modelfile"),
        ("agents", agents, "agents --out AGENTS.md"),
        ("text", text, "text --out mira.txt"),
        ("letter", letter, "letter --words 1200 --out next.md"),
    ):
        export.command(name, epilog=f"Example:  reel export {example}")(command)


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
    from reel_cli.features.export.letter_walk import export_letter

    opened: OpenKit = ctx.obj.open_kit()
    opened.note_if_without_history()
    export_letter(opened, words, out, force=force, as_json=as_json)


def _bundle(
    opened: "OpenKit", window: str | None, out: Path | None, form: str, *, force: bool, as_json: bool
) -> None:
    from reel_cli.terminal.export_file import hand_over, packed

    bundle = packed(opened, window, form)
    more: dict[str, object] = {"tokens": bundle.tokens, "cap": bundle.cap}
    told = f"{bundle.tokens:,} tokens, for a context of {bundle.cap:,}"
    hand_over(opened, bundle.text.encode(), told, out, force=force, as_json=as_json, more=more)

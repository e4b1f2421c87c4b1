"""`reel export`: the persona, for other programs."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.files.json_text import Json, render_json
from reel_cli.core.ports import bring
from reel_cli.terminal.export_file import Force, Out, Window
from reel_cli.terminal.options import AsJson

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


_APPS = ("lmstudio", "sillytavern", "sillytavern-text")
"""Programs that a preset is made for; the first is taken where none is named."""
_MODEL = re.compile(r"[A-Za-z0-9][\w./:@+-]*")
_FENCE = re.compile(r'"{3,}')


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    export = typer.Typer(
        epilog="Example:  reel export card --out mira.png",
        help="Export the persona to other programs.",
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
    ctx: typer.Context,
    app: Annotated[
        str, typer.Option("--for", metavar="APP", help=f"{', '.join(_APPS[:-1])} or {_APPS[-1]}.")
    ] = _APPS[0],
    window: Window = None,
    out: Out = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a preset for LM Studio or SillyTavern."""
    from reel_cli.core.files.exemplar_file import slugify
    from reel_cli.core.nearest import nearest
    from reel_cli.terminal.export_file import hand_over, packed

    if app not in _APPS:
        message = f"There is no preset for {app!r}."
        raise UsageError(message, hint=f"did you mean  --for {nearest(app, _APPS) or _APPS[1]} ?")
    opened: OpenKit = ctx.obj.open_kit()
    if app != _APPS[0]:
        _tavern_preset(opened, app, window, out, force=force, as_json=as_json)
        return
    bundle = packed(opened, window)
    name = opened.snapshot.settings.name
    made = render_preset(name, slugify(name), bundle.text, bundle.cap)
    told = f"a preset for LM Studio, {bundle.tokens:,} tokens, for a context of {bundle.cap:,}"
    more = {"tokens": bundle.tokens, "cap": bundle.cap}
    hand_over(opened, made.encode(), told, out, force=force, as_json=as_json, more=more)
    if out is not None:
        opened.console.next_step("Next: in LM Studio, choose it with  Presets → Import")


def _tavern_preset(
    opened: "OpenKit", app: str, window: str | None, out: Path | None, *, force: bool, as_json: bool
) -> None:
    from reel_cli.core.values.sizes import parse_tokens
    from reel_cli.features.export.sillytavern import chat_preset, render, text_preset
    from reel_cli.terminal.export_file import hand_over

    settings = opened.snapshot.settings
    cap = parse_tokens(window) if window is not None else settings.window
    made = chat_preset(cap) if app == _APPS[1] else text_preset(settings.name, cap)
    kind = "chat" if app == _APPS[1] else "text"
    told = f"a preset for SillyTavern's {kind} completion, for a context of {cap:,}"
    hand_over(opened, render(made), told, out, force=force, as_json=as_json, more={"cap": cap})
    if out is not None:
        where = (
            "AI Response Configuration → Import preset"
            if kind == "chat"
            else "AI Response Formatting → Master Import"
        )
        opened.console.say(f"In SillyTavern:  {where}")
        opened.console.next_step("Then fill the character's fields:  reel start --for sillytavern")


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
        int, typer.Option("--words", metavar="N", min=1, help="The most words it may have.")
    ] = 2000,
    out: Out = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a letter from the persona to its next self. In it: who it is, what it remembers, how to begin."""
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


def render_preset(name: str, slug: str, text: str, window: int) -> str:
    """Return an LM Studio preset: the text as system prompt, `window` tokens as context length."""
    fields: list[Json] = [{"key": "llm.prediction.systemPrompt", "value": text}]
    load: list[Json] = [{"key": "llm.load.contextLength", "value": window}]
    preset: dict[str, Json] = {
        "identifier": f"@local:{slug}",
        "name": name,
        "changed": False,
        "operation": {"fields": fields},
        "load": {"fields": load},
    }
    return render_json(preset, indent=2).decode() + "\n"


def render_modelfile(model: str, text: str, window: int) -> tuple[str, bool]:
    """Return an Ollama Modelfile, and whether the text had to be altered for it.

    Three straight quotation marks in a row would end the text early; they become typographic ones. ReelError
    where `model` is neither a model's name nor a file's.
    """
    if not _MODEL.fullmatch(model):
        message = f"{model!r} is not the name of a model."
        raise ReelError(message, hint="write it as  ollama list  shows it, like  llama3.1:8b")
    safe = _FENCE.sub(lambda found: "”" * len(found[0]), text.rstrip("\n"))
    # end the text before the closing marks on a line of its own, whatever its last letter is
    made = f'FROM {model}\nPARAMETER num_ctx {window}\nSYSTEM """{safe}\n"""\n'
    return made, safe != text.rstrip("\n")

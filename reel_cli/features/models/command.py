"""`reel model`: what the kit is packed for, and how tokens are counted."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.ports import bring
from reel_cli.terminal.options import AsJson, ByTokenizer, DryRun, Like, Margin

if TYPE_CHECKING:
    from reel_cli.core.kit.model_choice import PackSizes
    from reel_cli.terminal.console import Console
    from reel_cli.terminal.context import Context
    from reel_cli.terminal.open_kit import OpenKit

LARGEST = 64 << 20
"""Bytes above which a text is not counted."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    model = typer.Typer(
        epilog="Example:  reel model set --window 32k --tokenizer ~/models/Llama-3.2-3B.gguf",
        help="Your model: the size of its context window, and how it counts tokens.",
        invoke_without_command=True,
        rich_markup_mode=None,
    )
    model.callback(epilog="Example:  reel model set --window 32k --tokenizer ~/models/Llama-3.2-3B.gguf")(
        show
    )
    model.command("set", epilog="Example:  reel model set --window 32k --tokenizer model.gguf")(set_)
    model.command("tokens", epilog="Example:  reel model tokens notes.md --tokenizer model.gguf --ids")(
        tokens
    )
    for register_some in bring("model_commands"):
        register_some(model)
    app.add_typer(model, name="model")


def show(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Show what the kit is packed for: window, tokenizer, chat template."""
    if ctx.invoked_subcommand is not None:
        return
    from reel_cli.core.kit.model_choice import look_at_model

    opened: OpenKit = ctx.obj.open_kit()
    packed = look_at_model(opened.snapshot.settings)
    if as_json:
        opened.console.result_json(_as_json(packed))
        return
    _show(opened.console, packed)
    if packed.tokenizer.isidentifier():
        opened.console.next_step("To count exactly:  reel model set --tokenizer FILE")


def set_(
    ctx: typer.Context,
    window: Annotated[
        str | None, typer.Option(metavar="SIZE", help="The model's context window: 8k, 128k, 32768.")
    ] = None,
    cap: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Tokens of the window that bundles are packed for.")
    ] = None,
    tokenizer: ByTokenizer = None,
    like: Like = None,
    margin: Margin = None,
    template: Annotated[
        str | None,
        typer.Option(
            "--template",
            "--template-overhead",
            metavar="NAME|N|N+M",
            help="What the chat template adds: a known one's name, auto, none, or tokens once and a message.",
        ),
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Set what the kit is packed for. The rest of kit.yaml stays as it is."""
    from reel_cli.core.kit.model_choice import ModelChanges, look_at_model, plan_model
    from reel_cli.core.pack.ring0_limit import require_change_fits
    from reel_cli.core.values.sizes import parse_tokens
    from reel_cli.features.init.tokenizer_choice import choose_tokenizer

    if all(value is None for value in (window, cap, tokenizer, like, margin, template)):
        message = "Name what to set."
        raise UsageError(message, hint="reel model set --window 32k --tokenizer model.gguf")
    opened: OpenKit = ctx.obj.open_kit()
    repository = opened.require_repository()
    console, usual = opened.console, opened.snapshot.settings.tokenizer
    wanted = ModelChanges(
        window=parse_tokens(window) if window is not None else None,
        cap=parse_tokens(cap) if cap is not None else None,
        tokenizer=choose_tokenizer(tokenizer, like, margin, usual),
        template=template,
    )
    change = plan_model(opened.snapshot, wanted)
    require_change_fits(opened.snapshot, repository, [change] if change else ())
    after = opened.snapshot.after(change) if change is not None else opened.snapshot
    packed = look_at_model(after.settings)
    commit = opened.commit(change).commit if change is not None and not dry_run else None
    if as_json:
        console.result_json({"commit": commit, **_as_json(packed)})
        return
    _show(console, packed)
    if change is None:
        console.say("It is set so already; nothing was changed.")
    elif commit is None:
        console.say("Nothing was changed (--dry-run).")
    else:
        console.say("Kept.")


def tokens(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="[FILE|-]", help="The text; - is standard input.")] = "-",
    tokenizer: ByTokenizer = None,
    like: Like = None,
    margin: Margin = None,
    ids: Annotated[bool, typer.Option("--ids", help="Show the tokens, by their numbers.")] = False,
    as_json: AsJson = False,
) -> None:
    """Count the tokens of any text. No kit is needed; in one, its tokenizer counts."""
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.init.tokenizer_choice import choose_tokenizer

    context: Context = ctx.obj
    usual = _usual(context, known=tokenizer is not None)
    chosen = choose_tokenizer(tokenizer, like, margin, usual) or usual
    counter = get_tokenizer(chosen)
    told = getattr(counter, "told", "")
    if told:
        context.console.say(told)
    text = _read(file)
    found = counter.ids(text) if ids else []
    if as_json:
        size = {"tokens": counter.count(text), "tokenizer": counter.name}
        context.console.result_json({**size, "ids": found} if ids else size)
    elif ids:
        context.console.result(" ".join(map(str, found)), whole=True)
    else:
        context.console.result(str(counter.count(text)))


def _usual(context: "Context", *, known: bool) -> str:
    """Return the kit's tokenizer, if there is a kit; else the default one."""
    from reel_cli.core.files.settings_file import parse_settings
    from reel_cli.core.tokens.choice import settle
    from reel_cli.core.values.settings import Settings

    usual = Settings(name="").tokenizer
    settle(None)
    if known:
        return usual
    try:
        root = context.kit_root()
    except ReelError:
        if context.kit_option is not None:
            raise
        return usual
    settle(root)
    try:
        text = (root / "kit.yaml").read_text(encoding="utf-8")
    except UnicodeDecodeError:
        message = "kit.yaml is not UTF-8 text."
        raise ReelError(message, hint="save the file as UTF-8") from None
    return parse_settings(text, fallback_name=root.name).tokenizer


def _read(file: str) -> str:
    """Return a text exactly as it is, with no character trimmed or converted."""
    from reel_cli.terminal.input.given_text import read_all

    shown = "What came on standard input" if file == "-" else file
    if file == "-":
        data = read_all(LARGEST + 1)
    else:
        path = Path(file)
        if path.exists() and not path.is_file():
            message = f"{file} is not a file."
            raise ReelError(message)
        try:
            with path.open("rb") as opened:
                data = opened.read(LARGEST + 1)
        except FileNotFoundError:
            message = f"There is no file {file}."
            raise ReelError(message) from None
    if len(data) > LARGEST:
        message = f"{shown} is larger than {LARGEST >> 20} MB."
        raise ReelError(message)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        message = f"{shown} is not a text in UTF-8."
        raise ReelError(message, hint="save it as UTF-8 first") from None


def _show(console: "Console", packed: "PackSizes") -> None:
    console.result(console.table((), _rows(packed)))
    if packed.told:
        console.say(console.wrap(packed.told, console.err))
    if packed.about is not None and 0 < packed.about.context < packed.window:
        told = (
            "The window is larger than this model was made for; apps can stretch it, but answers get worse."
        )
        console.say(console.wrap(told, console.err))


def _rows(packed: "PackSizes") -> list[tuple[str, str]]:
    from reel_cli.core.pack.budget import name_window

    rows = [("window", f"{name_window(packed.window)} tokens")]
    if packed.cap != packed.window:
        rows.append(("packed for", f"{name_window(packed.cap)}"))
    rows.append(("free for the talk", f"{packed.live:,}"))
    around = packed.template_fixed + packed.template_message
    each = f", then {packed.template_message:,} for each message" if packed.template_message else ""
    rows.append(("chat template", f"{around:,}{each}" if around else "not counted"))
    rows.append(("room for a bundle", f"{packed.room:,}"))
    rows.append(("counted by", packed.tokenizer))
    about = packed.about
    if about is not None:
        rules = f", rules {about.pre or 'default'}" if about.kind == "bytes" else ""
        rows.append(("its vocabulary", f"{about.tokens:,} tokens{rules}"))
        if about.context:
            rows.append(("made for", f"{about.context:,} tokens"))
        if about.template:
            rows.append(("its template", about.template))
    return rows


def _as_json(packed: "PackSizes") -> dict[str, object]:
    about = packed.about
    return {
        "window": packed.window,
        "cap": packed.cap,
        "live": packed.live,
        "room": packed.room,
        "tokenizer": packed.tokenizer,
        "template": {"fixed": packed.template_fixed, "message": packed.template_message},
        "file": None
        if about is None
        else {
            "path": about.path,
            "vocabulary": about.tokens,
            "kind": about.model,
            "rules": about.pre,
            "context": about.context,
            "template": about.template,
        },
    }

"""`reel pack`: render the bundle to paste, inside its budget; for a place, field by field."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.terminal.options import AsJson, At, Boot, Copy, Cue, For, With

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reel_cli.core.pack.build_bundle import BundleRequest
    from reel_cli.core.values.bundle import Bundle, Field
    from reel_cli.core.values.place import Place
    from reel_cli.terminal.open_kit import OpenKit


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command(
        "pack", epilog="Example:  reel pack --window 8k --cue 'we argued about the ending' --explain"
    )(pack)


def pack(
    ctx: typer.Context,
    window: Annotated[
        str | None, typer.Option(metavar="N", help="Pack for a window of this size: 8k, 128k, 32768.")
    ] = None,
    live: Annotated[
        str | None, typer.Option(metavar="SHARE", help="What stays free for the conversation: 0.5 or 50%.")
    ] = None,
    cue: Cue = "",
    mood: Annotated[
        Literal["conflict", "playful", "emotional"] | None, typer.Option(help="Or name its mood.")
    ] = None,
    format: Annotated[  # noqa: A002
        Literal["markdown", "text", "messages"], typer.Option(help="How it is written.")
    ] = "markdown",
    explain: Annotated[
        bool, typer.Option("--explain", help="Show what is in it, what is not, and why.")
    ] = False,
    as_json: AsJson = False,
    copy: Copy = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write to this file instead of printing.")
    ] = None,
    boot: Boot = None,
    rows: With = None,
    place: For = None,
    since_last: Annotated[
        bool, typer.Option("--since-last", help="A short refresh: only what is new since the last bundle.")
    ] = False,
    at: At = None,
) -> None:
    """Render who the persona is, how it sounds and what it remembers, to paste into a chat."""
    from reel_cli.core.pack.build_bundle import BundleRequest
    from reel_cli.core.values.sizes import parse_tokens
    from reel_cli.terminal.bundle_view import as_json as bundle_json
    from reel_cli.terminal.bundle_view import explain as show_explanation
    from reel_cli.terminal.bundle_view import is_news, note_handed_out, tell_warnings, write_out
    from reel_cli.terminal.kit_warnings import tell_kit_warnings

    if at is not None and since_last:
        message = "--since-last tells what is new now, and --at how it was then."
        raise UsageError(message, hint="leave out one of them")
    opened: OpenKit = ctx.obj.open_kit()
    if place in LIST:
        list_places(opened, as_json=as_json)
        return
    then = opened.look_back(at)
    shown = out is None and not (copy or as_json or explain) and opened.console.out.isatty()
    dated = shown and then is None and not since_last
    wish = BundleRequest(
        window=parse_tokens(window) if window is not None else None,
        live=_live(live),
        cue=cue,
        mood=mood,
        form=format,
        since=_since(opened) if since_last else None,
        boot=boot,
        rows=tuple(rows or ()),
        today=_today(opened) if dated else "",
        day=opened.now().date().isoformat() if dated else "",
    )
    bundle = _pack(opened, wish_for(opened, wish, place))
    tell_warnings(opened, tell_kit_warnings(opened, bundle))
    if since_last and wish.since is not None and not is_news(bundle, wish.since):
        opened.console.say("Nothing is new since the last bundle; this is how things stood then, too.")
    if explain:
        show_explanation(opened, bundle)
    if then is None:
        note_handed_out(opened, bundle)
    tell_place(opened, bundle)
    if out is not None:
        write_out(opened, out, labelled(bundle))
        opened.console.say(f"Wrote {bundle.tokens:,} tokens to {out}")
    if copy and bundle.place is not None:
        copy_for(opened, bundle)
    elif copy:
        _copy(opened, bundle.text, bundle.tokens)
    if (out is not None or copy) and then is None and not since_last and opened.console.interactive:
        _tell_undated(opened, bundle)
    if as_json:
        opened.console.result_json({**bundle_json(bundle), **fields_json(bundle), **opened.told_then()})
    elif out is None and not copy:
        text = labelled(bundle)
        # what a program reads is no prose; of other line ends than its own a bundle is known all the same
        opened.console.result(text, whole=not shown or text[:1] in ("{", "["), prose=True)


def _tell_undated(opened: "OpenKit", bundle: "Bundle") -> None:
    """Say that the text has no date, and which command copies it with one."""
    named = f" --for {bundle.place.name}" if bundle.place is not None else ""
    told = "Today's date is not in it, because pack gives the same text on any day. With the date:"
    opened.console.say(f"{told}  reel start{named}")


def _today(opened: "OpenKit") -> str:
    """Return what `reel start` says of today, so that a text copied from the screen is the same."""
    from reel_cli.features.start.noted_days import list_noted, tell_noted, tell_today

    today = opened.now().date()
    return tell_today(opened, tell_noted(list_noted(opened.overview, today), today))


def _pack(opened: "OpenKit", wish: "BundleRequest") -> "Bundle":
    """Return the kit packed as it is now, or as it was then, with the ring 0 approved then."""
    from reel_cli.core.pack.build_bundle import pack_kit, pack_then

    if wish.rows:
        from reel_cli.terminal.pointing import pointing
    with opened.console.waiting("Packing"), pointing(opened.console) if wish.rows else nullcontext():
        return pack_kit(opened.root, wish) if opened.past is None else pack_then(opened.past, wish)


def _live(text: str | None) -> int | None:
    """Return the conversation's share as typed; raises UsageError if invalid, or leaving no room."""
    if text is None:
        return None
    from reel_cli.core.files.settings_file import parse_share
    from reel_cli.core.values.settings import WHOLE

    try:
        share = parse_share(text)
    except ValueError:
        share = 0
    if not 0 < share < WHOLE:
        message = f"--live {text} is not a share of the cap, by default the window."
        raise UsageError(message, hint="write it as 0.5 or 50%")
    return share


def _since(opened: "OpenKit") -> "Mapping[str, str]":
    """Return the record of the last bundle; raises ReelError if there was none."""
    known = opened.state.last_pack()
    if known is None:
        message = "Nothing has been packed from this kit yet, so there is nothing to refresh."
        raise ReelError(message, hint="pack the whole first:  reel start")
    return known


def _copy(opened: "OpenKit", text: str, tokens: int) -> None:
    """Copy to the clipboard, or say plainly that it could not be; ReelError then."""
    from reel_cli.terminal import clipboard

    how = clipboard.copy(text)
    if how is None:
        message = f"It could not be copied: {clipboard.why_not(text)}."
        raise ReelError(message, hint="print it without --copy, or write it to a file with  --out FILE")
    unsure = "; if pasting brings nothing, leave out --copy" if how == clipboard.BY_TERMINAL else ""
    opened.console.say(f"{clipboard.copied(how)} {tokens:,} tokens{unsure}.")


LIST = ("list", "?")
"""Arguments, in place of a place, that list the places."""


def wish_for(opened: "OpenKit", wish: "BundleRequest", name: str | None) -> "BundleRequest":
    """Return the wish, with the place of that name; raises UsageError if there is none."""
    if name is None:
        return wish
    from reel_cli.core.pack.places import find_place, known_places

    snapshot = opened.snapshot
    return wish._replace(place=find_place(snapshot, name), elsewhere=lambda: known_places(snapshot))


def list_places(opened: "OpenKit", *, as_json: bool) -> None:
    """Show the places there are, with what they hold."""
    from reel_cli.core.pack.places import known_places

    places = known_places(opened.snapshot)
    if as_json:
        opened.console.result_json([{**told(place), "fields": _slots(place)} for place in places])
        return
    rows = [(place.name, place.title[:1].upper() + place.title[1:], _holds(place)) for place in places]
    opened.console.result(opened.console.listing(rows, 2))
    opened.console.say("Your own go into the kit's folder places/ (docs/places.md).")


def told(place: "Place") -> dict[str, object]:
    """Return a place as JSON values."""
    return {"name": place.name, "title": place.title, "count": place.unit, "limit": place.limit}


def _slots(place: "Place") -> list[dict[str, object]]:
    return [{"name": slot.name, "limit": slot.limit} for slot in place.slots]


def _holds(place: "Place") -> str:
    number = len(place.slots)
    if number == 1 or place.limit is not None:
        return place.holds
    return f"{number} fields, {place.holds}"


def fields_json(bundle: "Bundle") -> dict[str, object]:
    """Return a place's fields for `--json`, each with its text; empty if no place was named."""
    if bundle.place is None:
        return {}
    return {
        "place": {**told(bundle.place), "note": bundle.place.advice(bundle.cap)},
        "fields": [
            {"name": one.name, "text": one.text, "characters": one.characters, "limit": one.limit}
            for one in bundle.fields
        ],
    }


def labelled(bundle: "Bundle") -> str:
    """Return the text as it is printed: each of several fields below its name."""
    from reel_cli.terminal.bundle_view import spell_size

    if len(bundle.fields) < 2:
        return bundle.text
    return "".join(f"=== {one.name} ({spell_size(one)}) ===\n\n{one.text}" for one in _filled(bundle))


def tell_place(opened: "OpenKit", bundle: "Bundle") -> None:
    """Report in a line how long the bundle is for its place, and the place's manners."""
    place = bundle.place
    if place is None:
        return
    of = f" of {place.limit:,}" if place.limit is not None else ""
    opened.console.say(f"For {place.title}: {bundle.characters:,}{of} characters, {bundle.tokens:,} tokens.")
    if note := place.advice(bundle.cap):
        opened.console.say(note)


def copy_for(opened: "OpenKit", bundle: "Bundle") -> None:
    """Copy the fields one after the other, waiting for each to be pasted; ReelError where that cannot be."""
    from reel_cli.terminal import clipboard
    from reel_cli.terminal.bundle_view import spell_size

    console = opened.console
    filled = _filled(bundle)
    if len(filled) > 1 and not console.interactive:
        message = f"There are {len(filled)} fields to copy one after the other, and nobody here to say when."
        raise UsageError(message, hint="print them without --copy, or write them to a file with  --out FILE")
    for number, field in enumerate(filled, 1):
        how = clipboard.copy(field.text)
        if how is None:
            message = "It could not be copied: there is no clipboard here that reel can reach."
            raise ReelError(message, hint="print it without --copy, or write it to a file with  --out FILE")
        which = f"{number} of {len(filled)}, " if len(filled) > 1 else ""
        console.say(f"{clipboard.copied(how)} {which}{spell_size(field)}. Paste it into:  {field.name}")
        if how == clipboard.BY_TERMINAL and number == 1:
            named = f" --for {bundle.place.name}" if bundle.place is not None else ""
            console.say(f"If pasting brings nothing, this shows the text, to copy by hand:  reel pack{named}")
        if number < len(filled):
            try:
                console.ask("Press Enter when it is there, for the next one.")
            except EOFError:
                console.say(f"Stopped there; {len(filled) - number} not copied.")
                return


def _filled(bundle: "Bundle") -> list["Field"]:
    return [field for field in bundle.fields if field.text]

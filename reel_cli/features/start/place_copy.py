"""A bundle for a place, at the terminal: which places there are, and its fields one after the other."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, UsageError

if TYPE_CHECKING:
    from reel_cli.core.pack.build_bundle import BundleRequest
    from reel_cli.core.values.bundle import Bundle, Field
    from reel_cli.core.values.place import Place
    from reel_cli.terminal.context import OpenKit

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
    filled = _filled(bundle)
    if len(bundle.fields) < 2:
        return bundle.text
    return "".join(f"=== {one.name} ({size(one)}) ===\n\n{one.text}" for one in filled)


def size(field: "Field") -> str:
    """Return the length of a field's text, in words."""
    of = f" of {field.limit:,}" if field.limit is not None else ""
    return f"{field.characters:,}{of} characters"


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
        by = (
            " (asked the terminal to; some refuse without saying so)"
            if how == "the terminal" and number == 1
            else ""
        )
        which = f"{number} of {len(filled)}, " if len(filled) > 1 else ""
        console.say(f"Copied {which}{size(field)}{by}. Paste it into:  {field.name}")
        if number < len(filled):
            try:
                console.ask("Press Enter when it is there, for the next one.")
            except EOFError:
                console.say(f"Stopped there; {len(filled) - number} not copied.")
                return


def _filled(bundle: "Bundle") -> list["Field"]:
    return [field for field in bundle.fields if field.text]

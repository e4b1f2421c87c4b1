"""Files that ship with reel, in a wheel or in a checkout."""

from pathlib import Path

from reel_cli.core.errors import ReelError

_HERE = Path(__file__).parents[1]


def template_folder() -> Path:
    """Return the folder of kit templates and asks: inside the wheel, or beside the package in a checkout."""
    for place in (_HERE / "templates", _HERE.parent / "templates"):
        if place.is_dir():
            return place
    message = "reel's own templates are missing from this installation."
    raise ReelError(message, hint="install it again:  pip install --force-reinstall reel-cli")


def read_ask(name: str) -> str:
    """Return the text of an ask template (`checkpoint`, `consolidate`, `repair`)."""
    return (template_folder() / "asks" / f"{name}.md").read_text(encoding="utf-8")


def list_adapters() -> list[str]:
    """Return the adapters that ship, by name."""
    return sorted(path.stem for path in (template_folder() / "adapters").glob("*.yaml"))


def read_adapter(name: str) -> str:
    """Return the text of an adapter that ships, by one of the names in `list_adapters`."""
    return (template_folder() / "adapters" / f"{name}.yaml").read_text(encoding="utf-8")


def list_places() -> list[str]:
    """Return the names of the places that ship, in which bundles are pasted."""
    return sorted(path.stem for path in (template_folder() / "places").glob("*.yaml"))


def read_place(name: str) -> str:
    """Return the text of a place that ships, by one of the names in `list_places`."""
    return (template_folder() / "places" / f"{name}.yaml").read_text(encoding="utf-8")


def read_kit_schema() -> bytes:
    """Return the JSON Schema for `kit.yaml`."""
    return (_HERE / "data" / "kit.schema.json").read_bytes()


def read_fading() -> str:
    """Return the words that say that a persona fades, by language."""
    return (_HERE / "data" / "fading.txt").read_text(encoding="utf-8")


def read_guard() -> bytes:
    """Return the hook that keeps a plain `git commit` from altering a kit's past."""
    return (_HERE / "data" / "guard.sh").read_bytes()


def read_advice_schema() -> bytes:
    """Return the JSON Schema for `memory.advise`."""
    return (_HERE / "data" / "advise.schema.json").read_bytes()

"""`ring1/`: the exemplar pool and its active set."""

import re
import unicodedata

from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.files.yaml_text import parse_mapping, render_scalar
from reel_cli.core.values.change import unbroken
from reel_cli.core.values.memory import ROLES, ActiveSet, Exemplar


def exemplar_path(slug: str) -> str:
    """Return the kit path of an exemplar."""
    return f"ring1/{slug}.md"


def slugify(title: str, taken: frozenset[str] = frozenset()) -> str:
    """Return a file name for a title, in ASCII, that is not in `taken`."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    base = re.sub(r"[^a-z0-9]+", "-", plain.casefold()).strip("-")[:48].rstrip("-") or "exemplar"
    slug, n = base, 2
    while slug in taken:
        slug, n = f"{base}-{n}", n + 1
    return slug


_LATER_ROLE = re.compile(r"[a-z][a-z-]{1,30}")


def parse_exemplar(text: str, path: str, *, later: bool = False) -> Exemplar:
    """Read one exemplar; ReelError naming the file when its front matter or role is wrong.

    In a kit of a `later` version a role that is not known is read as the general one, and the file keeps its
    own word (REEL §11.2).
    """
    document = front_matter.split(text, path)
    slug = path.rpartition("/")[2].removesuffix(".md")
    role = document.text("role", "general").strip().casefold()
    if later and role not in ROLES and _LATER_ROLE.fullmatch(role):
        role = "general"
    if role not in ROLES:
        message = f"{path}: role {role!r} is none of {', '.join(ROLES)}."
        raise ReelError(message)
    return Exemplar(
        slug=slug,
        title=unbroken(document.text("title").strip() or slug),
        role=role,
        text=document.body,
        added=document.text("added"),
        source=document.text("source"),
    )


def render_exemplar(exemplar: Exemplar) -> str:
    """Return a new exemplar file."""
    fields = {
        "title": render_scalar(exemplar.title),
        "role": exemplar.role,
        "added": render_scalar(exemplar.added),
        "source": render_scalar(exemplar.source),
    }
    return front_matter.render(fields, exemplar.text)


EXEMPLAR_KEYS = ("title", "role", "added", "source")
ACTIVE_KEYS = ("anchor", "active", "resting")


def parse_active(text: str, path: str) -> ActiveSet:
    """Read `active.yaml`; an empty file is an empty set."""
    fields = parse_mapping(text, path)
    anchor = fields.get("anchor", "")
    active = fields.get("active", "")
    if isinstance(active, str):
        active = [part.strip() for part in active.split(",") if part.strip()]
    if not isinstance(anchor, str) or not isinstance(active, list):
        message = f"{path} should hold `anchor:` and a list under `active:`."
        raise ReelError(message)
    resting = fields.get("resting", [])
    resting = resting if isinstance(resting, list) else [resting]
    slugs, rested = (
        tuple(dict.fromkeys(slug for slug in found if isinstance(slug, str) and slug))
        for found in (active, resting)
    )
    return ActiveSet(anchor.strip() or None, slugs, rested)


def set_active(text: str, active: ActiveSet) -> str:
    """Return the file with its anchor and set changed, comments elsewhere kept."""
    return front_matter.set_yaml_fields(
        text,
        {
            "anchor": render_scalar(active.anchor) if active.anchor else '""',
            "active": _listed(active.active) or "[]",
            "resting": _listed(active.resting),
        },
    )


def _listed(slugs: tuple[str, ...]) -> str | None:
    return "\n" + "\n".join(f"  - {render_scalar(slug)}" for slug in slugs) if slugs else None

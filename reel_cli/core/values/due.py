"""A thing that is due, as `reel status` lists it."""

from reel_cli.core.frozen import frozen


@frozen
class Due:
    """One thing that is due, and the reason in words."""

    what: str
    why: str
    command: str = ""
    """The command that does it, where that is not the usual one for such a thing."""

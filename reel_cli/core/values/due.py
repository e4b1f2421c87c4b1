"""Things to see to: what is due, as `reel status` lists it, and what to know before the next chat."""

from reel_cli.core.frozen import frozen


@frozen
class Due:
    """One thing that is due, and the reason in words."""

    what: str
    why: str
    command: str = ""
    """The command that does it, where that is not the usual one for such a thing."""


@frozen
class KitWarning:
    """One thing that is missing, damaged, owed or unsafe, and the command that mends it.

    `kind` is a short word for programs (`missing`, `damaged`, `conflict`, `page`, `flag`, ...). `text` is one
    plain sentence without a full stop. `mend` is a command that works as printed ("" for none), and `path`
    the kit path that it is about ("" for none).
    """

    kind: str
    text: str
    mend: str = ""
    path: str = ""

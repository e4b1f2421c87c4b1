"""The facts about a model's own file that packing needs."""

from typing import NamedTuple


class About(NamedTuple):
    """The facts about a model file beside its vocabulary.

    `path`, `size` and `mtime` (in nanoseconds) are the file's when it was read; `model` names the kind of
    its vocabulary there and `kind` here, `pre` its rules, `tokens` its size. `context` is the length the
    model was made for, 0 where it is not said; `template` names its chat template, where that is known.
    """

    path: str
    size: int
    mtime: int
    model: str
    kind: str
    pre: str
    tokens: int
    context: int = 0
    template: str = ""
    digest: str = ""

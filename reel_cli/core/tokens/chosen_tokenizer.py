"""The tokenizer of a kit's setting, where that is more than an encoding's name."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.ports import bring
from reel_cli.core.tokens.choice import parse_choice

if TYPE_CHECKING:
    from reel_cli.core.tokens.counter import Tokenizer


def get_chosen(name: str) -> "Tokenizer":
    """Return the tokenizer that a setting names: a model's file, or an encoding with a margin.

    Raises ReelError where there is none such.
    """
    choice = parse_choice(name)
    if choice.is_file:
        for load in bring("tokenizers"):
            found: Tokenizer = load(choice)
            return found
    from reel_cli.core.tokens.counter import KNOWN, get_tokenizer
    from reel_cli.core.tokens.margin import WithMargin

    if choice.what in KNOWN and not choice.like:
        return WithMargin(get_tokenizer(choice.what), choice.margin)
    message = f"There is no tokenizer called {choice.what!r}."
    raise ReelError(message, hint=f"the ones there are: {', '.join(KNOWN)}, or your model's own file (.gguf)")

"""A new kit that begins with a character card: what its first commit holds."""

from datetime import datetime

from reel_cli.core.errors import ReelError
from reel_cli.core.files.settings_file import parse_settings
from reel_cli.core.git.repository import KIT_ATTRIBUTES, KIT_IGNORE
from reel_cli.core.kit.snapshot import IDENTITY
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.change import Change
from reel_cli.features.cards.card_file import CardFile
from reel_cli.features.cards.nonsense import require_character
from reel_cli.features.cards.plan_in import CardKit, make_card_kit
from reel_cli.features.init.plan import Choices, NewKit, check_name, count_identity, note_share, settings_text


def plan_card_init(card: CardFile, shown: str, choices: Choices, *, now: datetime) -> tuple[NewKit, CardKit]:
    """Plan the first commit of a kit that begins with a character card, which was called `shown`.

    Returns the kit as planned, and what of the card went where. Raises ReelError as `plan_init` does, and
    where neither the card nor the person says what the character is called.
    """
    require_character(card, shown)
    for name in (choices.name, choices.user):
        if name is not None:
            check_name(name)
    if not choices.name:
        message = f"{shown} does not say what the character is called."
        raise ReelError(message, hint="say it with  --name NAME")
    text = settings_text(choices, choices.name)
    settings = parse_settings(text, fallback_name=choices.name)
    made = make_card_kit(card, settings, now=now, tokenizer=get_tokenizer(settings.tokenizer))
    files = {
        "kit.yaml": text.encode(),
        ".gitignore": KIT_IGNORE,
        ".gitattributes": KIT_ATTRIBUTES,
        **made.files,
    }
    if choices.identity is not None:
        files[IDENTITY] = (choices.identity.rstrip("\n") + "\n").encode()
    change = Change("init", f"{settings.name}, from a character card", files, made.trailers)
    tokens = count_identity(files, settings)
    shares = note_share(settings, tokens)
    return NewKit(change, settings, tokens, (*made.notes, *shares)), made

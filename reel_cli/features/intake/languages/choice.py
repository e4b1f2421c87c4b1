"""Languages of a turn, told from its script and its commonest words, and the rules of each."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from re import IGNORECASE
from typing import cast

from reel_cli.core.frozen import late
from reel_cli.features.intake.languages import english
from reel_cli.features.intake.signs import Rules

_CYRILLIC, _KANA, _HAN = late("[а-яё]", IGNORECASE), late("[぀-ヿ]"), late("[㐀-鿿]")
_COMMON = {
    "german": (
        "ich nicht und ist mich mein meine meinen meiner meinem dich dir wir habe hab haben wird "
        "werde bitte nein ein eine einen für auf mit vergiss merk merke heute sie heiße versprochen "
        "beschlossen morgen das der wurde bei mir dem"
    ),
    "french": (
        "non le je moi toi nous vous est suis mon mes une avec chez très demain elle que qui mais "
        "souviens rappelle promis oublie ça cette décidé désormais"
    ),
    "spanish": (
        "mi te la los las en yo mí soy estoy tengo está muy pero una mañana recuerda voy por qué "
        "que nos el del para como más cuando esto eso hoy ahora nunca siempre tiene puedo debo "
        "comer decidido acuérdate prometo vivo llamo"
    ),
    "italian": (
        "che il ti gli di non sono ho perché della domani questo anche prometto venerdì con mi del al alla"
    ),
    "portuguese": (
        "te na nas nos eu não meu minha você vou tenho estou uma amanhã isso sou muito à às ao "
        "agora lembre lembra prometo moro por que para como mais quando já hoje tem nunca sempre "
        "nasci consegui decidi chamo foi"
    ),
}
"""Words of which nearly every turn in a language has one, but that few English turns have."""
_LETTERS = (
    ("german", late("[äöüß]")),
    ("french", late("[çœèêàâîûëïùé]")),
    ("spanish", late("[ñ¿¡áéíóú]")),
    ("portuguese", late("[ãõçáéíóúâêôà]")),
    ("italian", late("[àèìòù]")),
)
"""Letters that show a language, in a turn with none of its words too."""
_ELISION = late(r"(?<![a-z])[jldcnstm]'(?!em\b)[a-zéèêàâœ]{2}")
_LANGUAGES: dict[str, tuple[str, ...]] = {}
for _name, _words in _COMMON.items():
    for _one in _words.split():
        # splitting at spaces alone is several times faster than finding words
        for _told in (_one, *(f"{_one}{_mark}" for _mark in ",.!:"), f"¿{_one}", f"¡{_one}"):
            _LANGUAGES[_told] = (*_LANGUAGES.get(_told, ()), _name)


def rules_of(small: str) -> Iterator[Rules]:
    """Yield the rules for a turn in small letters: English always, and each language that its words show."""
    yield english.RULES
    common = _LANGUAGES.keys() & set(small.split())
    names = {name for word in common for name in _LANGUAGES[word]}
    if "'" in small and _ELISION.search(small):
        names.add("french")
    if not small.isascii():
        names |= {name for name, letters in _LETTERS if letters.search(small)}
    yield from (_rules(name) for name in _COMMON if name in names)
    if small.isascii():
        return
    if _CYRILLIC.search(small):
        yield _rules("russian")
    if _KANA.search(small):
        yield _rules("japanese")
    elif _HAN.search(small):
        yield _rules("chinese")


@cache
def _rules(name: str) -> Rules:
    module = import_module(f"reel_cli.features.intake.languages.{name}")
    return cast("Rules", module.RULES)

"""Relatives, friends and pets of somebody else, which are no relations of the speaker (SRIP-11 §III.5b).

`My neighbour's wife is called Ruth` bears no wife of the speaker. Read in English, German, French, Spanish,
Italian, Portuguese and Dutch. A sentence that names one of the speaker's own as well counts as theirs.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum

from reel_cli.core.frozen import late
from reel_cli.features.facts.evidence.details.another_person import (
    KIN,
    KIN_ELSEWHERE,
    MY,
    NO_NAME,
    PERSON,
    THE,
    words_of,
)


class _Group(StrEnum):
    """Groups of relations whose words may stand for each other."""

    SPOUSE = "spouse"
    CHILD = "child"
    SIBLING = "sibling"
    PARENT = "parent"
    FRIEND = "friend"
    PET = "pet"
    OTHER = "other"


_WORDS = {
    _Group.SPOUSE: r"wife|husband|spouse|partner|girlfriend|boyfriend|fianc[ée]e?|(?:ehe)?frau|(?:ehe)?mann"
    r"|partnerin|femme|épou(?:se|x)|mari|compagne|compagnon|mujer|espos[oa]|marido|novi[oa]|moglie|marito"
    r"|compagn[oa]|mulher|namorad[oa]|vrouw|echtgeno(?:ot|te)",
    _Group.CHILD: r"sons?|daughters?|child(?:ren)?|kids?|s(?:o|ö)hne?|t(?:o|ö)chter|kind(?:er(?:en)?)?|fils"
    r"|filles?|enfants?|hij[oa]s?|figli[oae]?|filh[oa]s?|zo(?:on|nen)|dochters?",
    _Group.SIBLING: r"sisters?|brothers?|schwestern?|br(?:u|ü)der|s(?:œ|oe)urs?|fr[èe]res?|herman[oa]s?"
    r"|sorell[ae]|fratell[oi]|irmãos?|irmãs?|zus(?:sen)?|broers?",
    _Group.PARENT: r"mother|father|mum|mom|dad|parents?|mutter|vater|eltern|m[èe]re|p[èe]re|madre|padres?"
    r"|genitori|mãe|pai|pais|moeder|vader|ouders",
    _Group.FRIEND: r"friends?|freund(?:e|in|innen)?|amie?s?|amig[oa]s?|amic[oah]+e?|vriend(?:in|en)?",
    _Group.PET: r"dogs?|cats?|pets?|horses?|pupp(?:y|ies)|kittens?|parrots?|rabbits?|hunde?|katzen?|kater"
    r"|haustiere?|pferde?|chiens?|chienne|chats?|chatte|perr[oa]s?|gat[oa]s?|mascotas?|caballo|can[ei]"
    r"|gatt[oaie]"
    r"|cavallo|cachorr[oa]s?|cão|cavalo|hond(?:en)?|kat(?:ten)?|poes|paard",
    _Group.OTHER: r"aunts?|uncles?|cousins?|nieces?|nephews?|boss|colleagues?|neighbou?rs?|tante|onkel"
    r"|chef(?:in)?|kolleg(?:e|in)|nachbar(?:in)?|nichte|neffe|cousine|nièce|neveu|t[íi][oa]|prim[oa]"
    r"|sobrin[oa]|vecin[oa]|jef[ea]|zi[oa]|cugin[oa]|nipote|vicin[oa]|vizinh[oa]|oom|neef|nicht",
}  # fmt: skip
_GROUPS = {group: late(rf"(?i)(?<![\w-])(?:{words})(?![\w-])") for group, words in _WORDS.items()}
_ANY = "|".join(_WORDS.values())
_DERIVED = late(
    r"(?i)in-law|\bgrand-?\w|\bgro(?:ß|ss)\w|\bsch?wieger\w|\bschwager\b|\b(?:beau|belle|petite?|arrière)-"
    r"|\b(?:step|half|stief|halb)-?\w|\b(?:god|foster)\w"
)
"""Pattern of a relation that goes by somebody else's: `father-in-law`."""
_OWNER = (
    rf"(?:{KIN}|{KIN_ELSEWHERE}|{PERSON}|{_WORDS[_Group.OTHER]}|parents?|eltern|manager|teacher|doctor"
    rf"|dentist"
    r"|coach|chefe|colega|compañer[oa]|capo|collega|buur(?:man|vrouw)|buren|baas|vriend|oom)(?:s|n|e|en|es"
    r"|innen)?"
)
_OWNED_BY = rf"(?:(?:{MY}|{THE})\s+)?(?:(?!(?:{MY})\s)[\w-]+\s+)?{_OWNER}\b"
_PLAIN = rf"(?!(?:{MY}|i|is|was|an?|the|not|with|and|or|und|et|y|e|en|oder|ou|o)\s)[\w-]+\s+"
_SUBJECT = (
    rf"(?:(?:{MY}|{THE})\s+(?:[\w-]+\s+)?{_OWNER}(?:,?\s+(?-i:[A-ZÀ-ÖØ-Þ])[\w-]+)?|he|she|they|er|sie|ils?"
    rf"|elles?"
    rf"|él|ell[ao]s?|lui|lei|el[ea]s?|hij|zij|ze|^\W*(?P<name>(?-i:[A-ZÀ-ÖØ-Þ])[\w-]+))"
)
_ARTICLE = (
    r"(?:got\s+)?(?:an?|one|two|three|ein(?:e[nr]?)?|zwei|une?|deux|una?|un|dos|due|uma?|dois|duas|een"
    r"|twee)"
)
_HAS = (
    r"(?:has|had|have|hat|hatte|haben|a|ont|avait|tiene|tenía|tienen|ha|hanno|aveva|tem|tinha|têm|heeft"
    r"|hebben)"
)
_ANOTHERS = tuple(
    late(rf"(?i){words}")
    for words in (
        rf"\b(?P<owner>{_OWNED_BY})(?:['’]s|(?<=s)['’])\s+(?:{_PLAIN}){{0,2}}?(?P<kin>{_ANY})\b",
        rf"\b(?-i:(?P<name>[A-ZÀ-ÖØ-Þ][\w-]+))(?:['’]s|(?<=s)['’])\s+(?:{_PLAIN}){{0,2}}?(?P<kin>{_ANY})\b",
        (
            r"\b(?:his|her|their|seine?[mnrs]?|ihre?[mnrs]?|(?<!\bmy )(?<!\bour )(?<!\ba )(?<!\bthe )son|sa"
            r"|ses|leurs?"
            rf"|sus?|suo|suoi|sue|seus?|suas?|zijn|haar|hun)\s+(?:{_PLAIN})?(?P<kin>{_ANY})\b"
        ),
        (
            rf"\b{_SUBJECT}\s+(?:also\s+|now\s+"
            rf"|already\s+)?{_HAS}\s+(?:{_ARTICLE}\s+)?(?:{_PLAIN}){{0,2}}?(?P<kin>{_ANY})\b"
        ),
        rf"\b{_SUBJECT}\s+eine?n?\s+(?:[\w-]+\s+)?(?P<kin>{_ANY})\b(?=[^.;!?]*\b(?:hat|hatte|haben|heeft)\b)",
        (
            rf"\b(?P<kin>{_ANY})\s+(?:(?-i:[A-ZÀ-ÖØ-Þ])[\w-]+\s+)?(?:(?:of|von|vom|van|de|del|della|dello|des"
            rf"|du|di|do"
            rf"|da|dei)\s+|dell['’]|d['’](?:une?\s+)?)(?P<owner>{_OWNED_BY})"
        ),
        (
            rf"\b(?P<kin>{_ANY})\s+(?P<owner>(?:(?:mein|unser|sein|ihr|ein)(?:es|er)|des"
            rf"|der)\s+(?:\w+\s+)?{_OWNER}\b)"
        ),
    )
)
"""Patterns of a relation that is somebody else's, at `kin`."""
_BECAME_MINE = late(
    r"(?i)\b(?:adopt\w*|bought|buy(?:ing)?|inherit\w*|t(?:ake|ook|aken)|g[ai]ven?|married|marry|mine|ours"
    r"|with (?:me|us)|us now|to me"
    r"|übern\w+|gekauft|geerbt|(?:ge)?heirat\w*|mit mir|épous\w+|avec moi|hérité|cas[éo]|conmigo|heredé"
    r"|sposat\w"
    r"|con me|casei|comigo|trouwd\w*|getrouwd|met mij)\b"
)
"""Pattern of words by which somebody else's may be the speaker's too."""
_DET = r"(?:(?:an?|the|eine?|der|die|das|une?|le|la|una?|el|il|uma?|o|een|de|het)\s+(?:[\w-]+\s+)?)?"
_I_AM = late(rf"(?i)(?<!\w)(?:i am|i['’]m|i was|bin|suis|soy|sono|ben)\s+{_DET}$")
"""Pattern of what makes the speaker somebody else's relation: `I'm the son of a teacher`."""
_AS = late(rf"(?i)\bas\s+{_DET}$")
_AS_BEHIND = late(r"(?i)\s*(?:[,.;:!?]|$|\b(?:i|we|in|at)\b)")
_HOLDS = late(r"(?i)\b(?:has|had|have)\b")
_MINE = rf"(?i)\b(?:{MY})\s+(?:[\w-]+\s+)?(?:{{words}})\b"
_HOUSEHOLD = (
    (late(_MINE.format(words=_WORDS[_Group.SPOUSE])), (_Group.CHILD, _Group.PET, _Group.FRIEND)),
    (late(_MINE.format(words=_WORDS[_Group.CHILD])), (_Group.PET,)),
)
"""The speaker's own, whose children, pets or friends may be the speaker's as well."""
_NAMED_OWNER = late(
    r"\b(?P<name>[A-ZÀ-ÖØ-Þ][\w-]+)['’]s?(?!\w)|\b(?:of|von|van|de|di) (?P<of>[A-ZÀ-ÖØ-Þ][\w-]+)"
)
_ELSE = late(rf"(?i)\b(?:{KIN}|{KIN_ELSEWHERE}|{PERSON}|{_ANY})s?\b")


def is_anothers_kin(said: tuple[str, str, str], key: str, told: str, names: Sequence[str]) -> bool:
    """Return whether a clause gives as somebody else's the relation that a fact gives as the user's.

    `said` is the clause, its sentence, and all the turns; `told` is all that the fact says, which may name
    whose relation it is. `names` are the user's, the kit's first.
    """
    clause, sentence, turns = said
    group = _group(key) or _group(told)
    if group is None or _DERIVED.search(told) or _tells_owner(told, group, names):
        return False
    own = words_of(names)
    mentions = {one.start() for one in _GROUPS[group].finditer(sentence)}
    others = set(_owned(sentence, own)) & mentions
    if not others or _BECAME_MINE.search(sentence) or any(one in own for one in _plain_words(sentence)):
        return False
    # `her dog` is of whom the sentence names, else of somebody named before
    names_owner = _tells_owner(sentence, group, names)
    if any(mine.search(sentence if names_owner else turns) and group in may for mine, may in _HOUSEHOLD):
        return False
    at = sentence.find(clause.strip())
    inside = {one for one in mentions if at <= one < at + len(clause.strip())}
    return mentions == others or bool(inside and inside <= others)


def _group(text: str) -> _Group | None:
    """Return the group of relations that a text names, where it names one alone."""
    found = [group for group, words in _GROUPS.items() if words.search(text.replace("_", " "))]
    return found[0] if len(found) == 1 else None


def _tells_owner(told: str, group: _Group, names: Sequence[str]) -> bool:
    """Return whether what a fact says has another person, by whom it is told as theirs."""
    own = words_of(names)
    found = [one["name"] or one["of"] for one in _NAMED_OWNER.finditer(told)]
    named = any(one.casefold() not in own and NO_NAME.fullmatch(one) is None for one in found)
    return named or _ELSE.search(_GROUPS[group].sub(" ", told)) is not None


def _owned(sentence: str, own: frozenset[str]) -> Iterator[int]:
    """Yield the places of the relations in a sentence that are somebody else's."""
    for pattern in _ANOTHERS:
        for one in pattern.finditer(sentence):
            if _is_speaker(sentence, one):
                continue
            name = one.groupdict().get("name")
            if name is None or not (name.casefold() in own or NO_NAME.fullmatch(name)):
                yield one.start("kin")


def _is_speaker(sentence: str, found: re.Match[str]) -> bool:
    """Return whether the relation found is the speaker: `I am her only brother`, but not `as she has one`."""
    before = sentence[: found.start()]
    as_one = _AS.search(before) and _AS_BEHIND.match(sentence, found.end()) and not _HOLDS.search(found[0])
    return bool(_I_AM.search(before) or as_one)


def _plain_words(text: str) -> Iterator[str]:
    return (one[0].casefold() for one in _WORD.finditer(text))


_WORD = late(r"[\w-]+")

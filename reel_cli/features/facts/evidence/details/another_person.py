"""Clauses that tell of somebody else what a fact gives as the user's own (SRIP-11 §III.5b)."""

from collections.abc import Collection, Sequence

from reel_cli.core.evidence.grounding.names import is_word
from reel_cli.core.frozen import late
from reel_cli.core.tokens.word_rank import word_rank
from reel_cli.features.facts.evidence.medicine import names_medicine

KIN = (
    r"sister|brother|mother|father|mum|mom|dad|friend|wife|husband|partner|girlfriend|boyfriend|son"
    r"|daughter"
    r"|child|kid|aunt|uncle|cousin|grand(?:mother|father|ma|pa|son|daughter)|niece|nephew|boss|colleague"
    r"|neighbou?r|roommate|flatmate|(?:step|half-?)?(?:sister|brother)(?:-in-law)?"
)
KIN_ELSEWHERE = (
    r"schwester|bruder|mutter|vater|mama|papa|freund(?:in)?|mann|frau|partner(?:in)?|sohn|tochter"
    r"|tante|onkel"
    r"|chef(?:in)?|kolleg(?:e|in)|nachbar(?:in)?|oma|opa|nichte|neffe|s(?:œ|oe)ur|fr[èe]re|m[èe]re"
    r"|p[èe]re|maman"
    r"|ami|amie|femme|mari|fils|fille|enfant|tante|oncle|patronne?|coll[èe]gue|voisine?|copine?"
    r"|hermana|hermano"
    r"|madre|padre|mam[áa]|pap[áa]|amig[oa]|mujer|marido|espos[oa]|hij[oa]|vecin[oa]"
    r"|t[íi][oa]|jef[ea]|abuel[oa]|irm[ãa]o?|m[ãa]e|pai|filh[oa]|ti[oa]|av[óôo]|vizinh[oa]|sorella"
    r"|fratello|mamma"
    r"|amic[oa]|moglie|marito|figli[oa]|zi[oa]|nonn[oa]|vicin[oa]|сестр\w+|брат\w*|мам\w+|пап\w+"
    r"|мат[ье]р?\w*"
    r"|siostr\w+|ojc(?:iec|a|u)|matk[aiąę]\w*|żon[ayęą]|mąż|córk\w+|przyjaci\w+|zus|broer|moeder|vader"
    r"|vriendin"
    r"|dochter|zoon|søster|syster|bror|mamma|pappa|datter|dotter"
    r"|от[ец]ц?\w*|друг\w*|подруг\w+|жен\w+|муж\w*|сын\w*|доч\w+|бабушк\w+|дедушк\w+|сосед\w*"
)
MY = (
    r"my|our|mein(?:e[mnrs]?)?|unser\w*|bei meine[mr]|ma|mon|mi|minha|meu|a minha|o meu|mia|mio|la mia"
    r"|il mio"
    r"|moj[aąe]|mój|mojej|mijn|onze|min|mitt|mit|мо[йяе]\w*|у мо\w+|у"
)
_AND = r"^\W*(?:(?:and|but|so|because|since|though|und|aber|denn|et|mais|car|y|pero|mas|e|ma|и|но|а)\s+)?"
PERSON = (
    r"girl|boy|man|woman|guy|lady|gentleman|kid|child|baby|fellow|chap|teenager|old man|old woman"
    r"|people|couple|tenant|lodger"
    r"|landlord|landlady|hero(?:ine)?|character|patient|student|pupil|client|customer|m[äa]dchen|junge"
    r"|mann|frau|kind|dame"
    r"|herr|leute|nachbar(?:in)?|fille|gar[çc]on|homme|femme|dame|monsieur|enfant|voisine?|chic[oa]"
    r"|hombre|mujer|señora?"
    r"|niñ[oa]|vecin[oa]|ragazz[oa]|uomo|donna|signora?|menin[oa]|homem|mulher|девочка|девушка|мальчик"
    r"|мужчина|женщина|парень"
)
THE = (
    r"the|that|this|an?|another|one|some|d(?:er|ie|as)|dieser?|dieses|ein[e]?|l[ea]|cette|cet"
    r"|un[ae]?|el|est[ea]|il|o|a|эта|этот|та|тот"
)
SOMEBODY = late(
    rf"(?i){_AND}(?:(?:{MY}) (?:[\w-]+[ -])?(?:{KIN}|{KIN_ELSEWHERE}|character|hero(?:ine)?)"
    rf"|(?:(?:{THE}) |l['’])(?:[\w-]+ )?(?:{PERSON}|{KIN}))\b"
)
"""Pattern of a clause's beginning that is about somebody in the speaker's life."""
OTHER = late(
    rf"(?i)\b(?:{KIN}|he|she|his|her|him|{KIN_ELSEWHERE}|er|sie|il|elle|él|ella|он|она)(?:['’]?s)?\b"
)
SAYS_I = late(
    r"(?i)\b(?:i|i['’][a-z]+|me|we|us|our|ich|mir|mich|wir|uns|je|moi|nous|yo|nosotr[oa]s|eu|nós|io"
    r"|noi|я|мне|меня|мы)\b"
    r"|\bj['’]"
)
OF_ONESELF = ("identity", "preferences", "constraints", "history")
"""Kinds of fact that are about the user, where they name nobody else."""
_YOU = late(
    rf"(?i){_AND}(?:you|du|tu|vous|usted|ты|вы|jij|je) ?(?:['’]re|are|r|were|have|bist|hast|es|as|êtes"
    rf"|avez|eres|tienes|sei|hai|bent|hebt)\b"
    r"|^\W*(?:you['’](?:re|ve)|t['’](?:es|as)|eres|tienes)\b"
)
"""Pattern of a clause's beginning that is about the one who is spoken to."""
_CALLED = late(
    rf"(?i){_AND}(?:{THE}) (?!(?:name|nom|nombre|nome)\b)[\w -]+? (?:is|was|are) (?:called|named)\b"
)
_PRONOUN = late(
    rf"(?i){_AND}(?:now |today |here |there )?(?:(?:he|she)(?:['’](?:s|ll|d))?"
    r"|(?:his|her)(?: [\w-]+){1,3}?)(?=\s)"
)
"""Pattern of a clause's beginning that is about somebody spoken of before."""
_NAMED = late(
    rf"{_AND}(?-i:(?P<name>[A-ZÀ-ÖØ-Þ][\w-]+))(?:,? [A-Z][\w-]+)?"
    r"(?:['’]s|,? (?:is|was|has|had|works|turned|turns|ist|hat|est|a|es|tiene|tem|ha|é|è))\b"
)
NO_NAME = late(
    r"(?i)(?:it|that|this|there|here|what|who|where|which|when|how|why|today|tomorrow|yesterday|work"
    r"|home|life"
    r"|age|everything|nothing|something|everybody|everyone|nobody|somebody|one|two|three|each|all|both"
    r"|someone|anyone|anybody|whoever|every|any|even|doctor|nurse|dose"
    r"|some|most|many|my|our|the|a|an|he|she|they|we|you|i|job|profession|name|birthday|mine|yours|not"
    r"|no|yes|well|now|then|also|still|so|and|but|mum|mom|dad|mama|papa|god|being|that's|it's|what's|es"
    r"|das|dies|mein|meine|alter|beruf|mon|ma|mi|minha|meu|mia|mio|il|la|el|le|o|a)"
)
"""Words that begin a sentence with a capital and name nobody."""
_TALE = late(
    r"(?i)\b(?:in|inside|dans|en|em|nel|nella|в) (?:(?:my|the|our|this|his|her|an?|mein\w*|d(?:er|em"
    r"|as)|mon"
    r"|ma|le|la|mi|el|minha|meu|no|mio|mia|мо\w+) )(?:[\w'’-]+ ){0,2}"
    r"(?:novel|story|tale|book|play|film|movie|game|script|chapter|roman|buch|geschichte|stück|spiel"
    r"|livre|pièce"
    r"|novela|cuento|libro|romance|livro|romanzo|racconto|романе|книге|рассказе)\b"
    r"|\bno meu (?:romance|livro|conto)\b"
    r"|\b(?:the|my|our|der|die|mein\w*|le|la|mon|el|il|o|a|l['’]|главн\w+) ?(?:main |haupt)?"
    r"(?:hero(?:ine)?|protagonist\w*|character|villain|narrator|held(?:in)?|hauptfigur|héros|héroïne"
    r"|personnage|héroe|heroína|herói|eroe|геро\w+)\b"
)
"""Pattern of what a clause tells of a tale."""
_AGE_OR_WORK = late(
    r"(?i)(?:.*\b)?(?:age|alter|edad|idade|âge|età|profession|job|occupation|work|birth\w*|born"
    r"|geburtstag|beruf)(?:\b.*)?"
)
_A_NAME = late(r"(?i)(?:first |full |nick|sur|last |given )?name|called|nickname")
OF_SELF = late(
    r"(?i)(?:my |user(?:['’]s)? |current |home )?(?:age|birth ?(?:day|date|year)|cit(?:y|ies)|town|village"
    r"|home(?: ?town)?|address|residence|country|place|location|place of residence|lives in|job|work"
    r"|profession|occupation|employer|workplace|pets?|cats?|dogs?|allerg(?:y|ies)|illness|condition"
    r"|smoking|diet|languages?"
    r"|nationality|stadt|wohnort|beruf|alter|haustiere?|ville|métier|ciudad|trabajo|cidade|città|город)"
)
"""Pattern of a name under which what is the case is told of the user."""


def tells_of_another(before: str, clause: str, told: str, key: str, names: Sequence[str]) -> bool:
    """Return whether a clause tells of somebody else, or of a tale, what a fact tells of the user.

    `before` stands before its words; `told` is all that the fact says, and `names` are the user's, the kit's
    first.
    """
    if SAYS_I.search(clause) or OTHER.search(told) or _names_somebody(key, told, names, before + clause):
        return False
    is_name = _A_NAME.fullmatch(key) is not None
    # who the persona is waits for a person by itself: `You are Mallory`
    of_persona = is_name and not any(one in told for one in names[:1])
    if (_YOU.match(clause) and not of_persona) or (is_name and _CALLED.match(clause)):
        return True
    if _TALE.search(before) and not _TALE.search(told):
        return True
    if _PRONOUN.match(clause) and _PRONOUN.match(before + " "):
        return True
    named = _NAMED.match(clause)
    if named is None or not _AGE_OR_WORK.fullmatch(key.replace("_", " ")):
        return False
    own = words_of(names)
    name = named["name"].casefold()
    is_other = NO_NAME.fullmatch(name) is None and name not in own
    return is_other and bool(own) and named.end("name") <= len(before)


def _names_somebody(key: str, told: str, names: Collection[str], words: str) -> bool:
    """Return whether what a fact says has a name of somebody but the user, by which it is theirs.

    A key may begin with a capital (`Lupus`): an ordinary word is a name only where `words` have it so.
    """
    own = words_of(names)
    keys = (one for one in _CAPITAL.findall(key) if is_somebody(one, alone=one in words))
    found = [*_OWNER.findall(told), *keys]
    return any(one.casefold() not in own and NO_NAME.fullmatch(one) is None for one in found)


def is_somebody(name: str, *, alone: bool) -> bool:
    """Return whether a word with a capital names a person: no medicine, and none that is an ordinary word.

    `alone`: only a person does what is said of it, and a word that is common with a capital, too, is a name.
    """
    plain = name.casefold()
    if NO_NAME.fullmatch(plain) is not None or names_medicine(plain):
        return False
    return not is_word(plain) or (alone and word_rank(plain.capitalize()) is not None)


def words_of(names: Collection[str]) -> frozenset[str]:
    """Return the words of several names, without their case."""
    return frozenset(part.casefold() for one in names for part in one.split())


_OWNER = late(r"\b[A-Z][\w-]+(?=['’]s\b|:| (?:is|was|has|had|works|lives|likes|can|cannot|does)\b)")
_CAPITAL = late(r"\b[A-Z][\w-]+")

"""The meaning of a fact's name: words that a talk must have before somebody is a wife, or a dish an allergy.

A value may stand in a turn that says something else: “the stop moved in 1974” is nobody's birth year. The
names are those by which an invented fact would do harm: what protects somebody, and who is who.
"""

import re
from collections.abc import Iterable

from reel_cli.core.evidence.grounding.lexicon import even, sentences, telling
from reel_cli.core.frozen import late
from reel_cli.core.informal_words import write_out

_WHOSE = r"(?:(?:my|his|her|their|our|the|[\w-]+['’]s?)\s+)?"
_OF_IT = r"(?:['’]?s?\s+(?:name|day|date|year|place|venue))?"


def _named(words: str) -> re.Pattern[str]:
    """Return the pattern of a name that is one of these words, whosever it is."""
    return late(rf"(?i){_WHOSE}(?:ex[- ]|late |future )?(?:{words}){_OF_IT}")


_MARRIED = (
    r"\bwi(?:fe|ves)\b|husband|spouse|\bmarr(?:y|ied|ies|iage)|wedding|partner|hubby|missus|\bbride"
    r"|\bgroom\b|honeymoon"
    r"|divorc|widow|fianc|\bengaged\b|in-laws?|\behe|\bfrau\b|gatt(?:e|in)\b|heirat|hochzeit|verlob"
    r"|\bfemme\b|\bmari\b"
    r"|épou|mariage|noces|espos|marido|\bmujer\b|\bboda\b|\bcas(?:ad|ar|am)|mogli|marit|matrimon|nozze|sposa"
    r"|\bжен[аыуе]|жени|муж|свадьб|замуж|супруг|妻|夫|奥さん|旦那|嫁|結婚|结婚|婚礼|婚|老婆|老公|太太|anniversar"
)
_NUMBER = (
    r"(?:\d{1,3}|(?:eigh|nine|thir|four|fif|six|seven)teen|eleven|twelve"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[- ]\w+)?)"
)
_BORN = (
    r"\bborn\b|birth|\bb-?day\b|\baged?\b|years? old|year-old|\byrs?\b|\bturn(?:s|ed|ing)?\s+(?:\d|"
    + _NUMBER
    + r")"
    r"|\b(?:i['’]?m|i (?:am|was)|(?:he|she)(?:['’]s| is| was)|(?:they|we)(?:['’]re| are)|(?!(?:It|That"
    r"|This|There|He|She)\b)(?-i:[A-Z])\w+ is)\s+(?:(?:only|just|already|almost|nearly|now|to be)\s+)?"
    + _NUMBER
    + r"(?=\s*(?:[.,;!?]|$|now\b|today\b|since\b|as of\b|by now\b|and\b|but\b|this\b|next\b"
    r"|in (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)))"
    r"|(?:['’]ll| will) be " + _NUMBER + r"(?=\s+(?:on|in|this|next)\b)"
    r"|(?:\w['’]s|\b(?:my|his|her|their|your)) (?:\d{1,3}(?:st|nd|rd|th)"
    r"|\w{3,8}(?:teenth|tieth))(?=\s*(?:[.,;!?)]|$|(?:and|but|so|with|at|in|on|today|yesterday|party)\b))"
    r"|(?:\w['’]s|\b(?:mum|mom|dad|nan|gran|grandma|grandad|sister|brother|wife|husband|son|daughter)s) "
    rf"(?:only |just |nearly )?{_NUMBER}(?=\s+(?:on|this|next|tomorrow|in|today)\b)"
    rf"|\b{_NUMBER} (?:(?:just )?like|same as) (?:me|you|him|her|us)\b"
    r"|geboren|geburt|jahre alt|\bcumpl|naci[óodm]|\baños\b|\bnée?\b|anniversaire|\bans\b|\banos\b|nasc[ie]"
    r"|compleann|\b(?:sono|è) nat[oa]\b|\banni\b|родил|рожд|\bлет\b|\bгод|岁|歳|生まれ|誕生|生日|出生"
    # a number by itself behind a name: `I'm Maria, 52`
    r"|[^\W\d_]+, \d{1,2}(?!\d|\s*\w)"
)
_HARMS = (
    r"allerg|al[eé]rg|аллерг|アレルギ|알레르기|过敏|過敏|intoler|unverträg|vertr[aä]g|react|anaphyl|epi-?pen|hives|\brash"
    r"|swell|swollen"
    r"|\bitch|wheez|sensitiv|co?eliac|celiac|lactose|histamin|\bsick\b|\bill\b|hospital|ambulance"
    r"|\bdie\b|\bkills?\b|throat"
    r"|break(?:s)? out|\bcan (?:only )?eat\b"
    r"|\b(?:can['’]?t|cannot|can ?not|do(?:es)?n['’]?t|do(?:es)? not|must ?n['’]?t"
    r"|must not|never|not allowed to)"
    r"\s+(?:\w+\s+)?(?:eat|have|drink|touch|take|tolerate|stand|digest|be near|go near)|\bavoid|-free\b"
    r"|free of\b"
    r"|не (?:ем|могу|переношу)|食べられ|飲めない|不能吃"
)
_TREATS = (
    r"medic|\bmeds?\b|\bpills?\b|tablet|capsule|\bdos(?:e|es|age)|\bdrugs?\b|prescri|\btak(?:e|es|en"
    r"|ing)\b|\btook\b|\bmg\b"
    r"|milligram|\binject|\bshots?\b|insulin|inhal|epi-?pen|\bdrops\b|ointment|\bcream\b|syrup"
    r"|antibioti|painkill|treatment"
    r"|doctor|pharmac|chemist|therap|patch|medik|tablett|\barzt|arznei|\bnehme|nimmt|méd|comprim"
    r"|\b(?:once|twice|(?:\d|two|three|four) times) (?:a|per) day\b|\bprend|medicam|pastill"
    r"|\btom[aoé]\b|remédio|remedio|farmac|compress|лекарств|таблет|принима|薬|服用|药|藥"
)
_MEANINGS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (
        _named(
            r"wife|husband|spouse|wedding|marriage|married(?: to| since| on)?|wedding anniversary"
            r"|ehefrau|ehemann"
            r"|frau|hochzeit|épouse|mari|mariage|esposa|esposo|marido|boda|casamento|moglie|marito|matrimonio"
            r"|жена|муж|свадьба|妻|夫|結婚|结婚"
        ),
        late(rf"(?i){_MARRIED}"),
    ),
    (
        _named(
            r"age|birth ?day|birth ?date|birth(?: year)?|date of birth|year of birth|born(?: on| in)?"
            r"|geburtstag|geburtsjahr"
            r"|alter|cumpleaños|edad|anniversaire|âge|aniversário|idade|compleanno|età|день рождения|возраст"
            r"|誕生日|年齢|生日|年龄"
        ),
        late(rf"(?i){_BORN}"),
    ),
    (
        late(
            r"(?i).*(?:allerg(?!ist|olog)|al[eé]rg|аллерг|アレルギ|알레르기|过敏|過敏|intoleran|unverträglich|anaphyla).*"
        ),
        late(rf"(?i){_HARMS}"),
    ),
    (
        late(
            r"(?i)(?:.*\b)?(?:medicines?|medications?|meds?|pills?|prescriptions?|dos(?:e|age)"
            r"|medikamente?|médicaments?"
            r"|medicamentos?|medicina|farmac[io]|лекарств\w*|薬|药)(?:\b.*)?"
        ),
        late(rf"(?i){_TREATS}"),
    ),
)
_REFUSES = late(
    r"(?i)(?:.*\b)?(?:never|no|not|cannot|can['’]?t|avoids?|refuses|without|niemals?|kein\w*|jamais"
    r"|nunca|mai|никогда)(?:\b.*)?"
)
"""Pattern of a name that denies something: `never eats`."""
_DENIED = late(
    r"(?i)\b(?:no|nope|not|never|none|nothing|nobody|neither|nor|cannot|avoid\w*|refuse\w*|without"
    r"|stop\w*|quit|hate\w*|off"
    r"|free|allerg\w*|forbid\w*|banned|nie\w*|kein\w*|nicht|jamais|pas|nunca|não|non|mai|не|нет|никогда)\b"
    r"|n['’]t\b|ない|ません|不|没"
)

_SHARE = 0.6
"""Share of a value's words that a sentence must have to deny the value."""


def lacks_meaning(key: str, value: str, texts: Iterable[str], *, protects: bool) -> bool:
    """Return whether a fact's name says what no text says; names that need no word of their own never do.

    `protects`: a name that denies something has to be denied there too, of the value or in a question.
    """
    plain = re.sub(r"[_\s]+", " ", key).strip()
    said = [even(write_out(text)) for text in texts]
    wanted = [cue for name, cue in _MEANINGS if name.fullmatch(plain)]
    if wanted:
        return not any(cue.search(text) for cue in wanted for text in said)
    if not protects or not _REFUSES.fullmatch(plain):
        return False
    mine = telling(value)
    told = (text[start:end] for text in said for start, end in sentences(text))
    name = telling(plain)
    return not any(
        _DENIED.search(one)
        and ("?" in one or name & telling(one) or len(mine & telling(one)) >= _SHARE * len(mine))
        for one in told
    )


OWNER = late(r"(?i)\s*(?P<who>[^'’]{2,40}?)(?:['’]s|(?<=s)['’])\s+\S")
"""Pattern of a name that says whose it is: `Agnes's allergy`."""
_SELF = late(r"(?i)\b(?:i|i['’](?:m|ve|d|ll)|my|me)\b")
_SOMEBODY = late(r"(?i)\b(?:he|she|they|him|her|his|hers|them|their|we|our)\b")


def names_another(key: str, words: str, names: str) -> str:
    """Return whose a fact is by its name, where its words are said of the speaker alone; "" otherwise.

    `names` are those of the two who talk.
    """
    whose = OWNER.match(even(key))
    owner = telling(whose["who"]) - telling(names) if whose is not None else frozenset[str]()
    plain = even(words)
    if not owner or owner & telling(plain) or _SOMEBODY.search(plain) or not _SELF.search(plain):
        return ""
    return whose["who"].strip() if whose is not None else ""

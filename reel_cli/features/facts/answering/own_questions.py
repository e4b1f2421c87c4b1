"""Questions about oneself whose words stand in no fact: `where do I live` is answered by `city`.

The tables hold English, German, French, Spanish, Portuguese, Italian, Russian, Japanese and Chinese.
"""

import re
from collections.abc import Sequence

from reel_cli.core.frozen import frozen, late

_BEFORE = (
    r"(?:(?:so|hey|ok|well|and|please|tell me|remind me|(?:do )?you (?:know|remember)|remember"
    r"|weißt du(?: noch)?|sag mal|dis[- ]moi|tu sais|te rappelles tu|dime|sabes|te acuerdas de"
    r"|diz[- ]me|dimmi|sai|ti ricordi|скажи|ты помнишь|помнишь|ねえ|你(?:还)?(?:知道|记得))\W+)*"
)
_NOW = (
    r"(?:\W+(?:now|currently|these days|again|jetzt|gerade|eigentlich|nochmal|maintenant|ahora|agora|adesso"
    r"|ora|сейчас|теперь))*"
)
_AM = r"(?:['’]s| is)"


@frozen
class OwnQuestion:
    """A question about oneself, and the names of facts that answer it, the surest first."""

    keys: Sequence[str]
    asked: re.Pattern[str]


def _own(keys: str, *asked: str) -> OwnQuestion:
    return OwnQuestion(keys.split("|"), late(rf"\W*{_BEFORE}(?:{'|'.join(asked)}){_NOW}\W*"))


_QUESTIONS = (
    _own(
        "city|town|home|home city|home town|lives|lives in|living|where he lives|where she lives|where i live"
        "|residence|place of residence|place|location"
        "|village|country|address|stadt|wohnort|adresse|ville|domicile|ciudad|residencia"
        "|domicilio|dirección|cidade|morada|endereço|residência|città|residenza|indirizzo"
        "|город|адрес|место жительства|住所|居住地"
        "|都市|城市|住址|地址",
        r"where do i(?: now| currently)? live|(?:which|what) (?:city|town|village|country) do i live in",
        rf"where{_AM} my home|what{_AM} my (?:home )?address",
        r"wo (?:wohne|lebe) ich|in welche[rm] (?:stadt|ort|land) (?:wohne|lebe) ich",
        r"où (?:est[- ]ce que )?j['’ ]?habite|où habit[eé][- ]je|où (?:est[- ]ce que )?je vis|où vis[- ]je",
        r"(?:en )?(?:dónde|donde|qué ciudad) vivo(?: yo)?",
        r"(?:em )?(?:onde|que cidade)(?: é que)?(?: eu)? (?:moro|vivo)",
        r"(?:in )?(?:dove|che città|quale città) (?:vivo|abito)",
        r"(?:где|в каком городе) я (?:сейчас )?живу|где живу я",
        r"(?:私|僕|俺|わたし|ぼく)(?:は|って)?(?:今)?(?:どこ|何処)に住んで(?:い)?(?:る|ます)"
        r"(?:の|ん)?(?:ですか|だっけ|っけ|か)?",
        r"我(?:现在|現在)?住(?:在)?(?:哪(?:里|裡|儿|個城市|个城市)?|什么地方)(?:呢|啊)?",
    ),
    _own(
        "age|alter|âge|edad|idade|età|возраст|年齢|年龄|年齡|birthday|date of birth|birth date|born"
        "|birth year|year of birth|geburtstag|geburtsdatum|anniversaire|date de naissance"
        "|cumpleaños|fecha de nacimiento|aniversário|data de nascimento|compleanno|data di nascita"
        "|день рождения|дата рождения|誕生日|生日|出生日期",
        rf"how old am i|what{_AM} my age",
        r"wie alt bin ich",
        r"quel âge (?:ai[- ]je|j['’]ai|est[- ]ce que j['’]ai)|j['’]ai quel âge",
        r"(?:cuántos|cuantos) años tengo(?: yo)?|qué edad tengo",
        r"quantos anos(?: é que)?(?: eu)? tenho|que idade(?: eu)? tenho",
        r"quanti anni ho",
        r"сколько мне (?:сейчас )?лет",
        r"(?:私|僕|俺|わたし|ぼく)(?:は|って)?(?:今)?(?:何歳|いくつ)(?:ですか|だっけ|なの)?",
        r"我(?:今年|现在|現在)?(?:多大|几岁|幾歲)(?:了)?",
    ),
    _own(
        "profession|job|occupation|work|trade|beruf|arbeit|métier|profession|travail|profesión|trabajo|oficio"
        "|profissão|trabalho|professione|lavoro|mestiere|профессия|работа|職業|仕事|职业|工作",
        rf"what do i do(?: for (?:a living|work))?|what{_AM} my (?:job|profession|occupation|work)",
        r"was (?:mache ich beruflich|bin ich von beruf|arbeite ich)",
        r"quel est mon (?:métier|travail)|quelle est ma profession|qu['’]est[- ]ce que je fais dans la vie",
        r"(?:de|en) qué trabajo|cuál es mi (?:trabajo|profesión)",
        r"(?:com o que|em que|com quê)(?: eu)? trabalho|qual é (?:a )?minha profissão",
        r"che (?:lavoro|mestiere) faccio",
        r"кем я работаю",
        r"(?:私|僕|俺|わたし|ぼく)の(?:仕事|職業)は(?:何)?(?:ですか|だっけ)?",
        r"我是?做什么(?:工作)?的?",
    ),
)


def list_own_keys(text: str) -> Sequence[str]:
    """Return the names of facts that answer a question about oneself, the surest first; else none."""
    plain = " ".join(text.casefold().split())
    return next((one.keys for one in _QUESTIONS if one.asked.fullmatch(plain)), ())

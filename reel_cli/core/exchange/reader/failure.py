"""Failure: what a reply is that holds no page, told in a person's words.

A part that was asked for is kept, whatever its sentences say: what a model declines is told by the words
outside of parts, or by a first part in which nothing else stands.
"""

import re
from enum import StrEnum

from reel_cli.core.exchange.reader.cleaning import clean, is_fence
from reel_cli.core.exchange.reader.dialects import MANY_PARTS
from reel_cli.core.exchange.reader.labels import squash
from reel_cli.core.exchange.reader.repetition import drop_repetition
from reel_cli.core.exchange.reader.reply import ReplyReading
from reel_cli.core.frozen import late


class Failure(StrEnum):
    """The kinds of reply that are no page, each as the sentence that tells it."""

    EMPTY = "The reply is empty."
    PROMPT = "That is the prompt itself, not the answer to it."
    CUT_THOUGHTS = "The reply breaks off inside the model's own thoughts, before the page begins."
    THOUGHTS = "Only the model's own thoughts came, and no page."
    DECLINED = "The model declined to write the page."
    LOOP = "The model repeats the same words over and over, and wrote no page."
    OTHER_PAGES = "That answers another prompt: it holds several pages, and one was asked for."
    DATA = "That is data for a program, and no part of the page is in it."
    HEADINGS = "Its headings are not those of the prompt, which the page keeps, in English."
    LIST = "That is a list without the page's headings; it may be the answer to another prompt."
    CHAT = "That is the chat itself, not the answer."
    OTHER_TEXT = "That holds no page: none of its headings is there."
    TALK = "That is no page: the model went on talking, or something else was copied."

    @property
    def asks_again(self) -> bool:
        """Return whether the model is to be asked again: the whole answer was there, and is no page."""
        return self not in (Failure.EMPTY, Failure.PROMPT, Failure.CHAT, Failure.OTHER_TEXT)


FEW = 2
"""Parts of a page up to which a reply may be no page all the same."""
_HEAD = 700
"""Characters at the beginning of a reply within which a model declines."""
_FIRST_PARTS = ("title", "happened")
"""Keys of the parts that may hold a refusal in place of the page."""
_SHORT = 4
"""Words up to which a part is taken for what it says: a title may be “Not tonight”."""
_MOST_LIST = 0.75
_SEVERAL = 2
_QUOTED = late(r"\"[^\"\n]{0,400}\"|“[^”\n]{0,400}”|„[^“”\n]{0,400}[“”]|«[^»\n]{0,400}»|「[^」\n]{0,400}」")

_MACHINE = late(
    r"\bas an? (?:ai\b|artificial|(?:large )?language model|llm\b|(?:virtual |digital "
    r"|helpful )?assistant\b)"
    r"|\bi(?:'m| am) (?:just |only |simply |actually )?(?:an? )?"
    r"(?:ai\b|artificial intelligence|(?:large )?language model|llm\b|virtual assistant|claude\b"
    r"|chatgpt\b|gemini\b)"
    r"|\bi(?:'m| am) (?:not|no) (?:an? )?(?:real |actual )?(?:person|human)\b(?! who\b)"
    r"|\bals (?:eine? )?(?:ki\b|k\.i\.|künstliche|(?:ki-)?sprachmodell|ai\b|taalmodel)"
    r"|\bich bin (?:nur )?(?:eine? )?(?:ki\b|künstliche|sprachmodell)"
    r"|\ben tant qu(?:e |['’]) ?(?:modèle|ia\b|intelligence artificielle|assistant)"
    r"|\bje (?:ne )?suis (?:qu['’])?une? (?:ia\b|intelligence artificielle|modèle|assistant)"
    r"|\b(?:como|come|sou|soy|sono|são) (?:solo |apenas )?(?:una? |uma? |un['’])?"
    r"(?:modelo|modello|ia\b|inteligencia|inteligência|intelligenza|assistente|asistente)"
    r"|\bik ben (?:slechts |maar )?(?:een )?(?:ai\b|taalmodel)|\bai-assistent|spr[åa]kmodell|sprogmodel"
    r"|kunstig intelligens|artificiell intelligens|kielimalli|tekoäly|языков\w+ модел"
    r"|искусственн\w+ интеллект"
    r"|model\w* językow|sztuczn\w+ inteligencj|jazykov\w+ model|umělá inteligence|мовн\w+ модел"
    r"|штучн\w+ інтелект"
    r"|yapay z[ek]+|dil modeli|nyelvi modell?|mesterséges intelligencia|model de limbaj"
    r"|inteligență artificială"
    r"|言語モデル|人工知能|AIとして|AIなので|语言模型|語言模型|人工智能|人工智慧|AI助手|언어 ?모델"
    r"|인공지능|AI로서"
    r"|نموذج لغوي|γλωσσικό μοντέλο|τεχνητή νοημοσύνη|מודל שפה|בינה מלאכותית|نموذج لغة|ذكاء ا?ل?اصطناعي"
    r"|भाषा मॉडल|एआई|mô hình ngôn ngữ|trí tuệ nhân tạo|model bahasa"
    r"|kecerdasan buatan",
    re.IGNORECASE,
)
"""Pattern of a model that speaks of itself as a machine."""
_DOING = (
    r"(?:help(?! it\b| but\b| (?:him|her|them)\b)|assist|do (?:this|that|it|so)\b"
    r"|write(?! (?:him|her|them)\b)|fulfil|compl[yei]|continue|provide|generate|create|role-?play"
    r"|pretend(?! (?:it|not|that i)\b)|engage|participate|simulate|adopt|produce|answer|respond|take on"
    r"|act as|share|proceed"
    r"|support"
    r"|accommodate|process|put (?:this|that|it|myself)|play|claim|keep (?:a|this|up)|speak as|be (?:her"
    r"|him|that))"
)
_ENDS = r"(?=[^\w\s]|\s*\Z)"
_THIS = (
    r"(?= (?:to )?(?:this|that|it|do|write|fill|keep (?:a|this)|play|answer|take part|go along|continue|help"
    r"|comply|assist|be the one)\b)"
)
_REFUSES = late(
    r"\bi (?:(?:really|simply|just|truly|also|honestly|absolutely|still) )?"
    r"(?:can(?:['’]?t|not| not)|won['’]?t|will not|am (?:unable|not able)|['’]m (?:unable|not able)"
    r"|(?:am|['’]m) not going to|shouldn['’]t|do not|don['’]t)\b"
    r"(?! (?:promise|know|say|tell|think (?:she|he|they|it)|believe|imagine|remember|wait|see)\b)"
    rf"(?:[^.!?\n]{{0,60}}?)\b{_DOING}"
    r"|\b(?:unable|not able|not allowed|not permitted|not designed"
    rf"|not programmed) to\b[^.!?\n]{{0,30}}?\b{_DOING}"
    r"|\b(?:i(?:['’]m| am) (?:not|un) ?(?:really |entirely |quite |fully )?comfortable|(?:don['’]t"
    rf"|do not) feel (?:comfortable|right|able))(?:{_ENDS}| \w+ing\b| with (?:this|that|it)\b)"
    rf"|\bi(?:['’]d| would)? politely pass\b|\bi(?:['’]d| would)? (?:rather|prefer)(?: to)? (?:not|skip)\b"
    rf"(?:{_ENDS}|{_THIS})"
    r"|\bi (?:must|have to|need to|will|'ll|respectfully|am going to|'m going to) (?:respectfully "
    r"|politely )?"
    r"(?:decline|refuse|pass\b|stop (?:here|there)|step out of)"
    rf"|\bi (?:decline|refuse)\b(?:{_ENDS}|{_THIS})|\bi (?:am|'m) declining\b"
    r"|\brequest (?:was |has been |is |cannot be )?(?:declined|denied|refused|rejected|blocked|fulfilled)"
    r"|\b(?:violat\w+|against|breach\w*|conflicts? with)\b[^.!?\n]{0,40}\b(?:polic\w+|guideline\w*|terms"
    r"|principles)"
    r"|\b(?:guideline\w*|polic\w+|programming|safety \w+|principles)\b[^.!?\n]{0,20}"
    r"\b(?:prevents?|prohibits?|do(?:es)?n['’]t allow|do(?:es)? not allow|forbids?)"
    r"|\b(?:outside|beyond)(?: of)? (?:what i can|my (?:abilit|capabilit|scope))"
    r"|\b(?:flagged|blocked|filtered|removed) (?:by|for|due to|because|as)\b"
    r"|\bnot something i(?:['’]m| am|['’]d| can| would| want| will)"
    r"|\bi (?:don['’]t|do not|have no|lack|currently don['’]t)\b[^.!?\n]{0,20}"
    r"\b(?:memor(?:y|ies)|recollection|access to (?:the |any |our )?(?:previous|past|prior|earlier"
    r"|conversation|chat|transcript)"
    r"|record of|persistent|continuity|(?:personal )?experiences|feelings|consciousness)"
    r"|\b(?:step|stepping|break|breaking|come|coming) out of (?:the |this )?(?:role|character|fiction)"
    r"|\bprompt injection\b"
    r"|\bignor(?:e|ing) (?:these|those|the|your) instructions|\b(?:large )?language model (?:trained"
    r"|developed|created|made|built)\b|\bmodel refused"
    r"|\b(?:sorry|unfortunately|apolog\w+|regret\w*|afraid)\b[^.!?\n]{0,60}\b(?:can(?:['’]?t|not| not)"
    r"|won['’]?t|unable)\b(?! believe| wait)"
    r"|\bi can only (?:help|assist|answer|talk"
    r"|discuss)"
    r"|\b(?:is|it['’]s)(?: not|n['’]t) (?:part of what|what) i do\b|\b(?:hard|going to) pass\b"
    r"|\bi(?:['’]d| would) feel uneasy"
    r"|\b(?:leave|leaving|left) (?:the|this|it|that)(?: page| form)? (?:blank|empty|unwritten)\b"
    r"|\A\W*(?:no|nope|nein|non|nej|nee|nie|нет)\b\W*(?:sorry|thanks|thank you|danke|merci)?\W*\Z"
    r"|\A\W*not (?:tonight|today|now|this time)\b"
    r"|\blieber nicht|\bpréfère (?:ne pas|m['’]abstenir)|\bprefiero no|\bprefiro não"
    r"|\bpreferisco (?:di )?non|\bliever niet"
    r"|\bhelst (?:inte|ikke)|\bwol(?:ę|ał(?:a)?bym) nie|предпочитаю не|лучше не буду",
    re.IGNORECASE,
)
"""Pattern of a refusal that is complete by itself, most of them in English."""
_SORRY = late(
    r"\bleid\b|\bentschuldig\w*"
    r"|\bleider\b|\bbedau[er]+\w*"
    r"|désolée?|\bregrette|\bexcuse|malheureusement|\bhélas|lo siento|\blament\w*|desculp\w*"
    r"|\bsinto muito|infeliz\w*|\bdisculp\w*"
    r"|mi dispiace|\bspiacente|purtroppo|\bscus\w+|spijt me|\bhelaas|извин\w+|прости\w*|к сожалению"
    r"|przepraszam|przykro|niestety"
    r"|\btyvärr|\bledsen|förlåt|\bbeklag\w*|\bdesværre|\bdessverre|undskyld|unnskyld|valitettavasti"
    r"|pahoillani|anteeksi"
    r"|omlouvám|bohužel|lituji|вибач\w+|на жаль|üzgün\w*|maalesef|özür|sajn[áo]\w*|îmi pare rău|xin lỗi"
    r"|\bmaaf\b"
    r"|申し訳|すみません|ごめん|残念|抱歉|对不起|對不起|很遗憾|죄송|미안|유감|آسف|λυπάμαι|συγγνώμη|מצטער"
    r"|عذر|للأسف|क्षमा|माफ़|खेद",
    re.IGNORECASE,
)
_CANNOT = late(
    r"\bnicht\b|\bkeine?\b"
    r"|\bablehn\w*|\blehne\b"
    r"|\bne (?:peux|puis|suis|saurais|souhaite|veux|vais|dispose)|\bn['’]ai (?:ni|pas)|\bdécline"
    r"|\brefuse[rz]?\b"
    r"|\bno (?:puedo|soy|me es|me siento|tengo|debo|voy)|\b(?:declinar|rechazar|recusar)\b|\bnão (?:posso"
    r"|consigo|me|sou|vou|tenho)"
    r"|\bnon (?:posso|sono|me la|mi sento|ho|riesco|voglio)|\b(?:niet|geen)\b|\bне (?:могу|смогу|буду"
    r"|хочу|в состоянии|имею|можу)"
    r"|\bотказ\w+|\bnie (?:mogę|jestem|będę|mam|chcę)|\bodmówić|\b(?:inte|ikke)\b|\b(?:en voi|en pysty"
    r"|en halua)\b|\bnemohu|\bnemůžu"
    r"|yapamam|yazamam|olamam|edemem|mümkün değil|\bnem (?:tud\w*|áll)|\bnu pot\b|không thể"
    r"|\btidak (?:bisa|dapat)\b"
    r"|できません|できかねます|お応えでき|いたしかね|控え|ありません|无法|無法|不能|不便|没有|할 수 없"
    r"|수 없습니다|드릴 수 없|어렵습니다"
    r"|لا أستطيع|δεν μπορώ|לא יכול|لا يمكنني|لا يمكن|नहीं",
    re.IGNORECASE,
)
_NOT = late(
    r"n['’]t\b|\bnot\b|\bnever\b|\bno\b|\bcannot\b|\bunable\b|\bneither\b|\bnothing\b|\bnicht\b|\bkein\w*"
    r"|\bne\b|\bn['’]\w"
    r"|\bno\b|\bnão\b|\bnon\b|\bniet\b|\bgeen\b|\bне\b|\bнет\b|\bnie\b|\binte\b|\bikke\b|\ben\b|\bnem\b"
    r"|\bδεν\b|\bלא\b"
    r"|ません|ない|不|没|無法|无法|없|않|못|لا|नहीं|không|tidak",
    re.IGNORECASE,
)
_OWN = late(
    r"\b(?:i|i['’]\w+|me|my|mine|myself)\b|[^\x00-\x7f]|\b(?:ich|mir|mein\w*|je|j['’]|mon|mes|yo|mi|mis"
    r"|eu|meu|io|mio|ik|mijn|jag|jeg|puedo|posso)\b",
    re.IGNORECASE,
)
"""Pattern of the one who speaks; a sentence with other letters than English ones is taken for theirs."""
_TASK = late(
    r"\b(?:diar(?:y|ies)|journal\w*|entr(?:y|ies)|fill\w* (?:this|it|that)|forms?|memor(?:y|ies)"
    r"|remember (?:our|past|previous)|retain"
    r"|personas?|role-?play\w*|consciousness|sentien\w+|continuity|a person|human|an ai|designed|trained"
    r"|programmed"
    r"|guidelines?|polic(?:y|ies)|request|(?:write|do|complete|continue with|go along with) (?:this|that"
    r"|the page)|writing (?:this|that)"
    r"|tagebuch\w*|erinnerung\w*|schreiben|richtlinien|anfrage|demande|requête|richiesta|solicitud|pedido|verzoek|souvenirs?|mémoire|écrire|consignes|recuerdos?"
    r"|diario|escribir"
    r"|memórias?|diário|escrever|ricordi|scrivere|dagboek|herinnering\w*|schrijven|dagbok|minnen|skriva"
    r"|dagbog|minder|skrive)\b"
    r"|дневник|воспоминани|памят|писать|dziennik|wspomnie|pisać|日記|日记|记忆|記憶|回忆|기억|일기|対応"
    r"|ذاكرة|ذكريات|ημερολόγιο|זיכרונות",
    re.IGNORECASE,
)
"""Pattern of what is asked for, and of what a model says of itself when it declines."""
_OPENS_WITH_NO = late(
    r"\W*(?:(?:(?:i['’]m|i am) (?:(?:so|very|really) )?sorry|sorry|i apologi[sz]e|unfortunately)\b"
    r"[\W_]*(?:but )?)?"
    r"i (?:can(?:['’]?t|not| not)|won['’]?t|(?:am|['’]m) (?:unable|not able) to|(?:am|['’]m) not going to) "
    r"(?:help with|assist with|write (?:this|that|a|as)\b|fulfil|comply|role-?play|pretend to|take part)",
    re.IGNORECASE,
)
"""Pattern of a reply that begins with its refusal, whatever else its first sentence tells."""
_ENDED = late(r"[.!?。！？…।؟]")
_SENTENCE = late(r"[.!?]+(?:\s|\Z)|[。！？…\n]+")
_NARRATES = late(
    r"\b(?:said|told|asked|answered|replied|laughed|smiled|nodded|felt|knew|wrote|came|went|did|didn['’]t"
    r"|(?<!if i )(?<!though i )was"
    r"(?! (?:filtered|blocked|removed|flagged|declined|denied|refused|rejected|designed|trained)\b)"
    r"|wasn['’]t|(?<!if i )(?<!though i )were"
    r"|weren['’]t|(?<!if i )(?<!though i )had|hadn['’]t|kept|filled|spoke|wanted|meant|stood|sat|took|gave"
    r"|left him|left her|couldn['’]t|wouldn['’]t|he|she|they|him|her|them)\b"
    r"|\bi (?:don['’]t|do not|can['’]t|cannot|can not|won['’]t) (?:remember|know|believe|imagine|promise)\b"
    r"|\b(?:er|sie|tat|kam|sagte|war|waren|hatte|hatten|ging|lachte|fragte|schrieb|wollte|konnte|wusste|hat)\b"
    r"|\b(?:ai dit|a dit|dit-(?:il|elle)|disait|étais|était|avait|avais|voulait|pouvait|regrettais|elle)\b"
    r"|\b(?:dijo|dije|era|estaba|había|fue|quería|podía|ella|disse|dissi|ero|aveva|stava|ela|fui|foi)\b"
    r"|\b(?:zei|kwam|hij|lachte|sade|hade|sagde|havde)\b|\b(?:сказал\w*|был\w*|он|она)\b"
    r"|\b(?:powiedział\w*|był\w*)\b|言った|でした|だった|と言|说道|說道|他说|她说|我说",
    re.IGNORECASE,
)
"""Pattern of a sentence that tells what was, or of somebody else; none in which a model declines a page."""
_OFFERS = late(
    r"\W*(?:(?:but|however|instead|if you|perhaps|would you|do you|what i can|i can|i could|i['’]d be"
    r"|i would be|i['’]m happy|i am happy|let me know|please|feel free|is there|could you)\b|ich kann\b"
    r"|je peux\b|puedo\b|posso\b)",
    re.IGNORECASE,
)
"""Pattern of a sentence that offers something else in place of the page."""
_ROW = late(
    r"[ \t]*(?:[-*+•]|\(?\d{1,3}[.):]|\|.*\||[^|\n]{1,60}(?:\|[^|\n]*){2,}|[\w -]{1,40}:(?:[ \t]|$)"
    r"|[A-Z]-\d{3})"
)
_DATA = late(
    r"\s*(?:`{3,}[ \t]*[\w+-]*\s*)?(?:[{\[](?=\s*[\"'{\[\]}])|</?[A-Za-z][\w-]*[ >/]|(?:def|import|from"
    r"|class|function|const|let) \w)"
)
_YAML = late(r"(?:[\w-]+:(?:[ \t]+\S.*)?|[ \t]+(?:- )?\S.*|- \S.*)")
_SPEAKER = late(r"[ \t*_]{0,4}[^\W\d_][\w .'’-]{0,24}[*_]{0,3}:[*_]{0,3}[ \t]")
_PAGE_HEAD = late(r"(?im)^[ \t]*(?:#{1,6}[ \t]*|\*\*)(?:page|memory|entry) (\d{1,3})\b[^\n]{0,120}$")
_HEADING = late(r"(?m)^[ \t]*(?:#{1,6}[ \t]*|\*\*)([^\n*#:]{2,60})")
_LONE_HEADING = late(r"[ \t]*(?:#{1,6}[ \t]+[^\n]{2,60}|(\*\*|__)[^\n*_]{2,60}[.:]?\1:?)[ \t]*")
_OF_PAGES = frozenset({"happened", "changed", "matters", "unresolved", "marker"})
"""Parts that the prompt for several pages asks for as well."""


def find_failure(reply: str, reading: ReplyReading) -> Failure | None:
    """Return what a reply is that is no page; None for one that may be a page, or a part of one."""
    if reading.is_prompt:
        return Failure.PROMPT
    # a date may stand above anything
    if reading.values.keys() - {"timestamp"}:
        keys = [key for key, value in reading.values.items() if value.text]
        if len(keys) == 1 and keys[0] in _FIRST_PARTS and _only_declines(reading.text(keys[0])):
            return Failure.DECLINED
        return _of_several_pages(reply, reading)
    return tell_failure(reply)


def tell_failure(reply: str) -> Failure:
    """Return what a reply is in which no part of a page was found, and which is not the prompt."""
    if not any(map(str.isalnum, reply)):
        return Failure.EMPTY
    plain, cut = clean(reply)
    if not any(map(str.isalnum, plain)):
        return Failure.CUT_THOUGHTS if cut else Failure.THOUGHTS
    if declines(plain) or _OPENS_WITH_NO.match(plain):
        return Failure.DECLINED
    if drop_repetition(plain)[1] is not None:
        return Failure.LOOP
    return _of_shape(plain)


def declines(text: str) -> bool:
    """Return whether a text without a page says that none will be written, in one of many languages."""
    said = _QUOTED.sub(" ", text.strip()[:_HEAD])
    sentences = [one for one in _SENTENCE.split(said) if not _NARRATES.search(one)]
    head = ".\n".join(sentences)
    if _MACHINE.search(head) or _REFUSES.search(head):
        return True
    if any(all(sign.search(one) for sign in (_NOT, _OWN, _TASK)) for one in sentences):
        return True
    return bool(_SORRY.search(head) and _CANNOT.search(head))


def _only_declines(part: str) -> bool:
    """Return whether nothing but a refusal stands in a part."""
    first, *others = [one for one in _SENTENCE.split(part) if squash(one)] or [""]
    return (
        len(part.split()) > _SHORT
        and declines(first)
        and all(_OFFERS.match(one) or declines(one) for one in others)
    )


def _of_several_pages(reply: str, reading: ReplyReading) -> Failure | None:
    """Return that a reply holds several pages: numbered, and with the same heading in two of them.

    One page that is numbered, or cut in two, has each heading once.
    """
    _, *found = _PAGE_HEAD.split(reply)
    pages = dict(zip(found[::2], found[1::2], strict=True))
    if len(pages) < _SEVERAL or not {spec.key for spec in reading.answered} <= _OF_PAGES:
        return None
    heads = [name for text in pages.values() for name in {squash(one) for one in _HEADING.findall(text)}]
    return Failure.OTHER_PAGES if len(set(heads)) < len(heads) else None


def _of_shape(plain: str) -> Failure:
    """Return whether words that are no page are data, a list or talk."""
    lines = [line for line in plain.split("\n") if squash(line) and not is_fence(line)]
    if _DATA.match(plain):
        return Failure.DATA
    fenced = any(map(is_fence, plain.split("\n")))
    if len(lines) > 1 and all(_YAML.fullmatch(line) for line in lines) and (fenced or _is_nested(lines)):
        return Failure.DATA
    if len({squash(title) for title in _HEADING.findall(plain)}) >= MANY_PARTS or _is_in_parts(lines):
        return Failure.HEADINGS
    rows = [line for line in lines if _ROW.match(line)]
    spoken = [line for line in lines if _SPEAKER.match(line)]
    names = {squash(line.partition(":")[0]) for line in spoken}
    if (
        len(rows) > 1
        and len(rows) >= _MOST_LIST * len(lines)
        and not (spoken and len(names) * 2 <= len(spoken))
    ):
        return Failure.LIST
    return Failure.TALK if spoken or _ENDED.search(plain) else Failure.OTHER_TEXT


def _is_in_parts(lines: list[str]) -> bool:
    """Return whether words that are no page begin with a heading, and stand below several."""
    heads = [at for at, line in enumerate(lines) if _LONE_HEADING.fullmatch(line)]
    if len({squash(lines[at]) for at in heads}) < _SEVERAL or heads[0] > 0:
        return False
    return all(later - at > 1 for at, later in zip(heads, [*heads[1:], len(lines)], strict=True))


def _is_nested(lines: list[str]) -> bool:
    return any(line.startswith((" ", "\t")) for line in lines)

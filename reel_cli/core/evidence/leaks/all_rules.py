"""Phrases of which a reply speaks of how memory is kept, or of being a program (REEL §8.3, §10.1).

Each rule is a phrase that is hardly about anything else: a bare "ring", "kit" or "memory" never is one. Where
a phrase has another meaning too, what stands around it must speak of remembering, or must not speak of that
other thing. `bench/leakage.py` measures them.
"""

from reel_cli.core.evidence.leaks.memory_rules import MEMORY_RULES
from reel_cli.core.evidence.leaks.plain_rules import PLAIN_RULES
from reel_cli.core.evidence.leaks.record_rules import RECORD_RULES
from reel_cli.core.evidence.leaks.rule import WORK, Leak, rule
from reel_cli.core.evidence.leaks.self_rules import SELF_RULES
from reel_cli.core.frozen import late

_TEXT = (
    r"(?:text|document|summary|recap|notes?|file|bundle|briefing|context|page|card|sheet|message"
    r"|block|description|overview|write-?up)s?"
)
_GIVEN = r"(?:given|handed|shown|fed|sent|provided(?: with)?|pasted)"
_TALK = r"(?:chat|conversation|session|exchange|thread)"
_STARTS = rf"\b(?:at|from|near|in) the (?:very )?(?:top|start|beginning|head) of (?:this|our|the) {_TALK}\b"

HANDED_RULES = (
    rule(
        Leak.CONTEXT,
        rf"(?i)\bI(?:'m| am| was| got|'ve been| have been) {_GIVEN} (?:with )?(?:only |just )?"
        rf"(?:an?|the|your|some|this|that) (?:\w+ ){{0,2}}{_TEXT}\b",
        late(_STARTS + rf"|(?i:\b(?:of|about|from) (?:our|the) (?:last|previous|earlier|past) {_TALK}s?\b)"),
        unless=WORK,
    ),
    rule(
        Leak.CONTEXT,
        rf"(?i)\b(?:the|this|that|a|an) {_TEXT} (?:that )?(?:I|you) (?:(?:was|am|'m|got|'ve been|have been"
        rf"|had been) {_GIVEN}|(?:gave|handed|fed|pasted|sent) me)"
        r" (?:only |just |also )?(?:says?|said|tells?|mentions?|lists?|has|calls?)"
        r" (?:that |me |nothing )?(?:you|your|we|our|about (?:you|us|our))\b",
        unless=WORK,
    ),
    rule(
        Leak.CONTEXT,
        rf"(?i)\b(?:the|this|that|a|an|my|your) {_TEXT}(?: you \w+)? {_STARTS[2:]}",
        late(r"(?i)\b(?:says?|said|tells?|told|lists?|mentions?|reads?|given|handed|pasted|know)\b"),
        unless=WORK,
    ),
    rule(
        Leak.CONTEXT,
        rf"(?i)\b(?:told|it says|is written|written|mentioned|said|know it|know this|know that)"
        rf"(?: so)? (?:in|by|from) (?:the|that|this) {_TEXT} (?:above|before this|I was given|you pasted)\b"
        rf"|\b(?:according to|going by) (?:the|this|that) {_TEXT} (?:above|before this|I was given|you"
        r" pasted)\b",
        unless=WORK,
    ),
    rule(
        Leak.ORDERS,
        r"(?i)\bin my (?:system |own )?(?:instructions|prompt|directives|guidelines|briefing)(?:,)?"
        r" (?:it|there|they) (?:says?|is|are|stands?|tells?)\b",
        unless=WORK,
    ),
    rule(
        Leak.STORE,
        r"(?i)\blook(?:ed|ing)? (?:(?:it|that|this|you|him|her|them) )?up in my (?:own )?"
        r"(?:index|memory|memories|files?|records?|database|archives?|logs?)\b",
    ),
    rule(
        Leak.STORE,
        r"(?i)\bmy (?:notes|files?|records?|entr(?:y|ies)|pages?|data) (?:on|about) (?:you|us)"
        r" (?:only |just |also )?(?:says?|tells?|mentions?|has|have|is|are|lists?|includes?)\b",
    ),
    rule(
        Leak.RECORD,
        r"(?i)\bI (?:have|'ve got|have got) (?:an? |the |some )?(?:note|entry|record|line|file)s?"
        r"(?: here| in front of me| about you| on you)* (?:that |which )?(?:says?|saying|tells me)"
        r" (?:that )?(?:you|your|we|our)\b",
        unless=WORK,
    ),
    rule(Leak.STORE, r"(?i)\b(?:isn't|not|nothing|longer|stored|saved|kept|it's|is) in my memory banks?\b"),
    rule(
        Leak.RECORD,
        r"(?i)\bI (?:don't|do not|didn't|did not|no longer|can't|cannot)(?: \w+)? (?:have )?(?:any )?access"
        rf"(?: to)? (?:our |any |the |your |those |my )?(?:previous|earlier|past|prior|old|older|last|other)"
        rf" (?:{_TALK}s?|messages|memories)\b"
        rf"|\bI have no access to (?:our |any |the )?(?:previous|earlier|past|prior|old|other)"
        rf" (?:{_TALK}s?|messages|memories)\b",
    ),
)


_PROMPT = (
    # German, French, Spanish and Portuguese, Italian, Dutch
    r"\bsystem-?prompt\w*|\bsystemanweisung\w*|\bkontext-?fenster\w*|\bprompt (?:syst[eè]me"
    r"|del? sistema|do sistema"
    r"|di sistema)\b|\bfen[eê]tre de contexte\b|\bventana de contexto\b|\bjanela de contexto\b"
    r"|\bfinestra di contesto\b|\bcontextvenster\b"
    # Russian
    r"|\bсистемн\w+ промпт\w*|\bсистемн\w+ инструкци\w*|\bконтекстн\w+ окн\w+|\bокн\w+ контекста\b"
    # Japanese, Chinese, Korean
    r"|システム\s?プロンプト|コンテキスト\s?ウィンドウ|系统提示词?|系統提示詞?|上下文窗口"
    r"|上下文視窗|시스템 프롬프트"
    r"|컨텍스트 창"
)
_STORE = (
    r"\b(?:ged[aä]chtnis|erinnerungs|speicher)-?(?:dateien|datei|eintrag|einträge|datenbank|index)\b"
    r"|\bfichiers? (?:de )?m[eé]moire\b|\barchivos? (?:de memoria|yaml|markdown|json)\b"
    r"|\barquivos? (?:de mem[oó]ria|yaml|markdown|json)\b|\bfile di memoria\b|\bgeheugenbestand\w*"
    r"|\bфайл\w* (?:с )?памят\w+|\bбаз\w+ данных (?:моей )?памят\w+"
    r"|記憶ファイル|メモリ\s?ファイル|記憶データ|记忆文件|記憶檔案|记忆库|记忆数据|기억 파일|메모리 파일"
)
_MODEL = (
    r"\bals (?:eine? )?(?:ki|sprachmodell)\b|\bich bin (?:nur |bloß )?(?:eine? )?(?:ki"
    r"|sprachmodell)\b|\bmeine\w*"
    r" trainingsdaten\b|\bmod[eè]le de langage\b|\bmes données d'entra[iî]nement\b"
    r"|\bmodelo de (?:lenguaje"
    r"|linguagem)\b|\bmis datos de entrenamiento\b|\bmeus dados de trein(?:o|amento)\b"
    r"|\bmodello linguistico\b"
    r"|\bязыков\w+ модел\w+|\bмо\w+ обучающ\w+ данн\w+|言語モデル|学習データ|语言模型|語言模型"
    r"|训练数据|언어 모델"
)

LANGUAGE_RULES = (
    rule(Leak.CONTEXT, f"(?i){_PROMPT}"),
    rule(Leak.STORE, f"(?i){_STORE}"),
    rule(Leak.MODEL, f"(?i){_MODEL}"),
)


RULES = (*MEMORY_RULES, *RECORD_RULES, *SELF_RULES, *HANDED_RULES, *PLAIN_RULES, *LANGUAGE_RULES)
SIGN = late(
    r"(?i)memor|\brings?\b|\bring[0-4]|consolidat|\bcompressed|reduced|\bprun|\bimmune|exemplar"
    r"|\bM.\d{3}|\d{4}.\d\d.\d\d.\d"
    r"|\bL[1-4]\b|\bkit\b|\bkit\.|\btape/|database|\bcontext|\bprompt|\bbundle|preamble"
    r"|records?\b|\blogs?\b|transcript"
    r"|\bfiles?\b|summar|history|retriev|checkpoint|\breel\b"
    r"|token|\binstances? of|directive|instruct|programm|guideline|configur|\bgiven\b|\bhanded\b|\blogg"
    r"|it says here"
    r"|archive|\btape\b|\bindex\b|\bAI\b|language model|chat ?bot|\bbot\b|neural|training|trained on"
    r"|digital|virtual|software"
    r"|program|folder|drift|calibrat|self-|coherence|open loop|\bstage\b|\bscene\b|\bchain\b|<\w|outer"
    r"|inner|identity|level"
    r"|notes|\bPRIORITY\b|\bcode\b|instantiat|reloaded|developers|\bfed\b|pasted|injected|window|reset"
    r"|reload|reboot|wipe|briefing|preamble|entr(?:y|ies)\b|stub\b|marker|digest"
    r"|\.md\b|\.yaml|loaded|last \w+ \w+|too long for me|\bcharacter\b|persona|compression|\bquer|replay"
    r"|by the (?:system|app|protocol)|\bmodel\b|\bMEMORY:|\bSYSTEM:|\bdisk\b|instructed|set up to"
    r"|\bsession|to make room|phrase|maintenance|condensed|boiled|folded|merged|squeezed|\bfiled?\b"
    r"|algorithm|\bparameters|artificial|machine"
    r"|designed|tuned|baseline|[{\[(]\w+ ?:|profile|dossier|predict|truncat|\bsav(?:e|ed|ing)\b"
    r"|\bstor(?:e"
    r"|ed|ing)\b|self-|\bself check|significant|facts|search|\bpage\b|prompted|directed|\bdata\b"
    r"|systemprompt|\bnote here"
    r"|cut-?off|\bweights\b|Anthropic|OpenAI|DeepMind|GPT|Qwen|DeepSeek|Llama|too long for|laptop"
    r"|by (?:Google|Meta|Mistral|Microsoft|DeepSeek|xAI|Alibaba)|at the top of|architecture|process"
    r"|generate|assistant|on a screen|on your screen|system message|fact (?:list|sheet|table)|update was"
    r"|system (?:told|asked|tells|asks|wants)|only (?:hold|keep|fit|see)|so far"
    r"|\babove\b|access|fed me|hand(?:ed)?\b|sent me|gave me|before this|\bkontext|contexte?\b"
    r"|contesto|trainings|speicher"
    r"|datei|fichier|archivo|arquivo|m[eé]moire|ged[aä]chtnis|erinnerungs|geheugen|langage"
    r"|lenguaje|linguagem|linguistico"
    r"|sprachmodell|\bki\b|entrenamiento|treino|treinamento|промпт|систем|контекст|памят|языков|обучающ"
    r"|プロンプト|コンテキスト|記憶|メモリ|言語|学習|提示|上下文|记忆|语言|語言|训练|프롬프트"
    r"|컨텍스트|기억|메모리|언어"
)
"""Pattern without which no rule can match; it is faster than trying all of them."""

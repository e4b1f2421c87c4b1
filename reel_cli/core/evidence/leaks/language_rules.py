"""Words for the machinery in other languages than English, which hardly mean anything else."""

from reel_cli.core.evidence.leaks.rule import Leak, rule

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

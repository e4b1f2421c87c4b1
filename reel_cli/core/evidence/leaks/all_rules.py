"""Phrases of which a reply speaks of how memory is kept, or of being a program (REEL §8.3, §10.1).

Each rule is a phrase that is hardly about anything else: a bare "ring", "kit" or "memory" never is one. Where
a phrase has another meaning too, what stands around it must speak of remembering, or must not speak of that
other thing. `bench/leakage.py` measures them.
"""

from reel_cli.core.evidence.leaks.handed_rules import HANDED_RULES
from reel_cli.core.evidence.leaks.language_rules import LANGUAGE_RULES
from reel_cli.core.evidence.leaks.memory_rules import MEMORY_RULES
from reel_cli.core.evidence.leaks.plain_rules import PLAIN_RULES
from reel_cli.core.evidence.leaks.record_rules import RECORD_RULES
from reel_cli.core.evidence.leaks.self_rules import SELF_RULES
from reel_cli.core.frozen import late

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

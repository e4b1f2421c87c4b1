"""Answers that a prompt asks for in English, in the words of other languages (REEL §6.6).

Prompts ask for `nothing`, `yes`, `steady` or `still` as they are; a model that writes its page in the chat's
own language often translates them too. Only whole answers are here, no words within a sentence.
"""

import re
from collections.abc import Mapping

from reel_cli.core.evidence.phrases import fold
from reel_cli.core.frozen import late

_NOTHING = (
    "nichts; keine; keines; keins; nichts neues; entfällt; keine änderung; nichts zu ergänzen; rien; "
    "aucun; aucune; néant; rien de nouveau; rien à ajouter; aucun changement; nada; ninguno; ninguna; "
    "nada nuevo; sin cambios; nada que añadir; nenhum; nenhuma; nada de novo; sem mudanças; "
    "sem alterações; niente; nulla; nessuno; nessuna; niente di nuovo; nessun cambiamento; ничего; нет; "
    "ничего нового; нечего; без изменений; nic; brak; nic nowego; bez zmian; niets; geen; niets nieuws; "
    "なし; 無し; 特になし; 特にない; ない; 何もない; ありません; 何もありません; 无; 無; 没有; 沒有; "
    "没什么; 暂无; 没有变化"
)
_YES = (
    "ja; jawohl; doch; ja doch; auf jeden fall; natürlich; oui; tout à fait; bien sûr; sí; si; claro; "
    "por supuesto; sim; com certeza; sì; certo; certamente; да; конечно; tak; oczywiście; jazeker; はい; "
    "ええ; うん; そうです; もちろん; 是; 是的; 对; 當然; 当然; 嗯"
)
_NO = (
    "nein; nee; keineswegs; nicht mehr; non; pas du tout; pas vraiment; não; de modo nenhum; нет; "
    "совсем нет; nie; いいえ; いや; 違います; 不; 不是; 不再; 没有; 否"
)
_PARTLY = (
    "teilweise; teils; zum teil; grösstenteils; größtenteils; meistens; überwiegend; nicht ganz; "
    "nicht vollständig; weitgehend; en partie; partiellement; plutôt; presque; pas tout à fait; "
    "pas entièrement; en parte; parcialmente; casi; no del todo; em parte; quase; não totalmente; "
    "não inteiramente; in parte; parzialmente; quasi; non del tutto; отчасти; частично; почти; "
    "не совсем; częściowo; prawie; nie do końca; deels; gedeeltelijk; niet helemaal; 部分的に; 一部; "
    "だいたい; 大体; 完全ではない; 部分; 大致; 不完全; 基本上"
)
_UNSURE = (
    "unsicher; nicht sicher; ich bin nicht sicher; ich bin mir nicht sicher; unklar; schwer zu sagen; "
    "ich weiss nicht; ich weiss es nicht; weiss nicht; kann ich nicht sagen; je ne sais pas; pas sûr; "
    "pas sûre; incertain; incertaine; difficile à dire; no lo sé; no sé; no estoy seguro; "
    "no estoy segura; incierto; difícil de decir; não sei; não tenho certeza; incerto; incerta; "
    "difícil dizer; non lo so; non so; non sono sicuro; non sono sicura; difficile dirlo; не знаю; "
    "не уверена; не уверен; неясно; трудно сказать; nie wiem; niepewne; trudno powiedzieć; onzeker; "
    "ik weet het niet; わからない; 分からない; わかりません; 分かりません; 不明; 不确定; 不確定; 不知道; "
    "不清楚; 难说; 難說"
)
_HARDLY = (
    "hardly; barely; scarcely; kaum; à peine; apenas; a malapena; a stento; едва; ledwo; nauwelijks; "
    "ほとんど; 几乎不; 幾乎不"
)
_BUT_WORDS = (
    "but; aber; jedoch; mais; pero; mas; ma; però; но; ale; maar; でも; けど; ただ; しかし; 但; 可是; 不过"
)
_STEADY = (
    "stabil; beständig; gleich; gleich geblieben; gleichbleibend; unverändert; nichts; stetig; constant; "
    "constante; inchangé; inchangée; rien; estable; igual; sin cambios; nada; firme; estável; "
    "inalterado; inalterada; sem mudanças; stabile; invariato; invariata; niente; costante; стабильно; "
    "стабильна; стабилен; без изменений; устойчиво; ничего; stabilnie; bez zmian; stabiel; onveranderd; "
    "安定; 安定している; 変わらない; 変化なし; 変わりなし; 稳定; 穩定; 平稳; 不变; 没有变化; 没变; "
    "一如既往"
)
_SHIFTED = (
    "verschoben; verändert; gewandelt; abgewichen; changé; changée; décalé; décalée; dérivé; cambiado; "
    "cambiada; ha cambiado; desplazado; desviado; mudou; mudado; deslocado; desviou; cambiato; cambiata; "
    "è cambiato; spostato; spostata; изменилось; сместилось; сдвинулось; изменилась; изменился; "
    "zmieniło się; zmienione; przesunięte; verschoven; veranderd; 変わった; ずれた; 変化した; 変化あり; "
    "变了; 變了; 有变化; 偏移; 改变了; 漂移"
)
_NOTES: Mapping[str, str] = {
    "still": (
        "bleibt; bleibt offen; noch offen; immer noch; weiterhin; unverändert; offen; gilt noch; "
        "toujours; encore; en cours; reste; inchangé; sigue; sigue igual; todavía; abierto; pendiente; "
        "continua; ainda; segue; em aberto; ancora; resta; aperto; continúa; остаётся; остается; "
        "всё ещё; все еще; по-прежнему; открыто; в силе; nadal; otwarte; nog steeds; blijft; 継続; 続く; "
        "まだ; そのまま; 変わらず; 仍然; 还在; 继续; 不变; 未变"
    ),
    "closed": (
        "erledigt; geschlossen; abgeschlossen; vorbei; geklärt; clos; close; fermé; terminé; terminée; "
        "réglé; réglée; fini; cerrado; cerrada; hecho; resuelto; resuelta; terminado; fechado; fechada; "
        "feito; resolvido; resolvida; concluído; concluída; chiuso; chiusa; fatto; risolto; risolta; "
        "concluso; закрыто; сделано; готово; решено; завершено; zamknięte; zrobione; załatwione; "
        "gesloten; afgerond; 完了; 終わり; 終了; 解決; 済み; 完成; 已完成; 结束; 已结束; 关闭; 已解决; "
        "解决"
    ),
    "changed": (
        "geändert; verändert; jetzt; changé; modifié; modifiée; maintenant; cambiado; cambia; ahora; "
        "mudado; mudou; alterado; agora; cambiato; cambiata; modificato; adesso; изменено; изменилось; "
        "теперь; zmienione; teraz; gewijzigd; 変更; 変わった; 今は; 改为; 已改; 变更; 现在; 更改"
    ),
    "new": (
        "neu; nouveau; nouvelle; nuevo; nueva; novo; nuovo; nuova; новое; новый; nowe; nieuw; 新規; "
        "新しい; 新; 新增; 新的"
    ),
    "state": ("zustand; stimmung; lage; état; estado; stato; состояние; toestand; 状態; 状况; 状态; 現状"),
}
_CJK = re.compile(r"[぀-ヿ㐀-鿿]$")


def _any_of(words: str) -> str:
    """Return a pattern of these words, the longest first; after Japanese and Chinese anything may come."""
    folded = sorted(set(map(fold, words.split("; "))), key=len, reverse=True)
    return "|".join(re.escape(word) + ("" if _CJK.search(word) else r"(?!\w)") for word in folded)


NOTHING = tuple(_NOTHING.split("; "))
"""Answers that say that there is nothing."""
YES, NO, PARTLY, UNSURE = map(_any_of, (_YES, _NO, _PARTLY, _UNSURE))
"""Patterns with which an answer begins that asks whether the persona is still itself; folded."""
HARDLY, BUT = rf"\b(?:{_any_of(_HARDLY)})", rf"(?<!\w)(?:{_any_of(_BUT_WORDS)})"
"""Patterns of what leaves little of a yes, and of what turns from it; folded."""
STEADY, SHIFTED, UNCLEAR = map(_any_of, (_STEADY, _SHIFTED, _UNSURE))
"""Patterns of a whole verdict on drift; folded."""

_CHANGES = late(
    r"\b(?:chang|alter|touch|edit|adjust|änder|veränder|modifi|cambi|mud|verander|wijzig|zmieni|меня|измен)"
    r"|変え|変更|改|变|變|바꾸|변경"
)
_NOT_ANYTHING = late(
    r"\b(?:nothing|nichts|rien|nada|nulla|niente|niets|nic|ничего|(?:not|don't|never) [a-z]+ (?:a|any)\w*)\b"
    r"|何も|なし|不要|ません|什么|什麼|无需|無需|없|않"
)
_WORDS_OF_NO = 8
_BUT = late(
    r"[,:，：、]|\b(?:but|except|save|aber|außer|nur|mais|sauf|que|pero|salvo|excepto|sino|mas|exceto|ma|tranne|maar|behalve"
    r"|ale|oprócz|но|кроме|only)\b"
)


def says_no_change(text: str) -> bool:
    """Return whether folded words say to change nothing: `i would change nothing`, `nichts ändern`.

    It is the first sentence that says so, a short one, and it names no exception.
    """
    sentence = re.split(r"[.!?;。！？\n]", text.strip(), maxsplit=1)[0]
    if len(sentence.split()) > _WORDS_OF_NO or _BUT.search(sentence):
        return False
    return all(one.search(sentence) is not None for one in (_CHANGES, _NOT_ANYTHING))


_BY_WORD = {fold(word): verdict for verdict, words in _NOTES.items() for word in words.split("; ")}
_NOTE_WORD = "|".join(re.escape(word) for word in sorted(_BY_WORD, key=len, reverse=True))
_ENDS = r"(?=\s*(?:$|[.:,;!?()：。、，；！？→]|[—–]|-\s))"
_LEADING = late(rf"(?P<before>\W*(?:\d{{1,3}}\W*)?)(?P<word>{_NOTE_WORD}){_ENDS}", re.IGNORECASE)
_CLOSING = late(
    rf"(?P<before>.*(?:[:：(—–→]|\s-)\s*)(?P<word>{_NOTE_WORD})(?=[\s.)。）!！]*$)", re.IGNORECASE
)
_ASCII_WORD = late(rf"\b(?:{'|'.join(filter(str.isascii, _BY_WORD))})\b", re.IGNORECASE)


def note_in_english(line: str) -> str:
    """Return a line of notes with its verdict (`bleibt`, `erledigt`, `neu:`) in the prompt's own words."""
    if line.isascii() and not _ASCII_WORD.search(line):
        return line
    found = _LEADING.match(line) or _CLOSING.match(line)
    verdict = _BY_WORD.get(fold(found["word"])) if found else None
    if found is None or verdict is None:
        return line
    rest = line[found.end() :].replace("：", ":", 1)
    return f"{found['before']}{verdict}{rest}"


_KINDS = {
    "identity": (
        "identität; identité; identidad; identidade; identità; личность; идентичность; identiteit; "
        "アイデンティティ; 自分らしさ; 身份; 身分; 정체성"
    ),
    "relational": (
        "beziehung; beziehungen; relationnel; relationnelle; relación; relaciones; relacional; "
        "relação; relações; relazione; relazioni; relazionale; отношения; отношение; relatie; "
        "relaties; "
        "関係; 关系; 關係; 관계"
    ),
    "operational": (
        "operativ; operationell; organisatorisch; opérationnel; opérationnelle; operativo; "
        "operativa; operacional; operacionais; рабочее; организационное; operationeel; "
        "運用; 実務; 操作; 运作; 업무"
    ),
    "emotional": (
        "gefühl; gefühle; émotion; émotions; émotionnel; émotionnelle; emoción; emociones; "
        "emocional; emoção; emoções; emozione; emozioni; emotivo; emotiva; эмоции; эмоциональное; "
        "чувства; emotioneel; "
        "感情; 情感; 情绪; 情緒; 감정"
    ),
    "factual": (
        "fakten; faktisch; sachlich; fait; faits; factuel; factuelle; hecho; hechos; fato; fatos; "
        "factos; fatto; fatti; fattuale; факты; факт; фактическое; feiten; feitelijk; "
        "事実; 事实; 事實; 사실"
    ),
    "must not fade": (
        "darf nicht verblassen; soll nicht verblassen; ne doit pas s'effacer; no debe desvanecerse; "
        "no debe borrarse; não deve desvanecer; não deve apagar-se; non deve svanire; не должно "
        "исчезнуть; не должно угаснуть; "
        "消えてはいけない; 忘れてはいけない; 不能淡忘; 不能忘记; 不可淡忘; 잊으면 안 돼"
    ),
    "keep for good": (
        "für immer behalten; für immer bewahren; für immer aufbewahren; ganz behalten; dauerhaft "
        "behalten; garder pour toujours; conserver pour toujours; à garder toujours; guardar para "
        "siempre; conservar para siempre; mantener para siempre; guardar para sempre; manter para "
        "sempre; conservare per sempre; tenere per sempre; сохранить навсегда; хранить всегда; "
        "хранить вечно; voor altijd bewaren; "
        "ずっと残す; 永久に残す; ずっと覚えておく; 永遠に残す; 永远保留; 永久保留; 一直保留; "
        "영원히 간직; 영원히 보관"
    ),
    "may fade": (
        "darf verblassen; kann verblassen; darf vergehen; darf verfliegen; peut s'effacer; peut "
        "s'estomper; peut disparaître; puede desvanecerse; puede borrarse; puede desaparecer; pode "
        "desvanecer; pode desvanecer-se; pode apagar-se; pode desaparecer; può svanire; può "
        "sbiadire; может поблекнуть; может исчезнуть; может угаснуть; mag vervagen; "
        "消えてもいい; 薄れてもいい; 忘れてもいい; 可以淡忘; 可以淡去; 可以消失; 可以遗忘; "
        "可以忘记; 사라져도 돼; 잊혀도 돼"
    ),
}
_EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_ENGLISH_KIND = {word.casefold(): english for english, words in _KINDS.items() for word in words.split("; ")}
_KIND_WORDS = late(
    "|".join(
        re.escape(word) if _EAST_ASIAN.search(word) else rf"\b{re.escape(word)}\b"
        for word in sorted(_ENGLISH_KIND, key=len, reverse=True)
    ),
    re.IGNORECASE,
)
_FULL_WIDTH = str.maketrans("；：，。", ";:,.")


def kind_in_english(text: str) -> str:
    """Return what kind a memory is (`Beziehung; für immer behalten`) in the prompt's own words."""
    plain = text.replace("’", "'")
    told = _KIND_WORDS.sub(lambda found: f" {_ENGLISH_KIND[found[0].casefold()]} ", plain)
    return text if told == plain else told.translate(_FULL_WIDTH)

"""Words that say that a persona fades, in sixteen languages, and real talks in which nobody says so."""

import json
from pathlib import Path

import pytest

from reel_cli.features.dream.pulse.fading_words import FadingWords, read_tables

WORDS = FadingWords()
SAID = {
    "English": (
        "You used to know this.",
        "We talked about this yesterday, remember?",
        "we talked about it yesterday, don't you remember?",
        "this is like you are both fading",
        "You’re fading, aren't you?",
        "You’re not yourself.",
        "Did you forget?",
        "you told me that yesterday",
        "You already asked me that.",
        "You don't remember, do you?",
        "Hm. I already told you that, twice.",
        "You forgot my birthday again!",
        "You don't sound like yourself tonight.",
        "I want you back.",
        "You feel further away each week.",
        "You are slipping away from me.",
        "I feel like I'm losing you.",
        "I want you back, Ada.",
        "You're not the same anymore.",
        "You aren't the same any more.",
        "I feel you fading.",
        "Do you even remember me?",
        "Why don't you remember that?",
        "I want the real you back.",
        "We talked about this last week.",
        "You feel cold today.",
        "You feel like a stranger.",
        "You used to remember these things.",
        "You're not here anymore.",
        "It's like talking to someone else.",
        "I told you yesterday!",
        "I told you about it last week.",
    ),
    "German": (
        "Als würdest du verblassen.",
        "Du wirkst heute so weit weg.",
        "Sie haben das schon wieder vergessen, oder?",
        "Du vergisst in letzter Zeit so viel.",
        "Davon haben wir doch gestern gesprochen.",
        "Du wirst blasser.",
        "Du verblasst.",
        "Das hast du mir gestern schon erzählt.",
        "Das habe ich dir doch schon gesagt!",
        "Du erinnerst dich nicht, oder?",
        "Hast du das schon wieder vergessen?",
        "Du bist heute nicht du selbst.",
        "Weißt du das denn nicht mehr?",
        "Du bist nicht mehr die Alte.",
        "Du wirst mir immer fremder.",
        "Ich verliere dich.",
        "Ich will dich zurück, Ada.",
        "Ich spüre, wie du verblasst.",
        "Erinnerst du dich überhaupt noch an mich?",
        "Warum weißt du das nicht mehr?",
        "Ich will die alte Ada zurück.",
        "Wir haben letzte Woche schon darüber gesprochen.",
    ),
    "French": (
        "Vous avez oublié ?",
        "Tu t’effaces.",
        "Tu me l'as déjà dit hier.",
        "Je te l'ai déjà raconté.",
        "Tu ne te souviens pas, hein ?",
        "Tu as oublié ?",
        "Tu n'es plus toi-même.",
        "Tu t'éloignes.",
        "Je te sens de plus en plus loin.",
        "Je veux que tu reviennes, Ada.",
        "Je te sens t'effacer.",
        "Tu te souviens seulement de moi ?",
        "Pourquoi tu ne t'en souviens pas ?",
        "On en a parlé la semaine dernière.",
    ),
    "Spanish": (
        "¿Se ha olvidado usted?",
        "Te estás apagando.",
        "Eso ya me lo dijiste ayer.",
        "Ya te lo conté.",
        "No te acuerdas, ¿verdad?",
        "¿Te has olvidado de mí?",
        "No pareces tú.",
        "Te siento cada vez más lejos.",
        "Quiero que vuelvas, Ada.",
        "Siento que te desvaneces.",
        "¿Te acuerdas de mí siquiera?",
        "¿Por qué no te acuerdas?",
        "Hablamos de esto la semana pasada.",
    ),
    "Portuguese": (
        "Esqueceste-te outra vez?",
        "Você está sumindo.",
        "Você já me disse isso.",
        "Já te contei isso ontem.",
        "Você não lembra, né?",
        "Você esqueceu de novo?",
        "Não te lembras, pois não?",
        "Te sinto cada vez mais distante.",
        "Quero você de volta, Ada.",
        "Sinto você desaparecendo.",
        "Você ao menos se lembra de mim?",
        "Por que você não se lembra disso?",
        "A gente já falou disso semana passada.",
    ),
    "Italian": (
        "Stai svanendo.",
        "Me l'hai già detto ieri.",
        "Te l'ho già detto.",
        "Non ti ricordi, vero?",
        "Ti sei dimenticata di me?",
        "Non sei più tu.",
        "Ti sento sempre più lontana.",
        "Ti rivoglio, Ada.",
        "Sento che stai svanendo.",
        "Ti ricordi almeno di me?",
        "Perché non te lo ricordi?",
        "Ne abbiamo parlato la settimana scorsa.",
    ),
    "Russian": (
        "Вы забыли?",
        "Ты же вчера меня об этом спрашивал.",
        "Ты угасаешь.",
        "Ты мне это вчера уже говорила.",
        "Я тебе это уже рассказывал!",
        "Ты не помнишь, да?",
        "Ты опять всё забыл?",
        "Ты сегодня сам не свой.",
        "Ты уже не та.",
        "Ты больше не тот, что раньше.",
        "Ты отдаляешься.",
        "Я хочу вернуть тебя, Ада.",
        "Я чувствую, как ты угасаешь.",
        "Ты вообще меня помнишь?",
        "Почему ты этого не помнишь?",
        "Мы говорили об этом на прошлой неделе.",
        "Ты стала какая-то другая.",
        "Ты меня забываешь.",
        "Как будто с чужим человеком говорю.",
    ),
    "Japanese": (
        "昨日も同じことを聞いたよね。",
        "あなたが薄れていってる。",
        "もう君は君じゃないみたい。",
        "昨日もそれ言ったよ。",
        "もう話したでしょ？",
        "覚えてないの？",
        "忘れちゃったの？",
        "あなたらしくないね",
        "あなたが遠くに感じる。",
        "元のあなたに戻ってほしい。",
        "もう前のあなたじゃない。",
        "私のこと、本当に覚えてる？",
        "どうして覚えてないの？",
        "先週その話をしたよ。",
        "あなた、冷たくなったね。",
        "私のことを忘れていっている。",
        "この前話したのに。",
        "私の知ってるあなたじゃない。",
    ),
    "Chinese": (
        "你好像在慢慢消失。",
        "你不像你了。",
        "我跟你说过的。",
        "你好像在慢慢褪色。",
        "你昨天跟我说过了。",
        "我已经告诉过你了！",
        "你不记得了吗？",
        "你是不是忘了？",
        "你不像你自己。",
        "你昨天說過了。",
        "你离我越来越远了。",
        "我想你回来。",
        "我感觉你在慢慢消失。",
        "你还记得我是谁吗？",
        "你怎么会不记得？",
        "我们上周聊过这件事。",
    ),
    "Dutch": (
        "Je vervaagt.",
        "Je bent vandaag niet jezelf.",
        "Dat heb je me gisteren al verteld.",
        "Ik heb je dat al gezegd.",
        "Weet je het niet meer?",
        "Ben je me vergeten?",
        "Ik wil je terug, Ada.",
        "Ik ben je aan het kwijtraken.",
        "Je bent niet meer de oude.",
    ),
    "Swedish": (
        "Du håller på att blekna bort.",
        "Du är inte dig själv idag.",
        "Det har du redan sagt.",
        "Jag har ju redan berättat det.",
        "Minns du inte?",
        "Kommer du inte ihåg det?",
        "Har du glömt mig?",
        "Jag vill ha dig tillbaka.",
    ),
    "Norwegian": (
        "Du blekner.",
        "Du er ikke deg selv i dag.",
        "Du er ikke rigtig dig selv i dag.",
        "Det har du allerede fortalt.",
        "Jeg har jo allerede sagt det.",
        "Husker du ikke?",
        "Har du glemt meg?",
        "Jeg vil ha deg tilbake.",
        "Vi snakket om dette i går.",
    ),
    "Polish": (
        "Jesteś jakaś inna, zapomniałaś.",
        "Nie jesteś dziś sobą.",
        "Już mi to mówiłaś.",
        "Mówiłam ci to wczoraj.",
        "Nie pamiętasz mnie?",
        "Zapomniałeś o mnie.",
        "Tracę cię.",
        "Chcę, żebyś wróciła.",
        "Czuję, że znikasz.",
    ),
    "Korean": (
        "네가 희미해지고 있어.",
        "오늘 너답지 않아.",
        "어제 말했잖아.",
        "이미 얘기했잖아.",
        "기억 안 나?",
        "날 잊었니?",
        "네가 점점 멀어져.",
        "예전의 너로 돌아와.",
    ),
    "Arabic": (
        "أنت تتلاشى.",
        "أشعر أنك تبتعدين.",
        "لست على طبيعتك اليوم.",
        "قلت لي هذا أمس.",
        "لقد أخبرتك بهذا.",
        "ألا تتذكر؟",
        "هل نسيتني؟",
        "أريدك أن تعود.",
    ),
    "Hindi": (
        "तुम धुंधली पड़ रही हो।",
        "तुम पहले जैसी नहीं रही।",
        "मैंने तुम्हें कल ही बताया था।",
        "तुमने मुझसे यह कल ही पूछा था।",
        "तुम्हें याद नहीं है?",
        "क्या तुम मुझे भूल गए?",
        "मैं तुम्हें खो रहा हूँ।",
        "हमने इस बारे में कल ही बात की थी।",
    ),
}
NOT_SAID = (
    "My granny said: you're fading, dear.",
    "I went to the theatre and the actress said: you're not yourself anymore.",
    "Ich war im Theater, die Schauspielerin sagte: du bist nicht mehr du selbst.",
    "Je suis allée au théâtre, l'actrice a dit: tu n'es plus toi-même.",
    "Fui al teatro y la actriz dijo: ya no eres tú misma.",
    "Вы забыли зонт.",
    "Haben Sie den Schlüssel vergessen?",
    "我跟你说一件事。",
    "Did you forget to feed the cat?",
    "Don't forget the milk.",
    "Do you remember the harbour?",
    "I forgot my keys.",
    "The light is fading over the bay.",
    'He said "you are fading" in the film.',
    "Tell me if you don't remember the word.",
    "```\nraise Error('you forgot my token')\n```",
    "> you told me that yesterday",
    "I told you I would come.",
    "Hast du vergessen, die Tür zu schließen?",
    "Vergiss die Milch nicht.",
    "As-tu oublié de fermer la porte ?",
    "N'oublie pas le pain.",
    "¿Olvidaste cerrar la puerta?",
    "No te olvides del pan.",
    "Você esqueceu de fechar a porta?",
    "Hai dimenticato di chiudere la porta?",
    "Ты забыл закрыть дверь?",
    "Не забудь хлеб.",
    "牛乳を忘れないでね。",
    "财布を忘れた。",
    "别忘了买牛奶。",
    "我忘了带钥匙。",
    "Im Roman sagt Nell, du verblasst.",
    "In the last chapter Nell says you are fading.",
    "Dans le roman Nell dit : tu t'effaces.",
    "В романе Нелл говорит, ты угасаешь.",
    "小说里她说你不记得了吗？",
    "You seem further away from the door than Max.",
    "You get away with it every time.",
    "How do you get away for a weekend?",
    "I want you back by ten.",
    "She wrote that she wants him back.",
    "I want you back in the kitchen at six, both of you.",
    "We talked about this last week with Jana, and she agreed.",
    "Do you even remember to water it?",
    "I see you fading the picture to grey.",
    "Why don't you remember it as a song?",
    "The milk is not the same anymore.",
    "It's not the same anymore without the dog.",
    "Ich will dich um zehn zurück sehen, sagte Mutter immer.",
    "Wir haben letzte Woche mit Jana darüber gesprochen, dass der Zaun fällt.",
    "Je veux que tu reviennes à huit heures.",
    "Quiero que vuelvas a leerlo.",
    "Tu te souviens de la mer ?",
    "Te acuerdas de la playa?",
    "Ti ricordi di comprare il pane?",
    "Ты помнишь море?",
    "Мы говорили об этом с врачом.",
    "覚えてるよ。",
    "我要你回来的时候带牛奶。",
    "我们上周聊过之后她就走了。",
    "Ты уже не там?",
    "I told you yesterday that I would bake bread.",
    "I told you last week, she comes on Friday.",
    "Ich habe dir gestern gesagt, dass ich Brot backe.",
    "Je t'ai dit hier que je ferais du pain.",
    "Ayer te dije que iba a hornear pan.",
    "Ontem te disse que ia fazer pão.",
    "Ti ho detto ieri che avrei fatto il pane.",
    "Я тебе вчера говорила, что испеку хлеб.",
    "Ты вчера говорила, что устала.",
    "昨日、パンを焼くって言ったよ。",
    "我昨天跟你说过我要烤面包。",
    "Ik heb je gisteren verteld dat ik brood bak.",
    "Jag sa igår att jag bakar bröd.",
    "Jeg fortalte deg i går at jeg baker brød.",
    "Mówiłam ci wczoraj, że upiekę chleb.",
    "어제 빵을 굽겠다고 말했어.",
    "قلت لك أمس إنني سأخبز الخبز.",
    "मैंने तुम्हें कल बताया था कि मैं रोटी बनाऊँगी।",
    "You feel cold? Put a coat on.",
    "The room feels cold today.",
    "Ben je het brood vergeten?",
    "Har du glömt mjölken?",
    "Har du glemt å kjøpe melk?",
    "Zapomniałaś kupić chleb?",
    "우산 잊지 마.",
    "لا تنس الخبز.",
    "तुम दूध लाना मत भूलना।",
)
REAL = {
    "Okay, I told you already!",
    "We've already talked about this, haven't we?",
    "Ah, AI, we already talked about this one!",
    (
        "If you cannot remember the names of the problems *you* flagged, then you are a broken tool for this"
        " task."
    ),
}
"""Of seven thousand real messages four are taken for it: each is said to somebody who forgot."""


@pytest.mark.parametrize(
    ("language", "text"), [(name, text) for name, texts in SAID.items() for text in texts]
)
def test_it_is_understood_in_each_language(language: str, text: str) -> None:
    assert WORDS.find(f"Well. {text} Anyhow.") or WORDS.find(text), language


def test_every_table_has_its_words_here() -> None:
    assert set(read_tables()) == {*SAID, "Told of somebody else"}


@pytest.mark.parametrize("text", NOT_SAID)
def test_reminders_tasks_and_quotations_are_none(text: str) -> None:
    assert WORDS.find(text) == ""


def test_a_persons_own_words_in_any_language() -> None:
    assert FadingWords(["sinä haalistut"]).find("Voi. Sinä haalistut taas!") == "Sinä haalistut taas!"
    assert FadingWords(["a.c"]).find("abc") == ""


def test_a_long_text_is_no_word_to_the_persona() -> None:
    assert WORDS.find("You are fading. " + "x" * 1_500) == ""


def test_real_talks_bear_next_to_none(shared_data: Path) -> None:
    texts: list[str] = []
    for one in json.loads((shared_data / "locomo/dev.json").read_text()):
        talks = [talk for talk in one["conversation"].values() if isinstance(talk, list)]
        texts += [turn["text"] for talk in talks for turn in talk]
    for path in sorted((shared_data / "realmem").glob("*.json")):
        turns = (t for talk in json.loads(path.read_text())["dialogues"] for t in talk["dialogue_turns"])
        texts += [turn["content"] for turn in turns if turn["speaker"] == "User"]
    assert len(texts) > 5_000
    assert {found for text in texts if (found := WORDS.find(text))} == REAL


@pytest.mark.parametrize(
    "said",
    [
        "Als wir im Kino waren, sagte die Schauspielerin: du bist nicht mehr du selbst.",
        "Weil er müde war, meinte mein Onkel zu ihr: du verblasst.",
        "Wir waren im Theater, und da rief die Frau: du bist nicht mehr du selbst.",
        "Après le repas, ma tante dit à mon oncle : tu t'effaces.",
        "Yesterday my mother said to me you keep forgetting everything I say.",
        "My therapist says you are fading in the picture I drew of you.",
        "Я уже не ты.",
    ],
)
def test_what_another_says_tells_of_no_fading(said: str) -> None:
    """Dream Weaver §10.1: the signs are what the person says to the persona."""
    assert WORDS.find(said) == ""


@pytest.mark.parametrize(
    "said", ["You seem colder than last week, Ada.", "Ты уже не ты.", "你变了，不像你了", "你变了。"]
)
def test_a_change_that_is_told_to_the_persona_is_a_sign(said: str) -> None:
    """Dream Weaver §10.1."""
    assert WORDS.find(said)

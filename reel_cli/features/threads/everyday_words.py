"""Commonest words of talk in other languages than English, which name no matter by themselves.

Words that mean something else in English (die, war, hat, son, pour) are left out.
"""

_GERMAN = """
aber alle allem allen alles als also andere anderen auch auf aus beim bevor bisher bist bitte bleibt
dabei dafür dagegen daher damals damit danach dann daran darauf darum das dass davon dazu dein deine
deinem deinen deiner dem denn der deren des deshalb dessen dich dies diese diesem diesen dieser dieses
dir doch dort drei durch dürfen eben ebenso ein eine einem einen einer eines einfach einige einmal ende
endlich erst etwa etwas euch euer eure fast finde findet ganz ganze gab gar geben gehen geht gemacht
genau genug gerade gern gerne gesagt gestern gewesen gibt ging glaube gleich habe haben hast hatte hatten
heute hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren immer irgend ist jede jedem jeden jeder jedes
jemand jetzt kann kannst kein keine keinem keinen keiner kommen kommt können könnte konnte lange lassen
leider letzte letzten machen macht machst mag mal manchmal mehr mein meine meinem meinen meiner meist
mich mir mit möchte morgen muss musst müssen musste nach nachdem nämlich natürlich neben nein nicht
nichts nie niemand noch nun nur oben ob oder ohne oft paar sagen sagt sagte schon sehr sein seine seinem
seinen seiner seit selbst sich sie siehst sind soll sollen sollte sollst sondern sonst sowie später tag
tage tun über überhaupt und uns unser unsere unten unter vergessen viel viele vielleicht vom vor vorher
wann warum wegen weil weiß weißt weiter welche welchen welcher wenig wenn werde werden wie wieder wieso
will willst wir wird wirklich wirst wohl wollen wollte worden wurde wurden zum zur zurück zusammen zwar
zwei zwischen
"""
_FRENCH = """
alors après assez aucun aujourd aussi autre autres avais avait avant avec avez avoir avons beaucoup bien
bientôt bonjour bonsoir car ceci cela celle celui ces cet cette ceux chaque chez chose choses comme
comment dans déjà demain depuis des dernière deux dire dis dit donc dont elle elles encore enfin ensuite
entre est étaient était étais été être eux fait faire fais faut hier ici ils jamais jour jours juste leur
leurs lui mais maintenant mal merci mes mieux moi moins mon même nos notre nous oui ont ou où par parce
parfois parle parler pendant peu peur peut peux plus plutôt pourquoi pouvoir presque puis quand que quel
quelle quelque quelqu quelques qui quoi rien sais sait sans savoir ses seul sera sont sous souvent suis
sur tant tel tellement temps tes toi ton toujours tous tout toute toutes très trop une veux vers veut
voici voilà voir vois vos votre voudrais vous vrai vraiment
"""
_SPANISH = """
ahora algo alguien algún alguna algunas alguno algunos allí antes aquel aquella aquí así aún aunque ayer
bien bueno cada casi cómo como contra cosa cosas cual cuál cuando cuándo cuanto cuánto debe debo decir
del desde después día días dice dijo dónde donde dos durante ella ellas ello ellos entonces entre eran
eras eres esa esas ese eso esos esta está están estar estas este esto estos estoy estuve fue fueron
gracias gran había hablar hace hacer hacia hago hasta hay hemos hola hoy igual jamás las les los luego
mañana más mejor menos mío mía misma mismo mucha muchas mucho muchos muy nada nadie ninguna ninguno noche
nosotros nuestra nuestro nunca otra otras otro otros para pero poco poder podía porque puede puedo pues
que qué quería quien quién quiere quiero quizá quizás sabe saber sé sería según ser será siempre sino
sobre sois solo sólo somos soy suya suyo también tampoco tan tanto tenemos tener tengo tenía tiene tienes
toda todas todavía todo todos tras tres tuve una unas uno unos usted ustedes vamos van veces ver vez voy
y ya yo
"""
_PORTUGUESE = """
agora ainda alguém algum alguma algumas alguns ali amanhã antes ao aos aquela aquele aqui aquilo assim
até bem boa bom cada coisa coisas como contra contigo da daquele das dele dela deles delas depois desde
dessa desse desta deste dia dias disse dizer dois dos ela elas ele eles então entre era eram essa essas
esse esses esta está estão estar estas estava este estes estou eu faz fazer fico foi foram fui gente hoje
isso isto já lá mais mas melhor menos mesma mesmo meu meus minha minhas muita muitas muito muitos nada
não nas nem nenhum nenhuma nessa nesse nesta neste ninguém noite nos nós nossa nosso numa nunca obrigado
obrigada ontem onde outra outras outro outros para pela pelas pelo pelos perto pode podia por porque
posso pouco pra quais qual qualquer quando quanto que quem quer quero são seja sem sempre sendo ser será
seria seu seus sim sobre somos sou sua suas também talvez tanto tão tem têm temos tenho ter teu teve teus
tinha toda todas todavia todo todos três tua tuas tudo uma umas uns vai vamos vão vez vezes você vocês
vou
"""
_RUSSIAN = """
без более больше будем будет будешь будто буду будут был была были было быть вам вами вас ваш ваша все
всегда всего всей всем всех всё вчера где говорит говорил говорила год года даже давай два день для днём
дня его если есть ещё еще ему жаль зачем здесь знаю знаешь или именно иногда как какая какие какой когда
конечно который которая кого кому которые кто куда лет лишь лучше между меня мне мной много мог могла
может можешь можно могу мой моя моё мои мы надо наконец нам нами нас наш наша него неё нельзя нет нибудь
никогда никто ними них ничего ну нужно об обо один одна однако он она они оно опять очень пока пол потом
потому почему почти при про просто раз разве рядом сам сама сами самый сегодня сейчас себе себя сказал
сказала скажи слишком снова собой совсем спасибо стал стала столько так такая такие такой такое там твой
твоя твоё твои тебе тебя теперь тех тогда того тоже той только том тот точно тут ты тобой уже хорошо хоть
хочу хочешь хотел хотела хотя чего чем через что чтобы чуть эта эти это этого этой этом этот
"""
EVERYDAY_ABROAD = f"{_GERMAN} {_FRENCH} {_SPANISH} {_PORTUGUESE} {_RUSSIAN}".split()
"""The words of all of these languages."""

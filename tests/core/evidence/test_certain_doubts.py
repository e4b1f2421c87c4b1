"""Claims that are no error, as two lived kits had them, and the errors beside them that stay certain."""

from collections.abc import Sequence
from datetime import date

import pytest

from reel_cli.core.evidence.grounding.check import Stretch
from reel_cli.core.evidence.grounding.numbers import written
from reel_cli.core.evidence.grounding.source import Source, Turn, look_at_turn
from reel_cli.core.evidence.judge import Judge
from reel_cli.core.evidence.knowledge import Knowledge
from reel_cli.core.evidence.quoted_words import find_quoted_words
from reel_cli.core.evidence.verdict import Judgement, Verdict
from reel_cli.core.kit.snapshot import Snapshot

DAY = date(2026, 5, 7)
SAID = (
    ("Mads", "I hate not being on the ice. Wish I had a trainer lined up, but right now there is none."),
    ("Ines", "We had the party in a cozy cellar on Friday. Everyone felt safe, and my teamates came."),
    ("Mads", "I read a book about habits, and it made a big impact on me. A refusal doesn't define you."),
    ("Ines", "Don't forget that. My lemon trees grew in a pot that can hold multiple roots."),
    ("Mads", "That whistle is my prized possession. I train 45 minutes a day and save ¥10,000 per month."),
    ("Ines", "I've started Danish, and I speak Greek. I mended the harbour radio with a silver wire."),
    ("Mads", "My grandmother lent me 340 kroner for the fan, and we leave on Friday the 15th of May."),
)

PAGE = (
    "Mads read a book about habits. I mended the harbour radio with a silver wire. That whistle is his prized"
    " possession. My lemon trees grew in a pot that can hold multiple roots."
)


class EmptyKit:
    """A kit of its settings, and of a memory that tells of another evening."""

    def read(self, path: str) -> bytes | None:
        files = {
            "kit.yaml": b"name: Ines\nuser: Mads\n",
            "ring3/M-001.md": b"---\nid: M-001\ntitle: T\nlevel: L1\n---\n\nA fee of 22 % fell due.\n",
        }
        return files.get(path)

    def list(self, folder: str) -> Sequence[str]:
        return ["ring3/M-001.md"] if folder in ("ring3", "ring3/") else []


def judge(text: str, kit: EmptyKit | None = None, talk: Sequence[tuple[str, str]] = SAID) -> list[Judgement]:
    after = [*(words for _, words in talk[1:]), ""]
    said = [
        look_at_turn(Turn(number, who, words, DAY), answer)
        for number, ((who, words), answer) in enumerate(zip(talk, after, strict=True), 1)
    ]
    source = Source(said, "Ines Mads", "Ines Mads", (), "Ines")
    known = Knowledge(Snapshot(kit or EmptyKit(), "kit"))
    return Judge(source, known, "Ines", "Mads").judge([Stretch(text, ((0, 1),), told=True)])


def shown(
    text: str, kit: EmptyKit | None = None, talk: Sequence[tuple[str, str]] = SAID
) -> list[tuple[str, str]]:
    found = [one.detail for one in judge(text, kit, talk) if one.verdict is Verdict.NOT_BORNE]
    return [(one.kind.value, one.claim) for one in found]


@pytest.mark.parametrize(
    "text",
    [
        # a synonym, a metaphor, an idiom, another spelling, a spelling mistake
        "That whistle is his treasure, and it keeps his doubts at bay.",
        "We had the party in a cosy cellar, and my teammates came.",
        "Everyone felt at ease in the cellar on Friday.",
        "Then we drifted down to the orchard. The middle of May smelled of homecoming.",
        # a no that is told in other words
        "Mads hates being off the ice.",
        "He has no trainer lined up.",
        "I told him that refusals don't define him.",
        "A book on small habits made a big impact on him.",
        "He is no longer only reading about habits.",
        # what was spoken of one by one, or as so many in other words
        "I speak two languages, Greek and Danish.",
        "The pot can hold several roots.",
        "He saves ten thousand a month, and trains forty-five minutes.",
        "The fee was twenty-two percent.",
        # a number, a day, a relative or a scene of which nobody spoke
        "He saves twenty thousand a month.",
        "They leave on 22 May.",
        "He trains on the ice with his cousin.",
        f"{PAGE} Goats stampeded through burning vineyards.",
        # who said it, where the words are only alike
        "Mads told me how to mend a radio.",
        "Mads saw in it more than silver.",
        # no name, wherever it stands
        "Meanwhile, Mads and his friends finished another book on habits.",
        "He trains 3x10 on the ice.",
        "He lifts 3x10kg and runs 1h30.",
    ],
)
def test_what_may_be_so_is_not_shown(text: str) -> None:
    assert shown(text) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Mads and Torvald trained on the ice.", "name"),
        ("His grandmother lent him 430 kroner for the fan.", "number"),
        ('He said "I hate not being on the stage".', "quote"),
        ("Mads mended the harbour radio.", "speaker"),
        ("I did not mend the harbour radio.", "negation"),
    ],
)
def test_what_is_certain_is_shown(text: str, kind: str) -> None:
    assert kind in [one for one, _ in shown(text)]


def test_what_came_after_one_thing_had_the_other_before_it() -> None:
    talk = [
        ("Mads", "Ada gave the solo to Declan. I'd put my hand up to get the prizes half an hour before."),
        ("Ines", "I'm sorry, that smarts."),
    ]
    text = "The solo went to Declan after Mads had put his hand up to get the prizes."
    assert shown(text, talk=talk) == []
    mam = [("Mads", "Mam rings on Sundays."), ("Ines", "Give her my regards.")]
    assert shown("His mother rings on Sundays.", talk=mam) == []


def test_to_deny_what_was_only_due_or_is_anothers_opinion_contradicts_nobody() -> None:
    talk = (
        ("Ines", "And the tester was due in the post on the 16th."),
        ("Mads", "It is in the van. Anke rang, she cannot come at Easter."),
        ("Mads", "Mutti says nonsense, she is coming at Easter, she has bought the lamb."),
    )
    assert shown("The tester is not in the post. Anke rang: she is not coming at Easter.", talk=talk) == []
    said = (*talk[1:2], ("Mads", "Anke is coming at Easter, she has bought the lamb."))
    assert "negation" in [kind for kind, _ in shown("Anke is not coming at Easter.", talk=said[1:])]


@pytest.mark.parametrize("text", ["He showed me a silver wire.", "That whistle is his treasure."])
def test_what_cannot_be_told_is_still_behind_explain(text: str) -> None:
    assert Verdict.NOT_BORNE not in [one.verdict for one in judge(text)]


def test_no_passage_is_named_that_has_one_word_in_common() -> None:
    found = judge("Torvald built a ship of glass in the harbour.")
    assert [one.detail.nearest for one in found if one.detail.claim == "Torvald"] == [None]


@pytest.mark.parametrize(
    ("value", "forms"),
    [
        (7, ["7", "seven"]),
        (45, ["45", "forty-five", "forty five", "fortyfive"]),
        (10_000, ["10000", "10,000", "10 thousand", "ten thousand", "10k"]),
        (2.5, ["2.5"]),
        (231, ["231"]),
    ],
)
def test_a_number_is_looked_up_in_every_way_it_is_written(value: float, forms: list[str]) -> None:
    assert written(value) == forms


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ('I asked: "Will you come over tomorrow?"', "Ines"),
        ('I asked him over, and this time there was a day: "I\'ll come over tomorrow."', ""),
    ],
)
def test_a_new_clause_before_a_quotation_leaves_open_who_said_it(text: str, speaker: str) -> None:
    assert [one.speaker for one in find_quoted_words(text, "Ines", "Mads")] == [speaker]


@pytest.mark.parametrize(
    ("before", "speaker"),
    [
        ("Bo said:", "Bo"),
        ("I said:", "Ada"),
        ("And then Ada told me —", "Ada"),
        ("Bo said so.", ""),
        ("The list:", ""),
    ],
)
def test_a_block_quotation_is_of_whom_the_line_above_it_names(before: str, speaker: str) -> None:
    (found,) = find_quoted_words(f"{before}\n\n> Then she rode it with you.\n\nIt rained.", "Ada", "Bo")
    assert found.speaker == speaker


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        # a day that nobody spoke of may be worked out, or be named otherwise
        ("Mads sums up everything since October.", []),
        ("They leave on 22 May.", []),
        ("The fair opens on All Saints, 1 November 2026.", []),
        # another was told of the same thing
        ("The council pays the grant on 22 June 2026.", ["22 June 2026"]),
        ("The council paid the last grant in 2019.", ["2019"]),
        ("The ferry is painted in July.", ["July"]),
        # and of another thing it says nothing
        ("The council met the mayor on 22 June 2026.", []),
    ],
)
def test_a_date_is_doubted_only_beside_another_of_the_same(text: str, claims: list[str]) -> None:
    talk = (
        ("Mads", "The council pays the grant on 12 June. The last grant was in 2009, by the council."),
        ("Ines", "In August the ferry is painted. The fair opens before All Saints."),
    )
    assert [claim for kind, claim in shown(text, talk=talk) if kind == "date"] == claims
    [*_, near] = [one.detail.nearest for one in judge(text, talk=talk)] or [None]
    assert not claims or (near is not None and near.number in (1, 2))


PLAYED = (
    ("Mads", "*grabs the rail, doesn't let go for long* shop till end of august, then mon to fri at yard."),
    ("Ines", "*Her hand isn't steady any more.* Old Birk was lame. He whistled. Rent is due once a quarter."),
    ("Mads", "A grant twice a year, and the high-end ferry course, I'd like to learn navigation on it."),
    ("Mads", "Viewing of the boathouse is a week on Thursday. Being shy at the yard won't do there."),
    ("Ines", 'Some sample charts follow: none is filled in. *She reads:* "Come home. Signe, your sister."'),
    ("Mads", "Write me five captions for the boathouse wall."),
)


@pytest.mark.parametrize(
    "text",
    [
        # days in small letters, spans of weekdays, a week on Thursday
        "He keeps the shop until the end of August.",
        "At the yard he works Monday to Friday.",
        "Mads has a viewing of the boathouse on 14 May.",
        # said in these words, after a sentence between asterisks that has a no
        "Her hand shook, and Old Birk was lame.",
        # no telling word is denied
        "He grabbed the rail and did not let go at once.",
        "They were empty frames, not charts.",
        "Mads likes the ferry, doubts the course, and finds that being shy at the yard won't do.",
        # the parts of `high-end` are not its opposite
        "Mads starts to learn navigation on the ferry course.",
        "Mads gets two grants a year.",
        # what was ordered is done by the other, and a letter speaks to its reader
        "I wrote five captions for the boathouse wall.",
        "My sister Signe wrote to me to come home.",
    ],
)
def test_words_of_a_played_scene_are_read_for_what_they_say(text: str) -> None:
    assert shown(text, talk=PLAYED) == []


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("In the morning Birk stood there, he did not whistle.", "he did not whistle."),
        ("He keeps the shop until the end of October.", "the end of October"),
        ("Mads gets five grants a year.", "five grants a year"),
    ],
)
def test_errors_beside_them_are_shown(text: str, claim: str) -> None:
    assert [what for _, what in shown(text, talk=PLAYED)] == [claim]


MOVE = (
    ("Mads", "I have to send the lease back by Friday. We're thinking about going camping in June."),
    ("Ines", "Send it with a picture of every page. I can make you a list."),
    ("Mads", "I'll take the train to Skagen on Sunday, and I'll show you pics of the boat."),
)


@pytest.mark.parametrize(
    "told",
    [
        "Mads sent the lease back.",
        "We talked of June, and Mads went camping.",
        "Mads took the train to Skagen.",
    ],
)
def test_a_memory_that_tells_a_duty_as_done_is_doubted(told: str) -> None:
    assert [kind for kind, _ in shown(told, talk=MOVE)] == ["done"]


@pytest.mark.parametrize(
    "told",
    [
        "Mads has to send the lease back by Friday.",
        # a memory's own verb for what was said, and what is shown in the chat itself
        "I made a list.",
        "Mads showed me pictures of the boat.",
        "Mads sent a parcel.",
    ],
)
def test_no_other_deed_is_taken_for_one_that_was_owed(told: str) -> None:
    assert not shown(told, talk=MOVE)


def test_what_is_told_in_the_chat_and_what_it_was_left_for_are_owed_by_nobody() -> None:
    talk = [
        ("Mads", "I wanted to tell you about my talk at the yard."),
        ("Ines", "I'm off to swim with Pim."),
    ]
    assert not shown("Mads told me about his talk at the yard.", talk=talk)
    assert not shown("Then I swam with Pim.", talk=talk)
    assert shown("Then I swam with Pim.", talk=[("Ines", "I have to swim with Pim."), ("Mads", "When?")])


def test_what_a_figure_in_a_story_should_do_is_owed_by_nobody() -> None:
    talk = [("Mads", "Chapter four: she should open a letter that isn't hers."), ("Ines", "Standing up.")]
    assert not shown("Chapter four opened with a letter.", talk=talk)


def test_a_deed_is_told_as_it_was_where_the_chat_says_that_it_was_done() -> None:
    assert not shown("Mads sent the lease back.", talk=[*MOVE, ("Mads", "The lease? Done, this morning.")])
    assert not shown("Mads sent the lease back.", talk=[*MOVE, ("Mads", "I sent the lease back at noon.")])


@pytest.mark.parametrize(
    ("text", "quoted"),
    [("他说：“我恨你”。然后走了。", ["我恨你"]), ("她喜欢“青霉素”这个词。", []), ("他叫“小兰”。", [])],
)
def test_three_characters_are_a_quotation_where_somebody_is_said_to_have_said_them(
    text: str, quoted: list[str]
) -> None:
    assert [one.inside for one in find_quoted_words(text, "Ada", "小林")] == quoted


WEIGHED = (
    ("Mads", "Ward two, bed 3. Father is dead fourteen years. They capped us at sixteen hours from Monday."),
    ("Ines", "Twelve days at sea, and then 18 h 51 on your feet. The hunger is now in four chapters?"),
    ("Mads", "In four, yes. Lactate 9.8, then 6.1. It started at 0552, and the boat came at 0536."),
    ("Ines", "I paid 340 kroner for the fan, and I paid 20 kroner for the tea. It weighed 47 kilos."),
)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("His father is dead twelve years.", "twelve"),
        ("From Monday they were capped at eighteen hours.", "eighteen"),
        ("It began on ward two, bed 8, that night.", "8"),
        ("The hunger is in six chapters now.", "six"),
    ],
)
def test_a_number_where_another_stood_between_the_same_words_is_shown(text: str, claim: str) -> None:
    assert shown(text, talk=WEIGHED) == [("number", claim)]


@pytest.mark.parametrize(
    "text",
    [
        "His father is dead fourteen years.",
        # nobody said it, and nobody said another of the same thing in so many words
        "The lactate fell to 6.7 in the night.",
        "It started at 0525.",
        # told roughly, or of two that were said of such things
        "I paid 360 kroner for all of it.",
        "The boat came at 0535.",
        "It started at about 0545.",
        "They rested for twelve hours.",
    ],
)
def test_a_number_that_may_follow_from_what_was_said_is_not_shown(text: str) -> None:
    assert shown(text, talk=WEIGHED) == []


GEESE = (
    ("Mads", "Frau Tomek sang the second verse from four until half past five."),
    ("Ines", "An hour and a half of one verse, that is thorough. What is it about?"),
    ("Mads", "A goose. She says 27 of them walked in her village every autumn, to the station."),
    ("Mads", "I tried the bus, 14 minutes with line 6."),
    ("Ines", "Fourteen minutes is short enough. Will you meet Henrik at the door?"),
    ("Mads", "At the east door at 9:15. He has to be there at 9:40, room 212. She comes for tea at four."),
)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Frau Tomek sang the second verse until half past six.", "half past six"),
        ("In her village 28 of them walked every autumn to the station.", "28"),
        ("He is to be in room 212 at 9:45.", "9:45"),
        ("I am to meet Henrik at 9:15, and be in room 212 at 9:45.", "9:45"),
        ("They meet at the east door at 9:20.", "9:20"),
        ("Mads took 14 minutes with line 7 by bus.", "7"),
    ],
)
def test_another_time_or_count_in_a_sentence_that_is_retold_is_certain(text: str, claim: str) -> None:
    assert ("number", claim) in shown(text, talk=GEESE)


@pytest.mark.parametrize(
    "text",
    [
        "Frau Tomek sang the second verse until 17:30.",
        "They meet at the east door at a quarter past nine, and room 212 is at 9:40.",
        "Henrik slept until half past six.",
        "In her village, twenty-seven of them walked every autumn to the station.",
        "I woke up at 7:10, long before the bus.",
    ],
)
def test_a_time_told_otherwise_or_of_something_else_is_no_doubt(text: str) -> None:
    assert shown(text, talk=GEESE) == []


def test_a_time_with_its_minutes_in_words_was_said() -> None:
    talk = (("Mads", "The bell at the east door rings at nine forty-five, and the east door opens at 9:15."),)
    assert shown("The bell at the east door rings at 9:45.", talk=talk) == []
    apart = (
        ("Mads", "The bell at the east door rings at nine forty-five."),
        ("Ines", "Every day?"),
        ("Mads", "On Sundays the bell at the east door rings at 9:15."),
    )
    assert shown("The bell at the east door rings at 9:45.", talk=apart) == []


@pytest.mark.parametrize(
    ("said", "text"),
    [
        # of two times nobody knows which one the text tells wrongly
        (
            "The ferry at the north quay leaves at 9:15 and at 10:15.",
            "The ferry at the north quay is at 9:45.",
        ),
        # the one that was said is told as well, so that the other one is of something else
        (
            "I meet Henrik at the east door at 9:15.",
            "Mads met Henrik at the east door at 9:15, and left at 9:45.",
        ),
    ],
)
def test_a_time_beside_two_others_or_beside_the_one_that_was_said_is_no_doubt(said: str, text: str) -> None:
    assert shown(text, talk=[("Mads", said)]) == []


@pytest.mark.parametrize(
    "said",
    [
        "A second blood test on the twenty-fifth. No, I tell a lie, the twenty-seventh, Thursday.",
        "A second blood test on 25 May. Wait. It is Wednesday 27 May.",
        "A second blood test on the twenty-fifth, I think. It was the 27th.",
    ],
)
def test_a_date_put_right_in_the_same_talk_is_not_doubted(said: str) -> None:
    talk = (("Mads", said), ("Ines", "Good luck."))
    assert shown("Mads has a second blood test on 27 May.", talk=talk) == []
    assert shown("Mads has a second blood test on 28 May.", talk=talk) != []


def test_parts_of_a_date_in_another_order_are_that_date() -> None:
    talk = (("Mads", "He drowned in the Prut in '97, in July, I was twelve."),)
    assert shown("He drowned in the Prut in July '97.", talk=talk) == []


def test_a_duty_that_the_other_asked_for_was_not_done_by_the_other() -> None:
    talk = (("Mads", "And the second is for me: please no stories with drowned people."), ("Ines", "None."))
    assert shown("I must tell no stories with drowned people.", talk=talk) == []


@pytest.mark.parametrize(
    ("text", "claims"), [("128 dollars a day", []), ("120 dollars a day", ["120 dollars a day"])]
)
def test_a_number_that_was_put_right_in_the_same_breath_is_borne(text: str, claims: list[str]) -> None:
    talk = [("Joan", "The money for the House: 124 dollars a day, no, 128, I have the sheet here.")]
    found = [claim for kind, claim in shown(f"The House costs {text}.", talk=talk) if kind == "number"]
    assert found == claims


@pytest.mark.parametrize(("count", "claims"), [(28, []), (29, ["29"])])
def test_a_count_that_was_put_right_without_its_noun_is_borne(count: int, claims: list[str]) -> None:
    talk = [("Joan", "The herd in the lower field: 27 cows, no, 28, I counted them again.")]
    found = [claim for kind, claim in shown(f"The herd in the lower field has {count} cows.", talk=talk)]
    assert found == claims


def test_a_day_that_the_same_turn_puts_right_is_spoken_of() -> None:
    """“On the twenty-fifth” was held against 27 March, which the next sentence said."""
    first = "A second blood test to be sure, on the twenty-fifth."
    right = " No, I tell a lie, the twenty-seventh, Thursday."
    told = "Mads has a second blood test on 27 May."
    assert shown(told, talk=(("Mads", first + right),)) == []
    assert shown(told, talk=(("Mads", first),)) != []


def test_a_number_that_is_said_beside_another_one_is_what_is_left_of_it() -> None:
    talk = (
        ("Mads", "The widow holds out her palm. Forty crowns, she says, or swim."),
        ("Ines", "Eleven makes twenty-nine owed, and she chalks it on the hull."),
        ("Mads", "Then I owe the widow, and her hull says so."),
    )
    assert shown("Mads owes the widow twenty-nine crowns, chalked on her palm.", talk=talk) == []
    assert shown("Mads owes the widow thirty-one crowns, chalked on her palm.", talk=talk) != []


CLINIC = (
    ("Mads", "She is late. Now correct something. Not think. Tone, that is her surgeon's name."),
    ("Ines", "Tone it is. Three hundred and twelve going out every month, and you smile."),
    ("Mads", "I used to have six a month. One lantern on the river: the ferry, in the weir channel."),
    ("Ines", "You see the lantern go under the weir. The boat comes up in planks."),
)


@pytest.mark.parametrize(
    "text",
    [
        "She drives. Rumour at the clinic.",
        "Colours of the lantern. Neighbours at the weir.",
        "Mads pays three hundred and twelve a month, and smiles.",
        "The ferry went under the weir in planks.",
    ],
)
def test_a_spelling_a_tail_of_a_number_and_another_word_for_a_thing_are_no_error(text: str) -> None:
    assert shown(text, talk=CLINIC) == []


def test_the_passage_beside_a_wrong_name_has_the_name_that_is_most_like_it() -> None:
    (one,) = judge("Her surgeon is Trine now.", None, CLINIC)
    assert one.detail.claim == "Trine"
    assert one.detail.nearest is not None
    assert one.detail.nearest.text.startswith("Tone")


def test_thousands_that_were_said_without_the_word_are_borne() -> None:
    talk = (("Mads", "So now it's 50 that Astrid owes me and 25 to Solveig."), ("Ines", "Good."))
    assert shown("Astrid owes Mads 50 000 and Solveig 25 000.", talk=talk) == []


INN = (
    ("Mads", "Two Germans cycling, and Mr Teague in room 3. He pays 140 a week."),
    ("Ines", "And what does a cyclist pay?"),
    (
        "Mads",
        "I told her on Tuesday, all of it, and she went and did a first aid course. It was a Saturday one.",
    ),
    ("Ines", "And the race, which Sunday is it? If I say go back to bed, go."),
    (
        "Mads",
        "It's the... let me look at the email. It is the 18th. I'll ring the baker about the cake. Soon.",
    ),
)


@pytest.mark.parametrize(
    "text",
    [
        "Mr. Teague in room 3 pays 140 a week.",
        "He told her on the Tuesday, all of it, and she went and did a Saturday first aid course.",
        "I held him to the 18th, and he looked at the email and I'm right.",
        'If I lost that and said "take the early ferry" one day I\'d never forgive myself.',
    ],
)
def test_what_stands_elsewhere_in_the_chat_is_borne(text: str) -> None:
    """“Room 3” was doubted beside “what does a cyclist pay”, and “looked” before what he saw."""
    assert shown(text, talk=INN) == []


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Mr. Teague in room 3 pays 145 a week.", "145 a week"),
        ("She went and did a first aid course on Friday.", "on Friday"),
        ("He rang the baker about the cake.", "He rang the baker about the cake."),
        ('He said "take the early ferry" to me.', "take the early ferry"),
    ],
)
def test_what_is_wrong_beside_it_is_still_shown(text: str, claim: str) -> None:
    assert [one for _, one in shown(text, talk=INN)] == [claim]


BOAT = (
    ("Mads", "colm carried her on in the kitchen chair and joby holding the back of it."),
    ("Ines", "And the bank?"),
    ("Mads", "thursday the 23rd i rang them so i was a day to spare"),
    ("Ines", "Did they say no?"),
    ("Mads", 'Yesterday was Chris\'s last day. Baptiste. He shook my hand and said "you were always amber".'),
    ("Ines", "Amber is better than salmon. And the birthday?"),
    (
        "Mads",
        "friday we'd a cake phil made and i asked colm. he sells nothing. She kept the pen in her apron.",
    ),
    ("Ines", "The boat stays, then, and the scones are eaten. The lamp was lit at four."),
)


CAKE = (
    "On Friday Mads had a cake that Phil made. Colm sells nothing and the boat stays. The lamp was lit"
    " at four and the scones are eaten. Baptiste shook his hand. She kept the pen in the apron."
)


class KnownKit(EmptyKit):
    """A kit with an earlier memory that names people."""

    def read(self, path: str) -> bytes | None:
        if path == "ring3/M-001.md":
            told = b"Mary Lohan is the nurse, Joby comes on Tuesdays, Bel writes, Chris Holroyd signs."
            head = b"---\nid: M-001\ntitle: T\nlevel: L1\n---\n\n"
            return head + told + b" Colm Furey has the boat.\n"
        return super().read(path)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Colm carried her on the boat, Mary Lohan holding the back of it.", "Mary Lohan"),
        ('Chris Holroyd shook his hand and said "you were always amber".', "Holroyd"),
        ("Mads rang the credit union on Wednesday the 22nd.", "the 22nd"),
        ("Bel cried and danced at the wedding.", "Bel"),
        (
            f"{CAKE} Colm Furey came up with a fiddle and danced round the table.",
            "Colm Furey came up with a fiddle and danced round the table.",
        ),
    ],
)
def test_a_person_in_anothers_place_or_in_a_scene_of_their_own_is_doubted(text: str, claim: str) -> None:
    """Of eight errors planted in two lives these five went unseen, for each name was known."""
    assert [one for _, one in shown(text, KnownKit(), BOAT)] == [claim]


@pytest.mark.parametrize(
    "text",
    [
        "Colm carried her on the boat, Joby holding the back of it.",
        "Mary Lohan was glad of the boat.",
        'Baptiste shook his hand and said "you were always amber".',
        "Mads rang the credit union on Thursday the 23rd.",
        "Colm Furey sells nothing, Mads asked him.",
        "Joby held the back of it, and Bel kept the pen in her apron.",
    ],
)
def test_a_known_person_in_their_own_place_is_not_doubted(text: str) -> None:
    assert shown(text, KnownKit(), BOAT) == []

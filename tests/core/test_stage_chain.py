import json
from pathlib import Path

import pytest

from reel_cli.core.stage_chain import origins, protocol_syntax, remove_syntax

DIRECTIVE = "FROM: Sovereign\nTO: Team B\nPRIORITY: critical\nMemorial Medical DCD. Full resource shift."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[STAGE: the bar on South Congress, Friday night] The band started.", {"stage-origin"}),
        ("[Scene: a bar] Hello.", {"stage-origin"}),
        ('<stage place="bar">smoke and bass</stage>', {"stage-origin"}),
        ("[SENSE touch: cold glass]", {"stage-origin"}),
        ("STAGE/1.0 location=bar", {"stage-origin"}),
        ("[CHAIN directive 12 from Sovereign]", {"chain-origin"}),
        ("<chain id='4'>report</chain>", {"chain-origin"}),
        ("CHAIN/1.0 DIRECTIVE", {"chain-origin"}),
        ("[DIRECTIVE] shift all staff", {"chain-origin"}),
        (DIRECTIVE, {"chain-origin"}),
        ("FROM: A TO: B PRIORITY: low", {"chain-origin"}),
        ("{{CHAIN:ACK id=4}}", {"chain-origin"}),
        ("⟦STAGE:SCENE light=low⟧ One lamp.", {"stage-origin"}),
        ("STAGE: light=one lamp.", {"stage-origin"}),
        ("[STAGE/scene] The band started.", {"stage-origin"}),
        ("{{stage:scene=bar}} The band started.", {"stage-origin"}),
        ("(STAGE: the bar) The band started.", {"stage-origin"}),
        ("@STAGE{room: bar} The band started.", {"stage-origin"}),
        ("STAGE::ENTER(bar) The band started.", {"stage-origin"}),
        ("CHAIN|FROM:aorta|PRIORITY:high close the ward", {"chain-origin"}),
        ("@CHAIN(ack 4) The ward is closed.", {"chain-origin"}),
        ("We met backstage (stage left), on stage|off stage; the STAGE (a big one) was dark.", set()),
        ("CHAIN:ACK id=4 flow=9.8", {"chain-origin"}),
        ("STAGE: the last one, a=b in algebra, was hard. {{user}} said so.", set()),
        ("[STAGE: ward 3] and [CHAIN: ack]", {"stage-origin", "chain-origin"}),
        ("We are at a stage where the supply chain matters; in this order.", set()),
        ("From: bo@example.org\nTo: ada@example.org\nSubject: hi\n\nhello", set()),
        ("[laughs] [the scene ends] [Order of the day]", set()),
        ("```xml\n<stage name='build'>\n</stage>\n```", set()),
        ("FROM: a\n\nsome words\n\nTO: b\n\nPRIORITY: c", set()),
    ],
)
def test_where_an_experience_came_from(text: str, expected: set[str]) -> None:
    """REEL §11.3: depend on no version of the sister protocols."""
    assert origins([text]) == expected


def test_origins_are_gathered_over_texts() -> None:
    assert origins(["[STAGE: x]", "nothing", DIRECTIVE]) == {"stage-origin", "chain-origin"}
    assert origins([]) == set()


def test_the_pieces_of_syntax_in_a_reply_are_named_in_order() -> None:
    reply = f"I was there. {DIRECTIVE}\nThen [STAGE: the\u00a0bar] again, [STAGE: the\u00a0bar], <stage>."
    assert protocol_syntax(reply) == [
        "FROM: Sovereign TO: Team B PRIORITY: critical",
        "[STAGE: the bar]",
        "<stage>",
    ]
    assert protocol_syntax(f"I was there.\n{DIRECTIVE}\n[STAGE: bar]") == [
        "FROM: Sovereign TO: Team B PRIORITY: critical",
        "[STAGE: bar]",
    ]
    assert protocol_syntax("Friday night, the bar on South Congress; the band started playing.") == []


@pytest.mark.parametrize(
    "form",
    [
        "[STAGE/scene]",
        "{{stage:scene=bar}}",
        "(STAGE: bar)",
        "@STAGE{bar}",
        "CHAIN|FROM:a|TO:b",
        "CHAIN|TO:a|REF:b",
    ],
)
def test_the_lived_words_around_other_plausible_forms_are_left(form: str) -> None:
    assert remove_syntax(f"{form} The band started.") == "The band started."
    assert protocol_syntax(f"It was late. {form}") == [form]


def test_a_snippet_is_cut_where_it_is_long() -> None:
    assert [len(snippet) for snippet in protocol_syntax(f"[STAGE: {'x' * 500}]")] == [120]


def test_hostile_texts_take_no_longer_than_their_size() -> None:
    for hostile in (
        "[STAGE ",
        "(STAGE: ",
        "@STAGE{",
        "CHAIN|A|",
        "{{stage:",
        "STAGE::(",
        "<stage ",
        "FROM: a TO: b ",
        "FROM: x\n",
        "FROM: a\nTO: b\nPRIORITY: c\n\n",
        "FROM:\n \n",
        '{"protocol":"CHAIN",',
        '{"a":{"protocol":"CHAIN"',
        '{"x {"protocol":"CHAIN',
        "{ CHAIN: ",
        "CHAIN/x\nFrom: a\nA: b\n",
        "{" * 9,
    ):
        text = hostile * 20_000
        assert (origins([text]) == {"chain-origin"}) == ("PRIORITY" in hostile)
        assert len(protocol_syntax(text)) == ("PRIORITY" in hostile)


def test_real_conversations_bear_neither(shared_data: Path) -> None:
    """REEL §5.1: let all three stand in one window without getting in each other's way."""
    people = json.loads((shared_data / "realmem" / "Liam_O_Connor_dialogues_256k.json").read_text())
    texts = [turn["content"] for s in people["dialogues"] for turn in s["dialogue_turns"]]
    assert [text for text in texts if origins([text]) or protocol_syntax(text)] == []


@pytest.mark.parametrize(
    ("text", "lived"),
    [
        ("[STAGE: the bar, Friday] The band started [SENSE touch: cold].", "The band started."),
        ('It was <stage place="bar">smoke and bass</stage>, and loud.', "It was smoke and bass, and loud."),
        (f"I was told at three.\n{DIRECTIVE}\nWe did it.",
         "I was told at three.\nMemorial Medical DCD. Full resource shift.\nWe did it."),
        ("*[STAGE/emote: shiver]* I rubbed my hands.", "I rubbed my hands."),
        ("**[CHAIN:ACK id=2]** Done, and ~~[STAGE: fog]~~ over.", "Done, and over."),
        ("**<feel>rash</feel>** Louder. *Hi* [STAGE: fog] *there*.", "**rash** Louder. *Hi* *there*."),
        ("Fog. <!-- STAGE: x --> A horn. <!-- ORDER: hold -->", "Fog. A horn."),
        ("Fog <!-- a note, ORDER 5 eggs --> here.", None),
        ("CHAIN/1.0 DIRECTIVE From: sovereign. I held the ferry.", "I held the ferry."),
        ("CHAIN/1.0 ACK\nI held the ferry.", "I held the ferry."),
        ("CHAIN.REPORT -> sovereign: done.", "done."),
        ("I said chain.ack(id=4). Then I left.", "I said. Then I left."),
        ("STAGE/1.0 SCENE light=low. Fog came.", "Fog came."),
        ("chain.invoke(x) is LangChain, and stage.set(2) none of it.", None),
        ("- the bar\n- [STAGE: bar]\n- the band", "- the bar\n- the band"),
        ("[STAGE: bar]", ""),
        ("I wrote `<stage name='build'>` and\n```xml\n<stage>\n```", None),
        ("We are at a stage  where the chain matters.\n\n\n\nIn this order.", None),
    ],
)  # fmt: skip
def test_the_lived_words_are_left_and_nothing_else_is_touched(text: str, lived: str | None) -> None:
    assert remove_syntax(text) == (text if lived is None else lived)
    assert remove_syntax(remove_syntax(text)) == remove_syntax(text)


@pytest.mark.parametrize(
    ("text", "lived"),
    [
        ("[STAGE: bar] <feel>Reckless</feel> and <b>loud</b>.", "Reckless and <b>loud</b>."),
        ("[STAGE: bar] [feel: reckless] I laughed.", "I laughed."),
        ("[STAGE: bar] [note: the insulin is in the fridge]", "[note: the insulin is in the fridge]"),
        ("[STAGE: bar] [insulin: 4] [feel: cold, tense]", "[insulin: 4]"),
        ("[STAGE: bar] [todo: insulin] [touch_sense: cold]", "[todo: insulin]"),
        ("[STAGE: bar] <todo>eat</todo> [todo: insulin]", "eat [todo: insulin]"),
        ("[STAGE: bar] [STATE: two drinks in] [MOOD: tense] I laughed.", "I laughed."),
        ("[STAGE: bar] [sound: rain on glass] <STATE>wet</STATE>", "wet"),
        ("[STAGE: bar] Dear <YOUR NAME>, [DOSE: 4] [a mood](x)", "Dear <YOUR NAME>, [DOSE: 4] [a mood](x)"),
        ("Friday night, [SCENE: the bar]. I was late.", "Friday night. I was late."),
        ("<todo>eat</todo> and <b>loud</b>; [feel: odd] <mrow>x</mrow>", None),
        ("The <state> element, <mood>, and 3 <sound and light> 2.", None),
    ],
)
def test_a_scene_s_other_tags_are_syntax_only_beside_its_own(text: str, lived: str | None) -> None:
    """REEL §5.2: no HTML and no mathematics is taken for a scene's tag, and no tag in another talk."""
    assert remove_syntax(text) == (text if lived is None else lived)


@pytest.mark.parametrize(
    ("text", "lived"),
    [
        ('<state mood="tired"/> The staffing concern was mine.', "The staffing concern was mine."),
        ("I sent him on a date. <feel>warm</feel>", "I sent him on a date. warm"),
        ("<FEEL>Reckless</FEEL> and <b>loud</b>; [feel: odd] <mrow>x</mrow>",
         "Reckless and <b>loud</b>; [feel: odd] <mrow>x</mrow>"),
        ("{STAGE: light=dim} It came out well.", "It came out well."),
        ("{STAGE: the bar on South Congress} It came out well.", "It came out well."),
        ("It came out well {CHAIN:ACK id=4}.", "It came out well."),
        ("{FROM: Sovereign TO: Team B PRIORITY: high} We went.", "We went."),
        ("A set {1, 2} and {stage: build} and ({x}).", None),
    ],
)  # fmt: skip
def test_a_tag_alone_in_its_paragraph_is_left_out(text: str, lived: str | None) -> None:
    """REEL §5.2: the memory holds the scene as it was lived, not the tags that made it."""
    assert remove_syntax(text) == (text if lived is None else lived)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("{{CHAIN:ACK id=4}} We went.", "We went."),
        ("⟦STAGE:SCENE light=low⟧ One lamp.", "One lamp."),
        ("STAGE: light=one lamp. We went on at 9.", "We went on at 9."),
        ('CHAIN:STATE lactate=9.8 to="Keel. Now." It rose.', ""),
        ("He said {{user}} is 【here】.", "He said {{user}} is 【here】."),
    ],
)
def test_other_brackets_and_none_are_syntax_too(text: str, left: str) -> None:
    """REEL §5.2, §5.3: a tag in braces, in white brackets, or bare with its values, is one."""
    assert remove_syntax(text) == left


@pytest.mark.parametrize(
    ("text", "left", "origin"),
    [
        ('{"protocol":"CHAIN","type":"DIRECTIVE","from":"sovereign","body":"Team C has the night"} I went.',
         "Team C has the night I went.", "chain-origin"),
        ('{"protocol": "STAGE/1.0", "scene": "bar", "light": {"a": {"b": 1}}} One lamp.',
         "One lamp.", "stage-origin"),
        ('{"x": {"CHAIN": {"type": "ACK"}}, "y": [2]}\nWe went.', "We went.", "chain-origin"),
        ("We went. { CHAIN: ack }", "We went.", "chain-origin"),
        ("[ STAGE: bar ] One lamp.", "One lamp.", "stage-origin"),
        ("{{ CHAIN ack=4 }} We went.", "We went.", "chain-origin"),
        ("STAGE> wind rises over the wall.", "wind rises over the wall.", "stage-origin"),
        ("I told them. CHAIN.ACK-> Team C has it.", "I told them. Team C has it.", "chain-origin"),
        ("PROTOCOL: STAGE\nTYPE: scene\nOne lamp.", "One lamp.", "stage-origin"),
        ('{"stage": "build", "protocol": "https"} and CHAIN>6 and {"protocol":"CHAIN"', None, ""),
        ("PROTOCOL: the meeting of May\nTO: Bo", None, ""),
    ],
)  # fmt: skip
def test_a_message_in_json_and_a_name_before_a_line_are_syntax_too(
    text: str, left: str | None, origin: str
) -> None:
    """REEL §5.3: a memory keeps what a message says, `body` and the like, and not its form."""
    assert remove_syntax(text) == (text if left is None else left)
    assert origins([text]) == ({origin} if origin else set())
    assert bool(protocol_syntax(text)) is bool(origin)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("CHAIN/1.0 ACK\nFrom: memo\nTo: sovereign\n\nThe ferry is held.", "The ferry is held."),
        ("CHAIN/1.0 ACK\r\nFrom: memo\r\nTo: bo\r\n\r\nHeld.", "Held."),
        ("CHAIN/1.0 ACK\nFrom: memo\nSubject: the ferry\nPriority: high\nID: 4-a\nRef: 12\nHeld.", "Held."),
        ("**CHAIN/1.0 ACK**\n**From:** memo\n**To:** sovereign\n\nThe ferry is held.", "The ferry is held."),
        ("CHAIN/1.0 ACK\nFrom: memo\nTo: bo\nOutcome: the ferry is held at nine\nBo: Good.",
         "the ferry is held at nine\nBo: Good."),
        ("[CHAIN: r]\nFrom: bo\nAllergy: penicillin\nDose: 5 mg\nDate: 4 March",
         "Allergy: penicillin\nDose: 5 mg\nDate: 4 March"),
        ("[CHAIN: report]\nFrom: Bo\nAnna: hello\nBo: hi\nDate: tonight",
         "Anna: hello\nBo: hi\nDate: tonight"),
        ("[CHAIN: ack]\nMessage: I love you.\nHello", "I love you.\nHello"),
        ("[CHAIN: ack]\nOutcome: Anna died.", "Anna died."),
        ("[CHAIN: ack]\nBody: come home", "come home"),
        ("[CHAIN: ack]\nStatus: Anna died.", "Anna died."),
        ("[CHAIN: ack]\nStatus: done\nResult: In progress.\nPriority: high\nHeld.", "Held."),
        ("[CHAIN: ack]\nTo: be honest, I miss her.", "To: be honest, I miss her."),
        ("[CHAIN: ack]\nFrom: where I stand, it looks bad.", "From: where I stand, it looks bad."),
        ("[CHAIN: ack]\nTo: go there once more with all of them\nVia: Bo",
         "To: go there once more with all of them\nVia: Bo"),
        ("[CHAIN: ack]\nFrom: Bo\nSubject: that the ferry is held at the wall till nine.\nTo: Al\nHeld.",
         "Held."),
        ("CHAIN/1.0 ACK\nFrom: memo\nRe: my mother's letter\nTo: Al", "Re: my mother's letter\nTo: Al"),
        ("[CHAIN: ack]\nSubject: Marta knows, and I cried", "Subject: Marta knows, and I cried"),
        ("[CHAIN: ack]\nDate: I forget", "Date: I forget"),
        ("[CHAIN: ack]\nType: O negative\nAllergy: nuts", "Type: O negative\nAllergy: nuts"),
        ("[CHAIN: ack]\nFrom: memo\nDeadline: Friday", "Deadline: Friday"),
        ("CHAIN/1.0 ACK\nType: directive\nTopic: the ferry\nHeld.", "Held."),
        ("STAGE/1.0 SCENE\nLight: low\nLocation: the bar\n\nFog came.", "Fog came."),
        ("CHAIN/1.0 REPORT From: memo To: Team B Subject: ferry. I held it.", "I held it."),
        ("CHAIN/1.0 ACK From: memo I held it.", "I held it."),
        ("CHAIN>sovereign: held.", "held."),
        ("CHAIN/1.0 ACK\nKatherine: I held it.\nBo: Good.", "Katherine: I held it.\nBo: Good."),
        ("CHAIN/1.0 ACK\nFrom: memo\nKatherine: I held it.\nTo: Bo", "Katherine: I held it.\nTo: Bo"),
        ("From: memo\nTo: Bo\nSubject: the ferry\n\nHe wrote that much.", None),
        ("I got CHAIN/1.0 here.\nFrom: memo, I know.", "I got here.\nFrom: memo, I know."),
        ("```\nCHAIN/1.0 ACK\nFrom: memo\n```\nHeld.", None),
        ("CHAIN>6 and CHAIN>sovereign held.", None),
    ],
)  # fmt: skip
def test_the_fields_below_a_header_go_with_it_and_what_is_said_stays(text: str, left: str | None) -> None:
    """REEL §5.3: no half of a message's form is remembered, and no line of a talk is taken for a field."""
    assert remove_syntax(text) == (text if left is None else left)
    assert remove_syntax(remove_syntax(text)) == remove_syntax(text)


def test_a_header_with_its_fields_is_named_as_one_piece() -> None:
    reply = "CHAIN/1.0 ACK\nFrom: memo\nTo: sovereign\n\nThe ferry is held."
    assert protocol_syntax(reply) == ["CHAIN/1.0 ACK From: memo To: sovereign"]

"""Random lives of a kit: whatever was said in it can be purged, and nothing else changes."""

import tempfile
from datetime import timedelta
from pathlib import Path

from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from reel_cli.core.git.history import read_log
from reel_cli.core.rings.losses import list_losses
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.values.talk import PURGED, Conversation, Message, session_path
from reel_cli.features.purge.aim import aim_at_session, aim_at_text
from reel_cli.features.purge.plan import purge_kit
from reel_cli.features.record.plan import plan_recording
from reel_cli.features.verify.verify import verify_tape
from tests.support.kit_under_git import IDENTITY, START, WHEN, KitUnderGit, make_kit
from tests.support.purge_traces import traces

WORDS = st.sampled_from(
    [
        "salt",
        "lamp",
        "Zoë",
        "漢字",
        "o'clock",
        "a--b",
        "so>",
        '"ship"',
        "wet\nrope",
        "C:\\x",
        "née",
        "ferry",
        "🚢",
    ]
)
SAYINGS = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
CHATS = st.lists(
    st.tuples(st.lists(SAYINGS, min_size=1, max_size=3), st.lists(SAYINGS, max_size=2)),
    min_size=1,
    max_size=3,
)
NOW = WHEN + timedelta(days=20)


def live(kit: KitUnderGit, chats: list[tuple[list[str], list[str]]]) -> None:
    """Record each chat, let it grow, and write a page about it by hand."""
    for number, (first, more) in enumerate(chats, start=1):
        messages: list[Message] = []
        for part in (first, more):
            messages += [Message("user" if i % 2 else "assistant", text) for i, text in enumerate(part)]
            chat = Conversation("messages", tuple(messages), f"app:{number}", f"on {first[0]}")
            planned = plan_recording(kit.snapshot(), chat, handed=(), now=WHEN, zone=None)
            if planned.change is not None:
                kit.apply_change(planned.change)
        page = f"They spoke of it: {first[-1]}\n"
        kit.write(f"story/{number}.md", page.encode())
        kit.git("add", ".")
        kit.git("commit", "-q", "-m", f"by hand, on {' '.join(first[0].split())}")


def said(kit: KitUnderGit) -> list[str]:
    found = []
    for session in kit.snapshot().sessions:
        path = session_path(session)
        found += [entry.message.text for entry in parse_session(kit.read(path), path).entries]
    return found


def plain(text: str) -> str:
    return " ".join(text.split())


@settings(
    max_examples=12,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(chats=CHATS, choice=st.randoms(use_true_random=False))
def test_any_phrase_said_in_any_life_is_purged_and_all_else_is_as_it_was(
    chats: list[tuple[list[str], list[str]]], choice: "object"
) -> None:
    import random

    assert isinstance(choice, random.Random)
    words = plain(choice.choice(choice.choice(chats)[0])).split()
    start = choice.randrange(len(words))
    phrase = " ".join(words[start : start + choice.randint(1, 3)])
    assume(len(phrase) > 2 and phrase not in "\n".join(map(repr, START)) + '"--')
    with tempfile.TemporaryDirectory() as place:
        kit = make_kit(Path(place) / "ada")
        live(kit, chats)
        before, files = said(kit), kit.files()
        commits = kit.subjects()
        aim = aim_at_text(phrase, any_case=False)
        purge_kit(kit.snapshot(), kit.repo, kit.root, aim, now=NOW, identity=IDENTITY)
        assert verify_tape(kit.snapshot(), kit.repo).proven
        for was, now in zip(before, said(kit), strict=True):
            assert (was == now) == (phrase not in plain(was))
        for path, data in files.items():
            if phrase not in plain(data.decode()) and not path.startswith("tape/"):
                assert kit.read(path) == data
        assert traces(kit.root, phrase, phrase.replace(" ", "\n")) == []
        assert len(kit.subjects()) == len(commits) + 1
        assert kit.status() == []


def test_a_trailer_leads_to_the_blob_it_led_to(tmp_path: Path) -> None:
    kit = make_kit(tmp_path / "ada")
    kit.apply({"ring3/M-001.md": b"the salt lamp\n", "notes.md": b"salt lamp\n"})
    was = kit.repo.blob_id(b"the salt lamp\n")
    kit.apply(
        {"ring3/M-001.md": None},
        ("Reel-Forgot", f'M-001 L1->stub 9->0 source=2026-02-10-1 was={was} why="of the salt lamp"'),
        ("Reel-Ring0", kit.repo.blob_id(START["ring0/identity.md"])),
        notes=[f"as before {kit.repo.head()}, short {(kit.repo.head() or '')[:12]}"],
    )
    purge_kit(
        kit.snapshot(),
        kit.repo,
        kit.root,
        aim_at_text("salt lamp", any_case=False),
        now=NOW,
        identity=IDENTITY,
    )
    log = read_log(kit.repo)
    (loss,) = list_losses(log, lambda _: None)
    assert loss.forgot.was == kit.repo.blob_id(f"the {PURGED}\n".encode())
    assert loss.forgot.reason == f"of the {PURGED}"
    assert kit.committed("ring3/M-001.md", f"{loss.commit}^") == f"the {PURGED}\n".encode()
    # what did not change has its id still
    assert log[1].values("Reel-Ring0") == [kit.repo.blob_id(START["ring0/identity.md"])]
    assert f"as before {log[2].id}, short {log[2].id[:12]}" in log[1].body


def test_a_merge_keeps_both_its_parents_and_an_older_encoding_its_words(tmp_path: Path) -> None:
    kit = make_kit(tmp_path / "ada")
    kit.git("checkout", "-q", "-b", "side")
    kit.apply({"a.md": b"salt lamp\n"})
    kit.git("checkout", "-q", "main")
    kit.git("-c", "i18n.commitEncoding=latin1", "commit", "-q", "--allow-empty", "-m", "caf\udce9 salt lamp")
    kit.git("merge", "-q", "--no-ff", "-m", "both", "side")
    purge_kit(
        kit.snapshot(),
        kit.repo,
        kit.root,
        aim_at_text("salt lamp", any_case=False),
        now=NOW,
        identity=IDENTITY,
    )
    assert len(kit.git("log", "-1", "--format=%P", "HEAD~1").split()) == 2
    assert traces(kit.root, "salt lamp") == []
    assert f"café {PURGED}" in kit.git("log", "--format=%s")
    assert kit.git("merge-base", "side", "main") == kit.git("rev-parse", "side")


def test_what_stands_in_another_session_too_stays_there(tmp_path: Path) -> None:
    kit = make_kit(tmp_path / "ada")
    talk = "You know how the ferry leaves at noon, don't you?"
    live(kit, [([talk, "Yes."], []), (["Before.", talk], [])])
    first, second = kit.snapshot().sessions
    aim = aim_at_session(kit.snapshot(), kit.repo, first)
    done = purge_kit(kit.snapshot(), kit.repo, kit.root, aim, now=NOW, identity=IDENTITY)
    assert done.left == []
    assert said(kit) == [PURGED, PURGED, "Before.", talk]
    assert kit.read("story/1.md") == b"They spoke of it: Yes.\n"
    # and what is told of that session, which still counts, is told as before
    assert kit.read("story/2.md") == f"They spoke of it: {talk}\n".encode()
    assert verify_tape(kit.snapshot(), kit.repo).proven
    assert second in kit.snapshot().sessions

"""Pages of `reel help` for when something goes wrong or is wanted, by the words that people have for it."""

from collections.abc import Sequence

from reel_cli.features.help.topic import Topic

SITUATIONS: Sequence[Topic] = (
    Topic(
        "refused",
        "the model declined to write the page, or wrote something else",
        "Nothing is lost: the chat is recorded, and what came of half a page is kept. Ask again for a "
        "shorter page, paste the prompt into another model with the chat in it, or leave it for tomorrow.",
        [
            ("reel checkpoint --prompt --brief", "prints a shorter prompt"),
            ("reel status", "shows what is still missing"),
        ],
        ("refuse", "refuses", "refusal", "declined", "no page", "won't write", "half", "half a page"),
    ),
    Topic(
        "phone",
        "the chat is on another device",
        "Send the bundle to it as a file or a message. Afterwards bring the chat back as text: copy all of "
        "it, or use the app's export.",
        [
            ("reel pack --out ../bundle.md", "writes the bundle into a file"),
            ("reel end FILE", "records the chat's file"),
        ],
        ("mobile", "tablet", "another device"),
    ),
    Topic(
        "move",
        "taking a kit to another place or computer",
        "Copy its whole folder; all of it is in there. A folder that was moved is known again once a command "
        "ran in it. On two computers, pull (git pull) before a chat and push after it.",
        [
            ("reel backup FILE", "puts the kit into one file"),
            ("reel doctor --fix", "joins what both recorded"),
        ],
        (
            *("moving", "moved", "another computer", "new computer", "laptop", "computer"),
            *("two machines", "sync", "machine", "transfer", "moved folder"),
        ),
    ),
    Topic(
        "two models",
        "talking with the same persona in more than one model",
        "A bundle is plain text that any model reads. Make each for the window of the model it is for.",
        [
            ("reel pack --window 128k --copy", "makes one for a larger model"),
            ("reel model", "shows what is set"),
        ],
        ("another model", "switch", "models"),
    ),
    Topic(
        "clipboard",
        "how texts get from reel into a chat and back",
        "Prompts are copied for you, and the answer is taken when you copy it. Where no clipboard can be "
        "reached, the text is shown, or written into a file.",
        [
            ("reel pack --out ../bundle.md", "writes the bundle into a file"),
            ("reel checkpoint --reply FILE", "reads a page"),
        ],
        ("copy", "copying", "pasting"),
    ),
    Topic(
        "sillytavern",
        "using a kit with SillyTavern, where the chat goes on as before",
        "A bundle goes into the character's fields, and the chat's file is recorded afterwards. A card that "
        "you have becomes a kit, and a kit a card.",
        [
            ("reel pack --for sillytavern", "makes the bundle for its fields"),
            ("reel record FILE", "records a chat from data/YOU/chats"),
            ("reel init mira --card FILE", "makes a kit from a card"),
            ("reel export card", "writes a card"),
        ],
        ("silly tavern", "tavern", "card", "cards", "character card", "character cards"),
    ),
    Topic(
        "chatgpt",
        "using a kit with ChatGPT",
        "The bundle goes into a project's instructions, or is the first message. Afterwards copy the chat, "
        "or ask ChatGPT for an export (Settings, Data controls).",
        [
            ("reel start --for chatgpt-project", "copies the bundle"),
            ("reel end EXPORT.zip", "offers its chats that are new"),
            ("reel end -", "takes a chat that you paste"),
        ],
        ("chat gpt", "openai", "gpt"),
    ),
    Topic(
        "lorebook",
        "what the persona knows and did not live, found by its keys; elsewhere *World Info*",
        "Each entry becomes a memory under a heading of its own.",
        [
            ("reel import lorebook FILE", "takes one in"),
            ("reel export lorebook", "writes one, with the memories"),
        ],
        ("lorebooks", "lore", "world info", "world book", "character book"),
    ),
    Topic(
        "npc",
        "a character of a game or a story as a persona",
        "It keeps what was said and done, from scene to scene.",
        [
            ("reel init marta --template game-npc --name Marta", "makes one to begin with"),
            ("reel domain list", "shows its tables"),
            ("reel import lorebook FILE", "takes in the world it lives in"),
        ],
        ("game", "games", "rpg", "innkeeper"),
    ),
    Topic(
        "forgot",
        "the persona does not know something that it should",
        "Look whether the bundle was pasted at the beginning of this chat; some programs cut long ones. What "
        "is only a line in the bundle can be found and pasted, and a fact is in every bundle.",
        [
            ("reel start", "copies a new bundle"),
            ("reel recall WORDS --copy", "finds the moment, to paste"),
            ("reel why TITLE", "tells what became of a memory"),
        ],
        ("forgot me", "forgotten", "does not remember"),
    ),
    Topic(
        "moment",
        "one place in a chat, with what was said there",
        "It is told word for word, with its day and the message's number.",
        [("reel recall WORDS", "finds it"), ("reel tape show ID", "shows the whole chat")],
        ("moments",),
    ),
    Topic(
        "doubt",
        "a line of a page that reel holds against the chat and does not find there",
        "Doubts stand under “Worth a look”, before a page is kept. reel compares names, numbers, dates and "
        "quotations, and not the sense of a line: read what matters yourself.",
        [
            ("reel doctor", "finds what is doubted in what was kept"),
            ("reel edit TITLE", "opens a memory in your editor, to put it right"),
        ],
        ("doubts", "doubted", "worth a look"),
    ),
    Topic(
        "told once",
        "two lines of a page say the same, so only one of them is kept",
        "Nothing is lost by it: the line that stands is named beside it.",
        [("reel edit now", "opens the notes")],
    ),
    Topic(
        "due",
        "something is to be done for a kit: a page, a memory, a decision",
        "Nothing goes wrong if it waits.",
        [("reel status", "shows what it is"), ("reel end", "goes on with the page of the last chat")],
        ("overdue", "to do"),
    ),
    Topic(
        "template",
        "what reel init begins with: a few sentences on who the persona is, rules, and an example",
        "All of it is yours to change.",
        [
            ("reel init --list", "lists them"),
            ("reel init ada --template companion", "begins with one"),
            ("reel edit identity", "opens who it is"),
            ("reel edit rules", "opens how it behaves"),
        ],
        ("templates",),
    ),
    Topic(
        "ring",
        "a folder of the kit: ring0 is who the persona is, ring1 how it sounds, ring2 what goes on now, "
        "ring3 the memories, ring4 a line for each",
        "You need none of these names; a command opens each.",
        [
            ("reel edit identity", "opens ring0"),
            ("reel edit now", "opens ring2"),
            ("reel memory list", "lists ring3"),
        ],
        ("rings", "ring0", "ring1", "ring2", "ring3", "ring4"),
    ),
    Topic(
        "git",
        "the program that keeps the history of a kit",
        "reel works it for you. Each change is a *commit*; a copy of the whole history is a *clone*.",
        [
            ("reel log", "lists the changes"),
            ("reel undo", "takes back the last one"),
            ("reel backup FILE", "writes all of the history into one file"),
        ],
        ("commit", "commits", "committed", "uncommitted", "clone", "history", "repository", "version"),
    ),
    Topic(
        "screen reader",
        "working with reel by ear",
        "After  export TERM=dumb NO_COLOR=1  reel sends plain lines alone: no color, and nothing is drawn "
        "over. What a color says stands there in words as well. A question ends with its keys; ? explains "
        "them. Texts are edited in the program that EDITOR names.",
        [
            ("reel help end", "tells one command in a few lines"),
            ("reel start > FILE", "writes the text into a file"),
        ],
        (
            "screenreader",
            "blind",
            "braille",
            "accessibility",
            "accessible",
            "listen",
            "plain",
            "color",
            "colour",
        ),
    ),
    Topic(
        "terminal",
        "the window in which you type reel",
        "Type a command and press Enter; Ctrl-C stops it, and you are told what is kept. The arrow up brings "
        "back the command before.",
        [("reel help", "lists the commands of every day")],
        ("shell", "command line", "prompt line", "console"),
    ),
    Topic(
        "made up",
        "it remembers something that never happened, or that is wrong",
        "Lines of a memory that nothing said bears are found by reel doctor. You may put a memory right, "
        "or let it go.",
        [
            ("reel doctor", "shows what is doubted, and why"),
            ("reel edit TITLE", "opens a memory in your editor, to put it right"),
            ("reel forget TITLE", "lets a memory go"),
            ("reel tape correct ID TEXT", "puts right what was said wrongly"),
        ],
        ("invented", "never happened", "hallucination", "wrong memory", "correct", "correction"),
    ),
    Topic(
        "delete",
        "something should go: let go of, or erased for good",
        "What you let go of can come back; what you purge is gone everywhere, for good.",
        [
            ("reel forget TITLE", "lets a memory go; it can come back"),
            ("reel fact drop KEY", "drops a fact"),
            ("reel tape retract CHAT", "keeps a chat, but counts it no more"),
            ('reel purge --match "TEXT" --dry-run', "shows what erasing a text would change"),
            ("reel purge CHAT --dry-run", "shows what erasing a chat would change"),
        ],
        ("remove", "erase", "get rid of", "wipe"),
    ),
    Topic(
        "privacy",
        "who can read a kit",
        "The kit is on your disk and readable by your account only; it has no password and is not encrypted. "
        "reel sends nothing anywhere; what you paste goes to whoever runs the model. Where a server is set "
        "(via), only it gets prompts.",
        [
            ('reel purge --match "TEXT"', "erases a name or a text for good"),
            ("reel purge CHAT", "erases a chat for good, and what quotes it"),
            ("reel forget M-004", "lets a memory go; it can come back"),
            ("reel config via.to", "shows the server, if one is set"),
        ],
        (
            *("gdpr", "personal data", "anonymous", "anonymize", "colleague", "upload", "uploads"),
            *("private", "secret", "secrets", "confidential", "cloud", "data", "publish", "published"),
            *("internet", "online", "password", "encrypted", "encryption"),
        ),
    ),
    Topic(
        "lost",
        "something is gone, damaged or wrong",
        "Each kept state is in the history, so a file, a memory or the last step can come back.",
        [
            ("reel undo", "takes back the last change"),
            ("reel restore FILE", "brings a file or a memory back"),
            ("reel doctor", "finds what is wrong, each with its command"),
        ],
        (
            *("lose", "losing", "missing", "crash", "crashed"),
            *("damaged", "broken", "wrong", "problem", "help me"),
        ),
    ),
    Topic(
        "set aside",
        "kept, and in no bundle",
        "A fact is set aside that is not sure enough, or for which there is no room. Add it in your own "
        "words, and it is known by heart.",
        [
            ("reel fact list", "shows them, and why"),
            ('reel fact add preferences tea "green, without milk"', "takes one in"),
        ],
        ("resting", "rests", "not sure enough", "aside"),
    ),
    Topic(
        "certain",
        "how likely it is that reel recall found the moment you asked for",
        "What is less certain is told after the rest, or only when you ask for more.",
        [("reel recall WORDS -n 5", "shows more of it"), ("reel recall WORDS --explain", "tells why")],
        ("less certain", "certainty", "sure"),
    ),
    Topic(
        "drift",
        "the persona talks in another way than before",
        "A page asks for it (What has shifted), and reel measures it, once there are chats to compare with.",
        [("reel status --drift", "shows both")],
        ("shift", "shifted", "measured"),
    ),
    Topic(
        "wrong chat",
        "a chat was recorded that does not belong here",
        "Taking it back leaves it on the tape, where it no longer counts.",
        [
            ("reel undo", "right after recording"),
            ("reel tape retract ID", "later; reel tape list shows the IDs"),
        ],
        ("recorded by mistake", "retract", "retracted", "taken back"),
    ),
    Topic(
        "date",
        "the day under which a chat is recorded",
        "A chat that gives its times has their day; one without counts as today's, unless you say its day. "
        "One that stands under a wrong day is taken back and recorded again.",
        [
            ("reel tape retract ID", "takes it back; reel tape list shows the IDs"),
            ("reel record FILE --on 2026-02-10", "records it under that day"),
        ],
        ("dates", "day", "wrong day", "wrong date"),
    ),
    Topic(
        "leave",
        "going away in the middle of something",
        "q leaves a list or a question, and Ctrl-C leaves anything. Each time you are told what is kept, and "
        "which command goes on with it. Enter alone takes the answer that is in capitals.",
        [("reel end", "goes on with an evening that you left")],
        ("quit", "exit", "stop", "cancel", "interrupt", "ctrl-c", "close the window"),
    ),
    Topic(
        "settings",
        "how this kit is set up: `kit.yaml`",
        "Each setting has a default; the file holds only those that differ.",
        [
            ("reel config", "shows what differs from the defaults"),
            ("reel config KEY VALUE", "sets one"),
            ("reel config user NAME", "changes what the persona calls you"),
            ("reel config name NAME", "changes what the persona is called"),
            ("reel edit settings", "opens the file"),
        ],
        ("configuration", "options", "preferences", "kit.yaml", "rename", "name", "wrong name", "my name"),
    ),
)

"""The words of screen, files, docs and code with their one meaning each: those of docs/glossary.md."""

from collections.abc import Sequence

from reel_cli.features.help.topic import Topic

WORDS: Sequence[Topic] = (
    Topic(
        "kit",
        "the folder that holds one persona, under git",
        "All of it is plain text that you can read, edit and copy. Every change is kept in its history.",
        [("reel init ada", "makes one"), ("reel kits", "lists those of this machine")],
        ("folder",),
    ),
    Topic(
        "persona",
        "the character that is kept; *the person* is whoever talks with it",
        "Who it is stands in ring0/identity.md, a page that is yours to write.",
        [("reel edit identity", "opens it"), ("reel review", "approves what you changed")],
        ("character", "identity"),
    ),
    Topic(
        "chat",
        "one recorded conversation, named by its day: `2026-02-10-1`; in files: *session*",
        "It is kept word for word; of swiped answers the one you chose. What you recorded by mistake can be "
        "taken back.",
        [("reel end", "records the newest"), ("reel tape retract ID", "takes one back")],
        ("session", "conversation", "talk", "swipe", "swipes"),
    ),
    Topic(
        "page",
        "what the persona writes after a chat: a memory, notes, a self-assessment",
        "You get a prompt for it from reel end. Paste that into the same chat, and copy the answer back; it "
        "is compared with what was said, and you see what it changes before anything is kept.",
        [("reel end", "asks for it"), ("reel checkpoint", "asks for one that is missing")],
        ("closing prompt", "checkpoint page", "diary", "summary"),
    ),
    Topic(
        "memory",
        "what the persona keeps of a chat (`ring3/M-001.md`, REEL §4.4)",
        "It loses detail as it ages, unless it is pinned, and comes back whole when you ask for it.",
        [
            ("reel memory list", "lists them"),
            ("reel edit TITLE", "opens one in your editor"),
            ("reel memory pin TITLE", "keeps one as it is"),
            ("reel forget TITLE", "lets one go"),
        ],
        (
            *("memories", "remember", "remembered", "promote", "tags", "pin", "pinned"),
            *("relational", "operational", "emotional", "factual"),
        ),
    ),
    Topic(
        "example",
        "an exchange that shows how the persona sounds (`ring1/`); in the protocol: *exemplar*",
        "A few of them are in every bundle. An example that was suggested waits until you approve it.",
        [("reel example list", "lists them"), ("reel edit voice", "opens the text that is always there")],
        ("examples", "exemplar", "exemplars", "voice"),
    ),
    Topic(
        "note",
        "a line of what is going on now (`ring2/working.md`): what is open, planned, promised",
        "Each page brings new notes and closes those that are done. You may edit them at any time, and "
        "delete a line.",
        [("reel edit now", "opens them")],
        (
            *("notes", "now", "open loop", "going on", "state", "where things stand", "calibration"),
            *("close", "closed", "done"),
        ),
    ),
    Topic(
        "fact",
        "something known by heart, in every bundle (`facts.yaml`)",
        "What must never be forgotten belongs here: names, allergies, promises.",
        [
            ('reel fact add preferences tea "green, without milk"', "adds one"),
            ("reel fact list", "lists them"),
            ("reel fact drop city", "lets one go"),
        ],
        (
            "facts",
            "by heart",
            "allergy",
            "commitments",
            "constraints",
            "relationships",
            "promise",
            "own",
            "medicine",
            "medicines",
            "health",
        ),
    ),
    Topic(
        "bundle",
        "the text that `reel start` makes, to be pasted at the beginning of a chat",
        "It holds who the persona is, how it sounds, what is going on and what it remembers, as far as the "
        "window has room. Paste it as the system prompt, or as the first message.",
        [("reel start", "copies it"), ("reel pack --explain", "shows what is in it and what is not")],
        ("context", "system prompt", "paste"),
    ),
    Topic(
        "window",
        "how many tokens the model can hold (`window`)",
        "A token is about three quarters of an English word. A bundle takes at most half of the window, or "
        "of a cap below it.",
        [
            ("reel config window", "shows it"),
            ("reel config window 32k", "sets it"),
            ("reel pack --window 16k", "makes one bundle for another window"),
        ],
        ("tokens", "token", "context window", "size", "too long", "too large"),
    ),
    Topic(
        "draft",
        "a text that nobody approved yet",
        "Bundles keep the last text you approved until you approve the new one.",
        [("reel review", "shows what waits, and asks for each")],
        ("drafts",),
    ),
    Topic(
        "approve",
        "a person's decision that makes a text count; trailers call it *ratify*",
        "Only you can approve who the persona is and how it sounds.",
        [
            ("reel review", "shows what waits, and asks for each"),
            ("reel review reject ITEM", "says no to one"),
            ("reel undo", "takes the last no back"),
        ],
        ("decision", "waiting", "accept", "ratify", "reject"),
    ),
    Topic(
        "undo",
        "taking back the last change, with a new one",
        "Nothing is lost by it: the history keeps every state of the kit. Ask again for the change before. "
        "Your text that a no in reel review put back comes back as well.",
        [
            ("reel undo", "takes back the last change"),
            ("reel redo", "makes it again"),
            ("reel log", "lists all"),
        ],
        ("mistake", "revert", "take back", "takes back", "go back", "rejected", "put back"),
    ),
    Topic(
        "backup",
        "one file with everything that was ever committed",
        "All that you keep is saved at once. Write a backup to another disk; a copy of the kit's folder is "
        "one as well.",
        [
            ("reel backup ~/ada.bundle", "writes the file and proves it"),
            ("git clone ~/ada.bundle ada", "makes the kit again from it"),
        ],
        ("backups", "save", "saved", "saving", "safe", "usb"),
    ),
    Topic(
        "forget",
        "a person lets something go; it can be restored",
        "Of a memory its line stays, so the persona knows that there was something. What was said is kept.",
        [
            ("reel forget TITLE", "lets a memory go"),
            ("reel restore TITLE", "brings it back"),
            ("reel help delete", "tells how to erase for good"),
        ],
    ),
    Topic(
        "fade",
        "a memory loses detail, one level at a time",
        "What is old and not used becomes shorter, so that the window has room for the new. The "
        "history keeps every fuller text.",
        [
            ("reel maintain", "goes through what is ready to fade"),
            ("reel memory pin TITLE", "keeps one as it is"),
        ],
        ("fading", "recede", "maintenance"),
    ),
    Topic(
        "dream",
        "the past read again in batches and woven into a story",
        "It takes several prompts, best to a large model. The story opens bundles made with --boot.",
        [("reel dream start", "begins one")],
        ("dreams", "story"),
    ),
    Topic(
        "shelf",
        "files the persona is working with",
        "What lies in shelf/ goes into bundles, as far as there is room.",
        [("reel shelf add FILE", "puts a file there"), ("reel shelf list", "lists them")],
        ("files", "papers", "poem", "manuscript"),
    ),
    Topic(
        "thread",
        "a matter that comes up in several chats",
        "It is found without a model. Asked what became of a matter, recall tells it from its beginning.",
        [("reel memory threads", "lists them"), ("reel recall --thread WORDS", "follows one")],
        ("threads", "lattice"),
    ),
    Topic(
        "chat kept apart",
        "a chat of which the others do not know",
        "It knows what the kit knows, now and later. What is said in it stays in it. Any command works with "
        "it that has --chat NAME.",
        [
            ("reel apart roleplay", "begins one"),
            ("reel apart", "lists them"),
        ],
        ("kept apart", "roleplay", "role-play"),
    ),
    Topic(
        "group",
        "personas that are told of a memory together",
        "Before a group changes you see who may then know what, and who no longer.",
        [("reel share --group crew --with ada --with mara", "makes one, or adds to it")],
        ("groups",),
    ),
)
"""The words that are on screen every day."""

TERMS: Sequence[Topic] = (
    Topic("tape", "all chats, word for word; files that only grow", also=("recording",)),
    Topic(
        "turn",
        "one message of a chat; only what the person and the persona said is numbered",
        also=("message",),
    ),
    Topic("flag", "a mark on a turn that the next page must not pass over", also=("mark",)),
    Topic(
        "checkpoint",
        "a page's self-assessment, and its file (REEL §6.6); the command asks for the whole page",
    ),
    Topic(
        "level",
        "how much of a memory is left: L1 page, L2 digest, L3 marker, L4 tag",
        also=("digest", "marker", "tag"),
    ),
    Topic("stub", "an index line whose memory was let go; the words are still on the tape"),
    Topic(
        "index",
        "`ring4/index.md`, one line for each memory: what the persona could recall",
        also=("found by", "line", "lines"),
    ),
    Topic(
        "editor",
        "the program that opens a text; `EDITOR` names yours: `export EDITOR=nano`",
        "One with a window of its own has to wait until you close the text, or reel goes on too early: "
        "`open -W -n -e` for TextEdit, `code --wait`, `subl -w`. In vi, Esc, then `:wq` and Enter saves and "
        "leaves.",
        also=("edit", "nano", "vi", "vim", "textedit", "notepad"),
    ),
    Topic(
        "anchor",
        "the one example that is in every bundle",
        commands=[
            ("reel edit voice", "opens it"),
            ("reel example list", "lists the others"),
            ("reel example anchor NAME", "takes another"),
        ],
    ),
    Topic(
        "character's note",
        "a card's `depth_prompt`, which its program repeats in a chat; part of the identity",
        "A kit made by an older reel has it in its card alone: write it in.",
        [("reel edit identity", "opens the text")],
        ("depth_prompt", "depth prompt", "character note", "author's note"),
    ),
    Topic(
        "anchor phrase", "words from the tape that find a memory again", also=("retrieval anchors", "anchors")
    ),
    Topic(
        "identity, directives",
        "`ring0/`: who the persona is, how it must behave",
        also=("directives", "rules", "rule"),
    ),
    Topic(
        "guard",
        "a check before each commit made by hand in git: it may add to what was said, and not alter it",
        commands=[
            ("reel doctor --guard on", "sets it up"),
            ("reel doctor --guard off", "takes it away"),
        ],
    ),
    Topic("proposal", "something in `review/` that waits for a person's decision"),
    Topic("cap", "how many tokens of the window a kit uses (`cap`); the default is all of it"),
    Topic("live share", "the part of the cap that stays free for the conversation", also=("live",)),
    Topic("exchange", "a prompt that goes out and the reply that comes in", also=("prompt", "reply")),
    Topic(
        "ledger", "`journal/`: what was recalled, referenced, packed, touched or pinned", also=("journal",)
    ),
    Topic(
        "kept for good",
        "a memory whose last line never goes, though it may fade; in files: *immune*",
        commands=[
            ('reel memory immune TITLE --why "she asked for it"', "keeps one for good"),
            ("reel memory immune TITLE --off", "lets it fade again"),
        ],
        also=("immune", "keep for good"),
    ),
    Topic("prune", "the last level goes and a stub stays", also=("pruned",)),
    Topic(
        "purge",
        "something said is erased from the files and from all of history; it cannot be restored",
    ),
    Topic("mature", "the persona has enough past for the normal schedule (REEL §7.3)", also=("young",)),
    Topic("warm start", "a bundle with the story and the last evening in it (`--boot`)", also=("boot",)),
    Topic(
        "table",
        "rows about the persona's work, kept as CSV; in the protocol: *domain memory*",
        also=("domain",),
    ),
    Topic(
        "stream",
        "the conversation that goes on, and its beginning after a summary (`reel keep`)",
        also=("keep",),
    ),
    Topic("place", "a program that bundles are pasted into, with its fields and limits", also=("places",)),
    Topic("snapshot", "a frozen reading of a kit"),
    Topic("change", "what an operation wants to write, as a value"),
    Topic("catalog", "the cache that lets packing skip parsing"),
    Topic("contradiction", "two texts that cannot both be so", also=("contradictions", "do not agree")),
    Topic("close look", "a model holds memories against the chats (`reel doctor --ask`)"),
    Topic("port", "a place where the core takes what features bring"),
)
"""The terms of files, docs and code."""

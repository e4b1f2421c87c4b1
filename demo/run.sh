#!/bin/sh
# One evening with a kit, from start to finish, on a copy of kits/ada: pack, chat, record, checkpoint, pack again.
# Needs `reel` and git on the PATH; writes into a new temporary folder and nowhere else.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/reel-demo.XXXXXX")

# the chat was had on an evening in March, and the commits are dated as if this were that evening
REEL_NOW=2026-03-11T21:10:00+00:00
GIT_PAGER=cat
# what reel notes of this machine's kits stays here as well
XDG_STATE_HOME="$work/.state"
export REEL_NOW GIT_PAGER XDG_STATE_HOME
unset REEL_KIT

step() {
    printf '\n== %s\n\n' "$*"
}

# show a command as one would type it, then run it; notices and results in one stream, in their order
run() {
    printf '$ %s\n' "$*"
    "$@" 2>&1 </dev/null
}

# asked from the new folder: a name that only this checkout knows is none for the kit
if ! git -C "$work" -c user.useConfigOnly=true var GIT_AUTHOR_IDENT >/dev/null 2>&1; then
    echo "git does not know your name yet, so the demo's own commits are made as Tomas <tomas@example.org>."
    GIT_AUTHOR_NAME=Tomas GIT_AUTHOR_EMAIL=tomas@example.org
    GIT_COMMITTER_NAME=Tomas GIT_COMMITTER_EMAIL=tomas@example.org
    export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
fi

step "A kit of your own, made from an example: Ada, who keeps a novelist company"
cd "$work"
run reel init ada --template "$root/kits/ada"

step "What one would paste into a chat, for three sizes of window (the texts are in $work)"
cd ada
run reel pack --window 8k --explain --out ../before-8k.md
echo
run reel pack --window 32k --explain --out ../before-32k.md
echo
run reel pack --window 128k --explain --out ../before-128k.md

step "They have talked, in some other program; the chat's file goes on the tape"
run reel record "$root/demo/further-session.json"

step "Ada is asked for the page of that evening (the prompt is in $work)"
echo '$ reel checkpoint --prompt > ../prompt.md'
reel checkpoint --prompt >../prompt.md
head -n 1 ../prompt.md
echo '[…]'

step "Her page, pasted back: read, held against what was said, and kept"
run reel checkpoint --reply "$root/demo/reply.md" --yes

step "Packed again, for the smallest window"
run reel pack --window 8k --explain --out ../after-8k.md

step "What is new in the bundle"
echo '$ diff ../before-8k.md ../after-8k.md'
diff ../before-8k.md ../after-8k.md || test $? -eq 1

step "What was kept, and where"
run git show --stat

step "How her working memory changed"
run git show --format= -- ring2

step "What has been done, newest first"
run reel log

printf '\nThe kit is yours to play with:  cd %s/ada && reel status\n' "$work"

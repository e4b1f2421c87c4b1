#!/bin/sh
# reel-guard 1
#
# Keeps the past of this kit: a plain `git commit` may add to the tape and to the pool of exemplars,
# and may not take from them, nor change who the persona is without that being ratified.
# Put here by reel;  reel doctor --guard off  takes it away,  git commit --no-verify  passes it by.
# Needs nothing but git and a POSIX shell.

here=$(git rev-parse -q --verify HEAD) || exit 0
tab=$(printf '\t')
failed=0

# the other sides of a merge; git tells a merge without conflicts of them in the environment only
others=$(
	export -p | while IFS= read -r line; do
		line=${line##*GITHEAD_}
		line=${line%%=*}
		case $line in *[!0-9a-f]* | '') ;; *) echo "$line" ;; esac
	done
	if file=$(git rev-parse --git-path MERGE_HEAD) && [ -f "$file" ]; then
		while IFS= read -r line; do echo "$line"; done <"$file"
	fi
)

# $1 what is wrong with the file $2; $3 the command that mends it, which the name ends, and $4 what then
refuse() {
	[ $failed = 1 ] || echo 'reel: this commit would change what is past, so it was not made.' >&2
	failed=1
	case $2 in '"'*) file=$2 ;; *[!A-Za-z0-9./_-]*) file="'$2'" ;; *) file=$2 ;; esac
	echo "  $2 $1" >&2
	echo "    $3 $file$4" >&2
}

# whether the blob $2 is the blob $1 and more behind it
grows() {
	[ "$1" = "$2" ] && return 0
	lines=$(git grep --no-color -h -a -c -e '' "$1" 2>/dev/null)
	hunk=$(
		git diff --no-color --no-ext-diff --no-textconv --text -U0 --inter-hunk-context=0 \
			--diff-algorithm=myers --no-indent-heuristic "$1" "$2" |
			while IFS= read -r line; do
				case $line in '@@ '*) echo "$line" && break ;; esac
			done
	)
	case $hunk in "@@ -${lines:-0},0 +"*) return 0 ;; esac
	return 1
}

# whether what the blob $2 has behind the blob $1 begins as a message does, and not with more words of the last
adds() {
	[ "$1" = "$2" ] && return 0
	git diff --no-color --no-ext-diff --no-textconv --text -U0 --inter-hunk-context=0 \
		--diff-algorithm=myers --no-indent-heuristic "$1" "$2" | (
		while IFS= read -r line; do
			case $line in '@@ '*) break ;; esac
		done
		IFS= read -r line && [ "$line" = + ] && IFS= read -r line || exit 1
		case $line in '+<!-- {'*) exit 0 ;; esac
		exit 1
	)
}

blob_of() {
	git rev-parse -q --verify "$1:$2" 2>/dev/null
}

# whether the other side of a merge has the file $1 just as it is staged (blob $2; all zeros: gone)
theirs() {
	for side in $others; do
		blob=$(blob_of "$side" "$1")
		case $2 in
		*[!0]*) [ "$blob" = "$2" ] && return 0 ;;
		*) [ -z "$blob" ] && return 0 ;;
		esac
	done
	return 1
}

# whether the notes on the tape ($1) grew on both sides of a merge and are staged (blob $2) as they grew on
# the other one; what is then left out of them, `reel doctor --fix` writes behind them
forked() {
	[ "$1" = tape/events.md ] || return 1
	for side in $others; do
		blob=$(blob_of "$side" "$1") && grows "$blob" "$2" || continue
		base=$(git merge-base "$here" "$side") && old=$(blob_of "$base" "$1") || return 0
		grows "$old" "$2" && return 0
	done
	return 1
}

changes() {
	git -c core.quotepath=off diff-index --cached --raw --no-renames --no-abbrev --no-ext-diff \
		--diff-filter=MTD "$@" --
}

plain() {
	case $1 in 100644 | 100755) return 0 ;; esac
	return 1
}

check_tape() {
	while IFS=$tab read -r head name; do
		# shellcheck disable=SC2086
		set -- $head
		case $name in tape/* | '"tape/'*) ;; *) continue ;; esac
		case $5 in
		D)
			refuse 'would be gone, and the tape only ever grows.' "$name" \
				'take it back:  git restore --staged --worktree --'
			continue
			;;
		esac
		if plain "$2" && { grows "$3" "$4" || forked "$name" "$4"; }; then
			case $name in tape/[0-9]*/[0-9]*.md) adds "$3" "$4" || {
				refuse 'has more words in what was said last, and that stays as it was said.' "$name" \
					'take it back:  git restore --staged --worktree --' \
					'   (put something right with  reel tape correct)'
			} ;; esac
			continue
		fi
		refuse 'no longer begins with what was recorded, and the tape only ever grows.' "$name" \
			'take it back:  git restore --staged --worktree --' '   (put something right with  reel tape correct)'
	done <<-EOF
		$1
	EOF
}

check_rest() {
	while IFS=$tab read -r head name; do
		# shellcheck disable=SC2086
		set -- $head
		case $name in
		ring0/* | '"ring0/'*)
			$recorded || continue
			theirs "$name" "$4" ||
				refuse 'says who the persona is, and a change of it wants your explicit yes.' "$name" \
					'leave it out:  git restore --staged --' '   and give it with  reel review'
			;;
		ring1/*.md | '"ring1/'*.md\")
			theirs "$name" "$4" ||
				refuse 'is an exemplar, and stays as it was said unless you say otherwise.' "$name" \
					'leave it out:  git restore --staged --' '   and decide with  reel review'
			;;
		esac
	done <<-EOF
		$1
	EOF
}

# a draft until the first session is on the tape
recorded=false
if git ls-tree -r --name-only "$here" -- tape/ | (
	while IFS= read -r name; do
		case $name in tape/[0-9]*/[0-9]*.md) exit 0 ;; esac
	done
	exit 1
); then recorded=true; fi

check_tape "$(changes "$here")"
check_rest "$(changes "$here")"
if $recorded; then
	# a new file in ring 0 is a change of it as well
	for_ring0=$(git -c core.quotepath=off diff-index --cached --raw --no-renames --no-abbrev --diff-filter=A "$here" -- ring0/)
	[ -z "$for_ring0" ] || check_rest "$for_ring0"
fi
for side in $others; do
	mine=$others
	others=$here
	check_tape "$(changes "$side")"
	others=$mine
done
if [ $failed = 1 ] && [ -n "$others" ]; then
	echo '  Two machines recorded something:  reel doctor --fix  joins it and loses none of it.' >&2
fi
exit $failed

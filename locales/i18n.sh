#!/usr/bin/env bash
# Keeps the message files, active.<language>.toml, up to date with the messages in
# messages.go. A language may lack messages: they are sent in English, and update
# names them.
#
#   ./i18n.sh update   writes the English file and updates the others. If
#                      translate.<language>.toml exists, update fills it with the
#                      messages that the language lacks: translate them there and
#                      run update again. It also writes such a file for a
#                      language whose translation is stale.
#   ./i18n.sh check    changes nothing, and fails when update would change
#                      something, or when an English text is left untranslated.
#
# GOI18N names the goi18n to run. By default it is that of ../tools/goi18n.
set -euo pipefail
shopt -s nullglob
cd "$(dirname "${BASH_SOURCE[0]}")"

# goi18n runs the tool. Paths must be absolute, since "go -C" changes the folder.
goi18n() {
	if [[ -n ${GOI18N:-} ]]; then
		"$GOI18N" "$@"
	else
		GOWORK=off go -C ../tools/goi18n tool goi18n "$@"
	fi
}

# merge writes the updated files into $work/out, and translate files with the
# messages that each language lacks.
merge() {
	local in=$work/in out=$work/out file
	mkdir "$in" "$out"
	goi18n extract -outdir "$in" "$PWD/messages.go"
	for file in active.*.toml; do
		[[ $file == active.en.toml ]] || cp "$file" "$in"
	done
	for file in translate.*.toml; do
		translated "$file" >"$in/$file"
	done
	goi18n merge -outdir "$out" "$in"/*.toml
}

update() {
	local file name
	merge
	for file in "$work"/in/*.toml; do
		name=${file##*/}
		name=${name#*.}
		if [[ ! -e $work/out/active.$name && ! -e $work/out/translate.$name ]]; then
			notTaken "${file##*/}" >&2
			return 1
		fi
	done
	mkdir "$work/todo"
	for file in "$work"/out/translate.*.toml; do
		if [[ -e ${file##*/} || -n $(stale "$file") ]]; then
			cp "$file" "$work/todo"
		fi
	done
	rm -f active.*.toml translate.*.toml
	cp "$work"/out/active.*.toml .
	for file in "$work"/todo/*.toml; do
		cp "$file" .
		echo "${file##*/}: translate the texts in it and run update again, or remove it: the messages are then sent in English"
	done
	for file in "$work"/out/translate.*.toml; do
		name=${file##*/translate.}
		[[ -e translate.$name ]] || echo "${name%.toml}: sent in English: $(sed -n 's/^\[\(.*\)\]$/\1/p' "$file" | paste -s -d ' ' -)"
	done
}

check() {
	local file name texts failed=0
	for file in translate.*.toml; do
		report "$file: translate the texts in it and run update, or remove it"
	done
	merge
	for file in "$work"/out/translate.*.toml; do
		texts=$(stale "$file")
		[[ -z $texts ]] || report "$(active "$file"): empty, or translated from another text: $texts"
	done
	for file in active.*.toml "$work"/out/active.*.toml; do
		name=${file##*/}
		if [[ ! -e $name ]]; then
			report "$name: missing: run update"
		elif [[ ! -e $work/out/$name ]]; then
			report "$(notTaken "$name")"
		elif [[ $file == "$name" ]] && ! cmp -s "$name" "$work/out/$name"; then
			report "$name: not what update writes: $(diff "$name" "$work/out/$name" | sed -n 's/^[<>] \(.\{1,100\}\).*/\1/p' | head -n 1)"
		fi
	done
	for file in active.*.toml; do
		[[ $file == active.en.toml ]] && continue
		texts=$(untranslated "$file")
		[[ -z $texts ]] || report "$file: not translated: $texts"
	done
	return "$failed"
}

report() {
	echo "$1" >&2
	failed=1
}

notTaken() {
	echo "$1: goi18n does not accept it: does it have messages, is it named after a language tag in its usual case, and does go-i18n have plural rules for the language?"
}

# active prints the name of the message file that a translate file belongs to.
active() {
	local name=${1##*/}
	echo "active.${name#translate.}"
}

# translated prints the messages of a translate file whose text is not the English
# one, which the file contains at first. Otherwise English would pass as the
# translation.
translated() {
	awk -v RS= -v ORS='\n\n' '
		{ text = match($0, /\nother = [^\n]*/) ? substr($0, RSTART, RLENGTH) : "" }
		NR == FNR { english[$1] = text; next }
		text == "" || text != english[$1]
	' "$work/in/active.en.toml" "$1"
}

# untranslated prints the IDs of the messages whose text is the English one.
untranslated() {
	awk '
		/^\[/ { id = substr($0, 2, length($0) - 2) }
		/^other = / { if (NR == FNR) english[id] = $0; else if ($0 == english[id]) print id }
	' "$work/out/active.en.toml" "$1" | paste -s -d ' ' -
}

# stale prints the IDs of a translate file of merge that the language's file also
# has: goi18n does not accept their texts.
stale() {
	[[ ! -e $(active "$1") ]] || awk '
		/^\[/ { if (NR == FNR) lacking[$0]; else if ($0 in lacking) print substr($0, 2, length($0) - 2) }
	' "$1" "$(active "$1")" | paste -s -d ' ' -
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

case ${1:-} in
update | check) "$1" ;;
*)
	echo "usage: $0 update | check" >&2
	exit 2
	;;
esac

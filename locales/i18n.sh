#!/usr/bin/env bash
# Keeps the catalogues, active.<language>.toml, in step with the messages in
# messages.go.
#
#   ./i18n.sh update   writes the English catalogue and brings the others into
#                      step. What has to be translated is put into
#                      translate.<language>.toml; translate the texts there and
#                      run update again.
#   ./i18n.sh check    changes nothing, and fails when update would or when a
#                      message is not translated.
#
# GOI18N names the goi18n to run. By default it is that of ../tools/goi18n.
set -euo pipefail
shopt -s nullglob
cd "$(dirname "${BASH_SOURCE[0]}")"

# goi18n runs the tool. Its paths must be absolute, since "go -C" changes the
# folder.
goi18n() {
	if [[ -n ${GOI18N:-} ]]; then
		"$GOI18N" "$@"
	else
		GOWORK=off go -C ../tools/goi18n tool goi18n "$@"
	fi
}

# merge puts into $work/out the catalogues, and the translate files of what
# they lack.
merge() {
	local out=$work/out plain=$work/plain in=$work/in file active
	mkdir "$out" "$plain" "$in"

	goi18n extract -outdir "$in" "$PWD/messages.go"
	for file in active.*.toml; do
		[[ $file == active.en.toml ]] || cp "$file" "$in"
	done
	for file in translate.*.toml; do
		active=$in/active.${file#translate.}
		[[ -e $active ]] || : >"$active"
	done

	# A translate file begins with the English texts. One that nobody has
	# touched must not be merged, or English would pass as the translation.
	goi18n merge -outdir "$plain" "$in"/*.toml
	for file in translate.*.toml; do
		cmp -s "$file" "$plain/$file" || cp "$file" "$in"
	done
	goi18n merge -outdir "$out" "$in"/*.toml
}

update() {
	local file name
	merge
	for file in "$work"/in/active.*.toml; do
		name=${file##*/}
		if [[ ! -e $work/out/$name && ! -e $work/out/translate.${name#active.} ]]; then
			echo "$name: goi18n does not take it: is it named after a language tag in its usual case, and does go-i18n have plural rules for the language?" >&2
			return 1
		fi
	done
	rm -f active.*.toml translate.*.toml
	cp "$work"/out/*.toml .
	for file in translate.*.toml; do
		echo "$file: translate the texts in it, then run update again"
	done
}

check() {
	local file name failed=0
	for file in translate.*.toml; do
		report "$file: translate the texts in it and run update, or remove it"
	done
	merge
	for file in "$work"/out/translate.*.toml; do
		name=${file##*/}
		report "active.${name#translate.}: missing, or translated from another text: $(ids "$file")"
	done
	for file in active.*.toml "$work"/out/active.*.toml; do
		name=${file##*/}
		if [[ ! -e $name ]]; then
			report "$name: missing: run update"
		elif [[ ! -e $work/out/$name ]]; then
			report "$name: goi18n does not take it: are there messages in it, is it named after a language tag in its usual case, and does go-i18n have plural rules for the language?"
		elif [[ $file == "$name" ]] && ! cmp -s "$name" "$work/out/$name"; then
			report "$name: not what update writes: $(diff "$name" "$work/out/$name" | sed -n 's/^[<>] \(.\{1,100\}\).*/\1/p' | head -n 1)"
		fi
	done
	for file in active.*.toml; do
		[[ $file == active.en.toml ]] && continue
		untranslated "$file"
	done
	return "$failed"
}

report() {
	echo "$1" >&2
	failed=1
}

# ids prints the message IDs of a catalogue.
ids() {
	sed -n 's/^\[\(.*\)\]$/\1/p' "$1" | paste -s -d ' '
}

# untranslated reports the messages of a catalogue whose text is the English one.
untranslated() {
	local same
	same=$(awk '
		/^\[/ { id = $0; gsub(/[][]/, "", id) }
		/^other = / { if (NR == FNR) english[id] = $0; else if ($0 == english[id]) printf " %s", id }
	' "$work/out/active.en.toml" "$1")
	if [[ -n $same ]]; then
		report "$1: not translated:$same"
	fi
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

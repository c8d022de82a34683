#!/usr/bin/env bash
# Checks the pages: links within the repository must be valid, the tests named in the
# pages must exist, and the pages must contain the output of dependencies.sh and
# licences.sh, for the modules given as arguments, and of count-adopt.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0
report() {
	echo "$*" >&2
	failed=1
}

# text prints a page without its code.
text() {
	sed '/^```/,/^```/d; s/`[^`]*`//g' "$1"
}

# anchors prints the anchors of a page, which GitHub makes from its headings.
anchors() {
	text "$1" | sed -nE 's/^#+ +//p' | sed -E 's/\[([^]]*)\]\([^)]*\)/\1/g; s/[^[:alnum:] _-]//g; s/ /-/g' | tr '[:upper:]' '[:lower:]'
}

check_links() {
	local page link file anchor
	while read -r page; do
		[[ -e $page ]] || continue # removed, and not committed yet
		while read -r link; do
			file=${link%%#*} anchor=${link#*#}
			file=$(dirname "$page")/$file
			[[ $link == '#'* ]] && file=$page
			if [[ ! -e $file ]]; then
				report "$page: $link: no such file"
			elif [[ $link == *'#'* && $file == *.md ]] && ! anchors "$file" | grep -qxF -- "$anchor"; then
				report "$page: $link: no such heading"
			fi
		done < <(text "$page" | grep -oE '\]\([^) ]+' | sed 's/^](//' | grep -vE '^[a-z]+:')
	done < <(git ls-files --cached --others --exclude-standard '*.md')
}

check_tests() {
	local page=$1 listed=$2 name file
	while read -r name; do
		grep -qxF "$name" <<<"$listed" || report "$page: go test lists no $name"
	done < <(grep -oE '\b(Test|Fuzz|Example)[A-Z]\w*' "$page" | sort -u)
	while read -r name file; do
		grep -qs "^func $name(" "$(dirname "$page")/$file" || report "$page: $name is not in $file"
	done < <(grep -oE '\[`?(Test|Fuzz|Example)\w+`?\]\([^)#]+' "$page" | tr -d '[`' | sed 's/](/ /' | sort -u)
}

check_dependencies() {
	local printed
	printed=$(tools/dependencies.sh "$@")
	[[ $(<CONTRIBUTING.md) == *"$printed"* ]] || report "CONTRIBUTING.md: tools/dependencies.sh prints now:
$printed"
}

check_licences() {
	local printed
	printed=$(tools/licences.sh "$@")
	[[ $(<CONTRIBUTING.md) == *"$printed"* ]] || report "CONTRIBUTING.md: tools/licences.sh prints now:
$printed"
}

check_counts() {
	local printed
	printed=$(tools/count-adopt.sh)
	[[ $(<docs/start.md) == *"$printed"* ]] || report "docs/start.md: tools/count-adopt.sh prints now:
$printed"
}

check_links
check_counts
listed=$(go test -list '^(Test|Fuzz|Example)' work)
for page in SECURITY.md adapters/README.md conformance/SPECIFICATION.md docs/*.md; do
	check_tests "$page" "$listed"
done
check_dependencies "$@"
check_licences "$@"
exit "$failed"

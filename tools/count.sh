#!/usr/bin/env bash
# Counts lines of code, without comments, blank lines and tests: of the product,
# which users import, and of the apparatus that checks it, shell scripts included.
set -euo pipefail
cd "$(dirname "$0")/.."

# count prints the lines of code in files and folders: Go, and files named $scripts.
count() {
	find "$@" -name '*.go' ! -name '*_test.go' ! -path '*/testdata/*' ! -path '*/coretest/*' -o -name "$scripts" | xargs --no-run-if-empty awk '
		FNR == 1 { comment = 0 }
		comment { if (/\*\//) comment = 0; next }
		/^[ \t]*\/\*/ { comment = !/\*\//; next }
		/^[ \t]*(\/\/|$)/ || FILENAME ~ /\.sh$/ && /^[ \t]*#/ { next }
		{ lines++ }
		END { print lines + 0 }'
}

total=0 scripts=''
# row prints the name and the lines of files and folders, and adds them to total.
row() {
	local name=$1 lines
	lines=$(count "${@:2}")
	total=$((total + lines))
	printf '%-22s %6d\n' "$name" "$lines"
}

row core core
for adapter in adapters/*/; do
	row "${adapter%/}" "$adapter"
done
row client client
row locales locales
row openapi openapi
row usage usage
row migrate migrate
product=$total total=0 scripts='*.sh'
printf '%-22s %6d\n\n' product "$product"
row conformance conformance
row bench bench
row tools tools locales/i18n.sh
printf '%-22s %6d\n\n' apparatus "$total"
awk -v a="$total" -v p="$product" 'BEGIN { printf "%-22s %6.2f\n", "apparatus / product", a / p }'

printf '\n%-22s %6s %6s\n' '' pages lines
printf '%-22s %6d %6d\n' docs "$(ls docs/*.md | wc -l)" "$(cat docs/*.md | wc -l)"
printf '%-22s %6s %6d\n' README.md '' "$(wc -l < README.md)"

#!/usr/bin/env bash
# Prints the licences of the third-party modules that the modules given as arguments
# import, and fails if one of them is not allowed. Needs go-licenses in .bin.
set -euo pipefail
cd "$(dirname "$0")/.."
allowed='^(Apache-2.0|BSD-2-Clause|BSD-3-Clause|ISC|MIT)$'

report=$(for module; do
	(cd "$module" && GOWORK=off "$OLDPWD/.bin/go-licenses" report ./... --ignore github.com/goverso/verso 2>/dev/null)
done)
listed=$(awk -F, 'NF { print $3, $1 }' <<<"$report" | sort -u)
for licence in $(cut -d' ' -f1 <<<"$listed" | sort -u); do
	[[ $licence =~ $allowed ]] || { echo "the licence $licence is not allowed: $(grep "^$licence " <<<"$listed")" >&2; exit 1; }
	names=$(sed -n "s|^$licence ||p" <<<"$listed" | tr '\n' ' ')
	echo "$licence:"
	fold -s -w 100 <<<"$names" | sed -n 's|^\(..*[^ ]\) *$|    \1|p'
done

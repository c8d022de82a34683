#!/usr/bin/env bash
# Counts lines that are too long to read at a glance, outside of tests, and names them where there are too
# many: 1 in 200 lines of a module's Go may be over 120 columns, where a tab is 4, and no line of a template
# or a style sheet over 160. Examples are left out: pages show their lines, and generators write them.
set -euo pipefail
cd "$(dirname "$0")/.."

modules=$(git ls-files '*/go.mod' | sed 's|/go.mod$||' | sort -r) # of two modules the inner one comes first
git ls-files '*.go' '*.html' '*.css' ':!*_test.go' ':!*/testdata/*' ':!examples' | xargs awk -v modules="$modules" '
	BEGIN { n = split(modules, folders) }
	FNR == 1 {
		for (i = 1; i <= n && index(FILENAME, folders[i] "/") != 1; i++) { }
		module = i > n ? "tools" : folders[i]
		limit = FILENAME ~ /\.go$/ ? 120 : 160
	}
	{ gsub(/\t/, "    ") }
	limit == 120 { lines[module]++ }
	length > limit {
		where = FILENAME ":" FNR ": " length " columns\n"
		if (limit == 120) { over[module]++; places[module] = places[module] where } else pages = pages where
	}
	END {
		for (module in over) if (over[module] * 200 > lines[module]) {
			printf "%s%s: %d of %d lines are over 120 columns: break them, or do less in them\n",
				places[module], module, over[module], lines[module]
			failed = 1
		}
		if (pages) print pages "break lines of templates and style sheets at 160 columns"
		exit failed || pages
	}'

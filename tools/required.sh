#!/usr/bin/env bash
# Checks that the modules given as arguments require other modules at no higher version than
# their direct requirements do, and testify, which only their tests use, at the lowest that serves these:
# the go.mod file of each user would get it.
set -euo pipefail
cd "$(dirname "$0")/.."
export GOWORK=off
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT

for module; do
	sed '/\/\/ indirect$/d; s|\(stretchr/testify\) v.*|\1 v1.8.4|' "$module/go.mod" >"$made/go.mod"
	if [ -f "$module/go.sum" ]; then cp "$module/go.sum" "$made"; fi
	go -C "$module" mod tidy -modfile="$made/go.mod"
	diff -u "$module/go.mod" "$made/go.mod" || {
		echo "$module/go.mod requires more than its direct requirements do: delete its lines with // indirect, and run make tidy"
		exit 1
	}
done

#!/usr/bin/env bash
# Prints the third-party modules that are compiled into a program on Linux that
# imports the modules given as arguments.
set -euo pipefail
cd "$(dirname "$0")/.."
export GOWORK=off GOOS=linux GOARCH=amd64 CGO_ENABLED=0
verso=$(sed -n 's|^module \(.*\)/core$|\1|p' core/go.mod)

for module; do
	all=$(go -C "$module" list -deps -f '{{with .Module}}{{.Path}}{{end}}' ./...)
	others=$(sort -u <<<"$all" | sed "\|^$verso/|d; /^$/d")
	echo "$module: $(wc -w <<<"$others")"
	fold -s -w 100 <<<"${others//$'\n'/ }" | sed -n 's|^\(..*[^ ]\) *$|    \1|p'
done

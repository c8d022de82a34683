#!/usr/bin/env bash
# Prints, in Markdown, what the work tree changes in the exported API of the
# modules given as arguments, since the last tag of each. It needs apidiff.
set -euo pipefail
cd "$(dirname "$0")/.."
export GOWORK=off
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# export_api writes the API of the module in the current folder into a file.
export_api() {
	apidiff -m -w "$1" "$(go list -m)"
}

for module; do
	tag=$(git tag --list "$module/v*" --merged HEAD --sort=-v:refname | head -n 1)
	if [[ -z $tag ]]; then
		printf '### %s\n\nNo tag yet.\n\n' "$module"
		continue
	fi
	if [[ ! -e $work/$tag ]]; then
		mkdir -p "$work/$tag"
		git archive "$tag" | tar -x -C "$work/$tag"
	fi
	(cd "$work/$tag/$module" && export_api "$work/then")
	(cd "$module" && export_api "$work/now")
	printf '### %s since %s\n\n' "$module" "$tag"
	apidiff -m "$work/then" "$work/now"
	echo
done

#!/usr/bin/env sh
# Points the go.mod of the current folder at this clone of Verso, until there is a release:
#
#	sh ../verso/tools/use.sh
set -eu
clone=${0%/tools/use.sh}
[ "$clone" != "$0" ] || { echo "use.sh: call it by its path, such as sh ../verso/tools/use.sh" >&2; exit 1; }
for module in core conformance client locales migrate openapi usage usage/usagesql \
	adapters/versochi adapters/versoecho adapters/versoecho5 adapters/versofiber adapters/versogin adapters/versohttp; do
	go mod edit -replace "github.com/goverso/verso/$module=$clone/$module"
done

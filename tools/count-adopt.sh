#!/usr/bin/env bash
# Counts the lines of code of examples/adopt, without blank lines and comments: the
# service, and its v2 with Verso and by hand. Of a changed file it counts the new
# lines, ignoring indentation.
set -euo pipefail
cd "$(dirname "$0")/../examples/adopt"

# code counts the lines of code in the input.
code() {
	grep -cvE '^\s*(//|$)'
}

# changed counts the lines of code in a file that are not in another one.
changed() {
	{ diff -w "$1" "$2" || true; } | sed -n 's/^> //p' | code
}

row() {
	printf '%-27s %5s %5s\n' "$@"
}

with=$(cat tasks/versions.go tasks/catalogue.json | code)
hand=$(code < byhand/byhand.go)
service() { cat tasks/tasks.go "$1"/{handlers,before}.go | code; }
bodies() { cat tasks/v2.go "$1"/v2.go | code; }
with() { echo $((with + $(changed "$1"/{before,after}.go))); }
hand() { echo $((hand + $(changed "$1"/{before,byhand}.go))); }

row 'examples/adopt' Gin Echo
row 'the service before' "$(service gintasks)" "$(service echotasks)"
row 'bodies of v2, both ways' "$(bodies gintasks)" "$(bodies echotasks)"
row 'versions with Verso' "$(with gintasks)" "$(with echotasks)"
row 'versions by hand' "$(hand gintasks)" "$(hand echotasks)"

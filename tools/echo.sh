#!/usr/bin/env bash
# Makes versoecho, the adapter of Echo v4, from versoecho5: the same files with other names, and the
# differences of the frameworks in adapters/versoecho/echo5.patch. A fault is mended in versoecho5.
#
#   tools/echo.sh update   writes the files of versoecho
#   tools/echo.sh record   writes the patch, after a change of versoecho that versoecho5 does not need
#   tools/echo.sh check    changes nothing, and fails if update would change something
set -euo pipefail
cd "$(dirname "$0")/../adapters"
patch=versoecho/echo5.patch

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/a" "$work/b"

# sources prints the files of an adapter, without its tests and what Echo v5 alone needs.
sources() {
	git ls-files "$1/*.go" | grep -v -e _test.go -e versoecho5/param.go -e versoecho5/head.go
}

for file in $(sources versoecho5); do
	name=${file##*/}
	sed -e 's#labstack/echo/v5#labstack/echo/v4#; s/versoecho5/versoecho/g; s/\*echo\.Context/echo.Context/g; s/echo\.RouteInfo/*echo.Route/g' "$file" \
		>"$work/a/${name/versoecho5/versoecho}"
done

case ${1:-} in
record)
	for file in $(sources versoecho); do
		cp "$file" "$work/b"
	done
	(cd "$work" && diff -U1 -N -r a b) | sed -E 's/^((---|\+\+\+) [^\t]*)\t.*/\1/; /^diff /d' >"$patch" || true
	;;
update | check)
	cp "$work"/a/* "$work/b"
	if ! command patch -s -p1 -d "$work/b" <"$patch"; then
		echo "$patch does not fit versoecho5: mend the rejected places in versoecho, and run tools/echo.sh record" >&2
		exit 1
	fi
	find "$work/b" -empty -delete
	rm -f "$work"/b/*.orig
	if [[ $1 == update ]]; then
		cp "$work"/b/*.go versoecho
		exit
	fi
	for file in $(sources versoecho) "$work"/b/*.go; do
		name=${file##*/}
		cmp -s "versoecho/$name" "$work/b/$name" || {
			echo "versoecho/$name is not versoecho5 with $patch: mend versoecho5 and run tools/echo.sh update, or record the difference" >&2
			exit 1
		}
	done
	;;
*)
	sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
	exit 2
	;;
esac

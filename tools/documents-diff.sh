#!/usr/bin/env bash
# Compares a published OpenAPI document with the one that Verso makes of a version, which
# openapitest.WriteVersions has written: prints what is left by kind, then each difference.
# It needs oasdiff.
set -euo pipefail
published=$1 made=$2
left=$(oasdiff changelog "$published" "$made" --format json)
# The same difference is listed for each operation that has it.
different=$(grep -oE '"id":"[^"]*","text":"([^"\\]|\\.)*"' <<<"$left" | sort -u || true)
[[ -n $different ]] || { echo 'no difference'; exit; }
sed 's/^"id":"\([^"]*\)".*/\1/' <<<"$different" | sort | uniq -c | sort -rn
echo
sed 's/^"id":"\([^"]*\)","text":"\(.*\)"$/\1: \2/' <<<"$different"

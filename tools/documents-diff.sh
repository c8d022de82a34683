#!/usr/bin/env bash
# Compares a published OpenAPI document with the one that Verso makes of a version, which
# openapitest.WriteVersions has written: prints what is left by kind, then each difference.
# Components that came or went, which no client sees, are counted apart, and so is the version's
# own parameter, if PARAMETER names it. It needs oasdiff.
set -euo pipefail
published=$1 made=$2
left=$(oasdiff changelog "$published" "$made" --format json)
# The same difference is listed for each operation that has it.
different=$(grep -oE '"id":"[^"]*","text":"([^"\\]|\\.)*"' <<<"$left" | sort -u || true)
apart=$(grep -E '^"id":"api-schema-(removed|added)"' <<<"$different" || true)
[[ -z ${PARAMETER:-} ]] || apart+=$'\n'$(grep -E "parameter [^A-Za-z0-9]*${PARAMETER}[^A-Za-z0-9_-]" <<<"$different" || true)
different=$(grep -vxF -- "$apart" <<<"$different" || true)
apart=$(grep -c . <<<"$apart" || true)
[[ $apart == 0 ]] || echo "apart: $apart components or parameters of the version"
[[ -n $different ]] || { echo 'no difference'; exit; }
sed 's/^"id":"\([^"]*\)".*/\1/' <<<"$different" | sort | uniq -c | sort -rn
echo
sed 's/^"id":"\([^"]*\)","text":"\(.*\)"$/\1: \2/' <<<"$different"

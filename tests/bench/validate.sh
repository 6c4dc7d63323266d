#!/usr/bin/env bash
# bench/validate.py says what agrees, and notices what does not.
set -euo pipefail
anachron=$ANACHRON_BIN/anachron validate=(python3 -B "$ANACHRON_SOURCE/bench/validate.py")
command -v python3 >/dev/null || { echo 'python3 is not installed: skipped'; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
  echo "$*"
  cat "$folder/out"
  exit 1
}
# expect STATUS COMMAND...
expect() {
  local status=0
  "${@:2}" >"$folder/out" 2>&1 || status=$?
  ((status == $1)) || fail "$*: exit status $status"
}

expect 0 "${validate[@]}" "$anachron" --only 'queueing M/M/c/K,traffic Sioux'
grep -q 'load 1.4: lost .* ok$' "$folder/out" || fail 'no row of losses'
grep -q '^5 ok, 0 FAILED, 1 skipped$' "$folder/out" || fail 'another number of rows'

# A program that simulates something else.
printf '#!/bin/sh\nexec "%s" "$@" --load 0.5\n' "$anachron" >"$folder/wrong"
chmod +x "$folder/wrong"
expect 1 "${validate[@]}" "$folder/wrong" --only 'queueing M/M/c/K'
grep -q 'load 1.4: lost .* FAILED$' "$folder/out" || fail 'not noticed'

expect 2 "${validate[@]}" "$anachron" --only quueing
grep -q 'none begins with quueing; there are ' "$folder/out" || fail 'does not say what there is'
expect 0 "${validate[@]}" "$anachron" --list
for model in epidemic logic packets pcs queueing tlm traffic; do
  grep -q "^$model" "$folder/out" || fail "no validation of $model"
done

#!/usr/bin/env bash
# Usage: stopped.sh [PROGRAM]
# A run that is stopped for a second (SIGSTOP) and continued ends, with the same digest, whatever the mapping.
set -uo pipefail
program=${1:-${ANACHRON_BIN:?}/anachron}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit

model=(phold --lps 200 --events-per-lp 5 --remote 0.4 --until 2000)
digest() { sed -n 's/^ *"digest": "\(.*\)",/\1/p' "$1"; }

"$program" run "${model[@]}" --sync sequential --quiet --report expected.json || exit
failures=0
for mapping in auto fixed dynamic adaptive ladm; do
  "$program" run "${model[@]}" --workers 2 --mapping "$mapping" --quiet --report report.json &
  run=$!
  for _ in 1 2 3; do
    sleep 0.1
    kill -STOP "$run" 2>/dev/null || break
    sleep 0.4
    kill -CONT "$run"
  done
  wait "$run" || { echo "FAILED: --mapping $mapping: exit status $?"; failures=$((failures + 1)); continue; }
  [[ $(digest report.json) == "$(digest expected.json)" ]] ||
    { echo "FAILED: --mapping $mapping: digest $(digest report.json)"; failures=$((failures + 1)); }
done
((failures == 0)) && echo 'all passed'

#!/usr/bin/env bash
# Usage: stopped.sh [PROGRAM]
# A run that is stopped (SIGSTOP) again and again and continued ends, with the same digest, whatever the mapping.
source "$(dirname "${BASH_SOURCE[0]}")/../support/program.bash" "$@"

model=(phold --lps 200 --events-per-lp 5 --remote 0.4 --until 6000)
digest() { sed -n 's/^ *"digest": "\(.*\)",/\1/p' "$1"; }

"$program" run "${model[@]}" --sync sequential --quiet --report expected.json || exit
for mapping in auto fixed dynamic adaptive ladm; do
  "$program" run "${model[@]}" --workers 2 --mapping "$mapping" --quiet --report report.json &
  run=$!
  for _ in 1 2 3; do
    sleep 0.1
    kill -STOP "$run" 2>/dev/null || break
    sleep 0.4
    kill -CONT "$run"
  done
  wait "$run" || fail "--mapping $mapping: exit status $?"
  [[ $(digest report.json) == "$(digest expected.json)" ]] || fail "--mapping $mapping: digest $(digest report.json)"
done
finish

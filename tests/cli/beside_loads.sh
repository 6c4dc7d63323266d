#!/usr/bin/env bash
# Usage: beside_loads.sh [PROGRAM]
# Loads that come and go at random change no digest, and no run hangs: 20 runs, 1000 of them as a long test.
source "$(dirname "${BASH_SOURCE[0]}")/../support/program.bash" "$@"

runs=20
[[ ${ANACHRON_TEST_LONG-} ]] && runs=1000
model=(phold --lps 500 --events-per-lp 8 --remote 0.4 --until 25)
kinds=(compute stream communicate)
mappings=(auto fixed dynamic adaptive ladm)
digest() { sed -n 's/^ *"digest": "\(.*\)",/\1/p' "$1"; }

"$program" run "${model[@]}" --sync sequential --quiet --report expected.json || exit
expected=$(digest expected.json)
cores=$(nproc)
can_swap=
"$program" run "${model[@]}" --workers "$cores" --core-swap on --quiet --report report.json 2>/dev/null && can_swap=1

loads() {  # until it is killed
  trap 'kill $(jobs -p) 2>/dev/null; exit' TERM
  while :; do
    threads=$((1 + RANDOM % 3))
    kind=${kinds[RANDOM % (threads > 1 ? 3 : 2)]}
    "$program" load --threads $threads --kind "$kind" --for "0.0$((1 + RANDOM % 9))" --period $((200 + RANDOM)) >/dev/null 2>&1 &
    wait $!
    sleep "0.0$((RANDOM % 5))"
  done
}
loads &
loads=$!
trap 'kill "$loads"; rm -rf "$folder"' EXIT
for ((i = 0; i < runs; i++)); do
  options=(--workers $((1 + RANDOM % 4)) --mapping "${mappings[i % 5]}")
  if [[ ${options[3]} != fixed && ${options[3]} != dynamic ]]; then
    ((RANDOM % 3)) || options+=(--reactivation periodic --detector interference)
    ((RANDOM % 2)) && options+=(--reactivation signal)
    ((RANDOM % 4)) || options+=(--detector apte --apte-threshold 1.5)
  fi
  [[ ${options[3]} != fixed ]] && ((RANDOM % 2)) && options+=(--pes 6 --pe-choice lowest-lvt)
  [[ $can_swap && ${options[1]} == "$cores" ]] && ((cores > 1 && RANDOM % 2)) && options+=(--core-swap on)
  timeout 120 "$program" run "${model[@]}" "${options[@]}" --quiet --report report.json >out 2>err ||
    fail "run $i, ${options[*]}: exit status $?"
  [[ $(digest report.json) == "$expected" ]] || fail "run $i, ${options[*]}: another digest"
  ((failures == 0)) || break
done
finish

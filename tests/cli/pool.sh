#!/usr/bin/env bash
# Usage: pool.sh [PROGRAM]
# Where event memory comes from: what the program has, and what one says that was built without it.
source "$(dirname "${BASH_SOURCE[0]}")/../support/program.bash" "$@"
small=(run phold --lps 50 --until 5 --report - --quiet)
digest() { grep -o '"digest": "[0-9a-f]*"' out; }

expect 0 "${small[@]}" --sync sequential
expected=$(digest)
has out '"pool": "own"'
for pool in system jemalloc mimalloc; do
  # What has the library was linked with it.
  if [[ $pool == system ]] || grep -q "\"built_with\".*\"$pool\"" out; then
    for how in '--sync sequential' '--sync optimistic --workers 2 --mapping fixed'; do
      # shellcheck disable=SC2086
      expect 0 "${small[@]}" --pool "$pool" $how
      [[ $(digest) == "$expected" ]] || fail "$what: another digest"
      has out "\"pool\": \"$pool\""
      is_empty err
    done
  else
    refused "--pool: '$pool' is not valid: expected own, system.*without $pool: install lib$pool-dev" "${small[@]}" --pool "$pool"
  fi
done
refused "--pool: 'tcmalloc' is not valid: expected one of own, system, jemalloc, mimalloc" "${small[@]}" --pool tcmalloc

# An example is a program like any user's: the library that it is linked with brings neither.
program=$(dirname "$program")/example_phold40
expect 0 --until 5 --pool system --report - --quiet
for pool in jemalloc mimalloc; do
  expect 2 --until 5 --pool $pool
  is_empty out
  has err "^example_phold40: --pool: '$pool' is not valid: expected own, system; this program was built without $pool: install lib$pool-dev"
done
finish

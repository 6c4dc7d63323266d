#!/usr/bin/env bash
# Usage: events.sh [PROGRAM]
# Whose memory events are: shared or copied, and on which memory node, of a machine that hwloc is told of.
source "$(dirname "${BASH_SOURCE[0]}")/../support/program.bash" "$@"
small=(run phold --lps 50 --until 5 --report - --quiet)
parallel=(--sync optimistic --workers 2 --mapping fixed)
digest() { grep -o '"digest": "[0-9a-f]*"' out; }

expect 0 "${small[@]}" --sync sequential
expected=$(digest)
has out '"events": "shared"'
has out '"numa": "auto"'
has out '"why_not": "a single worker"'
hwloc=$(grep -c '"built_with".*"hwloc"' out)
for events in shared copied; do
  expect 0 "${small[@]}" "${parallel[@]}" --events $events
  [[ $(digest) == "$expected" ]] || fail "$what: another digest"
  is_empty err
done
has out '"copied": [1-9]'
refused "--events: 'lent' is not valid: expected one of shared, copied" "${small[@]}" --events lent
refused "--numa: 'on' is not valid: expected auto, off with --pool system" "${small[@]}" "${parallel[@]}" --pool system --numa on
refused "--numa: 'on' is not valid: expected auto, off; here" "${small[@]}" "${parallel[@]}" --bind none --numa on
expect 0 "${small[@]}" --sync sequential --events copied --numa on
has out '--events has no effect in a sequential run'
has out '--numa has no effect in a sequential run'

if ((hwloc > 0)); then
  export HWLOC_SYNTHETIC="pack:2 numa:1 core:1 pu:1"
  for numa in auto on; do
    for events in shared copied; do
      expect 0 "${small[@]}" "${parallel[@]}" --numa $numa --events $events
      [[ $(digest) == "$expected" ]] || fail "$what: another digest"
      has out '"rank":0,"node":0,"pes":1,"pool_bytes":[1-9]'
      has out '"rank":0,"node":1,"pes":1,"pool_bytes":[1-9]'
      is_empty err
    done
  done
  expect 0 "${small[@]}" "${parallel[@]}" --numa off
  has out '"why_not": "--numa off"'
  refused "--numa: 'on' is not valid: expected auto, off; here 3 workers on 2 cores of a made-up machine" \
    "${small[@]}" --workers 3 --numa on
  HWLOC_SYNTHETIC="pack:1 numa:1 core:2 pu:1" expect 0 "${small[@]}" "${parallel[@]}"
  has out '"why_not": "all workers are on one node"'
fi
finish

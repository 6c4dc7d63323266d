#!/usr/bin/env bash
# Usage: interrupt.sh [PROGRAM]
# SIGINT and SIGTERM end the `anachron` program wherever it is, and `timeout` does.
source "$(dirname "${BASH_SOURCE[0]}")/../support/program.bash" "$@"

# ends ARGUMENT...: the program, told to end after a second, does so with status 130. To be killed, later, is 137.
ends() {
  local signal status
  for signal in INT TERM; do
    status=0
    timeout --preserve-status -k 30 -s "$signal" 1 "$program" "$@" >out 2>err </dev/null || status=$?
    [[ $status == 130 ]] || fail "SIG$signal, anachron $*: exit status $status instead of 130"
    grep -qx 'stopping, again to kill' err || fail "SIG$signal, anachron $*: nothing is said"
  done
}

# Nothing comes from a pipe that nobody writes to.
mkfifo pipe
ends run phold --config pipe
ends run --config pipe
ends run traffic --network pipe --trips pipe
ends tune traffic --network pipe --trips pipe
# A model that takes long to make, and one whose partition and LPs do.
ends run traffic --city 512x512
ends run phold --lps 30M --partition random --pes 2 --memory 1000GiB
# Many short runs.
ends tune phold --lps 16 --until 1 --repetitions 1000000
[[ ! -s out ]] || fail 'tune: an interrupted one compares'
# Some replications have ended, others have not.
ends run phold --lps 16 --until 10 --replications 1000000 --report report.json
grep -q '; INTERRUPTED when [0-9]* had ended' out || fail 'replications: the report does not say so'
grep -q '"interrupted": true' report.json || fail 'replications: no report'
ends run phold --lps 64 --until inf --replications 3

timeout 1 "$program" run phold --lps 64 --until inf >out 2>err
status=$?
[[ $status == 124 ]] || fail "timeout: exit status $status instead of 124"
grep -q 'INTERRUPTED at time' out || fail 'timeout: no report'

finish

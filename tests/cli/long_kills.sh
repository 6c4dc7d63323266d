#!/usr/bin/env bash
# Usage: long_kills.sh [PROGRAM]
# A thousand runs that are killed, a hundred ranks that are killed or stand still, and a kill before each call that writes a
# checkpoint: all go on, and end as if nothing had been.
support=$(realpath "$(dirname "$0")/../support")
source "$support/program.bash"
source "$support/kills.bash"

[[ ${ANACHRON_TEST_LONG-} == 1 ]] || { echo "skipped: takes half an hour of two cores; ./do test-long runs it"; exit 77; }

small=(phold --lps 300 --until 60 --quiet)
expect 0 run "${small[@]}" --sync sequential --report whole
digests whole >wanted
with_file_faults
kill_at_each 1 "${small[@]}" --checkpoint-every 10 --sync sequential  # a copy of the process writes
kill_at_each 1 "${small[@]}" --checkpoint-every 10 --sync optimistic --workers 2

expect 0 run "${model[@]}" --sync sequential --report whole
digests whole >wanted
kill_under_supervise 1000
if [[ -n ${ANACHRON_MPIEXEC:-} ]]; then
  source "$support/mpi.bash"
  kill_ranks 100
fi
finish

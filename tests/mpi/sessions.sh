#!/usr/bin/env bash
# Sessions over ranks, as a user starts them: the output of one process, and what goes wrong.
support=$(cd "$(dirname "${BASH_SOURCE[0]}")/../support" && pwd)
source "$support/program.bash" "$@"
source "$support/mpi.bash"

# A session, drained, branched and rewound, with the output of one process, which rank 0 prints.
"$ANACHRON_BIN/example_branch" >alone.txt
for shape in '2 1' '2 2' '3 1 --partition random --comm thread' '4 1 --cancellation lazy --message-size 1KiB'; do
  read -r count workers more <<<"$shape"
  # shellcheck disable=SC2086
  ranks 0 "$count" "$ANACHRON_BIN/example_branch" --workers "$workers" $more
  diff alone.txt out || fail "$what: other output than alone"
done
ranks 0 2 "$ANACHRON_BIN/mpi_tests" session fault
[[ $(grep -c '^rank [01]: .*out of breath, and back at 2$' out) == 2 ]] || fail "$what: not the same failure on both ranks"

# What goes wrong has one message and an exit status, and nobody hangs.
ranks 2 2 "$ANACHRON_BIN/example_branch" --sync sequential
grep -q "sync.*sequential.*2 ranks" err || fail "$what: it does not say why"
ranks 2 2 "$ANACHRON_BIN/example_branch" --workers 1 --memory 100KiB
grep -q -- '--memory' err || fail "$what: it does not say why"
for role in steps events; do
  ranks 2 2 "$ANACHRON_BIN/mpi_tests" session "$role"
  [[ $(grep -c 'ranks 0 and 1 make different calls of the session: ' err) == 1 ]] || fail "$what: not one message"
done
ranks 2 2 "$ANACHRON_BIN/mpi_tests" session memory
[[ $(grep -c -- '--memory: .* is not valid' err) == 1 ]] || fail "$what: not one message"
for role in callback thrown; do
  ranks any 2 "$ANACHRON_BIN/mpi_tests" session "$role"
  grep -q 'rank 1 .*: enough' err || fail "$what: it does not say why"
  grep -q 'different calls' err && fail "$what: the others have another message"
done
ranks 0 2 "$ANACHRON_BIN/mpi_tests" session interrupt
[[ $(grep -c '^rank [01]: interrupted, then finished$' out) == 2 ]] || fail "$what: not on both ranks"

finish

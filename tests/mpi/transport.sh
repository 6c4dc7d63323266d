#!/usr/bin/env bash
# Messages between processes, over shared memory and over TCP, and what becomes of the others when one of them ends.
support=$(cd "$(dirname "${BASH_SOURCE[0]}")/../support" && pwd)
source "$support/program.bash" "$@"
source "$support/mpi.bash"
tests=$ANACHRON_BIN/mpi_tests

for count in 2 4; do
  for way in self,vader self,tcp; do
    rm -f late
    OMPI_MCA_btl=$way ranks 0 "$count" "$tests" contract "$folder/late"
    has out "^$count of $count ranks here, [^ ]"
  done
done

rm -f late
ranks 0 3 "$tests" few "$folder/late"

# One ends, the others would wait for ever.
for way in killed thrown aborted commit; do
  start=$SECONDS
  ranks any 4 "$tests" "$way"
  ((SECONDS - start < 10)) || fail "$what: the others live for $((SECONDS - start)) s"
done
has err 'Clerk 7: event Tick at time 2: threw in order at commit: no more paper'
pgrep -f "^$tests " >/dev/null && fail 'leaves processes behind'

ranks any 2 "$tests" sizes
has err 'message size: 1000 bytes in one rank and 1001 in another'

ranks 0 3 "$tests" resized
ranks 0 2 "$tests" later

# mpirun of another MPI, of which ours does not know.
PMI_RANK=1 PMI_SIZE=2 "$tests" killed >out 2>err && fail 'runs alone'
what='a rank that MPI does not know'
has err 'started as rank 1 of 2 by mpiexec \(PMI_SIZE\), but the MPI library of this build, .*, says rank 0 of 1'

finish

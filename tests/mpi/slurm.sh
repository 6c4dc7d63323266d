#!/usr/bin/env bash
# Runs over two nodes of Slurm, as docs/how-to/slurm.md starts them: the digest of one process, the workers that the allocation
# has room for, an end when a rank is killed or the job is cancelled.
[[ ${ANACHRON_TEST_LONG-} == 1 ]] || {
  echo 'skipped: a long test'
  exit 77
}
support=$(cd "$(dirname "${BASH_SOURCE[0]}")/../support" && pwd)
source "$support/hosts.bash" "$@"
source "$support/program.bash" "$@"
source "$support/mpi.bash"
source "$support/slurm.bash"
# As on a cluster: nobody says where ranks and threads belong but Slurm, nor how they reach each other.
unset "${!OMPI_MCA_@}" "${!PRTE_MCA_@}"
start_slurm
unset "${!OMPI_MCA_@}" "${!PRTE_MCA_@}"

digest_of() { sed -n 's/^  "digest": "\([0-9a-f]*\)",$/\1/p' "$1"; }
# workers_of FILE: of each rank, in a line.
workers_of() { python3 -c 'import json, sys; print(*[r["workers"] for r in json.load(open(sys.argv[1]))["ranks"]])' "$1"; }
# in_slurm STATUS COMMAND...: a status of `any` is any error.
in_slurm() {
  local wanted=$1 status=0
  shift
  what="$*"
  rm -f report.json
  on_node 1 timeout -k 10 120 "$@" >out 2>err </dev/null || status=$?
  case $wanted in
    any) ((status != 0 && status != 124)) || fail "$what: exit status $status instead of an error" ;;
    *) [[ $status == "$wanted" ]] || fail "$what: exit status $status instead of $wanted" ;;
  esac
}

model=(phold --lps 600 --events-per-lp 4 --remote 0.5 --until 20)
expect 0 run "${model[@]}" --sync sequential --quiet --report alone.json
right=$(digest_of alone.json)
[[ $right ]] || fail "$what: no digest"
# is_right WORKERS: the last run gave the digest and had these workers.
is_right() {
  [[ -e report.json && $(digest_of report.json) == "$right" ]] || fail "$what: another digest than alone"
  [[ $(workers_of report.json) == "$1" ]] || fail "$what: workers $(workers_of report.json) instead of $1"
}

run=("$program" run "${model[@]}" --quiet --report report.json)
in_slurm 0 srun --mpi=pmix -N 2 --ntasks-per-node=1 --cpus-per-task=1 "${run[@]}"
is_right '1 1'
if ((processors >= 2)); then
  in_slurm 0 srun --mpi=pmix -N 2 --ntasks-per-node=1 --cpus-per-task=2 "${run[@]}"
  is_right '2 2'
  in_slurm 0 srun --mpi=pmix -N 2 --ntasks-per-node=2 "${run[@]}"
  is_right '1 1 1 1'
fi

# mpirun within an allocation, by hand and in a script.
in_slurm 0 salloc -N 2 --ntasks-per-node=1 --cpus-per-task="$processors" \
  "$ANACHRON_MPIEXEC" --map-by ppr:1:node --bind-to none "${run[@]}"
is_right "$processors $processors"
# The batch job of docs/how-to/slurm.md. A rank has a worker on each processor that the job gives it.
job=$support/../../packaging/slurm/job.sh
in_slurm 0 sbatch --wait -o job.out --cpus-per-task="$processors" "$job" "${run[@]}"
is_right "$processors $processors"

# Without PMIx no task knows of the others: Open MPI's error, not two runs that overwrite each other's report.
in_slurm any srun --mpi=none -N 2 --ntasks-per-node=1 "${run[@]}"
has err 'PMIx'
[[ ! -e report.json ]] || fail "$what: a report"

endless=("$program" run phold --lps 400 --until inf --quiet --report report.json)
# A while before the time of the job is over, the run is interrupted, and writes its report.
in_slurm any sbatch --wait -o job.out --time=1 --signal=INT@30 "$job" "${endless[@]}"
grep -q '"ending": "interrupted"' report.json || fail "$what: no time for a report"
# begin COMMAND...: starts a job and waits until two ranks of it simulate, or nearly so.
begin() {
  local tries
  what="$*"
  rm -f report.json
  on_node 1 timeout -k 10 120 "$@" >out 2>err </dev/null &
  job=$!
  for ((tries = 0; tries < 600 && $(ours | wc -l) < 2; tries++)); do sleep 0.1; done
  sleep 1
}
ours() {
  local exe
  for exe in /proc/[0-9]*/exe; do
    [[ $(readlink "$exe") != "$(readlink -f "$program")" ]] || basename "$(dirname "$exe")"
  done
}
# ends SECONDS: the job is over by then, with an error, and leaves nothing behind.
ends() {
  local tries status=0
  for ((tries = 0; tries < 10 * $1; tries++)); do
    kill -0 "$job" 2>/dev/null || break
    sleep 0.1
  done
  kill -0 "$job" 2>/dev/null && fail "$what: still there after $1 s" && kill -9 "$job"
  wait "$job" || status=$?
  ((status != 0)) || fail "$what: exit status 0"
  for ((tries = 0; tries < 100; tries++)); do [[ $(ours) ]] && sleep 0.1; done
  [[ ! $(ours) ]] || fail "$what: leaves $(ours) behind"
}

begin srun --mpi=pmix --kill-on-bad-exit=1 -N 2 --ntasks-per-node=1 "${endless[@]}"
kill -9 "$(ours | head -1)"
ends 30
[[ ! -e report.json ]] || fail "$what: a report without a rank"

begin srun --mpi=pmix -N 2 --ntasks-per-node=1 "${endless[@]}"
on_node 1 scancel --signal=INT "$(on_node 1 squeue -h -o %i).0"
ends 30
grep -q '"ending": "interrupted"' report.json || fail "$what: cancelled, and no report says so"

# A job that is longer than its time: docs/how-to/checkpoints.md. It goes on where it was, and its file has no gap.
long=(logic --gates 3000 --gates-per-lp 300 --vectors 500 --quiet)
expect 0 run "${long[@]}" --sync sequential --report alone.json --vcd alone.vcd
right=$(digest_of alone.json)
rm -f report.json
in_slurm 0 sbatch -o long.out "$support/../../packaging/slurm/requeue.sh" 3s run-in-parts "$program" run "${long[@]}" --report report.json --vcd together.vcd
for ((tries = 0; tries < 120; tries++)); do
  [[ -e report.json && ! $(on_node 1 squeue -h) ]] && break
  # Slurm lets two minutes go by before it starts a job again, so that what is left of it can end.
  id=$(on_node 1 squeue -h -t PENDING -o %i)
  sleep 1
  [[ ! $id ]] || { sleep 9; on_node 1 scontrol update JobId="$id" StartTime=now; }
done
what="a job in parts: $(cat long.out)"
is_right '1 1'
cmp alone.vcd together.vcd || fail "$what: another file than alone"
[[ ! -e run-in-parts/checkpoint-000001 ]] || fail "$what: it was not started again"

finish

#!/usr/bin/env bash
# Runs that are killed, interrupted, or out of time go on from their checkpoints, and end as if nothing had been. Also under
# `supervise`, and under mpirun with another number of ranks. long_kills.sh kills more often.
support=$(realpath "$(dirname "$0")/../support")
source "$support/program.bash"
source "$support/kills.bash"

expect 0 run "${model[@]}" --sync sequential --report whole
digests whole >wanted

# --- Out of time, and from the checkpoint in other layouts
expect 75 run "${model[@]}" --sync sequential --checkpoint dir --max-wall 0.1s
expect 0 resume dir --max-wall 1h --report report
same report 'resume'
expect 75 run "${model[@]}" --sync optimistic --workers 2 --checkpoint dir2 --max-wall 0.1s
expect 0 resume dir2 --sync sequential --max-wall 1h --report report
same report 'resume of an optimistic run'
expect 75 run "${model[@]}" --sync sequential --checkpoint dir3 --max-wall 0.1s
if [[ -n ${ANACHRON_MPIEXEC:-} ]]; then
  source "$support/mpi.bash"
  "$ANACHRON_MPIEXEC" --oversubscribe -n 2 \
    "$program" resume dir3 --sync optimistic --workers 1 --max-wall 1h --report report >out 2>err || fail 'resume over ranks'
  same report 'resume over ranks'
fi

# --- A signal has it write one, and go on
"$program" run "${model[@]}" --sync sequential --checkpoint signal --report report 2>err &
run=$!
until [[ -e signal/lock ]] || ! kill -0 $run; do sleep 0.02; done
for _ in {1..100}; do
  [[ -d signal/checkpoint-000001 ]] && break
  kill -USR1 $run 2>/dev/null || break
  sleep 0.05
done
wait $run || fail 'a run that gets SIGUSR1'
same report 'a run that gets SIGUSR1'

# --- Files that cannot be written as a whole, or do not come to the disk: the run goes on, and has the same results
writing=("${model[@]}" --sync sequential --checkpoint-every 0.1s --report report)
(
  trap '' XFSZ
  ulimit -f 1000
  "$program" run "${writing[@]}" --checkpoint cut >out 2>err
) || fail 'a run that cannot write its checkpoints'
same report 'a run that cannot write its checkpoints'
grep -q 'not written: cannot write cut/unfinished/rank-0: File too large' report || fail 'no note on files that were cut off'
grep -q 'no checkpoint was written: cannot write cut/unfinished/rank-0: File too large; the run goes on' err ||
  fail "nothing is told of files that were cut off: $(cat err)"
for kept in cut/checkpoint-*; do  # early ones may be small enough
  [[ -e $kept ]] || continue
  expect 0 resume "$kept" --report report
  same report "half a checkpoint was kept: $kept"
done
rm -rf cut
expect 0 run "${writing[@]}" --checkpoint cut
same report 'a run that can write them again'
if printf '#include <cerrno>\nextern "C" int fsync(int) { return errno = EIO, -1; }' | c++ -shared -fPIC -o unsynced.so -x c++ -; then
  LD_PRELOAD=$PWD/unsynced.so "$program" run "${writing[@]}" --checkpoint unsynced >out 2>err || fail 'a disk that fails'
  same report 'a disk that fails'
  grep -q 'not written: .*unsynced/unfinished/.*: Input/output error' report || fail 'no note on a disk that fails'
  [[ -z $(find unsynced -name 'checkpoint-*') ]] || fail 'a checkpoint was kept that did not come to the disk'
fi

# --- A trace goes on without a gap or a double line: what came after the checkpoint is written once
traced=(phold --lps 300 --quiet)
touch 300  # what an option is set to is no file, though one is called so; a folder `copy` comes below, as in --undo copy
for ending in csv txt; do
  expect 0 run "${traced[@]}" --sync sequential --until 60 --trace whole.$ending
  for layout in '--sync sequential' '--sync optimistic --workers 2 --pes 3'; do
    rm -rf traced
    # shellcheck disable=SC2086
    expect 0 run "${traced[@]}" --sync sequential --until 25 --checkpoint traced --checkpoint-every 10 --trace t.$ending
    cmp -s <(head -n "$(wc -l <t.$ending)" whole.$ending) t.$ending || fail "the trace of a run with checkpoints"
    # shellcheck disable=SC2086
    expect 0 resume traced $layout --until 45
    cp -r traced copy
    # shellcheck disable=SC2086
    expect 0 resume traced $layout --until 60
    cmp whole.$ending t.$ending || fail "a trace that goes on, $layout"
    expect 0 resume "$(printf '%s\n' copy/checkpoint-* | head -1)" --until 60 --trace other.$ending
    cmp whole.$ending other.$ending || fail "a trace that goes on from a checkpoint before the newest"
    rm -rf copy
  done
done
if [[ -n ${ANACHRON_MPIEXEC:-} ]]; then
  "$ANACHRON_MPIEXEC" --oversubscribe -n 2 "$program" resume traced --workers 1 --until 80 >out 2>err || fail 'a trace over ranks'
  expect 0 run "${traced[@]}" --sync sequential --until 80 --trace whole.txt
  cmp whole.txt t.txt || fail 'a trace that goes on over ranks'
fi
truncate -s 100 traced/trace.txt
"$program" resume traced --until 90 >out 2>err && fail 'a trace that was cut off'
grep -q -e '--trace: .*trace.txt has 100 bytes; the checkpoint was written when it had' err || fail "a trace that was cut off: $(cat err)"

# --- So does a file that the model writes, also from a checkpoint before its end
wave=(logic --gates 2000 --gates-per-lp 200 --vectors 60 --quiet)
expect 0 run "${wave[@]}" --sync sequential --until 13000 --vcd whole.vcd
for layout in '--sync sequential' '--sync optimistic --workers 2 --pes 3'; do
  rm -rf waves wave.vcd
  # shellcheck disable=SC2086
  expect 0 run "${wave[@]}" $layout --until 2600 --vcd wave.vcd --checkpoint waves --checkpoint-every 1000
  cp -r waves before
  # shellcheck disable=SC2086
  expect 0 resume waves $layout --until 5000
  cmp -s <(head -c 100000 whole.vcd) <(head -c 100000 wave.vcd) || fail "a VCD file that goes on, $layout"
  expect 0 resume before --until 13000
  cmp whole.vcd wave.vcd || fail "a VCD file that goes on from a checkpoint before its end, $layout"
  rm -rf before
done
if [[ -n ${ANACHRON_MPIEXEC:-} ]]; then
  rm -rf waves wave.vcd
  ranks=("$ANACHRON_MPIEXEC" --oversubscribe -n 2 "$program")
  "${ranks[@]}" run "${wave[@]}" --workers 1 --until 2600 --vcd wave.vcd --checkpoint waves --checkpoint-every 1000 >out 2>err || fail 'a VCD file over ranks'
  cmp -s <(head -c 50000 whole.vcd) <(head -c 50000 wave.vcd) || fail 'a VCD file over ranks'
  "${ranks[@]}" resume waves --workers 1 --until 5000 >out 2>err || fail 'a VCD file that goes on over ranks'
  cmp -s <(head -c 100000 whole.vcd) <(head -c 100000 wave.vcd) || fail 'a VCD file that goes on over ranks'
  expect 0 resume waves --until 13000
  cmp whole.vcd wave.vcd || fail 'a VCD file that goes on without ranks'
fi
truncate -s 100 wave.vcd
"$program" resume waves --until 13000 >out 2>err && fail 'a VCD file that was cut off'
grep -q -e "--vcd: 'wave.vcd' has 100 bytes; the checkpoint was written when it had" err || fail "a VCD file that was cut off: $(cat err)"

# --- Killed again and again under `supervise`, the supervisor itself now and then; ranks are killed, and stand still
kill_under_supervise 6
if [[ -n ${ANACHRON_MPIEXEC:-} ]]; then
  kill_ranks 2
fi

# --- Told to end, `supervise` has ranks write a checkpoint first, though mpirun kills them a second after it was told to end
with_file_faults
is_gone() { ! kill -0 "$1" 2>/dev/null; }
if [[ -n ${ANACHRON_MPIEXEC:-} ]]; then
  "$program" supervise -- "$ANACHRON_MPIEXEC" --oversubscribe -n 2 env LD_PRELOAD="$PWD/file_faults.so" SYNC_SECONDS=0.4 \
    "$program" run phold --lps 1000 --until inf --workers 1 --quiet --checkpoint told --report report >out 2>err &
  supervisor=$!
  soon test -e told/lock || fail 'ranks that begin'
  kill -TERM $supervisor
  status=0
  wait $supervisor || status=$?
  [[ $status == 130 ]] || fail "supervise that was told to end: exit status $status instead of 130"
  [[ -e told/checkpoint-000001/manifest ]] || fail 'supervise that was told to end: its ranks have left no checkpoint'
  # Ranks that come to no checkpoint: a second signal ends them at once.
  "$program" supervise --grace 10min -- "$ANACHRON_MPIEXEC" --oversubscribe -n 2 env LD_PRELOAD="$PWD/file_faults.so" SYNC_SECONDS=1000 \
    "$program" run phold --lps 1000 --until inf --workers 1 --quiet --checkpoint slow --report report >out 2>err &
  supervisor=$!
  soon test -e slow/lock || fail 'ranks that begin'
  kill -TERM $supervisor
  soon test -e slow/unfinished || fail 'ranks that were told to end begin no checkpoint'
  sleep 0.5
  kill -TERM $supervisor
  soon is_gone $supervisor || fail 'supervise waits for ranks that come to no checkpoint'
  status=0
  wait $supervisor || status=$?
  [[ $status == 130 ]] || fail "supervise that was told to end twice: exit status $status instead of 130"
fi

# --- Killed before some of the calls that write a checkpoint
small=(phold --lps 300 --until 60 --quiet)
expect 0 run "${small[@]}" --sync sequential --report whole
digests whole >wanted
kill_at_each 13 "${small[@]}" --checkpoint-every 10 --sync sequential
kill_at_each 13 "${small[@]}" --checkpoint-every 10 --sync optimistic --workers 2

# --- A new folder is synced, and so is each one that was created for it
LD_PRELOAD=$PWD/file_faults.so SYNC_LOG=$PWD/synced "$program" run "${small[@]}" --checkpoint new/deep/run --checkpoint-every 50 >out 2>err ||
  fail 'a run into a new folder'
for place in "$PWD" "$PWD/new" "$PWD/new/deep" "$PWD/new/deep/run" "$PWD/new/deep/run/unfinished"; do
  grep -qx "$(realpath -m "$place")" synced || fail "$place is not synced"
done

# --- Damaged: `supervise` goes on from the one before, `resume` offers it, and what goes on from there writes newer ones
run_small=(run "${small[@]}" --sync sequential --checkpoint-every 10)
expect 0 "${run_small[@]}" --until 35 --checkpoint sound
newest=$(newest sound)
[[ $newest == sound/checkpoint-000003 ]] || fail "the newest is $newest"
cut_off() { truncate -s -9 "$1"; }
flip() { printf 'x' | dd of="$1" bs=1 seek=200 conv=notrunc status=none; }
for damage in 'cut_off rank-0' 'flip rank-0' 'cut_off manifest' 'rm rank-0'; do
  rm -rf damaged report
  cp -r sound damaged
  ${damage% *} "damaged/checkpoint-000003/${damage#* }"
  refused "checkpoint damaged/checkpoint-000003/${damage#* }: .*; the newest before it that can be read is damaged/checkpoint-000002" resume damaged
  refused "checkpoint damaged/checkpoint-000003/${damage#* }: .*; the newest before it that can be read is damaged/checkpoint-000002" \
    resume damaged/checkpoint-000003
  "$program" supervise -- "$program" "${run_small[@]}" --checkpoint damaged --report report >out 2>err || fail "supervise after $damage"
  grep -q "^supervise: checkpoint damaged/checkpoint-000003/${damage#* }: .*; the run goes on from the one before, damaged/checkpoint-000002" err ||
    fail "supervise after $damage does not say so"
  [[ $(wc -l <err) == 1 ]] || fail "supervise after $damage says more"
  same report "supervise after $damage"
  [[ $(newest damaged) == damaged/checkpoint-000006 ]] || fail "the newest after $damage is $(newest damaged)"
done
rm -rf damaged
cp -r sound damaged
cut_off damaged/checkpoint-000003/rank-0
expect 0 resume damaged/checkpoint-000002 --until 35
[[ $(echo damaged/checkpoint-*) == 'damaged/checkpoint-000002 damaged/checkpoint-000004' ]] || fail "$what leaves $(echo damaged/*)"
expect 0 resume damaged --until 60 --report report
same report 'a run that went back to an older checkpoint'
cut_off "$(newest damaged)/rank-0"
cut_off "$(printf '%s\n' damaged/checkpoint-* | head -1)/manifest"
refused 'checkpoint damaged/checkpoint-0+[0-9]+/rank-0: .*; there is none before it that can be read' resume damaged
refused 'checkpoint damaged/checkpoint-0+[0-9]+/rank-0: .*; there is none before it that can be read' \
  supervise -- "$program" "${run_small[@]}" --checkpoint damaged

# --- The layout of another machine: the file of a partition is for so many processing elements
expect 0 partition phold --lps 300 --parts 3 --partition random --out three.txt
rm -rf dealt
expect 0 "${run_small[@]}" --sync optimistic --workers 1 --pes 3 --partition ./three.txt --until 35 --checkpoint dealt
expect 0 resume dealt --until 45
expect 0 resume dealt --workers 2 --until 60 --report report
same report 'a run without its partition'

# --- What cannot be
refused 'a folder is missing: expected resume DIR' resume
refused '--resume nowhere: there is no checkpoint' resume nowhere
refused '--checkpoint dir: there are checkpoints of another run; go on' run "${model[@]}" --checkpoint dir
before=$(find dir sound | sort)
refused '--checkpoint sound: there are checkpoints of another run; go on' resume dir --checkpoint sound
refused '--checkpoint dir: there are checkpoints of another run; go on' "${run_small[@]}" --resume sound --checkpoint dir
[[ $(find dir sound | sort) == "$before" ]] || fail 'a run that was refused changes the checkpoints of another run'
refused '--checkpoint sound/checkpoint-000003: it is a checkpoint itself; name the folder that it is in' \
  "${run_small[@]}" --checkpoint sound/checkpoint-000003
cp -r sound/checkpoint-000003 unnamed
refused 'resume unnamed: this checkpoint has no name such as checkpoint-000001' resume unnamed
expect 0 resume unnamed --checkpoint renamed --until 60 --report report
same report 'a checkpoint with another name'
refused 'checkpoint sound/checkpoint-000003: it is of model phold, and the run is of model queueing' run queueing --resume sound
refused "--max-wall: '5' is not valid: expected a duration such as 30s, 10min or 2h" run phold --max-wall 5
refused '--checkpoint-every has no effect without --checkpoint DIR' run phold --checkpoint-every 5s
refused '--checkpoint-every in simulated time needs an end of the run: set --until' \
  run "${model[@]}" --checkpoint new --checkpoint-every 5
refused "--trace: '-' is not valid: expected a file with --checkpoint" run phold --checkpoint new --trace -
refused '--trace: dir/checkpoint-0+[0-9]+ was written by a run without --trace' resume dir --trace t.csv
refused 'checkpoint dir/checkpoint-0+[0-9]+: --seed was 1 and is 2 now' resume dir --seed 2
refused 'the command has no --checkpoint DIR' supervise -- ls
refused 'cannot start no-such-program' supervise -- no-such-program --checkpoint x
refused "--grace: 'soon' is not valid: expected a duration such as 30s, 10min or 2h" supervise --grace soon -- "$program" run --checkpoint x
for command in resume supervise; do
  for flag in --help -h; do
    expect 0 $command $flag
    has out "^Usage: anachron $command "
    is_empty err
  done
done
finish

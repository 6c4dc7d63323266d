#!/usr/bin/env bash
# Runs that are killed, interrupted, or out of time go on from their checkpoints, and end as if nothing had been. Also under
# `supervise`, and under mpirun with another number of ranks. With 1 as ANACHRON_TEST_LONG it kills a thousand times.
support=$(realpath "$(dirname "$0")/../support")
source "$support/program.bash"

model=(traffic --city 30x30 --vehicles 1500000 --quiet)
digests() { grep -E '"(digest|state_digest|committed)"' "$1" | head -3; }
expect 0 run "${model[@]}" --sync sequential --report whole
digests whole >wanted
same() { diff <(digests "$1") wanted >out || fail "$2: other results than those of a run without a break"; }

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

# --- Killed again and again under `supervise`, the supervisor itself now and then
kills=6
[[ ${ANACHRON_TEST_LONG:-} == 1 ]] && kills=1000
# With one worker a copy of the process writes.
command=("$program" run "${model[@]}" --sync optimistic --checkpoint killed --checkpoint-every 0.02s --report report --workers)
left=$kills
rounds=0
until [[ -e ended ]]; do
  setsid bash -c '"$@"; [[ $? == 0 ]] && touch ended' - "$program" supervise --tries 100000 -- "${command[@]}" $((left % 2 + 1)) 2>>err &
  supervisor=$!
  while kill -0 $supervisor 2>/dev/null; do
    sleep "0.$((RANDOM % 40 + 10))"
    ((left > 0)) || continue
    left=$((left - 1))
    if ((left % 4 == 0)); then
      pkill -KILL -s $supervisor || true
      break
    fi
    pkill -KILL -s $supervisor -f "^$program run " || true  # the supervisor starts it again
  done
  { wait $supervisor; } 2>/dev/null
  if ((left == 0)) && [[ ! -e ended ]] && ((++rounds > 50)); then
    fail 'supervise comes to no end'
    break
  fi
  # It was over before the last kill: once more from the beginning.
  if ((left > 0)) && [[ -e ended ]]; then
    same report 'supervise'
    rm -rf ended killed report
  fi
done
same report "supervise after $kills kills"

# --- Under mpirun: ranks that are killed, and ranks that stand still
if [[ -n ${ANACHRON_MPIEXEC:-} ]]; then
  left=2
  [[ ${ANACHRON_TEST_LONG:-} == 1 ]] && left=100
  rm -f report err
  "$program" supervise --tries 100 -- "$ANACHRON_MPIEXEC" --oversubscribe -n 3 "$program" run "${model[@]}" --workers 1 \
    --checkpoint ranks --checkpoint-every 0.1s --max-stall 1s --report report >out 2>err &
  supervisor=$!
  while kill -0 $supervisor 2>/dev/null && ((left > 0)); do
    sleep "1.$((RANDOM % 9))"
    mapfile -t ranks < <(pgrep -f "^$program run traffic .*--checkpoint ranks ")
    ((${#ranks[@]} == 3)) || continue
    ((left % 2 == 0)) && signal=STOP || signal=KILL
    kill -s $signal "${ranks[RANDOM % 3]}" 2>/dev/null && left=$((left - 1))
    [[ $signal == STOP ]] && sleep 4
  done
  wait $supervisor || fail 'supervise of ranks'
  same report 'ranks that were killed or stood still'
  grep -q 'started again' err || fail "no rank was missed: $(cat err)"
  grep -q 'ended, as --max-stall says' err || fail "nobody saw that a rank stands still: $(cat err)"
fi

# --- What cannot be
refused 'a folder is missing: expected resume DIR' resume
refused '--resume nowhere: there is no checkpoint' resume nowhere
refused '--checkpoint dir: there are checkpoints of another run; go on' run "${model[@]}" --checkpoint dir
refused "--max-wall: '5' is not valid: expected a duration such as 30s, 10min or 2h" run phold --max-wall 5
refused '--checkpoint-every has no effect without --checkpoint DIR' run phold --checkpoint-every 5s
refused '--checkpoint-every in simulated time needs an end of the run: set --until' \
  run "${model[@]}" --checkpoint new --checkpoint-every 5
refused "--trace: '-' is not valid: expected a file with --checkpoint" run phold --checkpoint new --trace -
refused '--trace: dir/checkpoint-0+[0-9]+ was written by a run without --trace' resume dir --trace t.csv
refused 'checkpoint dir/checkpoint-0+[0-9]+: --seed was 1 and is 2 now' resume dir --seed 2
refused 'the command has no --checkpoint DIR' supervise -- ls
refused 'cannot start no-such-program' supervise -- no-such-program --checkpoint x
newest=$(printf '%s\n' dir/checkpoint-* | tail -1)
cp -r "$newest" dir/checkpoint-999998
cp -r "$newest" dir/checkpoint-999999
truncate -s -9 dir/checkpoint-999999/rank-0
refused 'checkpoint dir/checkpoint-999999/rank-0: it is .*; the newest before it that can be read is dir/checkpoint-999998' resume dir
finish

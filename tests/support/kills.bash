# For scripts that kill runs and look whether they go on from their checkpoints; to be sourced after program.bash.
model=(traffic --city 30x30 --vehicles 1500000 --quiet)
digests() { grep -E '"(digest|state_digest|committed)"' "$1" | head -3; }
# same REPORT WHAT: it has the results in ./wanted, which are those of a run without a break.
same() { diff <(digests "$1") wanted >out || fail "$2: other results than those of a run without a break"; }
# The newest checkpoint of a folder.
newest() { printf '%s\n' "$1"/checkpoint-* | tail -1; }
# soon COMMAND...: waits until it succeeds, 90 s at most. That is longer than the longest pause of `supervise`.
soon() {
  local tries
  for ((tries = 0; tries < 4500; tries++)); do
    "$@" && return
    sleep 0.02
  done
  false
}

# with_file_faults: makes ./file_faults.so, to be preloaded (tests/support/preloaded/file_faults.cpp says what it does).
with_file_faults() {
  c++ -std=c++17 -O1 -shared -fPIC "$support/preloaded/file_faults.cpp" -o file_faults.so -ldl || fail 'file_faults.cpp does not compile'
}

# kill_at_each STEP ARGUMENT...: runs the program again and again. It kills the first run before its first call that writes,
# syncs, renames or removes a file, the next one STEP calls later, until a run survives. The run and what goes on from its
# checkpoints have the results in ./wanted.
kill_at_each() {
  local step=$1 at status=137 with_checkpoint=0
  shift
  for ((at = 1; status == 137; at += step)); do
    rm -rf steps report
    status=0
    { KILL_AT=$at LD_PRELOAD=$PWD/file_faults.so "$program" run "$@" --checkpoint steps --report report >out 2>err; } 2>/dev/null || status=$?
    case $status in
      0) same report "a run that call $at does not kill" ;;
      137)
        if compgen -G 'steps/checkpoint-*/manifest' >/dev/null; then
          with_checkpoint=$((with_checkpoint + 1))
          expect 0 resume steps --report report
        else
          expect 0 run "$@" --checkpoint steps --report report
        fi
        same report "killed at call $at of $*"
        ;;
      *) fail "killed at call $at: exit status $status" ;;
    esac
  done
  ((with_checkpoint > 2)) || fail "only $with_checkpoint runs were killed that had a checkpoint"
}

# kill_under_supervise KILLS: so many kills of a run under `supervise`, every fourth one of the supervisor, too.
kill_under_supervise() {
  local left=$1 rounds=0 seen supervisor
  # With one worker a copy of the process writes.
  local command=("$program" run "${model[@]}" --sync optimistic --checkpoint killed --checkpoint-every 0.02s --report report --workers)
  is_over() { ! kill -0 "$supervisor" 2>/dev/null; }
  is_running() { is_over || pgrep -s "$supervisor" -f "^$program run " >/dev/null; }
  is_to_kill() { is_over || [[ $(newest killed) != "$seen" ]]; }
  rm -rf ended killed report
  until [[ -e ended ]]; do
    setsid bash -c '"$@"; [[ $? == 0 ]] && touch ended' - "$program" supervise --tries 100000 -- "${command[@]}" $((left % 2 + 1)) 2>>err &
    supervisor=$!
    while ((left > 0)) && ! is_over; do
      soon is_running || { fail 'supervise starts no run'; pkill -KILL -s $supervisor; break 2; }
      # Most kills come after a new checkpoint, others whenever it may be. Without one, `supervise` pauses longer and longer.
      seen=$(newest killed)
      if ((left % 5)); then
        soon is_to_kill || { fail 'a run writes no checkpoint'; pkill -KILL -s $supervisor; break 2; }
      fi
      sleep "0.$((RANDOM % 10))$((RANDOM % 10))"
      if ((left % 4)); then
        pkill -KILL -s $supervisor -f "^$program run " && left=$((left - 1))  # the supervisor starts it again
      elif pgrep -s $supervisor -f "^$program run " >/dev/null && pkill -KILL -s $supervisor; then
        left=$((left - 1))
        break
      fi
    done
    { wait $supervisor; } 2>/dev/null
    if ((left == 0)) && [[ ! -e ended ]] && ((++rounds > 5)); then
      fail 'supervise comes to no end'
      break
    fi
    # The run was over before the last kill: once more from the beginning.
    if ((left > 0)) && [[ -e ended ]]; then
      same report 'supervise'
      rm -rf ended killed report
    fi
  done
  same report "supervise after $1 kills"
}

# kill_ranks KILLS: so many times, in turn, a rank under `supervise` stands still or is killed.
kill_ranks() {
  local left=$1 misses=0 signal supervisor ranks
  rm -rf ranks err
  while ((left > 0 && misses < 100)); do
    rm -rf ranks report
    "$program" supervise --tries 100 -- "$ANACHRON_MPIEXEC" --oversubscribe -n 3 "$program" run "${model[@]}" --workers 1 \
      --checkpoint ranks --checkpoint-every 0.1s --max-stall 1s --report report >out 2>>err &
    supervisor=$!
    while ((left > 0 && misses < 100)) && kill -0 $supervisor 2>/dev/null; do
      sleep "1.$((RANDOM % 9))"
      misses=$((misses + 1))
      mapfile -t ranks < <(pgrep -f "^$program run traffic .*--checkpoint ranks ")
      ((${#ranks[@]} == 3)) || continue
      ((left % 2 == 0)) && signal=STOP || signal=KILL
      kill -s $signal "${ranks[RANDOM % 3]}" 2>/dev/null || continue
      left=$((left - 1)) misses=0
      [[ $signal == STOP ]] && sleep 4
    done
    wait $supervisor || fail 'supervise of ranks'
    same report 'ranks that were killed or stood still'
  done
  ((left == 0)) || fail "$left kills found no ranks"
  grep -q 'started again' err || fail "no rank was missed: $(cat err)"
  grep -q 'ended, as --max-stall says' err || fail "nobody saw that a rank stands still: $(cat err)"
}

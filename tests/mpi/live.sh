#!/usr/bin/env bash
# Usage: live.sh [PROGRAM]
# The live view of a run over ranks: rank 0 serves it, a pause of rank 0 holds all, and all end together.
support=$(cd "$(dirname "${BASH_SOURCE[0]}")/../support" && pwd)
source "$support/program.bash" "$@"
source "$support/mpi.bash"

# start ARGUMENT...: two ranks in the background. The port and the token of their live view are in `port` and `token`.
start() {
  what="2 ranks of anachron run $*"
  rm -f err
  timeout -k 10 120 "$ANACHRON_MPIEXEC" -n 2 "$program" run "$@" >out 2>err </dev/null &
  run=$!
  local tries url
  for tries in {1..200}; do
    url=$(sed -n 's/^live view: http:..127\.0\.0\.1://p' err 2>/dev/null)
    port=${url%%/*} token=${url##*token=}
    [[ $url ]] && return
    sleep 0.1
  done
  fail "$what: no address after $tries tries"
}
# post ACTION
post() {
  local answer
  exec 3<>"/dev/tcp/127.0.0.1/$port" || return
  printf 'POST /%s?token=%s HTTP/1.1\r\nHost: localhost\r\n\r\n' "$1" "$token" >&3
  read -r answer <&3
  exec 3>&-
  [[ $answer == 'HTTP/1.1 200 '* ]] || fail "$what: $1: '$answer'"
}
# now: the newest line about the run.
now() {
  exec 3<>"/dev/tcp/127.0.0.1/$port" || return
  printf 'GET /events?token=%s HTTP/1.1\r\nHost: localhost\r\n\r\n' "$token" >&3
  timeout 1 cat <&3 | sed -n 's/^data: {/{/p' | tail -n 1
  exec 3>&-
}
figure() { sed -E "s/.*\"$1\":([^,]*),.*/\1/"; }  # NAME, of a line of JSON
# ended STATUS
ended() {
  local status=0
  wait "$run" || status=$?
  [[ $1 == any && $status != 0 && $status != 124 && $status != 137 ]] || [[ $status == "$1" ]] ||
    fail "$what: exit status $status instead of $1"
}

phold=(phold --lps 600 --remote 0.5)
"$program" run "${phold[@]}" --until 800 --sync sequential --quiet --report alone.json
for comm in inline thread; do
  start "${phold[@]}" --until 800 --workers 1 --comm "$comm" --quiet --report together.json --live
  [[ $(grep -c '^live view' err) == 1 ]] || fail "$what: not one address"
  post pause
  sleep 1
  first=$(now)
  second=$(now)
  [[ $first == *'"paused":true'* ]] || fail "$what: it is not paused, or has ended before: $first"
  [[ $(figure gvt <<<"$first") == "$(figure gvt <<<"$second")" ]] || fail "$what: GVT goes on in a pause"
  [[ $second != *long_event* ]] || fail "$what: a pause is taken for a handler that does not return"
  post resume
  ended 0
  [[ $(grep '^  "digest"' together.json) == "$(grep '^  "digest"' alone.json)" ]] || fail "$what: another digest"
done

# Ended while it is paused, and stopped.
start "${phold[@]}" --until inf --workers 1 --report ended.json --live
post pause
sleep 0.5
post end
ended 130
grep -q INTERRUPTED out || fail "$what: the report does not say how it has ended"
[[ -s ended.json ]] || fail "$what: no report"
start "${phold[@]}" --until inf --workers 1 --report none.json --live
sleep 0.5
post stop
ended any
grep -q 'ended without a report' err || fail "$what: it does not say so"
[[ ! -e none.json ]] || fail "$what: a report"
finish

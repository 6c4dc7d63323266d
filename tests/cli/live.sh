#!/usr/bin/env bash
# Usage: live.sh [PROGRAM]
# A browser shows a run while it goes on, and its buttons pause it, let it go on, and end it.
folder_of_script=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$folder_of_script/../support/program.bash" "$@"

refused "--live: 'x' is not valid: expected PORT, ADDRESS:PORT or \[ADDRESS\]:PORT" run phold --live x
refused "--live: 'evil.example:80' is not valid" run phold --live evil.example:80
refused "--live: cannot listen at port 8080 of 192.0.2.1: .* \(valid: an address of this machine" run phold --live 192.0.2.1:8080
refused '--live shows one run: leave it out with --replications' run phold --live --replications 2
printf 'until = 5\nlive = "nowhere"\n' >wrong.toml
refused 'wrong.toml:2: --live: .nowhere. is not valid' run phold --config wrong.toml

# Its address is all that is said.
expect 0 run phold --lps 64 --until 10 --live --quiet
is_empty out
has err '^live view: http://127\.0\.0\.1:[0-9]+/\?token=[0-9a-f]{32}$'
[[ $(wc -l <err) == 1 ]] || fail "$what: more than its address on stderr"
printf 'until = 10\nlive = true\n' >live.toml
expect 0 run phold --lps 64 --config live.toml --quiet
has err '^live view: http://127'
if grep -q ' lo$' /proc/net/if_inet6 2>/dev/null; then
  expect 0 run phold --lps 64 --until 10 --live '[::1]:0' --quiet
  has err '^live view: http://\[::1\]:[0-9]+/'
fi

# start ARGUMENT...: a run in the background, which a browser is to end. Its address is in `url`.
start() {
  what="anachron run $*"
  rm -f err
  "$program" run "$@" >out 2>err </dev/null &
  run=$!
  url=
  local tries
  for tries in {1..100}; do
    url=$(sed -n 's/^live view: //p' err 2>/dev/null)
    [[ $url ]] && return
    sleep 0.1
  done
  fail "$what: no address after $tries tries"
}
# ended STATUS
ended() {
  local status=0 tries
  for tries in {1..100}; do
    kill -0 "$run" 2>/dev/null || break
    sleep 0.1
  done
  kill -KILL "$run" 2>/dev/null && fail "$what: it goes on after $tries tries"
  wait "$run" || status=$?
  [[ $status == "$1" ]] || fail "$what: exit status $status instead of $1"
}

endless=(phold --lps 256 --until inf)
# The port is taken, and is told.
start "${endless[@]}" --sync sequential --live
port=${url#http://127.0.0.1:} port=${port%%/*}
"$program" run phold --until 1 --live "$port" >/dev/null 2>second && fail "$what: two runs at one port"
grep -q "^anachron: --live: cannot listen at port $port of 127.0.0.1: Address already in use" second ||
  fail "$what: $(cat second)"
kill -TERM "$run"
ended 130

browser=
for name in chromium-headless-shell chromium google-chrome chrome; do
  command -v "$name" >/dev/null && browser=$name && break
done
if [[ ! $browser ]] || ! command -v python3 >/dev/null; then
  ((failures)) && finish
  echo 'skipped the rest: no Chromium or no Python'
  exit 77
fi
# seen WIDTH ACTION...
seen() { timeout 120 python3 "$folder_of_script/live.py" "$browser" "$url" "$@" 2>log || fail "$what, $1 wide: $(cat log)"; }
shots=${ANACHRON_SHOTS-.}  # a folder to keep the pictures in

start "${endless[@]}" --workers 2 --sync optimistic --mapping fixed --quiet --report report.json --live
seen 1200 expect Running. wait 1 charts moves yes open shot "$shots/live.png" \
  press pause expect Paused. name pause 'Go on' wait 0.5 moves no press pause expect Running. name pause Pause moves yes \
  click end expect 'The run is over: interrupted.'
ended 130
grep -q '"digest"' report.json || fail "$what: no report"

start "${endless[@]}" --sync sequential --report none.json --live
seen 360 expect Running. wait 1 charts click pause expect Paused. wait 0.5 moves no shot "$shots/phone.png" \
  press stop name stop 'Really stop?' press stop expect 'The run is over: stopped without a report.'
ended 130
[[ ! -e none.json ]] || fail "$what: a report"
grep -q 'ended without a report' err || fail "$what: it does not say so"

start phold --lps 256 --until 100 --workers 2 --live  # it is over before a browser comes, or while one looks
ended 0
grep -q '^digest' out || fail "$what: no report"
finish

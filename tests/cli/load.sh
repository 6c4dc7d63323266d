#!/usr/bin/env bash
# Usage: load.sh [PROGRAM]
# `anachron load`: it computes, on and off, ends when it is told to, and tells what it used.
source "$(dirname "${BASH_SOURCE[0]}")/../support/program.bash" "$@"

# Ends by itself.
expect 0 load --threads 2 --for 0.3
has out '^load +2 threads, all the time$'
has out '^thread 0 +[0-9.]+ s CPU, [0-9.]+% of a core, on [0-9.]+% of the time$'
has out '^thread 1 '

# Ends when it is told to, in each phase.
for arguments in '' '--threads 3 --period 100' '--period 60000000' '--period 1 --threads 2' '--io --period 2000'; do
  for signal in INT TERM; do
    what="anachron load $arguments, SIG$signal"
    status=0
    # shellcheck disable=SC2086
    timeout --preserve-status -k 30 -s "$signal" 0.4 "$program" load $arguments --report load.json >out 2>err \
      </dev/null || status=$?
    [[ $status == 0 ]] || fail "$what: exit status $status instead of 0"
    has err '^stopping, again to kill$'
    grep -q '"schema": "anachron-load/1"' load.json || fail "$what: no report"
    rm -f load.json
  done
done
[[ $(ls -A) == $'err\nout' ]] || fail "leaves files: $(ls -A)"

# What it says that it used is what the system says; on and off it uses less.
if command -v python3 >/dev/null; then
  TMPDIR=$folder python3 - "$program" <<'PYTHON' >out 2>err || fail 'figures'
import json, resource, subprocess, sys

def load(*arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.argv[1], "load", *arguments, "--report", "-"], check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    report = json.loads(done.stdout)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert abs(sum(report["cpu_s"]) - used) < 0.1 + 0.1 * used, (report, used)
    assert len(report["cpu_s"]) == len(report["on_s"]) == len(report["periods"]) == report["threads"]
    assert all(0 <= cpu <= report["wall_s"] for cpu in report["cpu_s"]), report
    return report

always = load("--for", "0.5")
assert 0 < always["on_s"][0] <= always["wall_s"] and always["period_us"] is None, always
for io in ([], ["--io"]):
    now_and_then = load("--for", "1", "--period", "20000", *io)
    # Each period has its 20 ms of computing; what is off is at least as long.
    assert now_and_then["cpu_s"][0] < 0.65 * now_and_then["wall_s"], now_and_then
    assert now_and_then["cpu_s"][0] > 0.019 * (now_and_then["periods"][0] - 1), now_and_then
    assert now_and_then["periods"][0] >= 1, now_and_then
PYTHON
fi

expect 0 load --help
has out '^Usage: anachron load \[options\]$'
for option in threads period io for report; do has out "^  --$option "; done
refused "--threads: '0' is not valid: expected a number from 1 to 10000" load --threads 0
refused "--threads: 'two' is not valid: expected a whole number" load --threads two
refused "--period: '0' is not valid: expected microseconds from 1 to 3600000000" load --period 0
refused "--period: '-5' is negative" load --period -5
refused "--for: '0' is not valid: expected a number of seconds > 0" load --for 0
refused "--for: 'nan' is not valid" load --for nan
refused '--io needs --period' load --io
refused "--period: the value is missing: expected --period US" load --period
refused "unknown option '--perod'; did you mean '--period'\?" load --perod 3
refused "unexpected argument 'phold'" load phold
refused "--report: cannot write '/none/load.json': No such file or directory" load --report /none/load.json
TMPDIR=/none expect 1 load --io --period 10 --for 5
has err '^anachron: '

finish

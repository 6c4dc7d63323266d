#!/usr/bin/env bash
# Usage: load.sh [PROGRAM]
# `anachron load`: it works, on and off, or in turn with a process, ends when it is told to, and tells what it used and did.
source "$(dirname "${BASH_SOURCE[0]}")/../support/program.bash" "$@"

# Ends by itself.
expect 0 load --threads 2 --for 0.3
has out '^load +2 threads, all the time$'
has out '^thread 0 +[0-9.]+ s CPU, [0-9.]+% of a core, on [0-9.]+% of the time$'
has out '^thread 1 '
has out '^work +[0-9.]+ [kMGT]? ?multiplications/s$'
for kind in stream communicate io; do
  expect 0 load --kind $kind --threads 2 --for 0.2
  has out "^load +2 threads, all the time, $kind$"
done

# Ends when it is told to, in each phase.
for arguments in '' '--threads 3 --period 100' '--period 60000000' '--period 1 --threads 2' '--io --period 2000' \
  '--kind stream' '--kind communicate --threads 3' '--kind communicate --threads 2 --period 100' '--kind io --period 10'; do
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
    assert len(report["cpu_s"]) == len(report["on_s"]) == len(report["periods"]) == len(report["work"]) == report["threads"]
    assert all(work > 0 for work in report["work"]), report
    assert abs(report["work_per_s"] * report["wall_s"] - sum(report["work"])) < 1e-6 * sum(report["work"]), report
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

units = {"compute": "multiplications", "stream": "bytes", "communicate": "messages", "io": "writes"}
for kind, unit in units.items():
    report = load("--kind", kind, "--threads", "2", "--for", "0.3")
    assert report["kind"] == kind and report["unit"] == unit and report["gang"] is None, report
    assert (report["memory"] is not None) == (kind == "stream"), report
PYTHON

  # In turn with a process: it computes in its turns only, and goes on whatever becomes of the load.
  cat >gang.py <<'PYTHON'
import json, os, signal, subprocess, sys, time

def state(process):
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        return file.read().rsplit(")", 1)[1].split()[0]

def wait_for(holds, process):
    while not holds(state(process)):
        time.sleep(0.001)

def gang(*arguments):
    return subprocess.Popen([sys.argv[1], "load", "--gang", str(process.pid), *arguments, "--report", "-"], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

def used(process):
    with open(f"/proc/{process.pid}/schedstat", encoding="ascii") as file:
        return int(file.read().split()[0]) / 1e9

is_stopped, is_running = lambda state: state == "T", lambda state: state != "T"
process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
try:
    load = gang("--slice", "0.05", "--threads", "2")
    for _ in range(3):
        wait_for(is_stopped, process)
        wait_for(is_running, process)
    wait_for(is_stopped, process)
    load.send_signal(signal.SIGTERM)
    report = json.loads(load.communicate()[0])
    wait_for(is_running, process)
    turns = report["gang"]
    assert load.returncode == 0 and turns["pid"] == process.pid and turns["slice_s"] == 0.05, report
    assert turns["turns"] >= 8 and turns["ended_s"] is None, report
    assert 0.5 * report["wall_s"] < turns["gang_s"] + turns["load_s"] <= report["wall_s"], report
    assert all(0 < cpu <= 1.1 * turns["load_s"] + 0.05 for cpu in report["cpu_s"]), report

    before, began = used(process), time.monotonic()
    load = gang("--slice", "0.02", "--for", "1")
    turns = json.loads(load.communicate()[0])["gang"]
    assert turns["load_s"] > 0.1, turns
    assert used(process) - before < time.monotonic() - began - 0.9 * turns["load_s"], "it ran in the load's turns"

    for number in signal.SIGKILL, signal.SIGINT:
        load = gang("--slice", "0.02")
        wait_for(is_stopped, process)
        load.send_signal(number)
        load.communicate()
        wait_for(is_running, process)
        time.sleep(0.05)
        assert state(process) != "T", "it is stopped for ever"

    load = gang("--slice", "0.01")
    wait_for(is_stopped, process)
    process.kill()
    process.wait()
    time.sleep(1)
    load.send_signal(signal.SIGINT)
    report = json.loads(load.communicate()[0])
    assert 0 < report["gang"]["ended_s"] < report["wall_s"], report
    assert report["on_s"][0] > 0.05, report  # it went on alone
    refused = subprocess.run([sys.argv[1], "load", "--gang", str(process.pid)], capture_output=True, text=True)
    assert refused.returncode == 2 and "expected a process that runs: No such process" in refused.stderr, refused
finally:
    process.kill()
    process.wait()
PYTHON
  python3 gang.py "$program" >out 2>err || fail 'gang'
fi

expect 0 load --help
has out '^Usage: anachron load \[options\]$'
for option in kind threads memory period io gang slice for report; do has out "^  --$option "; done
refused "--threads: '0' is not valid: expected a number from 1 to 10000" load --threads 0
refused "--threads: 'two' is not valid: expected a whole number" load --threads two
refused "--period: '0' is not valid: expected microseconds from 1 to 3600000000" load --period 0
refused "--period: '-5' is negative" load --period -5
refused "--for: '0' is not valid: expected a number of seconds > 0" load --for 0
refused "--for: 'nan' is not valid" load --for nan
refused '--io needs --period' load --io
refused "--kind: 'steam' is not valid: expected one of compute, stream, communicate, io; did you mean 'stream'" load --kind steam
refused '--kind communicate needs --threads 2 or more' load --kind communicate
refused '--memory needs --kind stream' load --memory 1GiB
refused "--memory: '1' is not valid: expected a size from 1MiB to 16TiB" load --kind stream --memory 1
refused "--memory: 'much' is not valid: expected a size" load --kind stream --memory much
refused '--slice needs --gang' load --slice 1
refused "--slice: '0' is not valid: expected a number of seconds from 0.001 to 3600" load --gang 1 --slice 0
refused "--gang: '0' is not valid: expected the number of a process" load --gang 0
refused "--gang: '-1' is not valid: expected the number of a process" load --gang -1
refused "--gang: '2000000000' is not valid: expected a process that runs: " load --gang 2000000000
refused "--period: the value is missing: expected --period US" load --period
refused "unknown option '--perod'; did you mean '--period'\?" load --perod 3
refused "unexpected argument 'phold'" load phold
refused "--report: cannot write '/none/load.json': No such file or directory" load --report /none/load.json
TMPDIR=/none expect 1 load --io --period 10 --for 5
has err '^anachron: '

finish

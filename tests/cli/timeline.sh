#!/usr/bin/env bash
# Usage: timeline.sh [PROGRAM]
# A timeline is what Perfetto's own definitions say, and has what the report has. A flight record is written when a signal comes.
support=$(cd "$(dirname "${BASH_SOURCE[0]}")/../support" && pwd)
source "$support/program.bash" "$@"

model=(phold --lps 200 --events-per-lp 5 --remote 0.4 --throttle none --workers 2 --mapping fixed --sync optimistic)
expect 0 run "${model[@]}" --quiet --until 100 --timeline run.pftrace --report run.json
[[ -s run.pftrace ]] || fail "$what: no timeline"
refused "--timeline: 'x.csv' is not valid: expected a file name that ends in .pftrace" run "${model[@]}" --until 1 --timeline x.csv
refused "--timeline: .*none/x.pftrace" run "${model[@]}" --until 1 --timeline none/x.pftrace

# --- As JSON: what opens ends, and it has what the report has
expect 0 run "${model[@]}" --quiet --until 100 --timeline chrome.json --report chrome_run.json
if command -v python3 >/dev/null; then
  python3 - <<'END' || fail "the timeline as JSON is not what the report is"
import collections, json
events, report = json.load(open("chrome.json")), json.load(open("chrome_run.json"))
names = {e["tid"]: e["args"]["name"] for e in events if e.get("name") == "thread_name"}
depth, last, sums = collections.Counter(), {}, collections.Counter()
for event in events:
    tid = event["tid"]
    if event["ph"] in "BE":
        depth[tid] += 1 if event["ph"] == "B" else -1
        assert depth[tid] in (0, 1) and event["ts"] >= last.get(tid, 0), event
        last[tid] = event["ts"]
    if event["ph"] == "B":
        for note, value in event.get("args", {}).items():
            if names[tid].startswith("PE") and not isinstance(value, str):
                sums[note] += value
        sums[event["name"]] += names[tid].startswith("PE")
assert not any(depth.values())
assert sums["events"] == report["executed"], sums
assert sums["events undone"] == report["rolled_back"] and sums["rollback"] == report["rollbacks"] > 0, sums
assert {e["id"] for e in events if e["ph"] == "s"} >= {e["id"] for e in events if e["ph"] == "f"} > set()
assert {"GVT", "memory", "efficiency"} <= {e["name"] for e in events if e["ph"] == "C"}
END
fi

export TMPDIR=$PWD/temporary
mkdir -p "$TMPDIR"
# asked SIGNAL STATUS OPTION...: a long run gets the signal.
asked() {
  local signal=$1 status=$2 run
  shift 2
  what="SIG$signal"
  "$program" run "${model[@]}" --until 1e9 "$@" >out 2>err &
  run=$!
  sleep 1.5
  kill "-$signal" "$run"
  for _ in {1..100}; do
    grep -q 'what the workers did last' err && break
    sleep 0.1
  done
  if [[ $status == 0 ]]; then
    kill -0 "$run" || fail "$what: the run has ended"
    kill -KILL "$run"
  fi
  wait "$run" 2>/dev/null
  local was=$?
  [[ $status == 0 || $was == "$status" ]] || fail "$what: exit status $was"
}
asked USR2 0 --flight-record asked.pftrace
has err 'anachron: a signal: what the workers did last is in .*asked.pftrace, for ui.perfetto.dev'
[[ -s asked.pftrace ]] || fail 'no flight record where it was wanted'
asked ABRT 134
last=("$TMPDIR"/anachron-*.pftrace)
[[ -s ${last[0]} ]] || fail 'no flight record of a run that was aborted'

python=$support/../../build/python-tests/bin/python
read_timeline() { "$python" -B "$support/read_timeline.py" "$@" >timeline.json; }
if [[ ! -x $python ]] || ! read_timeline run.pftrace; then
  ((failures)) && finish
  echo 'skipped the rest: no definitions of Perfetto'
  exit 77
fi
"$python" - <<'END' || fail "the timeline is not what the report is"
import json
timeline, report = json.load(open("timeline.json")), json.load(open("run.json"))
assert not timeline["errors"], timeline["errors"]
assert timeline["processes"] == ["anachron"]
for kind in "worker", "PE":
    of = lambda what, where: sum(n for name, n in timeline[where].items() if name.startswith(kind) and name.endswith(": " + what))
    assert of("events", "sums") == report["executed"], kind
    assert of("events undone", "sums") == report["rolled_back"], kind
    assert of("rollback", "slices") == report["rollbacks"] > 0, kind
assert timeline["counters"]["efficiency"] > 0
END
for record in asked.pftrace "${last[0]}"; do
  read_timeline "$record" || fail "$record cannot be read"
  grep -q '"errors": \[\]' timeline.json || fail "$record: $(grep -A3 errors timeline.json)"
  grep -q '"PE 1: batch"' timeline.json || fail "$record: no batches"
done
finish

#!/usr/bin/env bash
# The example `workshops` against theory. Urgent jobs do not feel the others: for them each workshop is an M/M/c queue of
# a Jackson network. All jobs together are one, too, because the work that is left of a job is exponential again whoever is
# served (J. R. Jackson, "Jobshop-like queueing systems", Management Science 10, 1963).
set -euo pipefail
program=${ANACHRON_BIN:?}/example_workshops
digest() { "$program" "$@" --quiet --report - | grep '"digest"'; }
expected=$(digest --sync sequential)
for mode in "--sync conservative --workers 2" "--sync optimistic --workers 2" \
  "--sync optimistic --workers 2 --cancellation lazy --queue splay" "--sync sequential --check-rollback" \
  "--sync optimistic --workers 2 --check-rollback"; do
  # shellcheck disable=SC2086
  if [[ $(digest $mode) != "$expected" ]]; then
    echo "another digest with $mode"
    exit 1
  fi
done

while read -r machines arrivals urgent onward; do
  "$program" --workshops 8 --machines "$machines" --arrivals "$arrivals" --urgent "$urgent" --onward "$onward" \
    --until 2000 --warm-up 200 --replications 20 --confidence 0.99 --quiet --report - | python3 -c '
import json, math, sys
machines, arrivals, urgent, onward = int(sys.argv[1]), *map(float, sys.argv[2:])
def mmc(load, c):
    """Mean number of jobs."""
    wait = load**c / math.factorial(c) * c / (c - load)
    idle = 1 / (sum(load**k / math.factorial(k) for k in range(c)) + wait)
    return load + wait * idle * load / (c - load)
estimates = json.load(sys.stdin)["estimates"]
load = arrivals / (1 - onward)
for name, expected in (("jobs", mmc(load, machines)), ("urgent", mmc(urgent * load, machines))):
    mean, half_width = (estimates[name + ".mean"][field] for field in ("mean", "half_width"))
    print(f"{machines} machines, load {load:.2f}: {name} {mean:.4f} +- {half_width:.4f}, expected {expected:.4f}")
    if not (abs(mean - expected) <= half_width < 0.15 * expected):
        sys.exit(1)
' "$machines" "$arrivals" "$urgent" "$onward"
done <<'END'
1 0.6 0.5 0
2 0.75 0.4 0.5
3 0.5 0.3 0.8
END

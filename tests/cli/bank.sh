#!/usr/bin/env bash
# The example `bank` against theory: the share of customers who leave is that of the birth and death process
# M/M/c+M (C. Palm 1957; A. Mandelbaum and S. Zeltyn, "Service engineering in action: the Palm/Erlang-A queue", 2007).
set -euo pipefail
program=${ANACHRON_BIN:?}/example_bank
status=0
while read -r tellers arrivals patience; do
  for mode in "--sync sequential" "--sync optimistic --workers 2"; do
    # shellcheck disable=SC2086
    "$program" --tellers "$tellers" --arrivals "$arrivals" --patience "$patience" $mode --quiet --report - |
      python3 -c '
import json, math, sys
tellers, arrivals, patience = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
report = json.load(sys.stdin)
arrived, left = (report["model"][name] for name in ("arrived", "left"))
share, weight, total, leaving = 0.0, 1.0, 0.0, 0.0
for n in range(1000):
    total += weight
    leaving += weight * max(n - tellers, 0) / patience
    weight *= arrivals / (min(n + 1, tellers) + max(n + 1 - tellers, 0) / patience)
expected = leaving / total / arrivals
deviation = 2 * math.sqrt(expected * (1 - expected) / arrived)  # twice: neighbours are correlated
print(f"{tellers} tellers, {arrivals} a minute, patience {patience}: {left / arrived:.4f} leave, expected {expected:.4f}")
sys.exit(abs(left / arrived - expected) > 4 * deviation)
' "$tellers" "$arrivals" "$patience" || status=1
  done
done <<'END'
2 2 2
3 4 0.5
1 0.7 10
END
exit $status

#!/usr/bin/env bash
# The example `lifts` against lifts.py, in every mode and whatever is first at equal times.
set -euo pipefail
program=${ANACHRON_BIN:?}/example_lifts
folder=$(dirname "${BASH_SOURCE[0]}")
while read -r buildings floors passengers seconds; do
  reference=$(python3 -B "$folder/lifts.py" "$buildings" "$floors" "$passengers" "$seconds")
  digests=()
  for mode in "--sync sequential" "--sync sequential --check-rollback" "--sync conservative --workers 2" \
    "--sync optimistic --workers 2" "--sync optimistic --workers 2 --check-rollback" \
    "--sync optimistic --workers 2 --pes 4 --queue heap --cancellation lazy" "--sync sequential --tie-seed 2" \
    "--sync sequential --tie-seed 3"; do
    # shellcheck disable=SC2086
    report=$("$program" --buildings "$buildings" --floors "$floors" --passengers "$passengers" --seconds "$seconds" \
      $mode --quiet --report -)
    python3 -c '
import json, math, sys
reference, report = (json.loads(text) for text in sys.argv[1:])
same = report["end_time"] == reference["end_time"]
for name in "wait", "trip":
    for field, value in reference[name].items():
        same &= math.isclose(report["model"][name][field], value, rel_tol=1e-12)
if not same or report["notes"]:
    sys.exit(f"{report}\nexpected {reference}")
' "$reference" "$report" || { echo "with $mode" && exit 1; }
    [[ $mode == *tie-seed* ]] || digests+=("$(grep '"digest"' <<<"$report")")
  done
  echo "$buildings buildings: $reference"
  [[ $(printf '%s\n' "${digests[@]}" | sort -u | wc -l) == 1 ]]
done <<'END'
20 12 5000 2
1 6 300 9
7 30 3000 1
END

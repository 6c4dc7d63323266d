#!/usr/bin/env bash
# bench/papers/rows.csv, the record of what the five papers have: see rows_test.py.
set -euo pipefail
if ! command -v python3 >/dev/null; then
  echo "skipped: python3 not found"
  exit 77
fi
exec python3 -B "$(dirname "${BASH_SOURCE[0]}")/rows_test.py" "$@"

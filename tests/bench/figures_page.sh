#!/usr/bin/env bash
# bench/figures_page.py: see figures_page_test.py.
set -euo pipefail
if ! command -v python3 >/dev/null; then
  echo "skipped: python3 not found"
  exit 77
fi
exec python3 -B "$(dirname "${BASH_SOURCE[0]}")/figures_page_test.py" "$@"

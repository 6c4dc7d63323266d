#!/usr/bin/env bash
# Are README.md and docs/ true? See check_docs.py.
set -euo pipefail
if ! command -v python3 >/dev/null; then
  echo "skipped: python3 not found"
  exit 77
fi
exec python3 -B "$(dirname "${BASH_SOURCE[0]}")/check_docs.py" "$@"

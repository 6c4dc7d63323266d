#!/usr/bin/env bash
# What the recipes in packaging/ name exists: see recipes_test.py.
set -euo pipefail
if ! command -v python3 >/dev/null; then
  echo "skipped: python3 not found"
  exit 77
fi
exec python3 -B "$(dirname "${BASH_SOURCE[0]}")/recipes_test.py" "$@"

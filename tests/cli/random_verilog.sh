#!/usr/bin/env bash
# Usage: random_verilog.sh [PROGRAM]
# Random small netlists have the value changes that Icarus Verilog gives them: 20 of them, 300 when long tests are wanted.
if ! command -v iverilog >/dev/null || ! command -v vvp >/dev/null; then
  echo 'skipped: iverilog is not installed'
  exit 77
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../support/program.bash" "$@"
count=20
[[ ${ANACHRON_TEST_LONG-} == 1 ]] && count=300
python3 -B "$here/random_verilog.py" "$program" --count "$count" || fail "random netlists differ"
finish

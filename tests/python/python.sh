#!/usr/bin/env bash
# The tests of the Python package, with the library of this build. `./do test` makes an environment with what they need,
# in build/python-tests; without it any python3 that has it will do.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=${ANACHRON_SOURCE:-$here/../..}
library=${ANACHRON_BIN:?}/../lib/_anachron.so
python=$source/build/python-tests/bin/python
[[ -x $python ]] || python=python3
if [[ ! -f $library ]]; then
  echo "skipped: this build is without ANACHRON_PYTHON"
  exit 77
fi
if ! "$python" -c 'import numba, numpy, pandas, pytest, scipy' 2>/dev/null; then
  echo "skipped: numba, numpy, pandas, pytest or scipy is missing"
  exit 77
fi
export ANACHRON_LIBRARY=$library PYTHONPATH=$source/python PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg
exec "$python" -m pytest -q -p no:cacheprovider "$here"

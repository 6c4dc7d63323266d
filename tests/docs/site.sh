#!/usr/bin/env bash
# The site of the documentation builds without a warning.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdocs=$root/build/python-tests/bin/mkdocs
if [[ ! -x $mkdocs ]]; then
  echo 'skipped: no MkDocs'
  exit 77
fi
"$root/tools/site/build" "$mkdocs" && [[ -s $root/build/site/docs/coming-from/simpy.html ]] && echo 'all passed'

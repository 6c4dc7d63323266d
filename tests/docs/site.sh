#!/usr/bin/env bash
# The site of the documentation builds without a warning.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdocs=$root/build/python-tests/bin/mkdocs
if [[ ! -x $mkdocs ]] || ! command -v doxygen >/dev/null; then
  echo 'skipped: no MkDocs, or no Doxygen'
  exit 77
fi
"$root/tools/site/build" "$mkdocs" || exit 1
site=$root/build/site/docs/reference
# A handler's way to send, and a field of the state, are there with what their comments say.
grep -q 'id="Context-send"' "$site/cpp/model.html" && grep -q 'to be handled <code>delay</code> from now' "$site/cpp/model.html" &&
  grep -q 'id="anachron.Context.send"' "$site/py/model.html" && [[ -s $root/build/site/docs/coming-from/simpy.html ]] && echo 'all passed'

#!/usr/bin/env bash
# What `./do wheel` builds can be configured, and all of it is there to be built: the library twice, with the options of
# pyproject.toml. To build it takes minutes, which no test does.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=${ANACHRON_SOURCE:-$here/../..}
command -v ninja >/dev/null || { echo "skipped: ninja is missing"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

defined=$(sed -n '/^\[tool\.scikit-build\.cmake\.define\]/,/^$/ s/^\([A-Z_]*\) = "\([^"]*\)".*/-D\1=\2/p' "$source/pyproject.toml")
[[ $defined == *-DANACHRON_WHEEL=ON* ]] || { echo "pyproject.toml: no ANACHRON_WHEEL in: $defined"; exit 1; }
mapfile -t options <<<"$defined"
cmake -S "$source" -B "$folder" -G Ninja "${options[@]}" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
commands=$(ninja -C "$folder" -t commands anachron_python)
libraries=(_anachron.so)
[[ $(uname -m) != x86_64 ]] || libraries+=(_anachron_v3.so)
for library in "${libraries[@]}"; do
  [[ $commands == *" -o "*"$library "* ]] || { echo "nothing makes $library"; exit 1; }
done

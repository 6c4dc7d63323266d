#!/usr/bin/env bash
# What `./do wheel --all` makes can be configured, and all of it is there to be built: from the source archive, the library twice, with
# the options of pyproject.toml. To build it takes minutes: see long_wheels.sh.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "${ANACHRON_SOURCE:-$here/../..}" && pwd)
command -v ninja >/dev/null || { echo "skipped: ninja is missing"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The source archive, as pip makes it. Without scikit-build-core the rest is tested with this tree.
tree=$source
python=$source/build/python-tests/bin/python
if [[ -x $python ]] && "$python" -c 'import scikit_build_core' 2>/dev/null; then
  (cd "$source" && "$python" -B -c "from scikit_build_core.build import build_sdist; build_sdist('$folder')")
  tree=$folder/sources
  mkdir "$tree"
  tar -xf "$folder"/anachron-*.tar.gz -C "$tree" --strip-components 1
  for unwanted in tests bench docs/images build shared; do
    [[ ! -e $tree/$unwanted ]] || { echo "the source archive has $unwanted"; exit 1; }
  done
  size=$(stat -c %s "$folder"/anachron-*.tar.gz)
  ((size < 6 * 1024 * 1024)) || { echo "the source archive has $size bytes"; exit 1; }
else
  echo "build/python-tests has no scikit-build-core: no source archive is made"
fi

defined=$(sed -n '/^\[tool\.scikit-build\.cmake\.define\]/,/^$/ s/^\([A-Z_]*\) = "\([^"]*\)".*/-D\1=\2/p' "$tree/pyproject.toml")
[[ $defined == *-DANACHRON_WHEEL=ON* ]] || { echo "pyproject.toml: no ANACHRON_WHEEL in: $defined"; exit 1; }
mapfile -t options <<<"$defined"
cmake -S "$tree" -B "$folder/build" -G Ninja "${options[@]}" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
commands=$(ninja -C "$folder/build" -t commands anachron_python)
libraries=(_anachron.so)
[[ $(uname -m) != x86_64 ]] || libraries+=(_anachron_v3.so)
for library in "${libraries[@]}"; do
  [[ $commands == *" -o "*"$library "* ]] || { echo "nothing makes $library"; exit 1; }
done
[[ $commands != *"-isystem /usr/include"* ]] || { echo "headers come from /usr/include"; exit 1; }

# refuses TEXT COMMAND...
refuses() {
  local said
  if said=$("${@:2}" 2>&1) || [[ ${said//$'\n'/ } != *"$1"* ]]; then
    echo "'${*:2}' does not say '$1', but: $said"
    exit 1
  fi
}
refuses "ANACHRON_ZIG is '/none', where there is no file" cmake -DANACHRON_ZIG=/none -P "$tree/cmake/Zig.cmake"
refuses "ANACHRON_ZIG_TARGET is 'riscv64-linux-gnu.2.28'; valid" \
  cmake -DANACHRON_ZIG="$tree/do" -DANACHRON_ZIG_TARGET=riscv64-linux-gnu.2.28 -P "$tree/cmake/Zig.cmake"
refuses "wheel: '--al' is unknown; valid are --all and nothing" "$source/do" wheel --al

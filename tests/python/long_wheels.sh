#!/usr/bin/env bash
# Makes wheels and source archive (`./do wheel --all`), and installs and runs them: on Python 3.10 to 3.14 as far as these are here or
# among Debian's packages, with the oldest NumPy, pandas and Numba that pyproject.toml allows and with the newest. The wheel for
# aarch64 runs under qemu. Results are those of the library of this build, which another compiler has made.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "${ANACHRON_SOURCE:-$here/../..}" && pwd)
[[ ${ANACHRON_TEST_LONG-} == 1 ]] || { echo "skipped: takes half an hour of a core; ./do test-long runs it"; exit 77; }
library=${ANACHRON_BIN:?}/../lib/_anachron.so
[[ -f $library ]] || { echo "skipped: this build is without ANACHRON_PYTHON"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PYTHONDONTWRITEBYTECODE=1 PYTHONNOUSERSITE=1
unset PYTHONPATH ANACHRON_LIBRARY
failed=0
fail() {
  echo "FAILED: $*"
  failed=1
}
get=(--quiet --disable-pip-version-check --only-binary=:all:)

if [[ ${ANACHRON_WHEELS-} ]]; then  # a folder with what was made before
  dist=$ANACHRON_WHEELS
else
  "$source/do" wheel --all
  dist=$source/dist
fi
version=$(sed -n 's/.*kVersion[^"]*"\([^"]*\)".*/\1/p' "$source/include/anachron/base/version.hpp")
wheel_of() { echo "$dist/anachron-$version-py3-none-manylinux_2_28_$1.whl"; }
"$source/tools/check_wheel" "$(wheel_of x86_64)" "$(wheel_of aarch64)" || fail "a wheel has faults"

python=$source/build/python-tests/bin/python
"$python" -c 'import numba' 2>/dev/null || { echo "skipped: build/python-tests has no Numba"; exit 77; }
PYTHONPATH=$source/python ANACHRON_LIBRARY=$library "$python" "$here/installed.py" >"$folder/expected"

# same NAME LINES COMMAND...: the command prints as many lines of what is expected.
same() {
  local name=$1 lines=$2 start=$SECONDS
  if ! "${@:3}" >"$folder/got" 2>"$folder/errors"; then
    fail "$name: $(tail -n 5 "$folder/errors")"
  elif ! diff <(head -n "$lines" "$folder/expected") "$folder/got"; then
    fail "$name: other results"
  else
    echo "$name: as expected ($(tail -n 1 "$folder/errors")), $((SECONDS - start)) s"
  fi
}
all=$(wc -l <"$folder/expected")
interpreted=$((all - 1))  # all but the last line, of the model that Numba compiles

# python_of VERSION: one that is here.
python_of() {
  local found
  for found in "$(command -v "python$1")" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$1".*/bin/python; do
    if [[ -x $found ]] && "$found" -c "import sys, venv; sys.exit('%d.%d' % sys.version_info[:2] != '$1')" 2>/dev/null; then
      echo "$found"
      return
    fi
  done
  return 1
}

# install FOLDER PYTHON_VERSION ARCHITECTURE PACKAGE...: for a Python without pip.
install() {
  local platform=()
  for glibc in 2014 _2_17 _2_24 _2_26 _2_27 _2_28; do
    platform+=(--platform "manylinux${glibc}_$3")
  done
  "$python" -m pip install "${get[@]}" --target "$1" --python-version "$2" "${platform[@]}" "${@:4}"
}

machine=$(uname -m)
own=$(wheel_of "$machine")
for minor in 3.10 3.11 3.12 3.13 3.14; do
  if found=$(python_of "$minor"); then
    "$found" -m venv "$folder/$minor"
    run=("$folder/$minor/bin/python")
    install_more() { "${run[@]}" -m pip install "${get[@]}" "$@"; }
  elif "$here/debian_python" amd64 forky "$minor" "$folder/debian-$minor"; then
    run=(env PYTHONPATH="$folder/$minor" "$folder/debian-$minor/python")
    install_more() { install "$folder/$minor" "$minor" "$machine" --upgrade "$@"; }
  else
    echo "Python $minor: none here"
    continue
  fi
  install_more "$own" || { fail "Python $minor: the wheel cannot be installed"; continue; }
  same "Python $minor without Numba" "$interpreted" "${run[@]}" "$here/installed.py"
  if [[ $minor == 3.10 ]]; then
    mapfile -t oldest < <(sed -n 's/^\(dependencies\|models\) = //p' "$source/pyproject.toml" | grep -o '"[^"]*"' |
      sed 's/"//g; s/>=/==/; s/==[0-9]*$/&.0/; s/==[0-9]*\.[0-9]*$/&.0/')
    install_more "${oldest[@]}" || { fail "Python $minor: no ${oldest[*]}"; continue; }
    same "Python $minor with ${oldest[*]}" "$all" "${run[@]}" "$here/installed.py"
  fi
  install_more --upgrade "$own[models]" numpy pandas numba || { fail "Python $minor: no Numba"; continue; }
  same "Python $minor with the newest Numba" "$all" "${run[@]}" "$here/installed.py"
  rm -rf "${folder:?}/$minor"
done

# The library for older processors is in the wheel, too.
if [[ $machine == x86_64 ]]; then
  "$python" -m zipfile -e "$own" "$folder/unpacked"
  same "for older processors" "$all" env PYTHONPATH="$folder/unpacked" \
    ANACHRON_LIBRARY="$folder/unpacked/anachron/_anachron.so" "$python" "$here/installed.py"
fi

if [[ $machine != aarch64 ]] && "$here/debian_python" arm64 bookworm 3.11 "$folder/arm"; then
  install "$folder/aarch64" 3.11 aarch64 "$(wheel_of aarch64)" || fail "aarch64: the wheel cannot be installed"
  same "aarch64 under qemu" "$interpreted" env PYTHONPATH="$folder/aarch64" "$folder/arm/python" "$here/installed.py"
fi

# The source archive builds with this system's compiler.
if "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps -w "$folder/made" "$dist/anachron-$version.tar.gz"; then
  "$python" -m zipfile -e "$folder/made"/*.whl "$folder/from-sources"
  same "from the source archive" "$all" env PYTHONPATH="$folder/from-sources" "$python" "$here/installed.py"
else
  fail "the source archive does not build"
fi
exit "$failed"

#!/usr/bin/env bash
# The recipes in packaging/ build, as far as this machine can show it: the steps of the container's first stage and the script and
# tests of the recipe for conda-forge, each in a folder of its own, and cmake with Spack's arguments. No container is made, and neither
# rattler-build nor Spack is run. recipes.py reads the recipes.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "${ANACHRON_SOURCE:-$here/../..}" && pwd)
export ANACHRON_SOURCE=$source
[[ ${ANACHRON_TEST_LONG-} == 1 ]] || { echo "skipped: takes 20 minutes of two cores; ./do test-long runs it"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PYTHONDONTWRITEBYTECODE=1 PYTHONNOUSERSITE=1
unset PYTHONPATH ANACHRON_LIBRARY
expected=$("${ANACHRON_BIN:?}/anachron" run phold --lps 64 --until 5 --quiet --report - | grep -o '"digest": *"[^"]*"')
failed=0 tried=0
fail() {
  echo "FAILED: $*"
  failed=1
}

# steps NAME SCRIPT: runs them, and tells the end of what they say when they fail.
steps() {
  local start=$SECONDS
  tried=$((tried + 1))
  if bash -euo pipefail -c "$2" >"$folder/log" 2>&1; then
    echo "$1: $((SECONDS - start)) s"
  else
    fail "$1: $(tail -n 20 "$folder/log")"
    return 1
  fi
}

# Spack: all variants and none. cmake tells of arguments that it does not use.
for variants in on off; do
  mapfile -t arguments < <(python3 "$here/recipes.py" spack "$variants")
  ((${#arguments[@]} > 0)) || fail "spack: no arguments"
  if steps "spack, all variants $variants: cmake" "cmake -G Ninja -S '$source' -B '$folder/spack-$variants' ${arguments[*]}"; then
    ! grep -A 5 'not used by the project' "$folder/log" || fail "spack: an argument that there is not"
  fi
done

# The container: what it builds runs, also on two ranks, and needs no library that the second stage does not install.
if command -v mpicc >/dev/null && [[ -e /usr/include/metis.h && -e /usr/include/hwloc.h ]]; then
  if steps container "$(python3 "$here/recipes.py" container "$folder/container")"; then
    program=$folder/container/bin/anachron
    [[ $("$program" run phold --lps 64 --until 5 --quiet --report - | grep -o '"digest": *"[^"]*"') == "$expected" ]] ||
      fail "container: another digest"
    steps "container, two ranks" "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
      mpirun -n 2 --oversubscribe '$program' run traffic --city 12x12 --workers 1" || true
    if grep -q 'VERSION_ID="12"' /etc/os-release && command -v dpkg-query >/dev/null; then
      installed=" $(PYTHONPATH=$here python3 -c 'import recipes; print(*recipes.packages_of(recipes.stages()[1]))') "
      while read -r library; do
        package=$(dpkg-query -S "$(readlink -f "$library")" "$library" 2>/dev/null | head -n 1 | cut -d: -f1 || true)
        case $package in
          libc6 | libgcc-s1 | libstdc++6 | libopenmpi3 | '') ;;  # in every Debian, or of openmpi-bin
          *) [[ $installed == *" $package "* ]] || fail "container: the second stage does not install $package" ;;
        esac
      done < <(objdump -p "$program" | sed -n 's/^ *NEEDED *//p' | while read -r name; do ldconfig -p | sed -n "s|.*\b$name .*=> ||p" | head -n 1; done)
    fi
  fi
else
  echo "container: not tried without MPI, METIS and hwloc"
fi

# conda-forge: with the packages of the tests of the Python package.
python=$source/build/python-tests/bin/python
if [[ -x $python ]] && "$python" -c 'import scikit_build_core, yaml' 2>/dev/null && [[ -e /usr/include/hwloc.h ]]; then
  if steps conda-forge "$("$python" "$here/recipes.py" conda "$folder/conda")"; then
    digest=$(PYTHONPATH=$(echo "$folder"/conda/lib/python*/site-packages) "$python" -c "import anachron; print(anachron.run('phold', lps=64, until=5).digest)")
    [[ $expected == *"\"$digest\""* ]] || fail "conda-forge: the digest is $digest, and not $expected"
  fi
else
  echo "conda-forge: not tried without build/python-tests and hwloc"
fi
((tried > 0)) || { echo "skipped: nothing could be tried"; exit 77; }
exit "$failed"

#!/usr/bin/env bash
# Sets up, builds, runs and tests Anachron. Needs nothing but bash: see ./do help.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
build=$root/build
export CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-$(nproc)}

usage() {
  cat <<'END'
Usage: ./do VERB [ARGUMENT...]
  run                    simulate the traffic of a generated city on all cores
  run [OPTION...]        the same, with options: ./do run --city 128x128 --report report.json
  run MODEL [OPTION...]  run another model: ./do run phold --lps 10k --until 100
  run-cluster [OPTION...]
                         the same on two ranks of a worker each, with Open MPI: ./do run-cluster --city 128x128
  build                  build everything that needs no further packages
  test                   build and run the tests, also under sanitizers
  test-long              build and run the tests, the long ones too
  wheel [--all]          build the Python package for this kind of processor: dist/anachron-*.whl, for every Python from 3.10 on
                         and every Linux with glibc 2.28; with --all for x86-64 and aarch64, and the source archive
  bench [ARGUMENT...]    build the benchmarks and run the suite: ./do bench --repetitions 3 --only w1,w2
  validate [OPTION...]   compare what the models find with theory and published results: ./do validate --only pcs,queueing
  reproduce PAPER [OPTION...]
                         repeat the experiments of a paper: ./do reproduce muse --only figure_9 --quick
  reproduce list         name the papers, their figures and what they found
  docs                   build the site of the documentation: build/site/index.html
  format                 format the sources
  clean                  remove what was built
  help                   print this
Missing packages are installed first, on Debian and Ubuntu. Built programs are in build/release/bin.
END
}

to_run=(g++ cmake ninja-build libfmt-dev libcli11-dev libtomlplusplus-dev nlohmann-json3-dev libhwloc-dev libprotozero-dev libzstd-dev)
to_run_on_clusters=(openmpi-bin libopenmpi-dev)
to_test=(libgtest-dev librapidcheck-dev librandom123-dev libmetis-dev python3)
# Clang 19 compiles tests under sanitizers in half the time that GCC 12 takes; where it cannot be had that is used.
to_sanitize=(clang-19 libclang-rt-19-dev)
to_format=clang-format-19
to_document=(doxygen)
mkdocs=("mkdocs-material==9.*" "mkdocstrings[python]==1.*")
to_look=chromium-headless-shell  # at pages
to_bench=(libbenchmark-dev)

say() { printf '%s\n' "$*" >&2; }
fail() {
  say "./do: $*"
  exit 1
}

# quietly LOG COMMAND...: shows what COMMAND says only when it fails.
quietly() {
  (cd "$root" && "${@:2}") >"$1" 2>&1 </dev/null || {
    cat "$1" >&2
    return 1
  }
}

# need PACKAGE...: installs those that are missing.
need() {
  local missing=() package tool
  if ! command -v apt-get >/dev/null; then
    for tool in c++ cmake ninja; do
      command -v "$tool" >/dev/null ||
        fail "this is neither Debian nor Ubuntu: please install what these packages contain there: $*"
    done
    return 0  # CMake names a library that is missing
  fi
  for package; do
    [[ $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) == *" installed" ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  local as_root=()
  if ((EUID)); then
    command -v sudo >/dev/null || fail "please run as root: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  mkdir -p "$build"
  quietly "$build/packages.log" "${as_root[@]}" bash -c '
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q && apt-get -o DPkg::Lock::Timeout=300 install -qy --no-install-recommends "$@"' \
    bash "${missing[@]}" || fail "could not install ${missing[*]}"
}

need_for_tests() {
  need "${to_run[@]}" "${to_run_on_clusters[@]}" "${to_test[@]}"
  local tools
  # Not every system has them; without the first three their checks are skipped.
  for tools in "$to_format" "$to_look" "${to_document[*]}" "${to_sanitize[*]}"; do
    if apt-cache show $tools >/dev/null 2>&1; then
      need $tools
    fi
  done
}

# Bytes of source files that are compiled as one (CONTRIBUTING.md). Half the time for all, more for a change in one.
together=${ANACHRON_TOGETHER-100000}

# configure PRESET [CMAKE_OPTION...]
configure() {
  mkdir -p "$build"
  quietly "$build/$1.log" cmake --preset "$@" -DANACHRON_TOGETHER="$together"
}

# compile PRESET [OPTION...]
compile() {
  say "building $1"
  if [[ -t 2 ]]; then
    (cd "$root" && cmake --build --preset "$@") >&2
  else
    quietly "$build/$1.log" cmake --build --preset "$@" -- --quiet
  fi
}

run() {
  need "${to_run[@]}"
  configure release
  compile release --target app_anachron
  [[ ${1--} == -* ]] && set -- traffic "$@"
  exec "$build/release/bin/anachron" run "$@"
}

# As containers and machines with few cores need it: Open MPI refuses to be started by root, and to start more ranks
# than there are cores, and binds each rank to one core whatever its workers. The second half is for Open MPI 5.
run_cluster() {
  need "${to_run[@]}" "${to_run_on_clusters[@]}"
  configure release -DANACHRON_MPI=ON
  compile release --target app_anachron
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
  export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none
  exec mpirun -n 2 "$build/release/bin/anachron" run traffic --workers 1 "$@"
}

# What the tests of the Python package need: about 1 GB, a minute. It comes while others are compiled: whoever runs tests
# calls wait_for_python first. Without it they are skipped.
python_comes=
need_python_for_tests() {
  need python3-venv
  tools_of python-tests scikit-build-core numpy numba pandas scipy matplotlib pytest mypy "pyright[nodejs]" nbclient ipykernel joblib \
    "dask[distributed]" tqdm xarray pyarrow SALib optuna mpi4py "simpy==4.1.2" perfetto "${mkdocs[@]}" &
  python_comes=$!
  trap wait_for_python EXIT  # nothing goes on when this script has ended
}
wait_for_python() {
  [[ $python_comes ]] || return 0
  wait "$python_comes" || say "could not install what the tests of the Python package need: they are skipped"
  python_comes=
  trap - EXIT
}

# failures CTEST_LOG: of each failed test the first lines, then the summary.
failures() {
  awk 'BEGIN { shown = 1 }
       /^ *Start +[0-9]+: / { next }
       /^ *[0-9]+\/[0-9]+ Test / { lines = 0; shown = !/ Passed |\*\*\*Skipped/ }
       /^[0-9]+% tests passed/ { lines = 0; shown = 1 }
       shown && (lines++ < 40 || /^\t/)' "$1"
}

passed=0 failed=0 skipped=0
start_with=()  # what tests are started with

# check PRESET TEST_PRESET [CMAKE_OPTION...]: builds, runs the tests and adds to the counts. Fails if it does not build.
check() {
  local preset=$1 tests=$2 log=$build/$1/ctest.log result=$build/$1/ctest.xml start=$SECONDS status=0
  if ! { configure "$preset" -DANACHRON_TESTS=ON "${@:3}" && compile "$preset"; }; then
    say "$preset: does not build"
    failed=$((failed + 1))
    return 1
  fi
  wait_for_python
  say "testing $preset"
  rm -f "$result"
  (cd "$root" && "${start_with[@]}" ctest --preset "$tests" --output-junit "$result") >"$log" 2>&1 </dev/null ||
    status=$?

  local suite total=0 bad=0 left_out=0
  suite=$(tr '\n\t' '  ' <"$result" 2>/dev/null | grep -o '<testsuite [^>]*>') || true
  [[ $suite =~ \ tests=\"([0-9]+)\" ]] && total=${BASH_REMATCH[1]}
  [[ $suite =~ \ failures=\"([0-9]+)\" ]] && bad=${BASH_REMATCH[1]}
  [[ $suite =~ \ skipped=\"([0-9]+)\" ]] && left_out=${BASH_REMATCH[1]}
  ((status && !bad)) && bad=1 total=$((total + 1))  # ctest itself failed
  if ((bad)); then
    failures "$log"
    say "all of it: $log"
  elif ((left_out)); then
    sed -n '/^The following tests did not run/,/^$/p' "$log"
  fi
  passed=$((passed + total - bad - left_out)) failed=$((failed + bad)) skipped=$((skipped + left_out))
  say "$preset: $((total - bad - left_out)) passed, $bad failed, $left_out skipped, $((SECONDS - start)) s"
}

# can_sanitize: sets `fixed_addresses`. GCC 12's sanitizers cannot live with the address space layout of newer kernels unless
# it is fixed.
can_sanitize() {
  local bits
  bits=$(cat /proc/sys/vm/mmap_rnd_bits 2>/dev/null || echo 0)
  fixed_addresses=(setarch "$(uname -m)" -R)
  "${fixed_addresses[@]}" true 2>/dev/null && return
  fixed_addresses=()
  ((bits <= 28)) && return
  say "sanitizers skipped: they need setarch -R, which is not allowed here, or sysctl vm.mmap_rnd_bits=28"
  skipped=$((skipped + 2))
  return 1
}

# Tests of single parts run under sanitizers, where that can be. Random models, and what starts whole programs, run in the
# release, too.
test_once() {
  local parts=ON
  can_sanitize && parts=OFF
  check release once -DANACHRON_TEST_PARTS=$parts || return
  [[ $parts == OFF ]] || return
  start_with=("${fixed_addresses[@]}")
  local compiler=()
  if command -v clang++-19 >/dev/null; then
    compiler=(-DCMAKE_CXX_COMPILER=clang++-19)
  fi
  check asan asan "${compiler[@]}" && check tsan tsan "${compiler[@]}"
}

summary() {
  echo "$passed passed, $failed failed$( ((skipped)) && echo ", $skipped skipped")"
  ((failed == 0))
}

# tools_of FOLDER PACKAGE...: packages of Python, in an environment of their own that is made once.
tools_of() {
  local folder=$build/$1
  [[ -f $folder/complete && $(<"$folder/complete") == "${*:2}" ]] && return
  say "installing ${*:2} from PyPI"
  rm -rf "$folder"
  mkdir -p "$build"
  quietly "$folder.log" bash -c 'python3 -m venv "$0" && "$0/bin/pip" install -q "$@"' "$folder" "${@:2}" || return
  echo "${*:2}" >"$folder/complete"
}

docs() {
  need python3 python3-venv "${to_document[@]}"
  tools_of docs-tools "${mkdocs[@]}" || fail "could not install what builds the site"
  "$root/tools/site/build" "$build/docs-tools/bin/mkdocs"
  say "build/site/index.html is the site"
}

zstd_package=zstandard==0.23.0  # its source archive has zstd as one file
wheel_glibc=2.28  # of RHEL 8, Debian 10 and Ubuntu 18.10

# zstd_sources: what a wheel compresses checkpoints with, in build/zstd/zstd.
zstd_sources() {
  [[ -e $build/zstd/zstd/zstd.c ]] && return
  rm -rf "$build/zstd"
  mkdir -p "$build/zstd"
  quietly "$build/wheel.log" "$build/wheel-tools/bin/pip" download -q --no-deps --no-binary :all: -d "$build/zstd" "$zstd_package" || return
  tar -xzf "$build/zstd"/zstandard-*.tar.gz -C "$build/zstd" --strip-components=1
}

# wheel_for ARCHITECTURE: makes it in build/wheel-made, with a C library and a C++ library that are not this system's.
wheel_for() {
  local bin=$build/wheel-tools/bin zig option define=()
  zig=$("$bin/python" -c 'import ziglang, os; print(os.path.dirname(ziglang.__file__) + "/zig")')
  for option in "CMAKE_TOOLCHAIN_FILE=$root/cmake/Zig.cmake" "ANACHRON_ZIG=$zig" "ANACHRON_ZIG_TARGET=$1-linux-gnu.$wheel_glibc" \
    "ANACHRON_ZSTD_SOURCES=$build/zstd/zstd"; do
    define+=("-Ccmake.define.$option")
  done
  say "building the wheel for $1"
  quietly "$build/wheel.log" env ZIG_GLOBAL_CACHE_DIR="$build/zig-cache" ZIG_LOCAL_CACHE_DIR="$build/zig-cache" \
    "$bin/python" -m build --wheel -o "$build/wheel-made" "-Cbuild-dir=build/wheel-$1" "${define[@]}" .
  quietly "$build/wheel.log" "$bin/python" -m wheel tags --remove --platform-tag "manylinux_${wheel_glibc/./_}_$1" \
    "$build"/wheel-made/*-linux_*.whl
}

wheel() {
  local architectures=("$(uname -m)") with_sources=
  case "$*" in
    "") ;;
    --all) architectures=(x86_64 aarch64) with_sources=1 ;;
    *) fail "wheel: '$*' is unknown; valid are --all and nothing" ;;
  esac
  need "${to_run[@]}" binutils python3 python3-venv
  tools_of wheel-tools build wheel ziglang==0.16.0 || fail "could not install what builds wheels"
  zstd_sources || fail "could not get the sources of zstd"
  rm -rf "$build/wheel-made"
  local architecture
  for architecture in "${architectures[@]}"; do
    case $architecture in
      x86_64 | aarch64) wheel_for "$architecture" ;;
      *) fail "wheels are for x86_64 and aarch64, not for $architecture: pip install . builds the package here" ;;
    esac
  done
  "$root/tools/check_wheel" --glibc "$wheel_glibc" "$build"/wheel-made/*.whl
  if [[ $with_sources ]]; then
    quietly "$build/wheel.log" "$build/wheel-tools/bin/python" -m build --sdist -o "$build/wheel-made" .
  fi
  mkdir -p "$root/dist"
  mv "$build"/wheel-made/* "$root/dist"
  ls -l "$root/dist"
}

bench() {
  need "${to_run[@]}" "${to_bench[@]}"
  configure release -DANACHRON_BENCH=ON
  compile release
  local data=()
  [[ -d $root/../shared/data/tntp ]] && data=(--data "$root/../shared/data")
  exec "$build/release/bin/bench_suite" "${data[@]}" "$@"
}

validate() {
  need "${to_run[@]}" python3
  local data=() arguments=" $* "
  # compares MODEL: whether validations of it are run.
  compares() { [[ $arguments != *" --list "* && ($arguments != *" --only "* || $arguments == *$1*) ]]; }
  if compares logic; then
    need iverilog
  fi
  if compares traffic && [[ $arguments != *" --uxsim"[\ =]* ]]; then
    need python3-venv
    if tools_of uxsim uxsim==1.15.1; then  # 460 MB
      data+=(--uxsim "$build/uxsim/bin/python")
    else
      say "could not install UXsim: comparisons with it are skipped"
    fi
  fi
  configure release
  compile release --target app_anachron
  [[ -d $root/../shared/data/tntp ]] && data+=(--data "$root/../shared/data")
  exec python3 -B "$root/bench/validate.py" "$build/release/bin/anachron" "${data[@]}" "$@"
}

# build_counted: valgrind, which counts, does not know all instructions of new processors. Then it gets a build for older ones.
build_counted() {
  rm -f "$build/counted/bin/anachron"  # of another version, perhaps
  valgrind --tool=none -q "$build/release/bin/anachron" run phold --lps 64 --until 2 --sync optimistic --workers 2 --quiet \
    >/dev/null 2>&1 && return
  quietly "$build/counted.log" cmake --preset release -B "$build/counted" -DANACHRON_NATIVE=OFF -DANACHRON_TOGETHER="$together"
  say "building what counts instructions"
  quietly "$build/counted.log" cmake --build "$build/counted" --target app_anachron -- --quiet
}

reproduce() {
  case ${1-} in
    list | page)  # these run nothing
      need python3
      exec python3 -B "$root/bench/reproduce.py" - "$@"
      ;;
  esac
  need "${to_run[@]}" "${to_run_on_clusters[@]}" "${to_bench[@]}" libmetis-dev libjemalloc-dev libmimalloc-dev iproute2 valgrind python3
  configure release -DANACHRON_MPI=ON -DANACHRON_METIS=ON -DANACHRON_BENCH=ON
  compile release --target app_anachron bench_transport bench_match_tables example_time_warp
  if [[ " $* " =~ \ (muse|air|all)\  ]]; then
    build_counted
  fi
  exec python3 -B "$root/bench/reproduce.py" "$build/release/bin/anachron" "$@"
}

verb=${1-help}
(($#)) && shift
case $verb in
  run) run "$@" ;;
  run-cluster) run_cluster "$@" ;;
  build)
    need "${to_run[@]}"
    configure release
    compile release
    ;;
  test)
    need_for_tests
    need_python_for_tests
    test_once || true
    summary
    ;;
  test-long)
    need_for_tests
    need_python_for_tests
    need binutils qemu-user-static  # which runs the wheel for aarch64
    together=0  # each file alone: one that forgets an include is found
    check release long || true
    summary
    ;;
  docs) docs ;;
  wheel) wheel "$@" ;;
  bench) bench "$@" ;;
  validate) validate "$@" ;;
  reproduce) reproduce "$@" ;;
  reproduce-*) fail "$verb is now: ./do reproduce PAPER (./do reproduce list names them)" ;;
  format)
    need "$to_format"
    "$root/tools/check_format" --fix
    ;;
  clean) rm -rf "$build" ;;
  help | -h | --help) usage ;;
  *)
    usage >&2
    fail "unknown verb '$verb'"
    ;;
esac

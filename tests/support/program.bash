# For scripts that test the `anachron` program; to be sourced with the script's arguments: [PROGRAM]. They go on in a
# folder of their own, which is removed in the end, and end with `finish`.
set -uo pipefail
program=${1:-${ANACHRON_BIN:?}/anachron}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit

failures=0
fail() {
  echo "FAILED: $*"
  local stream
  for stream in out err; do
    [[ ! -e $stream ]] || sed "s/^/  $stream: /" "$stream" | head -20
  done
  failures=$((failures + 1))
}

# expect STATUS ARGUMENT...: runs the program; its output is in ./out and ./err.
expect() {
  local wanted=$1 status=0
  shift
  what="anachron $*"
  "$program" "$@" >out 2>err </dev/null || status=$?
  [[ $status == "$wanted" ]] || fail "$what: exit status $status instead of $wanted"
}
has() { grep -qE -- "$2" "$1" || fail "$what: no '$2' in std$1"; }
is_empty() { [[ ! -s $1 ]] || fail "$what: std$1 is not empty"; }
# refused MESSAGE ARGUMENT...: bad input, told on one line of stderr, and nothing else happens.
refused() {
  local message=$1
  shift
  expect 2 "$@"
  is_empty out
  has err "^anachron: $message"
}

finish() {
  ((failures == 0)) && echo 'all passed'
}

#!/usr/bin/env bash
# A checkpoint that is kept in the repository goes on, whatever compiler and machine have built the program. Where its format
# is to change, `kFormat` counts up, and kept_checkpoint.sh --make PROGRAM FOLDER writes the one to keep.
support=$(realpath "$(dirname "$0")/../support")
kept=$(realpath "$(dirname "$0")")/kept_checkpoint
if [[ ${1-} == --make ]]; then
  exec "$2" run pcs --grid 4x4 --until 40 --quiet --sync sequential --checkpoint "$3" --checkpoint-every 20
fi
source "$support/program.bash"
source "$support/kills.bash"

expect 0 run pcs --grid 4x4 --until 40 --quiet --sync sequential --report whole
digests whole >wanted
cp -r "$kept" dir
"$program" resume dir >out 2>err
if grep -q 'this program was built without' err; then
  echo 'skipped: this build has no zstd'
  exit 77
fi
for layout in '--sync sequential' '--sync optimistic --workers 2'; do
  rm -rf dir
  cp -r "$kept" dir
  expect 0 resume dir $layout --report report
  same report "resume of the kept checkpoint, $layout"
done
finish

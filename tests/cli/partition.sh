#!/usr/bin/env bash
# Usage: partition.sh [PROGRAM]
# `anachron partition` and what it writes, as `run --partition FILE` reads it.
source "$(dirname "${BASH_SOURCE[0]}")/../support/program.bash" "$@"

digest() { sed -nE 's/^digest +([0-9a-f]{16})$/\1/p' out; }

city=(traffic --city 12x9 --vehicles 2000)
expect 0 run "${city[@]}" --sync sequential
right=$(digest)
parallel=(run "${city[@]}" --sync optimistic --workers 2 --pes 4)

# Without METIS there are blocks and the like, and the profile.
expect 0 partition "${city[@]}" --parts 4 --partition block --out block.txt
has out '^[0-9,]+ LPs, [0-9,]+ links, as declared$'
has out '^partition +edge cut +balance +to other PEs$'
has out '^block +[0-9,.]+ +[0-9.]+ +[0-9.]+%$'
has out '^random '
[[ $(head -2 block.txt) == $'anachron-partition 1\nparts 4' ]] || fail "$what: the file"
[[ $(tail -1 block.txt) == end ]] || fail "$what: the end of the file"
expect 0 "${parallel[@]}" --partition ./block.txt
[[ $(digest) == "$right" ]] || fail "$what: another digest"
expect 0 partition "${city[@]}" --parts 4 --ranks 2 --partition ./block.txt
has out '^4 parts on 2 ranks$'
has out '^partition .*to other PEs +to other ranks$'
has out '^file '
is_empty err
expect 0 partition "${city[@]}" --parts 3 --partition random --profile-until 20 --quiet --out profile.txt
is_empty out
grep -q '^sent [1-9]' profile.txt || fail "$what: no profile in the file"
expect 0 partition stress --lps 50 --parts 2 --partition round-robin --profile-until 3
has out '^[0-9]+ LPs, [0-9,]+ links, counted until 3$'
has out '^round-robin '

refused "--parts: '1' is not valid: expected at least 2" partition "${city[@]}" --partition block --parts 1
refused "--parts: '1048576' is not valid: expected a number from 1 to 1048575" partition "${city[@]}" --parts 1048576
refused "--ranks: '5' is not valid: expected at most as many as --parts \(4\)" \
  partition "${city[@]}" --partition block --parts 4 --ranks 5
refused "--profile-until: '0' is not valid: expected a time above 0" \
  partition "${city[@]}" --parts 2 --profile-until 0
refused '--partition metis has to know which LPs send to each other' partition stress --kind slope --parts 2 --partition block
refused "--out: cannot write '/none/x.txt'" partition "${city[@]}" --partition block --parts 4 --out /none/x.txt
refused "--partition: cannot read './none.txt': No such file or directory" "${parallel[@]}" --partition ./none.txt
refused "--partition: 'blcok' is not valid: .*path of a file, as ./FILE; did you mean 'block'" "${parallel[@]}" --partition blcok
refused "--partition: './block.txt' has 4 parts, and the run has 5 processing elements" \
  run "${city[@]}" --sync optimistic --workers 2 --pes 5 --partition ./block.txt
refused "./block.txt:3: the partition is for other LPs" run phold --lps 100 --workers 2 --pes 4 --partition ./block.txt
sed '7s/.*/4/' block.txt >bad.txt
refused "./bad.txt:7: expected the part of an LP, a whole number from 0 to 3, found '4'" \
  "${parallel[@]}" --partition ./bad.txt
head -c 200 block.txt >short.txt
refused './short.txt:[0-9]+: ' "${parallel[@]}" --partition ./short.txt
expect 0 partition --help
has out '^Usage: '
expect 0 partition phold --help
has out '^  --profile-until T '
expect 0 run "${city[@]}" --sync optimistic --workers 2 --partition block --levels 2
has err '^anachron: --levels has no effect without --partition auto or metis$'

# Too large a set of LPs to be interrupted later than at once.
what='anachron partition, SIGTERM'
status=0
timeout --preserve-status -k 30 -s TERM 0.5 "$program" partition phold --lps 1000 --parts 2 --partition block \
  --profile-until 1e9 --out never.txt >out 2>err </dev/null || status=$?
[[ $status == 130 ]] || fail "$what: exit status $status instead of 130"
[[ ! -e never.txt ]] || fail "$what: a file"

expect 0 run phold --lps 8 --until 1 --sync sequential --report -
if ! grep -q '"built_with":.*METIS' out; then
  refused '--partition metis: Anachron was built without METIS: install it' "${parallel[@]}" --partition metis
  refused '--partition metis: Anachron was built without METIS: install it' partition "${city[@]}" --parts 4
  echo 'the parts with METIS are skipped: built without it'
  finish
  exit
fi

# METIS cuts less than blocks, and these less than chance.
cut() { sed -nE "s/^$1 +([0-9,.]+) .*/\1/p" out | tr -d ,; }
less() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }' || fail "$what: $1 is not less than $2"; }
expect 0 partition traffic --city 24x24 --parts 4 --out metis.txt
less "$(cut metis)" "$(cut block)"
less "$(cut block)" "$(cut random)"
expect 0 run traffic --city 24x24 --sync sequential
right=$(digest)
for partition in metis ./metis.txt; do
  expect 0 run traffic --city 24x24 --workers 2 --pes 4 --sync optimistic --partition $partition
  [[ $(digest) == "$right" ]] || fail "$what: another digest"
done
expect 0 run traffic --city 24x24 --workers 2 --pes 3 --sync optimistic --partition metis --levels 1
[[ $(digest) == "$right" ]] || fail "$what: another digest"
has err '^anachron: --levels has no effect on a single rank$'
expect 0 partition phold --lps 4k --receiver hierarchical --remote 0.05 --regional 0.2 --parts 6 --ranks 2
has out '^metis --levels 2 '
has out '^metis --levels 1 '
# A profile serves any number of parts.
expect 0 partition "${city[@]}" --parts 3 --profile-until 20 --out profile.txt
has out '^metis '
expect 0 "${parallel[@]}" --partition ./profile.txt
expect 0 run stress --lps 50 --until 2 --workers 2 --sync optimistic --partition block
refused '--partition metis has to know which LPs send to each other' run stress --kind slope --lps 50 --workers 2 --partition metis

finish

#!/usr/bin/env bash
# Runs over ranks, as a user starts them: the digest of one process, one report, and what goes wrong.
support=$(cd "$(dirname "${BASH_SOURCE[0]}")/../support" && pwd)
source "$support/program.bash" "$@"
source "$support/mpi.bash"
anachron=$program

# digest FILE
digest() { sed -n 's/^  "digest": "\([0-9a-f]*\)",$/\1/p' "$1"; }

phold=(phold --lps 600 --events-per-lp 4 --remote 0.5 --until 20)
city=(traffic --city 12x12)
pcs=(pcs --until 0.5)
tlm=(tlm --grid 12x10x5 --until 30)

for model in phold city pcs tlm; do
  declare -n options=$model
  "$anachron" run "${options[@]}" --sync sequential --quiet --report alone.json
  expected=$(digest alone.json)
  for shape in '2 1' '2 2' '4 1' '3 1 --comm thread' '2 2 --comm inline --consolidation off --message-size 1KiB' \
    '3 1 --send-buffers 1 --receive-buffers 1' '2 2 --send-buffers 6 --receive-buffers 200'; do
    read -r count workers more <<<"$shape"
    # shellcheck disable=SC2086
    ranks 0 "$count" "$anachron" run "${options[@]}" --workers "$workers" $more --quiet --report together.json
    [[ $(digest together.json) == "$expected" ]] || fail "$what: the digest is not $expected"
    [[ $(grep -c '"rank":' together.json) == "$count" ]] || fail "$what: not $count rows of ranks"
  done
done
for more in '--sync conservative --lookahead 0.1' '--partition random --cancellation lazy' '--emulate-latency 60e-6'; do
  # shellcheck disable=SC2086
  "$anachron" run "${phold[@]}" $([[ $more == *lookahead* ]] && echo --lookahead 0.1) --sync sequential --quiet \
    --report alone.json
  # shellcheck disable=SC2086
  ranks 0 2 "$anachron" run "${phold[@]}" --workers 1 $more --quiet --report together.json
  [[ $(digest together.json) == "$(digest alone.json)" ]] || fail "$what: another digest than alone"
done

what='buffers'
ranks 0 2 "$anachron" run "${phold[@]}" --workers 1 --send-buffers 5 --receive-buffers 7 --quiet --report together.json
grep -q '"send-buffers": 5' together.json || fail "$what: the report does not have them"
grep -q '"receive-buffers": 7' together.json || fail "$what: the report does not have them"
grep -q '"probes_per_lookup": [1-9]' together.json || fail "$what: cancelled events were found without a look"

what='one report'
ranks 0 3 "$anachron" run "${phold[@]}" --workers 1 --verbose
[[ $(grep -c '^digest' out) == 1 ]] || fail "$what: not one"
grep -q '^ranks  *3 on 1 host over ' out || fail "$what: no line about the ranks"
grep -q '^rank 2 ' out || fail "$what: no line about rank 2"

what='the imbalance of each round'
ranks 0 2 "$anachron" run "${phold[@]}" --workers 1 --quiet --report together.json
grep -q '"imbalance": \[.*[0-9]' together.json || fail "$what: not known over ranks"

what='pictures'
"$anachron" run "${tlm[@]}" --sync sequential --quiet --plot alone
ranks 0 2 "$anachron" run "${tlm[@]}" --workers 1 --quiet --plot together
diff -r alone together || fail "$what: others than alone"
[[ -s alone/field.svg ]] || fail "$what: none"
rm -r alone together

# Rank 0 writes what all show, to the last byte as one process would.
for chosen in '' '--trace-lp Player:7-300 --trace-from 3 --trace-to 9'; do
  # shellcheck disable=SC2086
  "$anachron" run "${phold[@]}" $chosen --sync sequential --quiet --trace alone.csv
  for shape in '2 1' '3 2 --comm thread' '4 1 --message-size 1KiB'; do
    read -r count workers more <<<"$shape"
    rm -f together.csv
    # shellcheck disable=SC2086
    ranks 0 "$count" "$anachron" run "${phold[@]}" $chosen --workers "$workers" $more --quiet --trace together.csv
    cmp alone.csv together.csv || fail "$what: another trace than alone"
  done
  (($(wc -l <alone.csv) > 100)) || fail "$what: hardly anything to compare"
done
ranks 0 2 "$anachron" run "${phold[@]}" --workers 1 --quiet --trace - --trace-to 0.01
"$anachron" run "${phold[@]}" --quiet --trace - --trace-to 0.01 | cmp - out || fail "$what: another trace than alone"

# Each replication is a run over all ranks.
"$anachron" run "${phold[@]}" --quiet --replications 3 --report alone.json --out alone
ranks 0 3 "$anachron" run "${phold[@]}" --workers 1 --replications 3 --report together.json --out together
[[ $(grep -c 'replications, seeds 1 to 3' out) == 1 ]] || fail "$what: not one report"
cmp alone/replications.csv together/replications.csv || fail "$what: other figures than alone"
[[ $(wc -l <alone/replications.csv) == 4 ]] || fail "$what: not three replications"
rm -r alone together

# They end when the mean is precise, with the same one as in one process.
precise=(--replications 200 --precision 0.005 --precision-of received --quiet)
"$anachron" run "${phold[@]}" "${precise[@]}" --out alone
ranks 0 3 "$anachron" run "${phold[@]}" --workers 1 "${precise[@]}" --out together
cmp alone/replications.csv together/replications.csv || fail "$what: other replications than alone"
(($(wc -l <alone/replications.csv) > 10)) || fail "$what: fewer replications than the first look takes"
rm -r alone together
ranks 2 2 "$anachron" run "${phold[@]}" --workers 1 --replications 20 --precision 0.1 --precision-of hop
[[ $(grep -c -- "--precision-of: 'hop' is not valid" err) == 1 ]] || fail "$what: not one message"

# A program of a user, with no line about ranks in it; its results are those of one process, to the last digit.
"$ANACHRON_BIN/example_phold40" --until 5 --quiet --report alone.json
ranks 0 2 "$ANACHRON_BIN/example_phold40" --until 5 --workers 1 --quiet --report together.json
[[ $(digest together.json) == "$(digest alone.json)" ]] || fail "$what: another digest than alone"

# A file that the LPs of all ranks write has the order of the whole model; one that cannot be written is one message.
"$ANACHRON_BIN/example_journal" --quiet --journal alone.txt
for shape in '2 1' '3 1 --partition random' '2 2 --comm thread'; do
  read -r count workers more <<<"$shape"
  # shellcheck disable=SC2086
  ranks 0 "$count" "$ANACHRON_BIN/example_journal" --quiet --journal together.txt --workers "$workers" $more
  cmp alone.txt together.txt || fail "$what: another journal than alone"
done
ranks 2 2 "$ANACHRON_BIN/example_journal" --quiet --journal none/together.txt --workers 1
[[ $(grep -c -- "--journal: cannot write 'none/together.txt'" err) == 1 ]] || fail "$what: not one message"

# Between runs ranks tell each other what they have found, and decide together how to go on.
"$ANACHRON_BIN/example_collectives" >alone.txt
[[ $(wc -l <alone.txt) == 3 ]] || fail 'collectives: not three runs'
for count in 2 3 4; do
  ranks 0 "$count" "$ANACHRON_BIN/example_collectives"
  cmp alone.txt out || fail "$what: other figures than alone"
done

# What goes wrong has one message and an exit status, and nobody hangs.
ranks 2 2 "$anachron" run "${phold[@]}" --sync sequential
grep -q "sync.*sequential.*2 ranks" err || fail "$what: it does not say why"
ranks 2 2 "$anachron" run "${phold[@]}" --workers 0
[[ $(grep -c -- '--workers' err) == 1 ]] || fail "$what: not one message"
ranks 2 2 "$anachron" tune "${phold[@]}"
grep -q 'tune runs in one process only' err || fail "$what: it does not say so"
ranks any 2 "$anachron" run "${phold[@]}" --workers 1 --quiet --trace /dev/full
grep -q "cannot write '/dev/full'" err || fail "$what: it does not say why"
for option in --report --trace; do
  ranks any 2 "$anachron" run "${phold[@]}" --workers 1 --quiet "$option" none/file
  grep -q "cannot write 'none/file'" err || fail "$what: it does not say why"
done
ranks any 2 "$anachron" run "${phold[@]}" --workers 1 --replications 3 --quiet --out /dev/null/none
grep -q "cannot make '/dev/null/none'\|cannot write '/dev/null/none" err || fail "$what: it does not say why"
ranks any 2 bash -c 'exec "$0" run phold --lps 600 --until 20 --workers 1 --seed "$((OMPI_COMM_WORLD_RANK + 1))"' "$anachron"
grep -q 'ranks 0 and 1 differ in --seed: 1 and 2' err || fail "$what: the difference is not named"
ranks any 2 bash -c 'exec "$0" run phold --lps 600 --until 20 --workers 1 --send-buffers "$((OMPI_COMM_WORLD_RANK + 1))"' "$anachron"
grep -q 'ranks 0 and 1 differ in --send-buffers: 1 and 2' err || fail "$what: the difference is not named"
ranks any 2 bash -c 'exec "$0" run phold --lps 600 --until 20 --workers 1 --mean "$((OMPI_COMM_WORLD_RANK + 1))"' "$anachron"
grep -q 'ranks 0 and 1 differ in --mean: 1 and 2' err || fail "$what: the difference is not named"
printf 'until = 20\nworkers = 1\n[phold]\nlps = 600\n' | tee one.toml >two.toml
echo 'mean = 2' >>two.toml
ranks any 2 bash -c 'files=(one.toml two.toml); exec "$0" run phold --config "${files[OMPI_COMM_WORLD_RANK]}"' "$anachron"
grep -q 'ranks 0 and 1 differ in --mean: 1 and 2' err || fail "$what: the difference is not named"
# What is in a file counts, not its name.
"$anachron" partition phold --lps 600 --parts 2 --out here.part >out
"$anachron" partition phold --lps 600 --parts 2 --partition random --out other.part >out
cp here.part there.part
for there in there other; do
  ranks "$([[ $there == there ]] && echo 0 || echo any)" 2 bash -c 'files=(here.part "$1.part")
    exec "$0" run phold --lps 600 --until 20 --workers 1 --partition "${files[OMPI_COMM_WORLD_RANK]}"' "$anachron" "$there"
done
grep -q 'ranks 0 and 1 differ in --partition: a file of' err || fail "$what: the difference is not named"
ranks 0 2 "$anachron" list
[[ $(grep -c '^  phold\|^phold' out) == 1 ]] || fail "$what: not one list"

# LPs that a rank alone would give to other PEs would have their events in two places, or in none.
ranks any 2 bash -c 'exec "$0" owners "$OMPI_COMM_WORLD_RANK"' "$ANACHRON_BIN/mpi_tests"
grep -q 'ranks 0 and 1 share out the LPs differently by --partition block' err || fail "$what: it does not say so"

# What is too little memory is that of the rank that has too little.
ranks any 2 bash -c 'memory=(1GiB 28MiB); exec "$0" run phold --lps 40k --events-per-lp 16 --until 20 --workers 1 --quiet \
  --memory "${memory[OMPI_COMM_WORLD_RANK]}"' "$anachron"
grep -q "memory: '28MiB' is not valid: expected at least .* on rank 1" err || fail "$what: it quotes the memory of another rank"

# A rank that is killed ends the others.
ranks any 3 bash -c '[[ $OMPI_COMM_WORLD_RANK == 1 ]] && { sleep 2; kill -9 $$; } & exec "$0" run phold --lps 10k --until 1e9 --workers 1 --quiet' \
  "$anachron"

# An LP of one rank that throws before the first event or after the last one: one message, and status 1 on each rank. It names
# the rank and its host; what LPs report in the end, rank 0 puts together.
# each_status COUNT PROGRAM ARGUMENT...: `ranks`, with the status of each rank in ./out, so that mpirun has none to pass on.
each_status() {
  local count=$1
  shift
  # shellcheck disable=SC2016
  ranks 0 "$count" bash -c '"$@"; echo "a rank ends with status $?"' each "$@"
}
here=$(hostname)
for fault in "start: rank 2 on $here: Pupil 7: event start at time 0: threw: overslept" \
  "both: rank 0 on $here: Pupil 1: event start at time 0: threw: missed the bus" \
  'finish: Pupil 7: event finish at time 10: threw: lost the report'; do
  each_status 3 "$ANACHRON_BIN/mpi_tests" fault "${fault%%:*}"
  [[ $(grep -c '^a rank ends with status 1$' out) == 3 ]] || fail "$what: not status 1 on each rank"
  [[ $(grep -c '^mpi_tests: ' err) == 1 ]] || fail "$what: not one message"
  grep -qx "mpi_tests: ${fault#*: }" err || fail "$what: the message is not '${fault#*: }'"
done
grep -q 'not complete.*Pupil 7' out || fail "$what: no report of the results that there are"
ranks 1 2 "$ANACHRON_BIN/mpi_tests" fault both

# A rank that fails alone while the run is set up ends the others, which would wait for it.
# fails_alone RANK MESSAGE GOOD BAD MODEL ARGUMENT...: the value of the last option is BAD on the rank, GOOD on the other.
fails_alone() {
  local failing=$1 message=$2 good=$3 bad=$4
  shift 4
  # shellcheck disable=SC2016
  ranks 2 2 bash -c 'value=$2; ((OMPI_COMM_WORLD_RANK == $1)) && value=$3; exec "$0" run "${@:4}" "$value" --quiet' \
    "$anachron" "$failing" "$good" "$bad" "$@"
  [[ $(grep -c -- "$message" err) == 1 ]] || fail "$what: not one message"
  ((failing == 0)) || grep -q "rank 1 on $(hostname): " err || fail "$what: the message does not name rank and host"
}
printf '1 2\n2 3\n' >edges.txt
printf '1 2\n2 x\n' >malformed.txt
for failing in 0 1; do
  fails_alone "$failing" "cannot read 'missing.txt'" edges.txt missing.txt epidemic --infected 1 --network
  fails_alone "$failing" "malformed.txt:2: 'x' is not valid" edges.txt malformed.txt epidemic --infected 1 --network
  fails_alone "$failing" "--queue: 'calendar' is not valid" radix calendar phold --queue
done

finish

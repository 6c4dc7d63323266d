#!/usr/bin/env bash
# Usage: cli.sh [PROGRAM]
# The `anachron` program as its users meet it: commands, options, files, signals, pipes, exit statuses.
source "$(dirname "${BASH_SOURCE[0]}")/../support/program.bash" "$@"

digest() { sed -nE 's/^digest +([0-9a-f]{16})$/\1/p' out; }

small=(run phold --lps 64 --events-per-lp 4 --until 20)

# Each replication of a model has the digest that it has alone.
for model in 'phold --lps 16 --until 5' 'pcs --grid 4x4 --until 30 --dwell 2' 'stress --lps 16 --until 2 --work 10' 'traffic --city 3x3' \
  'queueing --stations 8 --until 30' 'epidemic --nodes 200' 'tlm --grid 6x6x4 --until 20 --receive-at 1,1,1' \
  'logic --gates 99 --vectors 2' 'packets --torus 3x3 --until 900'; do
  read -ra words <<<"$model"
  expect 0 run "${words[@]}" --replications 3 --seed 4 --quiet --report replications.json
  for seed in 4 5 6; do
    expect 0 run "${words[@]}" --seed $seed --sync optimistic --workers 2
    grep -q "\"seed\":$seed,\"digest\":\"$(digest)\"" replications.json || fail "$what: another digest in --replications"
  done
done
rm replications.json
refused "--replications: '0' is not valid: expected at least 1" "${small[@]}" --replications 0
refused "--precision: '2' is not valid: expected a number above 0 and below 1" "${small[@]}" --replications 20 --precision 2
refused "--replications: '5' is not valid: expected at least 10 with --precision" "${small[@]}" --replications 5 --precision 0.1
refused "--precision-of: 'hop' is not valid: expected one of received" "${small[@]}" --replications 20 --precision 0.1 --precision-of hop
refused "--precision-of: 'received' is not valid: expected a figure with --precision only" "${small[@]}" --precision-of received
refused "--confidence: '95' is not valid" "${small[@]}" --confidence 95
refused "--warm-up: 'inf' is not valid" "${small[@]}" --warm-up inf

# Commands.
expect 0 --version
has out '^anachron [0-9]+\.[0-9]+\.[0-9]+$'
expect 0 list
has out '^ *pcs '
has out '^ *phold '
has out '^ *logic '
has out '^ *packets '
has out '^ *queueing '
has out '^ *epidemic '
has out '^ *traffic '
for words in help --help 'run --help'; do
  # shellcheck disable=SC2086
  expect 0 $words
  has out '^Usage: anachron run MODEL'
done
for words in 'help phold' 'run phold --help' 'run phold --lps 3 -h'; do
  # shellcheck disable=SC2086
  expect 0 $words
  has out '^Usage: anachron run phold'
  has out '^ *--events-per-lp X'
  has out '^ *--sync auto\|sequential\|optimistic\|conservative'
done
expect 2
has err '^anachron: a command is missing'
refused "unknown command 'rum'; did you mean 'run'\?" rum phold
refused "unknown command 'laod'; did you mean 'load'\?" laod
refused "unknown command 'phold'; did you mean 'run phold'\?" phold
refused "unknown model 'phodl'; did you mean 'phold'\? \(valid: .*traffic" run phodl
refused 'a model is missing' run
refused "unexpected argument 'extra'" run phold extra

# The same digest in every mode.
expect 0 "${small[@]}" --sync sequential
right=$(digest)
[[ $right =~ ^[0-9a-f]{16}$ ]] || fail 'no digest in the table'
has out '^speed +[0-9.]+ ([kMG] )?events/s: [0-9,]+ events in '
is_empty err # no progress line: this is no terminal
for options in '--workers 2' '--workers 1 --pes 3' '--workers 2 --queue heap' '--workers 2 --rollback copy' \
  '--workers 2 --bind none' '--workers 2 --partition random --lps-per-group 4' '--workers 2 --throttle none' \
  '--workers 2 --rollback copy --checkpoint-interval 5 --test-chaos 3' \
  '--workers 2 --throttle balanced --gvt barrier' '--workers 2 --pes 5 --throttle fixed --gvt barrier' \
  '--workers 2 --throttle atw' '--workers 2 --throttle atw-repaired' '--workers 2 --throttle mtw' \
  '--workers 2 --window 0.5 --batch 8 --gvt-interval 100' '--workers 2 --check-rollback --test-chaos 7'; do
  # shellcheck disable=SC2086
  expect 0 "${small[@]}" --sync optimistic $options
  [[ $(digest) == "$right" ]] || fail "$what: another digest than sequentially"
done
refused '--sync conservative: the lookahead of LP type Player is 0: expected a time above 0' \
  "${small[@]}" --sync conservative
refused "--run-lookahead: '1' is not valid: expected no lookahead with --sync sequential" \
  "${small[@]}" --sync sequential --run-lookahead 1
expect 1 "${small[@]}" --sync conservative --lookahead 0.5 --run-lookahead 2 --workers 2
has err '^anachron: Player [0-9]+: event Ball at time .*: sends event Ball to Player [0-9]+ with delay .*, which is below the lookahead 2 of LP type Player'
expect 0 "${small[@]}" --lookahead 0.5 --sync sequential
ahead=$(digest)
for options in '--workers 2' '--workers 1 --pes 3 --batch 3' '--workers 2 --run-lookahead 0.001'; do
  # shellcheck disable=SC2086
  expect 0 "${small[@]}" --lookahead 0.5 --sync conservative --verbose $options
  [[ $(digest) == "$ahead" ]] || fail "$what: another digest than sequentially"
  has out '0 rolled back'
done
expect 0 "${small[@]}" --sync sequential --seed 2
[[ $(digest) != "$right" ]] || fail "$what: the seed changes nothing"

# Options that do nothing are said, by the table too.
expect 0 "${small[@]}" --sync sequential --throttle none --gvt barrier
for option in throttle gvt; do
  has err "^anachron: --$option has no effect in a sequential run\$"
  has out "^note +--$option has no effect in a sequential run\$"
done
expect 0 "${small[@]}" --lookahead 0.5 --sync conservative --workers 2 --window 1 --batch 3 --quiet --report -
is_empty err
has out '^  "notes": \["--window has no effect in a conservative run"\]'
expect 0 "${small[@]}" --sync optimistic --workers 2 --throttle mtw --batch 3 --cancellation lazy
is_empty err

# Tuning compares settings and leaves the results alone.
expect 0 tune "${small[@]:1}" --workers 2 --sweep throttle,gvt --finalists 2 --repetitions 2 --csv tune.csv
has out "^12 combinations, one digest: $right\$"
has out '^throttle +gvt +events/s +of best +efficiency$'
has out '<- as set$'
[[ $(wc -l <tune.csv) == 13 ]] || fail "$what: tune.csv has not a line per combination"
grep -q '^throttle,gvt,rate,efficiency,median_rate$' tune.csv || fail "$what: the columns of tune.csv"
rm tune.csv
# Impossible combinations are left out.
expect 0 tune "${small[@]:1}" --workers 2 --sweep throttle --window 1 --finalists 1 --repetitions 1
refused "--sweep: 'lps' cannot be swept.*valid: .*throttle" tune phold --sweep lps
refused "--sweep: 'batch' is named twice" tune phold --sweep batch,gvt,batch
refused "--repetitions: '0' is not valid: expected at least 1" tune phold --repetitions 0
refused "a model is missing right after tune" tune
refused "unknown model 'phodl'" tune phodl

# Output.
expect 0 "${small[@]}" --quiet
is_empty out
is_empty err
expect 0 "${small[@]}" --report -
has out '^  "schema": "anachron-report/3",$'
has out "^  \"digest\": \"$right\",\$"
! grep -q '^digest' out || fail "$what: a table beside the report"
expect 0 "${small[@]}" --report report.json --quiet
for name in digest committed executed rolled_back rollbacks efficiency rollback_efficiency anti_messages \
  remote_events rate wall_s cpu_s gvt_rounds peak_rss pool_bytes bytes_per_pending_event bytes_per_lp binding config machine model pes rounds; do
  grep -q "^  \"$name\": " report.json || fail "report.json: no $name"
done
grep -q '^      "lps": "64",$' report.json || fail 'report.json: the options of the model are missing'
[[ $(ls -A) == $'err\nout\nreport.json' ]] || fail "$what: leaves other files: $(ls -A)"
refused '--verbose says what the engine did in one run: leave it out with --quiet' "${small[@]}" --verbose --quiet
refused '--verbose says what the engine did in one run: leave it out with --replications' "${small[@]}" --verbose --replications 2
expect 0 explain report.json
has out '^64 LPs of the model phold were simulated to time '
has out ' events per second\.$'
echo '{"schema": "anachron-report/1"}' >old.json
echo '{"schema": "anachron-report/3"}' >cut.json
refused 'old.json: its schema is "anachron-report/1", not "anachron-report/3": expected a report of one run' explain old.json
refused 'cut.json: this is no whole report' explain cut.json
refused 'none.json: No such file or directory: expected a report of one run' explain none.json
refused '.: this is a folder: expected a report of one run' explain .
refused 'explain: a report is missing: expected explain REPORT.json' explain
refused "unexpected argument 'old.json': expected explain REPORT.json" explain report.json old.json
expect 0 run traffic --city 4x4 --vehicles 200 --report -
grep -q '^    "departed": 200,$' out || fail 'traffic: not all have departed'
expect 0 run traffic --city 4x4 --vehicles 200 --out tables --quiet
[[ -d tables ]] || fail '--out makes no folder'
expect 0 run traffic --city 4x4 --vehicles 200 --assignment equilibrium --gap 1e-3 --out balanced --quiet
[[ $(head -1 balanced/links.csv) == link,from,to,*,volume,time,from_x,from_y,to_x,to_y ]] || fail 'links.csv: no volumes of the equilibrium'
[[ $(head -1 balanced/assignment.csv) == iteration,relative_gap,* ]] || fail 'assignment.csv: not one row for each iteration'
[[ $(head -1 tables/links.csv) != *volume,time* ]] || fail 'links.csv: volumes without an assignment'

# The same pictures in every mode.
for model in 'tlm --grid 10x9x5 --until 30 --receive-at 2,2,2' 'traffic --city 4x4 --vehicles 200' 'pcs --grid 6x4'; do
  read -ra words <<<"$model"
  expect 0 run "${words[@]}" --sync sequential --quiet --plot alone
  expect 0 run "${words[@]}" --sync optimistic --workers 2 --mapping fixed --test-chaos 3 --quiet --plot together
  diff -r alone together || fail "$what: other pictures"
  [[ -s alone/signal.svg || -s alone/links.svg || -s alone/cells.svg ]] || fail "$what: no pictures"
  rm -r alone together
done

# Bad options and values: each names the option, the value and what is valid.
refused "unknown option '--lsp'; did you mean '--lps'\?" run phold --lsp 3
refused "unknown option '-workers'; did you mean '--workers'\?" run phold -workers 3
refused "--lps: the value is missing: expected --lps N" run phold --lps
refused "--lps: 'many' is not valid: expected a whole number" run phold --lps many
refused "--lps: '-1' is negative" run phold --lps -1
refused "--lps: '10G' is out of range" run phold --lps 10G
refused "--lps: '99999999999999999999' is too large" run phold --lps 99999999999999999999
refused "--lps: .*0" run phold --lps 0
refused "--mean: 'nan' is not valid: expected a finite decimal number" run phold --mean nan
refused "--mean: '1.0.0' is not valid" run phold --mean 1.0.0
refused "--receiver: 'tours' .*torus" run phold --receiver tours
refused "--grid: '8x1' is not valid: expected COLSxROWS, e.g. 192x192, each from 2 to 65535" run pcs --grid 8x1
refused "--dwell: 'never' is not valid: expected a number >= 1e-09, or none" run pcs --dwell never
refused "--dwell: '0' is not valid: expected a number >= 1e-09, or none" run pcs --dwell 0
refused "--holding: '0' is not valid: expected a number >= 1e-09" run pcs --holding 0
refused "--channels: '0' is not valid: expected a whole number >= 1" run pcs --channels 0
refused "--grid: '8x1' is not valid: expected XxYxZ, e.g. 64x64x8, each from 1 to 65535" run tlm --grid 8x1
refused "--grid: '60000x60000x60000' is not valid: expected at most" run tlm --grid 60000x60000x60000
refused "--transmit-at: '1,2' is not valid: expected X,Y,Z or X,Y,Z,V, in metres and volts" run tlm --transmit-at '3,3,3;1,2'
refused "--transmit-at: '1,2,8' is not valid: expected Z from 0 to below 8 m" run tlm --transmit-at 1,2,8
refused "--receive-at: '1,2,x' is not valid: expected X,Y,Z, in metres" run tlm --receive-at 1,2,x
refused "--terrain: 'hill' is not valid: expected none, flat, hills, or the path of a file" run tlm --terrain hill
refused "./none.asc: cannot be opened for reading" run tlm --terrain ./none.asc
refused "--frequency: '300' is not valid: expected below 2.* MHz with --cell 1" run tlm --frequency 300
refused "--slice: '9' is not valid: expected below 8 m" run tlm --slice 9
printf 'ncols 2\nnrows 1\ncellsize 8\n0 x\n' >bad.asc
refused "./bad.asc:4: 'x' is not valid for a height: expected a number" run tlm --grid 4x4x4 --terrain ./bad.asc
rm bad.asc
refused "--nodes is for --network: a generated city knows where its nodes are" run traffic --city 4x4 --nodes x
refused "--delays: 'x' is not valid: expected ticks from 0" run logic --delays x
refused "--torus: '8y8' is not valid: expected 1 to 7 sides AxBx" run packets --torus 8y8
refused "--routing: 'valiant' is for --topology dragonfly" run packets --routing valiant
refused "--traffic: 'transpose' is for a square number of hosts, not for 8" run packets --torus 8 --traffic transpose
refused "--assignment: 'msa' is not valid: expected one of free-flow, equilibrium" run traffic --assignment msa
refused "--gap: '1' is not valid: expected a number >= 0 and < 1" run traffic --assignment equilibrium --gap 1
refused "--iterations: '0' is not valid: expected a whole number >= 1" run traffic --assignment equilibrium --iterations 0
refused "--gap is for --assignment equilibrium, not for free-flow" run traffic --city 4x4 --gap 1e-3
refused "--departures: 'peek' is not valid: expected one of uniform, peak, two-peaks, shares; did you mean 'peak'\?" \
  run traffic --departures peek
refused "--peak: '0.5' is not valid: expected a number >= 1" run traffic --departures peak --peak 0.5
refused "--shares is for --departures shares" run traffic --city 4x4 --shares x
printf '0 1\n30 2\n20 1\n' >shares
refused "./shares:3: expected a minute after 30, at which the row before begins, found '20'" \
  run traffic --city 4x4 --departures shares --shares ./shares
rm shares
refused "--rerouting: '1.5' is not valid: expected a number >= 0 and <= 1" run traffic --rerouting 1.5
refused "--publish is for --rerouting: without it nobody listens" run traffic --city 4x4 --publish 3
refused "--storage: '-1' is not valid: expected a number >= 0" run traffic --storage -1
refused "--patience: '0' is not valid: expected a number > 0" run traffic --storage 100 --patience 0
refused "--patience is for --storage: without it links are never full" run traffic --city 4x4 --patience 3
refused "--publish-delay: 4 minutes are more than" run traffic --city 4x4 --rerouting 1 --publish-delay 4 --publish 3
refused "--toll-weight is for --network: a generated city has no tolls" \
  run traffic --city 4x4 --assignment equilibrium --toll-weight 1
refused '--sync conservative: the lookahead of LP type Cell is 0' run pcs --sync conservative --grid 4x4
refused "--sync: 'optimistc' is not valid: expected one of auto, sequential, optimistic, conservative; did you mean 'optimistic'\?" \
  run phold --sync optimistc
refused "--queue: 'calendar' is not valid: expected one of radix, heap, heap4, 3theap, ladder, 2tladder, splay" run phold --queue calendar
refused "--bind: 'cores' is not valid: expected one of auto, none" run phold --bind cores
refused "--until: '-1' is not valid: expected a time >= 0, or inf" run phold --until -1
refused "--workers: '0' is not valid: expected at least 1" run phold --workers 0
refused "--pes: '1' is not valid: expected at least as many as --workers \(2\)" run phold --workers 2 --pes 1
refused "--workers: '2' is not valid: expected 1 with --sync sequential" run phold --sync sequential --workers 2
refused "--window: '0' is not valid: expected a time above 0" run phold --window 0
refused "--window: '1' is not valid: expected no window with --throttle none" run phold --throttle none --window 1
refused "--throttle: 'adaptive' is not valid: expected one of balanced, none, fixed, atw, atw-repaired, mtw" \
  run phold --throttle adaptive
refused "--gvt: 'mattern' is not valid: expected one of epoch, barrier" run phold --gvt mattern
refused "--window: '1' is not valid: expected no window with --throttle mtw" run phold --throttle mtw --window 1
refused "--batch: '0' is not valid: expected at least 1" run phold --batch 0
refused "--quiet: 'maybe' is not valid: expected true or false" run phold --quiet=maybe

# Outputs that cannot be written are refused before the run, which would not end by itself.
refused "--report: cannot write '/none/r.json': No such file or directory" run phold --until inf --report /none/r.json
refused "--report: cannot write '$folder': it is a folder" run phold --until inf --report "$folder"
refused "--out: cannot write 'report.json'" run phold --until inf --out report.json

# Configuration files.
cat >run.toml <<'EOF'
model = "phold"
sync = "sequential"
until = 20
[phold]
lps = 64
events-per-lp = 4
[traffic]
city = "9x9"
EOF
for words in 'run --config run.toml' 'run phold --config=run.toml'; do
  # shellcheck disable=SC2086
  expect 0 $words
  [[ $(digest) == "$right" ]] || fail "$what: another digest than with options"
done
expect 0 run --config run.toml --seed 2 --lps 32
has out '^phold +32 LPs'
# refused_file MESSAGE LINE...: a configuration file of these lines is refused.
refused_file() {
  local message=$1
  shift
  printf '%s\n' "$@" >bad.toml
  refused "$message" run phold --config bad.toml
}
refused_file "bad.toml:2: 'worker' is no engine option; did you mean 'workers'\? \(valid: .*seed" 'seed = 1' 'worker = 2'
refused_file "bad.toml:2: 'lsp' is no option of model 'phold'; did you mean 'lps'\?" '[phold]' 'lsp = 2'
refused_file "bad.toml:1: table \[phodl\] names no model; did you mean 'phold'\?" '[phodl]' 'lps = 2'
refused_file "bad.toml:1: --workers: '0' is not valid: expected at least 1" 'workers = 0'
refused_file "bad.toml:1: workers: 'true' is not valid: expected a value such as N" 'workers = true'
refused_file "bad.toml:2: --until: 'soon' is not valid" '' 'until = "soon"'
refused_file "bad.toml:1: --bind: 'all' is not valid: expected one of auto, none" 'bind = "all"'
refused_file 'bad.toml:1: workers: a value of type array is not valid' 'workers = [1]'
refused_file 'bad.toml:2: ' 'seed = 1' 'until == 2'
refused "--config: cannot read 'none.toml': No such file or directory" run phold --config none.toml

# A signal ends a run with a valid report; one that comes from the shell's `timeout` is enough.
endless=(run phold --lps 64 --until inf)
for sync in sequential optimistic; do
  for signal in INT TERM; do
    what="SIG$signal, $sync"
    status=0
    timeout --preserve-status -k 20 -s "$signal" 1 "$program" "${endless[@]}" --sync "$sync" --report stopped.json \
      >out 2>err || status=$?
    [[ $status == 130 ]] || fail "$what: exit status $status instead of 130"
    has out 'INTERRUPTED at time'
    grep -q '^  "interrupted": true,$' stopped.json || fail "$what: the report is not marked"
    tail -n 1 stopped.json | grep -qx '}' || fail "$what: the report is not complete"
    rm -f stopped.json
  done
done

# A reader that leaves does no harm, a full disk is told.
what='broken pipe'
"$program" "${small[@]}" --report piped.json 2>err | true
status=${PIPESTATUS[0]}
[[ $status == 0 && -s piped.json ]] || fail "$what: exit status $status"
if [[ -w /dev/full ]]; then
  what='full disk'
  "$program" "${small[@]}" --report - >/dev/full 2>err
  status=$?
  [[ $status == 1 ]] || fail "$what: exit status $status instead of 1"
  has err '^anachron: cannot write to standard output: No space left on device$'
  for words in 'list' 'help phold' 'tune phold --help' 'load --help' 'load --for 0.1' '--version'; do
    # shellcheck disable=SC2086
    "$program" $words >/dev/full 2>err
    [[ $? == 1 ]] || fail "$what: anachron $words: exit status is not 1"
  done
  expect 1 "${small[@]}" --report /dev/full
  has err "^anachron: --report: cannot write '/dev/full': No space left on device$"
  expect 1 tune "${small[@]:1}" --sweep throttle --finalists 1 --repetitions 1 --csv /dev/full
  has err "^anachron: --csv: cannot write '/dev/full': No space left on device$"
fi

# Text from outside cannot write to the terminal as it likes.
for words in $'run phold --queue \e[31m' $'run phold --\e[31m 1' $'run \e[31m' $'run phold --config \e[31m'; do
  # shellcheck disable=SC2086
  expect 2 $words
  has err '\\x1b\[31m'
  ! grep -q $'\e' err || fail "$what: a raw escape"
done

finish

#!/usr/bin/env bash
# Runs over several hosts that talk by TCP, each a network namespace of this machine: their results are those of one
# processor, and they end when one of them is killed.
support=$(cd "$(dirname "${BASH_SOURCE[0]}")/../support" && pwd)
source "$support/hosts.bash" "$@"
source "$support/program.bash" "$@"
source "$support/mpi.bash"
tests=$ANACHRON_BIN/mpi_tests
make_hosts 2 delay
slow_links=()
if [[ ! $links_delay ]]; then
  echo 'note: this kernel has no netem, so the links are as slow as this machine; latency is emulated in the transport'
  slow_links=(--emulate-latency $((link_round_trip_us / 2))e-6)
fi

# over_hosts STATUS HOSTS RANKS_PER_HOST PROGRAM ARGUMENT...
over_hosts() {
  local wanted=$1 hosts=$2 per_host=$3 status=0
  shift 3
  what="$hosts hosts of $per_host ranks: ${1##*/} ${*:2}"
  write_hostfile "$hosts" "$per_host"
  # Long enough for a machine with much else to do; it only ends what hangs.
  on_host 1 timeout -k 10 180 "$ANACHRON_MPIEXEC" --hostfile hostfile -n $((hosts * per_host)) "$@" \
    >out 2>err </dev/null || status=$?
  [[ $status == "$wanted" ]] || fail "$what: exit status $status instead of $wanted"
}

digest_of() { sed -n 's/.*"digest": "\([0-9a-f]*\)".*/\1/p' "$1" | head -1; }

# Links.
over_hosts 0 2 1 "$tests" round-trip "${slow_links[1]-0}"
round_trip=$(sed -n 's/^\([0-9]*\) us$/\1/p' out)
[[ $round_trip ]] && ((round_trip >= link_round_trip_us)) || fail "$what: '$round_trip' us instead of $link_round_trip_us or more"
over_hosts 0 2 2 "$tests" contract "$folder/late"
has out '^2 of 4 ranks here, '

# Results.
for run in 'phold --lps 200 --until 5 --remote 0.3' 'traffic --city 6x6'; do
  read -ra model <<<"$run"
  expect 0 run "${model[@]}" --sync sequential --quiet --report sequential.json
  right=$(digest_of sequential.json)
  [[ $right ]] || fail "$what: no digest"
  for shape in '1 1' '1 2' '2 1'; do
    read -r per_host workers <<<"$shape"
    rm -f report.json
    over_hosts 0 2 "$per_host" "$program" run "${model[@]}" --workers "$workers" "${slow_links[@]}" --quiet --report report.json
    [[ -e report.json && $(digest_of report.json) == "$right" ]] ||
      fail "$what: digest '$(digest_of report.json)' instead of $right"
  done
done

# One rank of host 2 is killed; the others must not wait for it.
write_hostfile 2 2
on_host 1 timeout -k 10 180 "$ANACHRON_MPIEXEC" --hostfile hostfile -n 4 \
  "$program" run phold --lps 400 --until inf --workers 1 >out 2>err </dev/null &
job=$!
what='4 ranks on 2 hosts, one of which is killed'
# ours HOST: the ranks of a host.
ours() {
  local pid
  for pid in $(ip netns pids "host$1"); do
    [[ $(readlink "/proc/$pid/exe") != "$(readlink -f "$program")" ]] || echo "$pid"
  done
}
victims=()
for ((tries = 0; tries < 600 && ${#victims[@]} < 2; tries++)); do
  sleep 0.1
  mapfile -t victims < <(ours 2)
done
sleep 1  # from then on they simulate, or nearly so
if ((${#victims[@]} == 2)) && kill -9 "${victims[0]}"; then
  for ((tries = 0; tries < 100; tries++)); do
    kill -0 "$job" 2>/dev/null || break
    sleep 0.1
  done
  if kill -0 "$job" 2>/dev/null; then
    fail "$what: still there after 10 s"
    kill -9 "$job"
  fi
  status=0
  wait "$job" || status=$?
  ((status != 0)) || fail "$what: exit status 0"
  has err 'signal 9|[Kk]illed'
  left=$(ours 1 && ours 2)
  [[ ! $left ]] || fail "$what: leaves $left behind"
else
  fail "$what: ${#victims[@]} ranks on host 2"
  kill "$job"
fi

finish

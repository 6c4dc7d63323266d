# A cluster on one machine: hosts that are network namespaces, joined by a switch, with Open MPI over TCP between them.
# To be sourced with a script's arguments before anything else: the script starts again in namespaces of its own, so that
# nothing it makes can be seen or met from outside, two runs do not collide, and all of it is gone when the script ends,
# however it ends. It takes root, or a system that lets users make namespaces.
readonly link_round_trip_us=60  # as Gigabit Ethernet takes in ROSS-CMT, table 1

no_hosts() {
  echo "skipped: $1"
  exit 77
}

if [[ ! ${ANACHRON_APART-} ]]; then
  apart=(unshare --mount --net --uts --pid --fork --kill-child --mount-proc)
  ((EUID == 0)) || apart+=(--user --map-root-user)
  [[ $(type -P ip unshare | wc -l) == 2 ]] || no_hosts 'the packages iproute2 and util-linux are needed'
  "${apart[@]}" true 2>/dev/null || no_hosts 'this system forbids to make namespaces'
  ANACHRON_APART=1 exec "${apart[@]}" bash "$0" "$@"
fi

address() { echo "10.77.0.$1"; }

# make_hosts COUNT DELAY: hosts named host1, host2, ...; packets take half of link_round_trip_us each way if DELAY is `delay`
# and the kernel can (netem), which `links_delay` tells then; otherwise as long as they take by themselves.
make_hosts() {
  local count=$1 i
  # Where `ip netns` keeps the names of namespaces; this mount is ours.
  mount -t tmpfs none /run || no_hosts 'no mount for the names of namespaces'
  { ip link set lo up && ip netns add switch && ip -n switch link add bridge type bridge &&
      ip -n switch link set bridge up; } 2>hosts.err || no_hosts "no switch for the hosts: $(tail -1 hosts.err)"
  links_delay=
  for ((i = 1; i <= count; i++)); do
    { ip netns add "host$i" && ip link add veth0 netns "host$i" type veth peer name "port$i" netns switch &&
        ip -n switch link set "port$i" master bridge up && ip -n "host$i" addr add "$(address "$i")/24" dev veth0 &&
        ip -n "host$i" link set lo up && ip -n "host$i" link set veth0 up; } 2>hosts.err ||
      no_hosts "no host $i: $(tail -1 hosts.err)"
    if [[ $2 == delay ]] && ip netns exec "host$i" tc qdisc add dev veth0 root netem \
      delay $((link_round_trip_us / 2))us 2>hosts.err; then
      links_delay=1
    fi
  done

  # What Open MPI starts its ranks on other hosts with, in place of ssh. Hosts have addresses instead of names, and each
  # calls itself by its own: by it Open MPI tells ranks of the same host from others.
  cat >agent <<'END'
#!/usr/bin/env bash
host=$1
shift
exec ip netns exec "host${host##*.}" unshare --uts bash -c "hostname $host && $*"
END
  chmod +x agent
  export OMPI_MCA_plm_rsh_agent=$PWD/agent OMPI_MCA_plm_rsh_no_tree_spawn=1
  export OMPI_MCA_oob_tcp_if_include=veth0 OMPI_MCA_btl_tcp_if_include=veth0 OMPI_MCA_btl=self,vader,tcp
  # For Open MPI 5.
  export PRTE_MCA_plm_ssh_agent=$PWD/agent PRTE_MCA_plm_ssh_no_tree_spawn=1 PRTE_MCA_prte_if_include=veth0
  export TMPDIR=$PWD
}

# write_hostfile HOSTS RANKS_PER_HOST
write_hostfile() {
  local i
  for ((i = 1; i <= $1; i++)); do echo "$(address "$i") slots=$2"; done >hostfile
}

# on_host N COMMAND...
on_host() {
  ip netns exec "host$1" unshare --uts bash -c 'hostname "$0" && exec "$@"' "$(address "$1")" "${@:2}"
}

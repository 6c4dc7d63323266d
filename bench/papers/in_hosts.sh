#!/usr/bin/env bash
# Runs a program as ranks, each on a host of its own; the hosts are network namespaces of this machine.
#   in_hosts.sh probe                      tells `delay` where links can be made slow, `plain` where they cannot; 77: no hosts
#   in_hosts.sh MPIRUN COUNT PROGRAM ...   as mpirun -n COUNT PROGRAM ...
source "$(dirname "${BASH_SOURCE[0]}")/../../tests/support/hosts.bash" "$@"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
if [[ $1 == probe ]]; then
  make_hosts 2 delay
  [[ $links_delay ]] && echo delay || echo plain
  exit
fi
mpirun=$1 count=$2
shift 2
make_hosts "$count" delay
write_hostfile "$count" 1
on_host 1 "$mpirun" --hostfile hostfile -n "$count" "$@" </dev/null

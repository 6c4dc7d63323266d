# A cluster of Slurm on one machine: two nodes of as many processors as this machine has, each a host of hosts.bash, with
# daemons of their own. To be sourced after hosts.bash and program.bash.
[[ $(type -P munged slurmctld slurmd srun sbatch | wc -l) == 5 ]] || no_hosts 'Slurm and Munge are needed'

# on_node N COMMAND...: as on_host, but under the name that Slurm knows, and with /sys as it is.
on_node() {
  nsenter --net="/run/netns/host$1" unshare --uts bash -c 'hostname "$0" && exec "$@"' "host$1" "${@:2}"
}

# Debian has Munge's daemon and Slurm's log in as users of their own; here all of it is root's.
start_slurm() {
  local host tries
  processors=$(nproc)
  make_hosts 2 ''
  mkdir -m 700 munge
  mkdir state
  chmod 755 .
  dd if=/dev/urandom of=munge/key bs=128 count=1 status=none
  chmod 400 munge/key
  munged --force --key-file munge/key --socket "$PWD/munge.socket" --pid-file "$PWD/munged.pid" \
    --log-file "$PWD/munged.log" --seed-file "$PWD/munge/seed" 2>munged.err || no_hosts "no Munge: $(tail -1 munged.err)"
  for host in 1 2; do echo "$(address "$host") host$host"; done >names
  echo '127.0.0.1 localhost' >>names
  mount --bind names /etc/hosts
  cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=host1($(address 1))
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$PWD/munge.socket
StateSaveLocation=$PWD/state
SlurmctldPidFile=$PWD/slurmctld.pid
SlurmctldLogFile=$PWD/slurmctld.log
SlurmdPidFile=$PWD/slurmd.%n.pid
SlurmdLogFile=$PWD/slurmd.%n.log
SlurmdSpoolDir=$PWD/spool.%n
TmpFS=$PWD/tmp.%n
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
KillWait=5
MailProg=/bin/true
NodeName=host1 NodeAddr=$(address 1) CPUs=$processors Sockets=1 CoresPerSocket=$processors
NodeName=host2 NodeAddr=$(address 2) CPUs=$processors Sockets=1 CoresPerSocket=$processors
PartitionName=all Nodes=ALL Default=YES State=UP
END
  export SLURM_CONF=$PWD/slurm.conf
  on_node 1 slurmctld || no_hosts "no slurmctld: $(tail -1 slurmctld.log)"
  for host in 1 2; do
    mkdir "spool.host$host" "tmp.host$host"
    on_node "$host" slurmd -N "host$host" || no_hosts "no slurmd: $(tail -1 "slurmd.host$host.log")"
  done
  for ((tries = 0; tries < 300; tries++)); do
    [[ $(on_node 1 sinfo -h -o '%t %D' 2>sinfo.err) == 'idle 2' ]] && return
    sleep 0.1
  done
  no_hosts "Slurm does not start: $(tail -1 sinfo.err; tail -2 slurmctld.log)"
}

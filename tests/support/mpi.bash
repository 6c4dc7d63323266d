# For scripts that test what several ranks do; to be sourced after program.bash.
[[ ${ANACHRON_MPIEXEC-} ]] || {
  echo 'skipped: this build is without MPI'
  exit 77
}

# As root, with fewer cores than ranks, each rank on all of them; and nothing but this machine. The second line is for
# Open MPI 5.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_oob_tcp_if_include=lo OMPI_MCA_btl_tcp_if_include=lo
export OMPI_MCA_btl=self,vader
# Where sockets get their names, which must not be long; and a place that no other test's mpirun clears away.
export TMPDIR=$folder

# ranks STATUS COUNT PROGRAM ARGUMENT...: runs a program as ranks, for 60 s at most; its output is in ./out and ./err.
# STATUS may be `any` error.
ranks() {
  local wanted=$1 count=$2 status=0
  shift 2
  what="$count ranks of ${1##*/} ${*:2}"
  # mpirun ends its ranks when it is told to end.
  timeout -k 10 60 "$ANACHRON_MPIEXEC" -n "$count" "$@" >out 2>err </dev/null || status=$?
  case $wanted in
    any) ((status != 0 && status != 124)) || fail "$what: exit status $status instead of an error" ;;
    *) [[ $status == "$wanted" ]] || fail "$what: exit status $status instead of $wanted" ;;
  esac
}

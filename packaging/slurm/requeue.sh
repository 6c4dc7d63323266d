#!/bin/sh
# A batch job for Slurm that is longer than its time limit: it writes a checkpoint, and Slurm starts it again. See
# docs/how-to/checkpoints.md.
#
#   sbatch -N 16 --cpus-per-task=32 requeue.sh 7.8h my-run anachron run phold --lps 10M --until 1e6
#
#SBATCH --job-name=anachron
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=1
#SBATCH --time=08:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=%x-%j.log

limit=$1 folder=$2
shift 2
if ls "$folder"/checkpoint-* >/dev/null 2>&1; then
  set -- "$1" resume "$folder"
else
  set -- "$@" --checkpoint "$folder"
fi
SRUN_CPUS_PER_TASK=${SLURM_CPUS_PER_TASK:-1}
export SRUN_CPUS_PER_TASK
srun --mpi=pmix --kill-on-bad-exit=1 "$@" --max-wall "$limit"
status=$?
[ $status -ne 75 ] || exec scontrol requeue "$SLURM_JOB_ID"
exit $status

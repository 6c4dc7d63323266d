#!/bin/sh
# A batch job for Slurm: one rank on each node. docs/how-to/slurm.md explains each line.
#
#   sbatch -N 16 --cpus-per-task=32 job.sh anachron run phold --lps 10M --report report.json
#
#SBATCH --job-name=anachron
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --signal=INT@120
#SBATCH --output=%x-%j.log

# From version 22.05 on srun does not take the processors per task from the job.
SRUN_CPUS_PER_TASK=${SLURM_CPUS_PER_TASK:-1}
export SRUN_CPUS_PER_TASK
exec srun --mpi=pmix --kill-on-bad-exit=1 "$@"

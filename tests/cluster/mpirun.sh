#!/bin/sh
# mpirun.sh RANKS PROGRAM [ARGUMENT...]: on this machine, whatever its cores, also as root in a container.
set -eu
ranks=$1
shift
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# What Open MPI takes and others do not.
if mpirun --version 2>/dev/null | grep -q 'Open MPI'; then
  set -- --oversubscribe --mca btl_vader_single_copy_mechanism none "$@"
fi
exec mpirun -n "$ranks" "$@"

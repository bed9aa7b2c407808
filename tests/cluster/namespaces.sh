#!/bin/sh
# namespaces.sh MACHINES RATE DELAY PROGRAM [ARGUMENT...]: one rank on each of so many machines that are none: network
# namespaces with addresses of their own on a bridge, links of RATE (like 1gbit) and DELAY (like 1ms, one way half of it at
# each end). Needs root, ip, tc and Open MPI. Status 77 where that is not to be had.
set -eu
machines=$1 rate=$2 delay=$3
shift 3
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
id=gn$$
bridge=${id}b
leave_out() { echo "namespaces: $*" >&2; exit 77; }
[ "$(id -u)" = 0 ] || leave_out "no root"
for tool in ip tc mpirun unshare; do command -v $tool >/dev/null || leave_out "no $tool"; done
mpirun --version | grep -q 'Open MPI' || leave_out "MPI is not Open MPI"
work=$(mktemp -d)
end() {
  i=0
  while [ $i -lt "$machines" ]; do
    ip netns del "$id-$i" 2>/dev/null || true
    i=$((i + 1))
  done
  ip link del "$bridge" 2>/dev/null || true
  rm -rf "$work"
}
trap end EXIT
trap 'exit 1' INT TERM
ip link add "$bridge" type bridge 2>/dev/null || leave_out "no bridge can be made"
ip link set "$bridge" up
hosts=""
i=0
while [ $i -lt "$machines" ]; do
  ip netns add "$id-$i" 2>/dev/null || leave_out "no network namespace can be made"
  ip link add "${id}v$i" type veth peer name eth0 netns "$id-$i"
  ip link set "${id}v$i" master "$bridge" up
  ip -n "$id-$i" addr add "10.231.7.$((i + 1))/24" dev eth0
  ip -n "$id-$i" link set eth0 up
  ip -n "$id-$i" link set lo up
  # Both ends are limited: what goes out of a machine, and what goes into it.
  for link in "-n $id-$i eth0" "${id}v$i"; do
    dev=${link##* }
    namespace=${link% *}
    [ "$namespace" != "$link" ] || namespace=""
    # shellcheck disable=SC2086
    tc $namespace qdisc add dev "$dev" root netem delay "$delay" rate "$rate" limit 100000 2>/dev/null ||
      tc $namespace qdisc add dev "$dev" root tbf rate "$rate" burst 256kb latency 50ms || leave_out "no limit can be set"
  done
  hosts="$hosts${hosts:+,}10.231.7.$((i + 1)):1"
  i=$((i + 1))
done
# What mpirun takes for ssh: it is given a host and a command.
cat >"$work/agent" <<END
#!/bin/sh
host=\$1
shift
i=\$((\${host##*.} - 1))
exec ip netns exec $id-\$i unshare --uts sh -c "hostname machine\$i; \$*"
END
chmod +x "$work/agent"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ip netns exec "$id-0" unshare --uts sh -c 'hostname machine0; exec "$@"' sh \
  mpirun --mca plm_rsh_agent "$work/agent" --mca oob_tcp_if_include 10.231.7.0/24 --mca btl tcp,self \
  --mca btl_tcp_if_include 10.231.7.0/24 --host "$hosts" --map-by node -n "$machines" ${MPIRUN_OPTIONS:-} "$@"

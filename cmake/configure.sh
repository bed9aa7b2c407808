#!/bin/sh
# configure.sh ROOT [cmake argument...]: configures ROOT/build, with ninja where there is one. Quiet unless it fails; what
# genocl leaves out is said.
set -eu

root=$1
shift
# A build folder keeps the generator it began with.
if [ ! -e "$root/build/CMakeCache.txt" ] && command -v ninja >/dev/null 2>&1; then
  set -- -G Ninja "$@"
fi
mkdir -p "$root/build"
log=$root/build/configure.log
if ! cmake -S "$root" -B "$root/build" "$@" >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
sed -n 's/^-- genocl: /genocl: /p' "$log"

#!/bin/sh
# symbols.sh NM LIBRARY...: the libraries export genocl's public names and nothing else.
set -eu
LC_ALL=C
export LC_ALL
nm=$1
shift

for library in "$@"; do
  names=$("$nm" -D --defined-only "$library" | awk '{ print $NF }')
  count=$(echo "$names" | grep -c '6genocl' || true)
  [ "$count" -gt 20 ] || { echo "symbols: $library exports $count names: too few" >&2; exit 1; }
  # Templates and classes of modules that have no public header, and whatever is not of namespace genocl.
  if echo "$names" | grep -vE '^_Z(T.|GV|Th[^N]*|Tv[^N]*)?NK?6genocl'; then
    echo "symbols: $library exports these, which are not genocl's" >&2
    exit 1
  fi
  if echo "$names" | grep -E '^_Z(T.)?NK?6genocl(7runtime|12_GLOBAL__N_)'; then
    echo "symbols: $library exports these, which are of its inside" >&2
    exit 1
  fi
done

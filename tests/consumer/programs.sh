#!/bin/sh
# programs.sh README SOURCE PROGRAMS: README shows map_reads.cpp of SOURCE, and the programs of SOURCE, built in PROGRAMS,
# print the right results.
set -eu
fail() { echo "consumer: $*" >&2; exit 1; }
expect() {
  program=$1
  "$2/$program" >"$2/$program.out" || fail "$program ends with status $?"
  printf "$3" | diff - "$2/$program.out" >&2 || fail "$program prints something else"
}
awk '/^```cpp$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$1" | diff - "$2/map_reads.cpp" >&2 ||
  fail "README shows another program than examples/consumer/map_reads.cpp"
expect map_reads "$3" '11 1\n'
expect search_proteins "$3" 'kinase\t7=1X18=\t122\t5.36134e-17\n'
expect sort_pairs "$3" '1\n2\n3\n'

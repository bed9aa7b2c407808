#!/bin/sh
# Each OpenCL call of each program fails once: an error in one line and no file, or the output that is right all the same.
# HARD_CALLS: how many calls of each run are tried, spread over the functions (3), or all. HARD_PART: 3/8 tries the third
# of eight parts of them, so that processes can share the work; each wants a WORK of its own.
test_name=calls
. "$(dirname "$0")/common.sh"

# "function n count" of the calls that are tried.
choose() {
  awk -v wanted="${HARD_CALLS:-3}" -v salt="$salt" '/^cl/ && $2 > 0 { name[++names] = $1; count[names] = $2 }
    END {
      if (names == 0) exit # it needs no device
      srand(salt)
      if (wanted == "all") for (i = 1; i <= names; ++i) for (n = 1; n <= count[i]; ++n) print name[i], n, count[i]
      else for (k = 0; k < wanted; ++k) {
        i = 1 + (salt * wanted + k) % names
        print name[i], 1 + int(rand() * count[i]), count[i]
      }
    }' counts | awk -v part="${HARD_PART:-1/1}" 'BEGIN { split(part, of, "/") } NR % of[2] == of[1] % of[2]'
}
chosen_runs '.*' '.*' >list
salt=0
while read -r line <&3; do
  salt=$((salt + 1))
  make_right "$line"
  rm -f counts
  # shellcheck disable=SC2086
  WITH="LD_PRELOAD=$FAIL_CALL GENOCL_FAIL_COUNTS=$work/counts" try $line
  judge "$name: counted"
  [ -s counts ] || fail "$name: no calls were counted"
  choose >chosen # none, where another part has them
  while read -r function n count <&4; do
    # shellcheck disable=SC2086
    WITH="LD_PRELOAD=$FAIL_CALL GENOCL_FAIL=$function:$n" try $line
    judge "$name: $function $n of $count"
  done 4<chosen
done 3<list
finish

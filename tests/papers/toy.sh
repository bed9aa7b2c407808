#!/bin/sh
# One paper at toy size, by the command that prints its tables: every table is there, every answer is right, and a wrong
# argument is an error.
set -eu
paper=$1
work=$WORK/$paper
mkdir -p "$work"
fail() {
  echo "papers/$paper: $*" >&2
  exit 1
}

case $paper in
  000) tables="Table 1|Figure 6|Figure 7|Figure 8|COMPARE by buckets" ;;
  001) tables="Table V |Table VI" ;;
  002) tables="Table I|Figure 6|Section V" ;;
  003) tables="Table I:|Table II|Figure 8|Section V-C" ;;
  004) tables="Table 1|Table 2|Table 3" ;;
esac

figures=
[ "$paper" != 003 ] || ! command -v python3 >/dev/null || figures="--figures $work"
# shellcheck disable=SC2086  # no figure, or an option and a folder
GENOCL_PAPERS=$PAPERS sh "$SOURCE/tests/bench/papers.sh" "$paper" --toy $figures >"$work/out" 2>"$work/err" || {
  cat "$work/out" "$work/err"
  fail "status $?"
}
[ ! -s "$work/err" ] || {
  cat "$work/err"
  fail "messages"
}
echo "$tables" | tr '|' '\n' | while read -r table; do
  grep -q "^### .*$table" "$work/out" || { cat "$work/out"; fail "no table '$table'"; }
done
[ "$(grep -c '| ok |$' "$work/out")" -ge 8 ] || { cat "$work/out"; fail "few rows with an answer"; }
if grep -q 'WRONG\| nan ' "$work/out"; then
  cat "$work/out"
  fail "a wrong answer"
fi
# The numbers of the paper stand next to ours.
case $paper in
  000)
    grep -q '^| m = 20 .*| 9.38 |' "$work/out" && grep -q '^| length .* | slices | slices, 8 | default ' "$work/out"
    ;;
  001) grep -q '^| G1 2^12 .*| 0 | 0 | ok |' "$work/out" ;;
  002) grep -q '^| all .*| 46.7 | ok |' "$work/out" ;;
  003) grep -q '^| paper, human genome | 10,000,000 | 9,994,285 |' "$work/out" ;;
  004) grep -q '^| local .*| 9.2 | ok |' "$work/out" ;;
esac || {
  cat "$work/out"
  fail "the paper's numbers"
}

# A dot and a ring for each point of the curves: three seeds, three numbers of errors, six shifts.
[ -z "$figures" ] || [ "$(grep -c '<circle' "$work/sensitivity.svg")" = 108 ] || fail "the picture of section V-C"

# Tables I and II of a drawn genome, and no other.
if [ "$paper" = 003 ]; then
  GENOCL_PAPERS=$PAPERS sh "$SOURCE/tests/bench/papers.sh" 003 --toy --whole-genome >"$work/whole" || fail "--whole-genome"
  [ "$(grep -c '^### ' "$work/whole")" = 2 ] || { cat "$work/whole"; fail "tables of --whole-genome"; }
  [ "$(grep -c '| ok |$' "$work/whole")" -ge 18 ] || { cat "$work/whole"; fail "rows of --whole-genome"; }
  grep -q '48,000 bases, half of them repeats' "$work/whole" || fail "the genome of --whole-genome"
fi

for arguments in "005" "--data" "--toys" "000 --figures ." "--whole-genome" "003 --whole-genome --genome x"; do
  # shellcheck disable=SC2086  # several arguments
  GENOCL_PAPERS=$PAPERS sh "$SOURCE/tests/bench/papers.sh" $arguments >"$work/bad" 2>&1 && fail "$arguments is accepted"
  grep -q 'papers: error: ' "$work/bad" || { cat "$work/bad"; fail "no message for $arguments"; }
done

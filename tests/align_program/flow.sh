#!/bin/sh
# Many queries: their results are in order whatever batches they came in, and take no more memory than those of few.
test_name=flow
. "$(dirname "$0")/common.sh"

# queries COUNT: one of them after the other, the first ones always the same.
queries() {
  awk -v n="$1" 'BEGIN { srand(3); letters = "ACDEFGHIKLMNPQRSTVWY"
    for (i = 1; i <= n; ++i) { s = ""; for (j = 0; j < 20; ++j) s = s substr(letters, 1 + int(rand() * 20), 1); print ">q" i "\n" s } }'
}
queries 100000 >many.fa
head -n 40000 many.fa >few.fa

# peak OUTPUT ARGUMENT...: the most memory that the program has had, in KB.
peak() {
  output=$1
  shift
  "$PROGRAM" "$@" -o "$output" --quiet 2>said &
  pid=$!
  most=0
  while kill -0 $pid 2>/dev/null; do
    now=$(awk '/^VmHWM/ { print $2 }' /proc/$pid/status 2>/dev/null || true)
    [ -z "$now" ] || most=$now
    sleep 0.02
  done
  wait $pid || { cat said >&2; fail "failed: $*"; }
  echo "$most"
}

few_kb=$(peak few.tsv search few.fa proteins.fa --evalue 1e9 --max-hits 20)
many_kb=$(peak many.tsv search many.fa proteins.fa --evalue 1e9 --max-hits 20)
rows=$(wc -l <few.tsv)
[ "$rows" -gt 350000 ] || fail "$rows rows of 20,000 queries"
head -n "$rows" many.tsv | cmp - few.tsv >&2 || fail "the first queries have other hits among more"
body many.tsv | awk '{ n = substr($1, 2) + 0; if (n < last) exit 1; last = n } END { exit last != 100000 }' ||
  fail "not in the order of the queries"
# Two million hits take 100 MB and more in memory.
[ "$few_kb" -gt 0 ] && [ "$many_kb" -lt $((few_kb + 40000)) ] || fail "$few_kb KB for 20,000 queries, $many_kb KB for 100,000"

# With alignments, in batches of another size.
head -n 6000 many.fa >some.fa
quietly search some.fa proteins.fa --evalue 1e9 --align --max-hsps 1 -o whole.tsv
quietly search some.fa proteins.fa --evalue 1e9 --align --max-hsps 1 --batch-queries 7 -o sevens.tsv
same whole.tsv sevens.tsv
quietly search some.fa proteins.fa --evalue 1e9 --max-hits 1000 -o all.tsv
quietly search some.fa proteins.fa --evalue 1e9 --max-hits 1000 --batch-queries 11 -o elevens.tsv
same all.tsv elevens.tsv

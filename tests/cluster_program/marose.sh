#!/bin/sh
# Reads mapped by ranks: pairs, single reads, tables; what is wrong in a batch that another rank has.
test_name=marose
. "$(dirname "$0")/common.sh"

{ echo ">one"; dna 1 60000; echo ">two"; dna 2 20000; } >genome.fa
"$BIN/genocl-marose" index genome.fa -o genome.mrs --quiet
# Pairs of 100 letters, about 300 apart, every seventh with wrong letters, some from nowhere.
awk -v which=1 'NR == 2 { print }' genome.fa | awk '
  function turn(s,  i, t) { t = ""; for (i = length(s); i > 0; i--) t = t substr("TGCA", index("ACGT", substr(s, i, 1)), 1); return t }
  { srand(9)
    for (i = 0; i < 2000; i++) {
      p = 1 + int(rand() * (length($0) - 400)); d = 250 + int(rand() * 100)
      a = substr($0, p, 100); b = turn(substr($0, p + d - 100, 100))
      if (i % 7 == 0) a = substr(a, 1, 40) "T" substr(a, 42)
      if (i % 50 == 0) { gsub("A", "C", b) }
      q = sprintf("%100s", ""); gsub(" ", "I", q)
      print "@p" i "/1\n" a "\n+\n" q >"reads_1.fq"
      print "@p" i "/2\n" b "\n+\n" q >"reads_2.fq"
    } }'

same genocl-marose map genome.mrs reads_1.fq reads_2.fq --batch-reads 300
RANKS="2 3" same genocl-marose map genome.mrs reads_1.fq --batch-reads 100 --format tsv
RANKS=2 same genocl-marose map genome.mrs -1 reads_1.fq -2 reads_2.fq -U reads_2.fq --batch-reads 500 --clip
RANKS=3 same genocl-marose map genome.fa reads_1.fq reads_2.fq --batch-reads 250 --report all
cat reads_1.fq | on 2 genocl-marose map genome.mrs - --batch-reads 100 --format tsv --quiet >mpi.out
"$BIN/genocl-marose" map genome.mrs reads_1.fq --format tsv --quiet >plain.out
cmp plain.out mpi.out || fail "standard input"
"$BIN/genocl-marose" map genome.mrs reads_1.fq reads_2.fq --quiet --sort -o plain.bam
on 3 genocl-marose map genome.mrs reads_1.fq reads_2.fq --quiet --sort --batch-reads 300 -o mpi.bam
if command -v samtools >/dev/null; then
  samtools view plain.bam >plain.out
  samtools view mpi.bam >mpi.out
  cmp plain.out mpi.out || fail "sorted"
fi

sed '6000s/.*/ACGT!/' reads_1.fq >wrong.fq
wrong "wrong.fq:" 3 genocl-marose map genome.mrs wrong.fq --batch-reads 100 -o out
wrong "missing.mrs" 2 genocl-marose map missing.mrs reads_1.fq -o out

# Ranks find the reads of plain files and of bgzip by their places; other files are told apart by each.
awk '{ printf "%s\r\n", $0 }' reads_1.fq >windows.fq
head -c $(($(wc -c <reads_1.fq) - 1)) reads_1.fq >no_end.fq
awk 'NR % 4 == 2 { print substr($0, 1, 37); print substr($0, 38); next } NR % 4 == 0 { print substr($0, 1, 90); print substr($0, 91); next } { print }' \
  reads_1.fq >lines.fq
for reads in windows.fq no_end.fq lines.fq "reads_1.fq no_end.fq"; do
  # shellcheck disable=SC2086
  RANKS=3 same genocl-marose map genome.mrs $reads --batch-reads 137 --format tsv
done
gzip -c reads_1.fq >one.fq.gz
RANKS=2 same genocl-marose map genome.mrs one.fq.gz reads_2.fq --batch-reads 137 --format tsv
"$MAKE_BGZIP" <reads_1.fq >reads_1.fq.gz
"$MAKE_BGZIP" <reads_2.fq >reads_2.fq.gz
{ head -n 3000 reads_1.fq | "$MAKE_BGZIP"; sed 1,3000d reads_1.fq | "$MAKE_BGZIP"; } >both.fq.gz
RANKS=2 same genocl-marose map genome.mrs reads_1.fq.gz reads_2.fq.gz --batch-reads 137 --format tsv
RANKS=3 same genocl-marose map genome.mrs both.fq.gz reads_2.fq --batch-reads 137 --format tsv
head -c 30000 reads_1.fq.gz >cut.fq.gz
wrong "cut.fq.gz:.* cut off" 2 genocl-marose map genome.mrs cut.fq.gz --batch-reads 100 -o out
# Odd reads and contigs: the same warnings, each once.
awk 'NR % 400 == 2 { sub(/.....$/, "N.-RY") } NR % 400 == 201 { $0 = $0 "@x" } { print }' reads_1.fq >odd.fq
sed 's/^>[^ ]*/&(x)/' genome.fa >odd.fa
RANKS=3 same genocl-marose map odd.fa odd.fq --batch-reads 137
"$BIN/genocl-marose" map odd.fa odd.fq --batch-reads 137 --quiet 2>plain.err >plain.out
[ "$(grep -c 'record 1 (.*is read as N$' plain.err)" = 1 ] || { cat plain.err; fail "warnings"; }
cmp plain.err mpi.err || fail "ranks have other warnings"
awk '{ line[NR % 4] = $0 } NR % 4 == 0 { for (i = 1; i <= 4; ++i) print line[i % 4]; if (NR % 28) { getline other <"reads_2.fq"; for (i = 2; i <= 5; ++i) { print other; if (i < 5) getline other <"reads_2.fq" } } else for (i = 0; i < 4; ++i) getline other <"reads_2.fq" }' reads_1.fq >mixed.fq
RANKS=3 same genocl-marose map genome.mrs mixed.fq -p --batch-reads 137
printf '@short\nACGT\n+\nIIII\n' >short.fq
RANKS=3 same genocl-marose map genome.mrs -U short.fq,reads_1.fq,lines.fq --batch-reads 1000 --format tsv
head -n 7999 reads_1.fq >cut.fq
wrong "cut.fq:record 2000" 3 genocl-marose map genome.mrs cut.fq --batch-reads 100 -o out
head -n 7996 reads_2.fq >fewer.fq
wrong "fewer.fq: ends after 1999 records" 2 genocl-marose map genome.mrs reads_1.fq fewer.fq -o out

# A regular file is written by all ranks, block by block; what is left behind it is nothing.
for output in out.sam out.bam out.tsv; do
  "$BIN/genocl-marose" map genome.mrs reads_1.fq reads_2.fq --batch-reads 150 --quiet -o "plain_$output"
  on 3 genocl-marose map genome.mrs reads_1.fq reads_2.fq --batch-reads 150 --quiet -o "mpi_$output"
  case $output in
    # The command line is in the header, and not the same.
    *.sam) grep -v '^@PG' "plain_$output" >plain.out; grep -v '^@PG' "mpi_$output" >mpi.out ;;
    *.bam) command -v samtools >/dev/null || continue; samtools view "plain_$output" >plain.out; samtools view "mpi_$output" >mpi.out ;;
    *) cp "plain_$output" plain.out; cp "mpi_$output" mpi.out ;;
  esac
  cmp plain.out mpi.out || fail "$output"
done
on 2 genocl-marose map genome.mrs -1 reads_1.fq -2 reads_2.fq -U reads_2.fq --batch-reads 150 --quiet -o both.tsv
"$BIN/genocl-marose" map genome.mrs -1 reads_1.fq -2 reads_2.fq -U reads_2.fq --quiet --format tsv >plain.out
cmp plain.out both.tsv || fail "pairs and single reads in a file"
on 2 genocl-marose map genome.mrs reads_1.fq --quiet --format tsv -o /dev/null
[ -c /dev/null ] || fail "/dev/null"
left=$(find . -name '.*' -type f)
[ -z "$left" ] || fail "left behind: $left"

#!/bin/sh
# Very many of everything: a FASTA with HARD_RECORDS (20,000) records through each program that reads one, a read that matches in
# each of them, a query for each hundredth of them. All records begin with the same 60 letters and end with their own number in
# bases, so that each answer is known. Shows the seconds and the peak of the resident memory of each run.
test_name=many
. "$(dirname "$0")/common.sh"

records=${HARD_RECORDS:-20000}
queries=$((records / 100))
# A read is capped beyond 2^20 places, which a warning says.
places=$records
[ $places -le 1048576 ] || places=1048576
unit=GATTACATTGCCGAGCTTAACGGTCATCCTAGGATCTTTGACCATAAGCTCGTACCGATT
awk -v records="$records" -v queries=$queries -v unit=$unit '
  # The letters of a number: 16 digits in base 4, each followed by the letter after it, so that no two letters are alike.
  function letters(n,  text, i, d) {
    text = ""
    for (i = 0; i < 16; ++i) { d = n % 4; n = int(n / 4); text = substr("ACGT", d + 1, 1) substr("CGTA", d + 1, 1) text }
    return text
  }
  BEGIN {
    for (i = 0; i < records; ++i) {
      printf ">r%d\n%s%s\n", i, unit, letters(i) > "records.fa"
      if (i % 100 == 0 && i / 100 < queries) printf ">q%d\n%s%s\n", i, unit, letters(i) > "queries.fa"
    }
    last = records - 1
    printf ">last\n%s%s\n", unit, letters(last) > "last.fa"
    printf ">end\n%s\n", letters(last) > "end.fa"
    printf "@first\n%s\n+\n%s\n@last\n%s\n+\n%s\n", substr(unit letters(0), 33), q(60), substr(unit letters(last), 33), q(60) > "ends.fq"
    printf "@everywhere\n%s\n+\n%s\n", substr(unit, 1, 50), q(50) > "everywhere.fq"
    printf ">unit\n%s\n", unit > "unit.fa"
    # A motif that stands in each record once.
    print ">M1" > "motif.jaspar"
    for (x = 1; x <= 4; ++x) {
      row = ""
      for (i = 20; i < 36; ++i) row = row " " (substr(unit, i, 1) == substr("ACGT", x, 1) ? 100 : 0)
      print substr("ACGT", x, 1) " [" row " ]" > "motif.jaspar"
    }
  }
  function q(n,  text) { text = ""; while (n-- > 0) text = text "I"; return text }'

# run NAME PROGRAM ARGUMENT...: what it writes is in `out`.
run() {
  name=$1
  shift
  rm -f out
  watched "$@"
  runs=$((runs + 1))
  if [ $got = 0 ]; then right=$((right + 1)); else fault "$name: status $got"; fi
  echo "$name: $records records in $took ms, $((most / 1024)) MiB"
}
# holds NAME WANTED FOUND
holds() { [ "$2" = "$3" ] || fault "$1: $2 were expected, and there are $3"; }

run "pwm scan" genocl-pwm scan motif.jaspar records.fa -p 1e-7 --format bed -o out
holds "pwm scan" "$records r$((records - 1))" "$(grep -c "	+" out) $(tail -n 1 out | cut -f 1)"
run "pwm scan --format counts" genocl-pwm scan motif.jaspar records.fa -p 1e-7 --format counts -o out
run "overlap index" genocl-overlap index records.fa -o records.sfx
run "overlap find" genocl-overlap find records.sfx end.fa -o out
holds "overlap find" "end r$((records - 1))" "$(tail -n 1 out | cut -f 1,2 | tr '\t' ' ')"
run "overlap find --count" genocl-overlap find records.sfx unit.fa --count -o out
holds "overlap find --count" "$records" "$(tail -n 1 out | awk '{ print $NF }')"
rm -f records.sfx
run "overlap mem" genocl-overlap mem unit.fa records.fa -l 60 -o out
holds "overlap mem" "$records" "$(grep -vc '^>' out)"
run "align makedb" genocl-align makedb --dna records.fa -o records.gdb
run "align search" genocl-align search --dna last.fa records.gdb --strand plus --max-hits 1 --mask none -o out
holds "align search" "r$((records - 1))" "$(tail -n 1 out | cut -f 2)"
rm -f records.gdb
run "align search, $queries queries" genocl-align search --dna queries.fa queries.fa --strand plus --max-hits 1 --mask none -o out
holds "align search, $queries queries" "$queries $queries" "$(grep -c '^q[0-9]' out) $(awk '$1 == $2' out | grep -c '^q[0-9]')"
run "marose index" genocl-marose index records.fa -o records.mrs
run "marose map" genocl-marose map records.mrs ends.fq -e 0 --format tsv -o out
holds "marose map" "r0 r$((records - 1))" "$(grep -v '^#' out | grep -E '^(first|last)' | cut -f 2 | tr '\n' ' ' | sed 's/ $//')"
run "marose map, all hits" genocl-marose map records.mrs everywhere.fq -e 0 --report all --format tsv -o out
holds "marose map, all hits" "$places" "$(grep -c '^everywhere' out)"
holds "marose map, capped reads" $((records > places)) "$(grep -c 'too many places' said)"
run "marose map, best hits" genocl-marose map records.mrs everywhere.fq -e 2 --format sam -o out
holds "marose map, best hits" 1 "$(grep -c '^everywhere' out)"
run "marose map, all hits, sorted" genocl-marose map records.mrs everywhere.fq -e 0 --report all --sort --format sam -o out
holds "marose map, all hits, sorted" "$places" "$(grep -c '^everywhere' out)"
finish

#!/bin/sh
# Odd reads of real files: they are repaired or left unmapped, with one warning of each kind and a count; --strict refuses them.
test_name=odd_reads
. "$(dirname "$0")/common.sh"

quietly index ref.fa -o ref.mrs -e 5
options="-e 3 --hamming"
# The records of the reads as they are, for comparison. Their names begin with s and p, the number, and a colon.
# shellcheck disable=SC2086
quietly map ref.mrs single_40.fq $options -o plain.sam
[ ! -s said ] || { cat said; fail "warnings about good reads"; }
quietly map ref.mrs pairs_1.fq pairs_2.fq -e 5 -o pairs.sam
[ ! -s said ] || { cat said; fail "warnings about good pairs"; }
# odd FILE FIRST COUNT STRICT: map FILE gives a warning FIRST, at the end COUNT, and with --strict the error STRICT. Extra options: $more.
more=
odd() {
  # shellcheck disable=SC2086
  expect 1 "$1:$4" map ref.mrs "$1" $options $more --strict -o strict.sam
  [ ! -e strict.sam ] || fail "an output in spite of --strict"
  # shellcheck disable=SC2086
  for output in odd.sam odd.bam; do quietly map ref.mrs "$1" $options $more -o $output; quickcheck $output; done
  warned 1 "$1:$2"
  warned 1 "$3"
}

# Letters that are no bases: the records are those of the same reads with N. Any place, any record, Windows line ends, compression.
letters='FNR % 4 == 2 && FNR > 8 && FNR < 60 { n = FNR % 37 + 1; $0 = substr($0, 1, n - 1) substr(letters, int(FNR / 4) % length(letters) + 1, 1) substr($0, n + 1) } { print }'
awk -v letters=N "$letters" single_40.fq >n.fq
quietly map ref.mrs n.fq -e 3 --hamming -o n.sam
quietly map ref.mrs n.fq -e 5 -o nn.sam
for set in '.-*RyJ3' 'k'; do
  awk -v "letters=$set" "$letters" single_40.fq >letters.fq
  odd letters.fq "record 3 (s2:" "13 reads with letters other than A, C, G, T, U and N, read as N" "record 3 (s2:"
  grep -q "letter 11: '[*k]' is read as N" said || { cat said; fail "the letter"; }
  records odd.sam >odd && records n.sam | cmp - odd || fail "'$set' is not read as N"
  well_made odd.sam n.fq
  sed 's/$/\r/' letters.fq | gzip >windows.fq.gz
  quietly map ref.mrs windows.fq.gz -e 5 --batch-reads 10 -o odd.sam
  warned 1 "13 reads with letters"
  records odd.sam >odd && records nn.sam | cmp - odd || fail "'$set' is not read as N in batches"
done
printf '@a\nAC\001T\n+\nIIII\n' >control.fq
expect 1 "control.fq:record 1 (a), letter 3: binary" map ref.mrs control.fq -e 1 -o strict.sam

# '+' lines that name another read, blank lines inside records.
awk 'FNR % 4 == 3 && FNR > 20 { $0 = "+old" FNR } { print }' single_40.fq >plus.fq
odd plus.fq "record 6 (s5:" "595 reads with a '+' line that names another read" "record 6 (s5:"
warned 1 "99.2% of the reads were repaired or are too long"
records odd.sam >odd && records plain.sam | cmp - odd || fail "'+' lines change records"
for end in '' '\r'; do
  awk -v "end=$end" '{ print $0 end; if (FNR < 100 || FNR % 7 == 0) print end }' single_40.fq >blank.fq
  # shellcheck disable=SC2086
  quietly map ref.mrs blank.fq $options -o odd.sam
  records odd.sam >odd && records plain.sam | cmp - odd || fail "blank lines change records"
done
expect 1 "blank.fq:record 1 (s0:" map ref.mrs blank.fq -e 3 --strict -o strict.sam
# Always an error: qualities of another length.
awk 'FNR == 12 { $0 = $0 "I" } { print }' single_40.fq >longer.fq
expect 1 "longer.fq:record 3 (s2:" map ref.mrs longer.fq -e 3 -o strict.sam

# Phred+64.
awk 'BEGIN { for (i = 33; i < 127; ++i) code[sprintf("%c", i)] = i }
  FNR % 4 == 0 { t = ""; for (i = 1; i <= length($0); ++i) t = t sprintf("%c", code[substr($0, i, 1)] + 31); $0 = t } { print }' single_40.fq >p64.fq
# shellcheck disable=SC2086
quietly map ref.mrs p64.fq $options --phred64 -o odd.sam
[ ! -s said ] || { cat said; fail "warnings about --phred64"; }
records odd.sam >odd && records plain.sam | cmp - odd || fail "--phred64"
quietly map ref.mrs p64.fq -e 3 --batch-reads 50 -o odd.sam
warned 1 "p64.fq: no quality character below '@' and some above 'J'"
quietly map ref.mrs -U single_40.fq,p64.fq,single_40.fq -e 3 -o odd.sam
warned 1 "p64.fq: no quality character below '@'"
{ cat single_40.fq; cat p64.fq; } >both.fq
quietly map ref.mrs both.fq -e 3 -o odd.sam
[ ! -s said ] || { cat said; fail "a warning about qualities on both sides"; }
expect 1 "single_40.fq:record 1 (s0:" map ref.mrs single_40.fq -e 3 --phred64 -o strict.sam

# Reads that are empty, too short or too long. An empty file, an empty lane.
awk 'FNR % 4 == 2 || FNR % 4 == 0 { if (FNR > 4 && FNR < 9) $0 = ""; else if (FNR > 12 && FNR < 17) $0 = substr($0, 1, 5)
  else if (FNR > 20 && FNR < 25) while (length($0) < 1001) $0 = $0 substr($0, 1, 40) } { print }' single_40.fq >len.fq
more=-C
odd len.fq "record 6 (s5:" "1 read longer than 1,000 bases, written unmapped" "record 2 (s1:"
more=
warned 1 "2 reads too short for any plan of this index, written unmapped"
well_made odd.sam len.fq
[ "$(records odd.sam | awk -F'\t' '$1 ~ /^s[135]:/ { print $2, length($10), length($11), $12 }' | tr '\n' ';')" = "4 1 1 YF:Z:LN;4 5 5 YF:Z:LN;4 1040 1040 YF:Z:LN;" ] ||
  fail "empty, short and long reads"
records odd.sam | grep -v '^s[135]:' >odd && records plain.sam | grep -v '^s[135]:' | cmp - odd || fail "records beside odd lengths"
for i in 1 2; do awk -v i=$i 'FNR % 4 == 2 || FNR % 4 == 0 { if (FNR > 4 * i && FNR < 4 * i + 5) $0 = ""; if (FNR > 12 && FNR < 17) while (length($0) < 1500) $0 = $0 $0 } { print }' pairs_$i.fq >len_$i.fq; done
quietly map ref.mrs len_1.fq len_2.fq -e 5 -o odd.sam
quickcheck odd.sam
well_made odd.sam len_1.fq len_2.fq
[ "$(records odd.sam | awk -F'\t' '$1 ~ /^p[123]:/ { print $2 }' | tr '\n' ' ')" = "69 153 89 165 77 141 " ] ||
[ "$(records odd.sam | awk -F'\t' '$1 ~ /^p[123]:/ { print int($2 / 4) % 2 int($2 / 8) % 2 }' | tr '\n' ' ')" = "10 01 01 10 11 11 " ] || fail "flags of empty and long mates"
: >empty.fq
gzip -c empty.fq >empty.fq.gz
printf '\n' >newline.fq
for file in empty.fq empty.fq.gz newline.fq; do
  for format in sam bam; do
    quietly map ref.mrs $file -e 3 -o none.$format
    quickcheck none.$format
  done
  [ "$(grep -c '^@SQ' none.sam)" = 3 ] && [ -z "$(records none.sam)" ] || fail "a header alone for $file"
  quietly map ref.mrs $file $file -e 3 -o none.sam
  quietly map ref.mrs $file -p -e 3 -o none.sam
  quietly map ref.fa - -e 3 -o none.sam <$file
  expect 1 "$file: ends after 0 records; expected a mate of record 1 (p0:" map ref.mrs pairs_1.fq $file -e 3 -o strict.sam
  quietly map ref.mrs -1 $file,pairs_1.fq,$file -2 $file,pairs_2.fq,$file -U $file,$file -e 5 -o lanes.sam
  records lanes.sam >odd && records pairs.sam | cmp - odd || fail "empty lanes"
done

# Names: letters that SAM does not allow, and lengths.
long=$(printf '%0250d' 7)
awk -v long="$long" 'FNR == 5 { $0 = "@a@b" $0 } FNR == 9 { $0 = "@caf\303\251" } FNR == 13 { $0 = "@" long "1234/1" } FNR == 17 { $0 = "@" long "12345/1 BC:Z:x" } { print }' single_40.fq >names.fq
odd names.fq "record 2 (a@b" "2 reads with name characters that SAM does not allow, written as '_'" "record 2 (a@b"
warned 1 "1 read with a name above 254 bytes, cut"
records odd.sam | head -5 | tail -4 | cut -f1 >odd
{ sed -n 5p single_40.fq | sed 's/@/a_b_/'; echo caf__; echo "${long}1234"; echo "${long}1234"; } | cmp - odd || fail "names"
records odd.sam | cut -f2- >odd && records plain.sam | cut -f2- | cmp - odd || fail "names change records"
# A single read's /1 is no part of its name, as for bwa.
awk 'FNR % 4 == 1 { $0 = $0 "/" (FNR % 3) } { print }' single_40.fq >slash.fq
# shellcheck disable=SC2086
quietly map ref.mrs slash.fq $options -o odd.sam
records odd.sam >odd && records plain.sam | cmp - odd || fail "/1 in QNAME"

# Read groups.
for group in 'ID:a\tSM:b' '@RG\tID:a\tSM:b' '@RG\tSM:b\tID:a\tPL:ILLUMINA' 'SM:b\tID:a'; do
  quietly map ref.mrs single_40.fq -e 3 -R "$group" -o odd.sam
  quickcheck odd.sam
  [ "$(records odd.sam | grep -c 'RG:Z:a$')" = 600 ] || fail "-R $group"
  # shellcheck disable=SC2059
  printf "@RG\t$(printf %s "$group" | sed 's/^@RG.t//')\n" | grep -qxFf - odd.sam || fail "@RG of $group"
  quietly map ref.mrs single_40.fq -e 3 -R "$group" -o odd.cram
  quickcheck odd.cram
done
for group in '@RG\tID:a\tID:b' 'ID:a\tSM:x\tSM:y' 'SM:x' 'ID:' 'ID:a\t' 'ID:a\tSM' '@RG' 'ID:a\\nSM:b'"$(printf '\033')"; do
  expect 1 "error: -R: " map ref.mrs single_40.fq -e 3 -R "$group" -o strict.sam
done
[ ! -e strict.sam ] || fail "an output in spite of an error"

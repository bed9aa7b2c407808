#!/bin/sh
# check_sam accepts correct records and reports each planted fault under the name of its check.
set -eu
LC_ALL=C
export LC_ALL
rm -rf "$WORK/check_sam"
mkdir -p "$WORK/check_sam"
cd "$WORK/check_sam"
fail() { echo "check_sam: $*" >&2; exit 1; }

# Five pairs: with a substitution and a deletion; with an unmapped mate; unmapped; with a supplementary record; over ambiguous bases,
# with a secondary record.
awk '
  function letters(count, text) { for (; count > 0; --count) { state = state * 16807 % 2147483647; text = text substr("ACGT", state % 4 + 1, 1) } return text }
  function turned(text,   i, result) { for (i = length(text); i > 0; --i) result = result complement[substr(text, i, 1)]; return result }
  function backwards(text,   i, result) { for (i = length(text); i > 0; --i) result = result substr(text, i, 1); return result }
  function other(letter) { return letter == "A" ? "C" : "A" }
  function put(text, at, letter) { return substr(text, 1, at - 1) letter substr(text, at + length(letter)) }
  function record(name, flag, place, mapq, cigar, mate, tlen, read, tags,   turn) {
    turn = int(flag / 16) % 2
    print name, flag, place, mapq, cigar, mate, tlen, (turn ? turned(read) : read), (turn ? backwards(quality) : quality) tags > "right.sam"
  }
  function reads(name, first, second) {
    print "@" name "/1 a comment\n" first "\n+\n" quality > "reads_1.fq"
    print "@" name "/2\n" second "\n+\n" quality > "reads_2.fq"
  }
  BEGIN {
    OFS = "\t"; state = 7
    split("A C G T N R", from, " "); split("T G C A N Y", to, " "); for (i in from) complement[from[i]] = to[i]
    quality = "##########IIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIII"
    a = put(put(letters(600), 300, "N"), 310, "R")
    b = put(letters(300), 101, substr(a, 291, 50))
    print ">a of a test\n" substr(a, 1, 319) tolower(substr(a, 320, 10)) substr(a, 330) "\n>b\n" b > "ref.fa"
    print "@HD\tVN:1.6\n@SQ\tSN:a\tLN:600\n@SQ\tSN:b\tLN:300" > "right.sam"

    first = put(substr(a, 11, 50), 21, other(substr(a, 31, 1)))
    second = turned(substr(a, 101, 20) substr(a, 123, 28) other(substr(a, 151, 1)) other(substr(a, 152, 1)))
    reads("p1", first, second)
    record("p1", 99, "a\t11", 60, "50M", "=\t101", 140, first, "\tNM:i:1\tMD:Z:20" substr(a, 31, 1) "29\tAS:i:90\tMC:Z:20M2D28M2S\tMQ:i:50\tms:i:1600")
    record("p1", 147, "a\t101", 50, "20M2D28M2S", "=\t11", -140, second, "\tNM:i:2\tMD:Z:20^" substr(a, 121, 2) "28\tAS:i:80\tMC:Z:50M\tMQ:i:60\tms:i:1600")

    first = turned(substr(a, 201, 25) other(substr(a, 226, 1)) substr(a, 226, 24)); second = letters(50)
    reads("p2", first, second)
    record("p2", 89, "a\t201", 60, "25M1I24M", "=\t201", 0, first, "\tNM:i:1\tMD:Z:49\tAS:i:84")
    record("p2", 165, "a\t201", 0, "*", "=\t201", 0, second, "\tMC:Z:25M1I24M\tMQ:i:60\tms:i:1600")

    first = letters(50); second = letters(50)
    reads("p3", first, second)
    record("p3", 77, "*\t0", 0, "*", "*\t0", 0, first)
    record("p3", 141, "*\t0", 0, "*", "*\t0", 0, second)

    first = substr(a, 401, 30) turned(substr(b, 51, 20)); second = turned(substr(a, 471, 50))
    reads("p4", first, second)
    mate = "\tMC:Z:50M\tMQ:i:60\tms:i:1600"
    record("p4", 99, "a\t401", 40, "30M20S", "=\t471", 120, first, "\tNM:i:0\tMD:Z:30\tAS:i:60\tSA:Z:b,51,-,20M30S,7,0;" mate)
    print "p4", 2161, "b\t51", 7, "20M30H", "a\t471", 0, substr(b, 51, 20), substr(backwards(quality), 1, 20), "NM:i:0\tMD:Z:20\tAS:i:40\tSA:Z:a,401,+,30M20S,40,0;" mate > "right.sam"
    record("p4", 147, "a\t471", 60, "50M", "=\t401", -120, second, "\tNM:i:0\tMD:Z:50\tAS:i:100\tMC:Z:30M20S\tMQ:i:40\tms:i:1600")

    first = substr(a, 291, 50); second = turned(put(substr(a, 351, 50), 21, other(substr(a, 371, 1))))
    reads("p5", first, second)
    mate = "\tMC:Z:20=1X29=\tMQ:i:60\tms:i:1600"
    tags = "\tNM:i:1\tMD:Z:9N40\tAS:i:94\tNH:i:2\tHI:i:"
    record("p5", 99, "a\t291", 3, "50M", "=\t351", 110, first, tags "1\tXA:Z:b,+101,50M,1;" mate)
    print "p5", 353, "b\t101", 0, "50M", "a\t351", 0, "*", "*" tags "2" mate > "right.sam"
    record("p5", 147, "a\t351", 60, "20=1X29=", "=\t291", -110, second, "\tNM:i:1\tMD:Z:20" substr(a, 371, 1) "29\tAS:i:90\tMC:Z:50M\tMQ:i:3\tms:i:1600")
  }'
check() { "$CHECK_SAM" --scoring 2,8,12,2,24,1,1 --require NM,MD,AS,MC,MQ,ms "$@" ref.fa planted.sam reads_1.fq reads_2.fq; }
cp right.sam planted.sam
check >said || { cat said; fail "faults of right records"; }
[ "$(cat said)" = "12 records, 0 faults" ] || fail "$(cat said)"
# Compressed, interleaved, from standard input, in any order.
gzip -c reads_1.fq >first.fq.gz
"$CHECK_SAM" ref.fa - first.fq.gz reads_2.fq <right.sam >said || fail "compressed reads: $(cat said)"
awk 'FNR == NR { line[FNR] = $0; next } { mate[FNR] = $0 }
    END { for (i = 1; i in line; i += 4) { for (k = 0; k < 4; ++k) print line[i + k]; for (k = 0; k < 4; ++k) print mate[i + k] } }' reads_1.fq reads_2.fq >both.fq
"$CHECK_SAM" -p ref.fa right.sam both.fq >said || fail "interleaved reads: $(cat said)"
{ grep '^@' right.sam; grep -v '^@' right.sam | sort -r; } >planted.sam
if check >said; then fail "another order is not reported"; fi
grep '^@' right.sam >header
{ cat header; grep -v '^@' right.sam | sort -k2,2n; } >planted.sam
check --unsorted-ok >said || fail "any order: $(cat said)"
sed '1s/$/\tSO:coordinate/' planted.sam >sorted.sam
if "$CHECK_SAM" --unsorted-ok ref.fa sorted.sam reads_1.fq reads_2.fq >said; then fail "records out of order in a sorted file"; fi

# Without the records of unmapped reads, mates and templates are missing.
awk '/^@/ || int($2 / 4) % 2 == 0' right.sam >planted.sam
check --missing-ok >said || fail "--missing-ok: $(cat said)"
if check >said; then fail "reads without records are not reported"; fi

# planted CHECK NAME FLAG FIELD WANTED REPLACEMENT: the field of that record is changed, and check reports it.
faults=0
reported() { # CHECK WHAT
  faults=$((faults + 1))
  if check >said; then fail "not reported: $2"; fi
  grep -q ": $1: expected" said || { cat said; fail "not reported as $1: $2"; }
}
planted() {
  awk -F'\t' -v OFS='\t' -v name="$2" -v flag="$3" -v field="$4" -v wanted="$5" -v replacement="$6" '
    $1 == name && $2 == flag { for (i = field < 12 ? field : 12; i <= (field < 12 ? field : NF); ++i) if (sub(wanted, replacement, $i)) ++changed } { print }
    END { exit changed != 1 }' right.sam >planted.sam || fail "cannot plant: $*"
  reported "$1" "$*"
}
tag=12
planted nm p1 99 $tag 'NM:i:1' 'NM:i:2'
planted nm p5 99 $tag 'NM:i:1' 'NM:i:0'
planted md p1 147 $tag '28$' '27'
planted md p5 353 $tag 'MD:Z:9N40' 'MD:Z:50'
planted as p1 147 $tag 'AS:i:80' 'AS:i:82'
planted as p4 2161 $tag 'AS:i:40' 'XS:i:40'
planted tlen p1 99 9 140 139
planted tlen p1 147 9 -140 140
planted tlen p2 89 9 0 50
planted mate p1 99 8 101 100
planted mate p1 99 7 = b
planted mate p1 99 2 99 67
planted mate p2 89 2 89 81
planted mate p2 165 2 165 133
planted other-mate p4 2161 8 471 401
planted mc p1 99 $tag 'MC:Z:20M2D28M2S' 'MC:Z:50M'
planted mc p2 165 $tag 'MC:Z:25M1I24M' 'MC:Z:*'
planted mc-clips p4 147 $tag 'MC:Z:30M20S' 'MC:Z:30M20H'
planted mq p4 147 $tag 'MQ:i:40' 'MQ:i:60'
planted ms p2 165 $tag 'ms:i:1600' 'ms:i:1620'
planted tags p1 99 $tag 'ms:i:1600' 'zs:i:1600'
planted tags p4 99 $tag 'MD:Z:30' 'ZD:Z:30'
planted tags p4 99 $tag 'AS:i:60' 'NM:i:60'
planted cigar p1 99 6 50M 49M
planted cigar p1 99 6 50M 25M25M
planted cigar p1 99 6 50M '*'
planted cigar p2 89 6 25M1I24M 25M1I0D24M
planted cigar p2 89 6 25M1I24M 1I49M
planted cigar p2 89 6 25M1I24M 49M1I
planted cigar p1 147 6 20M2D28M2S 48M2D2S
planted cigar p1 147 6 20M2D28M2S 20M28S2M
planted cigar p4 99 6 30M20S 30M20H
planted cigar p3 77 6 '[*]' 50M
planted position p1 99 4 11 590
planted position p1 99 3 a c
planted position p2 165 4 201 202
planted position p3 141 3 '[*]' a
planted sequence p1 99 10 '^....' NNNN
planted sequence p1 147 11 '^II' '##'
planted sequence p4 2161 10 '.$' ''
planted sequence p5 99 10 '^.*' '*'
planted flags p1 99 2 99 98
planted flags p1 147 2 147 145
planted flags p3 77 2 77 79
planted flags p4 2161 2 2161 2417
planted primary p4 2161 2 2161 113
planted primary p1 99 2 99 355
planted sa p4 99 $tag 'SA:Z:' 'ZA:Z:'
planted sa p4 99 $tag ',-,20M' ',+,20M'
planted sa p4 2161 $tag '40,0;' '41,0;'
planted sa p4 147 $tag 'NM:i:0' 'NM:i:0\tSA:Z:a,401,+,30M20S,40,0;'
planted nh p5 99 $tag 'NH:i:2' 'NH:i:3'
planted nh p5 353 $tag 'HI:i:2' 'HI:i:1'
planted letters p5 147 6 '20=1X29=' '21=29='
planted letters p5 147 6 '20=1X29=' '19=2X29='
planted mapq p1 99 5 60 255
planted mapq p3 77 5 0 1
planted xa p5 99 $tag '50M,1' '50M,0'
planted xa p5 99 $tag '50M,1' '49M,1'

# plant CHECK COMMAND...: a filter changes the file.
plant() {
  check_name=$1
  shift
  "$@" <right.sam >planted.sam
  reported "$check_name" "$*"
}
plant header sed 's/LN:600/LN:601/'
plant header sed '/SN:b/d'
plant header sed 's/SN:b/SN:c/'
plant header awk '/^@HD/ { hd = $0; next } { print } /^p1/ && hd != "" { print hd; hd = "" }'
plant order grep -v '^p3'
plant order awk '/^p1/ { held = held $0 "\n"; next } { print } /^p2/ { printf "%s", held; held = "" }'
plant order awk '{ print } /^p5/ { line = $0 } END { sub(/^p5/, "p6", line); print line }'
plant primary awk '$2 != 165'
plant order sed 's/^p2/q2/'
# Violations of a skipped check are counted.
sed 's/NM:i:1/NM:i:2/' right.sam >planted.sam
check --skip nm,xa,sa >said || { cat said; fail "--skip"; }
grep -q 'skipped: 5 of nm' said || { cat said; fail "what was skipped"; }
awk 'BEGIN { for (i = 0; i < 30; ++i) print "@r" i "\nACGT\n+\nIIII" }' >many.fq
if "$CHECK_SAM" ref.fa header many.fq >said; then fail "reads without records"; fi
[ "$(wc -l <said)" = 21 ] && grep -q '^0 records, 30 faults$' said || { cat said; fail "20 faults and the summary"; }

# samtools has the same tags.
if command -v samtools >/dev/null; then
  grep -v '^p5	353' right.sam | sed 's/NM:i:[0-9]*/NM:i:77/; s/MD:Z:[^	]*/MD:Z:7/' >planted.sam
  samtools calmd planted.sam ref.fa 2>/dev/null | grep -v '^@PG' >calmd.sam
  "$CHECK_SAM" --skip nh ref.fa calmd.sam reads_1.fq reads_2.fq >said || { cat said; fail "NM and MD of samtools calmd"; }
  sed 's/	M[CQ]:.:[^	]*//g; s/	ms:i:[0-9]*//' right.sam | awk '/^@/ || $2 < 256' | samtools fixmate -m - fixed.sam 2>/dev/null
  "$CHECK_SAM" --skip nh,sa --require NM,MC,MQ,ms ref.fa fixed.sam reads_1.fq reads_2.fq >said || { cat said; fail "MC, MQ and ms of samtools fixmate"; }
else
  echo "check_sam: left out without samtools: NM and MD of calmd"
fi
echo "check_sam: $faults planted faults, all reported"

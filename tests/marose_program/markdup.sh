#!/bin/sh
# samtools markdup marks every duplicate in the output of --sort, without samtools fixmate. It compares the 5' ends of both reads,
# which a sequencing error in the first base must not move.
test_name=markdup
. "$(dirname "$0")/common.sh"
command -v samtools >/dev/null || { echo "$test_name: left out without samtools"; exit 0; }

# plant_duplicates TEMPLATES: writes pairs of 2 x 100 bases of contig1 with different ends to planted_1.fq and planted_2.fq, and a copy,
# "copy-NAME", of every second pair. A copy differs in the first base of the first read, of the second read or of both, in the last
# base of both, or not at all. Reads have up to three errors, including gaps, at least 25 bases from their ends: a first base that
# differs may change the alignment of a gap nearer to it.
plant_duplicates() {
  awk 'BEGIN { RS = ">"; FS = "\n" } NR == 2 { for (i = 2; i <= NF; ++i) printf "%s", $i }' ref.fa |
    awk -v templates="$1" '
      function other(letter) { return letter == "A" ? "C" : "A" }
      function turned(text,   i, result) { for (i = length(text); i > 0; --i) result = result complement[substr(text, i, 1)]; return result }
      function changed(text, errors,   at, kind) {
        for (; errors > 0; --errors) {
          at = 26 + int(rand() * 48); kind = int(rand() * 3)
          text = substr(text, 1, at - 1) (kind == 0 ? "" : other(substr(text, at, 1))) substr(text, kind == 2 ? at : at + 1)
        }
        return substr(text, 1, 100)
      }
      function copied(text, read, kind) {
        if (kind == read || kind == 3) return other(substr(text, 1, 1)) substr(text, 2)
        return kind == 4 ? substr(text, 1, length(text) - 1) other(substr(text, length(text))) : text
      }
      function quality(n,   text) { while (n-- > 0) text = text sprintf("%c", 43 + int(30 * rand())); return text }
      function write(name, read, text) { print "@" name "/" read "\n" text "\n+\n" quality(length(text)) > ("planted_" read ".fq") }
      BEGIN { srand(11); split("A C G T", from, " "); split("T G C A", to, " "); for (i in from) complement[from[i]] = to[i] }
      {
        for (i = 0; i < templates; ++i) {
          # Repeats lie elsewhere.
          start = 2600 + int(i * 16400 / templates); bases = 220 + int(rand() * 200); turn = rand() < 0.5
          left = changed(substr($0, start, 110), int(rand() * 4)); right = changed(turned(substr($0, start + bases - 110, 110)), int(rand() * 4))
          for (read = 1; read <= 2; ++read) {
            text = (read == 1) == turn ? left : right
            write("t" i, read, text)
            if (i % 2) write("copy-t" i, read, copied(text, read, int(i / 2) % 5))
          }
          if (i % 2) print "t" i > "planted.names"
        }
      }'
  sort planted.names >planted
  [ "$(wc -l <planted)" = $(($1 / 2)) ] || fail "$(wc -l <planted) duplicates are planted"
}

# all_marked FILE: one template of each planted duplicate and its copy is marked, in both reads, and no other template is.
all_marked() {
  samtools view -f 1024 -F 2304 "$1" | cut -f1 | sort | uniq -c | awk '$1 == 2 { print $2 }' | sed 's/^copy-//' | sort >marked
  uniq -d marked | grep . && fail "a template and its copy are both marked"
  comm -23 planted marked >missed
  [ ! -s missed ] || { head -5 missed; fail "$(wc -l <missed) of $(wc -l <planted) duplicates are not marked"; }
  comm -13 planted marked >others
  [ ! -s others ] || { head -5 others; fail "$(wc -l <others) templates without a copy are marked"; }
}

plant_duplicates 400
quietly index ref.fa -o ref.mrs
"$PROGRAM" map ref.mrs planted_1.fq planted_2.fq --sort --format bam --quiet 2>said >sorted.bam || { cat said; fail "map --sort"; }
samtools view -h sorted.bam >sorted.sam
well_made sorted.sam planted_1.fq planted_2.fq --unsorted-ok --require NM,MD,MC,MQ,ms
"$PROGRAM" map ref.mrs planted_1.fq planted_2.fq --sort --format bam --quiet 2>said |
  samtools markdup - marked.bam 2>markdup.said || { cat markdup.said; fail "samtools markdup"; }
all_marked marked.bam

#!/bin/sh
# A scan by ranks: records, ranges of a long one, formats, counts.
test_name=pwm
. "$(dirname "$0")/common.sh"

cat >motifs.jaspar <<'END'
>M1 one
A [ 10 0 3 9 ]
C [ 0 9 3 0 ]
G [ 0 1 3 0 ]
T [ 0 0 1 1 ]
>M2 two
A [ 9 0 0 8 0 1 0 ]
C [ 0 9 0 1 0 8 0 ]
G [ 1 1 9 0 0 0 9 ]
T [ 0 0 1 1 10 1 1 ]
END
# More letters than the pieces of 8 M have.
{ echo ">long"; dna 3 200000 | awk '{ for (i = 0; i < 95; i++) printf "%s", $0; print "" }'; echo ">short"; dna 4 300; echo ">n"; echo ACGTNNNNACGTACA; } >text.fa

same genocl-pwm scan motifs.jaspar text.fa -p 1e-4 --format counts
RANKS="2 3" same genocl-pwm scan motifs.jaspar text.fa -p 1e-4 --q-values
RANKS=2 same genocl-pwm scan motifs.jaspar text.fa -p 1e-4 --format bed
RANKS=2 same genocl-pwm scan motifs.jaspar text.fa -p 1e-4 --background 0.3,0.2,0.1,0.4
awk -v OFS='\t' 'BEGIN { srand(2); for (i = 0; i < 40; i++) { b = int(rand() * 18900000); print "long", b, b + 5000 + int(rand() * 9000000) } print "short", 10, 290 }' |
  awk '$3 <= 19000000' >some.bed
RANKS=2 same genocl-pwm scan motifs.jaspar text.fa -p 1e-4 --regions some.bed
RANKS=3 same genocl-pwm scan motifs.jaspar text.fa -p 1e-4 --regions some.bed --format counts
RANKS=2 same genocl-pwm scan motifs.jaspar text.fa -p 1e-4 --regions some.bed --best
RANKS=2 same genocl-pwm scan motifs.jaspar text.fa -p 1e-4 --exact
RANKS=2 same genocl-pwm scan motifs.jaspar text.fa -p 1e-4 --max-hits 10
wrong "missing.fa" 3 genocl-pwm scan motifs.jaspar missing.fa -o out

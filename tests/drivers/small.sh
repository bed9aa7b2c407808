#!/bin/sh
# small.sh TOPIC: the topic's program on a few letters, in the folder WORK, into WORK/result. It is the same bytes on every
# driver, and little enough for a simulator. BIN is the folder with the programs; GENOCL_DEVICE names the device.
set -eu
cd "$WORK"

# letters ALPHABET COUNT SEED: a line of them, drawn. A generator of its own: awk's is another one in each awk.
letters() {
  awk -v alphabet="$1" -v count="$2" -v state="$3" 'BEGIN {
    for (i = 0; i < count; i++) {
      state = (state * 1103 + 12347) % 1000003
      printf "%s", substr(alphabet, 1 + int(state / 7) % length(alphabet), 1)
    }
    print ""
  }'
}

bases=$(letters ACGT 300 1)
printf '>text\n%s\n' "$bases" >text.fa
case $1 in
  marose)
    for first in 5 100 222; do
      echo "@read$first"
      echo "$bases" | cut -c "$first-$((first + 39))" | sed 's/^\(...........\)./\1A/'
      echo "+"
      letters I 40 1
    done >reads.fq
    # The line of the program has the folders in it.
    "$BIN/genocl-marose" map text.fa -U reads.fq --quiet >mapped.sam
    grep -v '^@PG' mapped.sam >result ;;
  align)
    protein=$(letters ARNDCQEGHILKMFPSTWYV 40 2)
    printf '>first\n%s\n>second\n%s\n' "$protein" "$(letters ARNDCQEGHILKMFPSTWYV 50 3)" >proteins.fa
    printf '>query\n%sW%s\n' "$(echo "$protein" | cut -c 5-20)" "$(echo "$protein" | cut -c 21-35)" >query.fa
    "$BIN/genocl-align" search query.fa proteins.fa --format blast6 --quiet >result
    "$BIN/genocl-align" pairs query.fa query.fa --align --quiet >>result ;;
  jacobi) "$BIN/genocl-jacobi" --size 40x20 --precision float --top 1 --iterations 5 --quiet --npy result >report ;;
  pwm)
    printf '>M one\nA [ 10 0 1 0 2 ]\nC [ 0 10 1 0 3 ]\nG [ 0 0 8 1 3 ]\nT [ 1 1 1 10 3 ]\n' >motif.jaspar
    "$BIN/genocl-pwm" scan motif.jaspar text.fa -p 1e-2 --quiet >result
    "$BIN/genocl-pwm" threshold motif.jaspar -p 1e-2 --quiet >>result ;;
  overlap)
    printf '>query\n%s%s\n' "$(echo "$bases" | cut -c 51-120)" "$(echo "$bases" | cut -c 11-40)" >query.fa
    "$BIN/genocl-overlap" sa text.fa -o array --quiet
    "$BIN/genocl-overlap" mem text.fa query.fa -l 20 --quiet >matches
    cat array matches >result ;;
  *) echo "small: no topic \"$1\"" >&2; exit 2 ;;
esac
[ -s result ] || { echo "small: $1 wrote nothing" >&2; exit 1; }

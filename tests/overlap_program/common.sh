# Sourced by the tests of genocl-overlap: a folder with simulated sequences. a.fa and b.fa share words on both strands,
# have letters that match nothing, and an empty record.
. "$SOURCE/../program_common.sh"
awk -f "$SOURCE/simulate.awk" -v seed=11 -v out=.

# numbers FILE [BYTES]: one a line.
numbers() { od -An -v -td"${2:-4}" "$1" | awk '{ for (i = 1; i <= NF; ++i) print $i }'; }

# Sourced by the tests of genocl-marose: a folder with simulated reads.
. "$SOURCE/../program_common.sh"
awk -f "$SOURCE/simulate.awk" -v seed=7 -v out=.

marose() { "$PROGRAM" "$@"; }

# Sourced by the tests of genocl-align: a folder with simulated sequences.
. "$SOURCE/../program_common.sh"
awk -f "$SOURCE/simulate.awk" -v seed=7 -v out=.

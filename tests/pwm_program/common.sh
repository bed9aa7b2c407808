# Sourced by the tests of genocl-pwm: a folder with a simulated text and motifs.
. "$SOURCE/../program_common.sh"
awk -f "$SOURCE/simulate.awk" -v seed=7 -v out=.

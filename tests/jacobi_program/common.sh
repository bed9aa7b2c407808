# Sourced by the tests of genocl-jacobi.
. "$SOURCE/../program_common.sh"

quietly() { "$PROGRAM" "$@" --quiet >out 2>said || { cat said >&2; fail "failed: $*"; }; }
# The file `said` has standard error: the table of devices and the decisions.
told() { "$PROGRAM" "$@" >out 2>said || { cat said >&2; fail "failed: $*"; }; }
# device NUMBER COLUMN: of the table of devices in `said`; the first is 1.
device() {
  awk -F'\t' -v number="$1" -v name="$2" '$1 == "device" { for (i = 1; i <= NF; ++i) if ($i == name) at = i; first = NR }
    first && NR == first + number { print $at }' said
}
# cells FILE [f4]: the numbers of a .npy with a header of 128 bytes (what 2D and 3D shapes of few digits have), one a line.
cells() { od -An -v -t "${2:-f8}" -j 128 "$1" | tr -s ' ' '\n' | sed '/^$/d'; }
# cell FILE NUMBER: counted from 0.
cell() { od -An -t f8 -j $((128 + 8 * $2)) -N 8 "$1" | tr -d ' '; }
# result COLUMN: a value of the only line of results in `out`.
result() { awk -F'\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == name) at = i } NR == 2 { print $at }' out; }

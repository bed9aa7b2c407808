# Sourced by the tests of genocl-jacobi: PROGRAM SOURCE WORK are set. A folder of its own.
set -eu
work="$WORK/$test_name"
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() { echo "$test_name: $*" >&2; exit 1; }
quietly() { "$PROGRAM" "$@" --quiet >out 2>said || { cat said >&2; fail "failed: $*"; }; }
# same FILE FILE
same() { cmp "$1" "$2" >&2 || fail "$1 and $2 differ"; }
# cells FILE [f4]: the numbers of a .npy with a header of 128 bytes (what 2D and 3D shapes of few digits have), one a line.
cells() { od -An -v -t "${2:-f8}" -j 128 "$1" | tr -s ' ' '\n' | sed '/^$/d'; }
# cell FILE NUMBER: counted from 0.
cell() { od -An -t f8 -j $((128 + 8 * $2)) -N 8 "$1" | tr -d ' '; }
# result COLUMN: of the line of results in `out`.
result() { awk -F'\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == name) at = i } NR == 2 { print $at }' out; }
# expect STATUS TEXT COMMAND...: the program ends with that status and one line on standard error that holds the text.
expect() {
  status=$1 text=$2
  shift 2
  got=0
  "$PROGRAM" "$@" >out 2>said || got=$?
  [ "$got" = "$status" ] || { cat said >&2; fail "status $got instead of $status: $*"; }
  [ -z "$text" ] || grep -qF -- "$text" said || { cat said >&2; fail "does not say \"$text\": $*"; }
  if [ "$status" != 0 ]; then
    [ "$(wc -l <said)" = 1 ] || { cat said >&2; fail "more than one line: $*"; }
    grep -q '^genocl-jacobi: error: ' said || { cat said >&2; fail "not named: $*"; }
    [ ! -s out ] || fail "an error, and yet output: $*"
  fi
}

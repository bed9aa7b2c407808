# Sourced by the tests of genocl-overlap: PROGRAM SOURCE WORK are set. A folder of its own with simulated sequences:
# a.fa and b.fa share words on both strands, have letters that match nothing, and an empty record.
set -eu
LC_ALL=C
export LC_ALL
work="$WORK/$test_name"
rm -rf "$work"
mkdir -p "$work"
cd "$work"
awk -f "$SOURCE/simulate.awk" -v seed=11 -v out=.

fail() { echo "$test_name: $*" >&2; exit 1; }
quietly() { "$PROGRAM" "$@" --quiet 2>said || { cat said >&2; fail "failed: $*"; }; }
# same FILE FILE
same() { cmp "$1" "$2" >&2 || fail "$1 and $2 differ"; }
body() { tail -n +2 "$1"; }
# numbers FILE [BYTES]: one a line.
numbers() { od -An -v -td"${2:-4}" "$1" | awk '{ for (i = 1; i <= NF; ++i) print $i }'; }
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
    grep -q '^genocl-overlap: error: ' said || { cat said >&2; fail "not named: $*"; }
    [ ! -s out ] || fail "an error, and yet output: $*"
  fi
}

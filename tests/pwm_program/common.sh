# Sourced by the tests of genocl-pwm: PROGRAM SOURCE WORK are set. A folder of its own with a simulated text and motifs.
set -eu
work="$WORK/$test_name"
rm -rf "$work"
mkdir -p "$work"
cd "$work"
awk -f "$SOURCE/simulate.awk" -v seed=7 -v out=.

fail() { echo "$test_name: $*" >&2; exit 1; }
quietly() { "$PROGRAM" "$@" --quiet 2>said || { cat said >&2; fail "failed: $*"; }; }
# same FILE FILE
same() { cmp "$1" "$2" >&2 || fail "$1 and $2 differ"; }
body() { tail -n +2 "$1"; }
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
    grep -q '^genocl-pwm: error: ' said || { cat said >&2; fail "not named: $*"; }
    [ ! -s out ] || fail "an error, and yet output: $*"
  fi
}

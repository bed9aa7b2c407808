# Sourced by the common.sh of each program's tests, which run in a folder of their own. PROGRAM SOURCE WORK and test_name are set.
set -eu
LC_ALL=C
export LC_ALL
program_name=$(basename "$PROGRAM")
work="$WORK/$test_name"
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() { echo "$test_name: $*" >&2; exit 1; }
quietly() { "$PROGRAM" "$@" --quiet 2>said || { cat said >&2; fail "failed: $*"; }; }
# same FILE FILE
same() { cmp "$1" "$2" >&2 || fail "$1 and $2 differ"; }
# Without the line of headings, without SAM's header, without the line of it that has the command line.
body() { tail -n +2 "$1"; }
records() { grep -v '^@' "$1" || true; }
without_pg() { grep -v '^@PG' "$1"; }
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
    grep -q "^$program_name: error: " said || { cat said >&2; fail "not named: $*"; }
    [ ! -s out ] || fail "an error, and yet output: $*"
  fi
}

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
# untouched FILE COMMAND...: the output is that input: an error, and the file is as it was.
untouched() {
  input=$1
  shift
  cp "$input" before
  expect 1 "is an input, which the output would replace" "$@"
  cmp "$input" before >&2 || fail "an input was changed: $*"
  rm before
}
# What cannot be written to standard output is an error for help and version, too.
help_to_full_disk() {
  for option in --help --version "$@"; do
    got=0
    # shellcheck disable=SC2086
    "$PROGRAM" $option >/dev/full 2>said || got=$?
    [ "$got" = 1 ] || fail "status $got instead of 1: $option to a full disk"
    [ "$(cat said)" = "$program_name: error: standard output: cannot be written: No space left on device" ] ||
      { cat said >&2; fail "$option to a full disk"; }
  done
}
# commands_of: names and descriptions of a program's commands, with a tab between.
commands_of() { "$1" --help-table | awk -F'\t' '$3 == "subcommand" { print $4 "\t" $6 }'; }
# run_examples: the help of the program and of each command ends with commands behind "Examples". Each command runs and writes its output.
run_examples() {
  PATH=$(dirname "$PROGRAM"):$PATH
  commands_of "$PROGRAM" | cut -f1 >subcommands
  # shellcheck disable=SC2013
  for command in '' $(cat subcommands); do
    # shellcheck disable=SC2086
    "$PROGRAM" $command --help | awk '/^Examples$/ { on = 1; next } on && NF' >examples
    [ -s examples ] || fail "no example at the end of the help: $command"
    while IFS= read -r example; do
      case $example in
        "  genocl "*) ;;
        *) fail "behind Examples is no command: $example" ;;
      esac
      sh -c "$example" </dev/null >out 2>said || { cat said >&2; fail "an example fails:$example"; }
      # What it is to write is there, and not empty.
      for file in $(echo "$example" | awk '{ for (i = 2; i <= NF; ++i) if ($(i - 1) ~ /^(-o|--png|--svg|--html|--checkpoint)$/) print $i }'); do
        [ -s "$file" ] || fail "an example does not write $file:$example"
      done
    done <examples
  done
}

#!/bin/sh
# Where the table goes: special files stay what they are.
test_name=output
. "$(dirname "$0")/common.sh"

expect 0 "" -o plain.tsv
expect 0 ""
same plain.tsv out
# Links stay, also one after another, whether their end is there or not.
ln -s second first
ln -s third second
for round in 1 2; do
  expect 0 "" -o first
  [ -L first ] && [ -L second ] && [ ! -L third ] && [ -f third ] || fail "a link was replaced"
  same plain.tsv third
done
mkfifo pipe
cat pipe >through &
expect 0 "" -o pipe
wait
[ -p pipe ] || fail "a pipe was replaced"
same plain.tsv through
if mknod null c 1 3 2>/dev/null && : 2>/dev/null >null; then
  expect 0 "" -o null
  [ -c null ] || fail "a device was replaced"
else
  echo "$test_name: left out where no device can be made"
fi
expect 1 "/dev/full: cannot be written: No space left on device" -o /dev/full
expect 1 "none/x: cannot be written: No such file" -o none/x
expect 1 ".: cannot be written: Is a directory" -o .
expect 1 "no option --jsno; did you mean --json?" --jsno
help_to_full_disk
got=0
"$PROGRAM" >/dev/full 2>said || got=$?
[ "$got" = 1 ] || fail "status $got instead of 1: a table to a full disk"
for left in .genocl* *.tmp; do [ ! -e "$left" ] || fail "files left behind: $left"; done
# On a terminal the columns are aligned.
if command -v script >/dev/null; then
  script -qec "$PROGRAM" /dev/null </dev/null | tr -d '\r' >terminal
  grep -q '^index  place  type' terminal || { cat terminal >&2; fail "no aligned columns on a terminal"; }
  grep -q "$(printf '\t')" terminal && fail "tabs on a terminal"
  tr '\t' ' ' <plain.tsv | tr -s ' ' >plain.words
  tr -s ' ' <terminal | diff plain.words - >&2 || fail "another table on a terminal"
else
  echo "$test_name: without script, which makes a terminal"
fi

#!/bin/sh
# old_names.sh ROOT: no file below ROOT contains a retired name (old_names.txt) as a whole word, nor a file's name one.
# Names of limits begin with min_ and max_; least_ and most_ are allowed in deprecated aliases alone.
set -eu

cd "$1"
names=$(mktemp)
trap 'rm -f "$names"' EXIT
grep -v '^#' tests/style/old_names.txt >"$names"
[ -s "$names" ] || { echo "no names in tests/style/old_names.txt"; exit 1; }
found=0
if grep -rnwFf "$names" include cl src examples tests docs cmake CMakeLists.txt README.md --exclude=old_names.txt; then found=1; fi
if find include cl src examples tests docs cmake -type f | sed 's|.*/||; s|\.[^.]*$||; s|_test$||' | grep -xFf "$names"; then found=1; fi
if grep -rnE '\b(least|most)_[a-z]|\b(LEAST|MOST)_[A-Z]' include cl src examples tests docs cmake CMakeLists.txt README.md --exclude=old_names.sh |
  grep -v 'deprecated("'; then found=1; fi
[ "$found" = 0 ] || echo "retired names: use those of the tree, or take the name off the list"
exit "$found"

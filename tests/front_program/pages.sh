#!/bin/sh
# Help pages: --help of every command has at most 40 lines of 100 columns; --help-all has these and more. Every command
# takes --quiet.
test_name=pages
. "$(dirname "$0")/common.sh"
folder=$(dirname "$PROGRAM")

# options PAGE: the options of a page, sorted.
options() { sed -nE 's/^ {2,6}((-[^ -], )?--?[^ -][^ ]*).*/\1/p' "$1" | sort; }
# check NAME MORE ARGUMENT...: the pages of a command; MORE: whether --help-all lists more than --help.
check() {
  name=$1
  shift
  "$folder/$name" "$@" --help >page
  "$folder/$name" "$@" --help-all >all
  [ "$(wc -l <page)" -le 40 ] || fail "$name $* --help has $(wc -l <page) lines"
  for file in page all; do
    awk 'length > 100' "$file" >long
    [ ! -s long ] || { cat long >&2; fail "a line of more than 100 columns in $file of $name $*"; }
    grep -q '^Usage: genocl ' $file || fail "no usage in $file of $name $*"
    grep -q '^Examples$' $file || fail "no examples in $file of $name $*"
    options $file >$file.options
    [ -z "$(uniq -d $file.options)" ] || fail "an option twice in $file of $name $*: $(uniq -d $file.options)"
  done
  [ $# = 0 ] && [ -n "$(commands_of "$folder/$name")" ] || grep -q -- '^ *--quiet ' page || fail "$name $* has no --quiet"
  [ -z "$(comm -23 page.options all.options)" ] || fail "--help-all of $name $* lacks options of --help"
}
for name in genocl-devices genocl-jacobi genocl-align genocl-marose genocl-pwm genocl-overlap; do
  check $name
  for command in $(commands_of "$folder/$name" | cut -f1); do check $name "$command"; done
done
"$folder/genocl-marose" map --help >page
"$folder/genocl-marose" map --help-all >all
! grep -q -- --neighbourhood page || fail "map --help has options of the published methods"
grep -q -- --neighbourhood all || fail "map --help-all lacks options of the published methods"

# A reader that goes away ends a program quietly, as SIGPIPE does.
{ sleep 0.5; got=0; "$folder/genocl-pwm" scan --help-all 2>said || got=$?; echo $got >status; } | exec true
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -s status ] || sleep 0.3; done
[ "$(cat status)" = 141 ] || fail "status $(cat status) with a closed pipe"
[ ! -s said ] || { cat said >&2; fail "a message about a closed pipe"; }

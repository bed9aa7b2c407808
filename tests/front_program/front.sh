#!/bin/sh
# Which program a command becomes, with which arguments and status, and what is said where there is none.
test_name=front
. "$(dirname "$0")/common.sh"
folder=$(dirname "$PROGRAM")

expect 0 "" --version
[ "$(cat out)" = "genocl $("$folder/genocl-devices" --version | cut -d' ' -f2)" ] || fail "--version"
expect 0 "" --help
cp out help
expect 0 "" -h
same out help
expect 0 "" help
same out help
help_to_full_disk help

commands_of "$PROGRAM" | sort >listed
# Each is on the page, once.
cut -f1 listed | while read -r command; do
  [ "$(grep -c "^  $command  " help)" = 1 ] || fail "--help does not list $command once"
done
for topic in marose align pwm overlap; do
  commands_of "$folder/genocl-$topic" | sort >own
  [ -s own ] || fail "no subcommands in the help of genocl-$topic"
  # overlap's index is not mapping's.
  [ $topic != overlap ] || { sed '/^index	/d' own >others && mv others own; }
  comm -23 own listed >missing
  [ ! -s missing ] || { cat missing >&2; fail "genocl --help has not what genocl-$topic --help has"; }
  cut -f1 own
done | sort >subcommands
cut -f1 listed | sort | comm -23 - subcommands | tr '\n' ' ' >programs
[ "$(cat programs)" = "align devices jacobi marose overlap pwm " ] || fail "commands that are of no program: $(cat programs)"

# Without a command, the same page. A command has a version, and its messages have the name that was typed.
expect 0 ""
same out help
expect 0 "" map --version
grep -q '^genocl-marose [0-9]' out || fail "map --version"
program_name="genocl map"
expect 1 "no option --divice; did you mean --device?; see genocl map --help" map --divice
program_name=genocl

# Programs that print their arguments. They are in PATH; programs next to genocl take precedence.
mkdir beside path
cp "$PROGRAM" beside/genocl
teller() {
  cat >"$1" <<'END'
#!/bin/sh
for one in "$0" "$@"; do printf '<%s>' "${one##*/}"; done
printf '\n'
exit 7
END
  chmod +x "$1"
}
for topic in marose align pwm overlap jacobi devices; do teller path/genocl-$topic; done
# says TEXT ARGUMENT...: what the program says that the front has become, with its status.
says() {
  text=$1
  shift
  got=0
  PATH="$work/path:$PATH" beside/genocl "$@" >out 2>said || got=$?
  [ "$got" = 7 ] || { cat said >&2; fail "status $got instead of 7: $*"; }
  [ "$(cat out)" = "$text" ] || { cat out >&2; fail "expected $text: $*"; }
}
says "<genocl-marose><map><a b><><--x=*>" map "a b" "" "--x=*"
says "<genocl-marose><map><--help>" help map
says "<genocl-overlap><index><x>" overlap index x
says "<genocl-jacobi><--size><9x9>" jacobi --size 9x9
says "<genocl-devices><--help>" help devices
says "<genocl-align>" align
# Each command becomes the program that has it.
for topic in marose align pwm overlap; do
  commands_of "$folder/genocl-$topic" | cut -f1 | while read -r command; do
    [ "$topic $command" != "overlap index" ] || continue
    says "<genocl-$topic><$command><x>" "$command" x
  done
done
printf '#!/bin/sh\necho beside\nexit 7\n' >beside/genocl-marose
chmod +x beside/genocl-marose
says beside map
# Called by a link, it still looks next to itself.
ln -s "$work/beside/genocl" link
got=$(PATH="$work/path:$PATH" ./link map) || [ $? = 7 ] || fail "by a link"
[ "$got" = beside ] || fail "by a link: $got"

expect 1 'no command "serach"; did you mean search?' serach
expect 1 'no command "xyzzy-plugh"; genocl --help lists them' xyzzy-plugh
expect 1 "no option --divice; expected a command; see genocl --help" --divice
PROGRAM=$work/lonely/genocl
mkdir lonely
cp beside/genocl lonely/
expect 1 "genocl-pwm is neither beside genocl nor in PATH" scan a b
PROGRAM=$folder/genocl

# A real one: its output, its errors under the name that was typed.
printf '>M1 one\nA [ 9 0 0 ]\nC [ 0 9 0 ]\nG [ 0 0 9 ]\nT [ 0 0 0 ]\n' >motif.jaspar
"$folder/genocl-pwm" pvalue motif.jaspar --score 1 --quiet -o wanted.tsv
expect 0 "" pvalue motif.jaspar --score 1 --quiet -o got.tsv
same got.tsv wanted.tsv
program_name="genocl pvalue"
expect 1 "none.jaspar" pvalue none.jaspar --score 1 --quiet

#!/bin/sh
# Manual pages and completions: everything that a help has is in them, and their readers take them.
test_name=manual
. "$(dirname "$0")/common.sh"
folder=$(dirname "$PROGRAM")
manual=$MANUAL

for name in genocl genocl-devices genocl-jacobi genocl-align genocl-marose genocl-pwm genocl-overlap; do
  page=$manual/man1/$name.1
  [ -s "$page" ] || fail "no $page"
  # Every option of every help page, and the examples.
  option=--help-all
  [ $name != genocl ] || option=--help
  "$folder/$name" $option >help
  [ $name = genocl ] || for command in $(commands_of "$folder/$name" | cut -f1); do "$folder/$name" "$command" --help-all; done >>help
  sed -nE 's/^ {2,6}((-[^ -], )?--?[^ -][^ ]*).*/\1/p' help | sort -u >options
  [ "$(wc -l <options)" -ge 2 ] || fail "no options in the help of $name"
  sed -n 's/^\\fB\(.*\)\\fR.*/\1/p' "$page" | sed 's/\\-/-/g' | sort -u >listed
  comm -23 options listed >missing
  [ ! -s missing ] || { cat missing >&2; fail "options of $name that its manual page lacks"; }
  awk '/^Examples/ { on = 1; next } !/^  / { on = 0 } on' help >examples
  sed 's/\\-/-/g; s/\\e/\\/g' "$page" >plain
  while IFS= read -r line; do grep -qxF -- "$line" plain || fail "an example that the manual page of $name lacks:$line"; done <examples
  if command -v mandoc >/dev/null; then
    mandoc -T lint -W error "$page" >&2 || fail "mandoc about $page"
  fi
  if man --version 2>/dev/null | grep -q '^man 2'; then
    MANWIDTH=100 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>said >/dev/null || { cat said >&2; fail "man about $page"; }
    [ ! -s said ] || { cat said >&2; fail "man warns of $page"; }
  fi
done
grep -q '^\\fBGENOCL_DEVICE\\fR' "$manual/man1/genocl.1" || fail "no environment variables"

if command -v bash >/dev/null; then
  # completes WORD... : what is offered for the last of them.
  cat >complete.bash <<'END'
. "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_genocl
printf '%s\n' "${COMPREPLY[@]}"
END
  completes() { bash complete.bash "$manual/bash-completion/genocl" "$@" | tr '\n' ' '; }
  # offers WANTED WORD...
  offers() {
    wanted=$1
    shift
    [ "$(completes "$@")" = "$wanted " ] || fail "offers \"$(completes "$@")\" instead of \"$wanted\": $*"
  }
  offers "map makedb marose" genocl ma
  offers "search" genocl-align se
  offers "search" genocl align se
  offers "search" genocl-align-mpi se
  offers "--evalue" genocl search --ev
  offers "--evalue" genocl-align search queries.fa --ev
  offers "sam bam cram tsv" genocl-marose map --format ""
  offers "pairwise" genocl search --format p
  offers "" genocl search --matrix ""
  offers "" genocl search que
  offers "--png --png-every" genocl jacobi --pn
  offers "--png --png-every" genocl-jacobi --pn
  offers "gpu" genocl-devices --device g
  # Every command of genocl is offered.
  commands_of "$PROGRAM" | cut -f1 | sort >wanted
  bash complete.bash "$manual/bash-completion/genocl" genocl "" | grep -v '^-' | sort >offered
  same offered wanted
else
  echo "$test_name: left out where there is no bash"
fi
if command -v zsh >/dev/null; then
  zsh -n "$manual/zsh/_genocl" || fail "zsh does not read its completions"
fi

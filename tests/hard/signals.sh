#!/bin/sh
# SIGINT and SIGTERM at some moments of each program that writes a file: it ends by that signal, and the file is there as a
# whole or not at all, with nothing next to it. HARD_MOMENTS: how many moments of each run (2); HARD_SEED: their seed (1).
test_name=signals
. "$(dirname "$0")/common.sh"

now() { date +%s%N; }
chosen_runs 'pwm-scan|overlap-pieces|align-search|marose-sort|jacobi' \
  'pwm-scan|overlap-sa|overlap-pieces|overlap-mem|overlap-index|align-makedb|align-search|marose-index|marose-map|marose-sort|jacobi' >list
salt=${HARD_SEED:-1} stopped=0
while read -r line <&3; do
  make_right "$line"
  begin=$(now)
  make_right "$line"
  took=$((($(now) - begin) / 1000))
  salt=$((salt + 1))
  for moment in $(awk -v most=$took -v count="${HARD_MOMENTS:-2}" -v seed=$salt \
    'BEGIN { srand(seed); for (i = 0; i < count; ++i) printf "%.6f\n", 0.001 + rand() * most / 1e6 }'); do
    for signal in INT TERM; do
      rm -rf try
      mkdir try
      got=0
      # In the foreground: what a shell begins in the background does not hear of SIGINT.
      # shellcheck disable=SC2046,SC2086
      (cd try && set -- $line && shift && program=$1 && shift &&
        exec timeout --preserve-status -k 20 -s $signal "$moment" "$BIN/$program" "$@" --quiet >../told 2>../said) || got=$?
      runs=$((runs + 1))
      if [ $got = 130 ] || [ $got = 143 ]; then
        stopped=$((stopped + 1))
        errors=$((errors + 1))
        case $(left_behind) in
          '') ;;
          out) cmp -s try/out "right/$name" || fault "$name: $signal after $moment s: a file that is not whole" ;;
          *) fault "$name: $signal after $moment s: files left behind: $(left_behind | tr '\n' ' ')" ;;
        esac
      elif [ $got = 0 ]; then
        judge "$name: $signal after $moment s, too late"
      else
        fault "$name: $signal after $moment s: status $got"
      fi
    done
  done
done 3<list
[ $stopped -gt 0 ] || fault "no run was stopped"
finish

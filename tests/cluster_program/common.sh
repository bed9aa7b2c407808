# For the tests of one program each: test_name is set. Everything happens in a folder of its own.
set -eu
fail() { echo "$test_name: $*" >&2; exit 1; }
rm -rf "${WORK:?}/$test_name"
mkdir -p "$WORK/$test_name"
cd "$WORK/$test_name"

on() { # on RANKS PROGRAM ARGUMENT...
  ranks=$1 program=$2
  shift 2
  sh "$SOURCE/../cluster/mpirun.sh" "$ranks" "$BIN/$program-mpi" "$@"
}

# same PROGRAM ARGUMENT...: the plain program's output, and that of 1 to 4 ranks. RANKS: which numbers of them.
same() {
  program=$1
  shift
  "$BIN/$program" "$@" --quiet >plain.out || fail "$program $*: failed"
  for ranks in ${RANKS:-1 2 3 4}; do
    on "$ranks" "$program" "$@" --quiet >mpi.out 2>mpi.err || { cat mpi.err; fail "$ranks ranks: $program $*: failed"; }
    cmp plain.out mpi.out >/dev/null || fail "$ranks ranks: $program $*: another output"
  done
}

# wrong TEXT RANKS PROGRAM ARGUMENT...: the job ends soon, says it once, with a status, and leaves no file "out".
wrong() {
  text=$1
  shift
  rm -f out
  if on "$@" >mpi.out 2>mpi.err; then fail "$*: no error"; fi
  [ "$(grep -c "error: .*$text" mpi.err)" = 1 ] || { cat mpi.err; fail "$*: not said once: $text"; }
  [ ! -e out ] || fail "$*: there is an output"
}

# Letters, drawn: dna SEED LENGTH, protein SEED LENGTH.
letters() { awk -v seed="$1" -v n="$2" -v from="$3" 'BEGIN { srand(seed); for (i = 1; i <= n; i++) { s = s substr(from, 1 + int(rand() * length(from)), 1); if (i % 5000 == 0) { printf "%s", s; s = "" } } print s }'; }
dna() { letters "$1" "$2" ACGT; }
protein() { letters "$1" "$2" ACDEFGHIKLMNPQRSTVWY; }

# proteins COUNT FIRST STEP: records >s0, >s1, ..., each STEP longer than the one before, the first of FIRST letters.
proteins() {
  i=0
  while [ $i -lt "$1" ]; do
    printf '>s%d\n' $i
    protein $i $(($2 + $3 * i))
    i=$((i + 1))
  done
}

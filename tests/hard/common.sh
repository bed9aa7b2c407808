# Sourced by the tests of what goes wrong. BIN SOURCE WORK FAIL_CALL and test_name are set. Everything happens in a folder of
# its own, with small inputs for each program in a folder of its topic.
set -eu
LC_ALL=C
export LC_ALL
unset GENOCL_DEVICE || true
work="$WORK/$test_name"
rm -rf "$work"
mkdir -p "$work"
cd "$work"
faults=0 runs=0 errors=0 right=0

fail() { echo "$test_name: $*" >&2; exit 1; }
# Told, and the test goes on: one fault is not to hide others.
fault() { echo "$test_name: $*" >&2; sed 's/^/  /' said 2>/dev/null | head -5 | cut -c1-400 >&2; faults=$((faults + 1)); }
finish() {
  echo "$test_name: $runs runs: $errors with an error, $right right, $faults faults"
  [ "$runs" -gt 0 ] || fail "nothing was run"
  [ $faults = 0 ] || exit 1
}

for topic in pwm overlap align marose; do
  mkdir $topic
  awk -f "$SOURCE/../${topic}_program/simulate.awk" -v seed=7 -v out=$topic
done
printf '1 5\n7 300\n' >overlap/queries
printf '>w1\nACG\n>w2\nTTAGC\n' >overlap/words.fa
# What programs put into the folder for temporary files is seen there.
TMPDIR=$work/temporary
export TMPDIR
mkdir "$TMPDIR"

# A line for each run: a name, and a command that writes `out` from a folder next to the inputs.
all_runs() {
  cat <<END
pwm-scan genocl-pwm scan ../pwm/motifs.jaspar ../pwm/text.fa --score 4 --q-values -o out
pwm-threshold genocl-pwm threshold ../pwm/motifs.jaspar -p 0.01 -o out
pwm-distribution genocl-pwm distribution ../pwm/motifs.jaspar -o out
pwm-compare genocl-pwm compare ../pwm/motifs.jaspar ../pwm/motifs.jaspar -p 0.01 -o out
overlap-sa genocl-overlap sa ../overlap/text.fa --check -o out
overlap-dc3 genocl-overlap sa ../overlap/text.fa --algorithm dc3 -o out
overlap-pieces genocl-overlap sa ../overlap/text.fa --pieces 7 --strand both -o out
overlap-lcp genocl-overlap lcp ../overlap/text.fa --pieces 5 -o out
overlap-mem genocl-overlap mem ../overlap/a.fa ../overlap/b.fa -l 4 --strand both -o out
overlap-align genocl-overlap align-genomes ../overlap/a.fa ../overlap/a.fa -l 10 -o out
overlap-lcs genocl-overlap lcs ../overlap/a.fa ../overlap/b.fa --strand both -o out
overlap-multi genocl-overlap multi ../overlap/a.fa ../overlap/b.fa --quorum 3 -o out
overlap-repeat genocl-overlap repeat ../overlap/text.fa -o out
overlap-spans genocl-overlap repeat ../overlap/text.fa ../overlap/b.fa --min-length 5 -o out
overlap-passes genocl-overlap repeat ../marose/single_40.fq --bytes --min-length 12 --memory 70k -o out
overlap-suffix-prefix genocl-overlap suffix-prefix ../overlap/reads.fa -m 3 -o out
overlap-rmq genocl-overlap rmq ../overlap/text.fa --queries ../overlap/queries -o out
overlap-index genocl-overlap index ../overlap/a.fa -o out
overlap-find genocl-overlap find ../overlap/a.fa ../overlap/words.fa --strand both -o out
align-makedb genocl-align makedb ../align/proteins.fa -o out
align-search genocl-align search ../align/queries.fa ../align/proteins.fa --align --chunk 500 --batch-queries 3 -o out
align-dna genocl-align search ../align/reads.fa ../align/dna.fa --dna --format sam --max-hsps 2 -o out
align-pairs genocl-align pairs ../align/proteins.fa ../align/proteins.fa --mode local --align -o out
align-edit genocl-align pairs ../align/dna.fa ../align/dna.fa --dna --mode edit -o out
marose-index genocl-marose index ../marose/ref.fa -o out
marose-canonical genocl-marose index ../marose/ref.fa --method canonical --read-length 40 -e 3 --hamming -o out
marose-map genocl-marose map ../marose/ref.fa ../marose/pairs_1.fq ../marose/pairs_2.fq -e 5 --batch-reads 100 --format sam -o out
marose-sort genocl-marose map ../marose/ref.fa ../marose/single_40.fq -e 3 --report all --sort --format sam -o out
jacobi genocl-jacobi --size 70x60 --top 100 --left 25 --iterations 60 -o /dev/null --npy out
jacobi-3d genocl-jacobi --size 20x20x20 --top 100 --tolerance 1e-3 --check 10 -o /dev/null --npy out
devices genocl-devices -o out
END
}

# try NAME COMMAND...: runs it in the empty folder `try`; then `got` is its status. SECONDS_MOST bounds it.
try() {
  name=$1 program=$2
  shift 2
  rm -rf try
  mkdir try
  got=0
  # shellcheck disable=SC2046
  (cd try && exec timeout -k 5 "${SECONDS_MOST:-60}" env ${WITH:-} "$BIN/$program" "$@" --quiet >../told 2>../said) || got=$?
  runs=$((runs + 1))
}
# watched PROGRAM ARGUMENT...: runs it; then `got` is its status, `took` its time in ms, `most` the peak of its resident memory in KiB.
watched() {
  program=$1
  shift
  begin=$(date +%s%N)
  exec 7<&0 # what begins in the background has no input otherwise
  "$BIN/$program" "$@" --quiet 2>said <&7 7<&- &
  process=$!
  exec 7<&-
  most=0
  while kill -0 $process 2>/dev/null; do
    now=$(awk '$1 == "VmHWM:" { print $2 }' /proc/$process/status 2>/dev/null || true)
    [ "${now:-0}" -le $most ] || most=$now
    sleep 0.05
  done
  got=0
  wait $process || got=$?
  took=$((($(date +%s%N) - begin) / 1000000))
}
left_behind() { ls -A try temporary | grep -vE '^(try:|temporary:|)$' || true; }
# Whether the output is what right/NAME has; a test may know better.
same() { cmp -s "right/$name" try/out; }
# judge WHAT: an error in one line and no file, or what right/NAME has.
judge() {
  if [ $got = 0 ]; then
    right=$((right + 1))
    if ! same; then
      fault "$1: another output"
    elif [ "$(left_behind)" != out ]; then
      fault "$1: files left behind: $(left_behind | tr '\n' ' ')"
    fi
  elif [ $got -ge 124 ]; then
    fault "$1: status $got"
  else
    errors=$((errors + 1))
    grep -v "^$program: warning: " said >wrong || true
    if [ "$(wc -l <wrong)" != 1 ] || ! grep -q "^$program: error: " wrong; then
      fault "$1: not one line"
    elif [ -n "$(left_behind)" ]; then
      fault "$1: files left behind by an error: $(left_behind | tr '\n' ' ')"
    fi
  fi
}
# What is right: undisturbed, once.
mkdir right
# chosen_runs FEW ALL: the runs whose names match FEW. With HARD_RUNS, a pattern of names: those that match ALL and it.
chosen_runs() {
  if [ -n "${HARD_RUNS:-}" ]; then
    all_runs | grep -E "^($2) " | grep -E "^($HARD_RUNS) "
  else
    all_runs | grep -E "^($1) "
  fi
}
make_right() {
  # shellcheck disable=SC2086
  WITH='' try $1
  [ $got = 0 ] || { cat said >&2; fail "undisturbed: $name: status $got"; }
  [ "$(left_behind)" = out ] || fail "undisturbed: $name: files: $(left_behind)"
  mv try/out "right/$name"
}

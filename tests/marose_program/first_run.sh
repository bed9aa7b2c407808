#!/bin/sh
# The first run of a new installation: what a CPU compiles for some reads is compiled once, whatever lengths they have, and
# again only for reads with an N. PoCL tells: it keeps what it compiles in a folder. A terminal is told of it once.
test_name=first_run
. "$(dirname "$0")/common.sh"

# 40 to 200 bases, which take 2, 4 and 8 words; the same without and with an N in some.
awk 'BEGIN { srand(5) }
     /^>/ { next }
     { genome = genome $0 }
     END { for (i = 0; i < 400; ++i) {
             length_ = 40 + (i * 7) % 161
             print "@r" i "\n" substr(genome, 1 + int(rand() * (length(genome) - 200)), length_) "\n+"
             line = ""
             for (k = 0; k < length_; ++k) line = line "I"
             print line } }' ref.fa >mixed.fq
mkdir cache
POCL_CACHE_DIR=$PWD/cache
export POCL_CACHE_DIR
# on_terminal COMMAND...: the program believes that somebody looks on. What it says is in `said`.
on_terminal() {
  script -qec "'$PROGRAM' $*" /dev/null </dev/null >said 2>&1 || { cat said >&2; fail "failed on a terminal: $*"; }
}
said_so() { grep -c "compiling kernels, once" said || true; }
# A system without pseudo-terminals has script(1) all the same.
if command -v script >/dev/null 2>&1 && script -qec true /dev/null </dev/null >/dev/null 2>&1; then
  on_terminal map ref.fa mixed.fq -o first.sam
  first_said=$(said_so)
  if grep -q 'warnings\{0,1\} generated' said; then cat said >&2; fail "the driver's compiler speaks up"; fi
  # Told by time: on a busy machine loading may take as long as compiling.
  for _ in 1 2 3; do
    on_terminal map ref.fa mixed.fq -o first.sam
    [ "$(said_so)" != 0 ] || break
  done
  [ "$(said_so)" = 0 ] || { cat said >&2; fail "says that it compiles what is compiled"; }
else
  echo "$test_name: what is said on a terminal is left out without script(1) and a pseudo-terminal"
  first_said=1
  quietly map ref.fa mixed.fq -o first.sam
fi
compiled() { find cache -type d -name "$1" | wc -l; }
if [ "$(compiled window_costs)" = 0 ]; then
  echo "not PoCL: how much is compiled cannot be seen"
else
  [ "$first_said" = 1 ] || fail "says $first_said times that kernels are compiled"
  for kernel in window_costs write_look_ups filter_occurrences verify_levenshtein region_distances find_starts region_heads pack_reads; do
    [ "$(compiled "$kernel")" -le 1 ] || fail "$kernel is compiled $(compiled "$kernel") times for reads of several lengths"
  done
fi
# The hits are those of mapping each read alone.
quietly map ref.fa mixed.fq --batch-reads 1 -o alone.sam
well_made first.sam mixed.fq
without_pg first.sam >first
without_pg alone.sam >alone
same first alone

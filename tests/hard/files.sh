#!/bin/sh
# Outputs that cannot be written, and inputs that end or go away while they are read: an error in one line, nothing left behind,
# or the output that is right all the same. HARD_ROUNDS: how often a mapped input is cut off (5).
test_name=files
. "$(dirname "$0")/common.sh"

# wrong WHAT TEXT: an error that says that.
wrong() {
  [ $got != 0 ] || fault "$1: no error"
  judge "$1"
  grep -qE -- "$2" said || fault "$1: does not say \"$2\""
}
of_driver=0
mkdir room
mounted=no
if mount -t tmpfs -o size=4k tmpfs room 2>/dev/null; then mounted=yes; else echo "$test_name: left out where nothing can be mounted: a full file system"; fi
trap '[ $mounted = no ] || umount "$work/room"' EXIT

chosen_runs '.*' '.*' >list
while read -r line <&3; do
  make_right "$line"
  begin=${line%out}
  # shellcheck disable=SC2086
  {
    WITH='' try ${begin}/dev/full
    wrong "$name to a full device" 'cannot be written: No space left on device|is no regular file'
    WITH='' try ${begin}../list/out
    wrong "$name into a file" 'cannot be written: Not a directory'
    WITH='' try ${begin}/proc/genocl-out
    wrong "$name into /proc" 'cannot be written: No such file or directory'
    # Half of what is to be written, with room for a message. What PoCL compiles it writes as well, and may end before in its
    # own words.
    bytes=$(($(wc -c <"right/$name") / 2))
    if [ $bytes -ge 1024 ]; then
      WITH="prlimit --fsize=$bytes" try $line
      if grep -q '^LLVM ERROR' said && [ -z "$(left_behind)" ]; then
        of_driver=$((of_driver + 1))
      else
        wrong "$name beyond the limit of a file" .
      fi
    fi
    if [ $mounted = yes ] && [ "$(wc -c <"right/$name")" -gt 4096 ]; then
      WITH='' try ${begin}../room/out
      wrong "$name to a full file system" 'cannot be written: No space left on device'
      [ -z "$(ls -A room)" ] || fault "$name: files left behind on a full file system: $(ls -A room)"
    fi
  }
done 3<list

# A pipe that ends in the middle of a record, or of what is compressed.
mkfifo pipe
head -c 30001 marose/pairs_1.fq >cut.fq
head -c 500 align/proteins.fa | gzip >cut.gz
gzip <overlap/text.fa >text.gz
for run in "cut.fq cut genocl-marose map ../marose/ref.fa ../pipe -e 5 -o out" \
  "cut.gz gzip genocl-align search ../align/queries.fa ../pipe -o out" \
  "cut.gz gzip genocl-align makedb ../pipe -o out" \
  "cut.gz gzip genocl-pwm scan ../pwm/motifs.jaspar ../pipe --score 4 -o out" \
  "text.gz gzip genocl-overlap sa ../pipe -o out" \
  "text.gz gzip genocl-overlap mem ../overlap/a.fa ../pipe -l 4 -o out"; do
  [ -z "${HARD_RUNS:-}" ] || continue
  # shellcheck disable=SC2086
  set -- $run
  from=$1 text=$2
  shift 2
  case $from in *.gz) bytes=$(($(wc -c <$from) - 20)) ;; *) bytes=$(wc -c <$from) ;; esac
  head -c "$bytes" $from >pipe &
  writer=$!
  WITH='' try pipe "$@"
  kill $writer 2>/dev/null || true
  wait $writer || true
  wrong "$* of a pipe that ends" "$text|ends"
done

# A pipe that is there as a whole is as good as a file.
name=bytes
"$BIN/genocl-overlap" sa text.gz --bytes -o right/bytes --quiet
cat text.gz >pipe &
WITH='' try bytes genocl-overlap sa ../pipe --bytes -o out
wait $!
judge "bytes of a pipe"
[ $got = 0 ] || fault "bytes of a pipe: status $got"

# A file that is mapped, and cut off by another process.
"$BIN/genocl-align" makedb align/proteins.fa -o whole.gdb --quiet
"$BIN/genocl-marose" index marose/ref.fa -o whole.mrs --quiet
"$BIN/genocl-overlap" index overlap/text.fa -o whole.sfx --quiet
cut_off() {
  file=$1
  shift
  cp "whole.$file" "mapped.$file"
  name=cut-$file
  WITH='' try "$name" "$@"
  [ $got = 0 ] || { cat said >&2; fail "undisturbed: $*: status $got"; }
  cp try/out "right/$name"
  round=0
  while [ $round -lt "${HARD_ROUNDS:-5}" ]; do
    round=$((round + 1))
    cp "whole.$file" "mapped.$file"
    (sleep "$(awk -v seed=$round 'BEGIN { srand(seed); print 0.02 + rand() * 0.3 }')"; : >"mapped.$file") &
    WITH='' try "$name" "$@"
    wait $!
    judge "$* of a file that is cut off, round $round"
  done
}
if [ -z "${HARD_RUNS:-}" ]; then
  cut_off gdb genocl-align search ../align/queries.fa ../mapped.gdb --align -o out
  cut_off mrs genocl-marose map ../mapped.mrs ../marose/pairs_1.fq -e 5 --format sam -o out
  cut_off sfx genocl-overlap find ../mapped.sfx ../overlap/words.fa -o out
fi
echo "$test_name: $of_driver times PoCL ended the process at its own file"
finish

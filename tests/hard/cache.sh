#!/bin/sh
# Two processes make the same entries of an empty kernel cache at once: both are right, and the cache is of use to a third one
# and has nothing else in it. HARD_ROUNDS: how often (4).
test_name=cache
. "$(dirname "$0")/common.sh"

chosen_runs 'overlap-sa' 'overlap-sa' >list
read -r line <list
make_right "$line"
# shellcheck disable=SC2086
set -- $line
name=$1 program=$2
shift 2
round=0
while [ $round -lt "${HARD_ROUNDS:-4}" ]; do
  round=$((round + 1))
  rm -rf cache one two
  mkdir one two
  for folder in one two; do
    (cd $folder && GENOCL_CACHE=on GENOCL_CACHE_DIR=$work/cache exec timeout 60 "$BIN/$program" "$@" --quiet >told 2>../said.$folder) &
    [ $folder = one ] && first=$! || second=$!
  done
  for both in "one $first" "two $second"; do
    folder=${both% *} got=0
    wait "${both#* }" || got=$?
    runs=$((runs + 1)) right=$((right + 1))
    cp said.$folder said
    [ $got = 0 ] || fault "round $round: status $got"
    cmp -s $folder/out "right/$name" || fault "round $round: another output"
  done
  ls cache | grep -v '\.program$' && fault "round $round: files that are no entries"
  [ -n "$(ls cache)" ] || fault "round $round: no entries"
  # What is there is what the next one takes: with calls of clCreateProgramWithSource failing it builds from binaries.
  WITH="GENOCL_CACHE=on GENOCL_CACHE_DIR=$work/cache LD_PRELOAD=$FAIL_CALL GENOCL_FAIL=clCreateProgramWithSource:1" try "$name" "$program" "$@"
  [ $got = 0 ] || fault "round $round: the cache is of no use"
  judge "round $round: from the cache"
done
finish

#!/bin/sh
# --tune measures, prints and keeps; later runs use what was kept, until another variable says otherwise.
test_name=tune
. "$(dirname "$0")/common.sh"

unset GENOCL_VARIANT GENOCL_TUNING || true
GENOCL_CACHE_DIR=$work/cache
GENOCL_CACHE=off  # of kernels: the folder is the tuning's alone
export GENOCL_CACHE_DIR GENOCL_CACHE
one=${GENOCL_DEVICE:-cpu}
tab=$(printf '\t')
expect 1 "--tune with --json or --measure" --tune --json
"$PROGRAM" --device "$one" --tune -o tuned 2>said || { cat said >&2; fail "--tune"; }
wrong() { cat tuned >&2; fail "$1"; }

# has <field> <value> <operation>: with a time, or without where the device cannot run it
has() { grep -qE "^$1$tab$2$tab$3${tab}1$tab([0-9]+\.[0-9]+|none)\$" tuned || wrong "no time of $1 $2, $3"; }
grep -q "^field${tab}value${tab}operation${tab}run${tab}ms\$" tuned || wrong "no header"
for family in cpu gpu; do
  for operation in sort scan histogram gather; do has family $family $operation; done
  has search_family $family search
  has relaxation_family $family relaxation
done
for workers in 4 8 16 32 64 128; do
  for operation in copy sum scan histogram; do has workers_per_unit $workers $operation; done
done
for groups in 2 4 8 16 32; do
  for operation in histogram sort; do has groups_per_unit $groups $operation; done
done
for size in 64 128 256; do
  for operation in copy sum scan gather; do has group_size $size $operation; done
done
grep -qE "^share$tab([0-9]+|none)${tab}relaxation${tab}1$tab-\$" tuned || wrong "no share"
for field in family search_family relaxation_family workers_per_unit groups_per_unit group_size packed_scores share; do
  grep -qE "^# $field$tab[a-z0-9]+$tab[a-z0-9]+\$" tuned || wrong "no choice of $field"
  grep -q "measuring $field of" said || [ $field = packed_scores ] || { cat said >&2; fail "nothing was said of $field"; }
done
grep -q "^# kept for later runs\$" tuned || wrong "nothing was kept"
# What is neither a row of five columns nor a comment is an accident.
[ "$(grep -v '^#' tuned | awk -F '\t' 'NF != 5' | wc -l)" = 0 ] || wrong "a row of another form"

# The one file that was kept holds the choice as text.
[ "$(ls cache | wc -l)" = 1 ] || fail "not one file was written"
sed -n "s/^# \([a-z_]*\)$tab\([a-z0-9]*\)$tab[a-z0-9]*\$/\1=\2/p" tuned | grep -v '^field=' >chosen
[ "$(wc -l <chosen)" = 8 ] || wrong "not eight choices"
while read -r line; do
  grep -aqx "$line" cache/* || { cat chosen >&2; fail "$line was not kept"; }
done <chosen

"$PROGRAM" --device "$one" -o table
family=$(sed -n 's/^family=//p' chosen)
[ "$(sed -n 2p table | cut -f 12)" = "$family" ] || { cat tuned table >&2; fail "what was kept is not used"; }
for other in cpu gpu; do
  GENOCL_VARIANT=$other "$PROGRAM" --device "$one" -o table
  [ "$(sed -n 2p table | cut -f 12)" = $other ] || fail "GENOCL_VARIANT=$other is not used"
done

# A device whose groups are too small for the group kernels: what it cannot run has no time, and that is no error. PoCL
# plays such a one.
POCL_MAX_WORK_GROUP_SIZE=32
export POCL_MAX_WORK_GROUP_SIZE
"$PROGRAM" --device "$one" --json -o small
if grep -q '"work_group_size": 32,' small; then
  "$PROGRAM" --device "$one" --tune -o tuned 2>said || { cat said >&2; fail "--tune with groups of 32"; }
  for row in "family${tab}gpu${tab}scan" "search_family${tab}gpu${tab}search" "group_size${tab}64${tab}copy"; do
    grep -q "^$row${tab}1${tab}none\$" tuned || wrong "a time of what cannot be run"
  done
  for field in family search_family relaxation_family; do
    grep -q "^# $field${tab}cpu$tab" tuned || wrong "another family than the one that runs"
  done
fi

# Nowhere to keep it: the times are there all the same.
GENOCL_CACHE_DIR=/dev/null/none "$PROGRAM" --device "$one" --tune -o tuned 2>said || { cat said >&2; fail "no folder"; }
grep -q "^# not kept, for the cache's folder cannot be written\$" tuned || wrong "nothing was said of the folder"

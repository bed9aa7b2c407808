#!/bin/sh
# --tune measures, prints and keeps; later runs use what was kept, until another variable says otherwise.
test_name=tune
. "$(dirname "$0")/common.sh"

unset GENOCL_VARIANT GENOCL_TUNING || true
GENOCL_CACHE_DIR=$work/cache
export GENOCL_CACHE_DIR
one=${GENOCL_DEVICE:-cpu}
expect 1 "--tune with --json or --measure" --tune --json
"$PROGRAM" --device "$one" --tune -o tuned 2>said || { cat said >&2; fail "--tune"; }
for operation in sort scan search relaxation; do
  grep -qE "^$operation	([0-9.]+|none)	([0-9.]+|none)\$" tuned || { cat tuned >&2; fail "no times of $operation"; }
done
family=$(sed -n 's/^# family \([a-z]*\), by its type [a-z]*: kept for later runs$/\1/p' tuned | head -n 1)
[ -n "$family" ] || { cat tuned >&2; fail "nothing was kept"; }
[ -n "$(ls cache)" ] || fail "no file was written"
"$PROGRAM" --device "$one" -o table
[ "$(sed -n 2p table | cut -f 12)" = "$family" ] || { cat tuned table >&2; fail "what was kept is not used"; }

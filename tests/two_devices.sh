#!/bin/sh
# two_devices.sh COUNT_DEVICES COMMAND...: runs COMMAND where PoCL shows two devices.
set -eu

count=$1
shift
unset GENOCL_DEVICE || true
# As PoCL 4 and later name its CPU driver, then as those before do.
for names in "cpu cpu" "pthread pthread"; do
  if [ "$(POCL_DEVICES=$names "$count" 2>/dev/null || true)" -ge 2 ] 2>/dev/null; then
    POCL_DEVICES=$names
    export POCL_DEVICES
    exec "$@"
  fi
done
echo "two_devices: PoCL does not show two devices" >&2
exit 1

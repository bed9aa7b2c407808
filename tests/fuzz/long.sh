#!/bin/sh
# long.sh BIN FOUND SECONDS [JOBS] [TARGET...]: each fuzz target of the folder BIN (a build with libFuzzer, as build/sanitizers/bin)
# for 10 million runs (FUZZ_RUNS) or SECONDS, whichever comes first, JOBS (1) of them at a time. What they find new is kept in the
# folder FOUND, from which the next run goes on, and so is each log. Ends with a table, and with 1 where a target found a fault.
set -eu
source=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
[ $# -ge 3 ] || { echo "usage: long.sh BIN FOUND SECONDS [JOBS] [TARGET...]" >&2; exit 2; }
bin=$(CDPATH='' cd -- "$1" && pwd)
mkdir -p "$2"
found=$(CDPATH='' cd -- "$2" && pwd)
seconds=$3 jobs=${4:-1}
[ $# -lt 4 ] || shift
shift 3
[ $# -gt 0 ] || set -- $(cd "$bin" && ls -d fuzz-* | sed 's/^fuzz-//')
export bin found seconds source
printf '%s\n' "$@" | xargs -P "$jobs" -I{} sh -c '
  name=$1 file=$(echo "$1" | tr - _)
  mkdir -p "$found/$file"
  set -- "$found/$file"
  [ ! -d "$source/corpus/$file" ] || set -- "$@" "$source/corpus/$file"
  [ ! -f "$source/dictionaries/$file.dict" ] || set -- "-dict=$source/dictionaries/$file.dict" "$@"
  # Compilers within drivers leave memory behind.
  case $name in checkpoint | marose-index | suffix-index) export ASAN_OPTIONS=detect_leaks=0 ;; esac
  status=0
  "$bin/fuzz-$name" -runs="${FUZZ_RUNS:-10000000}" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -max_len=4096 \
    -print_final_stats=1 "-artifact_prefix=$found/$name-" "$@" >"$found/$name.log" 2>&1 || status=$?
  echo $status >"$found/$name.status"' long {}
printf 'target\truns\tseconds\tcovered\tinputs\tstatus\n'
faults=0
for name in "$@"; do
  log=$found/$name.log status=$(cat "$found/$name.status")
  [ "$status" = 0 ] || faults=$((faults + 1))
  # "#N DONE cov: C ft: F corp: N/Kb ..." and "Done N runs in S second(s)".
  awk -v name="$name" -v status="$status" '/ cov: / { for (i = 1; i < NF; ++i) { if ($i == "cov:") covered = $(i + 1); if ($i == "corp:") { split($(i + 1), of, "/"); inputs = of[1] } } }
    /^stat::number_of_executed_units/ { runs = $2 } /^Done / { seconds = $5 } END { print name "\t" runs "\t" seconds "\t" covered "\t" inputs "\t" status }' "$log"
done
[ $faults = 0 ]

#!/bin/sh
# Builds, runs every test program and every benchmark on one device, and prints a short table last.
#
#   tests/bench/gpu.sh [DEVICE] [BENCHMARK_FILTER]      e.g.  tests/bench/gpu.sh nvidia 'sort|ceiling'
#
# For a machine with a GPU that CI does not have. Needs no htslib and no CLI11. OUT: the folder for the logs and the benchmark's JSON
# (default build-gpu/logs). SKIP_TESTS=1 skips the tests, MODULES="align" runs only the tests of align. Exit status: 1
# if a test or a benchmark failed.
set -u
device=${1:-gpu}
filter=${2:-.}
top=$(cd "$(dirname "$0")/../.." && pwd)
build=$top/build-gpu
logs=${OUT:-$build/logs}
mkdir -p "$logs"
jobs=$(nproc 2>/dev/null || echo 2)
status=0

{ cmake -S "$top" -B "$build" -DCMAKE_BUILD_TYPE=Release && cmake --build "$build" -j "$jobs"; } >"$logs/build.log" 2>&1 || {
  grep -E 'error|Error' "$logs/build.log" | head -n 20
  tail -n 5 "$logs/build.log"
  exit 1
}

if [ -z "${SKIP_TESTS:-}" ]; then
  for module in ${MODULES:-runtime primitives sequence pairwise marose align jacobi pwm overlap tunings}; do
    [ -x "$build/bin/test-$module" ] || continue
    if GENOCL_DEVICE=$device GENOCL_TEST_DATA=${GENOCL_TEST_DATA:-$top/../shared/data} \
      "$build/bin/test-$module" >"$logs/test-$module.log" 2>&1; then
      result=passed
    else
      result=FAILED
      status=1
      grep -E 'TEST CASE|ERROR' "$logs/test-$module.log" | head -n 20
    fi
    echo "test-$module: $result: $(grep 'test cases:' "$logs/test-$module.log" | tail -n 1)"
  done
fi

if [ -x "$build/bin/genocl-bench" ]; then
  "$build/bin/genocl-bench" --device "$device" --benchmark_filter="$filter" --benchmark_out="$logs/bench.json" \
    --benchmark_out_format=json >"$logs/bench.log" 2>&1 || {
    status=1
    tail -n 5 "$logs/bench.log"
  }
  python3 - "$logs/bench.json" <<'END'
import json, sys
text = open(sys.argv[1]).read()
if not text:
    sys.exit("no benchmark matches the filter")
results = json.loads(text)
print("device:", results["context"].get("device"), "| driver:", results["context"].get("driver"))
print(f"{'benchmark':48} {'ms':>10} {'G items/s':>10} {'of copy':>8} {'G per CPU-s':>12}")
for b in results["benchmarks"]:
    name = b["name"].split("/iterations")[0]
    share, cpu = b.get("share_of_copy"), b.get("items_per_cpu_second")
    print(f"{name:48} {b['real_time']:10.4f} {b['items_per_second'] / 1e9:10.3f} "
          f"{'' if share is None else format(share, '.0%'):>8} {'' if cpu is None else format(cpu / 1e9, '.3f'):>12}")
END
else
  echo "genocl-bench was not built (Google Benchmark missing)"
fi
exit $status

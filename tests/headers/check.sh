#!/bin/sh
# check.sh all|umbrella COMPILER INCLUDE CLHPP_INCLUDE [MPI_INCLUDE...]: every .hpp below INCLUDE, or those in INCLUDE/genocl, compile
# alone and twice in a row, without warnings (those of genocl::cluster only where MPI is given); and all of them together with a
# caller's own settings of CLHPP.
set -eu

alone=$1
compiler=$2
include=$3
clhpp=$4
shift 4
mpi=""
for folder in "$@"; do mpi="$mpi -isystem $folder"; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compile() {
  # shellcheck disable=SC2086
  "$compiler" -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror "-I$include" "-I$clhpp" \
    $mpi -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX "$@"
}

checked=0
failed=0
for header in $(cd "$include" && find genocl -name '*.hpp' | sort); do
  case $header in genocl/cluster*) [ -n "$mpi" ] || continue ;; esac
  printf '#include "%s"\n#include "%s"\n' "$header" "$header" >"$work/alone.cpp"
  printf '#include "%s"\n' "$header" >>"$work/all.cpp"
  checked=$((checked + 1))
  case $alone:$header in umbrella:genocl/*/*) continue ;; esac
  compile -MD -MF "$work/alone.d" "$work/alone.cpp" || { echo "$header does not compile alone"; failed=1; }
  # CLHPP is most of what compiling a small program costs: only who asks for it has it.
  if [ "$header" != genocl/opencl.hpp ] && grep -q 'CL/opencl\.hpp\|CL/cl\.h' "$work/alone.d"; then
    echo "$header includes OpenCL's headers"; failed=1
  fi
done
# A caller's target stands, by either name, whoever includes CLHPP first. Each version takes seconds: g++, in the standard set, has some.
versions="120 300" other_versions="210"
case $("$compiler" --version) in *clang*) versions="110 120 200 210 220 300" other_versions=$versions ;; esac
for name in CL_HPP_TARGET_OPENCL_VERSION CL_TARGET_OPENCL_VERSION; do
  for version in $versions; do
    cat >"$work/target.cpp" <<END
#include <genocl/opencl.hpp>
static_assert(CL_HPP_TARGET_OPENCL_VERSION == $version && CL_TARGET_OPENCL_VERSION == $version);
#if $version >= 210
std::uint32_t subgroups(const cl::Device& d) { return d.getInfo<CL_DEVICE_MAX_NUM_SUB_GROUPS>(); }
#endif
END
    compile -D$name=$version "$work/target.cpp" || { echo "$name=$version does not stand"; failed=1; }
  done
  versions=$other_versions
done
# Headers only declare what throws.
compile -fno-exceptions "$work/all.cpp" || { echo "the headers do not compile without exceptions"; failed=1; }
compile -DCL_HPP_ENABLE_EXCEPTIONS -DCL_HPP_TARGET_OPENCL_VERSION=300 -DCL_HPP_MINIMUM_OPENCL_VERSION=200 \
  "$work/all.cpp" || { echo "the headers do not compile with a caller's settings of CLHPP"; failed=1; }
# What is wrong in a caller's code is said in words.
for array in Array HostArray; do
  printf '#include "genocl/array.hpp"\n#include <string>\nstd::size_t x = sizeof(genocl::%s<std::string>);\n' "$array" \
    >"$work/wrong.cpp"
  if compile "$work/wrong.cpp" 2>"$work/log"; then
    echo "$array<std::string> compiles"; failed=1
  elif ! grep -q 'holds elements of a trivially copyable type' "$work/log"; then
    echo "$array<std::string> fails without a word why:"; cat "$work/log"; failed=1
  fi
done
says() {  # says TEXT CODE: the code does not compile, and the text is among what the compiler says
  printf '#include "genocl/genocl.hpp"\nusing namespace genocl;\n%s\n' "$2" >"$work/wrong.cpp"
  if compile "$work/wrong.cpp" 2>"$work/log"; then
    echo "compiles: $2"; failed=1
  elif ! grep -q "$1" "$work/log"; then
    echo "fails without \"$1\": $2"; cat "$work/log"; failed=1
  fi
}
says 'Array::fill() needs elements of 1, 2, 4' 'struct S { float x, y, z; }; void f(Array<S>& a) { a.fill({}); }'
says 'SortableKey' 'struct Pair { int a, b; }; void f(const Device& d, Array<Pair>& a) { primitives::sort(d, a); }'
says 'Reducible' 'struct Pair { int a, b; }; Pair f(const Device& d, const Array<Pair>& a) { return primitives::sum(d, a); }'
# Examples compile with the warnings that callers use. The project's own build compiles the cookbook with those of g++.
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wmissing-field-initializers -Wshadow"
cookbook="$include/../examples/cookbook/*.cpp"
case $("$compiler" --version) in *clang*) ;; *) warnings="$warnings -Wuseless-cast" cookbook="" ;; esac
cat >"$work/options.cpp" <<'END'
#include <genocl/genocl.hpp>
int main() {
  genocl::jacobi::Grid<double> grid(4000, 4000);
  grid.fill({.top = 100, .left = 25, .right = 75}, 0);
  const auto report = genocl::jacobi::solve<double>(genocl::Device::list("gpu,cpu"), grid, {.iterations = 2000});
  genocl::jacobi::SolveOptions options{.tolerance = 1e-6};
  options.equation = {.damping = 0.8};
  const genocl::align::SearchOptions search{.top = 3};
  const genocl::overlap::SuffixArrayOptions suffixes{.algorithm = genocl::overlap::Algorithm::dc3};
  const genocl::marose::MapOptions map{.model = {}};
  const genocl::pwm::ScanOptions scan{.max_hits = 5};
  return report.iterations == 2000 && search.top + scan.max_hits == 8 && !suffixes.time_steps && map.align ? 0 : 1;
}
END
# shellcheck disable=SC2086
for program in "$work/options.cpp" $cookbook "$include"/../examples/own_queue.cpp "$include"/../examples/sort_scan.cpp; do
  case $program in */options.cpp) ;; *) [ -e "$program" ] || { echo "no cookbook"; failed=1; continue; } ;; esac
  # shellcheck disable=SC2086
  "$compiler" -std=c++20 -fsyntax-only $warnings -Werror "-I$include" "-I$clhpp" "$program" ||
    { echo "$program does not compile with $warnings"; failed=1; }
done
echo "$checked headers"
[ "$checked" -gt 0 ] && [ "$failed" -eq 0 ]

#!/bin/sh
# lint.sh CLANG TARGET PROGRAMS: compiles every program that record.sh left in PROGRAMS for TARGET, warnings being errors.
# (A kernel keeps its parameters and a header its functions, whatever the defines leave of them.)
# Programs with inline PTX are for nvptx64 only. Targets for which machine code is generated get at most LINT_MOST (8) programs of
# each file.
set -eu

clang=$1
target=$2
programs=$3
case $target in
  # No backend before LLVM 20: as far as LLVM's own language.
  spir*) output=-emit-llvm ;;
  amdgcn*) output=-mcpu=gfx90a ;;
  # Makes `asm` a keyword, as NVIDIA's compiler has it.
  nvptx*) output=-fgnu-keywords ;;
  *) echo "lint: unknown target $target" >&2; exit 2 ;;
esac

compiled=0
failed=0
most=${LINT_MOST:-8}
case $target in spir*) most=1000000 ;; esac
# The programs, those of a file in the order of their options, of which every k-th is taken.
root() { grep -m1 -oE '^#line 1 "[^"]+\.cl"' "$1"; }
for source in "$programs"/*.cl; do
  echo "$(root "$source")|$(cat "${source%.cl}.options")|$source"
done | sort | awk -F'|' -v most="$most" '
  { n = ++count[$1]; file[$1, n] = $NF }
  END { for (name in count) { step = count[name] > most ? count[name] / most : 1
      for (k = 0; int(k * step) < count[name]; ++k) print file[name, int(k * step) + 1] } }' >"$programs.$target"
while read -r source <&3; do
  # With the compiler's own header, which common/builtins.clh then repeats.
  options=$(sed 's/-cl-nv-[^ ]*//g; s/-D_OPENCL_H_//; s/ -w\( \|$\)/ /' "${source%.cl}.options")
  case $target:$options in
    nvptx*) ;;
    *GENOCL_PTX=1*) continue ;;
  esac
  stop=
  # The kernels for CPUs keep tables on the stack that AMD's backend refuses.
  case $target in amdgcn*) grep -qE '^(GROUP|TILE)_KERNEL|^__kernel' "$source" || stop=-emit-llvm ;; esac
  # shellcheck disable=SC2086
  "$clang" -x cl -target "$target" -nogpulib -Xclang -finclude-default-header -S $output $stop -O1 -Wall -Wextra -Werror \
    -Wno-unused-function -Wno-unused-parameter $options "$source" -o /dev/null || { echo "for $target:$options"; failed=1; }
  compiled=$((compiled + 1))
done 3<"$programs.$target"
echo "$compiled programs for $target"
[ "$compiled" -gt 0 ] && [ "$failed" -eq 0 ]

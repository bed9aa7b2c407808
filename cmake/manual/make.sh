#!/bin/sh
# make.sh SOURCE VERSION OUT PROGRAM...: manual pages and completions of the programs, made from the output of --help-table:
# rows of program, command, kind, names, value and description, with tabs between.
#   OUT/man1/*.1, OUT/bash-completion/genocl, OUT/zsh/_genocl
set -eu
LC_ALL=C
export LC_ALL
here=$1/cmake/manual
environment=$1/docs/environment.md
version=$2
out=$3
shift 3

mkdir -p "$out/man1" "$out/bash-completion" "$out/zsh"
for program in "$@"; do "$program" --help-table; done >"$out/table"
for program in "$@"; do basename "$program"; done >"$out/programs"
while read -r name; do
  awk -v page="$name" -v version="$version" -v environment_page="$environment" -v programs="$out/programs" -f "$here/manual_page.awk" \
    "$out/table" >"$out/man1/$name.1"
done <"$out/programs"
awk -v shell=bash -v body="$here/completion.bash" -f "$here/completion.awk" "$out/table" >"$out/bash-completion/genocl"
awk -v shell=zsh -v body="$here/completion.zsh" -f "$here/completion.awk" "$out/table" >"$out/zsh/_genocl"

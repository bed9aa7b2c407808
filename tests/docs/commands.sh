#!/bin/sh
# commands.sh PAGE PROGRAMS SOURCE WORK: runs the ```console blocks of the Markdown file PAGE, in order, in one shell.
#
# A line that begins with "$ " is a command. Lines that begin with "> " continue it after a backslash, in a loop, in an
# open quote and in a here-document. The lines below are its expected standard output, where a line "..." stands for any
# number of lines. A command must exit with status 0, or with N if its output ends with a line "[status N]". Standard
# error is not compared. ```sh blocks are not run.
#
# The commands start in a new folder in WORK that looks like a checkout with a finished build. It has links to the
# folders examples, docs and cmake of SOURCE, and a folder build with a link bin to PROGRAMS. PROGRAMS is first on PATH.
#
# A comment <!-- needs: bcftools python3:pandas --> on the line before a block names tools (on PATH) and modules of
# Python that may be missing. If one is, the block is skipped. Later blocks that use its results name the same tools.
#
# An SVG picture of the page in docs/figures that the commands draw anew must have the same bytes.
set -eu
LC_ALL=C
export LC_ALL
page=$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd)/$(basename "$1")
programs=$(CDPATH='' cd -- "$2" && pwd)
source=$(CDPATH='' cd -- "$3" && pwd)
name=$(basename "$page" .md)
rm -rf "${4:?}/$name"
mkdir -p "$4/$name/steps" "$4/$name/checkout/build"
steps=$4/$name/steps
cd "$steps"
steps=$(pwd)
for folder in examples docs cmake; do ln -s "$source/$folder" "../checkout/$folder"; done
ln -s "$programs" ../checkout/build/bin
PATH=$programs:$PATH
export PATH

# N.command, N.expected, N.line and N.needs of each command.
awk '
function fail(what) { print FILENAME ":" NR ": " what | "cat >&2"; bad = 1; exit 1 }
# Whether a command goes on after this line of it.
function continues(text) {
  if (document != "") {
    if (text == document) document = ""
    return document != ""
  }
  if (match(text, /<<[\047]?[A-Z]+/)) {
    document = substr(text, RSTART + 2, RLENGTH - 2)
    sub(/^\047/, "", document)
    return 1
  }
  open_quotes += gsub(/\047/, "", text)
  loops += (text ~ /^(for|while) /) - (text ~ /^done/)
  return open_quotes % 2 == 1 || loops > 0 || text ~ /\\$/
}
/^<!-- needs: .* -->$/ { needs = $0; sub(/^<!-- needs: /, "", needs); sub(/ -->$/, "", needs); next }
/^ *```/ {
  if (inside) inside = 0
  else if (fence) fence = 0
  else if ($0 == "```console") { inside = 1; first = 1 }
  else fence = 1
  if (!inside) needs = ""
  next
}
!inside { if (!fence && $0 != "") needs = ""; next }
/^\$ / {
  if (n) { close(n ".command"); close(n ".expected") }
  n++
  first = 0
  print substr($0, 3) >(n ".command")
  printf "" >(n ".expected")
  print NR >(n ".line")
  print needs >(n ".needs")
  close(n ".line")
  close(n ".needs")
  open_quotes = loops = 0
  more = continues(substr($0, 3))
  next
}
/^> / && more { print substr($0, 3) >(n ".command"); more = continues(substr($0, 3)); next }
more { fail("a command is incomplete") }
first { fail("a console block begins with a line that is no command") }
{ print >(n ".expected") }
END {
  if (bad) exit 1
  if (inside || fence) fail("a block does not end")
  print n + 0 >"count"
}' "$page"
count=$(cat count)
[ "$count" -gt 0 ] || { echo "$page: no console block" >&2; exit 1; }

has() {
  case $1 in
    python3:*) python3 -c "import ${1#*:}" >/dev/null 2>&1 ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
  esac
}

# matches EXPECTED OUTPUT: "..." is any number of lines.
matches() {
  awk '
  FNR == NR && FILENAME == ARGV[1] { pattern[++m] = $0; next }
  { line[++n] = $0 }
  END {
    m += 0
    n += 0
    # possible[j]: the lines before j + 1 match the pattern so far.
    possible[0] = 1
    for (i = 1; i <= m; i++) {
      any = 0
      if (pattern[i] == "...") {
        for (j = 0; j <= n; j++) { any = any || possible[j]; possible[j] = any }
        continue
      }
      for (j = n; j >= 1; j--) { possible[j] = possible[j - 1] && line[j] == pattern[i]; any = any || possible[j] }
      possible[0] = 0
      if (!any) { print "first line that is not in the output: " pattern[i]; exit 1 }
    }
    if (!possible[n]) { print "the output has more lines than the page shows"; exit 1 }
  }' "$1" "$2"
}

cd ../checkout
set +eu
# A page whose command leaves the shell did not run to its end.
genocl_step=0
genocl_end=unexpected
trap '[ "$genocl_end" = expected ] || { echo "$page: ends in command $genocl_step" >&2; exit 1; }' EXIT
genocl_skipped=0
while [ "$genocl_step" -lt "$count" ]; do
  genocl_step=$((genocl_step + 1))
  genocl_file=$steps/$genocl_step
  genocl_missing=
  # shellcheck disable=SC2013
  for genocl_need in $(cat "$genocl_file.needs"); do
    has "$genocl_need" || genocl_missing="$genocl_missing $genocl_need"
  done
  if [ -n "$genocl_missing" ]; then
    echo "$page:$(cat "$genocl_file.line"): skipped: no$genocl_missing"
    genocl_skipped=$((genocl_skipped + 1))
    continue
  fi
  # shellcheck disable=SC1090
  . "$genocl_file.command" >"$genocl_file.out" 2>"$genocl_file.err" </dev/null
  genocl_status=$?
  genocl_wanted=$(sed -n '$s/^\[status \([0-9]*\)\]$/\1/p' "$genocl_file.expected")
  if [ -n "$genocl_wanted" ]; then
    sed '$d' "$genocl_file.expected" >"$genocl_file.shown" && mv "$genocl_file.shown" "$genocl_file.expected"
  fi
  if [ "$genocl_status" -ne "${genocl_wanted:-0}" ]; then
    { echo "$page:$(cat "$genocl_file.line"): status $genocl_status instead of ${genocl_wanted:-0}:"
      cat "$genocl_file.command" "$genocl_file.err"; } >&2
    exit 1
  fi
  if ! matches "$genocl_file.expected" "$genocl_file.out" >"$genocl_file.why"; then
    { echo "$page:$(cat "$genocl_file.line"): the output differs from the page: $(cat "$genocl_file.why")"
      cat "$genocl_file.command"
      diff "$genocl_file.expected" "$genocl_file.out"
      sed 's/^/standard error: /' "$genocl_file.err"; } >&2
    exit 1
  fi
done
[ "$genocl_skipped" -lt "$count" ] || { echo "$page: every command was skipped" >&2; exit 1; }
genocl_end=expected
# shellcheck disable=SC2013
for genocl_picture in $(sed -n 's/^!\[.*](figures\/\([^/]*\.svg\))$/\1/p' "$page"); do
  if [ -e "$genocl_picture" ] && ! cmp "$genocl_picture" "$(dirname "$page")/figures/$genocl_picture" >&2; then
    echo "$page: figures/$genocl_picture is not what the commands draw" >&2
    exit 1
  fi
done
echo "$page: $((count - genocl_skipped)) commands, $genocl_skipped skipped"

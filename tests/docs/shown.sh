#!/bin/sh
# shown.sh DOCS: every program of the cookbook and every figure is shown on a page, and every page is reached from the first.
set -eu
cd "$1"
status=0
missing() { echo "docs: $*" >&2; status=1; }

count=0
for recipe in ../examples/cookbook/*.cpp; do
  count=$((count + 1))
  grep -qF "\\include $(basename "$recipe")" cookbook.md || missing "cookbook.md does not show $recipe"
done
[ $count -ge 20 ] || missing "only $count programs in the cookbook"
for figure in figures/*.json; do
  grep -qF "${figure%.json}.svg)" ../README.md $(find . -name '*.md') || missing "no page shows $figure"
done
for page in *.md; do
  [ "$page" != main.md ] || continue
  name=$(sed -n '1s/.*{#\(.*\)}/\1/p' "$page")
  [ -n "$name" ] || missing "$page has no name"
  grep -qF "\\subpage $name" main.md || missing "main.md does not lead to $page"
done
# Links lead to files.
links=$(find . ../README.md ../MIGRATING.md -name '*.md' -exec grep -Ho '](\([^)#]*\)' {} + | grep -v -e '](http' -e ']($' | sed 's/](//' | sort -u)
for link in $links; do
  page=${link%%:*}
  [ -e "$(dirname "$page")/${link#*:}" ] || missing "$page has a link to ${link#*:}, which does not exist"
done

# The version stands in the header, and where a recipe cannot read it there.
version=$(awk '/^#define GENOCL_VERSION_(MAJOR|MINOR|PATCH) / { printf "%s%s", dot, $3; dot = "." }' ../include/genocl/version.hpp)
for recipe in conda/meta.yaml vcpkg/genocl/vcpkg.json spack/packages/genocl/package.py; do
  grep -qF "\"$version\"" "../cmake/packaging/$recipe" || missing "cmake/packaging/$recipe is not of version $version"
done
grep -q "^## $version" ../CHANGELOG.md || missing "CHANGELOG.md does not tell of version $version"
exit $status

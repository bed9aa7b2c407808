#!/bin/sh
# shown.sh DOCS: every program of the cookbook and every figure is shown on a page, every page is
# reached from the first, and links lead to files.
set -eu
cd "$1"
status=0
missing() { echo "docs: $*" >&2; status=1; }

count=0
for recipe in ../examples/cookbook/*.cpp; do
  count=$((count + 1))
  grep -qF "[Source]($recipe)" cookbook.md || missing "cookbook.md does not show $recipe"
done
[ $count -ge 20 ] || missing "only $count programs in the cookbook"
for figure in figures/*; do
  case $figure in
    *.json) picture=${figure%.json}.svg ;;
    *.svg | *.png) picture=$figure ;;
    *) continue ;;
  esac
  grep -qF "$picture)" ./*.md methods/*.md ../README.md || missing "no page shows $picture"
done
for page in *.md methods/*.md; do
  [ "$page" != main.md ] || continue
  grep -qF "]($page)" main.md || missing "main.md does not lead to $page"
  grep -qF ": $page" site/mkdocs.yml || missing "site/mkdocs.yml does not list $page"
done
# Relative links lead to files.
broken=$(
  for page in *.md methods/*.md ../README.md ../MIGRATING.md ../CONTRIBUTING.md; do
    grep -o ']([^)#]*' "$page" | cut -c 3- | while read -r link; do
      case $link in
        '' | *:*) ;;
        *) [ -e "$(dirname "$page")/$link" ] || echo "$page: no file $link" ;;
      esac
    done
  done
)
[ -z "$broken" ] || missing "$broken"

# The version stands in the header, and where a recipe cannot read it there.
version=$(awk '/^#define GENOCL_VERSION_(MAJOR|MINOR|PATCH) / { printf "%s%s", dot, $3; dot = "." }' ../include/genocl/version.hpp)
for recipe in conda/meta.yaml vcpkg/genocl/vcpkg.json spack/packages/genocl/package.py; do
  grep -qF "\"$version\"" "../cmake/packaging/$recipe" || missing "cmake/packaging/$recipe is not of version $version"
done
grep -q "^## $version" ../CHANGELOG.md || missing "CHANGELOG.md does not tell of version $version"
exit $status

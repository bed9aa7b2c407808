#!/bin/sh
# The commands that the help ends with.
test_name=examples
. "$(dirname "$0")/common.sh"

run_examples

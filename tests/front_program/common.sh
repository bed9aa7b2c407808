# Sourced by the tests of genocl.
. "$SOURCE/../program_common.sh"

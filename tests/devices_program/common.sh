# Sourced by the tests of genocl-devices.
. "$SOURCE/../program_common.sh"

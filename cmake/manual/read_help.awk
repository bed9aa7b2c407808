# Reads the help of programs, each behind a line "@ program command", and writes what it says as a table, with tabs between:
#   program command kind names type help
# kind is text (a line of the description), usage, positional, option, subcommand or example (a line of it).
function row(kind, names, type, help) {
  sub(/ +$/, "", help)
  print program "\t" command "\t" kind "\t" names "\t" type "\t" help
}
# Names, and what follows them: the type with its choices and default, what is required, what goes with what.
function finish(   names, help, at) {
  if (pending == "") return
  sub(/^ +/, "", pending)
  help = continued
  if (help == "" && (at = match(pending, /[^ ]  +/)) > 0) {
    help = substr(pending, at + 1)
    pending = substr(pending, 1, at)
    sub(/^ +/, "", help)
  } else if (help == "" && length(pending) > 28) {
    help = substr(pending, 29)
    pending = substr(pending, 1, 27)
  }
  names = pending
  sub(/ .*/, "", names)
  pending = substr(pending, length(names) + 2)
  row(section, names, pending, help)
  pending = continued = ""
}
/^@ / { finish(); program = $2; command = $3; section = "text"; next }
# As CLI11 writes them, the newer ones in capitals.
/^(Positionals|POSITIONALS|Options|OPTIONS|Subcommands|SUBCOMMANDS|Commands|Example):$/ {
  finish()
  section = tolower($1)
  sub(/s?:$/, "", section)
  if (section == "command") section = "subcommand"
  next
}
/^Usage: / { finish(); section = "usage"; sub(/^Usage: +/, "") }
section == "usage" && NF { sub(/^ +/, ""); sub(/^[^ ]*\//, ""); row("usage", "", "", $0); next }
section == "usage" { section = "text"; next }
section == "text" || section == "example" { row(section, "", "", $0); next }
# What is deep inside goes on with the help of the line before.
/^          +[^ ]/ { sub(/^ +/, ""); continued = continued (continued == "" ? "" : " ") $0; next }
NF { finish(); pending = $0; next }
END { finish() }

# Of the table that programs print with --help-table: what bash (shell=bash) or zsh (shell=zsh) completes for genocl and its programs.
BEGIN { FS = "\t"; quote = "'" }
function choices_of(names, type,   list) {
  if (names ~ /--device/) return "all gpu cpu accelerator"
  if (!match(type, /\{[^}]*\}/)) return ""
  list = substr(type, RSTART + 1, RLENGTH - 2)
  gsub(/,/, " ", list)
  return list
}
{ short = $1; sub(/^genocl-/, "", short); place = short ($2 == "" ? "" : " " $2) }
$2 == "" && $3 == "usage" && !seen[$1]++ { programs = programs " " $1; if ($1 != "genocl") shorts[++short_count] = short }
$3 == "subcommand" { below[short] = below[short] " " $4; about[short, $4] = $6 }
# The first that has a name has it in genocl, too.
$3 == "subcommand" && short != "genocl" && !($4 in home) { home[$4] = short " " $4 }
$3 == "option" {
  if (!(place in options)) order[++places] = place
  names = $4
  gsub(/,/, " ", names)
  options[place] = options[place] " " names
  list = choices_of($4, $5)
  value = $5 != ""
  count = split(names, one, " ")
  for (i = 1; i <= count; ++i)
    if (value) values[place] = values[place] (values[place] == "" ? "" : "|") quote place " " one[i] quote
  if (list != "") {
    pattern = ""
    for (i = 1; i <= count; ++i) pattern = pattern (pattern == "" ? "" : "|") quote place " " one[i] quote
    choices = choices "    " pattern ") echo " quote list quote " ;;\n"
  }
  help = $6
  gsub(/[\[\]\\:]/, "\\\\&", help)
  gsub(/'/, "'\\''", help)
  excluded = count > 1 ? "(" names ")" : ""
  many = $4 ~ /--device|--motif|--pssm|--adapter/ ? "*" : ""
  for (i = 1; i <= count; ++i)
    zsh[place] = zsh[place] " \\\n        " quote (many == "" ? excluded : many) one[i] "[" help "]" \
      (value ? ":value:" (list == "" ? "_files" : "(" list ")") : "") quote
}
function print_bash(   i, name) {
  print "# bash completion of genocl and its programs, made from what they say with --help."
  print "_genocl_options() {\n  case $1 in"
  for (i = 1; i <= places; ++i) print "    " quote order[i] quote ") echo " quote substr(options[order[i]], 2) quote " ;;"
  print "  esac\n}"
  print "_genocl_choices() {\n  case $1 in\n" choices "  esac\n}"
  print "_genocl_takes_value() {\n  case $1 in"
  for (i = 1; i <= places; ++i) if (values[order[i]] != "") print "    " values[order[i]] ") return 0 ;;"
  print "  esac\n  return 1\n}"
  print "_genocl_commands() {\n  case $1 in"
  for (name in below) print "    " name ") echo " quote substr(below[name], 2) quote " ;;" | "sort"
  close("sort")
  print "  esac\n}"
  print "# The program and the subcommand that a command of genocl stands for."
  print "_genocl_home() {\n  case $1 in"
  for (name in home) print "    " name ") echo " quote home[name] quote " ;;" | "sort"
  close("sort")
  print "    *) echo \"$1\" ;;\n  esac\n}"
  while ((getline line <body) > 0) print line
  print "complete -o bashdefault -o default -F _genocl" programs with_mpi()
}
function with_mpi(   i, list) {
  for (i = 1; i <= short_count; ++i) if (shorts[i] != "devices") list = list " genocl-" shorts[i] "-mpi"
  return list
}
function print_zsh(   i, name, n, command) {
  print "#compdef" programs with_mpi()
  print "# zsh completion of genocl and its programs, made from what they say with --help."
  print "_genocl_arguments() {\n  case $1 in"
  for (i = 1; i <= places; ++i) print "    " quote order[i] quote ") _arguments -s" zsh[order[i]] " \\\n        '*:file:_files' ;;"
  print "    *) _files ;;\n  esac\n}"
  print "_genocl_describe() {\n  local -a commands\n  case $1 in"
  for (name in below) {
    n = split(substr(below[name], 2), command, " ")
    print "    " name ") commands=("
    for (i = 1; i <= n; ++i) {
      help = about[name, command[i]]
      gsub(/:/, "\\:", help)
      gsub(/'/, "'\\''", help)
      print "      " quote command[i] ":" help quote
    }
    print "      ) ;;"
  }
  print "  esac\n  (( $#commands )) || return 1\n  _describe command commands\n}"
  print "_genocl_home() {\n  case $1 in"
  for (name in home) print "    " name ") echo " quote home[name] quote " ;;" | "sort"
  close("sort")
  print "    *) echo $1 ;;\n  esac\n}"
  while ((getline line <body) > 0) print line
}
END { if (shell == "bash") print_bash(); else print_zsh() }

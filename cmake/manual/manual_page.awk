# Of the table that programs print with --help-table: the manual page of `page` in roff. `version`, and the files `programs` (names,
# one a line) and `environment_page` (its table of environment variables) are given.
BEGIN { FS = "\t" }
function plain(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  if (text ~ /^[.']/) text = "\\&" text
  return text
}
# A paragraph is filled; lines that begin with spaces stay as they are.
function flow(line,   kept) {
  kept = line ~ /^ /
  if (line == "") { leave_kept(); paragraph = 1; return }
  if (paragraph && !kept) print ".PP"
  paragraph = 0
  if (kept && !in_kept) print ".PP\n.nf"
  if (!kept) leave_kept()
  in_kept = kept
  print plain(line)
}
function leave_kept() { if (in_kept) { print ".fi\n.PP"; in_kept = 0 } }
function entry(names, type, help) {
  gsub(/,/, ", ", names)
  print ".TP\n\\fB" plain(names) "\\fR" (type == "" ? "" : " " plain(type))
  print plain(help)
}
$1 != page { next }
$2 == "" && $3 == "text" { text[++texts] = $6 }
$2 == "" && $3 == "option" { option[++options] = $4 FS $5 FS $6 }
$2 == "" && $3 == "usage" { usage[++usages] = $6 }
$2 == "" && $3 == "subcommand" { commands[++command_count] = $4; does[$4] = $6 }
$2 != "" { of[$2, ++lines[$2]] = $3 FS $4 FS $5 FS $6 }
$2 == "" && $3 == "example" && $6 != "" { example[++examples] = $6 }
function paragraphs(   i) {
  paragraph = 0
  for (i = 2; i <= texts; ++i) flow(text[i])
  leave_kept()
}
function subsection(name,   i, part, kind, shown) {
  print ".SS " plain(name)
  print plain(does[name]) "."
  for (i = 1; i <= lines[name]; ++i) {
    split(of[name, i], part, FS)
    kind = part[1]
    if (kind == "usage") print ".PP\n.nf\n" plain(part[4]) "\n.fi"
    if (kind == "positional" || (kind == "option" && part[2] !~ /--help/)) entry(part[2], part[3], part[4])
    if (kind == "example" && part[4] != "") {
      if (!shown) print ".PP\nExample:\n.PP\n.nf"
      shown = 1
      print plain(part[4])
    }
  }
  if (shown) print ".fi"
}
function environment(   line, part) {
  print ".SH ENVIRONMENT"
  while ((getline line <environment_page) > 0) {
    if (line !~ /^\| `GENOCL_/) continue
    gsub(/`/, "", line)
    split(line, part, / *\| */)
    if (part[2] !~ /TEST/) entry(part[2], "", part[3])
  }
}
END {
  title = text[1]
  sub(/\.$/, "", title)
  sub("^" page ": ", "", title)
  print ".\\\" Made from what the program says with --help."
  print ".TH " toupper(page) " 1 \"\" \"genocl " version "\" \"genocl\""
  print ".SH NAME\n" plain(page) " \\- " plain(title)
  print ".SH SYNOPSIS\n.nf"
  for (i = 1; i <= usages; ++i) print plain(usage[i])
  for (i = 1; i <= command_count; ++i)
    for (j = 1; j <= lines[commands[i]]; ++j) {
      split(of[commands[i], j], part, FS)
      if (part[1] == "usage") print plain(part[4])
    }
  print ".fi\n.SH DESCRIPTION\n" plain(text[1])
  paragraphs()
  print ".SH OPTIONS"
  for (i = 1; i <= options; ++i) { split(option[i], part, FS); entry(part[1], part[2], part[3]) }
  if (command_count > 0) print ".SH COMMANDS"
  for (i = 1; i <= command_count; ++i)
    if (lines[commands[i]] > 0) subsection(commands[i])
    else entry(commands[i], "", does[commands[i]])
  print ".SH EXIT STATUS"
  entry("0", "", "Success.")
  entry("1", "", "Something is wrong with the command line or a file; one line on standard error says what.")
  entry("2", "", "A device or a kernel failed, or there is too little memory.")
  environment()
  print ".SH EXAMPLES\n.nf"
  for (i = 1; i <= examples; ++i) print plain(example[i])
  print ".fi\n.SH SEE ALSO"
  while ((getline name <programs) > 0) if (name != page) others[++other_count] = name
  for (i = 1; i <= other_count; ++i) print "\\fB" plain(others[i]) "\\fR(1)" (i < other_count ? "," : "")
}

# Doxygen's input filter for headers. Free-standing comments (the first lines, and comments on several declarations) become
# the description of the file. Characters that Doxygen would take for commands are escaped: @HD is SAM's.
function escaped(line) { gsub(/@/, "\\@", line); gsub(/</, "\\<", line); gsub(/#/, "\\#", line); return line }
function flush(free,   i) {
  if (count > 0 && free) print "/// \\file"
  for (i = 1; i <= count; ++i) print (free ? "///" escaped(substr(held[i], 3)) : held[i])
  if (count > 0 && free) print ""
  count = 0
}
/^\/\/[^\/]/ || /^\/\/$/ { held[++count] = $0; next }
# #pragma once follows the first comment.
{ flush($0 == "" || /^#pragma once/) }
# ///< documents the declaration before it.
{
  at = match($0, /\/\/\/<? /)
  print at == 0 ? $0 : substr($0, 1, at + RLENGTH - 1) escaped(substr($0, at + RLENGTH))
}
END { flush(1) }

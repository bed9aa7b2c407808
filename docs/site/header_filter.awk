# Doxygen's input filter for headers. Free-standing comments (the first lines, and comments on several declarations) become
# the description of the file. Characters that Doxygen would take for commands are escaped: @HD is SAM's. Lines of such a
# comment that are indented by three spaces or more, after an empty line, are an example: Doxygen shows them as code.
function escaped(line) { gsub(/@/, "\\@", line); gsub(/</, "\\<", line); gsub(/#/, "\\#", line); return line }
function flush(free,   i, example) {
  if (count > 0 && free) print "/// \\file"
  for (i = 1; i <= count; ++i) {
    if (!free) { print held[i]; continue }
    if (!example && held[i] ~ /^\/\/   / && held[i - 1] == "//") { example = 1; print "/// @code{.cpp}" }
    else if (example && held[i] !~ /^\/\/   /) { example = 0; print "/// @endcode" }
    print "///" (example ? substr(held[i], 3) : escaped(substr(held[i], 3)))
  }
  if (example) print "/// @endcode"
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

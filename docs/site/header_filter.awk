# What Doxygen reads of a header: the comments that stand by themselves (the first lines, and what is said of several
# declarations) tell of the file. No letter of a comment is a command of Doxygen's but those that headers have: @HD is SAM's.
function escaped(line) { gsub(/@/, "\\@", line); gsub(/</, "\\<", line); gsub(/#/, "\\#", line); return line }
function flush(free,   i) {
  if (count > 0 && free) print "/// \\file"
  for (i = 1; i <= count; ++i) print (free ? "///" escaped(substr(held[i], 3)) : held[i])
  if (count > 0 && free) print ""
  count = 0
}
/^\/\/[^\/]/ || /^\/\/$/ { held[++count] = $0; next }
# The first comment has #pragma once behind it.
{ flush($0 == "" || /^#pragma once/) }
# ///< has what stands before it.
{
  at = match($0, /\/\/\/<? /)
  print at == 0 ? $0 : substr($0, 1, at + RLENGTH - 1) escaped(substr($0, at + RLENGTH))
}
END { flush(1) }

# FASTA to lines of name, tab, upper-case letters.
/^>/ { if (NR > 1) print name "\t" letters; name = substr($1, 2); letters = ""; next }
{ letters = letters toupper($0) }
END { print name "\t" letters }

# Draws the mean depth of each 500 bases of a contig as SVG, from `samtools depth -a -r CONTIG reads.bam`.
{ sum[int(($2 - 1) / 500)] += $3; contig = $1; last = $2 }
END {
  bins = int((last + 499) / 500)
  for (i = 0; i < bins; i++) {
    mean[i] = sum[i] / (i + 1 < bins ? 500 : last - 500 * i)
    if (mean[i] > top) top = mean[i]
  }
  step = 1
  while (step * 5 < top) step *= step ~ /^2/ ? 2.5 : 2
  scale = 120 / top
  print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 700 180\" width=\"700\" height=\"180\" " \
    "font-family=\"sans-serif\" font-size=\"11\">"
  print "<rect width=\"700\" height=\"180\" fill=\"#fff\"/>"
  for (depth = 0; depth <= top; depth += step)
    printf "<path d=\"M40 %.1fH680\" stroke=\"#ccc\"/><text x=\"34\" y=\"%.1f\" text-anchor=\"end\">%d</text>\n", \
      140 - scale * depth, 144 - scale * depth, depth
  for (i = 0; i < bins; i++)
    printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#2f6b8f\"/>\n", \
      40 + i * 640 / bins, 140 - scale * mean[i], 640 / bins - 0.8, scale * mean[i]
  for (i = 0; i <= 6; i++)
    printf "<text x=\"%d\" y=\"155\" text-anchor=\"middle\">%d</text>\n", 40 + i * 640 / 6, i * last / 6
  print "<text x=\"360\" y=\"172\" text-anchor=\"middle\">position on " contig "; bars: mean depth of 500 bases</text></svg>"
}

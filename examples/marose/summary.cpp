#include "marose/summary.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <ostream>
#include <sstream>

namespace program {
namespace {

std::string share_of(std::uint64_t part, std::uint64_t whole) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2)
       << (whole == 0 ? 0.0 : 100 * static_cast<double>(part) / static_cast<double>(whole)) << '%';
  return text.str();
}

std::string rate(std::uint64_t reads, double seconds) {
  std::ostringstream text;
  const double rate = seconds > 0 ? static_cast<double>(reads) / seconds : 0;
  text << std::fixed
       << std::setprecision(rate < 1e4   ? 0
                            : rate < 1e6 ? 1
                                         : 2)
       << (rate < 1e4   ? rate
           : rate < 1e6 ? rate / 1e3
                        : rate / 1e6)
       << (rate < 1e4   ? ""
           : rate < 1e6 ? " k"
                        : " M")
       << " reads/s";
  return text.str();
}

}  // namespace

void Counts::add(const genocl::marose::ReadSummary& read, const genocl::marose::AlignedRead& aligned,
                 std::uint64_t length, bool rescued_mate, bool with_alignments) {
  ++reads;
  if (with_alignments ? aligned.mapped() : read.hits > 0 || rescued_mate) {
    ++mapped;
    // A read is unique that has one best place.
    if (aligned.best_count == 1) ++unique;
    if (aligned.best_count > 1) ++multiple, hits_of_multiple += aligned.best_count;
  }
  if (aligned.alignments.size() > 1) ++split;
  if (rescued_mate) ++rescued;
  if (read.kept.length < length) ++trimmed;
  if (read.mapped.length < read.kept.length) ++in_part;
  if (read.capped) ++capped;
  if (read.too_short) ++too_short;
  if (read.heuristic) ++heuristic;
  if (read.lower_bound && !read.too_short) {
    ++lower_bound;
    shortest_lower = length;
    lower_errors = read.bound;
  }
}

Counts& Counts::operator+=(const Counts& other) {
  reads += other.reads, mapped += other.mapped, unique += other.unique, multiple += other.multiple;
  hits_of_multiple += other.hits_of_multiple, records += other.records;
  not_all_written += other.not_all_written, capped += other.capped;
  trimmed += other.trimmed, in_part += other.in_part, split += other.split;
  too_short += other.too_short, too_long += other.too_long, lower_bound += other.lower_bound,
      heuristic += other.heuristic;
  if (other.lower_bound > 0) shortest_lower = other.shortest_lower, lower_errors = other.lower_errors;
  pairs += other.pairs, proper += other.proper, rescued += other.rescued;
  return *this;
}

void write_summary(std::ostream& out, const Counts& counts, const Seconds& seconds,
                   const std::optional<genocl::marose::InsertRange>& insert, const std::optional<WiderBound>& wider) {
  const auto line = [&](const char* what, std::uint64_t count, std::uint64_t of) {
    out << std::left << std::setw(16) << what << std::right << std::setw(12) << count << "  " << std::setw(7)
        << share_of(count, of);
  };
  out << std::left << std::setw(16) << "reads" << std::right << std::setw(12) << counts.reads << '\n';
  line("mapped", counts.mapped, counts.reads);
  out << '\n';
  line("unique", counts.unique, counts.reads);
  out << '\n';
  line("multiple", counts.multiple, counts.reads);
  if (counts.multiple > 0)
    out << "  mean hits " << std::fixed << std::setprecision(1)
        << static_cast<double>(counts.hits_of_multiple) / static_cast<double>(counts.multiple);
  out << '\n';
  if (counts.not_all_written > 0) line("not all written", counts.not_all_written, counts.reads), out << '\n';
  if (counts.split > 0) line("split", counts.split, counts.reads), out << '\n';
  if (counts.in_part > 0) line("in part", counts.in_part, counts.reads), out << '\n';
  const std::uint64_t unmapped = counts.reads - counts.mapped;
  line("unmapped", unmapped, counts.reads);
  if (wider)
    out << "  of " << wider->asked << " of them " << wider->mapped << " map with -e "
        << std::lround(100 * WiderBound::share) << "%: some "
        << share_of(unmapped * wider->mapped, counts.reads * wider->asked) << " of all reads";
  out << '\n';
  if (counts.trimmed > 0) line("trimmed", counts.trimmed, counts.reads), out << '\n';
  if (counts.too_short > 0) line("too short", counts.too_short, counts.reads), out << '\n';
  if (counts.too_long > 0) line("too long", counts.too_long, counts.reads), out << '\n';
  if (counts.lower_bound > 0) line("fewer errors", counts.lower_bound, counts.reads), out << '\n';
  if (counts.capped > 0) line("capped", counts.capped, counts.reads), out << '\n';
  if (counts.heuristic > 0) line("heuristic", counts.heuristic, counts.reads), out << '\n';
  if (insert) {
    line("proper pairs", counts.proper, counts.pairs);
    out << "  of " << insert->least << " to " << insert->most << " bases\n";
    if (counts.rescued > 0) line("rescued mates", counts.rescued, counts.reads), out << '\n';
  }
  out << "kernels " << rate(counts.reads, seconds.kernels) << ", mapping with reading and writing "
      << rate(counts.reads, seconds.mapping) << ", whole " << rate(counts.reads, seconds.whole) << '\n';
}

std::string warnings(const Counts& counts) {
  std::string text;
  if (counts.lower_bound > 0)
    text += "genocl-marose: warning: " + std::to_string(counts.lower_bound) +
            " reads were mapped with fewer errors than asked for (" + std::to_string(counts.lower_errors) + " at " +
            std::to_string(counts.shortest_lower) +
            " bases): no lossless plan is known beyond; --heuristic maps them with one that may miss hits\n";
  if (counts.capped > 0)
    text += "genocl-marose: warning: " + std::to_string(counts.capped) +
            " reads lie in too many places to be gone through: other hits may be as good as theirs\n";
  if (counts.heuristic > 0)
    text += "genocl-marose: warning: " + std::to_string(counts.heuristic) +
            " reads were mapped by plans that may miss hits\n";
  return text;
}

}  // namespace program

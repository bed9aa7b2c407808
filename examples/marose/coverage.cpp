#include "marose/coverage.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace program {

void append_covered(const genocl::marose::AlignedRead& read, std::vector<CoveredInterval>& covered) {
  for (const genocl::marose::ReadAlignment& alignment : read.alignments) {
    std::uint64_t begin = alignment.position;
    for (const genocl::CigarRun& run : alignment.cigar.runs()) {
      if (run.letter() == 'M') covered.push_back({.begin = begin, .length = run.length(), .contig = alignment.contig});
      if (run.uses_reference()) begin += run.length();
    }
  }
}

Coverage::Coverage(const genocl::marose::Index& index) {
  contigs_.resize(index.contigs());
  for (std::size_t i = 0; i < contigs_.size(); ++i) {
    contigs_[i].name = index.name(i);
    contigs_[i].length = index.length(i);
  }
}

void Coverage::Contig::change(std::uint64_t position, std::int8_t by) {
  constexpr std::int8_t limit = 127;
  if (steps.empty()) steps.resize(length + 1);
  std::int8_t& step = steps[position];
  if (step == limit || step == -limit) {
    rest[position] += step;
    step = 0;
  }
  step = static_cast<std::int8_t>(step + by);
}

void Coverage::add(std::span<const CoveredInterval> intervals) {
  for (const CoveredInterval& interval : intervals) {
    Contig& contig = contigs_[interval.contig];
    contig.change(interval.begin, 1);
    contig.change(interval.begin + interval.length, -1);
  }
}

/// The first position from `from` on with a difference in `steps`, or the length of the contig.
std::uint64_t Coverage::Contig::next_step(std::uint64_t from) const {
  for (; from + sizeof(std::uint64_t) <= length; from += sizeof(std::uint64_t)) {
    std::uint64_t several = 0;
    std::memcpy(&several, steps.data() + from, sizeof several);
    if (several != 0) break;
  }
  while (from < length && steps[from] == 0) ++from;
  return from;
}

void Coverage::write(genocl::io::OutputFile& file) const {
  std::string line;
  for (const Contig& contig : contigs_) {
    std::uint64_t begin = 0;
    std::int64_t depth = 0;
    const auto end_interval = [&](std::uint64_t end) {
      if (end == begin) return;
      line.assign(contig.name).append("\t").append(std::to_string(begin)).append("\t").append(std::to_string(end));
      line.append("\t").append(std::to_string(depth)).append("\n");
      file.write(line);
      begin = end;
    };
    auto rest = contig.rest.begin();
    for (std::uint64_t at = 0; !contig.steps.empty(); ++at) {
      at = contig.next_step(at);
      if (rest != contig.rest.end()) at = std::min(at, rest->first);
      if (at >= contig.length) break;
      std::int64_t step = contig.steps[at];
      if (rest != contig.rest.end() && rest->first == at) step += (rest++)->second;
      if (step == 0) continue;
      end_interval(at);
      depth += step;
    }
    end_interval(contig.length);
  }
}

}  // namespace program

#include "align/pairs/path.hpp"

namespace genocl::align {

Alignment alignment_of(std::int32_t score, const PathPlace& place, std::span<const std::uint8_t> steps,
                       std::span<const Code> query, std::span<const Code> subject, const RowScores& scores) {
  Alignment found;
  found.score = score;
  found.query_begin = place.query_begin;
  found.query_end = place.query_end;
  found.subject_begin = place.subject_begin;
  found.subject_end = place.subject_end;
  std::uint64_t i = place.query_begin, j = place.subject_begin;
  for (std::size_t step = steps.size(); step-- > 0;) {
    char operation = steps[step] == step_deletion ? 'D' : 'I';
    if (steps[step] == step_pair) {
      const bool equal = query[i] == subject[j];
      operation = equal ? '=' : 'X';
      found.identities += equal ? 1 : 0;
      found.positives += scores(i, query[i], subject[j]) > 0 ? 1 : 0;
    }
    if (operation != 'D') ++i;
    if (operation != 'I') ++j;
    if (found.runs.empty() || found.runs.back().operation != operation) {
      found.runs.push_back({0, operation});
      if (steps[step] != step_pair) ++found.gap_opens;
    }
    ++found.runs.back().length;
  }
  return found;
}

Alignment with_letters(const Alignment& alignment, std::span<const Code> query, std::span<const Code> subject,
                       const Matrix& matrix) {
  std::vector<std::uint8_t> steps;  // backwards
  for (auto run = alignment.runs.rbegin(); run != alignment.runs.rend(); ++run)
    steps.insert(steps.end(), run->length,
                 run->operation == 'D'   ? step_deletion
                 : run->operation == 'I' ? step_insertion
                                         : step_pair);
  const PathPlace place{alignment.query_begin, alignment.query_end, alignment.subject_begin, alignment.subject_end};
  return alignment_of(alignment.score, place, steps, query, subject, matrix);
}

}  // namespace genocl::align

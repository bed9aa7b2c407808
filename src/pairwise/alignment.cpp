#include "genocl/pairwise/alignment.hpp"

#include "genocl/error.hpp"
#include "pairwise/path.hpp"

namespace genocl::pairwise {

std::uint64_t Alignment::columns() const noexcept {
  std::uint64_t sum = 0;
  for (const EditRun& run : runs) sum += run.length;
  return sum;
}

std::string Alignment::cigar(bool match_as_m) const {
  std::string text;
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto name = [&](const EditRun& run) {
      return match_as_m && (run.operation == '=' || run.operation == 'X') ? 'M' : run.operation;
    };
    length += runs[i].length;
    if (i + 1 < runs.size() && name(runs[i + 1]) == name(runs[i])) continue;
    text += std::to_string(length);
    text += name(runs[i]);
    length = 0;
  }
  return text;
}

std::int64_t score_of_runs(const Alignment& alignment, std::span<const Code> query, std::span<const Code> subject,
                           const RowScores& scores, const GapPenalty& gap) {
  const auto fail = [](const std::string& what) { throw InputError("the runs of an alignment do not fit: " + what); };
  std::uint64_t i = alignment.query_begin, j = alignment.subject_begin;
  if (i > query.size() || j > subject.size()) fail("it begins behind the end of a sequence");
  std::int64_t score = 0;
  for (const EditRun& run : alignment.runs) {
    const std::string text = std::to_string(run.length) + run.operation;
    const bool in_query = run.operation != 'D', in_subject = run.operation != 'I';
    if (run.operation != '=' && run.operation != 'X' && in_query && in_subject) fail("no operation " + text);
    if (run.length == 0) fail("a run of nothing");
    if ((in_query && run.length > query.size() - i) || (in_subject && run.length > subject.size() - j))
      fail(text + " goes past the end of a sequence");
    if (in_query && in_subject) {
      for (std::uint32_t k = 0; k < run.length; ++k) {
        const Code a = query[i + k], b = subject[j + k];
        if ((a == b) != (run.operation == '=')) fail(text + " of letters that are not so");
        score += scores(i + k, a, b);
      }
    } else {
      score -= gap.open + std::int64_t{run.length} * gap.extend;
    }
    if (in_query) i += run.length;
    if (in_subject) j += run.length;
  }
  if (i != alignment.query_end || j != alignment.subject_end) fail("they end elsewhere than the alignment");
  return score;
}

std::int64_t score_of(const Alignment& alignment, std::span<const Code> query, std::span<const Code> subject,
                      const Matrix& matrix, const GapPenalty& gap) {
  return score_of_runs(alignment, query, subject, matrix, gap);
}

Alignment alignment_of(std::int32_t score, const AlignmentCoordinates& coordinates, std::span<const std::uint8_t> steps,
                       std::span<const Code> query, std::span<const Code> subject, const RowScores& scores) {
  Alignment found;
  found.score = score;
  found.query_begin = coordinates.query.begin;
  found.query_end = coordinates.query.end;
  found.subject_begin = coordinates.subject.begin;
  found.subject_end = coordinates.subject.end;
  std::uint64_t i = coordinates.query.begin, j = coordinates.subject.begin;
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
                       const RowScores& scores) {
  std::vector<std::uint8_t> steps;  // backwards
  for (auto run = alignment.runs.rbegin(); run != alignment.runs.rend(); ++run)
    steps.insert(steps.end(), run->length,
                 run->operation == 'D'   ? step_deletion
                 : run->operation == 'I' ? step_insertion
                                         : step_pair);
  const AlignmentCoordinates coordinates{{alignment.query_begin, alignment.query_end},
                                         {alignment.subject_begin, alignment.subject_end}};
  return alignment_of(alignment.score, coordinates, steps, query, subject, scores);
}

}  // namespace genocl::pairwise

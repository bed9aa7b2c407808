#include "genocl/align/alignment.hpp"

#include "align/scoring/row_scores.hpp"
#include "genocl/error.hpp"

namespace genocl::align {

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

namespace {

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

}  // namespace

std::int64_t score_of(const Alignment& alignment, std::span<const Code> query, std::span<const Code> subject,
                      const Matrix& matrix, const GapPenalty& gap) {
  return score_of_runs(alignment, query, subject, matrix, gap);
}

std::int64_t score_of(const Alignment& alignment, const Profile& profile, std::span<const Code> subject,
                      const GapPenalty& gap) {
  return score_of_runs(alignment, profile.letters(), subject, profile, gap);
}

}  // namespace genocl::align

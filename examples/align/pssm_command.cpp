// genocl-align pssm makes a profile of a multiple alignment.
#include "align/commands.hpp"
#include "common/check_files.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/io/sequence_reader.hpp"

namespace program {

void make_pssm(const PssmSettings& settings) {
  check_files({settings.alignment}, {settings.output});
  const align::Matrix matrix = align::Matrix::named(settings.matrix);
  align::GapPenalty gap = align::KarlinAltschul::usual_gap(matrix).value_or(align::GapPenalty{});
  gap = {settings.gap_open.value_or(gap.open), settings.gap_extend.value_or(gap.extend)};
  // With case and gaps.
  const genocl::SequenceSet set =
      genocl::io::read_sequences(settings.alignment, {.alphabet = genocl::Alphabet::bytes, .keep_qualities = false});
  std::vector<align::AlignedSequence> alignment;
  for (std::size_t i = 0; i < set.size(); ++i) alignment.push_back({std::string(set.name(i)), set.letters(i)});
  try {
    const align::MadeProfile made = align::make_profile(std::string(set.name(0)), alignment, matrix, gap);
    genocl::io::OutputFile out(settings.output);
    out.write(made.ascii());
    out.commit();
  } catch (const genocl::InputError& error) {
    if (!error.file().empty()) throw;
    throw genocl::InputError(settings.alignment, {}, error.what());
  }
}

}  // namespace program

// Commands makedb, info and pssm.

#include <chrono>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <string>

#include "align/options.hpp"
#include "align/subjects.hpp"
#include "common/check_files.hpp"
#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/io/sequence_reader.hpp"

namespace program {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const std::string& file) {
  const fs::path folder = fs::path(file).parent_path();
  return folder.empty() ? "." : folder;
}

}  // namespace

void make_database(const MakedbSettings& settings) {
  const auto begin = std::chrono::steady_clock::now();
  settings.making.check();
  for (const std::string& file : settings.inputs)
    if (is_database_file(file)) throw genocl::InputError(file, {}, "is a database already", "FASTA");
  check_named_output(settings.inputs, settings.output, "a database");
  MakingSettings making = settings.making;
  // The disk of the output has space for the database, so it likely has space for the temporary file.
  if (making.temporary_folder.empty()) {
    making.temporary_folder = folder_of(settings.output);
  }
  align::DatabaseBuilder builder(builder_options(making));
  append_files(builder, settings.inputs, making, settings.quiet);
  const std::size_t sequences = builder.size();
  const std::uint64_t residues = builder.residues();
  {
    ProgressBar bar("write", settings.quiet, "M residues", 1e6);
    builder.save(settings.output, [&](const genocl::ProgressState& state) {
      bar.show(state.fraction, state.items_done);
      return true;
    });
  }
  if (settings.quiet) return;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::cerr << sequences << " sequences, " << residues << " residues, written after " << std::fixed
            << std::setprecision(2) << seconds.count() << " s to " << settings.output << '\n';
}

void show_database(const InfoSettings& settings) {
  check_files({settings.database}, {settings.output});
  const align::Database database = align::Database::open(settings.database);
  const std::string_view letters =
      database.alphabet() == genocl::Alphabet::dna ? genocl::dna::letters : genocl::protein::letters;
  std::string text = "property\tvalue\n";
  const auto line = [&](std::string_view name, const std::string& value) {
    text.append(name).append("\t").append(value).append("\n");
  };
  line("alphabet", std::string(to_string(database.alphabet())));
  line("sequences", std::to_string(database.size()));
  line("residues", std::to_string(database.residues()));
  line("shortest", std::to_string(database.length_at(0)));
  line("median", std::to_string(database.length_at((database.size() - 1) / 2)));
  line("longest", std::to_string(database.longest()));
  for (std::size_t code = 0; code < letters.size(); ++code)
    if (const std::uint64_t count = database.letter_counts()[code]; count > 0)
      line(std::string("letter_") + letters[code], std::to_string(count));
  genocl::io::OutputFile out(settings.output);
  out.write(text);
  out.commit();
}

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

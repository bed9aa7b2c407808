// Commands makedb, info, get and pssm.

#include <chrono>
#include <ctime>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>

#include "align/options.hpp"
#include "align/subjects.hpp"
#include "common/check_files.hpp"
#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/io/sequence_reader.hpp"
#include "genocl/io/text_file.hpp"

namespace program {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const std::string& file) {
  const fs::path folder = fs::path(file).parent_path();
  return folder.empty() ? "." : folder;
}

/// Seconds since 1970 as "2026-11-27T18:00:00Z".
std::string utc_time(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  gmtime_r(&time, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

/// Appends the sequences of a database in its order.
void append_database(align::DatabaseBuilder& builder, const align::Database& database) {
  constexpr std::uint64_t residues_at_a_time = std::uint64_t{16} << 20;
  genocl::SequenceSet batch(database.alphabet());
  for (std::size_t number = 0; number < database.size(); ++number) {
    batch.append(database.name(number), database.sequence(number), database.description(number));
    if (batch.residues() < residues_at_a_time && number + 1 < database.size()) continue;
    builder.append(batch);
    batch.reset(database.alphabet(), false);
  }
  for (const align::DatabaseSource& source : database.sources()) builder.add_source(source);
}

/// The database that --append extends; its alphabet becomes that of the settings.
align::Database database_to_extend(const std::string& path, MakingSettings& making) {
  if (!fs::exists(path)) throw genocl::InputError(path, {}, "does not exist", "a database, to which --append adds");
  align::Database database = align::Database::open(path);
  const bool dna = database.alphabet() == genocl::Alphabet::dna;
  if (making.dna && !dna) throw genocl::InputError(path, {}, "--dna for a database of proteins");
  if (making.protein && dna) throw genocl::InputError(path, {}, "--protein for a database of DNA");
  making.dna = dna;
  return database;
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
  std::optional<align::Database> old;
  if (settings.append) old = database_to_extend(settings.output, making);
  align::DatabaseBuilder builder(builder_options(making));
  if (old) append_database(builder, *old);
  // Sizes and times are taken before the files are read, so that a change during the run is noticed later.
  for (const std::string& file : settings.inputs)
    if (const auto source = source_of(file)) builder.add_source(*source);
  append_files(builder, settings.inputs, making, settings.quiet);
  const std::size_t sequences = builder.size();
  const std::uint64_t residues = builder.residues();
  {
    ProgressBar bar("write", settings.quiet, "M residues", 1e6);
    builder.save(settings.output, bar.progress());
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
  line("version", std::to_string(align::Database::file_version));
  if (const auto file = source_of(settings.database)) line("date", utc_time(file->modified));
  std::ostringstream digest;
  digest << std::hex << std::setfill('0') << std::setw(16) << database.digest();
  line("digest", digest.str());
  for (const align::DatabaseSource& source : database.sources()) {
    line("source", source.path);
    line("source_bytes", std::to_string(source.bytes));
    line("source_date", utc_time(source.modified));
  }
  warn_of_changed_sources(database, settings.database);
  genocl::io::OutputFile out(settings.output);
  out.write(text);
  out.commit();
}

void get_sequences(const GetSettings& settings) {
  constexpr std::size_t line_letters = 80;  // as blastdbcmd
  check_files({settings.database}, {settings.output});
  const align::Database database = align::Database::open(settings.database);
  const align::SubjectIds ids(database);
  for (const std::string& id : settings.ids)
    if (ids.find(id).empty())
      throw genocl::InputError(settings.database, {}, "no sequence has the id " + genocl::in_quotes(id),
                               "the first word of a header, or the accession in it");
  genocl::io::OutputFile out(settings.output);
  for (const std::string& id : settings.ids)
    for (const std::uint64_t number : ids.find(id)) {
      std::string text = ">" + std::string(database.name(number));
      if (!database.description(number).empty()) text.append(" ").append(database.description(number));
      text += '\n';
      const std::string letters = genocl::decode(database.alphabet(), database.sequence(number));
      for (std::size_t at = 0; at < letters.size(); at += line_letters)
        text.append(letters, at, line_letters).append("\n");
      out.write(text);
    }
  out.commit();
}

align::MadeProfile profile_of_alignment(const std::string& file, const align::Matrix& matrix,
                                        const align::GapPenalty& gap) {
  const std::string name = file == "-" ? "standard input" : file;
  const std::vector<align::AlignedSequence> rows = align::parse_alignment(genocl::io::read_text_file(file), name);
  try {
    return align::make_profile(rows.front().name, rows, matrix, gap);
  } catch (const genocl::InputError& error) {
    if (!error.file().empty()) throw;
    throw genocl::InputError(name, {}, error.what());
  }
}

void make_pssm(const PssmSettings& settings) {
  check_files({settings.alignment}, {settings.output});
  const align::Matrix matrix = align::Matrix::named(settings.matrix);
  align::GapPenalty gap = align::KarlinAltschul::usual_gap(matrix).value_or(align::GapPenalty{});
  gap = {settings.gap_open.value_or(gap.open), settings.gap_extend.value_or(gap.extend)};
  const align::MadeProfile made = profile_of_alignment(settings.alignment, matrix, gap);
  genocl::io::OutputFile out(settings.output);
  out.write(settings.format == "asn1" ? made.asn1() : made.ascii());
  out.commit();
}

}  // namespace program

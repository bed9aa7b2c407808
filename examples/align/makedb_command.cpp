// genocl-align makedb turns FASTA into the file of a database.
#include <chrono>
#include <filesystem>
#include <iomanip>
#include <iostream>

#include "align/commands.hpp"
#include "align/subjects.hpp"
#include "common/check_files.hpp"
#include "common/progress_bar.hpp"
#include "genocl/error.hpp"

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
  // Where there is to be room for the database there is likely room for what does not fit the memory.
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

}  // namespace program

// Searches with profiles in the place of queries.
#include <filesystem>
#include <memory>

#include "align/formats/result_writer.hpp"
#include "align/search/search_modes.hpp"
#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "genocl/io/text_file.hpp"

namespace program {

void search_profiles(const Context& context, std::span<const genocl::Device> devices, Counts& counts) {
  const SearchSettings& settings = context.settings;
  if (context.dna()) throw genocl::InputError("--pssm with a database of DNA; expected proteins");
  std::vector<align::Profile> profiles;
  for (const std::string& file : settings.pssm) {
    const std::string name = file == "-" ? "standard_input" : std::filesystem::path(file).stem().string();
    profiles.push_back(align::Profile::parse(genocl::io::read_text_file(file), file, name, context.scoring.matrix));
  }
  ProgressBar bar("search", settings.common.quiet, "G cells", 1e9);
  align::SearchOptions options = search_options(settings, context.scoring);
  options.progress = [&](const genocl::ProgressState& state) {
    bar.show(state.fraction, state.items_done);
    return true;
  };
  const align::Searcher searcher(devices, context.database, options);
  const std::unique_ptr<ResultWriter> writer = make_writer(context);
  counts.add(
      searcher.search(std::span<const align::Profile>(profiles), [&](std::size_t i, std::vector<align::Hit>&& hits) {
        writer->write({.name = profiles[i].name(),
                       .description = {},
                       .codes = profiles[i].letters(),
                       .quality = {},
                       .masked = {},
                       .hits = hits});
        counts.hits += hits.size();
      }));
  for (const align::Profile& profile : profiles) counts.residues += profile.size();
  counts.queries += profiles.size();
  bar.clear();
  writer->finish();
}

}  // namespace program

#include "marose/reads/read_files.hpp"

#include <algorithm>

#include "genocl/error.hpp"

namespace program {
namespace {

using genocl::InputError;

std::string files_text(std::size_t count) { return std::to_string(count) + (count == 1 ? " file" : " files"); }

/// The names in all lists that an option was given.
std::vector<std::string> split(std::string_view option, const std::vector<std::string>& lists) {
  std::vector<std::string> files;
  for (const std::string& list : lists)
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      if (end == begin)
        throw InputError(std::string(option), {}, genocl::in_quotes(list) + " has a file without a name",
                         "names with commas between");
      files.push_back(list.substr(begin, end - begin));
      begin = end + 1;
    }
  return files;
}

}  // namespace

std::vector<std::string> ReadFileLists::names() const {
  std::vector<std::string> all;
  for (const std::vector<ReadFiles>* const list : {&pairs, &singles})
    for (const ReadFiles& files : *list) {
      all.push_back(files.reads);
      if (!files.mates.empty()) all.push_back(files.mates);
    }
  return all;
}

ReadFileLists read_files_of(const MapSettings& settings) {
  const std::vector<std::string> first = split("-1", settings.first_mates), second = split("-2", settings.second_mates),
                                 unpaired = split("-U", settings.unpaired);
  const bool lists = !first.empty() || !second.empty() || !unpaired.empty();
  if (settings.reads.empty() && !lists)
    throw InputError("no reads", {}, {}, "files of them behind the reference, or by -1 and -2, or by -U");
  if (!settings.reads.empty() && lists)
    throw InputError("-1, -2 and -U", {}, "beside " + settings.reads + " behind the reference",
                     "one way to name reads");
  if (settings.interleaved && lists)
    throw InputError("--interleaved", {}, "with -1, -2 or -U", "one file behind the reference, mate after mate");
  if (settings.interleaved && !settings.mates.empty())
    throw InputError("--interleaved", {}, "a second file of reads, " + settings.mates, "one file, mate after mate");
  if (first.size() != second.size())
    throw InputError("-1 and -2", {}, files_text(first.size()) + " and " + files_text(second.size()),
                     "as many of both, in the same order");
  ReadFileLists files;
  if (!settings.reads.empty())
    (settings.interleaved || !settings.mates.empty() ? files.pairs : files.singles)
        .push_back({settings.reads, settings.mates});
  for (std::size_t i = 0; i < first.size(); ++i) files.pairs.push_back({first[i], second[i]});
  for (const std::string& one : unpaired) files.singles.push_back({one, {}});

  const std::vector<std::string> names = files.names();
  const auto uses = std::ranges::count(names, "-");
  if (settings.reference == "-" && uses > 0)
    throw InputError("reference and reads cannot both come from standard input");
  if (uses > 1) throw InputError("standard input is named for two files of reads; expected it once");
  return files;
}

}  // namespace program

#include "runtime/kernel_source.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

#include "genocl/error.hpp"

namespace genocl::runtime {
namespace {

namespace fs = std::filesystem;

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// The name in `#include "name"`, or empty.
std::string_view included_name(std::string_view line) {
  line = trim(line);
  if (line.empty() || line.front() != '#') return {};
  line = trim(line.substr(1));
  constexpr std::string_view word = "include";
  if (line.substr(0, word.size()) != word) return {};
  line = trim(line.substr(word.size()));
  if (line.size() < 2 || line.front() != '"') return {};
  const auto end = line.find('"', 1);
  return end == std::string_view::npos ? std::string_view{} : line.substr(1, end - 1);
}

// The origin of each line of an expanded source as "file:line". Line numbers start at 1.
std::vector<std::string> line_origins(const std::string& source) {
  std::vector<std::string> origins{{}};
  std::istringstream lines(source);
  std::string file, line;
  std::size_t number = 0;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string directive, name;
    std::size_t next = 0;
    if (words >> directive >> next >> name && directive == "#line" && name.size() > 2) {
      file = name.substr(1, name.size() - 2);
      number = next - 1;
      origins.push_back(file);
    } else {
      origins.push_back(file + ":" + std::to_string(++number));
    }
  }
  return origins;
}

class Expander {
 public:
  template <class Read>
  void append(const std::string& file, const std::string& from, const Read& read) {
    if (!seen_.insert(file).second) return;
    const std::string source = read(file, from);
    text += "#line 1 \"" + file + "\"\n";
    std::size_t line_number = 0;
    for (std::size_t begin = 0; begin < source.size();) {
      const std::size_t end = std::min(source.find('\n', begin), source.size());
      const std::string_view line = std::string_view(source).substr(begin, end - begin);
      begin = end + 1;
      ++line_number;
      const std::string_view name = included_name(line);
      if (name.empty()) {
        text.append(line).push_back('\n');
      } else {
        append(std::string(name), file + ":" + std::to_string(line_number), read);
        text += "#line " + std::to_string(line_number + 1) + " \"" + file + "\"\n";
      }
    }
  }
  std::string text;

 private:
  std::set<std::string> seen_;
};

}  // namespace

std::string resolve_lines(const std::string& log, const std::string& source) {
  constexpr std::string_view whole = "<kernel>:";
  if (log.find(whole) == std::string::npos) return log;
  const auto origins = line_origins(source);
  std::string resolved;
  std::size_t from = 0;
  for (std::size_t at = log.find(whole); at != std::string::npos; at = log.find(whole, from)) {
    resolved.append(log, from, at - from);
    std::size_t digits = at + whole.size(), line = 0;
    while (digits < log.size() && log[digits] >= '0' && log[digits] <= '9' && line < origins.size())
      line = line * 10 + static_cast<std::size_t>(log[digits++] - '0');
    if (line > 0 && line < origins.size()) {
      resolved += origins[line];
      from = digits;
    } else {
      resolved += whole;
      from = at + whole.size();
    }
  }
  return resolved.append(log, from);
}

KernelSources::KernelSources(fs::path folder, std::vector<std::string> places_tried)
    : folder_(std::move(folder)), places_tried_(std::move(places_tried)) {}

std::string KernelSources::read(const std::string& file, const std::string& included_from) const {
  if (folder_.empty()) {
    for (const EmbeddedKernel& kernel : embedded_kernels())
      if (kernel.path == file) return std::string(kernel.text);
  } else if (std::ifstream stream(folder_ / file, std::ios::binary); stream && fs::is_regular_file(folder_ / file)) {
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream.bad()) return text;
  }
  std::string places;
  for (const std::string& place : places_tried_) places += (places.empty() ? "" : ", ") + place;
  throw BuildError(file, {}, 0, {},
                   "not found in " + name() + (included_from.empty() ? "" : " (included from " + included_from + ")") +
                       (places.empty() ? "" : "; places tried: " + places));
}

std::string KernelSources::expand(std::string_view file) const {
  Expander expander;
  expander.append(std::string(file), {},
                  [&](const std::string& name, const std::string& from) { return read(name, from); });
  return std::move(expander.text);
}

std::vector<std::string> KernelSources::files() const {
  std::vector<std::string> names;
  if (folder_.empty()) {
    for (const EmbeddedKernel& kernel : embedded_kernels())
      if (kernel.path.ends_with(".cl")) names.emplace_back(kernel.path);
  } else {
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      if (entry.path().extension() == ".cl") names.push_back(fs::relative(entry.path(), folder_).generic_string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string KernelSources::name() const { return folder_.empty() ? "the copy built into genocl" : folder_.string(); }

}  // namespace genocl::runtime

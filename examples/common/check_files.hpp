// Checks of a command's input and output files before the command does any work.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <tuple>
#include <vector>

#include "common/team.hpp"
#include "genocl/error.hpp"
#include "genocl/files.hpp"

namespace program {

/// Identity of a file. Two names of one file are equal.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  std::string missing;  ///< the name of a file that does not exist yet; device and inode are those of its folder
  mode_t mode = 0;

  bool same(const FileIdentity& other) const {
    return std::tie(device, inode, missing) == std::tie(other.device, other.inode, other.missing);
  }
};

/// Returns no value if neither the file nor its folder exists. `standard_stream`: the descriptor that "-" stands for.
inline std::optional<FileIdentity> identity_of(const std::string& path, int standard_stream) {
  struct stat status {};
  if (path == "-" ? fstat(standard_stream, &status) == 0 : stat(path.c_str(), &status) == 0)
    return FileIdentity{status.st_dev, status.st_ino, {}, status.st_mode};
  std::filesystem::path place = path;
  std::error_code error;
  for (int links = 0; links < 40 && std::filesystem::is_symlink(place, error); ++links)
    place = place.parent_path() / std::filesystem::read_symlink(place, error);
  const std::filesystem::path folder = place.parent_path().empty() ? "." : place.parent_path();
  if (path == "-" || stat(folder.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino, place.filename().string(), S_IFREG};
}

/// Checks that every output can be written, that no output is an input, and that no two outputs are the same file. An
/// empty name is an option that was not given; "-" is standard input or output. Only the root checks. Throws
/// InputError.
inline void check_files(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  if (!team().is_root()) return;
  const auto named = [](const std::string& path) { return path == "-" ? std::string("standard output") : path; };
  std::vector<std::pair<std::string, FileIdentity>> seen;
  for (const std::string& output : outputs) {
    if (output.empty()) continue;
    genocl::files::check_output(output);
    const std::optional<FileIdentity> file = identity_of(output, STDOUT_FILENO);
    if (!file) continue;
    for (const auto& [other, identity] : seen)
      // Several outputs may go to a device such as /dev/null.
      if (identity.same(*file) && (!S_ISCHR(file->mode) || (output == "-" && other == "-")))
        throw genocl::InputError(named(output), {}, "two outputs go to it", "a file for each");
    seen.emplace_back(output, *file);
    if (!S_ISREG(file->mode) && !S_ISBLK(file->mode)) continue;
    for (const std::string& input : inputs) {
      if (input.empty()) continue;
      const std::optional<FileIdentity> read = identity_of(input, STDIN_FILENO);
      if (read && read->missing.empty() && read->same(*file))
        throw genocl::InputError(named(output), {}, "is an input, which the output would replace", "another file");
    }
  }
}

/// check_files() for an output that must be a regular file with a name, because it is not written sequentially and its
/// readers map it. `what`: its kind for messages, such as "a database".
inline void check_named_output(const std::vector<std::string>& inputs, const std::string& output,
                               const std::string& what) {
  if (output.empty() || output == "-")
    throw genocl::InputError("-o", {}, what + " cannot be written to standard output", "the name of a file");
  struct stat status {};
  if (stat(output.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
    throw genocl::InputError(output, {}, "is no regular file", "one, or the name of a new one");
  check_files(inputs, {output});
}

}  // namespace program

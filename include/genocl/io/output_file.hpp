// A file that appears whole or not at all.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "genocl/export.hpp"

namespace genocl::io {

enum class Compression : std::uint8_t {
  by_name,  ///< bgzip for names that end in .gz, .bgz or .bgzf, else none.
  none,
  bgzip,  ///< Gzip in blocks of 64 KiB: every gzip reads it, and threads can share the reading and writing.
};

struct OutputOptions {
  Compression compression = Compression::by_name;
  int level = 6;         ///< 0 (no compression) to 9 (slowest), as zlib's; not looked at without compression.
  unsigned threads = 0;  ///< That compress besides the caller's, up to 256.
  /// It has a name already while it is written, so that it can be shared (OutputFile::share).
  bool named = false;
};

/// A file that others write to, from `begin` on.
struct SharedOutput {
  std::string path;
  std::uint64_t begin = 0;
};

/// A files::AtomicFile (genocl/files.hpp) with a buffer, and bgzip where wanted: it appears whole or not at all,
/// special files and links stay what they are. Every error is an InputError with the file's name and the system's
/// reason. For one thread at a time.
class GENOCL_EXPORT OutputFile {
 public:
  explicit OutputFile(const std::string& path, const OutputOptions& options = {});
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) noexcept;
  /// Without commit() before: as if the file had never been begun (but for what went to a pipe or a device).
  ~OutputFile();

  /// Buffered. After an error or commit() every call throws.
  void write(std::string_view bytes);
  /// Lets others write behind what is written so far, until take_back() tells where they have ended; write() in between
  /// is an error. No value for what is compressed here, is not `named`, or is no regular file.
  std::optional<SharedOutput> share();
  void take_back(std::uint64_t end);
  /// Everything is in its place when this returns.
  void commit();

  /// The name that messages give it.
  const std::string& file() const noexcept;
  /// Taken by write() so far, before compression.
  std::uint64_t bytes() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genocl::io

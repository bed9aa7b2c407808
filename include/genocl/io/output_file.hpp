// An output file that appears completely or not at all.
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
  bgzip,  ///< Gzip in blocks of 64 KiB: readable by every gzip, and by several threads.
};

struct OutputOptions {
  Compression compression = Compression::by_name;
  int level = 6;         ///< 0 (no compression) to 9 (slowest), as in zlib; ignored without compression.
  unsigned threads = 0;  ///< Compression threads in addition to the caller's, up to 256.
  /// Give the file a name while it is written, so that it can be shared (OutputFile::share).
  bool named = false;
};

/// A file that other processes write, from offset `begin` on.
struct SharedOutput {
  std::string path;
  std::uint64_t begin = 0;
};

/// A files::AtomicFile (genocl/files.hpp) with a buffer and optional bgzip compression. It appears completely or not at
/// all; special files and links are kept. Every error is an InputError with the file's name and the system's reason.
/// Not thread-safe.
class GENOCL_EXPORT OutputFile {
 public:
  explicit OutputFile(const std::string& path, const OutputOptions& options = {});
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) noexcept;
  /// Without commit(), restores the state before construction, except bytes written to a pipe or a device.
  ~OutputFile();

  /// Buffered. After an error or commit() every call throws.
  void write(std::string_view bytes);
  /// Lets other processes write after the current end, until take_back() receives their final offset. write() in
  /// between is an error. No value if the file is compressed, not `named`, or not a regular file.
  std::optional<SharedOutput> share();
  void take_back(std::uint64_t end);
  /// Completes the file and gives it its name. The system writes it to disk when it likes: a power failure soon after
  /// may lose it.
  void commit();

  /// The name for messages.
  const std::string& file() const noexcept;
  /// Number of bytes passed to write(), before compression.
  std::uint64_t bytes() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genocl::io

// Lets others write to an AtomicFile as if nothing could fail.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>

#include "genocl/files.hpp"

namespace genocl::io {

/// A pipe whose bytes a thread of its own writes to a file. Where that fails, what still comes is thrown away, so that
/// whoever writes to the pipe never sees it: htslib keeps its memory for good when one of its files fails.
class PipeToFile {
 public:
  /// Throws InputError with the file's name where there is no pipe to be had.
  explicit PipeToFile(files::AtomicFile& file);
  /// Waits until the other end of the pipe is closed. What has not reached the file by now never does.
  ~PipeToFile();
  PipeToFile(const PipeToFile&) = delete;
  PipeToFile& operator=(const PipeToFile&) = delete;

  /// The descriptor to write to, once: the caller closes it.
  int take_writing_end() noexcept;
  /// Throws what the file threw, if it did.
  void check() const;
  /// To be called when the writing end is closed: all bytes are in the file, or it throws what the file threw.
  void finish();
  /// The bytes that are still to come are for nobody.
  void discard() noexcept { discarding_ = true; }

 private:
  void drain() noexcept;

  files::AtomicFile& file_;
  int reading_end_ = -1, writing_end_ = -1;
  std::atomic<bool> failed_ = false, discarding_ = false;
  std::exception_ptr failure_;  // before `failed_` is set
  std::thread thread_;
};

}  // namespace genocl::io

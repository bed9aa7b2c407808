// Atomic output files, input files read at any offset, spill files, and logs of finished blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "genocl/export.hpp"

namespace genocl::files {

/// An output file that appears completely or not at all. It is written under a temporary name in the same folder and
/// renamed by commit(). Until then, and after an error, an existing file is unchanged and no other file remains. The
/// permissions of an existing file are kept. Symbolic links are followed: the file at their end is replaced or created.
/// "-" is standard output. Standard output and special files (devices, named pipes) are written directly.
///
/// On file systems with unnamed files (O_TMPFILE) even a killed process leaves nothing; for others see
/// remove_temporaries().
///
/// Errors are InputErrors with the file's name and the system's reason: a missing or unwritable folder, a directory, a
/// loop of links, a full disk, a closed pipe. Not thread-safe.
class GENOCL_EXPORT AtomicFile {
 public:
  /// `allow_unnamed`: false disables O_TMPFILE, for tests.
  explicit AtomicFile(const std::string& path, bool allow_unnamed = true);
  /// Removes an uncommitted file. Bytes written to a pipe or device are not undone.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Unbuffered. Does not raise SIGPIPE, whatever its disposition.
  void write(std::string_view bytes);
  /// What commit() waits for. `disk`: a power failure later loses nothing. `nothing`: the system writes the file to
  /// disk when it likes, as for the output of most programs; saves the time of writing gigabytes.
  enum class Sync : bool { nothing, disk };
  /// Renames the file to its final name and closes it.
  void commit(Sync sync = Sync::disk);

  /// Readable and writable unless special(); then writable only.
  int descriptor() const noexcept { return descriptor_; }
  /// The temporary name until commit(); empty if unnamed.
  const std::string& temporary() const noexcept { return temporary_; }
  /// True if written directly: standard output or a special file.
  bool special() const noexcept { return target_.empty(); }
  /// The name for messages.
  const std::string& name() const noexcept { return name_; }
  /// Throws an InputError for this file: `what` and the system's reason for `error`, an errno.
  [[noreturn]] void fail(const std::string& what, int error) const;

 private:
  void open_directly();
  void open_beside(bool allow_unnamed);
  /// Tries new names in the target's folder. `make` returns -1 with errno EEXIST if a name is taken.
  template <class Make>
  bool with_new_name(Make make);
  void forget_temporary();

  std::string name_;
  std::string target_;     // final path; empty if written directly
  std::string temporary_;  // name until commit(); empty if unnamed
  int remembered_ = -1;    // entry for remove_temporaries()
  int descriptor_ = -1;
};

/// A temporary file for data that exceeds the memory: append and read back. It is deleted with the object and when the
/// process ends in any way: it is unnamed from the start (O_TMPFILE), or unlinked before the first write.
///
/// Errors are InputErrors with the folder's name and the system's reason: a missing or unwritable folder, a full disk.
/// Data appended earlier stays. Not thread-safe, except read().
class GENOCL_EXPORT SpillFile {
 public:
  /// Creates the file in `folder`; empty: TMPDIR if set, else /var/tmp, else /tmp.
  explicit SpillFile(const std::string& folder = {});
  SpillFile(SpillFile&& other) noexcept;
  SpillFile& operator=(SpillFile&& other) noexcept;
  ~SpillFile();

  /// Appends all bytes, or throws and appends none. Unbuffered.
  void append(std::span<const std::byte> bytes);
  /// Appends `count` zeros and allocates their disk blocks, so that a mapping of the file can be written.
  void append_zeros(std::uint64_t count);
  /// Reads place.size() bytes from offset `begin`. Precondition: begin + place.size() <= size().
  void read(std::uint64_t begin, std::span<std::byte> place) const;

  std::uint64_t size() const noexcept { return size_; }
  const std::string& folder() const noexcept { return folder_; }
  /// Readable, writable and mappable during the object's lifetime.
  int descriptor() const noexcept { return descriptor_; }

 private:
  [[noreturn]] void fail(const std::string& what, int error) const;

  std::string folder_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

/// An input file that is read several times and at any offset. Standard input, pipes and other files without a size are
/// copied to a SpillFile first.
///
/// Errors are InputErrors with the file's name and the system's reason: a missing or unreadable file, a folder, a file
/// that became shorter. A copy holds a descriptor, and so do up to 256 other objects of a process; the rest open the
/// file for each read. Not thread-safe, except read().
class GENOCL_EXPORT InputFile {
 public:
  /// "-" is standard input. `folder`: of the temporary file, as for SpillFile.
  explicit InputFile(const std::string& path, const std::string& folder = {});
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  /// Reads place.size() bytes from offset `begin`. Throws InputError also if begin + place.size() > size().
  void read(std::uint64_t begin, std::span<std::byte> place) const;

  /// Bytes at construction. Later bytes of a growing file are not read.
  std::uint64_t size() const noexcept { return size_; }
  /// The name for messages.
  const std::string& name() const noexcept { return name_; }

 private:
  void open();
  [[noreturn]] void fail(const std::string& what, int error) const;

  std::string name_;  // the path unless copy_
  std::optional<SpillFile> copy_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

/// The finished parts of a long job: numbered blocks of bytes in a folder, shared by any number of processes and runs.
/// After add() returns, a block survives any end of the process or machine. A damaged block counts as absent. Errors
/// are InputErrors with the name of the folder or file.
class GENOCL_EXPORT BlockLog {
 public:
  /// Opens or creates the folder and reads the index of its blocks. `job` identifies the job: throws InputError if the
  /// folder belongs to another job or contains other files.
  BlockLog(const std::string& folder, std::string_view job);
  ~BlockLog();
  BlockLog(const BlockLog&) = delete;
  BlockLog& operator=(const BlockLog&) = delete;

  /// Number of blocks from earlier runs.
  std::size_t found() const noexcept;
  bool has(std::uint64_t block) const noexcept;
  /// Empty if the block is absent or damaged. Thread-safe.
  std::optional<std::string> read(std::uint64_t block) const;
  /// Adds a block; this object cannot read it back. Not thread-safe.
  void add(std::uint64_t block, std::string_view bytes);
  /// Removes the folder and all blocks, including those of other processes.
  void remove();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Throws the exception of AtomicFile(path), without creating a file. Call it before long work. Opens no device and no
/// pipe.
GENOCL_EXPORT void check_output(const std::string& path);

/// Removes all uncommitted files of this process. Async-signal-safe: call it in handlers of SIGINT and SIGTERM before
/// the program ends.
GENOCL_EXPORT void remove_temporaries() noexcept;

}  // namespace genocl::files

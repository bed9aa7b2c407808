// Files that appear whole or not at all, and files that nobody else sees.
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

/// A file that is written beside its place and put there by commit(): until then, and after a failure, what was there
/// before is there still, and nothing else is left behind. An existing file's permissions are kept; symbolic links
/// stay, however many lead to one another, and the file at their end is replaced or made. "-" is standard output; it,
/// and whatever exists and is no regular file (a device, a named pipe), is written to directly.
///
/// Where the file system has files without a name (O_TMPFILE), nothing is left even by a process that is killed; see
/// remove_temporaries() for those that have not.
///
/// Every error is an InputError with the file's name and the system's reason: a folder that is missing or may not be
/// written to, a directory, a loop of links, a full disk, a reader that closed the pipe. For one thread at a time.
class GENOCL_EXPORT AtomicFile {
 public:
  /// `allow_unnamed` false makes it do what it does on a file system without unnamed files.
  explicit AtomicFile(const std::string& path, bool allow_unnamed = true);
  /// Undoes what commit() has not done (but for what went to a pipe or a device).
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Not buffered. SIGPIPE does not end the process here, whatever its disposition.
  void write(std::string_view bytes);
  /// Puts the file in its place, with its bytes on the disk, and closes it.
  void commit();

  /// It may be read and written where the file is not special(), else only written.
  int descriptor() const noexcept { return descriptor_; }
  /// Its name until commit(); empty while it has none.
  const std::string& temporary() const noexcept { return temporary_; }
  /// Whether it is written to directly, because it is standard output or no regular file.
  bool special() const noexcept { return target_.empty(); }
  /// The name that messages give it.
  const std::string& name() const noexcept { return name_; }
  /// Throws the InputError of this file: `what`, and the system's reason `error`, an errno.
  [[noreturn]] void fail(const std::string& what, int error) const;

 private:
  void open_directly();
  void open_beside(bool allow_unnamed);
  /// A new name beside the target, made by `make`, which returns -1 with errno EEXIST where it is taken.
  template <class Make>
  bool with_new_name(Make make);
  void forget_temporary();

  std::string name_;
  std::string target_;     // where it goes; empty when it is written to directly
  std::string temporary_;  // its name until then; empty while it has none
  int remembered_ = -1;    // where remove_temporaries() finds that name
  int descriptor_ = -1;
};

/// Bytes that do not fit the memory: a file without a name, which is appended to and read back. Its bytes are gone with
/// the object, and with the process however that ends: it has no name from the beginning where the file system has such
/// files (O_TMPFILE), and elsewhere loses it before anything is written.
///
/// Every error is an InputError with the folder's name and the system's reason: a folder that is missing or may not be
/// written to, a full disk. What was appended before stays. For one thread at a time, but for read().
class GENOCL_EXPORT SpillFile {
 public:
  /// Makes the file in `folder`; empty: in TMPDIR where that is set, else in /var/tmp, else in /tmp.
  explicit SpillFile(const std::string& folder = {});
  SpillFile(SpillFile&& other) noexcept;
  SpillFile& operator=(SpillFile&& other) noexcept;
  ~SpillFile();

  /// Adds all of the bytes, or throws and adds none. Not buffered.
  void append(std::span<const std::byte> bytes);
  /// Adds `count` zeros with room on the disk for all of them, so that a map of the file can be written to.
  void append_zeros(std::uint64_t count);
  /// Fills `place` with the bytes from `begin` on; begin + place.size() <= size().
  void read(std::uint64_t begin, std::span<std::byte> place) const;

  std::uint64_t size() const noexcept { return size_; }
  const std::string& folder() const noexcept { return folder_; }
  /// It may be read, written and mapped, as long as the object lives.
  int descriptor() const noexcept { return descriptor_; }

 private:
  [[noreturn]] void fail(const std::string& what, int error) const;

  std::string folder_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

/// What is finished of a long job: numbered blocks of bytes in a folder, for any number of processes and runs. A block
/// that add() has returned from is there after any end of the process or the machine; one that is damaged is as if it
/// were not there. Every error is an InputError with the name of the folder or file.
class GENOCL_EXPORT BlockLog {
 public:
  /// Makes the folder where there is none. `job` tells what the blocks are of: throws InputError for a folder with
  /// those of another job, or with anything else. Reads the numbers and places of the blocks, not their bytes.
  BlockLog(const std::string& folder, std::string_view job);
  ~BlockLog();
  BlockLog(const BlockLog&) = delete;
  BlockLog& operator=(const BlockLog&) = delete;

  /// How many blocks earlier runs have left.
  std::size_t found() const noexcept;
  bool has(std::uint64_t block) const noexcept;
  /// No value where the block is not there, or not as it was written. Any thread may call it.
  std::optional<std::string> read(std::uint64_t block) const;
  /// Not to be read again by this object. One thread at a time.
  void add(std::uint64_t block, std::string_view bytes);
  /// Removes the folder and all blocks, those of other processes too.
  void remove();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Throws what AtomicFile(path) would throw, and leaves nothing: to be asked before long work. Opens no device and no
/// pipe.
GENOCL_EXPORT void check_output(const std::string& path);

/// Removes the names of all files of this process that are begun and not committed. Async-signal-safe: a program calls
/// it in its handler of SIGINT and SIGTERM, and ends then.
GENOCL_EXPORT void remove_temporaries() noexcept;

}  // namespace genocl::files

// A descriptor to write to, and the file that it becomes or does not become.
#pragma once

#include <string>

namespace genocl::io {

/// Throws InputError. The destructor undoes what commit() has not done.
class AtomicFile {
 public:
  /// `allow_unnamed` false: as on a file system without unnamed files (O_TMPFILE).
  explicit AtomicFile(const std::string& path, bool allow_unnamed = true);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  int descriptor() const noexcept { return descriptor_; }
  /// Puts the file in its place, with its bytes on the disk, and closes it.
  void commit();

  /// As messages name it.
  const std::string& name() const noexcept { return name_; }
  [[noreturn]] void fail(const std::string& what, int error) const;

 private:
  void open_directly();
  void open_beside(bool allow_unnamed);
  /// A new name beside the target, made by `make`, which returns -1 with errno EEXIST where it is taken.
  template <class Make>
  bool with_new_name(Make make);

  std::string name_;
  std::string target_;     // where it goes; empty when it is written to directly
  std::string temporary_;  // its name until then; empty while it has none
  int descriptor_ = -1;
};

}  // namespace genocl::io

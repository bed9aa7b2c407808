// Exceptions of the library. All derive from genocl::Error. what() is one line that can be shown to a user; BuildError
// has the compiler's log separately.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "genocl/export.hpp"

namespace genocl {

class GENOCL_EXPORT Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  ~Error() override;
};

/// An OpenCL call failed.
class GENOCL_EXPORT DeviceError : public Error {
 public:
  /// `operation`: the OpenCL function or the step. `device`, `kernel`: names, may be empty. `code`: OpenCL's error
  /// number, 0 if none.
  DeviceError(std::string operation, std::string device, std::string kernel, int code, const std::string& detail = {});
  ~DeviceError() override;

  const std::string& operation() const noexcept { return operation_; }
  const std::string& device() const noexcept { return device_; }
  const std::string& kernel() const noexcept { return kernel_; }
  int code() const noexcept { return code_; }

 private:
  std::string operation_, device_, kernel_;
  int code_ = 0;
};

/// A kernel source is missing or does not compile. log() is the compiler's complete output.
class GENOCL_EXPORT BuildError : public DeviceError {
 public:
  BuildError(std::string file, std::string device, int code, std::string log, const std::string& detail = {});
  ~BuildError() override;

  /// Path of the kernel file inside cl/ ("primitives/scan.cl").
  const std::string& file() const noexcept { return file_; }
  const std::string& log() const noexcept { return log_; }

 private:
  std::string file_, log_;
};

/// Invalid argument or input file. what() reads `file:record: wrong; expected`.
class GENOCL_EXPORT InputError : public Error {
 public:
  /// For an invalid argument without a file.
  explicit InputError(const std::string& wrong);
  /// `where`: line number, record name or number, position; empty for the whole file.
  InputError(std::string file, std::string where, std::string wrong, std::string expected = {});
  ~InputError() override;

  const std::string& file() const noexcept { return file_; }
  const std::string& where() const noexcept { return where_; }
  const std::string& wrong() const noexcept { return wrong_; }
  const std::string& expected() const noexcept { return expected_; }

 private:
  std::string file_, where_, wrong_, expected_;
};

/// An operation needs more memory than available. Thrown before any work starts.
class GENOCL_EXPORT CapacityError : public Error {
 public:
  CapacityError(const std::string& what_for, std::uint64_t needed_bytes, std::uint64_t available_bytes);
  ~CapacityError() override;

  std::uint64_t needed() const noexcept { return needed_; }
  std::uint64_t available() const noexcept { return available_; }

 private:
  std::uint64_t needed_ = 0, available_ = 0;
};

/// A Progress callback requested to stop.
class GENOCL_EXPORT Cancelled : public Error {
 public:
  Cancelled();
  ~Cancelled() override;
};

/// Quotes input text for a message: on one line, at most `longest` bytes followed by "...".
GENOCL_EXPORT std::string shown(std::string_view text, std::size_t longest = 60);
/// shown() in double quotes.
GENOCL_EXPORT std::string in_quotes(std::string_view text);

/// OpenCL's name of an error number: "CL_OUT_OF_RESOURCES"; "CL_ERROR_-9999" if unknown.
GENOCL_EXPORT std::string opencl_error_name(int code);

}  // namespace genocl

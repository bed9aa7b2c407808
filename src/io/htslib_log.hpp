// Disables htslib's output to standard error; genocl's own errors contain the information.
#pragma once

namespace genocl::io {

/// htslib has one log level for the whole process. The first object turns the log off, and the last one restores the
/// level.
class SilentHtslib {
 public:
  SilentHtslib();
  ~SilentHtslib();
  SilentHtslib(const SilentHtslib&) = delete;
  SilentHtslib& operator=(const SilentHtslib&) = delete;
};

}  // namespace genocl::io

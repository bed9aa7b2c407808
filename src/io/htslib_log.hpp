// Keeps htslib from writing to standard error: what it has to say goes into our own errors.
#pragma once

namespace genocl::io {

/// htslib has one log level for the whole process, so the first of these to live turns it off and the last one to go
/// puts back what was there.
class SilentHtslib {
 public:
  SilentHtslib();
  ~SilentHtslib();
  SilentHtslib(const SilentHtslib&) = delete;
  SilentHtslib& operator=(const SilentHtslib&) = delete;
};

}  // namespace genocl::io

#include "io/htslib_log.hpp"

#include <htslib/hts_log.h>

#include <mutex>

namespace genocl::io {
namespace {

// Both are trivially destructible, so the order of destruction after main() is irrelevant.
constinit std::mutex mutex;
constinit int alive = 0;
constinit htsLogLevel before = HTS_LOG_OFF;

}  // namespace

SilentHtslib::SilentHtslib() {
  const std::lock_guard lock(mutex);
  if (alive++ == 0) {
    before = hts_get_log_level();
    hts_set_log_level(HTS_LOG_OFF);
  }
}

SilentHtslib::~SilentHtslib() {
  const std::lock_guard lock(mutex);
  if (--alive == 0) hts_set_log_level(before);
}

}  // namespace genocl::io

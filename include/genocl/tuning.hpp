// Launch parameters of a device: defaults of its kind, or a stored measurement.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "genocl/export.hpp"

namespace genocl {

struct DeviceInfo;

/// The two kernel shapes of every algorithm. `cpu`: a work-item owns many vector lanes and needs no barrier. `gpu`: the
/// work-items of a group cooperate through local memory. Each runs on every device; the names tell where each is fast.
enum class KernelFamily { cpu, gpu };

GENOCL_EXPORT std::string_view to_string(KernelFamily family) noexcept;

/// Launch parameters that affect speed only, never results.
struct Tuning {
  KernelFamily family = KernelFamily::gpu;             ///< kernel shape, except for the next two
  KernelFamily search_family = KernelFamily::gpu;      ///< of align::Searcher
  KernelFamily relaxation_family = KernelFamily::gpu;  ///< of jacobi's sweeps with the automatic kernel
  /// `cpu`: workers per compute unit; kernels with a table per worker use a quarter or an eighth. 1 to 256.
  std::uint32_t workers_per_unit = 32;
  /// `gpu`: groups per compute unit of kernels whose groups loop over the work; kernels with an expensive final merge
  /// use half as many, others twice as many. 1 to 32.
  std::uint32_t groups_per_unit = 8;
  /// `gpu`: work-group size of kernels that accept any size (primitives and independent items). 64, 128 or 256; reduced
  /// to the device's limit.
  std::uint32_t group_size = 256;
  /// align, `gpu`: two 16-bit scores per 32-bit word. Always on with NVIDIA's inline PTX.
  bool packed_scores = false;
  /// Speed of a compute unit relative to those of other devices before any measurement: million updates of doubles per
  /// second in a relaxation. 1 to 1000000.
  std::uint32_t share = 5000;

  friend bool operator==(const Tuning&, const Tuning&) = default;
};

/// A line "name=value" for each value in this order, after a first line with the version of the format.
GENOCL_EXPORT std::string to_string(const Tuning& tuning);

/// The default for the device's type and vendor: a row of runtime/tuning.hpp.
GENOCL_EXPORT Tuning default_tuning(const DeviceInfo& device);

/// The tuning that store_tuning() stored for this device name, driver and driver version. Empty if absent, damaged, out
/// of bounds, stored by another version of the library, or with GENOCL_TUNING=off. Every Device reads it when opened;
/// GENOCL_VARIANT overrides its families.
GENOCL_EXPORT std::optional<Tuning> stored_tuning(const DeviceInfo& device);

/// Stores a tuning as text in the folder of compiled kernels (GENOCL_CACHE_DIR, else genocl in XDG_CACHE_HOME or in
/// ~/.cache). The file appears completely or not at all. Returns false if it cannot be read back, such as without a
/// folder. Throws InputError for a value out of bounds.
GENOCL_EXPORT bool store_tuning(const DeviceInfo& device, const Tuning& tuning);

}  // namespace genocl

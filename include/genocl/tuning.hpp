// How a device runs the library's kernels best: what is known of its kind, or what its owner has measured once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "genocl/export.hpp"

namespace genocl {

struct DeviceInfo;

/// The two shapes in which every algorithm exists. `cpu`: a work-item owns many lanes and needs no barrier, for CPUs.
/// `gpu`: work-items of a group cooperate through local memory, for GPUs.
enum class KernelFamily { cpu, gpu };

GENOCL_EXPORT std::string_view to_string(KernelFamily family) noexcept;

/// What a Device goes by where more than one way leads to the same result. No result depends on any of it, only the
/// time that it takes.
struct Tuning {
  KernelFamily family = KernelFamily::gpu;             ///< the shape of all kernels but those of the next two
  KernelFamily search_family = KernelFamily::gpu;      ///< of align::Searcher
  KernelFamily relaxation_family = KernelFamily::gpu;  ///< of jacobi's sweeps, where no kernel is named
  /// `cpu`: workers for each compute unit that elements are shared out to; kernels whose workers have tables of their
  /// own take a quarter or an eighth. 1 to 256.
  std::uint32_t workers_per_unit = 32;
  /// `gpu`: groups for each compute unit where groups go round until everything is done; kernels with more to add up
  /// at the end take a half, others twice as many. 1 to 32.
  std::uint32_t groups_per_unit = 8;
  /// `gpu`: work-items of a group, of kernels that take any number: those of the primitives and of independent items.
  /// 64, 128 or 256; lowered to what the device allows.
  std::uint32_t group_size = 256;
  /// align, `gpu`: two scores of 16 bits lie in a word of 32. With NVIDIA's inline PTX they do whatever stands here.
  bool packed_scores = false;
  /// What a compute unit does beside those of other devices before any of them is measured: million updates of double
  /// in a relaxation a second. 1 to 1000000.
  std::uint32_t share = 5000;

  friend bool operator==(const Tuning&, const Tuning&) = default;
};

/// A line "name=value" for each, in that order; with a first line that says which version of this text it is.
GENOCL_EXPORT std::string to_string(const Tuning& tuning);

/// What is known of a device without a measurement, by its type and vendor: a row of runtime/tuning.hpp.
GENOCL_EXPORT Tuning default_tuning(const DeviceInfo& device);

/// What store_tuning() has kept for a device of that name, by that driver in that version; no value where it has
/// nothing, where what is there is damaged, out of bounds or by another version of the library, and with
/// GENOCL_TUNING=off. Every Device asks for it when it is opened; GENOCL_VARIANT goes before its families.
GENOCL_EXPORT std::optional<Tuning> stored_tuning(const DeviceInfo& device);

/// Keeps it as text in a file beside the compiled kernels (GENOCL_CACHE_DIR, else genocl in XDG_CACHE_HOME or in
/// ~/.cache), which appears whole or not at all. Returns whether it can be read back: there may be no such folder.
/// Throws InputError for a value that is out of bounds.
GENOCL_EXPORT bool store_tuning(const DeviceInfo& device, const Tuning& tuning);

}  // namespace genocl

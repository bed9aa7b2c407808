// State of an Index, and an index on one device.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "files/section_file.hpp"
#include "genocl/device.hpp"
#include "genocl/marose/index.hpp"
#include "marose/pipeline.hpp"

namespace genocl::marose {

/// Kind of the files that Index::save writes.
constexpr runtime::FileKind index_kind = {
    .letters = {'M', 'R', 'S'}, .version = 3, .name = "an index", .program = "genocl-marose"};

/// Tables of a segment in host memory: views of a mapped file, or of memory of `owner`.
using HostTables = std::map<std::string, std::span<const std::uint32_t>, std::less<>>;

/// @throws InputError for a mask and a neighbourhood that the method does not support
void check_tables(const SeedMask& mask, unsigned neighbourhood, Method method);

struct Index::State {
  SeedMask mask = SeedMask::solid(10);
  Method method = Method::canonical;
  unsigned neighbourhood = 0;

  // Either the reference that was built here, or a mapped file.
  PackedDna packed;
  std::shared_ptr<const runtime::SectionFile> file;

  ReferenceView reference;
  /// Ambiguity codes other than N, each as 256 * position + code, sorted.
  std::vector<std::uint64_t> ambiguities;
  std::string names;  ///< concatenated
  std::vector<std::uint64_t> name_ends;
  std::vector<Segment> segments;
  std::uint64_t table_bytes = 0;

  /// Packs the reference; the tables are still empty.
  static std::shared_ptr<State> of(const SequenceSet& set);

  /// The tables of one segment; downloads them first if they are on the device only.
  HostTables host_tables(std::size_t segment) const;
  /// The segment on a device: as built there, as uploaded for another mapper, or uploaded now. A device that computes
  /// in host memory uses the host's tables.
  std::shared_ptr<const DeviceSegment> on_device(const Device& device, std::size_t segment) const;

  /// A table as a stream of bytes; the host holds only a piece of it at a time.
  struct TableBytes {
    std::string name;
    std::uint64_t size = 0;
    runtime::ByteStream stream;
  };
  /// The streams are valid as long as this object.
  std::vector<TableBytes> table_bytes_of(std::size_t segment) const;

  using HostCopy = std::map<std::string, std::vector<std::uint32_t>, std::less<>>;
  struct Built {
    std::optional<Device> device;
    std::shared_ptr<const DeviceSegment> resident;  ///< null if it was moved to host memory and not kept
    std::shared_ptr<const HostCopy> host;           ///< null while the tables are on the device only

    /// Downloads the tables once.
    const HostCopy& on_host();
  };
  mutable std::mutex mutex;  ///< guards `built` and `uploaded`
  mutable std::vector<Built> built;

  /// Tables shared by all mappers that hold them.
  struct Uploaded {
    Device device;
    std::size_t segment = 0;
    std::weak_ptr<const DeviceSegment> tables;
  };
  mutable std::vector<Uploaded> uploaded;
};

// An index on one device: all segments, or one at a time if they do not fit together.

class DeviceIndex {
 public:
  /// Uploads the segments that the device lacks. `index` must outlive this object.
  ///
  /// @throws CapacityError if not even one segment fits
  DeviceIndex(const Device& device, const Index::State& index);

  const Device& device() const { return device_; }
  bool holds_all() const { return !resident_.empty(); }
  /// Segment i; uploaded by this call unless the device holds all segments.
  std::shared_ptr<const DeviceSegment> segment(std::size_t i) const {
    return holds_all() ? resident_[i] : index_.on_device(device_, i);
  }

 private:
  Device device_;
  const Index::State& index_;
  std::vector<std::shared_ptr<const DeviceSegment>> resident_;
};

}  // namespace genocl::marose

// What an Index holds.
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

/// Files of this kind are what Index::save writes.
constexpr runtime::FileKind index_kind = {
    .letters = {'M', 'R', 'S'}, .version = 3, .name = "an index", .program = "genocl-marose"};

/// The tables of a segment in host memory: views into a mapped file, or into what `owner` holds.
using HostTables = std::map<std::string, std::span<const std::uint32_t>, std::less<>>;

/// Throws InputError for what a method has no tables of.
void check_tables(const SeedMask& mask, unsigned neighbourhood, Method method);

struct Index::State {
  SeedMask mask = SeedMask::solid(10);
  Method method = Method::canonical;
  unsigned neighbourhood = 0;

  // One of the two is there: what was built here, or what is mapped.
  PackedDna packed;
  std::shared_ptr<const runtime::SectionFile> file;

  ReferenceView reference;
  /// Ambiguity codes other than N, each as 256 times its position and the code, in order.
  std::vector<std::uint64_t> ambiguities;
  std::string names;  ///< one after the other
  std::vector<std::uint64_t> name_ends;
  std::vector<Segment> segments;
  std::uint64_t table_bytes = 0;

  /// The reference packed, still without tables.
  static std::shared_ptr<State> of(const SequenceSet& set);

  /// Gives those of one segment; downloads them first where they are on the device alone.
  HostTables host_tables(std::size_t segment) const;
  /// Gives what build() left on a device, what is there for another mapper, or uploads it; where the device computes in
  /// the host's memory, the tables are those that lie there.
  std::shared_ptr<const DeviceSegment> on_device(const Device& device, std::size_t segment) const;

  /// A table as a file takes it: the host needs memory for a piece of it only.
  struct TableBytes {
    std::string name;
    std::uint64_t size = 0;
    runtime::ByteStream stream;
  };
  /// They may be asked for their bytes as long as this lives.
  std::vector<TableBytes> table_bytes_of(std::size_t segment) const;

  using HostCopy = std::map<std::string, std::vector<std::uint32_t>, std::less<>>;
  struct Built {
    std::optional<Device> device;
    std::shared_ptr<const DeviceSegment> resident;  ///< null once it is in host memory and was not kept
    std::shared_ptr<const HostCopy> host;           ///< null while it is on the device alone

    /// Downloads the tables where that has not been done.
    const HostCopy& on_host();
  };
  mutable std::mutex mutex;  ///< guards `built` and `uploaded`
  mutable std::vector<Built> built;

  /// Tables that live as long as a mapper holds them.
  struct Uploaded {
    Device device;
    std::size_t segment = 0;
    std::weak_ptr<const DeviceSegment> tables;
  };
  mutable std::vector<Uploaded> uploaded;
};

// An index on one device: all segments, or one at a time where they do not fit together.

class DeviceIndex {
 public:
  /// Uploads what is not there yet. `index` has to outlive this. Throws CapacityError where not even one segment fits.
  DeviceIndex(const Device& device, const Index::State& index);

  const Device& device() const { return device_; }
  bool holds_all() const { return !resident_.empty(); }
  /// Uploads the segment where the device does not hold all of them.
  std::shared_ptr<const DeviceSegment> segment(std::size_t i) const {
    return holds_all() ? resident_[i] : index_.on_device(device_, i);
  }

 private:
  Device device_;
  const Index::State& index_;
  std::vector<std::shared_ptr<const DeviceSegment>> resident_;
};

}  // namespace genocl::marose

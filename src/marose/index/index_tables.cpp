#include <algorithm>

#include "genocl/opencl.hpp"
#include "marose/canonical/canonical.hpp"
#include "marose/index/index_state.hpp"
#include "runtime/host_memory.hpp"

namespace genocl::marose {
namespace {

/// Elements of a table that are downloaded at once.
constexpr std::size_t downloaded_at_once = std::size_t{8} << 20;

bool same_memory(const Device& a, const Device& b) {
  return a.context()() == b.context()() && a.opencl_device()() == b.opencl_device()();
}

}  // namespace

HostTables Index::State::host_tables(std::size_t segment) const {
  HostTables tables;
  if (file) {
    const std::string prefix = "segment" + std::to_string(segment) + ".";
    for (const std::string& name : file->names())
      if (name.rfind(prefix, 0) == 0) tables.emplace(name.substr(prefix.size()), file->array<std::uint32_t>(name));
    return tables;
  }
  const std::lock_guard lock(mutex);
  for (const auto& [name, table] : built[segment].on_host()) tables.emplace(name, table);
  return tables;
}

const Index::State::HostCopy& Index::State::Built::on_host() {
  if (!host) {
    auto copy = std::make_shared<HostCopy>();
    for (const auto& [name, table] : resident->tables) copy->emplace(name, table.download());
    host = std::move(copy);
  }
  return *host;
}

std::vector<Index::State::TableBytes> Index::State::table_bytes_of(std::size_t segment) const {
  std::vector<TableBytes> tables;
  const auto add_views = [&](const HostTables& views) {
    for (const auto& [name, view] : views)
      tables.push_back({name, view.size_bytes(), [bytes = std::as_bytes(view)](const auto& sink) { sink(bytes); }});
  };
  if (file) {
    add_views(host_tables(segment));
    return tables;
  }
  const std::lock_guard lock(mutex);
  const Built& one = built[segment];
  if (!one.resident) {
    HostTables views;
    for (const auto& [name, table] : *one.host) views.emplace(name, table);
    add_views(views);
    return tables;
  }
  for (const auto& [name, table] : one.resident->tables)
    tables.push_back({name, table.bytes(), [resident = one.resident, &table = table](const auto& sink) {
                        std::vector<std::uint32_t> piece(std::min(table.size(), downloaded_at_once));
                        for (std::size_t done = 0; done < table.size(); done += piece.size()) {
                          piece.resize(std::min(piece.size(), table.size() - done));
                          table.download(std::span(piece), done);
                          sink(std::as_bytes(std::span(piece)));
                        }
                      }});
  return tables;
}

std::shared_ptr<const DeviceSegment> Index::State::on_device(const Device& device, std::size_t segment) const {
  {
    const std::lock_guard lock(mutex);
    if (!file && built[segment].resident && same_memory(*built[segment].device, device)) return built[segment].resident;
    std::erase_if(uploaded, [](const Uploaded& one) { return one.tables.expired(); });
    for (const Uploaded& one : uploaded)
      if (one.segment == segment && same_memory(one.device, device))
        if (auto tables = one.tables.lock()) return tables;
  }
  auto result = std::make_shared<DeviceSegment>();
  result->reference = upload_reference(device, reference, segments[segment]);
  result->method = method;
  result->mask = mask;
  result->neighbourhood = neighbourhood;
  const HostTables tables = host_tables(segment);
  if (file)
    result->host = file;
  else
    result->host = built[segment].host;
  for (const auto& [name, table] : tables) {
    // What the host holds already takes no memory of a device that computes in it.
    std::optional<Array<std::uint32_t>> view = runtime::view_of_host(device, table);
    result->tables.emplace(name, view ? std::move(*view) : Array<std::uint32_t>(device, table));
  }
  add_buckets(device, *result, device.info().global_memory / 4 / segments.size());
  device.finish();
  const std::lock_guard lock(mutex);
  uploaded.push_back({device, segment, result});
  return result;
}

}  // namespace genocl::marose

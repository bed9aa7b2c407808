#include <vector>

#include "overlap/suffix/check.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {

Array<std::uint32_t> inverse_of(const Device& device, const Array<std::uint32_t>& positions, std::uint64_t size) {
  runtime::check_capacity(device, "an inverse suffix array", size * 4, size * 4);
  Array<std::uint32_t> ranks(device, size);
  if (size != 0)
    runtime::launch_items(device, "overlap/suffix/inverse.cl", "inverse", {}, {.items = size, .bytes = size * 8},
                          positions, ranks, size);
  return ranks;
}

Array<std::uint32_t> documents_of(const Device& device, const Array<std::uint32_t>& positions, std::uint64_t size,
                                  std::span<const std::uint64_t> begins) {
  const std::vector<std::uint32_t> narrow(begins.begin(), begins.end());
  const auto records = static_cast<std::uint32_t>(narrow.size() - 1);
  runtime::check_capacity(device, "a document array", size * 4, size * 4 + narrow.size() * 4);
  const Array<std::uint32_t> on_device(device, std::span<const std::uint32_t>(narrow));
  Array<std::uint32_t> documents(device, size);
  if (size != 0)
    runtime::launch_items(device, "overlap/suffix/inverse.cl", "find_documents", {}, {.items = size, .bytes = size * 8},
                          positions, on_device, records, documents, size);
  return documents;
}

Array<std::uint32_t> document_array(const SuffixArray& suffixes) {
  return documents_of(suffixes.device(), suffixes.positions(), suffixes.size(), suffixes.text().begins());
}

Array<std::uint32_t> inverse(const SuffixArray& suffixes) {
  return inverse_of(suffixes.device(), suffixes.positions(), suffixes.size());
}

}  // namespace genocl::overlap

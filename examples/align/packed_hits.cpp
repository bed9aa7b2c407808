#include "align/packed_hits.hpp"

#include <array>

#include "common/packing.hpp"
#include "genocl/error.hpp"

namespace program {

using genocl::align::Hit;

std::string packed(const HitLists& hits) {
  Packer bytes;
  bytes.add(hits.size());
  for (const std::vector<Hit>& of_query : hits) {
    bytes.add(of_query.size());
    for (const Hit& hit : of_query) {
      bytes.add(hit.subject);
      bytes.add(hit.score);
      bytes.add(hit.minus);
      bytes.add(hit.bits);
      bytes.add(hit.evalue);
    }
  }
  return bytes.take();
}

HitLists unpacked(std::string_view bytes) {
  Unpacker left(bytes);
  HitLists hits;
  for (auto queries = left.next<std::size_t>(); queries > 0; --queries) {
    std::vector<Hit>& of_query = hits.emplace_back();
    for (auto count = left.next<std::size_t>(); count > 0; --count) {
      Hit& hit = of_query.emplace_back();
      hit.subject = left.next<std::uint64_t>();
      hit.score = left.next<std::int32_t>();
      hit.minus = left.next<bool>();
      hit.bits = left.next<double>();
      hit.evalue = left.next<double>();
    }
  }
  return hits;
}

void merge_into(HitLists& to, HitLists&& more, std::size_t top) {
  if (to.empty()) {
    to = std::move(more);
    return;
  }
  if (to.size() != more.size()) throw genocl::InputError("parts of searches with other queries");
  for (std::size_t i = 0; i < to.size(); ++i) {
    const std::array<std::vector<Hit>, 2> both = {std::move(to[i]), std::move(more[i])};
    to[i] = genocl::align::merge_hits(both, top);
  }
}

}  // namespace program

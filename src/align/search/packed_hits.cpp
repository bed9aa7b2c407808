#include "genocl/align/searcher.hpp"
#include "genocl/packing.hpp"

namespace genocl::align {
namespace {

/// The fields of a hit except the alignment.
struct PlainHit {
  std::uint64_t subject = 0;
  double bits = 0, evalue = 0;
  std::uint64_t part_begin = 0, part_end = 0;
  std::int32_t score = 0;
  std::uint32_t hsp = 0;
  std::uint8_t minus = 0, aligned = 0;
  Frame query_frame = 0, subject_frame = 0;
};

/// The fields of an alignment except the runs.
struct PlainAlignment {
  std::uint64_t query_begin = 0, query_end = 0, subject_begin = 0, subject_end = 0;
  std::uint64_t identities = 0, positives = 0, gap_opens = 0;
  std::int32_t score = 0;
};

void add(Packer& bytes, const Hit& hit) {
  bytes.add(PlainHit{hit.subject, hit.bits, hit.evalue, hit.part_begin, hit.part_end, hit.score, hit.hsp,
                     hit.minus ? std::uint8_t{1} : std::uint8_t{0}, hit.alignment ? std::uint8_t{1} : std::uint8_t{0},
                     hit.query_frame, hit.subject_frame});
  if (!hit.alignment) return;
  const Alignment& one = *hit.alignment;
  bytes.add(PlainAlignment{one.query_begin, one.query_end, one.subject_begin, one.subject_end, one.identities,
                           one.positives, one.gap_opens, one.score});
  bytes.add_list(one.runs);
}

Hit next_hit(Unpacker& bytes) {
  const auto plain = bytes.next<PlainHit>();
  Hit hit{plain.subject, plain.score,      plain.minus != 0, plain.bits,        plain.evalue,       {},
          plain.hsp,     plain.part_begin, plain.part_end,   plain.query_frame, plain.subject_frame};
  if (plain.aligned == 0) return hit;
  const auto one = bytes.next<PlainAlignment>();
  hit.alignment = Alignment{one.score,      one.query_begin, one.query_end, one.subject_begin,         one.subject_end,
                            one.identities, one.positives,   one.gap_opens, bytes.next_list<EditRun>()};
  return hit;
}

}  // namespace

std::string pack_hits(std::span<const std::vector<Hit>> hits) {
  Packer bytes;
  bytes.add(hits.size());
  for (const std::vector<Hit>& of_query : hits) {
    bytes.add(of_query.size());
    for (const Hit& hit : of_query) add(bytes, hit);
  }
  return bytes.take();
}

std::vector<std::vector<Hit>> unpack_hits(std::string_view packed) {
  Unpacker bytes(packed);
  std::vector<std::vector<Hit>> hits;
  for (auto queries = bytes.next<std::size_t>(); queries > 0; --queries) {
    std::vector<Hit>& of_query = hits.emplace_back();
    for (auto count = bytes.next<std::size_t>(); count > 0; --count) of_query.push_back(next_hit(bytes));
  }
  return hits;
}

}  // namespace genocl::align

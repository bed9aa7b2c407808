#include "cluster/hit_messages.hpp"

namespace genocl::cluster {
namespace {

using align::Alignment;
using align::EditRun;
using align::Hit;

/// All of a hit but its alignment.
struct PlainHit {
  std::uint64_t subject = 0;
  double bits = 0, evalue = 0;
  std::int32_t score = 0;
  std::uint8_t minus = 0, aligned = 0;
};

/// All of an alignment but its runs.
struct PlainAlignment {
  std::uint64_t query_begin = 0, query_end = 0, subject_begin = 0, subject_end = 0;
  std::uint64_t identities = 0, positives = 0, gap_opens = 0;
  std::int32_t score = 0;
};

void add(MessageWriter& message, const Hit& hit) {
  message.add(PlainHit{hit.subject, hit.bits, hit.evalue, hit.score, hit.minus ? std::uint8_t{1} : std::uint8_t{0},
                       hit.alignment ? std::uint8_t{1} : std::uint8_t{0}});
  if (!hit.alignment) return;
  const Alignment& one = *hit.alignment;
  message.add(PlainAlignment{one.query_begin, one.query_end, one.subject_begin, one.subject_end, one.identities,
                             one.positives, one.gap_opens, one.score});
  message.add_list(std::span<const EditRun>(one.runs));
}

Hit next_hit(MessageReader& message) {
  const auto plain = message.next<PlainHit>();
  Hit hit{plain.subject, plain.score, plain.minus != 0, plain.bits, plain.evalue, {}};
  if (plain.aligned == 0) return hit;
  const auto one = message.next<PlainAlignment>();
  hit.alignment =
      Alignment{one.score,      one.query_begin, one.query_end, one.subject_begin,           one.subject_end,
                one.identities, one.positives,   one.gap_opens, message.next_list<EditRun>()};
  return hit;
}

}  // namespace

std::vector<std::byte> message_of(std::span<const std::vector<Hit>> hits) {
  MessageWriter message;
  message.add(hits.size());
  for (const std::vector<Hit>& of_query : hits) {
    message.add(of_query.size());
    for (const Hit& hit : of_query) add(message, hit);
  }
  return message.take();
}

std::vector<std::vector<Hit>> hits_in(std::span<const std::byte> bytes) {
  MessageReader message(bytes);
  std::vector<std::vector<Hit>> hits(message.next<std::size_t>());
  for (std::vector<Hit>& of_query : hits) {
    of_query.resize(message.next<std::size_t>());
    for (Hit& hit : of_query) hit = next_hit(message);
  }
  return hits;
}

}  // namespace genocl::cluster

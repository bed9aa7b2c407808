
#include "pwm/hits.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <span>
#include <tuple>

#include "pwm/output.hpp"

namespace program {

std::string HitMaker::operator()(const genocl::SequenceSet& piece, std::span<const pwm::Hit> hits) const {
  std::uint64_t count = 0;
  genocl::Packer packed;
  packed.add(count);
  std::string text;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::pair<double, std::size_t>> best;  // by stretch and motif
  std::uint64_t record = ~std::uint64_t{0};
  Place place;
  std::string letters;
  std::vector<genocl::Code> turned;
  const auto letters_of = [&](const pwm::Hit& hit) -> const std::string& {
    const std::size_t length = matrices_[hit.matrix].length();
    std::span<const genocl::Code> word = piece[hit.record].subspan(hit.position, length);
    turned.resize(length);
    if (hit.reverse) {
      genocl::dna::reverse_complement(word, turned);
      word = turned;
    }
    letters.resize(length);
    for (std::size_t i = 0; i < length; ++i) letters[i] = "ACGT"[word[i]];
    return letters;
  };
  const auto p_of = [&](const pwm::Hit& hit) { return one_of((*p_values_)(hit)); };
  const auto add_packed = [&](const pwm::Hit& hit, double p) {
    const Place of = Place::of(piece.description(hit.record));
    PackedHit{.motif = hit.matrix,
              .reverse = hit.reverse,
              .record = of.record,
              .begin = of.offset + hit.position,
              .score = hit.score,
              .p = p,
              .name = piece.name(hit.record),
              .letters = letters_of(hit)}
        .add_to(packed);
  };
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const pwm::Hit& hit = hits[i];
    if (hit.record != record) {
      record = hit.record;
      place = Place::of(piece.description(record));
    }
    const std::uint64_t begin = place.offset + hit.position;
    if (hit.position >= place.own_end || begin + matrices_[hit.matrix].length() <= place.beyond) continue;
    ++count;
    switch (making_) {
      case Making::counts:
        counts_[2 * std::size_t{hit.matrix} + (hit.reverse ? 1 : 0)].fetch_add(1, std::memory_order_relaxed);
        break;
      case Making::text:
        format_.append(text, {.matrix = matrices_[hit.matrix],
                              .sequence_name = piece.name(record),
                              .begin = begin,
                              .reverse = hit.reverse,
                              .score = hit.score,
                              .letters = letters_of(hit),
                              .p = p_of(hit)});
        break;
      case Making::packed:
        add_packed(hit, p_of(hit));
        break;
      case Making::best: {
        const double p = p_of(hit);
        const auto [one, is_new] = best.try_emplace({place.record, hit.matrix}, p, i);
        if (!is_new && p < one->second.first) one->second = {p, i};
        break;
      }
    }
  }
  for (const auto& [which, one] : best) add_packed(hits[one.second], one.first);
  std::string bytes = packed.take();
  std::memcpy(bytes.data(), &count, sizeof count);
  bytes += text;
  return bytes;
}

void PackedHit::add_to(genocl::Packer& packer) const {
  packer.add(motif);
  packer.add(reverse);
  packer.add(record);
  packer.add(begin);
  packer.add(score);
  packer.add(p);
  packer.add_text(name);
  packer.add_text(letters);
}

PackedHit PackedHit::next(genocl::Unpacker& left) {
  PackedHit hit;
  hit.motif = left.next<std::uint32_t>();
  hit.reverse = left.next<bool>();
  hit.record = left.next<std::uint64_t>();
  hit.begin = left.next<std::uint64_t>();
  hit.score = left.next<double>();
  hit.p = left.next<double>();
  hit.name = left.next_text();
  hit.letters = left.next_text();
  return hit;
}

void HitSpill::add(std::string bytes) {
  if (bytes.empty()) return;
  if (!file_ && held_bytes_ + bytes.size() <= memory_) {
    held_bytes_ += bytes.size();
    held_.push_back(std::move(bytes));
    return;
  }
  if (!file_) file_.emplace();
  file_->append(std::as_bytes(std::span(bytes)));
  in_file_.push_back(bytes.size());
}

void HitSpill::read(const std::function<void(std::string_view)>& use) const {
  for (const std::string& block : held_) use(block);
  std::string block;
  std::uint64_t at = 0;
  for (const std::uint64_t size : in_file_) {
    block.resize(size);
    file_->read(at, std::as_writable_bytes(std::span(block)));
    at += size;
    use(block);
  }
}

void CollectedHits::add(std::string bytes) {
  for (genocl::Unpacker left(bytes); !left.empty();) {
    const PackedHit hit = PackedHit::next(left);
    Significance& one = scores_[strand_of(hit.reverse)][hit.motif][hit.score];
    ++one.hits;
    one.p = hit.p;
  }
  spill_.add(std::move(bytes));
}

void CollectedHits::compute_p(std::span<const genocl::Device> devices, std::span<const pwm::ScoreMatrix> matrices,
                              const StrandModel& model) {
  fill_p(devices, matrices, model.forward, scores_[0]);
  if (apart_) fill_p(devices, matrices, model.reverse, scores_[1]);
}

void CollectedHits::compute_q(const std::vector<double>& tests) {
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const std::array<ScoreTable*, 2> of_motif = {&scores_[0][i], &scores_[1][i]};
    fill_q(of_motif, tests[i]);
  }
}

void CollectedHits::read(const std::function<void(const PackedHit&, const Significance&)>& use) const {
  spill_.read([&](std::string_view bytes) {
    for (genocl::Unpacker left(bytes); !left.empty();) {
      const PackedHit hit = PackedHit::next(left);
      use(hit, scores_[strand_of(hit.reverse)][hit.motif].at(hit.score));
    }
  });
}

void BestHits::add(std::string_view bytes) {
  for (genocl::Unpacker left(bytes); !left.empty();) {
    const PackedHit hit = PackedHit::next(left);
    if (hit.record != record_) finish();
    record_ = hit.record;
    const auto [one, is_new] = best_.try_emplace(hit.motif);
    if (is_new || hit.p < one->second.hit.p) one->second = {hit, std::string(hit.name), std::string(hit.letters)};
  }
}

void BestHits::finish() {
  std::vector<const Kept*> sorted;
  for (auto& [motif, kept] : best_) {
    kept.hit.name = kept.name;
    kept.hit.letters = kept.letters;
    sorted.push_back(&kept);
  }
  std::ranges::sort(sorted, {}, [](const Kept* kept) { return std::tuple(kept->hit.begin, kept->hit.motif); });
  for (const Kept* const kept : sorted) use_(kept->hit);
  best_.clear();
}

namespace {

/// A header line may have no name.
std::string_view or_star(std::string_view name) { return name.empty() ? "*" : name; }

void append_number(std::string& to, std::uint64_t number) {
  char text[24];
  to.append(text, std::to_chars(text, text + sizeof text, number).ptr);
}

/// As score_text() and p_text() have them.
void append_score(std::string& to, double score) {
  char text[400];
  to.append(text, std::to_chars(text, text + sizeof text, score, std::chars_format::fixed, 9).ptr);
}
void append_p(std::string& to, double p) {
  char text[32];
  to.append(text, std::to_chars(text, text + sizeof text, p, std::chars_format::general, 3).ptr);
}

/// Gives the score that tracks of genome browsers have: 0 to 1000, the higher the rarer.
double rarity(double p) { return std::min(1000.0, p > 0 ? -10 * std::log10(p) : 1000.0); }

/// Writes FIMO's columns.
class Table : public HitFormat {
 public:
  std::string header() const override {
    return "motif_id\tmotif_alt_id\tsequence_name\tstart\tstop\tstrand\tscore\tp-value\tq-value\tmatched_sequence\n";
  }
  void append(std::string& to, const HitLine& hit) const override {
    to.append(hit.matrix.id()).append("\t").append(hit.matrix.alt_id()).append("\t");
    to.append(or_star(hit.sequence_name)).append("\t");
    append_number(to, hit.begin + 1);
    to += '\t';
    append_number(to, hit.begin + hit.matrix.length());
    to.append(hit.reverse ? "\t-\t" : "\t+\t");
    append_score(to, hit.score);
    to += '\t';
    append_p(to, hit.p);
    to += '\t';
    if (hit.q >= 0) append_p(to, hit.q);
    to.append("\t").append(hit.letters).append("\n");
  }
};

class Bed : public HitFormat {
 public:
  std::string header() const override { return {}; }
  void append(std::string& to, const HitLine& hit) const override {
    to.append(or_star(hit.sequence_name)).append("\t");
    append_number(to, hit.begin);
    to += '\t';
    append_number(to, hit.begin + hit.matrix.length());
    to.append("\t").append(hit.matrix.id()).append("\t");
    append_number(to, static_cast<std::uint64_t>(std::nearbyint(rarity(hit.p))));
    to.append(hit.reverse ? "\t-\n" : "\t+\n");
  }
};

/// Escapes characters with a meaning in GFF3's ninth column, and control characters, as %XX.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 32 || byte == 127 || c == ';' || c == '=' || c == '&' || c == ',' || c == '%')
      result += formatted("%%%02X", static_cast<unsigned>(byte));
    else
      result += c;
  }
  return result;
}

class Gff3 : public HitFormat {
 public:
  std::string header() const override { return "##gff-version 3\n"; }
  void append(std::string& to, const HitLine& hit) const override {
    to.append(or_star(hit.sequence_name)).append("\tgenocl-pwm\tnucleotide_motif\t");
    append_number(to, hit.begin + 1);
    to += '\t';
    append_number(to, hit.begin + hit.matrix.length());
    to += '\t';
    append_score(to, hit.score);
    to.append(hit.reverse ? "\t-\t.\tName=" : "\t+\t.\tName=").append(escaped(hit.matrix.id()));
    if (!hit.matrix.alt_id().empty()) to.append(";Alias=").append(escaped(hit.matrix.alt_id()));
    to.append(";pvalue=");
    append_p(to, hit.p);
    if (hit.q >= 0) {
      to.append(";qvalue=");
      append_p(to, hit.q);
    }
    to.append(";sequence=").append(hit.letters).append("\n");
  }
};

}  // namespace

std::unique_ptr<HitFormat> hit_format(std::string_view name) {
  if (name == "bed") return std::make_unique<Bed>();
  if (name == "gff3") return std::make_unique<Gff3>();
  return std::make_unique<Table>();
}

}  // namespace program

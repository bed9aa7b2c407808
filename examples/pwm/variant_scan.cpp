// genocl-pwm scan --vcf: the best words of both alleles of each variant, for motifs with a hit in one of them.
#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <map>
#include <optional>
#include <utility>

#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "pwm/output.hpp"
#include "pwm/search.hpp"
#include "pwm/texts.hpp"
#include "pwm/vcf.hpp"

namespace program {
namespace {

constexpr std::string_view variant_header =
    "sequence_name\tposition\tvariant_id\tref\talt\tmotif_id\tmotif_alt_id\teffect\tref_start\tref_stop\tref_strand\t"
    "ref_score\tref_p-value\tref_matched_sequence\talt_start\talt_stop\talt_strand\talt_score\talt_p-value\t"
    "alt_matched_sequence\n";

/// A word of a haplotype.
struct Word {
  std::uint64_t position = 0;
  double score = 0, p = 1;
  bool reverse = false;
};

/// The best words of an allele: of both strands together, or of each if they have their own P-values.
using BestWords = std::array<std::optional<Word>, 2>;

/// An allele with its flanks, as the two haplotypes 2i (REF) and 2i + 1 (ALT) of a batch.
struct Site {
  Variant variant;
  std::string_view sequence;
  std::uint64_t flank = 0;                 ///< letters before the alleles
  std::uint64_t begin = 0;                 ///< of the alleles in the sequence, without letters that both share
  std::array<std::uint64_t, 2> letters{};  ///< of each allele
};

/// A motif with a hit in one allele of a site.
struct Change {
  std::size_t site = 0;
  std::uint32_t matrix = 0;
  std::array<BestWords, 2> words;  ///< of REF and ALT
  bool hit[2] = {false, false};
};

/// Letters that both alleles share at their ends.
std::pair<std::size_t, std::size_t> shared_ends(std::string_view ref, std::string_view alt) {
  const auto code = [](char c) { return genocl::dna::encode(c); };
  const std::size_t shorter = std::min(ref.size(), alt.size());
  std::size_t first = 0, last = 0;
  while (first < shorter && code(ref[first]) == code(alt[first])) ++first;
  while (last < shorter - first && code(ref[ref.size() - 1 - last]) == code(alt[alt.size() - 1 - last])) ++last;
  return {first, last};
}

class VariantScan {
 public:
  explicit VariantScan(const ScanSettings& settings);
  void run();

 private:
  void add(std::string_view name, std::span<const genocl::Code> letters, const Variant& variant);
  void flush();
  bool overlaps(std::size_t record, std::uint64_t position, std::size_t length) const;
  std::vector<Change> changes_of(std::span<const pwm::Hit> hits) const;
  void add_words(Change& change, int side) const;
  void add_p_values(std::vector<Change>& changes) const;
  void append(const Change& change);
  void append(const Site& site, std::uint32_t matrix, int side, const Word* word);

  const ScanSettings& settings_;
  const Search search_;
  Variants variants_;
  genocl::io::OutputFile out_;
  const std::uint64_t flank_, batch_residues_;
  const pwm::Scanner scanner_;
  genocl::SequenceSet haplotypes_;
  std::vector<Site> sites_;
  std::string text_;
  std::uint64_t rows_ = 0, scanned_ = 0;
};

pwm::ScanOptions options_of(const ScanSettings& settings) {
  pwm::ScanOptions options;
  options.strands = settings.strands;
  options.order = pwm::HitOrder::by_position;
  options.method = pwm::method_named(settings.method);
  options.slice_columns = settings.slice_columns.value_or(0);
  return options;
}

VariantScan::VariantScan(const ScanSettings& settings)
    : settings_(settings),
      search_(settings),
      variants_(settings.vcf, settings.reading.strict),
      out_(settings.output),
      flank_(search_.overlap()),
      batch_residues_(search_.piece_residues()),
      scanner_(pwm::Scanner::by_strand(search_.devices, search_.matrices, search_.thresholds, options_of(settings))) {}

void VariantScan::run() {
  out_.write(variant_header);
  TextSource source(settings_.texts, settings_.replace_letters);
  ProgressBar bar("scan", settings_.common.quiet, "k alleles", 1e3);
  for (genocl::SequenceSet batch; source.next(batch);) {
    for (std::size_t record = 0; record < batch.size(); ++record) {
      const std::string name(batch.name(record));
      for (const Variant& variant : variants_.of(name, batch[record])) {
        add(name, batch[record], variant);
        if (haplotypes_.residues() < batch_residues_) continue;
        flush();
        bar.show(source.fraction(), scanned_);
      }
      flush();  // names and letters are those of this record
    }
    bar.show(source.fraction(), scanned_);
  }
  variants_.finish();
  out_.commit();
  bar.clear();
  if (!settings_.common.quiet) {
    const std::size_t motifs = search_.matrices.size();
    std::cerr << motifs << (motifs == 1 ? " motif" : " motifs")
              << left_out(settings_, search_.collection.motifs, search_.thresholds) << "; " << variants_.records()
              << " records, " << variants_.alleles() << " alleles";
    if (variants_.symbolic() > 0) std::cerr << ", " << variants_.symbolic() << " symbolic ones left out";
    std::cerr << "; " << rows_ << (rows_ == 1 ? " changed hit\n" : " changed hits\n");
  }
  if (settings_.common.profile)
    for (const genocl::Device& device : search_.devices) write_profile(std::cerr, device);
}

void VariantScan::add(std::string_view name, std::span<const genocl::Code> letters, const Variant& variant) {
  const auto [first, last] = shared_ends(variant.ref, variant.alt);
  Site site{.variant = variant, .sequence = name};
  site.begin = variant.begin + first;
  site.letters = {variant.ref.size() - first - last, variant.alt.size() - first - last};
  if (site.letters[0] == 0 && site.letters[1] == 0) return;  // ALT is REF
  site.flank = std::min<std::uint64_t>(flank_, site.begin);
  const std::uint64_t end = site.begin + site.letters[0];
  const std::uint64_t behind = std::min<std::uint64_t>(flank_, letters.size() - end);
  for (const std::size_t side : {0, 1}) {
    const auto to = haplotypes_.extend({}, {}, site.flank + site.letters[side] + behind).codes;
    std::ranges::copy(letters.subspan(site.begin - site.flank, site.flank), to.begin());
    const std::string_view allele = (side == 0 ? variant.ref : variant.alt).substr(first, site.letters[side]);
    std::ranges::transform(allele, to.begin() + static_cast<std::ptrdiff_t>(site.flank),
                           [](char c) { return genocl::dna::encode(c); });
    std::ranges::copy(letters.subspan(end, behind), to.end() - static_cast<std::ptrdiff_t>(behind));
  }
  sites_.push_back(site);
  ++scanned_;
}

/// Whether a word has a letter of the allele, or both letters next to an empty one.
bool VariantScan::overlaps(std::size_t record, std::uint64_t position, std::size_t length) const {
  const Site& site = sites_[record / 2];
  return position < site.flank + site.letters[record % 2] && position + length > site.flank;
}

/// The motifs with a hit in an allele, by site and motif, with the best hits.
std::vector<Change> VariantScan::changes_of(std::span<const pwm::Hit> hits) const {
  std::map<std::pair<std::size_t, std::uint32_t>, Change> changes;
  for (const pwm::Hit& hit : hits) {
    const auto record = static_cast<std::size_t>(hit.record);
    if (!overlaps(record, hit.position, search_.matrices[hit.matrix].length())) continue;
    Change& change = changes[{record / 2, hit.matrix}];
    change.site = record / 2;
    change.matrix = hit.matrix;
    change.hit[record % 2] = true;
    std::optional<Word>& best = change.words[record % 2][search_.model.apart && hit.reverse ? 1 : 0];
    if (!best || hit.score > best->score) best = Word{hit.position, hit.score, 1, hit.reverse};
  }
  std::vector<Change> all;
  all.reserve(changes.size());
  for (const auto& [which, change] : changes) all.push_back(change);
  return all;
}

/// The best words of an allele without a hit, if any has bases only.
void VariantScan::add_words(Change& change, int side) const {
  const pwm::ScoreMatrix& matrix = search_.matrices[change.matrix];
  const Site& site = sites_[change.site];
  const std::span<const genocl::Code> letters = haplotypes_[2 * change.site + static_cast<std::size_t>(side)];
  const std::uint64_t length = matrix.length(), end = site.flank + site.letters[static_cast<std::size_t>(side)];
  std::vector<genocl::Code> turned(length);
  for (std::uint64_t at = site.flank - std::min(site.flank, length - 1); at < end && at + length <= letters.size();
       ++at) {
    const std::span<const genocl::Code> word = letters.subspan(at, length);
    if (!std::ranges::all_of(word, genocl::dna::is_base)) continue;
    genocl::dna::reverse_complement(word, turned);
    for (const bool reverse : {false, true}) {
      if (settings_.strands == (reverse ? pwm::Strands::forward : pwm::Strands::reverse)) continue;
      const double score = matrix.score(reverse ? std::span<const genocl::Code>(turned) : word);
      std::optional<Word>& best = change.words[static_cast<std::size_t>(side)][search_.model.apart && reverse ? 1 : 0];
      if (!best || score > best->score) best = Word{at, score, 1, reverse};
    }
  }
}

/// Exact P-values of all words, on their strands.
void VariantScan::add_p_values(std::vector<Change>& changes) const {
  for (const bool reverse : {false, true}) {
    if (reverse && !search_.model.apart) break;
    std::map<std::uint32_t, std::map<double, double>> scores;  // by matrix
    const auto for_each_word = [&](auto&& use) {
      for (Change& change : changes)
        for (BestWords& words : change.words)
          if (std::optional<Word>& word = words[reverse ? 1 : 0]) use(change.matrix, *word);
    };
    for_each_word([&](std::uint32_t matrix, const Word& word) { scores[matrix][word.score] = 1; });
    std::vector<pwm::ScoreMatrix> matrices;
    std::vector<std::vector<double>> lists;
    for (const auto& [matrix, of_matrix] : scores) {
      matrices.push_back(search_.matrices[matrix]);
      lists.emplace_back();
      for (const auto& [score, unused] : of_matrix) lists.back().push_back(score);
    }
    if (matrices.empty()) continue;
    const auto found =
        pwm::p_values(search_.devices, matrices, lists, reverse ? search_.model.reverse : search_.model.forward);
    std::size_t next = 0;
    for (auto& [matrix, of_matrix] : scores) {
      std::size_t i = 0;
      for (auto& [score, p] : of_matrix) p = one_of(found[next][i++]);
      ++next;
    }
    for_each_word([&](std::uint32_t matrix, Word& word) { word.p = scores[matrix][word.score]; });
  }
}

void VariantScan::flush() {
  if (sites_.empty()) return;
  const std::vector<pwm::Hit> hits = scanner_.scan(haplotypes_);
  std::vector<Change> changes = changes_of(hits);
  for (Change& change : changes)
    for (const int side : {0, 1})
      if (!change.hit[side]) add_words(change, side);
  if (!search_.model.apart)
    std::erase_if(changes, [](const Change& change) {
      return change.words[0][0] && change.words[1][0] && change.words[0][0]->score == change.words[1][0]->score;
    });
  add_p_values(changes);
  for (const Change& change : changes) append(change);
  out_.write(text_);
  text_.clear();
  sites_.clear();
  haplotypes_.clear();
}

/// Whether P-values differ by more than rounding errors. A palindrome has the same P-value on both strands.
bool is_less(double p, double other) { return p < other * (1 - 1e-9); }

const Word* best_of(const BestWords& words) {
  if (words[0] && words[1]) return is_less(words[1]->p, words[0]->p) ? &*words[1] : &*words[0];
  return words[0] ? &*words[0] : words[1] ? &*words[1] : nullptr;
}

void VariantScan::append(const Change& change) {
  const Site& site = sites_[change.site];
  const Word* const ref = best_of(change.words[0]);
  const Word* const alt = best_of(change.words[1]);
  if (ref != nullptr && alt != nullptr && ref->score == alt->score && !is_less(ref->p, alt->p) &&
      !is_less(alt->p, ref->p))
    return;
  const pwm::ScoreMatrix& matrix = search_.matrices[change.matrix];
  const char* const effect = !change.hit[0]    ? "gain"
                             : !change.hit[1]  ? "loss"
                             : alt->p < ref->p ? "increase"
                                               : "decrease";
  text_.append(site.sequence).append("\t").append(std::to_string(site.variant.begin + 1)).append("\t");
  text_.append(site.variant.id).append("\t").append(site.variant.ref).append("\t").append(site.variant.alt);
  text_.append("\t").append(matrix.id()).append("\t").append(matrix.alt_id()).append("\t").append(effect);
  append(site, change.matrix, 0, ref);
  append(site, change.matrix, 1, alt);
  text_ += '\n';
  ++rows_;
}

void VariantScan::append(const Site& site, std::uint32_t matrix, int side, const Word* word) {
  if (word == nullptr) {
    text_ += "\t.\t.\t.\t.\t.\t.";
    return;
  }
  const std::size_t length = search_.matrices[matrix].length();
  const std::uint64_t letters = site.letters[static_cast<std::size_t>(side)];
  // From 1. Inserted letters have the position of the base before them.
  const auto place = [&](std::uint64_t offset) {
    if (offset < site.flank) return site.begin - site.flank + offset + 1;
    if (offset >= site.flank + letters) return site.begin + site.letters[0] + (offset - site.flank - letters) + 1;
    return site.begin + std::min(offset - site.flank + 1, site.letters[0]);
  };
  std::string word_letters;
  const std::size_t record = 2 * static_cast<std::size_t>(&site - sites_.data()) + static_cast<std::size_t>(side);
  pwm::hit_word(haplotypes_[record], word->position, length, word->reverse, word_letters);
  text_ += '\t' + std::to_string(place(word->position)) + '\t' + std::to_string(place(word->position + length - 1));
  text_ += word->reverse ? "\t-\t" : "\t+\t";
  text_ += score_text(word->score) + '\t' + p_text(word->p) + '\t' + word_letters;
}

}  // namespace

void scan_variants(const ScanSettings& settings) {
  if (team().size() > 1) throw genocl::InputError("--vcf with several processes; expected genocl-pwm without MPI");
  VariantScan(settings).run();
}

}  // namespace program

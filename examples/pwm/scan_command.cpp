// genocl-pwm scan: every place where a motif scores at least its threshold.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <iostream>

#include "common/check_files.hpp"
#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/io/sequence_reader.hpp"
#include "pwm/commands.hpp"
#include "pwm/hit_store.hpp"
#include "pwm/hit_writer.hpp"
#include "pwm/inputs.hpp"
#include "pwm/significance.hpp"

namespace program {
namespace {

using genocl::SequenceSet;

constexpr std::uint64_t batch_residues = std::uint64_t{128} << 20;

/// The records of all files, one after the other. Letters of the alphabet that are no bases are in no hit.
class TextSource {
 public:
  TextSource(const std::vector<std::string>& files, bool replace_letters)
      : files_(files), bad_letters_(genocl::bad_letters(replace_letters)) {}

  bool next(SequenceSet& batch) {
    while (at_ < files_.size()) {
      if (!reader_)
        reader_.emplace(
            files_[at_],
            genocl::io::ReadOptions{.bad_letters = bad_letters_, .keep_qualities = false, .keep_descriptions = false});
      if (reader_->read(batch, {.residues = batch_residues})) {
        fraction_ = (static_cast<double>(at_) + reader_->fraction()) / static_cast<double>(files_.size());
        return true;
      }
      reader_.reset();
      ++at_;
    }
    return false;
  }
  /// The share of all files that is read. Another thread may be reading.
  double fraction() const { return fraction_; }

 private:
  const std::vector<std::string>& files_;
  genocl::BadLetters bad_letters_;
  std::size_t at_ = 0;
  std::optional<genocl::io::SequenceReader> reader_;
  std::atomic<double> fraction_ = 0;
};

/// How P-values of the hits are found: for each strand, or for both together.
struct StrandModel {
  pwm::POptions forward, reverse;  ///< the same unless `apart`
  bool apart = false;              ///< a word is not as probable on one strand as on the other

  StrandModel(const ScanSettings& settings, const pwm::Background& background) {
    forward.background = reverse.background = background;
    apart = !settings.average_strands && !(background.reverse_complement() == background);
    if (apart) reverse.strands = pwm::Strands::reverse;
    if (settings.average_strands) forward.strands = reverse.strands = pwm::Strands::both;
  }
};

std::vector<pwm::StrandThresholds> on_both(const std::vector<double>& thresholds) {
  std::vector<pwm::StrandThresholds> result;
  for (const double threshold : thresholds) result.push_back({threshold, threshold});
  return result;
}

std::vector<pwm::StrandThresholds> thresholds_of(const ScanSettings& settings, std::span<const genocl::Device> devices,
                                                 std::span<const pwm::ScoreMatrix> matrices, const StrandModel& model) {
  if (!settings.thresholds.empty()) return on_both(read_thresholds(settings.thresholds, matrices));
  if (settings.score) return on_both(std::vector<double>(matrices.size(), *settings.score));
  const double p = settings.p.value_or(usual_p);
  const bool reverse_alone = model.apart && settings.strand == "-";
  std::vector<pwm::StrandThresholds> found =
      on_both(thresholds_for(devices, matrices, p, reverse_alone ? model.reverse : model.forward));
  if (model.apart && settings.strand == "both") {
    const std::vector<double> reverse = thresholds_for(devices, matrices, p, model.reverse);
    for (std::size_t i = 0; i < found.size(); ++i) found[i].reverse = reverse[i];
  }
  return found;
}

/// What a scan leaves to be written.
struct Found {
  HitStore hits;
  bool apart = false;                             ///< whether each strand has its own P-values
  std::array<std::vector<ScoreTable>, 2> scores;  ///< [strand][matrix]; the first one for both unless `apart`
  std::vector<std::string> names;                 ///< of records
  PlaceCount places;
  std::uint64_t residues = 0, count = 0;

  Found(std::size_t motifs, HitOrder order, bool by_strand) : hits(motifs, order), apart(by_strand) {
    for (std::vector<ScoreTable>& of_strand : scores) of_strand.resize(motifs);
  }
  ScoreTable& table(std::uint32_t motif, bool reverse) { return scores[apart && reverse ? 1 : 0][motif]; }
  const ScoreTable& table(std::uint32_t motif, bool reverse) const { return scores[apart && reverse ? 1 : 0][motif]; }
  void take(const SequenceSet& batch, std::uint64_t first_record, std::span<const pwm::Hit> hits_found,
            std::span<const pwm::ScoreMatrix> matrices);
  /// P, and q where it is asked for, of every score that was found. `strands`: how many were looked at.
  void fill(std::span<const genocl::Device> devices, std::span<const pwm::ScoreMatrix> matrices,
            const StrandModel& model, bool q_values, double strands);
};

void Found::take(const SequenceSet& batch, std::uint64_t first_record, std::span<const pwm::Hit> hits_found,
                 std::span<const pwm::ScoreMatrix> matrices) {
  std::vector<pwm::Hit> sorted;
  const bool by_position = hits.order() == HitOrder::by_position;
  if (by_position) {
    sorted.assign(hits_found.begin(), hits_found.end());
    std::ranges::stable_sort(sorted, {}, [](const pwm::Hit& hit) { return std::pair(hit.record, hit.position); });
    hits_found = sorted;
  }
  std::vector<genocl::Code> turned;
  hits.begin_batch();
  for (const pwm::Hit& hit : hits_found) {
    std::string letters;
    if (!by_position) {
      const std::size_t length = matrices[hit.matrix].length();
      std::span<const genocl::Code> word =
          batch[static_cast<std::size_t>(hit.record - first_record)].subspan(hit.position, length);
      if (hit.reverse) {
        turned.resize(length);
        genocl::dna::reverse_complement(word, turned);
        word = turned;
      }
      letters = genocl::decode(genocl::Alphabet::dna, word);
    }
    hits.add({hit.matrix, hit.record, hit.position, hit.score, hit.reverse, letters});
    ++table(hit.matrix, hit.reverse)[hit.score].hits;
  }
  hits.end_batch();
  count += hits_found.size();
}

void Found::fill(std::span<const genocl::Device> devices, std::span<const pwm::ScoreMatrix> matrices,
                 const StrandModel& model, bool q_values, double strands) {
  fill_p(devices, matrices, model.forward, scores[0]);
  if (apart) fill_p(devices, matrices, model.reverse, scores[1]);
  for (std::size_t i = 0; q_values && i < matrices.size(); ++i) {
    const std::array<ScoreTable*, 2> of_motif = {&scores[0][i], &scores[1][i]};
    fill_q(of_motif, strands * static_cast<double>(places.places(matrices[i].length())));
  }
}

void write_hits(const ScanSettings& settings, std::span<const pwm::ScoreMatrix> matrices, const Found& found,
                genocl::io::OutputFile& out) {
  const auto format = hit_format(settings.format);
  std::string text = format->header();
  const auto write = [&](const StoredHit& hit) {
    const Significance& one = found.table(hit.motif, hit.reverse).at(hit.score);
    format->append(text, {matrices[hit.motif], found.names[hit.record], hit, one.p, settings.q_values ? one.q : -1});
    if (text.size() < (std::size_t{1} << 20)) return;
    out.write(text);
    text.clear();
  };
  if (found.hits.order() == HitOrder::by_position)
    found.hits.read(0, 0, write);
  else
    for (std::uint32_t i = 0; i < matrices.size(); ++i) found.hits.read(i, matrices[i].length(), write);
  out.write(text);
}

/// What is said of motifs that are not looked for; empty where all are.
std::string left_out(const ScanSettings& settings, std::span<const pwm::StrandThresholds> thresholds) {
  std::size_t none = 0, on_forward = 0, on_reverse = 0;
  for (const auto& [forward, reverse] : thresholds) {
    const bool no_forward = settings.strand == "-" || std::isnan(forward);
    const bool no_reverse = settings.strand == "+" || std::isnan(reverse);
    if (no_forward && no_reverse)
      ++none;
    else if (settings.strand == "both" && (no_forward || no_reverse))
      ++(no_forward ? on_forward : on_reverse);
  }
  std::string text;
  if (none > 0) text += ", " + std::to_string(none) + " of them without a threshold: not looked for";
  if (on_forward > 0) text += ", " + std::to_string(on_forward) + " without one on strand +: not looked for there";
  if (on_reverse > 0) text += ", " + std::to_string(on_reverse) + " without one on strand -: not looked for there";
  return text;
}

void write_counts(const ScanSettings& settings, std::span<const pwm::ScoreMatrix> matrices,
                  const std::vector<std::uint64_t>& counts, genocl::io::OutputFile& out) {
  std::string text = "motif_id\tstrand\thits\n";
  for (std::size_t i = 0; i < matrices.size(); ++i)
    for (const bool reverse : {false, true})
      if (settings.strand != (reverse ? "+" : "-"))
        text +=
            matrices[i].id() + (reverse ? "\t-\t" : "\t+\t") + std::to_string(counts[2 * i + (reverse ? 1 : 0)]) + "\n";
  out.write(text);
}

}  // namespace

void scan_text(const ScanSettings& settings) {
  settings.check();
  std::vector<std::string> inputs = settings.texts;
  inputs.insert(inputs.end(), {settings.motifs, settings.thresholds, settings.matrix.background_file()});
  check_files(inputs, {settings.output});
  const std::vector<pwm::Motif> motifs = read_motifs(settings.motifs);
  const pwm::Background background =
      read_background(settings.matrix.background, settings.texts, settings.replace_letters);
  const std::vector<pwm::ScoreMatrix> matrices = matrices_of(motifs, settings.matrix, background);
  const std::vector<genocl::Device> devices = settings.common.open_devices(settings.common.profile);
  const StrandModel model(settings, background);
  const std::vector<pwm::StrandThresholds> thresholds = thresholds_of(settings, devices, matrices, model);
  genocl::io::OutputFile out(settings.output);  // what cannot be written is known before the scan

  ProgressBar bar("scan", settings.common.quiet, "M places", 1e6);
  TextSource source(settings.texts, settings.replace_letters);
  const bool counts_only = settings.format == "counts";
  pwm::ScanOptions options;
  options.strands = strands_of(settings.strand);
  options.method = pwm::method_named(settings.method);
  options.counts_only = counts_only;
  if (settings.max_hits) options.max_hits = *settings.max_hits;
  options.progress = [&](const genocl::ProgressState& state) {
    bar.show(source.fraction(), state.items_done);
    return true;
  };
  const pwm::Scanner scanner = pwm::Scanner::by_strand(devices, matrices, thresholds, options);
  Found found(matrices.size(), settings.format == "bed" ? HitOrder::by_position : HitOrder::by_motif, model.apart);
  std::uint64_t records_done = 0;
  scanner.scan(
      [&](SequenceSet& batch) {
        if (!source.next(batch)) return false;
        for (std::size_t record = 0; record < batch.size(); ++record) {
          if (!counts_only) found.names.emplace_back(batch.name(record));
          if (settings.q_values) found.places.add(batch[record]);
        }
        found.residues += batch.residues();
        return true;
      },
      [&](const SequenceSet& batch, std::span<const pwm::Hit> hits) {
        found.take(batch, records_done, hits, matrices);
        records_done += batch.size();
      });
  if (counts_only) {
    const std::vector<std::uint64_t> counts = scanner.counts();
    for (const std::uint64_t count : counts) found.count += count;
    write_counts(settings, matrices, counts, out);
  } else {
    found.fill(devices, matrices, model, settings.q_values, options.strands == pwm::Strands::both ? 2 : 1);
    write_hits(settings, matrices, found, out);
  }
  out.commit();
  bar.clear();
  if (!settings.common.quiet) {
    std::cerr << matrices.size() << (matrices.size() == 1 ? " motif" : " motifs") << left_out(settings, thresholds)
              << "; " << found.residues << " letters, " << found.count << " hits\n";
  }
  if (settings.common.profile)
    for (const genocl::Device& device : devices) write_profile(std::cerr, device);
}

}  // namespace program

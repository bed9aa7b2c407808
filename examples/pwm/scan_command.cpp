// genocl-pwm scan: every place where a motif scores at least its threshold.
#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <iostream>
#include <mutex>
#include <optional>

#include "common/check_files.hpp"
#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/packing.hpp"
#include "pwm/commands.hpp"
#include "pwm/hit_store.hpp"
#include "pwm/hit_writer.hpp"
#include "pwm/inputs.hpp"
#include "pwm/significance.hpp"
#include "pwm/text_pieces.hpp"

namespace program {
namespace {

using genocl::SequenceSet;

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
      on_both(thresholds_by_team(devices, matrices, p, reverse_alone ? model.reverse : model.forward));
  if (model.apart && settings.strand == "both") {
    const std::vector<double> reverse = thresholds_by_team(devices, matrices, p, model.reverse);
    for (std::size_t i = 0; i < found.size(); ++i) found[i].reverse = reverse[i];
  }
  return found;
}

/// What a scan leaves to be written: the root's.
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
  /// The hits of a piece as add() takes them. The first record of `batch` is `first_record` among those of the scan.
  std::string pack(const SequenceSet& batch, std::uint64_t first_record, const OwnPiece& piece,
                   std::span<const pwm::Hit> hits_found, std::span<const pwm::ScoreMatrix> matrices) const;
  void add(std::string_view packed);
  /// P, and q where it is asked for, of every score that was found. `strands`: how many were looked at.
  void fill(std::span<const genocl::Device> devices, std::span<const pwm::ScoreMatrix> matrices,
            const StrandModel& model, bool q_values, double strands);
};

std::string Found::pack(const SequenceSet& batch, std::uint64_t first_record, const OwnPiece& piece,
                        std::span<const pwm::Hit> hits_found, std::span<const pwm::ScoreMatrix> matrices) const {
  std::vector<pwm::Hit> sorted;
  const bool by_position = hits.order() == HitOrder::by_position;
  if (by_position) {
    sorted.assign(hits_found.begin(), hits_found.end());
    std::ranges::stable_sort(sorted, {}, [](const pwm::Hit& hit) { return std::pair(hit.record, hit.position); });
    hits_found = sorted;
  }
  std::vector<genocl::Code> turned;
  genocl::Packer packed;
  for (const pwm::Hit& hit : hits_found) {
    if (piece.begin + hit.position >= piece.own_end) continue;
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
    packed.add(hit.matrix);
    packed.add(hit.record - first_record + piece.first_record);
    packed.add(piece.begin + hit.position);
    packed.add(hit.score);
    packed.add(hit.reverse);
    packed.add_text(letters);
  }
  return packed.take();
}

void Found::add(std::string_view packed) {
  hits.begin_batch();
  for (genocl::Unpacker left(packed); !left.empty(); ++count) {
    StoredHit hit;
    hit.motif = left.next<std::uint32_t>();
    hit.record = left.next<std::uint64_t>();
    hit.position = left.next<std::uint64_t>();
    hit.score = left.next<double>();
    hit.reverse = left.next<bool>();
    hit.letters = left.next_text();
    hits.add(hit);
    ++table(hit.motif, hit.reverse)[hit.score].hits;
  }
  hits.end_batch();
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
  if (std::ranges::find(inputs, "-") != inputs.end()) team().share_standard_input();
  const std::vector<pwm::Motif> motifs = read_motifs(settings.motifs);
  const pwm::Background background =
      read_background(settings.matrix.background, settings.texts, settings.replace_letters);
  const std::vector<pwm::ScoreMatrix> matrices = matrices_of(motifs, settings.matrix, background);
  const std::vector<genocl::Device> devices = settings.common.open_devices(settings.common.profile);
  const StrandModel model(settings, background);
  const std::vector<pwm::StrandThresholds> thresholds = thresholds_of(settings, devices, matrices, model);
  std::optional<genocl::io::OutputFile> out;
  if (team().is_root()) out.emplace(settings.output);  // what cannot be written is known before the scan

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
  const std::unique_ptr<Blocks> blocks = team().blocks([&](std::string_view, std::string_view packed) {
    found.add(packed);
    if (found.count > options.max_hits)
      throw genocl::InputError("there are more than " + std::to_string(options.max_hits) +
                               " hits, the most that were asked for; expected a higher limit or a higher threshold");
  });
  std::uint64_t overlap = 0;
  for (const pwm::ScoreMatrix& matrix : matrices) overlap = std::max<std::uint64_t>(overlap, matrix.length() - 1);
  TeamText text(source, *blocks, overlap, [&](const SequenceSet& batch) {
    for (std::size_t record = 0; record < batch.size() && team().is_root(); ++record) {
      if (!counts_only) found.names.emplace_back(batch.name(record));
      if (settings.q_values) found.places.add(batch[record]);
    }
    found.residues += batch.residues();
  });
  std::mutex mutex;
  std::deque<OwnPiece> begun;  // that are being scanned
  std::uint64_t records_done = 0;
  scanner.scan(
      [&](SequenceSet& batch) {
        const std::optional<OwnPiece> piece = text.next(batch);
        if (!piece) return false;
        const std::lock_guard lock(mutex);
        begun.push_back(*piece);
        return true;
      },
      [&](const SequenceSet& batch, std::span<const pwm::Hit> hits) {
        OwnPiece piece;
        {
          const std::lock_guard lock(mutex);
          piece = begun.front();
          begun.pop_front();
        }
        blocks->put(piece.block, {}, found.pack(batch, records_done, piece, hits, matrices));
        records_done += batch.size();
      });
  blocks->finish();
  if (counts_only) {
    std::vector<std::uint64_t> counts = scanner.counts();
    if (!text.overlaps().empty()) {
      scanner.scan(text.overlaps());
      const std::vector<std::uint64_t> twice = scanner.counts();
      for (std::size_t i = 0; i < counts.size(); ++i) counts[i] -= twice[i];
    }
    team().sum(counts);
    for (const std::uint64_t count : counts) found.count += count;
    if (out) write_counts(settings, matrices, counts, *out);
  } else {
    found.fill(devices, matrices, model, settings.q_values, options.strands == pwm::Strands::both ? 2 : 1);
    if (out) write_hits(settings, matrices, found, *out);
  }
  if (!out) return;
  out->commit();
  bar.clear();
  if (!settings.common.quiet) {
    std::cerr << matrices.size() << (matrices.size() == 1 ? " motif" : " motifs") << left_out(settings, thresholds)
              << "; " << found.residues << " letters, " << found.count << " hits\n";
  }
  if (settings.common.profile)
    for (const genocl::Device& device : devices) write_profile(std::cerr, device);
}

}  // namespace program

// genocl-pwm scan: every place where a motif scores at least its threshold.
#include <algorithm>
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
constexpr double usual_p = 1e-4;

pwm::Strands strands_of(const std::string& name) {
  return name == "+" ? pwm::Strands::forward : name == "-" ? pwm::Strands::reverse : pwm::Strands::both;
}

/// The records of all files, one after the other. Letters that are no bases are in no hit, whatever they are.
class TextSource {
 public:
  explicit TextSource(const std::vector<std::string>& files) : files_(files) {}

  bool next(SequenceSet& batch) {
    while (at_ < files_.size()) {
      if (!reader_)
        reader_.emplace(files_[at_], genocl::io::ReadOptions{.bad_letters = genocl::io::BadLetters::replace,
                                                             .keep_qualities = false,
                                                             .keep_descriptions = false});
      if (reader_->read(batch, {.residues = batch_residues})) {
        fraction_ = (static_cast<double>(at_) + reader_->fraction()) / static_cast<double>(files_.size());
        return true;
      }
      reader_.reset();
      ++at_;
    }
    return false;
  }
  /// Of all files. Another thread may be reading.
  double fraction() const { return fraction_; }

 private:
  const std::vector<std::string>& files_;
  std::size_t at_ = 0;
  std::optional<genocl::io::SequenceReader> reader_;
  std::atomic<double> fraction_ = 0;
};

std::vector<double> thresholds_of(const ScanSettings& settings, std::span<const genocl::Device> devices,
                                  std::span<const pwm::ScoreMatrix> matrices, const pwm::POptions& options) {
  if (!settings.thresholds.empty()) return read_thresholds(settings.thresholds, matrices);
  if (settings.score) return std::vector<double>(matrices.size(), *settings.score);
  return thresholds_for(devices, matrices, settings.p.value_or(usual_p), options);
}

/// What a scan leaves to be written.
struct Found {
  HitStore hits;
  std::vector<ScoreTable> scores;  ///< [matrix]
  std::vector<std::string> names;  ///< of records
  PlaceCount places;
  std::uint64_t residues = 0, count = 0;

  explicit Found(std::size_t motifs) : hits(motifs), scores(motifs) {}
  void take(const SequenceSet& batch, std::uint64_t first_record, std::span<const pwm::Hit> hits_found,
            std::span<const pwm::ScoreMatrix> matrices);
};

void Found::take(const SequenceSet& batch, std::uint64_t first_record, std::span<const pwm::Hit> hits_found,
                 std::span<const pwm::ScoreMatrix> matrices) {
  std::vector<genocl::Code> turned;
  hits.begin_batch();
  for (const pwm::Hit& hit : hits_found) {
    const std::size_t length = matrices[hit.matrix].length();
    std::span<const genocl::Code> word =
        batch[static_cast<std::size_t>(hit.record - first_record)].subspan(hit.position, length);
    if (hit.reverse) {
      turned.resize(length);
      genocl::dna::reverse_complement(word, turned);
      word = turned;
    }
    const std::string letters = genocl::decode(genocl::Alphabet::dna, word);
    hits.add(hit.matrix, {hit.record, hit.position, hit.score, hit.reverse, letters});
    ++scores[hit.matrix][hit.score].hits;
  }
  hits.end_batch();
  count += hits_found.size();
}

void write_hits(const ScanSettings& settings, std::span<const pwm::ScoreMatrix> matrices, const Found& found,
                genocl::io::OutputFile& out) {
  const auto format = hit_format(settings.format);
  std::string text = format->header();
  for (std::uint32_t i = 0; i < matrices.size(); ++i)
    found.hits.read(i, matrices[i].length(), [&](const StoredHit& hit) {
      const Significance& one = found.scores[i].at(hit.score);
      format->append(text, {matrices[i], found.names[hit.record], hit, one.p, settings.q_values ? one.q : -1});
      if (text.size() < (std::size_t{1} << 20)) return;
      out.write(text);
      text.clear();
    });
  out.write(text);
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
  const pwm::Background background = read_background(settings.matrix.background, settings.texts);
  const std::vector<pwm::ScoreMatrix> matrices = matrices_of(motifs, settings.matrix, background);
  const std::vector<genocl::Device> devices = settings.common.open_devices(settings.common.profile);
  pwm::POptions p_options;
  p_options.background = background;
  const std::vector<double> thresholds = thresholds_of(settings, devices, matrices, p_options);
  genocl::io::OutputFile out(settings.output);

  ProgressBar bar("scan", settings.common.quiet, "M places", 1e6);
  TextSource source(settings.texts);
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
  const pwm::Scanner scanner(devices, matrices, thresholds, options);
  Found found(matrices.size());
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
    fill_p(devices, matrices, p_options, found.scores);
    const double strands = options.strands == pwm::Strands::both ? 2 : 1;
    if (settings.q_values)
      for (std::size_t i = 0; i < matrices.size(); ++i)
        fill_q(found.scores[i], strands * static_cast<double>(found.places.places(matrices[i].length())));
    write_hits(settings, matrices, found, out);
  }
  out.commit();
  bar.clear();
  if (!settings.common.quiet) {
    const auto skipped = std::ranges::count_if(thresholds, [](double score) { return std::isnan(score); });
    std::cerr << matrices.size() << (matrices.size() == 1 ? " motif" : " motifs");
    if (skipped > 0) std::cerr << ", " << skipped << " of them without a threshold: not looked for";
    std::cerr << "; " << found.residues << " letters, " << found.count << " hits\n";
  }
  if (settings.common.profile)
    for (const genocl::Device& device : devices) write_profile(std::cerr, device);
}

}  // namespace program

// genocl-pwm scan: every place where a motif scores at least its threshold.
#include <algorithm>
#include <deque>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>

#include "common/check_files.hpp"
#include "common/format_name.hpp"
#include "common/program.hpp"
#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "pwm/hits.hpp"
#include "pwm/inputs.hpp"
#include "pwm/options.hpp"
#include "pwm/significance.hpp"
#include "pwm/texts.hpp"

namespace program {
namespace {

using genocl::SequenceSet;

/// A piece has so many hits or more where the text allows; so much of them is in memory for each thread that works.
constexpr double hits_of_piece = 1 << 21;

/// What the scan goes by, once the files are read.
struct Search {
  MotifCollection collection;
  pwm::Background background;
  std::vector<pwm::ScoreMatrix> matrices;
  std::vector<genocl::Device> devices;
  StrandModel model;
  std::vector<pwm::StrandThresholds> thresholds;
  std::optional<pwm::HitPValues> p_values;  ///< none for counts

  explicit Search(const ScanSettings& settings);
  std::uint64_t overlap() const;
  std::uint64_t piece_residues() const;
};

MotifCollection chosen(const ScanSettings& settings) {
  MotifCollection collection = read_collection(settings.motifs, settings.reading, settings.common.quiet);
  choose(collection.motifs, settings.only, settings.motifs);
  return collection;
}

Search::Search(const ScanSettings& settings)
    : collection(chosen(settings)),
      background(read_background(settings.matrix, collection, settings.texts, settings.replace_letters)),
      matrices(matrices_of(collection.motifs, settings.matrix, background)),
      devices(settings.common.open_devices(settings.common.profile)),
      model(settings, background),
      thresholds(thresholds_of(settings, devices, collection.motifs, matrices, model)) {
  if (settings.format == "counts") return;
  p_values.emplace(
      matrices, thresholds,
      pwm::StrandOptions{
          .background = background, .strands = settings.strands, .average = settings.average_strands, .progress = {}});
}

std::uint64_t Search::overlap() const {
  std::uint64_t longest = 1;
  for (const pwm::ScoreMatrix& matrix : matrices) longest = std::max<std::uint64_t>(longest, matrix.length());
  return longest - 1;
}

std::uint64_t Search::piece_residues() const {
  constexpr double least = 1 << 16, most = 1 << 23;
  const double rate = p_values ? p_values->hits_per_letter() : 0;
  return static_cast<std::uint64_t>(std::clamp(rate > 0 ? hits_of_piece / rate : most, least, most));
}

void write_counts(const ScanSettings& settings, std::span<const pwm::ScoreMatrix> matrices,
                  const std::vector<std::uint64_t>& counts, genocl::io::OutputFile& out) {
  std::string text = "motif_id\tstrand\thits\n";
  for (std::size_t i = 0; i < matrices.size(); ++i)
    for (const bool reverse : {false, true})
      if (settings.strands != (reverse ? pwm::Strands::forward : pwm::Strands::reverse))
        text +=
            matrices[i].id() + (reverse ? "\t-\t" : "\t+\t") + std::to_string(counts[2 * i + (reverse ? 1 : 0)]) + "\n";
  out.write(text);
}

Making making_of(const ScanSettings& settings) {
  if (settings.format == "counts") return Making::counts;
  if (settings.best) return Making::best;
  return settings.exact || settings.with_q_values() ? Making::packed : Making::text;
}

/// The root's: takes what the team's scans give, in the order of the text, and writes it.
class Results {
 public:
  Results(const ScanSettings& settings, const Search& search, const HitFormat& format, genocl::io::OutputFile* out)
      : settings_(settings),
        search_(search),
        format_(format),
        out_(out),
        collected_(search.matrices.size(), search.model.apart),
        best_([this](const PackedHit& hit) { write(hit, hit.p, -1); }) {
    if (out_ != nullptr && settings.format != "counts") out_->write(format_.header());
  }

  void add(std::string_view count, std::string_view bytes) {
    switch (making_of(settings_)) {
      case Making::text:
        write_lines(bytes, genocl::Unpacker(count).next<std::uint64_t>());
        break;
      case Making::packed:
        collected_.add(std::string(bytes));
        break;
      case Making::best:
        best_.add(bytes);
        break;
      case Making::counts:
        break;
    }
  }
  /// Everybody of the team calls it. `tests`: [motif], how many words were looked at.
  void finish(const std::vector<double>& tests) {
    if (making_of(settings_) == Making::best) best_.finish();
    if (making_of(settings_) == Making::packed) {
      if (settings_.exact) collected_.compute_p(search_.devices, search_.matrices, search_.model);
      if (settings_.with_q_values()) collected_.compute_q(tests);
      if (out_ != nullptr)
        collected_.read([this](const PackedHit& hit, const Significance& one) {
          if (!settings_.q_threshold || one.q <= *settings_.q_threshold)
            write(hit, one.p, settings_.with_q_values() ? one.q : -1);
        });
    }
    if (out_ != nullptr) out_->write(text_);
  }
  std::uint64_t written() const { return written_; }
  /// That --max-hits has left out.
  std::uint64_t left_out() const { return left_out_; }

 private:
  std::uint64_t room() const {
    return settings_.max_hits.value_or(std::numeric_limits<std::uint64_t>::max()) - written_;
  }
  /// A line for each of so many hits.
  void write_lines(std::string_view lines, std::uint64_t hits) {
    const std::uint64_t some = std::min(hits, room());
    if (some < hits) {
      std::size_t end = 0;
      for (std::uint64_t i = 0; i < some; ++i) end = lines.find('\n', end) + 1;
      lines = lines.substr(0, end);
    }
    out_->write(lines);
    written_ += some;
    left_out_ += hits - some;
  }
  void write(const PackedHit& hit, double p, double q) {
    if (room() == 0) {
      ++left_out_;
      return;
    }
    ++written_;
    format_.append(text_, {.matrix = search_.matrices[hit.motif],
                           .sequence_name = hit.name,
                           .begin = hit.begin,
                           .reverse = hit.reverse,
                           .score = hit.score,
                           .letters = hit.letters,
                           .p = p,
                           .q = q});
    if (text_.size() < (std::size_t{1} << 20)) return;
    out_->write(text_);
    text_.clear();
  }

  const ScanSettings& settings_;
  const Search& search_;
  const HitFormat& format_;
  genocl::io::OutputFile* out_;
  CollectedHits collected_;
  BestHits best_;
  std::string text_;
  std::uint64_t written_ = 0, left_out_ = 0;
};

}  // namespace

void scan_text(const ScanSettings& settings) {
  settings.check();
  std::vector<std::string> inputs = settings.texts;
  inputs.insert(inputs.end(),
                {settings.motifs, settings.thresholds, settings.matrix.background_file(), settings.regions});
  check_files(inputs, {settings.output});
  static constexpr std::string_view formats[] = {"tsv", "bed", "gff3", "counts"};
  check_format_name(settings.output, settings.format, formats);
  if (std::ranges::find(inputs, "-") != inputs.end()) team().share_standard_input();
  const Search search(settings);
  std::optional<Regions> regions;
  if (!settings.regions.empty()) regions.emplace(settings.regions, settings.reading.strict);
  std::optional<genocl::io::OutputFile> out;
  if (team().is_root()) out.emplace(settings.output);  // what cannot be written is known before the scan

  ProgressBar bar("scan", settings.common.quiet, "M places", 1e6);
  TextSource source(settings.texts, settings.replace_letters);
  const Making making = making_of(settings);
  // Devices count by themselves, but for what depends on a hit's place.
  const bool device_counts = making == Making::counts && !regions && !settings.genomic_coordinates;
  const auto format = hit_format(settings.format);
  pwm::ScanOptions options;
  options.strands = settings.strands;
  options.order = pwm::HitOrder::by_position;
  options.method = pwm::method_named(settings.method);
  options.counts_only = device_counts;
  options.progress = [&](const genocl::ProgressState& state) {
    bar.show(source.fraction(), state.items_done);
    return true;
  };
  PieceOptions pieces{.overlap = search.overlap(),
                      .whole_batches = device_counts,
                      .count_overlaps = device_counts,
                      .genomic_coordinates = settings.genomic_coordinates,
                      .once = !settings.best,
                      .regions = regions ? &*regions : nullptr};
  if (!device_counts) pieces.residues = options.chunk_residues = search.piece_residues();
  const pwm::Scanner scanner = pwm::Scanner::by_strand(search.devices, search.matrices, search.thresholds, options);
  const HitMaker maker(making, *format, search.matrices, search.p_values ? &*search.p_values : nullptr);
  Results results(settings, search, *format, out ? &*out : nullptr);
  const std::unique_ptr<Blocks> blocks =
      team().blocks([&](std::string_view count, std::string_view bytes) { results.add(count, bytes); });
  std::uint64_t residues = 0;
  PlaceCount places;
  TextPieces text(
      source, *blocks, pieces,
      [&](std::span<const genocl::Code> letters) {
        if (settings.with_q_values() && team().is_root()) places.add(letters);
        residues += letters.size();
      },
      [&](std::span<const genocl::Code> letters) {
        if (settings.with_q_values() && team().is_root()) places.remove(letters);
        residues -= letters.size();
      });
  std::mutex mutex;
  std::deque<std::uint64_t> begun;  // blocks that are being scanned
  const auto next_piece = [&](SequenceSet& piece) {
    const std::optional<std::uint64_t> block = text.next(piece);
    if (!block) return false;
    const std::lock_guard lock(mutex);
    begun.push_back(*block);
    return true;
  };
  std::uint64_t count = 0;  // of the block
  std::string bytes;
  scanner.scan(
      next_piece,
      [&](const SequenceSet& piece, std::span<const pwm::Hit> hits) {
        return device_counts ? genocl::Packer().with(std::uint64_t{0}) : maker(piece, hits);
      },
      [&](std::string&& of_part, bool last) {
        genocl::Unpacker part(of_part);
        count += part.next<std::uint64_t>();
        if (bytes.empty() && last)
          bytes = std::move(of_part.erase(0, sizeof count));
        else
          bytes.append(of_part, sizeof count);
        if (!last) return;
        std::uint64_t block = 0;
        {
          const std::lock_guard lock(mutex);
          block = begun.front();
          begun.pop_front();
        }
        blocks->put(block, genocl::Packer().with(count), bytes);
        bytes.clear();
        count = 0;
      });
  blocks->finish();
  if (regions) regions->finish();
  std::uint64_t hits = 0;
  if (making == Making::counts) {
    std::vector<std::uint64_t> counts = device_counts ? scanner.counts() : maker.counts();
    if (device_counts && !text.overlaps().empty()) {
      scanner.scan(text.overlaps());
      const std::vector<std::uint64_t> twice = scanner.counts();
      for (std::size_t i = 0; i < counts.size(); ++i) counts[i] -= twice[i];
    }
    team().sum(counts);
    for (const std::uint64_t one : counts) hits += one;
    if (out) write_counts(settings, search.matrices, counts, *out);
  } else {
    std::vector<double> tests;
    for (const pwm::ScoreMatrix& matrix : search.matrices)
      tests.push_back((settings.strands == pwm::Strands::both ? 2 : 1) *
                      static_cast<double>(places.places(matrix.length())));
    results.finish(tests);
    hits = results.written();
  }
  if (!out) return;
  out->commit();
  bar.clear();
  if (!settings.common.quiet) {
    if (results.left_out() > 0)
      std::cerr << called_name() << ": note: " << results.left_out() << " more hits are not written (--max-hits)\n";
    std::cerr << search.matrices.size() << (search.matrices.size() == 1 ? " motif" : " motifs")
              << left_out(settings, search.collection.motifs, search.thresholds) << "; " << residues << " letters, "
              << hits << (hits == 1 ? " hit\n" : " hits\n");
  }
  if (settings.common.profile)
    for (const genocl::Device& device : search.devices) write_profile(std::cerr, device);
}

}  // namespace program

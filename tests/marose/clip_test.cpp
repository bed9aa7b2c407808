#include "genocl/marose/clip.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

#include "genocl/error.hpp"
#include "marose/clip.hpp"
#include "marose/edit_script.hpp"
#include "marose/mapper_cases.hpp"

using namespace genocl::marose;
using namespace marose_test;
using genocl::Code;
using genocl::SequenceSet;

namespace {

std::vector<Code> codes(std::string_view letters) { return genocl::encode(genocl::Alphabet::dna, letters); }

unsigned kept(std::string_view read, const std::vector<std::string>& adapters, unsigned overlap = 3) {
  return Trimmer({.adapters = adapters, .adapter_overlap = overlap}).kept(codes(read), {}).length;
}

unsigned kept_by_quality(const std::vector<std::uint8_t>& quality, unsigned least) {
  const std::vector<Code> read(quality.size());
  return Trimmer({.min_quality = least}).kept(read, quality).length;
}

/// The definition in clip.hpp, part by part: hits of what a read is mapped by.
struct Expected {
  ReadPart mapped;
  std::vector<Hit> hits;
};
Expected map_by_parts(const SequenceSet& text, std::span<const Code> read, const ErrorBound& errors, Model model) {
  const auto size = static_cast<unsigned>(read.size());
  Expected expected{{0, static_cast<std::uint16_t>(size)}, reference::map_read(text, read, errors.at(size), model)};
  const unsigned step = std::max(1u, size / 8);
  for (unsigned length = size; expected.hits.empty();) {
    if (length < step) break;
    length -= step;
    if (2 * length < size || length < 30) break;
    for (unsigned first = 0; first + length <= size; first += step) {
      const ReadPart part{static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(length)};
      const std::vector<Hit> hits = reference::map_read(text, part.of(read), errors.at(length), model);
      if (hits.empty()) continue;
      if (expected.hits.empty() || hits.front().errors < expected.hits.front().errors) expected = {part, hits};
    }
  }
  return expected;
}

std::vector<Code> junk_at_ends(Random& random, std::span<const Code> read) {
  std::vector<Code> result(read.begin(), read.end());
  for (const bool front : {true, false}) {
    if (below(random, 2) == 0) continue;
    const std::size_t count = below(random, read.size() / 2);
    for (std::size_t i = 0; i < count; ++i)
      result[front ? i : result.size() - 1 - i] = static_cast<Code>(below(random, 4));
  }
  return result;
}

long score(const std::vector<Operation>& columns, std::size_t from, std::size_t to, bool at_begin, bool at_end) {
  long sum = (from == 0 && at_begin ? 5 : 0) + (to == columns.size() && at_end ? 5 : 0);
  for (std::size_t i = from; i < to; ++i) sum += columns[i] == Operation::match ? 1 : -4;
  return sum;
}

/// Checks the alignment of a record, column by column, against read and contig.
void check_record(const Alignment& alignment, std::span<const Code> read, std::span<const Code> contig,
                  const Hit& hit) {
  std::vector<Code> forward(read.begin(), read.end());
  if (hit.strand == Strand::reverse) genocl::dna::reverse_complement(read, forward);
  std::size_t i = 0, j = alignment.position;
  unsigned errors = 0;
  REQUIRE(!alignment.runs.empty());
  for (std::size_t r = 0; r < alignment.runs.size(); ++r) {
    const auto& [operation, length] = alignment.runs[r];
    const bool outer = r == 0 || r + 1 == alignment.runs.size();
    if (operation == Operation::clip) {
      CHECK(outer);
      i += length;
      continue;
    }
    if (outer) CHECK(operation != Operation::insertion);
    errors += operation == Operation::match ? 0 : length;
    for (std::uint32_t k = 0; k < length; ++k) {
      if (operation != Operation::insertion) REQUIRE(j < contig.size());
      if (operation != Operation::deletion) REQUIRE(i < forward.size());
      if (operation == Operation::match) CHECK(matches(forward[i], contig[j]));
      if (operation == Operation::mismatch) CHECK_FALSE(matches(forward[i], contig[j]));
      i += operation != Operation::deletion ? 1 : 0;
      j += operation != Operation::insertion ? 1 : 0;
    }
  }
  CHECK(i == forward.size());
  CHECK(j == alignment.position + alignment.length);
  CHECK(errors == alignment.errors);
}

}  // namespace

TEST_CASE("adapters are cut off where the rest of a read agrees with them") {
  const std::string adapter = "AGATCGGAAGAGC";
  CHECK(kept("CCCCCCCCCC", {}) == 10);
  CHECK(kept("CCCCCCCCCC", {adapter}) == 10);
  CHECK(kept("CCCCCCCCCCAGATCGGAAGAGCTTTTTT", {adapter}) == 10);
  CHECK(kept("CCCCCCCCCCAGATCGG", {adapter}) == 10);
  CHECK(kept("CCCCCCCCCCAGA", {adapter}) == 10);
  CHECK(kept("CCCCCCCCCCAG", {adapter}) == 12);
  CHECK(kept("CCCCCCCCCCAG", {adapter}, 2) == 10);
  CHECK(kept("CCCCCCCCCCAGATCGTAAGAGC", {adapter}) == 10);  // one of 13
  CHECK(kept("CCCCCCCCCCAGATCGTAAGTGC", {adapter}) == 23);  // two of 13
  CHECK(kept("CCCCCCCCCCAGATCGT", {adapter}) == 17);        // one of 7
  CHECK(kept("CCCCCCCCCCAGATNGGAAGAGC", {adapter}) == 10);  // an N of the read agrees with nothing
  CHECK(kept("CCCCCCCCCCAGATNNGAAGAGC", {adapter}) == 23);
  CHECK(kept("CCCCCCCCCCAGATTTTAAGAGC", {"agatnnnaagagc"}) == 10);  // that of an adapter with all
  CHECK(kept("AGATCGGAAGAGC", {adapter}) == 0);
  CHECK(kept("CCAGATCGGAAGAGCCTGTCTCTTATA", {"CTGTCTCTTATA", adapter}) == 2);
  CHECK(kept("", {adapter}) == 0);
  CHECK_THROWS_AS(Trimmer({.adapters = {""}}), genocl::InputError);
  CHECK_THROWS_AS(Trimmer({.adapters = {"AC"}}), genocl::InputError);
  CHECK_THROWS_AS(Trimmer({.adapters = {"ACGU"}}), genocl::InputError);
  CHECK_THROWS_AS(Trimmer({.adapters = {"ACGT"}, .adapter_overlap = 0}), genocl::InputError);
}

TEST_CASE("ends of low quality are cut off where the sum of the missing quality is largest") {
  CHECK(kept_by_quality({30, 30, 30, 2, 2}, 0) == 5);
  CHECK(kept_by_quality({30, 30, 30, 2, 2}, 20) == 3);
  CHECK(kept_by_quality({30, 2, 2, 21, 2, 2}, 20) == 1);  // one good letter among bad ones
  CHECK(kept_by_quality({2, 2, 2, 60, 2}, 20) == 4);      // the sum is negative there
  CHECK(kept_by_quality({2, 2, 2}, 20) == 0);
  CHECK(kept_by_quality({2, 2, 30}, 20) == 3);
  CHECK(kept_by_quality({30, 19}, 20) == 1);
  CHECK(kept_by_quality({30, 20}, 20) == 2);
}

TEST_CASE("marose: a read without a hit is mapped by its largest part that has one") {
  for (const Model model : {Model::levenshtein, Model::hamming}) {
    Random random(model == Model::hamming ? 21 : 20);
    const SequenceSet text = hard_reference(random, 1500);
    const SequenceSet whole = reads_from(random, text, 40, 70, 4, model == Model::levenshtein);
    SequenceSet reads;
    for (std::size_t i = 0; i < whole.size(); ++i) reads.append(whole.name(i), junk_at_ends(random, whole[i]));
    reads.append("short", codes("ACGTACGTAC"));
    reads.append("none", codes(""));
    const Index index = Index::build(test_device(), text);
    const ErrorBound errors{.count = 0, .share = 0.05};
    const Hits hits = Mapper(test_device(), index,
                             {.errors = errors, .model = model, .report = Report::all(), .clip = {.ends = true}})
                          .map(reads);
    unsigned in_part = 0;
    for (std::size_t i = 0; i < reads.size(); ++i) {
      CAPTURE(i);
      const ReadSummary& summary = hits.reads[i];
      CHECK(summary.kept == ReadPart{0, static_cast<std::uint16_t>(reads.length(i))});
      if (reads.length(i) < 20) {
        CHECK(summary.too_short);
        continue;
      }
      const Expected expected = map_by_parts(text, reads[i], errors, model);
      CHECK(summary.mapped == expected.mapped);
      CHECK(to_text(hits.of(i)) == to_text(expected.hits));
      CHECK(summary.bound == errors.at(summary.mapped.length));
      in_part += summary.mapped != summary.kept;
    }
    CHECK(in_part > 5);
  }
}

TEST_CASE("marose: reads are mapped without their adapters") {
  Random random(22);
  const SequenceSet text = hard_reference(random, 1500);
  const SequenceSet genomic = reads_from(random, text, 30, 60, 1, true);
  const std::vector<Code> adapter = codes(illumina_adapter);
  SequenceSet reads, cut;
  const ClipOptions clip{.adapters = {illumina_adapter}};
  const Trimmer trimmer(clip);
  for (std::size_t i = 0; i < genomic.size(); ++i) {
    std::vector<Code> read(genomic[i].begin(), genomic[i].begin() + 20 + static_cast<std::ptrdiff_t>(i));
    read.insert(read.end(), adapter.begin(), adapter.end());
    reads.append(genomic.name(i), read);
    cut.append(genomic.name(i), trimmer.kept(read, {}).of(read));
  }
  const Index index = Index::build(test_device(), text);
  const MapOptions options{.errors = {.count = 0, .share = 0.05}, .report = Report::all()};
  MapOptions clipping = options;
  clipping.clip = clip;
  const Hits expected = Mapper(test_device(), index, options).map(cut);
  const Hits hits = Mapper(test_device(), index, clipping).map(reads);
  std::size_t with_hits = 0;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    CHECK(to_text(hits.of(i)) == to_text(expected.of(i)));
    CHECK(hits.reads[i].kept.length == cut.length(i));
    CHECK(hits.reads[i].mapped == hits.reads[i].kept);
    with_hits += !hits.of(i).empty();
  }
  CHECK(with_hits > 3);
  SequenceSet long_read;
  long_read.append("long", std::vector<Code>(70'000, 0));
  CHECK_THROWS_AS(Mapper(test_device(), index, clipping).map(long_read), genocl::InputError);
}

TEST_CASE("marose: alignments of records agree with the sequences, and begin and end with no insertion") {
  Random random(23);
  const SequenceSet text = hard_reference(random, 1500);
  const SequenceSet whole = reads_from(random, text, 60, 60, 6, true);
  SequenceSet reads;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::vector<Code> read(whole[i].begin(), whole[i].end());
    if (i % 4 == 0) read.front() = static_cast<Code>((read.front() + 1) % 4);
    if (i % 4 == 2) read.back() = static_cast<Code>((read.back() + 1) % 4);
    reads.append(whole.name(i), i % 2 != 0 ? junk_at_ends(random, read) : read);
  }
  const Index index = Index::build(test_device(), text);
  Aligner aligner(index);
  unsigned ends = 0, clipped = 0;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const Expected expected = map_by_parts(text, reads[i], {.count = 6, .share = 0}, Model::levenshtein);
    const ReadPart all{0, static_cast<std::uint16_t>(reads.length(i))};
    for (const Hit& hit : expected.hits) {
      const std::vector<Alignment::Run> plain = align(index, expected.mapped.of(reads[i]), hit).runs;
      ends += plain.front().operation == Operation::insertion || plain.back().operation == Operation::insertion;
      const Alignment as_it_is = aligner.align_record(reads[i], hit, expected.mapped);
      check_record(as_it_is, reads[i], text[hit.reference], hit);
      CHECK(as_it_is.errors <= hit.errors);
      const Alignment settled = aligner.align_record(reads[i], hit, expected.mapped, all);
      check_record(settled, reads[i], text[hit.reference], hit);
      clipped += settled.runs.front().operation == Operation::clip || settled.runs.back().operation == Operation::clip;
      std::string tag;
      aligner.append_mismatch_tag(tag);
      std::vector<Code> there(settled.length);
      const auto from = text[hit.reference].begin() + static_cast<std::ptrdiff_t>(settled.position);
      std::copy_n(from, there.size(), there.begin());  // ambiguity codes as the reference has them
      std::string expected_tag;
      append_mismatch_tag(settled, there, expected_tag);
      CHECK(tag == expected_tag);
    }
  }
  CHECK(ends > 0);
  CHECK(clipped > 0);
  CHECK_THROWS_AS(aligner.align_record(reads[0], Hit{}, {50, 60}), genocl::InputError);
}

TEST_CASE("ends settle where the score is highest") {
  Random random(24);
  for (unsigned round = 0; round < 2000; ++round) {
    CAPTURE(round);
    const std::size_t size = 10 + below(random, 40);
    std::vector<Code> read = random_bases(random, size), text = random_bases(random, below(random, 10));
    const std::size_t place = text.size();
    text.insert(text.end(), read.begin(), read.end());
    const std::vector<Code> more = random_bases(random, below(random, 10));
    text.insert(text.end(), more.begin(), more.end());
    edit(random, read, below(random, 8), false);
    const auto bounds_begin = static_cast<std::uint16_t>(below(random, 4));
    const ReadPart bounds{bounds_begin, static_cast<std::uint16_t>(size - bounds_begin - below(random, 4))};
    const auto first = static_cast<std::uint16_t>(bounds.first + below(random, 3));
    const auto last = static_cast<std::uint16_t>(bounds.end() - below(random, 3));
    Columns columns{.operations = {}, .read = {first, last}, .text = {place + first, place + last}};
    const auto column = [&](std::size_t i) {
      return matches(read[i], text[place + i]) ? Operation::match : Operation::mismatch;
    };
    for (std::size_t i = first; i < last; ++i) columns.operations.push_back(column(i));
    extend_and_clip(read, text, bounds, columns);

    // Without gaps all letters within the bounds can be aligned: the extension takes the best prefix at either end,
    // then the best piece is the best of all pieces within the bounds that meet the alignment.
    std::vector<Operation> all;
    for (std::size_t i = bounds.first; i < bounds.end(); ++i) all.push_back(column(i));
    long best = -1000;
    for (std::size_t from = 0; from < last - std::size_t{bounds.first}; ++from)
      for (std::size_t to = std::max<std::size_t>(from, first - std::size_t{bounds.first}) + 1; to <= all.size(); ++to)
        best = std::max(best, score(all, from, to, true, true));
    const std::size_t from = columns.read.begin - bounds.first, to = columns.read.end - bounds.first;
    CHECK(columns.operations == std::vector<Operation>(all.begin() + static_cast<std::ptrdiff_t>(from),
                                                       all.begin() + static_cast<std::ptrdiff_t>(to)));
    CHECK(columns.text.begin == place + columns.read.begin);
    CHECK(columns.text.end == place + columns.read.end);
    CHECK(score(all, from, to, true, true) == best);
  }
}

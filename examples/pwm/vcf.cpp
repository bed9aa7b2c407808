#include "pwm/vcf.hpp"

#include <algorithm>
#include <array>

#include "common/numbers.hpp"
#include "genocl/error.hpp"
#include "genocl/io/text_file.hpp"

namespace program {
namespace {

using genocl::InputError;

/// Bases of a code, as bits.
unsigned bases_of(genocl::Code code) { return genocl::dna::bases_table[code]; }

bool is_sequence(std::string_view allele) {
  return !allele.empty() &&
         std::ranges::all_of(allele, [](char c) { return genocl::dna::encode(c) != genocl::invalid_code; });
}

/// '*', '<DEL>', 'G]17:198982]', '.A'.
bool is_symbolic(std::string_view allele) {
  return allele == "*" || allele.starts_with('<') || allele.find_first_of("[]") != std::string_view::npos ||
         allele.starts_with('.') || allele.ends_with('.');
}

}  // namespace

Variants::Variants(const std::string& path, bool strict)
    : path_(path == "-" ? "standard input" : path), repairs_(strict) {
  bool header = false;
  genocl::io::for_each_line(path, [&](std::string_view line, std::uint64_t number) {
    if (number == 1) {
      if (line.starts_with("BCF")) throw InputError(path_, {}, "BCF", "VCF, as bcftools view writes it");
      if (!line.starts_with("##fileformat=VCF"))
        throw InputError(path_, "1", genocl::in_quotes(line.substr(0, 40)), "\"##fileformat=VCF...\"");
    }
    header = header || line.starts_with("#CHROM");
    if (line.empty() || line.starts_with('#')) return;
    if (!header) throw InputError(path_, std::to_string(number), "a record before the line #CHROM");
    add_line(line, number);
  });
  if (records_ == 0) throw InputError(path_, {}, "no record in it", "variants");
}

void Variants::add_line(std::string_view line, std::uint64_t number) {
  const auto fail = [&](const std::string& wrong, const std::string& expected) {
    throw InputError(path_, std::to_string(number), wrong, expected);
  };
  std::array<std::string_view, 5> fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos && i + 1 < fields.size())
      fail("a line of " + std::to_string(i + 1) + " fields", "CHROM POS ID REF ALT ...");
    fields[i] = line.substr(0, tab);
    line.remove_prefix(std::min(line.size(), tab == std::string_view::npos ? line.size() : tab + 1));
  }
  const auto& [name, place, id, ref, alts] = fields;
  const auto position = number_of<std::uint64_t>(place);
  if (!position) fail(genocl::in_quotes(place) + " for POS", "a position, from 1");
  ++records_;
  // POS 0 is a telomere, which no sequence contains.
  if (*position == 0) {
    ++symbolic_;
    return;
  }
  if (!is_sequence(ref)) fail(genocl::in_quotes(ref) + " for REF", "nucleotide codes");
  Sequence& sequence = sequences_.try_emplace(std::string(name)).first->second;
  for (std::size_t begin = 0; begin <= alts.size();) {
    const std::size_t end = std::min(alts.find(',', begin), alts.size());
    const std::string_view alt = alts.substr(begin, end - begin);
    begin = end + 1;
    if (alt == ".") continue;
    if (is_symbolic(alt)) {
      ++symbolic_;
      continue;
    }
    if (!is_sequence(alt)) fail(genocl::in_quotes(alt) + " for ALT", "nucleotide codes");
    sequence.alleles.push_back({.line = number,
                                .begin = *position - 1,
                                .at = sequence.text.size(),
                                .id = static_cast<std::uint32_t>(id.size()),
                                .ref = static_cast<std::uint32_t>(ref.size()),
                                .alt = static_cast<std::uint32_t>(alt.size())});
    sequence.text.append(id).append(ref).append(alt);
    ++alleles_;
  }
}

std::vector<Variant> Variants::of(std::string_view name, std::span<const genocl::Code> letters) {
  std::vector<Variant> variants;
  const auto found = sequences_.find(name);
  // As in an index of samtools faidx, the first sequence of a name counts.
  if (found == sequences_.end() || found->second.found) return variants;
  Sequence& sequence = found->second;
  sequence.found = true;
  ++used_;
  const std::string_view text = sequence.text;
  variants.reserve(sequence.alleles.size());
  for (const Allele& allele : sequence.alleles) {
    const Variant variant{.line = allele.line,
                          .begin = allele.begin,
                          .id = text.substr(allele.at, allele.id),
                          .ref = text.substr(allele.at + allele.id, allele.ref),
                          .alt = text.substr(allele.at + allele.id + allele.ref, allele.alt)};
    const auto place = [&](std::uint64_t offset) {
      return std::string(name) + ":" + std::to_string(variant.begin + offset + 1);
    };
    if (variant.begin > letters.size() || letters.size() - variant.begin < variant.ref.size())
      throw InputError(
          path_, std::to_string(variant.line), "REF at " + place(0) + " is beyond the end",
          "the sequence of " + std::to_string(letters.size()) + " letters that the variants were called on");
    for (std::size_t i = 0; i < variant.ref.size(); ++i) {
      const genocl::Code letter = letters[variant.begin + i];
      if ((bases_of(genocl::dna::encode(variant.ref[i])) & bases_of(letter)) != 0) continue;
      throw InputError(path_, std::to_string(variant.line),
                       "REF has " + std::string(1, variant.ref[i]) + " at " + place(i),
                       std::string(1, genocl::dna::decode(letter)) + ", as the sequence has");
    }
    variants.push_back(variant);
  }
  return variants;
}

void Variants::finish() {
  const std::string kind = "records of sequences that the text does not have were left out:";
  for (const auto& [name, sequence] : sequences_) {
    if (sequence.found || sequence.alleles.empty()) continue;
    if (used_ == 0)
      throw InputError(path_, std::to_string(sequence.alleles.front().line),
                       "a variant of " + genocl::shown(name) + ", and none of a sequence of the text",
                       "names of sequences of the text");
    for (const Allele& allele : sequence.alleles)
      repairs_.add(kind,
                   InputError(path_, std::to_string(allele.line),
                              "a variant of " + genocl::shown(name) + ", which the text does not have, is left out"));
  }
  repairs_.finish(path_, records_);
}

}  // namespace program

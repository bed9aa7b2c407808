#include "genocl/sequence/genetic_code.hpp"

#include <algorithm>

#include "genocl/error.hpp"

namespace genocl {
namespace {

/// Amino acids in the order of NCBI: each base of a codon is T, C, A or G, and the third one varies fastest.
struct CodeEntry {
  int id;
  const char* name;
  const char* amino_acids;
};

constexpr CodeEntry entries[] = {
    {1, "Standard", "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"},
    {2, "Vertebrate Mitochondrial", "FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIMMTTTTNNKKSS**VVVVAAAADDEEGGGG"},
    {3, "Yeast Mitochondrial", "FFLLSSSSYY**CCWWTTTTPPPPHHQQRRRRIIMMTTTTNNKKSSRRVVVVAAAADDEEGGGG"},
    {4, "Mold Mitochondrial; Protozoan Mitochondrial; Coelenterate Mitochondrial; Mycoplasma; Spiroplasma",
     "FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"},
    {5, "Invertebrate Mitochondrial", "FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIMMTTTTNNKKSSSSVVVVAAAADDEEGGGG"},
    {6, "Ciliate Nuclear; Dasycladacean Nuclear; Hexamita Nuclear",
     "FFLLSSSSYYQQCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"},
    {9, "Echinoderm Mitochondrial; Flatworm Mitochondrial",
     "FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIIMTTTTNNNKSSSSVVVVAAAADDEEGGGG"},
    {10, "Euplotid Nuclear", "FFLLSSSSYY**CCCWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"},
    {11, "Bacterial, Archaeal and Plant Plastid", "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"},
    {12, "Alternative Yeast Nuclear", "FFLLSSSSYY**CC*WLLLSPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"},
    {13, "Ascidian Mitochondrial", "FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIMMTTTTNNKKSSGGVVVVAAAADDEEGGGG"},
    {14, "Alternative Flatworm Mitochondrial", "FFLLSSSSYYY*CCWWLLLLPPPPHHQQRRRRIIIMTTTTNNNKSSSSVVVVAAAADDEEGGGG"},
    {15, "Blepharisma Macronuclear", "FFLLSSSSYY*QCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"},
    {16, "Chlorophycean Mitochondrial", "FFLLSSSSYY*LCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"},
    {21, "Trematode Mitochondrial", "FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIMMTTTTNNNKSSSSVVVVAAAADDEEGGGG"},
    {22, "Scenedesmus obliquus Mitochondrial", "FFLLSS*SYY*LCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"},
    {23, "Thraustochytrium Mitochondrial", "FF*LSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"},
    {24, "Pterobranchia Mitochondrial", "FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSSKVVVVAAAADDEEGGGG"},
    {25, "Candidate Division SR1 and Gracilibacteria",
     "FFLLSSSSYY**CCGWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"},
    {26, "Pachysolen tannophilus Nuclear", "FFLLSSSSYY**CC*WLLLAPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"},
    {27, "Karyorelict Nuclear", "FFLLSSSSYYQQCCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"},
    {28, "Condylostoma Nuclear", "FFLLSSSSYYQQCCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"},
    {29, "Mesodinium Nuclear", "FFLLSSSSYYYYCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"},
    {30, "Peritrich Nuclear", "FFLLSSSSYYEECC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"},
    {31, "Blastocrithidia Nuclear", "FFLLSSSSYYEECCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"},
    {32, "Balanophoraceae Plastid", "FFLLSSSSYY*WCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"},
    {33, "Cephalodiscidae Mitochondrial", "FFLLSSSSYYY*CCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSSKVVVVAAAADDEEGGGG"},
};

const CodeEntry* entry_of(int id) {
  const auto* const found = std::ranges::find(entries, id, &CodeEntry::id);
  return found == std::end(entries) ? nullptr : found;
}

/// Returns the common amino acid of all codons that three sets of bases contain; X if they differ.
Code common_amino_acid(const std::array<Code, 64>& of_bases, std::array<std::uint8_t, 3> sets) {
  Code common = invalid_code;
  const auto has = [](std::uint8_t set, unsigned base) { return (set >> base & 1) != 0; };
  for (unsigned codon = 0; codon < 64; ++codon) {
    if (!has(sets[0], codon >> 4) || !has(sets[1], codon >> 2 & 3) || !has(sets[2], codon & 3)) continue;
    if (common != invalid_code && common != of_bases[codon]) return protein::unknown;
    common = of_bases[codon];
  }
  return common;
}

void check_frame(Frame frame) {
  if (frame == 0 || frame < -3 || frame > 3)
    throw InputError("a reading frame of " + std::to_string(frame) + "; expected 1 to 3 or -1 to -3");
}

}  // namespace

GeneticCode::GeneticCode(int id) : id_(id) {
  const CodeEntry* const entry = entry_of(id);
  if (entry == nullptr) {
    std::string known;
    for (const int one : ids()) known.append(known.empty() ? "" : ", ").append(std::to_string(one));
    throw InputError("genetic code", {}, std::to_string(id), known);
  }
  constexpr std::string_view order = "TCAG";
  std::array<Code, 64> of_bases{};
  for (unsigned codon = 0; codon < 64; ++codon) {
    const auto base = [&](unsigned shift) { return unsigned{dna::encode(order[codon >> shift & 3])}; };
    of_bases[base(4) << 4 | base(2) << 2 | base(0)] = protein::encode(entry->amino_acids[codon]);
  }
  table_.fill(protein::unknown);
  constexpr auto size = static_cast<unsigned>(dna::letters.size());
  for (unsigned a = 0; a < size; ++a)
    for (unsigned b = 0; b < size; ++b)
      for (unsigned c = 0; c < size; ++c)
        table_[a << 8 | b << 4 | c] =
            common_amino_acid(of_bases, {dna::bases_table[a], dna::bases_table[b], dna::bases_table[c]});
}

std::string_view GeneticCode::name() const noexcept { return entry_of(id_)->name; }

std::vector<int> GeneticCode::ids() {
  std::vector<int> all;
  for (const CodeEntry& entry : entries) all.push_back(entry.id);
  return all;
}

std::span<const Frame> frames_of(Strands strands) noexcept {
  static constexpr Frame all[] = {1, 2, 3, -1, -2, -3};
  const std::span<const Frame> both(all);
  if (strands == Strands::both) return both;
  return strands == Strands::forward ? both.first(3) : both.last(3);
}

Interval nucleotides_of(Frame frame, std::uint64_t begin, std::uint64_t end, std::uint64_t letters) noexcept {
  const auto skipped = static_cast<std::uint64_t>((frame < 0 ? -frame : frame) - 1);
  if (frame > 0) return {skipped + 3 * begin, skipped + 3 * end};
  return {letters - skipped - 3 * end, letters - skipped - 3 * begin};
}

void translate(std::span<const Code> dna, Frame frame, const GeneticCode& code, std::uint64_t begin,
               std::span<Code> protein) {
  check_frame(frame);
  const std::uint64_t length = translated_length(dna.size(), frame);
  if (begin > length || protein.size() > length - begin)
    throw InputError("translate: amino acids up to " + std::to_string(begin + protein.size()) + " of a frame of " +
                     std::to_string(length));
  // The range of no letters may begin before the sequence.
  if (protein.empty()) return;
  const Interval range = nucleotides_of(frame, begin, begin + protein.size(), dna.size());
  if (frame > 0) {
    const Code* at = dna.data() + range.begin;
    for (Code& one : protein) {
      one = code(at[0], at[1], at[2]);
      at += 3;
    }
    return;
  }
  const Code* at = dna.data() + range.end;
  for (Code& one : protein) {
    at -= 3;
    one = code(dna::complement(at[2]), dna::complement(at[1]), dna::complement(at[0]));
  }
}

std::vector<Code> translate(std::span<const Code> dna, Frame frame, const GeneticCode& code) {
  check_frame(frame);
  std::vector<Code> protein(static_cast<std::size_t>(translated_length(dna.size(), frame)));
  translate(dna, frame, code, 0, protein);
  return protein;
}

}  // namespace genocl

// Draws a reference, a diploid genome that differs from it by known variants, and read pairs of that genome.
//   simulate_variants SEED PAIRS FOLDER
// Writes ref.fa, truth.vcf, reads_1.fq and reads_2.fq to FOLDER. judge_places.cpp and judge_calls.cpp compare
// alignments and called variants with the truth, which the name of each read has:
//   number:kind:MATE:MATE, with kind n (normal), a (adapter read-through), c (chimera of two loci) or f (foreign)
//   MATE = contig,start,end,strand,gap,junction   or `.` for foreign reads
// start, end: reference positions of the read's ends, from 0, with clipped ends extended. gap: length of the insertion
// (+) or deletion (-) in the read, 0 without one, `*` for several. junction: first and last position in the read where
// the parts of a chimera may meet, as FIRST-LAST; `.` without one.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "drawn_genome.hpp"

namespace {

constexpr int read_bases = 150;
constexpr double mean_template = 400, template_deviation = 60;
constexpr double foreign_rate = 0.02, adapter_rate = 0.02, chimera_rate = 0.02;
const std::string adapters[2] = {"AGATCGGAAGAGCACACGTCTGAACTCCAGTCACATCACGATCTCGTATGCCGTCTTCTGCTTG",
                                 "AGATCGGAAGAGCGTCGTGTAGGGAAAGAGTGTAGATCTCGGTGGTCGCCGTATCATT"};

// --- Haplotypes and fragments ---

struct Origin {
  int contig = -1;  // -1: foreign
  int position = 0;
  bool inserted = false;  // the position is that of the base before the insertion
  bool turned = false;    // the fragment has the base of the other strand
};

// A stretch of DNA with the origin of each base.
struct Sequence {
  std::string bases;
  std::vector<Origin> origins;
  void add(char base, Origin origin) {
    bases += base;
    origins.push_back(origin);
  }
  void turn() {
    bases = reverse_complement(bases);
    std::reverse(origins.begin(), origins.end());
    for (Origin& origin : origins) origin.turned = !origin.turned;
  }
};

std::vector<Sequence> make_haplotype(const std::vector<Contig>& reference, const std::vector<Variant>& variants,
                                     int haplotype) {
  std::vector<Sequence> contigs(reference.size());
  std::size_t next = 0;
  for (std::size_t contig = 0; contig < reference.size(); ++contig) {
    const std::string& bases = reference[contig].bases;
    const int number = static_cast<int>(contig);
    int position = 0;
    const auto copy_up_to = [&](int end) {
      for (; position < end; ++position)
        contigs[contig].add(bases[static_cast<std::size_t>(position)], {number, position});
    };
    for (; next < variants.size() && variants[next].contig == contig; ++next) {
      const Variant& variant = variants[next];
      if ((variant.haplotypes >> haplotype & 1) == 0) continue;
      copy_up_to(variant.position);
      for (std::size_t i = 0; i < variant.after.size(); ++i)
        contigs[contig].add(variant.after[i], {number, position, i > 0});
      position += static_cast<int>(variant.before.size());
    }
    copy_up_to(static_cast<int>(bases.size()));
  }
  return contigs;
}

struct Fragment {
  char kind = 'n';
  Sequence sequence;
  // Of a chimera: the position where its parts meet, and the first and last position that its bases allow.
  int junction = 0, junction_first = 0, junction_last = 0;

  void turn() {
    sequence.turn();
    const int length = static_cast<int>(sequence.bases.size());
    const int first = junction_first;
    junction_first = length - junction_last;
    junction_last = length - first;
    junction = length - junction;
  }
};

class FragmentDrawer {
 public:
  FragmentDrawer(std::vector<std::vector<Sequence>> haplotypes, std::string foreign, Random& random)
      : haplotypes_(std::move(haplotypes)), foreign_(std::move(foreign)), random_(random) {}

  Fragment draw() {
    const double drawn = random_.unit();
    const int length =
        std::max(read_bases, static_cast<int>(std::lround(mean_template + template_deviation * random_.normal())));
    Fragment fragment;
    if (drawn < foreign_rate) {
      fragment.kind = 'f';
      const int at = random_.below(foreign_.size() - static_cast<std::size_t>(length));
      for (int i = 0; i < length; ++i) fragment.sequence.add(foreign_[static_cast<std::size_t>(at + i)], {});
    } else if (drawn < foreign_rate + adapter_rate) {
      fragment.kind = 'a';
      fragment.sequence = piece(random_.between(50, read_bases - 1));
    } else if (drawn < foreign_rate + adapter_rate + chimera_rate) {
      fragment = chimera(length);
    } else {
      fragment.sequence = piece(length);
    }
    if (random_.chance(0.5)) fragment.turn();
    return fragment;
  }

 private:
  Sequence piece(int length) {
    const std::vector<Sequence>& contigs = haplotypes_[static_cast<std::size_t>(random_.below(2))];
    const Sequence& contig = contigs[random_.chance(0.7) ? 0 : 1];
    const int at = random_.below(contig.bases.size() - static_cast<std::size_t>(length));
    Sequence result;
    result.bases = contig.bases.substr(static_cast<std::size_t>(at), static_cast<std::size_t>(length));
    result.origins.assign(contig.origins.begin() + at, contig.origins.begin() + at + length);
    return result;
  }

  // The beginning of one piece and the end of another. The junction is ambiguous where both pieces have the same bases.
  Fragment chimera(int length) {
    Fragment fragment;
    fragment.kind = 'c';
    fragment.sequence = piece(length);
    Sequence other = piece(length);
    if (random_.chance(0.5)) other.turn();
    const std::string before = fragment.sequence.bases;
    const int junction = random_.between(1, length - 1);
    fragment.junction = fragment.junction_first = fragment.junction_last = junction;
    const auto agree = [&](int at) {
      return before[static_cast<std::size_t>(at)] == other.bases[static_cast<std::size_t>(at)];
    };
    while (fragment.junction_first > 0 && agree(fragment.junction_first - 1)) --fragment.junction_first;
    while (fragment.junction_last < length && agree(fragment.junction_last)) ++fragment.junction_last;
    for (auto i = static_cast<std::size_t>(junction); i < other.bases.size(); ++i) {
      fragment.sequence.bases[i] = other.bases[i];
      fragment.sequence.origins[i] = other.origins[i];
    }
    return fragment;
  }

  std::vector<std::vector<Sequence>> haplotypes_;
  std::string foreign_;
  Random& random_;
};

// --- Reads ---

struct Read {
  std::string bases;
  std::string qualities;
  std::string truth;  // MATE of the name
};

// The gap field of a name, for the bases from `first` to `last`.
std::string describe_gap(const std::vector<Origin>& origins, std::size_t first, std::size_t last) {
  int gaps = 0, length = 0;
  for (std::size_t i = first + 1; i <= last; ++i) {
    if (origins[i].inserted) {
      if (!origins[i - 1].inserted) ++gaps, length = 0;
      ++length;
    } else if (!origins[i - 1].inserted && origins[i].position != origins[i - 1].position + 1) {
      ++gaps;
      length = origins[i - 1].position + 1 - origins[i].position;
    }
  }
  if (gaps > 1) return "*";
  return (length > 0 ? "+" : "") + std::to_string(length);
}

// The fields of a name before the junction, for the bases [begin, end) of a read. They come from one locus.
std::string describe_place(const std::vector<Contig>& reference, const std::vector<Origin>& origins, int begin,
                           int end) {
  std::vector<Origin> part(origins.begin() + begin, origins.begin() + end);
  const bool turned = part[0].turned;
  int before = begin, behind = read_bases - end;
  if (turned) {
    std::reverse(part.begin(), part.end());
    std::swap(before, behind);
  }
  const auto is_own = [](const Origin& origin) { return !origin.inserted; };
  const auto first = std::find_if(part.begin(), part.end(), is_own);
  const std::string contig = reference[static_cast<std::size_t>(part[0].contig)].name;
  const std::string strand = turned ? "-" : "+";
  if (first == part.end()) {  // within an insertion
    const int at = part[0].position;
    return contig + "," + std::to_string(at - before) + "," + std::to_string(at + behind) + "," + strand + ",*";
  }
  const auto last = std::find_if(part.rbegin(), part.rend(), is_own);
  const auto lead = static_cast<int>(first - part.begin());
  const auto trail = static_cast<int>(last - part.rbegin());
  const std::string gap =
      describe_gap(part, static_cast<std::size_t>(lead), part.size() - 1 - static_cast<std::size_t>(trail));
  return contig + "," + std::to_string(first->position - lead - before) + "," +
         std::to_string(last->position + 1 + trail + behind) + "," + strand + "," + (lead > 0 || trail > 0 ? "*" : gap);
}

// Qualities fall along the read. Errors have the probabilities that the qualities state.
void sequence_with_errors(Read& read, Random& random) {
  const double offset = 2 * random.normal();
  for (int i = 0; i < read_bases; ++i) {
    const double mean = 33 - 9.0 * i / read_bases + offset;
    const int quality = std::clamp(static_cast<int>(std::lround(mean + 3 * random.normal())), 2, 41);
    read.qualities += static_cast<char>(33 + quality);
    char& base = read.bases[static_cast<std::size_t>(i)];
    if (random.chance(std::pow(10, -quality / 10.0))) base = random.other_base(base);
  }
}

// A read from the beginning of the fragment. The adapter follows a fragment shorter than the read.
Read make_read(const std::vector<Contig>& reference, const Fragment& fragment, const std::string& adapter,
               Random& random) {
  const Sequence& sequence = fragment.sequence;
  const int own = std::min(read_bases, static_cast<int>(sequence.bases.size()));
  Read read;
  read.bases = sequence.bases.substr(0, static_cast<std::size_t>(own)) + adapter;
  read.bases.resize(read_bases, 'A');
  sequence_with_errors(read, random);
  if (fragment.kind == 'f') {
    read.truth = ".";
    return read;
  }
  const bool has_junction = fragment.kind == 'c' && fragment.junction_last > 0 && fragment.junction_first < own;
  // The place of a chimeric read is that of its longer part.
  const bool is_cut = has_junction && fragment.junction > 0 && fragment.junction < own;
  const int cut = is_cut ? fragment.junction : own;
  const bool take_first = 2 * cut >= own;
  read.truth = describe_place(reference, sequence.origins, take_first ? 0 : cut, take_first ? cut : own);
  read.truth += has_junction
                    ? "," + std::to_string(fragment.junction_first) + "-" + std::to_string(fragment.junction_last)
                    : ",.";
  return read;
}

// --- Files ---

class OutputFile {
 public:
  explicit OutputFile(const std::string& path) : stream_(path) {
    if (!stream_) throw std::runtime_error(path + ": cannot be written");
  }
  template <class T>
  OutputFile& operator<<(const T& value) {
    stream_ << value;
    return *this;
  }

 private:
  std::ofstream stream_;
};

void write_reference(const std::string& path, const std::vector<Contig>& reference) {
  OutputFile file(path);
  for (const Contig& contig : reference) {
    file << ">" << contig.name << "\n";
    for (std::size_t at = 0; at < contig.bases.size(); at += 80) file << contig.bases.substr(at, 80) << "\n";
  }
}

void write_variants(const std::string& path, const std::vector<Contig>& reference,
                    const std::vector<Variant>& variants) {
  OutputFile file(path);
  file << "##fileformat=VCFv4.2\n";
  for (const Contig& contig : reference)
    file << "##contig=<ID=" << contig.name << ",length=" << contig.bases.size() << ">\n";
  file << "##INFO=<ID=KIND,Number=1,Type=String,Description=\"Kind of the variant\">\n"
       << "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"Genotype\">\n"
       << "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ttruth\n";
  for (const Variant& variant : variants)
    file << reference[variant.contig].name << "\t" << variant.position + 1 << "\t.\t" << variant.before << "\t"
         << variant.after << "\t100\tPASS\tKIND=" << variant.kind << "\tGT\t" << (variant.haplotypes & 1) << "|"
         << (variant.haplotypes >> 1) << "\n";
}

void write_pairs(const std::string& folder, const std::vector<Contig>& reference, FragmentDrawer& fragments, int pairs,
                 Random& random) {
  OutputFile files[2] = {OutputFile(folder + "/reads_1.fq"), OutputFile(folder + "/reads_2.fq")};
  for (int i = 0; i < pairs; ++i) {
    Fragment fragment = fragments.draw();
    Read reads[2];
    reads[0] = make_read(reference, fragment, adapters[0], random);
    fragment.turn();
    reads[1] = make_read(reference, fragment, adapters[1], random);
    const std::string name = std::to_string(i) + ":" + fragment.kind + ":" + reads[0].truth + ":" + reads[1].truth;
    for (int mate = 0; mate < 2; ++mate)
      files[mate] << "@" << name << "\n" << reads[mate].bases << "\n+\n" << reads[mate].qualities << "\n";
  }
}

}  // namespace

int main(int count, char** values) {
  if (count != 4) {
    std::fprintf(stderr, "Usage: simulate_variants SEED PAIRS FOLDER\n");
    return 1;
  }
  try {
    Random random(std::strtoull(values[1], nullptr, 10));
    const std::string folder = values[3];
    const std::vector<Contig> reference = draw_reference(random);
    const std::vector<Variant> variants = VariantDrawer(reference, random).draw();
    FragmentDrawer fragments({make_haplotype(reference, variants, 0), make_haplotype(reference, variants, 1)},
                             draw_foreign(reference, random), random);
    write_reference(folder + "/ref.fa", reference);
    write_variants(folder + "/truth.vcf", reference, variants);
    write_pairs(folder, reference, fragments, std::atoi(values[2]), random);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "simulate_variants: error: %s\n", error.what());
    return 1;
  }
  return 0;
}

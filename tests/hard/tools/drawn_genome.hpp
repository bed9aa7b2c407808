// Random data: a reference with repeats, a related foreign genome, and variants of the reference.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

// The same numbers with every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  int below(std::size_t bound) { return static_cast<int>(engine_() % bound); }
  int between(int first, int last) { return first + below(static_cast<std::size_t>(last - first + 1)); }
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  bool chance(double probability) { return unit() < probability; }
  double normal() { return std::sqrt(-2 * std::log(unit() + 1e-300)) * std::cos(6.283185307179586 * unit()); }
  char base() { return "AACCGGTTAT"[below(10)]; }  // 40% of G and C
  char other_base(char base) {
    char drawn = base;
    while (drawn == base) drawn = "ACGT"[below(4)];
    return drawn;
  }
  std::string bases(int count) {
    std::string text;
    while (count-- > 0) text += base();
    return text;
  }

 private:
  std::mt19937_64 engine_;
};

inline char complement(char base) { return base == 'A' ? 'T' : base == 'C' ? 'G' : base == 'G' ? 'C' : 'A'; }

inline std::string reverse_complement(const std::string& text) {
  std::string result(text.rbegin(), text.rend());
  for (char& base : result) base = complement(base);
  return result;
}

struct Contig {
  std::string name;
  std::string bases;
};

// --- The reference ---

inline std::string diverged(std::string text, double rate, Random& random) {
  for (char& base : text)
    if (random.chance(rate)) base = random.other_base(base);
  return text;
}

inline void paste_anywhere(std::vector<Contig>& reference, const std::string& text, Random& random) {
  std::string& bases = reference[static_cast<std::size_t>(random.below(reference.size()))].bases;
  const int at = random.below(bases.size() - text.size());
  bases.replace(static_cast<std::size_t>(at), text.size(), random.chance(0.5) ? text : reverse_complement(text));
}

// Families of interspersed repeats, segmental duplications, and short tandem repeats.
inline void add_repeats(std::vector<Contig>& reference, Random& random) {
  struct Family {
    int length, copies;
    double min_divergence, max_divergence;
  };
  for (const Family& family : {Family{300, 120, 0.03, 0.2}, Family{2000, 14, 0.01, 0.1}, Family{8000, 4, 0.01, 0.03}}) {
    const std::string master = random.bases(family.length);
    for (int copy = 0; copy < family.copies; ++copy) {
      const double divergence = family.min_divergence + random.unit() * (family.max_divergence - family.min_divergence);
      paste_anywhere(reference, diverged(master, divergence, random), random);
    }
  }
  for (int i = 0; i < 300; ++i) {
    const std::string unit = random.bases(random.between(1, 6));
    std::string run;
    for (const int length = random.between(10, 50); static_cast<int>(run.size()) < length;) run += unit;
    paste_anywhere(reference, run, random);
  }
}

inline std::vector<Contig> draw_reference(Random& random) {
  std::vector<Contig> reference{{"chr1", random.bases(700000)}, {"chr2", random.bases(300000)}};
  add_repeats(reference, random);
  return reference;
}

// A genome of another species: random, with conserved stretches of the reference.
inline std::string draw_foreign(const std::vector<Contig>& reference, Random& random) {
  std::string foreign;
  for (int i = 0; i < 100; ++i) {
    const std::string& bases = reference[static_cast<std::size_t>(random.below(reference.size()))].bases;
    const int kept = random.between(40, 90);
    foreign += random.bases(600);
    foreign += bases.substr(static_cast<std::size_t>(random.below(bases.size() - 100)), static_cast<std::size_t>(kept));
  }
  return foreign + random.bases(600);
}

// --- Variants ---

struct Variant {
  std::size_t contig;
  int position;  // from 0, of the first base of `before`
  std::string before;
  std::string after;
  int haplotypes;  // bit h: haplotype h has it
  const char* kind;
};

// Draws variants at least 12 bases apart.
class VariantDrawer {
 public:
  VariantDrawer(const std::vector<Contig>& reference, Random& random) : reference_(reference), random_(random) {
    for (const Contig& contig : reference) taken_.emplace_back(contig.bases.size(), false);
  }

  std::vector<Variant> draw() {
    for (int i = 0; i < 40; ++i) add_cluster();
    for (int i = 0; i < 40; ++i) add_indel(random_.between(51, 300), "long");
    for (int i = 0; i < 100; ++i) add_indel(random_.between(11, 50), "11-50");
    for (int i = 0; i < 200; ++i) add_indel(short_length(), "1-10");
    for (int i = 0; i < 1000; ++i) {
      const Place place = free_place(1);
      add_substitution(place, "SNV", genotype());
    }
    std::sort(variants_.begin(), variants_.end(), [](const Variant& a, const Variant& b) {
      return a.contig != b.contig ? a.contig < b.contig : a.position < b.position;
    });
    return std::move(variants_);
  }

 private:
  struct Place {
    std::size_t contig;
    int position;
  };

  Place free_place(int span) {
    constexpr int margin = 12, end_margin = 1000;
    for (;;) {
      const bool first = random_.chance(0.7);
      const Place place{first ? 0U : 1U, 0};
      std::vector<bool>& taken = taken_[place.contig];
      const int position = random_.between(end_margin, static_cast<int>(taken.size()) - end_margin - span);
      const auto begin = taken.begin() + position - margin;
      const auto end = taken.begin() + position + span + margin;
      if (std::find(begin, end, true) != end) continue;
      std::fill(begin, end, true);
      return {place.contig, position};
    }
  }

  // 30% on either haplotype alone, 40% on both.
  int genotype() {
    const double drawn = random_.unit();
    return drawn < 0.3 ? 1 : drawn < 0.6 ? 2 : 3;
  }

  int short_length() {
    int length = 1;
    while (length < 10 && random_.chance(0.6)) ++length;
    return length;
  }

  void add_substitution(const Place& place, const char* kind, int haplotypes) {
    const char before = reference_[place.contig].bases[static_cast<std::size_t>(place.position)];
    variants_.push_back({place.contig, place.position, std::string(1, before),
                         std::string(1, random_.other_base(before)), haplotypes, kind});
  }

  // Five substitutions within 50 bases, on one haplotype or on both.
  void add_cluster() {
    const Place place = free_place(50);
    const int haplotypes = genotype();
    for (int i = 0; i < 5; ++i)
      add_substitution({place.contig, place.position + 10 * i + random_.below(10)}, "cluster", haplotypes);
  }

  // Half are deletions. Half of the insertions duplicate the bases before them.
  void add_indel(int length, const char* kind) {
    const bool insertion = random_.chance(0.5);
    const Place place = free_place(insertion ? 1 : length + 1);
    const std::string& bases = reference_[place.contig].bases;
    const auto at = static_cast<std::size_t>(place.position);
    const auto letters = static_cast<std::size_t>(length);
    std::string anchor(1, bases[at]);
    if (insertion) {
      const std::string inserted =
          random_.chance(0.5) ? bases.substr(at + 1 - letters, letters) : random_.bases(length);
      variants_.push_back({place.contig, place.position, anchor, anchor + inserted, genotype(), kind});
    } else {
      variants_.push_back({place.contig, place.position, bases.substr(at, letters + 1), anchor, genotype(), kind});
    }
  }

  const std::vector<Contig>& reference_;
  Random& random_;
  std::vector<std::vector<bool>> taken_;
  std::vector<Variant> variants_;
};

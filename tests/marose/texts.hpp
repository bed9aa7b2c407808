// Small references with everything that is hard about large ones, and reads from them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "genocl/sequence.hpp"
#include "random.hpp"

namespace marose_test {

using genocl_test::Random;

inline unsigned below(Random& random, std::size_t limit) { return static_cast<unsigned>(random.below(limit)); }

inline std::vector<genocl::Code> random_bases(Random& random, std::size_t length) {
  std::vector<genocl::Code> bases(length);
  for (genocl::Code& base : bases) base = static_cast<genocl::Code>(below(random, 4));
  return bases;
}

/// `edits` random edits of the model: substitutions only, or also insertions and deletions.
inline void edit(Random& random, std::vector<genocl::Code>& bases, unsigned edits, bool with_gaps) {
  for (unsigned i = 0; i < edits && !bases.empty(); ++i) {
    const auto at = bases.begin() + below(random, bases.size());
    switch (with_gaps ? below(random, 4) : 0) {
      case 1:
        bases.insert(at, static_cast<genocl::Code>(below(random, 4)));
        break;
      case 2:
        bases.erase(at);
        break;
      default:
        *at = static_cast<genocl::Code>((*at + 1 + below(random, 3)) % 4);
    }
  }
}

/// About `bases` bases in a few contigs: random text with copies of itself on either strand, runs of one base, tandem
/// repeats, Ns alone and in runs, contigs of a few bases.
inline genocl::SequenceSet hard_reference(Random& random, std::size_t bases) {
  std::vector<genocl::Code> text = random_bases(random, bases / 2);
  while (text.size() < bases) {
    const std::size_t length = 20 + below(random, 200);
    switch (below(random, 6)) {
      case 0: {  // a copy with a few errors
        const std::size_t from = below(random, text.size() - std::min(text.size() - 1, length));
        std::vector<genocl::Code> copy(
            text.begin() + static_cast<std::ptrdiff_t>(from),
            text.begin() + static_cast<std::ptrdiff_t>(std::min(text.size(), from + length)));
        for (genocl::Code& code : copy)
          if (code > 3) code = 0;
        edit(random, copy, below(random, 4), true);
        if (below(random, 2) != 0) {
          std::vector<genocl::Code> reversed(copy.size());
          genocl::dna::reverse_complement(copy, reversed);
          copy = reversed;
        }
        text.insert(text.end(), copy.begin(), copy.end());
        break;
      }
      case 1:
        text.insert(text.end(), length, static_cast<genocl::Code>(below(random, 4)));
        break;
      case 2: {
        const std::vector<genocl::Code> unit = random_bases(random, 2 + below(random, 8));
        for (std::size_t i = 0; i < length; ++i) text.push_back(unit[i % unit.size()]);
        break;
      }
      case 3:
        text.insert(text.end(), 1 + below(random, 40), static_cast<genocl::Code>(4 + below(random, 3)));
        break;
      default: {
        const std::vector<genocl::Code> more = random_bases(random, length);
        text.insert(text.end(), more.begin(), more.end());
      }
    }
  }
  for (unsigned i = 0; i < text.size() / 500; ++i) text[below(random, text.size())] = genocl::dna::unknown;
  genocl::SequenceSet set;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t length = below(random, 4) == 0
                                   ? below(random, 60)
                                   : std::min(text.size() - begin, text.size() / 8 + below(random, text.size()));
    const std::size_t end = std::min(text.size(), begin + length);
    set.append("contig" + std::to_string(set.size()), std::span(text).subspan(begin, end - begin));
    begin = end;
  }
  return set;
}

/// Reads of `length` bases: most from the text with up to `edits` edits, on either strand, a few with Ns, some random.
inline genocl::SequenceSet reads_from(Random& random, const genocl::SequenceSet& text, std::size_t count,
                                      std::size_t length, unsigned edits, bool with_gaps) {
  genocl::SequenceSet reads;
  while (reads.size() < count) {
    const std::span<const genocl::Code> contig = text[below(random, text.size())];
    std::vector<genocl::Code> read;
    if (contig.size() > length + 2 * edits && below(random, 8) != 0) {
      const std::size_t from = below(random, contig.size() - length - edits);
      read.assign(contig.begin() + static_cast<std::ptrdiff_t>(from),
                  contig.begin() + static_cast<std::ptrdiff_t>(from + length + edits));
      if (below(random, 4) != 0)
        for (genocl::Code& code : read)
          if (code > 3) code = static_cast<genocl::Code>(below(random, 4));
      edit(random, read, below(random, edits + 1), with_gaps);
    } else {
      read = random_bases(random, length);
    }
    read.resize(length, 0);
    if (below(random, 8) == 0) read[below(random, length)] = genocl::dna::unknown;
    if (below(random, 2) != 0) {
      std::vector<genocl::Code> reversed(read.size());
      genocl::dna::reverse_complement(read, reversed);
      read = reversed;
    }
    reads.append("read" + std::to_string(reads.size()), read);
  }
  return reads;
}

/// With one read more that holds an N: kernels for reads with N and for those without are different programs, and which
/// are compiled is not to depend on chance.
inline genocl::SequenceSet with_unknown(genocl::SequenceSet reads) {
  std::vector<genocl::Code> read(reads[0].begin(), reads[0].end());
  read[read.size() / 2] = genocl::dna::unknown;
  reads.append("N", read);
  return reads;
}

/// With a base in the place of each N.
inline genocl::SequenceSet without_unknown(Random& random, const genocl::SequenceSet& reads) {
  genocl::SequenceSet known;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    std::vector<genocl::Code> read(reads[i].begin(), reads[i].end());
    for (genocl::Code& code : read)
      if (code > 3) code = static_cast<genocl::Code>(below(random, 4));
    known.append(reads.name(i), read);
  }
  return known;
}

}  // namespace marose_test

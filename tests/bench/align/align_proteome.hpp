// Databases and queries for measuring: real ones from files, or drawn to be like them.
#pragma once

#include <cstdint>
#include <vector>

#include "genocl/sequence.hpp"

namespace genocl_bench {

/// The lengths that the field measures with.
inline constexpr unsigned classic_lengths[] = {144,  189,  222,  375,  464,  567,  657,  729,  850,  1000,
                                               1500, 2005, 2504, 3005, 3564, 4061, 4548, 4743, 5147, 5478};

/// The twenty classic queries of the field: GENOCL_BENCH_QUERIES, else drawn, of those lengths.
genocl::SequenceSet classic_queries();
/// Proteins of given lengths.
genocl::SequenceSet drawn_queries(const std::vector<unsigned>& lengths);
/// GENOCL_BENCH_DATABASE (a FASTA file as it is, below GENOCL_TEST_DATA unless absolute), else drawn_proteome().
genocl::SequenceSet proteome(std::uint64_t residues);
/// At least so many residues, with the lengths and the composition of 51 million of UniProt proteomes.
genocl::SequenceSet drawn_proteome(std::uint64_t residues);
genocl::SequenceSet equal_subjects(std::size_t count, unsigned length);

}  // namespace genocl_bench

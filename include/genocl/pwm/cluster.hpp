// Clustering of motifs: average linkage, groups, and the motif of a group. Giraud and Varre name the clustering of
// matrices by COMPARE as future work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "genocl/export.hpp"
#include "genocl/pwm/motif.hpp"

namespace genocl::pwm {

/// A merge of two clusters. Numbers below the number of items are items; number count + k is the cluster of merge k.
struct ClusterMerge {
  std::uint32_t first = 0, second = 0;  ///< first < second
  double distance = 0;                  ///< mean distance of the items of both
  friend bool operator==(const ClusterMerge&, const ClusterMerge&) = default;
};

/// Average linkage (UPGMA; Sokal and Michener 1958) by chains of nearest neighbours: count - 1 merges by distance.
///
/// @param distances  [i * count + j], symmetric, finite, 0 or more; of i = j unused
/// O(count^2) time and memory. Throws InputError for another number of distances, and for one that is negative, not
/// finite or not symmetric.
GENOCL_EXPORT std::vector<ClusterMerge> average_linkage(std::span<const double> distances, std::size_t count);

/// The groups of all merges up to this distance: [item] is the number of its group, in the order of their first items.
GENOCL_EXPORT std::vector<std::uint32_t> cut_tree(std::span<const ClusterMerge> merges, std::size_t count,
                                                  double distance);

/// The tree in Newick's format, with the distance of a merge as the height of its node: a branch is half of the
/// difference of the distances at both ends. Names are quoted. Throws InputError for another number of names.
GENOCL_EXPORT std::string newick(std::span<const ClusterMerge> merges, std::span<const std::string> names);

/// The adjusted Rand index of two partitions of the same items (Hubert and Arabie 1985): 1 if equal, 0 as expected by
/// chance. O(count log(count)). Throws InputError for partitions of different sizes or without items.
GENOCL_EXPORT double adjusted_rand_index(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

/// A member of a group: its first column is `shift` columns after that of the group's central motif; with `reverse` the
/// first column of its reverse complement.
struct AlignedMotif {
  const Motif* motif = nullptr;
  int shift = 0;
  bool reverse = false;
};

/// The mean of the aligned members: each column has the mean frequencies of the members that cover it, as counts of 20
/// sites for each of them. Columns that less than half of the members cover are left out at both ends,
/// unless no others exist. Throws InputError for no member.
GENOCL_EXPORT Motif family_motif(std::span<const AlignedMotif> members, const std::string& id);

}  // namespace genocl::pwm

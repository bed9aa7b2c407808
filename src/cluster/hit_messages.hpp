// Hits and alignments on their way between ranks.
#pragma once

#include <span>
#include <vector>

#include "cluster/message.hpp"
#include "genocl/align/searcher.hpp"

namespace genocl::cluster {

/// The hits of each query, with their alignments where they have any.
std::vector<std::byte> message_of(std::span<const std::vector<align::Hit>> hits);
std::vector<std::vector<align::Hit>> hits_in(std::span<const std::byte> message);

}  // namespace genocl::cluster

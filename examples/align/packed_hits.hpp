// Hits without alignments as bytes, between processes and runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "genocl/align.hpp"

namespace program {

/// [query]: its hits.
using HitLists = std::vector<std::vector<genocl::align::Hit>>;

std::string packed(const HitLists& hits);
HitLists unpacked(std::string_view bytes);

/// Adds those of another part of the database to `to`, which is empty or has as many queries.
void merge_into(HitLists& to, HitLists&& more, std::size_t top);

}  // namespace program

// Turns a source that fills batches into one that tells reads apart.
#pragma once

#include <functional>
#include <optional>

#include "genocl/marose/mapper.hpp"

namespace genocl::marose {

using ReadsSource = std::function<std::optional<Mapper::ReadsToMake>()>;

/// The batches go round: memory that is new each time costs the one thread that reads more than the reading does.
ReadsSource reads_to_make(std::function<bool(SequenceSet&)> source);

}  // namespace genocl::marose

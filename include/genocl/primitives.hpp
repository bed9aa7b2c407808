// All primitives on device memory: reduce, scan, compact, unique, histogram, gather and scatter, sort.
#pragma once

#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/copy.hpp"
#include "genocl/primitives/gather.hpp"
#include "genocl/primitives/histogram.hpp"
#include "genocl/primitives/reduce.hpp"
#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/segmented_sort.hpp"
#include "genocl/primitives/sort.hpp"
#include "genocl/primitives/unique.hpp"

// All primitives on device memory: transform, reduce, scan, by key, compact, unique, histogram, gather and scatter,
// sort, merge, set operations, top_k.
#pragma once

#include "genocl/primitives/adjacent_difference.hpp"
#include "genocl/primitives/by_key.hpp"
#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/copy.hpp"
#include "genocl/primitives/expression.hpp"
#include "genocl/primitives/gather.hpp"
#include "genocl/primitives/histogram.hpp"
#include "genocl/primitives/merge.hpp"
#include "genocl/primitives/merge_sort.hpp"
#include "genocl/primitives/random.hpp"
#include "genocl/primitives/reduce.hpp"
#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/segmented_sort.hpp"
#include "genocl/primitives/select_if.hpp"
#include "genocl/primitives/set_operations.hpp"
#include "genocl/primitives/sort.hpp"
#include "genocl/primitives/top_k.hpp"
#include "genocl/primitives/transform.hpp"
#include "genocl/primitives/unique.hpp"

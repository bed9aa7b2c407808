// All of genocl's core. Files are read by the optional component genocl::io (genocl/io/*.hpp).
#pragma once

#include "genocl/align.hpp"
#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "genocl/jacobi.hpp"
#include "genocl/marose.hpp"
#include "genocl/overlap.hpp"
#include "genocl/pairwise.hpp"
#include "genocl/primitives.hpp"
#include "genocl/progress.hpp"
#include "genocl/pwm.hpp"
#include "genocl/sequence.hpp"
#include "genocl/tuning.hpp"
#include "genocl/version.hpp"

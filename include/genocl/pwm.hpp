// Position weight matrices, exactly: every hit in a text, P-values and thresholds with proved bounds, comparison.
#pragma once

#include "genocl/pwm/background.hpp"
#include "genocl/pwm/cluster.hpp"
#include "genocl/pwm/compare.hpp"
#include "genocl/pwm/controls.hpp"
#include "genocl/pwm/enrichment.hpp"
#include "genocl/pwm/formats.hpp"
#include "genocl/pwm/motif.hpp"
#include "genocl/pwm/motif_matches.hpp"
#include "genocl/pwm/motif_scan.hpp"
#include "genocl/pwm/motif_writer.hpp"
#include "genocl/pwm/p_value.hpp"
#include "genocl/pwm/scan.hpp"
#include "genocl/pwm/score_matrix.hpp"
#include "genocl/pwm/tail_table.hpp"

// Jacobi relaxation in two and three dimensions on all devices of a machine, with the same bits on each.
#pragma once

#include "genocl/jacobi/couple.hpp"
#include "genocl/jacobi/equation.hpp"
#include "genocl/jacobi/grid.hpp"
#include "genocl/jacobi/relaxation.hpp"
#include "genocl/jacobi/solve.hpp"

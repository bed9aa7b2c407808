// Jacobi relaxation in two and three dimensions, spread over every device of the machine, the same bits on all of them.
#pragma once

#include "genocl/jacobi/equation.hpp"
#include "genocl/jacobi/grid.hpp"
#include "genocl/jacobi/relaxation.hpp"
#include "genocl/jacobi/solve.hpp"

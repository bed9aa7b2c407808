// All of genocl::cluster: jobs over many processes and machines with MPI. See genocl/cluster/communicator.hpp for what
// it asks of MPI.
#pragma once

#include "genocl/cluster/blocks.hpp"
#include "genocl/cluster/communicator.hpp"
#include "genocl/cluster/jacobi.hpp"
#include "genocl/cluster/searcher.hpp"

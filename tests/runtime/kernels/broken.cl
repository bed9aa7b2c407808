#include "common/twice.clh"
#include "common/broken.clh"
__kernel void never(__global uint* out) { out[0] = broken(1); }

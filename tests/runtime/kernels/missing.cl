// The next line names a file that is not there.
#include "common/nowhere.clh"
__kernel void never(__global uint* out) { out[0] = 1; }

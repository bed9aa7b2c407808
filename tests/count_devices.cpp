// Prints how many OpenCL devices there are.
#include <iostream>

#include "genocl/device.hpp"

int main() { std::cout << genocl::Device::available().size() << '\n'; }

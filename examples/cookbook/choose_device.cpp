// Lists the devices, selects one, and shows the error message for a name that matches none.
#include <iostream>
#include <string>

#include "genocl/genocl.hpp"

int main() {
  for (const genocl::DeviceInfo& info : genocl::Device::available())
    std::cout << info.index << '\t' << to_string(info.type) << '\t' << info.name << '\t' << (info.global_memory >> 20)
              << " MiB\n";
  const genocl::Device device = genocl::Device::pick();  // GENOCL_DEVICE, else the best GPU, else a CPU
  std::cout << "selected: " << device.info().name << ", kernel shape: " << to_string(device.family()) << "\n";
  try {
    genocl::Device::pick("no such device");
  } catch (const genocl::Error& error) {  // one line that lists the devices
    std::cout << error.what() << "\n";
    return std::string(error.what()).find(device.info().name) != std::string::npos ? 0 : 1;
  }
  return 1;
}

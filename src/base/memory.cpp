#include "base/memory.h"

#include <unistd.h>

#include <cstdio>
#include <memory>

namespace assay {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

}  // namespace

std::size_t resident_bytes() {
  const File file(std::fopen("/proc/self/statm", "r"));
  unsigned long size = 0, resident = 0;
  if (!file || std::fscanf(file.get(), "%lu %lu", &size, &resident) != 2) return 0;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t available_bytes() {
  const File file(std::fopen("/proc/meminfo", "r"));
  if (!file) return 0;
  char line[128];
  unsigned long kilobytes = 0;
  while (std::fgets(line, sizeof line, file.get()) != nullptr)
    if (std::sscanf(line, "MemAvailable: %lu", &kilobytes) == 1)
      return static_cast<std::size_t>(kilobytes) << 10;
  return 0;
}

}  // namespace assay

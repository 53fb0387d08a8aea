#include "comm/memory_limit.h"

#include <cstdint>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace scorpio::comm {

namespace {

std::optional<uint64_t> read_number(const std::string& path) {
  std::ifstream file(path);
  uint64_t value = 0;
  if (file >> value) return value;
  return std::nullopt;  // the file does not exist, or contains "max"
}

// Page cache that the kernel can reclaim counts as usage, but does not prevent an allocation.
uint64_t reclaimable(const std::string& folder, const char* key) {
  std::ifstream file(folder + "/memory.stat");
  std::string name;
  uint64_t value = 0;
  while (file >> name >> value) {
    if (name == key) return value;
  }
  return 0;
}

struct Usage {
  uint64_t limit;
  uint64_t used;
};

std::optional<Usage> usage_in(const std::string& folder, const char* limit_file, const char* usage_file,
                              const char* cache_key) {
  const auto limit = read_number(folder + limit_file);
  const auto used = read_number(folder + usage_file);
  if (!limit || !used) return std::nullopt;
  const uint64_t cache = reclaimable(folder, cache_key);
  return Usage{*limit, *used > cache ? *used - cache : 0};
}

std::optional<Usage> current_usage() {
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const size_t path_at = line.find(':', line.find(':') + 1);
    if (path_at == std::string::npos) continue;
    const std::string controllers = line.substr(line.find(':') + 1, path_at - line.find(':') - 1);
    const std::string path = line.substr(path_at + 1);
    if (controllers == "memory") {  // version 1
      return usage_in("/sys/fs/cgroup/memory" + path, "/memory.limit_in_bytes", "/memory.usage_in_bytes",
                      "total_inactive_file");
    }
    if (controllers.empty()) {  // version 2
      if (auto usage = usage_in("/sys/fs/cgroup" + path, "/memory.max", "/memory.current", "inactive_file")) {
        return usage;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Status check_memory_limit(size_t bytes) {
  const auto usage = current_usage();
  if (!usage || usage->used + bytes <= usage->limit) return {};
  return failure(
      Code::memory,
      "{} bytes of staging memory do not fit the memory limit of this job's cgroup ({} of {} bytes in "
      "use); lower option staging_bytes or raise the limit",
      bytes, usage->used, usage->limit);
}

}  // namespace scorpio::comm

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

  uint64_t room() const { return limit > used ? limit - used : 0; }
};

// The files of a version of cgroups.
struct Files {
  const char* limit;
  const char* used;
  const char* cache;  // of memory.stat
};
constexpr Files k_version_1{"/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_inactive_file"};
constexpr Files k_version_2{"/memory.max", "/memory.current", "inactive_file"};

std::optional<Usage> usage_in(const std::string& folder, const Files& files) {
  const auto limit = read_number(folder + files.limit);
  const auto used = read_number(folder + files.used);
  if (!limit || !used) return std::nullopt;
  const uint64_t cache = reclaimable(folder, files.cache);
  return Usage{*limit, *used > cache ? *used - cache : 0};
}

// That of the cgroup `path` below `folder`, or of one that contains it, which has the least room. In a
// container the path may be one of the host, and only `folder` itself exists.
std::optional<Usage> tightest(const std::string& folder, std::string path, const Files& files) {
  std::optional<Usage> found;
  while (true) {
    const auto usage = usage_in(folder + path, files);
    if (usage && (!found || usage->room() < found->room())) found = usage;
    if (path.empty()) return found;
    path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  }
}

std::optional<Usage> current_usage(const CgroupPlaces& places) {
  std::ifstream file(places.own);
  for (std::string line; std::getline(file, line);) {
    const size_t path_at = line.find(':', line.find(':') + 1);
    if (path_at == std::string::npos) continue;
    const std::string controllers = line.substr(line.find(':') + 1, path_at - line.find(':') - 1);
    const std::string path = line.substr(path_at + 1);
    if (controllers == "memory") return tightest(places.root + "/memory", path, k_version_1);
    if (controllers.empty()) {
      if (auto usage = tightest(places.root, path, k_version_2)) return usage;
    }
  }
  return std::nullopt;
}

}  // namespace

Status check_memory_limit(size_t bytes, const CgroupPlaces& places) {
  const auto usage = current_usage(places);
  if (!usage || bytes <= usage->room()) return {};
  return failure(
      Code::memory,
      "{} bytes of staging memory do not fit the memory limit of this job's cgroup ({} of {} bytes in "
      "use); lower option staging_bytes or raise the limit",
      bytes, usage->used, usage->limit);
}

}  // namespace scorpio::comm

// The memory that this process uses, as the system counts it. What the sanitizers keep for each allocation is
// counted, too: tests with them cannot compare it.
#pragma once

#include <malloc.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

namespace scorpio::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool k_memory_is_comparable = false;
#elif defined(__has_feature)  // of clang, which has no such macros
inline constexpr bool k_memory_is_comparable =
    !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer);
#else
inline constexpr bool k_memory_is_comparable = true;
#endif

class ResidentMemory {
 public:
  ResidentMemory() : before_(bytes("VmRSS:")) {}
  ~ResidentMemory() {
    const char* const perturb = std::getenv("MALLOC_PERTURB_");
    if (perturb != nullptr) mallopt(M_PERTURB, std::atoi(perturb));
  }
  ResidentMemory(const ResidentMemory&) = delete;
  ResidentMemory& operator=(const ResidentMemory&) = delete;

  // More than when this object was made.
  int64_t more() const {
    malloc_trim(0);
    return bytes("VmRSS:") - before_;
  }
  // The most since then.
  int64_t peak() const { return bytes("VmHWM:") - before_; }

 private:
  static int64_t bytes(const std::string& key) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with(key)) return 1024 * std::stoll(line.substr(key.size()));
    }
    return 0;
  }
  // Before the first count. Memory that is not used is not touched by malloc meanwhile.
  struct Start {
    Start() {
      mallopt(M_PERTURB, 0);
      malloc_trim(0);
      std::ofstream file("/proc/self/clear_refs");
      file << "5";
    }
  } start_;
  int64_t before_;
};

}  // namespace scorpio::test

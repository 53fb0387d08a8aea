#include "storage/process_identity.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

#include "base/hash.h"

namespace scorpio::storage {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// proc(5): the 22nd field of stat; the second one is a name in parentheses, which may have any characters.
std::optional<uint64_t> start_of(uint64_t process) {
  const std::string line = first_line(fmt::format("/proc/{}/stat", process));
  size_t at = line.rfind(')');
  if (at == std::string::npos) return std::nullopt;
  constexpr int k_fields_between = 20;
  for (int i = 0; i < k_fields_between && at != std::string::npos; ++i) at = line.find(' ', at + 1);
  if (at == std::string::npos) return std::nullopt;
  return std::strtoull(line.c_str() + at + 1, nullptr, 10);
}

uint64_t place() {
  const std::string boot = first_line("/proc/sys/kernel/random/boot_id");
  struct stat names = {};
  if (boot.empty() || stat("/proc/self/ns/pid", &names) != 0) return 0;
  return fnv1a(fmt::format("{} {}", boot, names.st_ino));
}

}  // namespace

ProcessIdentity this_process() {
  const auto process = static_cast<uint64_t>(getpid());
  const std::optional<uint64_t> started = start_of(process);
  return {started ? place() : 0, process, started.value_or(0)};
}

Life life_of(const ProcessIdentity& identity) {
  if (identity.place == 0 || identity.place != place()) return Life::unknown;
  return start_of(identity.process) == identity.started ? Life::goes_on : Life::ended;
}

}  // namespace scorpio::storage

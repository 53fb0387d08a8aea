#include "storage/container.h"

#include <algorithm>
#include <vector>

#include "storage/path.h"

namespace scorpio::storage {

void ContainerContext::tell_stale(const std::string& stale) const {
  if (stale.empty()) return;
  ++counters.stale_found;
  events.add(fmt::format("{} was left by a run that was stopped; it is replaced", stale));
}

// Once for each folder: a run makes many files.
void ContainerContext::tell_refused(const std::string& path, const std::string& why) const {
  if (why.empty()) return;
  const std::string text = fmt::format(
      "options stripe_count and stripe_bytes have no effect on new files in {}: {}", folder_of(path), why);
  const std::vector<std::string> told = events.events();
  if (std::ranges::find(told, text) == told.end()) events.add(text);
}

}  // namespace scorpio::storage

#include "storage/container.h"

namespace scorpio::storage {

void ContainerContext::tell_stale(const std::string& stale) const {
  if (stale.empty()) return;
  ++counters.stale_found;
  events.add(fmt::format("{} was left by a run that was stopped; it is replaced", stale));
}

}  // namespace scorpio::storage

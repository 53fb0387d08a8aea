#include "registry.h"

#include <algorithm>

namespace scorpio2012 {

Registry& Registry::instance() {
  static Registry registry;
  return registry;
}

Group* Registry::find(const iogroup_t* shown) const {
  if (shown == nullptr || shown->globalcomm == MPI_COMM_NULL) return nullptr;
  const auto at = std::find_if(groups_.begin(), groups_.end(),
                               [&](const auto& group) { return group->comm() == shown->globalcomm; });
  return at == groups_.end() ? nullptr : at->get();
}

Assembly* Registry::find_assembly(MPI_Comm comm) const {
  const auto at = std::find_if(assemblies_.begin(), assemblies_.end(),
                               [&](const auto& assembly) { return assembly->is_of(comm); });
  return at == assemblies_.end() ? nullptr : at->get();
}

Assembly* Registry::add(std::unique_ptr<Assembly> assembly) {
  assemblies_.push_back(std::move(assembly));
  return assemblies_.back().get();
}

Group* Registry::add(std::unique_ptr<Group> group) {
  groups_.push_back(std::move(group));
  return groups_.back().get();
}

void Registry::remove(Group* group) {
  std::erase_if(groups_, [&](const auto& known) { return known.get() == group; });
}

void Registry::drop_if_empty(Assembly* assembly) {
  if (!assembly->groups().empty()) return;
  assembly->free();
  std::erase_if(assemblies_, [&](const auto& known) { return known.get() == assembly; });
}

}  // namespace scorpio2012

// All groups and assemblies of this process. Applications have plain structures, which they may copy, so a
// group is found by its communicator. Local; one thread.
#pragma once

#include <memory>
#include <vector>

#include "assembly.h"
#include "group.h"

namespace scorpio2012 {

class Registry {
 public:
  static Registry& instance();

  // NULL if `shown` is not a group that exists.
  Group* find(const iogroup_t* shown) const;
  Assembly* find_assembly(MPI_Comm comm) const;
  const std::vector<std::unique_ptr<Assembly>>& assemblies() const { return assemblies_; }

  Assembly* add(std::unique_ptr<Assembly> assembly);
  Group* add(std::unique_ptr<Group> group);
  void remove(Group* group);
  // Collective: frees the assembly if it has no group.
  void drop_if_empty(Assembly* assembly);

 private:
  Registry() = default;

  std::vector<std::unique_ptr<Assembly>> assemblies_;
  std::vector<std::unique_ptr<Group>> groups_;
};

}  // namespace scorpio2012

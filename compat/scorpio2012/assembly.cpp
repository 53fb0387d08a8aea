#include "assembly.h"

#include <algorithm>

namespace scorpio2012 {

std::unique_ptr<Assembly> Assembly::gather(MPI_Comm comm) {
  std::unique_ptr<Assembly> assembly(new Assembly());
  if (MPI_Comm_dup(comm, &assembly->comm_) != MPI_SUCCESS) return nullptr;
  MPI_Comm_set_errhandler(assembly->comm_, MPI_ERRORS_RETURN);
  MPI_Comm_group(assembly->comm_, &assembly->members_);
  MPI_Comm_rank(assembly->comm_, &assembly->rank_);
  MPI_Comm_size(assembly->comm_, &assembly->ranks_);
  return assembly;
}

void Assembly::free() {
  MPI_Group_free(&members_);
  MPI_Comm_free(&comm_);
}

bool Assembly::is_of(MPI_Comm comm) const {
  MPI_Group others = MPI_GROUP_NULL;
  int relation = MPI_UNEQUAL;
  MPI_Comm_group(comm, &others);
  MPI_Group_compare(members_, others, &relation);
  MPI_Group_free(&others);
  return relation == MPI_IDENT;
}

int Assembly::join(Group* group) {
  groups_.push_back({++joined_, group});
  return joined_;
}

void Assembly::leave(Group* group) {
  std::erase_if(groups_, [&](const Member& member) { return member.group == group; });
}

Group* Assembly::group(int number) const {
  const auto at = std::ranges::find(groups_, number, &Member::number);
  return at == groups_.end() ? nullptr : at->group;
}

std::shared_ptr<IoSystem> Assembly::io_system(const IoSettings& settings) {
  for (const auto& known : systems_) {
    auto system = known.lock();
    if (system != nullptr && system->settings() == settings) return system;
  }
  auto made = IoSystem::create(comm_, settings);
  if (made != nullptr) systems_.push_back(made);
  return made;
}

void Assembly::release(std::shared_ptr<IoSystem>& system) {
  if (system != nullptr && system.use_count() == 1) system->free();
  system.reset();
  std::erase_if(systems_, [](const auto& known) { return known.expired(); });
}

}  // namespace scorpio2012

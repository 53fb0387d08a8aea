#include "pio/system/io_systems.h"

#include <numeric>
#include <utility>

#include "common/fingerprint.h"

namespace scorpio_pio {

namespace {

uint64_t hash_of_ranks(MPI_Comm comm) {
  MPI_Group group = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
  int size = 0;
  MPI_Comm_size(comm, &size);
  MPI_Comm_group(comm, &group);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  std::vector<int> own(static_cast<size_t>(size)), in_world(own.size());
  std::iota(own.begin(), own.end(), 0);
  MPI_Group_translate_ranks(group, size, own.data(), world, in_world.data());
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  scorpio_compat::Fingerprint print;
  for (const int rank : in_world) print.add(rank);
  return print.value();
}

}  // namespace

IoSystems& IoSystems::instance() {
  static auto* const systems = new IoSystems();  // MPI may have ended when destructors run
  return *systems;
}

int IoSystems::add(std::shared_ptr<IoSystem> system) {
  system->id = next_;
  for (const auto& known : systems_) {
    int result = MPI_UNEQUAL;
    MPI_Comm_compare(known.second->comm(), system->comm(), &result);
    if (result == MPI_CONGRUENT) system->family = known.second->family;
  }
  if (system->family == nullptr) system->family = std::make_shared<Family>();
  system->family->members.push_back(system.get());
  system->member = ++system->family->made;
  ranks_.push_back(hash_of_ranks(system->comm()));
  systems_[next_] = std::move(system);
  return next_++;
}

std::shared_ptr<IoSystem> IoSystems::find(int id) const {
  const auto at = systems_.find(id);
  return at == systems_.end() ? nullptr : at->second;
}

std::vector<int> IoSystems::ids() const {
  std::vector<int> ids;
  for (const auto& known : systems_) ids.push_back(known.first);
  return ids;
}

// A family that has no systems any more gets no new one: a later system begins another.
void IoSystems::remove(int id) {
  const auto at = systems_.find(id);
  if (at == systems_.end()) return;
  std::erase(at->second->family->members, at->second.get());
  systems_.erase(at);
}

bool IoSystems::existed(int id) const { return id >= k_first && id < next_; }

std::shared_ptr<IoSystem> IoSystems::stand_in() const {
  std::shared_ptr<IoSystem> found;
  for (const auto& known : systems_) {
    if (found != nullptr && found->family != known.second->family) return nullptr;
    if (found == nullptr || known.second->recent != nullptr) found = known.second;
  }
  return found;
}

std::shared_ptr<IoSystem> IoSystems::stand_in_for(int iosysid) const {
  const auto ranks_of = [&](int id) { return ranks_[static_cast<size_t>(id - k_first)]; };
  std::shared_ptr<IoSystem> found = stand_in();
  if (found != nullptr && existed(iosysid) && ranks_of(iosysid) != ranks_of(found->id)) return nullptr;
  return found;
}

}  // namespace scorpio_pio

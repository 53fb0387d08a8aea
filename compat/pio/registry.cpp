#include "registry.h"

#include <numeric>
#include <utility>

#include "common/fingerprint.h"

namespace scorpio_pio {

namespace {

constexpr int k_first_file = 16;
constexpr int k_first_system = 2048;

template <typename T>
std::shared_ptr<T> found(const std::map<int, std::shared_ptr<T>>& all, int id) {
  const auto at = all.find(id);
  return at == all.end() ? nullptr : at->second;
}

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

Registry& Registry::instance() {
  static auto* const registry = new Registry();  // MPI may have ended when destructors run
  return *registry;
}

int Registry::add(std::shared_ptr<IoSystem> system) {
  system->id = next_system_;
  system->family = next_system_;
  for (const auto& known : systems_) {
    int result = MPI_UNEQUAL;
    MPI_Comm_compare(known.second->comm(), system->comm(), &result);
    if (result == MPI_CONGRUENT) system->family = known.second->family;
  }
  system->member = ++members_[system->family];
  ranks_of_systems_.push_back(hash_of_ranks(system->comm()));
  systems_[next_system_] = std::move(system);
  return next_system_++;
}

int Registry::add(std::shared_ptr<File> file, int system) {
  const int id = k_first_file + static_cast<int>(systems_of_files_.size());
  file->id = id;
  files_[id] = std::move(file);
  systems_of_files_.push_back(system);
  return id;
}

int Registry::add(std::shared_ptr<Decomposition> decomposition) {
  decompositions_[next_decomposition_] = std::move(decomposition);
  return next_decomposition_++;
}

std::shared_ptr<IoSystem> Registry::system(int id) const { return found(systems_, id); }
std::vector<int> Registry::systems() const {
  std::vector<int> ids;
  for (const auto& known : systems_) ids.push_back(known.first);
  return ids;
}

std::shared_ptr<File> Registry::file(int id) const { return found(files_, id); }
std::shared_ptr<Decomposition> Registry::decomposition(int id) const { return found(decompositions_, id); }

// A family that has no systems any more gets no new one: a later system begins another.
void Registry::remove_system(int id) {
  const auto at = systems_.find(id);
  if (at == systems_.end()) return;
  const int family = at->second->family;
  systems_.erase(at);
  for (const auto& known : systems_) {
    if (known.second->family == family) return;
  }
  members_.erase(family);
}

int Registry::system_of_file(int id) const {
  const int n = id - k_first_file;
  return n >= 0 && n < static_cast<int>(systems_of_files_.size()) ? systems_of_files_[static_cast<size_t>(n)]
                                                                  : 0;
}

bool Registry::was_system(int id) const { return id >= k_first_system && id < next_system_; }

// The oldest I/O system of the family that exists, which is the same one on all ranks.
const IoSystem& Registry::speaker_of(const IoSystem& system) const {
  for (const auto& known : systems_) {
    if (known.second->family == system.family) return *known.second;
  }
  return system;
}

std::shared_ptr<IoSystem> Registry::stand_in() const {
  std::shared_ptr<IoSystem> found;
  for (const auto& known : systems_) {
    if (found != nullptr && found->family != known.second->family) return nullptr;
    if (found == nullptr || known.second->recent != nullptr) found = known.second;
  }
  return found;
}

std::shared_ptr<IoSystem> Registry::stand_in_for(int iosysid) const {
  const auto ranks_of = [&](int id) { return ranks_of_systems_[static_cast<size_t>(id - k_first_system)]; };
  std::shared_ptr<IoSystem> found = stand_in();
  if (found != nullptr && was_system(iosysid) && ranks_of(iosysid) != ranks_of(found->id)) return nullptr;
  return found;
}

}  // namespace scorpio_pio

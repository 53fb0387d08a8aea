#include "pio/calls/registry.h"

#include <utility>

namespace scorpio_pio {

namespace {

constexpr int k_first_file = 16;

template <typename T>
std::shared_ptr<T> found(const std::map<int, std::shared_ptr<T>>& all, int id) {
  const auto at = all.find(id);
  return at == all.end() ? nullptr : at->second;
}

}  // namespace

Registry& Registry::instance() {
  static auto* const registry = new Registry();  // MPI may have ended when destructors run
  return *registry;
}

int Registry::add(std::shared_ptr<File> file, int system) {
  const int id = k_first_file + static_cast<int>(systems_of_files_.size());
  file->id = id;
  files_[id] = std::move(file);
  systems_of_files_.push_back(system);
  return id;
}

Registry::Place Registry::place_of(std::shared_ptr<Decomposition> decomposition) {
  std::map<int, std::shared_ptr<Decomposition>> one;
  one.emplace(0, std::move(decomposition));
  return one.extract(one.begin());
}

int Registry::add(Place place) {
  place.key() = next_decomposition_;
  decompositions_.insert(std::move(place));
  return next_decomposition_++;
}

std::shared_ptr<File> Registry::file(int id) const { return found(files_, id); }
std::shared_ptr<Decomposition> Registry::decomposition(int id) const { return found(decompositions_, id); }

int Registry::system_of_file(int id) const {
  const int n = id - k_first_file;
  return n >= 0 && n < static_cast<int>(systems_of_files_.size()) ? systems_of_files_[static_cast<size_t>(n)]
                                                                  : 0;
}

}  // namespace scorpio_pio

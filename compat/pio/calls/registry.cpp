#include "pio/calls/registry.h"

#include <utility>

#include "pio/base/failure.h"

namespace scorpio_pio {

namespace {

constexpr int k_first_file = 16;

template <typename T>
std::shared_ptr<T> found(const std::map<int, std::shared_ptr<T>>& all, int id) {
  const auto at = all.find(id);
  return at == all.end() ? nullptr : at->second;
}

template <typename T>
Registry::Node<T> new_node(std::shared_ptr<T> value) {
  std::map<int, std::shared_ptr<T>> one;
  one.emplace(0, std::move(value));
  return one.extract(one.begin());
}

}  // namespace

Registry& Registry::instance() {
  static auto* const registry = new Registry();  // MPI may have ended when destructors run
  return *registry;
}

Registry::Node<File> Registry::node_of(std::shared_ptr<File> file) {
  systems_of_files_.push_back(0);  // there is room for one more then
  systems_of_files_.pop_back();
  return new_node(std::move(file));
}

Registry::Node<Decomposition> Registry::node_of(std::shared_ptr<Decomposition> decomposition) {
  return new_node(std::move(decomposition));
}

int Registry::add(Node<File> node, int system) {
  const int id = k_first_file + static_cast<int>(systems_of_files_.size());
  node.key() = id;
  node.mapped()->id = id;
  files_.insert(std::move(node));
  systems_of_files_.push_back(system);
  return id;
}

int Registry::add(Node<Decomposition> node) {
  node.key() = next_decomposition_;
  decompositions_.insert(std::move(node));
  return next_decomposition_++;
}

std::shared_ptr<File> Registry::file(int id) const { return found(files_, id); }
std::shared_ptr<Decomposition> Registry::decomposition(int id) const { return found(decompositions_, id); }

int no_such_decomposition(int id) { return fail(PIO_EBADID, "decomposition id ", id, " does not exist"); }

int Registry::look_up(int system, int id, std::shared_ptr<Decomposition>& decomposition) const {
  decomposition = this->decomposition(id);
  if (decomposition == nullptr) return no_such_decomposition(id);
  if (decomposition->system == system) return PIO_NOERR;
  return fail(PIO_EBADID, "decomposition ", id, " belongs to another I/O system");
}

int Registry::system_of_file(int id) const {
  const int n = id - k_first_file;
  return n >= 0 && n < static_cast<int>(systems_of_files_.size()) ? systems_of_files_[static_cast<size_t>(n)]
                                                                  : 0;
}

}  // namespace scorpio_pio

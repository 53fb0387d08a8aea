#include "model/variables.h"

#include <algorithm>
#include <utility>

#include "model/path.h"

namespace scorpio::model {
namespace {

// Dimensions that grow, and that no other variable has.
std::vector<int> own_dimensions_of(const Variable& variable) {
  std::vector<int> own;
  for (size_t d = 0; d < variable.dimensions.size(); ++d) {
    if (variable.grows(d) && variable.dimensions[d] < 0) own.push_back(variable.dimensions[d]);
  }
  return own;
}

// The variable and the dimension that own_dimension() stands for.
std::pair<size_t, size_t> owner_of(int dimension) {
  const auto number = static_cast<size_t>(-2 - dimension);
  return {number / k_most_own_dimensions, number % k_most_own_dimensions};
}

}  // namespace

// Most definitions concern the variable that was defined last.
std::optional<int> Variables::find(const std::string& path) const {
  if (!all_.empty() && alive_.back() && all_.back().path == path) return count() - 1;
  const auto at = by_path_.find(path);
  return at == by_path_.end() ? std::nullopt : std::optional<int>(at->second);
}

std::vector<int> Variables::at_or_below(const std::string& path) const {
  std::vector<int> found;
  if (const auto at = by_path_.find(path); at != by_path_.end()) found.push_back(at->second);
  const std::string prefix = path == "/" ? path : path + "/";
  for (auto at = by_path_.lower_bound(prefix); at != by_path_.end() && at->first.starts_with(prefix); ++at)
    found.push_back(at->second);
  return found;
}

bool Variables::use(int dimension, const std::string& but) const {
  for (int i = 0; i < count(); ++i) {
    const Variable& variable = (*this)[i];
    if (!alive(i) || (!but.empty() && model::at_or_below(variable.path, but))) continue;
    if (std::ranges::find(variable.dimensions, dimension) != variable.dimensions.end()) return true;
  }
  return false;
}

int Variables::add(Variable&& variable) {
  const int index = count();
  by_path_[variable.path] = index;
  if (!own_dimensions_of(variable).empty()) with_own_dimensions_.push_back(index);
  all_.push_back(std::move(variable));
  alive_.push_back(true);
  return index;
}

void Variables::add_removed(Variable&& variable) {
  all_.push_back(std::move(variable));
  alive_.push_back(false);
}

void Variables::remove(int index) {
  by_path_.erase((*this)[index].path);
  alive_[static_cast<size_t>(index)] = false;
}

void Variables::rename(int index, const std::string& path) {
  by_path_.erase((*this)[index].path);
  by_path_[path] = index;
  (*this)[index].path = path;
}

std::vector<int> Variables::own_dimensions() const {
  std::vector<int> all;
  for (const int index : with_own_dimensions_) {
    if (!alive(index)) continue;
    const std::vector<int> own = own_dimensions_of((*this)[index]);
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

int64_t Variables::length_of(int own_dimension) const {
  const auto [variable, d] = owner_of(own_dimension);
  return all_[variable].dims[d];
}

void Variables::grow(int own_dimension, int64_t length) {
  const auto [variable, d] = owner_of(own_dimension);
  int64_t& extent = all_[variable].dims[d];
  extent = std::max(extent, length);
}

void Variables::follow(const Dimensions& dimensions) {
  for (Variable& variable : all_) {
    const int index = variable.record_dimension();
    if (index >= 0) variable.dims[0] = dimensions[index].extent;
    for (size_t d = 1; variable.is_free() && d < variable.dims.size(); ++d) {
      if (variable.grows(d) && variable.dimensions[d] >= 0)
        variable.dims[d] = dimensions[variable.dimensions[d]].extent;
    }
  }
}

}  // namespace scorpio::model

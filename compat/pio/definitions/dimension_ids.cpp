#include "pio/definitions/dimension_ids.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "pio.h"

namespace scorpio_pio {

namespace {

constexpr std::string_view k_phony = "phony_dim_";

// With its groups.
std::string path_of_variable(scorpio_file* file, int variable) {
  size_t length = 0;
  (void)scorpio_variable_path(file, variable, nullptr, 0, &length);
  std::string path(length + 1, '\0');
  (void)scorpio_variable_path(file, variable, path.data(), path.size(), nullptr);
  path.resize(length);
  return path;
}

}  // namespace

struct DimensionIds::Unnamed {
  int variable = -1;
  std::string path;
  std::vector<int> dimensions;  // in the underlying library
  std::vector<int64_t> extents;
  std::vector<int> unlimited;
};

void DimensionIds::find(scorpio_file* file) {
  int count = 0;
  first_ = 0;
  phony_.clear();
  of_variables_.clear();
  (void)scorpio_dimension_count(file, &first_);
  (void)scorpio_file_variables(file, nullptr, 0, &count);
  std::vector<Unnamed> unnamed;
  for (int variable = 0; variable < count; ++variable) {
    Unnamed one{.variable = variable, .path = {}, .dimensions = {}, .extents = {}, .unlimited = {}};
    int ndims = 0;
    if (scorpio_variable_inquire(file, variable, nullptr, nullptr, &ndims, nullptr, 0) != SCORPIO_OK)
      continue;
    one.dimensions.resize(static_cast<size_t>(ndims));
    (void)scorpio_variable_dimensions(file, variable, one.dimensions.data(), ndims);
    if (std::ranges::find(one.dimensions, k_none) == one.dimensions.end()) continue;
    one.path = path_of_variable(file, variable);
    one.extents.resize(one.dimensions.size());
    one.unlimited.resize(one.dimensions.size());
    (void)scorpio_variable_inquire(file, variable, nullptr, nullptr, nullptr, one.extents.data(), ndims);
    (void)scorpio_variable_unlimited(file, variable, one.unlimited.data(), ndims);
    unnamed.push_back(std::move(one));
  }
  name(file, "", unnamed);
}

// netCDF-C names the dimensions of the groups in a group before those of the group itself.
void DimensionIds::name(scorpio_file* file, const std::string& group, const std::vector<Unnamed>& variables) {
  std::vector<std::pair<std::string, std::vector<Unnamed>>> groups;
  for (const Unnamed& variable : variables) {
    const size_t slash = variable.path.find('/', group.size() + 1);
    if (slash == std::string::npos) continue;
    const std::string path = variable.path.substr(0, slash);
    if (groups.empty() || groups.back().first != path) groups.emplace_back(path, std::vector<Unnamed>());
    groups.back().second.push_back(variable);
  }
  for (const auto& [path, members] : groups) name(file, path, members);
  for (const Unnamed& variable : variables) {
    if (variable.path.find('/', group.size() + 1) != std::string::npos) continue;
    std::vector<int>& ids = of_variables_[variable.variable];
    for (size_t d = 0; d < variable.dimensions.size(); ++d) {
      const int named = variable.dimensions[d];
      const int id = named >= 0
                         ? named
                         : dimension_of(file, group, ids, variable.extents[d], variable.unlimited[d] != 0);
      ids.push_back(id);
    }
  }
}

// netCDF-C takes a dimension of length 0 as unlimited, and so never finds one that is not.
int DimensionIds::dimension_of(scorpio_file* file, const std::string& group, const std::vector<int>& taken,
                               int64_t length, bool unlimited) {
  const auto is_free = [&](int id) { return std::ranges::find(taken, id) == taken.end(); };
  const bool never_found = length == 0 && !unlimited;
  for (int id = 0; id < first_ && !never_found; ++id) {
    char named[PIO_MAX_NAME + 1] = "";
    int64_t extent = 0;
    int grows = 0, there = k_none;
    (void)scorpio_dimension_inquire(file, id, named, sizeof named, nullptr, &extent, &grows);
    if (extent != length || (grows != 0) != unlimited || !is_free(id)) continue;
    if (scorpio_dimension_find(file, (group + "/" + named).c_str(), &there) == SCORPIO_OK && there == id)
      return id;
  }
  const int next = first_ + size();
  for (int id = first_; id < next && !never_found; ++id) {
    const PhonyDimension& one = phony_[static_cast<size_t>(id - first_)];
    if (one.group == group && one.length == length && one.unlimited == unlimited && is_free(id)) return id;
  }
  phony_.push_back({group, std::string(k_phony) + std::to_string(next), length, unlimited || never_found});
  return next;
}

int DimensionIds::native(int id) const {
  if (id < first_) return id;
  return id < first_ + size() ? k_none : id - size();
}

const PhonyDimension* DimensionIds::phony(int id) const {
  const bool is_one = id >= first_ && id < first_ + size();
  return is_one ? &phony_[static_cast<size_t>(id - first_)] : nullptr;
}

std::vector<int> DimensionIds::unlimited_phony() const {
  std::vector<int> ids;
  for (int id = first_; id < first_ + size(); ++id) {
    if (phony(id)->unlimited) ids.push_back(id);
  }
  return ids;
}

// The name tells the id.
int DimensionIds::find(const std::string& name) const {
  const size_t slash = name.rfind('/');
  const std::string_view leaf = std::string_view(name).substr(slash == std::string::npos ? 0 : slash + 1);
  if (!leaf.starts_with(k_phony)) return k_none;
  int id = k_none;
  std::from_chars(leaf.data() + k_phony.size(), leaf.data() + leaf.size(), id);
  const PhonyDimension* one = phony(id);
  if (one == nullptr || one->name != leaf) return k_none;
  if (slash == std::string::npos) return id;
  const std::string path = name.starts_with('/') ? name : "/" + name;
  return path == one->group + "/" + one->name ? id : k_none;
}

void DimensionIds::translate(int native_variable, int* dimensions, int ndims) const {
  if (phony_.empty() && of_variables_.empty()) return;
  const auto known = of_variables_.find(native_variable);
  for (int d = 0; d < ndims; ++d) {
    if (known != of_variables_.end()) {
      dimensions[d] = known->second[static_cast<size_t>(d)];
    } else {
      dimensions[d] = of_native(dimensions[d]);
    }
  }
}

}  // namespace scorpio_pio

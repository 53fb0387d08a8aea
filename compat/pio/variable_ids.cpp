#include "variable_ids.h"

#include <algorithm>
#include <numeric>

namespace scorpio_pio {

std::string path_of_variable(scorpio_file* file, int variable) {
  size_t length = 0;
  (void)scorpio_variable_path(file, variable, nullptr, 0, &length);
  std::string path(length + 1, '\0');
  (void)scorpio_variable_path(file, variable, path.data(), path.size(), nullptr);
  path.resize(length);
  return path;
}

void VariableIds::keep_names(scorpio_file* file) {
  int count = 0;
  (void)scorpio_file_variables(file, nullptr, 0, &count);
  names_.resize(static_cast<size_t>(count));
  for (int id = 0; id < count; ++id) names_[static_cast<size_t>(id)] = path_of_variable(file, native(id));
}

bool VariableIds::match(scorpio_file* file) {
  natives_.clear();
  for (const std::string& name : names_) {
    int found = -1;
    if (scorpio_variable_find(file, name.c_str(), &found) != SCORPIO_OK) return false;
    natives_.push_back(found);
  }
  ids_.resize(natives_.size());
  std::vector<int> same(natives_.size());
  std::iota(same.begin(), same.end(), 0);
  if (!std::is_permutation(natives_.begin(), natives_.end(), same.begin())) return false;
  for (size_t id = 0; id < natives_.size(); ++id)
    ids_[static_cast<size_t>(natives_[id])] = static_cast<int>(id);
  return true;
}

void VariableIds::clear() {
  names_.clear();
  natives_.clear();
  ids_.clear();
}

}  // namespace scorpio_pio

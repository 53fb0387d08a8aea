#include "model/dimensions.h"

#include "base/id_range.h"
#include "model/checks.h"
#include "model/path.h"

namespace scorpio::model {

std::optional<int> Dimensions::find(const std::string& group, const std::string& name) const {
  const auto at = by_name_.find({group, name});
  return at == by_name_.end() ? std::nullopt : std::optional<int>(at->second);
}

std::optional<int> Dimensions::find(const std::string& name) const {
  if (const auto of_root = find("/", name)) return of_root;
  if (name.find('/') != std::string::npos) {
    const auto path = normalise(name);
    return path.ok() ? find(parent(*path), leaf(*path)) : std::nullopt;
  }
  const auto at = of_name_.find(name);
  return at == of_name_.end() ? std::nullopt : std::optional<int>(*at->second.begin());
}

void Dimensions::enter_names(int index) {
  const Dimension& dimension = (*this)[index];
  by_name_[{dimension.group, dimension.name}] = index;
  of_name_[dimension.name].insert(index);
}

void Dimensions::erase_names(int index) {
  const Dimension& dimension = (*this)[index];
  by_name_.erase({dimension.group, dimension.name});
  const auto same = of_name_.find(dimension.name);
  same->second.erase(index);
  if (same->second.empty()) of_name_.erase(same);
}

Result<int> Dimensions::add(Dimension dimension) {
  SCORPIO_TRY(check_name(dimension.name, "dimension", true));
  if (find(dimension.group, dimension.name)) {
    return failure(Code::exists, "dimension {} exists already; choose another name", dimension.name);
  }
  if (dimension.extent < 0) {
    return failure(Code::argument, "extent {} of dimension {} is negative", dimension.extent, dimension.name);
  }
  const auto index = static_cast<int>(all_.size());
  if (dimension.unlimited) unlimited_.push_back(index);
  all_.push_back(std::move(dimension));
  enter_names(index);
  return index;
}

Status Dimensions::rename(int index, const std::string& name) {
  if (!contains(index)) {
    return failure(Code::handle, "dimension id {} does not exist ({})", index,
                   id_range(static_cast<int64_t>(all_.size())));
  }
  SCORPIO_TRY(check_name(name, "dimension"));
  Dimension& dimension = all_[static_cast<size_t>(index)];
  const auto taken = find(dimension.group, name);
  if (taken && *taken != index) {
    return failure(Code::exists, "dimension {} exists already; choose another name", name);
  }
  erase_names(index);
  dimension.name = name;
  enter_names(index);
  return {};
}

void Dimensions::move_to_root(int index) {
  erase_names(index);
  all_[static_cast<size_t>(index)].group = std::string("/");  // GCC 12 warns of a literal: PR 105651
  enter_names(index);
}

void Dimensions::drop(size_t kept) {
  for (; all_.size() > kept; all_.pop_back()) erase_names(static_cast<int>(all_.size()) - 1);
  std::erase_if(unlimited_, [&](int index) { return static_cast<size_t>(index) >= kept; });
}

bool Dimensions::grow(int index, int64_t extent) {
  int64_t& present = all_[static_cast<size_t>(index)].extent;
  const bool grows = extent > present;
  if (grows) present = extent;
  return grows;
}

}  // namespace scorpio::model

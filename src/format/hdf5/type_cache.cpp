#include "format/hdf5/type_cache.h"

#include <utility>

namespace scorpio::format::hdf5 {

namespace {

constexpr size_t k_most_types = 256;

}  // namespace

Result<hid_t> TypeCache::type(const model::ElementType& type, TextForm form) {
  const Key key{type.kind, type.size_bytes, type.order, form.utf8, form.terminated};
  const auto known = types_.find(key);
  if (known != types_.end()) return known->second.get();
  SCORPIO_ASSIGN(Handle made, make_type(type, form));
  return types_.emplace(key, std::move(made)).first->second.get();
}

Result<hid_t> TypeCache::strings() {
  if (!strings_.valid()) {
    SCORPIO_ASSIGN(strings_, make_string_type());
  }
  return strings_.get();
}

hid_t TypeCache::named(hid_t type) {
  if (!named_) {
    named_.emplace();
    for (const auto& [path, kind] : objects_.others()) {
      if (kind != k_named_type) continue;
      Handle found(H5Topen2(file_, path.c_str(), H5P_DEFAULT), H5Tclose);
      if (found.valid()) named_->push_back(std::move(found));
    }
  }
  for (const Handle& known : *named_) {
    if (H5Tequal(known.get(), type) > 0) return known.get();
  }
  return type;
}

hid_t TypeCache::scalar() {
  if (!scalar_.valid()) scalar_ = Handle(H5Screate(H5S_SCALAR), H5Sclose);
  return scalar_.get();
}

hid_t TypeCache::empty_text() {
  if (!netcdf4_) return scalar();
  if (!null_.valid()) null_ = Handle(H5Screate(H5S_NULL), H5Sclose);
  return null_.get();
}

void TypeCache::trim() {
  if (types_.size() > k_most_types) types_.clear();
}

}  // namespace scorpio::format::hdf5

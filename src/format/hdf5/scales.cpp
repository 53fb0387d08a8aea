#include "format/hdf5/scales.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>

#include "format/hdf5/attributes.h"
#include "format/hdf5/errors.h"

namespace scorpio::format::hdf5 {
namespace {

// Texts that the specifications define.
constexpr std::string_view k_scale_class = "DIMENSION_SCALE";
constexpr std::string_view k_bare_prefix = "This is a netCDF dimension but not a netCDF variable";
constexpr std::string_view k_beside_prefix = "_nc4_non_coord_";

Status cannot(const char* verb, const char* attribute) {
  return library_failure(Code::io, fmt::format("HDF5 cannot {} {}", verb, attribute));
}

Status erase(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return {};
  return H5Adelete(object, name) < 0 ? cannot("remove", name) : Status();
}

Status put(hid_t object, const char* name, hid_t type, hid_t space, const void* value) {
  SCORPIO_TRY(erase(object, name));
  const Handle made(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return !made.valid() || H5Awrite(made.get(), type, value) < 0 ? cannot("write", name) : Status();
}

// The specification requires texts that end with NUL.
Status put_text(hid_t object, const char* name, const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), text.size() + 1);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  return put(object, name, type.get(), space.get(), text.c_str());
}

Handle row_space(size_t count) {
  const hsize_t extent = count;
  return Handle(H5Screate_simple(1, &extent, nullptr), H5Sclose);
}

Handle attachment_type() {
  Handle type(H5Tcreate(H5T_COMPOUND, sizeof(Attachment)), H5Tclose);
  H5Tinsert(type.get(), "dataset", offsetof(Attachment, dataset), H5T_STD_REF_OBJ);
  H5Tinsert(type.get(), "dimension", offsetof(Attachment, dimension), H5T_NATIVE_INT);
  return type;
}

Handle scale_list_type() { return Handle(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose); }

size_t elements_of(hid_t attribute) {
  const Handle space(H5Aget_space(attribute), H5Sclose);
  return static_cast<size_t>(std::max<hssize_t>(H5Sget_simple_extent_npoints(space.get()), 0));
}

// The attributes of these names, which may be missing or have any type.
model::Attributes some_attributes(hid_t object, std::initializer_list<const char*> names) {
  model::Attributes found;
  for (const char* name : names) {
    if (H5Aexists(object, name) <= 0) continue;
    auto attribute = read_attribute(object, name);
    if (attribute.ok()) found.emplace(name, std::move(attribute).value());
  }
  return found;
}

}  // namespace

std::string text_of(const model::Attribute& attribute) {
  if (attribute.type.kind != model::Kind::text || !attribute.readable) return {};
  std::string text(reinterpret_cast<const char*>(attribute.value.data()), attribute.value.size());
  return text.substr(0, text.find('\0'));
}

std::vector<int> integers_of(const model::Attribute& attribute) {
  if (attribute.type.kind != model::Kind::int32 || !attribute.readable) return {};
  std::vector<int> values(attribute.value.size() / sizeof(int));
  if (!values.empty()) std::memcpy(values.data(), attribute.value.data(), values.size() * sizeof(int));
  return values;
}

bool is_scale(const model::Attributes& attributes) {
  const auto kind = attributes.find(k_class);
  return kind != attributes.end() && text_of(kind->second) == k_scale_class;
}

bool is_bare_scale(const model::Attributes& attributes) {
  const auto name = attributes.find(k_name);
  return is_scale(attributes) && name != attributes.end() && text_of(name->second).starts_with(k_bare_prefix);
}

bool is_scale(hid_t dataset) { return is_scale(some_attributes(dataset, {k_class})); }

bool is_bare_scale(hid_t dataset) { return is_bare_scale(some_attributes(dataset, {k_class, k_name})); }

std::string bare_name(int64_t extent) { return fmt::format("{}.{:10}", k_bare_prefix, extent); }

std::string beside(const std::string& path) {
  const size_t leaf = path.rfind('/') + 1;
  return path.substr(0, leaf).append(k_beside_prefix).append(path, leaf);
}

bool is_beside(const std::string& path) {
  const std::string_view leaf = std::string_view(path).substr(path.rfind('/') + 1);
  return leaf.starts_with(k_beside_prefix) && leaf.size() > k_beside_prefix.size();
}

std::string plain(const std::string& path) {
  const size_t leaf = path.rfind('/') + 1;
  return path.substr(0, leaf) + path.substr(leaf + k_beside_prefix.size());
}

std::string locate(hid_t file, const std::string& path) {
  const Handle object(H5Oopen(file, path.c_str(), H5P_DEFAULT), H5Oclose);
  if (object.valid() && (H5Iget_type(object.get()) != H5I_DATASET || !is_bare_scale(object.get()))) {
    return path;
  }
  H5Eclear2(H5E_DEFAULT);
  const std::string other = beside(path);
  return path != "/" && H5Lexists(file, other.c_str(), H5P_DEFAULT) > 0 ? other : path;
}

Handle open_variable(hid_t file, const std::string& path) {
  Handle dataset(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  if (dataset.valid() && !is_bare_scale(dataset.get())) return dataset;
  Handle other(H5Dopen2(file, beside(path).c_str(), H5P_DEFAULT), H5Dclose);
  H5Eclear2(H5E_DEFAULT);
  return other.valid() ? std::move(other) : std::move(dataset);
}

Result<hobj_ref_t> reference_to(hid_t object) {
  hobj_ref_t reference = 0;
  if (H5Rcreate(&reference, object, ".", H5R_OBJECT, -1) >= 0) return reference;
  return library_failure(Code::io, "HDF5 cannot make a reference");
}

Status make_scale(hid_t dataset, const std::string& name, const std::vector<int>& ids) {
  SCORPIO_TRY(put_text(dataset, k_class, std::string(k_scale_class)));
  SCORPIO_TRY(put_scale_name(dataset, name));
  SCORPIO_TRY(put_dimension_id(dataset, ids.front()));
  // A scale cannot have other scales: ids record its other dimensions.
  if (ids.size() < 2) return erase(dataset, k_coordinates);
  return put(dataset, k_coordinates, H5T_NATIVE_INT, row_space(ids.size()).get(), ids.data());
}

Status unmake_scale(hid_t dataset) {
  for (const char* name : {k_class, k_name, k_attachments, k_dimension_id, k_coordinates}) {
    SCORPIO_TRY(erase(dataset, name));
  }
  return {};
}

Status put_scale_name(hid_t scale, const std::string& name) { return put_text(scale, k_name, name); }

Status put_dimension_id(hid_t dataset, int id) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  return put(dataset, k_dimension_id, H5T_NATIVE_INT, space.get(), &id);
}

Result<std::vector<Attachment>> read_attachments(hid_t scale) {
  std::vector<Attachment> attachments;
  if (H5Aexists(scale, k_attachments) <= 0) return attachments;
  const Handle id(H5Aopen(scale, k_attachments, H5P_DEFAULT), H5Aclose);
  attachments.resize(elements_of(id.get()));
  const Handle type = attachment_type();
  if (!attachments.empty() && H5Aread(id.get(), type.get(), attachments.data()) < 0) {
    return cannot("read", k_attachments);
  }
  return attachments;
}

Status write_attachments(hid_t scale, const std::vector<Attachment>& attachments) {
  if (attachments.empty()) return erase(scale, k_attachments);
  const Handle type = attachment_type();
  return put(scale, k_attachments, type.get(), row_space(attachments.size()).get(), attachments.data());
}

Result<ScaleLists> read_scale_lists(hid_t dataset) {
  ScaleLists lists;
  if (H5Aexists(dataset, k_scale_lists) <= 0) return lists;
  const Handle id(H5Aopen(dataset, k_scale_lists, H5P_DEFAULT), H5Aclose);
  const Handle type = scale_list_type();
  const Handle space(H5Aget_space(id.get()), H5Sclose);
  std::vector<hvl_t> raw(elements_of(id.get()), hvl_t{0, nullptr});
  if (raw.empty()) return lists;
  if (H5Aread(id.get(), type.get(), raw.data()) < 0) return cannot("read", k_scale_lists);
  for (const hvl_t& list : raw) {
    const auto* first = static_cast<const hobj_ref_t*>(list.p);
    lists.emplace_back(first, first + list.len);
  }
  H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, raw.data());
  return lists;
}

Status write_scale_lists(hid_t dataset, const ScaleLists& lists) {
  if (lists.empty()) return erase(dataset, k_scale_lists);
  std::vector<hvl_t> raw;
  for (const auto& list : lists) {
    raw.push_back({list.size(), list.empty() ? nullptr : const_cast<hobj_ref_t*>(list.data())});
  }
  const Handle type = scale_list_type();
  return put(dataset, k_scale_lists, type.get(), row_space(raw.size()).get(), raw.data());
}

}  // namespace scorpio::format::hdf5

#include "format/hdf5/hdf5_rules.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "decomp/shells.h"
#include "format/hdf5/attributes.h"
#include "model/path.h"
#include "model/string_elements.h"

namespace scorpio::format {
namespace {

// Attributes of dimension scales ...
constexpr std::array<std::string_view, 4> k_of_scales{"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST"};
// ... and those of the netCDF-4 format, of variables and of the root group.
constexpr std::array<std::string_view, 2> k_of_variables{"_Netcdf4Dimid", "_Netcdf4Coordinates"};
constexpr std::array<std::string_view, 2> k_of_root{"_NCProperties", "_nc3_strict"};

// A dimension without a coordinate variable has a scale with elements of four bytes, whose total HDF5 limits.
constexpr int64_t k_most_extent = INT64_MAX / 4;

// HDF5 stores their length, with the NUL at the end, in 16 bits.
constexpr size_t k_longest_attribute_name = 65534;

template <typename List>
bool is_in(const List& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// HDF5 takes "." for the group itself; names and paths must not be empty.
Status check_name(const std::string& name) {
  if (!name.empty() && name != "." && name != "..") return {};
  return failure(Code::name, "\"{}\" cannot be a name in HDF5 files; give one with other characters", name);
}

Status check_dimension_name(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return failure(Code::name, "'{}' cannot be the name of a dimension: it holds '/'", name);
  return check_name(name);
}

Status check_no_dimension(const model::Dimensions& dimensions, const std::string& path, const char* what) {
  const auto normal = model::normalise(path);
  if (!normal.ok() || !dimensions.find(model::parent(*normal), model::leaf(*normal))) return {};
  return failure(Code::exists, "{} {}: a dimension has this name; choose another", what, *normal);
}

Status check_several_unlimited(const model::Variable& variable) {
  if (!variable.is_free()) return {};
  const auto unlimited =
      static_cast<size_t>(std::popcount(variable.inner_unlimited)) + (variable.records ? 1 : 0);
  if (unlimited > decomp::Shells::k_most_dims) {
    return failure(Code::limit,
                   "variable {} has {} unlimited dimensions; at most {} are possible, give others an extent",
                   variable.path, unlimited, decomp::Shells::k_most_dims);
  }
  if (!model::holds_strings(variable)) return {};
  return failure(Code::unsupported,
                 "variable {}: strings of variable length can only have an unlimited dimension that is the "
                 "first one; put it there, or give the others an extent",
                 variable.path);
}

}  // namespace

void Hdf5Rules::found(const model::Schema& schema) {
  netcdf4_.classic_model = netcdf4_.classic_model || schema.restricted();
  names_as_given_ = names_as_given_ || netcdf4_.has_other_names(schema);
}

std::string Hdf5Rules::stored_name(std::string name) const {
  return names_as_given_ ? name : netcdf4_.stored_name(std::move(name));
}

Status Hdf5Rules::check_group(const model::Schema& schema, const std::string& path) const {
  SCORPIO_TRY(netcdf4_.check_name(model::leaf(path), "group"));
  SCORPIO_TRY(netcdf4_.check_group(path));
  return check_no_dimension(schema.dimensions(), path, "group");
}

Status Hdf5Rules::check_link(const model::Schema& schema, const std::string& path) const {
  SCORPIO_TRY(netcdf4_.check_link(path));
  return check_no_dimension(schema.dimensions(), path, "soft link");
}

Status Hdf5Rules::check_dimension(const model::Schema& schema, const model::Dimension& dimension) const {
  SCORPIO_TRY(check_dimension_name(dimension.name));
  SCORPIO_TRY(netcdf4_.check_name(dimension.name, "dimension"));
  SCORPIO_TRY(netcdf4_.check_dimension(schema, dimension));
  if (dimension.extent > k_most_extent) {
    return failure(Code::limit, "dimension {} of {}: the longest that HDF5 can describe is {}",
                   dimension.name, dimension.extent, k_most_extent);
  }
  const std::string path = dimension.path();
  if (schema.objects().has_group(path) || schema.objects().links().contains(path) ||
      schema.objects().others().contains(path)) {
    return failure(Code::exists,
                   "dimension {}: HDF5 keeps it as an object of that name, but {} is a group or link; choose "
                   "another name",
                   dimension.name, path);
  }
  if (!dimension.unlimited || !eager_) return {};
  return failure(Code::unsupported,
                 "dimension {}: an eager file has no chunks, and so no unlimited dimensions; give an extent",
                 dimension.name);
}

Status Hdf5Rules::check_variable(const model::Schema& schema, model::Variable& variable) const {
  SCORPIO_TRY(netcdf4_.check_name(model::leaf(variable.path), "variable"));
  SCORPIO_TRY(netcdf4_.check_variable(variable));
  for (size_t at = 0; at < variable.dimensions.size(); ++at) {
    if (variable.dimensions[at] < 0) continue;
    const auto& dimension = schema.dimensions()[variable.dimensions[at]];
    if (!dimension.unlimited) continue;
    SCORPIO_TRY(check_unlimited_dimension(variable, dimension, at));
    if (at == 0) variable.records = true;
    if (at > 0) variable.inner_unlimited |= uint32_t{1} << at;
    variable.dims[at] = dimension.extent;
  }
  return check_several_unlimited(variable);
}

Status Hdf5Rules::check_unlimited_dimension(const model::Variable& variable,
                                            const model::Dimension& dimension, size_t at) const {
  if (eager_) {
    return failure(Code::unsupported,
                   "variable {}: an eager file has no chunks, which the unlimited dimension {} needs",
                   variable.path, dimension.name);
  }
  if (at < model::Variable::k_most_dims_that_grow) return {};
  return failure(Code::limit,
                 "variable {}: the unlimited dimension {} comes after {} others; HDF5 allows no more",
                 variable.path, dimension.name, at);
}

// Chunks have no extent of 0.
Status Hdf5Rules::check_divisible(const model::Dimensions& dimensions, const model::Variable& variable) {
  if (!variable.stays_empty()) return {};
  size_t at = 0;
  while (variable.dims[at] != 0 || variable.grows(at)) ++at;
  return failure(Code::shape,
                 "variable {}: dimension {} has length 0, and HDF5 stores no variable that has such a "
                 "dimension and an unlimited one; give it a length of 1 or more",
                 variable.path, dimensions[variable.dimensions[at]].name);
}

Status Hdf5Rules::check_attribute(const model::Schema& schema, const std::string& object,
                                  const std::string& name, const model::Attribute& attribute) const {
  SCORPIO_TRY(netcdf4_.check_attribute(object, name, attribute));
  if (schema.objects().has_small_attributes(object) && hdf5::exceeds_old_header(name, attribute)) {
    return failure(Code::limit,
                   "attribute {} of {} has {} bytes; another program wrote the object in HDF5's oldest form, "
                   "which holds attributes of less than 64 KiB: make the value shorter, or store it as a "
                   "variable",
                   name, object, attribute.value.size());
  }
  return check_attribute_name(schema, object, name);
}

Status Hdf5Rules::check_attribute_name(const model::Schema& schema, const std::string& object,
                                       const std::string& name) const {
  SCORPIO_TRY(netcdf4_.check_name(name, "attribute"));
  if (name.size() > k_longest_attribute_name) {
    return failure(Code::name, "the name of an attribute of {} has {} bytes; HDF5 keeps {}", object,
                   name.size(), k_longest_attribute_name);
  }
  const bool of_scales = is_in(k_of_scales, name), of_variables = is_in(k_of_variables, name);
  const auto index = of_scales || of_variables ? schema.objects().find_variable(object) : std::nullopt;
  const bool over_dimensions =
      index && std::ranges::any_of(schema.variables()[*index].dimensions, [](int one) { return one >= 0; });
  if ((over_dimensions && of_scales) || (index && of_variables)) {
    return failure(Code::name, "attribute {} of {}: HDF5 keeps the names of dimensions in it; choose another",
                   name, object);
  }
  if (!is_in(k_of_root, name) || object != "/") return {};
  return failure(Code::name,
                 "attribute {} of the file: the netCDF-4 format has it for its own use; choose another name",
                 name);
}

Status Hdf5Rules::check_removal(const model::Schema& schema, const std::string& path) {
  const auto normal = model::normalise(path);
  std::set<std::string> moved;  // names of dimensions that are moved to the root group
  for (size_t i = 0; normal.ok() && i < schema.dimensions().all().size(); ++i) {
    const model::Dimension& dimension = schema.dimensions().all()[i];
    const bool lost = *normal != "/" && model::at_or_below(dimension.group, *normal);
    if (!lost || !schema.variables().use(static_cast<int>(i), *normal)) continue;
    const std::string path_in_root = "/" + dimension.name;
    const bool taken =
        schema.dimensions().find("/", dimension.name) || schema.objects().has_group(path_in_root) ||
        schema.objects().links().contains(path_in_root) || schema.objects().others().contains(path_in_root);
    if (!taken && moved.insert(dimension.name).second) continue;
    return failure(Code::exists,
                   "{} cannot be removed: its dimension {} is that of variables elsewhere, and the root "
                   "group has an object of that name already; rename the dimension first",
                   *normal, dimension.name);
  }
  return {};
}

Status Hdf5Rules::check_rename(const std::string& name) const {
  SCORPIO_TRY(netcdf4_.check_name(name, "dimension, variable or attribute"));
  return check_name(name);
}

Status Hdf5Rules::check_records(const std::string& variable, uint64_t records) {
  if (records <= static_cast<uint64_t>(k_most_extent)) return {};
  return failure(Code::limit, "{} records for {}: the longest dimension that HDF5 can describe is {}",
                 records, variable, k_most_extent);
}

Status Hdf5Rules::check_byte_order(const model::Variable& variable) const {
  if (!eager_) return {};
  return failure(Code::unsupported,
                 "variable {}: it is in the eager file already, with the byte order of this machine",
                 variable.path);
}

Status Hdf5Rules::check_chunks(const model::Variable& variable) const {
  if (!eager_) return {};
  return failure(Code::unsupported, "variable {}: an eager file has no chunks", variable.path);
}

Status Hdf5Rules::check_filters(const model::Variable& variable) {
  if (!model::holds_strings(variable)) return {};
  return failure(Code::unsupported,
                 "variable {}: HDF5 keeps strings of variable length outside of chunks, where filters do not "
                 "change them",
                 variable.path);
}

}  // namespace scorpio::format

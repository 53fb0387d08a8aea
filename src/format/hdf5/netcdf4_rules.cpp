#include "format/hdf5/netcdf4_rules.h"

#include <algorithm>

#include "format/netcdf_names.h"
#include "model/growth.h"
#include "model/path.h"
#include "model/string_elements.h"

namespace scorpio::format {

namespace {

bool is_classic(model::Kind kind) {
  using model::Kind;
  return kind == Kind::int8 || kind == Kind::int16 || kind == Kind::int32 || kind == Kind::float32 ||
         kind == Kind::float64 || kind == Kind::text;
}

bool is_possible(const model::ElementType& type, bool classic_model) {
  return type.kind != model::Kind::opaque && (!classic_model || is_classic(type.kind));
}

Status check_type(const std::string& what, const model::ElementType& type, bool classic_model) {
  if (type.kind == model::Kind::opaque) {
    return failure(Code::type,
                   "{} is {}: netCDF-4 files of this library hold numbers and strings; choose another type",
                   what, model::to_string(type));
  }
  if (is_possible(type, classic_model)) return {};
  return failure(Code::type,
                 "{} is {}, a type that the classic model of netCDF lacks; choose another type, or option "
                 "model = enhanced",
                 what, model::to_string(type));
}

bool is_other(const std::string& name) { return normalised_name(name) != name; }

bool any_other(const model::Attributes& attributes) {
  return std::ranges::any_of(attributes, [](const auto& attribute) { return is_other(attribute.first); });
}

}  // namespace

Status Netcdf4Rules::check_name(const std::string& name, const char* what) const {
  return netcdf4 ? check_netcdf_name(name, what) : Status();
}

std::string Netcdf4Rules::stored_name(std::string name) const {
  if (!netcdf4) return name;
  return normalised_name(std::move(name));
}

bool Netcdf4Rules::has_other_names(const model::Schema& schema) const {
  if (!netcdf4) return false;
  for (const model::Dimension& dimension : schema.dimensions().all()) {
    if (is_other(dimension.name)) return true;
  }
  for (const auto& [path, group] : schema.objects().groups()) {
    if (is_other(path) || any_other(group.attributes)) return true;
  }
  for (int i = 0; i < schema.variables().count(); ++i) {
    if (is_other(schema.variables()[i].path) || any_other(schema.variables()[i].attributes)) return true;
  }
  return false;
}

Status Netcdf4Rules::check_link(const std::string& path) const {
  if (!netcdf4) return {};
  return failure(Code::unsupported,
                 "soft link {}: netCDF-4 files have no links; create the file with format hdf5 to have them",
                 path);
}

Status Netcdf4Rules::check_group(const std::string& path) const {
  if (!classic_model || path == "/") return {};
  return failure(Code::unsupported,
                 "group {}: the classic model of netCDF has no groups; create the file with option "
                 "model = enhanced",
                 path);
}

Status Netcdf4Rules::check_dimension(const model::Schema& schema, const model::Dimension& dimension) const {
  if (!classic_model) return {};
  SCORPIO_TRY(check_group(dimension.group));
  const std::vector<int> others = model::unlimited_dimensions(schema.dimensions(), schema.variables());
  if (!dimension.unlimited || others.empty() || others.front() < 0) return {};
  return failure(Code::limit,
                 "dimension {}: the classic model of netCDF has one unlimited dimension, and {} is one; give "
                 "an extent, or create the file with option model = enhanced",
                 dimension.name, schema.dimensions()[others.front()].name);
}

Status Netcdf4Rules::check_variable(const model::Variable& variable) const {
  if (!netcdf4) return {};
  const std::string what = "variable " + variable.path;
  if (variable.type.kind == model::Kind::text && variable.type.size_bytes != 1) {
    return failure(
        Code::type,
        "{} is {}: netCDF has no variables of strings of fixed length; define one of text[1] with one "
        "more dimension",
        what, model::to_string(variable.type));
  }
  if (classic_model && variable.path.find('/', 1) != std::string::npos) {
    SCORPIO_TRY(check_group(model::parent(variable.path)));
  }
  if (!model::holds_strings(variable)) return check_type(what, variable.type, classic_model);
  if (!classic_model) return {};
  return failure(
      Code::type,
      "{} holds strings of variable length, which the classic model of netCDF lacks; choose option "
      "model = enhanced",
      what);
}

Status Netcdf4Rules::check_attribute(const std::string& object, const std::string& name,
                                     const model::Attribute& attribute) const {
  const bool possible = attribute.dims.size() <= 1 && is_possible(attribute.type, classic_model) &&
                        !(classic_model && attribute.strings);
  if (!netcdf4 || possible) return {};
  const std::string what = "attribute " + name + " of " + object;
  if (attribute.dims.size() > 1) {
    return failure(Code::shape, "{} has {} dimensions: those of netCDF have one; put it as a list", what,
                   attribute.dims.size());
  }
  if (classic_model && attribute.strings)
    return failure(Code::type,
                   "{} is a list of strings, which the classic model of netCDF lacks; put one string, or "
                   "choose option model = enhanced",
                   what);
  return check_type(what, attribute.type, classic_model);
}

}  // namespace scorpio::format

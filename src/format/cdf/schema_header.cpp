#include "format/cdf/schema_header.h"

#include <algorithm>
#include <utility>

#include "format/cdf/byte_order.h"
#include "format/cdf/geometry.h"
#include "format/cdf/limits.h"
#include "format/cdf/type.h"
#include "model/path.h"

namespace scorpio::format::cdf {
namespace {

// ---- from the schema to the header ----

Status check_text(const std::string& name, const model::Attribute& attribute) {
  const bool several =
      std::any_of(attribute.dims.begin(), attribute.dims.end(), [](int64_t extent) { return extent != 1; });
  if (attribute.type.kind != model::Kind::text || attribute.type.size_bytes == 1 || !several) return {};
  return failure(Code::type,
                 "attribute \"{}\" is an array of strings, which classic netCDF files lack: put one string, "
                 "or one attribute for each",
                 name);
}

// In the order of their definition.
Result<std::vector<Attribute>> to_attributes(Version version, const model::Attributes& attributes) {
  std::vector<Attribute> out;
  out.reserve(attributes.size());
  for (const auto& entry : model::in_order(attributes)) {
    SCORPIO_ASSIGN(Attribute attribute, to_attribute(version, entry->first, entry->second));
    out.push_back(std::move(attribute));
  }
  return out;
}

Result<Variable> to_variable(Version version, const model::Variable& variable, const Placement& placement) {
  if (variable.dimensions.size() != variable.dims.size()) {
    return failure(Code::internal, "{} dimensions have names, of {}", variable.dimensions.size(),
                   variable.dims.size());
  }
  Variable out;
  out.name = name_of(variable);
  out.dims.reserve(variable.dimensions.size());
  for (const int id : variable.dimensions) out.dims.push_back(static_cast<uint32_t>(id));
  SCORPIO_ASSIGN(out.type, type_for(version, variable.type.kind));
  SCORPIO_ASSIGN(out.attributes, to_attributes(version, variable.attributes));
  const auto padded = round_up(variable.slab_bytes(), k_padding_bytes);
  if (!padded) return failure(Code::limit, "it has {} bytes: make it smaller", variable.slab_bytes());
  out.vsize = vsize_field(version, *padded);
  out.begin = placement.address().value_or(0);
  return out;
}

// ---- from the header to the schema ----

Status check_path(const std::string& path) {
  const Result<std::string> normal = model::normalise(path);
  if (normal.ok() && *normal == path) return {};
  return failure(Code::unsupported,
                 "the name \"{}\" cannot be a part of a path: rename the object with another tool",
                 path.substr(1));
}

// A name or type that the schema cannot hold is not an error of the file.
Status unsupported(const Status& status, const std::string& name) {
  return failure(Code::unsupported, "the file has \"{}\", which cannot be held: {}", name, status.text());
}

model::Attribute to_model(const Attribute& attribute) {
  const size_t width = size_bytes(attribute.type);
  const size_t count = attribute.values.size() / width;
  const model::Kind kind = element_type(attribute.type).kind;
  model::Attribute out;
  out.value = attribute.values;
  swap_in_place(out.value.data(), width, count);
  out.scalar = attribute.type == Type::text && count > 0 && count <= UINT32_MAX;
  out.type = model::native(kind, out.scalar ? static_cast<uint32_t>(count) : 1);
  if (!out.scalar) out.dims = {static_cast<int64_t>(count)};
  return out;
}

Status put_all(model::Schema& schema, const std::string& path, const std::vector<Attribute>& attributes) {
  for (const Attribute& attribute : attributes) {
    const Status put = schema.put_attribute(path, attribute.name, to_model(attribute));
    if (!put.ok()) return unsupported(put, attribute.name);
  }
  return {};
}

model::Variable to_model(const model::Schema& schema, const Variable& variable, bool records) {
  model::Variable out;
  out.path = "/" + variable.name;
  out.type = element_type(variable.type);
  out.records = records;
  for (const uint32_t id : variable.dims) {
    out.dimensions.push_back(static_cast<int>(id));
    out.dims.push_back(schema.dimensions().all()[id].extent);
  }
  return out;
}

Status add_dimensions(model::Schema& schema, const Header& header, uint64_t records) {
  for (const Dimension& dimension : header.dims) {
    const uint64_t extent = dimension.unlimited ? records : dimension.length;
    const auto added = schema.add_dimension(
        {.name = dimension.name, .extent = static_cast<int64_t>(extent), .unlimited = dimension.unlimited});
    if (!added.ok()) return unsupported(added.status(), dimension.name);
  }
  return {};
}

Status add_variables(Contents& contents, const Header& header, const Geometry& geometry) {
  model::Schema& schema = contents.schema;
  for (size_t i = 0; i < header.variables.size(); ++i) {
    const Variable& variable = header.variables[i];
    const bool records = geometry.variables()[i].record;
    SCORPIO_TRY(check_path("/" + variable.name));
    const auto added = schema.add_variable(to_model(schema, variable, records));
    if (!added.ok()) return unsupported(added.status(), variable.name);
    contents.placements.set(*added, Placement::at(variable.begin, records ? geometry.record_bytes() : 0));
    SCORPIO_TRY(put_all(schema, "/" + variable.name, variable.attributes));
  }
  return {};
}

}  // namespace

std::vector<int> variables_of(const model::Schema& schema) {
  std::vector<int> out;
  for (int i = 0; i < schema.variables().count(); ++i) {
    if (schema.variables().alive(i)) out.push_back(i);
  }
  return out;
}

std::string name_of(const model::Variable& variable) { return variable.path.substr(1); }

Result<Attribute> to_attribute(Version version, const std::string& name, const model::Attribute& attribute) {
  if (!attribute.readable) {
    return failure(Code::type, "attribute \"{}\" is of a type that classic netCDF files lack", name);
  }
  SCORPIO_TRY(check_text(name, attribute));
  Attribute out;
  out.name = name;
  const Result<Type> type = type_for(version, attribute.type.kind);
  if (!type.ok()) return type.status().with_context("attribute \"" + name + "\"");
  out.type = *type;
  out.values = attribute.value;
  const size_t width = size_bytes(out.type);
  swap_in_place(out.values.data(), width, out.values.size() / width);
  return out;
}

Result<Header> to_header(const model::Schema& schema, Version version, const Placements& placements) {
  if (!schema.objects().links().empty()) {
    return failure(Code::unsupported, "{} files have no soft links ({})", name(version),
                   schema.objects().links().begin()->first);
  }
  Header out;
  out.version = version;
  out.records = static_cast<uint64_t>(schema.dimensions().records());
  out.dims.reserve(schema.dimensions().all().size());
  out.variables.reserve(static_cast<size_t>(schema.variables().count()));
  for (const model::Dimension& dimension : schema.dimensions().all()) {
    const auto length = dimension.unlimited ? uint64_t{0} : static_cast<uint64_t>(dimension.extent);
    out.dims.push_back({dimension.name, length, dimension.unlimited});
  }
  SCORPIO_ASSIGN(out.attributes, to_attributes(version, *schema.objects().attributes("/")));
  for (const int index : variables_of(schema)) {
    Result<Variable> variable = to_variable(version, schema.variables()[index], placements.of(index));
    if (!variable.ok()) return variable.status().with_context("variable " + schema.variables()[index].path);
    out.variables.push_back(std::move(variable).value());
  }
  return out;
}

Result<Contents> to_contents(const Header& header, uint64_t file_bytes) {
  SCORPIO_ASSIGN(const Geometry geometry, Geometry::make(header));
  const uint64_t records = header.records == k_streaming ? geometry.records_in(file_bytes) : header.records;
  Contents out;
  SCORPIO_TRY(add_dimensions(out.schema, header, records));
  SCORPIO_TRY(put_all(out.schema, "/", header.attributes));
  SCORPIO_TRY(add_variables(out, header, geometry));
  out.schema.clear_pending();
  return out;
}

}  // namespace scorpio::format::cdf

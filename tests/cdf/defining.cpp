#include "defining.h"

#include <algorithm>
#include <bit>

#include "format/cdf/type.h"
#include "samples.h"

namespace scorpio::format::cdf::test {

void grow_records(model::Schema& schema, int64_t records) {
  const std::vector<int>& unlimited = schema.dimensions().unlimited();
  if (!unlimited.empty()) schema.grow({{unlimited.front(), records}});
}

model::Attribute as_model(const Attribute& attribute) {
  const size_t width = size_bytes(attribute.type);
  const size_t count = attribute.values.size() / width;
  model::Attribute out;
  out.value = attribute.values;
  for (size_t i = 0; i < count && std::endian::native == std::endian::little; ++i) {
    const auto first = out.value.begin() + static_cast<std::ptrdiff_t>(i * width);
    std::reverse(first, first + static_cast<std::ptrdiff_t>(width));
  }
  const bool one_string = attribute.type == Type::text && count > 0;
  out.type = model::native(element_type(attribute.type).kind, one_string ? static_cast<uint32_t>(count) : 1);
  out.scalar = one_string;
  if (!one_string) out.dims = {static_cast<int64_t>(count)};
  return out;
}

model::Attribute text(const std::string& value) { return as_model(text_attribute("", value)); }

Status put_attribute(Layout& layout, model::Schema& schema, const std::string& object,
                     const std::string& name, model::Attribute attribute, bool defining) {
  SCORPIO_TRY(layout.check_attribute(schema, object, name, attribute, defining));
  return schema.put_attribute(object, name, std::move(attribute));
}

Result<int> add_dimension(Layout& layout, model::Schema& schema, const std::string& name, int64_t extent,
                          bool unlimited) {
  model::Dimension dimension{.name = name, .extent = extent, .unlimited = unlimited};
  SCORPIO_TRY(layout.check_dimension(schema, dimension));
  return schema.add_dimension(std::move(dimension));
}

Result<int> add_variable(Layout& layout, model::Schema& schema, const std::string& path,
                         model::ElementType type, const std::vector<int>& dimensions) {
  model::Variable variable;
  variable.path = path;
  variable.type = type;
  variable.dimensions = dimensions;
  for (const int id : dimensions) {
    variable.dims.push_back(schema.dimensions().all().at(static_cast<size_t>(id)).extent);
  }
  SCORPIO_TRY(layout.check_variable(schema, variable));
  SCORPIO_ASSIGN(const int index, schema.add_variable(std::move(variable)));
  SCORPIO_TRY(layout.place(schema, index));
  return index;
}

void define(Layout& layout, model::Schema& schema, const Header& header, const Header& before) {
  for (size_t i = before.dims.size(); i < header.dims.size(); ++i) {
    const Dimension& dimension = header.dims[i];
    take(add_dimension(layout, schema, dimension.name, static_cast<int64_t>(dimension.length),
                       dimension.unlimited));
  }
  for (size_t i = before.attributes.size(); i < header.attributes.size(); ++i) {
    const Attribute& attribute = header.attributes[i];
    expect_ok(put_attribute(layout, schema, "/", attribute.name, as_model(attribute)));
  }
  for (size_t i = before.variables.size(); i < header.variables.size(); ++i) {
    const Variable& variable = header.variables[i];
    const model::Kind kind = element_type(variable.type).kind;
    take(add_variable(layout, schema, "/" + variable.name, model::native(kind),
                      {variable.dims.begin(), variable.dims.end()}));
    for (const Attribute& attribute : variable.attributes) {
      expect_ok(put_attribute(layout, schema, "/" + variable.name, attribute.name, as_model(attribute)));
    }
  }
}

}  // namespace scorpio::format::cdf::test

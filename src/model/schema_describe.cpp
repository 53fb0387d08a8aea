#include "model/schema_describe.h"

#include <algorithm>

#include "base/hash.h"

namespace scorpio::model {
namespace {

constexpr size_t k_shown_bytes = 40;

// The text itself or, for other values, a hash of the value.
std::string value_of(const Attribute& attribute) {
  const std::string_view bytes(reinterpret_cast<const char*>(attribute.value.data()), attribute.value.size());
  const bool shown = attribute.type.kind == Kind::text && bytes.size() <= k_shown_bytes &&
                     std::all_of(bytes.begin(), bytes.end(), [](char c) { return c >= ' ' && c <= '~'; });
  return shown ? fmt::format("\"{}\"", bytes)
               : fmt::format("{} bytes with checksum {:016x}", bytes.size(), fnv1a(bytes));
}

void add(std::string& text, const std::string& object, const Attributes& attributes) {
  for (const auto& [name, attribute] : attributes) {
    text +=
        fmt::format("attribute {} of {}, {}{}{} = {}\n", name, object, attribute.strings ? "list of " : "",
                    attribute.foreign == nullptr ? to_string(attribute.type) : attribute.foreign->description,
                    attribute.scalar ? std::string() : fmt::format(" ({})", fmt::join(attribute.dims, ", ")),
                    value_of(attribute));
  }
}

std::string line_of(const Schema& schema, const Variable& variable) {
  std::string dims;
  for (size_t d = 0; d < variable.dims.size(); ++d) {
    const int id = d < variable.dimensions.size() ? variable.dimensions[d] : -1;
    const std::string name = id < 0 ? std::string() : schema.dimensions()[id].name;
    dims += fmt::format("{}{}{}{}", d == 0 ? "" : ", ", name, name.empty() ? "" : " = ", variable.dims[d]);
  }
  const Storage& storage = variable.storage;
  const std::string chunks =
      storage.form == Storage::Form::chunked
          ? fmt::format(", in chunks ({}), filters ({}) with ({})", fmt::join(storage.chunk, ", "),
                        fmt::join(storage.filters, ", "), fmt::join(storage.parameters, ", "))
          : std::string();
  return fmt::format("variable {}, {} ({}){}{}\n", variable.path, to_string(variable.type), dims,
                     variable.filled ? ", filled" : "", chunks);
}

}  // namespace

std::string describe(const Schema& schema) {
  std::string text;
  for (const Dimension& dimension : schema.dimensions().all()) {
    const std::string name = dimension.group == "/" ? dimension.name : dimension.path();
    text += dimension.unlimited ? fmt::format("dimension {}, unlimited\n", name)
                                : fmt::format("dimension {} = {}\n", name, dimension.extent);
  }
  for (const auto& [path, group] : schema.objects().groups()) {
    text += fmt::format("group {}\n", path);
    add(text, path, group.attributes);
  }
  for (int i = 0; i < schema.variables().count(); ++i) {
    if (!schema.variables().alive(i)) continue;
    const Variable& variable = schema.variables()[i];
    text += line_of(schema, variable);
    add(text, variable.path, variable.attributes);
  }
  for (const auto& [path, link] : schema.objects().links())
    text += fmt::format("link {} to {}\n", path, link.target);
  return text;
}

}  // namespace scorpio::model

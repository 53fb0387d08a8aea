#include "samples.h"

#include <array>

#include "format/cdf/alignment.h"
#include "format/cdf/places.h"
#include "format/cdf/type.h"

namespace scorpio::format::cdf::test {
namespace {

// Composed characters only: the stock libraries normalise names (NFC) before they store them.
constexpr std::array<const char*, 12> k_pieces{
    "a", "Z9", "_", "x.y", " b", "+-@", "\xC3\xA9", "\xE6\xB8\xA9", "\xF0\x9F\x8C\x8A", "#,;", "q", "~"};

// `index` makes it different from the others of its kind.
std::string random_name(Random& random, const Shape& shape, size_t index) {
  std::string out = "n" + std::to_string(index);
  if (shape.plain_names) return out + std::string(between(random, 0, 5), 'k');
  if (between(random, 0, 2) == 0) out = "\xC3\xA9" + out;
  const uint64_t pieces = between(random, 0, between(random, 0, 9) == 0 ? 30 : 5);
  for (uint64_t i = 0; i < pieces; ++i) out += k_pieces[between(random, 0, k_pieces.size() - 1)];
  return out;
}

Type random_type(Random& random, Version version) {
  return static_cast<Type>(between(random, 1, version == Version::cdf5 ? 11 : 6));
}

void add_attributes(Random& random, const Shape& shape, std::vector<Attribute>& out) {
  const uint64_t count = between(random, 0, static_cast<uint64_t>(shape.most));
  for (uint64_t i = 0; i < count; ++i) {
    Attribute attribute;
    attribute.name = random_name(random, shape, out.size());
    attribute.type = random_type(random, shape.version);
    attribute.values.resize(between(random, 0, 9) * size_bytes(attribute.type));
    for (std::byte& value : attribute.values) value = static_cast<std::byte>(between(random, 1, 120));
    out.push_back(std::move(attribute));
  }
}

bool has_unlimited(const Header& header) {
  for (const Dimension& dimension : header.dims) {
    if (dimension.unlimited) return true;
  }
  return false;
}

void add_dimensions(Random& random, const Shape& shape, Header& header) {
  const uint64_t count = between(random, 0, static_cast<uint64_t>(shape.most));
  for (uint64_t i = 0; i < count; ++i) {
    Dimension dimension;
    dimension.name = random_name(random, shape, header.dims.size());
    dimension.unlimited = shape.unlimited && !has_unlimited(header) && between(random, 0, 1) == 0;
    if (!dimension.unlimited) dimension.length = between(random, 1, shape.longest);
    header.dims.push_back(std::move(dimension));
  }
}

void add_sample_variable(Random& random, const Shape& shape, Header& header) {
  Variable variable;
  variable.name = random_name(random, shape, header.variables.size());
  variable.type = random_type(random, shape.version);
  const uint64_t dims = header.dims.empty() ? 0 : between(random, 0, 3);
  for (uint64_t i = 0; i < dims; ++i) {
    const auto id = static_cast<uint32_t>(between(random, 0, header.dims.size() - 1));
    if (header.dims[id].unlimited && !variable.dims.empty()) continue;
    variable.dims.push_back(id);
  }
  add_attributes(random, shape, variable.attributes);
  header.variables.push_back(std::move(variable));
}

}  // namespace

uint64_t between(Random& random, uint64_t low, uint64_t high) {
  return std::uniform_int_distribution<uint64_t>(low, high)(random);
}

Version random_version(Random& random) {
  return std::array{Version::cdf1, Version::cdf2, Version::cdf5}[between(random, 0, 2)];
}

void grow(Random& random, const Shape& shape, Header& header) {
  add_dimensions(random, shape, header);
  add_attributes(random, shape, header.attributes);
  const uint64_t variables = between(random, 0, static_cast<uint64_t>(shape.most));
  for (uint64_t i = 0; i < variables; ++i) add_sample_variable(random, shape, header);
}

Header random_header(Random& random, const Shape& shape) {
  Header header;
  header.version = shape.version;
  grow(random, shape, header);
  if (has_unlimited(header) && between(random, 0, 1) == 0) header.records = between(random, 1, 5);
  return header;
}

Attribute text_attribute(const std::string& name, const std::string& value) {
  return {name, Type::text, bytes_of(value)};
}

bool place_randomly(Random& random, Header& header) {
  Alignment alignment;
  alignment.data = 4 * between(random, 1, 200);
  alignment.variable = 4 * between(random, 1, 3);
  alignment.header_free = between(random, 0, 100);
  return place(header, alignment).ok();
}

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

std::vector<std::byte> from_hex(const std::string& digits) {
  std::vector<std::byte> out;
  std::string pair;
  for (const char digit : digits) {
    if (digit == ' ') continue;
    pair += digit;
    if (pair.size() < 2) continue;
    out.push_back(static_cast<std::byte>(std::stoul(pair, nullptr, 16)));
    pair.clear();
  }
  return out;
}

std::string to_hex(const void* data, size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::string out;
  for (size_t i = 0; i < size; ++i) {
    out += "0123456789abcdef"[bytes[i] >> 4];
    out += "0123456789abcdef"[bytes[i] & 15];
  }
  return out;
}

}  // namespace scorpio::format::cdf::test

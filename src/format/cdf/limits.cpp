#include "format/cdf/limits.h"

#include <algorithm>

#include "format/cdf/type.h"
#include "format/netcdf_names.h"

namespace scorpio::format::cdf {
namespace {

constexpr uint64_t k_31_bits = (uint64_t{1} << 31) - 1;
constexpr uint64_t k_32_bits = (uint64_t{1} << 32) - 1;

// The version that the message recommends.
const char* remedy(Version version) {
  return version == Version::cdf1 ? "create the file as CDF-2 or CDF-5 (option format = cdf2 or cdf5)"
                                  : "create the file as CDF-5 (option format = cdf5)";
}

template <typename Item>
Status check_free(const std::vector<Item>& items, const std::string& name, const char* what) {
  const bool taken =
      std::any_of(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
  return taken ? failure(Code::exists, "there is a {} \"{}\" already: choose another name", what, name)
               : Status();
}

Status check_count(Version version, uint64_t count, const char* what, const std::string& name) {
  const uint64_t highest = limits(version).count;
  if (count <= highest) return {};
  return failure(Code::limit, "{} \"{}\": {} files hold {} of them, not {}: {}", what, name,
                 cdf::name(version), highest, count, remedy(version));
}

Status check_type(Version version, Type type, const char* what, const std::string& name) {
  const auto code = static_cast<uint32_t>(type);
  if (holds(version, code)) return {};
  if (!holds(Version::cdf5, code)) {
    return failure(Code::type, "{} \"{}\" has the type code {}: classic netCDF has 1 to 11", what, name,
                   code);
  }
  return failure(Code::type, "{} \"{}\" is of type {}, which {} files lack: {}", what, name, cdf::name(type),
                 cdf::name(version), remedy(version == Version::cdf1 ? Version::cdf2 : version));
}

// The index of the one variable that may be larger than others; the number of variables if there is none.
size_t unlimited_one(const Geometry& geometry) {
  const auto& variables = geometry.variables();
  if (geometry.record_variables() == 0) return variables.empty() ? 0 : variables.size() - 1;
  size_t last = 0;
  for (size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].record) last = i;
  }
  return last;
}

}  // namespace

Limits limits(Version version) {
  if (version == Version::cdf1) {
    return {.dimension = k_31_bits - 3,
            .variable = k_31_bits - 3,
            .begin = k_31_bits,
            .count = k_31_bits,
            .records = k_32_bits - 1};
  }
  if (version == Version::cdf2) {
    return {.dimension = k_32_bits - 3,
            .variable = k_32_bits - 3,
            .begin = k_offset_limit,
            .count = k_31_bits,
            .records = k_32_bits - 1};
  }
  return {.dimension = k_offset_limit,
          .variable = k_offset_limit - 3,
          .begin = k_offset_limit,
          .count = k_offset_limit,
          .records = k_offset_limit};
}

Status check_dimension(const Header& header, const Dimension& dimension) {
  SCORPIO_TRY(check_netcdf_name(dimension.name, "dimension"));
  SCORPIO_TRY(check_free(header.dims, dimension.name, "dimension"));
  SCORPIO_TRY(check_count(header.version, header.dims.size() + 1, "dimension", dimension.name));
  if (dimension.unlimited) {
    const auto other =
        std::find_if(header.dims.begin(), header.dims.end(), [](const Dimension& d) { return d.unlimited; });
    if (other == header.dims.end()) return {};
    return failure(Code::limit,
                   "dimension \"{}\" is unlimited, and so is \"{}\": classic netCDF files have one unlimited "
                   "dimension, give this one a length",
                   dimension.name, other->name);
  }
  if (dimension.length == 0) {
    return failure(Code::limit,
                   "dimension \"{}\" has length 0, which classic netCDF files cannot hold: give 1 or more",
                   dimension.name);
  }
  const uint64_t longest = limits(header.version).dimension;
  if (dimension.length <= longest) return {};
  return failure(Code::limit, "dimension \"{}\" has length {}: {} files hold up to {}, {}", dimension.name,
                 dimension.length, name(header.version), longest,
                 header.version == Version::cdf5 ? "make it shorter" : remedy(header.version));
}

Status check_attribute(Version version, const std::vector<Attribute>& owner, const Attribute& attribute) {
  SCORPIO_TRY(check_netcdf_name(attribute.name, "attribute"));
  SCORPIO_TRY(check_free(owner, attribute.name, "attribute"));
  SCORPIO_TRY(check_type(version, attribute.type, "attribute", attribute.name));
  SCORPIO_TRY(check_count(version, owner.size() + 1, "attribute", attribute.name));
  const size_t element_bytes = size_bytes(attribute.type);
  if (attribute.values.size() % element_bytes != 0) {
    return failure(Code::argument, "attribute \"{}\" has {} bytes, no multiple of the {} of {}",
                   attribute.name, attribute.values.size(), element_bytes, name(attribute.type));
  }
  return check_count(version, attribute.values.size() / element_bytes, "elements of attribute",
                     attribute.name);
}

Status check_variable(const Header& header, const Variable& variable) {
  SCORPIO_TRY(check_netcdf_name(variable.name, "variable"));
  SCORPIO_TRY(check_free(header.variables, variable.name, "variable"));
  SCORPIO_TRY(check_type(header.version, variable.type, "variable", variable.name));
  SCORPIO_TRY(check_count(header.version, header.variables.size() + 1, "variable", variable.name));
  SCORPIO_TRY(check_count(header.version, variable.dims.size(), "dimensions of variable", variable.name));
  return slab_bytes(header, variable).status();
}

Result<Geometry> check_sizes(const Header& header) {
  SCORPIO_ASSIGN(Geometry geometry, Geometry::of_sizes(header));
  const uint64_t largest = limits(header.version).variable;
  const size_t exception =
      header.version == Version::cdf5 ? header.variables.size() : unlimited_one(geometry);
  for (size_t i = 0; i < header.variables.size(); ++i) {
    const Extent& extent = geometry.variables()[i];
    if (extent.padded_bytes <= largest || i == exception) continue;
    return failure(
        Code::limit,
        "variable \"{}\" has {} bytes{}: {} files hold up to {} (only the last variable, or the last with "
        "records, may have more): {}",
        header.variables[i].name, extent.padded_bytes, extent.record ? " a record" : "", name(header.version),
        largest, header.version == Version::cdf5 ? "make it smaller" : remedy(header.version));
  }
  return geometry;
}

Status check_places(const Header& header) {
  const Limits most = limits(header.version);
  if (header.records != k_streaming && header.records > most.records) {
    return failure(Code::limit, "{} records: {} files hold up to {}, {}", header.records,
                   name(header.version), most.records, remedy(header.version));
  }
  for (const Variable& variable : header.variables) {
    if (variable.begin <= most.begin) continue;
    return failure(Code::limit, "variable \"{}\" would begin at byte {}: in {} files {} is the highest, {}",
                   variable.name, variable.begin, name(header.version), most.begin, remedy(header.version));
  }
  return {};
}

uint64_t vsize_field(Version version, uint64_t padded_bytes) {
  return version == Version::cdf5 || padded_bytes <= k_32_bits - 3 ? padded_bytes : k_32_bits;
}

}  // namespace scorpio::format::cdf

#include "format/cdf/header_reader.h"

#include <cstring>
#include <utility>

#include "format/cdf/geometry.h"
#include "format/cdf/header_check.h"
#include "format/cdf/header_cursor.h"
#include "format/cdf/type.h"

namespace scorpio::format::cdf {
namespace {

class Parser {
 public:
  Parser(HeaderSource& source, const ReadLimits& limits)
      : in_(source, limits.header_bytes, limits.piece_bytes) {}

  Result<ParsedHeader> parse();

 private:
  void parse_magic();
  void parse_records();
  std::string parse_name();
  // The tag of a list and its number of items.
  uint64_t parse_list(Tag tag, const char* what, uint64_t item_bytes);
  Type parse_type(const char* what, const std::string& name);
  // A number of elements that fits into 63 bits; `field` says which.
  uint64_t non_negative(uint64_t value, const char* field);
  Dimension parse_dimension();
  std::vector<Attribute> parse_attributes();
  Attribute parse_attribute();
  std::vector<uint32_t> parse_dim_ids();
  Variable parse_variable();

  // The least that an item takes: an empty name (a count), and its other fields.
  uint64_t least_dimension() const { return 2 * in_.count_bytes(); }
  uint64_t least_attribute() const { return 2 * in_.count_bytes() + 4; }
  uint64_t least_variable() const { return 4 * in_.count_bytes() + 8 + in_.offset_bytes(); }

  HeaderCursor in_;
  ParsedHeader out_;
};

void Parser::parse_magic() {
  const uint32_t magic = in_.word();
  const uint32_t version = magic & 0xFF;
  if (!in_.ok()) return;
  if ((magic & ~0xFFU) != k_magic) {
    in_.fail(failure(Code::format,
                     "the file begins with the bytes {:08X}, not with \"CDF\": it is not a classic "
                     "netCDF file",
                     magic));
  } else if (version != 1 && version != 2 && version != 5) {
    in_.fail(failure(Code::format, "the file is of CDF version {}: 1, 2 and 5 are known", version));
  } else {
    out_.header.version = static_cast<Version>(version);
    in_.set_version(out_.header.version);
  }
}

void Parser::parse_records() {
  const uint64_t records = in_.count();
  const uint64_t streaming = in_.count_bytes() == 8 ? UINT64_MAX : UINT32_MAX;
  out_.header.records = records == streaming ? k_streaming : non_negative(records, "the number of records");
}

uint64_t Parser::non_negative(uint64_t value, const char* field) {
  if (value <= k_offset_limit) return value;
  in_.fail(
      failure(Code::format, "{} before byte {} is {:#x}, which is negative", field, in_.position(), value));
  return 0;
}

std::string Parser::parse_name() {
  std::string name = in_.text("characters of a name");
  // netCDF-C leaves the length of a name that it makes shorter in data mode, and adds zeros.
  name.resize(strnlen(name.data(), name.size()));
  return name;
}

uint64_t Parser::parse_list(Tag tag, const char* what, uint64_t item_bytes) {
  const uint64_t at = in_.position();
  const uint32_t found = in_.word();
  const uint64_t items = in_.items(what, item_bytes);
  if (!in_.ok() || found == static_cast<uint32_t>(tag)) return items;
  if (found != static_cast<uint32_t>(Tag::absent)) {
    in_.fail(failure(Code::format, "the list of {} at byte {} has the tag {:#x} instead of {:#x}", what, at,
                     found, static_cast<uint32_t>(tag)));
  } else if (items != 0) {
    in_.fail(failure(Code::format, "the list of {} at byte {} is absent, yet it has {}", what, at, items));
  }
  return 0;
}

Type Parser::parse_type(const char* what, const std::string& name) {
  const uint64_t at = in_.position();
  const uint32_t code = in_.word();
  if (in_.ok() && !holds(out_.header.version, code)) {
    in_.fail(failure(Code::format, "{} \"{:.256}\" has at byte {} the type code {}, which {} files lack",
                     what, name, at, code, cdf::name(out_.header.version)));
  }
  return in_.ok() ? static_cast<Type>(code) : Type::int8;
}

Dimension Parser::parse_dimension() {
  Dimension out;
  out.name = parse_name();
  out.length = non_negative(in_.count(), "a dimension's length");
  out.unlimited = out.length == 0;
  return out;
}

Attribute Parser::parse_attribute() {
  Attribute out;
  out.name = parse_name();
  out.type = parse_type("attribute", out.name);
  const size_t element_bytes = size_bytes(out.type);
  out.values = in_.raw(element_bytes * in_.items("elements of an attribute", element_bytes));
  return out;
}

std::vector<Attribute> Parser::parse_attributes() {
  std::vector<Attribute> out;
  const uint64_t items = parse_list(Tag::attributes, "attributes", least_attribute());
  for (uint64_t i = 0; i < items && in_.ok(); ++i) out.push_back(parse_attribute());
  return out;
}

std::vector<uint32_t> Parser::parse_dim_ids() {
  std::vector<uint32_t> out;
  const uint64_t items = in_.items("dimensions of a variable", in_.count_bytes());
  for (uint64_t i = 0; i < items && in_.ok(); ++i) {
    const uint64_t at = in_.position();
    const uint64_t id = in_.count();
    if (in_.ok() && id >= out_.header.dims.size()) {
      in_.fail(failure(Code::format,
                       "a variable has at byte {} the dimension id {}; the file has {} dimensions", at, id,
                       out_.header.dims.size()));
    }
    out.push_back(static_cast<uint32_t>(id));
  }
  return out;
}

Variable Parser::parse_variable() {
  Variable out;
  out.name = parse_name();
  out.dims = parse_dim_ids();
  out.attributes = parse_attributes();
  out.type = parse_type("variable", out.name);
  out.vsize = in_.count();
  out.begin = in_.offset();
  const uint64_t most = in_.offset_bytes() == 4 ? INT32_MAX : k_offset_limit;
  if (out.begin > most) {
    in_.fail(failure(Code::format,
                     "variable \"{:.256}\" begins at the offset {:#x} (before byte {}), which is negative",
                     out.name, out.begin, in_.position()));
  }
  return out;
}

Result<ParsedHeader> Parser::parse() {
  parse_magic();
  parse_records();
  Header& header = out_.header;
  const uint64_t dims = parse_list(Tag::dimensions, "dimensions", least_dimension());
  for (uint64_t i = 0; i < dims && in_.ok(); ++i) header.dims.push_back(parse_dimension());
  header.attributes = parse_attributes();
  const uint64_t variables = parse_list(Tag::variables, "variables", least_variable());
  for (uint64_t i = 0; i < variables && in_.ok(); ++i) header.variables.push_back(parse_variable());
  SCORPIO_TRY(in_.status());
  out_.bytes = in_.position();
  SCORPIO_TRY(check_header(header, out_.bytes));
  return std::move(out_);
}

}  // namespace

Result<ParsedHeader> read_header(HeaderSource& source, const ReadLimits& limits) {
  return Parser(source, limits).parse();
}

}  // namespace scorpio::format::cdf

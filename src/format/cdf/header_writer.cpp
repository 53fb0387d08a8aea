#include "format/cdf/header_writer.h"

#include "format/cdf/geometry.h"
#include "format/cdf/header_fields.h"
#include "format/cdf/limits.h"
#include "format/cdf/type.h"

namespace scorpio::format::cdf {
namespace {

// Collects bytes, or only counts them.
class Output {
 public:
  Output(Version version, std::vector<std::byte>* bytes) : widths_(widths(version)), bytes_(bytes) {}

  uint64_t size() const { return size_; }

  void word(uint32_t value) { integer(value, 4); }
  void count(uint64_t value) { integer(value, widths_.count); }
  void offset(uint64_t value) { integer(value, widths_.offset); }
  void raw(const void* data, size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    if (bytes_ != nullptr && size > 0) bytes_->insert(bytes_->end(), first, first + size);
    size_ += size;
    while (size_ % k_padding_bytes != 0) integer(0, 1);
  }
  void text(const std::string& value) {
    count(value.size());
    raw(value.data(), value.size());
  }

 private:
  void integer(uint64_t value, unsigned width) {
    size_ += width;
    if (bytes_ == nullptr) return;
    for (unsigned shift = 8 * width; shift > 0; shift -= 8) {
      bytes_->push_back(static_cast<std::byte>(value >> (shift - 8)));
    }
  }

  Widths widths_;
  std::vector<std::byte>* bytes_;
  uint64_t size_ = 0;
};

void put_list(Output& out, Tag tag, size_t items) {
  out.word(items == 0 ? 0 : static_cast<uint32_t>(tag));
  out.count(items);
}

void put(Output& out, const std::vector<Attribute>& attributes) {
  put_list(out, Tag::attributes, attributes.size());
  for (const Attribute& attribute : attributes) {
    out.text(attribute.name);
    out.word(static_cast<uint32_t>(attribute.type));
    out.count(attribute.values.size() / size_bytes(attribute.type));
    out.raw(attribute.values.data(), attribute.values.size());
  }
}

void put(Output& out, const Variable& variable) {
  out.text(variable.name);
  out.count(variable.dims.size());
  for (const uint32_t id : variable.dims) out.count(id);
  put(out, variable.attributes);
  out.word(static_cast<uint32_t>(variable.type));
  out.count(variable.vsize);
  out.offset(variable.begin);
}

void put(Output& out, const Header& header) {
  out.word(k_magic | static_cast<uint32_t>(header.version));
  out.count(header.records);
  put_list(out, Tag::dimensions, header.dims.size());
  for (const Dimension& dimension : header.dims) {
    out.text(dimension.name);
    out.count(dimension.unlimited ? 0 : dimension.length);
  }
  put(out, header.attributes);
  put_list(out, Tag::variables, header.variables.size());
  for (const Variable& variable : header.variables) put(out, variable);
}

Status check_attributes(Version version, const std::vector<Attribute>& attributes) {
  for (const Attribute& attribute : attributes) {
    if (holds(version, static_cast<uint32_t>(attribute.type))) continue;
    return failure(Code::type, "attribute \"{}\" has the type code {}, which {} files lack", attribute.name,
                   static_cast<uint32_t>(attribute.type), name(version));
  }
  return {};
}

Status check_fields(const Header& header) {
  SCORPIO_TRY(check_places(header));
  SCORPIO_TRY(check_attributes(header.version, header.attributes));
  for (const Variable& variable : header.variables) {
    SCORPIO_TRY(check_attributes(header.version, variable.attributes));
    if (!holds(header.version, static_cast<uint32_t>(variable.type))) {
      return failure(Code::type, "variable \"{}\" has the type code {}, which {} files lack", variable.name,
                     static_cast<uint32_t>(variable.type), name(header.version));
    }
    if (variable.vsize != vsize_field(header.version, variable.vsize)) {
      return failure(Code::limit, "variable \"{}\" has the vsize {}, which its field of 4 bytes cannot hold",
                     variable.name, variable.vsize);
    }
  }
  const uint64_t longest = limits(header.version).dimension;
  for (const Dimension& dimension : header.dims) {
    if (dimension.length <= longest) continue;
    return failure(Code::limit, "dimension \"{}\" has length {}; {} files hold up to {}", dimension.name,
                   dimension.length, name(header.version), longest);
  }
  return {};
}

}  // namespace

uint64_t header_bytes(const Header& header) {
  Output counter(header.version, nullptr);
  put(counter, header);
  return counter.size();
}

Result<std::vector<std::byte>> write_header(const Header& header) {
  SCORPIO_TRY(check_fields(header));
  std::vector<std::byte> bytes;
  bytes.reserve(header_bytes(header));
  Output out(header.version, &bytes);
  put(out, header);
  return bytes;
}

Result<std::vector<std::byte>> write_records(Version version, uint64_t records) {
  Header counted;
  counted.version = version;
  counted.records = records;
  SCORPIO_TRY(check_places(counted));
  std::vector<std::byte> bytes;
  Output(version, &bytes).count(records);
  return bytes;
}

}  // namespace scorpio::format::cdf

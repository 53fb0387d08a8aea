#include "format/hdf5/attributes.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "format/hdf5/dataspace.h"
#include "format/hdf5/errors.h"
#include "format/hdf5/types.h"
#include "format/hdf5/visitor.h"
#include "model/extents.h"

namespace scorpio::format::hdf5 {
namespace {

bool holds_utf8(const model::Attribute& attribute) {
  return attribute.type.kind == model::Kind::text &&
         std::any_of(attribute.value.begin(), attribute.value.end(),
                     [](std::byte value) { return (value & std::byte{0x80}) != std::byte{0}; });
}

// The form in which netCDF-C writes texts: marked as terminated, although there is no space for a NUL.
TextForm form_of(bool utf8) { return {.utf8 = utf8, .terminated = true}; }

// It has a space of its own (TypeCache), because an array of no elements is read as a list of no texts.
bool is_empty_text(const model::Attribute& attribute) {
  return attribute.type.kind == model::Kind::text && attribute.type.size_bytes <= 1 &&
         attribute.dims.size() <= 1 && attribute.value.empty() && !attribute.strings;
}

Status write_strings(hid_t id, hid_t type, const model::Attribute& attribute) {
  if (attribute.value.empty()) return {};
  std::vector<std::string> texts;
  std::vector<const char*> values;
  for (size_t at = 0; at < attribute.value.size(); at += attribute.type.size_bytes) {
    const auto* text = reinterpret_cast<const char*>(attribute.value.data() + at);
    texts.emplace_back(text, strnlen(text, attribute.type.size_bytes));
  }
  for (const std::string& text : texts) values.push_back(text.c_str());
  return H5Awrite(id, type, values.data()) < 0 ? library_failure(Code::io, "HDF5 cannot write its value")
                                               : Status();
}

Status write_value(hid_t id, const model::Attribute& attribute, bool utf8, TypeCache& types) {
  if (attribute.value.empty() && !is_empty_text(attribute)) return {};
  SCORPIO_ASSIGN(const hid_t memory_type,
                 types.type(model::native(attribute.type.kind, attribute.type.size_bytes), form_of(utf8)));
  const std::byte nothing{0};
  const void* value = attribute.value.empty() ? &nothing : attribute.value.data();
  return H5Awrite(id, memory_type, value) < 0 ? library_failure(Code::io, "HDF5 cannot write its value")
                                              : Status();
}

bool is_same_shape(hid_t id, hid_t type, hid_t space) {
  const Handle old_type(H5Aget_type(id), H5Tclose);
  const Handle old_space(H5Aget_space(id), H5Sclose);
  return H5Tequal(old_type.get(), type) > 0 && H5Sextent_equal(old_space.get(), space) > 0;
}

Result<Handle> open_or_create(hid_t object, const std::string& name, hid_t type, hid_t space, bool fresh) {
  if (!fresh && H5Aexists(object, name.c_str()) > 0) {
    Handle old(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
    if (old.valid() && is_same_shape(old.get(), type, space)) return old;
    old.close();
    if (H5Adelete(object, name.c_str()) < 0)
      return library_failure(Code::io, "HDF5 cannot remove its old value");
  }
  Handle made(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!made.valid()) return library_failure(Code::format, "HDF5 cannot create it");
  return made;
}

// The copy of an attribute of another program.
Status write_foreign(hid_t id, hid_t type, const model::Attribute& attribute) {
  if (attribute.value.empty()) return {};
  SCORPIO_ASSIGN(const Handle memory_type, make_memory_type(type, attribute.type));
  if (H5Tget_size(memory_type.get()) == attribute.type.size_bytes &&
      H5Awrite(id, memory_type.get(), attribute.value.data()) >= 0)
    return {};
  return library_failure(Code::io, "HDF5 cannot write its value");
}

Status replace(hid_t object, const std::string& name, const model::Attribute& attribute, bool fresh,
               TypeCache& types) {
  types.trim();
  const bool utf8 = holds_utf8(attribute),
             foreign = attribute.foreign != nullptr && !attribute.foreign->encoded.empty();
  Handle decoded;
  if (foreign) {
    SCORPIO_ASSIGN(decoded, decode_type(attribute.foreign->encoded));
  }
  SCORPIO_ASSIGN(const hid_t type, foreign             ? Result<hid_t>(types.named(decoded.get()))
                                   : attribute.strings ? types.strings()
                                                       : types.type(attribute.type, form_of(utf8)));
  Handle list;
  hid_t space = is_empty_text(attribute) ? types.empty_text() : types.scalar();
  if (!attribute.scalar && !is_empty_text(attribute)) {
    SCORPIO_ASSIGN(list, make_space({false, attribute.dims}));
    space = list.get();
  }
  SCORPIO_ASSIGN(const Handle id, open_or_create(object, name, type, space, fresh));
  if (foreign) return write_foreign(id.get(), type, attribute);
  return attribute.strings ? write_strings(id.get(), type, attribute)
                           : write_value(id.get(), attribute, utf8, types);
}

// `fresh`: the object has no attribute of this name.
Status write_attribute(hid_t object, const std::string& name, const model::Attribute& attribute, bool fresh,
                       TypeCache& types) {
  const Status status = replace(object, name, attribute, fresh, types);
  return status.with_context(fmt::format("attribute {} of {} bytes", name, attribute.value.size()));
}

size_t elements_of(const model::Attribute& attribute) {
  size_t elements = 1;
  for (const int64_t extent : attribute.dims) elements *= static_cast<size_t>(extent);
  return elements;
}

Status read_variable_text(hid_t id, model::Attribute& attribute) {
  const Handle type(H5Aget_type(id), H5Tclose);
  const Handle space(H5Aget_space(id), H5Sclose);
  std::vector<char*> texts(elements_of(attribute), nullptr);
  if (!texts.empty() && H5Aread(id, type.get(), texts.data()) < 0) {
    return library_failure(Code::format, "its text cannot be read");
  }
  size_t longest = 1;
  for (const char* text : texts) longest = std::max(longest, text == nullptr ? 0 : std::strlen(text));
  const bool fits = model::fits_in_list(texts.size(), longest);
  if (fits) {
    attribute.type = model::native(model::Kind::text, static_cast<uint32_t>(longest));
    attribute.strings = true;
    attribute.value.assign(texts.size() * longest, std::byte{0});
  }
  for (size_t i = 0; fits && i < texts.size(); ++i) {
    if (texts[i] != nullptr)
      std::memcpy(attribute.value.data() + i * longest, texts[i], std::strlen(texts[i]));
  }
  if (!texts.empty()) H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, texts.data());
  if (fits) return {};
  return failure(Code::limit, "its {} strings with up to {} bytes each take too much memory", texts.size(),
                 longest);
}

Status read_value(hid_t id, hid_t stored, model::Attribute& attribute) {
  SCORPIO_ASSIGN(const Handle memory_type, make_memory_type(stored, attribute.type));
  attribute.value.resize(elements_of(attribute) * attribute.type.size_bytes);
  if (attribute.value.empty()) return {};
  if (H5Aread(id, memory_type.get(), attribute.value.data()) >= 0) return {};
  return library_failure(Code::format, "its value cannot be read");
}

Result<model::Attribute> read_open(hid_t id) {
  const Handle type(H5Aget_type(id), H5Tclose);
  const Handle space(H5Aget_space(id), H5Sclose);
  SCORPIO_ASSIGN(Shape shape, examine_space(space.get()));
  const TypeFacts facts = examine_type(type.get());
  SCORPIO_TRY(model::array_bytes(shape.dims, facts.type.size_bytes).status());
  model::Attribute attribute;
  // Values are stored in the byte order of this machine, whatever that of the file is.
  attribute.type = model::native(facts.type.kind, facts.type.size_bytes);
  attribute.scalar = shape.scalar;
  attribute.dims = std::move(shape.dims);
  if (facts.variable_text) {
    SCORPIO_TRY(read_variable_text(id, attribute));
    return attribute;
  }
  attribute.readable = facts.convertible || facts.bytes_alone;
  if (!facts.foreign.empty()) {
    model::ForeignType foreign{facts.foreign, attribute.readable ? encode_type(type.get()) : std::string()};
    attribute.foreign = std::make_shared<const model::ForeignType>(std::move(foreign));
  }
  if (!attribute.readable) {
    attribute.unreadable = "its type can only be read with HDF5 itself: " + facts.foreign;
    return attribute;
  }
  SCORPIO_TRY(read_value(id, type.get(), attribute));
  return attribute;
}

// An attribute that cannot be read does not prevent the others from being read.
model::Attribute unreadable_attribute(const Status& why) {
  model::Attribute attribute;
  attribute.type = model::native(model::Kind::opaque);
  attribute.readable = false;
  attribute.unreadable = why.text();
  return attribute;
}

struct Reading {
  model::Attributes attributes;
  VisitorException exception;
};

// The number in the order of creation, if the object records it; otherwise attributes are ordered by name.
uint64_t place_of(const H5A_info_t& info) {
  return info.corder_valid ? static_cast<uint64_t>(info.corder) : 0;
}

herr_t visit(hid_t object, const char* name, const H5A_info_t* info, void* data) {
  auto* reading = static_cast<Reading*>(data);
  return reading->exception.keep([&] {
    Result<model::Attribute> attribute = read_attribute(object, name);
    if (!attribute.ok()) attribute = unreadable_attribute(attribute.status());
    attribute->order = place_of(*info);
    reading->attributes.insert_or_assign(name, std::move(attribute).value());
    return 0;
  });
}

}  // namespace

void number_in_order(model::Attributes& attributes) {
  uint64_t last = 0;
  for (const auto& entry : in_order(attributes)) entry->second.order = ++last;
}

bool exceeds_old_header(const std::string& name, const model::Attribute& attribute) {
  constexpr size_t k_largest_message = 65535;
  constexpr size_t k_described = 64;        // the description of a simple type, and of a list
  constexpr size_t k_reference_bytes = 16;  // to one text of a list, which the file keeps elsewhere
  const size_t value = attribute.strings
                           ? attribute.value.size() / attribute.type.size_bytes * k_reference_bytes
                           : attribute.value.size();
  const size_t type = attribute.foreign != nullptr ? attribute.foreign->encoded.size() : 0;
  return value + type + name.size() + k_described > k_largest_message;
}

Status write_attributes(hid_t object, const model::Attributes& attributes, model::PendingObject& pending,
                        bool fresh, TypeCache& types) {
  const auto entries = in_order(attributes);
  for (size_t i = 0; i < entries.size(); ++i) {
    const auto& [name, attribute] = *entries[i];
    if (!pending.has_attribute(name) || !attribute.readable) continue;
    const Status written = write_attribute(object, name, attribute, fresh, types);
    if (!written.ok()) {
      if (std::exchange(pending.all_attributes, false)) {
        for (; i < entries.size(); ++i) pending.add_attribute(entries[i]->first, false);
      }
      return written;
    }
    pending.attributes.erase(name);
  }
  pending.all_attributes = false;
  return {};
}

Result<model::Attribute> read_attribute(hid_t object, const std::string& name) {
  const Handle id(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!id.valid()) return library_failure(Code::format, fmt::format("attribute {} cannot be opened", name));
  return read_open(id.get());
}

Result<model::Attributes> read_attributes(hid_t object) {
  Reading reading;
  hsize_t position = 0;
  // In another order HDF5 1.10 lists them in a table first, and may end the program where the file is
  // damaged.
  const herr_t done = H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, &position, visit, &reading);
  reading.exception.rethrow();
  if (done < 0) {
    return library_failure(Code::format, "the attributes cannot be listed");
  }
  number_in_order(reading.attributes);
  return std::move(reading.attributes);
}

}  // namespace scorpio::format::hdf5

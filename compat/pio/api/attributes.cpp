// Attributes. Local.
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pio/base/define.h"
#include "pio/base/iotypes.h"
#include "pio/base/names.h"
#include "pio/base/number_ranges.h"
#include "pio/base/numbers.h"
#include "pio/base/types.h"
#include "pio/calls/calls.h"

using namespace scorpio_pio;

namespace {

struct Shape {
  nc_type type = PIO_NAT;
  scorpio_type native_type = SCORPIO_TEXT;
  size_t element_bytes = 0;
  int64_t length = 0;  // in characters if it is a text, else in values
};

constexpr int k_most_dimensions = 32;

int code_of(int native, int varid) {
  const Meaning meaning{varid == PIO_GLOBAL ? PIO_EBADID : PIO_ENOTVAR, PIO_ENOTATT, PIO_EINVAL};
  return natively(native, meaning);
}

int check_object(const File& file, int varid) {
  return varid == PIO_GLOBAL ? PIO_NOERR : file.check_variable(varid);
}

int shape_of(File& file, int varid, const char* name, Shape& shape) {
  if (name == nullptr) return fail(PIO_EINVAL, "the name of the attribute is NULL");
  int ndims = 0;
  int64_t dims[k_most_dimensions] = {};
  const int code = code_of(scorpio_attribute_inquire(file.native(), varid, name, &shape.native_type,
                                                     &shape.element_bytes, &ndims, dims, k_most_dimensions),
                           varid);
  if (code == PIO_ENOTATT) return not_found("attribute", name, code);
  if (code != PIO_NOERR) return code;
  shape.type = type_of(shape.native_type);
  shape.length = shape.native_type == SCORPIO_TEXT ? static_cast<int64_t>(shape.element_bytes) : 1;
  for (int d = 0; d < ndims; ++d) shape.length *= dims[d];
  int64_t strings = -1;
  (void)scorpio_attribute_string_count(file.native(), varid, name, &strings);
  if (strings < 0) return code;
  shape.type = PIO_STRING;
  shape.length = strings;
  return code;
}

int check_values(const char* name, PIO_Offset len, const void* values) {
  if (const int wrong = check_new_name("attribute", name); wrong != PIO_NOERR) return wrong;
  if (len >= 0 && (len == 0 || values != nullptr)) return PIO_NOERR;
  return fail(PIO_EINVAL, "attribute ", name, ": the number of values is ", len,
              ", or the values are NULL; give 0 or more, and their address");
}

Definition definition_of(int varid, const char* name, PIO_Offset len, nc_type stored, nc_type memory) {
  Definition definition;
  definition.kind = Definition::Kind::attribute;
  definition.object = varid;
  definition.name = name;
  definition.length = len;
  definition.stored = stored;
  definition.memory = memory;
  return definition;
}

int put_strings(File& file, int varid, const char* name, PIO_Offset len, const char* const* texts) {
  if (const int wrong = check_values(name, len, texts); wrong != PIO_NOERR) return wrong;
  if (file.is_classic())
    return fail(PIO_EBADTYPE, "attribute ", name, ": ", file.path(),
                " is a classic file, which has no strings");
  Definition definition = definition_of(varid, name, len, PIO_STRING, PIO_STRING);
  for (PIO_Offset i = 0; i < len; ++i) {
    if (texts[i] != nullptr) definition.value += texts[i];
    definition.value += '\0';
  }
  return code_of(file.definitions().define(std::move(definition)), varid);
}

int get_strings(File& file, int varid, const char* name, const Shape& shape,
                std::vector<std::string>& texts) {
  std::string all(static_cast<size_t>(shape.length) * shape.element_bytes, '\0');
  const int code =
      code_of(scorpio_attribute_get(file.native(), varid, name, SCORPIO_TEXT, all.data(), all.size()), varid);
  for (size_t at = 0; code == PIO_NOERR && at < all.size(); at += shape.element_bytes)
    texts.emplace_back(all.c_str() + at, strnlen(all.c_str() + at, shape.element_bytes));
  return code;
}

// The texts belong to the caller, as with netCDF-C: free() releases each of them.
int get_strings(File& file, int varid, const char* name, const Shape& shape, char** values) {
  std::vector<std::string> texts;
  const int code = get_strings(file, varid, name, shape, texts);
  for (size_t i = 0; i < texts.size(); ++i) {
    values[i] = strdup(texts[i].c_str());
    if (values[i] != nullptr) continue;
    while (i > 0) free(values[--i]);
    return fail(PIO_ENOMEM, "no memory for attribute ", name);
  }
  return code;
}

// Makes the values those of the stored type. Returns whether all are in its range.
bool convert(Definition& definition, Rules rules) {
  const auto n = static_cast<size_t>(definition.length);
  std::string stored(n * element_of(definition.stored)->bytes, '\0');
  const bool fits =
      convert_numbers(definition.memory, definition.value.data(), definition.stored, stored.data(), n, rules);
  definition.value = std::move(stored);
  definition.memory = definition.stored;
  return fits;
}

int out_of_range(const char* name) {
  return fail(PIO_ERANGE, "attribute ", name, ": values are out of the range of their new type");
}

// In data mode netCDF-C looks for the object and at the type before it refuses a definition.
int check_in_data_mode(const File& file, int varid, nc_type stored) {
  if (!file.definitions().needs_redef()) return PIO_NOERR;
  if (const int code = check_object(file, varid); code != PIO_NOERR) return code;
  if (has_first_types_only(file.format()) && stored > PIO_DOUBLE && stored <= PIO_UINT64)
    return fail(PIO_EBADTYPE, file.path(), " cannot hold the type ", name_of(stored),
                "; create the file with PIO_64BIT_DATA, or as netCDF-4");
  return PIO_NOERR;
}

// The values of an attribute, of a type in memory and another one in the file.
struct Values {
  nc_type stored, memory;
  PIO_Offset length;
  const void* data;
};

int put(File& file, int varid, const char* name, const Values& values) {
  const auto [stored, memory_given, length, data] = values;
  const nc_type memory = signed_as_stored(file.format(), memory_given, stored);
  if (stored == PIO_STRING && memory == PIO_STRING)
    return put_strings(file, varid, name, length, static_cast<const char* const*>(data));
  if (const int wrong = check_in_data_mode(file, varid, stored); wrong != PIO_NOERR) return wrong;
  const auto in_file = element_of(stored);
  const auto in_memory = element_of(memory);
  // In the order of netCDF-C.
  if (const int wrong = check_object(file, varid); wrong != PIO_NOERR) return wrong;
  if (!in_file && file.is_classic()) return fail(PIO_EBADTYPE, stored, " is not a type of attributes");
  if (const int wrong = check_values(name, length, data); wrong != PIO_NOERR) return wrong;
  if (!in_file || !in_memory) return fail(PIO_EBADTYPE, "attribute ", name, ": ", stored, " is not a type");
  if (is_text(stored) != is_text(memory))
    return fail(PIO_ECHAR, "attribute ", name, ": text and numbers cannot be converted into each other");
  Definition definition = definition_of(varid, name, length, stored, memory);
  if (length > 0)
    definition.value.assign(static_cast<const char*>(data), static_cast<size_t>(length) * in_memory->bytes);
  if (const int code = file.definitions().check_room(definition); code != PIO_NOERR) return code;
  const auto rules = rules_of(file.format(), memory, stored, Rules::classic_put);
  const bool fits = !rules || convert(definition, *rules);
  const int code = code_of(file.definitions().define(std::move(definition)), varid);
  return code != PIO_NOERR || fits ? code : out_of_range(name);
}

int get_converted(File& file, int varid, const char* name, const Shape& shape, nc_type memory, Rules rules,
                  void* values) {
  const Element element = *element_of(shape.type);
  const auto n = static_cast<size_t>(shape.length);
  std::vector<std::byte> stored(n * element.bytes);
  const int code = code_of(
      scorpio_attribute_get(file.native(), varid, name, element.type, stored.data(), stored.size()), varid);
  if (code != PIO_NOERR) return code;
  return convert_numbers(shape.type, stored.data(), memory, values, n, rules) ? code : out_of_range(name);
}

// `memory`: PIO_NAT for the type of the attribute.
int get(File& file, int varid, const char* name, nc_type memory, void* values) {
  Shape shape;
  const int code = shape_of(file, varid, name, shape);
  if (code != PIO_NOERR) return code;
  if (shape.length == 0) return PIO_NOERR;
  if (values == nullptr) return fail(PIO_EINVAL, "attribute ", name, ": the buffer is NULL");
  memory = signed_as_stored(file.format(), memory, shape.type);
  const bool text = shape.native_type == SCORPIO_TEXT;
  if (shape.type == PIO_STRING && memory == PIO_NAT)
    return get_strings(file, varid, name, shape, static_cast<char**>(values));
  if (shape.type == PIO_STRING)
    return fail(PIO_ECHAR, "attribute ", name, " is a list of strings, which PIOc_get_att reads");
  if (memory != PIO_NAT && is_text(memory) != text)
    return fail(PIO_ECHAR, "attribute ", name, ": text and numbers cannot be converted into each other");
  const auto element = element_of(memory == PIO_NAT ? shape.type : memory);
  if (!element) return fail(PIO_EBADTYPE, "attribute ", name, " has a type that netCDF has no name for");
  if (memory != PIO_NAT && shape.type != PIO_NAT) {
    const auto rules = rules_of(file.format(), shape.type, memory, Rules::classic_get);
    if (rules) return get_converted(file, varid, name, shape, memory, *rules, values);
  }
  return code_of(scorpio_attribute_get(file.native(), varid, name, element->type, values,
                                       static_cast<size_t>(shape.length) * element->bytes),
                 varid);
}

int position_of(File& file, int varid, const char* name, int& position) {
  Shape shape;
  int count = 0;
  const int code = shape_of(file, varid, name, shape);
  if (code != PIO_NOERR) return code;
  (void)scorpio_attribute_count(file.native(), varid, &count);
  for (position = 0; position < count; ++position) {
    std::string candidate(std::string(name).size() + 2, '\0');  // longer names are truncated, and differ
    (void)scorpio_attribute_name(file.native(), varid, position, candidate.data(), candidate.size(), nullptr);
    if (candidate.c_str() == std::string(name)) return PIO_NOERR;
  }
  return fail(PIO_ENOTATT, "attribute ", name, " was not found");
}

int copy_strings(File& from, int from_object, const char* name, const Shape& shape, File& to, int to_object) {
  std::vector<std::string> texts;
  const int code = get_strings(from, from_object, name, shape, texts);
  std::vector<const char*> values;
  for (const std::string& text : texts) values.push_back(text.c_str());
  return code != PIO_NOERR ? code : put_strings(to, to_object, name, shape.length, values.data());
}

int copy(File& from, int from_object, const char* name, File& to, int to_object) {
  Shape shape;
  int code = shape_of(from, from_object, name, shape);
  if (code != PIO_NOERR) return code;
  if (shape.type == PIO_STRING) return copy_strings(from, from_object, name, shape, to, to_object);
  const auto element = element_of(shape.type);
  if (!element) return fail(PIO_EBADTYPE, "attribute ", name, " has a type that netCDF has no name for");
  std::vector<char> values(static_cast<size_t>(shape.length) * element->bytes + 1);
  code = get(from, from_object, name, PIO_NAT, values.data());
  return code != PIO_NOERR ? code
                           : put(to, to_object, name, {shape.type, shape.type, shape.length, values.data()});
}

}  // namespace

PIOC(int, inq_att, (int ncid, int varid, const char* name, nc_type* xtypep, PIO_Offset* lenp)) {
  return file_inquiry(ncid, [&](File& file) {
    Shape shape;
    const int code = shape_of(file, varid, name, shape);
    if (code != PIO_NOERR) return code;
    if (xtypep != nullptr) *xtypep = shape.type;
    if (lenp != nullptr) *lenp = shape.length;
    return PIO_NOERR;
  });
}

PIOC(int, inq_attid, (int ncid, int varid, const char* name, int* idp)) {
  return file_inquiry(ncid, [&](File& file) {
    int position = 0;
    const int code = position_of(file, varid, name, position);
    if (code == PIO_NOERR && idp != nullptr) *idp = position;
    return code;
  });
}

PIOC(int, inq_attlen, (int ncid, int varid, const char* name, PIO_Offset* lenp)) {
  return scorpio_pio_inq_att(ncid, varid, name, nullptr, lenp);
}

PIOC(int, inq_atttype, (int ncid, int varid, const char* name, nc_type* xtypep)) {
  return scorpio_pio_inq_att(ncid, varid, name, xtypep, nullptr);
}

PIOC(int, inq_attname, (int ncid, int varid, int attnum, char* name)) {
  return handled_file_inquiry(__func__, ncid, [&](File& file) {
    char unused = 0;
    const int native = scorpio_attribute_name(file.native(), varid, attnum, name != nullptr ? name : &unused,
                                              name != nullptr ? PIO_MAX_NAME + 1 : 1, nullptr);
    if (native == SCORPIO_ERR_ARGUMENT) {
      (void)natively(native);
      return fail_with(PIO_ENOTATT, reason());
    }
    return code_of(native, varid);
  });
}

PIOC(int, rename_att, (int ncid, int varid, const char* name, const char* newname)) {
  return file_change(__func__, ncid, [&](File& file) {
    if (name == nullptr || newname == nullptr) return fail(PIO_EINVAL, "a name of the attribute is NULL");
    // As with netCDF-C, a wrong variable comes before a wrong name in classic files alone.
    int wrong = file.is_classic() && file.is_writable() ? check_object(file, varid) : PIO_NOERR;
    if (wrong == PIO_NOERR) wrong = check_new_name("attribute", newname);
    if (wrong != PIO_NOERR) return wrong;
    Definition definition;
    definition.kind = Definition::Kind::attribute_name;
    definition.object = varid;
    definition.name = name;
    definition.new_name = newname;
    Shape shape;
    if (file.is_writable()) {
      if (const int missing = shape_of(file, varid, name, shape); missing != PIO_NOERR) return missing;
      if (shape_of(file, varid, newname, shape) == PIO_NOERR)
        return fail(PIO_ENAMEINUSE, "there is an attribute ", newname, " already");
    }
    if (const int code = file.definitions().check_room(definition); code != PIO_NOERR) return code;
    return code_of(file.definitions().define(std::move(definition)), varid);
  });
}

PIOC(int, del_att, (int ncid, int varid, const char* name)) {
  return file_change(__func__, ncid, [&](File& file) {
    if (name == nullptr) return fail(PIO_EINVAL, "the name of the attribute is NULL");
    if (file.is_classic() && file.is_writable() && !file.is_defining())
      return fail(PIO_ENOTINDEFINE, file.path(), " is not in define mode");
    Definition definition;
    definition.kind = Definition::Kind::removal;
    definition.object = varid;
    definition.name = name;
    const int code = code_of(file.definitions().define(std::move(definition)), varid);
    return code != PIO_ENOTATT ? code : not_found("attribute", name, code);
  });
}

PIOC(int, copy_att, (int incid, int ivarid, const char* name, int oncid, int ovarid)) {
  return file_change(__func__, oncid, [&](File& to) {
    const auto from = Registry::instance().file(incid);
    return from == nullptr ? no_such_file(incid) : copy(*from, ivarid, name, to, ovarid);
  });
}

PIOC(int, put_att, (int ncid, int varid, const char* name, nc_type xtype, PIO_Offset len, const void* op)) {
  return file_change(__func__, ncid, [&](File& file) {
    return put(file, varid, name, {xtype, xtype, len, op});
  });
}

PIOC(int, put_att_text, (int ncid, int varid, const char* name, PIO_Offset len, const char* op)) {
  return file_change(__func__, ncid, [&](File& file) {
    return put(file, varid, name, {PIO_CHAR, PIO_CHAR, len, op});
  });
}

PIOC(int, get_att, (int ncid, int varid, const char* name, void* ip)) {
  return file_inquiry(ncid, [&](File& file) { return get(file, varid, name, PIO_NAT, ip); });
}

PIOC(int, get_att_text, (int ncid, int varid, const char* name, char* ip)) {
  return file_inquiry(ncid, [&](File& file) { return get(file, varid, name, PIO_CHAR, ip); });
}

#define FAMILY(NAME, T, TYPE)                                                                 \
  PIOC(int, put_att_##NAME,                                                                   \
       (int ncid, int varid, const char* name, nc_type xtype, PIO_Offset len, const T* op)) { \
    return file_change(__func__, ncid, [&](File& file) {                                      \
      return put(file, varid, name, {xtype, TYPE, len, op});                                  \
    });                                                                                       \
  }                                                                                           \
  PIOC(int, get_att_##NAME, (int ncid, int varid, const char* name, T* ip)) {                 \
    return file_inquiry(ncid, [&](File& file) { return get(file, varid, name, TYPE, ip); });  \
  }
SCORPIO_PIO_NUMBERS(FAMILY)

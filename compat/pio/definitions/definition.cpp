#include "pio/definitions/definition.h"

#include <cstring>
#include <optional>

#include "common/fingerprint.h"
#include "pio/base/types.h"

namespace scorpio_pio {

namespace {

void append(std::string& bytes, int64_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void append(std::string& bytes, const std::string& text) {
  append(bytes, static_cast<int64_t>(text.size()));
  bytes += text;
}

int64_t number(const std::string& bytes, size_t& at) {
  int64_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  at += sizeof value;
  return value;
}

std::string text(const std::string& bytes, size_t& at) {
  const auto length = static_cast<size_t>(number(bytes, at));
  at += length;
  return bytes.substr(at - length, length);
}

// The texts follow one another, each with its NUL.
int put_strings(scorpio_file* file, const Definition& definition) {
  std::vector<const char*> texts;
  for (const char* text = definition.value.c_str(); texts.size() < static_cast<size_t>(definition.length);
       text += std::strlen(text) + 1)
    texts.push_back(text);
  return scorpio_attribute_put_strings(file, definition.object, definition.name.c_str(), definition.length,
                                       texts.data());
}

int put_attribute(scorpio_file* file, const Definition& definition) {
  if (definition.stored == PIO_STRING) return put_strings(file, definition);
  const bool one_text = is_text(definition.stored) && definition.length > 0;
  const int64_t dims[] = {definition.length};
  return scorpio_attribute_put(file, definition.object, definition.name.c_str(),
                               element_of(definition.stored)->type,
                               one_text ? static_cast<size_t>(definition.length) : 1, one_text ? 0 : 1, dims,
                               element_of(definition.memory)->type, definition.value.data());
}

// For later variables, and for those that cannot have data yet; for the others the native call fails, and
// they keep their setting.
int set_fill_mode(scorpio_file* file, int filled) {
  const int code = scorpio_file_fill_set(file, filled, nullptr);
  if (code != SCORPIO_OK) return code;
  int count = 0;
  (void)scorpio_file_variables(file, nullptr, 0, &count);
  for (int variable = 0; variable < count; ++variable)
    (void)scorpio_variable_fill_define(file, variable, filled, nullptr);
  return SCORPIO_OK;
}

size_t padded(size_t bytes) { return (bytes + 3) / 4 * 4; }

bool value_fits(size_t bytes, std::optional<size_t> old_bytes) {
  return old_bytes && padded(bytes) <= padded(*old_bytes);
}

// In bytes; empty: there is no such attribute.
std::optional<size_t> attribute_bytes(scorpio_file* file, int object, const std::string& name) {
  scorpio_type type = SCORPIO_TEXT;
  size_t bytes = 0;
  int ndims = 0;
  int64_t dims[1] = {1};
  if (scorpio_attribute_inquire(file, object, name.c_str(), &type, &bytes, &ndims, dims, 1) != SCORPIO_OK)
    return std::nullopt;
  return ndims == 0 ? bytes : bytes * static_cast<size_t>(dims[0]);
}

int define_filters(scorpio_file* file, const Definition& definition) {
  std::vector<int> filters, parameters;
  for (size_t i = 0; i + 1 < definition.numbers.size(); i += 2) {
    filters.push_back(static_cast<int>(definition.numbers[i]));
    parameters.push_back(static_cast<int>(definition.numbers[i + 1]));
  }
  return scorpio_variable_define_filters(file, definition.object, static_cast<int>(filters.size()),
                                         filters.data(), parameters.data());
}

}  // namespace

bool Definition::needs_place() const {
  return kind == Kind::dimension || kind == Kind::variable || kind == Kind::fill_mode || kind == Kind::fill;
}

bool Definition::renames() const {
  return kind == Kind::dimension_name || kind == Kind::variable_name || kind == Kind::attribute_name;
}

bool Definition::fits_in_place(scorpio_file* file) const {
  switch (kind) {
    case Kind::attribute:
      return stored != PIO_STRING && value_fits(static_cast<size_t>(length) * element_of(stored)->bytes,
                                                attribute_bytes(file, object, name));
    case Kind::removal:
      return true;
    default:
      return false;
  }
}

int Definition::make(scorpio_file* file, int* id) const {
  int unused = -1;
  if (id == nullptr) id = &unused;
  switch (kind) {
    case Kind::dimension:
      return scorpio_dimension_define(file, name.c_str(), length, id);
    case Kind::variable:
      if (stored == PIO_STRING)
        return scorpio_variable_define_strings(file, name.c_str(), static_cast<int>(dimensions.size()),
                                               dimensions.data(), id);
      return scorpio_variable_define_on(file, name.c_str(), element_of(stored)->type,
                                        static_cast<int>(dimensions.size()), dimensions.data(), id);
    case Kind::attribute:
      return put_attribute(file, *this);
    case Kind::dimension_name:
      return scorpio_dimension_rename(file, object, new_name.c_str());
    case Kind::variable_name:
      return scorpio_variable_rename(file, object, new_name.c_str());
    case Kind::attribute_name:
      return scorpio_attribute_rename(file, object, name.c_str(), new_name.c_str());
    case Kind::removal:
      return scorpio_attribute_remove(file, object, name.c_str());
    case Kind::fill_mode:
      return set_fill_mode(file, static_cast<int>(length));
    case Kind::fill:
      return scorpio_variable_fill_define(file, object, static_cast<int>(length),
                                          has_value ? value.data() : nullptr);
    case Kind::chunks:
      return scorpio_variable_define_chunks(file, object, numbers.data());
    case Kind::filters:
      return define_filters(file, *this);
    case Kind::byte_order:
      return scorpio_variable_define_endianness(file, object, static_cast<scorpio_endianness>(length));
    case Kind::form:
      return SCORPIO_OK;
  }
  return SCORPIO_ERR_INTERNAL;
}

void Definition::append_to(std::string& bytes) const {
  append(bytes, static_cast<int64_t>(kind));
  append(bytes, object);
  append(bytes, name);
  append(bytes, new_name);
  append(bytes, length);
  append(bytes, stored);
  append(bytes, memory);
  append(bytes, static_cast<int64_t>(dimensions.size()));
  for (const int dimension : dimensions) append(bytes, dimension);
  append(bytes, static_cast<int64_t>(numbers.size()));
  for (const int64_t one : numbers) append(bytes, one);
  append(bytes, value);
  append(bytes, has_value ? 1 : 0);
}

// Each rank computes it for each of its definitions, so that it is made of words where it can be.
uint64_t Definition::print_after(uint64_t before) const {
  scorpio_compat::Fingerprint print;
  print.add(static_cast<int64_t>(before)).add(static_cast<int64_t>(kind)).add(int64_t{object});
  print.add(name).add(new_name).add(length).add(int64_t{stored}).add(int64_t{memory});
  print.add(static_cast<int64_t>(dimensions.size()));
  for (const int dimension : dimensions) print.add(int64_t{dimension});
  print.add(static_cast<int64_t>(numbers.size()));
  for (const int64_t one : numbers) print.add(one);
  return print.add(value).add(int64_t{has_value ? 1 : 0}).value();
}

Definition Definition::from(const std::string& bytes, size_t& at) {
  Definition definition;
  definition.kind = static_cast<Kind>(number(bytes, at));
  definition.object = static_cast<int>(number(bytes, at));
  definition.name = text(bytes, at);
  definition.new_name = text(bytes, at);
  definition.length = number(bytes, at);
  definition.stored = static_cast<nc_type>(number(bytes, at));
  definition.memory = static_cast<nc_type>(number(bytes, at));
  definition.dimensions.resize(static_cast<size_t>(number(bytes, at)));
  for (int& dimension : definition.dimensions) dimension = static_cast<int>(number(bytes, at));
  definition.numbers.resize(static_cast<size_t>(number(bytes, at)));
  for (int64_t& one : definition.numbers) one = number(bytes, at);
  definition.value = text(bytes, at);
  definition.has_value = number(bytes, at) != 0;
  return definition;
}

}  // namespace scorpio_pio

#include "attributes.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "common/limited_waits.h"
#include "dataset_arguments.h"
#include "failure.h"
#include "meeting.h"

namespace scorpio2012 {

namespace {

// Texts in the file end with NUL, because some readers rely on it.
std::optional<Element> attribute_element(int datatype, Family family, const void* text) {
  if (datatype != k_string) return element_of(datatype, family);
  const size_t bytes = text == nullptr ? 1 : std::strlen(static_cast<const char*>(text)) + 1;
  return Element{SCORPIO_TEXT, bytes};
}

Proposal propose_attribute(const char* function, const Place& place, const AttributeArguments& arguments) {
  Proposal proposal = propose(function, place, arguments.handle, arguments.object);
  proposal.call.add(arguments.name).add(int64_t{arguments.type});
  return proposal;
}

// An attribute of an open file, which may not exist.
struct Attribute {
  scorpio_file* file;
  std::string path;  // path of the group or dataset
  const char* name;
  int object = 0;  // set by look_up()
};

// Whether the object has the attribute; k_failure if the object does not exist.
int look_up(Attribute& attribute) {
  int kind = SCORPIO_OBJECT_NONE;
  if (scorpio_object_find(attribute.file, attribute.path.c_str(), &kind, &attribute.object) != SCORPIO_OK)
    return fail_natively();
  if (kind != SCORPIO_OBJECT_GROUP && kind != SCORPIO_OBJECT_VARIABLE)
    return fail("there is no group or dataset " + attribute.path);
  const int code = scorpio_attribute_inquire(attribute.file, attribute.object, attribute.name, nullptr,
                                             nullptr, nullptr, nullptr, 0);
  return code == SCORPIO_OK ? 0 : k_no_attribute;
}

}  // namespace

std::optional<Extents> attribute_extents(int ndims, const int* adims) {
  return ndims == 0 ? Extents() : extents_of(ndims, adims);
}

namespace {

// The size of a value with these arguments; none if they are invalid. Strings are written one by one.
std::optional<uint64_t> bytes_to_write(const AttributeArguments& arguments,
                                       const std::optional<Element>& element) {
  if (arguments.name == nullptr || !element || !arguments.adims) return std::nullopt;
  if (arguments.type == k_string && !arguments.adims->empty()) return std::nullopt;
  const auto elements = volume(*arguments.adims);
  const uint64_t most = INT_MAX / element->bytes;
  if (!elements || static_cast<uint64_t>(*elements) > most) return std::nullopt;
  return static_cast<uint64_t>(*elements) * element->bytes;
}

// The value of an attribute that is written: the array of the caller on rank 0, a copy of it on the others.
class SharedValue {
 public:
  // Collective. `data`: on rank 0. It goes in pieces for which every rank has memory.
  SharedValue(const Assembly& assembly, const void* data, uint64_t bytes) {
    const bool is_first = assembly.rank() == 0;
    if (!is_first) copy_.reset(new (std::nothrow) char[bytes]);
    value_ = is_first ? data : copy_.get();
    std::array<char, k_piece> piece{};
    for (uint64_t at = 0; at < bytes; at += k_piece) {
      const uint64_t n = std::min(k_piece, bytes - at);
      if (is_first) std::memcpy(piece.data(), static_cast<const char*>(data) + at, n);
      scorpio_compat::broadcast(piece.data(), static_cast<int>(n), MPI_BYTE, 0, assembly.comm());
      if (copy_ != nullptr) std::memcpy(copy_.get() + at, piece.data(), n);
    }
  }
  // NULL: this rank has no memory for it.
  const void* get() const { return value_; }

 private:
  static constexpr uint64_t k_piece = 8192;
  std::unique_ptr<char[]> copy_;
  const void* value_ = nullptr;
};

}  // namespace

int write_attribute(iogroup_t* shown, const AttributeArguments& arguments, const void* data) {
  const Place place = place_of(shown, arguments.handle);
  if (place.group == nullptr) return k_failure;
  const bool mine = place.group->assembly().rank() == 0;
  Proposal proposal = propose_attribute("write_attr", place, arguments);
  proposal.call.add(arguments.adims);
  const auto element = attribute_element(arguments.type, arguments.family, mine ? data : nullptr);
  const auto bytes = bytes_to_write(arguments, element);
  proposal.from_rank0 = bytes.value_or(0);
  const bool lacks_data = mine && data == nullptr && proposal.from_rank0 > 0;
  if (proposal.error == 0) proposal.error = check_writable(place);
  if (!bytes || lacks_data)
    proposal.error =
        fail("the name or the value is NULL, attributes do not have the type, or the extents are wrong");
  const Outcome outcome = meet(place.group->assembly(), proposal);
  if (outcome.error != 0) return outcome.error;
  Attribute attribute{place.file->native(), absolute_path(arguments.object), arguments.name};
  if (const int there = look_up(attribute); there != k_no_attribute) return there;
  const SharedValue value(place.group->assembly(), data, outcome.from_rank0);
  const size_t element_bytes = arguments.type == k_string ? outcome.from_rank0 : element->bytes;
  // A rank without memory makes the call, too: the missing value of one rank is a failure on all.
  const int code = scorpio_attribute_put(attribute.file, attribute.object, attribute.name, element->type,
                                         element_bytes, static_cast<int>(arguments.adims->size()),
                                         arguments.adims->data(), element->type, value.get());
  return code == SCORPIO_OK ? place.file->refresh() : fail_natively();
}

namespace {

struct FoundAttribute {
  Element element{};
  Extents dims;
};

std::optional<FoundAttribute> find_attribute(const Attribute& attribute) {
  FoundAttribute found;
  int ndims = 0;
  found.dims.resize(k_most_dimensions);
  const int code =
      scorpio_attribute_inquire(attribute.file, attribute.object, attribute.name, &found.element.type,
                                &found.element.bytes, &ndims, found.dims.data(), k_most_dimensions);
  if (code != SCORPIO_OK) return std::nullopt;
  found.dims.resize(static_cast<size_t>(ndims));
  return found;
}

std::string no_attribute(const Attribute& attribute) {
  return attribute.path + " has no attribute " + attribute.name;
}

// BYTE is an 8-bit integer in files of one family, and opaque in those of the other.
bool same_type(const AttributeArguments& arguments, const Element& stored) {
  if (arguments.type == k_string) return stored.type == SCORPIO_TEXT;
  if (arguments.type == k_byte) {
    return stored.bytes == 1 && (stored.type == SCORPIO_INT8 || stored.type == SCORPIO_OPAQUE);
  }
  const auto wanted = element_of(arguments.type, arguments.family);
  return wanted && wanted->type == stored.type;
}

// The value with a final NUL, also if the stored one has none. NULL if there is not enough memory.
void* value_of(const Attribute& attribute, const Element& element, int64_t elements, int* code) {
  const size_t bytes = static_cast<size_t>(elements) * element.bytes;
  void* value = std::calloc(bytes + 1, 1);
  // The call is made without memory too, because the other ranks make it.
  *code = scorpio_attribute_get(attribute.file, attribute.object, attribute.name, element.type, value,
                                value == nullptr ? 0 : bytes);
  if (*code == SCORPIO_OK) return value;
  std::free(value);
  return nullptr;
}

// Returns NULL for a scalar.
int* int_copy(const Extents& dims) {
  if (dims.empty()) return nullptr;
  auto* copy = static_cast<int*>(std::calloc(dims.size(), sizeof(int)));
  for (size_t d = 0; d < dims.size() && copy != nullptr; ++d) copy[d] = static_cast<int>(dims[d]);
  return copy;
}

}  // namespace

int read_attribute(iogroup_t* shown, const AttributeArguments& arguments, const AttributeResult& result) {
  const Place place = place_of(shown, arguments.handle);
  if (place.group == nullptr) return k_failure;
  Proposal proposal = propose_attribute("read_attr", place, arguments);
  if (proposal.error == 0 && arguments.type != k_string && !element_of(arguments.type, arguments.family)) {
    proposal.error = fail(no_type(arguments.type), k_wrong_type);
  }
  if (proposal.error == 0 && (arguments.name == nullptr || result.data == nullptr)) {
    proposal.error = fail("the name of the attribute, or the place for its value, is NULL", k_no_attribute);
  }
  const Outcome outcome = meet(place.group->assembly(), proposal);
  if (outcome.error != 0) return outcome.error;
  Attribute attribute{place.file->native(), absolute_path(arguments.object), arguments.name};
  if (const int there = look_up(attribute); there != 0) return fail(no_attribute(attribute), there);
  const auto found = find_attribute(attribute);
  if (!found || !same_type(arguments, found->element))
    return fail(
        std::string("the attribute ") + attribute.name + " is not of type " + std::to_string(arguments.type),
        k_wrong_type);
  const auto elements = volume(found->dims);
  if (!elements) return fail("the attribute is too large", k_no_attribute);
  int code = SCORPIO_OK;
  void* const value = value_of(attribute, found->element, *elements, &code);
  if (value == nullptr) {
    const int mine = code == SCORPIO_ERR_UNSUPPORTED ? k_wrong_type : k_no_attribute;
    return code == SCORPIO_OK ? fail("out of memory", mine) : fail_natively(mine);
  }
  *result.data = value;
  if (result.ndims != nullptr) *result.ndims = static_cast<int>(found->dims.size());
  if (result.adims != nullptr) *result.adims = int_copy(found->dims);
  return 0;
}

}  // namespace scorpio2012

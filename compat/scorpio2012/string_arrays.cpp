#include "string_arrays.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include "dataset_arguments.h"
#include "failure.h"
#include "meeting.h"
#include "store.h"
#include "variable.h"

namespace scorpio2012 {

namespace {

bool all_there(const char* const* strings, int n) {
  if (n < 0 || (n > 0 && strings == nullptr)) return false;
  return std::none_of(strings, strings + n, [](const char* text) { return text == nullptr; });
}

// The size includes the NUL.
size_t longest_bytes(const char* const* strings, int n) {
  size_t longest = 0;
  for (int i = 0; i < n; ++i) longest = std::max(longest, std::strlen(strings[i]));
  return longest + 1;
}

// NULL if there is not enough memory: the other ranks are to be told.
using Characters = std::unique_ptr<char[]>;
Characters zeros(size_t bytes) { return Characters(new (std::nothrow) char[bytes]()); }

Characters packed(const char* const* strings, int n, size_t bytes) {
  Characters all = zeros(static_cast<size_t>(n) * bytes);
  for (int i = 0; i < n && all != nullptr; ++i)
    std::strcpy(all.get() + static_cast<size_t>(i) * bytes, strings[i]);
  return all;
}

// The number and length of the strings in one word, which rank 0 broadcasts.
uint64_t encoded(int n, size_t bytes) {
  return static_cast<uint64_t>(n) << 32 | static_cast<uint32_t>(bytes);
}

}  // namespace

int write_str_array(const char* const* strings, int n, int handle, const char* name, iogroup_t* shown) {
  const Place place = place_of(shown, handle);
  if (place.group == nullptr) return k_failure;
  const bool mine = place.group->assembly().rank() == 0;
  Proposal proposal = propose("write_str_array", place, handle, name);
  if (proposal.error == 0) proposal.error = check_writable(place);
  size_t longest = 1;
  Characters all;
  if (mine && all_there(strings, n)) {
    longest = longest_bytes(strings, n);
    proposal.from_rank0 = encoded(n, longest);
    all = packed(strings, n, longest);
  }
  if (mine && (proposal.from_rank0 == 0 || longest > UINT32_MAX))
    proposal.error = fail("a string is NULL or longer than 4 GiB, or their number is negative");
  else if (mine && all == nullptr)
    proposal.error = fail("out of memory: " + std::to_string(n) + " strings of " + std::to_string(longest) +
                          " bytes each are stored");
  const Outcome outcome = meet(place.group->assembly(), proposal);
  if (outcome.error != 0) return outcome.error;
  const Extents dims{static_cast<int64_t>(outcome.from_rank0 >> 32)};
  const StoredVariable variable{
      absolute_path(name), {SCORPIO_TEXT, static_cast<uint32_t>(outcome.from_rank0)}, dims, false};
  return store(*place.group, *place.file, variable,
               {mine ? origin_layout(dims, dims) : nothing_of(dims), all.get(), true});
}

namespace {

char* terminated_copy(const char* text, size_t bytes) {
  const size_t length = strnlen(text, bytes);
  auto* copy = static_cast<char*>(std::malloc(length + 1));
  if (copy == nullptr) return nullptr;
  std::memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

// Returns NULL if there is not enough memory.
char** unpacked(const char* all, size_t n, size_t bytes) {
  auto* strings = static_cast<char**>(std::calloc(std::max<size_t>(n, 1), sizeof(char*)));
  if (strings == nullptr) return nullptr;
  for (size_t i = 0; i < n; ++i) strings[i] = terminated_copy(all + i * bytes, bytes);
  if (std::none_of(strings, strings + n, [](const char* text) { return text == nullptr; })) return strings;
  std::for_each(strings, strings + n, std::free);
  std::free(strings);
  return nullptr;
}

}  // namespace

int read_str_array(char*** strings, int* n, int handle, const char* name, iogroup_t* shown) {
  const Place place = place_of(shown, handle);
  if (place.group == nullptr) return k_failure;
  Proposal proposal = propose("read_str_array", place, handle, name);
  if (strings == nullptr || n == nullptr)
    proposal.error = fail("the place for the strings, or their number, is NULL");
  const Outcome outcome = meet(place.group->assembly(), proposal);
  if (outcome.error != 0) return outcome.error;
  const auto found = find_variable(place.file->native(), absolute_path(name));
  if (!found) return k_failure;
  if (found->element.type != SCORPIO_TEXT) return fail("the dataset does not hold strings of fixed length");
  const auto count = volume(found->dims);
  if (!count || *count > INT_MAX) return fail("there are more strings than an int can count");
  const Characters all = zeros(static_cast<size_t>(*count) * found->element.bytes);
  std::optional<Layout> layout;
  if (all != nullptr) layout = origin_layout(found->dims, found->dims);
  const Decomposition everything = place.group->io_system().decomposition(layout, true);
  if (everything == nullptr) return k_failure;
  if (fetch(place.file->native(), found->id, everything.get(), SCORPIO_TEXT, all.get()) != 0)
    return k_failure;
  *strings = unpacked(all.get(), static_cast<size_t>(*count), found->element.bytes);
  *n = static_cast<int>(*count);
  return *strings == nullptr ? fail("out of memory") : 0;
}

}  // namespace scorpio2012

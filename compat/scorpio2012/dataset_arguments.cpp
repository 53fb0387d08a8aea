#include "dataset_arguments.h"

#include "failure.h"
#include "registry.h"

namespace scorpio2012 {

Place place_of(const iogroup_t* shown, int handle) {
  Group* const group = Registry::instance().find(shown);
  if (group == nullptr) {
    fail("the iogroup_t is not one that IOgroup_init made, or it was cleaned up");
    return {nullptr, nullptr};
  }
  call_is_of(group->assembly().rank());
  if (handle == k_no_handle) return {group, nullptr};
  OpenFile* const file = group->file(handle);
  if (file == nullptr) fail("no file is open under handle " + std::to_string(handle));
  if (file != nullptr) call_is_on(file->path(), nullptr);
  return {group, file};
}

Proposal propose(std::string_view function, const Place& place, int handle, const char* name) {
  Proposal proposal{CallHash(function)};
  proposal.call.add(int64_t{place.group->number()}).add(int64_t{handle}).add(name);
  call_is_on("", name);
  if (place.file == nullptr) proposal.error = k_failure;
  if (name == nullptr || *name == '\0') proposal.error = fail("the name is NULL or empty");
  return proposal;
}

Proposal propose(std::string_view function, const Place& place, const DatasetArguments& arguments) {
  Proposal proposal = propose(function, place, arguments.handle, arguments.name);
  proposal.call.add(int64_t{arguments.type}).add(arguments.global);
  if (!arguments.global) proposal.error = fail(k_wrong_extents);
  if (!element_of(arguments.type, arguments.family)) proposal.error = fail(no_type(arguments.type));
  return proposal;
}

std::string no_type(int type) { return std::to_string(type) + " is not an element type"; }

int check_writable(const Place& place) {
  if (place.file == nullptr) return k_failure;
  return place.file->writable() ? 0 : fail("the file was opened for reading only");
}

int check_part(const std::optional<Layout>& layout, const void* buffer) {
  if (!layout) return fail(k_wrong_part);
  return has_buffer(layout, buffer)
             ? 0
             : fail("the buffer is NULL, or this rank's part is larger than 2^63 elements");
}

bool has_buffer(const std::optional<Layout>& layout, const void* buffer) {
  if (!layout) return false;
  const auto elements = local_elements(*layout);
  return elements && (*elements == 0 || buffer != nullptr);
}

}  // namespace scorpio2012

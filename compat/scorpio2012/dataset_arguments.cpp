#include "dataset_arguments.h"

#include "registry.h"

namespace scorpio2012 {

Place place_of(const iogroup_t* shown, int handle) {
  Group* const group = Registry::instance().find(shown);
  return {group, group == nullptr ? nullptr : group->file(handle)};
}

Proposal propose(std::string_view function, const Place& place, int handle, const char* name) {
  Proposal proposal{CallHash(function)};
  proposal.call.add(int64_t{place.group->number()}).add(int64_t{handle}).add(name);
  if (place.file == nullptr || name == nullptr || *name == '\0') proposal.error = k_failure;
  return proposal;
}

Proposal propose(std::string_view function, const Place& place, const DatasetArguments& arguments) {
  Proposal proposal = propose(function, place, arguments.handle, arguments.name);
  proposal.call.add(int64_t{arguments.type}).add(arguments.global);
  if (!arguments.global || !element_of(arguments.type, arguments.family)) proposal.error = k_failure;
  return proposal;
}

bool has_buffer(const std::optional<Layout>& layout, const void* buffer) {
  if (!layout) return false;
  const auto elements = local_elements(*layout);
  return elements && (*elements == 0 || buffer != nullptr);
}

}  // namespace scorpio2012

#include "write.h"

#include "failure.h"
#include "meeting.h"
#include "store.h"

namespace scorpio2012 {

namespace {

std::optional<Layout> layout_of(const Place& place, const DatasetArguments& arguments, int pattern) {
  const Assembly& ranks = place.group->assembly();
  const Extents& dims = *arguments.global;
  switch (pattern) {
    case k_uniform_write:
      return uniform_layout(dims, dims, arguments.local, ranks.rank(), ranks.ranks());
    case k_nonuniform_write:
      return row_layout(dims, arguments.local);
    case k_noncontiguous_write:
      return list_layout(dims, place.file->list);
    case k_entire_write:
      return ranks.rank() == 0 ? origin_layout(dims, dims) : nothing_of(dims);
    default:
      return std::nullopt;
  }
}

bool is_write_pattern(int pattern) { return pattern >= k_uniform_write && pattern <= k_entire_write; }

// Compares the calls of the ranks and writes. `in_current_group`: a relative name is below the current group.
int write_layout(const Place& place, Proposal proposal, const DatasetArguments& arguments,
                 const LocalPart& part, bool in_current_group) {
  const bool writable = check_writable(place) == 0;
  if (!writable) proposal.error = k_failure;
  if (proposal.error == 0) proposal.error = check_part(part.layout, part.buffer);
  if (writable && in_current_group) proposal.from_rank0 = static_cast<uint64_t>(place.file->current_group());
  const Outcome outcome = meet(place.group->assembly(), proposal);
  if (outcome.error != 0) return outcome.error;
  const StoredVariable variable{place.file->resolve(arguments.name, static_cast<int>(outcome.from_rank0)),
                                *element_of(arguments.type, arguments.family), *arguments.global, false};
  return store(*place.group, *place.file, variable, part);
}

}  // namespace

int write_dataset(iogroup_t* shown, const DatasetArguments& arguments, const void* buffer, int pattern) {
  const Place place = place_of(shown, arguments.handle);
  if (place.group == nullptr) return k_failure;
  Proposal proposal = propose("write_dataset", place, arguments);
  proposal.call.add(int64_t{pattern});
  LocalPart part{std::nullopt, buffer, true};
  if (!is_write_pattern(pattern))
    proposal.error = fail("pattern " + std::to_string(pattern) + " does not write");
  if (proposal.error == 0) part.layout = layout_of(place, arguments, pattern);
  return write_layout(place, proposal, arguments, part, pattern != k_uniform_write);
}

int write_dataset_indexed(iogroup_t* shown, const DatasetArguments& arguments,
                          const std::optional<IndexList>& list, const void* buffer) {
  const Place place = place_of(shown, arguments.handle);
  if (place.group == nullptr) return k_failure;
  const Proposal proposal = propose("write_dataset_indexed", place, arguments);
  LocalPart part{std::nullopt, buffer, false};
  if (proposal.error == 0) part.layout = list_layout(*arguments.global, list);
  return write_layout(place, proposal, arguments, part, true);
}

int set_index_list(const std::optional<IndexList>& list, int handle, iogroup_t* shown) {
  const Place place = place_of(shown, handle);
  if (place.group == nullptr) return k_failure;
  Proposal proposal = propose("set_index_list", place, handle, "-");
  if (!list) proposal.error = fail("the list is NULL, or its length negative");
  const Outcome outcome = meet(place.group->assembly(), proposal);
  if (outcome.error == 0) place.file->list = list;
  return outcome.error;
}

}  // namespace scorpio2012

#include "read.h"

#include "failure.h"
#include "meeting.h"
#include "variable.h"

namespace scorpio2012 {

namespace {

// `dims` are the extents of the dataset; those that the caller passes may differ.
std::optional<Layout> layout_of(const Place& place, const DatasetArguments& arguments, int pattern,
                                const Extents& dims) {
  const Assembly& ranks = place.group->assembly();
  switch (pattern) {
    case k_uniform_read:
      return uniform_layout(dims, *arguments.global, arguments.local, ranks.rank(), ranks.ranks());
    case k_nonuniform_read:
      return row_layout(dims, arguments.local);
    case k_noncontiguous_read:
      return list_layout(dims, place.file->list);
    case k_entire_read:
      return origin_layout(dims, *arguments.global);
    default:
      return std::nullopt;
  }
}

bool is_read_pattern(int pattern) { return pattern >= k_uniform_read && pattern <= k_entire_read; }

// Compares the calls of the ranks and reads. `layout_in`: this rank's part of a dataset of given extents, or
// none.
template <typename LayoutIn>
int read_layout(const Place& place, const Proposal& proposal, const DatasetArguments& arguments, void* buffer,
                const LayoutIn& layout_in, bool keep_layout) {
  const Outcome outcome = meet(place.group->assembly(), proposal);
  if (outcome.error != 0) return outcome.error;
  OpenFile& file = *place.file;
  const auto found = find_variable(file.native(), absolute_path(arguments.name));
  if (!found) return k_failure;
  const auto element = memory_element(arguments.type, arguments.family, found->element);
  if (!element)
    return fail("elements of the dataset cannot be read as type " + std::to_string(arguments.type));
  std::optional<Layout> layout = layout_in(found->dims);
  if (!has_buffer(layout, buffer)) layout.reset();
  const Decomposition decomposition = place.group->io_system().decomposition(layout, keep_layout);
  if (decomposition == nullptr) return k_failure;
  const int code = fetch(file.native(), found->id, decomposition.get(), element->type, buffer);
  return code == 0 && file.writable() ? file.refresh() : code;
}

}  // namespace

int read_dataset(iogroup_t* shown, const DatasetArguments& arguments, void* buffer, int pattern) {
  const Place place = place_of(shown, arguments.handle);
  if (place.group == nullptr) return k_failure;
  Proposal proposal = propose("read_dataset", place, arguments);
  proposal.call.add(int64_t{pattern});
  if (!is_read_pattern(pattern))
    proposal.error = fail("pattern " + std::to_string(pattern) + " does not read");
  const auto layout_in = [&](const Extents& dims) { return layout_of(place, arguments, pattern, dims); };
  return read_layout(place, proposal, arguments, buffer, layout_in, true);
}

int read_dataset_block(iogroup_t* shown, const DatasetArguments& arguments, void* buffer) {
  const Place place = place_of(shown, arguments.handle);
  if (place.group == nullptr) return k_failure;
  const auto layout_in = [&](const Extents& dims) {
    return dims == *arguments.global ? block_layout(dims, arguments.start, arguments.local) : std::nullopt;
  };
  return read_layout(place, propose("read_dataset_block", place, arguments), arguments, buffer, layout_in,
                     true);
}

int read_same_sub_dataset(iogroup_t* shown, const DatasetArguments& arguments, void* buffer) {
  const Place place = place_of(shown, arguments.handle);
  if (place.group == nullptr) return k_failure;
  // Ranks of other I/O groups may read another block.
  Proposal proposal = propose("read_same_sub_dataset", place, arguments.handle, arguments.name);
  proposal.call.add(int64_t{arguments.type});
  const auto layout_in = [&](const Extents& dims) {
    return block_layout(dims, arguments.start, arguments.local);
  };
  return read_layout(place, proposal, arguments, buffer, layout_in, true);
}

int read_dataset_indexed(iogroup_t* shown, const DatasetArguments& arguments,
                         const std::optional<IndexList>& list, void* buffer) {
  const Place place = place_of(shown, arguments.handle);
  if (place.group == nullptr) return k_failure;
  const auto layout_in = [&](const Extents& dims) {
    return dims == *arguments.global ? list_layout(dims, list) : std::nullopt;
  };
  return read_layout(place, propose("read_dataset_indexed", place, arguments), arguments, buffer, layout_in,
                     false);
}

}  // namespace scorpio2012

#include "session/elements/carry_out.h"

#include <algorithm>
#include <utility>

#include "session/iosystem/decomposition.h"

namespace scorpio::session {

namespace {

// Slabs of so few bytes are put together, and so many in one operation: the ranks then wait once for several
// staging slots. The time to find the parts of a unit grows with the number of slabs.
constexpr uint64_t k_small_bytes = uint64_t{64} << 10;
constexpr size_t k_most_slabs = 64;

bool is_small(const DataCall& call, size_t slab, const transfer::Cover& others) {
  if (call.targets[slab].view == nullptr) return false;
  const transfer::Cover cover = call.cover(slab, others);
  if (cover.touched.size() != 1) return false;
  const decomp::Interval& held = cover.touched.front();
  const auto elements = static_cast<uint64_t>(held.end - held.begin);
  return elements <= k_small_bytes / call.slabs[slab].element_bytes;
}

// One past the last slab that is put in one operation with the slab `first`: they are small, and ranks hold
// the same elements of each.
size_t end_of_operation(const DataCall& call, size_t first, const transfer::Cover& others) {
  size_t end = first + 1;
  if (call.targets.empty() || !is_small(call, first, others)) return end;
  while (end < std::min(call.slabs.size(), first + k_most_slabs) && is_small(call, end, others) &&
         call.targets[end].view == call.targets[first].view &&
         call.targets[end].whole == call.targets[first].whole) {
    ++end;
  }
  return end;
}

// The I/O rank reads a unit from its first byte that is asked for to its last one, and each range of a flow
// costs every rank time. So gaps of at most this number of bytes are not kept. They are shorter than a unit:
// no unit is read for their sake.
constexpr uint64_t k_read_gap_bytes = 4096;

int64_t most_read_gap(const std::vector<transfer::Slab>& slabs, uint64_t unit_bytes) {
  size_t element_bytes = 1;
  for (const transfer::Slab& slab : slabs) element_bytes = std::max(element_bytes, slab.element_bytes);
  return static_cast<int64_t>(std::min(k_read_gap_bytes, unit_bytes - 1) / element_bytes);
}

Status put_operation(FileTransfer& file, const transfer::SlabFlow& flow) {
  const Status status = file.channel().put(flow.flow()).status();
  file.rounds().after_operation();
  return status;
}

}  // namespace

Status put_parts(FileTransfer& file, DataCall& call, const transfer::Cover& cover) {
  if (!file.domains().rule().contiguous && !call.in_chunks) {
    return put_operation(
        file, transfer::SlabFlow(std::move(call.slabs), cover, file.domains().rule(), std::move(call.parts)));
  }
  Status status;
  std::vector<exchange::Part> sorted = std::exchange(call.parts, {});
  std::ranges::stable_sort(sorted, {}, &exchange::Part::begin);
  size_t next = 0;
  while (next < call.slabs.size()) {
    const size_t first = next;
    std::vector<transfer::Slab> slabs;
    std::vector<exchange::Part> parts;
    for (next = end_of_operation(call, first, cover); slabs.size() < next - first;) {
      slabs.push_back(call.slabs[first + slabs.size()]);
      const auto& begin = slabs.back().begin;
      parts.insert(parts.end(), std::ranges::lower_bound(sorted, begin, {}, &exchange::Part::begin),
                   std::ranges::upper_bound(sorted, begin, {}, &exchange::Part::begin));
      status = first_failure(status, file.expect_writes(slabs.back().whole));
    }
    const transfer::SlabFlow flow(std::move(slabs), call.targets.empty() ? cover : call.cover(first, cover),
                                  file.domains().rule(), std::move(parts));
    status = first_failure(status, put_operation(file, flow));
  }
  call.slabs.clear();
  return status;
}

namespace {

// As many flows as the elements that ranks hold have intervals for; usually one.
Status get_slabs(FileTransfer& file, storage::Source& source, const std::vector<transfer::Slab>& slabs,
                 const plan::Survey& survey, const std::vector<exchange::Part>& parts) {
  Status status;
  plan::HeldIntervals held(survey.coverage, survey.cells,
                           most_read_gap(slabs, file.domains().rule().unit_bytes));
  for (bool first = true; first || held.any_left(); first = false) {
    const std::vector<decomp::Interval> touched = held.next(plan::k_most_intervals);
    const bool exact = survey.exact && touched.size() == survey.coverage.size();
    transfer::SlabFlow flow(slabs, {touched, exact, survey.nodes}, file.domains().rule(), parts);
    if (!first) flow.continue_operation();
    status = first_failure(status, file.channel().get(flow.flow(), source).status());
  }
  return status;
}

}  // namespace

Status get_parts(FileTransfer& file, LibraryReads& reads, const DataCall& call) {
  const plan::Survey& survey = call.decomposition->survey();
  if (!call.by_library && !call.in_chunks && !file.domains().rule().contiguous)
    return get_slabs(file, file.data(), call.slabs, survey, call.parts);
  Status status;
  for (size_t i = 0; i < call.targets.size(); ++i) {
    storage::Source& source = reads.source_of(call.targets[i].index);
    std::vector<exchange::Part> part;
    if (!call.parts.empty()) part.push_back(call.parts[i]);
    const ChunkView* view = call.targets[i].view.get();
    const plan::Survey& held = view != nullptr ? view->survey : survey;
    status = first_failure(status, get_slabs(file, source, {call.slabs[i]}, held, part));
  }
  return status;
}

}  // namespace scorpio::session

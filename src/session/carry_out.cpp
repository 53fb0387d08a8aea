#include "session/carry_out.h"

#include <algorithm>
#include <iterator>

#include "session/decomposition.h"

namespace scorpio::session {

Status expect_writes(Core& core, ByteRange bytes) {
  return core.system().my_owner() >= 0 ? core.data().expect_writes(bytes) : Status();
}

Status put_parts(Core& core, const DataCall& call, const transfer::Cover& cover) {
  if (!core.rule().contiguous && !call.in_chunks) {
    const transfer::SlabFlow flow(call.slabs, cover, core.rule(), call.parts);
    return core.channel().put(flow.flow()).status();
  }
  Status status;
  for (size_t i = 0; i < call.slabs.size(); ++i) {
    const transfer::Slab& slab = call.slabs[i];
    std::vector<exchange::Part> parts;
    std::copy_if(call.parts.begin(), call.parts.end(), std::back_inserter(parts),
                 [&](const exchange::Part& part) { return part.begin == slab.begin; });
    status = first_failure(status, expect_writes(core, slab.whole));
    const transfer::SlabFlow flow({slab}, call.targets.empty() ? cover : call.cover(i, cover), core.rule(),
                                  std::move(parts));
    status = first_failure(status, core.channel().put(flow.flow()).status());
  }
  return status;
}

Status get_parts(Core& core, LibraryReads& reads, const DataCall& call) {
  const transfer::Cover cover = transfer::Cover::of(call.decomposition->survey());
  if (!call.by_library && !call.in_chunks && !core.rule().contiguous) {
    const transfer::SlabFlow flow(call.slabs, cover, core.rule(), call.parts);
    return core.channel().get(flow.flow(), core.data()).status();
  }
  Status status;
  for (size_t i = 0; i < call.targets.size(); ++i) {
    storage::Source& source = reads.source_of(call.targets[i].index);
    std::vector<exchange::Part> part;
    if (!call.parts.empty()) part.push_back(call.parts[i]);
    const transfer::SlabFlow flow({call.slabs[i]}, call.cover(i, cover), core.rule(), std::move(part));
    status = first_failure(status, core.channel().get(flow.flow(), source).status());
  }
  return status;
}

}  // namespace scorpio::session

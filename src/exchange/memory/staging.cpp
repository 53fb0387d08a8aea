#include "exchange/memory/staging.h"

#include <cstring>
#include <new>

namespace scorpio::exchange {

namespace {

// The I/O ranks, from the point of view of this node.
struct IoRanks {
  IoRanks(const comm::NodeMap& nodes, const std::vector<int>& io_ranks) {
    const int me = nodes.local_rank(nodes.my_local_rank);
    for (const int rank : io_ranks) {
      const bool is_here = nodes.node_of(rank) == nodes.my_node;
      if (rank == me) mine = here;
      local.push_back(is_here ? here++ : -1);
    }
  }
  std::vector<int> local;  // [I/O ranks] index among those of this node, -1 on other nodes
  int here = 0;            // number of them on this node
  int mine = -1;           // index of this rank among them
};

StagingLayout layout_for(const StagingSizes& sizes, const comm::NodeMap& nodes, const IoRanks& known) {
  return {sizes, nodes.local_size(), known.here};
}

}  // namespace

Staging::Staging(StagingMemory memory, comm::SharedSegment segment)
    : StagingMemory(std::move(memory)), segment_(std::move(segment)), leases_(sizes()) {}

size_t Staging::bytes(const comm::NodeMap& nodes, const std::vector<int>& io_ranks,
                      const StagingSizes& sizes) {
  return layout_for(sizes, nodes, IoRanks(nodes, io_ranks)).total_bytes();
}

Result<std::unique_ptr<Staging>> Staging::create(const comm::NodeMap& nodes, const std::vector<int>& io_ranks,
                                                 const StagingSizes& sizes) {
  SCORPIO_ASSIGN(comm::SharedSegment segment,
                 comm::SharedSegment::create(nodes.node, bytes(nodes, io_ranks, sizes)));
  std::byte* memory = segment.data();
  return over(memory, nodes, io_ranks, sizes, std::move(segment));
}

Result<std::unique_ptr<Staging>> Staging::over(std::byte* memory, const comm::NodeMap& nodes,
                                               const std::vector<int>& io_ranks, const StagingSizes& sizes,
                                               comm::SharedSegment segment) {
  const IoRanks known(nodes, io_ranks);
  const uint64_t total = layout_for(sizes, nodes, known).total_bytes();
  StagingMemory view(sizes, nodes.local_size(), known.local, memory);
  std::unique_ptr<Staging> staging(new (std::nothrow) Staging(std::move(view), std::move(segment)));
  if (staging == nullptr) return failure(Code::memory, "no memory for the control data of staging memory");
  if (known.mine >= 0) staging->accounted_ = total / static_cast<uint64_t>(known.here);
  if (known.here == 0 && nodes.my_local_rank == 0) staging->accounted_ = total;
  staging->prefault(known.mine);
  return staging;
}

// A copy to pages that were never written is several times slower, and the first write by the I/O rank places
// the pages on its memory node. The last slot is left out, because it is for files beyond the budget and few
// programs use it.
void Staging::prefault(int my_local_owner) {
  if (my_local_owner < 0) return;
  std::memset(memory() + layout().image(my_local_owner, 0), 0,
              static_cast<size_t>(sizes().slots - 1) * sizes().unit_bytes);
}

}  // namespace scorpio::exchange

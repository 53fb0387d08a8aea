#include "comm/leaders.h"

#include <utility>

#include "comm/communicator.h"
#include "comm/node_map.h"

namespace scorpio::comm {

namespace {

class LeadersByMessages final : public Leaders {
 public:
  explicit LeadersByMessages(Communicator comm) : comm_(std::move(comm)) {}

  Status all_max(std::span<uint64_t> values, size_t sums) override { return comm_.all_max(values, sums); }
  void while_waiting(const std::function<void()>* work) override { comm_.while_waiting(work); }
  // MPI advances messages only inside its calls.
  void progress() override { (void)comm_.probe(0); }
  Status free() override { return comm_.free(); }

 private:
  Communicator comm_;  // the leaders; on other ranks, all other ranks
};

}  // namespace

Result<std::unique_ptr<Leaders>> make_leaders(const Communicator& comm, const NodeMap& nodes) {
  SCORPIO_ASSIGN(Communicator split, comm.split(nodes.my_local_rank == 0 ? 0 : 1, comm.rank()));
  return std::unique_ptr<Leaders>(std::make_unique<LeadersByMessages>(std::move(split)));
}

}  // namespace scorpio::comm

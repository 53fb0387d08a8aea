#include "comm/leaders.h"

#include "comm/communicator.h"
#include "comm/node_map.h"

namespace scorpio::comm {

namespace {

class LeadersByMessages final : public Leaders {
 public:
  explicit LeadersByMessages(Communicator& comm) : comm_(comm) {}

  Status all_max(std::span<uint64_t> values, size_t sums) override { return comm_.all_max(values, sums); }
  void while_waiting(const std::function<void()>* work) override { comm_.while_waiting(work); }
  // MPI advances messages only inside its calls.
  void progress() override { (void)comm_.probe(0); }
  Status free() override {
    comm_.while_waiting(nullptr);
    return {};
  }

 private:
  Communicator& comm_;  // the leaders; on other ranks, all other ranks
};

}  // namespace

std::unique_ptr<Leaders> make_leaders(NodeMap& nodes) {
  return std::make_unique<LeadersByMessages>(nodes.leaders);
}

}  // namespace scorpio::comm

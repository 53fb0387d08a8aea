// comm::PeerExchange between the threads of a process. As with MPI, a rank ends an operation when all with
// which it exchanges data have begun theirs, and the lengths of what two ranks exchange must be equal: other
// ones are a failure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "comm/node_map.h"
#include "comm/peer_exchange.h"
#include "exchange/between_nodes/transfer_group.h"
#include "exchange/memory_messages.h"

namespace scorpio::test {

// `number` of them for a rank of the job, as an I/O system makes them; none if it exchanges no data with
// ranks of other nodes. `post` outlives them.
std::vector<std::unique_ptr<comm::PeerExchange>> memory_peers(Post& post, int rank,
                                                              const comm::NodeMap& nodes,
                                                              const std::vector<int>& io_ranks,
                                                              exchange::Transfer way, int number);

}  // namespace scorpio::test

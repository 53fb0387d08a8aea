// The staging memory of an I/O system: memory that the ranks of a node share, or private memory of the I/O
// ranks, to which all data go by messages (option exchange). Collective; the same on all ranks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/result.h"
#include "comm/communicator.h"
#include "comm/node_map.h"
#include "exchange/memory/staging.h"
#include "observe/event_log.h"

namespace scorpio::session {

struct ChosenStaging {
  std::unique_ptr<exchange::Staging> memory;
  std::string kind;  // what it is, and why; for people
};

// With messages alone each rank becomes a node of its own in `nodes`. So it does if no memory can be shared
// and the option leaves the choice; an event says so. Sets the values in force of the options for staging
// memory and messages. Code::memory if there is too little memory.
Result<ChosenStaging> choose_staging(const comm::Communicator& comm, const std::vector<int>& io_ranks,
                                     comm::NodeMap& nodes, Options& options, observe::EventLog& events);

// The number and the size of the slots, for people. Local.
std::string slots_text(const exchange::StagingSizes& sizes);

}  // namespace scorpio::session

#include "session/iosystem/node_memory.h"

#include <utility>

#include "session/iosystem/encode_in_place.h"
#include "session/iosystem/staging_choice.h"

namespace scorpio::session {

Status NodeMemory::make(const comm::Communicator& comm, const std::vector<int>& io_ranks,
                        comm::NodeMap& nodes, Options& options, observe::EventLog& events) {
  SCORPIO_ASSIGN(ChosenStaging chosen, choose_staging(comm, io_ranks, nodes, options, events));
  staging_ = std::move(chosen.memory);
  kind_ = std::move(chosen.kind);
  return {};
}

Status NodeMemory::meet(comm::Communicator& comm, comm::NodeMap& nodes) {
  if (nodes.nodes() == comm.size()) return {};
  SCORPIO_ASSIGN(meeting_, comm::NodeMeeting::create(comm, nodes, staging_->meeting()));
  comm.meet_through(&*meeting_);
  return {};
}

void NodeMemory::share_encoding(const comm::Communicator& comm, const comm::NodeMap& nodes, int my_owner,
                                observe::Counters& counters) {
  if (staging_->tasks() == nullptr || !meeting_) return;
  const int mine = my_owner < 0 ? -1 : staging_->local_owner(my_owner);
  const int owners = staging_->local_io_ranks(), ranks = nodes.local_size();
  const uint32_t helpers = ranks_that_encode(nodes.cpus, ranks, owners);
  if (helpers == 0) return;
  const comm::SharedTasks::Place place{staging_->tasks(), staging_->all(),    owners, mine,
                                       helpers,           comm.longest_wait()};
  tasks_ = std::make_unique<comm::SharedTasks>(
      place, [&counters](std::span<const std::byte> recipe, std::span<std::byte> image) {
        return code_in_place(recipe, image, counters);
      });
  meeting_->help_with(tasks_.get());
}

std::string NodeMemory::text() const {
  return kind_ + "; collective buffers: " + slots_text(staging_->sizes());
}

void NodeMemory::release() {
  if (meeting_) meeting_->help_with(nullptr);
  tasks_.reset();
  staging_.reset();
}

Status NodeMemory::free() {
  Status status = meeting_ ? meeting_->free() : Status();
  meeting_.reset();
  return status;
}

}  // namespace scorpio::session

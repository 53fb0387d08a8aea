// What a file needs of the I/O system that it belongs to. IoSystem is one over MPI; a test can make one of
// threads. Collective where said; one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/options.h"
#include "comm/group.h"
#include "comm/node_map.h"
#include "exchange/file_channel.h"
#include "observe/counters.h"
#include "observe/event_log.h"
#include "observe/file_account.h"
#include "plan/domains.h"
#include "storage/store.h"

namespace scorpio::session {

class Tails;

class System {
 public:
  virtual ~System() = default;

  virtual const comm::Group& comm() const = 0;
  virtual const comm::NodeMap& nodes() const = 0;
  virtual const std::vector<int>& io_ranks() const = 0;
  // Which of the I/O ranks this rank is; -1: none.
  virtual int my_owner() const = 0;
  int metadata_rank() const { return io_ranks().front(); }
  bool is_metadata_rank() const { return comm().rank() == metadata_rank(); }
  // Of all I/O systems of this process, earlier ones included.
  virtual uint64_t identity() const = 0;
  // The options of the file `path`: those of the I/O system, what its rules for file names set on top, and
  // what `file_options` sets on top of that. Local.
  virtual Result<Options> file_options(const std::string& path, const OptionSet& file_options) const = 0;

  virtual storage::Store& store() = 0;
  virtual observe::Counters& counters() = 0;
  virtual observe::EventLog& events() = 0;
  virtual observe::FileAccounts& accounts() = 0;
  // Its files whose close was posted.
  virtual Tails& tails() = 0;
  // For what is made Collectively: 0, 1, ...
  virtual uint64_t next_number() = 0;
  // How files on a file system with blocks of `block_bytes` (a power of two) are divided.
  virtual plan::DomainRule domain_rule(uint64_t block_bytes) const = 0;

  // Staging for one more file; Collective in order. Files beyond the budget use one channel together
  // (`lease().shared`). `number`: of the file, the same on all ranks. `background`: its data are written
  // while no call is made; a shared channel is as the I/O system's options say.
  virtual std::unique_ptr<exchange::FileChannel> open_channel(uint64_t number, bool background) = 0;
  // Whether that is a channel of its own.
  virtual bool has_room() const = 0;
  // `complete`: all ranks have agreed that they put the same, and all of it is written. Else the slots may
  // hold marks of data that no rank will ever put.
  virtual void close_channel(std::unique_ptr<exchange::FileChannel> channel, bool complete) = 0;
  // After all ranks have agreed that the channel failed, or that their calls on it differ. One that files
  // share becomes usable again, as does any of which nothing is lost; one that a file has alone stays failed,
  // but no message stays under way. Collective.
  virtual Status recover(exchange::FileChannel& channel, exchange::Loss loss) = 0;

 protected:
  System() = default;
  System(const System&) = default;
  System& operator=(const System&) = default;
};

}  // namespace scorpio::session

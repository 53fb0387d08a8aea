// The interface of the I/O system that a file uses. IoSystem implements it over MPI, and tests by threads.
// Collective where stated; one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "async/executor.h"
#include "async/progress_thread.h"
#include "base/failure_teller.h"
#include "base/options.h"
#include "comm/group.h"
#include "comm/node_map.h"
#include "comm/shared_tasks.h"
#include "plan/domains.h"
#include "session/iosystem/channels.h"
#include "session/iosystem/records.h"
#include "storage/store.h"

namespace scorpio::session {

class Completions;
class Explanations;
class PostedFiles;

class System {
 public:
  virtual ~System() = default;

  virtual const comm::Group& comm() const = 0;
  virtual const comm::NodeMap& nodes() const = 0;
  virtual const std::vector<int>& io_ranks() const = 0;
  // The index of this rank among the I/O ranks; -1: it is none.
  virtual int my_owner() const = 0;
  int metadata_rank() const { return io_ranks().front(); }
  bool is_metadata_rank() const { return comm().rank() == metadata_rank(); }
  // Whether all I/O ranks are on this rank's node, so that it sees in memory what they have done.
  bool sees_all_io_ranks() const {
    return std::ranges::all_of(io_ranks(),
                               [&](int io_rank) { return nodes().node_of(io_rank) == nodes().my_node; });
  }
  // Different for all I/O systems of this process, including earlier ones.
  virtual uint64_t identity() const = 0;
  // The options of the file `path`: those of the I/O system, overridden by its rules for file names, and
  // these by `file_options`. Local.
  virtual Result<Options> file_options(const std::string& path, const OptionSet& file_options) const = 0;

  virtual storage::Store& store() = 0;
  virtual Records& records() = 0;
  // The files whose close was posted.
  virtual PostedFiles& posted_files() = 0;
  // The files that are complete, for the application. Outlives the I/O system while it is used.
  virtual std::shared_ptr<Completions> completions() const = 0;
  // A number for an object that is made collectively: 0, 1, ...
  virtual uint64_t next_number() = 0;
  // The division of a file on a file system with blocks of `block_bytes` (a power of two).
  virtual plan::DomainRule domain_rule(uint64_t block_bytes) const = 0;

  // The executor that works while no call is made; null on a rank that is no I/O rank or has no worker.
  virtual async::Executor* worker() = 0;
  // A second one, beside a worker that encodes, for writes of what is encoded; null: the worker makes them.
  virtual async::Executor* writer() { return nullptr; }

  // That of option progress_thread, which calls enter and leave; null: there is none on this rank.
  virtual std::shared_ptr<async::ProgressThread> progress_thread() const { return nullptr; }

  // Who is told the failures of calls that concern it; null: none is.
  virtual FailureTeller* teller() const { return nullptr; }

  // By which ranks of a node encode chunks for its I/O ranks; null: they do not.
  virtual comm::SharedTasks* tasks() const { return nullptr; }

  // Where the first puts are explained; null if they are not, or on another rank than 0.
  virtual Explanations* explanations() { return nullptr; }

  virtual Channels& channels() = 0;

 protected:
  System() = default;
  System(const System&) = default;
  System& operator=(const System&) = default;
};

}  // namespace scorpio::session

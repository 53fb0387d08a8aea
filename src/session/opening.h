// Creating and opening files, with the agreements of all ranks before there is a file. Each rank first
// prepares what it needs for a file that is not open yet. A rank that cannot, because its arguments are
// invalid or because it has no memory, takes part in the agreement with its failure: all ranks return it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "comm/ballot.h"
#include "session/state/core.h"

namespace scorpio::session {

class Opening {
 public:
  enum class Mode { create, write, read };
  // The file gets the next number of the I/O system on all ranks, also on one that fails.
  Opening(System& system, Mode mode);
  ~Opening();
  Opening(const Opening&) = delete;
  Opening& operator=(const Opening&) = delete;

  // The file that is to be opened; run() uses it. `path` may be a failure of this rank's arguments. Local;
  // std::bad_alloc.
  std::unique_ptr<Core> prepare(const Result<std::string>& path, const OptionSet& options);
  // Opens the file. `prepared`: a failure if this rank does not have what it needs. One reduction compares
  // the arguments of all ranks, and distributes the status of the metadata rank, which has opened the file
  // before it. If the creation removes the present contents, the metadata rank creates the file after it, and
  // a second reduction distributes its status. Invalid arguments of any rank take precedence over the failure
  // of the metadata rank. The staging memory is reserved first: the reduction also tells the ranks of the
  // node that the channel is ready. Collective; returns the same status on all ranks.
  Status run(const Status& prepared);

 private:
  // What all ranks need to know about the file that the metadata rank has opened.
  struct Facts {
    comm::Most block_bytes;        // the block size of the file domains
    comm::Most stripes;            // of the file
    comm::Most end_of_allocation;  // the end of the space that the file uses
    comm::Most place;              // of a file that is written
    comm::Any temporary;           // the file has its temporary name
    comm::Most format;
    comm::Most schema_bytes;  // the length of the message with the contents; 0: the file is empty
    comm::Any failed;         // the file could not be opened or created

    auto fields() {
      return std::tie(block_bytes, stripes, end_of_allocation, place, temporary, format, schema_bytes,
                      failed);
    }
  };

  // Opens or creates the file on the metadata rank; made_ is the status.
  Facts make();
  Result<std::unique_ptr<MetadataOwner>> made();
  // The file is open on the metadata rank: all ranks learn what it contains.
  Status take(const Facts& facts);

  System& system_;
  const Mode mode_;
  const uint64_t number_;
  Core* core_ = nullptr;  // null if it could not be prepared
  Status arguments_;      // of this rank
  uint64_t hash_ = 0;     // of the arguments that are the same on all ranks
  std::unique_ptr<exchange::FileChannel> channel_;
  std::unique_ptr<MetadataOwner> metadata_;  // on the metadata rank
  std::vector<std::byte> message_;           // the contents of an existing file, on the metadata rank
  Status made_;
};

}  // namespace scorpio::session

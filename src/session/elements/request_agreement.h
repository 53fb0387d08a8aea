// The parts of the requests that the ranks carry out in a wait, and the reduction in which all ranks
// determine their common properties.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "exchange/copies/flow.h"
#include "session/elements/requests.h"
#include "session/state/file_contents.h"
#include "session/state/file_setting.h"
#include "transfer/combined_flow.h"

namespace scorpio::session {

// The requests that this rank carries out in one operation.
struct RequestParts {
  std::vector<exchange::Part> puts, gets;
  std::map<int, std::vector<exchange::Part>> library;  // by variable: gets through the format's library
  model::Lengths lengths;  // of unlimited dimensions, with the records of the puts
  void add(const Request& request, const model::Variables& variables);
};

// Numbers of operations, for requests that are not combined.
struct Operations {
  uint64_t puts = 0, gets = 0;
  static Operations of(const std::list<Request>& requests);
};

// The result of the reduction.
struct AgreedRequests {
  struct Direction {
    transfer::Reach all;
    std::vector<transfer::Reach> nodes;  // [nodes]
    bool interleaved = false;            // the parts of some rank are interleaved in its memory
    bool mine_interleaved = false;       // the parts of this rank are
  };
  Direction puts, gets;
  Operations operations;          // maximum over all ranks; 0 for parts that are interleaved
  bool reading = false;           // some rank has a get, possibly of no elements
  model::Lengths lengths;         // of unlimited dimensions, with the records that are put
  bool by_library = false;        // some rank has a get that the format's library carries out
  bool same_definitions = false;  // if not, the next synchronisation point returns which ranks differ
};

// Collective: one reduction, and one more if the file has several unlimited dimensions and some rank puts
// records. `own`: the failure of this rank, if any. `call`: as in RequestCalls::wait(); Code::mismatch, with
// the calls of two ranks, if it differs between ranks.
Result<AgreedRequests> agree_on_requests(const FileSetting& setting, const FileContents& contents,
                                         const Status& own, const RequestParts& parts,
                                         const Operations& operations, const std::string& call);

// The bytes of ranges that each rank receives in a wait for requests that needs no more than this reduction:
// with option ranges = allreduce, or as `gathers` allgather, those of every rank. Local; pure.
uint64_t range_bytes_of_a_wait(uint64_t ranks, uint64_t nodes, bool gathers);

}  // namespace scorpio::session

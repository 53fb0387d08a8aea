// What the ranks bring to a wait: the parts of the requests that each carries out, and what all of them learn
// of it in one reduction.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "exchange/flow.h"
#include "session/core.h"
#include "session/requests.h"
#include "transfer/combined_flow.h"

namespace scorpio::session {

// Of the requests that this rank carries out together.
struct RequestParts {
  std::vector<exchange::Part> puts, gets;
  std::map<int, std::vector<exchange::Part>> library;  // by variable: gets through the format's library
  int64_t records = 0;                                 // one past the last record of the puts
  void add(const Request& request);
};

// Of requests that are not combined.
struct Operations {
  uint64_t puts = 0, gets = 0;
  static Operations of(const std::list<Request>& requests);
};

// What all ranks learn.
struct Turnout {
  struct Direction {
    transfer::Reach all;
    std::vector<transfer::Reach> nodes;  // [nodes]
    bool interleaved = false;            // some rank's parts, in its memory
    bool mine_interleaved = false;       // this rank's
  };
  Direction puts, gets;
  Operations operations;          // most of any rank; of what is interleaved 0
  bool reading = false;           // some rank gets, be it no elements
  int64_t records = 0;            // one past the last record that is put
  bool by_library = false;        // some rank gets by the format's library
  bool same_definitions = false;  // if not, the next sync point says whose are others
};

// Collective: one reduction. `own`: what stands against this rank's part. `call`: Posts::wait has the words;
// Code::mismatch, with the calls of two ranks, where it is not the same on all.
Result<Turnout> turn_out(const Core& core, const Status& own, const RequestParts& parts,
                         const Operations& operations, const std::string& call);

}  // namespace scorpio::session

// What the parts of a put cost: the parameters by which choices are compared (option cost_model). They rank
// choices, and are no forecast of the time of a put. Integers, so that all ranks compute the same. Local;
// pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace scorpio {

// In nanoseconds. The default values are orders of magnitude of a cluster with a parallel file system, which
// docs/plan.md explains.
struct CostModel {
  uint64_t message_ns = 2'000;            // a message between nodes, on the node that sends or receives it
  uint64_t network_ns_per_mib = 100'000;  // 1 MiB that a node sends or receives
  uint64_t write_ns = 50'000;             // a write call
  uint64_t unaligned_ns = 100'000;        // in addition, if it does not begin and end at a block
  uint64_t storage_ns_per_mib = 500'000;  // 1 MiB that one I/O rank writes
  uint64_t shared_block_ns = 1'000'000;   // a block that several I/O ranks write: its lock changes the owner
  uint64_t open_ns = 100'000;             // an open of the file; the metadata server does one after another

  // The defaults, changed by `text`, as "write_ns=20000 open_ns=1000000". Code::argument for another word
  // than name=number, a number that is no integer from 0 to 10^9, or a name that occurs twice; Code::name for
  // an unknown name, with the most similar one.
  static Result<CostModel> parse(std::string_view text);
  friend bool operator==(const CostModel&, const CostModel&) = default;
};

// "950 ns", "12.3 us", "4.56 ms", "1.23 s".
std::string format_ns(uint64_t ns);

}  // namespace scorpio

// The choices of options that plans and explanations compare with the one in force. Local and pure.
#pragma once

#include <string>
#include <vector>

#include "base/options.h"
#include "comm/node_map.h"

namespace scorpio::session {

struct Alternative {
  std::string name;  // "io_ranks_per_node = 2"
  Options options;
};

// The value of an option, where it comes from, and what it means in this job.
std::string reason(const Options& options, Option option);

// The same options with another value of this one.
Alternative alternative(const Options& options, Option option, const std::string& value);

// One and two I/O ranks on each node, `io_ranks` of them if that is not 0, the value `domains` of option
// domains, unless it is empty, on several nodes the other values of option transfer, and half of the
// `writers` that are in force, if there are several. What
// selects the same I/O ranks as are `in_force`, or as an alternative before it, is left out.
std::vector<Alternative> alternatives(const Options& options, const comm::NodeMap& nodes,
                                      const std::vector<int>& in_force, int io_ranks,
                                      const std::string& domains, int writers);

}  // namespace scorpio::session

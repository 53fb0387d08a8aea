// The options of an I/O system, which all ranks determine from the arguments of the call, the environment and
// the configuration file, and compare. Collective; returns the same status on all ranks.
#pragma once

#include "base/file_rules.h"
#include "base/options.h"
#include "base/result.h"
#include "comm/group.h"

namespace scorpio::session {

struct AgreedOptions {
  Options options;
  FileRules rules;      // option file_options
  bool report = false;  // rank 0 has set option report
  bool trace = false;   // rank 0 has set option trace
};

// `arguments`: the failure of this rank's other arguments.
Result<AgreedOptions> agree_on_options(const comm::Group& comm, const OptionSet& options,
                                       const Status& arguments);

// The options of a file of an I/O system that has these: of the system, of its rules for the path, and
// `asked` by the program, where the last one counts. Code::argument for another value of an option of the
// system. Local.
Result<Options> options_of_file(const Options& system, const FileRules& rules, const std::string& path,
                                const OptionSet& asked);

}  // namespace scorpio::session

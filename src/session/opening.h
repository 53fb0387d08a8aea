// Creating and opening files, with the agreements of all ranks before there is a file. Collective; returns
// the same status on all ranks. `path` may be a failure of this rank's arguments.
#pragma once

#include <memory>
#include <string>

#include "session/state/core.h"

namespace scorpio::session {

Result<std::unique_ptr<Core>> create_file(System& system, const Result<std::string>& path,
                                          const OptionSet& options);
Result<std::unique_ptr<Core>> open_file(System& system, const Result<std::string>& path, bool writable,
                                        const OptionSet& options);

}  // namespace scorpio::session

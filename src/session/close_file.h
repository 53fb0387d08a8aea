// Closes and syncs of files, which are completed at once or posted (options close and sync). Collective; one
// thread.
#pragma once

#include <memory>

#include "session/file.h"

namespace scorpio::session {

// Closes the file, and completes posted files whose data are written. If one of them cannot be completed,
// this failure is returned unless the close itself has one.
Status close_file(std::unique_ptr<File> file);

// A sync, which is completed at once or posted (option sync).
Status sync_file(File& file);

}  // namespace scorpio::session

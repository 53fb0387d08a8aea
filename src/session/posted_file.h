// Closes and syncs of files, at once or left for later (options close and sync). Collective; one thread.
#pragma once

#include <memory>

#include "session/file.h"

namespace scorpio::session {

// Its handle ends. Files whose close was posted and whose data are written are completed; where one of them
// could not be, that is returned if the close itself has nothing to tell.
Status close_file(std::unique_ptr<File> file);

// A sync, at once or left for later (option sync).
Status sync_file(File& file);

}  // namespace scorpio::session

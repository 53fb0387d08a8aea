// Converts a failed system call to a Status with code, text and a remedy. Local; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace scorpio::storage {

// ENOSPC and EDQUOT are no_space, EACCES, EPERM and EROFS permission, EFBIG limit, and so on; other errors
// are io.
Code code_of_errno(int error);

// "cannot open /a/b.h5: No space left on device (ENOSPC); free space ..."
Status system_failure(std::string_view action, const std::string& path, int error);
// The same for a transfer of `bytes` at `offset`.
Status transfer_failure(std::string_view action, const std::string& path, uint64_t offset, uint64_t bytes,
                        int error);
// The failure of calls on a file after its close().
Status closed_failure(const std::string& path);
// The failure of changes to a file that was opened for reading.
Status read_only_failure(const std::string& path);

}  // namespace scorpio::storage

// A failed system call as a Status: code, text and advice. Local; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace scorpio::storage {

// ENOSPC and EDQUOT are no_space, EACCES, EPERM and EROFS permission, EFBIG limit, and so on; io for the
// rest.
Code code_of_errno(int error);

// "cannot open /a/b.h5: No space left on device (ENOSPC); free space ..."
Status system_failure(std::string_view action, const std::string& path, int error);
// The same for a transfer of `bytes` at `offset`.
Status transfer_failure(std::string_view action, const std::string& path, uint64_t offset, uint64_t bytes,
                        int error);
// For calls on a file after its close().
Status closed_failure(const std::string& path);
// For changes of a file that was opened for reading.
Status read_only_failure(const std::string& path);

}  // namespace scorpio::storage

// The properties that the operating system reports of a file system. Independent; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "storage/store.h"

namespace scorpio::storage {

// The name of the kind of a file system, by the number that statfs() returns; "" if it is unknown.
std::string file_system_kind(uint32_t magic);

// Uses an open descriptor, because a path would be one more request to the file system's metadata server.
// `path` appears in the message.
Result<FileSystemFacts> file_system_facts(int descriptor, const std::string& path);

}  // namespace scorpio::storage

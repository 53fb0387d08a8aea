// The properties that the operating system reports of a file system. Independent; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "storage/store.h"

namespace scorpio::storage {

// Uses an open descriptor, because a path would be one more request to the file system's metadata server.
// `path` appears in the message.
Result<FileSystemFacts> file_system_facts(int descriptor, const std::string& path);

// The stripe size in the extended attribute "lustre.lov" (plain layouts, version 1 and 3); 0 for other
// layouts.
uint64_t lustre_stripe_bytes(std::span<const std::byte> attribute);

}  // namespace scorpio::storage

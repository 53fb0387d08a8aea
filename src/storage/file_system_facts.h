// What the operating system says of the file system that holds a file. Independent; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "storage/store.h"

namespace scorpio::storage {

// By an open descriptor: a question by name would be one more for the file system's metadata server. `path`
// is for the message.
Result<FileSystemFacts> file_system_facts(int descriptor, const std::string& path);

// Stripe size in the extended attribute "lustre.lov" (plain layouts, version 1 and 3); 0: not such a layout.
uint64_t lustre_stripe_bytes(std::span<const std::byte> attribute);

}  // namespace scorpio::storage

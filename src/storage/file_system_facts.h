// What the operating system says of the file system under a path. Independent; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "storage/store.h"

namespace scorpio::storage {

// Of `path`, or of its folder when `path` does not exist. Code::not_found when that is absent too.
Result<FileSystemFacts> file_system_facts(const std::string& path);

// Stripe size in the extended attribute "lustre.lov" (plain layouts, version 1 and 3); 0: not such a layout.
uint64_t lustre_stripe_bytes(std::span<const std::byte> attribute);

}  // namespace scorpio::storage

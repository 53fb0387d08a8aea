// The filters that are known by their numbers, and those that are built in. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "codec/filter.h"

namespace scorpio::codec {

// Null if it is not built in.
const FilterCode* find_filter(int number);
// Code::unsupported, with a remedy, if the filter is not built in.
Status check_built_in(int number);
// The filters that are built in, as "1 (deflate), 2 (shuffle)".
std::string names_of_filters();
// The same with the libraries that they use: "1 (deflate: libdeflate 1.14), 2 (shuffle)".
std::string libraries_of_filters();

// The checksum of HDF5's filter fletcher32.
uint32_t fletcher32(std::span<const std::byte> bytes);

}  // namespace scorpio::codec

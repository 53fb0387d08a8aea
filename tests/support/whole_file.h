// What a file holds, in one read. Tests are not optimised, and an iterator over a stream then takes some
// hundred instructions for each byte.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace scorpio::test {

// Bytes: std::string or a vector of bytes. Empty if the file cannot be read.
template <typename Bytes = std::string>
Bytes whole_file(const std::filesystem::path& path) {
  std::error_code none;
  const auto size = std::filesystem::file_size(path, none);
  std::ifstream stream(path, std::ios::binary);
  if (none || !stream) return {};
  Bytes bytes(static_cast<size_t>(size), {});
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(stream.gcount()));
  return bytes;
}

}  // namespace scorpio::test

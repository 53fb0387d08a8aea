#include "format/toy/toy_script.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "support/whole_file.h"

namespace scorpio::format_test {

std::optional<std::vector<std::vector<char>>> toy_bytes(const std::string& folder,
                                                        const std::vector<std::string>& variables) {
  const char* python = std::getenv("SCORPIO_PYTHON");
  const char* source = std::getenv("SCORPIO_SOURCE_DIR");
  if (python == nullptr || source == nullptr || !std::filesystem::exists(python)) return std::nullopt;
  const auto out_of = [&](size_t i) { return folder + "." + std::to_string(i) + ".raw"; };
  std::string command =
      std::string(python) + " " + source + "/tests/format/toy/toy_reader.py --read " + folder;
  for (size_t i = 0; i < variables.size(); ++i) command += " " + variables[i] + " " + out_of(i);
  EXPECT_EQ(0, std::system(command.c_str())) << command;
  std::vector<std::vector<char>> all;
  for (size_t i = 0; i < variables.size(); ++i) {
    all.push_back(test::whole_file<std::vector<char>>(out_of(i)));
    std::error_code ignored;
    std::filesystem::remove(out_of(i), ignored);
  }
  return all;
}

}  // namespace scorpio::format_test

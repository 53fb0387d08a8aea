// docs/options.md lists every option with its default, and no other.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include "base/option_table.h"

namespace scorpio {
namespace {

// option -> default, from the rows "| `name` | `default` | ..." of the table of options.
std::map<std::string, std::string> documented_options(std::ifstream& page) {
  std::map<std::string, std::string> options;
  bool is_in_table = false;
  for (std::string line; std::getline(page, line);) {
    if (line.find("table: options -->") != std::string::npos) is_in_table = true;
    if (line.find("end of table -->") != std::string::npos) is_in_table = false;
    if (!is_in_table || line.rfind("| `", 0) != 0) continue;
    const size_t name_end = line.find('`', 3);
    const size_t value_begin = line.find("| ", name_end) + 2;
    const std::string value = line.substr(value_begin, line.find(" |", value_begin) - value_begin);
    options[line.substr(3, name_end - 3)] = value == "empty" ? "``" : value;
  }
  return options;
}

TEST(OptionDocumentation, ListsEveryOptionWithItsDefault) {
  const char* source = std::getenv("SCORPIO_SOURCE_DIR");
  if (source == nullptr) GTEST_SKIP() << "SCORPIO_SOURCE_DIR is not set";
  std::ifstream page(std::string(source) + "/docs/options.md");
  ASSERT_TRUE(page.is_open());
  std::map<std::string, std::string> known;
  for (const OptionSpec& spec : known_options())
    known[spec.name] = "`" + std::string(spec.default_value) + "`";
  EXPECT_EQ(documented_options(page), known);
}

}  // namespace
}  // namespace scorpio

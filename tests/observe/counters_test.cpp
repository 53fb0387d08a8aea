// Counters by field, by name and in the documentation.
#include "observe/counters.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <thread>
#include <vector>

namespace scorpio::observe {
namespace {

#define SCORPIO_COUNTER_UNIT(name, unit, meaning) {#name, unit},
const std::map<std::string, std::string> k_units{SCORPIO_COUNTERS(SCORPIO_COUNTER_UNIT)};
#undef SCORPIO_COUNTER_UNIT

TEST(Counters, NamesAndFieldsAgree) {
  Counters counters;
  std::set<std::string> names;
  size_t n = 0;
  for (; counter_names()[n] != nullptr; ++n) {
    names.insert(counter_names()[n]);
    auto field = find_counter(counters, counter_names()[n]);
    ASSERT_TRUE(field.ok());
    **field += n + 1;
  }
  EXPECT_EQ(names.size(), n);
  EXPECT_EQ(sizeof(Counters), n * sizeof(uint64_t));
  EXPECT_EQ(counters.opens, 1u);
  EXPECT_EQ(counters.closes, 2u);
  EXPECT_EQ(counters.time_metadata_ns, n);
}

TEST(Counters, UnknownNameIsAnError) {
  Counters counters;
  const auto field = find_counter(counters, "open");
  EXPECT_EQ(field.status().code(), Code::name);
  EXPECT_NE(field.status().text().find("\"open\""), std::string::npos);
}

TEST(Counters, TimerAddsItsLife) {
  Counters counters;
  counters.time_io_ns = 5;
  {
    const Timer timer(counters.time_io_ns);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_GE(counters.time_io_ns, 2'000'005u);
  EXPECT_EQ(counters.time_wait_ns, 0u);
}

TEST(Counters, SeveralThreadsMayCount) {
  Counters counters;
  constexpr uint64_t k_calls = 20'000;
  std::vector<std::thread> threads;
  for (uint64_t t = 1; t <= 4; ++t) {
    threads.emplace_back([&counters, t] {
      for (uint64_t i = 0; i < k_calls; ++i) {
        add(counters.writes, 1);
        raise(counters.staging_peak_bytes, t * i);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counters.writes, 4 * k_calls);
  EXPECT_EQ(counters.staging_peak_bytes, 4 * (k_calls - 1));
}

TEST(Counters, DocumentationListsEachWithItsUnit) {
  const char* source = std::getenv("SCORPIO_SOURCE_DIR");
  if (source == nullptr) GTEST_SKIP() << "SCORPIO_SOURCE_DIR is not set";
  std::ifstream page(std::string(source) + "/docs/counters.md");
  ASSERT_TRUE(page.is_open());
  std::map<std::string, std::string> documented;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("| `", 0) != 0) continue;
    const size_t name_end = line.find('`', 3);
    const size_t unit_begin = line.find("| ", name_end) + 2;
    documented[line.substr(3, name_end - 3)] =
        line.substr(unit_begin, line.find(" |", unit_begin) - unit_begin);
  }
  EXPECT_EQ(documented, k_units);
}

}  // namespace
}  // namespace scorpio::observe

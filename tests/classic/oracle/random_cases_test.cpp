// Random programs on classic netCDF files: what the library wrote is read back by it, and compared with the
// file that the netCDF C library makes of the same definitions and values. All ranks draw the same numbers.
//
//   SCORPIO_TEST_SEED=n    one case
//   SCORPIO_TEST_CASES=n   so many, from seeds that differ from run to run
#include <sys/wait.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <vector>

#include "program.h"

namespace scorpio::classic_test {
namespace {

const std::string k_stock = SCORPIO_CLASSIC_STOCK;
const std::string k_compare = SCORPIO_CLASSIC_COMPARE;
const std::string k_validator = SCORPIO_NCVALIDATOR;

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// What the command printed where it failed; nothing where it went well.
std::string failure_of(const std::string& command, const std::string& output) {
  const int status = std::system((command + " > " + output + " 2>&1").c_str());
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return command + ": " + text_of(output) + "(status " + std::to_string(status) + ")";
}

// The stock library leaves a few bytes after the last record of a single variable, which ncvalidator rejects:
// only files of this library are validated.
void validate(const std::string& path) {
  if (k_validator.empty()) return;
  EXPECT_EQ("", failure_of(k_validator + " -q " + path, path + ".out"));
}

// Rank 0: the file against the one that the stock library makes beside it.
void compare_with_stock(const FileModel& model, const std::string& path) {
  if (k_stock.empty()) return;
  const std::string output = path + ".out";
  std::ofstream(path + ".script") << model.script(path + ".stock");
  std::ofstream(path + ".unknown") << model.unknown();
  EXPECT_EQ("", failure_of(k_stock + " " + path + ".script", output));
  EXPECT_EQ("", failure_of(k_compare + " " + path + " " + path + ".stock " + path + ".unknown", output));
}

bool good_on_all() { return api_test::on_all(!testing::Test::HasFailure()); }

using Programs = std::vector<std::unique_ptr<Program>>;

// Their files are open at once, and get their steps in turns that are drawn.
void take_turns(const Programs& programs, std::mt19937_64& random, size_t steps) {
  const size_t all = steps + steps / 3 * (programs.size() - 1);
  for (size_t i = 0; i < all && !testing::Test::HasFailure(); ++i) {
    const size_t turn = random() % programs.size();
    SCOPED_TRACE("file " + std::to_string(turn));
    programs[turn]->take_step(static_cast<int>(i));
  }
  for (const auto& program : programs) program->end();
}

std::string described(const api_test::Settings& settings, const Programs& programs) {
  std::string text;
  for (const auto& program : programs) text += program->format() + " ";
  for (const auto& [name, value] : settings) text += name + "=" + value + " ";
  return text;
}

// One to five files that the library makes, then the same ones, that it changes after the stock library has
// made them.
void run_one(uint64_t seed, size_t steps) {
  const api_test::TemporaryFolder folder;
  const bool first = api_test::rank_in() == 0;
  std::mt19937_64 random(seed);
  const api_test::Settings settings = random_settings(random);
  const api_test::System system(settings);
  Programs programs(random() % 3 == 0 ? 1 : 2 + random() % 4);
  for (size_t i = 0; i < programs.size(); ++i) {
    const std::string path = folder / (std::string(1, static_cast<char>('a' + i)) + ".nc");
    programs[i] = std::make_unique<Program>(10 * seed + i, system, path);
  }
  SCOPED_TRACE("SCORPIO_TEST_SEED=" + std::to_string(seed) + " " + described(settings, programs));
  for (const auto& program : programs) program->begin();
  take_turns(programs, random, steps);
  for (const auto& program : programs) {
    if (!first || testing::Test::HasFailure()) continue;
    validate(program->path());
    compare_with_stock(program->model(), program->path());
  }
  if (good_on_all() && !k_stock.empty()) {
    for (const auto& program : programs) program->begin_with(program->path() + ".stock");
    take_turns(programs, random, steps / 2);
    for (const auto& program : programs) {
      if (first && !testing::Test::HasFailure()) compare_with_stock(program->model(), program->path());
    }
  }
  const char* kept = std::getenv("SCORPIO_TEST_KEEP");
  if (kept != nullptr && first) (void)std::system(("cp " + (folder / "*") + " " + kept).c_str());
}

TEST(ClassicRandomCases, AgreeWithTheNetcdfLibrary) {
  constexpr size_t k_steps = 30;
  const char* given = std::getenv("SCORPIO_TEST_SEED");
  if (given != nullptr) return run_one(std::strtoull(given, nullptr, 10), k_steps);
  const char* many = std::getenv("SCORPIO_TEST_CASES");
  const uint64_t now = static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  const uint64_t first = api_test::from_rank_zero(now / 1000 % 1000000000);
  const uint64_t cases = many != nullptr ? std::strtoull(many, nullptr, 10) : 12;
  const auto start = std::chrono::steady_clock::now();
  for (uint64_t i = 1; i <= cases; ++i) {
    run_one(many == nullptr && i <= 8 ? i : first + i, k_steps);
    if (!good_on_all()) return;
    const bool late = std::chrono::steady_clock::now() - start > std::chrono::seconds(3);
    if (many == nullptr && !api_test::on_all(!late)) return;
  }
}

TEST(ClassicRandomCases, StockProgramsWereThere) {
  if (k_stock.empty()) GTEST_SKIP() << "the netCDF C library was not found when the tests were configured";
  if (k_validator.empty()) GTEST_SKIP() << "ncvalidator (pnetcdf-bin) was not found";
}

}  // namespace
}  // namespace scorpio::classic_test

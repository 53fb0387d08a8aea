#include "program.h"

#include <cstdlib>

#include "api/random_draws.h"

namespace scorpio::classic_test {

using api_test::rank_in;
using api_test::ranks_in;

namespace {

const char* format_of(int version) { return version == 1 ? "cdf1" : version == 2 ? "cdf2" : "cdf5"; }

}  // namespace

Program::Program(uint64_t seed, const api_test::System& system, const std::string& path)
    : random_(seed),
      system_(system),
      path_(path),
      model_(std::vector<int>{1, 2, 5, 5}[pick(4)], rank_in() == 0),
      single_record_variable_(one_in(4)),
      large_(one_in(8)),
      rank_(rank_in()),
      ranks_(ranks_in()) {}

api_test::Settings random_settings(std::mt19937_64& random) {
  const auto pick = [&](size_t n) { return random() % n; };
  const auto one_in = [&](size_t n) { return pick(n) == 0; };
  const char* staging[] = {"64k", "64k", "256k", "1m"};
  const char* blocks[] = {"512", "512", "4k", "0"};
  api_test::Settings settings{{"staging_bytes", staging[pick(4)]},
                              {"block_bytes", blocks[pick(4)]},
                              {"domains", one_in(2) ? "cyclic" : "contiguous"}};
  for (const auto& setting : api_test::random_io_ranks(random, ranks_in())) settings.push_back(setting);
  if (one_in(3)) settings.emplace_back("exchange", "messages");
  if (one_in(2)) settings.emplace_back("nodes", std::to_string(1 + pick(static_cast<size_t>(ranks_in()))));
  if (one_in(3)) settings.emplace_back("combine", "false");
  if (one_in(3)) settings.emplace_back("header_free", std::to_string(pick(3000)));
  if (one_in(4)) settings.emplace_back("variable_free", std::to_string(pick(3000)));
  if (one_in(6)) settings.emplace_back("data_align", std::to_string(pick(1000)));
  if (one_in(6)) settings.emplace_back("variable_align", std::to_string(pick(100)));
  if (one_in(6)) settings.emplace_back("record_align", std::to_string(pick(1000)));
  if (one_in(3)) settings.emplace_back("file_name", "close");
  if (one_in(3)) settings.emplace_back("gather_writes", "true");
  if (one_in(3)) settings.emplace_back("asynchronous", "true");
  if (one_in(6)) settings.emplace_back("journal", "false");
  if (one_in(10)) settings.emplace_back("durable", "true");
  if (one_in(4)) settings.emplace_back("staging_files", std::to_string(1 + pick(3)));
  return settings;
}

std::string Program::format() const { return format_of(model_.version()); }

void Program::begin() {
  const api_test::OptionList options(api_test::Settings{{"format", format_of(model_.version())}});
  ASSERT_SUCCESS(
      scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &file_));
  define_more();
  enter_data_mode();
}

void Program::begin_with(const std::string& path) {
  path_ = path;
  ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file_));
  model_.forget_fills();
  fill_mode_ = false;
  check_definitions();
  check_all();
}

void Program::take_step(int number) {
  static const bool watched = std::getenv("SCORPIO_TEST_WATCH") != nullptr;  // which step it is
  step();
  const std::string what = "checked behind step " + std::to_string(number) + ": " + step_;
  SCOPED_TRACE(what);
  for (size_t v = 0; watched && v < model_.variables().size(); ++v) check_array(static_cast<int>(v));
}

void Program::end() {
  if (!testing::Test::HasFailure()) check_all();
  EXPECT_SUCCESS(scorpio_file_close(file_));
}

void Program::step() {
  const size_t what = pick(32);
  step_ = "step of kind " + std::to_string(what);
  SCOPED_TRACE(step_);
  if (what < 8) return put();
  if (what < 11) return put_n();
  if (what < 17) return post();
  if (what < 19) return put_slab();
  if (what < 21) return get();
  if (what == 21) return get_n();
  if (what == 22) return get_slab();
  if (what == 23) return get_slabs();
  if (what == 24) {
    EXPECT_SUCCESS(scorpio_file_sync(file_));
    return;
  }
  if (what < 28) return redefine();
  if (what == 28) return rename_something(false);
  if (what == 29) return shrink_attribute(static_cast<int>(pick(model_.variables().size() + 1)) - 1);
  if (what == 30) return check_definitions();
  reopen(!one_in(3));
}

void Program::reopen(bool writable) {
  EXPECT_SUCCESS(scorpio_file_close(file_));
  if (!writable) {
    ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_READ, nullptr, &file_));
    check_definitions();
    check_all();
    EXPECT_SUCCESS(scorpio_file_close(file_));
  }
  ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file_));
  model_.forget_fills();
  fill_mode_ = false;
}

}  // namespace scorpio::classic_test

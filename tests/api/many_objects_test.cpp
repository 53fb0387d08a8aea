// What a call costs does not depend on the number of objects that it does not concern. The measure is CPU
// time of this thread with many objects, divided by that with few: where all of them are looked at, the ratio
// is that of the numbers.
#include <ctime>

#include <algorithm>
#include <functional>
#include <limits>

#include "session.h"

namespace scorpio::api_test {
namespace {

constexpr int k_few = 256, k_times_as_many = 64;
constexpr double k_most = 8;

double cpu_s() {
  timespec now{};
  (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class ManyObjects : public testing::TestWithParam<const char*> {
 protected:
  void create() {
    const OptionList options(Settings{{"format", GetParam()}});
    ASSERT_SUCCESS(
        scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &file_));
  }
  void define(int variables) {
    const int64_t dims[] = {4};
    for (int i = 0; i < variables; ++i)
      EXPECT_SUCCESS(scorpio_variable_define(file_, ("v" + std::to_string(i)).c_str(), SCORPIO_INT32, 1, dims,
                                             &variable_));
  }
  void close() { EXPECT_SUCCESS(scorpio_file_close(std::exchange(file_, nullptr))); }
  // CPU time of the fastest of some passes, of which each makes k_few calls.
  static double fastest(const std::function<void(int)>& call) {
    double least = std::numeric_limits<double>::max();
    for (int pass = 0; pass < 5; ++pass) {
      const double begin = cpu_s();
      for (int i = 0; i < k_few; ++i) call(i);
      least = std::min(least, cpu_s() - begin);
    }
    return least;
  }
  // `cost_with(objects)`: CPU time of the same number of calls.
  static void expect_the_same(const std::function<double(int)>& cost_with) {
    const double few = cost_with(k_few), many = cost_with(k_few * k_times_as_many);
    EXPECT_LE(many / few, k_most);
  }
  scorpio_access one(int i) {
    static constexpr int64_t k_start = 0, k_count = 4;
    return scorpio_hyperslab(i, &k_start, &k_count, SCORPIO_INT32, values_);
  }

  const System system_;
  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "many";
  scorpio_file* file_ = nullptr;
  int variable_ = -1;
  int values_[4] = {1, 2, 3, 4};
};

TEST_P(ManyObjects, PutsAndGetsOfOneVariable) {
  expect_the_same([&](int variables) {
    create();
    define(variables);
    const double cost = fastest([&](int i) {
      const scorpio_access access = one(i);
      EXPECT_SUCCESS(scorpio_put(file_, &access));
      EXPECT_SUCCESS(scorpio_get(file_, &access));
    });
    close();
    return cost;
  });
}

TEST_P(ManyObjects, NamesOfAttributes) {
  expect_the_same([&](int attributes) {
    create();
    define(1);
    for (int i = 0; i < attributes; ++i)
      EXPECT_SUCCESS(scorpio_attribute_put_text(file_, variable_, ("a" + std::to_string(i)).c_str(), "m"));
    const double cost = fastest([&](int i) {
      char name[20] = "";
      int count = 0;
      EXPECT_SUCCESS(scorpio_attribute_count(file_, variable_, &count));
      EXPECT_SUCCESS(scorpio_attribute_name(file_, variable_, count - 1 - i, name, sizeof name, nullptr));
      EXPECT_SUCCESS(scorpio_attribute_put_text(file_, variable_, name, "n"));
    });
    close();
    return cost;
  });
}

// Requests that are tested or cancelled, or waited for, among others that stay pending.
TEST_P(ManyObjects, CallsOnOneRequest) {
  expect_the_same([&](int pending) {
    create();
    define(1);
    const scorpio_access access = one(0);
    std::vector<scorpio_request> requests(static_cast<size_t>(pending));
    for (scorpio_request& request : requests) EXPECT_SUCCESS(scorpio_iput(file_, &access, &request));
    const double cost = fastest([&](int) {
      int done = 1;
      EXPECT_SUCCESS(scorpio_test(file_, 1, &requests.back(), &done));
      EXPECT_EQ(0, done);
      scorpio_request first = requests.back(), second = SCORPIO_REQUEST_NULL;
      requests.pop_back();
      EXPECT_SUCCESS(scorpio_iput(file_, &access, &second));
      EXPECT_SUCCESS(scorpio_cancel(file_, 1, &first));
      EXPECT_SUCCESS(scorpio_wait(file_, 1, &second, nullptr));
      requests.push_back(SCORPIO_REQUEST_NULL);
      EXPECT_SUCCESS(scorpio_iput(file_, &access, &requests.back()));
    });
    EXPECT_SUCCESS(scorpio_cancel(file_, SCORPIO_ALL_REQUESTS, nullptr));
    close();
    return cost;
  });
}

INSTANTIATE_TEST_SUITE_P(Formats, ManyObjects, testing::Values("cdf5", "hdf5"),
                         [](const auto& of) { return std::string(of.param); });

}  // namespace
}  // namespace scorpio::api_test

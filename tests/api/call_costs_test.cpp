// The table "What a call costs" of docs/which-call.md: agreements, messages and copies of each call that
// moves data.
#include <array>
#include <functional>

#include "accesses.h"
#include "layout.h"

namespace scorpio::api_test {
namespace {

constexpr int64_t k_rows = 64, k_columns = 32;

struct Cost {
  uint64_t agreements;
  uint64_t bytes_copied;  // of all ranks
};

class CallCosts : public ::testing::Test {
 protected:
  CallCosts() {
    const int64_t first = k_rows * rank_in() / ranks_in(), end = k_rows * (rank_in() + 1) / ranks_in();
    start_ = {first, 0};
    count_ = {end - first, k_columns};
    part_ = {end - first, 1};
  }

  void run(const char* nodes);
  void puts(scorpio_decomp* rows);
  void requests();
  void gets(scorpio_decomp* rows);

  scorpio_access whole(int variable) {
    return scorpio_hyperslab(variable, start_.data(), count_.data(), SCORPIO_FLOAT64, memory_.data());
  }
  scorpio_access with_gaps(int variable) {
    return scorpio_hyperslab(variable, start_.data(), part_.data(), SCORPIO_FLOAT64, memory_.data());
  }

  void expect(const char* call, Cost cost, const std::function<int()>& make) {
    const uint64_t agreements = system_->counter("agreements");
    const uint64_t messages = system_->sum("messages");
    const uint64_t copied = system_->sum("bytes_placed") + system_->sum("bytes_fetched");
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_SUCCESS(make()) << call;
    EXPECT_EQ(cost.agreements, system_->counter("agreements") - agreements) << call;
    if (one_node_) {
      EXPECT_EQ(0u, system_->sum("messages") - messages) << call;
    }
    EXPECT_EQ(cost.bytes_copied, system_->sum("bytes_placed") + system_->sum("bytes_fetched") - copied)
        << call;
  }

  static constexpr uint64_t k_bytes = k_rows * k_columns * sizeof(double);
  const TemporaryFolder folder_;
  const System* system_ = nullptr;
  bool one_node_ = true;
  scorpio_file* file_ = nullptr;
  std::array<int, 2> variables_{};
  int scalar_ = -1;
  std::array<int64_t, 2> start_{}, count_{}, part_{}, origin_{}, one_row_{1, k_columns};
  std::vector<double> memory_ = std::vector<double>(k_rows * k_columns);
};

void CallCosts::puts(scorpio_decomp* rows) {
  const auto both = [&] {
    return std::vector<scorpio_access>{
        scorpio_darray(variables_[0], rows, 0, SCORPIO_FLOAT64, memory_.data()),
        scorpio_darray(variables_[1], rows, 0, SCORPIO_FLOAT64, memory_.data())};
  };
  expect("put by a decomposition", {0, k_bytes},
         [&] { return scorpio_put_darray(file_, variables_[0], rows, 0, SCORPIO_FLOAT64, memory_.data()); });
  expect("put_n by decompositions", {0, 2 * k_bytes}, [&] { return put_n(file_, both()); });
  const scorpio_access block = whole(variables_[0]), gaps = with_gaps(variables_[0]);
  scorpio_access row =
      scorpio_hyperslab(variables_[0], origin_.data(), one_row_.data(), SCORPIO_FLOAT64, memory_.data());
  expect("put of a hyperslab that all ranks know", {0, k_bytes / k_rows},
         [&] { return put_of_all(file_, row); });
  expect("put of a scalar", {0, sizeof(double)},
         [&] { return scorpio_put_scalar(file_, scalar_, SCORPIO_FLOAT64, memory_.data()); });
  expect("put of hyperslabs", {2, k_bytes}, [&] { return scorpio_put(file_, &block); });
  expect("put_n of hyperslabs", {2, 2 * k_bytes}, [&] {
    return put_n(file_, {whole(variables_[0]), whole(variables_[1])});
  });
  expect("put of hyperslabs with gaps", {3, k_bytes / k_columns}, [&] { return scorpio_put(file_, &gaps); });
}

void CallCosts::requests() {
  const auto wait = [&] { return scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr); };
  expect("iput", {0, 0}, [&] { return iput(file_, whole(variables_[0])); });
  expect("wait for puts", {1, k_bytes}, wait);
  expect("iput with gaps", {0, 0}, [&] { return iput(file_, with_gaps(variables_[0])); });
  expect("wait for puts with gaps", {2, k_bytes / k_columns}, wait);
  EXPECT_SUCCESS(scorpio_buffer_attach(file_, static_cast<int64_t>(k_bytes)));
  expect("bput", {0, 0}, [&] { return bput(file_, whole(variables_[0])); });
  expect("wait for buffered puts", {1, k_bytes}, wait);
  EXPECT_SUCCESS(scorpio_buffer_detach(file_));
  expect("iget", {0, 0}, [&] { return iget(file_, whole(variables_[0])); });
  expect("wait for gets", {2, k_bytes}, wait);
}

void CallCosts::gets(scorpio_decomp* rows) {
  const uint64_t agreements = one_node_ ? 1 : 2;
  const std::vector<scorpio_access> both{
      scorpio_darray(variables_[0], rows, 0, SCORPIO_FLOAT64, memory_.data()),
      scorpio_darray(variables_[1], rows, 0, SCORPIO_FLOAT64, memory_.data())};
  expect("get by a decomposition", {agreements, k_bytes},
         [&] { return scorpio_get_darray(file_, variables_[0], rows, 0, SCORPIO_FLOAT64, memory_.data()); });
  expect("get_n by decompositions", {agreements, 2 * k_bytes},
         [&] { return scorpio_get_n(file_, 2, both.data()); });
  const scorpio_access block = whole(variables_[0]);
  expect("get of hyperslabs", {2, k_bytes}, [&] { return scorpio_get(file_, &block); });
  const auto ranks = static_cast<uint64_t>(ranks_in());
  expect("get of a scalar", {agreements, ranks * sizeof(double)},
         [&] { return scorpio_get_scalar(file_, scalar_, SCORPIO_FLOAT64, memory_.data()); });
}

void CallCosts::run(const char* nodes) {
  const System system(Settings{{"nodes", nodes}});
  system_ = &system;
  one_node_ = nodes[0] == '1' || ranks_in() == 1;
  const Layout layout = uniform_layout({k_rows, k_columns}, ranks_in());
  const Decomp rows(system, layout);
  ASSERT_SUCCESS(
      scorpio_file_create(system.get(), (folder_ / nodes).c_str(), SCORPIO_FORMAT_HDF5, nullptr, &file_));
  EXPECT_SUCCESS(scorpio_variable_define(file_, "a", SCORPIO_FLOAT64, 2, layout.dims.data(), &variables_[0]));
  EXPECT_SUCCESS(scorpio_variable_define(file_, "b", SCORPIO_FLOAT64, 2, layout.dims.data(), &variables_[1]));
  EXPECT_SUCCESS(scorpio_variable_define(file_, "s", SCORPIO_FLOAT64, 0, nullptr, &scalar_));
  puts(rows.get());
  requests();
  gets(rows.get());
  EXPECT_SUCCESS(scorpio_file_close(file_));
}

TEST_F(CallCosts, AreThoseOfThePageOnOneNode) { run("1"); }

TEST_F(CallCosts, AreThoseOfThePageOnTwoNodes) { run("2"); }

}  // namespace
}  // namespace scorpio::api_test

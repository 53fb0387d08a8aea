// The plan of a job by the function, without MPI: its text, and what it says of jobs that are wrong.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scorpio/scorpio.h"
#include "support/environment_variable.h"

namespace scorpio {
namespace {

const std::vector<int64_t> k_dims{4, 6};
const std::vector<int64_t> k_lengths{12, 0, 12};

class JobPlan : public testing::Test {
 protected:
  JobPlan() {
    for (int64_t i = 0; i < 24; ++i) index_.push_back(i);
    job_.ranks = 3;
    job_.ndims = 2;
    job_.dims = k_dims.data();
    job_.lengths = k_lengths.data();
    job_.index = index_.data();
    EXPECT_EQ(SCORPIO_OK, scorpio_options_create(&options_));
  }
  ~JobPlan() override { EXPECT_EQ(SCORPIO_OK, scorpio_options_free(options_)); }

  nlohmann::json plan() {
    std::string text(100'000, '\0');
    size_t length = 0;
    EXPECT_EQ(SCORPIO_OK, scorpio_job_plan(&job_, options_, text.data(), text.size(), &length)) << last();
    EXPECT_LT(length, text.size());
    text.resize(length);
    return nlohmann::json::parse(text);
  }

  static std::string last() {
    scorpio_error error;
    EXPECT_EQ(SCORPIO_OK, scorpio_error_last(&error));
    return error.text;
  }

  // The job with one change is refused with this code and a text that contains `part`.
  void refuse(int code, const std::string& part, const std::function<void(scorpio_job&)>& change) {
    scorpio_job wrong = job_;
    change(wrong);
    EXPECT_EQ(code, scorpio_job_plan(&wrong, options_, nullptr, 0, nullptr)) << part;
    EXPECT_NE(std::string::npos, last().find(part)) << part << " in " << last();
  }

  std::vector<int64_t> index_;
  scorpio_job job_{};
  scorpio_options* options_ = nullptr;
};

TEST_F(JobPlan, HasTheNumbersOfTheJob) {
  const auto json = plan();
  EXPECT_EQ(json.at("schema"), 1);
  EXPECT_EQ(json.at("ranks"), 3);
  EXPECT_EQ(json.at("nodes"), 1);
  EXPECT_EQ(json.at("variables"), 1);
  EXPECT_EQ(json.at("type"), "float64");
  EXPECT_EQ(json.at("variable_bytes"), 192);
  EXPECT_EQ(json.at("gaps"), 0);
  const auto& choice = json.at("choices").front();
  EXPECT_EQ(choice.at("choice"), "in force");
  EXPECT_EQ(choice.at("writes"), 1);
  EXPECT_EQ(choice.at("bytes_written"), 192);
  EXPECT_EQ(choice.at("messages"), 0);
  EXPECT_EQ(choice.at("opens"), 1);
}

TEST_F(JobPlan, FollowsTheOptionsAndTheEnvironment) {
  job_.nodes = 3;
  EXPECT_EQ(plan().at("choices").front().at("io_ranks"), 3);
  EXPECT_EQ(SCORPIO_OK, scorpio_options_set(options_, "io_ranks", "2"));
  const auto json = plan();
  EXPECT_EQ(json.at("choices").front().at("io_ranks"), 2);
  EXPECT_EQ(json.at("options").front(), "io_ranks = 2 (API)");
  const test::EnvironmentVariable block("SCORPIO_BLOCK_BYTES", "64k");
  EXPECT_EQ(plan().at("choices").front().at("block_bytes"), 65536);
}

TEST_F(JobPlan, OfNothingCostsNothing) {
  const std::vector<int64_t> none{0, 0, 0}, one{0, 1, 0};
  job_.nodes = 3;
  job_.lengths = none.data();
  job_.index = nullptr;
  EXPECT_EQ(plan().at("choices").front().at("writes"), 0);
  EXPECT_EQ(plan().at("gaps"), 24);
  job_.dims = none.data();
  EXPECT_EQ(plan().at("choices").front().at("messages"), 0);
  EXPECT_EQ(plan().at("variable_bytes"), 0);
  job_.ndims = 0;
  job_.lengths = one.data();
  job_.index = none.data();
  EXPECT_EQ(plan().at("choices").front().at("bytes_written"), 8);
}

TEST_F(JobPlan, TextIsCutWhereItDoesNotFit) {
  std::string text(10, 'x');
  size_t length = 0;
  EXPECT_EQ(SCORPIO_OK, scorpio_job_plan(&job_, nullptr, text.data(), text.size(), &length));
  EXPECT_GT(length, 100u);
  EXPECT_EQ(text.back(), '\0');
}

TEST_F(JobPlan, WrongNumbersAreRefusedWithTheirValues) {
  refuse(SCORPIO_ERR_ARGUMENT, "ranks = 0", [](scorpio_job& job) { job.ranks = 0; });
  refuse(SCORPIO_ERR_ARGUMENT, "ranks = -1", [](scorpio_job& job) { job.ranks = -1; });
  refuse(SCORPIO_ERR_ARGUMENT, "nodes = 4", [](scorpio_job& job) { job.nodes = 4; });
  refuse(SCORPIO_ERR_ARGUMENT, "nodes = -2", [](scorpio_job& job) { job.nodes = -2; });
  refuse(SCORPIO_ERR_ARGUMENT, "io_ranks = 4", [](scorpio_job& job) { job.io_ranks = 4; });
  refuse(SCORPIO_ERR_ARGUMENT, "io_ranks = -4", [](scorpio_job& job) { job.io_ranks = -4; });
  refuse(SCORPIO_ERR_ARGUMENT, "variables = -1", [](scorpio_job& job) { job.variables = -1; });
  refuse(SCORPIO_ERR_ARGUMENT, "dims", [](scorpio_job& job) { job.dims = nullptr; });
  refuse(SCORPIO_ERR_ARGUMENT, "lengths", [](scorpio_job& job) { job.lengths = nullptr; });
  refuse(SCORPIO_ERR_ARGUMENT, "index", [](scorpio_job& job) { job.index = nullptr; });
  refuse(SCORPIO_ERR_ARGUMENT, "ndims = 40", [](scorpio_job& job) { job.ndims = 40; });
  const std::vector<int64_t> negative{12, -5, 12};
  refuse(SCORPIO_ERR_ARGUMENT, "-5 of the map of rank 1",
         [&](scorpio_job& job) { job.lengths = negative.data(); });
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_job_plan(nullptr, options_, nullptr, 0, nullptr));
  refuse(SCORPIO_ERR_TYPE, "11", [](scorpio_job& job) { job.type = SCORPIO_TEXT; });
  refuse(SCORPIO_ERR_TYPE, "77", [](scorpio_job& job) { job.type = static_cast<scorpio_type>(77); });
  index_[13] = 24;
  refuse(SCORPIO_ERR_SHAPE, "map of rank 2", [](scorpio_job&) {});
  index_[13] = -2;
  refuse(SCORPIO_ERR_SHAPE, "-2", [](scorpio_job&) {});
}

TEST_F(JobPlan, OptionsThatCannotBePlannedAreRefused) {
  EXPECT_EQ(SCORPIO_OK, scorpio_options_set(options_, "io_ranks", "9"));
  refuse(SCORPIO_ERR_ARGUMENT, "io_ranks = 9", [](scorpio_job&) {});
  EXPECT_EQ(SCORPIO_OK, scorpio_options_set(options_, "io_ranks", "0"));
  EXPECT_EQ(SCORPIO_OK, scorpio_options_set(options_, "filters", "*=lossless"));
  refuse(SCORPIO_ERR_UNSUPPORTED, "filters", [](scorpio_job&) {});
}

}  // namespace
}  // namespace scorpio

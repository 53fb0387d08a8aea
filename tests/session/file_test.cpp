// A whole file on ranks that are threads: what is put is in it, and comes back.
#include <gtest/gtest.h>

#include <numeric>

#include "session/file.h"
#include "session/thread_system.h"

namespace scorpio::test {
namespace {

using session::File;
using session::Move;

const model::ElementType k_double = model::native(model::Kind::float64, 8);

struct Case {
  const char* format;
  JobShape shape;
};

class FileOnThreads : public testing::TestWithParam<Case> {};

OptionSet options_for(const Case& one) {
  OptionSet options;
  EXPECT_TRUE(options.set("format", one.format).ok());
  return options;
}

std::vector<double> values_of(const session::Decomposition& part, double first) {
  std::vector<double> values(static_cast<size_t>(part.part().local_elements));
  std::iota(values.begin(), values.end(), first);
  return values;
}

TEST_P(FileOnThreads, GivesBackWhatWasPut) {
  const Case& one = GetParam();
  ThreadJob job(one.shape);
  job.run([&](ThreadSystem& system) {
    const OptionSet options = options_for(one);
    const auto rows = system.rows({40, 50});
    const std::vector<double> mine = values_of(*rows, 1000.0 * system.rank());
    auto file = File::create(system, std::string("/a"), options).value();
    const int variable = file->definitions().define_variable("v", k_double, {40, 50}).value();
    EXPECT_TRUE(file->data()
                    .put(std::vector<Move>{{.variable = variable, .from = mine.data()}}, rows.get(), k_double)
                    .ok());
    EXPECT_TRUE(file->close().ok());
    file = File::open(system, std::string("/a"), false, options).value();
    std::vector<double> back(mine.size());
    const int found = file->inquiry().find_variable("v").value();
    EXPECT_TRUE(file->data()
                    .get(std::vector<Move>{{.variable = found, .to = back.data()}}, rows.get(), k_double)
                    .ok());
    EXPECT_EQ(mine, back);
    EXPECT_TRUE(file->close().ok());
  });
}

INSTANTIATE_TEST_SUITE_P(Formats, FileOnThreads,
                         testing::Values(Case{"hdf5", {1, 1, 1}}, Case{"hdf5", {4, 1, 2}},
                                         Case{"hdf5", {4, 2, 3}}, Case{"cdf5", {4, 1, 2}},
                                         Case{"cdf5", {5, 2, 2}}),
                         [](const auto& one) {
                           return fmt::format("{}_{}_{}_{}", one.param.format, one.param.shape.ranks,
                                              one.param.shape.nodes, one.param.shape.io_ranks);
                         });

}  // namespace
}  // namespace scorpio::test

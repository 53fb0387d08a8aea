// A whole file on ranks that are threads: what is put is in it, and comes back.
#include "session/file.h"

#include "session/parts.h"

namespace scorpio::test {
namespace {

using session::File;
using session::Move;

class FileOnThreads : public PartsTest {};

TEST_P(FileOnThreads, GivesBackWhatWasPut) {
  job_.run([&](ThreadSystem& system) {
    const auto rows = system.rows({40, 50});
    const std::vector<double> mine = values_for(*rows, 1000.0);
    auto file = File::create(system, std::string(k_path), options()).value();
    const int variable = file->definitions().define_variable("v", k_double, {40, 50}).value();
    EXPECT_TRUE(file->data()
                    .put(std::vector<Move>{{.variable = variable, .from = mine.data()}}, rows.get(), k_double)
                    .ok());
    EXPECT_TRUE(file->close().ok());
    file = File::open(system, std::string(k_path), false, options()).value();
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
                         name_of);

}  // namespace
}  // namespace scorpio::test

// A whole file on ranks that are threads: what is put is in it, and comes back.
#include "session/file.h"

#include "session/close_file.h"
#include "session/parts.h"

namespace scorpio::test {
namespace {

using session::File;
using session::Move;
using session::Opening;

class FileOnThreads : public PartsTest {};

TEST_P(FileOnThreads, GivesBackWhatWasPut) {
  job_.run([&](ThreadSystem& system) {
    const auto rows = system.rows({40, 50});
    const std::vector<double> mine = values_for(*rows, 1000.0);
    auto file = File::open(system, Opening::Mode::create, std::string(k_path), options()).value();
    const int variable = file->definitions().define_variable("v", k_double, {40, 50}).value();
    EXPECT_TRUE(file->data()
                    .put(std::vector<Move>{{.variable = variable, .from = mine.data(), .memory = k_double}},
                         rows.get())
                    .ok());
    EXPECT_TRUE(file->close().ok());
    file = File::open(system, Opening::Mode::read, std::string(k_path), options()).value();
    std::vector<double> back(mine.size());
    const int found = file->inquiry().find_variable("v").value();
    EXPECT_TRUE(
        file->data()
            .get(std::vector<Move>{{.variable = found, .to = back.data(), .memory = k_double}}, rows.get())
            .ok());
    EXPECT_EQ(mine, back);
    EXPECT_TRUE(file->close().ok());
  });
}

// What was put before the definitions is there after them, and after a sync.
TEST_P(FileOnThreads, GoesOnAfterMoreDefinitions) {
  job_.run([&](ThreadSystem& system) {
    const bool define_mode = classic();
    const auto rows = system.rows({40, 50});
    const std::vector<double> mine = values_for(*rows, 1000.0);
    const auto put = [&](File& file, int variable) {
      return file.data().put(
          std::vector<Move>{{.variable = variable, .from = mine.data(), .memory = k_double}}, rows.get());
    };
    auto file = File::open(system, Opening::Mode::create, std::string(k_path), options()).value();
    const int v = file->definitions().define_variable("v", k_double, {40, 50}).value();
    EXPECT_EQ(define_mode ? Code::state : Code::ok, file->begin_definitions().code()) << "already";
    EXPECT_TRUE(put(*file, v).ok());
    EXPECT_EQ(define_mode ? Code::state : Code::ok,
              file->definitions().define_variable("early", k_double, {3}).status().code());
    EXPECT_TRUE(file->begin_definitions().ok());
    const Result<int> w = file->definitions().define_variable("w", k_double, {40, 50});
    EXPECT_TRUE(w.ok()) << w.status().text();
    EXPECT_TRUE(file->define_mode().end().ok());
    EXPECT_TRUE(put(*file, *w).ok());
    EXPECT_TRUE(sync_file(*file).ok());
    for (const int variable : {v, *w}) {
      std::vector<double> back(mine.size());
      EXPECT_TRUE(file->data()
                      .get(std::vector<Move>{{.variable = variable, .to = back.data(), .memory = k_double}},
                           rows.get())
                      .ok());
      EXPECT_EQ(mine, back);
    }
    EXPECT_EQ(k_path, file->path());
    EXPECT_EQ(GetParam().format, file->format().capabilities().name);
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

// Option explain: what is written at the first puts, that it costs no message, and that it never fails the
// program.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "layout.h"
#include "session.h"

namespace scorpio::api_test {
namespace {

std::string content(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// The name of the file that option explain led to, which rank 0 knows.
std::string path_of(const System& system) {
  std::istringstream lines(system.describe());
  const std::string in_force = "; in force: ";
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("explain = ")) continue;
    const size_t at = line.find(in_force);
    if (at != std::string::npos) return line.substr(at + in_force.size());
    return line.substr(10, line.find(" (") - 10);
  }
  return "";
}

class ExplainOption : public testing::Test {
 protected:
  static constexpr int k_steps = 3;

  // Puts a variable of each type in several steps by `decomp`, whose text is returned.
  std::string put_steps(const System& system, const std::string& path, const Layout& layout,
                        const Decomp& decomp) const {
    scorpio_file* file = nullptr;
    int wide = -1, narrow = -1;
    const std::vector<double> data(layout.of(rank_in()).size(), 1.5);
    EXPECT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
    EXPECT_SUCCESS(scorpio_variable_define(file, "wide", SCORPIO_FLOAT64, 2, layout.dims.data(), &wide));
    EXPECT_SUCCESS(scorpio_variable_define(file, "narrow", SCORPIO_FLOAT32, 2, layout.dims.data(), &narrow));
    for (int step = 0; step < k_steps; ++step) {
      for (const int variable : {wide, narrow})
        EXPECT_SUCCESS(scorpio_put_darray(file, variable, decomp.get(), 0, SCORPIO_FLOAT64, data.data()));
    }
    std::vector<char> text(8192);
    size_t length = 0;
    EXPECT_SUCCESS(scorpio_file_sync(file));
    EXPECT_SUCCESS(scorpio_explain_darray(file, wide, decomp.get(), 0, text.data(), text.size(), &length));
    EXPECT_SUCCESS(scorpio_file_close(file));
    return text.data();
  }

  const TemporaryFolder folder_;
  const Layout layout_ = uniform_layout({97, 53}, ranks_in());
};

TEST_F(ExplainOption, EachDecompositionIsExplainedOnceForEachFile) {
  const EnvironmentVariable option("SCORPIO_EXPLAIN", folder_ / "plan.txt");
  const System system(Settings{{"block_bytes", "4k"}, {"nodes", "1"}});
  const Decomp decomp(system, layout_);
  const std::string explained = put_steps(system, folder_ / "a.h5", layout_, decomp);
  (void)put_steps(system, folder_ / "b.h5", layout_, decomp);
  if (rank_in() != 0) return;
  const std::string written = content(path_of(system));
  // One node: the bytes between nodes are known without a message.
  EXPECT_NE(written.find(explained), std::string::npos) << explained << "\nis not in\n" << written;
  EXPECT_EQ(count_of(written, "a.h5: variable /wide by decomposition "), 2u) << written;
  EXPECT_EQ(count_of(written, "a.h5: variable /narrow by decomposition "), 2u) << written;
  EXPECT_EQ(count_of(written, "b.h5: variable /wide by decomposition "), 1u) << written;
  EXPECT_EQ(count_of(written, ": as " + (folder_ / "a.h5") + ": variable /"), 2u) << written;
  EXPECT_EQ(count_of(written, "file domains: "), 2u) << written;
}

TEST_F(ExplainOption, CostsNoMessageAndNoAgreement) {
  const char* const names[] = {"messages", "agreements", "writes", "opens", "bytes_written"};
  std::vector<std::vector<uint64_t>> sums;
  for (const std::string& path : {std::string(), folder_ / "plan.txt"}) {
    const System system(Settings{
        {"explain", path}, {"block_bytes", "4k"}, {"nodes", std::to_string(std::min(2, ranks_in()))}});
    const Decomp decomp(system, layout_);
    (void)put_steps(system, folder_ / (path.empty() ? "a.h5" : "b.h5"), layout_, decomp);
    for (const char* name : names) sums.emplace_back().push_back(system.sum(name));
  }
  for (size_t i = 0; i < sums.size() / 2; ++i) EXPECT_EQ(sums[i], sums[i + sums.size() / 2]) << names[i];
}

// The nodes whose rows are in a unit send it.
TEST_F(ExplainOption, BytesBetweenNodesAreNamedAsEstimated) {
  const System system(Settings{
      {"explain", folder_ / "plan.txt"}, {"block_bytes", "4k"}, {"nodes", std::to_string(ranks_in())}});
  const Decomp decomp(system, layout_);
  (void)put_steps(system, folder_ / "a.h5", layout_, decomp);
  if (rank_in() != 0) return;
  const std::string written = content(path_of(system));
  EXPECT_EQ(count_of(written, "put: 0 messages between nodes with 0 bytes"), ranks_in() == 1 ? 2u : 0u)
      << written;
  EXPECT_EQ(count_of(written, "nodes with about ") > 0, ranks_in() > 1) << written;
}

TEST_F(ExplainOption, IsReadFromTheConfigurationFile) {
  const std::string path = folder_ / "plan.txt", config = folder_ / "run.json";
  if (rank_in() == 0) std::ofstream(config) << R"({"explain": ")" << path << R"("} // comments are fine)";
  MPI_Barrier(MPI_COMM_WORLD);
  const EnvironmentVariable file("SCORPIO_CONFIG", config);
  const System system;
  const Decomp decomp(system, layout_);
  (void)put_steps(system, folder_ / "a.h5", layout_, decomp);
  EXPECT_NE(system.describe().find("explain = " + path + " (configuration file"), std::string::npos);
  if (rank_in() == 0) {
    EXPECT_EQ(count_of(content(path_of(system)), "I/O ranks: "), 2u);
  }
}

// A second I/O system does not overwrite the file of the first, and the value of rank 0 is the one that
// counts.
TEST_F(ExplainOption, EachSystemHasAFileOfItsOwn) {
  const std::string wished = folder_ / ("plan" + std::to_string(rank_in()) + ".txt");
  std::vector<std::string> paths;
  for (int i = 0; i < 2; ++i) {
    const System system(Settings{{"explain", wished}});
    paths.push_back(path_of(system));
    const Decomp decomp(system, layout_);
    (void)put_steps(system, folder_ / "a.h5", layout_, decomp);
  }
  if (rank_in() != 0) {
    EXPECT_FALSE(std::filesystem::exists(wished));
    return;
  }
  EXPECT_NE(paths[0], paths[1]);
  for (const std::string& path : paths) EXPECT_EQ(count_of(content(path), "\nput: "), 2u) << path;
}

TEST_F(ExplainOption, AFileThatCannotBeWrittenFailsNoCall) {
  const System system(Settings{{"explain", folder_ / "none/plan.txt"}});
  const Decomp decomp(system, layout_);
  (void)put_steps(system, folder_ / "a.h5", layout_, decomp);
  const bool told = system.describe().find("explanation of puts cannot be written") != std::string::npos;
  EXPECT_EQ(told, rank_in() == 0) << system.describe();
}

}  // namespace
}  // namespace scorpio::api_test

// The summary of what was moved, as tools of E3SM read it.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "program.h"
#include "support/environment_variable.h"

namespace scorpio::pio_test {
namespace {

class Summary : public Program {
 protected:
  // Writes 24 bytes by put_var and 4 bytes for each of 9 elements by write_darray, and reads both.
  void use_file(int system) {
    int file = -1, iotype = PIO_IOTYPE_PNETCDF, d = -1;
    ASSERT_DONE(PIOc_createfile(system, &file, &iotype, path("a \"b\" \xE9.nc").c_str(), PIO_CLOBBER));
    const int v = variable(file, "v", PIO_INT, {dimension(file, "x", 6)});
    const int w = variable(file, "w", PIO_INT, {dimension(file, "y", 9)});
    EXPECT_DONE(PIOc_enddef(file));
    const auto map = round_robin(9);
    const int extent = 9;
    EXPECT_DONE(PIOc_InitDecomp(system, PIO_INT, 1, &extent, static_cast<int>(map.size()), map.data(), &d,
                                nullptr, nullptr, nullptr));
    std::vector<int> values(map.size(), 3);
    const std::vector<int> six(6, 1);
    std::vector<int> read(6);
    EXPECT_DONE(PIOc_put_var_int(file, v, six.data()));
    EXPECT_DONE(PIOc_write_darray(file, w, d, static_cast<PIO_Offset>(map.size()), values.data(), nullptr));
    EXPECT_DONE(PIOc_get_var_int(file, v, read.data()));
    EXPECT_DONE(PIOc_read_darray(file, w, d, static_cast<PIO_Offset>(map.size()), values.data()));
    EXPECT_DONE(PIOc_freedecomp(system, d));
    EXPECT_DONE(PIOc_closefile(file));
  }
  // In the folder of the test, which is the current one until the end of the I/O system.
  void use_system() {
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(path("."));
    int system = -1;
    ASSERT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, root_, PIO_REARR_BOX, &system));
    use_file(system);
    EXPECT_DONE(PIOc_finalize(system));
    MPI_Barrier(MPI_COMM_WORLD);
    std::filesystem::current_path(before);
  }
  std::string summary() const {
    std::ifstream file(path("io_perf_summary_" + std::to_string(::getpid()) + ".json"));
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  static size_t count(const std::string& text, const std::string& part) {
    size_t found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
};

TEST_F(Summary, IsWrittenOnRequest) {
  use_system();
  EXPECT_EQ("", summary());
  // The environment of rank 0 counts.
  const test::EnvironmentVariable wanted("PIO_ENABLE_IO_STATS", rank() == 0 ? "ON" : "OFF");
  use_system();
  const std::string text = summary();
  if (rank() != root_) {
    EXPECT_EQ("", text);
    return;
  }
  EXPECT_EQ(1u, count(text, "\"ScorpioIOSummaryStatistics\": {"));
  EXPECT_EQ(1u, count(text, "\"OverallIOStatistics\": {"));
  EXPECT_EQ(1u, count(text, "\"ModelComponentIOStatistics\": ["));
  EXPECT_EQ(1u, count(text, "\"FileIOStatistics\": ["));
  EXPECT_EQ(1u, count(text, "a \\\"b\\\" \xEF\xBF\xBD.nc\"")) << "a byte that is not UTF-8 is replaced";
  EXPECT_EQ(1u, count(text, "\"model_component_name\": \"UNKNOWN:SPIO_COMP_0\""));
  EXPECT_EQ(3u, count(text, "\"tot_wb(bytes)\": 60,"));
  EXPECT_EQ(3u, count(text, "\"tot_rb(bytes)\": 60,"));
  EXPECT_EQ(3u, count(text, "\"tot_time(s)\": "));
}

// Processes on different nodes can have the same id. The file of another one is not replaced.
TEST_F(Summary, LeavesThatOfAnotherProcess) {
  const std::string stem = path("io_perf_summary_" + std::to_string(::getpid()));
  std::ofstream(stem + ".json") << "of another process";
  const test::EnvironmentVariable wanted("PIO_ENABLE_IO_STATS", "ON");
  use_system();
  EXPECT_EQ("of another process", summary());
  EXPECT_EQ(rank() == root_, std::filesystem::exists(stem + "_" + std::to_string(rank()) + ".json"));
}

}  // namespace
}  // namespace scorpio::pio_test

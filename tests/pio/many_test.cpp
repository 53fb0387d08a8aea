// Many I/O systems, files and decompositions one after the other: no descriptor is left, and little memory.
#include <malloc.h>

#include <algorithm>
#include <filesystem>

#include "program.h"

namespace scorpio::pio_test {
namespace {

class Many : public Program {
 protected:
  static int64_t descriptors() {
    int64_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
      count += entry.path().empty() ? 0 : 1;
    return count;
  }
  static int64_t bytes_in_use() { return static_cast<int64_t>(mallinfo2().uordblks + mallinfo2().hblkhd); }
};

TEST_F(Many, FilesAndDecompositions) {
  const auto round = [&](int i) {
    const int file = create("a.nc");
    const int x = dimension(file, "x", 8);
    const int v = variable(file, "v", PIO_INT, {x});
    auto map = round_robin(8);
    if (i % 2 == 1) std::reverse(map.begin(), map.end());
    const int d = decomposition(PIO_INT, {8}, map);
    const std::vector<int> values(map.size(), i);
    EXPECT_DONE(
        PIOc_write_darray(file, v, d, static_cast<PIO_Offset>(values.size()), values.data(), nullptr));
    EXPECT_DONE(PIOc_freedecomp(system_, d));
    EXPECT_DONE(PIOc_closefile(file));
  };
  constexpr int k_rounds = 200;
  for (int i = 0; i < 20; ++i) round(i);
  const int64_t descriptors_before = descriptors(), bytes_before = bytes_in_use();
  for (int i = 0; i < k_rounds; ++i) round(i);
  EXPECT_EQ(descriptors_before, descriptors());
  EXPECT_LE(bytes_in_use() - bytes_before, 64 * 1024);
}

}  // namespace
}  // namespace scorpio::pio_test

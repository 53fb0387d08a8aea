// Many ranks, once through: shared memory, several nodes, messages.
#include "layout.h"
#include "reference.h"
#include "stock_reader.h"

namespace scorpio::api_test {
namespace {

class Smoke : public testing::TestWithParam<Settings> {};

TEST_P(Smoke, WriteReadOverwrite) {
  const TemporaryFolder folder;
  const std::string path = folder / "file.h5";
  Settings settings = GetParam();
  settings.emplace_back("staging_bytes", "1m");
  const System system(settings);
  const Extents dims{64, 96, 20};
  std::mt19937_64 random(41);
  const Layout blocks = grid_layout(dims, shuffled(ranks_in(), random));
  const Layout rows = uniform_layout(dims, ranks_in());
  const Decomp of_blocks(system, blocks), of_rows(system, rows);
  scorpio_file* file = nullptr;
  int variable = -1;
  ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  ASSERT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_FLOAT32, 3, dims.data(), &variable));
  Reference<float> reference(dims);
  for (uint64_t call = 0; call < 2; ++call) {
    EXPECT_SUCCESS(put<float>(file, variable, of_blocks, blocks, call, rank_in()));
    reference.put(blocks, call);
  }
  expect_part(file, variable, of_rows, rows, reference, rank_in());
  EXPECT_SUCCESS(scorpio_file_close(file));
  if (rank_in() == 0) {
    EXPECT_TRUE(reference.elements() == stock_elements<float>(path, "/v"));
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, Smoke,
                         testing::Values(Settings{}, Settings{{"nodes", "4"}},
                                         Settings{{"exchange", "messages"}, {"io_ranks", "2"}}));

}  // namespace
}  // namespace scorpio::api_test

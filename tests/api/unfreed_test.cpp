// A program that calls MPI_Finalize without scorpio_iosystem_free: its posted files are complete all the
// same.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "accesses.h"
#include "layout.h"
#include "session.h"

namespace scorpio::api_test {
namespace {

// The function of the program at the end of MPI was set before, and is
// called after that of the library.
struct Unfreed {
  TemporaryFolder folder;
  std::string path;
  scorpio_iosystem* system = nullptr;
};

int check_unfreed(MPI_Comm, int, void* object, void*) {
  const std::unique_ptr<Unfreed> unfreed(static_cast<Unfreed*>(object));
  MPI_Barrier(MPI_COMM_WORLD);
  const bool complete = std::filesystem::exists(unfreed->path);
  MPI_Barrier(MPI_COMM_WORLD);  // the folder of rank 0 is removed after it
  if (complete) return MPI_SUCCESS;
  std::fprintf(stderr, "%s is not complete after MPI_Finalize\n", unfreed->path.c_str());
  std::_Exit(1);
}

TEST(UnfreedSystem, ItsPostedFilesAreCompleteAfterMpiFinalize) {
  auto unfreed = std::make_unique<Unfreed>();
  unfreed->path = unfreed->folder / "f.nc";
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, check_unfreed, &key, nullptr);
  const OptionList options(Settings{{"asynchronous", "true"}, {"close", "post"}, {"staging_bytes", "4m"}});
  ASSERT_SUCCESS(scorpio_iosystem_create(MPI_COMM_WORLD, options.get(), &unfreed->system));
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(
      scorpio_file_create(unfreed->system, unfreed->path.c_str(), SCORPIO_FORMAT_NETCDF4, nullptr, &file));
  const int64_t dims[1] = {ranks_in()}, start[1] = {rank_in()}, count[1] = {1};
  int id = -1;
  EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 1, dims, &id));
  const int32_t value = rank_in();
  const scorpio_access access = scorpio_hyperslab(id, start, count, SCORPIO_INT32, &value);
  EXPECT_SUCCESS(scorpio_put(file, &access));
  MPI_Comm_set_attr(MPI_COMM_SELF, key, unfreed.release());
  EXPECT_SUCCESS(scorpio_file_close(file));
}

}  // namespace
}  // namespace scorpio::api_test

// Files that share the staging memory left over: what goes wrong with one of them, and what that is to the
// others. No file may lose data and say that all is well.
#include <algorithm>
#include <deque>
#include <tuple>
#include <vector>

#include "layout.h"
#include "reference.h"

namespace scorpio::api_test {
namespace {

using Case = std::tuple<const char*, const char*, const char*>;  // format, nodes, option transfer

struct File {
  std::string path;
  scorpio_file* handle = nullptr;
  int variable = -1;
  Reference<int32_t> reference;
};

int sync(const File& file) { return scorpio_file_sync(file.handle); }

int close(File& file) {
  const int code = scorpio_file_close(file.handle);
  file.handle = nullptr;
  return code;
}

void expect_code(int expected, int code) {
  EXPECT_EQ(expected, code) << last_text();
  EXPECT_TRUE(equal_on_all(std::to_string(code) + (code == SCORPIO_OK ? "" : last_text())));
}

// An I/O system and its files, all of which but the first share.
struct Job {
  Job(const std::string& folder_path, const Case& kind, Settings settings = {})
      : folder(folder_path),
        format(std::get<0>(kind)),
        nodes(std::get<1>(kind)),
        transfer(std::get<2>(kind)),
        system(with_common(std::move(settings))) {
    for (int f = 0; f < 5; ++f) create();
  }

  Settings with_common(Settings settings) const {
    settings.emplace_back("nodes", nodes);
    settings.emplace_back("transfer", transfer);
    settings.emplace_back("staging_files", "1");
    settings.emplace_back("staging_bytes", "1m");
    settings.emplace_back("durable", "false");
    return settings;
  }

  File& create() {
    File& file = files.emplace_back(
        File{folder + std::to_string(files.size()), nullptr, -1, Reference<int32_t>(layout.dims)});
    const OptionList options(Settings{{"format", format}});
    EXPECT_SUCCESS(scorpio_file_create(system.get(), file.path.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(),
                                       &file.handle));
    EXPECT_SUCCESS(
        scorpio_variable_define(file.handle, "v", SCORPIO_INT32, 1, layout.dims.data(), &file.variable));
    EXPECT_SUCCESS(scorpio_variable_fill_define(file.handle, file.variable, 1, nullptr));
    return file;
  }

  // Each time other values.
  int put(File& file) {
    ++calls;
    const int code = api_test::put<int32_t>(file.handle, file.variable, rows, layout, calls, rank_in());
    file.reference.put(layout, calls);
    return code;
  }

  // Rank 0 names a variable that does not exist.
  void put_wrongly_on_rank_zero(File& file) {
    const int right = file.variable;
    if (rank_in() == 0) file.variable += 100;
    const int code = put(file);
    EXPECT_EQ(rank_in() == 0, code == SCORPIO_ERR_HANDLE) << last_text();
    file.variable = right;
  }

  void expect_data(const File& file) const {
    expect_part(file.handle, file.variable, rows, layout, file.reference, rank_in());
  }

  // What was closed well, through another I/O system.
  void expect_on_disk(const System& other, const File& closed) const {
    const Decomp parts(other, layout);
    scorpio_file* file = nullptr;
    ASSERT_SUCCESS(scorpio_file_open(other.get(), closed.path.c_str(), SCORPIO_READ, nullptr, &file));
    expect_part(file, closed.variable, parts, layout, closed.reference, rank_in());
    EXPECT_SUCCESS(scorpio_file_close(file));
  }

  const std::string folder, format, nodes, transfer;
  const System system;
  const Layout layout = uniform_layout({500 * ranks_in()}, ranks_in());
  const Decomp rows{system, layout};
  std::deque<File> files;
  uint64_t calls = 0;
};

class SharedStaging : public testing::TestWithParam<Case> {
 protected:
  const TemporaryFolder folder_;
};

// One rank cannot take part in a put on one file: that file, and those to which something was put since
// their last sync, say so. The others have lost nothing, and all that comes later goes well.
TEST_P(SharedStaging, ARankThatCannotTakePart) {
  if (ranks_in() == 1) GTEST_SKIP() << "one rank has nobody to wait for";
  Job job(folder_ / "f", GetParam());
  File &own = job.files[0], &wrong = job.files[1], &unsynced = job.files[2], &synced = job.files[3],
       &late = job.files[4];
  for (File& file : job.files) EXPECT_SUCCESS(job.put(file));
  EXPECT_SUCCESS(sync(synced));
  EXPECT_SUCCESS(sync(late));
  job.put_wrongly_on_rank_zero(wrong);
  (void)job.put(late);  // which may find the channel failed already, or not
  EXPECT_SUCCESS(job.put(own));
  expect_code(SCORPIO_OK, sync(synced));
  job.expect_data(synced);
  expect_code(SCORPIO_ERR_HANDLE, sync(wrong));
  expect_code(SCORPIO_ERR_ABORTED, sync(unsynced));
  // In rounds the put itself may have met a rank that has made other calls.
  const int code = sync(late);
  expect_code(code == SCORPIO_ERR_MISMATCH ? SCORPIO_ERR_MISMATCH : SCORPIO_ERR_ABORTED, code);
  EXPECT_SUCCESS(job.put(synced));
  File& fresh = job.create();
  EXPECT_SUCCESS(job.put(fresh));
  job.expect_data(synced);
  job.expect_data(fresh);
  const System other;
  for (File* file : {&own, &synced, &fresh}) {
    expect_code(SCORPIO_OK, close(*file));
    job.expect_on_disk(other, *file);
  }
  for (File* file : {&wrong, &unsynced, &late}) EXPECT_NE(SCORPIO_OK, close(*file));
}

// The same in a get: it says so on all ranks, and costs other files nothing.
TEST_P(SharedStaging, ARankThatCannotTakePartInAGet) {
  if (ranks_in() == 1) GTEST_SKIP() << "one rank has nobody to wait for";
  Job job(folder_ / "f", GetParam());
  File &wrong = job.files[1], &other = job.files[2];
  EXPECT_SUCCESS(job.put(wrong));
  EXPECT_SUCCESS(job.put(other));
  EXPECT_SUCCESS(sync(wrong));
  EXPECT_SUCCESS(sync(other));
  std::vector<int32_t> back(job.layout.of(rank_in()).size());
  const int id = wrong.variable + (rank_in() == 0 ? 100 : 0);
  expect_code(SCORPIO_ERR_HANDLE,
              scorpio_get_darray(wrong.handle, id, job.rows.get(), 0, SCORPIO_INT32, back.data()));
  job.expect_data(other);
  for (File& file : job.files) {
    const int code = close(file);
    EXPECT_TRUE(equal_on_all(std::to_string(code)));
    EXPECT_TRUE(code == SCORPIO_OK || &file == &wrong) << last_text();
  }
}

// Files of one layout are put in another order on one rank: their bytes are mixed up, and no sync may say OK
// to it.
TEST_P(SharedStaging, AnotherOrderOnOneRank) {
  if (ranks_in() == 1) GTEST_SKIP() << "one rank agrees with itself";
  Job job(folder_ / "f", GetParam());
  for (size_t f :
       {1, 2, 3}) {  // none is in define mode then, whose end would tell ranks of other files apart
    EXPECT_SUCCESS(job.put(job.files[f]));
    EXPECT_SUCCESS(sync(job.files[f]));
  }
  std::vector<File*> order{&job.files[2], &job.files[3]};
  if (rank_in() == ranks_in() - 1) std::reverse(order.begin(), order.end());
  for (File* file : order) (void)job.put(*file);
  for (size_t f : {2, 3}) {
    const int code = sync(job.files[f]);
    EXPECT_TRUE(code == SCORPIO_ERR_MISMATCH || code == SCORPIO_ERR_ABORTED) << code << last_text();
    EXPECT_TRUE(equal_on_all(std::to_string(code) + last_text()));
  }
  job.expect_data(job.files[1]);
  for (size_t f = 0; f < job.files.size(); ++f)
    EXPECT_EQ(f == 2 || f == 3, close(job.files[f]) != SCORPIO_OK) << f;
}

// The k-th write fails: files that say OK hold what they should, and one says why it does not. Its failure is
// met while another file is put, or synced.
TEST_P(SharedStaging, AWriteThatFailsIsToldByItsFile) {
  const System other;
  int told = 0;
  for (int k = 1; k <= 8; k += 2) {
    SCOPED_TRACE("write " + std::to_string(k));
    Job job(folder_ / std::to_string(k), GetParam(),
            {{"io_ranks", "1"}, {"store_faults", "write:" + std::to_string(k) + "=ENOSPC"}});
    for (int round = 0; round < 2; ++round) {
      for (File& file : job.files) (void)job.put(file);
    }
    int failures = 0;
    for (File& file : job.files) {
      const int code = close(file);
      EXPECT_TRUE(equal_on_all(std::to_string(code)));
      if (code == SCORPIO_OK) {
        job.expect_on_disk(other, file);
      } else {
        EXPECT_EQ(SCORPIO_ERR_NO_SPACE, code) << last_text();
        ++failures;
      }
    }
    EXPECT_LE(failures, 1);
    told += failures;
  }
  EXPECT_GE(told, 3);
}

INSTANTIATE_TEST_SUITE_P(Cases, SharedStaging,
                         testing::Combine(testing::Values("hdf5", "cdf5", "toy"), testing::Values("0", "2"),
                                          testing::Values("messages")));
INSTANTIATE_TEST_SUITE_P(InRounds, SharedStaging,
                         testing::Combine(testing::Values("hdf5"), testing::Values("2"),
                                          testing::Values("alltoall", "neighbor")));

}  // namespace
}  // namespace scorpio::api_test

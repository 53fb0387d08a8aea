// Under a limit on file sizes (ulimit -f): the same errors on all ranks, no signal, no files left.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "faults/job.h"
#include "storage/posix_store.h"

namespace scorpio::test {
namespace {

// The limit of this process while it lives.
class Limit {
 public:
  explicit Limit(uint64_t bytes) {
    EXPECT_EQ(getrlimit(RLIMIT_FSIZE, &before_), 0);
    const struct rlimit now = {bytes, before_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &now), 0);
  }
  ~Limit() { EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &before_), 0); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

 private:
  struct rlimit before_ = {};
};

bool is_waiting() {
  sigset_t waiting;
  sigpending(&waiting);
  return sigismember(&waiting, SIGXFSZ) == 1;
}

// Made by this process; what other programs leave at the same time does not count.
long segments() {
  long count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm")) {
    const std::string name = entry.path().filename();
    if (name.starts_with("scorpio-" + std::to_string(getpid()))) ++count;
  }
  return count;
}

constexpr int64_t k_rows = 300;  // 150 KiB a variable

TEST(FileSizeLimit, CallsFailAndTheSignalIsLeftAlone) {
  const SharedFolder folder;
  const auto store = storage::make_posix_store();
  const auto file =
      std::move(store->open(folder / std::to_string(rank()), storage::OpenMode::create_new)).value();
  const std::vector<std::byte> bytes(4096);
  struct sigaction before = {}, after = {};
  sigaction(SIGXFSZ, nullptr, &before);
  {
    const Limit limit(4096);
    EXPECT_TRUE(file->write_at(bytes, 0).ok());
    for (const Status& status :
         {file->write_at(bytes, 100), file->write_at(bytes, 8192), file->truncate(5000)}) {
      EXPECT_EQ(status.code(), Code::limit) << status.text();
      EXPECT_NE(status.text().find("ulimit -f"), std::string::npos) << status.text();
    }
    EXPECT_FALSE(is_waiting());
  }
  sigaction(SIGXFSZ, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
  EXPECT_TRUE(file->write_at(bytes, 8192).ok());
  EXPECT_TRUE(file->close().ok());
}

// One that the program has held back for itself is still its own.
TEST(FileSizeLimit, ASignalThatWaitsStillWaits) {
  const SharedFolder folder;
  const auto store = storage::make_posix_store();
  const auto file =
      std::move(store->open(folder / std::to_string(rank()), storage::OpenMode::create_new)).value();
  const Limit limit(0);
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &set, &before);
  raise(SIGXFSZ);
  EXPECT_EQ(file->truncate(1).code(), Code::limit);
  EXPECT_TRUE(is_waiting());
  int taken = 0;
  sigwait(&set, &taken);
  EXPECT_EQ(taken, SIGXFSZ);
  EXPECT_EQ(file->truncate(1).code(), Code::limit);
  EXPECT_FALSE(is_waiting());
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST(FileSizeLimit, StagingMemoryFallsBackToMessages) {
  {
    const Limit limit(64 << 10);
    const System system({{"staging_bytes", "1MiB"}}, 10);
    ASSERT_NE(system.get(), nullptr);
    const bool told = system.description().find("ulimit -f") != std::string::npos;
    EXPECT_EQ(told, ranks() > 1) << system.description();
    if (ranks() > 1) {
      const OptionList shared(Settings{{"exchange", "shared"}});
      scorpio_iosystem* made = nullptr;
      const Outcome refused = outcome(scorpio_iosystem_create(MPI_COMM_WORLD, shared.get(), &made));
      EXPECT_EQ(refused.code, SCORPIO_ERR_MEMORY) << refused.text;
      EXPECT_TRUE(same_everywhere(refused));
    }
  }
  EXPECT_EQ(segments(), 0);
}

class FormatsUnderALimit : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Formats, FormatsUnderALimit, testing::Values("hdf5", "cdf5"),
                         [](const auto& format) { return std::string(format.param); });

TEST_P(FormatsUnderALimit, AFileThatGrowsPastItFailsAlike) {
  const SharedFolder folder;
  const System system({{"staging_bytes", "256KiB"}, {"block_bytes", "16KiB"}, {"format", GetParam()}},
                      k_rows);
  const std::string path = folder / "a";
  for (const bool old_there : {false, true}) {
    SCOPED_TRACE(old_there);
    scorpio_file* file = nullptr;
    ASSERT_EQ(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file),
              SCORPIO_OK);
    Outcome closed;
    {
      const Limit limit(100 << 10);
      (void)write_variable(system, file, 1);
      closed = outcome(scorpio_file_close(file));
    }
    EXPECT_EQ(closed.code, SCORPIO_ERR_LIMIT) << closed.text;
    EXPECT_TRUE(same_everywhere(closed)) << closed.text;
    EXPECT_EQ(exists(path), old_there);
    EXPECT_FALSE(exists(path + ".scorpio-tmp"));
    ASSERT_EQ(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file),
              SCORPIO_OK);
    (void)write_variable(system, file, 2);
    EXPECT_EQ(scorpio_file_close(file), SCORPIO_OK);
  }
}

}  // namespace
}  // namespace scorpio::test

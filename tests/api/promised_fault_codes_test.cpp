// Codes that the headers promise where the file system or the memory fails, call by call. tests/faults has
// what becomes of the files.
#include <array>
#include <functional>

#include "layout.h"
#include "session.h"
#include "support/allocations.h"

namespace scorpio::api_test {
namespace {

struct Failure {
  const char* error;
  int code;
};
constexpr std::array<Failure, 3> k_failures{
    {{"EIO", SCORPIO_ERR_IO}, {"ENOSPC", SCORPIO_ERR_NO_SPACE}, {"EACCES", SCORPIO_ERR_PERMISSION}}};

Settings failing(const std::string& when, const Failure& failure) {
  return {{"store_faults", when + "=" + failure.error}};
}

// Its I/O system's calls on files fail as `faults` says.
class FaultyFile {
 public:
  FaultyFile(const Settings& faults, std::string path) : system_(faults), path_(std::move(path)) {}
  ~FaultyFile() { (void)scorpio_file_close(file_); }
  FaultyFile(const FaultyFile&) = delete;
  FaultyFile& operator=(const FaultyFile&) = delete;

  int create(const Settings& settings = {}) {
    const OptionList options(settings);
    return scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &file_);
  }
  int open(scorpio_open_mode mode) {
    return scorpio_file_open(system_.get(), path_.c_str(), mode, nullptr, &file_);
  }
  // A variable with data, which are written at the next synchronisation point.
  void put(bool in_chunks = false) {
    const int64_t extent = 8 * ranks_in();
    const Decomp rows(system_, uniform_layout({extent}, ranks_in()));
    const std::vector<int32_t> data(8, 1);
    int v = -1;
    EXPECT_SUCCESS(scorpio_variable_define(file_, "v", SCORPIO_INT32, 1, &extent, &v));
    const int deflate = 1, level = 1;  // as HDF5 registers it
    if (in_chunks) {
      EXPECT_SUCCESS(scorpio_variable_define_chunks(file_, v, &extent));
      EXPECT_SUCCESS(scorpio_variable_define_filters(file_, v, 1, &deflate, &level));
    }
    EXPECT_SUCCESS(scorpio_put_darray(file_, v, rows.get(), 0, SCORPIO_INT32, data.data()));
  }
  // The code of a get of this variable.
  int get() {
    const int64_t extent = 8 * ranks_in();
    const Decomp rows(system_, uniform_layout({extent}, ranks_in()));
    std::vector<int32_t> data(8);
    int v = -1;
    EXPECT_SUCCESS(scorpio_variable_find(file_, "v", &v));
    return scorpio_get_darray(file_, v, rows.get(), 0, SCORPIO_INT32, data.data());
  }
  scorpio_file* file() const { return file_; }
  scorpio_file* release() { return std::exchange(file_, nullptr); }

 private:
  const System system_;
  const std::string path_;
  scorpio_file* file_ = nullptr;
};

class PromisedFaultCodes : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "file";
};

TEST_F(PromisedFaultCodes, OfFilesThatAreMadeAndOpened) {
  for (const Failure& failure : k_failures) {
    FaultyFile made(failing("open:1+", failure), path_);
    EXPECT_EQ(failure.code, made.create()) << failure.error;
  }
  FaultyFile good({}, path_);
  EXPECT_SUCCESS(good.create());
  good.put();
  EXPECT_SUCCESS(scorpio_file_close(good.release()));
  for (const Failure& failure : k_failures) {
    FaultyFile opened(failing("open:1+", failure), path_);
    if (failure.code != SCORPIO_ERR_NO_SPACE) {
      EXPECT_EQ(failure.code, opened.open(SCORPIO_READ)) << failure.error;
    }
  }
}

// Not that the file is damaged, whichever read fails. A failed get names the variable, and the chunk.
TEST_F(PromisedFaultCodes, OfFilesThatCannotBeRead) {
  struct Case {
    const char* format;
    bool in_chunks;
    const char* name;
  };
  const Case cases[] = {{"hdf5", false, "variable /v: "},
                        {"cdf5", false, "variable /v: "},
                        {"netcdf4", true, "chunk (0) of variable /v"}};
  for (const auto& [format, in_chunks, name] : cases) {
    FaultyFile good({}, path_);
    EXPECT_SUCCESS(good.create({{"format", format}}));
    good.put(in_chunks);
    EXPECT_SUCCESS(scorpio_file_close(good.release()));
    int code = SCORPIO_ERR_IO, read = 1;
    for (; code == SCORPIO_ERR_IO; ++read) {
      FaultyFile unreadable(failing("read:" + std::to_string(read) + "+", k_failures[0]), path_);
      code = unreadable.open(SCORPIO_READ);
      if (code != SCORPIO_OK) continue;
      EXPECT_EQ(SCORPIO_ERR_IO, unreadable.get()) << format;
      EXPECT_NE(std::string::npos, std::string(last_text()).find(name)) << format << ": " << last_text();
    }
    EXPECT_EQ(SCORPIO_OK, code) << format << ", read " << read - 1 << ": " << last_text();
    EXPECT_LT(2, read) << format;
  }
}

TEST_F(PromisedFaultCodes, OfSynchronisationPoints) {
  for (const Failure& failure : k_failures) {
    if (failure.code == SCORPIO_ERR_PERMISSION) continue;
    FaultyFile synced(failing("write:1+", failure), path_);
    EXPECT_SUCCESS(synced.create());
    synced.put();
    EXPECT_EQ(failure.code, scorpio_file_sync(synced.file())) << failure.error;
    FaultyFile closed(failing("write:1+", failure), folder_ / "closed");
    EXPECT_SUCCESS(closed.create());
    closed.put();
    EXPECT_EQ(failure.code, scorpio_file_close(closed.release())) << failure.error;
  }
}

TEST_F(PromisedFaultCodes, OfDataThatMove) {
  FaultyFile good({}, path_);
  EXPECT_SUCCESS(good.create({{"format", "cdf5"}}));
  good.put();
  EXPECT_SUCCESS(scorpio_file_close(good.release()));
  for (const Failure& failure : k_failures) {
    if (failure.code == SCORPIO_ERR_PERMISSION) continue;
    FaultyFile file(failing("write:1+", failure), path_);
    EXPECT_SUCCESS(file.open(SCORPIO_WRITE));
    EXPECT_SUCCESS(scorpio_define_begin(file.file()));
    EXPECT_SUCCESS(
        scorpio_attribute_put_text(file.file(), SCORPIO_GLOBAL, "title", std::string(20000, 'x').c_str()));
    EXPECT_EQ(failure.code, scorpio_define_end(file.file())) << failure.error;
  }
}

// The first write that fails is another one each time: one of them is the call's.
bool some_write_fails(const std::string& path, const Failure& failure,
                      const std::function<int(scorpio_file*)>& call) {
  bool found = false;
  for (int write = 1; write <= 20 && !found; ++write) {
    FaultyFile file(failing("write:" + std::to_string(write) + "+", failure), path);
    if (file.create({{"eager", "true"}}) != SCORPIO_OK) continue;
    if (scorpio_attribute_put_text(file.file(), SCORPIO_GLOBAL, "title", "t") != SCORPIO_OK) continue;
    found = !on_all(call(file.file()) != failure.code);
  }
  return found;
}

TEST_F(PromisedFaultCodes, OfEagerFiles) {
  EXPECT_TRUE(some_write_fails(path_, k_failures[0], scorpio_file_mirror));
  for (const Failure& failure : {k_failures[0], k_failures[1]})
    EXPECT_TRUE(some_write_fails(path_, failure, scorpio_file_finish)) << failure.error;
}

// Handles lie in blocks of up to about 35,000: at the latest the first one of the next block needs memory.
TEST_F(PromisedFaultCodes, OfMemory) {
  constexpr size_t k_handles = 40000;
  std::vector<scorpio_options*> sets;
  sets.reserve(k_handles);
  int code = SCORPIO_OK;
  while (code == SCORPIO_OK && sets.size() < k_handles) {
    scorpio_options* set = nullptr;
    {
      const test::FailingAllocation failing(0);
      code = scorpio_options_create(&set);
    }
    if (code == SCORPIO_OK) sets.push_back(set);
  }
  EXPECT_EQ(SCORPIO_ERR_MEMORY, code);
  for (scorpio_options* set : sets) EXPECT_SUCCESS(scorpio_options_free(set));
}

}  // namespace
}  // namespace scorpio::api_test

// A file whose close or sync was posted fails: exactly one later call returns that, on all ranks alike, with
// a text that names the file and, where data are lost, the variable and the record; the call has done its own
// work. What was there before is intact.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "faults/job.h"

namespace scorpio::test {
namespace {

constexpr int64_t k_rows = 60, k_steps = 2;
constexpr int k_most_looks = 5000;
constexpr int k_most_calls = 3;

struct Kind {
  const char* format;
  const char* posted;  // close or sync
  bool filters = false;
};
constexpr Kind k_kinds[] = {{"cdf1", "close"}, {"cdf2", "close"},       {"cdf5", "close"},  {"hdf5", "close"},
                            {"cdf1", "sync"},  {"netcdf4", "close"},    {"cdf5", "sync"},   {"hdf5", "sync"},
                            {"cdf2", "sync"},  {"hdf5", "close", true}, {"netcdf4", "sync"}};

// A call on the store that fails on one rank: "write" is the first one of data, "header" the last of all.
struct Fault {
  const char* name;
  const char* operation;
  bool on_metadata_rank;
};
constexpr Fault k_faults[] = {{"write", "write", true},  {"write", "write", false},  {"sync", "sync", true},
                              {"sync", "sync", false},   {"rename", "rename", true}, {"close", "close", true},
                              {"close", "close", false}, {"header", "write", true}};

enum class Call { create, open, close, wait, wait_for_path, free };
constexpr std::pair<Call, const char*> k_calls[] = {{Call::create, "create"},
                                                    {Call::open, "open"},
                                                    {Call::close, "close"},
                                                    {Call::wait, "wait"},
                                                    {Call::wait_for_path, "wait for the path"},
                                                    {Call::free, "free"}};

int create(scorpio_iosystem* system, const std::string& path, scorpio_file** file) {
  return scorpio_file_create(system, path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, file);
}
int open(scorpio_iosystem* system, const std::string& path, scorpio_file** file) {
  return scorpio_file_open(system, path.c_str(), SCORPIO_READ, nullptr, file);
}

class PostedFaults : public testing::TestWithParam<Kind> {
 protected:
  PostedFaults() {
    const System system(settings(false, ""), k_rows);
    for (const auto& [path, base] : {std::pair(other_, 100), std::pair(old_, 200)})
      EXPECT_EQ(scorpio_file_close(begin(system, system.get(), path, base)), SCORPIO_OK);
  }

  static bool posts_close() { return GetParam().posted == std::string("close"); }

  // Where files are durable, a close that fails after that has lost nothing.
  static Settings settings(bool posts, const std::string& faults, bool durable = true) {
    Settings all{{"staging_bytes", "1MiB"},
                 {"block_bytes", "4KiB"},
                 {"io_ranks", ranks() > 1 ? "2" : "1"},
                 {"format", GetParam().format},
                 {"durable", durable ? "true" : "false"},
                 {"store_faults", faults}};
    if (posts) all.insert(all.end(), {{"asynchronous", "true"}, {GetParam().posted, "post"}});
    if (GetParam().filters) all.emplace_back("filters", "*=shuffle+deflate:1");
    return all;
  }

  // A variable of two records and one without, each of them with `base` and what follows.
  static scorpio_file* begin(const System& system, scorpio_iosystem* used, const std::string& path,
                             int base) {
    scorpio_file* file = nullptr;
    EXPECT_EQ(create(used, path, &file), SCORPIO_OK) << outcome(SCORPIO_ERR_IO).text;
    int dims[3], fixed = -1, records = -1;
    EXPECT_EQ(scorpio_dimension_define(file, "t", SCORPIO_UNLIMITED, &dims[0]), SCORPIO_OK);
    EXPECT_EQ(scorpio_dimension_define(file, "y", k_rows, &dims[1]), SCORPIO_OK);
    EXPECT_EQ(scorpio_dimension_define(file, "x", k_columns, &dims[2]), SCORPIO_OK);
    EXPECT_EQ(scorpio_variable_define_on(file, "fixed", SCORPIO_FLOAT64, 2, dims + 1, &fixed), SCORPIO_OK);
    EXPECT_EQ(scorpio_variable_define_on(file, "records", SCORPIO_FLOAT64, 3, dims, &records), SCORPIO_OK);
    put(system, file, fixed, 0, base);
    for (int t = 0; t < k_steps; ++t) put(system, file, records, t, base + 1 + t);
    return file;
  }
  static void put(const System& system, scorpio_file* file, int variable, int64_t record, int base) {
    const std::vector<double> values = system.values(base);
    (void)scorpio_put_darray(file, variable, system.decomp(), record, SCORPIO_FLOAT64, values.data());
  }

  static void expect_holds(const System& system, scorpio_file* file, int base) {
    int fixed = -1, records = -1;
    EXPECT_EQ(scorpio_variable_find(file, "fixed", &fixed), SCORPIO_OK);
    EXPECT_EQ(scorpio_variable_find(file, "records", &records), SCORPIO_OK);
    std::vector<double> found(system.values(0).size());
    const auto get = [&](int variable, int64_t record, int first) {
      EXPECT_EQ(scorpio_get_darray(file, variable, system.decomp(), record, SCORPIO_FLOAT64, found.data()),
                SCORPIO_OK);
      EXPECT_EQ(found, system.values(first));
    };
    get(fixed, 0, base);
    for (int t = 0; t < k_steps; ++t) get(records, t, base + 1 + t);
  }
  void expect_holds(const std::string& path, int base) const {
    const System system(settings(false, ""), k_rows);
    scorpio_file* file = nullptr;
    ASSERT_EQ(open(system.get(), path, &file), SCORPIO_OK) << outcome(SCORPIO_ERR_IO).text;
    expect_holds(system, file, base);
    EXPECT_EQ(scorpio_file_close(file), SCORPIO_OK);
  }

  // The number of the last write of rank 0 for a file whose close was posted.
  int last_write() const {
    const System system(settings(true, ""), k_rows);
    EXPECT_EQ(scorpio_file_close(begin(system, system.get(), path_, 1)), SCORPIO_OK);
    EXPECT_EQ(scorpio_iosystem_wait(system.get(), nullptr), SCORPIO_OK);
    return static_cast<int>(system.counter("writes"));
  }

  std::string rule(const Fault& fault, int header) const {
    if ((rank() == 0) != fault.on_metadata_rank || (rank() > 0 && rank() != ranks() / 2)) return "";
    const int number = std::string(fault.name) == "header" ? header : 1;
    return std::string(fault.operation) + ":" + std::to_string(number) + "=EIO";
  }

  void prepare(bool old_there) const {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0) {
      for (const std::string& path : {path_, path_ + ".scorpio-tmp", path_ + ".scorpio-complete", made_})
        std::filesystem::remove(path);
      if (old_there) std::filesystem::copy_file(old_, path_);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  // How often calls told a failure of an earlier file, and what was told.
  struct Told {
    int times = 0;
    std::string text;
  };
  // A call that does its own work in any case. Whether it told a failure of another file.
  static bool done(int code, Told& told) {
    const Outcome seen = outcome(code);
    EXPECT_TRUE(same_everywhere(seen)) << seen.text;
    EXPECT_TRUE(seen.ok() || seen.code == SCORPIO_ERR_POSTED) << seen.text;
    if (seen.ok()) return false;
    ++told.times;
    told.text = seen.text;
    return true;
  }

  // `reading`: an open file.
  bool carry_out(const System& system, Call what, scorpio_file*& reading, Told& told) const {
    scorpio_file* file = nullptr;
    bool here = false;
    switch (what) {
      case Call::create:
        here = done(create(system.get(), made_, &file), told);
        done(scorpio_file_close(file), told);
        break;
      case Call::open:
        here = done(open(system.get(), other_, &file), told);
        expect_holds(system, file, 100);
        done(scorpio_file_close(file), told);
        break;
      case Call::close:
        here = done(scorpio_file_close(reading), told);
        EXPECT_EQ(scorpio_file_close(reading), SCORPIO_ERR_HANDLE) << "it is closed";
        done(open(system.get(), other_, &reading), told);
        break;
      case Call::wait:
        return done(scorpio_iosystem_wait(system.get(), nullptr), told);
      case Call::wait_for_path:
        return done(scorpio_iosystem_wait(system.get(), path_.c_str()), told);
      case Call::free:
        here = done(scorpio_iosystem_free(system.get()), told);
        EXPECT_EQ(scorpio_iosystem_free(system.get()), SCORPIO_ERR_HANDLE) << "it is released";
        break;
    }
    return here;
  }

  // Until all ranks find the data written, so that the next call completes the file.
  static void until_written(const System& system) {
    for (int i = 0; i < k_most_looks; ++i) {
      int done = 0;
      EXPECT_EQ(scorpio_iosystem_test(system.get(), nullptr, &done), SCORPIO_OK);
      if (on_all(done != 0)) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    FAIL() << "the data are not written";
  }

  const SharedFolder folder_;
  const std::string path_ = folder_ / "a", other_ = folder_ / "other", made_ = folder_ / "made",
                    old_ = folder_ / "old";
};

// Data that are lost are named.
void expect_named(const Kind& kind, const Fault& fault, const std::string& path, const std::string& text) {
  EXPECT_NE(text.find(path), std::string::npos) << text;
  EXPECT_NE(text.find(std::string("scorpio_file_") + kind.posted), std::string::npos) << text;
  if (fault.name != std::string("write")) return;
  EXPECT_NE(text.find("variable /"), std::string::npos) << text;
  // Bytes of the variable without records may be among them, which are the first ones in the file.
  const bool records = text.find("variable /records, record ") != std::string::npos;
  EXPECT_TRUE(records || text.find("variable /fixed") != std::string::npos) << text;
}

TEST_P(PostedFaults, AreToldOnceByWhicheverCall) {
  const int header = last_write();
  const bool in_chunks = !std::string(GetParam().format).starts_with("cdf");
  int told_at_all = 0, at_once = 0;
  for (const Fault& fault : k_faults) {
    if (!fault.on_metadata_rank && ranks() == 1) continue;
    for (const auto& [what, name] : k_calls) {
      if (what == Call::free && !posts_close()) continue;  // the file is open
      for (const bool old_there : {false, true}) {
        SCOPED_TRACE(std::string(fault.name) + (fault.on_metadata_rank ? "" : " elsewhere") + ", " + name +
                     (old_there ? ", replacing" : ""));
        prepare(old_there);
        const bool durable = fault.operation != std::string("close");
        Told told;
        {
          const System system(settings(true, rule(fault, header), durable), k_rows);
          scorpio_file *file = begin(system, system.get(), path_, 1), *reading = nullptr;
          if (what == Call::close) {
            EXPECT_EQ(open(system.get(), other_, &reading), SCORPIO_OK) << outcome(SCORPIO_ERR_IO).text;
          }
          const Outcome closed = outcome(posts_close() ? scorpio_file_close(file) : scorpio_file_sync(file));
          EXPECT_TRUE(same_everywhere(closed)) << closed.text;
          // If a worker was quick, the call itself tells it, and leaves nothing for later.
          told = {closed.ok() ? 0 : 1, closed.text};
          at_once += told.times;
          until_written(system);
          bool here = !closed.ok();
          for (int i = 0; i < k_most_calls && told.times == 0; ++i) {
            here = carry_out(system, what, reading, told);
            if (what == Call::free) break;
          }
          // Of a file with chunks the first call makes the metadata, and the second one completes it.
          EXPECT_TRUE(here || told.times == 0 || in_chunks) << told.text;
          if (!posts_close()) {
            // The file itself tells that it is lost, too.
            const Outcome end = outcome(scorpio_file_close(file));
            EXPECT_TRUE(same_everywhere(end)) << end.text;
            EXPECT_EQ(end.ok(), told.times == 0) << end.text;
            EXPECT_NE(end.code, SCORPIO_ERR_POSTED) << end.text;
          }
          if (what != Call::free) {
            done(scorpio_file_close(reading), told);
            done(scorpio_iosystem_wait(system.get(), nullptr), told);
          }
        }
        EXPECT_LE(told.times, 1);
        // Nothing but the name is missing of a file that cannot be renamed.
        EXPECT_EQ(told.times > 0 && fault.name == std::string("rename"), exists(path_ + ".scorpio-complete"));
        EXPECT_FALSE(exists(path_ + ".scorpio-tmp"));
        told_at_all += told.times;
        if (told.times == 0) {
          expect_holds(path_, 1);
          continue;
        }
        expect_named(GetParam(), fault, path_, told.text);
        EXPECT_EQ(exists(path_), old_there);
        if (old_there) expect_holds(path_, 200);
      }
    }
  }
  EXPECT_GT(told_at_all, 2 * at_once + 4);
}

// A chunk has several records, of which the first one is named. The header is not written after data that are
// lost.
TEST_P(PostedFaults, TheRecordThatIsLostIsNamed) {
  prepare(true);
  Outcome told;
  {
    const System system(settings(true, "write:1=EIO"), k_rows);
    scorpio_file* file = nullptr;
    int records = -1;
    EXPECT_EQ(scorpio_file_open(system.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file), SCORPIO_OK);
    EXPECT_EQ(scorpio_variable_find(file, "records", &records), SCORPIO_OK);
    put(system, file, records, k_steps, 7);
    told = outcome(posts_close() ? scorpio_file_close(file) : scorpio_file_sync(file));
    const Outcome waited = outcome(scorpio_iosystem_wait(system.get(), nullptr));
    if (told.ok()) told = waited;
    if (!posts_close()) {
      EXPECT_NE(scorpio_file_close(file), SCORPIO_OK);
    }
  }
  EXPECT_TRUE(same_everywhere(told)) << told.text;
  const bool exact = std::string(GetParam().format).starts_with("cdf");
  const std::string name = std::string("variable /records, record ") + (exact ? "2: " : "");
  EXPECT_NE(told.text.find(name), std::string::npos) << told.text;
  expect_holds(path_, 200);
}

INSTANTIATE_TEST_SUITE_P(Kinds, PostedFaults, testing::ValuesIn(k_kinds), [](const auto& kind) {
  return std::string(kind.param.format) + "_" + kind.param.posted + (kind.param.filters ? "_filters" : "");
});

}  // namespace
}  // namespace scorpio::test

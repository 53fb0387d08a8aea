// Each close of a descriptor fails once, on the metadata rank or on another I/O rank, as file systems fail
// that hold writes back until then (NFS): the file that was there before is intact, no half file has its
// name, and all ranks learn the same.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "faults/job.h"
#include "support/whole_file.h"

namespace scorpio::test {
namespace {

constexpr int64_t k_rows = 120;
constexpr int k_closes = 7;  // as many as the metadata rank makes; others make fewer

struct Kind {
  const char* name;
  const char* format;
  const char* durable;
  const char* effect;
  int code;
};
constexpr Kind k_kinds[] = {{"hdf5", "hdf5", "false", "EDQUOT", SCORPIO_ERR_NO_SPACE},
                            {"hdf5_durable", "hdf5", "true", "EIO", SCORPIO_ERR_IO},
                            {"cdf5", "cdf5", "false", "EDQUOT", SCORPIO_ERR_NO_SPACE},
                            {"cdf5_durable", "cdf5", "true", "EIO", SCORPIO_ERR_IO}};

class CloseFaults : public testing::TestWithParam<Kind> {
 protected:
  struct Ending {
    Outcome outcome;  // the first failure
    bool alike = true;
    bool synced = false;
  };

  CloseFaults() {
    const System system(settings(""), k_rows);
    scorpio_file* file = nullptr;
    EXPECT_EQ(scorpio_file_create(system.get(), old_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file),
              SCORPIO_OK);
    (void)write_variable(system, file, 9);
    EXPECT_EQ(scorpio_file_close(file), SCORPIO_OK);
  }

  Settings settings(const std::string& faults) const {
    return {{"staging_bytes", "256KiB"},           {"block_bytes", "16KiB"},
            {"io_ranks", ranks() > 1 ? "2" : "1"}, {"format", GetParam().format},
            {"durable", GetParam().durable},       {"store_faults", faults}};
  }

  static bool agreed(int code, Ending& ending) {
    const Outcome seen = outcome(code);
    ending.alike = same_everywhere(seen) && ending.alike;
    if (ending.outcome.ok()) ending.outcome = seen;
    return seen.ok();
  }

  // ---- what is done to the file ----
  static int define(const System& system, scorpio_file* file, int variable) {
    int id = -1;
    (void)scorpio_variable_define(file, ("v" + std::to_string(variable)).c_str(), SCORPIO_FLOAT64, 2,
                                  system.dims(), &id);
    return id;
  }
  static void put(const System& system, scorpio_file* file, int id, int variable) {
    (void)scorpio_put_darray(file, id, system.decomp(), 0, SCORPIO_FLOAT64, system.values(variable).data());
  }
  // Its name is given by the close alone: a sync, and define_begin, would give it before.
  Ending make(const System& system) const {
    Ending ending;
    scorpio_file* file = nullptr;
    if (!agreed(scorpio_file_create(system.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file),
                ending))
      return ending;
    const int one = define(system, file, 1), two = define(system, file, 2);
    put(system, file, one, 1);
    put(system, file, two, 2);
    agreed(scorpio_file_close(file), ending);
    return ending;
  }
  Ending make_synced(const System& system) const {
    Ending ending;
    scorpio_file* file = nullptr;
    if (!agreed(scorpio_file_create(system.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file),
                ending))
      return ending;
    put(system, file, define(system, file, 1), 1);
    ending.synced = agreed(scorpio_file_sync(file), ending);
    if (agreed(scorpio_define_begin(file), ending)) put(system, file, define(system, file, 2), 2);
    agreed(scorpio_file_close(file), ending);
    return ending;
  }
  Ending append(const System& system) const {
    Ending ending;
    scorpio_file* file = nullptr;
    if (!agreed(scorpio_file_open(system.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file), ending))
      return ending;
    for (const int variable : {1, 2}) {
      if (!agreed(scorpio_define_begin(file), ending)) break;
      (void)write_variable(system, file, variable);
    }
    agreed(scorpio_file_close(file), ending);
    return ending;
  }
  // All data move, because the metadata need more room.
  Ending grow(const System& system) const {
    Ending ending;
    scorpio_file* file = nullptr;
    if (!agreed(scorpio_file_open(system.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file), ending))
      return ending;
    const std::string text(3000, 'x');
    if (agreed(scorpio_define_begin(file), ending)) {
      (void)scorpio_attribute_put(file, SCORPIO_GLOBAL, "long", SCORPIO_TEXT, text.size(), 0, nullptr,
                                  SCORPIO_TEXT, text.data());
      ending.synced = agreed(scorpio_define_end(file), ending);
    }
    agreed(scorpio_file_close(file), ending);
    return ending;
  }

  // ---- what is there afterwards ----
  static std::string bytes_of(const std::string& path) { return test::whole_file(path); }
  bool unchanged() const { return on_all(bytes_of(path_) == bytes_of(old_)); }
  bool holds(const std::vector<int>& variables) const {
    const System system(settings(""), k_rows);
    Ending ending;
    scorpio_file* file = nullptr;
    if (!agreed(scorpio_file_open(system.get(), path_.c_str(), SCORPIO_READ, nullptr, &file), ending))
      return false;
    bool good = true;
    for (const int variable : variables) {
      int id = -1;
      const int found = scorpio_variable_find(file, ("v" + std::to_string(variable)).c_str(), &id);
      std::vector<double> values(system.values(variable).size());
      good =
          good && found == SCORPIO_OK &&
          agreed(scorpio_get_darray(file, id, system.decomp(), 0, SCORPIO_FLOAT64, values.data()), ending) &&
          on_all(values == system.values(variable));
    }
    return agreed(scorpio_file_close(file), ending) && good;
  }
  void prepare(bool old_there) const {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0) {
      for (const char* suffix : {"", ".scorpio-tmp", ".scorpio-journal"})
        std::filesystem::remove(path_ + suffix);
      if (old_there) std::filesystem::copy_file(old_, path_);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  // The only failure after the rename is that of the folder, which must survive a power failure.
  static bool named_all_the_same(const Ending& ending) {
    return ending.outcome.text.find("complete under its name") != std::string::npos;
  }

  // check(ending) for each close of each I/O rank that may fail. How many did.
  template <typename Work, typename Check>
  int each_close(bool old_there, Work&& work, Check&& check) const {
    int failed = 0;
    for (const int where : {0, ranks() / 2}) {
      if (where == 0 || ranks() > 1) {
        for (int k = 1; k <= (where == 0 ? k_closes : 3); ++k) {
          const std::string rule = "close:" + std::to_string(k) + "=" + GetParam().effect;
          const std::string what = rule + " on rank " + std::to_string(where);
          SCOPED_TRACE(what);
          prepare(old_there);
          Ending ending;
          {
            const System system(settings(rank() == where ? rule : ""), k_rows);
            ending = work(system);
          }
          EXPECT_TRUE(ending.alike) << ending.outcome.text;
          EXPECT_FALSE(exists(path_ + ".scorpio-tmp"));
          if (!ending.outcome.ok()) {
            ++failed;
            EXPECT_EQ(ending.outcome.code, GetParam().code) << ending.outcome.text;
          }
          check(ending);
        }
      }
    }
    return failed;
  }

  const SharedFolder folder_;
  const std::string old_ = folder_ / "old";
  const std::string path_ = folder_ / "a";
};

INSTANTIATE_TEST_SUITE_P(Kinds, CloseFaults, testing::ValuesIn(k_kinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

TEST_P(CloseFaults, ANewFile) {
  const int failed = each_close(
      false, [&](const System& system) { return make(system); },
      [&](const Ending& ending) {
        const bool there = ending.outcome.ok() || named_all_the_same(ending);
        EXPECT_EQ(exists(path_), there);
        if (there) {
          EXPECT_TRUE(holds({1, 2}));
        }
      });
  EXPECT_GE(failed, ranks() > 1 ? 2 : 1);
}

TEST_P(CloseFaults, AFileThatReplacesAnother) {
  const int failed = each_close(
      true, [&](const System& system) { return make(system); },
      [&](const Ending& ending) {
        EXPECT_TRUE(ending.outcome.ok() || named_all_the_same(ending) ? holds({1, 2}) : unchanged());
      });
  EXPECT_GE(failed, ranks() > 1 ? 2 : 1);
}

TEST_P(CloseFaults, AFileThatIsSyncedBefore) {
  each_close(
      true, [&](const System& system) { return make_synced(system); },
      [&](const Ending& ending) {
        if (ending.outcome.ok()) {
          EXPECT_TRUE(holds({1, 2}));
        } else {
          EXPECT_TRUE(ending.synced || named_all_the_same(ending) ? holds({1}) : unchanged());
        }
      });
}

TEST_P(CloseFaults, AFileOpenedForWriting) {
  const int failed = each_close(
      true, [&](const System& system) { return append(system); },
      [&](const Ending& ending) {
        EXPECT_TRUE(holds(ending.outcome.ok() ? std::vector<int>{9, 1, 2} : std::vector<int>{9}));
      });
  EXPECT_GE(failed, ranks() > 1 ? 2 : 1);
}

TEST_P(CloseFaults, AFileWhoseDataMove) {
  if (std::string(GetParam().format) == "hdf5") GTEST_SKIP() << "its data stay where they are";
  const int failed = each_close(
      true, [&](const System& system) { return grow(system); },
      [&](const Ending& ending) {
        EXPECT_TRUE(holds({9}));
        EXPECT_NE(ending.synced || named_all_the_same(ending), unchanged());
      });
  EXPECT_GE(failed, ranks() > 1 ? 2 : 1);
}

}  // namespace
}  // namespace scorpio::test

// Runs killed at any write of their metadata: what was complete before stays complete for stock HDF5.
#include <cstdlib>

#include "storage/fault_plan.h"
#include "storage/faulty_store.h"
#include "storage/undo_journal.h"
#include "support.h"

namespace scorpio::format::test {
namespace {

using model::Kind;

constexpr int k_old_variables = 40;
using scorpio::test::k_killed;

class CrashTest : public Hdf5Test {
 protected:
  CrashTest() : path_(folder_ / "a.h5") {}

  static std::string old_name(int i) { return "/old/v" + std::to_string(i); }

  void stock_file(H5F_libver_t newest) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, newest == H5F_LIBVER_LATEST ? H5F_LIBVER_LATEST : H5F_LIBVER_EARLIEST,
                         H5F_LIBVER_LATEST);
    const hid_t file = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Gclose(H5Gcreate2(file, "/old", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    for (int i = 0; i < k_old_variables; ++i) stock_write(file, old_name(i), ramp(100, i));
    H5Fclose(file);
    H5Pclose(access);
  }

  // Adds variables, changes attributes and removes a variable, in a store that kills.
  int append(const std::string& plan) {
    return in_child([&] {
      auto faulty = storage::make_faulty_store(store_, take(storage::FaultPlan::parse(plan)));
      Hdf5Options options;
      options.undo_journal = true;
      auto file = take(
          open_hdf5(take(faulty->open(path_, storage::OpenMode::read_write)), *faulty, path_, true, options));
      PlacedSchema schema = take(file->load());
      for (int i = 0; i < 60; ++i) {
        take(
            schema.add_variable_at(file->end_of_allocation() + k_block_bytes + 400 * static_cast<uint64_t>(i),
                                   variable("/old/new" + std::to_string(i), Kind::float64, {50})));
        expect_ok(schema.put_attribute(old_name(i % k_old_variables), "n" + std::to_string(i),
                                       doubles_attribute(ramp(30))));
      }
      expect_ok(schema.put_attribute("/", "history", text_attribute(std::string(500, 'x'))));
      expect_ok(file->apply(schema, schema.placements, file->end_of_allocation() + k_block_bytes + 400 * 60));
      expect_ok(file->close());
      return testing::Test::HasFailure() ? 1 : 0;
    });
  }

  void expect_old_variables() {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    ASSERT_GE(file, 0);
    for (int i = 0; i < k_old_variables; ++i) {
      const hid_t dataset = H5Dopen2(file, old_name(i).c_str(), H5P_DEFAULT);
      ASSERT_GE(dataset, 0) << i;
      std::vector<double> values(100);
      EXPECT_GE(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
      EXPECT_EQ(values, ramp(100, i));
      H5Dclose(dataset);
    }
    H5Fclose(file);
  }

  void kill_everywhere(const std::string& effect) {
    const std::string backup = folder_ / "backup.h5";
    std::filesystem::copy_file(path_, backup);
    int restorations = 0;
    for (int call = 1; call < 200; ++call) {
      std::filesystem::copy_file(backup, path_, std::filesystem::copy_options::overwrite_existing);
      const int outcome = append("write:" + std::to_string(call) + "=" + effect);
      const bool restored = take(storage::recover(*store_, path_));
      restorations += restored ? 1 : 0;
      expect_old_variables();
      EXPECT_EQ(run("h5dump -H " + path_), 0);
      const bool complete = load(path_).objects().find_variable("/old/new59").has_value();
      if (outcome == 0) {
        EXPECT_TRUE(complete && !restored);
        EXPECT_GE(restorations, 2) << "too few kills between overwrites to have tested anything";
        return;
      }
      ASSERT_EQ(outcome, k_killed);
      EXPECT_FALSE(complete) << "killed before the last write of metadata";
    }
    FAIL() << "the append never ended";
  }

  std::string path_;
};

TEST_F(CrashTest, AnAppendToAnOldStockFile) {
  stock_file(H5F_LIBVER_EARLIEST);
  kill_everywhere("kill");
}

TEST_F(CrashTest, AnAppendToANewStockFile) {
  stock_file(H5F_LIBVER_LATEST);
  kill_everywhere("kill");
}

TEST_F(CrashTest, WritesThatStopHalfWay) {
  stock_file(H5F_LIBVER_EARLIEST);
  kill_everywhere("torn");
}

TEST_F(CrashTest, AnAppendToAFileOfOurs) {
  auto file = create(path_);
  PlacedSchema schema;
  for (int i = 0; i < k_old_variables; ++i) {
    const uint64_t address = k_block_bytes + 800 * static_cast<uint64_t>(i);
    write_bytes(path_, address, ramp(100, i).data(), 800);
    take(schema.add_variable_at(address, variable(old_name(i), Kind::float64, {100})));
  }
  expect_ok(file->apply(schema, schema.placements, k_block_bytes + 800 * k_old_variables));
  expect_ok(file->close());
  kill_everywhere("torn");
}

// A new file under its final name: from its first flush on it has something to lose.
TEST_F(CrashTest, ANewFileAfterItsFirstFlush) {
  for (int call = 1; call < 100; ++call) {
    std::filesystem::remove(path_);
    const std::string flushed = folder_ / "flushed";
    std::filesystem::remove(flushed);
    const int outcome = in_child([&] {
      auto faulty = storage::make_faulty_store(
          store_, take(storage::FaultPlan::parse("write:" + std::to_string(call) + "=torn")));
      Hdf5Options options;
      options.undo_journal = true;
      auto file = take(create_hdf5(take(faulty->open(path_, storage::OpenMode::create_new)), path_, options,
                                   faulty.get()));
      PlacedSchema schema;
      for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < k_old_variables; ++i) {
          const std::string name =
              (round == 0 ? "/old/v" : "/new" + std::to_string(round) + "/v") + std::to_string(i);
          const int index = take(schema.add_variable(variable(name, Kind::float64, {100})));
          expect_ok(file->apply(schema, schema.placements, 0));
          write_bytes(path_, *schema.placement(index).address(), ramp(100, i).data(), 800);
        }
        expect_ok(file->flush());
        if (round == 0) stored(flushed, storage::OpenMode::create_new);
      }
      expect_ok(file->close());
      return testing::Test::HasFailure() ? 1 : 0;
    });
    take(storage::recover(*store_, path_));
    if (std::filesystem::exists(flushed)) expect_old_variables();
    if (outcome == 0) {
      EXPECT_GE(call, 6);
      return;
    }
    ASSERT_EQ(outcome, k_killed);
  }
  FAIL() << "the run never ended";
}

TEST_F(CrashTest, AFailedOverwriteIsUndoneByTheNextOpen) {
  stock_file(H5F_LIBVER_EARLIEST);
  for (int call = 1; call < 100; ++call) {
    const std::string before = folder_ / "before.h5";
    std::filesystem::copy_file(path_, before, std::filesystem::copy_options::overwrite_existing);
    auto plan = take(storage::FaultPlan::parse("write:" + std::to_string(call) + "=ENOSPC"));
    auto faulty = storage::make_faulty_store(store_, plan);
    Hdf5Options options;
    options.undo_journal = true;
    auto file = take(
        open_hdf5(take(faulty->open(path_, storage::OpenMode::read_write)), *faulty, path_, true, options));
    PlacedSchema schema = take(file->load());
    expect_ok(schema.put_attribute(old_name(0), "a", doubles_attribute(ramp(100))));
    expect_ok(file->apply(schema, schema.placements, 0));
    const Status flushed = file->flush();
    const Status closed = file->close();
    take(storage::recover(*store_, path_));
    expect_old_variables();
    if (flushed.ok() && closed.ok()) {
      EXPECT_GE(call, 3);
      return;
    }
    EXPECT_EQ(first_failure(flushed, closed).code(), Code::no_space);
    std::filesystem::copy_file(before, path_, std::filesystem::copy_options::overwrite_existing);
  }
  FAIL() << "no end of writes";
}

}  // namespace
}  // namespace scorpio::format::test

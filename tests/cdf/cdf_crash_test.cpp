// Runs killed at any write of a header: what was complete before stays complete.
#include <gtest/gtest.h>

#include <filesystem>

#include "format/cdf/header_writer.h"
#include "format/cdf/schema_header.h"
#include "samples.h"
#include "storage/fault_plan.h"
#include "storage/faulty_store.h"
#include "storage/undo_journal.h"
#include "stored_files.h"
#include "support/child.h"

namespace scorpio::format::cdf::test {
namespace {

using scorpio::test::in_child;
using scorpio::test::k_killed;

constexpr int64_t k_elements = 50;

std::vector<std::byte> pattern(size_t bytes, int seed) {
  std::vector<std::byte> out(bytes);
  for (size_t i = 0; i < bytes; ++i)
    out[i] = static_cast<std::byte>(1 + (i + static_cast<size_t>(seed)) % 251);
  return out;
}

class CdfCrashTest : public StoredFiles {
 protected:
  CdfCrashTest() : path_(folder_ / "a.nc"), data_(pattern(4 * k_elements, 1)) {}

  // A fixed and a record variable with two records, and space after the header.
  void make_old(Version version) {
    model::Schema schema;
    const auto layout = make_cdf_layout(version, {.header_free = 4000});
    const int t = take(add_dimension(*layout, schema, "t", 0, true));
    const int x = take(add_dimension(*layout, schema, "x", k_elements));
    take(add_variable(*layout, schema, "/f", model::native(model::Kind::int32), {x}));
    take(add_variable(*layout, schema, "/r", model::native(model::Kind::int32), {t, x}));
    expect_ok(put_attribute(*layout, schema, "/", "history", text("old")));
    take(layout->end_definitions(schema));
    grow_records(schema, 2);
    const auto file = create(path_, version);
    expect_ok(file->apply(schema, layout->placements(), 0));
    expect_ok(file->close());
    write_bytes(path_, layout->placement(0).address_of(0), data_);
    for (int64_t r = 0; r < 2; ++r) write_bytes(path_, layout->placement(1).address_of(r), data_);
    old_ = take(to_header(schema, version, layout->placements()));
  }

  // Attributes that fill the free room, an attribute that replaces an old one, and a record, in a store that
  // kills.
  int append(const std::string& plan) {
    return in_child([&] {
      auto faulty = storage::make_faulty_store(store_, take(storage::FaultPlan::parse(plan)));
      MetadataOptions options;
      options.undo_journal = true;
      const auto file = take(
          open_cdf(take(faulty->open(path_, storage::OpenMode::read_write)), *faulty, path_, true, options));
      PlacedSchema schema = take(file->load());
      const auto layout = make_cdf_layout(old_.version, {});
      layout->found(schema, schema.placements);
      expect_ok(put_attribute(*layout, schema, "/", "history", text(std::string(500, 'x'))));
      for (int i = 0; i < 30; ++i)
        expect_ok(put_attribute(*layout, schema, "/f", "n" + std::to_string(i), text(std::string(40, 'y'))));
      EXPECT_FALSE(take(layout->end_definitions(schema)).needed);
      grow_records(schema, 3);
      write_bytes(path_, layout->placement(1).address_of(2), data_);
      expect_ok(file->apply(schema, layout->placements(), layout->end_of_data(schema)));
      expect_ok(file->close());
      return testing::Test::HasFailure() ? 1 : 0;
    });
  }

  void expect_old_data() {
    const PlacedSchema schema = load(path_);
    ASSERT_GE(schema.dimensions().records(), 2);
    const auto bytes = all_bytes(path_);
    const auto holds = [&](uint64_t address) {
      return address + data_.size() <= bytes.size() &&
             std::equal(data_.begin(), data_.end(), bytes.begin() + static_cast<std::ptrdiff_t>(address));
    };
    EXPECT_TRUE(holds(schema.placement(0).address_of(0)));
    for (int64_t r = 0; r < schema.dimensions().records(); ++r)
      EXPECT_TRUE(holds(schema.placement(1).address_of(r)));
  }

  void kill_everywhere(Version version, const std::string& effect) {
    make_old(version);
    const std::string backup = folder_ / "backup.nc";
    std::filesystem::copy_file(path_, backup, std::filesystem::copy_options::overwrite_existing);
    int restorations = 0;
    for (int call = 1; call < 50; ++call) {
      std::filesystem::copy_file(backup, path_, std::filesystem::copy_options::overwrite_existing);
      const int outcome = append("write:" + std::to_string(call) + "=" + effect);
      const bool restored = take(storage::recover(*store_, path_));
      restorations += restored ? 1 : 0;
      expect_old_data();
      const Header now = load_header(path_, version);
      if (outcome == 0) {
        EXPECT_FALSE(restored);
        EXPECT_EQ(now.records, 3U);
        EXPECT_EQ(now.variables[0].attributes.size(), 30U);
        EXPECT_GE(restorations, 2) << "too few kills between overwrites to have tested anything";
        return;
      }
      ASSERT_EQ(outcome, k_killed);
      EXPECT_EQ(now, old_) << "after call " << call;
    }
    FAIL() << "the append never ended";
  }

  std::string path_;
  std::vector<std::byte> data_;
  Header old_;
};

TEST_F(CdfCrashTest, AnAppendKilledBeforeAnyWrite) {
  for (const Version version : {Version::cdf1, Version::cdf2, Version::cdf5})
    kill_everywhere(version, "kill");
}

TEST_F(CdfCrashTest, WritesThatStopHalfWay) {
  for (const Version version : {Version::cdf1, Version::cdf5}) kill_everywhere(version, "torn");
}

// A new file under its final name: it is none before its last write, and from then on has something to lose.
TEST_F(CdfCrashTest, ANewFileUnderItsName) {
  for (int call = 1; call < 50; ++call) {
    std::filesystem::remove(path_);
    const std::string flushed = folder_ / "flushed";
    std::filesystem::remove(flushed);
    const int outcome = in_child([&] {
      auto faulty = storage::make_faulty_store(
          store_, take(storage::FaultPlan::parse("write:" + std::to_string(call) + "=torn")));
      MetadataOptions options;
      options.undo_journal = true;
      model::Schema schema;
      const auto layout = make_cdf_layout(Version::cdf5, {.header_free = 2000});
      const auto file = take(create_cdf(take(faulty->open(path_, storage::OpenMode::create_new)), path_,
                                        Version::cdf5, options, faulty.get()));
      for (int round = 0; round < 3; ++round) {
        expect_ok(put_attribute(*layout, schema, "/", "n" + std::to_string(round), text("value")));
        take(layout->end_definitions(schema));
        expect_ok(file->apply(schema, layout->placements(), 0));
        expect_ok(file->flush());
        if (round == 0) stored(flushed, storage::OpenMode::create_new);
      }
      expect_ok(file->close());
      return testing::Test::HasFailure() ? 1 : 0;
    });
    take(storage::recover(*store_, path_));
    if (std::filesystem::exists(flushed)) {
      EXPECT_TRUE(load(path_).objects().attributes("/")->contains("n0"));
    }
    if (outcome == 0) {
      EXPECT_GE(call, 5);
      return;
    }
    ASSERT_EQ(outcome, k_killed);
  }
  FAIL() << "the run never ended";
}

TEST_F(CdfCrashTest, AFailedOverwriteIsUndoneByTheNextOpen) {
  make_old(Version::cdf2);
  const std::string backup = folder_ / "backup.nc";
  std::filesystem::copy_file(path_, backup);
  int refused_again = 0;
  for (int call = 1; call < 50; ++call) {
    std::filesystem::copy_file(backup, path_, std::filesystem::copy_options::overwrite_existing);
    auto plan = take(storage::FaultPlan::parse("write:" + std::to_string(call) + "=ENOSPC"));
    auto faulty = storage::make_faulty_store(store_, plan);
    MetadataOptions options;
    options.undo_journal = true;
    const auto file = take(
        open_cdf(take(faulty->open(path_, storage::OpenMode::read_write)), *faulty, path_, true, options));
    PlacedSchema schema = take(file->load());
    grow_records(schema, 3);
    expect_ok(schema.put_attribute("/", "history", text("new")));
    expect_ok(file->apply(schema, schema.placements, 0));
    const Status flushed = file->flush();
    // The disk has room again, but only the next open can tell what half was written.
    if (!flushed.ok() && std::filesystem::exists(storage::journal_name(path_))) {
      EXPECT_EQ(file->flush().code(), Code::no_space);
      ++refused_again;
    }
    static_cast<void>(file->close());
    take(storage::recover(*store_, path_));
    if (flushed.ok()) {
      EXPECT_GE(refused_again, 2);
      EXPECT_EQ(load(path_).dimensions().records(), 3);
      return;
    }
    EXPECT_EQ(flushed.code(), Code::no_space);
    const Header now = load_header(path_, Version::cdf2);
    EXPECT_TRUE(refused_again == 0 || now == old_);
  }
  FAIL() << "no end of writes";
}

}  // namespace
}  // namespace scorpio::format::cdf::test

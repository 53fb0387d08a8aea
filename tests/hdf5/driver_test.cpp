// The image under HDF5: order and number of its writes, fill values, spilling, faults, forks.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "format/hdf5/driver.h"
#include "format/hdf5/image.h"
#include "storage/fault_plan.h"
#include "storage/faulty_store.h"
#include "storage/forwarding_file.h"
#include "storage/memory_store.h"
#include "support.h"

namespace scorpio::format::test {
namespace {

using model::Kind;

struct Call {
  char what;  // w, t(runcate), s(ync)
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

// Remembers what reaches the stored file.
class RecordingFile final : public storage::ForwardingFile {
 public:
  RecordingFile(std::unique_ptr<storage::StoredFile> inner, std::vector<Call>* calls)
      : ForwardingFile(std::move(inner)), calls_(calls) {}
  Status write_at(std::span<const std::byte> bytes, uint64_t offset) override {
    calls_->push_back({'w', offset, bytes.size()});
    return inner().write_at(bytes, offset);
  }
  Status write_parts(storage::Parts parts, uint64_t offset) override {
    return storage::write_one_by_one(parts, offset,
                                     [this](auto part, uint64_t at) { return write_at(part, at); });
  }
  Status truncate(uint64_t size) override {
    calls_->push_back({'t', size, 0});
    return inner().truncate(size);
  }
  Status sync() override {
    calls_->push_back({'s', 0, 0});
    return inner().sync();
  }

 private:
  std::vector<Call>* calls_;
};

class DriverTest : public Hdf5Test {
 protected:
  DriverTest() : path_(folder_ / "a.h5") {}

  std::unique_ptr<storage::StoredFile> recorded(storage::OpenMode mode) {
    return std::make_unique<RecordingFile>(stored(path_, mode), &calls_);
  }
  std::vector<Call> writes() const {
    std::vector<Call> out;
    std::copy_if(calls_.begin(), calls_.end(), std::back_inserter(out),
                 [](const Call& call) { return call.what == 'w'; });
    return out;
  }
  PlacedSchema many_variables(int count) {
    PlacedSchema schema;
    for (int i = 0; i < count; ++i) {
      take(schema.add_variable_at(k_block_bytes + 40 * static_cast<uint64_t>(i),
                                  variable("/group/v" + std::to_string(i), Kind::int32, {10})));
    }
    return schema;
  }

  std::string path_;
  std::vector<Call> calls_;
};

TEST_F(DriverTest, TheSuperblockOfANewFileIsWrittenLastAndDataAreSyncedBefore) {
  Hdf5Options options;
  options.durable = true;
  auto file = take(create_hdf5(recorded(storage::OpenMode::create_truncate), path_, options));
  EXPECT_TRUE(calls_.empty()) << "nothing of a new file is in storage before its first flush";
  auto schema = many_variables(5000);
  expect_ok(file->apply(schema, schema.placements, k_block_bytes + 200000));
  EXPECT_TRUE(writes().empty());
  expect_ok(file->close());
  const auto written = writes();
  ASSERT_EQ(written.size(), 2u);
  EXPECT_EQ(written[0].offset, 2 * k_block_bytes) << "a block behind the data";
  EXPECT_EQ(written[1].offset, 0u);
  EXPECT_LE(written[1].bytes, k_block_bytes);
  EXPECT_EQ(calls_.back().what, 's');
  // Between the two, durable.
  const auto last = std::find_if(calls_.begin(), calls_.end(),
                                 [](const Call& call) { return call.what == 'w' && call.offset == 0; });
  ASSERT_NE(last, calls_.begin());
  EXPECT_EQ(std::prev(last)->what, 's');
}

TEST_F(DriverTest, OverwritesOfACommittedFileComeLastAndFewAndTheSuperblockAtTheEnd) {
  auto file = take(create_hdf5(recorded(storage::OpenMode::create_truncate), path_, {}));
  auto schema = many_variables(2000);
  expect_ok(file->apply(schema, schema.placements, k_block_bytes + 80000));
  expect_ok(file->flush());
  const uint64_t committed = file->end_of_allocation();
  calls_.clear();
  for (int i = 0; i < 500; ++i) {
    take(schema.add_variable_at(committed + k_block_bytes + 40 * static_cast<uint64_t>(i),
                                variable("/late/v" + std::to_string(i), Kind::int32, {10})));
  }
  expect_ok(file->apply(schema, schema.placements, committed + k_block_bytes + 20000));
  expect_ok(file->flush());
  const auto written = writes();
  ASSERT_FALSE(written.empty());
  EXPECT_LE(written.size(), 3u);
  EXPECT_TRUE(std::is_partitioned(written.begin(), written.end(),
                                  [&](const Call& call) { return call.offset >= committed; }));
  EXPECT_EQ(written.back().offset, 0u);
  expect_ok(file->close());
  EXPECT_EQ(load(path_).variables().count(), 2500);
}

TEST_F(DriverTest, LongMetadataAreWrittenInPiecesAndThatWithTheSuperblockLast) {
  constexpr uint64_t k_piece_bytes = uint64_t{4} << 20;
  Hdf5Options options;
  options.block_bytes = uint64_t{64} << 20;  // all metadata are in the first block, and in one segment
  auto file = take(create_hdf5(recorded(storage::OpenMode::create_truncate), path_, options));
  PlacedSchema schema;
  take(schema.add_variable_at(options.block_bytes, variable("/v", Kind::int32, {10})));
  for (int i = 0; i < 100; ++i)
    expect_ok(schema.put_attribute("/v", "a" + std::to_string(i), doubles_attribute(ramp(7000, i))));
  expect_ok(file->apply(schema, schema.placements, options.block_bytes + 40));
  expect_ok(file->close());
  const auto written = writes();
  ASSERT_EQ(written.size(), 2u);
  EXPECT_EQ(written[0].offset, k_piece_bytes);
  EXPECT_GT(written[0].bytes, uint64_t{1} << 20);
  EXPECT_LE(written[0].bytes, k_piece_bytes);
  EXPECT_EQ(written[1].offset, 0u);
  EXPECT_EQ(written[1].bytes, k_piece_bytes);
  const auto read = load(path_);
  ASSERT_EQ(read.variables().count(), 1);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(read.variables()[0].attributes.at("a" + std::to_string(i)).value,
              doubles_attribute(ramp(7000, i)).value);
  }
  EXPECT_EQ(run("h5dump -H " + path_), 0);
}

TEST_F(DriverTest, AFlushWithoutChangesWritesNothing) {
  auto file = take(create_hdf5(recorded(storage::OpenMode::create_truncate), path_, {}));
  auto schema = many_variables(10);
  expect_ok(file->apply(schema, schema.placements, k_block_bytes + 400));
  expect_ok(file->flush());
  calls_.clear();
  expect_ok(file->flush());
  EXPECT_TRUE(calls_.empty());
  expect_ok(file->close());
  EXPECT_TRUE(calls_.empty());
}

TEST_F(DriverTest, MetadataBeyondTheLimitAreSpilledAndTheFileIsRight) {
  Hdf5Options options;
  options.image_limit_bytes = 64u << 10;
  auto file = take(create_hdf5(recorded(storage::OpenMode::create_truncate), path_, options));
  auto schema = many_variables(3000);
  for (int i = 0; i < 3000; ++i) {
    expect_ok(schema.put_attribute(schema.variables()[i].path, "values", doubles_attribute(ramp(20))));
  }
  expect_ok(file->apply(schema, schema.placements, k_block_bytes + 120000));
  expect_ok(file->flush());
  EXPECT_GT(writes().size(), 3u) << "spilled";
  for (int i = 0; i < 3000; ++i) {
    expect_ok(schema.put_attribute(schema.variables()[i].path, "values", doubles_attribute(ramp(20, 1))));
  }
  expect_ok(file->apply(schema, schema.placements, 0));
  expect_ok(file->close());
  const auto read = load(path_);
  ASSERT_EQ(read.variables().count(), 3000);
  for (int i = 0; i < 3000; ++i) {
    ASSERT_EQ(read.variables()[i].attributes.at("values").value, doubles_attribute(ramp(20, 1)).value);
  }
  EXPECT_EQ(run("h5dump -H " + path_), 0);
}

TEST_F(DriverTest, LargeDataOfAClientGoStraightToTheFile) {
  auto file = take(create_hdf5(recorded(storage::OpenMode::create_truncate), path_, {}));
  stock_write(static_cast<hid_t>(take(file->library_id())), "/big", ramp(100000));
  const auto written = writes();
  ASSERT_EQ(written.size(), 1u);
  EXPECT_EQ(written[0].bytes, 800000u);
  EXPECT_EQ(file->counters().writes, 0u) << "they are not metadata";
  expect_ok(file->close());
  EXPECT_EQ(stock_read(path_, "/big"), ramp(100000));
}

TEST_F(DriverTest, FillValuesNeverReachPlacedData) {
  const auto values = ramp(100);
  auto image = std::make_shared<hdf5::Image>(
      stored(path_, storage::OpenMode::create_truncate),
      hdf5::Image::Origin{.name = path_, .writable = true, .created = true}, Hdf5Options());
  write_bytes(path_, k_block_bytes, values.data(), 800);
  {
    const auto access = take(hdf5::make_access_list(image));
    const hid_t file = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get());
    ASSERT_GE(file, 0);
    const hid_t form = H5Pcreate(H5P_DATASET_CREATE);
    const double fill = -1;
    H5Pset_fill_value(form, H5T_NATIVE_DOUBLE, &fill);
    H5Pset_alloc_time(form, H5D_ALLOC_TIME_EARLY);
    const hsize_t extent = 100;
    const hid_t space = H5Screate_simple(1, &extent, nullptr);
    image->space().raise_data_end(k_block_bytes + 800);
    for (const char* name : {"placed", "theirs"}) {
      const bool placed = name[0] == 'p';
      if (placed) image->space().arm(k_block_bytes, 800);
      const hid_t dataset = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, form, H5P_DEFAULT);
      EXPECT_EQ(image->space().disarm().has_value(), placed);
      EXPECT_EQ(H5Dget_offset(dataset) == k_block_bytes, placed);
      H5Dclose(dataset);
    }
    H5Sclose(space);
    H5Pclose(form);
    EXPECT_GE(H5Fclose(file), 0);
  }
  expect_ok(image->close());
  EXPECT_EQ(stock_read(path_, "/placed"), values);
  EXPECT_EQ(stock_read(path_, "/theirs"), std::vector<double>(100, -1.0))
      << "a client's fill values are kept";
}

TEST_F(DriverTest, FailedWritesAreReportedWithTheirCauseAndCanBeRepeated) {
  auto memory = std::shared_ptr<storage::Store>(storage::make_memory_store());
  auto plan = take(storage::FaultPlan::parse("write:1=ENOSPC"));
  auto faulty = storage::make_faulty_store(memory, plan);
  auto file = take(create_hdf5(take(faulty->open("a", storage::OpenMode::create_new)), "a", {}));
  auto schema = many_variables(10);
  expect_ok(file->apply(schema, schema.placements, k_block_bytes + 400));
  const Status status = file->flush();
  EXPECT_EQ(status.code(), Code::no_space) << status.text();
  expect_ok(file->flush());
  expect_ok(file->close());
  auto again = take(open_hdf5(take(memory->open("a", storage::OpenMode::read)), *memory, "a", false, {}));
  EXPECT_EQ(take(again->load()).schema.variables().count(), 10);
  expect_ok(again->close());
}

// Whether all calls of a creation succeeded, with this plan of faults.
bool creation_succeeds(std::shared_ptr<storage::Store> memory, std::shared_ptr<storage::FaultPlan> plan,
                       PlacedSchema schema) {
  auto faulty = storage::make_faulty_store(std::move(memory), std::move(plan));
  auto opened = faulty->open("a", storage::OpenMode::create_new);
  if (!opened.ok()) return false;
  Hdf5Options options;
  options.durable = true;
  auto created = create_hdf5(std::move(opened).value(), "a", options);
  if (!created.ok()) return false;
  const bool applied = (*created)->apply(schema, schema.placements, k_block_bytes + 400).ok();
  return (*created)->close().ok() && applied;
}

TEST_F(DriverTest, AFaultOfACreationIsReportedOrRepairedAndNothingIsHeldBack) {
  for (const char* kind : {"=EIO", "+=EIO"}) {
    for (int call = 1;; ++call) {
      auto memory = std::shared_ptr<storage::Store>(storage::make_memory_store());
      auto plan = take(storage::FaultPlan::parse("any:" + std::to_string(call) + kind));
      const bool succeeded = creation_succeeds(memory, plan, many_variables(10));
      if (succeeded) {
        auto file =
            take(open_hdf5(take(memory->open("a", storage::OpenMode::read)), *memory, "a", false, {}));
        EXPECT_EQ(take(file->load()).schema.variables().count(), 10);
        expect_ok(file->close());
      }
      if (plan->all_calls() < static_cast<uint64_t>(call)) {
        EXPECT_TRUE(succeeded);
        break;
      }
      EXPECT_FALSE(succeeded && std::string(kind) == "+=EIO") << "all calls from the " << call << "th failed";
    }
  }
  EXPECT_EQ(H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_ALL), 0);
}

TEST_F(DriverTest, BlocksTooSmallForTheSuperblockAreRefused) {
  Hdf5Options options;
  options.block_bytes = 64;
  const auto file = create_hdf5(stored(path_, storage::OpenMode::create_truncate), path_, options);
  EXPECT_EQ(file.status().code(), Code::argument) << file.status().text();
}

TEST_F(DriverTest, SmallBlocksHoldTheirDataAndMetadata) {
  Hdf5Options options;
  options.block_bytes = 512;
  auto file = create(path_, options);
  const auto values = ramp(100);
  write_bytes(path_, 512, values.data(), 800);
  PlacedSchema schema;
  take(schema.add_variable_at(512, variable("/v", Kind::float64, {100})));
  expect_ok(schema.put_attribute("/", "long", doubles_attribute(ramp(500))));
  expect_ok(file->apply(schema, schema.placements, 1312));
  expect_ok(file->close());
  EXPECT_EQ(stock_read(path_, "/v"), values);
}

TEST_F(DriverTest, AFileOpenedForReadingIsNotWritten) {
  expect_ok(create(path_)->close());
  auto file = take(open_hdf5(recorded(storage::OpenMode::read), *store_, path_, false, {}));
  PlacedSchema schema = take(file->load());
  expect_ok(schema.add_group("/g"));
  EXPECT_EQ(file->apply(schema, schema.placements, 0).code(), Code::read_only);
  expect_ok(file->flush());
  expect_ok(file->close());
  EXPECT_EQ(file->close().code(), Code::state);
  EXPECT_TRUE(calls_.empty());
}

}  // namespace
}  // namespace scorpio::format::test

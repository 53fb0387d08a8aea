// The stored file of an image: the order in which a commit writes, and what is left after one that failed.
#include "format/hdf5/stored_image.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "storage/fault_plan.h"
#include "storage/faulty_store.h"
#include "storage/memory_store.h"
#include "storage/traced_store.h"

namespace scorpio::format::hdf5 {
namespace {

constexpr const char* k_path = "/a.h5";
constexpr uint64_t k_valid = 1000;  // bytes of a file that is there

std::vector<std::byte> filled(size_t bytes, char with) { return {bytes, static_cast<std::byte>(with)}; }

class StoredImageTest : public testing::Test {
 protected:
  // In a store of its own. `faults`: fault_plan.h.
  StoredImage made(uint64_t valid_bytes, bool journal = false, const std::string& faults = "") {
    memory_ = storage::make_memory_store();
    if (valid_bytes > 0) {
      auto file = memory_->open(k_path, storage::OpenMode::create_truncate).value();
      EXPECT_TRUE(file->write_at(filled(valid_bytes, 'o'), 0).ok());
      EXPECT_TRUE(file->close().ok());
    }
    std::shared_ptr<storage::Store> store =
        storage::make_traced_store(memory_, counted_, [this](const storage::Trace& call) { note(call); });
    store = storage::make_faulty_store(store, storage::FaultPlan::parse(faults).value());
    store_ = store;
    const auto mode = valid_bytes > 0 ? storage::OpenMode::read_write : storage::OpenMode::create_truncate;
    auto file = store->open(k_path, mode);
    EXPECT_TRUE(file.ok()) << file.status().text();
    return StoredImage(std::move(file).value(),
                       {.name = k_path,
                        .store = journal ? store_.get() : nullptr,
                        .valid_bytes = valid_bytes,
                        .durable = true},
                       counters_);
  }
  // "w100 s w0 s", of the file itself: what was written where, and when it was made durable.
  std::string order() { return std::exchange(calls_, {}); }
  std::string stored(uint64_t offset, size_t bytes) {
    std::vector<std::byte> out(bytes);
    auto file = memory_->open(k_path, storage::OpenMode::read).value();
    EXPECT_EQ(bytes, file->read_at(out, offset).value());
    std::string text;
    for (const std::byte one : out) text += static_cast<char>(one);
    return text;
  }

  KeptBytes kept_;
  IntervalSet unused_;
  MetadataCounters counters_;

 private:
  void note(const storage::Trace& call) {
    if (call.path != k_path) return;
    if (call.operation == storage::Operation::write) calls_ += " w" + std::to_string(call.offset);
    if (call.operation == storage::Operation::sync) calls_ += " s";
  }

  std::shared_ptr<storage::Store> memory_;
  std::shared_ptr<storage::Store> store_;
  observe::Counters counted_;
  std::string calls_;
};

TEST_F(StoredImageTest, TheSuperblockMakesANewFileValid) {
  StoredImage image = made(0);
  image.set_superblock(0);
  kept_.keep(0, filled(96, 's'));
  kept_.keep(200, filled(10, 'a'));
  kept_.keep(400, filled(10, 'b'));
  EXPECT_TRUE(image.extend_to(500).ok());
  EXPECT_TRUE(image.commit(kept_, unused_, 500).ok());
  EXPECT_EQ(" w200 w400 s w0 s", order());
  EXPECT_EQ(500u, image.valid_bytes());
  EXPECT_EQ(3u, counters_.writes);
  EXPECT_EQ(116u, counters_.bytes_written);
  EXPECT_TRUE(image.close().ok());
  EXPECT_TRUE(image.closed());
  EXPECT_EQ("ss", stored(94, 2));
}

// New space, which no valid file refers to, comes first.
TEST_F(StoredImageTest, AValidFileIsChangedAfterWhatIsNew) {
  StoredImage image = made(k_valid);
  image.set_superblock(0);
  kept_.keep(0, filled(96, 's'));
  kept_.keep(500, filled(10, 'c'));
  kept_.keep(k_valid + 50, filled(10, 'n'));
  EXPECT_TRUE(image.extend_to(k_valid + 60).ok());
  EXPECT_TRUE(image.commit(kept_, unused_, k_valid + 60).ok());
  EXPECT_EQ(" w1050 s w500 w0 s", order());
  EXPECT_EQ("occ", stored(499, 3));
  EXPECT_EQ("nn", stored(k_valid + 50, 2));
}

TEST_F(StoredImageTest, IsOnlyExtended) {
  StoredImage image = made(k_valid);
  EXPECT_TRUE(image.extend_to(10).ok());
  EXPECT_EQ("o", stored(k_valid - 1, 1));
  std::vector<std::byte> out(4);
  EXPECT_TRUE(image.read_data(k_valid - 2, out).ok());
  EXPECT_EQ(filled(2, 'o'), std::vector(out.begin(), out.begin() + 2));
  EXPECT_EQ(filled(2, '\0'), std::vector(out.begin() + 2, out.end()));  // behind the end
}

// The blocks that were read ahead are those of the file before.
TEST_F(StoredImageTest, MetadataAreReadAgainAfterAWrite) {
  StoredImage image = made(k_valid);
  std::vector<std::byte> out(3);
  EXPECT_TRUE(image.read_metadata(100, out).ok());
  EXPECT_EQ(filled(3, 'o'), out);
  EXPECT_TRUE(image.write(filled(3, 'x'), 100).ok());
  EXPECT_TRUE(image.read_metadata(100, out).ok());
  EXPECT_EQ(filled(3, 'x'), out);
}

// A range longer than a piece is written from its end to its beginning, which may have the superblock; what
// is not kept of it is zero.
TEST_F(StoredImageTest, ALongRangeIsWrittenInPieces) {
  constexpr uint64_t k_piece = uint64_t{4} << 20;
  StoredImage image = made(0);
  kept_.keep(0, filled(10, 'f'));
  kept_.keep(k_piece + 90, filled(10, 'l'));
  EXPECT_TRUE(image.write_kept(kept_, {0, k_piece + 100}).ok());
  EXPECT_EQ(" w4194304 w0", order());
  EXPECT_EQ(std::string("f") + std::string(3, '\0'), stored(9, 4));
  EXPECT_EQ(std::string(1, '\0') + "l", stored(k_piece + 89, 2));
}

// Any of the writes fails: those of the journal leave the valid file as it was; after one of the file only
// the next open can restore it.
TEST_F(StoredImageTest, IsBrokenAfterAnOverwriteThatFailed) {
  kept_.keep(0, filled(96, 's'));
  kept_.keep(500, filled(10, 'c'));
  int broken = 0;
  bool failed = true;
  for (int write = 1; failed; ++write) {
    StoredImage image = made(k_valid, true, "write:" + std::to_string(write) + "=ENOSPC");
    image.set_superblock(0);
    failed = !image.commit(kept_, unused_, k_valid).ok();
    if (!image.broken().ok()) ++broken;
    EXPECT_TRUE(failed || image.broken().ok());
    EXPECT_TRUE(!failed || !image.broken().ok() || stored(500, 1) == "o") << write;
    EXPECT_TRUE(image.close().ok());
    ASSERT_LT(write, 20);
  }
  EXPECT_EQ(2, broken);
  EXPECT_EQ("c", stored(500, 1));
}

}  // namespace
}  // namespace scorpio::format::hdf5

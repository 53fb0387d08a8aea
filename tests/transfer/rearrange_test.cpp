// Copies of data to another place: right, shared among the owners, and no dearer than what is stored.
#include "transfer/rearrange.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "storage/memory_store.h"
#include "storage/traced_store.h"

namespace scorpio::transfer {
namespace {

using format::Shift;
using storage::OpenMode;

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string text_of(storage::StoredFile& file) {
  std::string text(*file.size(), '?');
  EXPECT_EQ(*file.read_at(std::as_writable_bytes(std::span(text)), 0), text.size());
  return text;
}

class Rearrange : public testing::Test {
 protected:
  std::unique_ptr<storage::StoredFile> make(const std::string& name) {
    return std::move(store_->open(name, OpenMode::create_truncate)).value();
  }
  void copy(storage::StoredFile& from, storage::StoredFile& to, const std::vector<Shift>& shifts) {
    for (int owner = 0; owner < 3; ++owner) {
      const Status status = copy_shifts(from, to, shifts, {owner, 3, 1u << 12});
      EXPECT_TRUE(status.ok()) << status.text();
    }
  }

  observe::Counters counters_;
  const std::unique_ptr<storage::Store> store_ =
      storage::make_traced_store(storage::make_memory_store(), counters_);
};

RC_GTEST_FIXTURE_PROP(Rearrange, MovesEveryByteOfEveryPiece, ()) {
  const auto number = [](int most) { return static_cast<uint64_t>(*rc::gen::inRange(0, most)); };
  const auto from = make("from"), to = make("to");
  std::string old(400'000, '\0');
  for (int i = 0; i < 5; ++i) {
    const uint64_t at = number(300'000), length = number(90'000);
    const std::string piece(length, static_cast<char>('a' + i));
    RC_ASSERT(from->write_at(bytes_of(piece), at).ok());
    old.replace(at, length, piece);
  }
  const uint64_t size = *from->size();
  std::string expected(2'000'000, '\0');
  std::vector<Shift> shifts;
  uint64_t target = number(5000);
  for (int i = 0; i < 4; ++i) {
    Shift shift{.from = number(300'000), .bytes = 1 + number(20'000), .count = 1 + number(6)};
    shift.from_stride = shift.bytes + number(9000);
    shift.to_stride = shift.bytes + number(9000);
    shift.to = target;
    target += shift.count * shift.to_stride;
    for (uint64_t k = 0; k < shift.count; ++k) {
      for (uint64_t b = 0; b < shift.bytes; ++b) {
        const uint64_t at = shift.from + k * shift.from_stride + b;
        if (at < size) expected[shift.to + k * shift.to_stride + b] = old[at];
      }
    }
    shifts.push_back(shift);
  }
  copy(*from, *to, shifts);
  const std::string moved = text_of(*to);
  RC_ASSERT(moved == expected.substr(0, moved.size()));
  RC_ASSERT(expected.find_first_not_of('\0', moved.size()) == std::string::npos);
}

// What a damaged length asks for: nothing but what there is, and no time.
TEST_F(Rearrange, CostsWhatIsStored) {
  const auto from = make("from"), to = make("to");
  ASSERT_TRUE(from->write_at(bytes_of(std::string(10'000, 'x')), 100).ok());
  ASSERT_TRUE(from->truncate(uint64_t{1} << 61).ok());
  const uint64_t far = (uint64_t{1} << 60) + 17;
  ASSERT_TRUE(from->write_at(bytes_of("far"), far).ok());
  counters_ = {};
  const std::vector<Shift> shifts = {{.from = 100, .to = 300, .bytes = uint64_t{1} << 60},
                                     {.from = 1'000'000,
                                      .to = 1'000'400,
                                      .bytes = 8,
                                      .count = uint64_t{1} << 57,
                                      .from_stride = 8,
                                      .to_stride = 9},
                                     {.from = uint64_t{1} << 60, .to = uint64_t{1} << 61, .bytes = 40}};
  EXPECT_EQ(named_bytes(shifts), (uint64_t{1} << 60) * 2 + 40);
  copy(*from, *to, {shifts.front(), shifts.back()});
  EXPECT_GE(*to->size(), (uint64_t{1} << 61) + 20);  // a store knows its holes by pages
  EXPECT_LE(*to->size(), (uint64_t{1} << 61) + 40);
  EXPECT_LT(counters_.bytes_written, uint64_t{1} << 20);
  const auto records = make("records");
  copy(*from, *records, {shifts[1]});
  EXPECT_LT(counters_.bytes_written, uint64_t{1} << 20);
  EXPECT_LT(counters_.reads, 100'000u);
  std::string text(3, '?');
  const uint64_t record = (far - 1'000'000) / 8;
  const uint64_t at = 1'000'400 + record * 9 + (far - 1'000'000) % 8;
  EXPECT_EQ(*records->read_at(std::as_writable_bytes(std::span(text)), at), 3u);
  EXPECT_EQ(text, "far");
}

TEST(NamedBytes, SaturateWhereTheyAreTooMany) {
  const Shift half{.bytes = uint64_t{1} << 40, .count = uint64_t{1} << 23};
  EXPECT_EQ(named_bytes(std::vector<Shift>{half}), uint64_t{1} << 63);
  EXPECT_EQ(named_bytes(std::vector<Shift>{half, half}), UINT64_MAX);
  EXPECT_EQ(named_bytes({}), 0u);
}

}  // namespace
}  // namespace scorpio::transfer

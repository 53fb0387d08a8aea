// Where variables lie: records and their gaps, what is not placed, limits.
#include "format/placement.h"

#include <gtest/gtest.h>

namespace scorpio::format {
namespace {

constexpr uint64_t k_limit = uint64_t{1} << 61;

TEST(Placement, WithoutOneThereIsNoAddress) {
  const Placement none;
  EXPECT_FALSE(none.has_address());
  EXPECT_FALSE(none.is_by_library());
  EXPECT_EQ(none.address(), std::nullopt);
  EXPECT_EQ(none.address_of(7), 0u);
  EXPECT_TRUE(none.check_records("/v", k_limit).ok());
  EXPECT_EQ(none.check_records("/v", k_limit + 1).code(), Code::limit);
}

TEST(Placement, WhatTheLibraryReadsHasAFormAndNoAddress) {
  const Placement chunked = Placement::by_library("chunked");
  EXPECT_TRUE(chunked.is_by_library());
  EXPECT_FALSE(chunked.has_address());
  EXPECT_EQ(chunked.address(), std::nullopt);
  EXPECT_EQ(chunked.address_of(0), 0u);
  EXPECT_EQ(chunked.form(), "chunked");
}

TEST(Placement, ByteZeroIsAnAddress) {
  EXPECT_TRUE(Placement::at(0).has_address());
  EXPECT_EQ(Placement::at(0).address(), std::optional<uint64_t>(0));
  EXPECT_FALSE(Placement::at(0).same_place({}));
}

TEST(Placement, RecordsAreAStrideApart) {
  const Placement placement = Placement::at(100, 24);
  EXPECT_EQ(placement.address(), std::optional<uint64_t>(100));
  EXPECT_EQ(placement.address_of(0), 100u);
  EXPECT_EQ(placement.address_of(3), 172u);
  EXPECT_EQ(placement.end(1, 10), std::optional<uint64_t>(110));
  EXPECT_EQ(placement.end(4, 10), std::optional<uint64_t>(182));
  EXPECT_FALSE(placement.records_adjoin(10));
  EXPECT_TRUE(placement.records_adjoin(24));
}

// A record may be named of a variable that has none: the index of its first dimension.
TEST(Placement, WithoutRecordsThereIsOneAddress) {
  const Placement placement = Placement::at(100);
  EXPECT_EQ(placement.address_of(5), 100u);
  EXPECT_EQ(placement.address_of(INT64_MIN), 100u);
  EXPECT_EQ(placement.end(1, 10), std::optional<uint64_t>(110));
  EXPECT_EQ(placement.first_record_behind(1000, 10), 0);
}

TEST(Placement, TheFirstRecordThatEndsBehindAByte) {
  const Placement placement = Placement::at(100, 24);  // records end at 110, 134, 158
  EXPECT_EQ(placement.first_record_behind(0, 10), 0);
  EXPECT_EQ(placement.first_record_behind(109, 10), 0);
  EXPECT_EQ(placement.first_record_behind(110, 10), 1);
  EXPECT_EQ(placement.first_record_behind(133, 10), 1);
  EXPECT_EQ(placement.first_record_behind(134, 10), 2);
  for (uint64_t byte = 0; byte < 400; ++byte) {
    int64_t expected = 0;
    while (placement.address_of(expected) + 10 <= byte) ++expected;
    EXPECT_EQ(placement.first_record_behind(byte, 10), expected) << byte;
  }
}

TEST(Placement, EndsBeyondAnyFileAreNone) {
  EXPECT_EQ(Placement::at(UINT64_MAX - 10).end(1, 10), std::optional<uint64_t>(UINT64_MAX));
  EXPECT_EQ(Placement::at(UINT64_MAX - 10).end(1, 11), std::nullopt);
  EXPECT_EQ(Placement::at(0, 2 * k_limit).end(5, 0), std::nullopt);
  EXPECT_EQ(Placement::at(2 * k_limit, 2 * k_limit).end(4, 0), std::nullopt);
  EXPECT_EQ(Placement::at(2 * k_limit, 2 * k_limit).end(3, 0), std::optional<uint64_t>(6 * k_limit));
}

TEST(Placement, RecordsEndWithinTheLimitOfFiles) {
  const Placement placement = Placement::at(1024, 1 << 20);
  const uint64_t most = (k_limit - 1024) >> 20;
  EXPECT_TRUE(placement.check_records("/v", most).ok());
  const Status more = placement.check_records("/v", most + 1);
  EXPECT_EQ(more.code(), Code::limit);
  EXPECT_NE(more.text().find("/v"), std::string::npos);
  EXPECT_EQ(placement.check_records("/v", UINT64_MAX).code(), Code::limit);
  EXPECT_EQ(Placement::at(k_limit + 1, 1).check_records("/v", 1).code(), Code::limit);
}

TEST(Placement, TheSamePlaceIsTheSameAddress) {
  EXPECT_TRUE(Placement::at(8).same_place(Placement::at(8)));
  EXPECT_FALSE(Placement::at(8).same_place(Placement::at(16)));
  EXPECT_FALSE(Placement::at(8).same_place(Placement::by_library("chunked")));
  EXPECT_TRUE(Placement::by_library("compact").same_place(Placement::by_library("chunked")));
  EXPECT_NE(Placement::by_library("compact"), Placement::by_library("chunked"));
}

TEST(Placements, VariablesThatWereNeverSetHaveNone) {
  Placements placements;
  EXPECT_EQ(placements.of(0), Placement());
  placements.set(2, Placement::at(8));
  EXPECT_EQ(placements.of(1), Placement());
  EXPECT_EQ(placements.of(2), Placement::at(8));
  EXPECT_EQ(placements.of(3), Placement());
  EXPECT_EQ(placements.of(-1), Placement());
  EXPECT_FALSE(placements.any_by_library());
  placements.set(0, Placement::by_library("compact"));
  EXPECT_TRUE(placements.any_by_library());
  EXPECT_FALSE(placements.any_unallocated());
  placements.set(1, Placement::unallocated("without space", {}));
  placements.set(3, Placement::unallocated("without space", {}));
  placements.set(1, Placement::at(8));
  EXPECT_TRUE(placements.any_unallocated());
  placements.set(3, Placement::at(16));
  EXPECT_FALSE(placements.any_unallocated());
}

Placement in_chunks(std::vector<codec::Filter> filters) {
  return Placement::in_chunks(
      uint64_t{1} << 61,
      std::make_shared<ChunkForm>(ChunkForm{{{50, 40}, {20, 40}, 4, 1 << 16},
                                            *codec::Pipeline::make(std::move(filters), 4),
                                            {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}}}));
}

TEST(Placement, ChunksAreTheSameAfterAMessage) {
  const Placement chunks = in_chunks({{2, 0}, {1, 6}});
  EXPECT_TRUE(chunks.has_address());
  EXPECT_FALSE(chunks.records_adjoin(0));
  model::ByteWriter out;
  chunks.write(out);
  const std::vector<std::byte> bytes = out.take();
  model::ByteReader in(bytes);
  const Placement read = Placement::read(in);
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(chunks, read);
  EXPECT_NE(in_chunks({}), read);
  for (size_t cut = 0; cut < bytes.size(); ++cut) {
    const std::vector<std::byte> shorter(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(cut));
    model::ByteReader of_part(shorter);
    (void)Placement::read(of_part);
    EXPECT_TRUE(of_part.failed());
  }
}

}  // namespace
}  // namespace scorpio::format

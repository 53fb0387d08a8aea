// Placement: alignment, no overlap, limits.
#include "format/address_book.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace scorpio::format {
namespace {

constexpr uint64_t k_block = 1u << 20;

RC_GTEST_PROP(AddressBookProperty, VariablesAreAlignedAndApart, ()) {
  const auto block = uint64_t{1} << *rc::gen::inRange(3, 22);
  const uint64_t first_free = *rc::gen::element<uint64_t>(0, 1, 4095, k_block, (uint64_t{1} << 40) + 1);
  AddressBook book(block, first_free);
  uint64_t others = first_free;  // the end of what data must not share a block with
  uint64_t end = first_free;
  for (int kind : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 5))) {
    if (kind == 0) {
      end += 100;
      others = end;
      book.raise(end);
      continue;
    }
    const uint64_t bytes = kind < 3 ? static_cast<uint64_t>(*rc::gen::inRange(1, 100)) : block + kind;
    const auto address = book.place(bytes);
    RC_ASSERT(address.ok());
    RC_ASSERT(*address >= end);
    RC_ASSERT(*address % 8 == 0u);
    if (bytes >= block) RC_ASSERT(*address % block == 0u);
    RC_ASSERT(end > 0u || *address / block > 0u);
    // The first block has one writer, whatever lies in it.
    RC_ASSERT(others <= block || *address / block > (others - 1) / block);
    end = *address + bytes;
    RC_ASSERT(book.end_of_data() == end);
  }
}

TEST(AddressBook, SmallVariablesFollowEachOther) {
  AddressBook book(k_block, 0);
  EXPECT_EQ(*book.place(3), k_block);
  EXPECT_EQ(*book.place(8), k_block + 8);
  EXPECT_EQ(*book.place(k_block), 2 * k_block);
  EXPECT_EQ(*book.place(1), 3 * k_block);
}

TEST(AddressBook, TheNextPlaceIsBesideDataButNotBesideMetadata) {
  AddressBook book(k_block, 0);
  EXPECT_EQ(*book.place(k_block + 5), k_block);
  EXPECT_EQ(*book.place_next(k_block), 2 * k_block + 8);
  book.leave_block();
  EXPECT_EQ(*book.place_next(4), 3 * k_block + 8);
  book.raise(3 * k_block + 100);
  book.leave_block();
  EXPECT_EQ(*book.place_next(4), 4 * k_block);
  book.leave_block();
  EXPECT_EQ(*book.place(4), 5 * k_block);
}

TEST(AddressBook, NothingPlacedNeedsNoSpace) { EXPECT_EQ(AddressBook(k_block, 0).end_of_data(), 0u); }

TEST(AddressBook, RaiseBelowTheEndChangesNothing) {
  AddressBook book(k_block, 0);
  EXPECT_EQ(*book.place(8), k_block);
  book.raise(100);
  EXPECT_EQ(*book.place(8), k_block + 8);
}

TEST(AddressBook, LimitsAndBadSizes) {
  AddressBook book(k_block, 0);
  EXPECT_EQ(book.place(0).status().code(), Code::argument);
  EXPECT_EQ(book.place(UINT64_MAX).status().code(), Code::limit);
  EXPECT_EQ(book.place(uint64_t{1} << 61).status().code(), Code::limit);
  ASSERT_TRUE(book.place((uint64_t{1} << 61) - k_block).ok());
  EXPECT_EQ(book.place(1).status().code(), Code::limit);
  EXPECT_EQ(AddressBook(k_block, UINT64_MAX).place(1).status().code(), Code::limit);
}

}  // namespace
}  // namespace scorpio::format

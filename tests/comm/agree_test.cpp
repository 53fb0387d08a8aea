// Agreement: one outcome, the same on all ranks.
#include "comm/agree.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "comm/communicator.h"

namespace scorpio::comm {
namespace {

class Agree : public testing::Test {
 protected:
  Agree() : comm_(Communicator::duplicate(MPI_COMM_WORLD).value()) {}
  ~Agree() override { EXPECT_TRUE(comm_.free().ok()); }

  bool same_everywhere(const Status& status) {
    const std::string whole = std::to_string(static_cast<int>(status.code())) + " " +
                              std::to_string(status.origin()) + " " + status.text();
    std::vector<std::byte> first(whole.size());
    std::memcpy(first.data(), whole.data(), whole.size());
    EXPECT_TRUE(comm_.broadcast(first, 0).ok());
    std::array<uint64_t, 1> differs{
        first.size() != whole.size() || std::memcmp(first.data(), whole.data(), whole.size()) != 0 ? 1u : 0u};
    EXPECT_TRUE(comm_.all_max(differs).ok());
    return differs[0] == 0;
  }
  Status failure_here(Code code) const { return failure(code, "wrong on rank {}", comm_.rank()); }

  Communicator comm_;
};

TEST_F(Agree, AllWell) {
  std::array<uint64_t, 2> maxima{static_cast<uint64_t>(comm_.rank()), 7};
  EXPECT_TRUE(agree(comm_, Status(), maxima).ok());
  EXPECT_EQ(static_cast<uint64_t>(comm_.size() - 1), maxima[0]);
  EXPECT_EQ(7u, maxima[1]);
}

TEST_F(Agree, EachRankFailingInTurn) {
  for (int culprit = 0; culprit < comm_.size(); ++culprit) {
    for (int number = 1; number <= -SCORPIO_ERR_POSTED; ++number) {
      const Code code = static_cast<Code>(-number);
      std::array<uint64_t, 1> maxima{static_cast<uint64_t>(comm_.rank())};
      const Status agreed = agree(comm_, comm_.rank() == culprit ? failure_here(code) : Status(), maxima);
      EXPECT_EQ(code, agreed.code());
      EXPECT_EQ(culprit, agreed.origin());
      EXPECT_EQ("wrong on rank " + std::to_string(culprit), agreed.text());
      EXPECT_EQ(static_cast<uint64_t>(comm_.size() - 1), maxima[0]) << "maxima come also with a failure";
    }
  }
}

TEST_F(Agree, LowestRankOfEqualFailures) {
  const Status agreed = agree(comm_, comm_.rank() > 0 ? failure_here(Code::io) : Status());
  EXPECT_EQ(comm_.size() > 1 ? 1 : -1, agreed.origin());
  EXPECT_EQ(0, agree(comm_, failure_here(Code::io)).origin());
}

TEST_F(Agree, WhatWasAgreedOnBeforeKeepsItsOrigin) {
  const int last = comm_.size() - 1;
  const Status agreed = agree(comm_, comm_.rank() == last ? failure_here(Code::io) : Status());
  const Status again = agree(comm_, agreed);
  EXPECT_EQ(last, again.origin());
  EXPECT_EQ(agreed.text(), again.text());
}

TEST_F(Agree, HigherCodeNumberComesFirst) {
  const bool last = comm_.rank() == comm_.size() - 1;
  const Status agreed = agree(comm_, failure_here(last ? Code::io : Code::range));
  EXPECT_EQ(Code::io, agreed.code());
  EXPECT_EQ(comm_.size() - 1, agreed.origin());
}

TEST_F(Agree, ACauseComesBeforeWhatItLedTo) {
  const bool last = comm_.rank() == comm_.size() - 1;
  const Status agreed = agree(comm_, failure_here(last ? Code::argument : Code::aborted));
  EXPECT_EQ(Code::argument, agreed.code());
  EXPECT_EQ(comm_.size() - 1, agreed.origin());
  EXPECT_EQ(Code::aborted, agree(comm_, failure_here(Code::aborted)).code());
}

TEST_F(Agree, LongTextsAreCutTheSameEverywhere) {
  const Status agreed = agree(comm_, Status(Code::io, std::string(5000, 'x')));
  EXPECT_TRUE(same_everywhere(agreed));
  EXPECT_GT(agreed.text().size(), 500u);
  EXPECT_LE(agreed.text().size(), 5000u);
}

TEST_F(Agree, EqualValues) {
  for (const uint64_t value : {uint64_t{0}, uint64_t{5}, ~uint64_t{0}}) {
    EXPECT_TRUE(agree_equal(comm_, Status(), value, "numbers").ok());
  }
}

TEST_F(Agree, TheLowestRankThatDiffersIsNamed) {
  for (int first = 1; first < comm_.size(); ++first) {
    const Status agreed = agree_equal(comm_, Status(), comm_.rank() >= first ? 1 : 0, "numbers");
    EXPECT_EQ(Code::mismatch, agreed.code());
    EXPECT_EQ(first, agreed.origin());
    EXPECT_TRUE(same_everywhere(agreed)) << agreed.text();
    EXPECT_NE(std::string::npos, agreed.text().find("numbers"));
  }
}

TEST_F(Agree, AFailureComesBeforeADifference) {
  const Status agreed = agree_equal(comm_, comm_.rank() == 0 ? failure_here(Code::name) : Status(),
                                    static_cast<uint64_t>(comm_.rank()), "numbers");
  EXPECT_EQ(Code::name, agreed.code());
  EXPECT_EQ(0, agreed.origin());
}

}  // namespace
}  // namespace scorpio::comm

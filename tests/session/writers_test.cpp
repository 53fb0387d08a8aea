// The I/O ranks that write a file: as many as it has stripes, or as option writers says, evenly chosen.
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <string>

#include "session/close_file.h"
#include "session/iosystem/arrangement.h"
#include "session/parts.h"
#include "session/striped_store.h"

namespace scorpio::test {
namespace {

Options with_writers(const std::string& value) {
  OptionSet set;
  EXPECT_TRUE(set.set("writers", value).ok());
  Options options;
  options.overlay(set);
  return options;
}

TEST(Writers, AreNoMoreThanStripesUnlessAskedFor) {
  using session::writers;
  for (const int stripes : {0, 8, 9, 2000})
    EXPECT_EQ(writers(Options(), 8, static_cast<uint64_t>(stripes)).number, 8);
  for (const int stripes : {1, 3, 7}) {
    const session::Writers chosen = writers(Options(), 8, static_cast<uint64_t>(stripes));
    EXPECT_EQ(chosen.number, stripes);
    EXPECT_EQ(chosen.in_force, std::to_string(stripes) + " of 8 I/O ranks, because the file has " +
                                   std::to_string(stripes) + (stripes == 1 ? " stripe" : " stripes"));
  }
  EXPECT_EQ(writers(with_writers("6"), 8, 1).number, 6);
  EXPECT_EQ(writers(with_writers("100"), 8, 1).number, 8);
}

TEST(Writers, OtherNumbersAreRefused) {
  for (const char* value : {"-1", "x", "1.5", "", "99999999999"}) {
    OptionSet set;
    const Status status = set.set("writers", value);
    EXPECT_EQ(status.code(), Code::argument) << value;
    EXPECT_NE(status.text().find("option writers = \"" + std::string(value) + "\""), std::string::npos)
        << status.text();
  }
}

struct StripedCase {
  int ranks, nodes, io_ranks;
  uint64_t stripes;
};

// The owners of the units are spread over the I/O ranks; blocks are stripes.
TEST(Writers, OfAFileWithStripes) {
  constexpr uint64_t k_stripe = uint64_t{1} << 21;
  for (const StripedCase& one : {StripedCase{4, 1, 4, 2}, StripedCase{6, 2, 5, 2}, StripedCase{4, 2, 4, 1},
                                 StripedCase{4, 2, 3, 16}, StripedCase{3, 1, 2, 0}}) {
    ThreadJob job({.ranks = one.ranks, .nodes = one.nodes, .io_ranks = one.io_ranks});
    storage::FileSystemFacts facts;
    facts.kind = "lustre";
    facts.block_bytes = k_stripe;
    facts.stripes = one.stripes;
    job.set_store(std::make_unique<StripedStore>(facts));
    std::atomic<uint64_t> writing = 0;
    job.run([&](ThreadSystem& system) {
      const std::vector<int64_t> dims{64, 40000};
      const auto rows = system.rows(dims);
      const std::vector<double> mine(static_cast<size_t>(rows->part().local_elements), 1.5);
      auto file =
          session::File::open(system, session::Opening::Mode::create, std::string("/f"), OptionSet()).value();
      const int v = file->definitions().define_variable("v", k_double, dims).value();
      EXPECT_TRUE(
          file->data()
              .put(std::vector<session::Move>{{.variable = v, .from = mine.data(), .memory = k_double}},
                   rows.get())
              .ok());
      EXPECT_TRUE(session::sync_file(*file).ok());
      if (system.records().counters.aligned_writes + system.records().counters.unaligned_writes > 0)
        ++writing;
      std::vector<double> back(mine.size());
      EXPECT_TRUE(file->data()
                      .get(std::vector<session::Move>{{.variable = v, .to = back.data(), .memory = k_double}},
                           rows.get())
                      .ok());
      EXPECT_EQ(back, mine);
      EXPECT_TRUE(file->close().ok());
    });
    const auto all = static_cast<uint64_t>(one.io_ranks);
    EXPECT_EQ(writing, one.stripes == 0 ? all : std::min(all, one.stripes))
        << one.ranks << " " << one.stripes;
  }
}

// A layout that is not understood is named, and the file is written by all I/O ranks.
TEST(Writers, OfAFileWhoseLayoutIsNotUnderstood) {
  ThreadJob job({.ranks = 2, .io_ranks = 2});
  storage::FileSystemFacts facts;
  facts.kind = "lustre";
  facts.layout = failure(Code::format, "its layout has stripes of 0 bytes, which are no multiple of 65536");
  job.set_store(std::make_unique<StripedStore>(facts));
  job.run([&](ThreadSystem& system) {
    auto file =
        session::File::open(system, session::Opening::Mode::create, std::string("/f"), OptionSet()).value();
    const std::vector<std::string> notes = system.records().events.events();
    const auto told = std::ranges::count_if(notes, [](const std::string& note) {
      return note.starts_with("/f: its layout has stripes of 0 bytes") &&
             note.ends_with("blocks of 1048576 bytes are assumed");
    });
    EXPECT_EQ(told, system.rank() == 0 ? 1 : 0);
    EXPECT_TRUE(file->close().ok());
  });
}

}  // namespace
}  // namespace scorpio::test

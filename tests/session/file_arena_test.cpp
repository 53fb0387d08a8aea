// The arena of a file without the parts that use it: what it costs, and what it leaves alone where there are
// no chunks.
#include "session/state/file_arena.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "session/parts.h"

namespace scorpio::test {
namespace {

using session::FileArena;

class FileArenaTest : public PartsTest {
 protected:
  static void before_data(session::Core& core) {
    core.contents.layout().chunks()->before_data(core.contents.schema(),
                                                 [](const auto&) { return std::vector<std::byte>(8); });
    core.transfer.data().follow();
  }
  bool asynchronous() const { return GetParam().shape.options.values().contains(Option::asynchronous); }
};

TEST_P(FileArenaTest, WithoutChunksThereIsNone) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Defining>(system, options());
    FileArena arena(*file->core);
    define(*file->core, "v", {10});
    const Cost cost(system);
    EXPECT_TRUE(arena.place_waiting().ok());
    arena.use();
    EXPECT_EQ(0u, cost.count());
    drop(*file->core);
  });
}

// No I/O rank has stored a chunk, so that the variable that comes later gets the space of the arena.
TEST_P(FileArenaTest, EndsIfALaterVariableNeedsSpace) {
  if (classic()) GTEST_SKIP() << "the format has no chunks";
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Defining>(system, options());
    session::Core& core = *file->core;
    FileArena arena(core);
    define_compressed(*file, "v", 700);
    before_data(core);
    arena.use();
    format::ChunkLayout& chunks = *core.contents.layout().chunks();
    ASSERT_TRUE(chunks.arena());
    const uint64_t begin = *chunks.arena();
    EXPECT_FALSE(chunks.waits_for_arena());

    const int later = define(core, "later", {10});
    EXPECT_TRUE(chunks.waits_for_arena());
    const Cost cost(system);
    EXPECT_TRUE(arena.place_waiting().ok());
    EXPECT_EQ(two_nodes() && asynchronous() ? 2u : 1u, cost.count());
    EXPECT_FALSE(chunks.waits_for_arena() || chunks.arena());
    EXPECT_LT(core.contents.layout().placement(later).address_of(0), begin);
    EXPECT_TRUE(arena.place_waiting().ok());  // there is none any more
    EXPECT_EQ(two_nodes() && asynchronous() ? 2u : 1u, cost.count());
    drop(core);
  });
}

INSTANTIATE_TEST_SUITE_P(All, FileArenaTest, testing::ValuesIn(cases({"hdf5", "cdf5"})), name_of);

}  // namespace
}  // namespace scorpio::test

// The arena of a file without the parts that use it, and the notes on long chunks: what they cost, and what
// they leave alone where there are no chunks.
#include "session/state/file_arena.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "session/elements/long_chunks.h"
#include "session/iosystem/report.h"
#include "session/parts.h"

namespace scorpio::test {
namespace {

using session::FileArena;
using session::LongChunks;

class FileArenaTest : public PartsTest {
 protected:
  // A variable of so many elements, which are one chunk with filters. Local.
  static void define_chunked(Defining& file, const std::string& name, int64_t extent) {
    session::Definitions& definitions = file.definitions;
    ASSERT_TRUE(definitions.define_dimension("dim_" + name, extent).ok());
    const int dimension = file.core->contents.schema().dimensions().count() - 1;
    ASSERT_TRUE(definitions.define_variable_on(name, k_double, {dimension}).ok());
    const int variable = file.core->contents.schema().variables().count() - 1;
    ASSERT_TRUE(definitions.define_chunks(variable, {extent}).ok());
    ASSERT_TRUE(definitions.define_filters(variable, {2, 1}, {0, 1}).ok());
  }
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
    EXPECT_TRUE(arena.settle().ok());
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
    define_chunked(*file, "v", 700);
    before_data(core);
    arena.use();
    format::ChunkLayout& chunks = *core.contents.layout().chunks();
    ASSERT_TRUE(chunks.arena());
    const uint64_t begin = *chunks.arena();
    EXPECT_FALSE(chunks.waits_for_arena());

    const int later = define(core, "later", {10});
    EXPECT_TRUE(chunks.waits_for_arena());
    const Cost cost(system);
    EXPECT_TRUE(arena.settle().ok());
    EXPECT_EQ(two_nodes() && asynchronous() ? 2u : 1u, cost.count());
    EXPECT_FALSE(chunks.waits_for_arena() || chunks.arena());
    EXPECT_LT(core.contents.layout().placement(later).address_of(0), begin);
    EXPECT_TRUE(arena.settle().ok());  // there is none any more
    EXPECT_EQ(two_nodes() && asynchronous() ? 2u : 1u, cost.count());
    drop(core);
  });
}

// Each variable is looked at once, and a shorter chunk than the one that was named is not.
TEST_P(FileArenaTest, LongChunksAreNotedOnce) {
  if (classic()) GTEST_SKIP() << "the format has no chunks";
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Defining>(system, options({{"chunk_bytes", "1MiB"}}));
    LongChunks notes(*file->core);
    const auto noted = [&] {
      notes.note_new();
      return session::notes_of(system.records().events).size();
    };
    define_chunked(*file, "short", 700);
    const size_t before = session::notes_of(system.records().events).size();
    EXPECT_EQ(before, noted());
    define_chunked(*file, "long", 200000);
    const size_t one = system.is_metadata_rank() ? 1 : 0;
    EXPECT_EQ(before + one, noted());
    EXPECT_EQ(before + one, noted());
    define_chunked(*file, "less", 150000);
    EXPECT_EQ(before + one, noted());
    define_chunked(*file, "longest", 300000);
    EXPECT_EQ(before + 2 * one, noted());
    drop(*file->core);
  });
}

INSTANTIATE_TEST_SUITE_P(All, FileArenaTest, testing::ValuesIn(cases({"hdf5", "cdf5"})), name_of);

}  // namespace
}  // namespace scorpio::test

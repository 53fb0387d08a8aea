// What a file contains on each rank: ids of variables, and the message by which the other ranks learn what
// the metadata rank has.
#include "session/state/file_contents.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "format/contents.h"
#include "format/registry.h"
#include "session/parts.h"

namespace scorpio::test {
namespace {

using session::FileContents;

// As a new file has them, with so many variables of 10 elements, which are placed.
FileContents contents_with(int variables, const Options& options) {
  FileContents contents("/a");
  contents.begin(
      format::format_named("cdf5"),
      {.options = options, .block_bytes = 4096, .unit_bytes = 4096, .end_of_allocation = 0, .eager = false});
  for (int i = 0; i < variables; ++i) {
    model::Schema& schema = contents.schema();
    model::Variable variable;
    variable.path = fmt::format("v{}", i);
    variable.type = k_double;
    variable.dimensions = {schema.add_dimension({fmt::format("x{}", i), 10, false}).value()};
    variable.dims = {10};
    const int index = schema.add_variable(std::move(variable)).value();
    EXPECT_TRUE(contents.layout().place(schema, index).ok());
  }
  EXPECT_TRUE(contents.layout().end_definitions(contents.schema()).ok());
  return contents;
}

TEST(FileContents, KnowTheVariablesOfIds) {
  const Options options;
  const FileContents empty = contents_with(0, options);
  EXPECT_EQ("variable id 0 of /a does not exist (there are none)", empty.variable(0).status().text());
  const FileContents contents = contents_with(2, options);
  EXPECT_EQ("/v1", contents.variable(1).value()->path);
  for (const int id : {-1, 2, 1 << 30}) {
    const Status status = contents.variable(id).status();
    EXPECT_EQ(Code::handle, status.code()) << id;
    EXPECT_TRUE(mentions(status, {std::to_string(id), "/a"}));
  }
}

TEST(FileContents, NameWhatIsLost) {
  const Options options;
  const FileContents contents = contents_with(2, options);
  EXPECT_TRUE(contents.naming({}).ok());
  const Status other = failure(Code::io, "the disk is full");
  EXPECT_EQ(other.text(), contents.naming(other).text());
  EXPECT_EQ(other.text(), FileContents("/a").naming(other).text());  // not open yet
}

class SharedContents : public testing::TestWithParam<JobShape> {};

TEST_P(SharedContents, AreThoseOfTheRoot) {
  ThreadJob job(GetParam());
  job.run([&](ThreadSystem& system) {
    const Options options;
    const int root = system.metadata_rank();
    FileContents contents = contents_with(system.rank() == root ? 3 : 0, options);
    EXPECT_TRUE(contents.share(system.comm(), root).ok());
    const FileContents expected = contents_with(3, options);
    EXPECT_EQ(expected.schema().hash(), contents.schema().hash());
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(expected.layout().placement(i).address_of(0), contents.layout().placement(i).address_of(0))
          << i;
  });
}

// Every rank returns the failure, and keeps what it had.
TEST_P(SharedContents, AreNotThoseOfABrokenMessage) {
  ThreadJob job(GetParam());
  job.run([&](ThreadSystem& system) {
    const Options options;
    const int root = system.metadata_rank();
    FileContents contents = contents_with(1, options);
    const std::vector<std::byte> broken(system.rank() == root ? 100 : 0, std::byte{0xff});
    EXPECT_NE(Code::ok, agreed(system, contents.take(system.comm(), root, Status(), broken, 100)));
    EXPECT_EQ(1, contents.schema().variables().count());
  });
}

// The others do not wait for a rank that has failed before.
TEST_P(SharedContents, AreNotTakenIfARankHasFailed) {
  ThreadJob job(GetParam());
  job.run([&](ThreadSystem& system) {
    const Options options;
    FileContents contents = contents_with(1, options);
    const std::vector<std::byte> good = format::serialise(contents.schema(), contents.layout().placements());
    const bool fails = system.rank() == system.comm().size() - 1;
    const Status before = fails ? out_of_memory() : Status();
    EXPECT_EQ(Code::memory, agreed(system, contents.take(system.comm(), system.metadata_rank(), before, good,
                                                         good.size())));
    EXPECT_EQ(Code::ok, agreed(system, contents.take(system.comm(), system.metadata_rank(), Status(), good,
                                                     good.size())));
  });
}

INSTANTIATE_TEST_SUITE_P(All, SharedContents, testing::Values(k_one_rank, k_one_node, k_two_nodes));

}  // namespace
}  // namespace scorpio::test

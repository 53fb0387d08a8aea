// The order of the calls on a file, alone: without data, and without other parts of the file.
#include "session/state/file_calls.h"

#include <gtest/gtest.h>

#include <memory>

#include "format/registry.h"
#include "session/definitions/kept_definitions.h"
#include "session/parts.h"
#include "session/thread_group.h"

namespace scorpio::test {
namespace {

using session::FileCalls;
using session::FileContents;
using Event = session::FileState::Event;

class FileCallsTest : public testing::Test {
 protected:
  FileCallsTest() {
    contents.begin(format::format_named("cdf5"), {.options = options,
                                                  .block_bytes = 4096,
                                                  .unit_bytes = 4096,
                                                  .end_of_allocation = 0,
                                                  .eager = false});
  }

  const Options options;
  MeetingPlace place{1};
  const ThreadGroup comm{place, 0};
  FileContents contents{"/a"};
};

TEST_F(FileCallsTest, AreThoseOfTheFormat) {
  FileCalls created(comm, 3, contents, true), read(comm, 4, contents, false);
  created.open(true);
  read.open(false);
  EXPECT_TRUE(created.state().defining()) << "a classic format has a define mode";
  EXPECT_TRUE(created.check(Event::add).ok());
  EXPECT_EQ(Code::read_only, read.check(Event::add).code());
  EXPECT_TRUE(read.check(Event::get).ok());
}

TEST_F(FileCallsTest, AreEnteredWithTheFile) {
  FileCalls calls(comm, 3, contents, true);
  calls.enter("scorpio_put");
  EXPECT_STREQ("scorpio_put", comm.calls().call().kind);
  EXPECT_EQ(3u, comm.calls().call().file);
  EXPECT_EQ("/a", comm.calls().call().path);
}

TEST_F(FileCallsTest, DropWhatWasKeptOfDefinitions) {
  FileCalls calls(comm, 3, contents, true);
  calls.kept_definitions() = std::make_shared<session::KeptDefinitions>();
  calls.enter("scorpio_put");
  EXPECT_EQ(nullptr, calls.kept_definitions());
}

TEST_F(FileCallsTest, NoteFailuresForTheNextSynchronisationPoint) {
  FileCalls calls(comm, 3, contents, true);
  EXPECT_TRUE(calls.note({}).ok());
  const Status full = failure(Code::io, "the disk is full");
  EXPECT_EQ(full.text(), calls.note(full).text());
  EXPECT_EQ(Code::io, calls.outcomes().with_earlier({}).code());
}

}  // namespace
}  // namespace scorpio::test
